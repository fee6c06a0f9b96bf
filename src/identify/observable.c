#include "identify/observable.h"

#include "base/mem.h"
#include "identify/exact.h"
#include "identify/field.h"
#include "identify/sensitivity.h"
#include "model/fraction.h"

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
    bool all; /* f holds all that is known */
} job;

/* ---- derivatives of outputs ---------------------------------------------- */

/* Set q to the sum of p_v rate[v]. */
static void differentiate(darc_dpoly_t q, const darc_dpoly_t p, const job *w)
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

/* Return how many products of terms the next derivative of f takes. */
static double work_of(const darc_fraction_struct *f, const job *w)
{
    double rates = 0;
    for (slong v = 0; v < w->jet->vars; v++)
        rates += (double)w->rate->p[v].length;
    return (double)f->num->length * (double)f->den->length *
           (rates + (double)w->common->length);
}

/* Replace f by its derivative along the model:
 * (den L(num) - num L(den)) / (den^2 common). */
static void advance(darc_fraction_struct *f, const job *w)
{
    const fmpz_mpoly_ctx_struct *ctx = w->jet->ctx;
    darc_dpoly_t a, b;
    darc_dpoly_init(a, w->jet);
    darc_dpoly_init(b, w->jet);
    differentiate(a, f->num, w);
    differentiate(b, f->den, w);
    fmpz_mpoly_mul(a, a, f->den, ctx);
    fmpz_mpoly_mul(b, b, f->num, ctx);
    fmpz_mpoly_sub(f->num, a, b, ctx);
    fmpz_mpoly_mul(f->den, f->den, f->den, ctx);
    fmpz_mpoly_mul(f->den, f->den, w->common, ctx);
    darc_fraction_cancel(f, w->jet);
    darc_dpoly_clear(a, w->jet);
    darc_dpoly_clear(b, w->jet);
}

/* Set rate[v]: of states what the model says, of inputs the next derivative,
 * of time 1, of all else 0. */
static void set_rate(job *w, slong v, darc_dpoly_t q)
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

/* Set common to a multiple of all divisors of the rates. */
static void set_common(job *w)
{
    const fmpz_mpoly_ctx_struct *ctx = w->jet->ctx;
    darc_dpoly_t g;
    darc_dpoly_init(g, w->jet);
    fmpz_mpoly_one(w->common, ctx);
    for (int i = 0; i < w->s->states; i++) {
        if (!fmpz_mpoly_gcd(g, w->common, w->den->p + i, ctx))
            fmpz_mpoly_one(g, ctx);
        fmpz_mpoly_divides(g, w->den->p + i, g, ctx);
        fmpz_mpoly_mul(w->common, w->common, g, ctx);
    }
    darc_dpoly_clear(g, w->jet);
}

static darc_status move_all(darc_dpolys_t to, const darc_dpolys_t from,
                            const job *w, darc_err *err)
{
    darc_status status = DARC_OK;
    for (slong i = 0; i < from->count && status == DARC_OK; i++) {
        darc_dpoly_t q;
        darc_dpoly_init(q, w->jet);
        status = darc_dpoly_move(q, w->jet, from->p + i, w->s->jet, err);
        darc_dpolys_append_take(to, q, w->jet);
        darc_dpoly_clear(q, w->jet);
    }
    return status;
}

static darc_status set_rates(job *w, darc_err *err)
{
    darc_status status;
    DARC_TRY(move_all(w->num, w->s->num, w, err));
    DARC_TRY(move_all(w->den, w->s->den, w, err));
    set_common(w);
    for (slong v = 0; v < w->jet->vars; v++) {
        darc_dpoly_t q;
        darc_dpoly_init(q, w->jet);
        set_rate(w, v, q);
        darc_dpolys_append_take(w->rate, q, w->jet);
        darc_dpoly_clear(q, w->jet);
    }
    for (int j = 0; j < w->s->outputs; j++) {
        slong i = w->s->states + j;
        fmpz_mpoly_set(w->lie[j].num, w->num->p + i, w->jet->ctx);
        fmpz_mpoly_set(w->lie[j].den, w->den->p + i, w->jet->ctx);
    }
done:
    return status;
}

/* ---- the field ------------------------------------------------------------
 */

/* Add the generators of F and the inputs; return whether all were known. */
static bool add_parameters(job *w, const darc_identification_t id)
{
    const fmpz_mpoly_ctx_struct *ctx = w->jet->ctx;
    const darc_names_struct *names = w->jet->names;
    slong *at = darc_calloc((size_t)id->vars + 1, sizeof *at);
    bool known = true;
    fmpz_mpoly_t num, den;
    fmpz_mpoly_init(num, ctx);
    fmpz_mpoly_init(den, ctx);
    for (slong v = 0; v < id->vars && known; v++) {
        int u = darc_names_find(names, id->name[v], strlen(id->name[v]));
        at[v] = u < 0 ? -1 : darc_jet_var(w->jet, (darc_deriv){u, 0});
        known = at[v] >= 0;
    }
    for (slong k = 0; k < id->count && known; k++) {
        fmpz_mpoly_compose_fmpz_mpoly_gen(num, id->num + k, at, id->ctx, ctx);
        fmpz_mpoly_compose_fmpz_mpoly_gen(den, id->den + k, at, id->ctx, ctx);
        darc_ratios_append(w->f->ratio, num, den);
    }
    fmpz_mpoly_one(den, ctx);
    for (slong v = 0; v < w->jet->vars; v++) {
        darc_kind kind = names->symbol[w->jet->deriv[v].unknown].kind;
        fmpz_mpoly_gen(num, v, ctx);
        if (kind == DARC_INPUT || kind == DARC_TIME)
            darc_ratios_append(w->f->ratio, num, den);
    }
    fmpz_mpoly_clear(num, ctx);
    fmpz_mpoly_clear(den, ctx);
    darc_free(at);
    return known && id->complete;
}

/* Add the derivatives of order k of the measured outputs. */
static void add_outputs(job *w, int k)
{
    for (int j = w->s->asked; j < w->s->outputs; j++) {
        darc_fraction_struct *f = w->lie + j;
        if (k > w->order[j])
            continue;
        if (k > 0 && work_of(f, w) > DARC_LIE_WORK) {
            w->order[j] = k - 1;
            w->all = false;
            continue;
        }
        if (k > 0)
            advance(f, w);
        if (f->num->length > 0)
            darc_ratios_append(w->f->ratio, f->num, f->den);
    }
}

/* Raise to global what is in the field; return whether any is left. */
static bool raise_status(job *w)
{
    bool left = false;
    for (int i = 0; i < w->s->asked; i++) {
        const darc_fraction_struct *h = w->lie + i;
        darc_identifiability *status = w->out->status + i;
        if (*status == DARC_LOCALLY &&
            darc_field_contains(w->f, h->num, h->den))
            *status = DARC_GLOBALLY;
        left = left || *status == DARC_LOCALLY;
    }
    return left;
}

/* Add derivative after derivative, until all that is local is global. */
static darc_status raise_statuses(job *w, const darc_budget *budget,
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
        if (!raise_status(w))
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

/* ---- what is asked --------------------------------------------------------
 */

/* Set the orders of the io-equations, and a frame with as many derivatives of
 * the inputs. */
static void set_frame(job *w, const darc_ioeqs_t io)
{
    const darc_solved_struct *s = w->s;
    const darc_names_struct *names = s->jet->names;
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    w->order = darc_calloc((size_t)s->outputs, sizeof *w->order);
    w->lie = darc_calloc((size_t)s->outputs, sizeof *w->lie);
    for (int j = s->asked; j < s->outputs; j++)
        for (int i = 0; i < io->count; i++) {
            darc_deriv leader = io->eq[i].leader;
            const char *name = io->jet->names->symbol[leader.unknown].name;
            if (strcmp(name, names->symbol[s->output[j]].name) == 0)
                w->order[j] = leader.order;
            w->most = w->order[j] > w->most ? w->order[j] : w->most;
        }
    memcpy(bound, s->jet->bound, (size_t)names->count * sizeof *bound);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_INPUT)
            bound[u] += w->most;
    darc_jet_init(w->jet, names, s->jet->ranking, bound);
    for (int j = 0; j < s->outputs; j++)
        darc_fraction_init(w->lie + j, w->jet);
    darc_free(bound);
}

static darc_status find_global(job *w, const darc_ioeqs_t io,
                               const darc_identification_t id,
                               const darc_budget *budget, darc_err *err)
{
    set_frame(w, io);
    darc_dpolys_init(w->num);
    darc_dpolys_init(w->den);
    darc_dpolys_init(w->rate);
    darc_dpoly_init(w->common, w->jet);
    memset(w->f, 0, sizeof w->f);
    w->f->ctx = w->jet->ctx;
    darc_ratios_init(w->f->ratio, w->jet->ctx);
    darc_status status = set_rates(w, err);
    if (status == DARC_OK) {
        w->all = add_parameters(w, id);
        status = raise_statuses(w, budget, err);
    }
    for (int i = 0; i < w->s->asked; i++)
        w->out->final[i] = w->out->final[i] || w->all;
    darc_field_clear(w->f);
    for (int j = 0; j < w->s->outputs; j++)
        darc_fraction_clear(w->lie + j, w->jet);
    darc_dpoly_clear(w->common, w->jet);
    darc_dpolys_clear(w->rate, w->jet);
    darc_dpolys_clear(w->den, w->jet);
    darc_dpolys_clear(w->num, w->jet);
    darc_jet_clear(w->jet);
    darc_free(w->lie);
    darc_free(w->order);
    return status;
}

/* To first order, functions at their values. */
static darc_status find_local(darc_observable *out, const darc_solved_t s,
                              const darc_model *extended,
                              const darc_budget *budget, darc_err *err)
{
    bool functions = darc_exact_is_needed(extended);
    darc_information_t info;
    flint_rand_t rand;
    flint_randinit(rand);
    darc_status status = darc_information_init(
        info, s, functions ? extended : NULL, rand, budget, err);
    for (int i = 0; i < out->count && status == DARC_OK; i++) {
        out->status[i] = info->shown[i] ? DARC_LOCALLY : DARC_NOT_IDENTIFIABLE;
        out->final[i] = !info->shown[i];
    }
    if (status == DARC_OK)
        darc_information_clear(info);
    flint_randclear(rand);
    return status == DARC_DOMAIN ? darc_budget_check(budget, err) : status;
}

darc_status darc_observable_init(darc_observable *out,
                                 const darc_model *extended,
                                 const darc_ioeqs_struct *io,
                                 const darc_identification_t id,
                                 const darc_budget *budget, darc_err *err)
{
    darc_solved_t s;
    int count = out->count;
    size_t n = (size_t)count + 1;
    *out = (darc_observable){count, darc_calloc(n, sizeof *out->status),
                             darc_calloc(n, sizeof *out->final)};
    for (int i = 0; i < count; i++)
        out->status[i] = DARC_PERHAPS;
    if (darc_solved_init(s, extended, NULL) != DARC_OK)
        return DARC_OK;
    s->asked = count;
    job w = {.out = out, .s = s};
    darc_status status = find_local(out, s, extended, budget, err);
    if (status == DARC_OK && io != NULL)
        status = find_global(&w, io, id, budget, err);
    darc_solved_clear(s);
    if (status != DARC_OK)
        darc_observable_clear(out);
    return status;
}

void darc_observable_clear(darc_observable *out)
{
    darc_free(out->status);
    darc_free(out->final);
    *out = (darc_observable){0};
}
