/* Verdicts on pairs of recordings. */
#include "tests.h"

#include "decide/pair.h"
#include "decide/thresholds.h"
#include "models.h"
#include "program.h"
#include "simulation.h"
#include "weakbench.h"

#include <stdio.h>
#include <string.h>

static const char rig[] = "model rig\nparameters\n c k\noutputs\n y\n"
                          "inputs\n u\nequations\n c*y' + k*y = u\n";

static darc_verdict pair(weakbench *b, const case_options *oa,
                         const case_options *ob, const char *changed,
                         darc_decision *d)
{
    darc_table *t = weakbench_record(b, oa), *u = weakbench_record(b, ob);
    darc_verdict v = weakbench_compares(b, t, u, changed, d);
    weakbench_release(t);
    weakbench_release(u);
    return v;
}

/* ---- examples -------------------------------------------------------------
 */

static const struct {
    double m, c, d;
    const char *changed;
    darc_verdict want;
} example[] = {{1, 1, 1, NULL, DARC_CONSISTENT},
               {305.0 / 300, 1, 1, NULL, DARC_INCONSISTENT},
               {305.0 / 300, 1, 1, "m", DARC_CONSISTENT},
               {305.0 / 300, 1, 1.1, "m", DARC_INCONSISTENT},
               {305.0 / 300, 1, 1.1, "md", DARC_UNDECIDED},
               {305.0 / 300, 1.1, 1.1, "m", DARC_CONSISTENT},
               {1, 1.03, 1, "d", DARC_INCONSISTENT},
               {1, 1.03, 1, "c", DARC_CONSISTENT}};

START_TEST(examples_with_noise)
{
    weakbench b;
    darc_judgement j;
    weakbench_open(&b, model_quarter, 0);
    case_options o = weakbench_usual;
    darc_table *t = weakbench_record(&b, &o);
    o.scale[0] = example[_i].m;
    o.scale[1] = example[_i].c;
    o.scale[2] = example[_i].d;
    darc_table *u = weakbench_record(&b, &o);
    weakbench_pair(&j, &b, t, u, example[_i].changed);
    ck_assert_msg(j.decision.verdict == example[_i].want, "%s",
                  j.decision.reason);
    ck_assert_int_eq(j.untested, example[_i].want == DARC_UNDECIDED);
    ck_assert(j.estimates == 2 && !isnan(j.estimate->value_b));
    darc_judgement_clear(&j);
    weakbench_release(t);
    weakbench_release(u);
    weakbench_close(&b);
}
END_TEST

/* A change reads as it is documented: (b - a) / a, of the function that is
 * known best, with its sign. */
START_TEST(changes_have_size_and_sign)
{
    static const double factor[] = {1.2, 0.8, 1.05, 2};
    for (int i = 0; i < 4; i++) {
        weakbench b;
        darc_decision d;
        case_options o = weakbench_usual;
        char text[32];
        double change = factor[i] - 1;
        o.scale[1] = factor[i];
        weakbench_open(&b, model_quarter, (uint64_t)i);
        ck_assert_int_eq(pair(&b, &weakbench_usual, &o, NULL, &d),
                         DARC_INCONSISTENT);
        ck_assert_double_eq_tol(d.defect, fabs(change), 0.01);
        ck_assert(d.defect_low < d.defect && d.defect < d.defect_high);
        ck_assert_double_gt(d.defect_low, 0.8 * d.defect);
        snprintf(text, sizeof text, "c/m changes by %c",
                 change > 0 ? '+' : '-');
        ck_assert_msg(strstr(d.reason, text) != NULL, "%s", d.reason);
        weakbench_close(&b);
    }
}
END_TEST

/* ---- tolerances -----------------------------------------------------------
 */

static const struct {
    double noise, change;
    darc_verdict want;
} edge[] = {{0.01, 0, DARC_CONSISTENT},      {0.01, 0.01, DARC_CONSISTENT},
            {0.01, 0.02, DARC_UNDECIDED},    {0.01, 0.03, DARC_INCONSISTENT},
            {0.01, 0.05, DARC_INCONSISTENT}, {0.05, 0, DARC_CONSISTENT},
            {0.05, 0.01, DARC_CONSISTENT},   {0.05, 0.02, DARC_UNDECIDED},
            {0.05, 0.03, DARC_INCONSISTENT}, {0.5, 0, DARC_UNDECIDED},
            {0.5, 0.02, DARC_UNDECIDED}};

/* A change of the mass at a tolerance of 2 %. */
START_TEST(the_edge_of_the_tolerance_is_undecided)
{
    weakbench b;
    darc_decision d;
    case_options one = weakbench_usual, other;
    weakbench_open(&b, model_quarter, 0);
    b.by.tolerance = 0.02;
    one.seconds = 20;
    one.noise = edge[_i].noise;
    other = one;
    other.scale[0] = 1 + edge[_i].change;
    pair(&b, &one, &other, NULL, &d);
    ck_assert_msg(d.verdict == edge[_i].want, "%s: %s",
                  darc_verdict_text(d.verdict), d.reason);
    weakbench_close(&b);
}
END_TEST

/* Besides the mass the damper has changed: one change of 3 %, or two of
 * 1.5 %, make the same recordings; two of 2.5 % exceed 2 % whoever moved. */
START_TEST(others_are_measured_by_one_alone)
{
    static const struct {
        double damper;
        darc_verdict want;
    } at[] = {{1.005, DARC_CONSISTENT}, {1.06, DARC_INCONSISTENT}};
    for (int i = 0; i < 2; i++) {
        weakbench b;
        darc_decision d;
        case_options other = weakbench_usual;
        weakbench_open(&b, model_quarter, 3);
        b.by.tolerance = 0.02;
        other.scale[0] = 1.1;
        other.scale[2] = at[i].damper;
        pair(&b, &weakbench_usual, &other, "m", &d);
        ck_assert_msg(d.verdict == at[i].want, "%g: %s", at[i].damper,
                      d.reason);
        weakbench_close(&b);
    }
}
END_TEST

/* The damper takes hardly any force: what it does cannot be told, nor does it
 * matter to the equation.  Where it is seen to change, it counts. */
START_TEST(a_small_term_counts_by_its_effect)
{
    weakbench b;
    case_options weak = weakbench_usual, strong;
    weakbench_open(&b, model_quarter, 7);
    b.by.tolerance = 0.05;
    weak.noise = 0.03;
    weak.scale[2] = 0.001;
    strong = weak;
    strong.scale[2] = 0.5;
    darc_table *t = weakbench_record(&b, &weak),
               *u = weakbench_record(&b, &weak),
               *v = weakbench_record(&b, &strong);
    ck_assert_int_eq(weakbench_compares(&b, t, u, NULL, NULL), DARC_CONSISTENT);
    darc_decision d;
    ck_assert_msg(weakbench_compares(&b, t, u, "m", &d) == DARC_CONSISTENT,
                  "%g: %s", d.p_value, d.reason);
    ck_assert_int_eq(weakbench_compares(&b, t, v, "d", NULL), DARC_CONSISTENT);
    ck_assert_int_eq(weakbench_compares(&b, t, v, "m", NULL),
                     DARC_INCONSISTENT);
    ck_assert_int_eq(weakbench_compares(&b, t, v, NULL, NULL),
                     DARC_INCONSISTENT);
    weakbench_release(t);
    weakbench_release(u);
    weakbench_release(v);
    weakbench_close(&b);
}
END_TEST

/* ---- what says nothing ----------------------------------------------------
 */

START_TEST(a_recording_against_itself_is_undecided)
{
    weakbench b;
    darc_decision d;
    weakbench_open(&b, model_quarter, 5);
    darc_table *t = weakbench_record(&b, &weakbench_usual),
               *u = weakbench_record(&b, &weakbench_usual);
    for (int i = 0; i < 2; i++) {
        b.by.tolerance = 0.05 * i;
        ck_assert_int_eq(weakbench_compares(&b, t, t, i == 0 ? NULL : "m", &d),
                         DARC_UNDECIDED);
        ck_assert_ptr_nonnull(strstr(d.reason, "same samples"));
    }
    ck_assert_int_eq(weakbench_compares(&b, t, u, NULL, &d), DARC_CONSISTENT);
    ck_assert_ptr_null(strstr(d.reason, "same samples"));
    weakbench_release(t);
    weakbench_release(u);
    weakbench_close(&b);
}
END_TEST

/* A disturbance that lasts for a second moves the coefficients by 5 % or so,
 * far more than noise.  The rig has not changed; where it did, by more than
 * that can make, it is said. */
START_TEST(a_misfit_is_no_change)
{
    static const double change[] = {0, 0.5, 9};
    for (int i = 0; i < 3; i++) {
        weakbench b;
        darc_decision d;
        weakbench_open(&b, rig, (uint64_t)_i);
        b.by.tolerance = 0.02;
        darc_table *t = weakbench_lag(&b, 1, 0.001, 0.1),
                   *u = weakbench_lag(&b, 1 + change[i], 0.001, 0.1);
        darc_verdict v = weakbench_compares(&b, t, u, NULL, &d);
        ck_assert_msg(i > 0 || v != DARC_INCONSISTENT, "%s", d.reason);
        ck_assert_msg(i == 0 || v != DARC_CONSISTENT, "%s", d.reason);
        ck_assert_msg(i < 2 || v == DARC_INCONSISTENT, "%s", d.reason);
        weakbench_release(t);
        weakbench_release(u);
        weakbench_close(&b);
    }
}
END_TEST

/* Two recordings of single sines, of the model that is simulated so. */
static void record_sines(const char *model, int seed)
{
    const char *at = program_directory();
    darc_text_t out = DARC_TEXT, err = DARC_TEXT, call = DARC_TEXT;
    program_write("s.darc", "model s\nparameters\n m d k\ninputs\n u\n"
                            "outputs\n y\nequations\n m*y'' + d*y' + k*y = "
                            "u\n");
    for (int i = 0; i < 2; i++) {
        darc_text_reset(call);
        darc_text_printf(call,
                         "simulate %s/%s --input u=sine:2,%s --t-end 30 --seed "
                         "%d --quiet -o %s/s%d.csv",
                         at, model, i == 0 ? "0.6" : "1.1", i + seed, at, i);
        ck_assert_int_eq(program_run(call->s, out, err), 0);
    }
    darc_text_clear(out);
    darc_text_clear(err);
    darc_text_clear(call);
}

/* Single sines of a slider, and dry friction that the model lacks: what it
 * leaves is within the tolerance and moves the damping by half. */
START_TEST(recordings_too_simple_do_not_differ)
{
    static const char *const by[] = {"0", "0.005", "0.02", "0.3"};
    const char *at = program_directory();
    darc_text_t out = DARC_TEXT, err = DARC_TEXT, call = DARC_TEXT;
    program_write("true.darc", "model s\nparameters\n m d k f\ninputs\n u\n"
                               "outputs\n y\nequations\n m*y'' + d*y' + k*y "
                               "+ f*tanh(20*y') = u\n");
    record_sines("true.darc --param m=1,d=.5,k=40,f=.3 --noise .002 --rate 200",
                 2 * _i);
    for (int i = 0; i < 4; i++) {
        darc_text_reset(call);
        darc_text_printf(call,
                         "check equal %s/s.darc %s/s0.csv %s/s1.csv "
                         "--tolerance %s",
                         at, at, at, by[i]);
        program_run(call->s, out, err);
        ck_assert_msg(strstr(out->s, "INCONSISTENT") == NULL, "%s", out->s);
    }
    darc_text_clear(out);
    darc_text_clear(err);
    darc_text_clear(call);
}
END_TEST

/* Single sines of one oscillator tell what they need to: they agree. */
START_TEST(recordings_too_simple_may_agree)
{
    const char *at = program_directory();
    darc_text_t out = DARC_TEXT, err = DARC_TEXT, call = DARC_TEXT;
    record_sines("s.darc --param m=1,d=2,k=40 --noise .02 --rate 50", 2 * _i);
    darc_text_printf(call, "check equal %s/s.darc %s/s0.csv %s/s1.csv", at, at,
                     at);
    ck_assert_int_eq(program_run(call->s, out, err), 0);
    darc_text_clear(out);
    darc_text_clear(err);
    darc_text_clear(call);
}
END_TEST

/* The origin of a signal, which a constant takes up, has moved as well. */
START_TEST(a_moved_origin_is_no_change)
{
    static const char shifted[] = "model shifted\nparameters\n m c d b\n"
                                  "outputs\n a z\nequations\n"
                                  " m*a = c*z + d*z' + b\n";
    weakbench b;
    darc_judgement j;
    bool noted = false;
    weakbench_open(&b, shifted, 11);
    darc_table *t = weakbench_record(&b, &weakbench_usual),
               *u = weakbench_record(&b, &weakbench_usual);
    for (size_t k = 0; k < t->samples; k++) {
        t->signal[1].value[k] += 0.2;
        u->signal[1].value[k] += 3;
    }
    weakbench_pair(&j, &b, t, u, NULL);
    ck_assert_msg(j.decision.verdict == DARC_CONSISTENT &&
                      strstr(j.decision.reason, "but for b/") != NULL,
                  "%s", j.decision.reason);
    for (int i = 0; i < j.notes; i++)
        noted = noted || strstr(j.note[i], "origin of a signal") != NULL;
    ck_assert(noted);
    darc_judgement_clear(&j);
    weakbench_release(t);
    weakbench_release(u);
    weakbench_close(&b);
}
END_TEST

/* 30 pairs that did not change, alpha = .1: more than 10 have p = 1e-4. */
START_TEST(comparisons_keep_the_level)
{
    int alarms = 0;
    case_options brief = weakbench_usual;
    brief.seconds = 3;
    brief.rate = 200;
    for (uint64_t seed = 0; seed < 30; seed++) {
        weakbench b;
        darc_decision d;
        weakbench_open(&b, model_quarter, seed);
        b.by.alpha = 0.1;
        pair(&b, &brief, &brief, NULL, &d);
        alarms += d.p_value < 0.1;
        /* jointly, or by the surest value */
        ck_assert(d.dof == 2 || d.dof == 1);
        weakbench_close(&b);
    }
    ck_assert_int_le(alarms, 10);
    ck_assert_int_ge(alarms, 1);
}
END_TEST

/* ---- several equations ----------------------------------------------------
 */

/* p*q and p are what two equations show: a change of p changes both by one
 * factor, one of q the first alone. */
START_TEST(a_change_binds_equations)
{
    static const char gains[] =
        "model gains\nstates\n x w\nparameters\n p q\ninputs\n u\n"
        "outputs\n y z\nequations\n x' = u - p*q*x\n w' = u - p*w\n"
        " y = x\n z = w\n";
    static const struct {
        const char *param, *changed;
        darc_verdict want;
    } row[] = {{"p=1.2 q=2", "p", DARC_CONSISTENT},
               {"p=1 q=2.4", "q", DARC_CONSISTENT},
               {"p=1 q=2.4", "p", DARC_INCONSISTENT},
               {"p=1.2 q=2.4", "p", DARC_INCONSISTENT},
               {"p=1.2 q=2", "q", DARC_INCONSISTENT}};
    simulation j = {.model = gains,
                    .param = "p=1 q=2",
                    .init = "",
                    .input = "u=multisine:5,0.05,4",
                    .t_end = 10,
                    .rate = 200,
                    .noise = 0.01,
                    .rtol = 1e-11,
                    .seed = 1};
    weakbench b;
    darc_decision d;
    weakbench_open(&b, gains, 0);
    darc_table *t = simulation_make(&j);
    j.param = row[_i].param;
    j.seed = 2;
    darc_table *u = simulation_make(&j);
    weakbench_compares(&b, t, u, row[_i].changed, &d);
    ck_assert_msg(d.verdict == row[_i].want, "%s", d.reason);
    darc_table_free(t);
    darc_table_free(u);
    weakbench_close(&b);
}
END_TEST

/* ---- charts ---------------------------------------------------------------
 */

START_TEST(pairs_are_brought_to_one_chart)
{
    double c[2][3] = {{1, 2, 3}, {0.5, 1, 0}}, cov[2][9] = {{0}},
           bias[2][3] = {{0}};
    bool free[2][3] = {{false, true, true}, {true, false, true}};
    darc_estimates_equation eq[2] = {{.coeffs = 3, .reference = 0, .size = 1},
                                     {.coeffs = 3, .reference = 1, .size = 1}};
    darc_estimates e[2];
    for (int i = 0; i < 2; i++)
        e[i] = (darc_estimates){.equations = 1,
                                .coeffs = 3,
                                .eq = eq + i,
                                .c = c[i],
                                .cov = cov[i],
                                .bias = bias[i],
                                .free = free[i]};
    ck_assert(darc_pair_align(e, e + 1));
    ck_assert(eq[1].reference == 0 && c[1][0] == 1 && c[1][1] == 2);
    ck_assert(darc_estimates_refer(e, 0, 2));
    ck_assert(!darc_pair_align(e, e + 1));
}
END_TEST

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

Suite *suite_pair(void)
{
    Suite *s = suite_create("pair");
    TCase *c = tcase_create("pair");
    tcase_add_loop_test(c, examples_with_noise, 0, COUNT(example));
    tcase_add_test(c, changes_have_size_and_sign);
    tcase_add_loop_test(c, the_edge_of_the_tolerance_is_undecided, 0,
                        COUNT(edge));
    tcase_add_test(c, others_are_measured_by_one_alone);
    tcase_add_test(c, a_small_term_counts_by_its_effect);
    tcase_add_test(c, a_recording_against_itself_is_undecided);
    tcase_add_loop_test(c, a_misfit_is_no_change, 0, 4);
    tcase_add_loop_test(c, recordings_too_simple_do_not_differ, 0, 2);
    tcase_add_loop_test(c, recordings_too_simple_may_agree, 0, 3);
    tcase_add_test(c, a_moved_origin_is_no_change);
    tcase_add_test(c, comparisons_keep_the_level);
    tcase_add_loop_test(c, a_change_binds_equations, 0, 5);
    tcase_add_test(c, pairs_are_brought_to_one_chart);
    suite_add_tcase(s, c);
    return s;
}
