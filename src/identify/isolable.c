#include "identify/isolable.h"

#include "base/mem.h"
#include "identify/fibre.h"

#include <math.h>
#include <string.h>

/* Return whether a function holds parameters of `other` and none of s: then it
 * differs between two recordings as no change in s can make it. */
static bool shows_other(const darc_identification_t f, const bool *s,
                        const bool *other)
{
    const darc_ratios_struct *g = f->function;
    size_t n = (size_t)fmpz_mpoly_ctx_nvars(f->ctx);
    int *used = darc_calloc(2 * n, sizeof *used), *below = used + n;
    bool shows = false;
    for (slong k = 0; k < g->count && !shows; k++) {
        bool hit = false;
        fmpz_mpoly_used_vars(used, g->num + k, f->ctx);
        fmpz_mpoly_used_vars(below, g->den + k, f->ctx);
        for (slong v = 0; v < f->vars; v++) {
            bool holds = used[v] != 0 || below[v] != 0;
            hit = hit || (holds && s[v]);
            shows = shows || (holds && other[v]);
        }
        shows = shows && !hit;
    }
    darc_free(used);
    return shows;
}

/* The ring has the parameters, those in S twice (the second copies behind),
 * and a variable for the saturation. */
darc_status darc_isolable_explains(bool *explains,
                                   const darc_identification_t f, const bool *s,
                                   const bool *other, const darc_budget *budget,
                                   darc_err *err)
{
    *explains = false;
    if (shows_other(f, s, other))
        return DARC_OK;
    const darc_ratios_struct *g = f->function;
    slong n = fmpz_mpoly_ctx_nvars(f->ctx), vars = n;
    slong *second = darc_calloc((size_t)n, sizeof *second);
    for (slong v = 0; v < n; v++)
        second[v] = v < f->vars && s[v] ? vars++ : v;
    flint_rand_t state;
    flint_randinit(state);
    darc_fibre r = {.ring = f->ctx};
    nmod_init(&r.mod, darc_finite_random_prime(state));
    nmod_mpoly_ctx_init(r.ctx, vars + 1, ORD_DEGREVLEX, r.mod.n);
    ulong *x = darc_calloc(2 * (size_t)n, sizeof *x); /* of two recordings */
    darc_finite_random_point(x, n, r.mod, state);
    for (slong v = 0; v < n; v++) {
        x[n + v] = x[v];
        if (v < f->vars && other[v])
            darc_finite_random_point(x + n + v, 1, r.mod, state);
    }
    darc_groebner_t b;
    nmod_mpoly_t q, d, saturation;
    darc_mpoly_inits(r.ctx, q, d, saturation, NULL);
    nmod_mpoly_gen(saturation, vars, r.ctx);
    darc_groebner_init(b, r.ctx);
    for (slong k = 0; k < g->count; k++)
        for (int i = 0; i < 2; i++) {
            const slong *target = i == 0 ? NULL : second;
            r.x = x + i * n;
            darc_fibre_equation(q, d, g->num + k, g->den + k, target, &r);
            darc_groebner_add(b, q);
            if (!nmod_mpoly_is_ui(d, r.ctx))
                nmod_mpoly_mul(saturation, saturation, d, r.ctx);
        }
    nmod_mpoly_sub_ui(saturation, saturation, 1, r.ctx);
    darc_groebner_add(b, saturation);
    darc_status status = darc_groebner_find(b, budget, err);
    if (status == DARC_OK)
        *explains = !darc_groebner_is_one(b);
    darc_groebner_clear(b);
    darc_mpoly_clears(r.ctx, q, d, saturation, NULL);
    nmod_mpoly_ctx_clear(r.ctx);
    DARC_FREE(second, x);
    flint_randclear(state);
    return status;
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
    double tried, least; /* sets that took work so far, and all sets of one */
    double spent;
} cause_search;

static darc_status try_set(cause_search *w, darc_err *err)
{
    bool explains = false;
    darc_change_sets *l = w->list;
    for (slong i = 0; i < l->count; i++) { /* no set that holds another */
        bool inside = true;
        for (slong v = 0; v < w->f->vars; v++)
            inside = inside && (!l->set[i][v] || w->s[v]);
        if (inside)
            return DARC_OK;
    }
    DARC_NEED(darc_budget_check(w->budget, err));
    /* the first sets show whether all of one parameter take too long */
    bool first = w->tried < DARC_ISOLABLE_FIRST;
    double left = *w->budget->left, most = DARC_ISOLABLE_FAR *
                                           DARC_ISOLABLE_WORK * (w->tried + 1) /
                                           w->least;
    double kept = first ? fmax(0, left - (most - w->spent)) : 0;
    *w->budget->left -= kept;
    DARC_NEED(darc_isolable_explains(&explains, w->f, w->s, w->other, w->budget,
                                     err));
    *w->budget->left += kept;
    w->tried += *w->budget->left < left;
    w->spent += left - *w->budget->left;
    if (!explains)
        return DARC_OK;
    DARC_ROOM(l->set, l->count);
    bool *copy = darc_calloc((size_t)w->f->vars, sizeof *copy);
    memcpy(copy, w->s, (size_t)w->f->vars * sizeof *copy);
    l->set[l->count++] = copy;
    return DARC_OK;
}

/* Try the sets of `left` more parameters from `from` on. */
static darc_status try_sets(cause_search *w, slong from, int left,
                            darc_err *err)
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
static darc_status try_largest(cause_search *w, darc_err *err)
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
    DARC_FILL(w->s, w->f->vars, false);
    return status;
}

/* A change of a global parameter shows as itself; only parameters that are
 * not global explain or are explained. */
static darc_status explain_all(darc_isolability_t out, cause_search *w,
                               const bool *eligible, darc_err *err)
{
    slong candidates = 0;
    for (slong v = 0; v < out->vars; v++)
        candidates += eligible[v];
    w->least = (double)(candidates * (candidates - 1));
    int most = candidates > DARC_MAX_FOR_TRIPLES ? 2 : DARC_MAX_EXPLAINING;
    slong done = 0;
    for (slong v = 0; v < out->vars; v++) {
        if (!eligible[v])
            continue;
        double left = *w->budget->left, spent = DARC_ISOLABLE_WORK - left;
        if (spent * (double)(candidates - done) >
            DARC_ISOLABLE_BEYOND * left * (double)done)
            darc_budget_take(w->budget, HUGE_VAL);
        done++;
        w->of = v;
        w->other[v] = true;
        w->list = out->of + v;
        for (int size = 1; size <= most; size++)
            DARC_NEED(try_sets(w, 0, size, err));
        if (w->list->count == 0)
            DARC_NEED(try_largest(w, err));
        w->other[v] = false;
    }
    return DARC_OK;
}

darc_status darc_isolability_init(darc_isolability_t out, bool *known,
                                  const darc_identification_t f,
                                  const darc_budget *budget, darc_err *err)
{
    size_t n = (size_t)f->vars + 1;
    out->vars = f->vars;
    DARC_CALLOC(n, out->seen, out->of);
    bool *eligible = darc_calloc(n, sizeof *eligible);
    int *used = darc_calloc(n, sizeof *used);
    const darc_ratios_struct *g = f->function;
    for (slong k = 0; k < 2 * g->count; k++) {
        fmpz_mpoly_used_vars(used, k % 2 == 0 ? g->num + k / 2 : g->den + k / 2,
                             f->ctx);
        for (slong v = 0; v < f->vars; v++)
            out->seen[v] = out->seen[v] || used[v] != 0;
    }
    darc_free(used);
    for (slong v = 0; v < f->vars; v++)
        eligible[v] = out->seen[v] && f->parameter[v] != DARC_GLOBALLY;
    double left = DARC_ISOLABLE_WORK;
    darc_budget own = darc_budget_with(budget, &left);
    darc_err why = {DARC_OK, ""};
    cause_search w = {.f = f, .eligible = eligible, .budget = &own};
    DARC_CALLOC(n, w.other, w.s);
    darc_status status = explain_all(out, &w, eligible, &why);
    *known = status == DARC_OK;
    DARC_FREE(w.other, w.s, eligible);
    if (status == DARC_OK)
        return DARC_OK;
    darc_isolability_clear(out);
    return darc_budget_is_short(&own) ? DARC_OK
                                      : darc_fail_as(err, status, &why);
}

void darc_isolability_clear(darc_isolability_t t)
{
    for (slong v = 0; v < t->vars && t->of != NULL; v++) {
        DARC_FREE_EACH(t->of[v].set, t->of[v].count);
        darc_free(t->of[v].set);
    }
    DARC_FREE(t->of, t->seen);
    memset(t, 0, sizeof *t);
}

static slong variable_of(const darc_identification_t id, int unknown)
{
    slong v = 0;
    while (v < id->vars && id->unknown[v] != unknown)
        v++;
    return v < id->vars ? v : -1;
}

/* Whether variable b alone explains a change of a. */
static bool explains_alone(const darc_isolability_t t, slong a, slong b)
{
    bool found = false;
    for (slong i = 0; i < t->of[a].count; i++) {
        const bool *set = t->of[a].set[i];
        slong others = 0;
        for (slong v = 0; v < t->vars; v++)
            others += v != b && set[v];
        found = found || (set[b] && others == 0);
    }
    return found;
}

darc_status darc_isolability_never(bool *never, const int *unknown, int n,
                                   const darc_identification_t id,
                                   const darc_budget *budget, darc_err *err)
{
    darc_isolability_t t;
    bool known = false;
    if (!id->complete)
        return DARC_OK;
    DARC_NEED(darc_isolability_init(t, &known, id, budget, err));
    for (int i = 0; i < n && known; i++)
        for (int j = 0; j < n; j++) {
            slong a = variable_of(id, unknown[i]);
            slong b = variable_of(id, unknown[j]);
            never[i * n + j] = a >= 0 && b >= 0 && explains_alone(t, a, b);
        }
    if (known)
        darc_isolability_clear(t);
    return DARC_OK;
}
