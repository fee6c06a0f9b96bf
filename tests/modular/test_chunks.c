/* Sums of products in chunks against FLINT's, and by several threads. */
#include "tests.h"

#include "base/flint.h"
#include "modular/chunks.h"
#include "projection/point.h"

static void random_poly(nmod_mpoly_t p, slong terms, ulong bits,
                        flint_rand_t rand, const nmod_mpoly_ctx_t ctx)
{
    nmod_mpoly_randtest_bound(p, rand, terms, UWORD(1) << bits, ctx);
    for (slong i = 0; i < p->length; i++)
        p->coeffs[i] = 1 + n_randint(rand, nmod_mpoly_ctx_modulus(ctx) - 1);
}

static void to_chunks(darc_chunks *f, const nmod_mpoly_t p,
                      const nmod_mpoly_ctx_t ctx)
{
    ulong exp[2];
    darc_chunks_init(f);
    for (slong i = 0; i < p->length; i++) {
        nmod_mpoly_get_term_exp_ui(exp, p, i, ctx);
        darc_chunks_push(f, exp[0], exp[1], p->coeffs[i]);
    }
}

static void check_equal(const darc_chunks *f, const nmod_mpoly_t p,
                        const nmod_mpoly_ctx_t ctx)
{
    ulong exp[2];
    slong i = 0;
    ck_assert_int_eq(f->terms, p->length);
    for (slong b = 0; b < f->count; b++)
        for (slong t = f->first[b]; t < f->first[b + 1]; t++, i++) {
            nmod_mpoly_get_term_exp_ui(exp, p, i, ctx);
            ck_assert_uint_eq(exp[0], f->main[b]);
            ck_assert_uint_eq(exp[1], f->side[t]);
            ck_assert_uint_eq(p->coeffs[i], f->coeff[t]);
        }
}

/* Terms of the factors; the last ones make several units of work. */
static const slong sizes[] = {0, 1, 7, 60, 1700};

START_TEST(sums_are_those_of_flint)
{
    flint_rand_t rand;
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_t p[4], q;
    nmod_t mod;
    darc_chunks c[4], sum;
    flint_randinit(rand);
    nmod_init(&mod, darc_finite_prime(0));
    nmod_mpoly_ctx_init(ctx, 2, ORD_LEX, mod.n);
    nmod_mpoly_init(q, ctx);
    for (int i = 0; i < 4; i++) {
        nmod_mpoly_init(p[i], ctx);
        random_poly(p[i], sizes[_i], 6, rand, ctx);
        to_chunks(c + i, p[i], ctx);
    }
    const darc_product product[] = {{c, c + 1, 1}, {c + 2, c + 3, -1}};
    nmod_mpoly_mul(p[0], p[0], p[1], ctx);
    nmod_mpoly_mul(p[2], p[2], p[3], ctx);
    nmod_mpoly_sub(q, p[0], p[2], ctx);
    darc_chunks_init(&sum);
    for (int threads = 1; threads <= 3; threads++) {
        darc_budget b;
        darc_budget_init(&b);
        b.threads = threads;
        ck_assert(darc_chunks_sum(&sum, product, 2, mod, &b, NULL) == DARC_OK);
        check_equal(&sum, q, ctx);
    }
    for (int i = 0; i < 4; i++) {
        nmod_mpoly_clear(p[i], ctx);
        darc_chunks_clear(c + i);
    }
    darc_chunks_clear(&sum);
    nmod_mpoly_clear(q, ctx);
    nmod_mpoly_ctx_clear(ctx);
    flint_randclear(rand);
}
END_TEST

START_TEST(spent_budgets_end_a_sum)
{
    nmod_t mod;
    darc_chunks a, sum;
    darc_budget b;
    nmod_init(&mod, darc_finite_prime(0));
    darc_budget_init(&b);
    b.deadline = darc_now() - 1;
    darc_chunks_init(&a);
    darc_chunks_init(&sum);
    darc_chunks_push(&a, 1, 1, 1);
    const darc_product product = {&a, &a, 1};
    ck_assert(darc_chunks_sum(&sum, &product, 1, mod, &b, NULL) == DARC_LIMIT);
    darc_chunks_clear(&a);
    darc_chunks_clear(&sum);
}
END_TEST

Suite *suite_chunks(void)
{
    Suite *s = suite_create("chunks");
    TCase *t = tcase_create("chunks");
    tcase_add_loop_test(t, sums_are_those_of_flint, 0,
                        (int)(sizeof sizes / sizeof sizes[0]));
    tcase_add_test(t, spent_budgets_end_a_sum);
    suite_add_tcase(s, t);
    return s;
}
