/* The spectrum of what is left, by octave. */
#include "scene.h"
#include "tests.h"

#include "draw.h"
#include "weak/octaves.h"

#include <math.h>
#include <stdlib.h>

/* .3 y' + y = u, and z' = y - z */
static double at(int signal, double t)
{
    double s[3] = {sin(1.3 * t), sin(1.3 * t) + 0.39 * cos(1.3 * t), 0};
    s[2] = (sin(1.3 * t) - 1.3 * cos(1.3 * t)) / (1 + 1.3 * 1.3);
    return s[signal];
}

static scene_plan plan = {
    .names = "yuz",
    .part = {{"+1u0", "+1y1", "+1y0"}, {"+1y0", "+1z1", "+1z0"}},
    .at = at,
    .dt = 0.02,
    .sd = 0.002,
    .support = 12};
static const double truth[] = {1, -0.3, -1, 1, -1, -1};

/* Of an autoregression of this pole the density is known. */
START_TEST(octaves_are_those_of_the_noise)
{
    double pole[2] = {0, 0.8}, last[2] = {0, 0};
    uint64_t state = 3;
    darc_octaves o = {0};
    scene s;
    plan.samples = 12000;
    scene_open(&s, &plan);
    int rows = (int)s.weak->functions;
    double *x = calloc((size_t)rows * 2, sizeof *x);
    for (int t = -100; t < rows; t++)
        for (int q = 0; q < 2; q++) {
            last[q] = pole[q] * last[q] + draw_normal(&state);
            if (t >= 0)
                x[2 * t + q] = last[q];
        }
    darc_octaves_init(&o, s.weak, truth, x);
    ck_assert_int_ge(o.count, 6);
    ck_assert_double_eq_tol(o.top, 0.5 / (s.weak->step * 0.02), 1e-9);
    for (int k = 0; k < 6; k++)
        for (int q = 0; q < 2; q++) {
            double density = 0, end = 3.14159265358979 / (1 << k);
            for (int i = 0; i < 100; i++) {
                double w = end * (1 - (i + 0.5) / 200);
                density +=
                    0.01 / (1 - 2 * pole[q] * cos(w) + pole[q] * pole[q]);
            }
            double share = o.share[q * DARC_OCTAVES + k] / density;
            /* 4 sd of as many values */
            ck_assert_double_lt(fabs(share - 1), 4 / sqrt(rows / 4 >> k));
        }
    darc_octaves_clear(&o);
    free(x);
    scene_close(&s);
}
END_TEST

/* A few test functions tell no spectrum. */
START_TEST(few_rows_have_none)
{
    darc_octaves o = {0};
    scene s;
    plan.samples = 60;
    scene_open(&s, &plan);
    double *x = calloc(s.weak->functions * 2, sizeof *x);
    darc_octaves_init(&o, s.weak, truth, x);
    ck_assert_int_eq(o.count, 0);
    darc_octaves_clear(&o);
    free(x);
    scene_close(&s);
}
END_TEST

Suite *suite_octaves(void)
{
    Suite *s = suite_create("octaves");
    TCase *c = tcase_create("octaves");
    tcase_add_test(c, octaves_are_those_of_the_noise);
    tcase_add_test(c, few_rows_have_none);
    suite_add_tcase(s, c);
    return s;
}
