#include "scene.h"
#include "tests.h"

#include "fit/fit.h"
#include "models.h"
#include "terms/jumps.h"
#include "weak/origin.h"
#include "weakbench.h"

/* ---- a share that is known ------------------------------------------------
 */

static double missing, origin;

/* u = y'' + 0.4 y' + 20 y and, which no term makes, a sine of its band. */
static double oscillator(int signal, double t)
{
    double y = 0, v = 0, a = 0;
    for (int i = 0; i < 6; i++) {
        double w = 4.4 + 0.21 * i + 0.013 * i * i, x = w * t + 2 * i * i;
        y += sin(x);
        v += w * cos(x);
        a -= w * w * sin(x);
    }
    if (signal == 0)
        return y + origin;
    return a + 0.4 * v + 20 * y + missing * sin(5.03 * t);
}

static const scene_plan plan = {
    .names = "yu",
    .part = {{"+1y2", "+1y1", "+1y0", "+1u0", "+1"}},
    .at = oscillator,
    .samples = 6000,
    .dt = 0.02,
    .sd = 1e-4,
    .support = 90};

typedef struct {
    scene s;
    darc_gls fit;
    darc_metric metric;
    darc_yardstick y;
} measured;

static void measure(measured *m, const scene_plan *p)
{
    uint64_t state = 5;
    scene_open(&m->s, p);
    scene_disturb(&m->s, NULL, &state);
    scene_remake(&m->s);
    int offset, n = m->s.total->coeffs;
    darc_gls_task task = {
        .weak = m->s.weak, .model = &n, .settled = (bool[]){false}};
    ck_assert_int_eq(darc_gls_fit(&m->fit, &task, NULL), DARC_OK);
    ck_assert(weakbench_refer(&m->fit, 0, 0));
    darc_origin_offsets(&offset, m->s.weak);
    darc_metric_init(&m->metric, m->s.weak, m->fit.c, &offset);
    darc_point at = {.weak = m->s.weak, .c = m->fit.c, .metric = &m->metric};
    static const bool input[] = {false, false, false, true, false, false};
    ck_assert_int_eq(
        darc_yardstick_measure(&m->y, &m->fit, &at, input, NULL, NULL),
        DARC_OK);
}

/* Fit again, with what is left as the size of the misfit. */
static void refit(measured *m)
{
    int n = m->s.total->coeffs;
    double rho = darc_yardstick_rho(&m->y);
    darc_gls_task task = {.weak = m->s.weak,
                          .model = &n,
                          .settled = (bool[]){false},
                          .metric = &m->metric,
                          .rho = &rho};
    darc_gls_clear(&m->fit);
    ck_assert_int_eq(darc_gls_fit(&m->fit, &task, NULL), DARC_OK);
    ck_assert(weakbench_refer(&m->fit, 0, 0));
}

static void release(measured *m)
{
    darc_yardstick_clear(&m->y);
    darc_metric_clear(&m->metric);
    darc_gls_clear(&m->fit);
    scene_close(&m->s);
}

/* All is at one frequency, so that the share of RMS is that of sines: the
 * leading term is y'' or 20 y, of 22 times the six sines. */
START_TEST(a_share_is_measured)
{
    static const double share[] = {0, 0.003, 0.01, 0.05};
    measured m;
    double rms = 0, n = plan.samples;
    for (int t = 0; t < plan.samples; t++)
        rms += pow(oscillator(0, t * plan.dt), 2) / n;
    for (int i = 0; i < 4; i++) {
        missing = share[i] * 5.03 * 5.03 * sqrt(2 * rms);
        measure(&m, &plan);
        darc_defect d = darc_yardstick_defect(&m.y, 0.01, true);
        ck_assert(m.y.lead == 0 || m.y.lead == 2);
        ck_assert_int_eq(m.y.input, 3);
        ck_assert_double_eq_tol(d.defect, share[i], 0.15 * share[i] + 1e-3);
        ck_assert(d.low <= d.defect && d.defect <= d.high);
        ck_assert_double_ge(d.high_input, d.high);
        double input = m.y.size[3] / m.y.size[m.y.lead];
        ck_assert_double_eq_tol(d.high_input * input, d.high, 1e-9);
        ck_assert_double_eq_tol(darc_yardstick_rho(&m.y),
                                d.defect * m.y.size[m.y.lead], 1e-9);
        release(&m);
    }
    missing = 0;
}
END_TEST

/* Noise that is taken as stronger leaves less for certain; as weaker, more at
 * most. */
START_TEST(ends_allow_for_noise)
{
    measured m;
    scene_plan noisy = plan;
    noisy.sd = 0.3;
    missing = 2;
    measure(&m, &noisy);
    darc_defect as = darc_yardstick_defect(&m.y, 0.01, true),
                wide = darc_yardstick_defect(&m.y, 0.01, false),
                bold = darc_yardstick_defect(&m.y, 0.2, true);
    ck_assert(wide.low == as.low && wide.high > as.high);
    ck_assert(bold.low >= as.low && bold.high < as.high);
    ck_assert(as.defect == wide.defect);
    missing = 0;
    release(&m);
}
END_TEST

/* Where noise is taken for much more than is left, nothing is left for
 * certain. */
START_TEST(less_than_noise_makes_is_no_defect)
{
    measured m;
    scene_plan noisy = plan;
    noisy.sd = 0.3;
    measure(&m, &noisy);
    m.y.as.noisy = 3 * m.y.residual;
    m.y.as.spread = 1e-6 * m.y.residual * m.y.residual;
    m.y.as.density = 2 * m.y.functions * m.y.residual;
    darc_defect d = darc_yardstick_defect(&m.y, 0.01, true);
    ck_assert(d.low == 0 && d.defect == 0);
    release(&m);
}
END_TEST

/* An origin that the constant takes up changes nothing, be it a thousand times
 * the signal. */
START_TEST(the_origin_of_a_signal_does_not_matter)
{
    measured a, b;
    missing = 5;
    measure(&a, &plan);
    origin = 5000;
    measure(&b, &plan);
    darc_defect d = darc_yardstick_defect(&a.y, 0.01, true),
                e = darc_yardstick_defect(&b.y, 0.01, true);
    ck_assert_int_eq(a.y.offset, 4);
    ck_assert_double_eq_tol(e.defect, d.defect, 1e-3 * d.defect);
    ck_assert_double_eq_tol(e.low, d.low, 1e-3 * d.defect);
    ck_assert_double_eq_tol(e.high, d.high, 1e-3 * d.defect);
    ck_assert_double_eq_tol(b.y.arbitrary, a.y.arbitrary, 1e-2 * a.y.arbitrary);
    for (int j = 0; j < 4; j++)
        ck_assert_double_eq_tol(b.y.size[j], a.y.size[j], 1e-3 * a.y.size[0]);
    ck_assert(b.y.size[4] == 0);
    missing = origin = 0;
    release(&a);
    release(&b);
}
END_TEST

START_TEST(constants_that_are_origins)
{
    static const struct {
        const char *part[6];
        bool has, origin;
    } row[] = {{{"+1y2", "+1y0", "+1u0", "+1"}, true, true},
               {{"+1y2", "+1y0", "+1u0"}, false, false},
               {{"+1y2", "+1y1", "+1"}, true, false},
               {{"+1y2", "+1y0y0y0", "+1u1", "+1"}, true, false},
               {{"+1y2", "+1y0y0y0", "+1u0", "+1"}, true, true},
               {{"+1y2", "+1y0+1"}, false, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        scene_plan p = plan;
        scene s;
        int offset;
        memcpy(p.part[0], row[i].part, sizeof p.part[0]);
        scene_open(&s, &p);
        darc_origin_offsets(&offset, s.weak);
        ck_assert_int_eq(offset >= 0, row[i].has);
        ck_assert_int_eq(darc_origin_is_free(s.weak, 0), row[i].origin);
        scene_close(&s);
    }
}
END_TEST

/* What is left of a disturbance along one column moves its coefficient by as
 * much as the bias says, at most. */
START_TEST(a_bias_bounds_what_a_misfit_does)
{
    static const double truth[] = {1, 0.4, 20, -1};
    measured m;
    for (missing = 0.5; missing < 30; missing *= 2) {
        double bias[5];
        measure(&m, &plan);
        refit(&m);
        darc_yardstick_bias(bias, &m.y, &m.fit);
        ck_assert(bias[0] == 0 && bias[4] == 0);
        for (int j = 1; j < 4; j++)
            ck_assert_double_le(fabs(m.fit.c[j] - truth[j]),
                                bias[j] + 5 * sqrt(m.fit.cov[j * 6]));
        release(&m);
    }
    missing = 0;
}
END_TEST

/* A single sine leaves nothing to any two columns, six do. */
static double lone_sine(int signal, double t)
{
    return (signal == 0 ? 1 : 3) * sin(5 * t + signal);
}

START_TEST(single_sines_say_nothing)
{
    measured m;
    scene_plan p = plan;
    p.part[0][4] = NULL;
    measure(&m, &p);
    ck_assert_double_gt(m.y.arbitrary, 1e-3);
    release(&m);
    p.at = lone_sine;
    measure(&m, &p);
    ck_assert_double_lt(m.y.arbitrary, 1e-3);
    release(&m);
}
END_TEST

/* ---- the interval ---------------------------------------------------------
 */

static darc_defect defect_of(weakbench *b, double noise, uint64_t seed)
{
    darc_fit f;
    case_options o = weakbench_usual;
    o.seconds = 4;
    o.rate = 250;
    o.noise = noise;
    o.missing = 0.02;
    b->exact = 71 + seed;
    b->state = 29 + 101 * seed;
    darc_table *t = weakbench_record(b, &o);
    ck_assert_int_eq(darc_fit_init(&f, &b->x, t, 0.1, NULL), DARC_OK);
    darc_defect d = darc_yardstick_defect(f.y, 0.1, true);
    darc_fit_clear(&f);
    weakbench_release(t);
    return d;
}

/* A cubic force of 2 % of the leading term is missing; nearly without noise
 * the defect is what the coefficients cannot make up of it.  Of a binomial of
 * 20 and 0.1 the probability of more than 6 is 2.4e-3. */
START_TEST(the_interval_covers_the_defect)
{
    int below = 0, above = 0;
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    for (uint64_t seed = 0; seed < 20; seed++) {
        darc_defect exact = defect_of(&b, 1e-5, seed),
                    noisy = defect_of(&b, 0.01, seed);
        ck_assert_double_gt(exact.defect, 0.002);
        ck_assert_double_lt(exact.defect, 0.02);
        above += noisy.low > exact.defect;
        below += noisy.high < exact.defect;
        ck_assert_double_lt(noisy.high - noisy.low, 0.01);
    }
    ck_assert_int_le(above, 6);
    ck_assert_int_le(below, 6);
    weakbench_close(&b);
}
END_TEST

Suite *suite_yardstick(void)
{
    Suite *s = suite_create("yardstick");
    TCase *c = tcase_create("yardstick");
    tcase_add_test(c, a_share_is_measured);
    tcase_add_test(c, ends_allow_for_noise);
    tcase_add_test(c, less_than_noise_makes_is_no_defect);
    tcase_add_test(c, the_origin_of_a_signal_does_not_matter);
    tcase_add_test(c, constants_that_are_origins);
    tcase_add_test(c, a_bias_bounds_what_a_misfit_does);
    tcase_add_test(c, single_sines_say_nothing);
    tcase_add_test(c, the_interval_covers_the_defect);
    suite_add_tcase(s, c);
    return s;
}
