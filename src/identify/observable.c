#include "identify/observable.h"

#include "algebra/fraction.h"
#include "base/mem.h"
#include "identify/field.h"
#include "identify/sensitivity.h"
#include "model/model.h"
#include "projection/dae.h"

#include <string.h>

typedef struct {
    darc_observable *out;
    const darc_solved_struct *s;
    darc_jet_t jet; /* of s, with derivatives of inputs up to what is needed */
    int *order;     /* of derivatives of output j that are known; owned */
    int most;       /* of these */
    darc_dpolys_t num, den; /* those of s, in jet */
    darc_dpolys_t rate;     /* of variable v: rate[v]/common; owned */
    darc_dpoly_t common;
    darc_fraction_struct *lie; /* L^k y_j of the last k; owned */
    darc_field_t f;
    bool values;          /* some states start at given values */
    darc_started started; /* then: what io-equations say */
    bool roots;           /* functions stand in the way: of a root one branch
                             counts, and what is local may be global */
    bool all;             /* f holds all that is known */
    bool beyond;          /* and its fibres are out of reach */
} observer;

/* Set q to the sum of p_v rate[v]. */
static void differentiate(darc_dpoly_t q, const darc_dpoly_t p,
                          const observer *w)
{
    const fmpz_mpoly_ctx_struct *ctx = w->jet->ctx;
    darc_dpoly_t d;
    darc_dpoly_init(d, w->jet);
    fmpz_mpoly_zero(q, ctx);
    for (slong v = 0; v < w->jet->vars; v++) {
        if (w->rate->p[v].length == 0)
            continue;
        fmpz_mpoly_derivative(d, p, v, ctx);
        fmpz_mpoly_mul(d, d, w->rate->p + v, ctx);
        fmpz_mpoly_add(q, q, d, ctx);
    }
    darc_dpoly_clear(d, w->jet);
}

/* Replace f by its derivative along the model:
 * (den L(num) - num L(den)) / (den^2 common). */
static void derive_fraction(darc_fraction_struct *f, const observer *w)
{
    const fmpz_mpoly_ctx_struct *ctx = w->jet->ctx;
    darc_dpoly_t a, b;
    darc_dpoly_inits(w->jet->ctx, a, b, NULL);
    differentiate(a, f->num, w);
    differentiate(b, f->den, w);
    fmpz_mpoly_mul(a, a, f->den, ctx);
    fmpz_mpoly_mul(b, b, f->num, ctx);
    fmpz_mpoly_sub(f->num, a, b, ctx);
    fmpz_mpoly_mul(f->den, f->den, f->den, ctx);
    fmpz_mpoly_mul(f->den, f->den, w->common, ctx);
    darc_fraction_cancel(f, w->jet);
    darc_dpoly_clears(w->jet->ctx, a, b, NULL);
}

/* Set rate[v]: of states what the model says, of inputs the next derivative,
 * of time 1, of all else 0. */
static void set_rate(observer *w, slong v, darc_dpoly_t q)
{
    const fmpz_mpoly_ctx_struct *ctx = w->jet->ctx;
    darc_deriv d = w->jet->deriv[v];
    darc_kind kind = w->jet->names->symbol[d.unknown].kind;
    fmpz_mpoly_zero(q, ctx);
    for (int i = 0; i < w->s->states; i++)
        if (w->s->state[i].unknown == d.unknown &&
            w->s->state[i].order == d.order) {
            fmpz_mpoly_divides(q, w->common, w->den->p + i, ctx);
            fmpz_mpoly_mul(q, q, w->num->p + i, ctx);
            return;
        }
    if (kind == DARC_TIME)
        fmpz_mpoly_set(q, w->common, ctx);
    d.order++;
    if (kind == DARC_INPUT && darc_jet_var(w->jet, d) >= 0) {
        darc_dpoly_set_deriv(q, d, w->jet);
        fmpz_mpoly_mul(q, q, w->common, ctx);
    }
}

static darc_status set_rates(observer *w, darc_err *err)
{
    const fmpz_mpoly_ctx_struct *ctx = w->jet->ctx;
    const darc_solved_struct *s = w->s;
    DARC_NEED(darc_dpolys_move(w->num, w->jet, s->num, s->jet, err));
    DARC_NEED(darc_dpolys_move(w->den, w->jet, s->den, s->jet, err));
    darc_dpoly_t q;
    darc_dpoly_init(q, w->jet);
    /* common: a multiple of all divisors of the rates */
    fmpz_mpoly_one(w->common, ctx);
    for (int i = 0; i < s->states; i++) {
        if (!fmpz_mpoly_gcd(q, w->common, w->den->p + i, ctx))
            fmpz_mpoly_one(q, ctx);
        fmpz_mpoly_divides(q, w->den->p + i, q, ctx);
        fmpz_mpoly_mul(w->common, w->common, q, ctx);
    }
    for (slong v = 0; v < w->jet->vars; v++) {
        set_rate(w, v, q);
        darc_dpolys_append(w->rate, q, w->jet);
    }
    darc_dpoly_clear(q, w->jet);
    for (int j = 0; j < s->outputs; j++) {
        fmpz_mpoly_set(w->lie[j].num, w->num->p + s->states + j, ctx);
        fmpz_mpoly_set(w->lie[j].den, w->den->p + s->states + j, ctx);
    }
    return DARC_OK;
}

/* Add the generators of F and the inputs; return whether all were known. */
static bool add_parameters(observer *w, const darc_identification_t id)
{
    const fmpz_mpoly_ctx_struct *ctx = w->jet->ctx;
    const darc_names_struct *names = w->jet->names;
    slong *at = darc_calloc((size_t)id->vars + 1, sizeof *at);
    bool known = true;
    fmpz_mpoly_t num, den;
    darc_dpoly_inits(ctx, num, den, NULL);
    for (slong v = 0; v < id->vars && known; v++) {
        int u = darc_names_find(names, id->name[v], strlen(id->name[v]));
        at[v] = u < 0 ? -1 : darc_jet_var(w->jet, (darc_deriv){u, 0});
        known = at[v] >= 0;
    }
    bool show = !w->values || w->started.reached;
    const darc_ratios_struct *g = id->function;
    for (slong k = 0; k < g->count && known && show; k++) {
        if (id->beyond && g->num[k].length > DARC_ASKED_TERMS)
            continue;
        fmpz_mpoly_compose_fmpz_mpoly_gen(num, g->num + k, at, g->ctx, ctx);
        fmpz_mpoly_compose_fmpz_mpoly_gen(den, g->den + k, at, g->ctx, ctx);
        darc_ratios_append(w->f->ratio, num, den);
    }
    for (slong v = 0; v < w->jet->vars; v++) {
        darc_kind kind = names->symbol[w->jet->deriv[v].unknown].kind;
        if (kind == DARC_INPUT || kind == DARC_TIME)
            darc_ratios_append_variable(w->f->ratio, v);
    }
    for (int i = 0; i < w->s->states && w->s->start != NULL; i++)
        if (w->s->start[i] == DARC_STARTS_KNOWN)
            darc_ratios_append_variable(w->f->ratio,
                                        darc_jet_var(w->jet, w->s->state[i]));
    darc_dpoly_clears(ctx, num, den, NULL);
    darc_free(at);
    return known && id->complete;
}

/* Set h to f where states start at their values; return whether it has a value
 * there. */
static bool put_starts(darc_fraction_t h, const darc_fraction_t f,
                       const observer *w)
{
    bool finite = true;
    darc_fraction_set(h, f, w->jet);
    for (int i = 0; i < w->s->states && w->values && finite; i++) {
        int j = w->s->start[i];
        slong v = darc_jet_var(w->jet, w->s->state[i]);
        finite = j < 0 || darc_fraction_replace(h, v, w->lie + j, w->jet,
                                                NULL) == DARC_OK;
    }
    return finite;
}

/* Add the derivatives of order k of the measured outputs. */
static void add_outputs(observer *w, int k)
{
    for (int j = w->s->asked; j < w->s->outputs; j++) {
        darc_fraction_struct *f = w->lie + j;
        if (k > w->order[j])
            continue;
        double rates = (double)w->common->length;
        for (slong v = 0; v < w->jet->vars; v++)
            rates += (double)w->rate->p[v].length;
        if (k > 0 && (double)f->num->length * (double)f->den->length * rates >
                         DARC_LIE_WORK) { /* products of terms */
            w->order[j] = k - 1;
            w->all = false;
            continue;
        }
        if (k > 0)
            derive_fraction(f, w);
        darc_fraction_t h;
        darc_fraction_init(h, w->jet);
        if (put_starts(h, f, w) && h->num->length > 0)
            darc_ratios_append(w->f->ratio, h->num, h->den);
        darc_fraction_clear(h, w->jet);
    }
}

/* Raise to global what is in the field; return whether any is left. */
static bool raise_status(observer *w)
{
    bool left = false;
    for (int i = 0; i < w->s->asked; i++) {
        darc_identifiability *status = w->out->status + i;
        darc_fraction_t h;
        darc_fraction_init(h, w->jet);
        /* Series from given starts may be too short to show what is in the
         * field. */
        bool open =
            *status == DARC_LOCALLY || (w->values && *status == DARC_PERHAPS);
        if (open && put_starts(h, w->lie + i, w) &&
            darc_field_contains(w->f, h->num, h->den))
            *status = DARC_GLOBALLY;
        darc_fraction_clear(h, w->jet);
        left = left || *status == DARC_LOCALLY ||
               (w->values && *status == DARC_PERHAPS);
    }
    return left;
}

/* Add derivative after derivative, until all that is local is global. */
static darc_status raise_statuses(observer *w, const darc_budget *budget,
                                  darc_err *err)
{
    double left = DARC_ASKED_WORK;
    darc_budget own = darc_budget_with(budget, &left);
    darc_status status = DARC_OK;
    slong rank = -1;
    for (int k = 0; k <= w->most && status == DARC_OK; k++) {
        add_outputs(w, k);
        slong now = darc_ratios_rank(w->f->ratio, 1);
        if (now == rank && k < w->most)
            continue;
        rank = now;
        if (!raise_status(w) || w->beyond)
            break;
        status = darc_field_slice(w->f, &own, NULL);
        if (status == DARC_OK && !raise_status(w))
            break;
    }
    if (status == DARC_LIMIT && darc_budget_is_short(&own)) {
        w->all = false;
        status = DARC_OK;
    }
    return status == DARC_OK ? DARC_OK : darc_budget_check(budget, err);
}

/* Return whether no term of p holds more than `degree` states. */
static bool are_few(const darc_dpoly_t p, ulong degree,
                    const darc_solved_struct *s)
{
    ulong *e = darc_calloc((size_t)s->jet->vars + 1, sizeof *e), most = 0;
    for (slong t = 0; t < p->length; t++) {
        ulong sum = 0;
        fmpz_mpoly_get_term_exp_ui(e, p, t, s->jet->ctx);
        for (int i = 0; i < s->states; i++)
            sum += e[darc_jet_var(s->jet, s->state[i])];
        most = FLINT_MAX(most, sum);
    }
    darc_free(e);
    return most <= degree;
}

/* Return whether all parameters are known and the model is linear in its
 * states: then so are the outputs' derivatives, which fix the start up to a
 * linear space; what is constant there to first order is constant. */
static bool is_linear_model(const darc_solved_struct *s,
                            const darc_identification_t id)
{
    bool linear = s->start == NULL;
    for (slong v = 0; v < id->vars; v++)
        linear = linear && id->parameter[v] == DARC_GLOBALLY;
    for (int i = 0; i < s->states + s->outputs && linear; i++)
        linear = (i >= s->states && i < s->states + s->asked) ||
                 (are_few(s->num->p + i, 1, s) && are_few(s->den->p + i, 0, s));
    return linear;
}

/* Set the orders of the io-equations, and a frame with as many derivatives of
 * the inputs. */
static void set_frame(observer *w, const darc_ioeqs_t io)
{
    const darc_solved_struct *s = w->s;
    const darc_names_struct *names = s->jet->names;
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    DARC_CALLOC((size_t)s->outputs, w->order, w->lie);
    for (int j = s->asked; j < s->outputs; j++)
        for (int i = 0; i < io->count; i++) {
            darc_deriv leader = io->eq[i].leader;
            const char *name = io->jet->names->symbol[leader.unknown].name;
            if (strcmp(name, names->symbol[s->output[j]].name) == 0)
                w->order[j] = leader.order + (w->values ? s->states : 0);
            w->most = w->order[j] > w->most ? w->order[j] : w->most;
        }
    memcpy(bound, s->jet->bound, (size_t)names->count * sizeof *bound);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_INPUT)
            bound[u] += w->most;
    darc_jet_init(w->jet, names, s->jet->ranking, bound);
    DARC_ALL_IN(darc_fraction_init, w->jet, w->lie, s->outputs);
    darc_free(bound);
}

static darc_status find_global(observer *w, const darc_ioeqs_t io,
                               const darc_identification_t id,
                               const darc_budget *budget, darc_err *err)
{
    set_frame(w, io);
    darc_dpoly_init(w->common, w->jet);
    darc_field_open(w->f, w->jet->ctx);
    darc_status status = set_rates(w, err);
    if (status == DARC_OK) {
        /* recordings that start elsewhere, known too, may tell more */
        w->all = add_parameters(w, id) && w->s->start == NULL;
        w->beyond = id->beyond;
        status = raise_statuses(w, budget, err);
    }
    for (int i = 0; i < w->s->asked; i++)
        w->out->final[i] =
            w->out->final[i] ||
            (w->all && (!w->roots || w->out->status[i] == DARC_GLOBALLY));
    darc_field_clear(w->f);
    DARC_ALL_IN(darc_fraction_clear, w->jet, w->lie, w->s->outputs);
    darc_dpoly_clear(w->common, w->jet);
    DARC_EACH_IN(darc_dpolys_clear, w->jet, w->rate, w->den, w->num);
    darc_jet_clear(w->jet);
    DARC_FREE(w->lie, w->order);
    return status;
}

/* To first order, functions at their values. */
static darc_status find_local(observer *w, const darc_model *extended,
                              const darc_ioeqs_struct *io,
                              const darc_budget *budget, darc_err *err)
{
    const darc_solved_struct *s = w->s;
    darc_observable *out = w->out;
    bool functions = !darc_adjoined_are_exact(extended) ||
                     darc_adjoined_have_parametric(extended);
    darc_information_t info;
    flint_rand_t rand;
    flint_randinit(rand);
    darc_status status = darc_information_init(
        info, s, functions ? extended : NULL, rand, budget, err);
    bool apart = status == DARC_DOMAIN && functions && !w->values;
    if (apart) /* arguments were replaced: what shows whatever the functions
                  start at */
        status = darc_information_init(info, s, NULL, rand, budget, err);
    bool *idle = darc_calloc((size_t)s->asked + 1, sizeof *idle);
    if (w->values)
        darc_started_find(&w->started, s, io, rand);
    if (w->values && !darc_adjoined_have_parametric(extended))
        darc_started_idle(idle, s, rand);
    bool bounded = !w->values || w->started.regular;
    bool all = w->values && w->started.rests; /* the series are all there is */
    for (int i = 0; i < out->count && status == DARC_OK; i++) {
        out->final[i] = idle[i] || (bounded && !apart && !info->within[i]) ||
                        (all && !info->shown[i]);
        out->status[i] = info->shown[i]  ? DARC_LOCALLY
                         : out->final[i] ? DARC_NOT_IDENTIFIABLE
                                         : DARC_PERHAPS;
    }
    if (status == DARC_OK)
        darc_information_clear(info);
    darc_free(idle);
    flint_randclear(rand);
    return status == DARC_DOMAIN ? darc_budget_check(budget, err) : status;
}

/* The same without a solved form. */
static darc_status find_in_dae(darc_observable *out, const darc_model *extended,
                               const darc_budget *budget)
{
    darc_model *whole = NULL;
    darc_information_t info;
    bool all;
    if (out->starts.count > 0 ||
        darc_dae_model(&whole, extended, NULL) != DARC_OK)
        return DARC_OK;
    if (darc_information_init_dae(info, &all, whole, out->count, budget,
                                  NULL) == DARC_OK) {
        for (int i = 0; i < out->count; i++) {
            out->final[i] = all && !info->within[i];
            out->status[i] = info->shown[i]  ? DARC_LOCALLY
                             : out->final[i] ? DARC_NOT_IDENTIFIABLE
                                             : DARC_PERHAPS;
        }
        darc_information_clear(info);
    }
    darc_model_free(whole);
    return DARC_OK;
}

darc_status darc_observable_init(darc_observable *out,
                                 const darc_model *extended,
                                 const darc_ioeqs_struct *io,
                                 const darc_identification_t id,
                                 const darc_budget *budget, darc_err *err)
{
    darc_solved_t s;
    size_t n = (size_t)out->count + 1;
    DARC_CALLOC(n, out->status, out->final);
    DARC_FILL(out->status, out->count, DARC_PERHAPS);
    if (darc_solved_init(s, extended, NULL) != DARC_OK) {
        DARC_NEED(find_in_dae(out, extended, budget));
        return darc_budget_check(budget, err);
    }
    out->solved = true;
    int *start = darc_calloc((size_t)s->states + 1, sizeof *start);
    s->asked = out->count;
    s->start = out->starts.count > 0 ? start : NULL;
    observer w = {
        .out = out, .s = s, .roots = darc_adjoined_have_branches(extended)};
    for (int i = 0; i < out->starts.count; i++)
        w.values |= out->starts.value[i] >= 0;
    darc_status status = darc_starts_set(start, s, &out->starts, err);
    bool known = !w.values || darc_starts_are_known(start, s, extended);
    if (status == DARC_OK && known)
        status = find_local(&w, extended, io, budget, err);
    bool linear = io != NULL && is_linear_model(s, id);
    if (status == DARC_OK && known && io != NULL && !linear)
        status = find_global(&w, io, id, budget, err);
    for (int i = 0; i < out->count && linear && status == DARC_OK; i++)
        if (out->status[i] == DARC_LOCALLY) {
            out->status[i] = DARC_GLOBALLY;
            out->final[i] = true;
        }
    darc_free(start);
    darc_solved_clear(s);
    if (status != DARC_OK)
        darc_observable_clear(out);
    return status;
}

void darc_observable_clear(darc_observable *out)
{
    DARC_FREE(out->status, out->final);
    *out = (darc_observable){0};
}
