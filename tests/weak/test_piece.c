/* What noise makes of moments: partial derivatives, operators, and V against
 * noise that is drawn. */
#include "scene.h"
#include "tests.h"

#include <lapacke.h>

static const double c[5] = {1, -0.7, 0.31, 0.2, -1.3};

static double waves(int signal, double t)
{
    static const double omega[2] = {7.3, 4.1};
    return 3 + sin(omega[signal % 2] * t + signal) +
           0.4 * cos(5.2 * t + 2 * signal);
}

static double root_wave(int signal, double t)
{
    return signal == 1 ? sqrt(waves(0, t)) : waves(signal, t);
}

static double root_slope(double y)
{
    return 0.5 / sqrt(y);
}

#define COMMON .samples = 700, .dt = 0.01, .support = 60, .smooth = 8

static const scene_plan plans[] = {
    /* linear, one equation */
    {.names = "yu",
     .part = {{"+1y2", "+1y0", "+1u0"}},
     .at = waves,
     .sd = 0.01,
     COMMON},
    /* two equations that share the noise of y */
    {.names = "yzu",
     .part = {{"+1y1", "+1z0"}, {"+1z1", "+1y0", "+1u0"}},
     .at = waves,
     .sd = 0.01,
     .half = 2,
     COMMON},
    /* products, two equations */
    {.names = "yz",
     .part = {{"+1y1", "+1y0z0"}, {"+1z1", "+1y0y0", "+1z0"}},
     .at = waves,
     .sd = 0.003,
     COMMON},
    /* the square of an estimated derivative */
    {.names = "yu",
     .part = {{"+1y2", "+1y1y1", "+1y0", "+1u0"}},
     .at = waves,
     .sd = 0.002,
     .half = 1,
     COMMON},
    /* a signal and its root, which share one noise */
    {.names = "yzu",
     .part = {{"+1y1", "+1y0", "+1z0", "+1u0"}},
     .at = root_wave,
     .sd = 0.01,
     .derived = 1,
     .slope = root_slope,
     COMMON}};

static darc_weak_work *load(const scene *s)
{
    darc_weak_work *work = darc_weak_work_new(s->weak);
    darc_weak_load(work, 0);
    darc_weak_load_partials(work);
    darc_weak_at(work, c);
    return work;
}

/* e = W c of the signals as they are; owned. */
static double *moments(const scene *s)
{
    darc_weak_work *work = darc_weak_work_new(s->weak);
    darc_weak_load(work, 0);
    double *e = calloc((size_t)work->rows, sizeof *e);
    for (int j = 0; j < s->weak->coeffs; j++)
        for (int r = 0; r < work->rows; r++)
            e[r] += c[j] * work->w[j * work->rows + r];
    darc_weak_work_free(work);
    return e;
}

/* ---- operators ------------------------------------------------------------
 */

/* V = A A' but for products of noises: column i of the band matrix by the
 * operators A and A'. */
START_TEST(covariances_are_the_operator_times_its_adjoint)
{
    scene s;
    scene_open(&s, plans + _i);
    s.weak->pairs = 0;
    darc_weak_work *work = load(&s);
    int k = work->rows, j = s.weak->coeffs;
    double *x = calloc((size_t)k, sizeof *x);
    double *out = calloc((size_t)(k * j), sizeof *out);
    darc_weak_covariance(work);
    for (int column = 0; column < k; column += 9) {
        memset(x, 0, (size_t)k * sizeof *x);
        x[column] = 1;
        darc_weak_adjoint(work, x);
        darc_weak_forward(work, out);
        double unit = work->ab[column * (work->band + 1)];
        for (int i = column; i < k; i++) {
            double want = 0, got = 0;
            for (int m = 0; m < j; m++)
                want += c[m] * out[m * k + i];
            if (i - column <= work->band)
                got = work->ab[column * (work->band + 1) + i - column];
            ck_assert_double_eq_tol(got, want, 1e-10 * unit);
        }
    }
    free(x);
    free(out);
    darc_weak_work_free(work);
    scene_close(&s);
}
END_TEST

/* The derivative of the moments of a row by the noise of a sample, by
 * differences of the moments themselves. */
START_TEST(rows_are_derivatives_of_the_moments)
{
    const scene_plan *plan = plans + _i;
    scene s;
    scene_open(&s, plan);
    darc_weak_work *work = load(&s);
    const darc_weak *weak = s.weak;
    double *row = calloc((size_t)(weak->support + 1 + weak->left + weak->right),
                         sizeof *row);
    int k = work->functions / 2, e = weak->equations;
    size_t at = (size_t)(weak->margin + k * weak->step + weak->support / 3);
    double step = 1e-4, worst = 0, unit = 0;
    darc_weak_work_free(work);
    double *y = s.column[0].value, kept[2 * SCENE_HALF + 1], *by[2];
    for (int i = 0; i < 2; i++) { /* a unit of white noise through the kernel */
        for (int l = 0; l <= 2 * plan->half; l++) {
            size_t t = at + (size_t)l;
            kept[l] = y[t];
            y[t] += (i == 0 ? 1 : -1) * step * s.kernel[l];
            if (plan->derived > 0)
                s.column[1].value[t] = sqrt(y[t]);
        }
        scene_remake(&s);
        by[i] = moments(&s);
        for (int l = 0; l <= 2 * plan->half; l++)
            y[at + (size_t)l] = kept[l];
    }
    scene_remake(&s);
    work = load(&s);
    weak = s.weak;
    for (int m = k - 3; m <= k; m++)
        for (int q = 0; q < e; q++) {
            darc_weak_row(work, 0, m, q, row);
            double want = (by[0][m * e + q] - by[1][m * e + q]) / (2 * step);
            double got =
                row[(int)at - weak->margin - m * weak->step + weak->left];
            worst = fmax(worst, fabs(got - want));
            unit = fmax(unit, fabs(want));
        }
    /* partials are taken at smoothed signals, 20 samples of 1 % of a period */
    ck_assert_double_gt(unit, 0);
    ck_assert_double_lt(worst, 2e-3 * unit);
    free(by[0]);
    free(by[1]);
    free(row);
    darc_weak_work_free(work);
    scene_close(&s);
}
END_TEST

/* ---- against noise --------------------------------------------------------
 */

/* e' V^-1 e of noise drawn RUNS times has the mean `rows`, to within five
 * standard deviations of a chi-square and one percent for products of noise. */
START_TEST(noise_makes_the_covariance)
{
    enum { RUNS = 60 };
    scene s;
    scene_plan exact = plans[_i];
    uint64_t state = 5 + (uint64_t)_i;
    exact.sd = 0;
    scene_open(&s, &exact);
    double *clean = moments(&s);
    scene_close(&s);
    scene_open(&s, plans + _i);
    darc_weak_work *work = load(&s);
    int rows = work->rows, band = work->band;
    size_t size = (size_t)(band + 1) * (size_t)rows;
    double *v = calloc(size, sizeof *v), sum = 0;
    darc_weak_covariance(work);
    memcpy(v, work->ab, size * sizeof *v);
    darc_weak_work_free(work);
    ck_assert_int_eq(
        LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', rows, band, v, band + 1), 0);
    for (int run = 0; run < RUNS; run++) {
        scene_disturb(&s, sqrt, &state);
        scene_remake(&s);
        double *e = moments(&s);
        for (int r = 0; r < rows; r++)
            e[r] -= clean[r];
        LAPACKE_dtbtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', rows, band, 1, v,
                       band + 1, e, rows);
        for (int r = 0; r < rows; r++)
            sum += e[r] * e[r];
        free(e);
    }
    double mean = sum / RUNS / rows;
    ck_assert_msg(fabs(mean - 1) < 5 * sqrt(2.0 / RUNS / rows) + 0.01,
                  "plan %d: %g", _i, mean);
    free(v);
    free(clean);
    scene_close(&s);
}
END_TEST

/* Pieces evenly spread stand for all, but not for one in which alone a signal
 * moves. */
START_TEST(an_event_is_not_left_out)
{
    const scene_plan plan = {.names = "yu",
                             .part = {{"+1y1", "+1y0", "+1u0"}},
                             .at = waves,
                             .sd = 0.01,
                             .samples = 8000,
                             .dt = 0.01,
                             .support = 60,
                             .smooth = 8,
                             .piece = 1000};
    scene s;
    scene_open(&s, &plan);
    ck_assert_int_gt(s.weak->pieces, 6);
    ck_assert_int_eq(darc_weak_stride(s.weak, 2), 2);
    ck_assert_int_eq(darc_weak_stride(s.weak, 4), 4);
    ck_assert_int_eq(darc_weak_stride(s.weak, 0), 1);
    for (size_t t = 0; t < s.table.samples; t++)
        if (t < s.weak->piece[1].begin + 200 || t >= s.weak->piece[1].end - 200)
            s.column[1].value[t] = 3;
    ck_assert_int_eq(darc_weak_stride(s.weak, 2), 1);
    scene_close(&s);
}
END_TEST

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

Suite *suite_piece(void)
{
    Suite *s = suite_create("piece");
    TCase *t = tcase_create("piece");
    tcase_add_loop_test(t, covariances_are_the_operator_times_its_adjoint, 0,
                        COUNT(plans));
    tcase_add_loop_test(t, rows_are_derivatives_of_the_moments, 0,
                        COUNT(plans));
    tcase_add_loop_test(t, noise_makes_the_covariance, 0, COUNT(plans));
    tcase_add_test(t, an_event_is_not_left_out);
    suite_add_tcase(s, t);
    return s;
}
