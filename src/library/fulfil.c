#include "darc/fulfil.h"

#include "algebra/realpoint.h"
#include "base/mem.h"
#include "chain/elim.h"
#include "eliminate/eliminate.h"
#include "identify/matching.h"
#include "identify/nearest.h"
#include "identify/thresholds.h"
#include "library/band.h"
#include "model/model.h"
#include "page/page.h"
#include "report/report.h"
#include "session/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    darc_fulfilled shown; /* first: what the caller sees */
    darc_options options; /* a copy */
    const darc_budget *budget;
    darc_model *model[2]; /* with the numbers of --param; owned */
    darc_ioeqs_t io[2];
    bool *free[2]; /* of each unknown; owned */
    bool has_io[2], has_matching, has_components;
    darc_matching m;
    darc_decomposition_t d;
    darc_fulfilling *parameter;   /* owned */
    char **condition, **relation; /* owned */
    bool unstable; /* points were passed over, for what they cancel */
    bool has_nearest;
    darc_nearest nearest; /* over the band of the options */
    darc_text_t text;
} task;

static int find_parameter(const darc_model *model, const char *name)
{
    const darc_names_struct *names = darc_model_names(model);
    int u = darc_names_find(names, name, strlen(name));
    return u >= 0 && names->symbol[u].kind == DARC_PARAMETER ? u : -1;
}

/* Set the models, with the numbers of --param in both. */
static darc_status set_models(task *t, const darc_model *const *given,
                              darc_err *err)
{
    darc_status status = DARC_OK;
    darc_pairs p;
    darc_option_pairs(&p, &t->options, DARC_OPT_PARAM);
    for (int i = 0; i < p.count; i++) {
        char *end;
        if (!isfinite(strtod(p.value[i], &end)) || *end != '\0')
            DARC_TRY(darc_fail(err, DARC_USAGE,
                               "--param: '%s' of '%s' is not a number",
                               p.value[i], p.name[i]));
        if (find_parameter(given[0], p.name[i]) < 0 &&
            find_parameter(given[1], p.name[i]) < 0)
            DARC_TRY(darc_fail(err, DARC_USAGE,
                               "--param: '%s' is a parameter of neither model",
                               p.name[i]));
    }
    for (int k = 0; k < 2; k++) {
        size_t n = (size_t)darc_model_names(given[k])->count + 1;
        const char **value = darc_calloc(n, sizeof *value);
        for (int i = 0; i < p.count; i++)
            if (find_parameter(given[k], p.name[i]) >= 0)
                value[find_parameter(given[k], p.name[i])] = p.value[i];
        status = darc_model_fix(&t->model[k], given[k], value, err);
        darc_free((void *)value);
        DARC_TRY(status);
    }
done:
    darc_pairs_clear(&p);
    return status;
}

/* Mark what is sought: the names of --free, else all parameters of the model.
 */
static darc_status set_free(task *t, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_pairs p;
    darc_option_pairs(&p, &t->options, DARC_OPT_FREE);
    for (int k = 0; k < 2; k++) {
        const darc_names_struct *names = darc_model_names(t->model[k]);
        t->free[k] = darc_calloc((size_t)names->count + 1, sizeof(bool));
        for (int u = 0; u < names->count && k == 0 && p.count == 0; u++)
            t->free[k][u] = names->symbol[u].kind == DARC_PARAMETER;
    }
    for (int i = 0; i < p.count && status == DARC_OK; i++) {
        int k = find_parameter(t->model[0], p.name[i]) >= 0 ? 0 : 1;
        int u = find_parameter(t->model[k], p.name[i]);
        if (u >= 0)
            t->free[k][u] = true;
        else
            status = darc_fail(err, DARC_USAGE,
                               "--free: '%s' is a parameter of neither model",
                               p.name[i]);
    }
    darc_pairs_clear(&p);
    return status;
}

static darc_status set_matching(task *t, darc_err *err)
{
    for (int k = 0; k < 2; k++) {
        DARC_NEED(darc_ioeqs_init(t->io[k], t->model[k], NULL, DARC_ENGINE_AUTO,
                                  t->budget, err));
        t->has_io[k] = true;
    }
    const darc_matching_side model = {t->model[0], t->io[0], t->free[0]};
    const darc_matching_side target = {t->model[1], t->io[1], t->free[1]};
    DARC_NEED(darc_matching_init(&t->m, &model, &target, t->budget, err));
    t->has_matching = true;
    return DARC_OK;
}

/* Set *out to model k with the values of p. */
static darc_status fix(darc_model **out, const task *t, int k,
                       const darc_realpoint *p, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(t->model[k]);
    char **value = darc_calloc((size_t)names->count + 1, sizeof *value);
    for (int u = 0; u < names->count; u++) {
        if (t->m.name[k][u] < 0)
            continue;
        char *s = fmpq_get_str(NULL, 10, p->at[t->m.name[k][u]].low);
        value[u] = darc_strdup(s);
        flint_free(s);
    }
    darc_status status = darc_model_fix(
        out, t->model[k], (const char *const *)(void *)value, err);
    for (int u = 0; u < names->count; u++)
        darc_free(value[u]);
    darc_free(value);
    return status;
}

/* Do the equations of a follow from those of b, which are numbers but for
 * signals?  *dropped: what order they have more. */
static bool follows(const darc_matching_side *a, const darc_matching_side *b,
                    int *dropped, const darc_budget *budget)
{
    darc_matching m;
    if (darc_matching_init(&m, a, b, budget, NULL) != DARC_OK)
        return false;
    bool yes = m.f->count == 0;
    *dropped = m.dropped;
    darc_matching_clear(&m);
    return yes;
}

/* Eliminate both models anew with the numbers of p: the equations of both are
 * the same, or those of the model have stable modes more. */
static bool is_proved(const task *t, const darc_realpoint *p)
{
    darc_model *model[2] = {NULL, NULL};
    darc_ioeqs_t io[2];
    darc_matching_side of[2];
    int known = 0, dropped, less;
    for (; known < 2; known++) {
        if (fix(&model[known], t, known, p, NULL) != DARC_OK ||
            darc_ioeqs_init(io[known], model[known], NULL, DARC_ENGINE_AUTO,
                            t->budget, NULL) != DARC_OK)
            break;
        of[known] =
            (darc_matching_side){model[known], io[known], t->free[known]};
    }
    /* no parameter is left that could be free */
    bool proved = known == 2 && follows(&of[0], &of[1], &dropped, t->budget);
    if (proved && !follows(&of[1], &of[0], &less, t->budget))
        proved = dropped > 0 && t->m.mode->count > 1;
    for (int k = 0; k < 2; k++) {
        if (k < known)
            darc_ioeqs_clear(io[k]);
        darc_model_free(model[k]);
    }
    return proved;
}

/* Does p keep every condition, and is what is cancelled stable? */
static bool is_allowed(task *t, const darc_realpoint *p)
{
    const darc_matching *m = &t->m;
    for (slong i = 0; i < m->ineq->count; i++)
        if (darc_realpoint_sign(p, m->ineq->p + i, m->jet) == 0)
            return false;
    for (slong v = 0; v < p->vars; v++)
        if (m->positive[v] && fmpq_sgn(p->at[v].low) <= 0)
            return false;
    bool stable =
        m->mode->count == 0 || darc_realpoint_is_stable(p, m->mode, m->jet);
    t->unstable |= !stable;
    return stable;
}

/* Look for a point on the component; where its numbers are not rational, what
 * the equations say has to do. */
static bool find_point(darc_realpoint *p, task *t,
                       const darc_dpolys_t equations)
{
    const darc_matching *m = &t->m;
    for (int attempt = 0; attempt < DARC_POINT_TRIES; attempt++) {
        if (!darc_realpoint_init(p, equations, m->jet, m->positive, attempt))
            continue;
        if (is_allowed(t, p) &&
            (p->exact ? is_proved(t, p) : m->sure && m->linear && m->driven))
            return true;
        darc_realpoint_clear(p);
    }
    return false;
}

static char *text_of(const darc_dpoly_t p, const darc_jet_t jet,
                     const char *after)
{
    darc_text_t out = DARC_TEXT;
    darc_dpoly_print(out, p, jet);
    darc_text_puts(out, after);
    return darc_text_take(out);
}

static void add_condition(task *t, char *condition)
{
    darc_fulfilled *s = &t->shown;
    DARC_ROOM(t->condition, s->conditions);
    t->condition[s->conditions++] = condition;
    s->condition = (const char *const *)(void *)t->condition;
}

/* Give parameter v the formula of p, and say where that is positive as it has
 * to be. */
static void set_formula(task *t, slong v, const darc_dpoly_t p)
{
    darc_text_t out = DARC_TEXT;
    int sign = darc_formula_print(out, p, &t->m.sign, t->m.jet);
    if (t->m.positive[v] && sign <= 0 && darc_dpoly_degree(p, v, t->m.jet) == 1)
        add_condition(t, darc_text_of("%s > 0", out->s));
    t->parameter[v].formula = darc_text_take(out);
}

static void show_component(task *t, const darc_component *c)
{
    const darc_jet_struct *jet = t->m.jet;
    darc_fulfilled *s = &t->shown;
    for (slong i = 0; i < c->equations->count; i++) {
        const darc_dpoly_struct *p = c->equations->p + i;
        slong v = darc_dpoly_leader(p, jet);
        if (v < t->m.own) {
            set_formula(t, v, p);
            continue;
        }
        DARC_ROOM(t->relation, s->relations);
        t->relation[s->relations++] = text_of(p, jet, " = 0");
        s->relation = (const char *const *)(void *)t->relation;
    }
    for (slong i = 0; i < c->inequations->count; i++)
        if (!darc_signs_exclude(&t->m.sign, c->inequations->p + i, true))
            add_condition(t, text_of(c->inequations->p + i, jet, " != 0"));
}

static darc_status refute(task *t, darc_err *err)
{
    darc_refutation r;
    darc_fulfilled *s = &t->shown;
    DARC_NEED(darc_refutation_init(&r, t->m.f->p, t->m.f->count, &t->m.sign,
                                   t->budget, err));
    s->verdict = DARC_IS_OPEN;
    s->reason = t->unstable
                    ? "all parameters that were found cancel modes that are "
                      "not stable"
                    : "no parameters were found, and no proof that there are "
                      "none";
    bool sure = t->m.sure && t->m.own == t->m.free;
    if (r.found) {
        darc_text_t proof = DARC_TEXT;
        darc_formula_print_proof(proof, &r, t->m.f, t->m.jet);
        s->certificate = darc_text_take(proof);
        if (!fmpz_mpoly_is_fmpz(r.unless, t->m.jet->ctx))
            add_condition(t, text_of(r.unless, t->m.jet, " != 0"));
        s->verdict = sure ? DARC_IS_IMPOSSIBLE : DARC_IS_OPEN;
        s->reason =
            !sure ? "most parameters are excluded; special ones may not be"
            : r.real
                ? "what must vanish adds up to a polynomial that the signs "
                  "of its parameters keep from 0"
                : "what must vanish adds up to what does not, whatever "
                  "the parameters are, complex ones too";
    }
    darc_refutation_clear(&r, &t->m.sign);
    return DARC_OK;
}

static bool try_component(task *t, const darc_component *c)
{
    darc_realpoint p;
    for (slong i = 0; i < c->equations->count; i++)
        if (darc_dpoly_leader(c->equations->p + i, t->m.jet) >= t->m.free)
            return false; /* what is given is not free */
    if (!find_point(&p, t, c->equations))
        return false;
    t->shown.verdict = DARC_IS_FULFILLED;
    t->shown.reason = "the equations of both are the same";
    if (t->m.mode->count > 1) {
        darc_text_t modes = DARC_TEXT;
        darc_formula_print_modes(modes, t->m.mode, t->m.jet);
        t->shown.modes = darc_text_take(modes);
        t->shown.reason = "the equations of both are the same but for modes "
                          "that are stable";
    }
    show_component(t, c);
    fmpq_t middle;
    fmpq_init(middle);
    for (int v = 0; v < t->shown.parameters; v++) {
        fmpq_add(middle, p.at[v].low, p.at[v].high);
        fmpq_div_2exp(middle, middle, 1);
        t->parameter[v].value = fmpq_get_d(middle);
    }
    fmpq_clear(middle);
    darc_realpoint_clear(&p);
    return true;
}

static darc_status decide(task *t, darc_err *err)
{
    const darc_system system = {t->m.f, t->m.ineq, t->m.jet};
    const darc_component trivial = {.generic = true};
    darc_status status = DARC_OK;
    const darc_names_struct *names = t->m.jet->names;
    bool none = strcmp(names->symbol[0].name, "none") == 0;
    t->shown.parameters = none ? 0 : names->count;
    t->parameter = darc_calloc((size_t)names->count + 1, sizeof *t->parameter);
    for (int v = 0; v < t->shown.parameters; v++)
        t->parameter[v] =
            (darc_fulfilling){names->symbol[v].name, NULL, v >= t->m.free, NAN};
    t->shown.parameter = t->parameter;
    bool found = t->m.f->count == 0 && try_component(t, &trivial);
    if (t->m.f->count > 0) {
        status = darc_elim(t->d, &system, false, t->budget, err);
        t->has_components = status == DARC_OK;
        for (int i = 0; t->has_components && i < t->d->count && !found; i++)
            found = try_component(t, &t->d->component[i]);
    }
    if (status == DARC_OK && !found)
        status = refute(t, err);
    if (found && (!t->m.whole || (t->m.dropped > 0 && !t->m.linear))) {
        t->shown.verdict = DARC_IS_OPEN;
        t->shown.reason = t->m.whole
                              ? "the equations of both are the same, but not "
                                "known is whether what is cancelled is stable"
                              : "the equations of both are the same, but "
                                "functions in them say more";
    }
    return status;
}

static void free_parameters(task *t)
{
    for (int i = 0; i < t->shown.parameters; i++)
        darc_free((void *)t->shown.parameter[i].formula);
    darc_free(t->parameter);
}

/* Does a response, or what may not vanish, depend on parameter v? */
static bool occurs(const darc_transfer *r, int v)
{
    bool any = false;
    for (int k = 0; k < r->terms; k++)
        any = any || r->power[k * r->parameters + v] > 0;
    return any;
}

static darc_status set_nearest(task *t, darc_err *err)
{
    darc_fulfilled *s = &t->shown;
    darc_nearest *n = &t->nearest;
    *n = (darc_nearest){
        .low = s->low_hz,
        .high = s->high_hz,
        .tolerance = s->tolerance,
        .seed = (uint64_t)darc_option_whole(&t->options, DARC_OPT_SEED)};
    DARC_NEED(darc_nearest_find(n, t->model[0], t->model[1], t->budget, err));
    t->has_nearest = true;
    free_parameters(t);
    s->parameters = n->of[0].parameters;
    s->parameter = t->parameter =
        darc_calloc((size_t)s->parameters + 1, sizeof *t->parameter);
    for (int v = 0; v < s->parameters; v++)
        t->parameter[v] =
            (darc_fulfilling){n->of[0].parameter[v], NULL, false,
                              occurs(&n->of[0], v) ? n->value[v] : NAN};
    s->defect = n->defect;
    s->defect_hz = n->hz;
    s->defect_output = n->of[1].output[n->output];
    s->defect_input = n->of[1].input[n->input];
    s->stable = n->stable;
    darc_band_judge(s, n);
    return DARC_OK;
}

darc_status darc_fulfil(darc_fulfilled **found, const darc_model *model,
                        const darc_model *target, const darc_options *options,
                        const darc_budget *budget, darc_err *err)
{
    task *t = darc_calloc(1, sizeof *t);
    const darc_model *const given[] = {model, target};
    darc_status status;
    darc_text_init(t->text);
    darc_options_copy(&t->options, options, DARC_CMD_FULFIL);
    t->budget = budget;
    t->shown.command_line = t->options.command_line;
    DARC_TRY(set_models(t, given, err));
    t->shown.model_name = darc_model_name(t->model[0]);
    t->shown.model_file = darc_model_file(t->model[0]);
    t->shown.target_name = darc_model_name(t->model[1]);
    t->shown.target_file = darc_model_file(t->model[1]);
    DARC_TRY(set_free(t, err));
    DARC_TRY(darc_band_set(&t->shown, &t->options, t->model, t->free, err));
    if (t->shown.tolerance == 0) {
        DARC_TRY(set_matching(t, err));
        DARC_TRY(decide(t, err));
    }
    if (!isnan(t->shown.low_hz) && t->shown.verdict == DARC_IS_FULFILLED &&
        t->shown.tolerance == 0)
        t->shown.defect = 0;
    else if (!isnan(t->shown.low_hz))
        DARC_TRY(set_nearest(t, err));
    *found = &t->shown;
done:
    if (status != DARC_OK)
        darc_fulfilled_free(&t->shown);
    return status;
}

void darc_fulfilled_free(darc_fulfilled *found)
{
    task *t = (task *)found;
    if (t == NULL)
        return;
    free_parameters(t);
    for (int i = 0; i < found->conditions; i++)
        darc_free(t->condition[i]);
    for (int i = 0; i < found->relations; i++)
        darc_free(t->relation[i]);
    darc_free(t->condition);
    darc_free(t->relation);
    darc_free((void *)found->modes);
    darc_free((void *)found->certificate);
    if (t->has_components)
        darc_decomposition_clear(t->d);
    if (t->has_matching)
        darc_matching_clear(&t->m);
    if (t->has_nearest)
        darc_nearest_clear(&t->nearest);
    for (int k = 0; k < 2; k++) {
        if (t->has_io[k])
            darc_ioeqs_clear(t->io[k]);
        darc_free(t->free[k]);
        darc_model_free(t->model[k]);
    }
    darc_options_clear(&t->options);
    darc_text_clear(t->text);
    darc_free(t);
}

const char *darc_fulfilled_text(darc_fulfilled *found, const char *format)
{
    task *t = (task *)found;
    darc_page page;
    darc_text_reset(t->text);
    if (strcmp(format, "json") == 0) {
        darc_fulfilment_json(t->text, found);
    } else if (strcmp(format, "text") == 0) {
        darc_fulfilment_print(t->text, found,
                              darc_option_given(&t->options, DARC_OPT_QUIET));
    } else if (strcmp(format, "html") == 0) {
        darc_settings_page(&page, &t->options);
        darc_page_fulfilment(t->text, found,
                             t->has_nearest ? &t->nearest : NULL, &page);
        darc_settings_clear(&page);
    } else {
        return NULL;
    }
    return t->text->s;
}
