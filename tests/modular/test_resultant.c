#include "tests.h"

#include "modular/resultant.h"

#include <stdint.h>

#define PRIME UINT64_C(2305843009213693951) /* 2^61 - 1 */

/* det (x, y + 1; x + 2, y + 3) = 2 x - 2 y - 2, up to sign; a spent budget ends
 * the expansion. */
START_TEST(a_determinant_and_its_budget)
{
    darc_budget spent;
    darc_ring_t ring;
    darc_matrix M;
    nmod_mpoly_t det, expected;
    static const char *const names[] = {"x", "y"};
    darc_budget_init(&spent);
    darc_ring_init(ring, 2, PRIME, NULL);
    darc_matrix_init(&M, 2, ring);
    nmod_mpoly_init(det, ring->ctx);
    nmod_mpoly_init(expected, ring->ctx);
    for (int i = 0; i < 4; i++) {
        nmod_mpoly_gen(M.entry + i, i % 2, ring->ctx);
        nmod_mpoly_add_ui(M.entry + i, M.entry + i, (ulong)i, ring->ctx);
    }
    ck_assert_int_eq(darc_matrix_det(det, &M, ring, NULL), DARC_OK);
    nmod_mpoly_set_str_pretty(expected, "2*x-2*y-2", (const char **)names,
                              ring->ctx);
    nmod_mpoly_make_monic(det, det, ring->ctx);
    nmod_mpoly_make_monic(expected, expected, ring->ctx);
    ck_assert(nmod_mpoly_equal(det, expected, ring->ctx));
    spent.deadline = 0;
    ring->budget = &spent;
    ck_assert_int_eq(darc_matrix_det(det, &M, ring, NULL), DARC_LIMIT);
    nmod_mpoly_clear(det, ring->ctx);
    nmod_mpoly_clear(expected, ring->ctx);
    darc_matrix_clear(&M, ring);
    darc_ring_clear(ring);
}
END_TEST

/* Set f to a random polynomial of up to 6 terms in variables first to 3. */
static void draw(darc_mpoly *f, slong first, darc_ring_t ring)
{
    ulong exp[4] = {0};
    nmod_mpoly_zero(f, ring->ctx);
    for (int t = 0; t < 6; t++) {
        for (slong v = first; v < 4; v++)
            exp[v] = n_randint(ring->rand, 3);
        nmod_mpoly_push_term_ui_ui(f, n_randint(ring->rand, ring->mod.n), exp,
                                   ring->ctx);
    }
    nmod_mpoly_sort_terms(f, ring->ctx);
    nmod_mpoly_combine_like_terms(f, ring->ctx);
}

/* What three random polynomials have in common, with a factor in few variables
 * or in all, is FLINT's gcd, also modulo 3, where images often mislead. */
START_TEST(what_polynomials_have_in_common)
{
    darc_ring_t ring;
    nmod_mpoly_t g, expected, common;
    darc_mpoly f[3];
    const darc_mpoly *const list[] = {f, f + 1, f + 2};
    int shared = 0;
    darc_ring_init(ring, 4, _i == 0 ? PRIME : 3, NULL);
    darc_mpoly_inits(ring->ctx, g, expected, common, f, f + 1, f + 2, NULL);
    for (slong trial = 0; trial < 400; trial++) {
        nmod_mpoly_zero(expected, ring->ctx);
        draw(common, trial % 4, ring);
        for (int i = 0; i < 3; i++) {
            draw(f + i, 0, ring);
            if (trial % 3 > 0)
                nmod_mpoly_mul(f + i, f + i, common, ring->ctx);
            ck_assert(nmod_mpoly_gcd(expected, expected, f + i, ring->ctx));
        }
        ck_assert_int_eq(darc_ring_gcd(g, list, 3, ring, NULL), DARC_OK);
        ck_assert(nmod_mpoly_equal(g, expected, ring->ctx));
        shared += !nmod_mpoly_is_ui(g, ring->ctx);
    }
    ck_assert_int_gt(shared, 200);
    darc_mpoly_clears(ring->ctx, g, expected, common, f, f + 1, f + 2, NULL);
    darc_ring_clear(ring);
}
END_TEST

/* The factor that vanishes where x = 2, y = -4, as it stands in products and
 * powers. */
START_TEST(the_factor_that_vanishes)
{
    static const char *const names[] = {"x", "y"},
                             *const from[] = {"(x^2+y)*(x^3+y^2+1)*(y+7)",
                                              "3*(x^2+y)^2*(x^3-y)",
                                              "(x^2+y)^4*x*y^2",
                                              "5*(x^2+y)^2",
                                              "(x^2+y)^3",
                                              "(x^2+y)^2*(x+y)^2",
                                              "x^2+y"};
    darc_ring_t ring;
    nmod_mpoly_t f, expected;
    darc_ring_init(ring, 2, PRIME, NULL);
    ring->point[0] = 2;
    ring->point[1] = PRIME - 4;
    darc_mpoly_inits(ring->ctx, f, expected, NULL);
    nmod_mpoly_set_str_pretty(f, from[_i], (const char **)names, ring->ctx);
    nmod_mpoly_set_str_pretty(expected, "x^2+y", (const char **)names,
                              ring->ctx);
    ck_assert_int_eq(darc_ring_factor(f, ring, NULL), DARC_OK);
    ck_assert(nmod_mpoly_equal(f, expected, ring->ctx));
    darc_mpoly_clears(ring->ctx, f, expected, NULL);
    darc_ring_clear(ring);
}
END_TEST

/* Powers of a divisor, and what a matrix consists of, are work too: both are
 * zero at x = 1 or -1, y = 0. */
START_TEST(all_products_are_work)
{
    static const struct {
        const char *f, *g;
        ulong x;
        double little, enough;
    } of[] = {
        {"x^2+x", "(y+1)^20*x+1", PRIME - 1, 200, 600},
        {"(y+1)^20*x^2+(y+1)^19-2", "(y+1)^20*x^2+(y+1)^19-2+y", 1, 800, 3000}};
    static const char *const names[] = {"x", "y"};
    for (int enough = 0; enough < 2; enough++) {
        darc_ring_t ring;
        nmod_mpoly_t f, g;
        darc_ring_init(ring, 2, PRIME, NULL);
        ring->point[0] = of[_i].x;
        ring->work_limit = enough ? of[_i].enough : of[_i].little;
        darc_mpoly_inits(ring->ctx, f, g, NULL);
        nmod_mpoly_set_str_pretty(f, of[_i].f, (const char **)names, ring->ctx);
        nmod_mpoly_set_str_pretty(g, of[_i].g, (const char **)names, ring->ctx);
        ck_assert_int_eq(darc_resultant(f, f, g, 0, ring, NULL),
                         enough ? DARC_OK : DARC_LIMIT);
        darc_mpoly_clears(ring->ctx, f, g, NULL);
        darc_ring_clear(ring);
    }
}
END_TEST

Suite *suite_resultant(void)
{
    Suite *s = suite_create("resultant");
    TCase *t = tcase_create("resultant");
    tcase_add_test(t, a_determinant_and_its_budget);
    tcase_add_loop_test(t, what_polynomials_have_in_common, 0, 2);
    tcase_add_loop_test(t, the_factor_that_vanishes, 0, 7);
    tcase_add_loop_test(t, all_products_are_work, 0, 2);
    suite_add_tcase(s, t);
    return s;
}
