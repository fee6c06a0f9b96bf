#include "darc/identify.h"

#include "base/mem.h"
#include "coefficient/scaling.h"
#include "eliminate/thresholds.h"
#include "identify/identify.h"
#include "identify/isolable.h"
#include "identify/observable.h"
#include "library/behaviour.h"
#include "library/result.h"
#include "model/model.h"
#include "report/report.h"
#include "session/thresholds.h"

#include <string.h>

/* What was found. */
typedef struct {
    darc_identified shown; /* first: what the caller sees */
    const darc_options *options;
    const darc_budget *budget;
    const darc_model *model;
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_isolability_t table;
    bool has_io, has_id, has_table;
    bool ranked;           /* ranks say what is asked for, so far */
    bool ranks_alone;      /* equations are out of reach */
    bool responds;         /* the field is that of transfer functions */
    darc_pairs asks;       /* functions of the option */
    darc_pairs starts;     /* initial values of the option */
    int *value;            /* of these: the output it is, or -1; owned */
    int states;            /* of the model, without functions */
    int outputs;           /* asked for, as listed */
    const char **label;    /* of outputs for what is asked; owned */
    const char **expr;     /* what they are; owned */
    darc_observable asked; /* states, asks, parameters, values of starts */
    darc_identified_function *status; /* of these; owned */
    darc_scaling scaling;
    darc_identified_scale *scale; /* of the model's unknowns; owned */
    darc_text_t scaled, advice;   /* without scales; for long equations */
    int revealed;        /* functions that can be computed from what is known */
    darc_model *chained; /* unknown inputs are states; NULL: enough is left */
    darc_model *known;   /* with all of these measured; NULL: not all can be */
    darc_model *whole;   /* with measured functions as states, or NULL */
    bool hidden;         /* signals are computed from what starts at values */
} findings;

static void put_findings(darc_text_t out, void *result, const char *format)
{
    const findings *f = result;
    darc_identify_report r = {darc_model_name(f->model),
                              darc_model_file(f->model),
                              f->has_io ? f->io : NULL, &f->shown,
                              f->advice->len > 0 ? f->advice->s : NULL};
    if (*format == 'j')
        darc_identify_json(out, &r);
    else
        darc_identify_text(out, &r,
                           darc_option_given(f->options, DARC_OPT_VERBOSE));
}

/* Set what is shown to what is known, functions as the model writes them. */
static void set_shown(findings *f)
{
    darc_identified *to = &f->shown;
    darc_identified_set(to, f->id, f->has_table ? f->table : NULL);
    for (int k = 0; k < to->functions; k++) {
        darc_text_t t = DARC_TEXT;
        darc_adjoined_say(t, f->model, to->function[k]);
        darc_free((void *)to->function[k]);
        ((const char **)to->function)[k] = darc_text_take(t);
    }
}

/* Give parameters what initial values say of them; where these are known
 * whatever they are, nothing gets lost. */
static void use_starts(findings *f)
{
    bool values = false;
    darc_identified_parameter *p =
        (darc_identified_parameter *)f->shown.parameter;
    for (int i = 0; i < f->starts.count; i++)
        values = values || f->value[i] >= 0;
    for (int v = 0; v < f->shown.parameters; v++) {
        const darc_identified_function *s =
            f->status + f->states + f->asks.count + v;
        bool open = s->identifiable == DARC_PERHAPS && !values &&
                    p[v].identifiable != DARC_NOT_IDENTIFIABLE;
        p[v].confirmed = p[v].confirmed && !values;
        p[v].final = open ? false : s->final;
        p[v].identifiable = open ? p[v].identifiable : s->identifiable;
    }
    f->shown.from_start = true;
}

static void show_asked(findings *f)
{
    f->shown.states = f->states;
    f->shown.state = f->status;
    f->shown.asked = f->asks.count;
    f->shown.asks = f->status + f->states;
    if (f->starts.count > 0)
        use_starts(f);
}

/* Hand over what is known as the partial result. */
static void reach_findings(findings *f)
{
    const char *json = darc_option_text(f->options, DARC_OPT_JSON);
    darc_text_t text = DARC_TEXT;
    if (f->starts.count > 0 && !f->ranked)
        return; /* starts may change what is known without them */
    set_shown(f);
    if (f->ranked)
        show_asked(f);
    put_findings(text, f,
                 json != NULL && strcmp(json, "-") == 0 ? "json" : "text");
    darc_identified_clear(&f->shown);
    darc_budget_partial(f->budget, text->s);
    darc_text_clear(text);
}

/* Values did not show all functions: find them again by expanded equations. */
static darc_status look_again(findings *f, darc_err *err)
{
    darc_ioeqs_t io;
    darc_identification_t id;
    DARC_NEED(darc_behaviour_find(io, f->model, f->options, DARC_FITTED_WORK,
                                  f->budget, err));
    if (!darc_ioeqs_are_expanded(io)) {
        darc_ioeqs_clear(io);
        return DARC_OK;
    }
    darc_ioeqs_clear(f->io);
    f->io[0] = io[0];
    DARC_NEED(
        darc_identification_init_field(id, f->io, f->model, f->budget, err));
    darc_identification_clear(f->id);
    f->id[0] = id[0];
    reach_findings(f);
    return DARC_OK;
}

/* Find what shows where functions are measured; *more: it was not too long. */
static darc_status look_with(findings *f, const darc_model *revealed, bool all,
                             bool *more, darc_err *err)
{
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_err why = {DARC_OK, ""};
    darc_status status = darc_behaviour_find(
        io, revealed, f->options, DARC_EXPANDED_WORK, f->budget, &why);
    if (status == DARC_OK) {
        status =
            darc_identification_init_field(id, io, revealed, f->budget, &why);
        darc_ioeqs_clear(io);
    }
    *more = status == DARC_OK;
    if (*more) {
        darc_identification_widen_take(f->id, id, all);
        DARC_NEED(darc_identification_bind(f->id, f->model, f->budget, err));
    }
    if (status == DARC_LIMIT && darc_budget_check(f->budget, NULL) == DARC_OK)
        return DARC_OK;
    return *more ? DARC_OK : darc_fail_as(err, status, &why);
}

/* As long as that shows more: functions of measured signals, and of states and
 * parameters that are known, can be computed. */
static darc_status reveal(findings *f, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(f->model);
    bool *given = darc_calloc((size_t)names->count + 1, sizeof *given);
    darc_status status = DARC_OK;
    int states = 0;
    for (int i = 0; i < f->states && f->starts.count == 0; i++)
        given[darc_names_find(names, f->expr[i], strlen(f->expr[i]))] =
            f->status[i].identifiable == DARC_GLOBALLY;
    for (int i = 0; i < darc_adjoined_count(f->model); i++)
        states += names->symbol[darc_adjoined_unknown(f->model, i)].kind ==
                  DARC_STATE;
    for (bool more = states > 0; more && status == DARC_OK;) {
        darc_model *model = NULL;
        int count;
        for (slong v = 0; v < f->id->vars; v++)
            given[f->id->unknown[v]] = f->id->parameter[v] == DARC_GLOBALLY;
        DARC_TRY(darc_model_reveal(&model, &count, f->model, given, err));
        more = count > f->revealed;
        f->revealed = count;
        if (more)
            status = look_with(f, model, count == states, &more, err);
        if (more && count == states)
            f->known = model;
        else
            darc_model_free(model);
        if (status == DARC_OK)
            reach_findings(f);
    }
done:
    darc_free(given);
    return status;
}

/* Do so, and make the functions short; again: if there are more of them. */
static darc_status reveal_all(findings *f, bool again, darc_err *err)
{
    int before = again ? f->revealed : -1;
    DARC_NEED(reveal(f, err));
    if (f->id->beyond || f->revealed == before)
        return DARC_OK;
    DARC_NEED(darc_identification_shorten(f->id, f->budget, err));
    reach_findings(f);
    return DARC_OK;
}

/* List states and what is asked for; with initial values parameters, too. */
static void list_asked(findings *f)
{
    const darc_names_struct *names = darc_model_names(f->model);
    darc_option_pairs(&f->asks, f->options, DARC_OPT_ASK);
    f->hidden = darc_starts_whole(&f->whole, f->options, f->model);
    darc_starts_list(&f->starts, &f->asked.starts.own, f->options,
                     f->whole != NULL ? f->whole : f->model);
    size_t most = (size_t)(2 * names->count + f->asks.count + f->starts.count);
    DARC_CALLOC(most + 1, f->label, f->expr, f->status);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_STATE &&
            darc_adjoined_find(f->model, u) < 0)
            f->expr[f->states++] = names->symbol[u].name;
    f->outputs = f->states;
    for (int i = 0; i < f->asks.count; i++)
        f->expr[f->outputs++] = f->asks.name[i];
    f->value = darc_calloc((size_t)f->starts.count + 1, sizeof *f->value);
    for (int u = 0; u < names->count && f->starts.count > 0; u++)
        if (names->symbol[u].kind == DARC_PARAMETER &&
            darc_adjoined_find(f->model, u) < 0)
            f->expr[f->outputs++] = names->symbol[u].name;
    for (int i = 0; i < f->starts.count; i++) {
        f->value[i] = f->starts.value[i][0] != '\0' ? f->outputs : -1;
        if (f->value[i] >= 0)
            f->expr[f->outputs++] = f->starts.value[i];
    }
    for (int i = 0; i < f->outputs; i++)
        f->label[i] = darc_text_of("asked_%d", i);
    f->asked.starts =
        (darc_starts){f->starts.count, (const char *const *)f->starts.name,
                      f->value, f->asked.starts.own};
}

/* Decide function i alone, where all of them together say nothing of it. */
static darc_status find_alone(findings *f, const darc_model *base, int i,
                              darc_err *err)
{
    double work = f->asked.status[i] == DARC_PERHAPS ? DARC_FITTED_WORK
                                                     : DARC_IMPLICIT_WORK;
    const darc_single one = {base,       f->label[0],
                             f->expr[i], f->has_io ? f->io : NULL,
                             f->id,      work / f->outputs};
    return darc_single_find(f->asked.status + i, f->asked.final + i, &one,
                            f->budget, err);
}

static void take_asked(findings *f, const darc_observable *o)
{
    for (int i = 0; i < f->outputs; i++) {
        bool open = f->hidden && o->status[i] != DARC_NOT_IDENTIFIABLE;
        f->status[i] = (darc_identified_function){
            f->expr[i], open ? DARC_PERHAPS : o->status[i],
            o->final[i] && !open};
    }
}

/* What ranks say of what is asked for, until more is known. */
static void rank_asked(findings *f)
{
    darc_model *extended = NULL;
    darc_observable o = {.count = f->outputs, .starts = f->asked.starts};
    if (darc_model_extend(&extended, f->whole != NULL ? f->whole : f->model,
                          f->label, f->expr, f->outputs, NULL) != DARC_OK)
        return;
    f->ranked = darc_observable_init(&o, extended, NULL, f->id, f->budget,
                                     NULL) == DARC_OK;
    if (f->ranked)
        take_asked(f, &o);
    darc_observable_clear(&o);
    darc_model_free(extended);
}

static darc_status find_asked(findings *f, darc_err *err)
{
    darc_status status;
    darc_model *extended = NULL; /* with outputs for all of these */
    const darc_model *base = f->whole != NULL   ? f->whole
                             : f->known != NULL ? f->known
                                                : f->model;
    f->asked.count = f->outputs;
    for (int i = f->states; i < f->outputs; i++)
        DARC_TRY(darc_asked_try(
            base, f->label[i], f->expr[i],
            i < f->states + f->asks.count ? "--ask" : "--init", err));
    DARC_TRY(
        darc_model_extend(&extended, base, f->label, f->expr, f->outputs, err));
    if (f->chained != NULL) {
        darc_model *chained = NULL;
        DARC_TRY(darc_model_chained(&chained, extended,
                                    darc_model_chain(f->chained), err));
        darc_model_free(extended);
        extended = chained;
    }
    DARC_TRY(darc_observable_init(&f->asked, extended, f->has_io ? f->io : NULL,
                                  f->id, f->budget, err));
    for (int i = 0; i < f->outputs && f->starts.count == 0; i++)
        if (f->asked.status[i] == DARC_PERHAPS ||
            (!f->asked.solved && !f->asked.final[i] && f->has_io))
            DARC_TRY(find_alone(f, base, i, err));
    take_asked(f, &f->asked);
done:
    darc_model_free(extended);
    return status;
}

/* Unless all is identifiable or initial values count: find unseen scales. */
static darc_status find_scales(findings *f, darc_err *err)
{
    darc_scaling *s = &f->scaling;
    bool open = false;
    for (slong v = 0; v < f->id->vars; v++)
        open = open || f->id->parameter[v] == DARC_NOT_IDENTIFIABLE;
    for (int i = 0; i < f->states; i++)
        open = open || f->status[i].identifiable == DARC_NOT_IDENTIFIABLE;
    if (f->starts.count > 0 || !open)
        return DARC_OK;
    darc_status status = darc_scaling_init(s, f->model, err);
    if (status != DARC_OK || s->count == 0)
        return status;
    f->scale = darc_calloc((size_t)s->unknowns, sizeof *f->scale);
    for (int u = 0; u < s->unknowns; u++)
        if (s->one[u] || s->stands[u] != NULL)
            f->scale[f->shown.scales++] =
                (darc_identified_scale){darc_model_unknown(f->model, u),
                                        s->one[u] ? "1" : s->stands[u]};
    for (int i = 0; i < f->states; i++) /* what one moves is not told */
        for (int k = 0; k < f->shown.scales; k++)
            if (f->status[i].identifiable == DARC_PERHAPS &&
                strcmp(f->expr[i], f->scale[k].name) == 0)
                f->status[i] = (darc_identified_function){
                    f->expr[i], DARC_NOT_IDENTIFIABLE, true};
    darc_model_print(f->scaled, s->model);
    f->shown.enough = f->id->own - s->count == f->id->shown;
    return DARC_OK;
}

/* Where unknown inputs leave no relation: ranks, with these inputs anything. */
static darc_status rank_chained(findings *f)
{
    int length = darc_model_names(f->model)->count + 2;
    DARC_NEED(darc_model_chained(&f->chained, f->model, length, NULL));
    if (f->chained == NULL)
        return DARC_DOMAIN;
    f->ranks_alone = true;
    f->has_id = darc_identification_init_local(f->id, f->chained, f->budget,
                                               NULL) == DARC_OK;
    return f->has_id ? DARC_OK : DARC_DOMAIN;
}

/* Find equations and the functions that they show; out of reach, ranks alone,
 * those that are found where there are some. */
static darc_status find_field(findings *f, darc_identification_struct *ranks,
                              darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    darc_coeffs_t c;
    darc_budget own = darc_budget_share(f->budget, DARC_ELIMINATION_SHARE);
    own.work = ranks->implicit ? DARC_IMPLICIT_WORK : own.work;
    darc_status status =
        darc_behaviour_respond(f->io, c, f->model, f->options, &own, &why);
    f->responds = c->vectors > 0;
    f->has_io = status == DARC_OK;
    if (f->responds)
        status =
            darc_identification_init_response(f->id, c, f->model, &own, &why);
    else if (status == DARC_OK)
        status =
            darc_identification_init_field(f->id, f->io, f->model, &own, &why);
    f->has_id = status == DARC_OK;
    if (status == DARC_DOMAIN && !f->has_io && !f->responds &&
        rank_chained(f) == DARC_OK)
        return DARC_OK;
    if (status != DARC_LIMIT || darc_budget_check(f->budget, NULL) != DARC_OK)
        return darc_fail_as(err, status, &why);
    if (f->has_io)
        darc_ioeqs_clear(f->io);
    f->has_io = false;
    f->ranks_alone = true;
    f->id[0] = ranks[0];
    status =
        ranks->ctx != NULL
            ? DARC_OK
            : darc_identification_init_local(f->id, f->model, f->budget, &why);
    ranks->ctx = NULL;
    if (status == DARC_DOMAIN && rank_chained(f) == DARC_OK)
        return DARC_OK;
    f->has_id = status == DARC_OK;
    if (f->has_id)
        darc_ioeqs_advise(f->advice, f->model, f->budget);
    return f->has_id ? DARC_OK : darc_fail_as(err, status, &why);
}

/* Find f->shown, and in f->status what was asked for. */
static darc_status find_all(findings *f, darc_err *err)
{
    darc_identification_t ranks = {{.vars = 0}};
    if (!darc_ioeqs_are_coupled(f->model, f->budget) &&
        darc_identification_init_local(f->id, f->model, f->budget, NULL) ==
            DARC_OK) { /* they cost milliseconds */
        if (f->starts.count == 0)
            reach_findings(f);
        rank_asked(f);
        reach_findings(f);
        ranks[0] = f->id[0];
    }
    darc_status status = find_field(f, ranks, err);
    bool widen = status == DARC_OK && !f->ranks_alone;
    for (slong v = 0; v < ranks->vars && v < f->id->vars && widen; v++)
        if (f->id->parameter[v] == DARC_PERHAPS)
            f->id->parameter[v] = ranks->parameter[v];
    if (widen && f->id->dimension == 0)
        f->id->shown = f->id->dimension = ranks->dimension;
    if (ranks->ctx != NULL)
        darc_identification_clear(ranks);
    DARC_NEED(status);
    if (!f->id->beyond) /* then long ones follow */
        reach_findings(f);
    if (!f->ranks_alone) {
        if (!f->id->complete && !f->responds && !darc_ioeqs_are_expanded(f->io))
            DARC_NEED(look_again(f, err));
        DARC_NEED(reveal_all(f, false, err));
    }
    if (f->outputs > 0 &&
        (f->starts.count > 0 || f->ranks_alone ||
         !darc_asked_told(f->status, f->expr, f->outputs, f->model, f->id)))
        DARC_NEED(find_asked(f, err));
    if (!f->ranks_alone && f->states > 0) /* with what states are known */
        DARC_NEED(reveal_all(f, true, err));
    if (!f->ranks_alone && f->id->complete && f->starts.count == 0 &&
        !darc_identification_hides(f->id, f->model))
        DARC_NEED(darc_isolability_init(f->table, &f->has_table, f->id,
                                        f->budget, err));
    set_shown(f);
    return find_scales(f, err);
}

static darc_status identify(void *result, const darc_request *q,
                            const darc_budget *budget, darc_err *err)
{
    findings *f = result;
    f->options = q->options;
    f->budget = budget;
    f->model = q->model[0];
    DARC_EACH(darc_text_init, f->scaled, f->advice);
    list_asked(f);
    DARC_NEED(find_all(f, err));
    f->shown.scale = f->scale;
    f->shown.scaled = f->shown.scales > 0 ? f->scaled->s : NULL;
    show_asked(f);
    return DARC_OK;
}

static void clear_findings(void *result)
{
    findings *f = result;
    darc_identified_clear(&f->shown);
    DARC_FREE_EACH(f->label, f->outputs);
    DARC_FREE((void *)f->label, (void *)f->expr, f->status, f->value, f->scale);
    darc_observable_clear(&f->asked);
    DARC_EACH(darc_model_free, f->known, f->whole, f->chained);
    DARC_EACH(darc_pairs_clear, &f->asks, &f->starts);
    darc_scaling_clear(&f->scaling);
    DARC_EACH(darc_text_clear, f->scaled, f->advice);
    if (f->has_table)
        darc_isolability_clear(f->table);
    if (f->has_id)
        darc_identification_clear(f->id);
    if (f->has_io)
        darc_ioeqs_clear(f->io);
}

darc_status darc_identify(darc_identified **found, const darc_model *model,
                          const darc_options *options,
                          const darc_budget *budget, darc_err *err)
{
    static const darc_result_kind kind =
        DARC_RESULT_KIND(findings, IDENTIFY, identify, darc_carry_identified,
                         NULL, put_findings, clear_findings, "text", "json");
    return darc_result_new(
        found, &kind, &(darc_request){{model}, options, NULL}, budget, err);
}

DARC_RESULT_OF(darc_identified, darc_identified)
