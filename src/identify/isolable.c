#include "identify/isolable.h"

#include "base/mem.h"
#include "identify/fibre.h"
#include "identify/thresholds.h"

#include <string.h>

/* The ring of the parameters, those in S twice (the second copies behind),
 * and a variable for the saturation. */
typedef struct {
    const darc_identification_struct *f;
    slong vars;
    slong *second; /* variable of the second copy; itself where not in S */
    nmod_mpoly_ctx_t ctx;
    nmod_t mod;
    ulong *x[2]; /* the parameters of the two recordings */
} pair_ring;

static void ring_init(pair_ring *r, const darc_identification_t f,
                      const bool *s, const bool *other, flint_rand_t state)
{
    r->f = f;
    r->vars = fmpz_mpoly_ctx_nvars(f->ctx);
    size_t n = (size_t)r->vars;
    r->second = darc_calloc(n, sizeof *r->second);
    for (slong v = 0; v < fmpz_mpoly_ctx_nvars(f->ctx); v++)
        r->second[v] = v < f->vars && s[v] ? r->vars++ : v;
    nmod_init(&r->mod, darc_finite_random_prime(state));
    nmod_mpoly_ctx_init(r->ctx, r->vars + 1, ORD_DEGREVLEX, r->mod.n);
    r->x[0] = darc_calloc(n, sizeof *r->x[0]);
    r->x[1] = darc_calloc(n, sizeof *r->x[1]);
    darc_finite_random_point(r->x[0], (slong)n, r->mod, state);
    for (slong v = 0; v < (slong)n; v++) {
        r->x[1][v] = r->x[0][v];
        if (v < f->vars && other[v])
            darc_finite_random_point(r->x[1] + v, 1, r->mod, state);
    }
}

static void ring_clear(pair_ring *r)
{
    darc_free(r->second);
    darc_free(r->x[0]);
    darc_free(r->x[1]);
    nmod_mpoly_ctx_clear(r->ctx);
}

/* Set q to the equation that function k has its value of the recording, and
 * multiply the saturation by its denominator. */
static void equation(nmod_mpoly_t q, nmod_mpoly_t saturation, slong k,
                     int recording, const pair_ring *r)
{
    const fmpz_mpoly_struct *num = r->f->num + k, *den = r->f->den + k;
    nmod_mpoly_t d;
    nmod_mpoly_init(d, r->ctx);
    const slong *target = recording == 0 ? NULL : r->second;
    darc_finite_image(q, r->ctx, target, NULL, num, r->f->ctx);
    darc_finite_image(d, r->ctx, target, NULL, den, r->f->ctx);
    if (!nmod_mpoly_is_ui(d, r->ctx))
        nmod_mpoly_mul(saturation, saturation, d, r->ctx);
    const ulong *x = r->x[recording];
    nmod_mpoly_scalar_mul_ui(q, q, darc_finite_eval(den, x, r->mod, r->f->ctx),
                             r->ctx);
    nmod_mpoly_scalar_mul_ui(d, d, darc_finite_eval(num, x, r->mod, r->f->ctx),
                             r->ctx);
    nmod_mpoly_sub(q, q, d, r->ctx);
    nmod_mpoly_clear(d, r->ctx);
}

darc_status darc_isolable_explains(bool *explains,
                                   const darc_identification_t f, const bool *s,
                                   const bool *other, const darc_budget *budget,
                                   darc_err *err)
{
    pair_ring r;
    flint_rand_t state;
    flint_randinit(state);
    ring_init(&r, f, s, other, state);
    slong n = 2 * f->count + 1;
    nmod_mpoly_struct *g = darc_calloc((size_t)n, sizeof *g);
    for (slong k = 0; k < n; k++)
        nmod_mpoly_init(g + k, r.ctx);
    nmod_mpoly_gen(g + n - 1, r.vars, r.ctx);
    for (slong k = 0; k < f->count; k++)
        for (int i = 0; i < 2; i++)
            equation(g + 2 * k + i, g + n - 1, k, i, &r);
    nmod_mpoly_sub_ui(g + n - 1, g + n - 1, 1, r.ctx);
    darc_groebner_t b;
    darc_status status = darc_groebner_init(b, g, n, r.ctx, budget, err);
    if (status == DARC_OK)
        *explains = !darc_groebner_is_one(b);
    darc_groebner_clear(b);
    for (slong k = 0; k < n; k++)
        nmod_mpoly_clear(g + k, r.ctx);
    darc_free(g);
    ring_clear(&r);
    flint_randclear(state);
    return status;
}

/* Return whether some set of the list is contained in s. */
static bool contains_one(const darc_change_sets *list, const bool *s,
                         slong vars)
{
    for (slong i = 0; i < list->count; i++) {
        bool inside = true;
        for (slong v = 0; v < vars; v++)
            inside = inside && (!list->set[i][v] || s[v]);
        if (inside)
            return true;
    }
    return false;
}

/* The search for the explanations of one parameter. */
typedef struct {
    const darc_identification_struct *f;
    const bool *eligible;
    slong of;    /* the parameter */
    bool *other; /* {of} */
    bool *s;     /* the set in hand */
    darc_change_sets *list;
    const darc_budget *budget;
} search;

static darc_status try_set(search *w, darc_err *err)
{
    bool explains = false;
    if (contains_one(w->list, w->s, w->f->vars))
        return DARC_OK;
    darc_status status = darc_budget_check(w->budget, err);
    if (status == DARC_OK)
        status = darc_isolable_explains(&explains, w->f, w->s, w->other,
                                        w->budget, err);
    if (status != DARC_OK || !explains)
        return status;
    darc_change_sets *l = w->list;
    l->set = darc_grow(l->set, (size_t)l->count, &l->alloc, sizeof *l->set);
    bool *copy = darc_calloc((size_t)w->f->vars, sizeof *copy);
    memcpy(copy, w->s, (size_t)w->f->vars * sizeof *copy);
    l->set[l->count++] = copy;
    return DARC_OK;
}

/* Try the sets of `left` more parameters from `from` on. */
static darc_status try_sets(search *w, slong from, int left, darc_err *err)
{
    darc_status status = DARC_OK;
    if (left == 0)
        return try_set(w, err);
    for (slong v = from; v < w->f->vars && status == DARC_OK; v++) {
        if (!w->eligible[v] || v == w->of)
            continue;
        w->s[v] = true;
        status = try_sets(w, v + 1, left - 1, err);
        w->s[v] = false;
    }
    return status;
}

/* Where no small set explains, remove parameters one by one from the set of
 * all others as long as it explains; nothing is listed if it does not. */
static darc_status try_largest(search *w, darc_err *err)
{
    darc_status status;
    bool explains = false;
    for (slong v = 0; v < w->f->vars; v++)
        w->s[v] = w->eligible[v] && v != w->of;
    DARC_TRY(darc_isolable_explains(&explains, w->f, w->s, w->other, w->budget,
                                    err));
    for (slong v = 0; v < w->f->vars && explains; v++) {
        if (!w->s[v])
            continue;
        bool still = true;
        w->s[v] = false;
        DARC_TRY(darc_isolable_explains(&still, w->f, w->s, w->other, w->budget,
                                        err));
        w->s[v] = !still;
    }
    if (explains)
        status = try_set(w, err);
done:
    for (slong v = 0; v < w->f->vars; v++)
        w->s[v] = false;
    return status;
}

/* A change of a global parameter shows as itself; only parameters that are
 * not global explain or are explained. */
static darc_status explain_all(darc_isolability_t out, search *w,
                               const bool *eligible, darc_err *err)
{
    darc_status status = DARC_OK;
    slong candidates = 0;
    for (slong v = 0; v < out->vars; v++)
        candidates += eligible[v];
    int most = candidates > DARC_MAX_FOR_TRIPLES ? 2 : DARC_MAX_EXPLAINING;
    for (slong v = 0; v < out->vars; v++) {
        if (!eligible[v])
            continue;
        w->of = v;
        w->other[v] = true;
        w->list = out->of + v;
        for (int size = 1; size <= most; size++)
            DARC_TRY(try_sets(w, 0, size, err));
        if (w->list->count == 0)
            DARC_TRY(try_largest(w, err));
        w->other[v] = false;
    }
done:
    return status;
}

static void find_seen(darc_isolability_t out, const darc_identification_t f)
{
    slong n = fmpz_mpoly_ctx_nvars(f->ctx);
    int *used = darc_calloc((size_t)n, sizeof *used);
    for (slong k = 0; k < 2 * f->count; k++) {
        fmpz_mpoly_used_vars(used, k % 2 == 0 ? f->num + k / 2 : f->den + k / 2,
                             f->ctx);
        for (slong v = 0; v < f->vars; v++)
            out->seen[v] = out->seen[v] || used[v] != 0;
    }
    darc_free(used);
}

darc_status darc_isolability_init(darc_isolability_t out, bool *known,
                                  const darc_identification_t f,
                                  const darc_budget *budget, darc_err *err)
{
    size_t n = (size_t)f->vars + 1;
    out->vars = f->vars;
    out->seen = darc_calloc(n, sizeof *out->seen);
    out->of = darc_calloc(n, sizeof *out->of);
    find_seen(out, f);
    bool *eligible = darc_calloc(n, sizeof *eligible);
    for (slong v = 0; v < f->vars; v++)
        eligible[v] = out->seen[v] && f->parameter[v] != DARC_GLOBALLY;
    double left = DARC_ISOLABLE_WORK;
    darc_budget own = darc_budget_with(budget, &left);
    darc_err why = {DARC_OK, ""};
    search w = {.f = f, .eligible = eligible, .budget = &own};
    w.other = darc_calloc(n, sizeof *w.other);
    w.s = darc_calloc(n, sizeof *w.s);
    darc_status status = explain_all(out, &w, eligible, &why);
    *known = status == DARC_OK;
    darc_free(w.other);
    darc_free(w.s);
    darc_free(eligible);
    if (status == DARC_OK)
        return DARC_OK;
    darc_isolability_clear(out);
    return darc_budget_is_short(&own)
               ? DARC_OK
               : darc_fail(err, status, "%s", why.message);
}

void darc_isolability_clear(darc_isolability_t t)
{
    for (slong v = 0; v < t->vars && t->of != NULL; v++) {
        for (slong i = 0; i < t->of[v].count; i++)
            darc_free(t->of[v].set[i]);
        darc_free(t->of[v].set);
    }
    darc_free(t->of);
    darc_free(t->seen);
    memset(t, 0, sizeof *t);
}
