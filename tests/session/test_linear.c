/* Functions of unknown parameters: what depends on the constants that
 * differential equations of functions lose. */
#include "tests.h"

#include "darc/session.h"
#include "models.h"
#include "session/near.h"
#include "session/state.h"
#include "simulation.h"

#include <math.h>
#include <stdio.h>

static const char diode[] =
    "model diode\ninputs\n u [V]\noutputs\n v [V]\nparameters\n C [F]\n R "
    "[Ohm]\n Is [A]\n Vt [V]\nequations\n"
    " C*v' = (u - v)/R - Is*(exp(v/Vt) - 1)\n";
/* Leakage that the equation above has no room for. */
static const char leaky[] =
    "model leaky\ninputs\n u\noutputs\n v\nparameters\n C R Is Vt\n"
    "equations\n C*v' = (u - v)/R - Is*(exp(v/Vt) - 1) - .2*v^3/R\n";
static const char reactor[] =
    "model reactor\nstates\n T\nparameters\n k E U\ninputs\n q Tc\n"
    "outputs\n y\nequations\n T' = q + k*exp(-E/T) - U*(T - Tc)\n y = T\n";

static const char diode_is[] = "C=1e-6 R=100 Is=1e-8 Vt=.05";
static const char reactor_is[] = "k=3180 E=3000 U=.04";

static darc_table *run(const char *model, const char *param, unsigned seed)
{
    bool electric = model != reactor;
    char input[120];
    if (electric)
        snprintf(input, sizeof input, "u=constant:.35+multisine:.35,50,3000");
    else
        snprintf(input, sizeof input,
                 "q=constant:.3+multisine:.4,.003,.03 "
                 "Tc=constant:295+multisine:5,.002,.01");
    return simulation_make(&(simulation){.model = model,
                                         .param = param,
                                         .init = electric ? "v=.1" : "T=305",
                                         .input = input,
                                         .t_end = electric ? .03 : 3000,
                                         .rate = electric ? 1e5 : 1,
                                         .noise = electric ? 2e-3 : 5e-5,
                                         .rtol = 1e-13,
                                         .seed = seed});
}

/* Return a session of these recordings; b NULL: of one. */
static darc_session *open_within(darc_model **m, const char *model,
                                 darc_table *a, darc_table *b, double tolerance)
{
    darc_session_settings set;
    darc_session *s;
    darc_session_settings_init(&set);
    set.threads = 1;
    set.tolerance = tolerance;
    *m = model_of(model);
    ck_assert_int_eq(darc_session_new(&s, *m, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, a, NULL), DARC_OK);
    if (b != NULL)
        ck_assert_int_eq(darc_session_add_take(s, b, NULL), DARC_OK);
    return s;
}

static darc_session *open_session(darc_model **m, const char *model,
                                  darc_table *a, darc_table *b)
{
    return open_within(m, model, a, b, 0);
}

static void has_value(const darc_session *s, const char *name, double truth)
{
    const darc_report *r = darc_session_report(s);
    bool found = false;
    for (int i = 0; i < r->values; i++) {
        const darc_estimate *e = r->value + i;
        if (strcmp(e->function, name) != 0)
            continue;
        found = true;
        ck_assert_msg(e->low_a < truth && truth < e->high_a &&
                          e->high_a - e->low_a < .1 * truth,
                      "%s: %g .. %g", name, e->low_a, e->high_a);
    }
    ck_assert_msg(found, "no value of %s", name);
}

/* The constant of the function is among the values: of Is by Vt alone only so
 * much would be known as the 1 beside the exponential tells. */
START_TEST(one_recording_tells_the_constant)
{
    static const struct {
        const char *model, *is, *name[3];
        double value[3];
    } of[] = {{diode, diode_is, {"Vt", "C*R", "Is/C"}, {.05, 1e-4, .01}},
              {reactor, reactor_is, {"k", "E", "U"}, {3180, 3000, .04}}};
    darc_model *m;
    darc_session *s =
        open_session(&m, of[_i].model, run(of[_i].model, of[_i].is, 3), NULL);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(i == 0 ? darc_session_check(s, DARC_STRUCTURE, NULL)
                                : darc_session_values(s, NULL),
                         DARC_OK);
        for (int k = 0; k < 3; k++)
            has_value(s, of[_i].name[k], of[_i].value[k]);
        if (i == 0)
            ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
    }
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

/* Where a parameter is told to be 0, give or take much more, the centre need
 * not move: there is an answer around it all the same. */
START_TEST(what_need_not_move_is_asked_once)
{
    darc_model *m;
    darc_session *s = open_session(&m, diode, run(diode, diode_is, 3), NULL);
    darc_inner vt = {
        .name = "Vt", .own = {.05}, .near = "Vt_near", .off = "Vt_off"};
    darc_centre c = {.count = 1, .item = &vt};
    darc_linear l = {.of = s, .count = 1};
    ck_assert(
        darc_near_settle(&l, &c, darc_session_check, DARC_STRUCTURE, .05));
    ck_assert_ptr_nonnull(l.session);
    darc_near_drop(&l);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

START_TEST(what_is_missing_beside_a_function_is_found)
{
    darc_model *m;
    darc_session *s = open_session(&m, diode, run(leaky, diode_is, 3), NULL);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), DARC_INCONSISTENT);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

/* A reaction whose rate is of some order. */
#define BATCH(ORDER)                                                           \
    "model reactor\nstates\n C T\nparameters\n k E H U\ninputs\n Tc\n"         \
    "outputs\n yC yT\nequations\n C' = -k*exp(-E/T)*C" ORDER "\n"              \
    " T' = H*k*exp(-E/T)*C" ORDER " - U*(T - Tc)\n yC = C\n yT = T\n"

/* Heat of a reaction of second order: free coefficients explain it where
 * smoothing may have made anything, but they do not obey what a rate of first
 * order makes them obey. */
START_TEST(relations_that_smoothing_may_break_are_no_agreement)
{
    darc_model *m;
    darc_table *t = simulation_make(
        &(simulation){.model = BATCH("^2"),
                      .param = "k=2e4 E=4600 H=20 U=.02",
                      .init = "C=1 T=300",
                      .input = "Tc=constant:300+multisine:5,.002,.03",
                      .t_end = 400,
                      .rate = 1,
                      .noise = 1e-5,
                      .seed = 3});
    darc_session *s = open_session(&m, BATCH(""), t, NULL);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_int_ne(darc_session_verdict(s), DARC_CONSISTENT);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

/* Where all has reacted nothing can be divided by the rest: why neither method
 * applies is said, and what to do. */
START_TEST(both_methods_say_why_they_fail)
{
    darc_model *m;
    darc_err err;
    darc_err_init(&err);
    darc_table *t = simulation_make(
        &(simulation){.model = BATCH(""),
                      .param = "k=2e7 E=4600 H=200 U=.5",
                      .init = "C=1 T=300",
                      .input = "Tc=constant:300+multisine:5,.2,3",
                      .t_end = 4,
                      .rate = 100,
                      .noise = 3e-4,
                      .seed = 3});
    darc_session *s = open_session(&m, BATCH(""), t, NULL);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "(--from, --to)"));
    ck_assert_ptr_nonnull(strstr(err.message, "by --method pointwise: "));
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

/* A change of one parameter, also of that inside the function, by so much that
 * one tangent does not do for both recordings; and none. */
START_TEST(two_recordings_tell_what_changed)
{
    static const struct {
        const char *model, *is, *then, *changed;
    } of[] = {{diode, diode_is, diode_is, NULL},
              {diode, diode_is, "C=1e-6 R=110 Is=1e-8 Vt=.05", "R"},
              {diode, diode_is, "C=1e-6 R=100 Is=1.2e-8 Vt=.05", "Is"},
              {diode, diode_is, "C=1e-6 R=100 Is=1e-8 Vt=.055", "Vt"},
              {reactor, reactor_is, reactor_is, NULL},
              {reactor, reactor_is, "k=3180 E=3100 U=.04", "E"},
              {reactor, reactor_is, "k=3180 E=3000 U=.041", "U"}};
    darc_model *m;
    darc_session *s =
        open_session(&m, of[_i].model, run(of[_i].model, of[_i].is, 3),
                     run(of[_i].model, of[_i].then, 4));
    ck_assert_int_eq(darc_session_check(s, DARC_EQUAL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), of[_i].changed == NULL
                                                  ? DARC_CONSISTENT
                                                  : DARC_INCONSISTENT);
    const darc_report *r = darc_session_report(s);
    ck_assert(strstr(r->decision.reason, "_near") == NULL && r->notes < 12);
    ck_assert_int_eq(r->helds, 0);
    ck_assert_int_eq(darc_session_isolate(s, NULL), DARC_OK);
    const char *text = darc_session_text(s, "text");
    char want[40] = "no change";
    if (of[_i].changed != NULL)
        snprintf(want, sizeof want, "diagnosis   {%s}:", of[_i].changed);
    ck_assert_msg(strstr(text, want) != NULL, "%s: %s", want, text);
    ck_assert(strstr(text, "_off is held") == NULL);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

/* A tolerance is a share of the equation, also for what stands in a function:
 * 2 % of E move it by some 7 %. */
START_TEST(a_tolerance_is_one_of_equations)
{
    static const double tolerance[] = {.03, .15};
    for (int i = 0; i < 2; i++) {
        darc_model *m;
        darc_session *s =
            open_within(&m, reactor, run(reactor, reactor_is, 3),
                        run(reactor, "k=3180 E=3060 U=.04", 4), tolerance[i]);
        ck_assert_int_eq(darc_session_check(s, DARC_EQUAL, NULL), DARC_OK);
        const darc_decision *d = &darc_session_report(s)->decision;
        ck_assert_msg(d->verdict ==
                          (i == 0 ? DARC_INCONSISTENT : DARC_CONSISTENT),
                      "%s", d->reason);
        ck_assert_msg((strstr(d->reason, "E changes by") != NULL) == (i == 0),
                      "%s", d->reason);
        darc_session_free(s);
        darc_model_free(m);
    }
}
END_TEST

/* ---- no equation tells where to begin ------------------------------------ */

/* Shifts inside functions; equations that divide by signals, or need second
 * derivatives inside products; integrals; a name that is taken. */
static const struct {
    const char *model, *is, *then, *init, *input, *changed;
    const char *name[2];
    double value[2], t_end, rate, noise;
} sought[] = {
    {"model shift\ninputs\n u\noutputs\n v\nparameters\n C R Fc vs v0\n"
     "equations\n C*v' = u - v/R - Fc*tanh((v - v0)/vs)\n",
     "C=1 R=2 Fc=1.5 vs=.3 v0=.2",
     "C=1 R=2 Fc=1.5 vs=.3 v0=.22",
     "v=.1",
     "u=multisine:2,.3,10",
     "v0",
     {"v0", "R"},
     {.2, 2},
     6,
     500,
     .002},
    {"model soft\ninputs\n u\noutputs\n y\nparameters\n c k a\nequations\n"
     " c*y' = u - k*log(1 + exp(y/a))\n",
     "c=.3 k=.5 a=.4",
     "c=.3 k=.5 a=.44",
     "y=.1",
     "u=constant:.3+multisine:1,.2,3",
     "a",
     {"k", "a"},
     {.5, .4},
     20,
     100,
     .002},
    {"model rates\nstates\n A T\ninputs\n q Tc\noutputs\n yA yT\nparameters\n"
     " k E U h\nequations\n A' = q - k*exp(-E/T)*A\n"
     " T' = h*k*exp(-E/T)*A - U*(T - Tc)\n yA = A\n yT = T\n",
     "k=3e3 E=3000 U=.04 h=8",
     "k=3.3e3 E=3000 U=.04 h=8",
     "A=1 T=305",
     "q=constant:.3+multisine:.15,.003,.03 "
     "Tc=constant:295+multisine:3,.002,.01",
     "k",
     {"k", "E"},
     {3000, 3000},
     1500,
     1,
     5e-5},
    {"model cell\nstates\n q\ninputs\n i T\noutputs\n v\nparameters\n Q a c R0 "
     "E\nequations\n Q*q' = -i\n v = a + c*q - R0*exp(E/T)*i\n",
     "Q=1000 a=3 c=.8 R0=1e-3 E=1000",
     NULL,
     "q=1",
     "i=constant:.7+multisine:1,.01,.1 T=constant:290+multisine:10,.002,.02",
     NULL,
     {"R0", "E"},
     {1e-3, 1000},
     1000,
     2,
     5e-5},
    {"model taken\ninputs\n u\noutputs\n v\nparameters\n C Vt_near Is Vt\n"
     "equations\n C*v' = (u - v)/Vt_near - Is*(exp(v/Vt) - 1)\n",
     "C=1e-6 Vt_near=100 Is=1e-8 Vt=.05",
     "C=1e-6 Vt_near=100 Is=1e-8 Vt=.055",
     "v=.1",
     "u=constant:.35+multisine:.35,50,3000",
     "Vt",
     {"Vt", "C*Vt_near"},
     {.05, 1e-4},
     .03,
     1e5,
     2e-3}};
enum { RATES = 2, SOUGHT = sizeof sought / sizeof sought[0] };

static darc_table *run_sought(int i, bool then, unsigned seed)
{
    return simulation_make(
        &(simulation){.model = sought[i].model,
                      .param = then ? sought[i].then : sought[i].is,
                      .init = sought[i].init,
                      .input = sought[i].input,
                      .t_end = sought[i].t_end,
                      .rate = sought[i].rate,
                      .noise = sought[i].noise,
                      .rtol = 1e-13,
                      .seed = seed});
}

START_TEST(where_nothing_is_told_starts_are_sought)
{
    darc_model *m;
    darc_session *s =
        open_session(&m, sought[_i].model, run_sought(_i, false, 3), NULL);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
    ck_assert_int_eq(darc_session_report(s)->decision.verdict, DARC_CONSISTENT);
    for (int k = 0; k < 2; k++)
        has_value(s, sought[_i].name[k], sought[_i].value[k]);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

/* Nothing did: `check equal` says so, of the models that one equation tells of;
 * something did: `isolate` says what. */
START_TEST(what_changed_is_found_from_starts)
{
    darc_model *m;
    if (sought[_i].then == NULL)
        return;
    char want[40];
    snprintf(want, sizeof want, "diagnosis   {%s}:", sought[_i].changed);
    darc_session *s;
    if (_i != RATES) {
        s = open_session(&m, sought[_i].model, run_sought(_i, false, 3),
                         run_sought(_i, false, 4));
        ck_assert_int_eq(darc_session_check(s, DARC_EQUAL, NULL), DARC_OK);
        ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
        darc_session_free(s);
        darc_model_free(m);
    }
    s = open_session(&m, sought[_i].model, run_sought(_i, false, 3),
                     run_sought(_i, true, 4));
    ck_assert_int_eq(darc_session_isolate(s, NULL), DARC_OK);
    const char *text = darc_session_text(s, "text");
    ck_assert_msg(strstr(text, want) != NULL, "%s: %s", want, text);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

/* Around the best start the model fits as well as noise lets it, but the
 * signals decide nothing; or its first step leads away. */
START_TEST(values_are_told_where_nothing_is_decided)
{
    static const char tank[] =
        "model tank\nparameters\n k E q H g\ninputs\n Tc\noutputs\n c T\n"
        "equations\n c' = q*(1 - c) - k*exp(-E/T)*c\n"
        " T' = q*(0.5 - T) + H*k*exp(-E/T)*c - g*(T - Tc)\n";
    darc_model *m;
    darc_table *t = simulation_make(&(simulation){
        .model = tank,
        .param = "k=30 E=2 q=1 H=.5 g=1",
        .init = "c=.7 T=.6",
        .input = _i % 2 == 0 ? "Tc=constant:.5+sine:.1,.4"
                             : "Tc=constant:.5+multisine:.1,.05,1",
        .t_end = 20,
        .rate = 20,
        .noise = 2e-3,
        .rtol = 1e-10,
        .seed = 3 + (unsigned)_i / 2});
    darc_session *s = open_session(&m, tank, t, NULL);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_int_ne(darc_session_verdict(s), DARC_INCONSISTENT);
    has_value(s, "E", 2);
    has_value(s, "k", 30);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

Suite *suite_linear(void)
{
    Suite *s = suite_create("linear_functions");
    TCase *c = tcase_create("linear_functions");
    tcase_add_loop_test(c, one_recording_tells_the_constant, 0, 2);
    tcase_add_test(c, what_need_not_move_is_asked_once);
    tcase_add_test(c, what_is_missing_beside_a_function_is_found);
    tcase_add_test(c, both_methods_say_why_they_fail);
    tcase_add_test(c, relations_that_smoothing_may_break_are_no_agreement);
    tcase_add_loop_test(c, two_recordings_tell_what_changed, 0, 7);
    tcase_add_test(c, a_tolerance_is_one_of_equations);
    suite_add_tcase(s, c);
    c = tcase_create("starts");
    tcase_add_loop_test(c, where_nothing_is_told_starts_are_sought, 0, SOUGHT);
    tcase_add_loop_test(c, values_are_told_where_nothing_is_decided, 0, 4);
    tcase_add_loop_test(c, what_changed_is_found_from_starts, 0, SOUGHT);
    suite_add_tcase(s, c);
    return s;
}
