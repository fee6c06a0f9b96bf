#include "identify/field.h"

#include "base/mem.h"

#include <string.h>

typedef struct {
    darc_field_struct *f;
    darc_blackbox_struct *g;
    darc_probe_t s;
    bool *fixed;  /* parameters that a slice keeps */
    ulong *other; /* coefficients that differ on a fibre */
    const darc_budget *budget;
} generating;

/* Append pair p, interpolated unless the coefficients are known as
 * polynomials, to the ratios; *found: it is new. */
static darc_status add_pair(generating *w, const darc_pair *p, bool *found,
                            darc_err *err)
{
    if (w->g->polynomials) {
        const fmpz_mpoly_struct *c = w->g->c->b;
        *found = darc_ratios_append(w->f->ratio, c + p->j, c + p->k);
        return DARC_OK;
    }
    return darc_probe_fit(w->f->ratio, found, p, w->s, err);
}

/* Append pairs of growing weight, up to most, as long as they raise the rank.
 */
static darc_status reach_rank(generating *w, const darc_pair *pair, slong n,
                              double most, darc_err *err)
{
    darc_field_struct *f = w->f;
    slong rank = f->ratio->count;
    for (slong i = 0; i < n && rank < f->rank; i++) {
        bool found;
        if (pair[i].weight > most)
            break;
        DARC_NEED(add_pair(w, pair + i, &found, err));
        if (!found)
            continue;
        if (darc_ratios_rank(f->ratio, 2) > rank)
            rank++;
        else
            darc_ratios_remove(f->ratio, f->ratio->count - 1);
    }
    return DARC_OK;
}

typedef enum { DIFFER, AGREE, UNSEEN } outcome;

/* A point, and the coefficients there. */
typedef struct {
    ulong *x, *value; /* one block, which x owns */
    nmod_t mod;
} station;

static void station_init(station *p, const generating *w, nmod_t mod)
{
    size_t n = (size_t)(w->g->vars + w->s->entries);
    p->x = darc_calloc(n + 1, sizeof *p->x);
    p->value = p->x + w->g->vars;
    p->mod = mod;
}

/* Go to another random point. */
static darc_status move_on(station *p, generating *w, darc_err *err)
{
    darc_finite_random_point(p->x, w->g->vars, p->mod, w->s->rand);
    return darc_blackbox_at(p->value, w->g, p->x, p->mod, err);
}

/* Look at the fibre of the ratios through p, and compare the coefficients at
 * all points of its slice with those at p; w->other gets them where they
 * differ. */
static darc_status look_at_fibre(outcome *is, generating *w, const station *p,
                                 darc_err *err)
{
    darc_status status;
    darc_fibre fibre;
    darc_slice_t slice = {0};
    darc_fibre_init(&fibre, w->f->ratio, false, w->fixed, p->mod.n, w->s->rand);
    fibre.budget = w->budget;
    memcpy(fibre.x, p->x, (size_t)w->g->vars * sizeof *p->x);
    DARC_TRY(darc_fibre_find(&fibre, w->f->ratio, err));
    DARC_TRY(darc_slice_init(slice, &fibre, err));
    *is = slice->all && slice->count > 0 ? AGREE : UNSEEN;
    for (slong i = 0; i < slice->count && *is != DIFFER; i++) {
        const ulong *x = slice->x + i * slice->vars;
        darc_err why = {DARC_OK, ""};
        status = darc_blackbox_at(w->other, w->g, x, p->mod, &why);
        if (status != DARC_OK && status != DARC_DOMAIN)
            DARC_TRY(darc_fail_as(err, status, &why));
        if (status == DARC_DOMAIN)
            *is = UNSEEN;
        else if (!darc_blackbox_agree(p->value, w->other, w->g, p->mod))
            *is = DIFFER;
        status = DARC_OK;
    }
done:
    darc_slice_clear(slice);
    darc_fibre_clear(&fibre);
    return status;
}

/* Append the simplest ratio that tells p from where the coefficients are
 * w->other; *found: there is one. */
static darc_status separate(generating *w, const station *p, bool *found,
                            darc_err *err)
{
    darc_status status = DARC_OK;
    ulong *const differ[2] = {p->value, w->other};
    darc_pair *pair;
    slong n = darc_probe_pairs(&pair, w->s, differ);
    *found = false;
    for (slong i = 0; i < n && !*found && status == DARC_OK; i++) {
        if (pair[i].weight > DARC_MAX_UNKNOWNS_OF_FIT)
            break;
        status = add_pair(w, pair + i, found, err);
    }
    darc_free(pair);
    return status;
}

/* Add ratios until the fibres show that nothing is missing. */
static darc_status complete(generating *w, darc_err *err)
{
    darc_status status = DARC_OK;
    station p, q;
    station_init(&p, w, w->s->mod);
    station_init(&q, w, w->s->mod);
    memcpy(p.value, w->s->base, (size_t)w->s->entries * sizeof *p.value);
    memcpy(p.x, w->s->x, (size_t)w->g->vars * sizeof *p.x);
    for (int i = 0; i < DARC_FIELD_FIBRES && !w->f->complete; i++) {
        outcome is = UNSEEN;
        DARC_TRY(look_at_fibre(&is, w, &p, err));
        bool found = is == DIFFER;
        if (found)
            DARC_TRY(separate(w, &p, &found, err));
        if (found) {
            i = 0;
            continue;
        }
        if (is == DIFFER)
            break;
        if (is == UNSEEN) { /* modulo some primes no fibre has all its points
                               (roots of unity) */
            nmod_init(&q.mod, darc_finite_random_prime(w->s->rand));
            DARC_TRY(move_on(&q, w, err));
            DARC_TRY(look_at_fibre(&is, w, &q, err));
        }
        w->f->complete = is == AGREE;
        DARC_TRY(move_on(&p, w, err));
    }
done:
    DARC_FREE(p.x, q.x);
    return status;
}

/* Take the first ratio of all that is not constant on a fibre of those taken;
 * *found: there is one. */
static darc_status take_missing(bool *found, darc_fibre *fibre, generating *w,
                                const darc_ratios_t all, flint_rand_t rand,
                                darc_err *err)
{
    darc_ratios_struct *f = w->f->ratio;
    darc_fibre_clear(fibre);
    darc_fibre_init(fibre, f, false, w->fixed, darc_finite_random_prime(rand),
                    rand);
    fibre->budget = w->budget;
    *found = false;
    DARC_NEED(darc_fibre_find(fibre, f, err));
    fibre->budget = NULL;
    for (slong k = 0; k < all->count && !*found; k++) {
        DARC_NEED(darc_budget_check(w->budget, err));
        *found = !darc_fibre_fixes(fibre, all->num + k, all->den + k) &&
                 darc_ratios_append(f, all->num + k, all->den + k);
    }
    return DARC_OK;
}

/* Append the parameters that all ratios together fix, as far as linear
 * combinations of them show that, modulo two primes. */
static darc_status take_fixed(generating *w, const darc_ratios_t all,
                              flint_rand_t rand, darc_err *err)
{
    darc_status status = DARC_OK;
    slong vars = w->g->vars;
    bool *in = darc_calloc((size_t)vars + 1, sizeof *in), all_short = true;
    memset(in, true, (size_t)vars);
    darc_err why = {DARC_OK, ""};
    double left = DARC_FIXED_WORK;
    darc_budget own = darc_budget_with(w->budget, &left);
    for (int i = 0; i < DARC_KNOWN_PRIMES && status == DARC_OK; i++) {
        darc_fibre fibre;
        darc_fibre_init(&fibre, all, false, NULL,
                        darc_finite_random_prime(rand), rand);
        fibre.budget = &own;
        status = darc_fibre_fix(&fibre, all, &why);
        for (slong v = 0; v < vars; v++)
            in[v] = in[v] && fibre.basis->fixed[v];
        all_short = all_short && fibre.basis->waiting == 0;
        darc_fibre_clear(&fibre);
    }
    w->f->raw = w->f->ratio->count;
    for (slong v = 0; v < vars && status == DARC_OK; v++)
        if (in[v])
            darc_ratios_append_variable(w->f->ratio, v);
    if (status == DARC_OK && all_short)
        darc_ratios_append_all(w->f->ratio, all);
    darc_free(in);
    return darc_budget_is_short(&own) ? DARC_OK
                                      : darc_fail_as(err, status, &why);
}

static bool is_number(const generating *w, slong v)
{
    return w->f->number != NULL && w->f->number[v];
}

/* The same of coefficients that are known as polynomials: take ratios, short
 * ones first, as long as they raise the rank, then what fibres show to be
 * missing.  What is left out is constant on fibres modulo two primes. */
static darc_status complete_known(generating *w, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_ratios_struct *f = w->f->ratio;
    const darc_coeffs_struct *c = w->g->c;
    darc_ratios_t all;
    flint_rand_t rand;
    flint_randinit(rand);
    darc_ratios_init(all, f->ctx);
    for (int i = 0; i < c->vectors; i++)
        for (slong j = c->first[i] + 1; j < c->first[i + 1]; j++)
            darc_ratios_append(all, c->b + j, c->b + c->first[i]);
    for (slong v = 0; v < w->g->vars; v++)
        if (is_number(w, v))
            darc_ratios_append_variable(all, v);
    darc_ratios_sort(all, 0);
    if (f->count < w->f->rank)
        darc_ratios_raise(f, all);
    w->f->complete = f->count == w->f->rank;
    DARC_TRY(take_fixed(w, all, rand, err));
    darc_ratios_independent(w->fixed, f);
    for (int agreed = 0; agreed < DARC_FIELD_PRIMES;) {
        bool found;
        w->f->beyond = *w->budget->left >= DARC_FIELD_WORK;
        DARC_TRY(take_missing(&found, w->f->slice + agreed, w, all, rand, err));
        w->f->beyond = false;
        agreed = found ? 0 : agreed + 1;
    }
    w->f->sliced = true;
done:
    darc_ratios_clear(all);
    flint_randclear(rand);
    return status;
}

/* Take the parameters that are seen to be in the field of a black box in place
 * of the ratios: where these are as many as its rank, they are all. */
static darc_status take_pinned(generating *w, const bool *local, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    slong vars = w->g->vars;
    bool *in = darc_calloc((size_t)vars + 1, sizeof *in);
    memcpy(in, local, (size_t)vars * sizeof *in);
    w->f->moves = darc_calloc((size_t)vars + 1, sizeof *w->f->moves);
    *w->budget->left = DARC_FIELD_WORK;
    while (w->f->ratio->count > 0)
        darc_ratios_remove(w->f->ratio, w->f->ratio->count - 1);
    darc_status status = darc_field_pin(in, w->f->moves, w->g, w->budget, &why);
    for (slong v = 0; v < vars && status == DARC_OK; v++)
        if (in[v] || is_number(w, v))
            darc_ratios_append_variable(w->f->ratio, v);
    w->f->complete = w->f->ratio->count == w->f->rank;
    darc_free(in);
    return status == DARC_DOMAIN ? DARC_OK : darc_fail_as(err, status, &why);
}

/* Take ratios of up to so many unknowns; where these reach the rank of the
 * field, complete them. */
static darc_status take_ratios(generating *w, const darc_pair *pair, slong n,
                               double most, darc_err *err)
{
    DARC_NEED(reach_rank(w, pair, n, most, err));
    if (w->g->polynomials)
        return complete_known(w, err);
    if (w->f->ratio->count < w->f->rank)
        return DARC_OK;
    darc_ratios_independent(w->fixed, w->f->ratio);
    return complete(w, err);
}

/* Find the ratios; those of a black box that need many unknowns come after the
 * parameters that are seen to be in the field. */
static darc_status find_ratios(generating *w, const bool *local, darc_err *err)
{
    darc_status status;
    darc_pair *pair = NULL;
    darc_err why = {DARC_OK, ""};
    bool black = !w->g->polynomials && local != NULL;
    double most = black ? DARC_PINNING_UNKNOWNS : DARC_MAX_UNKNOWNS_OF_FIT;
    DARC_TRY(darc_probe_init(w->s, w->g, 0, err));
    w->other = darc_calloc((size_t)w->s->entries + 1, sizeof *w->other);
    slong n = darc_probe_pairs(&pair, w->s, NULL);
    status = take_ratios(w, pair, n, most, &why);
    if (status == DARC_LIMIT && black && darc_budget_is_short(w->budget))
        status = DARC_OK;
    if (status == DARC_OK && black && !w->f->complete) {
        status = take_pinned(w, local, &why);
        if (status == DARC_OK && !w->f->complete)
            status = take_ratios(w, pair, n, DARC_MAX_UNKNOWNS_OF_FIT, &why);
    }
    darc_free(w->other);
    darc_probe_clear(w->s);
    darc_fail_as(err, status, &why);
done:
    darc_free(pair);
    return status;
}

darc_status darc_field_slice(darc_field_t f, const darc_budget *budget,
                             darc_err *err)
{
    darc_status status = DARC_OK;
    flint_rand_t state;
    flint_randinit(state);
    bool *cut = darc_calloc((size_t)fmpz_mpoly_ctx_nvars(f->ctx), sizeof *cut);
    darc_ratios_independent(cut, f->ratio);
    for (int i = 0; i < DARC_FIELD_PRIMES && status == DARC_OK; i++) {
        darc_fibre_clear(f->slice + i);
        darc_fibre_init(f->slice + i, f->ratio, false, cut,
                        darc_finite_random_prime(state), state);
        f->slice[i].budget = budget;
        status = darc_fibre_find(f->slice + i, f->ratio, err);
        f->slice[i].budget = NULL;
    }
    darc_free(cut);
    flint_randclear(state);
    f->sliced = status == DARC_OK;
    return status;
}

void darc_field_open(darc_field_t f, const fmpz_mpoly_ctx_struct *ctx)
{
    *f = (darc_field_struct){.ctx = ctx};
    darc_ratios_init(f->ratio, ctx);
}

darc_status darc_field_find(darc_field_t f, darc_blackbox_t g,
                            const bool *local, const darc_budget *budget,
                            darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    double left = DARC_FIELD_WORK;
    darc_budget own = darc_budget_with(budget, &left);
    generating w = {.f = f, .g = g, .budget = &own};
    DARC_CALLOC((size_t)fmpz_mpoly_ctx_nvars(f->ctx), w.fixed);
    slong before = g->calls;
    darc_status status = f->rank > 0 ? find_ratios(&w, local, &why) : DARC_OK;
    f->evaluations = g->calls - before;
    f->complete = status == DARC_OK && (f->complete || f->rank == 0);
    bool short_of = status == DARC_LIMIT && darc_budget_is_short(&own);
    left = DARC_FIELD_WORK;
    if ((status == DARC_OK && !f->sliced) || (short_of && !f->beyond)) {
        status = darc_field_slice(f, &own, &why);
        short_of = status == DARC_LIMIT && darc_budget_is_short(&own);
    }
    darc_free(w.fixed);
    if (status == DARC_OK || short_of)
        return DARC_OK;
    darc_field_clear(f);
    return darc_fail_as(err, status, &why);
}

void darc_field_clear(darc_field_t f)
{
    DARC_ALL(darc_fibre_clear, f->slice, DARC_FIELD_PRIMES);
    darc_ratios_clear(f->ratio);
    darc_free(f->moves);
    *f = (darc_field_struct){.ctx = NULL};
}

bool darc_field_contains(const darc_field_t f, const fmpz_mpoly_t num,
                         const fmpz_mpoly_t den)
{
    bool in = f->sliced;
    for (int i = 0; i < DARC_FIELD_PRIMES && in; i++)
        in = darc_fibre_fixes(f->slice + i, num, den);
    return in || darc_ratios_hold(f->ratio, num, den);
}
