#include "tests.h"

#include "ring.h"

#include "algebra/series.h"

#include <string.h>

/* x' = a x: x^(k) = a^k x; with y = x^2 and a free input. */
START_TEST(known_solutions)
{
    ring r;
    ring_init(&r, "x|a|y|u|t", "y >> x >> u >> a >> t", 4,
              "x_1 - a*x; y - x^2 - u_1*t",
              "x_3 - a^3*x;"
              "y_1 - 2*a*x^2 - u_2*t - u_1; y_2 - 4*a^2*x^2 - u_3*t - 2*u_2");
    darc_series_t s;
    ck_assert(darc_series_init(s, r.eq, 12, 5, r.jet, NULL) == DARC_OK);
    for (slong i = 0; i < r.ineq->count; i++)
        ck_assert_uint_eq(darc_series_eval(r.ineq->p + i, s, r.jet), 0);
    for (slong i = 0; i < r.eq->count; i++)
        ck_assert_uint_eq(darc_series_eval(r.eq->p + i, s, r.jet), 0);
    /* what the chain leaves free is random */
    ck_assert_uint_ne(darc_series_deriv(s, (darc_deriv){0, 0}),
                      darc_series_deriv(s, (darc_deriv){1, 0}));
    ck_assert_uint_ne(darc_series_deriv(s, (darc_deriv){3, 7}), 0);
    ck_assert_uint_eq(darc_series_deriv(s, (darc_deriv){4, 1}), 1);
    ck_assert_uint_eq(darc_series_deriv(s, (darc_deriv){4, 2}), 0);
    ck_assert_uint_eq(darc_series_deriv(s, (darc_deriv){1, 1}), 0);
    darc_series_clear(s);
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
    darc_series_t s;
    ck_assert(darc_series_init(s, r.eq, 10, 8, r.jet, NULL) == DARC_OK);
    darc_dpoly_t p;
    darc_dpoly_init(p, r.jet);
    for (slong i = 0; i < r.eq->count; i++)
        for (int k = 0; k <= 5; k++) {
            ck_assert(darc_dpoly_diff_n(p, r.eq->p + i, k, r.jet, NULL) ==
                      DARC_OK);
            ck_assert_uint_eq(darc_series_eval(p, s, r.jet), 0);
        }
    ring_read(p, "y_1 - x", r.jet);
    ck_assert_uint_ne(darc_series_eval(p, s, r.jet), 0);
    darc_dpoly_clear(p, r.jet);
    darc_series_clear(s);
    ring_clear(&r);
}
END_TEST

START_TEST(a_vanishing_initial_fails)
{
    ring r; /* c = a, (c - a) x' = 1 */
    ring_init(&r, "x|a c", "x >> c >> a", 2, "c - a; (c - a)*x_1 - 1", "");
    darc_err err;
    darc_err_init(&err);
    darc_series_t s;
    ck_assert(darc_series_init(s, r.eq, 4, 1, r.jet, &err) == DARC_DOMAIN);
    ck_assert(strstr(err.message, "initial vanishes") != NULL);
    ck_assert_ptr_null(s->coeff);
    ring_clear(&r);
}
END_TEST

Suite *suite_series(void)
{
    Suite *s = suite_create("series");
    TCase *c = tcase_create("series");
    tcase_add_test(c, known_solutions);
    tcase_add_test(c, derivatives_of_the_chain_vanish);
    tcase_add_test(c, a_vanishing_initial_fails);
    suite_add_tcase(s, c);
    return s;
}
