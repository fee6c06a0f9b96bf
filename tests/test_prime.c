#include "tests.h"

#include "ring.h"

#include "chain/prime.h"

static const struct {
    const char *names, *eq, *ineq;
    bool found, whole;
} systems[] = {
    /* solved forms */
    {"x|a b|y|u", "x_1 - a*x + b*x^2 - u; y - x", "", true, true},
    {"x|k v|y", "(k + x)*x_1 + v*x; y - x", "k + x", true, true},
    {"|m c d|z f", "m*f - c*z - d*z_1", "m;c;d", true, true},
    /* a mass that may be zero: no matter, d is not */
    {"|m c d|z f", "m*f - c*z - d*z_1", "c;d", true, true},
    /* a denominator that may vanish: a smaller component besides */
    {"x y|a", "x*x_1 - a; y_1 - x", "", true, false},
    {"x y|a", "x*x_1 - a*x; y_1 - x", "", true, false},
    /* not linear in any leader */
    {"||y", "y_1^2 - 4*y", "", false, false},
    /* two components of the same size */
    {"x||y", "(x_1 - 1)*(x_1 + 1); y - x", "", false, false},
    /* no solution at all */
    {"x||y", "x; x - 1; y - x", "", false, false},
};

START_TEST(solved_forms_are_seen_to_be_prime)
{
    ring r;
    ring_init(&r, systems[_i].names, NULL, 3, systems[_i].eq, systems[_i].ineq);
    const darc_request q = {.eq = r.eq, .ineq = r.ineq, .jet = r.jet};
    darc_prime_t p;
    ck_assert(darc_prime_init(p, &q, NULL) == DARC_OK);
    ck_assert_int_eq(p->found, systems[_i].found);
    ck_assert_int_eq(p->found && p->whole, systems[_i].whole);
    if (p->found) {
        const darc_component *c = p->d->component;
        for (slong i = 0; i < c->equations->count; i++) {
            const darc_dpoly_struct *f = c->equations->p + i;
            slong v = darc_dpoly_leader(f, p->d->jet);
            ck_assert_int_eq(darc_dpoly_degree(f, v, p->d->jet), 1);
        }
    }
    darc_prime_clear(p);
    ring_clear(&r);
}
END_TEST

START_TEST(a_spent_budget_stops_it)
{
    ring r;
    ring_init(&r, systems[0].names, NULL, 3, systems[0].eq, "");
    darc_budget b;
    darc_budget_init(&b);
    b.deadline = darc_now() - 1;
    const darc_request q = {
        .eq = r.eq, .ineq = r.ineq, .jet = r.jet, .budget = &b};
    darc_prime_t p;
    ck_assert(darc_prime_init(p, &q, NULL) == DARC_LIMIT);
    darc_prime_clear(p);
    ring_clear(&r);
}
END_TEST

Suite *suite_prime(void)
{
    Suite *s = suite_create("prime");
    TCase *c = tcase_create("prime");
    tcase_add_loop_test(c, solved_forms_are_seen_to_be_prime, 0,
                        sizeof systems / sizeof *systems);
    tcase_add_test(c, a_spent_budget_stops_it);
    suite_add_tcase(s, c);
    return s;
}
