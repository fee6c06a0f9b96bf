/* plan.c - planned tests (darc/plan.h): each is simulated at the values of a
 * recording, with its noise, and read as a recording would be. */
#include "darc/plan.h"

#include "base/mem.h"
#include "darc/simulate.h"
#include "decide/reading.h"
#include "diagnose/values.h"
#include "identify/isolable.h"
#include "library/recording.h"
#include "library/result.h"
#include "report/report.h"
#include "session/state.h"

#include <math.h>
#include <string.h>

typedef struct { /* what a recording tells */
    darc_fit fit;
    darc_estimates e;
    darc_values v;
} told;

typedef struct {
    darc_planned shown; /* first: what the caller sees */
    darc_session *session;
    darc_criteria by;
    darc_question x;
    int *equation;    /* of x; owned */
    told a;           /* by the recording that is there */
    double *noise;    /* by unknown, of planned recordings; owned */
    darc_options ask; /* of the simulation */
    darc_pairs input; /* as given */
    int candidates;   /* parameters to be told apart */
    int *candidate;   /* variables of the values; owned */
    bool *never;      /* candidates x candidates: no test can; owned */
} planning;

/* A planned test is held against another: origins tell nothing.
 * Fails: as darc_reading_take and darc_values_init. */
static darc_status read_table(told *t, const planning *p,
                              const darc_table *table, bool planned,
                              darc_err *err)
{
    const darc_estimates *e = &t->e;
    DARC_NEED(darc_reading_take(&t->e, &t->fit, &p->x, table, NULL, err));
    if (planned && e->bare != NULL)
        darc_reading_drop_origins(t->e.bare_cov, e);
    if (planned)
        darc_reading_drop_origins(t->e.cov, e);
    return darc_values_init(&t->v, &p->x, p->session->id, &e, 1, err);
}

static void clear_told(told *t)
{
    darc_values_clear(&t->v);
    darc_estimates_clear(&t->e);
    darc_fit_clear(&t->fit);
}

/* Return how often the input of entry i is given, and its place among them. */
static int count_input(int *place, const darc_pairs *input, int i)
{
    int n = 0;
    for (int k = 0; k < input->count; k++) {
        /* A signal alone is that of the only input. */
        bool same = input->value[k][0] == '\0' || input->value[i][0] == '\0' ||
                    strcmp(input->name[k], input->name[i]) == 0;
        *place = k == i ? n : *place;
        n += same;
    }
    return n;
}

/* Append the inputs of test k: what is given once, and the k-th of the rest. */
static void put_inputs(darc_text_t out, const planning *p, int k,
                       const char *between)
{
    int place = 0;
    for (int i = 0; i < p->input.count; i++) {
        bool once = count_input(&place, &p->input, i) == 1;
        const char *value = p->input.value[i];
        if (once || place == k)
            darc_text_printf(out, "%s%s%s%s", out->len > 0 ? between : "",
                             p->input.name[i], value[0] != '\0' ? "=" : "",
                             value);
    }
}

/* Make the tests: the k-th takes the k-th signal of every input that is given
 * several times. */
static darc_status list_tests(planning *p, darc_err *err)
{
    int tests = 1, place = 0;
    for (int i = 0; i < p->input.count; i++) {
        int n = count_input(&place, &p->input, i);
        if (n > 1 && tests > 1 && n != tests)
            return darc_fail(err, DARC_USAGE,
                             "--input: '%s' is given %d times, another input "
                             "%d times: each once, or once for every test",
                             p->input.name[i], n, tests);
        tests = n > 1 ? n : tests;
    }
    darc_planned_test *test = darc_calloc((size_t)tests, sizeof *test);
    for (int k = 0; k < tests; k++) {
        darc_text_t text = DARC_TEXT;
        put_inputs(text, p, k, ", ");
        test[k] = (darc_planned_test){.input = darc_text_take(text),
                                      .worst = HUGE_VAL};
    }
    p->shown.tests = tests;
    p->shown.test = test;
    return DARC_OK;
}

/* From now on noise is known: what A shows, where it is not measured at rest.
 */
static void know_noise(planning *p)
{
    const darc_regression *r = &p->a.fit.r;
    int names = darc_model_names(p->session->model)->count;
    p->noise = darc_calloc((size_t)names, sizeof *p->noise);
    for (int u = 0; u < names; u++) {
        const darc_signalnoise *n = r->noise + u;
        bool shown = n->taps > 0 && n->colour != DARC_COLOUR_MEASURED;
        p->noise[u] = shown ? n->sd : NAN;
    }
    p->by.noise_sd = p->noise;
    if (p->a.e.coloured)
        darc_session_note(p->session,
                          "the noise of %s is not shown to be white: what is "
                          "said holds if it is (--noise-from measures it)",
                          p->shown.file);
    if (darc_reading_fails(&p->a.e, 0))
        darc_session_note(
            p->session,
            "%s: the equations leave %s unexplained, which planned "
            "recordings do not have (darc check structure)",
            p->shown.file, darc_percent_of(darc_reading_left(&p->a.e)).text);
}

static darc_status read_a(planning *p, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    darc_session *s = p->session;
    DARC_NEED(darc_session_needs_weak(s, err));
    p->equation = darc_session_ask(&p->x, s, &p->by);
    DARC_NEED(darc_session_read(s, p->shown.file, err));
    DARC_NEED(darc_session_identify(s, err));
    darc_status status = read_table(&p->a, p, s->table[0], false, &why);
    if (status != DARC_OK)
        return darc_fail(err, status, "%s: %s", p->shown.file, why.message);
    know_noise(p);
    return DARC_OK;
}

/* Parameters of the option "changed", or all that show. */
static void find_candidates(planning *p)
{
    const darc_session *s = p->session;
    const darc_values *v = &p->a.v;
    bool listed = s->set.changed != NULL;
    p->candidate = darc_calloc((size_t)v->vars + 1, sizeof *p->candidate);
    for (int k = 0; k < v->vars; k++)
        if (darc_adjoined_find(s->model, v->unknown[k]) < 0 &&
            v->information[k * v->vars + k] > 0 &&
            (!listed || s->changed[v->unknown[k]]))
            p->candidate[p->candidates++] = k;
}

/* Find candidates, and which of them the model itself does not tell apart. */
static darc_status find_never(planning *p, darc_err *err)
{
    find_candidates(p);
    size_t n = (size_t)p->candidates;
    int *unknown = darc_calloc(n + 1, sizeof *unknown);
    p->never = darc_calloc(n * n + 1, sizeof *p->never);
    for (int i = 0; i < p->candidates; i++)
        unknown[i] = p->a.v.unknown[p->candidate[i]];
    const darc_session *s = p->session;
    darc_status status = darc_isolability_never(
        p->never, unknown, p->candidates, s->id, s->budget, err);
    darc_free(unknown);
    return status;
}

static void set_option(darc_options *o, darc_option_id id, darc_text_t text)
{
    darc_free(o->value[id]);
    o->value[id] = text->len > 0 ? darc_text_take(text) : NULL;
}

/* What A knows only together with others has one of many values. */
static void note_choice(const planning *p, const darc_options *o, int u)
{
    const darc_identification_struct *id = p->session->id;
    for (slong k = 0; k < id->vars && darc_option_given(o, DARC_OPT_INIT); k++)
        if (id->unknown[k] == u && id->parameter[k] == DARC_NOT_IDENTIFIABLE)
            darc_session_note(p->session,
                              "'%s' is not identifiable by itself, and has one "
                              "of the values that fit: --init may mean another "
                              "state than with others",
                              id->name[k]);
}

/* Append the values of A to those given of parameters that no signal shows. */
static darc_status put_parameters(darc_text_t out, const planning *p,
                                  const darc_options *o, darc_err *err)
{
    darc_pairs given;
    darc_status status = DARC_OK;
    const darc_model *model = p->session->model;
    const darc_values *v = &p->a.v;
    darc_option_pairs(&given, o, DARC_OPT_PARAM);
    darc_text_puts(out,
                   given.count > 0 ? darc_option_text(o, DARC_OPT_PARAM) : "");
    for (int k = 0; k < v->vars && status == DARC_OK; k++) {
        int u = v->unknown[k];
        const char *name = darc_model_names(model)->symbol[u].name;
        if (darc_adjoined_find(model, u) >= 0 ||
            !(v->information[k * v->vars + k] > 0))
            continue;
        if (darc_pairs_has(&given, name))
            status = darc_fail(err, DARC_USAGE,
                               "--param: '%s' has the value that %s tells",
                               name, p->shown.file);
        note_choice(p, o, u);
        darc_text_printf(out, "%s%s=%.17g", out->len > 0 ? "," : "", name,
                         v->theta[k]);
    }
    darc_pairs_clear(&given);
    return status;
}

/* Let the simulation have the values of A, its rate, and its length. */
static darc_status set_simulation(planning *p, const darc_options *o,
                                  darc_err *err)
{
    darc_options *ask = &p->ask;
    darc_text_t text = DARC_TEXT;
    darc_status status = put_parameters(text, p, o, err);
    set_option(ask, DARC_OPT_PARAM, text);
    darc_text_printf(text, "%.17g", p->shown.rate);
    set_option(ask, DARC_OPT_SIM_RATE, text);
    if (!darc_option_given(ask, DARC_OPT_T_END)) {
        darc_text_printf(text, "%.17g",
                         (double)p->session->table[0]->samples / p->shown.rate);
        set_option(ask, DARC_OPT_T_END, text);
    }
    set_option(ask, DARC_OPT_MAP, text);
    return status;
}

/* Set *out to the recording of test k, completed by derived signals. */
static darc_status make(darc_recording **out, planning *p, int k, darc_err *err)
{
    darc_text_t text = DARC_TEXT;
    const darc_names_struct *names = darc_model_names(p->session->model);
    const uint64_t seed = (uint64_t)darc_option_whole(&p->ask, DARC_OPT_SEED);
    put_inputs(text, p, k, "\n");
    set_option(&p->ask, DARC_OPT_INPUT, text);
    DARC_NEED(darc_recording_simulate(out, p->session->model, &p->ask,
                                      p->session->budget, err));
    darc_table *table = (*out)->table;
    for (int j = 0; j < table->signals; j++) {
        const char *name = table->signal[j].name;
        int u = darc_names_find(names, name, strlen(name));
        darc_signalnoise_add(table->signal[j].value, table->samples,
                             p->a.fit.r.noise + u, seed, (uint64_t)u);
    }
    p->shown.samples = table->samples;
    return darc_session_complete(p->session, table, err);
}

/* Of the functions that A knows. */
static void foresee_functions(planning *p, darc_planned_test *test,
                              const told *t)
{
    int n = p->a.v.functions, listed = 0;
    darc_foreseen *found = darc_calloc((size_t)n + 1, sizeof *found);
    double *least = darc_calloc(2 * (size_t)n + 1, sizeof *least);
    darc_foresee_changes(least, &t->v, &t->v, p->shown.alpha);
    darc_foresee_changes(least + n, &p->a.v, &t->v, p->shown.alpha);
    for (int k = 0; k < n; k++) {
        char *name =
            p->a.v.value[k].known ? darc_session_function(p->session, k) : NULL;
        if (name != NULL)
            found[listed++] = (darc_foreseen){name, least[k], least[n + k]};
    }
    p->shown.functions = listed;
    test->found = found;
    darc_free(least);
}

static void foresee_pairs(planning *p, darc_planned_test *test, const told *t)
{
    int n = p->candidates;
    const darc_names_struct *names = darc_model_names(p->session->model);
    darc_told_apart *apart = darc_calloc((size_t)(n * n) + 1, sizeof *apart);
    p->shown.pairs = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j)
                apart[p->shown.pairs++] = (darc_told_apart){
                    names->symbol[t->v.unknown[p->candidate[i]]].name,
                    names->symbol[t->v.unknown[p->candidate[j]]].name,
                    p->never[i * n + j]
                        ? HUGE_VAL
                        : darc_foresee_apart(&t->v, p->candidate[i],
                                             p->candidate[j], p->shown.alpha)};
    test->apart = apart;
}

/* A recording that tells nothing is no failure of the plan. */
static darc_status foresee(planning *p, int k, darc_err *err)
{
    darc_status status;
    darc_err why = {DARC_OK, ""};
    told t = {.e = {0}};
    darc_recording *r = NULL;
    darc_planned_test *test = (darc_planned_test *)p->shown.test + k;
    DARC_TRY(make(&r, p, k, err));
    status = read_table(&t, p, r->table, true, &why);
    if (status == DARC_DATA || status == DARC_DOMAIN) {
        test->failure = darc_strdup(why.message);
        status = DARC_OK;
    } else if (status != DARC_OK) {
        darc_fail_as(err, status, &why);
    } else {
        foresee_functions(p, test, &t);
        foresee_pairs(p, test, &t);
    }
done:
    clear_told(&t);
    darc_recording_free(r);
    return status;
}

/* Find which test is the best: pairs count that some test tells apart; where
 * there are none, functions. */
static void compare_tests(planning *p)
{
    darc_planned *s = &p->shown;
    darc_planned_test *test = (darc_planned_test *)s->test;
    for (int k = 0; k < s->tests; k++)
        test[k].worst = test[k].failure == NULL ? 0 : HUGE_VAL;
    for (int i = 0; i < s->pairs; i++) {
        bool tells = false;
        for (int k = 0; k < s->tests; k++)
            tells = tells || (test[k].apart != NULL &&
                              isfinite(test[k].apart[i].relative));
        s->tells = s->tells || tells;
        for (int k = 0; k < s->tests && tells; k++)
            if (test[k].failure == NULL)
                test[k].worst = fmax(test[k].worst, test[k].apart[i].relative);
    }
    s->best = -1;
    for (int k = 0; k < s->tests; k++) {
        if (test[k].failure != NULL)
            continue;
        for (int i = 0; i < s->functions && !s->tells; i++)
            test[k].worst = fmax(test[k].worst, test[k].found[i].relative);
        if (s->best < 0 || test[k].worst < test[s->best].worst)
            s->best = k;
    }
}

static darc_status run_tests(planning *p, const darc_options *o, darc_err *err)
{
    DARC_NEED(list_tests(p, err));
    DARC_NEED(read_a(p, err));
    p->shown.rate = 1 / p->session->table[0]->dt;
    p->shown.alpha = p->by.alpha;
    DARC_NEED(find_never(p, err));
    DARC_NEED(set_simulation(p, o, err));
    for (int k = 0; k < p->shown.tests; k++)
        DARC_NEED(foresee(p, k, err));
    compare_tests(p);
    p->shown.notes = p->session->notes;
    p->shown.note = (const char *const *)p->session->note;
    return DARC_OK;
}

static darc_status plan(void *result, const darc_request *q,
                        const darc_budget *budget, darc_err *err)
{
    planning *p = result;
    darc_options_copy(&p->ask, q->options, DARC_CMD_PLAN);
    darc_option_pairs(&p->input, &p->ask, DARC_OPT_INPUT);
    if (!darc_option_given(&p->ask, DARC_OPT_VALUES))
        return darc_fail(err, DARC_USAGE,
                         "plan: say which recording tells values and noise: "
                         "--values DATA");
    DARC_NEED(
        darc_session_open(&p->session, q->model[0], &p->ask, budget, err));
    p->shown.command_line = q->options->command_line;
    p->shown.model_name = darc_model_name(q->model[0]);
    p->shown.model_file = darc_model_file(q->model[0]);
    p->shown.file = darc_option_text(q->options, DARC_OPT_VALUES);
    return run_tests(p, q->options, err);
}

static void clear_plan(void *result)
{
    planning *p = result;
    darc_planned *shown = &p->shown;
    for (int k = 0; k < shown->tests; k++) {
        const darc_planned_test *t = &shown->test[k];
        for (int i = 0; i < shown->functions && t->found != NULL; i++)
            darc_free((void *)t->found[i].function);
        DARC_FREE((void *)t->input, (void *)t->failure, (void *)t->found,
                  (void *)t->apart);
    }
    darc_free((void *)shown->test);
    clear_told(&p->a);
    darc_session_free(p->session);
    darc_options_clear(&p->ask);
    darc_pairs_clear(&p->input);
    DARC_FREE(p->equation, p->noise, p->candidate, p->never);
}

static void put_plan(darc_text_t out, void *result, const char *format)
{
    const planning *p = result;
    if (*format == 'j')
        darc_planning_json(out, &p->shown);
    else
        darc_planning_print(out, &p->shown,
                            darc_option_given(&p->ask, DARC_OPT_QUIET));
}

darc_status darc_plan(darc_planned **planned, const darc_model *model,
                      const darc_options *options, const darc_budget *budget,
                      darc_err *err)
{
    static const darc_result_kind kind =
        DARC_RESULT_KIND(planning, PLAN, plan, darc_carry_planned, NULL,
                         put_plan, clear_plan, "text", "json");
    return darc_result_new(
        planned, &kind, &(darc_request){{model}, options, NULL}, budget, err);
}

DARC_RESULT_OF(darc_planned, darc_planned)
