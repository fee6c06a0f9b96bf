#include "planted.h"

#include "algebra/finite.h"

#include <stdlib.h>

/* Set out to q along the solution. */
static void substitute(fmpz_poly_t out, const planted *p, const darc_dpoly_t q,
                       const darc_jet_t jet)
{
    ulong *e = calloc((size_t)jet->vars, sizeof *e);
    fmpz_poly_t term, x;
    fmpz_poly_init(term);
    fmpz_poly_init(x);
    fmpz_poly_zero(out);
    for (slong i = 0; i < q->length; i++) {
        fmpz_mpoly_get_term_exp_ui(e, q, i, jet->ctx);
        fmpz_poly_set_fmpz(term, q->coeffs + i);
        for (slong v = 0; v < jet->vars; v++) {
            darc_deriv d = jet->deriv[v];
            if (e[v] == 0)
                continue;
            fmpz_poly_set(x, p->solution + d.unknown);
            for (int k = 0; k < d.order; k++)
                fmpz_poly_derivative(x, x);
            fmpz_poly_pow(x, x, e[v]);
            fmpz_poly_mul(term, term, x);
        }
        fmpz_poly_add(out, out, term);
    }
    fmpz_poly_clear(x);
    fmpz_poly_clear(term);
    free(e);
}

int planted_solves(const planted *p, const darc_dpoly_t q, const darc_jet_t jet)
{
    fmpz_poly_t value;
    fmpz_poly_init(value);
    substitute(value, p, q, jet);
    int zero = fmpz_poly_is_zero(value);
    fmpz_poly_clear(value);
    return zero;
}

static slong small(darc_rng *rng, slong n)
{
    return (slong)(darc_rng_next(rng) % (ulong)n);
}

/* Set q to a random sum of two products of derivatives, times small numbers. */
static void random_sum(darc_dpoly_t q, const planted *p, int order,
                       darc_rng *rng)
{
    const darc_jet_struct *jet = p->r.jet;
    darc_dpoly_t term, x;
    darc_dpoly_init(term, jet);
    darc_dpoly_init(x, jet);
    fmpz_mpoly_zero(q, jet->ctx);
    for (slong i = 0; i < 2; i++) {
        fmpz_mpoly_set_si(term, small(rng, 5) - 2, jet->ctx);
        for (slong k = 1 + small(rng, 2); k > 0; k--) {
            darc_deriv d = {(int)small(rng, 2), (int)small(rng, order + 1)};
            darc_dpoly_set_deriv(x, d, jet);
            fmpz_mpoly_mul(term, term, x, jet->ctx);
        }
        fmpz_mpoly_add(q, q, term, jet->ctx);
    }
    darc_dpoly_clear(term, jet);
    darc_dpoly_clear(x, jet);
}

/* Subtract the value of q along the solution, a polynomial in t. */
static void make_vanish(darc_dpoly_t q, const planted *p)
{
    const darc_jet_struct *jet = p->r.jet;
    fmpz_poly_t value;
    fmpz_poly_init(value);
    substitute(value, p, q, jet);
    darc_dpoly_t t, term;
    darc_dpoly_init(t, jet);
    darc_dpoly_init(term, jet);
    darc_dpoly_set_deriv(t, (darc_deriv){2, 0}, jet);
    for (slong k = 0; k < fmpz_poly_length(value); k++) {
        fmpz_mpoly_pow_ui(term, t, (ulong)k, jet->ctx);
        fmpz_mpoly_scalar_mul_fmpz(term, term, value->coeffs + k, jet->ctx);
        fmpz_mpoly_sub(q, q, term, jet->ctx);
    }
    darc_dpoly_clear(t, jet);
    darc_dpoly_clear(term, jet);
    fmpz_poly_clear(value);
}

/* Set q to a*b or a*b + c*d with a, c vanishing on the solution. */
static void random_equation(darc_dpoly_t q, const planted *p, int order,
                            darc_rng *rng)
{
    const darc_jet_struct *jet = p->r.jet;
    darc_dpoly_t a, b;
    darc_dpoly_init(a, jet);
    darc_dpoly_init(b, jet);
    fmpz_mpoly_zero(q, jet->ctx);
    for (slong i = small(rng, 2); i < 2; i++) {
        random_sum(a, p, order, rng);
        make_vanish(a, p);
        if (small(rng, 2) == 0) {
            random_sum(b, p, order - 1, rng);
            fmpz_mpoly_mul(a, a, b, jet->ctx);
        }
        fmpz_mpoly_add(q, q, a, jet->ctx);
    }
    darc_dpoly_clear(a, jet);
    darc_dpoly_clear(b, jet);
}

void planted_init(planted *p, int equations, int order, const char *ranking,
                  unsigned long seed)
{
    darc_rng rng = {seed};
    ring_init(&p->r, "x y||||t", ranking, order, "", "");
    for (int u = 0; u < 3; u++)
        fmpz_poly_init(p->solution + u);
    fmpz_poly_set_coeff_si(p->solution + 2, 1, 1);
    for (int u = 0; u < 2; u++)
        for (slong k = small(&rng, 4); k >= 0; k--)
            fmpz_poly_set_coeff_si(p->solution + u, k, small(&rng, 5) - 2);
    darc_dpoly_t q;
    darc_dpoly_init(q, p->r.jet);
    for (int i = 0; i < equations; i++) {
        random_equation(q, p, order, &rng);
        darc_dpolys_append(p->r.eq, q, p->r.jet);
    }
    darc_dpoly_clear(q, p->r.jet);
}

void planted_clear(planted *p)
{
    for (int u = 0; u < 3; u++)
        fmpz_poly_clear(p->solution + u);
    ring_clear(&p->r);
}
