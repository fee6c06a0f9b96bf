/* Fits to noise that is known: level, coverage, several equations. */
#include "scene.h"
#include "tests.h"
#include "weakbench.h"

#include "fit/gls.h"
#include "fit/sums.h"
#include "stats/stats.h"

enum { PREY_SAMPLES = 1200, RUNS = 40 };
static const double prey_dt = 0.05;
static double prey_table[2][PREY_SAMPLES];

/* x' = a x - b x y, y' = -c y + d x y by Runge and Kutta. */
static void integrate_prey(void)
{
    enum { SUB = 10 };
    double x = 1.5, y = 1.2, h = prey_dt / SUB;
    for (int t = 0; t < PREY_SAMPLES; t++) {
        prey_table[0][t] = x;
        prey_table[1][t] = y;
        for (int s = 0; s < SUB; s++) {
            double kx[4], ky[4], ax = x, ay = y;
            for (int i = 0; i < 4; i++) {
                kx[i] = 1.1 * ax - 0.6 * ax * ay;
                ky[i] = -0.8 * ay + 0.5 * ax * ay;
                double g = i < 2 ? h / 2 : h;
                ax = x + g * kx[i];
                ay = y + g * ky[i];
            }
            x += h / 6 * (kx[0] + 2 * kx[1] + 2 * kx[2] + kx[3]);
            y += h / 6 * (ky[0] + 2 * ky[1] + 2 * ky[2] + ky[3]);
        }
    }
}

static double prey(int signal, double t)
{
    return prey_table[signal][(int)(t / prey_dt + 0.5)];
}

/* 0.3 y' + y = u */
static double low_pass(int signal, double t)
{
    double y = 0, v = 0;
    for (int i = 0; i < 7; i++) {
        double w = 0.7 + 1.3 * i, a = 1 / (1 + 0.2 * w);
        y += a * sin(w * t + i * i);
        v += a * w * cos(w * t + i * i);
    }
    return signal == 0 ? y : 0.3 * v + y;
}

static const scene_plan low_pass_plan = {.names = "yu",
                                         .part = {{"+1u0", "+1y1", "+1y0"}},
                                         .at = low_pass,
                                         .samples = 1500,
                                         .dt = 0.02,
                                         .sd = 0.05,
                                         .support = 60};
/* both equations with a coefficient 1 before the derivative */
static const scene_plan prey_plan = {
    .names = "yz",
    .part = {{"+1y1", "+1y0", "+1y0z0"}, {"+1z1", "+1z0", "+1y0z0"}},
    .at = prey,
    .samples = PREY_SAMPLES,
    .dt = 0.05,
    .sd = 0.03,
    .support = 40};
static const double low_pass_truth[] = {1, -0.3, -1},
                    prey_truth[] = {1, -1.1, 0.6, 1, 0.8, -0.5};

static darc_gls fit_to(const scene *s, const darc_metric *metric,
                       const double *rho)
{
    static const bool settled[SCENE_EQUATIONS] = {false};
    int model[SCENE_EQUATIONS];
    darc_gls fit;
    darc_err err;
    darc_err_init(&err);
    for (int q = 0; q < s->equations; q++)
        model[q] = s->total[q].coeffs;
    darc_gls_task task = {.weak = s->weak,
                          .model = model,
                          .settled = settled,
                          .metric = metric,
                          .rho = rho};
    darc_status status = darc_gls_fit(&fit, &task, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    for (int q = 0; q < s->equations; q++)
        ck_assert(weakbench_refer(&fit, q, fit.first[q]));
    return fit;
}

/* ---- level and coverage ---------------------------------------------------
 */

typedef struct {
    double q, dof;
    int rejected;
    double z2[6]; /* sums of squared errors over variances, by coefficient */
    int in68[6], in95[6];
} tally;

static void add_run(tally *t, const darc_gls *fit, const double *truth)
{
    t->q += fit->q;
    t->dof += fit->dof;
    t->rejected += fit->p_value < 0.01;
    for (int j = 0; j < fit->coeffs; j++) {
        if (!fit->free[j])
            continue;
        double sd = sqrt(fit->cov[j * (fit->coeffs + 1)]);
        double z = fabs(fit->c[j] - truth[j]) / sd;
        t->z2[j] += z * z;
        t->in68[j] += z < 1;
        t->in95[j] += z < 1.96;
    }
}

static tally repeat(const scene_plan *plan, const double *truth)
{
    scene s;
    tally t = {0};
    uint64_t state = 23;
    scene_open(&s, plan);
    for (int i = 0; i < RUNS; i++) {
        scene_disturb(&s, NULL, &state);
        scene_remake(&s);
        darc_gls fit = fit_to(&s, NULL, NULL);
        ck_assert(fit.converged && !fit.misfit);
        add_run(&t, &fit, truth);
        darc_gls_clear(&fit);
    }
    scene_close(&s);
    return t;
}

/* Bounds of RUNS runs at five standard deviations, or a probability of 1e-5. */
static void check_calibration(const tally *t, int coeffs, int references)
{
    double lower = darc_stats_chi2_quantile(1e-5, RUNS);
    double upper = darc_stats_chi2_isf(1e-5, RUNS);
    int free = 0;
    ck_assert_double_eq_tol(t->q / t->dof, 1, 5 * sqrt(2 / t->dof) + 0.005);
    ck_assert_int_le(t->rejected, 5); /* of 40 at .01: P = 3e-6 for more */
    for (int j = 0; j < coeffs; j++) {
        if (t->z2[j] == 0)
            continue;
        free++;
        ck_assert_double_gt(t->z2[j], lower);
        ck_assert_double_lt(t->z2[j], upper);
        ck_assert_double_eq_tol(t->in68[j], 0.683 * RUNS,
                                5 * sqrt(0.217 * RUNS));
        ck_assert_int_ge(t->in95[j],
                         (int)(0.95 * RUNS - 5 * sqrt(0.0475 * RUNS)));
    }
    ck_assert_int_eq(free, coeffs - references);
}

START_TEST(a_low_pass_is_calibrated)
{
    tally t = repeat(&low_pass_plan, low_pass_truth);
    check_calibration(&t, 3, 1);
}
END_TEST

START_TEST(predator_and_prey_are_calibrated)
{
    integrate_prey();
    tally t = repeat(&prey_plan, prey_truth);
    check_calibration(&t, 6, 2);
}
END_TEST

START_TEST(a_missing_term_is_found)
{
    static const scene_plan plan = {
        .names = "yz",
        .part = {{"+1y1", "+1y0"}, {"+1z1", "+1z0", "+1y0z0"}},
        .at = prey,
        .samples = PREY_SAMPLES,
        .dt = 0.05,
        .sd = 0.03,
        .support = 40};
    scene s;
    uint64_t state = 3;
    integrate_prey();
    scene_open(&s, &plan);
    scene_disturb(&s, NULL, &state);
    scene_remake(&s);
    darc_gls fit = fit_to(&s, NULL, NULL);
    ck_assert_double_lt(fit.p_value, 1e-20);
    darc_gls_clear(&fit);
    scene_close(&s);
}
END_TEST

/* ---- several equations ----------------------------------------------------
 */

/* Equations that share no signal: the sum of both, and the same estimates. */
static double apart(int signal, double t)
{
    return signal == 2 ? cos(2.1 * t) + 0.2 : low_pass(signal, t);
}

START_TEST(strangers_are_fitted_as_if_alone)
{
    scene_plan plan[3] = {low_pass_plan, low_pass_plan, low_pass_plan};
    scene s[3];
    darc_gls fit[3];
    for (int i = 0; i < 3; i++) {
        uint64_t state = 41;
        plan[i].names = "yuz";
        plan[i].at = apart;
        plan[i].sd = 0.02;
        if (i == 1)
            plan[i].part[0][0] = "+1z2", plan[i].part[0][1] = "+1z0",
            plan[i].part[0][2] = NULL;
        if (i == 2)
            plan[i].part[1][0] = "+1z2", plan[i].part[1][1] = "+1z0";
        scene_open(s + i, plan + i);
        scene_disturb(s + i, NULL, &state);
        scene_remake(s + i);
        fit[i] = fit_to(s + i, NULL, NULL);
    }
    ck_assert_uint_eq(fit[2].functions, fit[0].functions);
    ck_assert_double_eq_tol(fit[2].q, fit[0].q + fit[1].q, 1e-3);
    ck_assert_double_eq(fit[2].dof, fit[0].dof + fit[1].dof);
    for (int j = 0; j < 5; j++) {
        const darc_gls *one = fit + (j >= 3);
        int k = j < 3 ? j : j - 3;
        double sd = sqrt(one->cov[k * (one->coeffs + 1)]);
        ck_assert_double_le(fabs(fit[2].c[j] - one->c[k]), 0.02 * sd);
        ck_assert_double_le(fabs(sqrt(fit[2].cov[j * 6]) - sd), 0.02 * sd);
    }
    ck_assert_double_lt(fabs(fit[2].cov[1 * 5 + 4]),
                        0.05 * sqrt(fit[2].cov[1 * 6] * fit[2].cov[4 * 6]));
    for (int i = 0; i < 3; i++) {
        darc_gls_clear(fit + i);
        scene_close(s + i);
    }
}
END_TEST

/* Equations that share noise: together no estimate is worse, and some are
 * better; both are right. */
START_TEST(relatives_know_more_together)
{
    scene_plan alone[2] = {prey_plan, prey_plan};
    scene s;
    double gain = 0;
    integrate_prey();
    alone[0].part[1][0] = NULL;
    for (int j = 0; j < 3; j++)
        alone[1].part[0][j] = prey_plan.part[1][j];
    alone[1].part[1][0] = NULL;
    uint64_t state = 41;
    scene_open(&s, &prey_plan);
    scene_disturb(&s, NULL, &state);
    scene_remake(&s);
    darc_gls both = fit_to(&s, NULL, NULL);
    scene_close(&s);
    for (int q = 0; q < 2; q++) {
        state = 41;
        scene_open(&s, alone + q);
        scene_disturb(&s, NULL, &state);
        scene_remake(&s);
        darc_gls one = fit_to(&s, NULL, NULL);
        for (int k = 1; k < 3; k++) {
            int j = 3 * q + k;
            double sd = sqrt(both.cov[j * 7]), own = sqrt(one.cov[k * 4]);
            ck_assert_double_le(sd, own * 1.02);
            ck_assert_double_lt(fabs(both.c[j] - prey_truth[j]), 5 * sd);
            ck_assert_double_lt(fabs(one.c[k] - prey_truth[j]), 5 * own);
            gain = fmax(gain, own / sd);
        }
        darc_gls_clear(&one);
        scene_close(&s);
    }
    ck_assert_double_gt(gain, 1.03);
    darc_gls_clear(&both);
}
END_TEST

/* ---- long recordings ------------------------------------------------------
 */

/* In 53 pieces, more than enough for a start from some of them: all the same
 * the minimum is that of all, where the score of the free coefficients is 0,
 * and the number of threads changes nothing. */
START_TEST(long_recordings_are_fitted_as_a_whole)
{
    scene_plan plan = low_pass_plan;
    scene s;
    darc_gls fit[2];
    uint64_t state = 9;
    plan.samples = 53 * 400;
    plan.piece = 400;
    plan.part[0][3] = _i == 0 ? NULL : "+1y0y0y0";
    scene_open(&s, &plan);
    scene_disturb(&s, NULL, &state);
    for (int i = 0; i < 2; i++) {
        s.data.threads = 1 + 2 * i;
        scene_remake(&s);
        fit[i] = fit_to(&s, NULL, NULL);
    }
    ck_assert_int_gt(s.weak->pieces, 48);
    int n = fit->coeffs;
    ck_assert(fit->converged);
    ck_assert_double_eq(fit[0].q, fit[1].q);
    ck_assert_double_eq(fit[0].ratio, fit[1].ratio);
    for (int i = 0; i < n * n; i++)
        ck_assert_double_eq(fit[0].cov[i], fit[1].cov[i]);
    for (int i = 0; i < n; i++) {
        double share = fit->score[i] * fit->score[i] / fit->info[i * (n + 1)];
        ck_assert_double_lt(share, 1e-4);
    }
    s.data.piece = 0;
    scene_remake(&s);
    darc_gls whole = fit_to(&s, NULL, NULL);
    for (int i = 0; i < n; i++)
        ck_assert_double_le(fabs(whole.c[i] - fit->c[i]),
                            1.5 * sqrt(fit->cov[i * (n + 1)]));
    for (int i = 0; i < 2; i++)
        darc_gls_clear(fit + i);
    darc_gls_clear(&whole);
    scene_close(&s);
}
END_TEST

/* ---- what is told -------------------------------------------------------- */

/* Q of a recording, given what its first samples tell, and the number of its
 * functions. */
static double q_beyond(const scene *s, size_t told, size_t *functions)
{
    static const double c[3] = {1, -0.3, -1};
    darc_sums sums;
    darc_err err;
    darc_err_init(&err);
    darc_point at = {.weak = s->weak, .c = c, .told = told};
    darc_effort effort = {.every = 1, .draw_every = 1};
    darc_sums_init(&sums, s->weak);
    ck_assert_int_eq(darc_sums_pass(&sums, &at, &effort, NULL, &err), DARC_OK);
    double q = sums.q;
    darc_sums_clear(&sums);
    *functions = s->weak->functions - darc_weak_told(s->weak, 0, told);
    return q;
}

/* Of functions that share noise: those that see the first samples alone, as a
 * recording that ends there has them, and the others add up to all. */
START_TEST(what_is_told_and_what_is_new_add_up)
{
    enum { TOLD = 700 };
    scene s;
    size_t all, first, rest;
    uint64_t state = 5;
    scene_open(&s, &low_pass_plan);
    scene_disturb(&s, NULL, &state);
    scene_remake(&s);
    darc_weak *like = s.weak;
    double q = q_beyond(&s, 0, &all), beyond = q_beyond(&s, TOLD, &rest);
    s.weak = NULL;
    s.segment.end = TOLD;
    s.data.like = like;
    scene_remake(&s);
    ck_assert_int_eq(s.weak->step, like->step);
    double before = q_beyond(&s, 0, &first);
    ck_assert_uint_eq(first + rest, all);
    ck_assert_double_eq_tol(before + beyond, q, 1e-9 * q);
    ck_assert_double_eq_tol(beyond, (double)rest, 5 * sqrt(2 * (double)rest));
    darc_weak_free(like);
    scene_close(&s);
}
END_TEST

/* ---- misfits --------------------------------------------------------------
 */

/* A disturbance of the input, not recorded, of a tenth of it: white noise of
 * which 30 samples are alike.  Its size is rho, and estimates spread as they
 * say. */
START_TEST(a_misfit_is_no_news_of_the_coefficients)
{
    scene s;
    tally t = {0};
    uint64_t state = 77;
    scene_plan plan = low_pass_plan;
    plan.sd = 0.01;
    scene_open(&s, &plan);
    for (int i = 0; i < RUNS; i++) {
        double wind = 0;
        scene_disturb(&s, NULL, &state);
        for (int k = 0; k < plan.samples; k++) {
            wind = 0.97 * wind + 0.24 * case_normal(&state);
            s.column[1].value[k] += 0.2 * wind;
        }
        scene_remake(&s);
        darc_gls white = fit_to(&s, NULL, NULL);
        ck_assert_double_lt(white.p_value, 1e-6);
        darc_metric m;
        darc_metric_init(&m, s.weak, white.c, (int[]){-1});
        darc_gls fit = fit_to(&s, &m, (double[]){0.15});
        ck_assert(fit.misfit && fit.converged && fit.error_dof < HUGE_VAL);
        ck_assert_double_lt(fit.q, 0.5 * white.q);
        add_run(&t, &fit, low_pass_truth);
        darc_metric_clear(&m);
        darc_gls_clear(&white);
        darc_gls_clear(&fit);
    }
    for (int j = 1; j < 3; j++) {
        ck_assert_int_ge(t.in68[j],
                         (int)(0.683 * RUNS - 4 * sqrt(0.217 * RUNS)));
        ck_assert_int_ge(t.in95[j],
                         (int)(0.95 * RUNS - 4 * sqrt(0.0475 * RUNS)));
        ck_assert_double_gt(t.z2[j], 0.1 * RUNS);
    }
    scene_close(&s);
}
END_TEST

/* ---- charts ---------------------------------------------------------------
 */

START_TEST(another_reference_is_another_chart)
{
    scene s;
    uint64_t state = 4;
    integrate_prey();
    scene_open(&s, &prey_plan);
    scene_disturb(&s, NULL, &state);
    scene_remake(&s);
    darc_gls fit = fit_to(&s, NULL, NULL), old = fit_to(&s, NULL, NULL);
    ck_assert(weakbench_refer(&fit, 1, 4));
    ck_assert(fit.reference[0] == 0 && fit.reference[1] == 4);
    ck_assert(fit.free[3] && !fit.free[4] && fit.c[4] == 1);
    ck_assert_double_eq_tol(fit.c[5], old.c[5] / old.c[4], 1e-12);
    /* 1 / c4: its variance, and what it shares with c1 of the other equation */
    double slope = -1 / (old.c[4] * old.c[4]);
    ck_assert_double_eq_tol(fit.cov[3 * 7], slope * slope * old.cov[4 * 7],
                            1e-9 * fit.cov[3 * 7]);
    ck_assert_double_eq_tol(fit.cov[3 * 6 + 1], slope * old.cov[4 * 6 + 1],
                            1e-9 * sqrt(fit.cov[3 * 7] * fit.cov[7]));
    for (int k = 0; k < 6; k++)
        ck_assert_double_eq_tol(fit.cov[4 * 6 + k], 0, 1e-20);
    ck_assert(weakbench_refer(&fit, 1, 5) && weakbench_refer(&fit, 1, 3));
    for (int i = 0; i < 36; i++)
        ck_assert_double_eq_tol(
            fit.cov[i], old.cov[i],
            1e-9 * sqrt(old.cov[i / 6 * 7] * old.cov[i % 6 * 7]) + 1e-20);
    fit.c[5] = 0;
    ck_assert(!weakbench_refer(&fit, 1, 5));
    ck_assert(fit.reference[1] == 3 && fit.c[3] == 1);
    darc_gls_clear(&fit);
    darc_gls_clear(&old);
    scene_close(&s);
}
END_TEST

START_TEST(sums_that_overflow_are_refused)
{
    scene s;
    darc_gls fit;
    darc_err err;
    darc_err_init(&err);
    scene_open(&s, &low_pass_plan);
    for (int t = 0; t < low_pass_plan.samples; t++) {
        s.column[0].value[t] *= 1e160;
        s.column[1].value[t] *= 1e-160;
    }
    scene_remake(&s);
    darc_gls_task task = {
        .weak = s.weak, .model = (int[]){3}, .settled = (bool[]){false}};
    ck_assert_int_eq(darc_gls_fit(&fit, &task, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "--scale"));
    scene_close(&s);
}
END_TEST

Suite *suite_gls(void)
{
    Suite *s = suite_create("gls");
    TCase *c = tcase_create("gls");
    tcase_add_test(c, a_low_pass_is_calibrated);
    tcase_add_test(c, predator_and_prey_are_calibrated);
    tcase_add_test(c, a_missing_term_is_found);
    tcase_add_test(c, strangers_are_fitted_as_if_alone);
    tcase_add_test(c, relatives_know_more_together);
    tcase_add_loop_test(c, long_recordings_are_fitted_as_a_whole, 0, 2);
    tcase_add_test(c, what_is_told_and_what_is_new_add_up);
    tcase_add_test(c, a_misfit_is_no_news_of_the_coefficients);
    tcase_add_test(c, another_reference_is_another_chart);
    tcase_add_test(c, sums_that_overflow_are_refused);
    suite_add_tcase(s, c);
    return s;
}
