/* What noise that two signals share makes of their product. */
#include "scene.h"
#include "tests.h"

static const double SD = 0.01;

static double wave(double t)
{
    return 3 + sin(7.3 * t);
}

static double inverse_at(int signal, double t)
{
    return signal == 1 ? 1 / wave(t) : wave(t);
}

static double inverse_slope(double y)
{
    return -1 / (y * y);
}

static double double_at(int signal, double t)
{
    return (signal == 1 ? 2 : 1) * wave(t);
}

static double double_slope(double y)
{
    (void)y;
    return 2;
}

/* Return the number that stands beside the product in its group. */
static double number_beside_product(const darc_weak *weak)
{
    double number = 0;
    for (int g = 0; g < weak->groups; g++)
        for (int i = 0; i < weak->group[g].g.count; i++) {
            const darc_monomial *m = weak->group[g].g.m + i;
            bool any = m->log >= 0;
            for (int v = 0; v < weak->vars; v++)
                any = any || m->e[v] != 0;
            number += any ? 0 : m->a;
        }
    return number;
}

START_TEST(falling_functions_take_off_a_negative_bias)
{
    static const scene_plan plan = {.names = "yz",
                                    .part = {{"+1y1", "+1y0z0"}},
                                    .at = inverse_at,
                                    .samples = 1000,
                                    .dt = 0.01,
                                    .support = 60,
                                    .sd = 0.01,
                                    .derived = 1,
                                    .slope = inverse_slope};
    double mean = 0;
    scene s;
    scene_open(&s, &plan);
    for (int t = 0; t < plan.samples; t++)
        mean += inverse_slope(wave(t * plan.dt)) / plan.samples;
    ck_assert_double_eq_tol(number_beside_product(s.weak), -SD * SD * mean,
                            1e-12);
    ck_assert_double_gt(number_beside_product(s.weak), 0);
    scene_close(&s);
}
END_TEST

/* y z with z = 2 y is 2 y^2: the noise of second order is 2 (n^2 - s^2), of
 * variance 8 s^4. */
START_TEST(noise_that_is_shared_counts_twice)
{
    static const scene_plan plan = {.names = "yz",
                                    .part = {{"+1y1", "+1y0z0"}},
                                    .at = double_at,
                                    .samples = 1000,
                                    .dt = 0.01,
                                    .support = 60,
                                    .sd = 0.01,
                                    .derived = 1,
                                    .slope = double_slope};
    scene s;
    scene_open(&s, &plan);
    ck_assert_int_eq(s.weak->pairs, 1);
    ck_assert_int_ne(s.weak->pair->v, s.weak->pair->w);
    ck_assert_double_eq_tol(s.weak->pair->sd, sqrt(8) * SD * SD, 1e-10);
    scene_close(&s);
}
END_TEST

/* The share of y z is that of z; where its coefficient is the reference, all
 * others carry it; what is fixed has none. */
START_TEST(bends_enter_the_covariance)
{
    static const scene_plan plan = {.names = "yz",
                                    .part = {{"+1y1", "+1y0z0", "+1y0"}},
                                    .at = double_at,
                                    .samples = 1000,
                                    .dt = 0.01,
                                    .support = 60,
                                    .sd = 0.01,
                                    .derived = 1,
                                    .slope = double_slope};
    static const double c[] = {2, 3, 5};
    scene s;
    scene_open(&s, &plan);
    s.signal[1].bend = 0.01;
    scene_remake(&s);
    for (int reference = 0; reference < 2; reference++) {
        double cov[9] = {0}, none[9] = {0};
        bool free[3] = {reference != 0, reference != 1, true};
        darc_weak_add_bends(cov, c, &reference, free, s.weak);
        darc_weak_add_bends(none, c, &reference, (bool[3]){false}, s.weak);
        for (int i = 0; i < 9; i++) {
            bool there = reference == 0 ? i == 4 : i / 3 != 1 && i % 3 != 1;
            double want = there ? 1e-4 * c[i / 3] * c[i % 3] : 0;
            ck_assert_double_eq_tol(cov[i], want, 1e-12);
            ck_assert_double_eq(none[i], 0);
        }
    }
    scene_close(&s);
}
END_TEST

Suite *suite_paths(void)
{
    Suite *s = suite_create("paths");
    TCase *t = tcase_create("paths");
    tcase_add_test(t, falling_functions_take_off_a_negative_bias);
    tcase_add_test(t, noise_that_is_shared_counts_twice);
    tcase_add_test(t, bends_enter_the_covariance);
    suite_add_tcase(s, t);
    return s;
}
