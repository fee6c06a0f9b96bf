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

Suite *suite_resultant(void)
{
    Suite *s = suite_create("resultant");
    TCase *t = tcase_create("resultant");
    tcase_add_test(t, a_determinant_and_its_budget);
    suite_add_tcase(s, t);
    return s;
}
