/* Bands of linear equations do what the operators do. */
#include "scene.h"
#include "tests.h"

#include "stats/lanes.h"
#include "weak/toeplitz.h"

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
    darc_weak_toeplitz_init(&l, s.weak, c);
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

Suite *suite_toeplitz(void)
{
    Suite *s = suite_create("toeplitz");
    TCase *c = tcase_create("toeplitz");
    tcase_add_loop_test(c, shifted_rows_are_the_operators, 0,
                        (int)(sizeof plans / sizeof *plans));
    suite_add_tcase(s, c);
    return s;
}
