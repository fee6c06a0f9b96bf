/* Splines, smoothers, and which of them a recording asks for. */
#include "scene.h"
#include "tests.h"

#include "stats/smoother.h"
#include "weak/thresholds.h"

START_TEST(splines_are_a_partition_of_unity)
{
    enum { STEP = 7, DEGREE = 5, N = (DEGREE + 1) * STEP + 1 };
    double b[N], d[N];
    darc_bspline_table(b, DEGREE, 0, STEP);
    darc_bspline_table(d, DEGREE, 1, STEP);
    for (int i = 0; i < STEP; i++) {
        double sum = 0;
        for (int k = 0; k <= DEGREE; k++)
            sum += b[i + k * STEP];
        ck_assert_double_eq_tol(sum, 1, 1e-14);
    }
    for (int i = 2; i < N - 2; i++) /* five-point derivative, O(h^4) */
        ck_assert_double_eq_tol(
            d[i], (b[i - 2] - 8 * b[i - 1] + 8 * b[i + 1] - b[i + 2]) / 12,
            2e-5);
}
END_TEST

START_TEST(smoothers_are_exact_on_polynomials_of_degree_six)
{
    double w[2 * 9 + 1], dt = 0.02385;
    for (int order = 0; order <= 3; order++) {
        darc_smoother_weights(w, 9, order, dt);
        double sum = 0, want = 1;
        for (int s = -9; s <= 9; s++) /* (t - 0.7)^6 at t = 0 */
            sum += w[s + 9] * pow(s * dt - 0.7, 6);
        for (int k = 0; k < order; k++)
            want *= 6 - k;
        want *= pow(-0.7, 6 - order);
        ck_assert_double_eq_tol(sum, want, 1e-6 * fabs(want));
    }
}
END_TEST

/* It holds there, and no longer beyond the next of a series of ratio 15/16. */
START_TEST(smoothers_are_as_wide_as_their_bias_allows)
{
    const double dt = 0.004, f = 2.385, bias = 1e-6, omega = 6.283185307 * f;
    int half = darc_smoother_half(1, dt, f, bias, 400);
    ck_assert(half > 4 && half < 400);
    for (int i = 0; i < 2; i++) {
        int h = i == 0 ? half : half * 17 / 15 + 1;
        double *w = calloc((size_t)(2 * h + 1), sizeof *w), gain = 0, sum = 0;
        darc_smoother_weights(w, h, 1, dt);
        for (int s = -h; s <= h; s++) {
            gain += w[s + h] * w[s + h];
            sum += w[s + h] * sin(omega * s * dt);
        }
        ck_assert_int_eq(fabs(sum - omega) <= bias * sqrt(gain), i == 0);
        free(w);
    }
    ck_assert_int_eq(darc_smoother_half(1, dt, f, bias, 9), 9);
    ck_assert_int_eq(darc_smoother_half(1, dt, 100, 1e-9, 9), 4);
}
END_TEST

/* ---- what a recording asks for --------------------------------------------
 */

static double sines(int signal, double t)
{
    return sin(7 * t + signal) + 0.3 * cos(11 * t);
}

static const scene_plan plan = {.names = "yzu",
                                .part = {{"+1y2", "+1z0", "+1u0"}},
                                .at = sines,
                                .samples = 4000,
                                .dt = 0.005,
                                .sd = 1e-3};

static void asks(scene *s, double support, int degree)
{
    scene_remake(s);
    ck_assert_int_eq(s->weak->support, s->weak->step * (s->weak->degree + 1));
    ck_assert_double_le(fabs(s->weak->support - support),
                        0.5 * (s->weak->degree + 1));
    ck_assert_int_ge(s->weak->degree, degree);
}

START_TEST(supports_follow_the_bands_of_two_signals)
{
    scene s;
    scene_open(&s, &plan);
    for (int i = 0; i < 3; i++)
        s.signal[i].power_band = 2.5;
    asks(&s, 2 / (2.5 * plan.dt), DARC_WEAK_MIN_DEGREE);
    s.data.rich = 3;
    asks(&s, 2 / (7.5 * plan.dt), DARC_WEAK_MIN_DEGREE);
    s.data.rich = 0; /* what one signal alone carries is nothing */
    s.signal[2].power_band = 30;
    asks(&s, 2 / (2.5 * plan.dt), DARC_WEAK_MIN_DEGREE);
    s.signal[1].line = 40; /* hum that shorter ones would not see */
    asks(&s, 2 / (2.5 * plan.dt), DARC_WEAK_MIN_DEGREE);
    s.signal[1].line = 4; /* hum that is to be kept out */
    scene_remake(&s);
    ck_assert_int_eq(s.weak->step, (int)ceil(0.64 / (4 * plan.dt) - 0.2));
    s.data.support = 90; /* what the user says goes */
    asks(&s, 90, DARC_WEAK_MIN_DEGREE);
    scene_close(&s);
}
END_TEST

/* The cleaner the signals the less sampling may add. */
START_TEST(clean_signals_ask_for_a_high_degree)
{
    scene s;
    scene_plan clean = plan;
    int degree[2];
    for (int i = 0; i < 2; i++) {
        clean.sd = i == 0 ? 0.05 : 1e-8;
        scene_open(&s, &clean);
        for (int k = 0; k < 3; k++)
            s.signal[k].power_band = 5;
        scene_remake(&s);
        degree[i] = s.weak->degree;
        scene_close(&s);
    }
    ck_assert_int_eq(degree[0], DARC_WEAK_MIN_DEGREE);
    ck_assert_int_gt(degree[1], degree[0]);
    ck_assert_int_le(degree[1], DARC_WEAK_MIN_DEGREE + DARC_WEAK_MORE_DEGREES);
}
END_TEST

Suite *suite_functions(void)
{
    Suite *s = suite_create("functions");
    TCase *c = tcase_create("functions");
    tcase_add_test(c, splines_are_a_partition_of_unity);
    tcase_add_test(c, smoothers_are_exact_on_polynomials_of_degree_six);
    tcase_add_test(c, smoothers_are_as_wide_as_their_bias_allows);
    tcase_add_test(c, supports_follow_the_bands_of_two_signals);
    tcase_add_test(c, clean_signals_ask_for_a_high_degree);
    suite_add_tcase(s, c);
    return s;
}
