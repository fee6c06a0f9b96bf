#include "tests.h"

#include "algebra/nullstellensatz.h"
#include "algebra/realpoint.h"

static const char *const names[] = {"x", "y", "k"};
static const bool yes[] = {true, true, true}, no[] = {false, false, false};

static void set(fmpz_mpoly_t p, const char *text, const fmpz_mpoly_ctx_t ctx)
{
    ck_assert_int_eq(
        fmpz_mpoly_set_str_pretty(p, text, (const char **)names, ctx), 0);
}

/* Refute f; return whether it is; what is shown is the identity. */
static bool refute(const char *const *f, slong n, const darc_signs *s,
                   const char *unless, bool real)
{
    fmpz_mpoly_struct p[4];
    fmpz_mpoly_t sum, t;
    darc_refutation r;
    for (slong i = 0; i < n; i++) {
        fmpz_mpoly_init(p + i, s->ctx);
        set(p + i, f[i], s->ctx);
    }
    fmpz_mpoly_init(sum, s->ctx);
    fmpz_mpoly_init(t, s->ctx);
    ck_assert_int_eq(darc_refutation_init(&r, p, n, s, NULL, NULL), DARC_OK);
    for (slong i = 0; i < n && r.found; i++) {
        fmpz_mpoly_mul(t, r.q + i, p + i, s->ctx);
        fmpz_mpoly_add(sum, sum, t, s->ctx);
    }
    bool found = r.found;
    if (found) {
        ck_assert(fmpz_mpoly_equal(sum, r.left, s->ctx));
        ck_assert(!fmpz_mpoly_is_zero(sum, s->ctx));
        set(t, unless, s->ctx);
        ck_assert(fmpz_mpoly_equal(r.unless, t, s->ctx));
        ck_assert_int_eq(r.real, real);
    }
    darc_refutation_clear(&r, s);
    for (slong i = 0; i < n; i++)
        fmpz_mpoly_clear(p + i, s->ctx);
    fmpz_mpoly_clear(sum, s->ctx);
    fmpz_mpoly_clear(t, s->ctx);
    return found;
}

START_TEST(what_has_no_zero_is_refuted)
{
    fmpz_mpoly_ctx_t ctx;
    fmpz_mpoly_ctx_init(ctx, 3, ORD_LEX);
    const darc_signs any = {ctx, 3, no, no}, positive = {ctx, 3, yes, yes};
    const darc_signs nonzero = {ctx, 3, yes, no}, given = {ctx, 2, no, no};
    const char *const hyperbola[] = {"x*y - 1", "x^2*y - 2*x", "y - x"};
    ck_assert(refute(hyperbola, 2, &any, "1", false));
    ck_assert(!refute(hyperbola + 1, 2, &any, "1", false));
    const char *const circle[] = {"x^2 + y^2 + 1", "x*y - k"};
    ck_assert(refute(circle, 1, &any, "1", true));
    ck_assert(!refute(circle + 1, 1, &positive, "1", true));
    const char *const product[] = {"x*y", "x + y - k"};
    ck_assert(!refute(product, 2, &any, "1", false));
    ck_assert(refute(product, 2, &nonzero, "1", false));
    const char *const two[] = {"x - k", "x^2 - 2", "x + k"};
    ck_assert(!refute(two, 2, &any, "1", false));
    ck_assert(refute(two, 2, &given, "k^2 - 2", false));
    ck_assert(refute(two + 2, 1, &positive, "1", true));
    ck_assert(!refute(two + 2, 1, &nonzero, "1", true));
    fmpz_mpoly_ctx_clear(ctx);
}
END_TEST

/* Whatever vanishes at a point is not refuted. */
START_TEST(what_has_a_zero_is_not)
{
    fmpz_mpoly_ctx_t ctx;
    flint_rand_t state;
    fmpz_mpoly_ctx_init(ctx, 3, ORD_LEX);
    flint_randinit(state);
    const darc_signs positive = {ctx, 3, yes, yes};
    for (int run = 0; run < 20; run++) {
        fmpz_mpoly_struct f[3];
        const fmpz at[] = {1 + run % 3, 2, 1 + run % 5};
        fmpz *const point[] = {(fmpz *)at, (fmpz *)at + 1, (fmpz *)at + 2};
        fmpz_t value;
        darc_refutation r;
        fmpz_init(value);
        for (int i = 0; i < 3; i++) {
            fmpz_mpoly_init(f + i, ctx);
            fmpz_mpoly_randtest_bound(f + i, state, 4, 4, 2, ctx);
            fmpz_mpoly_evaluate_all_fmpz(value, f + i, point, ctx);
            fmpz_mpoly_sub_fmpz(f + i, f + i, value, ctx);
        }
        ck_assert_int_eq(darc_refutation_init(&r, f, 3, &positive, NULL, NULL),
                         DARC_OK);
        ck_assert(!r.found);
        darc_refutation_clear(&r, &positive);
        for (int i = 0; i < 3; i++)
            fmpz_mpoly_clear(f + i, ctx);
        fmpz_clear(value);
    }
    flint_randclear(state);
    fmpz_mpoly_ctx_clear(ctx);
}
END_TEST

static void frame(darc_jet_t jet)
{
    darc_names_t n;
    darc_ranking_t rk;
    const int bound[] = {0, 0, 0};
    darc_names_init(n);
    for (int i = 0; i < 3; i++)
        darc_names_add(n, names[i], DARC_PARAMETER);
    darc_ranking_init(rk, 3);
    darc_jet_init(jet, n, rk, bound);
    darc_ranking_clear(rk);
    darc_names_clear(n);
}

static void append(darc_dpolys_t a, const char *text, const darc_jet_t jet)
{
    darc_dpoly_t p;
    darc_dpoly_init(p, jet);
    set(p, text, jet->ctx);
    darc_dpolys_append_take(a, p, jet);
    darc_dpoly_clear(p, jet);
}

START_TEST(boxes_hold_a_zero)
{
    darc_jet_t jet;
    darc_dpolys_t eq, tests;
    darc_realpoint p;
    frame(jet);
    darc_dpolys_init(eq);
    darc_dpolys_init(tests);
    append(eq, "k - 2", jet);
    append(eq, "y^2 - k", jet);
    append(eq, "y*x - 3", jet);
    append(tests, "1000000*y - 1414213", jet);
    append(tests, "1000000*y - 1414214", jet);
    append(tests, "1000*x - 2121", jet);
    append(tests, "x*y - 3", jet);
    ck_assert(darc_realpoint_init(&p, eq, jet, yes, 0));
    ck_assert(!p.exact);
    ck_assert_int_eq(darc_realpoint_sign(&p, tests->p, jet), 1);
    ck_assert_int_eq(darc_realpoint_sign(&p, tests->p + 1, jet), -1);
    ck_assert_int_eq(darc_realpoint_sign(&p, tests->p + 2, jet), 1);
    ck_assert_int_eq(darc_realpoint_sign(&p, tests->p + 3, jet), 0);
    darc_realpoint_clear(&p);
    append(eq, "9*k^2 - 1", jet);
    darc_dpolys_remove(eq, 0, jet);
    darc_dpolys_remove(eq, 1, jet);
    ck_assert(darc_realpoint_init(&p, eq, jet, yes, 0));
    ck_assert_int_eq(fmpq_equal(p.at[2].low, p.at[2].high), 1);
    darc_realpoint_clear(&p);
    darc_dpolys_clear(eq, jet);
    darc_dpolys_init(eq);
    append(eq, "x^2 + 1", jet);
    ck_assert(!darc_realpoint_init(&p, eq, jet, no, 0));
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(tests, jet);
    darc_jet_clear(jet);
}
END_TEST

/* Polynomials with planted zeros. */
START_TEST(stability_is_that_of_the_zeros)
{
    static const struct {
        const char *c[6];
        bool stable;
    } known[] = {
        {{"1", "2"}, true},
        {{"-1", "2"}, false},
        {{"-1", "-2"}, true},
        {{"4", "6", "4", "1"}, true},   /* (s + 2)(s^2 + 2 s + 2) */
        {{"8", "4", "2", "1"}, false},  /* (s + 2)(s^2 + 4) */
        {{"20", "1", "1", "1"}, false}, /* a pair on the right */
        {{"6", "11", "6", "1"}, true},  /* (s + 1)(s + 2)(s + 3) */
        {{"24", "50", "35", "10", "1"}, true},
        {{"120", "274", "225", "85", "15", "1"}, true},
        {{"-120", "154", "61", "-22", "-5", "1"}, false},
    };
    darc_jet_t jet;
    darc_realpoint p;
    darc_dpolys_t none;
    frame(jet);
    darc_dpolys_init(none);
    ck_assert(darc_realpoint_init(&p, none, jet, yes, 0));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        darc_dpolys_t c;
        darc_dpolys_init(c);
        for (int k = 0; k < 6 && known[i].c[k] != NULL; k++)
            append(c, known[i].c[k], jet);
        ck_assert_int_eq(darc_realpoint_is_stable(&p, c, jet), known[i].stable);
        darc_dpolys_clear(c, jet);
    }
    darc_realpoint_clear(&p);
    darc_jet_clear(jet);
}
END_TEST

Suite *suite_nullstellensatz(void)
{
    Suite *s = suite_create("nullstellensatz");
    TCase *tc = tcase_create("nullstellensatz");
    tcase_add_test(tc, what_has_no_zero_is_refuted);
    tcase_add_test(tc, what_has_a_zero_is_not);
    tcase_add_test(tc, boxes_hold_a_zero);
    tcase_add_test(tc, stability_is_that_of_the_zeros);
    suite_add_tcase(s, tc);
    return s;
}
