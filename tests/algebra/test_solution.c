#include "tests.h"

#include "ring.h"

#include "algebra/solution.h"

#include <string.h>

static darc_status solve(darc_solution_t s, const ring *r, slong length,
                         darc_err *err)
{
    flint_rand_t state;
    flint_randinit(state);
    darc_solution_init(s, r->jet->names, length,
                       darc_finite_random_prime(state), NULL, state);
    darc_status status = darc_solution_solve(s, r->eq, r->jet, state, err);
    flint_randclear(state);
    return status;
}

/* Return p at 0. */
static ulong at_zero(const darc_dpoly_t p, const darc_solution_t s,
                     const darc_jet_t jet)
{
    ulong value;
    darc_solution_derivatives(&value, 1, p, jet, s);
    return value;
}

/* Return the derivative of order k of unknown u. */
static ulong derivative(const darc_solution_t s, int u, int k)
{
    return s->value[u * s->stride + k];
}

/* x' = a x: x^(k) = a^k x; with y = x^2 and a free input. */
START_TEST(known_solutions)
{
    ring r;
    ring_init(&r, "x|a|y|u|t", "y >> x >> u >> a >> t", 4,
              "x_1 - a*x; y - x^2 - u_1*t",
              "x_3 - a^3*x;"
              "y_1 - 2*a*x^2 - u_2*t - u_1; y_2 - 4*a^2*x^2 - u_3*t - 2*u_2");
    darc_solution_t s;
    ck_assert(solve(s, &r, 12, NULL) == DARC_OK);
    for (slong i = 0; i < r.ineq->count; i++)
        ck_assert_uint_eq(at_zero(r.ineq->p + i, s, r.jet), 0);
    for (slong i = 0; i < r.eq->count; i++)
        ck_assert_uint_eq(at_zero(r.eq->p + i, s, r.jet), 0);
    /* what the chain leaves free is random */
    ck_assert_uint_ne(derivative(s, 0, 0), derivative(s, 1, 0));
    ck_assert_uint_ne(derivative(s, 3, 7), 0);
    ck_assert_uint_eq(derivative(s, 4, 1), 1);
    ck_assert_uint_eq(derivative(s, 4, 2), 0);
    ck_assert_uint_eq(derivative(s, 1, 1), 0);
    darc_solution_clear(s);
    ring_clear(&r);
}
END_TEST

/* Differentiated equations vanish too: rational, coupled, order 2, and a
 * parameter bound by the others. */
START_TEST(derivatives_of_the_chain_vanish)
{
    ring r;
    ring_init(&r, "x z|a b c|y|u", "y >> x z >> u >> c >> a b", 9,
              "a*c - b; (z + u)*z_1 - c*x*z; (1 + x^2)*x_2 - a*x_1*z + b; "
              "y*z - x_1*u_2",
              "");
    darc_solution_t s;
    ck_assert(solve(s, &r, 10, NULL) == DARC_OK);
    darc_dpoly_t p;
    darc_dpoly_init(p, r.jet);
    for (slong i = 0; i < r.eq->count; i++)
        for (int k = 0; k <= 5; k++) {
            ck_assert(darc_dpoly_diff_n(p, r.eq->p + i, k, r.jet, NULL) ==
                      DARC_OK);
            ck_assert_uint_eq(at_zero(p, s, r.jet), 0);
        }
    ring_read(p, "y_1 - x", r.jet);
    ck_assert_uint_ne(at_zero(p, s, r.jet), 0);
    darc_dpoly_clear(p, r.jet);
    darc_solution_clear(s);
    ring_clear(&r);
}
END_TEST

/* A leader of degree over 1 is a root. */
START_TEST(roots_of_the_leader)
{
    ring r;
    ring_init(&r, "||y u", "y >> u", 4, "y_1^2 - u*y_1 - y", "");
    darc_solution_t s;
    darc_dpoly_t p;
    darc_dpoly_init(p, r.jet);
    ck_assert(solve(s, &r, 6, NULL) == DARC_OK);
    for (int k = 0; k <= 3; k++) {
        ck_assert(darc_dpoly_diff_n(p, r.eq->p, k, r.jet, NULL) == DARC_OK);
        ck_assert_uint_eq(at_zero(p, s, r.jet), 0);
    }
    darc_dpoly_clear(p, r.jet);
    darc_solution_clear(s);
    ring_clear(&r);
}
END_TEST

START_TEST(a_vanishing_initial_fails)
{
    ring r; /* c = a, (c - a) x' = 1 */
    ring_init(&r, "x|a c", "x >> c >> a", 2, "c - a; (c - a)*x_1 - 1", "");
    darc_err err;
    darc_err_init(&err);
    darc_solution_t s;
    ck_assert(solve(s, &r, 4, &err) == DARC_DOMAIN);
    ck_assert(strstr(err.message, "no random solution") != NULL);
    darc_solution_clear(s);
    ring_clear(&r);
}
END_TEST

Suite *suite_solution(void)
{
    Suite *s = suite_create("solution");
    TCase *c = tcase_create("solution");
    tcase_add_test(c, known_solutions);
    tcase_add_test(c, derivatives_of_the_chain_vanish);
    tcase_add_test(c, roots_of_the_leader);
    tcase_add_test(c, a_vanishing_initial_fails);
    suite_add_tcase(s, c);
    return s;
}
