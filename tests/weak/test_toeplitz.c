/* Bands of linear equations do what the operators do. */
#include "scene.h"
#include "tests.h"

#include "stats/lanes.h"
#include "weak/stamps.h"
#include "weak/toeplitz.h"

#include <lapacke.h>
#include <math.h>

static double waves(int signal, double t)
{
    return sin(7 * t + signal) + 0.4 * cos(5.2 * t + 2 * signal);
}

static const scene_plan plans[] = {
    {.names = "yu",
     .part = {{"+1y2", "+1y0", "+1u0"}},
     .at = waves,
     .samples = 1000,
     .dt = 0.01,
     .sd = 0.02,
     .support = 60},
    {.names = "yzu",
     .part = {{"+1y1", "+1z0"}, {"+1z1", "+1y0", "+1u0"}},
     .at = waves,
     .samples = 1000,
     .dt = 0.01,
     .sd = 0.02,
     .half = 3,
     .support = 60}};

START_TEST(shifted_rows_are_the_operators)
{
    static const double c[5] = {1, -0.7, 0.31, 0.2, -1.3};
    scene s;
    scene_open(&s, plans + _i);
    ck_assert(s.weak->linear);
    darc_weak_work *work = darc_weak_work_new(s.weak);
    darc_weak_toeplitz l;
    darc_weak_toeplitz_init(&l, s.weak, NULL, c);
    darc_weak_load(work, 0);
    darc_weak_load_partials(work);
    darc_weak_at(work, c);
    size_t k = (size_t)work->rows, n = (size_t)s.weak->coeffs * k;
    size_t size = (size_t)(work->band + 1) * k;
    double *x = calloc(k, sizeof *x), *ab = calloc(size, sizeof *ab);
    double *want = calloc(n, sizeof *want), *got = calloc(n, sizeof *got);
    for (size_t i = 0; i < k; i++)
        x[i] = sin(0.37 * (double)(i * i));
    darc_weak_adjoint(work, x);
    darc_weak_forward(work, want);
    darc_weak_toeplitz_apply(&l, got, x, (int)k);
    double unit = darc_lanes_dot(want, want, n) / (double)n;
    for (size_t i = 0; i < n; i++)
        ck_assert_double_eq_tol(got[i], want[i], 1e-11 * sqrt(unit));
    darc_weak_covariance(work);
    darc_weak_toeplitz_fill(ab, work->band, (int)k, &l);
    for (size_t i = 0; i < size; i++)
        if (i / (size_t)(work->band + 1) + i % (size_t)(work->band + 1) < k)
            ck_assert_double_eq_tol(ab[i], work->ab[i], 1e-11 * work->ab[0]);
    free(x);
    free(ab);
    free(want);
    free(got);
    darc_weak_toeplitz_clear(&l);
    darc_weak_work_free(work);
    scene_close(&s);
}
END_TEST

/* Set dense to V, from its lower band. */
static void expand(double *dense, const double *ab, int band, int rows)
{
    for (int i = 0; i < rows * rows; i++)
        dense[i] = 0;
    for (int k = 0; k < rows; k++)
        for (int i = 0; i <= band && k + i < rows; i++)
            dense[k * rows + k + i] = dense[(k + i) * rows + k] =
                ab[k * (band + 1) + i];
}

/* On uneven stamps, with signals of two rates, bands give chi-squares the mean
 * that V itself does: tr T^-1 V is the number of rows. */
START_TEST(bands_serve_uneven_stamps)
{
    static const double c[5] = {1, -0.7, 0.31, 0.2, -1.3};
    const scene_plan *plan = plans + sizeof plans / sizeof *plans - 1;
    size_t n = (size_t)plan->samples;
    double *time = calloc(n, sizeof *time);
    unsigned char *absent = calloc(n, 1);
    scene_plan white = *plan;
    white.half = 0;
    scene s;
    scene_open(&s, &white);
    for (size_t i = 0; i < n; i++) {
        time[i] =
            plan->dt * ((double)i + 0.1 * sin(2.385 * (double)i * (double)i));
        absent[i] = i > 0 && i + 1 < n && i % 3 != 0;
    }
    s.table.time = time;
    s.table.dt = 0;
    s.signal[1].absent = absent;
    scene_remake(&s);
    ck_assert(s.weak->linear && s.weak->bands->scaled);
    darc_weak_work *work = darc_weak_work_new(s.weak);
    darc_weak_load(work, 0);
    darc_weak_load_partials(work);
    const double *gain = darc_weak_stamps_gain(work);
    ck_assert_ptr_nonnull(gain);
    darc_weak_at(work, c);
    darc_weak_covariance(work);
    darc_weak_toeplitz l;
    darc_weak_toeplitz_init(&l, s.weak, gain, c);
    int rows = work->rows;
    double *v = calloc((size_t)(rows * rows), sizeof *v), trace = 0;
    expand(v, work->ab, work->band, rows);
    darc_weak_toeplitz_fill(work->ab, work->band, rows, &l);
    ck_assert_int_eq(LAPACKE_dpbsv(LAPACK_COL_MAJOR, 'L', rows, work->band,
                                   rows, work->ab, work->band + 1, v, rows),
                     0);
    for (int i = 0; i < rows; i++)
        trace += v[i * rows + i];
    /* a chi-square of so many degrees of freedom has the relative sd
     * sqrt(2 / rows), a fifth of which goes unseen */
    ck_assert_double_eq_tol(trace / rows, 1, 0.2 * sqrt(2.0 / rows));
    darc_weak_work_free(work);
    darc_weak_toeplitz_clear(&l);
    for (size_t i = 0; i < n; i++) /* the rate changes on the way: no bands */
        absent[i] = i < n / 2 && i % 2 != 0;
    scene_remake(&s);
    darc_weak_work *other = darc_weak_work_new(s.weak);
    darc_weak_load(other, 0);
    ck_assert_ptr_null(darc_weak_stamps_gain(other));
    darc_weak_work_free(other);
    scene_close(&s);
    free(v);
    free(time);
    free(absent);
}
END_TEST

Suite *suite_toeplitz(void)
{
    Suite *s = suite_create("toeplitz");
    TCase *c = tcase_create("toeplitz");
    tcase_add_loop_test(c, shifted_rows_are_the_operators, 0,
                        (int)(sizeof plans / sizeof *plans));
    tcase_add_test(c, bands_serve_uneven_stamps);
    suite_add_tcase(s, c);
    return s;
}
