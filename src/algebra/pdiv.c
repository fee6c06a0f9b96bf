#include "algebra/pdiv.h"

#include <assert.h>

void darc_pdiv_init(darc_pdiv_t d, bool quotient, const darc_jet_t jet,
                    const darc_budget *budget)
{
    d->jet = jet;
    d->budget = budget;
    darc_dpoly_inits(jet->ctx, d->h, d->q, d->r, NULL);
    d->quotient = quotient;
}

void darc_pdiv_clear(darc_pdiv_t d)
{
    darc_dpoly_clears(d->jet->ctx, d->h, d->q, d->r, NULL);
}

/* The divisor g = lead*v^degree + tail, and room for one step. */
typedef struct {
    slong v, degree;
    darc_dpoly_t lead, tail;
    darc_dpoly_t a, b, power, product; /* scratch */
} divisor;

static void set_power(darc_dpoly_t p, slong v, slong e, const darc_jet_t jet)
{
    fmpz_mpoly_gen(p, v, jet->ctx);
    int done = fmpz_mpoly_pow_ui(p, p, (ulong)e, jet->ctx);
    assert(done);
    (void)done;
}

/* Set tail to f - lead*v^e. */
static void cut_tail(darc_dpoly_t tail, const darc_dpoly_t f,
                     const darc_dpoly_t lead, divisor *g, slong e,
                     const darc_jet_t jet)
{
    set_power(g->power, g->v, e, jet);
    fmpz_mpoly_mul(g->product, g->power, lead, jet->ctx);
    fmpz_mpoly_sub(tail, f, g->product, jet->ctx);
}

/* With c = b, the leading coefficient of r: set a to lead/gcd(lead, c) and b
 * to c/gcd(lead, c); without the gcd where FLINT cannot tell it. */
static void cancel(divisor *g, const darc_jet_t jet)
{
    fmpz_mpoly_set(g->a, g->lead, jet->ctx);
    if (fmpz_mpoly_is_one(g->lead, jet->ctx) ||
        !fmpz_mpoly_gcd(g->product, g->a, g->b, jet->ctx) ||
        fmpz_mpoly_is_one(g->product, jet->ctx))
        return;
    int exact = fmpz_mpoly_divides(g->a, g->a, g->product, jet->ctx) &&
                fmpz_mpoly_divides(g->b, g->b, g->product, jet->ctx);
    assert(exact);
    (void)exact;
}

/* h*f = q*g + r holds before and after; the degree e of r drops.  Products that
 * the budget does not have are not begun. */
static darc_status divide_step(darc_pdiv_t d, divisor *g, slong e,
                               const darc_jet_t jet, darc_err *err)
{
    darc_dpoly_coeff(g->b, d->r, g->v, e, jet);
    cut_tail(d->r, d->r, g->b, g, e, jet);
    cancel(g, jet);
    darc_budget_take(d->budget,
                     (double)d->r->length * (double)g->a->length +
                         (double)g->b->length * (double)g->tail->length);
    DARC_NEED(darc_budget_check(d->budget, err));
    fmpz_mpoly_mul(d->r, d->r, g->a, jet->ctx);
    set_power(g->power, g->v, e - g->degree, jet);
    fmpz_mpoly_mul(g->b, g->b, g->power, jet->ctx);
    fmpz_mpoly_mul(g->product, g->b, g->tail, jet->ctx);
    fmpz_mpoly_sub(d->r, d->r, g->product, jet->ctx);
    if (!d->quotient)
        return DARC_OK;
    fmpz_mpoly_mul(d->h, d->h, g->a, jet->ctx);
    fmpz_mpoly_mul(d->q, d->q, g->a, jet->ctx);
    fmpz_mpoly_add(d->q, d->q, g->b, jet->ctx);
    return DARC_OK;
}

darc_status darc_pdiv(darc_pdiv_t d, const darc_dpoly_t f, const darc_dpoly_t g,
                      slong v, darc_err *err)
{
    const darc_jet_struct *jet = d->jet;
    assert(darc_dpoly_degree(g, v, jet) >= 1);
    darc_status status = DARC_OK;
    divisor w = {.v = v, .degree = darc_dpoly_degree(g, v, jet)};
    darc_dpoly_inits(jet->ctx, w.lead, w.tail, w.a, w.b, w.power, w.product,
                     NULL);
    darc_dpoly_coeff(w.lead, g, v, w.degree, jet);
    cut_tail(w.tail, g, w.lead, &w, w.degree, jet);
    fmpz_mpoly_set(d->r, f, jet->ctx);
    fmpz_mpoly_one(d->h, jet->ctx);
    fmpz_mpoly_zero(d->q, jet->ctx);
    for (slong e = darc_dpoly_degree(d->r, v, jet);
         e >= w.degree && status == DARC_OK;
         e = darc_dpoly_degree(d->r, v, jet))
        status = divide_step(d, &w, e, jet, err);
    darc_dpoly_clears(jet->ctx, w.lead, w.tail, w.a, w.b, w.power, w.product,
                      NULL);
    return status;
}
