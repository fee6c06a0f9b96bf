/* Moments against the exact integrals of splines and sines, and what a system
 * takes and refuses. */
#include "scene.h"
#include "tests.h"

#include "stats/smoother.h"

#include <complex.h>

static const double omega[2] = {7.3, 4.1}, phase[2] = {0.4, 1.9};
static const double mean[2] = {3, 5};

static double waves(int signal, double t)
{
    int i = signal % 2;
    return mean[i] + sin(omega[i] * t + phase[i]);
}

/* y'' - y y' + y^2 = 0 and z' + 2 y z = 0, say. */
static const scene_plan two = {
    .names = "yz",
    .part = {{"+1y2", "+1y0y1", "+1y0y0"}, {"+1z1", "+2y0z0"}},
    .at = waves,
    .samples = 1500,
    .dt = 0.004,
    .support = 120};

/* The integral of a spline of n + 1 knots h from `from` on times e^(i w t). */
static double complex integral(double w, double from, int degree, double h)
{
    double x = w * h / 2, sinc = x == 0 ? 1 : sin(x) / x;
    return h * cexp(I * w * (from + (degree + 1) * h / 2)) *
           pow(sinc, degree + 1);
}

/* Of a1 a2 sin(w1 t + p1) sin(w2 t + p2). */
static double integral_of_product(int i, int j, double from, int degree,
                                  double h)
{
    double complex minus = integral(omega[i] - omega[j], from, degree, h) *
                           cexp(I * (phase[i] - phase[j]));
    double complex plus = integral(omega[i] + omega[j], from, degree, h) *
                          cexp(I * (phase[i] + phase[j]));
    return creal(minus - plus) / 2;
}

START_TEST(moments_are_integrals)
{
    scene s;
    scene_open(&s, &two);
    const darc_weak *weak = s.weak;
    int p = weak->degree;
    double h = weak->step * two.dt, worst = 0;
    ck_assert_int_eq(weak->equations, 2);
    ck_assert_int_eq(weak->first[1], 3);
    ck_assert_int_eq(weak->coeffs, 5);
    darc_weak_work *work = darc_weak_work_new(weak);
    darc_weak_load(work, 0);
    ck_assert_uint_eq(weak->functions, (size_t)work->functions);
    for (int k = 0; k < work->functions; k++) {
        double from = (weak->margin + k * weak->step) * two.dt;
        double complex y = integral(omega[0], from, p, h) * cexp(I * phase[0]);
        double complex z = integral(omega[1], from, p, h) * cexp(I * phase[1]);
        double yy = integral_of_product(0, 0, from, p, h);
        double dyy =
            cimag(integral(2 * omega[0], from, p, h) * cexp(2 * I * phase[0])) *
            omega[0] / 2; /* of sin cos */
        double want[5] = {-omega[0] * omega[0] * cimag(y),
                          omega[0] * mean[0] * creal(y) + dyy,
                          mean[0] * mean[0] * h + 2 * mean[0] * cimag(y) + yy,
                          omega[1] * creal(z),
                          2 * (mean[0] * mean[1] * h + mean[1] * cimag(y) +
                               mean[0] * cimag(z) +
                               integral_of_product(0, 1, from, p, h))};
        for (int j = 0; j < 5; j++)
            worst =
                fmax(worst, fabs(work->w[j * work->rows + 2 * k + (j >= 3)] -
                                 want[j]));
    }
    /* two aliases of the fastest sine, 2 omega, under the second derivative */
    double f = 2 * omega[0] * h / 6.283185307;
    ck_assert_double_lt(
        worst, 2 * pow(f / weak->step, p - 1) * pow(2 * omega[0], 2) + 1e-12);
    darc_weak_work_free(work);
    scene_close(&s);
}
END_TEST

START_TEST(rows_of_an_equation_hold_its_columns_alone)
{
    scene s;
    scene_open(&s, &two);
    darc_weak_work *work = darc_weak_work_new(s.weak);
    darc_weak_load(work, 0);
    for (int j = 0; j < 5; j++)
        for (int r = 0; r < work->rows; r++)
            ck_assert_int_eq(work->w[j * work->rows + r] == 0,
                             r % 2 != (j >= 3));
    darc_weak_work_free(work);
    scene_close(&s);
}
END_TEST

/* ---- signs ----------------------------------------------------------------
 */

/* Sign of a derivative at sample t, 0 where it reaches over the segment. */
static double sign_at(const double *y, size_t t, const darc_segment *s,
                      const double *w)
{
    enum { HALF = DARC_WEAK_SIGN_HALF };
    double sum = 0;
    if (t < s->begin + HALF || t + HALF >= s->end)
        return 0;
    for (size_t k = 0; k <= 2 * HALF; k++)
        sum += w[k] * y[t + k - HALF];
    return (sum > 0) - (sum < 0);
}

START_TEST(signs_of_derivatives_are_made_piece_by_piece)
{
    static const scene_plan plan = {.names = "yz",
                                    .part = {{"+1y0", "+1z0"}},
                                    .at = waves,
                                    .samples = 1000,
                                    .dt = 0.004,
                                    .support = 20,
                                    .piece = 100};
    darc_segment parts[] = {{0, 400}, {403, 1000}};
    double w[2 * DARC_WEAK_SIGN_HALF + 1];
    size_t compared = 0, turns = 0;
    scene s;
    scene_open(&s, &plan);
    s.table.segment = parts;
    s.table.segments = 2;
    s.signal[1].sign = true;
    s.signal[1].order = 1;
    scene_remake(&s);
    ck_assert_int_gt(s.weak->pieces, 4);
    darc_smoother_weights(w, DARC_WEAK_SIGN_HALF, 1, plan.dt);
    darc_weak_work *work = darc_weak_work_new(s.weak);
    for (int p = 0; p < s.weak->pieces; p++) {
        size_t begin = s.weak->piece[p].begin;
        darc_weak_load(work, p);
        for (int v = 0; v < s.weak->vars; v++)
            for (int i = 0; i < work->samples && s.weak->var[v].sign; i++) {
                double want = sign_at(s.signal[1].value, begin + (size_t)i,
                                      parts + (begin >= 403), w);
                ck_assert(work->x[v][i] == want);
                turns += i > 0 && want * work->x[v][i - 1] < 0;
                compared++;
            }
    }
    ck_assert_uint_gt(compared, 900);
    ck_assert_uint_gt(turns, 3);
    darc_weak_work_free(work);
    scene_close(&s);
}
END_TEST

/* ---- what is taken and refused --------------------------------------------
 */

START_TEST(gaps_split_the_recording)
{
    scene s;
    scene_plan plan = two;
    plan.support = 60;
    scene_open(&s, &plan);
    size_t whole = s.weak->functions;
    darc_segment parts[2] = {{0, 600}, {620, 1500}};
    s.table.segment = parts;
    s.table.segments = 2;
    scene_remake(&s);
    size_t lost = (size_t)(s.weak->support + 20) / (size_t)s.weak->step + 2;
    ck_assert_int_eq(s.weak->pieces, 2);
    ck_assert_uint_lt(s.weak->functions, whole);
    ck_assert_uint_ge(s.weak->functions + lost, whole);
    scene_close(&s);
}
END_TEST

/* Smoothers are as wide as the user says, times a factor, and no narrower than
 * they can be. */
START_TEST(smoothers_have_a_least_width)
{
    static const struct {
        int smooth, half;
        double stretch;
    } row[] = {
        {12, 12, 0}, {12, 6, 0.5}, {12, 18, 1.5}, {5, 3, 0.5}, {1, 4, 0}};
    static const scene_plan plan = {.names = "yz",
                                    .part = {{"+1y1y1", "+1z0"}},
                                    .at = waves,
                                    .samples = 1000,
                                    .dt = 0.004,
                                    .sd = 0.01,
                                    .support = 60};
    scene s;
    scene_open(&s, &plan);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        s.data.smooth = row[i].smooth;
        s.data.stretch = row[i].stretch;
        scene_remake(&s);
        ck_assert_int_eq(s.weak->margin, row[i].half);
    }
    scene_close(&s);
}
END_TEST

START_TEST(a_term_that_vanishes_is_found)
{
    scene s;
    scene_open(&s, &two);
    ck_assert_int_eq(darc_weak_vanishing(s.weak), -1);
    memset(s.column[1].value, 0, (size_t)two.samples * sizeof(double));
    scene_remake(&s);
    ck_assert_int_eq(darc_weak_vanishing(s.weak), 3);
    for (int t = 0; t < two.samples; t++)
        s.column[1].value[t] = 2.385;
    scene_remake(&s);
    ck_assert_int_eq(darc_weak_vanishing(s.weak), 3);
    s.column[1].value[700] = 2.386;
    scene_remake(&s);
    ck_assert_int_eq(darc_weak_vanishing(s.weak), -1);
    scene_close(&s);
}
END_TEST

static void refused(scene *s, darc_status status, const char *reason)
{
    const darc_total_struct *total[2] = {s->total, s->total + 1};
    darc_err err;
    darc_weak *weak;
    darc_err_init(&err);
    darc_status got = darc_weak_new(&weak, total, s->equations, &s->data, &err);
    ck_assert_msg(got == status, "not refused: %s", reason);
    ck_assert_msg(strstr(err.message, reason) != NULL, "%s", err.message);
    ck_assert_ptr_null(weak);
}

START_TEST(refusals_name_the_reason)
{
    /* (y y'' - y'^2) / y^2 = (log y)'' */
    static const scene_plan prey = {.names = "y",
                                    .part = {{"+1y0y2-1y1y1", "+1y0y0y1"}},
                                    .at = waves,
                                    .samples = 1000,
                                    .dt = 0.004,
                                    .sd = 0.01,
                                    .support = 60};
    scene s;
    scene_open(&s, &prey);
    double *y = s.column[0].value;
    y[17] = 0.05; /* five standard deviations from 0 */
    refused(&s, DARC_DATA, "at sample 17");
    y[17] = 0.07;
    scene_remake(&s);
    y[17] = -1;
    refused(&s, DARC_DATA, "at sample 17");
    y[17] = 1;
    s.table.segments = 0;
    refused(&s, DARC_DATA, "without a gap");
    s.table.segments = 1;
    s.segment.end = 20;
    refused(&s, DARC_DATA, "test functions");
    scene_close(&s);
}
END_TEST

Suite *suite_system(void)
{
    Suite *s = suite_create("system");
    TCase *c = tcase_create("system");
    tcase_add_test(c, moments_are_integrals);
    tcase_add_test(c, rows_of_an_equation_hold_its_columns_alone);
    tcase_add_test(c, signs_of_derivatives_are_made_piece_by_piece);
    tcase_add_test(c, gaps_split_the_recording);
    tcase_add_test(c, smoothers_have_a_least_width);
    tcase_add_test(c, a_term_that_vanishes_is_found);
    tcase_add_test(c, refusals_name_the_reason);
    suite_add_tcase(s, c);
    return s;
}
