#include "tests.h"

#include "ring.h"

#include "base/limits.h"
#include "chain/chain.h"

START_TEST(orders_are_the_greatest_met)
{
    ring r;
    ring_init(&r, "x|a|y|u", NULL, 4, "x_2 - u; x*y_1 - a", "u_1");
    int order[4] = {0};
    darc_dpolys_orders(order, r.eq, r.jet);
    darc_dpolys_orders(order, r.ineq, r.jet);
    static const int expected[4] = {2, 0, 1, 1};
    for (int u = 0; u < 4; u++)
        ck_assert_int_eq(order[u], expected[u]);
    ck_assert_int_eq(darc_frame_max_order(r.jet), 4);
    ring_clear(&r);
}
END_TEST

START_TEST(guesses_follow_the_ranking)
{
    ring r;
    int order[4] = {2, 0, 0, 0}, bound[4];
    ring_init(&r, "x|a|y|u", "x >> y >> u >> a", 0, "", "");
    darc_frame_guess(bound, order, r.jet);
    ck_assert_int_eq(bound[0], 4);
    ck_assert_int_eq(bound[1], 0);
    ck_assert_int_eq(bound[2], 4); /* 2, and 2 orders of x */
    ring_clear(&r);
    ring_init(&r, "x|a|y|u", "x >> a >> y >> u", 0, "", "");
    darc_frame_guess(bound, order, r.jet);
    ck_assert_int_eq(bound[2], 5); /* and one parameter above */
    ck_assert_int_eq(bound[3], 5);
    ring_clear(&r);
}
END_TEST

START_TEST(growth_stops_at_the_limit)
{
    ring r;
    ring_init(&r, "x|a||u|t", NULL, 0, "", "");
    int bound[4] = {4, 0, 5, 0};
    ck_assert(darc_frame_grow(bound, r.jet));
    ck_assert_int_eq(bound[0], 8);
    ck_assert_int_eq(bound[1], 0);
    ck_assert_int_eq(bound[2], 9);
    ck_assert_int_eq(bound[3], 0);
    int steps = 0;
    while (darc_frame_grow(bound, r.jet))
        ck_assert_int_lt(steps++, 20);
    ck_assert_int_le(bound[2], DARC_MAX_FRAME_ORDER);
    ck_assert_int_gt(bound[2], DARC_MAX_FRAME_ORDER / 2);
    ring_clear(&r);
}
END_TEST

START_TEST(moving_refuses_what_does_not_fit)
{
    ring a, b;
    ring_init(&a, "x|a|y|u", NULL, 3, "x_3 - u; y - a", "");
    ring_init(&b, "x|a|y|u", "y >> a >> x >> u", 2, "", "");
    ck_assert(darc_dpolys_move(b.eq, b.jet, a.eq, a.jet, NULL) == DARC_LIMIT);
    darc_dpolys_remove(a.eq, 0, a.jet);
    ck_assert(darc_dpolys_move(b.ineq, b.jet, a.eq, a.jet, NULL) == DARC_OK);
    ck_assert(ring_is(b.ineq->p, "y - a", b.jet));
    ring_clear(&a);
    ring_clear(&b);
}
END_TEST

Suite *suite_frame(void)
{
    Suite *s = suite_create("frame");
    TCase *c = tcase_create("frame");
    tcase_add_test(c, orders_are_the_greatest_met);
    tcase_add_test(c, guesses_follow_the_ranking);
    tcase_add_test(c, growth_stops_at_the_limit);
    tcase_add_test(c, moving_refuses_what_does_not_fit);
    suite_add_tcase(s, c);
    return s;
}
