/* How sure coefficients are under noise of any colour. */
#include "scene.h"
#include "tests.h"
#include "weakbench.h"

#include "fit/errors.h"

enum { RUNS = 24 };

/* .3 y' + y = u, and z' = y - z */
static double at(int signal, double t)
{
    double s[3] = {0};
    for (int i = 0; i < 7; i++) {
        double w = 0.7 + 1.3 * i, a = w * t + i * i, size = 1 / (1 + 0.2 * w);
        double q = 1 / (1 + w * w);
        s[0] += size * sin(a);
        s[1] += size * (0.3 * w * cos(a) + sin(a));
        s[2] += size * q * (sin(a) - w * cos(a));
    }
    return s[signal];
}

static const scene_plan one = {.names = "yu",
                               .part = {{"+1u0", "+1y1", "+1y0"}},
                               .at = at,
                               .samples = 1200,
                               .dt = 0.02,
                               .sd = 0.002,
                               .support = 24};
static const scene_plan two = {
    .names = "yuz",
    .part = {{"+1u0", "+1y1", "+1y0"}, {"+1y0", "+1z1", "+1z0"}},
    .at = at,
    .samples = 1200,
    .dt = 0.02,
    .sd = 0.002,
    .support = 24};
static const double truth[] = {1, -0.3, -1, 1, -1, -1};

/* A fit to white noise, and what its errors say; `known`: they are white. */
static darc_gls fit_to(const scene *s, bool known)
{
    static const bool settled[SCENE_EQUATIONS] = {false};
    int model[SCENE_EQUATIONS] = {3, 3};
    darc_gls fit;
    double loud;
    darc_octaves spectrum = {0};
    darc_gls_task task = {.weak = s->weak, .model = model, .settled = settled};
    ck_assert_int_eq(darc_gls_fit(&fit, &task, NULL), DARC_OK);
    if (!known)
        ck_assert_int_eq(
            darc_errors_take(&fit, &loud, &spectrum, s->weak, NULL, NULL),
            DARC_OK);
    darc_octaves_clear(&spectrum);
    for (int q = 0; q < s->equations; q++)
        ck_assert(weakbench_refer(&fit, q, fit.first[q]));
    return fit;
}

/* Add an autoregression of this pole and RMS. */
static void redden(scene *s, int signal, double pole, double rms,
                   uint64_t *state)
{
    double n = rms * case_normal(state);
    for (int t = 0; t < s->plan->samples; t++) {
        s->column[signal].value[t] += n;
        n = pole * n + rms * sqrt(1 - pole * pole) * case_normal(state);
    }
}

/* Noise of pole .99 is as good as constant along the test functions. */
START_TEST(slow_noise_is_as_large_as_it_is)
{
    const scene_plan *plan = _i == 0 ? &one : &two;
    double z2[6] = {0}, dof = 0;
    int inside = 0, count = 0;
    uint64_t state = 11;
    scene s;
    scene_open(&s, plan);
    for (int i = 0; i < RUNS; i++) {
        scene_disturb(&s, NULL, &state);
        redden(&s, 0, 0.99, 0.05, &state);
        scene_remake(&s);
        darc_gls fit = fit_to(&s, false);
        for (int j = 0; j < fit.coeffs; j++) {
            double v = fit.cov[j * (fit.coeffs + 1)];
            double off = fit.c[j] - truth[j];
            if (!fit.free[j])
                continue;
            z2[j] += off * off / v / RUNS;
            inside += off * off < 4 * v;
            count++;
        }
        dof += fit.error_dof / RUNS;
        darc_gls_clear(&fit);
    }
    scene_close(&s);
    ck_assert(dof > 2 && dof < 500);
    ck_assert_double_ge(inside, 0.85 * count);
    for (int j = 0; j < 3 * (1 + _i); j++)
        ck_assert(j % 3 == 0 || (z2[j] > 0.3 && z2[j] < 2.2));
}
END_TEST

/* Of white noise the spectrum is flat, and nothing is lost. */
START_TEST(white_noise_costs_nothing)
{
    double ratio[3] = {0};
    uint64_t state = 5;
    scene s;
    scene_open(&s, &one);
    for (int i = 0; i < RUNS; i++) {
        scene_disturb(&s, NULL, &state);
        scene_remake(&s);
        darc_gls fit = fit_to(&s, false), white = fit_to(&s, true);
        for (int j = 1; j < 3; j++)
            ratio[j] += fit.cov[j * 4] / white.cov[j * 4] / RUNS;
        ck_assert_double_gt(fit.error_dof, 6);
        darc_gls_clear(&fit);
        darc_gls_clear(&white);
    }
    scene_close(&s);
    for (int j = 1; j < 3; j++)
        ck_assert(ratio[j] > 0.7 && ratio[j] < 1.4);
}
END_TEST

/* Noise in proportion to the square of y is strongest where the columns are
 * largest: taken for even, the variances of coefficients are half of what they
 * are. */
START_TEST(noise_that_grows_is_as_large_as_it_is)
{
    enum { MANY = 5 * RUNS };
    double off[3] = {0}, told[3] = {0};
    uint64_t state = 3;
    scene s;
    scene_open(&s, &one);
    for (int i = 0; i < MANY; i++) {
        scene_disturb(&s, NULL, &state);
        for (int t = 0; t < one.samples; t++) {
            double y = at(0, t * one.dt);
            s.column[0].value[t] += 0.01 * y * y * case_normal(&state);
        }
        scene_remake(&s);
        darc_gls fit = fit_to(&s, false);
        for (int j = 1; j < 3; j++) {
            off[j] += pow(fit.c[j] - truth[j], 2) / MANY;
            told[j] += fit.cov[j * 4] / MANY;
        }
        darc_gls_clear(&fit);
    }
    scene_close(&s);
    for (int j = 1; j < 3; j++)
        ck_assert(told[j] > 0.5 * off[j] && told[j] < 2.5 * off[j]);
}
END_TEST

Suite *suite_errors(void)
{
    Suite *s = suite_create("errors");
    TCase *c = tcase_create("errors");
    tcase_add_loop_test(c, slow_noise_is_as_large_as_it_is, 0, 2);
    tcase_add_test(c, white_noise_costs_nothing);
    tcase_add_test(c, noise_that_grows_is_as_large_as_it_is);
    suite_add_tcase(s, c);
    return s;
}
