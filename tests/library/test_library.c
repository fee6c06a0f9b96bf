#include "tests.h"

#include "darc.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char low_pass[] =
    "model low_pass\nstates\n    x [V]\nparameters\n    T [s] \"time "
    "constant\"\n    K\ninputs\n    u [V]\noutputs\n    y [V]\nequations\n"
    "    T*x' + x = K*u\n    y = x\n";

static darc_model *model_from(const char *text)
{
    darc_model *m;
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "m", NULL),
                     DARC_OK);
    return m;
}

static darc_options *options_of(const char *command, const char *const *pair)
{
    darc_options *o;
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_options_new(&o, command, NULL), DARC_OK);
    for (; pair != NULL && *pair != NULL; pair += 2)
        ck_assert_msg(darc_options_set(o, pair[0], pair[1], &err) == DARC_OK,
                      "%s", err.message);
    return o;
}

/* The filter with time constant T, driven by noise of its own. */
static darc_recording *drive(const char *time_constant, const char *seed)
{
    const char *const pair[] = {
        "param", time_constant, "input", "u=multisine:1,0.1,5",
        "noise", "0.001",       "seed",  seed,
        "t-end", "10",          "rate",  "100",
        NULL};
    darc_options *o = options_of("simulate", pair);
    darc_model *m = model_from(low_pass);
    darc_recording *r;
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(darc_recording_simulate(&r, m, o, NULL, &err) == DARC_OK,
                  "%s", err.message);
    darc_options_free(o);
    darc_model_free(m);
    return r;
}

START_TEST(options_are_checked)
{
    darc_options *o;
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_options_new(&o, "cheque", &err), DARC_USAGE);
    ck_assert_str_eq(err.message, "there is no command 'cheque'");
    ck_assert_int_eq(darc_options_new(&o, "check", NULL), DARC_OK);
    ck_assert_int_eq(darc_options_number(o, "alpha", 0.05, NULL), DARC_OK);
    static const struct {
        const char *name, *value, *message;
    } row[] = {{"alpa", "1", "unknown option '--alpa' (did you mean"},
               {"alpha", "2", "--alpha: 2 lies outside"},
               {"method", "strong",
                "--method: expected weak|pointwise|trajectory|auto"},
               {"verbose", "no", "--verbose: expected yes, not 'no'"},
               {"json", "-", "--json is an option of the program"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        darc_err_init(&err);
        ck_assert_int_eq(darc_options_set(o, row[i].name, row[i].value, &err),
                         DARC_USAGE);
        ck_assert_msg(strstr(err.message, row[i].message) == err.message, "%s",
                      err.message);
    }
    darc_options_free(o);
    darc_options_free(NULL);
}
END_TEST

START_TEST(models_tell_their_unknowns)
{
    darc_model *m = model_from(low_pass);
    ck_assert_str_eq(darc_model_name(m), "low_pass");
    ck_assert_int_eq(darc_model_unknowns(m), 5);
    ck_assert_str_eq(darc_model_unknown(m, 1), "T");
    ck_assert_str_eq(darc_model_kind(m, 0), "state");
    ck_assert_str_eq(darc_model_kind(m, 1), "parameter");
    ck_assert_str_eq(darc_model_unit(m, 1), "s");
    ck_assert_str_eq(darc_model_text(m, 1), "time constant");
    ck_assert(!darc_model_may_be_zero(m, 1));
    darc_model_free(m);
}
END_TEST

START_TEST(recordings_go_to_files_and_back)
{
    static const char *const name[] = {"y", "u"}, *const unit[] = {"V", ""};
    static const double y[] = {1, NAN, 3, 4}, u[] = {0.1, 0.2, 0.3, 0.4};
    const double *value[] = {y, u};
    darc_samples from = {.name = "memory",
                         .samples = 4,
                         .rate = 10,
                         .signals = 2,
                         .signal = name,
                         .unit = unit,
                         .value = value};
    darc_recording *r, *back;
    char file[512];
    snprintf(file, sizeof file, "%s/kept.csv", program_directory());
    ck_assert_int_eq(darc_recording_new(&r, &from, NULL), DARC_OK);
    ck_assert_int_eq(darc_recording_save(r, file, NULL), DARC_OK);
    ck_assert_int_eq(darc_recording_read(&back, file, NULL, NULL), DARC_OK);
    const darc_samples *s = darc_recording_samples(back);
    ck_assert_uint_eq(s->samples, 4);
    ck_assert_ptr_null(s->time);
    ck_assert_double_eq_tol(s->rate, 10, 1e-9);
    ck_assert_str_eq(s->signal[0], "y");
    ck_assert_str_eq(s->unit[0], "V");
    ck_assert(isnan(s->value[0][1]));
    ck_assert_double_eq(s->value[1][3], 0.4);
    ck_assert_ptr_nonnull(strstr(darc_recording_text(back, "text"), "y [V]"));
    ck_assert_ptr_nonnull(
        strstr(darc_recording_text(back, "json"), "\"gaps\": 1"));
    ck_assert_ptr_null(darc_recording_text(back, "html"));
    darc_recording_free(r);
    darc_recording_free(back);
    darc_options *o = options_of("data", NULL);
    ck_assert_int_eq(darc_options_set(o, "map", "z=y", NULL), DARC_OK);
    ck_assert_int_eq(darc_recording_read(&back, file, o, NULL), DARC_OK);
    ck_assert_str_eq(darc_recording_samples(back)->signal[0], "z");
    darc_recording_free(back);
    darc_recording_free(NULL);
    darc_options_free(o);
}
END_TEST

START_TEST(sessions_answer_again_and_again)
{
    darc_model *m = model_from(low_pass);
    const char *const pair[] = {"changed", "T", "threads", "1", NULL};
    darc_options *o = options_of("check", pair);
    darc_recording *a = drive("T=0.1,K=2", "1"), *b = drive("T=0.12,K=2", "2");
    darc_session *s;
    ck_assert_int_eq(darc_session_open(&s, m, o, NULL, NULL), DARC_OK);
    darc_options_free(o);
    ck_assert_str_eq(darc_session_text(s, "json"), "");
    ck_assert_ptr_null(darc_session_text(s, "jason"));
    ck_assert_int_eq(darc_session_add(s, a, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
    ck_assert_int_eq(darc_session_add(s, b, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_EQUAL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), DARC_INCONSISTENT);
    ck_assert_int_eq(darc_session_check(s, DARC_CHANGED, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
    const darc_report *r = darc_session_report(s);
    ck_assert_int_eq(r->estimates, 2);
    ck_assert_str_eq(r->changed, "T");
    ck_assert_ptr_nonnull(strstr(darc_session_text(s, "text"), "CONSISTENT"));
    ck_assert_ptr_nonnull(
        strstr(darc_session_text(s, "json"), "\"test\": \"changed\""));
    ck_assert_ptr_null(darc_session_text(s, "latex"));
    ck_assert_int_eq(darc_session_isolate(s, NULL), DARC_OK);
    ck_assert_str_eq(darc_session_isolation(s)->candidate[0].changed.name[0],
                     "T");
    darc_session_drop(s);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_USAGE);
    ck_assert_int_eq(darc_session_add(s, b, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
    darc_session_free(s);
    darc_recording_free(a);
    darc_recording_free(b);
    darc_model_free(m);
}
END_TEST

START_TEST(eliminations_are_read_as_one_likes)
{
    darc_model *m = model_from(low_pass);
    const char *const io[] = {"form", "io", NULL};
    const char *const equal[] = {"for", "equal", NULL};
    darc_options *o = options_of("eliminate", io);
    darc_elimination *e;
    ck_assert_int_eq(darc_eliminate(&e, m, o, NULL, NULL), DARC_OK);
    ck_assert_int_eq(e->equations, 1);
    ck_assert_str_eq(e->equation[0].output, "y");
    ck_assert_int_eq(e->equation[0].order, 1);
    ck_assert_int_eq(e->equation[0].terms, 3);
    ck_assert_ptr_nonnull(strstr(darc_elimination_polynomial(e, 0), "T*y'"));
    ck_assert_ptr_nonnull(
        strstr(darc_elimination_text(e, "json"), "\"leader\": \"y'\""));
    ck_assert_ptr_nonnull(
        strstr(darc_elimination_text(e, "python"), "def darc_residual_0(x)"));
    ck_assert_ptr_null(darc_elimination_text(e, "fortran"));
    darc_elimination_free(e);
    darc_options_free(o);
    o = options_of("eliminate", equal);
    ck_assert_int_eq(darc_eliminate(&e, m, o, NULL, NULL), DARC_OK);
    ck_assert_ptr_null(e->equation[0].output);
    ck_assert_int_ge(e->inequations, 1);
    ck_assert_ptr_nonnull(strstr(darc_elimination_polynomial(e, 0), "yA'"));
    darc_elimination_free(e);
    darc_options_free(o);
    ck_assert_int_eq(darc_eliminate(&e, m, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_ge(e->equations, 1);
    ck_assert(e->equation[0].generic);
    darc_elimination_free(e);
    darc_elimination_free(NULL);
    const char *const wrong[] = {"for", "changed", NULL};
    o = options_of("eliminate", wrong);
    ck_assert_int_eq(darc_eliminate(&e, m, o, NULL, NULL), DARC_USAGE);
    darc_options_free(o);
    darc_model_free(m);
}
END_TEST

START_TEST(identifies_by_accessors)
{
    darc_model *m;
    darc_identified *found;
    ck_assert_int_eq(
        darc_model_read(&m, "systems/quarter_car_chassis/model.darc", NULL),
        DARC_OK);
    ck_assert_int_eq(darc_identify(&found, m, NULL, NULL, NULL), DARC_OK);
    ck_assert(found->complete);
    ck_assert_int_eq(found->rank, 2);
    ck_assert_int_eq(found->functions, 2);
    ck_assert_str_eq(found->function[0], "c/m");
    ck_assert_str_eq(found->parameter[0].name, "m");
    ck_assert_int_eq(found->parameter[0].identifiable, DARC_NOT_IDENTIFIABLE);
    ck_assert(found->parameter[0].seen);
    ck_assert_int_eq(found->parameter[0].explanations, 1);
    ck_assert_int_eq(found->parameter[0].explained_by[0].count, 2);
    ck_assert_ptr_nonnull(
        strstr(darc_identified_text(found, "json"), "\"rank\": 2"));
    ck_assert_ptr_nonnull(strstr(darc_identified_text(found, "text"), "c/m"));
    ck_assert_ptr_null(darc_identified_text(found, "csv"));
    darc_identified_free(found);
    darc_identified_free(NULL);
    darc_model_free(m);
}
END_TEST

/* Functions keep their values: constants of integration tell too. */
static const struct {
    const char *text, *expected;
    bool complete, lost;
} functions[] = {
    {"parameters\n k E\ninputs\n q\noutputs\n y\n"
     "equations\n y' = q - k*exp(-E/y)\n",
     "k global, E global", true, false},
    {"parameters\n a\nstates\n x\noutputs\n y\n"
     "equations\n x' = -a*x\n y = atan(x)\n",
     "a global", true, false},
    {"parameters\n k c\ninputs\n q\noutputs\n y\n"
     "equations\n y' = q - k*sqrt(y - c)\n",
     "k global, c global", true, false},
    {"parameters\n E\noutputs\n y\nequations\n y' = -exp(E)*y\n", "E global",
     true, false},
    /* neither x nor log(x) is measured */
    {"parameters\n k a\nstates\n x\noutputs\n y\n"
     "equations\n x' = -a*x\n y = k*x + log(x)\n",
     "k local, a global", false, true},
    {"parameters\n k b\nstates\n x\noutputs\n y\n"
     "equations\n x' = -k*exp(x)\n y = b*x\n",
     "k global, b global", true, false},
};

START_TEST(functions_keep_their_values)
{
    darc_identified *found;
    darc_text_t said = DARC_TEXT;
    darc_model *m = model_from(functions[_i].text);
    ck_assert_int_eq(darc_identify(&found, m, NULL, NULL, NULL), DARC_OK);
    for (int v = 0; v < found->parameters; v++)
        darc_text_printf(
            said, "%s%s %s", v > 0 ? ", " : "", found->parameter[v].name,
            darc_identifiability_text(found->parameter[v].identifiable));
    ck_assert_str_eq(said->s, functions[_i].expected);
    ck_assert_int_eq(found->complete, functions[_i].complete);
    ck_assert_int_eq(found->lost, functions[_i].lost);
    darc_text_clear(said);
    darc_identified_free(found);
    darc_model_free(m);
}
END_TEST

START_TEST(campaigns_take_recordings_from_memory)
{
    darc_model *m = model_from(low_pass);
    darc_campaign *c;
    darc_recording *r[4];
    ck_assert_int_eq(darc_campaign_open(&c, m, NULL, NULL, NULL), DARC_OK);
    ck_assert_str_eq(darc_campaign_text(c, "json"), "");
    ck_assert_int_eq(darc_campaign_run(c, NULL), DARC_DATA);
    for (int i = 0; i < 4; i++) {
        char seed[] = {(char)('1' + i), '\0'};
        r[i] = drive(i < 2 ? "T=0.1,K=2" : "T=0.12,K=2", seed);
        darc_campaign_add(c, r[i]);
    }
    darc_campaign_read(c, "absent.csv");
    ck_assert_int_eq(darc_campaign_run(c, NULL), DARC_OK);
    ck_assert_int_eq(c->verdict, DARC_INCONSISTENT);
    ck_assert_int_eq(c->recordings, 5);
    ck_assert_int_eq(c->baseline, 0);
    ck_assert_int_eq(c->recording[1].verdict, DARC_CONSISTENT);
    ck_assert_int_eq(c->recording[2].verdict, DARC_INCONSISTENT);
    ck_assert_ptr_nonnull(c->recording[4].damage);
    ck_assert_int_eq(c->functions, 2);
    ck_assert_int_eq(c->points, 1);
    ck_assert_int_eq(c->point[0].recording, 2);
    int moved = c->point[0].function;
    ck_assert_str_eq(c->function[moved], "T");
    ck_assert(c->recording[3].change[moved].moved);
    ck_assert_double_eq_tol(c->recording[3].change[moved].relative, 0.2, 0.02);
    ck_assert_ptr_nonnull(strstr(darc_campaign_text(c, "csv"), ",moved\n"));
    ck_assert_ptr_nonnull(strstr(darc_campaign_text(c, "html"), "<h1>drift"));
    darc_campaign_free(c);

    char file[512];
    snprintf(file, sizeof file, "%s/kept.sqlite", program_directory());
    const char *const pair[] = {"db", file, NULL};
    darc_options *o = options_of("drift", pair);
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_campaign_open(&c, m, o, NULL, NULL), DARC_OK);
    darc_campaign_add(c, r[0]);
    ck_assert_int_eq(darc_campaign_run(c, &err), DARC_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, "lies in memory"));
    darc_campaign_free(c);
    darc_campaign_free(NULL);
    darc_options_free(o);
    for (int i = 0; i < 4; i++)
        darc_recording_free(r[i]);
    darc_model_free(m);
}
END_TEST

static bool is_noted(const darc_campaign *c, const char *words)
{
    bool any = false;
    for (int i = 0; i < c->notes; i++)
        any = any || strstr(c->note[i], words) != NULL;
    return any;
}

/* It is warmer in the second half; the load stays. */
START_TEST(campaigns_take_what_is_told)
{
    static const char *const told[] = {"20", "21", "20.5", "35", "34", "36"};
    const char *const pairs[] = {"covariate", "degrees,load", "group", "rig",
                                 NULL};
    darc_model *m = model_from(low_pass);
    darc_options *o = options_of("drift", pairs);
    darc_campaign *c;
    darc_recording *r[6];
    ck_assert_int_eq(darc_campaign_open(&c, m, o, NULL, NULL), DARC_OK);
    for (int i = 0; i < 6; i++) {
        char seed[] = {(char)('1' + i), '\0'};
        r[i] = drive("T=0.1,K=2", seed);
        darc_campaign_add(c, r[i]);
        darc_campaign_tell(c, "degrees", told[i]);
        darc_campaign_tell(c, "load", "3");
        darc_campaign_tell(c, "rig", "A");
    }
    for (int run = 0; run < 2; run++) { /* notes do not add up */
        ck_assert_int_eq(darc_campaign_run(c, NULL), DARC_OK);
        ck_assert_int_eq(c->verdict, DARC_CONSISTENT);
        ck_assert_int_eq(c->slopes, 4);
        ck_assert_str_eq(c->group[5], "A");
        ck_assert_int_eq(c->notes, 2);
        ck_assert(is_noted(c, "goes with load is not told by the recordings in "
                              "1 of 1 groups (rig A)"));
        ck_assert(is_noted(c, "degrees moves with "));
    }
    darc_campaign_free(c);
    darc_options_free(o);
    for (int i = 0; i < 6; i++)
        darc_recording_free(r[i]);
    darc_model_free(m);
}
END_TEST

START_TEST(compares_and_assesses)
{
    darc_recording *r[2] = {drive("T=0.1,K=2", "1"), drive("T=0.12,K=2", "1")};
    const char *const pair[] = {"columns", "y", NULL};
    darc_options *o = options_of("compare", pair);
    darc_agreement *a;
    const darc_recording *const list[] = {r[0], r[1]};
    for (int references = 0; references < 3; references += 2)
        ck_assert_int_eq(darc_compare(&a, list, references, 2, o, NULL),
                         DARC_USAGE);
    ck_assert_int_eq(darc_compare(&a, list, 1, 2, o, NULL), DARC_OK);
    ck_assert_int_eq(a->outputs, 1);
    ck_assert_str_eq(a->output[0].name, "y");
    ck_assert_double_gt(a->output[0].proximity, 0.5);
    ck_assert_double_eq_tol(a->column[0].mean, a->output[0].data_consistency,
                            1e-12);
    ck_assert_ptr_nonnull(
        strstr(darc_agreement_text(a, "json"), "\"consistency\""));
    ck_assert_ptr_nonnull(strstr(darc_agreement_text(a, "html"), "compared"));
    darc_agreement_free(a);
    darc_options_free(o);

    static const char *const name[] = {"p", "q"};
    static const double p[] = {0.9, 0.8, 0.7}, q[] = {0.6, 0.7, 0.65};
    const double *value[] = {p, q};
    darc_samples from = {.name = "table",
                         .samples = 3,
                         .rate = 1,
                         .signals = 2,
                         .signal = name,
                         .value = value};
    darc_recording *table;
    ck_assert_int_eq(darc_recording_new(&table, &from, NULL), DARC_OK);
    ck_assert_int_eq(darc_weigh(&a, table, NULL, NULL), DARC_OK);
    ck_assert_int_eq(a->columns, 2);
    ck_assert_double_eq_tol(a->column[0].mean, 0.8, 1e-12);
    darc_agreement_free(a);
    darc_agreement_free(NULL);
    darc_recording_free(table);

    static const double large[] = {0.6, 1.5, 0.65};
    darc_err err = {DARC_OK, ""};
    value[1] = large;
    ck_assert_int_eq(darc_recording_new(&table, &from, NULL), DARC_OK);
    ck_assert_int_eq(darc_weigh(&a, table, NULL, &err), DARC_DATA);
    ck_assert_str_eq(err.message, "table: error: run 2: 'q' is 1.5; a "
                                  "consistency lies between 0 and 1");
    darc_recording_free(table);

    darc_credibility *c;
    ck_assert_int_eq(
        darc_assess(&c, "systems/missile/flight.factors", NULL, NULL), DARC_OK);
    ck_assert_int_eq(c->verdict, DARC_FALSE);
    int origins = 0;
    for (int i = 0; i < c->factors; i++)
        origins += c->factor[i].origin;
    ck_assert_int_eq(origins, 1);
    ck_assert_ptr_nonnull(
        strstr(darc_credibility_text(c, "json"), "\"origins\""));
    darc_credibility_free(c);
    darc_credibility_free(NULL);
    for (int i = 0; i < 2; i++)
        darc_recording_free(r[i]);
}
END_TEST

Suite *suite_library(void)
{
    Suite *s = suite_create("library");
    TCase *t = tcase_create("library");
    tcase_add_test(t, options_are_checked);
    tcase_add_test(t, models_tell_their_unknowns);
    tcase_add_test(t, recordings_go_to_files_and_back);
    tcase_add_test(t, sessions_answer_again_and_again);
    tcase_add_test(t, eliminations_are_read_as_one_likes);
    tcase_add_test(t, identifies_by_accessors);
    tcase_add_loop_test(t, functions_keep_their_values, 0,
                        sizeof functions / sizeof functions[0]);
    tcase_add_test(t, campaigns_take_recordings_from_memory);
    tcase_add_test(t, campaigns_take_what_is_told);
    tcase_add_test(t, compares_and_assesses);
    suite_add_tcase(s, t);
    return s;
}
