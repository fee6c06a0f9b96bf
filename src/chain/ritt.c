#include "chain/ritt.h"

#include "algebra/factors.h"
#include "algebra/pdiv.h"
#include "base/mem.h"

#include <assert.h>

/* Return how often the equation of the unknown of v is to be derived to
 * reduce a polynomial of degree e > 0 in v; -1: not at all. */
static int derivations(slong v, slong e, bool partial, const darc_autored_t a,
                       const darc_jet_t jet)
{
    darc_deriv d = jet->deriv[v];
    const darc_dpoly_struct *g = darc_autored_get(a, d.unknown);
    if (g == NULL)
        return -1;
    int k = d.order - darc_autored_order(a, d.unknown, jet);
    if (k == 0 && (partial || e < darc_dpoly_degree(g, v, jet)))
        return -1;
    return k;
}

bool darc_ritt_is_reduced(const darc_dpoly_t p, const darc_autored_t a,
                          const darc_jet_t jet)
{
    for (slong v = 0; v < jet->vars; v++) {
        slong e = darc_dpoly_degree(p, v, jet);
        if (e > 0 && derivations(v, e, false, a, jet) >= 0)
            return false;
    }
    return true;
}

/* What one reduction shares. */
typedef struct {
    darc_autored_struct *a;
    const darc_ritt_options *o;
    const darc_jet_struct *jet;
    darc_pdiv_t d;
} reduction;

/* One division: remove v from r by the k-th derivative of its equation. */
static darc_status divide_once(darc_dpoly_t r, slong v, int k, reduction *w,
                               darc_err *err)
{
    darc_status status;
    const darc_ritt_options *o = w->o;
    const darc_jet_struct *jet = w->jet;
    const darc_dpoly_struct *g;
    int u = jet->deriv[v].unknown;
    DARC_TRY(darc_autored_diff(&g, w->a, u, k, jet, err));
    DARC_TRY(darc_pdiv(w->d, r, g, v, err));
    fmpz_mpoly_swap(r, w->d->r, jet->ctx);

    darc_cert_step *s = NULL;
    if (o->cert != NULL) {
        s = darc_cert_append(o->cert, u, k, jet);
        fmpz_mpoly_swap(s->h, w->d->h, jet->ctx);
        fmpz_mpoly_swap(s->q, w->d->q, jet->ctx);
    }
    if (o->known != NULL && !fmpz_mpoly_is_zero(r, jet->ctx))
        darc_cancel_factors(r, s != NULL ? s->c : NULL, o->known, jet);
    if (o->max_terms > 0 && r->length > o->max_terms)
        status =
            darc_fail(err, DARC_LIMIT, "a remainder has more than %ld terms",
                      (long)o->max_terms);
done:
    return status;
}

static darc_status reduce_chain(darc_dpoly_t r, darc_autored_t a,
                                const darc_ritt_options *o,
                                const darc_jet_t jet, darc_err *err)
{
    darc_status status = DARC_OK;
    reduction w = {.a = a, .o = o, .jet = jet};
    darc_pdiv_init(w.d, o->cert != NULL, jet, o->budget);
    for (slong v = 0; v < jet->vars && status == DARC_OK; v++) {
        slong e = darc_dpoly_degree(r, v, jet);
        int k = e > 0 ? derivations(v, e, o->partial, a, jet) : -1;
        if (k >= 0)
            status = divide_once(r, v, k, &w, err);
    }
    darc_pdiv_clear(w.d);
    return status;
}

darc_status darc_ritt_reduce(darc_dpoly_t r, const darc_dpoly_t f,
                             darc_autored_t a, const darc_ritt_options *options,
                             const darc_jet_t jet, darc_err *err)
{
    assert(darc_autored_is_canonical(a, jet));
    darc_status status;
    darc_ritt_options o = *options;
    darc_dpoly_t p;
    darc_dpoly_init(p, jet);
    fmpz_mpoly_set(p, f, jet->ctx);
#ifndef NDEBUG
    darc_cert_t own;
    darc_cert_init(own);
    if (o.cert == NULL)
        o.cert = own;
    assert(o.cert->count == 0);
#endif
    DARC_TRY(reduce_chain(p, a, &o, jet, err));
    assert(darc_cert_replay(o.cert, f, p, a, jet));
    assert(o.partial || darc_ritt_is_reduced(p, a, jet));
    fmpz_mpoly_swap(r, p, jet->ctx);
done:
#ifndef NDEBUG
    darc_cert_clear(own, jet);
#endif
    darc_dpoly_clear(p, jet);
    return status;
}

void darc_cert_init(darc_cert_t cert)
{
    *cert = (darc_cert_struct){0};
}

void darc_cert_clear(darc_cert_t cert, const darc_jet_t jet)
{
    for (slong i = 0; i < cert->count; i++) {
        darc_dpoly_clears(jet->ctx, cert->step[i].h, cert->step[i].q,
                          cert->step[i].c, NULL);
    }
    darc_free(cert->step);
    darc_cert_init(cert);
}

darc_cert_step *darc_cert_append(darc_cert_t cert, int unknown, int order,
                                 const darc_jet_t jet)
{
    DARC_ROOM(cert->step, cert->count);
    darc_cert_step *s = cert->step + cert->count++;
    s->unknown = unknown;
    s->order = order;
    darc_dpoly_inits(jet->ctx, s->h, s->q, s->c, NULL);
    DARC_EACH_IN(fmpz_mpoly_one, jet->ctx, s->h, s->c);
    return s;
}

bool darc_cert_replay(const darc_cert_t cert, const darc_dpoly_t f,
                      const darc_dpoly_t r, const darc_autored_t a,
                      const darc_jet_t jet)
{
    darc_dpoly_t p, dg;
    darc_dpoly_inits(jet->ctx, p, dg, NULL);
    fmpz_mpoly_set(p, f, jet->ctx);
    bool good = true;
    for (slong i = 0; good && i < cert->count; i++) {
        const darc_cert_step *s = cert->step + i; /* (h*p - q*delta^k g)/c */
        const darc_dpoly_struct *g = darc_autored_get(a, s->unknown);
        if (darc_dpoly_diff_n(dg, g, s->order, jet, NULL) != DARC_OK) {
            good = false;
            break;
        }
        fmpz_mpoly_mul(p, p, s->h, jet->ctx);
        fmpz_mpoly_mul(dg, dg, s->q, jet->ctx);
        fmpz_mpoly_sub(p, p, dg, jet->ctx);
        good = fmpz_mpoly_divides(p, p, s->c, jet->ctx);
    }
    good = good && fmpz_mpoly_equal(p, r, jet->ctx);
    darc_dpoly_clears(jet->ctx, p, dg, NULL);
    return good;
}
