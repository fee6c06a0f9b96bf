/* Verdicts on pairs of recordings: three answers, misfits, relations. */
#include "tests.h"

#include "models.h"
#include "weakbench.h"

#include "diagnose/isolate.h"

#include <stdio.h>

/* c/m = 200/3 and d/m = 5 of the recordings: 200/3 = 8/3 * 5^2. */
static const char bound[] = "model bound\n"
                            "parameters\n    p\n"
                            "outputs\n    a z\n"
                            "equations\n    3*a = 8*p^2*z + 3*p*z'\n";

static const char rig[] = "model rig\n"
                          "parameters\n    c k\n"
                          "outputs\n    y\ninputs\n    u\n"
                          "equations\n    c*y' + k*y = u\n";

/* Hold two tables against each other; return the verdict, the reason in
 * reason (512 bytes; may be NULL). */
static darc_verdict compare(weakbench *b, const darc_table *ta,
                            const darc_table *tb, const char *changed,
                            double tolerance, char *reason)
{
    darc_weakcheck out;
    weakbench_pair(&out, b, (const darc_table *[]){ta, tb}, changed, tolerance);
    darc_verdict v = out.decision.verdict;
    if (reason != NULL)
        snprintf(reason, 512, "%s", out.decision.reason);
    darc_weakcheck_clear(&out);
    return v;
}

static darc_verdict pair(weakbench *b, const case_options *oa,
                         const case_options *ob, const char *changed,
                         double tolerance)
{
    darc_table *ta = weakbench_record(b, oa), *tb = weakbench_record(b, ob);
    darc_verdict v = compare(b, ta, tb, changed, tolerance, NULL);
    weakbench_release(ta);
    weakbench_release(tb);
    return v;
}

/* ---- three answers --------------------------------------------------------
 */

static const struct {
    double noise, change;
    darc_verdict want;
} characteristic[] = {
    {0.01, 0, DARC_CONSISTENT},      {0.01, 0.01, DARC_CONSISTENT},
    {0.01, 0.02, DARC_UNDECIDED},    {0.01, 0.03, DARC_INCONSISTENT},
    {0.01, 0.05, DARC_INCONSISTENT}, {0.05, 0, DARC_CONSISTENT},
    {0.05, 0.01, DARC_CONSISTENT},   {0.05, 0.02, DARC_UNDECIDED},
    {0.05, 0.03, DARC_INCONSISTENT}, {0.5, 0, DARC_UNDECIDED},
    {0.5, 0.02, DARC_UNDECIDED}};

/* A change of the mass at a tolerance of 2 %. */
START_TEST(the_edge_of_the_tolerance_is_undecided)
{
    for (uint64_t seed = 0; seed < 2; seed++) {
        weakbench b;
        weakbench_open(&b, model_quarter, seed);
        case_options one = weakbench_usual, other;
        one.seconds = 20;
        one.noise = characteristic[_i].noise;
        other = one;
        other.scale[0] = 1 + characteristic[_i].change;
        ck_assert_int_eq(pair(&b, &one, &other, NULL, 0.02),
                         characteristic[_i].want);
        weakbench_close(&b);
    }
}
END_TEST

/* Besides the mass the damper has changed: one change of 3 %, or two of
 * 1.5 %, make the same recordings; two of 2.5 % exceed 2 % whoever moved. */
START_TEST(others_are_measured_by_one_alone)
{
    static const struct {
        double damper;
        darc_verdict want;
    } at[] = {{1.005, DARC_CONSISTENT},
              {1.03, DARC_UNDECIDED},
              {1.06, DARC_INCONSISTENT}};
    for (int i = 0; i < 3; i++) {
        weakbench b;
        weakbench_open(&b, model_quarter, 3);
        case_options other = weakbench_usual;
        other.scale[0] = 1.1;
        other.scale[2] = at[i].damper;
        ck_assert_int_eq(pair(&b, &weakbench_usual, &other, "m", 0.02),
                         at[i].want);
        weakbench_close(&b);
    }
}
END_TEST

/* Nothing differs, and nothing was learnt. */
START_TEST(a_recording_against_itself_is_undecided)
{
    weakbench b;
    char reason[512];
    weakbench_open(&b, model_quarter, 5);
    darc_table *t = weakbench_record(&b, &weakbench_usual),
               *u = weakbench_record(&b, &weakbench_usual);
    ck_assert_int_eq(compare(&b, t, t, NULL, 0, reason), DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(reason, "same samples"));
    ck_assert_int_eq(compare(&b, t, t, "m", 0.05, reason), DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(reason, "same samples"));
    ck_assert_int_eq(compare(&b, t, u, NULL, 0, reason), DARC_CONSISTENT);
    ck_assert_ptr_null(strstr(reason, "same samples"));
    weakbench_release(t);
    weakbench_release(u);
    weakbench_close(&b);
}
END_TEST

/* The damper takes hardly any force: what it does cannot be told, nor does it
 * matter to the equation.  Where it is seen to change, it counts. */
START_TEST(a_small_term_counts_by_its_effect)
{
    weakbench b;
    char reason[512];
    weakbench_open(&b, model_quarter, 7);
    case_options weak = weakbench_usual, strong;
    weak.noise = 0.03;
    weak.scale[2] = 0.001;
    strong = weak;
    strong.scale[2] = 0.5;
    darc_table *t = weakbench_record(&b, &weak),
               *u = weakbench_record(&b, &weak),
               *v = weakbench_record(&b, &strong);
    ck_assert_int_eq(compare(&b, t, u, NULL, 0, NULL), DARC_UNDECIDED);
    ck_assert_int_eq(compare(&b, t, u, NULL, 0.05, reason), DARC_CONSISTENT);
    ck_assert_ptr_nonnull(strstr(reason, "d/m itself is not well known"));
    ck_assert_int_eq(compare(&b, t, u, "m", 0.05, reason), DARC_CONSISTENT);
    ck_assert_ptr_nonnull(strstr(reason, "d/m itself is not well known"));
    ck_assert_int_eq(compare(&b, t, v, "d", 0.05, NULL), DARC_CONSISTENT);
    ck_assert_int_eq(compare(&b, t, v, "m", 0.05, NULL), DARC_INCONSISTENT);
    ck_assert_int_eq(compare(&b, t, v, NULL, 0.05, NULL), DARC_INCONSISTENT);
    weakbench_release(t);
    weakbench_release(u);
    weakbench_release(v);
    weakbench_close(&b);
}
END_TEST

/* ---- misfits --------------------------------------------------------------
 */

enum { SAMPLES = 2000 };

/* c y' + k y = u with a slow disturbance of the given size on u that the
 * recording does not hold, under a ramp of y: one event. */
static darc_table *disturbed(double c, double size, uint64_t *state)
{
    darc_table *t = calloc(1, sizeof *t);
    t->file = strdup("simulated");
    t->samples = SAMPLES;
    t->dt = 0.01;
    t->signals = 2;
    t->signal = calloc(2, sizeof *t->signal);
    t->segments = 1;
    t->segment = calloc(1, sizeof *t->segment);
    t->segment[0] = (darc_segment){0, SAMPLES};
    double *y = t->signal[0].value = calloc(SAMPLES, sizeof(double));
    double *u = t->signal[1].value = calloc(SAMPLES, sizeof(double));
    t->signal[0].name = strdup("y");
    t->signal[1].name = strdup("u");
    double wind = case_normal(state), phase = case_uniform(state);
    for (int i = 0; i < SAMPLES; i++) {
        double x = 6.2831853 * (0.2 * i * t->dt + phase);
        wind += -0.01 * wind + sqrt(0.02) * case_normal(state);
        y[i] = sin(x) + 0.5 * sin(2.7 * x);
        u[i] = c * 6.2831853 * 0.2 * (cos(x) + 1.35 * cos(2.7 * x)) + y[i] +
               size * wind + 0.001 * case_normal(state);
        y[i] += 0.001 * case_normal(state);
    }
    return t;
}

static darc_verdict under_wind(weakbench *b, double change)
{
    darc_table *t = disturbed(1, 0.1, &b->state),
               *u = disturbed(1 + change, 0.1, &b->state);
    darc_verdict v = compare(b, t, u, NULL, 0.02, NULL);
    weakbench_release(t);
    weakbench_release(u);
    return v;
}

/* A disturbance that lasts for a second moves the coefficients by 5 % or so,
 * far more than noise.  The rig has not changed. */
START_TEST(a_misfit_is_no_change)
{
    weakbench b;
    weakbench_open(&b, rig, (uint64_t)_i);
    ck_assert_int_ne(under_wind(&b, 0), DARC_INCONSISTENT);
    ck_assert_int_ne(under_wind(&b, 0.5), DARC_CONSISTENT);
    ck_assert_int_eq(under_wind(&b, 9), DARC_INCONSISTENT);
    weakbench_close(&b);
}
END_TEST

/* ---- relations among coefficients ----------------------------------------
 */

static darc_weakcheck structure_of(weakbench *b, const case_options *o,
                                   double tolerance)
{
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(tolerance);
    darc_table *t = weakbench_record(b, o);
    weakbench_structure(&out, b, t, &w);
    weakbench_release(t);
    return out;
}

/* With another damper some c and d still fit every sample, but no p does. */
START_TEST(coefficients_must_obey_their_relations)
{
    weakbench b, free;
    case_options other = weakbench_usual;
    other.scale[2] = 1.2;
    weakbench_open(&b, bound, 0);
    weakbench_open(&free, model_quarter, 0);
    darc_weakcheck right = structure_of(&b, &weakbench_usual, 0),
                   wrong = structure_of(&b, &other, 0),
                   fits = structure_of(&free, &other, 0),
                   mild = structure_of(&b, &other, 0.5);
    ck_assert_int_eq(right.decision.verdict, DARC_CONSISTENT);
    ck_assert_int_eq(wrong.decision.verdict, DARC_INCONSISTENT);
    ck_assert_ptr_nonnull(strstr(wrong.decision.reason, "obey"));
    ck_assert_int_eq(fits.decision.verdict, DARC_CONSISTENT);
    ck_assert_int_ne(mild.decision.verdict, DARC_INCONSISTENT);
    darc_weakcheck_clear(&right);
    darc_weakcheck_clear(&wrong);
    darc_weakcheck_clear(&fits);
    darc_weakcheck_clear(&mild);
    weakbench_close(&b);
    weakbench_close(&free);
}
END_TEST

/* 60 recordings that obey the model, alpha = 0.1: of a binomial of mean 6 the
 * probability of more than 15 is 2e-4. */
START_TEST(relations_keep_the_level)
{
    int alarms = 0;
    case_options brief = weakbench_usual;
    brief.seconds = 4;
    brief.rate = 250;
    for (uint64_t seed = 0; seed < 60; seed++) {
        weakbench b;
        weakbench_open(&b, bound, seed);
        darc_weakcheck out;
        darc_weakcheck_options w = weakbench_tolerance(0);
        w.alpha = 0.1;
        darc_table *t = weakbench_record(&b, &brief);
        weakbench_structure(&out, &b, t, &w);
        alarms += out.decision.p_value < 0.1;
        weakbench_release(t);
        darc_weakcheck_clear(&out);
        weakbench_close(&b);
    }
    ck_assert_int_le(alarms, 15);
    ck_assert_int_ge(alarms, 1);
}
END_TEST

/* ---- the interval of the defect ------------------------------------------
 */

static darc_decision defect_of(weakbench *b, double noise, uint64_t seed)
{
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    case_options o = weakbench_usual;
    o.seconds = 4;
    o.rate = 250;
    o.noise = noise;
    o.missing = 0.02;
    w.alpha = 0.1;
    b->exact = 71 + seed;
    b->state = 29 + 101 * seed;
    darc_table *t = weakbench_record(b, &o);
    weakbench_structure(&out, b, t, &w);
    darc_decision d = out.decision;
    darc_weakcheck_clear(&out);
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
        darc_decision exact = defect_of(&b, 1e-5, seed),
                      noisy = defect_of(&b, 0.01, seed);
        ck_assert_double_gt(exact.defect, 0.002);
        ck_assert_double_lt(exact.defect, 0.02);
        above += noisy.defect_low > exact.defect;
        below += noisy.defect_high < exact.defect;
        ck_assert_double_lt(noisy.defect_high - noisy.defect_low, 0.01);
    }
    ck_assert_int_le(above, 6);
    ck_assert_int_le(below, 6);
    weakbench_close(&b);
}
END_TEST

/* ---- isolation ------------------------------------------------------------
 */

/* A mass changed by 0.5 % at 1 % noise is isolated, or nothing is said. */
START_TEST(a_small_change_is_isolated)
{
    int right = 0, wrong = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        weakbench b;
        weakbench_open(&b, model_quarter, seed);
        case_options one = weakbench_usual, other;
        one.seconds = 20;
        one.rate = 1000;
        other = one;
        other.scale[0] = 1.005;
        darc_table *t = weakbench_record(&b, &one),
                   *u = weakbench_record(&b, &other);
        darc_isolate out;
        darc_weakcheck_options w = weakbench_tolerance(0);
        ck_assert_int_eq(
            darc_isolate_run(&out, b.model, b.io, t, u, &w, 0, NULL, NULL),
            DARC_OK);
        int m = darc_names_find(darc_model_names(b.model), "m", 1);
        bool single = out.diagnosis == 1 && out.candidate[0].changed.count == 1;
        right += single && out.candidate[0].changed.parameter[0] == m;
        wrong += single && out.candidate[0].changed.parameter[0] != m;
        darc_isolate_clear(&out);
        weakbench_release(t);
        weakbench_release(u);
        weakbench_close(&b);
    }
    ck_assert_int_ge(right, 3);
    ck_assert_int_eq(wrong, 0);
}
END_TEST

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

Suite *suite_contrast(void)
{
    Suite *s = suite_create("contrast");
    TCase *c = tcase_create("contrast");
    tcase_add_loop_test(c, the_edge_of_the_tolerance_is_undecided, 0,
                        COUNT(characteristic));
    tcase_add_test(c, others_are_measured_by_one_alone);
    tcase_add_test(c, a_recording_against_itself_is_undecided);
    tcase_add_test(c, a_small_term_counts_by_its_effect);
    tcase_add_loop_test(c, a_misfit_is_no_change, 0, 6);
    tcase_add_test(c, coefficients_must_obey_their_relations);
    tcase_add_test(c, relations_keep_the_level);
    tcase_add_test(c, the_interval_covers_the_defect);
    tcase_add_test(c, a_small_change_is_isolated);
    suite_add_tcase(s, c);
    return s;
}
