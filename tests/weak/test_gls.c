#include "tests.h"

#include "../bench/weak_cases.h"
#include "stats/stats.h"
#include "weak/gls.h"

typedef struct {
    double q, dof, z2; /* z2: squared error of the coefficients over cov */
    int rejected, runs, broken;
} tally;

/* Estimate noise, fit, and compare with the true coefficients. */
static void fit_once(tally *t, const darc_total_t total, darc_table *table,
                     const double *truth)
{
    darc_noisemodel noise[2];
    darc_weak_signal signal[2];
    ck_assert_int_eq(darc_noisemodels_estimate(noise, table, (int[]){0, 1},
                                               table->signals, false, 1, NULL),
                     DARC_OK);
    for (int i = 0; i < table->signals; i++)
        signal[i] = (darc_weak_signal){.value = table->signal[i].value,
                                       .noise = noise + i};
    darc_weak_data data = {.table = table, .signal = signal};
    darc_weak *weak;
    darc_gls fit;
    ck_assert_int_eq(darc_weak_new(&weak, total, &data, NULL), DARC_OK);
    int j = total->coeffs;
    ck_assert_int_eq(darc_gls_fit(&fit, weak, j, false, NULL, NULL), DARC_OK);
    ck_assert(darc_gls_refer(&fit, j - 1));
    t->q += fit.q;
    t->dof += fit.dof;
    t->rejected += fit.p_value < 0.01;
    t->broken += fit.robust;
    t->runs++;
    for (int i = 0; i < j - 1; i++)
        t->z2 += pow(fit.c[i] - truth[i], 2) / fit.cov[i * j + i] / (j - 1);
    darc_gls_clear(&fit);
    darc_weak_free(weak);
    for (int i = 0; i < table->signals; i++)
        darc_noisemodel_clear(noise + i);
}

static tally repeat(case_kind kind, const case_options *o, const double *truth,
                    int runs)
{
    tally t = {0};
    darc_jet_t jet;
    darc_dpolys_t part;
    darc_total_t total;
    case_frame(jet, kind);
    darc_dpolys_init(part);
    case_parts(part, kind, jet);
    ck_assert_int_eq(darc_total_init(total, part, jet, true, NULL), DARC_OK);
    uint64_t exact = 17, state = 23;
    for (int i = 0; i < runs; i++) {
        darc_table *table = case_table(kind, o, &exact, &state);
        fit_once(&t, total, table, truth);
        case_free(table);
    }
    darc_total_clear(total);
    darc_dpolys_clear(part, jet);
    darc_jet_clear(jet);
    return t;
}

/* The mean of Q/dof is 1 within five standard deviations, the mean squared
 * error is the variance claimed within a factor that 20 runs allow. */
static void check_calibration(case_kind kind, const case_options *o,
                              const double *truth)
{
    tally t = repeat(kind, o, truth, 20);
    ck_assert_double_eq_tol(t.q / t.dof, 1, 5 * sqrt(2 / t.dof) + 0.01);
    ck_assert_int_le(t.rejected, 3); /* of 20 at 1 %: P = 4e-5 for more */
    double z2 = t.z2 / t.runs;
    ck_assert_double_gt(z2, darc_stats_chi2_quantile(1e-5, t.runs) / t.runs);
    ck_assert_double_lt(z2, darc_stats_chi2_isf(1e-5, t.runs) / t.runs);
}

START_TEST(quarter_car_is_calibrated)
{
    case_options o = {
        .seconds = 6, .rate = 500, .noise = 0.02, .scale = {1, 1, 1, 1}};
    check_calibration(CASE_QUARTER, &o,
                      (double[]){-300.0 / 1500, 20000.0 / 1500});
}
END_TEST

START_TEST(duffing_is_calibrated)
{
    case_options o = {
        .seconds = 20, .rate = 100, .noise = 0.05, .scale = {1, 1, 1, 1}};
    check_calibration(CASE_DUFFING, &o, (double[]){-1, -1.5, -60, -25});
}
END_TEST

START_TEST(predator_prey_is_calibrated)
{
    case_options o = {
        .seconds = 60, .rate = 30, .noise = 0.02, .scale = {1, 1, 1, 1}};
    check_calibration(CASE_PREY, &o, (double[]){-1.25, 0.625, -1, -0.625});
}
END_TEST

START_TEST(an_estimated_derivative_is_calibrated)
{
    case_options o = {
        .seconds = 20, .rate = 100, .noise = 0.01, .scale = {1, 1, 1, 1}};
    check_calibration(CASE_SQUARE, &o, (double[]){-1, -0.4, -60});
}
END_TEST

START_TEST(a_missing_term_is_found)
{
    case_options o = {.seconds = 6,
                      .rate = 500,
                      .noise = 0.01,
                      .scale = {1, 1, 1, 1},
                      .missing = 0.1};
    tally t = repeat(CASE_QUARTER, &o, (double[]){0, 0}, 5);
    ck_assert_int_eq(t.rejected, 5);
    ck_assert_int_eq(t.broken, 5);
}
END_TEST

/* The same recording by so many threads. */
static darc_gls fit_by_threads(const darc_total_t total, darc_table *table,
                               int piece, int threads)
{
    darc_noisemodel noise[2];
    darc_weak_signal signal[2];
    ck_assert_int_eq(darc_noisemodels_estimate(noise, table, (int[]){0, 1},
                                               table->signals, false, threads,
                                               NULL),
                     DARC_OK);
    for (int i = 0; i < table->signals; i++)
        signal[i] = (darc_weak_signal){.value = table->signal[i].value,
                                       .noise = noise + i};
    darc_weak_data data = {
        .table = table, .signal = signal, .piece = piece, .threads = threads};
    darc_weak *weak;
    darc_gls fit;
    ck_assert_int_eq(darc_weak_new(&weak, total, &data, NULL), DARC_OK);
    ck_assert_int_eq(darc_gls_fit(&fit, weak, total->coeffs, false, NULL, NULL),
                     DARC_OK);
    darc_weak_free(weak);
    for (int i = 0; i < table->signals; i++)
        darc_noisemodel_clear(noise + i);
    return fit;
}

/* In 53 pieces, more than enough for a start from some of them: all the same
 * the minimum is that of all, where the score of the free coefficients is 0. */
static void compare_threads(case_kind kind)
{
    enum { PIECE = 1500 };
    case_options o = {
        .seconds = 800, .rate = 100, .noise = 0.02, .scale = {1, 1, 1, 1}};
    darc_jet_t jet;
    darc_dpolys_t part;
    darc_total_t total;
    case_frame(jet, kind);
    darc_dpolys_init(part);
    case_parts(part, kind, jet);
    ck_assert_int_eq(darc_total_init(total, part, jet, true, NULL), DARC_OK);
    uint64_t exact = 3, state = 11;
    darc_table *table = case_table(kind, &o, &exact, &state);
    darc_gls one = fit_by_threads(total, table, PIECE, 1);
    darc_gls three = fit_by_threads(total, table, PIECE, 3);
    int j = total->coeffs;
    ck_assert(one.converged && !one.robust);
    ck_assert_double_eq(one.q, three.q);
    ck_assert_double_eq(one.ratio, three.ratio);
    for (int i = 0; i < j * j; i++)
        ck_assert_double_eq(one.cov[i], three.cov[i]);
    for (int i = 0; i < j; i++) {
        ck_assert_double_eq(one.c[i], three.c[i]);
        if (i != one.reference)
            ck_assert_double_lt(one.score[i] * one.score[i],
                                1e-5 * one.info[i * (j + 1)]);
    }
    darc_gls few = fit_by_threads(total, table, 0, 1); /* two pieces */
    ck_assert(darc_gls_refer(&few, one.reference));
    for (int i = 0; i < j; i++)
        ck_assert_double_le(fabs(one.c[i] - few.c[i]),
                            0.5 * sqrt(one.cov[i * (j + 1)]));
    ck_assert_double_eq_tol(one.q / one.dof, few.q / few.dof,
                            sqrt(2 / few.dof));
    darc_gls_clear(&few);
    darc_gls_clear(&one);
    darc_gls_clear(&three);
    case_free(table);
    darc_total_clear(total);
    darc_dpolys_clear(part, jet);
    darc_jet_clear(jet);
}

START_TEST(long_recordings_are_fitted_as_a_whole)
{
    /* linear, and not */
    compare_threads(CASE_QUARTER);
    compare_threads(CASE_SQUARE);
}
END_TEST

START_TEST(no_chart_of_what_is_zero)
{
    double c[] = {1, 0, 2}, cov[] = {0, 0, 0, 0, HUGE_VAL, 0, 0, 0, 0.01};
    darc_gls fit = {.coeffs = 3, .model = 3, .c = c, .cov = cov};
    ck_assert(!darc_gls_refer(&fit, 1));
    ck_assert_int_eq(fit.reference, 0);
    ck_assert(c[0] == 1 && c[2] == 2 && cov[8] == 0.01);
    ck_assert(darc_gls_refer(&fit, 2));
    ck_assert(c[0] == 0.5 && c[1] == 0 && c[2] == 1);
    ck_assert_double_eq_tol(cov[0], 0.25 * 0.01 / 4, 1e-15);
    ck_assert(isinf(cov[4]) && cov[8] == 0);
}
END_TEST

Suite *suite_gls(void)
{
    Suite *s = suite_create("gls");
    TCase *c = tcase_create("gls");
    tcase_add_test(c, no_chart_of_what_is_zero);
    tcase_add_test(c, quarter_car_is_calibrated);
    tcase_add_test(c, duffing_is_calibrated);
    tcase_add_test(c, predator_prey_is_calibrated);
    tcase_add_test(c, an_estimated_derivative_is_calibrated);
    tcase_add_test(c, a_missing_term_is_found);
    tcase_add_test(c, long_recordings_are_fitted_as_a_whole);
    suite_add_tcase(s, c);
    return s;
}
