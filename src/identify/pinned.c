#include "identify/field.h"

#include "base/mem.h"

#include <string.h>

/* The fibre through the base point of a probe, as far as it is known. */
typedef struct {
    darc_probe_struct *s;
    nmod_mpoly_ctx_struct *ctx; /* the parameters modulo the probe's prime */
    nmod_mpoly_struct *q;       /* what vanishes on it; owned */
    slong count;
    const bool *local; /* parameters that may be fixed */
    bool *moves;       /* those that other points of the fibre have otherwise */
    const darc_budget *budget;
} fibre;

/* Set b to the ideal of the equations, of which `whole` says how much is
 * sought. */
static darc_status find_ideal(darc_groebner_t b, const fibre *w, bool whole,
                              const darc_budget *own, darc_err *err)
{
    nmod_mpoly_t q;
    nmod_mpoly_init(q, w->ctx);
    darc_groebner_init(b, w->ctx);
    for (slong v = 0; v < w->s->g->vars; v++)
        if (w->s->pinned[v])
            darc_groebner_add_value(b, v, w->s->x[v]);
    for (slong i = 0; i < w->count; i++) {
        nmod_mpoly_set(q, w->q + i, w->ctx);
        darc_groebner_add(b, q);
    }
    nmod_mpoly_clear(q, w->ctx);
    return whole ? darc_groebner_find(b, own, err)
                 : darc_groebner_find_short(b, own, err);
}

/* Return whether a power of x_v leads in the basis: where such of all variables
 * do, there are finitely many points. */
static bool is_bounded(const darc_groebner_t b, slong v)
{
    for (slong i = 0; i < b->count; i++) {
        ulong sum = 0;
        for (slong k = 0; k < b->vars; k++)
            sum += b->g[i].lead[k];
        if (b->g[i].active && sum == b->g[i].lead[v])
            return true;
    }
    return false;
}

/* Mark what moves between the base point and another of the fibre, where the
 * coefficients are the same.  Variables whose number of values b does not bound
 * stay. */
static darc_status look_elsewhere(const fibre *w, const darc_groebner_t b,
                                  const darc_budget *own, darc_err *err)
{
    const darc_probe_struct *s = w->s;
    slong vars = s->g->vars;
    darc_slice_t slice = {0};
    darc_fibre at = {.vars = vars, .mod = s->mod, .budget = own};
    ulong *value = darc_calloc((size_t)s->entries + 1, sizeof *value);
    at.ctx[0] = *w->ctx;
    darc_groebner_init(at.basis, w->ctx);
    nmod_mpoly_t q;
    nmod_mpoly_init(q, w->ctx);
    for (slong v = 0; v < vars; v++)
        if (!is_bounded(b, v))
            darc_groebner_add_value(at.basis, v, s->x[v]);
    for (slong i = 0; i < b->count; i++) {
        nmod_mpoly_set(q, b->g[i].p, w->ctx);
        if (b->g[i].active)
            darc_groebner_add(at.basis, q);
    }
    nmod_mpoly_clear(q, w->ctx);
    darc_status status = darc_groebner_find(at.basis, own, err);
    DARC_THEN(darc_slice_init(slice, &at, err));
    slong n = FLINT_MIN(slice->count, DARC_PINNING_POINTS);
    for (slong i = 0; i < n && status == DARC_OK; i++) {
        const ulong *x = slice->x + i * vars;
        if (memcmp(x, s->x, (size_t)vars * sizeof *x) == 0)
            continue;
        darc_err why = {DARC_OK, ""};
        status = darc_blackbox_at(value, s->g, x, s->mod, &why);
        bool same = status == DARC_OK &&
                    darc_blackbox_agree(s->base, value, s->g, s->mod);
        for (slong v = 0; v < vars && same; v++)
            w->moves[v] = w->moves[v] || x[v] != s->x[v];
        status =
            status == DARC_DOMAIN ? DARC_OK : darc_fail_as(err, status, &why);
    }
    darc_slice_clear(slice);
    darc_groebner_clear(at.basis);
    darc_free(value);
    return status;
}

/* Pin what the equations fix; *more: something was fixed.  Of the whole ideal,
 * or of what linear combinations of few terms show.  Where the whole ideal
 * fixes nothing see what moves. */
static darc_status pin_fixed(bool *more, const fibre *w, bool whole,
                             darc_err *err)
{
    darc_groebner_t b;
    slong vars = w->s->g->vars;
    bool *in = darc_calloc((size_t)vars + 1, sizeof *in);
    double left = DARC_FIXED_WORK;
    darc_budget own = darc_budget_with(w->budget, &left);
    darc_err why = {DARC_OK, ""};
    darc_status status = find_ideal(b, w, whole, &own, &why);
    nmod_mpoly_t q;
    nmod_mpoly_init(q, w->ctx);
    *more = false;
    for (slong v = 0; v < vars && (status == DARC_OK || !whole); v++) {
        nmod_mpoly_gen(q, v, w->ctx);
        nmod_mpoly_sub_ui(q, q, w->s->x[v], w->ctx);
        in[v] = w->local[v] && !w->s->pinned[v] &&
                (whole ? darc_groebner_contains(b, q) : b->fixed[v]);
        *more = *more || in[v];
    }
    nmod_mpoly_clear(q, w->ctx);
    if (whole && !*more && status == DARC_OK)
        status = look_elsewhere(w, b, &own, &why);
    darc_groebner_clear(b);
    if (status != DARC_OK && darc_budget_is_short(&own))
        status = DARC_OK;
    else
        darc_fail_as(err, status, &why);
    if (*more && status == DARC_OK)
        status = darc_probe_pin(w->s, in, err);
    darc_free(in);
    return status;
}

/* Append the equations of the pairs with weights above `from`, up to `to`;
 * of pairs in the same parameters only some. */
static darc_status add_equations(fibre *w, const darc_pair *pair, slong n,
                                 double from, double to, darc_err *err)
{
    darc_status status = DARC_OK;
    for (slong i = 0; i < n && pair[i].weight <= to; i++) {
        int same = 0;
        for (slong k = 0; k < i; k++)
            same += pair[k].mask == pair[i].mask;
        if (pair[i].weight <= from ||
            same * pair[i].weight >= DARC_PINNING_SAME)
            continue;
        bool found;
        DARC_ROOM(w->q, w->count);
        nmod_mpoly_init(w->q + w->count, w->ctx);
        status = darc_probe_equation(w->q + w->count, &found, pair + i, w->s,
                                     w->ctx, err);
        if (status == DARC_OK && found)
            w->count++;
        else
            nmod_mpoly_clear(w->q + w->count, w->ctx);
        if (status != DARC_OK)
            break;
    }
    return status;
}

/* How many parameters are neither fixed nor seen to move. */
static slong open_ones(const fibre *w)
{
    slong n = 0;
    for (slong v = 0; v < w->s->g->vars; v++)
        n += w->local[v] && !w->s->pinned[v] && !w->moves[v];
    return n;
}

/* Look at ratios of few unknowns, then of more, until they fix something. */
static darc_status pin_more(bool *more, fibre *w, darc_err *err)
{
    darc_pair *pair;
    darc_status status = DARC_OK;
    slong n = darc_probe_pairs(&pair, w->s, NULL);
    double from = 0, to = DARC_PINNING_FIRST;
    *more = false;
    for (; !*more && from < DARC_PINNING_UNKNOWNS && open_ones(w) > 0;
         from = to, to *= 2) {
        DARC_TRY(add_equations(w, pair, n, from, to, err));
        DARC_TRY(pin_fixed(more, w, false, err));
        if (!*more)
            DARC_TRY(pin_fixed(more, w, true, err));
    }
done:
    darc_free(pair);
    return status;
}

/* Clear in[v] where parameter v is not seen to be fixed at point n of a
 * sequence; set moves[v] where it is seen not to be. */
static darc_status pin_all(bool *in, bool *moves, darc_blackbox_t g, int n,
                           const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_probe_t s;
    nmod_mpoly_ctx_t ctx;
    fibre w = {
        .s = s, .ctx = ctx, .local = in, .moves = moves, .budget = budget};
    DARC_NEED(darc_probe_init(s, g, n, err));
    s->pool->mod = s->mod;
    nmod_mpoly_ctx_init(ctx, g->vars, ORD_DEGREVLEX, s->mod.n);
    for (bool more = true; more && open_ones(&w) > 0 && status == DARC_OK;)
        status = pin_more(&more, &w, err);
    for (slong v = 0; v < g->vars; v++)
        in[v] = in[v] && s->pinned[v];
    while (w.count > 0)
        nmod_mpoly_clear(w.q + --w.count, ctx);
    darc_free(w.q);
    nmod_mpoly_ctx_clear(ctx);
    darc_probe_clear(s);
    return status;
}

darc_status darc_field_pin(bool *in, bool *moves, darc_blackbox_t g,
                           const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    for (int i = 0; i < DARC_KNOWN_PRIMES && status == DARC_OK; i++)
        status = pin_all(in, moves, g, i, budget, err);
    return status;
}
