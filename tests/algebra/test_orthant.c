#include "tests.h"

#include "algebra/orthant.h"

#include <math.h>
#include <string.h>

enum { VARIABLES = 3, MOST = 4 };
static const char *const names[] = {"x", "y", "z"};

typedef struct {
    fmpz_mpoly_ctx_t ctx;
    fmpz_mpoly_struct f[MOST];
    int count;
    bool used[MOST];
} question;

static void setup(question *q)
{
    memset(q, 0, sizeof *q);
    fmpz_mpoly_ctx_init(q->ctx, VARIABLES, ORD_LEX);
    for (int i = 0; i < MOST; i++)
        fmpz_mpoly_init(q->f + i, q->ctx);
}

static void teardown(question *q)
{
    for (int i = 0; i < MOST; i++)
        fmpz_mpoly_clear(q->f + i, q->ctx);
    fmpz_mpoly_ctx_clear(q->ctx);
}

static bool ask(question *q, double centre)
{
    const double at[VARIABLES] = {centre, centre, centre};
    memset(q->used, 0, sizeof q->used);
    darc_orthant o = {q->f, q->count, q->ctx, q->used, 0, 0};
    bool covered = darc_orthant_cover(&o, at, NULL);
    ck_assert(o.boxes > 0 || !covered);
    return covered;
}

START_TEST(answers_are_those_known)
{
    static const struct {
        const char *f[MOST];
        bool covered;
    } known[] = {
        {{"x - 2", "1 - x"}, true},
        {{"x - 1", "2 - x"}, false},
        {{"x - 1", "1 - x"}, false}, /* at 1 both are 0 */
        {{"x - 1"}, false},
        {{"-x - 1"}, true},
        {{"-3"}, true},
        {{"3"}, false},
        {{"0"}, false},
        /* what grows most depends on the direction */
        {{"1 - x*y", "x - 2", "y - 2"}, true},
        {{"1 - x*y", "2*x - 1", "2*y - 1"}, false},
        {{"1 - x*y*z", "x - 2", "y - 2", "z - 2"}, true},
        {{"x*y - x^2 - y^2"}, true},
        {{"x*y + y*z + z*x - 2*x^2 - 2*y^2 - 2*z^2"}, true},
        {{"3*x*y - x^2 - y^2"}, false},
        {{"x^3 - x^2*y^2 - y"}, false},
        {{"x^2*y - x^4*y^2 - 1"}, true},
        {{"3*x^2*y - x^4*y^2 - 1"}, false},
        /* what counts is a ratio */
        {{"x^2 - 3*x*y", "y^2 - 3*x*y"}, true},
        {{"2*x^2 - x*y", "2*y^2 - x*y"}, false},
        /* it touches 0 */
        {{"2*x*y - x^2 - y^2"}, false},
        /* numbers beyond doubles */
        {{"10000000000000000000000000000000000000000*x - 1",
          "1 - 100000000000000000000000000000000000000000*x"},
         true},
        {{"10000000000000000000000000000000000000000*x - 1",
          "1 - 1000000000000000000000000000000000000000*x"},
         false},
        /* a narrow gap */
        {{"1000*x*y - 1001", "1000 - 1000*x*y"}, true},
        {{"1001 - 1000*x*y", "1000*x*y - 1000"}, false},
    };
    question q;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        setup(&q);
        for (; q.count < MOST && known[k].f[q.count] != NULL; q.count++)
            ck_assert_int_eq(
                fmpz_mpoly_set_str_pretty(q.f + q.count, known[k].f[q.count],
                                          (const char **)names, q.ctx),
                0);
        for (double at = 1e-3; at < (known[k].covered ? 1e4 : 1); at *= 100) {
            ck_assert_msg(ask(&q, at) == known[k].covered, "%s, ... from %g",
                          known[k].f[0], at);
            for (int i = 0; i < q.count && known[k].covered; i++)
                ck_assert(q.used[i]);
        }
        teardown(&q);
    }
}
END_TEST

/* Random terms, and, at the point 1, 2, 3, a value of at least `least`. */
static void draw(fmpz_mpoly_t f, flint_rand_t state, slong least,
                 const fmpz_mpoly_ctx_t ctx)
{
    fmpz at[VARIABLES] = {1, 2, 3}, *const p[] = {at, at + 1, at + 2};
    fmpz_t value;
    fmpz_init(value);
    fmpz_mpoly_randtest_bound(f, state, 6, 5, 4, ctx);
    ck_assert(fmpz_mpoly_evaluate_all_fmpz(value, f, p, ctx));
    if (fmpz_cmp_si(value, least) < 0) {
        fmpz_sub_si(value, value, least);
        fmpz_mpoly_sub_fmpz(f, f, value, ctx);
    }
    fmpz_clear(value);
}

START_TEST(a_point_is_never_excluded)
{
    flint_rand_t state;
    question q;
    flint_randinit(state);
    for (int k = 0; k < 300; k++) {
        setup(&q);
        for (q.count = 0; q.count < MOST; q.count++)
            draw(q.f + q.count, state, k % 3, q.ctx);
        ck_assert_msg(!ask(&q, 1), "number %d", k);
        teardown(&q);
    }
    flint_randclear(state);
}
END_TEST

/* Return the sign of f at 2^e, e from -20 on. */
static int sign_at(const fmpz_mpoly_t f, const int *e,
                   const fmpz_mpoly_ctx_t ctx)
{
    ulong k[VARIABLES];
    fmpz_t value, term;
    fmpz_init(value);
    fmpz_init(term);
    for (slong t = 0; t < f->length; t++) {
        long twos = 20 * VARIABLES * 5;
        fmpz_mpoly_get_term_exp_ui(k, f, t, ctx);
        for (int v = 0; v < VARIABLES; v++)
            twos += e[v] * (long)k[v];
        fmpz_mul_2exp(term, f->coeffs + t, (ulong)twos);
        fmpz_add(value, value, term);
    }
    int sign = fmpz_sgn(value);
    fmpz_clear(value);
    fmpz_clear(term);
    return sign;
}

START_TEST(where_it_is_covered_one_is_negative)
{
    flint_rand_t state;
    question q;
    int proved = 0;
    flint_randinit(state);
    for (int k = 0; k < 300; k++) {
        setup(&q);
        for (q.count = 0; q.count < MOST; q.count++)
            fmpz_mpoly_randtest_bound(q.f + q.count, state, 4, 5, 3, q.ctx);
        bool covered = ask(&q, 1);
        proved += covered;
        for (int t = 0; t < 200 && covered; t++) {
            int e[VARIABLES];
            bool negative = false;
            for (int v = 0; v < VARIABLES; v++)
                e[v] = (int)n_randint(state, 41) - 20;
            for (int i = 0; i < MOST; i++)
                negative |= q.used[i] && sign_at(q.f + i, e, q.ctx) < 0;
            ck_assert_msg(negative, "number %d", k);
        }
        teardown(&q);
    }
    flint_randclear(state);
    ck_assert_int_gt(proved, 50);
}
END_TEST

Suite *suite_orthant(void)
{
    Suite *s = suite_create("orthant");
    TCase *c = tcase_create("orthant");
    tcase_add_test(c, answers_are_those_known);
    tcase_add_test(c, a_point_is_never_excluded);
    tcase_add_test(c, where_it_is_covered_one_is_negative);
    suite_add_tcase(s, c);
    return s;
}
