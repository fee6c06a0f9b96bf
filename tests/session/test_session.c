#include "tests.h"

#include "../bench/weak_cases.h"
#include "base/carrier.h"
#include "data/table.h"
#include "models.h"
#include "session/state.h"
#include "simulation.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A recording of the quarter car with its mass times `mass`. */
static darc_table *record(uint64_t seed, double mass)
{
    case_options o = {
        .seconds = 8, .rate = 500, .noise = 0.01, .scale = {mass, 1, 1, 1}};
    uint64_t exact = seed, state = seed + 1;
    darc_table *t = case_table(CASE_QUARTER, &o, &exact, &state), *copy;
    const char *name[] = {"a", "z"};
    const double *value[] = {t->signal[0].value, t->signal[1].value};
    darc_samples from = {.name = "memory",
                         .samples = t->samples,
                         .rate = o.rate,
                         .signals = 2,
                         .signal = name,
                         .value = value};
    ck_assert_int_eq(darc_table_from_samples(&copy, &from, NULL), DARC_OK);
    case_free(t);
    return copy;
}

static darc_session *open_session(const darc_model *m, const char *changed,
                                  const darc_budget *budget)
{
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.changed = changed;
    set.threads = 1;
    darc_session *s;
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_session_new(&s, m, &set, budget, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return s;
}

static void add(darc_session *s, uint64_t seed, double mass)
{
    ck_assert_int_eq(darc_session_add_take(s, record(seed, mass), NULL),
                     DARC_OK);
}

static darc_verdict check(darc_session *s, darc_test test)
{
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_session_check(s, test, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return darc_session_verdict(s);
}

START_TEST(answers_the_three_questions)
{
    darc_model *m = model_of(model_quarter);
    darc_session *one = open_session(m, NULL, NULL);
    add(one, 3, 1);
    ck_assert_int_eq(check(one, DARC_STRUCTURE), DARC_CONSISTENT);
    ck_assert_str_eq(darc_session_report(one)->test, "structure");
    add(one, 5, 1);
    ck_assert_int_eq(darc_session_check(one, DARC_CHANGED, NULL), DARC_USAGE);
    darc_session_free(one);

    darc_session *two = open_session(m, "m", NULL);
    add(two, 5, 1);
    add(two, 7, 1.05);
    ck_assert_int_eq(check(two, DARC_EQUAL), DARC_INCONSISTENT);
    ck_assert_int_eq(check(two, DARC_CHANGED), DARC_CONSISTENT);
    const char *json = darc_session_text(two, "json");
    ck_assert_ptr_nonnull(strstr(json, "\"verdict\": \"consistent\""));
    ck_assert_ptr_nonnull(strstr(json, "\"file\": \"memory\""));
    ck_assert_ptr_null(darc_session_isolation(two));
    ck_assert_int_eq(darc_session_isolate(two, NULL), DARC_OK);
    const darc_isolation *found = darc_session_isolation(two);
    ck_assert_int_ge(found->diagnosis, 1);
    const darc_name_list *likeliest = &found->candidate[0].changed;
    ck_assert_int_eq(likeliest->count, 1);
    ck_assert_str_eq(likeliest->name[0], "m");
    ck_assert_ptr_nonnull(
        strstr(darc_session_text(two, "json"), "\"diagnosis\""));
    darc_session_free(two);
    darc_model_free(m);
}
END_TEST

START_TEST(refuses_what_does_not_fit)
{
    darc_err err;
    darc_model *m = model_of(model_quarter);
    darc_session *s;
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.changed = "m,mass";
    darc_err_init(&err);
    ck_assert_int_eq(darc_session_new(&s, m, &set, NULL, &err), DARC_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, "'mass' is no parameter"));
    set.changed = NULL;
    set.diff = "central3";
    ck_assert_int_eq(darc_session_new(&s, m, &set, NULL, NULL), DARC_USAGE);

    s = open_session(m, NULL, NULL);
    add(s, 3, 1);
    ck_assert_int_eq(darc_session_check(s, DARC_EQUAL, NULL), DARC_USAGE);
    ck_assert_int_eq(darc_session_isolate(s, NULL), DARC_USAGE);
    ck_assert_int_eq(darc_session_verdict(s), DARC_UNDECIDED);
    ck_assert_str_eq(darc_session_text(s, "json"), "");
    const char *name[] = {"a"};
    const double one[] = {1, 2}, *value[] = {one};
    darc_samples from = {.name = "memory",
                         .samples = 2,
                         .rate = 1,
                         .signals = 1,
                         .signal = name,
                         .value = value};
    darc_table *t;
    ck_assert_int_eq(darc_table_from_samples(&t, &from, NULL), DARC_OK);
    darc_err_init(&err);
    ck_assert_int_eq(darc_session_add_take(s, t, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "no signal 'z'"));
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

/* What the user asks against is tested, or the check fails: it never ends with
 * a verdict that did not heed it. */
/* Where a sign turns that nobody sees, no equation between signals holds. */
START_TEST(signs_of_states_are_refused)
{
    darc_session *s = NULL;
    darc_err err = {DARC_OK, ""};
    darc_model *m = model_of("parameters k mu\nstates v\ninputs F\noutputs y\n"
                             "equations\nv' = F - mu*sign(v) - k*v\n"
                             "y' = y + v\n");
    ck_assert_int_eq(darc_session_new(&s, m, NULL, NULL, &err), DARC_MODEL);
    ck_assert_ptr_nonnull(strstr(err.message, ":6:13: error: 'abs' or 'sign'"));
    darc_model_free(m);
}
END_TEST

START_TEST(terms_of_the_user_are_heeded)
{
    static const struct {
        const char *term, *message;
        darc_method method;
    } row[] = {
        {"z^3,q",
         "--against: term 'q': expected signals of the model (a, z, s)",
         DARC_METHOD_AUTO},
        {"m*z", "--against: term 'm*z': expected signals", DARC_METHOD_AUTO},
        {"z'''''", "needs a derivative", DARC_METHOD_AUTO},
        {"sign(z')", "the model derives it already", DARC_METHOD_AUTO},
        {"z^3", "needs the weak method", DARC_METHOD_POINTWISE}};
    darc_model *m =
        model_of("model rubbed\nparameters\n m c r\noutputs\n a z\nderived\n"
                 " s = sign(z')\nequations\n m*a = c*z + r*s\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        darc_err err;
        darc_session *s;
        darc_session_settings set;
        darc_session_settings_init(&set);
        set.against = row[i].term;
        set.method = row[i].method;
        darc_err_init(&err);
        ck_assert_int_eq(darc_session_new(&s, m, &set, NULL, NULL), DARC_OK);
        add(s, 3, 1);
        ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, &err),
                         DARC_USAGE);
        ck_assert_msg(strstr(err.message, row[i].message) != NULL, "%s",
                      err.message);
        darc_session_free(s);
    }
    darc_model_free(m);
}
END_TEST

START_TEST(terms_of_the_model_are_none_of_the_user)
{
    darc_model *m = model_of(model_quarter);
    darc_session *s;
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.against = "z";
    ck_assert_int_eq(darc_session_new(&s, m, &set, NULL, NULL), DARC_OK);
    add(s, 3, 1);
    ck_assert_int_eq(check(s, DARC_STRUCTURE), DARC_UNDECIDED);
    const char *reason = darc_session_report(s)->decision.reason;
    ck_assert_msg(strstr(reason, "from those of the model") != NULL, "%s",
                  reason);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

static int stop(void *user)
{
    ++*(int *)user;
    return 1;
}

START_TEST(stops_when_the_user_interrupts)
{
    int asked = 0;
    darc_budget budget;
    darc_budget_init(&budget);
    darc_model *m = model_of(model_quarter);
    darc_session *s = open_session(m, NULL, &budget);
    add(s, 3, 1);
    budget.interrupted = stop;
    budget.user = &asked;
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_LIMIT);
    ck_assert_int_gt(asked, 0);
    budget.interrupted = NULL;
    ck_assert_int_eq(check(s, DARC_STRUCTURE), DARC_CONSISTENT);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

typedef struct {
    const darc_model *model;
    double statistic;
} job;

static void *work(void *user)
{
    job *j = user;
    darc_session *s = open_session(j->model, NULL, NULL);
    add(s, 11, 1);
    add(s, 13, 1);
    check(s, DARC_EQUAL);
    const darc_report *r = darc_session_report(s);
    j->statistic = r->relation[r->deciding].decision.statistic;
    darc_session_free(s);
    return NULL;
}

START_TEST(threads_share_a_model)
{
    darc_model *m = model_of(model_quarter);
    enum { THREADS = 8 };
    job jobs[THREADS];
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.model = m};
        ck_assert_int_eq(pthread_create(&thread[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 1; i < THREADS; i++)
        ck_assert_double_eq(jobs[i].statistic, jobs[0].statistic);
    darc_model_free(m);
}
END_TEST

/* An epidemic that dies out: at the end the signal is as small as the noise
 * that any sensor is taken to have, of which it shows nothing, so that nothing
 * is to be taken off its logarithm. */
START_TEST(a_floor_of_noise_is_no_bias)
{
    static const char epidemic[] =
        "model epidemic\nstates\n S E I\nparameters\n b s g k\noutputs\n y\n"
        "equations\n S' = -b*S*I\n E' = b*S*I - s*E\n I' = s*E - g*I\n"
        " y = k*I\n";
    simulation j = {.model = epidemic,
                    .param = "b=1.2 s=0.4 g=0.3 k=0.2",
                    .init = "S=0.95 E=0.03 I=0.02",
                    .input = "",
                    .t_end = 60,
                    .rate = 20,
                    .rtol = 1e-12};
    darc_model *model = model_of(epidemic);
    darc_session *s;
    ck_assert_int_eq(darc_session_new(&s, model, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, simulation_make(&j), NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
    darc_session_free(s);
    darc_model_free(model);
}
END_TEST

/* Whether T is within four standard deviations of .4 s. */
static void check_time(const darc_report *r)
{
    ck_assert_int_eq(r->estimates, 1);
    ck_assert_str_eq(r->estimate->function, "T");
    ck_assert_double_lt(r->estimate->sd_a, 2e-4);
    ck_assert_double_eq_tol(r->estimate->value_a, 0.4, 4 * r->estimate->sd_a);
}

/* A converter holds u from each sample to the next, and u is no staircase: it
 * has as few as 20 samples a period, and bends the output at each.  The low
 * pass fits where the model or the user says so, and not otherwise. */
static void check_held(const char *declared, const char *said, bool drop,
                       darc_verdict wanted)
{
    enum { N = 4000 };
    static double u[N], y[N];
    const double *value[] = {u, y};
    const char *name[] = {"u", "y"};
    const char *hold[] = {said};
    const double decay = exp(-1.0 / 40); /* T = 40 samples */
    uint64_t state = 3;
    double x = 0;
    char text[200];
    for (int i = 0; i < N; i++) {
        u[i] = sin(0.31 * i) + sin(0.1713 * i + 1) + cos(0.031 * i);
        /* behind the resistor; or the drop over it, which jumps with u */
        y[i] = (drop ? u[i] - x : x) + 0.002 * case_normal(&state);
        x = u[i] + (x - u[i]) * decay;
    }
    snprintf(text, sizeof text,
             "model low\nparameters\n T\ninputs\n %s\noutputs\n y\n"
             "equations\n T*y' + y = %s\n",
             declared, drop ? "T*u'" : "u");
    darc_model *model = model_of(text);
    darc_samples from = {.name = "memory",
                         .samples = N,
                         .rate = 100,
                         .signals = 2,
                         .signal = name,
                         .value = value};
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.hold = hold;
    set.holds = said != NULL;
    darc_table *table;
    darc_session *s;
    ck_assert_int_eq(darc_table_from_samples(&table, &from, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_new(&s, model, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, table, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), wanted);
    if (wanted == DARC_CONSISTENT)
        check_time(darc_session_report(s));
    bool hint = false;
    for (int i = 0; i < darc_session_report(s)->notes; i++)
        hint |= strstr(darc_session_report(s)->note[i], "--hold") != NULL;
    ck_assert(hint == (said == NULL && strcmp(declared, "u") == 0));
    darc_session_free(s);
    darc_model_free(model);
}

START_TEST(held_inputs_are_said_to_be)
{
    check_held("u", NULL, false, DARC_UNDECIDED);
    check_held("u", "u", false, DARC_CONSISTENT);
    check_held("u \"a converter\" held", NULL, false, DARC_CONSISTENT);
    check_held("u", "u", true, DARC_CONSISTENT);
}
END_TEST

/* The Wronskian of so many powers has a million terms in its entries: what is
 * for display only does not keep the verdict waiting. */
START_TEST(long_relations_are_not_shown)
{
    static const char powers[] =
        "model powers\nparameters\n a b c d e f g h k l m\ninputs\n u\n"
        "outputs\n y\nequations\n y' = a*u - b*y + c*u^3 - d*y^3 + e*u^2*y +"
        " f*u*y^2 + g*u^5 - h*y^5 + k*u^3*y^2 + l*u^2*y^3 + m*u*y^4\n";
    simulation j = {.model = powers,
                    .param = "a=1 b=2 c=3 d=1 e=1 f=1 g=1 h=1 k=1 l=1 m=1",
                    .init = "",
                    .input = "u=multisine:0.8,0.05,4",
                    .t_end = 20,
                    .rate = 200,
                    .rtol = 1e-12};
    darc_model *model = model_of(powers);
    darc_session *s;
    ck_assert_int_eq(darc_session_new(&s, model, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, simulation_make(&j), NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    const darc_report_relation *r = darc_session_report(s)->relation;
    ck_assert_int_ne(r->decision.verdict, DARC_INCONSISTENT);
    ck_assert_str_eq(r->form, "io");
    ck_assert_double_lt(r->residual.rms, 1e-3); /* that of the weak form is */
    darc_session_free(s);
    darc_model_free(model);
}
END_TEST

/* Of order 5, with modes that hardly show: the fit may go astray. */
START_TEST(noise_times_noise_refuses_nothing)
{
    static const char modes[] =
        "model modes\nstates\n x0 x1 x2\nparameters\n p0 p1 p2 p3 p4 p5 p6 p7 "
        "p8 p9 p10\ninputs\n u\noutputs\n y0\nequations\n"
        " x0' = -p0*x0 - p1*x2 + p2*u\n"
        " x1'' + p7*x1' = -p3*x1 - p4*x0 - p5*x2 + p6*u\n"
        " x2'' + p10*x2' = -p8*x2 + p9*x0\n y0 = x1'\n";
    darc_model *model = model_of(modes);
    simulation j = {.model = modes,
                    .param = "p0=2.924 p1=0.261 p2=1.701 p3=1.411 p4=0.401 "
                             "p5=0.495 p6=1.177 p7=2.136 p8=1.847 p9=0.475 "
                             "p10=1.541",
                    .init = "",
                    .input = "u=multisine:1,0.02,1.2",
                    .t_end = 60,
                    .rate = 50,
                    .noise = 0.002,
                    .seed = 1};
    darc_session *s;
    ck_assert_int_eq(darc_session_new(&s, model, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, simulation_make(&j), NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_int_ne(darc_session_verdict(s), DARC_INCONSISTENT);
    darc_session_free(s);
    darc_model_free(model);
}
END_TEST

/* Two masses, driven up to 8 Hz: samples 25 to a period, and no noise.  What
 * sampling adds to moments of fourth derivatives is no change of parameters. */
START_TEST(sampling_is_no_change)
{
    static const char seat[] =
        "model seat\nstates\n x z\nparameters\n m n c k d e\ninputs\n w\n"
        "outputs\n y\nequations\n m*x'' = k*(w - x) - c*(x - z) - d*(x' - z')\n"
        " n*z'' = c*(x - z) + d*(x' - z') - e*z'\n y = x''\n";
    darc_model *model = model_of(seat);
    darc_session *s;
    ck_assert_int_eq(darc_session_new(&s, model, NULL, NULL, NULL), DARC_OK);
    for (unsigned i = 0; i < 2; i++) {
        simulation j = {.model = seat,
                        .param = "m=40 n=300 c=20000 k=180000 d=1500 e=500",
                        .init = "",
                        .input = i == 0 ? "w=multisine:0.01,0.2,8"
                                        : "w=multisine:0.01,0.2,6",
                        .t_end = 20,
                        .rate = 200,
                        .rtol = 1e-12,
                        .seed = i + 1};
        ck_assert_int_eq(darc_session_add_take(s, simulation_make(&j), NULL),
                         DARC_OK);
    }
    ck_assert_int_eq(darc_session_check(s, DARC_EQUAL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
    const darc_report *r = darc_session_report(s);
    for (int i = 0; i < r->estimates; i++)
        ck_assert_double_eq_tol(r->estimate[i].value_b / r->estimate[i].value_a,
                                1, 1e-6);
    darc_session_free(s);
    darc_model_free(model);
}
END_TEST

/* What a child answers is what is answered here, to the last byte. */
START_TEST(children_answer_the_same)
{
    static const struct {
        const char *option, *value;
        int question; /* 0: structure, 1: equal, 2: isolation, 3: values */
    } asked[] = {{"method", "weak", 0},      {"method", "pointwise", 0},
                 {"method", "pointwise", 1}, {"method", "weak", 1},
                 {"method", "weak", 2},      {"over-time", "yes", 0},
                 {"overlay", "yes", 3},      {"alpha", "0.01", 3},
                 {"overlay", "yes", 1}};
    static const char *const format[] = {"text", "json", "html"};
    static const char car[] = "systems/quarter_car_chassis/";
    darc_model *m;
    darc_budget here;
    darc_budget_init(&here);
    here.here = true;
    ck_assert_int_eq(
        darc_model_read(&m, "systems/quarter_car_chassis/model.darc", NULL),
        DARC_OK);
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        darc_session *s[2];
        darc_options *o;
        int q = asked[i].question;
        ck_assert_int_eq(darc_options_new(&o, "check", NULL), DARC_OK);
        ck_assert_int_eq(
            darc_options_set(o, asked[i].option, asked[i].value, NULL),
            DARC_OK);
        for (int k = 0; k < 2; k++) {
            darc_err err;
            darc_err_init(&err);
            ck_assert_int_eq(
                darc_session_open(&s[k], m, o, k == 0 ? &here : NULL, NULL),
                DARC_OK);
            for (int r = 0; r < (q == 1 || q == 2 ? 2 : 1); r++) {
                char file[200];
                snprintf(file, sizeof file, "%s%s", car,
                         r == 0 ? "data.csv" : "heavier.csv");
                ck_assert_int_eq(darc_session_read(s[k], file, NULL), DARC_OK);
            }
            darc_status status =
                q == 2   ? darc_session_isolate(s[k], &err)
                : q == 3 ? darc_session_values(s[k], &err)
                         : darc_session_check(s[k], (darc_test)q, &err);
            ck_assert_msg(status == DARC_OK, "%zu: %s", i, err.message);
        }
        ck_assert_int_eq(darc_session_verdict(s[0]),
                         darc_session_verdict(s[1]));
        for (int f = 0; f < 3; f++) {
            char *first = strdup(darc_session_text(s[0], format[f]));
            ck_assert_str_eq(first, darc_session_text(s[1], format[f]));
            free(first);
        }
        ck_assert_int_eq(s[0]->told != NULL, 0);
        ck_assert(!darc_apart_suits(NULL) || s[1]->told != NULL ||
                  s[1]->answer != NULL);
        for (int k = 0; k < 2; k++) {
            darc_session_drop(s[k]);
            ck_assert_str_eq(darc_session_text(s[k], "text"), "");
            darc_session_free(s[k]);
        }
        darc_options_free(o);
    }
    darc_model_free(m);
}
END_TEST

Suite *suite_session(void)
{
    Suite *s = suite_create("session");
    TCase *t = tcase_create("session");
    tcase_add_test(t, answers_the_three_questions);
    tcase_add_test(t, refuses_what_does_not_fit);
    tcase_add_test(t, signs_of_states_are_refused);
    tcase_add_test(t, terms_of_the_user_are_heeded);
    tcase_add_test(t, terms_of_the_model_are_none_of_the_user);
    tcase_add_test(t, stops_when_the_user_interrupts);
    tcase_add_test(t, a_floor_of_noise_is_no_bias);
    tcase_add_test(t, held_inputs_are_said_to_be);
    tcase_add_test(t, long_relations_are_not_shown);
    tcase_add_test(t, noise_times_noise_refuses_nothing);
    tcase_add_test(t, sampling_is_no_change);
    tcase_add_test(t, threads_share_a_model);
    tcase_add_test(t, children_answer_the_same);
    suite_add_tcase(s, t);
    return s;
}
