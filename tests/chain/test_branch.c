#include "tests.h"

#include "ring.h"

#include "chain/branch.h"

static const darc_dpoly_struct *poly(const ring *r, slong i)
{
    return r->eq->p + i;
}

START_TEST(inequations_are_factors_without_repetition)
{
    ring r;
    ring_init(&r, "x y|a||u|t", NULL, 2,
              "-6*a^2*(x - y)*x; a*(x + y); a*x; (x + y)*u_1*t; t*y - 1", "");
    darc_branch *b = darc_branch_new(r.jet);
    darc_branch_add_inequation(b, poly(&r, 0), r.jet);
    ck_assert_int_eq(b->S->count, 3); /* a, x - y, x */
    darc_branch_add_inequation(b, poly(&r, 1), r.jet);
    ck_assert_int_eq(b->S->count, 4);
    darc_branch_add_inequation(b, poly(&r, 2), r.jet);
    ck_assert_int_eq(b->S->count, 4);

    /* Of (x + y) u' t only u' may vanish. */
    darc_dpolys_t open;
    darc_dpolys_init(open);
    darc_branch_open_factors(open, b, poly(&r, 3), r.jet);
    ck_assert_int_eq(open->count, 1);
    ck_assert(ring_is(open->p, "u_1", r.jet));
    slong y = darc_jet_var(r.jet, (darc_deriv){1, 0});
    ck_assert(darc_branch_is_in_time_and(poly(&r, 4), y, r.jet));
    ck_assert(!darc_branch_is_in_time_and(poly(&r, 4), -1, r.jet));
    darc_dpolys_clear(open, r.jet);
    darc_branch_free(b, r.jet);
    ring_clear(&r);
}
END_TEST

START_TEST(lowest_rank_goes_first_then_the_shortest)
{
    ring r;
    ring_init(&r, "x y|a||u", "x >> y >> u >> a", 2,
              "x_1 - 1; x^2 + u; x^2 + u + a; u - a; 0", "");
    darc_branch *b = darc_branch_new(r.jet);
    for (slong i = 0; i < r.eq->count; i++)
        darc_branch_add_equation(b, poly(&r, i), r.jet);
    ck_assert_int_eq(b->P->count, 4); /* 0 says nothing */
    static const int expected[] = {3, 1, 2, 0};
    darc_dpoly_t p;
    darc_dpoly_init(p, r.jet);
    for (int i = 0; i < 4; i++) {
        ck_assert(darc_branch_take(p, b->P, r.jet));
        ck_assert(fmpz_mpoly_equal(p, poly(&r, expected[i]), r.jet->ctx));
    }
    ck_assert(!darc_branch_take(p, b->P, r.jet));
    darc_dpoly_clear(p, r.jet);
    darc_branch_free(b, r.jet);
    ring_clear(&r);
}
END_TEST

START_TEST(insertion_displaces_and_pairs)
{
    ring r;
    ring_init(&r, "x|a||u", "x >> a >> u", 2, "a^2 - u; a*u_1 - 1; x_1 - a",
              "");
    darc_branch *b = darc_branch_new(r.jet);
    darc_branch_insert(b, poly(&r, 2), r.jet);
    ck_assert_int_eq(b->D->count, 0); /* x is no constant */
    darc_branch_insert(b, poly(&r, 0), r.jet);
    ck_assert_int_eq(b->D->count, 1);
    darc_branch_insert(b, poly(&r, 1), r.jet);
    ck_assert_int_eq(b->D->count, 1); /* the pair of a^2 - u is gone */
    ck_assert_int_eq(b->P->count, 1); /* and it waits for reduction */
    ck_assert(fmpz_mpoly_equal(b->P->p, poly(&r, 0), r.jet->ctx));
    darc_dpoly_t p;
    darc_dpoly_init(p, r.jet);
    ck_assert(darc_branch_take(p, b->D, r.jet));
    ck_assert(fmpz_mpoly_equal(p, poly(&r, 1), r.jet->ctx));
    ck_assert(!darc_branch_take(p, b->D, r.jet));
    darc_dpoly_clear(p, r.jet);
    darc_branch_free(b, r.jet);
    ring_clear(&r);
}
END_TEST

START_TEST(a_split_leaves_the_generic_part_on_top)
{
    ring r;
    ring_init(&r, "x|a||u", NULL, 2, "a; a*x - u; x_1 - u", "");
    darc_tree_t tree = {{0}};
    ck_assert_ptr_null(darc_tree_top(tree));
    darc_tree_push_take(tree, darc_branch_new(r.jet));
    darc_branch_insert(darc_tree_top(tree), poly(&r, 2), r.jet);
    darc_tree_split(tree, poly(&r, 0), poly(&r, 1), false, r.jet);
    ck_assert_int_eq(tree->count, 2);
    ck_assert_int_eq(tree->splits, 1);

    darc_branch *top = darc_tree_pop(tree), *other = darc_tree_pop(tree);
    ck_assert(top->generic && !other->generic);
    ck_assert(top->P->count == 0 && top->S->count == 1);
    ck_assert(other->P->count == 2 && other->S->count == 0);
    ck_assert_ptr_nonnull(darc_autored_get(other->A, 0));
    darc_branch_free(top, r.jet);
    darc_branch_free(other, r.jet);
    darc_branch_free(NULL, r.jet);
    darc_tree_clear(tree, r.jet);
    ring_clear(&r);
}
END_TEST

Suite *suite_branch(void)
{
    Suite *s = suite_create("branch");
    TCase *c = tcase_create("branch");
    tcase_add_test(c, inequations_are_factors_without_repetition);
    tcase_add_test(c, lowest_rank_goes_first_then_the_shortest);
    tcase_add_test(c, insertion_displaces_and_pairs);
    tcase_add_test(c, a_split_leaves_the_generic_part_on_top);
    suite_add_tcase(s, c);
    return s;
}
