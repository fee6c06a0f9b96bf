#include "identify/field.h"

#include "base/mem.h"
#include "identify/conjugate.h"
#include "identify/known.h"
#include "identify/probe.h"
#include "identify/slice.h"

#include <string.h>

/* Unknowns of an interpolation: at most, and where another way is left. */
#define MAX_UNKNOWNS 300
#define SIMPLE 60

/* Polynomials sought by values alone. */
#define MAX_DEGREE 2

/* Random points whose fibres are looked at. */
#define FIBRES 8

typedef struct {
    darc_field_struct *f;
    darc_coefficients_struct *g;
    darc_probe_t s;
    darc_pool pool[DARC_POOLS];
    bool *fixed;  /* parameters that a slice keeps */
    ulong *where; /* the point at which other coefficients were found */
    const darc_budget *budget;
} job;

/* ---- rank --------------------------------------------------------------- */

/* Append pair p, interpolated unless the coefficients are known as
 * polynomials, to the ratios; *found: it is new. */
static darc_status add_pair(job *w, const darc_pair *p, bool *found,
                            darc_err *err)
{
    const fmpz_mpoly_ctx_struct *ctx = w->f->ctx;
    if (w->g->polynomials) {
        const fmpz_mpoly_struct *c = w->g->c->b;
        *found = darc_ratios_append(w->f->ratio, c + p->j, c + p->k);
        return DARC_OK;
    }
    fmpz_mpoly_t num, den;
    fmpz_mpoly_init(num, ctx);
    fmpz_mpoly_init(den, ctx);
    darc_status status =
        darc_probe_fit(num, den, found, ctx, p, w->s, w->pool, err);
    if (status == DARC_OK && *found)
        *found = darc_ratios_append(w->f->ratio, num, den);
    fmpz_mpoly_clear(num, ctx);
    fmpz_mpoly_clear(den, ctx);
    return status;
}

/* Append pairs of growing weight as long as they raise the rank. */
static darc_status reach_rank(job *w, const darc_pair *pair, slong n,
                              darc_err *err)
{
    darc_status status = DARC_OK;
    darc_field_struct *f = w->f;
    slong rank = 0;
    for (slong i = 0; i < n && rank < f->rank; i++) {
        bool found;
        if (pair[i].weight > MAX_UNKNOWNS)
            break;
        DARC_TRY(add_pair(w, pair + i, &found, err));
        if (!found)
            continue;
        if (darc_ratios_rank(f->ratio, 2) > rank)
            rank++;
        else
            darc_ratios_remove(f->ratio, f->ratio->count - 1);
    }
done:
    return status;
}

/* ---- completeness ------------------------------------------------------- */

typedef enum { DIFFER, AGREE, UNSEEN } outcome;

/* Compare the coefficients at all points of the slice with `at`, those at
 * the place; other gets them where they differ. */
static darc_status compare_points(outcome *is, ulong *other, job *w,
                                  const darc_slice_t slice, const ulong *at,
                                  nmod_t mod, darc_err *err)
{
    *is = slice->all && slice->count > 0 ? AGREE : UNSEEN;
    for (slong i = 0; i < slice->count; i++) {
        darc_err why;
        darc_err_init(&why);
        darc_status status =
            darc_coefficients_at(other, w->g, slice->x[i], mod, &why);
        if (status == DARC_DOMAIN)
            *is = UNSEEN;
        else if (status != DARC_OK)
            return darc_fail(err, status, "%s", why.message);
        else if (!darc_coefficients_agree(at, other, w->g, mod)) {
            *is = DIFFER;
            memcpy(w->where, slice->x[i],
                   (size_t)slice->vars * sizeof *w->where);
            return DARC_OK;
        }
    }
    return DARC_OK;
}

/* Look at the fibre of the ratios through x, modulo mod. */
static darc_status look_at_fibre(outcome *is, ulong *other, job *w,
                                 const ulong *x, const ulong *at, nmod_t mod,
                                 darc_err *err)
{
    darc_status status;
    darc_place p;
    darc_groebner_t b = {0};
    darc_slice_t slice = {0};
    slong vars = fmpz_mpoly_ctx_nvars(w->f->ctx);
    darc_place_init(&p, vars, darc_ratios_have_divisors(w->f->ratio), mod.n,
                    w->s->rand);
    for (slong v = 0; v < w->g->vars; v++)
        p.x[v] = x[v];
    darc_place_cut(&p, w->fixed, w->s->rand);
    DARC_TRY(darc_fibre_init(b, w->f->ratio, &p, w->budget, err));
    DARC_TRY(darc_slice_init(slice, b, &p, w->budget, err));
    DARC_TRY(compare_points(is, other, w, slice, at, mod, err));
done:
    darc_slice_clear(slice);
    darc_groebner_clear(b);
    darc_place_clear(&p);
    return status;
}

/* Append a polynomial that tells the point x from w->where, found by values
 * of the coefficients alone. */
static darc_status separate_by_values(job *w, const ulong *x, bool *found,
                                      darc_err *err)
{
    darc_status status = DARC_OK;
    const fmpz_mpoly_ctx_struct *ctx = w->f->ctx;
    darc_conjugates c = {w->f->ratio, w->fixed, w->g, w->budget};
    fmpz_mpoly_t h, one;
    fmpz_mpoly_init(h, ctx);
    fmpz_mpoly_init(one, ctx);
    fmpz_mpoly_one(one, ctx);
    *found = false;
    for (slong degree = 1; degree <= MAX_DEGREE && !*found; degree++)
        DARC_TRY(darc_conjugates_find(h, found, &c, degree, x, w->where,
                                      w->s->mod, w->s->rand, err));
    if (*found)
        *found = darc_ratios_append(w->f->ratio, h, one);
done:
    fmpz_mpoly_clear(h, ctx);
    fmpz_mpoly_clear(one, ctx);
    return status;
}

/* Append the simplest ratio that tells `at` from `other`, of at most so many
 * unknowns. */
static darc_status separate(job *w, ulong *at, ulong *other, double unknowns,
                            bool *found, darc_err *err)
{
    darc_status status = DARC_OK;
    ulong *const differ[2] = {at, other};
    darc_pair *pair;
    slong n = darc_probe_pairs(&pair, w->s, differ);
    *found = false;
    for (slong i = 0; i < n && !*found; i++) {
        if (pair[i].weight > unknowns)
            break;
        DARC_TRY(add_pair(w, pair + i, found, err));
    }
done:
    darc_free(pair);
    return status;
}

/* Append a function that tells x from w->where; *found: there is one. */
static darc_status separate_any(job *w, const ulong *x, ulong *at, ulong *other,
                                bool *found, darc_err *err)
{
    darc_status status;
    DARC_TRY(separate(w, at, other, SIMPLE, found, err));
    if (!*found)
        DARC_TRY(separate_by_values(w, x, found, err));
    if (!*found)
        DARC_TRY(separate(w, at, other, MAX_UNKNOWNS, found, err));
done:
    return status;
}

/* Look at a fibre modulo another prime: modulo some primes no fibre has all
 * its points (roots of unity). */
static darc_status look_elsewhere(outcome *is, ulong *other, job *w,
                                  darc_err *err)
{
    darc_status status;
    nmod_t mod;
    nmod_init(&mod, darc_finite_random_prime(w->s->rand));
    ulong *at = darc_calloc((size_t)w->s->entries + 1, sizeof *at);
    ulong *x = darc_calloc((size_t)w->g->vars + 1, sizeof *x);
    darc_finite_random_point(x, w->g->vars, mod, w->s->rand);
    DARC_TRY(darc_coefficients_at(at, w->g, x, mod, err));
    DARC_TRY(look_at_fibre(is, other, w, x, at, mod, err));
done:
    darc_free(at);
    darc_free(x);
    return status;
}

/* Add ratios until the fibres show that nothing is missing. */
static darc_status complete(job *w, darc_err *err)
{
    darc_status status = DARC_OK;
    size_t n = (size_t)w->s->entries + 1;
    slong vars = w->g->vars;
    nmod_t mod = w->s->mod;
    ulong *at = darc_calloc(2 * n, sizeof *at), *other = at + n;
    ulong *x = darc_calloc((size_t)vars + 1, sizeof *x);
    memcpy(at, w->s->base, (n - 1) * sizeof *at);
    memcpy(x, w->s->x, (size_t)vars * sizeof *x);
    for (int i = 0; i < FIBRES && !w->f->complete; i++) {
        outcome is = UNSEEN;
        DARC_TRY(look_at_fibre(&is, other, w, x, at, mod, err));
        bool found = is == DIFFER;
        if (found)
            DARC_TRY(separate_any(w, x, at, other, &found, err));
        if (found) {
            i = 0;
            continue;
        }
        if (is == DIFFER)
            break;
        if (is == UNSEEN)
            DARC_TRY(look_elsewhere(&is, other, w, err));
        w->f->complete = is == AGREE;
        darc_finite_random_point(x, vars, mod, w->s->rand);
        DARC_TRY(darc_coefficients_at(at, w->g, x, mod, err));
    }
done:
    darc_free(at);
    darc_free(x);
    return status;
}

/* ---- the field ---------------------------------------------------------- */

static darc_status set_slices(job *w, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_field_struct *f = w->f;
    flint_rand_t state;
    flint_randinit(state);
    darc_ratios_independent(w->fixed, f->ratio);
    for (int i = 0; i < DARC_FIELD_PRIMES && status == DARC_OK; i++) {
        darc_place_init(f->place + i, fmpz_mpoly_ctx_nvars(f->ctx),
                        darc_ratios_have_divisors(f->ratio),
                        darc_finite_random_prime(state), state);
        darc_place_cut(f->place + i, w->fixed, state);
        status = darc_fibre_init(f->slice[i], f->ratio, f->place + i, w->budget,
                                 err);
    }
    flint_randclear(state);
    return status;
}

static darc_status find_ratios(job *w, darc_err *err)
{
    darc_status status;
    darc_pair *pair = NULL;
    DARC_TRY(darc_probe_init(w->s, w->g, err));
    darc_pools_init(w->pool, w->s->rand);
    slong n = darc_probe_pairs(&pair, w->s, NULL);
    status = reach_rank(w, pair, n, err);
    if (status == DARC_OK && w->g->polynomials) {
        status = darc_known_field(w->f->ratio, &w->f->complete, w->g->c,
                                  w->f->rank, w->budget, err);
    } else if (status == DARC_OK && w->f->ratio->count == w->f->rank) {
        darc_ratios_independent(w->fixed, w->f->ratio);
        status = complete(w, err);
    }
    darc_pools_clear(w->pool);
    darc_probe_clear(w->s);
done:
    darc_free(pair);
    return status;
}

darc_status darc_field_init(darc_field_t f, const fmpz_mpoly_ctx_struct *ctx,
                            darc_coefficients_t g, slong rank,
                            const darc_budget *budget, darc_err *err)
{
    memset(f, 0, sizeof *f);
    f->ctx = ctx;
    f->rank = rank;
    darc_ratios_init(f->ratio, ctx);
    job w = {.f = f, .g = g, .budget = budget};
    size_t n = (size_t)fmpz_mpoly_ctx_nvars(ctx);
    w.fixed = darc_calloc(n, sizeof *w.fixed);
    w.where = darc_calloc(n, sizeof *w.where);
    slong before = g->calls;
    darc_status status = DARC_OK;
    f->complete = rank == 0;
    if (rank > 0)
        status = find_ratios(&w, err);
    f->evaluations = g->calls - before;
    if (status == DARC_OK)
        status = set_slices(&w, err);
    darc_free(w.fixed);
    darc_free(w.where);
    if (status != DARC_OK)
        darc_field_clear(f);
    return status;
}

void darc_field_clear(darc_field_t f)
{
    for (int i = 0; i < DARC_FIELD_PRIMES; i++) {
        if (f->place[i].x == NULL)
            continue;
        darc_groebner_clear(f->slice[i]);
        darc_place_clear(f->place + i);
    }
    darc_ratios_clear(f->ratio);
    memset(f, 0, sizeof *f);
}

bool darc_field_contains(const darc_field_t f, const fmpz_mpoly_t num,
                         const fmpz_mpoly_t den)
{
    bool in = true;
    for (int i = 0; i < DARC_FIELD_PRIMES && in; i++)
        in = darc_fibre_fixes(f->slice[i], num, den, f->ctx, f->place + i);
    return in;
}
