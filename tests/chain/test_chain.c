#include "tests.h"

#include "decompose.h"

static const example square = {"||y", NULL, "y_1^2 - 4*y", ""};

/* Set p to the text in the frame of d. */
static darc_truth member(const char *text, const darc_decomposition_t d, int i,
                         const darc_budget *budget)
{
    darc_dpoly_t p;
    darc_dpoly_init(p, d->jet);
    ring_read(p, text, d->jet);
    darc_truth truth = darc_chain_member(p, d->component + i, d->jet, budget);
    darc_dpoly_clear(p, d->jet);
    return truth;
}

START_TEST(membership_tells_components_apart)
{
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &square, false);
    /* (y'' - 2) y' = 0 on both, y'' = 2 on the general component alone */
    ck_assert(member("y_2 - 2", d, 0, NULL) == DARC_TRUE);
    ck_assert(member("y_2 - 2", d, 1, NULL) == DARC_FALSE);
    ck_assert(member("y_1*y_2 - 2*y_1", d, 1, NULL) == DARC_TRUE);
    ck_assert(member("y_3 + y_2^2 - 4", d, 0, NULL) == DARC_TRUE);
    ck_assert(member("y_3 + y_2^2 - 5", d, 0, NULL) == DARC_FALSE);
    ck_assert(darc_chain_contains(d->component, d->component + 1, d->jet,
                                  NULL) == DARC_UNKNOWN);
    ck_assert(darc_chain_contains(d->component + 1, d->component, d->jet,
                                  NULL) == DARC_FALSE);
    ck_assert(darc_chain_contains(d->component, d->component, d->jet, NULL) ==
              DARC_TRUE);
    darc_budget b;
    darc_budget_init(&b);
    b.deadline = darc_now() - 1;
    ck_assert(member("y_2 - 2", d, 0, &b) == DARC_UNKNOWN);
    finish(d, &r);
}
END_TEST

START_TEST(membership_may_leave_the_frame)
{
    ring r; /* x = u': x'' has no place for u''' */
    ring_init(&r, "x||u", NULL, 2, "x - u_1; x_2", "");
    darc_component c = {.generic = true};
    darc_dpolys_init(c.equations);
    darc_dpolys_init(c.inequations);
    darc_dpolys_append(c.equations, r.eq->p, r.jet);
    ck_assert(darc_chain_member(r.eq->p + 1, &c, r.jet, NULL) == DARC_FALSE);
    darc_dpolys_clear(c.equations, r.jet);
    ring_clear(&r);
}
END_TEST

Suite *suite_chain(void)
{
    Suite *s = suite_create("chain");
    TCase *c = tcase_create("chain");
    tcase_add_test(c, membership_tells_components_apart);
    tcase_add_test(c, membership_may_leave_the_frame);
    suite_add_tcase(s, c);
    return s;
}
