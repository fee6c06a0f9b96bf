#include "tests.h"

#include "draw.h"
#include "models.h"
#include "session/state.h"
#include "simulation.h"

#include <math.h>
#include <string.h>

static const char coupled[] =
    "parameters\n    a b c d e f\noutputs\n    x1 x2\nequations\n"
    "    x1'' = a*x1 + b*x2 + e\n    x2'' = c*x1 + d*x2 + f\n";

static const char uncoupled[] =
    "parameters\n    a d e f\noutputs\n    x1 x2\nequations\n"
    "    x1'' = a*x1 + e\n    x2'' = d*x2 + f\n";

/* What a method says of the structure of a model of a recording, which is taken
 * over. */
static darc_decision judged_of(const char *text, darc_table *table,
                               darc_method method, double tolerance)
{
    darc_model *model = model_of(text);
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.method = method;
    set.tolerance = tolerance;
    set.threads = 1;
    darc_session *s;
    ck_assert_int_eq(darc_session_new(&s, model, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, table, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    darc_decision d = s->report.decision;
    darc_session_free(s);
    darc_model_free(model);
    return d;
}

static darc_decision judged(const char *text, const simulation *plant,
                            darc_method method, double tolerance)
{
    return judged_of(text, simulation_make(plant), method, tolerance);
}

/* Two carts between springs: a slow mode, and a fast one of small amplitude. */
static darc_decision held(const char *text, double tolerance)
{
    simulation carts = {.model = coupled,
                        .param = "a=-85.7 b=77.9 c=31.77 d=-34.89 e=.3 f=-.2",
                        .init = "x1=.08 x2=.066",
                        .input = "",
                        .t_end = 16.5,
                        .rate = 30,
                        .noise = .02,
                        .rtol = 1e-8,
                        .seed = 3};
    darc_decision d = judged(text, &carts, DARC_METHOD_TRAJECTORY, tolerance);
    ck_assert_str_eq(d.method, "trajectory");
    return d;
}

/* What a fast mode leaves is noise of some colour to trajectories; in the
 * equations it is large, as the weak form says. */
START_TEST(a_mode_that_the_model_lacks_is_no_noise)
{
    darc_decision wrong = held(uncoupled, .1);
    ck_assert_int_ne(wrong.verdict, DARC_CONSISTENT);
    ck_assert_ptr_nonnull(strstr(wrong.reason, "weak form"));
    ck_assert_double_gt(wrong.defect_high, .1);
    ck_assert_int_eq(held(coupled, .1).verdict, DARC_CONSISTENT);
}
END_TEST

/* A slide of 40 samples, of which the weak form has too few. */
START_TEST(why_trajectories_were_not_taken_is_told)
{
    static const char slide[] =
        "parameters\n    c k f\noutputs\n    y\nderived\n"
        "    s = sign(y')\nequations\n    y'' + c*y' + k*y + f*s = 0\n";
    darc_model *model = model_of(slide);
    darc_table *table =
        simulation_make(&(simulation){.model = slide,
                                      .param = "c=.02 k=1 f=.02",
                                      .init = "y=2",
                                      .input = "",
                                      .t_end = 20,
                                      .rate = 2,
                                      .noise = .01,
                                      .rtol = 1e-8,
                                      .seed = 4});
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.method = DARC_METHOD_AUTO;
    darc_session *s;
    ck_assert_int_eq(darc_session_new(&s, model, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, table, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_str_eq(s->report.decision.method, "pointwise");
    bool told = false;
    for (int i = 0; i < s->report.notes; i++)
        told = told ||
               strstr(s->report.note[i], "nor by trajectories: trajectories "
                                         "do not follow what switches");
    ck_assert(told);
    darc_session_free(s);
    darc_model_free(model);
}
END_TEST

/* Acceleration with noise of 5 %: the weak form leaves up to 8 % open. */
START_TEST(what_the_weak_form_leaves_open_is_told)
{
    static const char spring[] =
        "parameters\n    m d k\nstates\n    x v\ninputs\n    F\noutputs\n"
        "    a\nequations\n    x' = v\n    m*v' = F - d*v - k*x\n    a = v'\n";
    darc_decision d = judged(spring,
                             &(simulation){.model = spring,
                                           .param = "m=1 d=.4 k=4",
                                           .init = "",
                                           .input = "F=multisine:1,.05,.5",
                                           .t_end = 40,
                                           .rate = 10,
                                           .noise = .05,
                                           .rtol = 1e-8,
                                           .seed = 1},
                             DARC_METHOD_AUTO, 0);
    ck_assert_str_eq(d.method, "trajectory");
    ck_assert_int_eq(d.verdict, DARC_CONSISTENT);
    ck_assert_double_lt(fmax(d.defect_high, d.detectable), .05);
}
END_TEST

/* The answer to one step: trajectories find a term that is missing; that they
 * find none says nothing. */
#define STEPPED(e, cubic)                                                      \
    "parameters\n    m d k" e "\ninputs\n    F\noutputs\n    x\n"              \
    "equations\n    m*x'' + d*x' + k*x" cubic " = F\n"

START_TEST(what_is_too_simple_contradicts_or_says_nothing)
{
    simulation j = {.model = STEPPED("", ""),
                    .param = "m=1 d=.3 k=4",
                    .init = "",
                    .input = "F=step:2,2",
                    .t_end = 30,
                    .rate = 20,
                    .noise = .04,
                    .rtol = 1e-8,
                    .seed = 2};
    darc_decision right = judged(STEPPED("", ""), &j, DARC_METHOD_AUTO, 0);
    ck_assert_int_eq(right.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(right.reason, "too simple"));
    j.model = STEPPED(" c", " + c*x^3");
    j.param = "m=1 d=.3 k=4 c=2";
    darc_decision wrong = judged(STEPPED("", ""), &j, DARC_METHOD_AUTO, 0);
    ck_assert_int_eq(wrong.verdict, DARC_INCONSISTENT);
    ck_assert_str_eq(wrong.method, "trajectory");
}
END_TEST

/* Noise with as much power in each octave: more at frequency 0 than an
 * autoregression says. */
START_TEST(slow_noise_is_no_missing_constant)
{
    static const double pole[] = {.5, .9, .98, .996, .9992};
    static const char spring[] = "parameters\n    m d k\ninputs\n    F\n"
                                 "outputs\n    x\nequations\n"
                                 "    m*x'' + d*x' + k*x = F\n";
    uint64_t state = 5;
    for (int run = 0; run < 8; run++) {
        darc_table *t =
            simulation_make(&(simulation){.model = spring,
                                          .param = "m=1 d=.4 k=4",
                                          .init = "",
                                          .input = "F=multisine:1,.05,.5",
                                          .t_end = 40,
                                          .rate = 20,
                                          .rtol = 1e-9,
                                          .seed = 1 + (unsigned)run});
        double *x = t->signal[darc_table_find(t, "x")].value, slow[5] = {0};
        for (int i = -3000; i < (int)t->samples; i++) {
            double noise = 1e-3 * draw_normal(&state);
            for (int k = 0; k < 5; k++) {
                slow[k] = pole[k] * slow[k] + 2e-4 *
                                                  sqrt(1 - pole[k] * pole[k]) *
                                                  draw_normal(&state);
                noise += slow[k];
            }
            if (i >= 0)
                x[i] += noise;
        }
        darc_decision d = judged_of(spring, t, DARC_METHOD_TRAJECTORY, 0);
        ck_assert_msg(d.verdict != DARC_INCONSISTENT, "%s", d.reason);
    }
}
END_TEST

Suite *suite_hold_trajectory(void)
{
    Suite *s = suite_create("hold_trajectory");
    TCase *t = tcase_create("hold_trajectory");
    tcase_add_test(t, why_trajectories_were_not_taken_is_told);
    tcase_add_test(t, what_the_weak_form_leaves_open_is_told);
    tcase_add_test(t, what_is_too_simple_contradicts_or_says_nothing);
    tcase_add_test(t, a_mode_that_the_model_lacks_is_no_noise);
    tcase_add_test(t, slow_noise_is_no_missing_constant);
    suite_add_tcase(s, t);
    return s;
}
