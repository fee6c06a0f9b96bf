#include "library/behaviour.h"

#include "base/mem.h"
#include "eliminate/transfer.h"
#include "identify/identify.h"
#include "identify/observable.h"
#include "session/thresholds.h"

#include <math.h>
#include <string.h>

/* What is asked for, and what bounds it. */
typedef struct {
    const darc_model *model;
    const darc_options *options;
    double work;
    darc_budget budget;
    darc_ranking_t rk;
    darc_coeffs_struct *c; /* NULL: not wanted */
    bool responds;
} job;

/* By operators within so much work. */
static bool find_linear(darc_ioeqs_t io, const job *w, double work)
{
    darc_budget own = w->budget;
    own.work = fmin(own.work, work);
    return darc_ioeqs_init(io, w->model, w->rk, DARC_ENGINE_LINEAR, &own,
                           NULL) == DARC_OK;
}

static bool all_short(const darc_ioeqs_t io)
{
    for (int i = 0; i < io->count; i++)
        if (io->eq[i].part->count > DARC_RESPONSE_PARTS)
            return false;
    return true;
}

/* Return whether the model has transfer functions, which costs little. */
static bool has_transfer(const darc_model *model, const darc_budget *budget)
{
    double left = 0; /* what is not linear is found out before any work */
    darc_budget own = darc_budget_with(budget, &left);
    darc_transfer r;
    darc_status status = darc_transfer_init(&r, model, NULL, &own, NULL);
    if (status == DARC_OK)
        darc_transfer_clear(&r);
    return status == DARC_OK || status == DARC_LIMIT;
}

static darc_status find_within(darc_ioeqs_t io, job *w, darc_err *err)
{
    if (darc_ioeqs_init_standing(io, w->model, w->rk, &w->budget, NULL) ==
        DARC_OK)
        return DARC_OK;
    DARC_NEED(darc_budget_check(&w->budget, err));
    /* Operators are short work, and their coefficients say all. */
    if (w->c != NULL && find_linear(io, w, DARC_EXPANDED_WORK))
        return DARC_OK;
    bool is_short = false;
    if (w->c != NULL && has_transfer(w->model, &w->budget)) {
        darc_err why = {DARC_OK, ""}; /* need not be the last word */
        darc_status status =
            darc_ioeqs_init_support(io, w->model, w->rk, &w->budget, &why);
        is_short = status == DARC_OK && all_short(io);
        w->responds =
            !is_short && darc_response_coeffs(w->c, w->model, &w->budget);
        if (w->responds)
            return darc_fail_as(err, status, &why);
        if (status == DARC_OK)
            darc_ioeqs_clear(io);
    }
    return !is_short && find_linear(io, w, DARC_FITTED_WORK)
               ? DARC_OK
               : darc_ioeqs_init_within(io, w->model, w->rk, w->work,
                                        &w->budget, err);
}

static darc_status find(darc_ioeqs_t io, job *w, const darc_budget *budget,
                        darc_err *err)
{
    const darc_options *o = w->options;
    const darc_names_struct *names = darc_model_names(w->model);
    darc_status status = DARC_OK;
    w->budget = darc_budget_with(budget, NULL);
    w->budget.work =
        fmin(DARC_IDENTIFY_WORK,
             w->budget.work > 0 ? w->budget.work : DARC_IDENTIFY_WORK);
    darc_ranking_init(w->rk, names->count);
    darc_model_ranking(w->rk, w->model);
    DARC_TRY(darc_option_ranking(w->rk, darc_option_text(o, DARC_OPT_RANKING),
                                 names, err));
    status = darc_option_given(o, DARC_OPT_ENGINE)
                 ? darc_ioeqs_init(
                       io, w->model, w->rk,
                       (darc_engine)darc_option_choice(o, DARC_OPT_ENGINE),
                       budget, err)
                 : find_within(io, w, err);
done:
    darc_ranking_clear(w->rk);
    return status;
}

darc_status darc_behaviour_find(darc_ioeqs_t io, const darc_model *model,
                                const darc_options *options, double work,
                                const darc_budget *budget, darc_err *err)
{
    job w = {.model = model, .options = options, .work = work};
    return find(io, &w, budget, err);
}

darc_status darc_behaviour_respond(darc_ioeqs_t io, darc_coeffs_t c,
                                   const darc_model *model,
                                   const darc_options *options,
                                   const darc_budget *budget, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    job w = {.model = model, .options = options, .work = DARC_EXPANDED_WORK};
    int outputs = 0;
    for (int u = 0; u < names->count; u++)
        outputs += names->symbol[u].kind == DARC_OUTPUT;
    w.c = outputs > 1 ? c : NULL; /* one equation says as much */
    darc_status status = find(io, &w, budget, err);
    if (w.responds && (status != DARC_OK || darc_ioeqs_are_expanded(io)))
        darc_coeffs_clear(c);
    else if (!w.responds)
        c->vectors = 0;
    return status;
}

darc_status darc_asked_try(const darc_model *base, const char *label,
                           const char *text, const char *option, darc_err *err)
{
    darc_model *extended = NULL;
    darc_err why = {DARC_OK, ""};
    darc_status status =
        darc_model_extend(&extended, base, &label, &text, 1, &why);
    darc_model_free(extended);
    if (status == DARC_OK)
        return DARC_OK;
    const char *error = strstr(why.message, "error: ");
    const char *what = error == NULL ? why.message : error + 7;
    return darc_fail(err, DARC_USAGE, "%s: '%s': %.*s", option, text,
                     (int)strcspn(what, "\n"), what);
}

bool darc_asked_told(darc_identified_function *status, const char **state,
                     int count, const darc_model *model,
                     const darc_identification_t id)
{
    bool told = true;
    size_t names = (size_t)darc_model_names(model)->count;
    bool *given = darc_calloc(names + 1, sizeof *given);
    for (slong v = 0; v < id->vars; v++)
        given[id->unknown[v]] = id->parameter[v] == DARC_GLOBALLY;
    for (int i = 0; i < count && told; i++) {
        told = darc_model_tells(model, given, state[i]);
        status[i] = (darc_identified_function){state[i], DARC_GLOBALLY, true};
    }
    darc_free(given);
    return told;
}

bool darc_starts_whole(darc_model **whole, const darc_options *options,
                       const darc_model *model)
{
    darc_pairs p = {0};
    bool hidden = false;
    darc_option_pairs(&p, options, DARC_OPT_START);
    for (int i = 0; i < p.count; i++)
        hidden = hidden || p.value[i][0] != '\0';
    darc_pairs_clear(&p);
    hidden = hidden && darc_model_computes(model);
    if (hidden && darc_model_whole(whole, model, NULL) == DARC_OK)
        hidden = darc_model_computes(*whole);
    return hidden;
}

void darc_starts_list(darc_pairs *p, int *own, const darc_options *options,
                      const darc_model *model)
{
    fmpq_t number;
    int root;
    fmpq_init(number);
    darc_option_pairs(p, options, DARC_OPT_START);
    *own = p->count;
    for (int i = 0; i < darc_adjoined_count(model) && *own > 0; i++) {
        const darc_start_texts starts = {p->count, p->name, p->value};
        char *value = darc_function_start(&root, number, model, i, &starts);
        if (value == NULL)
            continue;
        int u = darc_adjoined_unknown(model, i), at = p->count++;
        DARC_ROOM(p->name, at);
        DARC_ROOM(p->value, at);
        p->name[at] = darc_strdup(darc_model_names(model)->symbol[u].name);
        p->value[at] = value;
        if (root < 0)
            continue;
        /* A root mostly takes the place of the state. */
        char *name = p->name[at];
        p->name[at] = p->name[root];
        p->value[at] = p->value[root];
        p->name[root] = name;
        p->value[root] = value;
    }
    fmpq_clear(number);
}
