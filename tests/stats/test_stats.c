#include "tests.h"

#include "base/budget.h"
#include "stats/stats.h"

#include <math.h>
#include <mpfr.h>

/* References at 400 bits; arguments are exact doubles. */
enum { BITS = 400 };

/* P(a, x) = x^a exp(-x) / Gamma(a + 1) sum_n x^n / ((a+1) ... (a+n)). */
static void mp_gamma_p(mpfr_t out, double a, double x)
{
    mpfr_t t, s, k;
    mpfr_inits2(BITS, t, s, k, (mpfr_ptr)0);
    mpfr_set_ui(t, 1, MPFR_RNDN);
    mpfr_set_ui(s, 1, MPFR_RNDN);
    mpfr_set_d(k, a, MPFR_RNDN);
    while (mpfr_get_exp(t) > mpfr_get_exp(s) - BITS) {
        mpfr_add_ui(k, k, 1, MPFR_RNDN);
        mpfr_mul_d(t, t, x, MPFR_RNDN);
        mpfr_div(t, t, k, MPFR_RNDN);
        mpfr_add(s, s, t, MPFR_RNDN);
    }
    mpfr_set_d(t, a, MPFR_RNDN);
    mpfr_add_ui(t, t, 1, MPFR_RNDN);
    mpfr_lngamma(k, t, MPFR_RNDN);
    mpfr_set_d(t, x, MPFR_RNDN);
    mpfr_log(t, t, MPFR_RNDN);
    mpfr_mul_d(t, t, a, MPFR_RNDN);
    mpfr_sub_d(t, t, x, MPFR_RNDN);
    mpfr_sub(t, t, k, MPFR_RNDN);
    mpfr_exp(t, t, MPFR_RNDN);
    mpfr_mul(out, s, t, MPFR_RNDN);
    mpfr_clears(t, s, k, (mpfr_ptr)0);
}

/* I_x(a, b) = x^a y^b / (a B(a, b)) sum_n (a+b)_n / (a+1)_n x^n. */
static void mp_beta(mpfr_t out, double a, double b, const mpfr_t x)
{
    mpfr_t t, s, u;
    mpfr_inits2(BITS, t, s, u, (mpfr_ptr)0);
    mpfr_set_ui(t, 1, MPFR_RNDN);
    mpfr_set_ui(s, 1, MPFR_RNDN);
    for (double n = 0; mpfr_get_exp(t) > mpfr_get_exp(s) - BITS; n++) {
        mpfr_mul(t, t, x, MPFR_RNDN);
        mpfr_mul_d(t, t, a + b + n, MPFR_RNDN);
        mpfr_div_d(t, t, a + 1 + n, MPFR_RNDN);
        mpfr_add(s, s, t, MPFR_RNDN);
    }
    mpfr_set_d(t, a + b, MPFR_RNDN);
    mpfr_lngamma(t, t, MPFR_RNDN);
    mpfr_set_d(u, a + 1, MPFR_RNDN);
    mpfr_lngamma(u, u, MPFR_RNDN);
    mpfr_sub(t, t, u, MPFR_RNDN);
    mpfr_set_d(u, b, MPFR_RNDN);
    mpfr_lngamma(u, u, MPFR_RNDN);
    mpfr_sub(t, t, u, MPFR_RNDN);
    mpfr_log(u, x, MPFR_RNDN);
    mpfr_mul_d(u, u, a, MPFR_RNDN);
    mpfr_add(t, t, u, MPFR_RNDN);
    mpfr_ui_sub(u, 1, x, MPFR_RNDN);
    mpfr_log(u, u, MPFR_RNDN);
    mpfr_mul_d(u, u, b, MPFR_RNDN);
    mpfr_add(t, t, u, MPFR_RNDN);
    mpfr_exp(t, t, MPFR_RNDN);
    mpfr_mul(out, s, t, MPFR_RNDN);
    mpfr_clears(t, s, u, (mpfr_ptr)0);
}

/* Compare value with ref (upper: with 1 - ref) to 1e-11 relative. */
static void check_against(double value, mpfr_t ref, int upper, const char *what,
                          double p1, double p2, double p3)
{
    if (upper)
        mpfr_ui_sub(ref, 1, ref, MPFR_RNDN);
    double want = mpfr_get_d(ref, MPFR_RNDN);
    ck_assert_msg(fabs(value - want) <= 1e-11 * want,
                  "%s(%g, %g, %g) = %.17g, not %.17g", what, p1, p2, p3, value,
                  want);
}

/* Dyadic, so that the references form a + b and a + 1 exactly. */
static const double shapes[] = {0.015625, 0.5,  1,      2.375,
                                14.875,   40.5, 333.25, 9e3};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

START_TEST(p_values_are_never_zero)
{
    ck_assert_str_eq(darc_stats_p_text(0.0234).text, "p = 0.023");
    ck_assert_str_eq(darc_stats_p_text(2e-12).text, "p = 2e-12");
    ck_assert_str_eq(darc_stats_p_text(0).text, "p < 1e-12");
}
END_TEST

START_TEST(gamma_against_mpfr)
{
    static const double at[] = {1e-3, 0.3, 0.9, 1.01, 1.3, 4};
    mpfr_t r;
    mpfr_init2(r, BITS);
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < 6; j++) {
            double a = shapes[i], x = a * at[j];
            mp_gamma_p(r, a, x);
            if (mpfr_get_d(r, MPFR_RNDN) > 1e-100)
                check_against(darc_stats_gamma_p(a, x), r, 0, "P", a, x, 0);
            mp_gamma_p(r, a, x);
            if (1 - mpfr_get_d(r, MPFR_RNDN) > 0 || a < 50)
                check_against(darc_stats_gamma_q(a, x), r, 1, "Q", a, x, 0);
        }
    mpfr_clear(r);
}
END_TEST

START_TEST(beta_against_mpfr)
{
    static const double at[] = {0x1p-40, 0.25, 0.5, 0.6171875, 0.875};
    mpfr_t r, x;
    mpfr_inits2(BITS, r, x, (mpfr_ptr)0);
    for (int i = 0; i < SHAPES; i++)
        for (int j = 0; j < SHAPES; j++)
            for (int k = 0; k < 5; k++) {
                double a = shapes[i], b = shapes[j];
                double xd = at[k], y = 1 - at[k]; /* exact */
                mpfr_set_d(x, xd, MPFR_RNDN);
                mp_beta(r, a, b, x);
                if (mpfr_get_d(r, MPFR_RNDN) > 1e-100)
                    check_against(darc_stats_beta(a, b, xd, y), r, 0, "I", a, b,
                                  xd);
                mpfr_ui_sub(r, 1, r, MPFR_RNDN);
                if (mpfr_get_d(r, MPFR_RNDN) > 1e-100)
                    check_against(darc_stats_beta(b, a, y, xd), r, 0, "1-I", a,
                                  b, xd);
            }
    mpfr_clears(r, x, (mpfr_ptr)0);
}
END_TEST

START_TEST(normal_against_mpfr)
{
    mpfr_t r;
    mpfr_init2(r, BITS);
    for (double z = -37; z < 37; z += 0.6171875) {
        mpfr_set_d(r, -z, MPFR_RNDN);
        mpfr_t h;
        mpfr_init2(h, BITS);
        mpfr_set_ui(h, 2, MPFR_RNDN);
        mpfr_sqrt(h, h, MPFR_RNDN);
        mpfr_div(r, r, h, MPFR_RNDN);
        mpfr_clear(h);
        mpfr_erfc(r, r, MPFR_RNDN);
        mpfr_div_ui(r, r, 2, MPFR_RNDN);
        check_against(darc_stats_normal_sf(-z), r, 0, "Phi", z, 0, 0);
        if (z < 0) {
            double back = darc_stats_normal_quantile(darc_stats_normal_sf(-z));
            ck_assert_double_eq_tol(back, z, 1e-12 * -z);
        }
    }
    mpfr_clear(r);
    ck_assert(darc_stats_normal_quantile(0.5) == 0);
    ck_assert(isinf(darc_stats_normal_quantile(1)));
}
END_TEST

/* The mixture itself, term by term. */
static void mp_nchi2(mpfr_t out, double x, double dof, double ncp)
{
    mpfr_t w, p;
    mpfr_inits2(BITS, w, p, (mpfr_ptr)0);
    mpfr_set_d(w, -ncp / 2, MPFR_RNDN);
    mpfr_exp(w, w, MPFR_RNDN);
    mpfr_set_ui(out, 0, MPFR_RNDN);
    for (int j = 0; j < 40 || j < ncp; j++) {
        mp_gamma_p(p, dof / 2 + j, x / 2);
        mpfr_mul(p, p, w, MPFR_RNDN);
        mpfr_add(out, out, p, MPFR_RNDN);
        mpfr_mul_d(w, w, ncp / 2, MPFR_RNDN);
        mpfr_div_ui(w, w, (unsigned long)j + 1, MPFR_RNDN);
    }
    mpfr_clears(w, p, (mpfr_ptr)0);
}

START_TEST(noncentral_against_mpfr)
{
    static const double ncp[] = {0.125, 6.5, 150};
    static const double dof[] = {0.5, 3, 60.5};
    static const double at[] = {0.1, 0.5, 1.03, 1.5};
    mpfr_t r;
    mpfr_init2(r, BITS);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++) {
                double x = at[k] * (dof[j] + ncp[i]);
                mp_nchi2(r, x, dof[j], ncp[i]);
                double cdf = darc_stats_nchi2_cdf(x, dof[j], ncp[i]);
                check_against(cdf, r, 0, "nchi2", x, dof[j], ncp[i]);
                double sf = darc_stats_nchi2_sf(x, dof[j], ncp[i]);
                check_against(sf, r, 1, "nchi2 sf", x, dof[j], ncp[i]);
            }
    mpfr_clear(r);
}
END_TEST

START_TEST(noncentral_tails_agree_and_invert)
{
    static const double dof[] = {1, 9, 300, 5000};
    static const double ncp[] = {0.3, 20, 900, 40000};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double x = 1.07 * (dof[i] + ncp[j]);
            double q = darc_stats_nchi2_sf(x, dof[i], ncp[j]);
            double p = darc_stats_nchi2_cdf(x, dof[i], ncp[j]);
            ck_assert_double_eq_tol(p + q, 1, 1e-13);
            if (q > 1e-200) {
                double back = darc_stats_nchi2_ncp(x, dof[i], q);
                ck_assert_double_eq_tol(back, ncp[j], 1e-8 * ncp[j]);
            }
        }
    ck_assert(darc_stats_nchi2_ncp(3, 9, 0.5) == 0);
    /* Cohen's tables: dof 1, alpha .05, power .9: ncp 10.507 = (1.960 +
     * 1.2816)^2, the lower tail being negligible. */
    double z = 1.959963984540054 + 1.2815515655446004;
    ck_assert_double_eq_tol(darc_stats_detectable_ncp(1, HUGE_VAL, 0.05, 0.9),
                            z * z, 1e-5);
}
END_TEST

/* Of an F test of level .01 that finds with probability .9: inverted
 * non-central F distributions of Boost (scipy.stats.ncf). */
START_TEST(an_uncertain_variance_hides_more)
{
    static const struct {
        double dof, error_dof, ncp;
    } of[] = {{1, 10, 21.7249074},
              {4, 6, 67.1948050},
              {30, 12, 149.244502},
              {300, 20, 757.288164},
              {966, 10, 5095.20010}};
    for (int i = 0; i < 5; i++) {
        double ncp =
            darc_stats_detectable_ncp(of[i].dof, of[i].error_dof, 0.01, 0.9);
        ck_assert_double_eq_tol(ncp, of[i].ncp, 0.02 * of[i].ncp);
        ck_assert_double_ge(
            ncp, darc_stats_detectable_ncp(of[i].dof, HUGE_VAL, 0.01, 0.9));
    }
    ck_assert(darc_stats_detectable_ncp(3, 1e-3, 0.01, 0.9) > 1e100);
}
END_TEST

START_TEST(published_quantiles)
{
    /* Law, Simulation Modeling and Analysis, table T.1. */
    ck_assert_double_eq_tol(darc_stats_t_quantile(0.995, 9), 3.2498, 5e-5);
    ck_assert_double_eq_tol(darc_stats_t_quantile(0.975, 1), 12.7062047361747,
                            1e-11);
    /* dof 1 and 2 in closed form: tan, and u sqrt(2 / (1 - u^2)). */
    ck_assert_double_eq_tol(darc_stats_t_quantile(0.9, 2),
                            0.8 * sqrt(2 / (1 - 0.64)), 1e-12);
    ck_assert_double_eq_tol(darc_stats_chi2_isf(0.01, 9), 21.6659943334619,
                            1e-11);
    ck_assert_double_eq_tol(darc_stats_chi2_quantile(0.05, 10),
                            3.94029913611906, 1e-12);
    ck_assert_double_eq_tol(darc_stats_chi2_isf(1e-30, 2), 60 * log(10), 1e-9);
    ck_assert_double_eq_tol(darc_stats_f_isf(0.05, 3, 10), 3.70826481904684,
                            1e-11);
    /* F(dof1 = 2): sf = (1 + 2 x / dof2)^(-dof2 / 2). */
    ck_assert_double_eq_tol(darc_stats_f_isf(1e-6, 2, 7),
                            3.5 * (pow(1e-6, -2 / 7.0) - 1), 1e-9);
    ck_assert_double_eq_tol(darc_stats_normal_quantile(0.975),
                            1.959963984540054, 1e-15);
}
END_TEST

START_TEST(quantiles_invert)
{
    for (int i = 1; i < 40; i++) {
        double p = i / 40.0, dof = 0.4 + i * i * 0.7;
        ck_assert_double_eq_tol(
            darc_stats_chi2_cdf(darc_stats_chi2_quantile(p, dof), dof), p,
            1e-12);
        ck_assert_double_eq_tol(
            darc_stats_t_sf(-darc_stats_t_quantile(p, dof), dof), p, 1e-12);
        ck_assert_double_eq_tol(
            darc_stats_f_cdf(darc_stats_f_quantile(p, dof, 6.5), dof, 6.5), p,
            1e-12);
        ck_assert_double_eq_tol(
            darc_stats_f_sf(darc_stats_f_isf(p, 3, dof), 3, dof), p, 1e-12);
    }
}
END_TEST

START_TEST(limits)
{
    ck_assert(darc_stats_chi2_sf(-1, 3) == 1 && darc_stats_chi2_cdf(0, 3) == 0);
    ck_assert(darc_stats_t_sf(HUGE_VAL, 3) == 0);
    ck_assert(darc_stats_t_sf(0, 3) == 0.5);
    ck_assert(darc_stats_f_sf(0, 3, 4) == 1);
    ck_assert(darc_stats_f_sf(HUGE_VAL, 3, 4) == 0);
    ck_assert(darc_stats_nchi2_sf(0, 3, 4) == 1);
    ck_assert(darc_stats_chi2_isf(0, 3) == HUGE_VAL);
    /* Large dof: the normal limit, to the third-order term. */
    double n = 1e8, x = n + 2.385 * sqrt(2 * n);
    ck_assert_double_eq_tol(darc_stats_chi2_sf(x, n),
                            darc_stats_normal_sf(2.385), 1e-5);
}
END_TEST

/* A sum over so many takes seconds: they are expanded, as exactly as sums are
 * where both are had. */
START_TEST(quantiles_of_many_degrees_of_freedom_cost_nothing)
{
    static const double at[] = {1e-12, 1e-6, .01, .3, .99};
    double begin = darc_cpu_time(), n = 1e13, many = 1.01e8;
    for (int i = 0; i < 5; i++)
        ck_assert_double_eq_tol((darc_stats_chi2_quantile(at[i], n) - n) /
                                    sqrt(2 * n),
                                darc_stats_normal_quantile(at[i]), 1e-5);
    ck_assert_double_lt(darc_cpu_time() - begin, .5);
    for (int i = 0; i < 5; i++) {
        double low = darc_stats_chi2_quantile(at[i], many);
        double high = darc_stats_chi2_isf(at[i], many);
        ck_assert_double_eq_tol(darc_stats_chi2_cdf(low, many) / at[i], 1,
                                1e-10);
        ck_assert_double_eq_tol(darc_stats_chi2_sf(high, many) / at[i], 1,
                                1e-10);
    }
    ck_assert(darc_stats_chi2_quantile(0, n) == 0);
    ck_assert(darc_stats_chi2_isf(0, n) == HUGE_VAL);
}
END_TEST

START_TEST(holm_multiplies_by_those_left)
{
    double p[] = {0.03, 0.01, 0.04, 0.5};
    double *at[] = {p, p + 1, p + 2, p + 3};
    darc_stats_holm(at, 4);
    ck_assert_double_eq_tol(p[0], 0.09, 1e-15);
    ck_assert_double_eq_tol(p[1], 0.04, 1e-15);
    ck_assert_double_eq_tol(p[2], 0.09, 1e-15); /* not below p[0] */
    ck_assert_double_eq_tol(p[3], 0.5, 1e-15);
}
END_TEST

START_TEST(no_number_has_no_tail)
{
    ck_assert(isnan(darc_stats_normal_sf(NAN)));
    ck_assert(isnan(darc_stats_chi2_cdf(NAN, 3)));
    ck_assert(isnan(darc_stats_chi2_sf(NAN, 3)));
    ck_assert(isnan(darc_stats_t_sf(NAN, 3)));
    ck_assert(isnan(darc_stats_f_cdf(NAN, 3, 4)));
    ck_assert(isnan(darc_stats_f_sf(NAN, 3, 4)));
    ck_assert(isnan(darc_stats_nchi2_cdf(NAN, 3, 2)));
    ck_assert(isnan(darc_stats_nchi2_sf(NAN, 3, 2)));
    ck_assert(isnan(darc_stats_squares_sf(NAN, 3, 4)));
    ck_assert(isnan(darc_stats_squares_sf(NAN, 3, HUGE_VAL)));
    ck_assert(isnan(darc_stats_error_sf(NAN, 4)));
}
END_TEST

Suite *suite_stats(void)
{
    Suite *s = suite_create("stats");
    TCase *c = tcase_create("stats");
    tcase_add_test(c, p_values_are_never_zero);
    tcase_add_test(c, gamma_against_mpfr);
    tcase_add_test(c, beta_against_mpfr);
    tcase_add_test(c, normal_against_mpfr);
    tcase_add_test(c, noncentral_against_mpfr);
    tcase_add_test(c, noncentral_tails_agree_and_invert);
    tcase_add_test(c, an_uncertain_variance_hides_more);
    tcase_add_test(c, published_quantiles);
    tcase_add_test(c, quantiles_invert);
    tcase_add_test(c, limits);
    tcase_add_test(c, quantiles_of_many_degrees_of_freedom_cost_nothing);
    tcase_add_test(c, holm_multiplies_by_those_left);
    tcase_add_test(c, no_number_has_no_tail);
    suite_add_tcase(s, c);
    return s;
}
