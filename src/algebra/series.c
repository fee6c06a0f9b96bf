#include "algebra/series.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* An initial vanishes at a random point with probability below 2^-40. */
enum { ATTEMPTS = 3 };

/* An equation a*leader + b = 0, and room for series of n terms. */
typedef struct {
    darc_deriv leader;
    darc_dpoly_t a, b;
} solved;

static bool is_fixed(const darc_jet_t jet, int u)
{
    darc_kind kind = jet->names->symbol[u].kind;
    return kind == DARC_PARAMETER || kind == DARC_TIME;
}

/* Set out[k], k < n, to the series of the derivative d. */
static void derivative(ulong *out, slong n, const darc_series_t s, darc_deriv d)
{
    const ulong *c = s->coeff + (slong)d.unknown * s->length;
    for (slong k = 0; k < n; k++) {
        out[k] = k + d.order < s->length ? c[k + d.order] : 0;
        for (int i = 1; i <= d.order; i++)
            out[k] = nmod_mul(out[k], (ulong)(k + i), s->mod);
    }
}

/* Set term to term * x^e, all modulo t^n. */
static void mul_power(ulong *term, const ulong *x, ulong e, slong n, ulong *tmp,
                      nmod_t mod)
{
    for (; e > 0; e--) {
        _nmod_poly_mullow(tmp, term, n, x, n, n, mod);
        memcpy(term, tmp, (size_t)n * sizeof *term);
    }
}

/* Set out to p along s modulo t^n. */
static void eval_series(ulong *out, const darc_dpoly_t p, slong n,
                        const darc_series_t s, const darc_jet_t jet)
{
    ulong *exp = darc_calloc((size_t)jet->vars, sizeof *exp);
    ulong *x = darc_calloc((size_t)(jet->vars * n), sizeof *x);
    ulong *term = darc_calloc((size_t)n, sizeof *term);
    ulong *tmp = darc_calloc((size_t)n, sizeof *tmp);
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    darc_dpoly_used(used, p, jet);
    for (slong v = 0; v < jet->vars; v++)
        if (used[v])
            derivative(x + v * n, n, s, jet->deriv[v]);
    memset(out, 0, (size_t)n * sizeof *out);
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exp, p, i, jet->ctx);
        memset(term, 0, (size_t)n * sizeof *term);
        term[0] = fmpz_fdiv_ui(p->coeffs + i, s->mod.n);
        for (slong v = 0; v < jet->vars; v++)
            mul_power(term, x + v * n, exp[v], n, tmp, s->mod);
        _nmod_vec_add(out, out, term, n, s->mod);
    }
    darc_free(used);
    darc_free(tmp);
    darc_free(term);
    darc_free(x);
    darc_free(exp);
}

/* Random values everywhere; what the chain determines is overwritten. */
static void randomise(darc_series_t s, darc_rng *rng, const darc_jet_t jet)
{
    for (int u = 0; u < s->unknowns; u++) {
        ulong *c = s->coeff + (slong)u * s->length;
        slong n = is_fixed(jet, u) ? 1 : s->length;
        memset(c, 0, (size_t)s->length * sizeof *c);
        for (slong k = 0; k < n; k++)
            c[k] = darc_rng_residue(rng, s->mod);
        if (jet->names->symbol[u].kind == DARC_TIME && s->length > 1)
            c[1] = 1;
    }
}

/* Set the coefficient of t^q in the leader: a_0*l_q + (a*l + b)_q = 0 with
 * l_q = 0 on the right.  Return false when a_0 = 0. */
static bool extend(darc_series_t s, const solved *e, slong q,
                   const darc_jet_t jet)
{
    int u = e->leader.unknown, order = e->leader.order;
    if (q + order >= s->length || (q > 0 && is_fixed(jet, u)))
        return true;
    slong n = q + 1;
    ulong *a = darc_calloc((size_t)(4 * n), sizeof *a);
    ulong *b = a + n, *l = b + n, *product = l + n;
    s->coeff[(slong)u * s->length + q + order] = 0;
    derivative(l, n, s, e->leader);
    eval_series(a, e->a, n, s, jet);
    eval_series(b, e->b, n, s, jet);
    _nmod_poly_mullow(product, a, n, l, n, n, s->mod);
    bool regular = a[0] != 0;
    if (regular) {
        ulong c = nmod_neg(nmod_add(product[q], b[q], s->mod), s->mod);
        c = nmod_div(c, a[0], s->mod);
        for (int i = 1; i <= order; i++)
            c = nmod_div(c, (ulong)(q + i), s->mod);
        s->coeff[(slong)u * s->length + q + order] = c;
    }
    darc_free(a);
    return regular;
}

/* Before step q the leaders are known modulo t^q. */
static bool solve(darc_series_t s, const solved *e, slong count,
                  const darc_jet_t jet)
{
    for (slong q = 0; q < s->length; q++)
        for (slong i = 0; i < count; i++)
            if (!extend(s, e + i, q, jet))
                return false;
    return true;
}

static void solved_init(solved *e, const darc_dpoly_t p, const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(p, jet);
    assert(v >= 0 && darc_dpoly_degree(p, v, jet) == 1);
    e->leader = jet->deriv[v];
    darc_dpoly_init(e->a, jet);
    darc_dpoly_init(e->b, jet);
    darc_dpoly_coeff(e->a, p, v, 1, jet);
    darc_dpoly_coeff(e->b, p, v, 0, jet);
}

darc_status darc_series_init(darc_series_t s, const darc_dpolys_t chain,
                             slong length, ulong seed, const darc_jet_t jet,
                             darc_err *err)
{
    assert(length > 0);
    darc_rng rng = {seed};
    size_t n = (size_t)jet->names->count;
    s->unknowns = jet->names->count;
    s->length = length;
    s->coeff = darc_calloc(n * (size_t)length, sizeof *s->coeff);
    solved *e = darc_calloc((size_t)chain->count + 1, sizeof *e);
    for (slong i = 0; i < chain->count; i++)
        solved_init(e + i, chain->p + i, jet);
    bool done = false;
    for (int i = 0; !done && i < ATTEMPTS; i++) {
        nmod_init(&s->mod, darc_rng_prime(&rng));
        randomise(s, &rng, jet);
        done = solve(s, e, chain->count, jet);
    }
    for (slong i = 0; i < chain->count; i++) {
        darc_dpoly_clear(e[i].a, jet);
        darc_dpoly_clear(e[i].b, jet);
    }
    darc_free(e);
    if (done)
        return DARC_OK;
    darc_series_clear(s);
    return darc_fail(err, DARC_DOMAIN,
                     "power series: an initial vanishes at %d random points",
                     ATTEMPTS);
}

void darc_series_clear(darc_series_t s)
{
    darc_free(s->coeff);
    s->coeff = NULL;
}

ulong darc_series_deriv(const darc_series_t s, darc_deriv d)
{
    assert(d.order < s->length);
    ulong c;
    derivative(&c, 1, s, d);
    return c;
}

void darc_series_values(ulong *value, const darc_series_t s,
                        const darc_jet_t jet)
{
    for (slong v = 0; v < jet->vars; v++)
        value[v] = darc_series_deriv(s, jet->deriv[v]);
}

ulong darc_series_eval(const darc_dpoly_t p, const darc_series_t s,
                       const darc_jet_t jet)
{
    ulong *value = darc_calloc((size_t)jet->vars, sizeof *value);
    darc_series_values(value, s, jet);
    ulong sum = darc_finite_eval(p, value, s->mod, jet->ctx);
    darc_free(value);
    return sum;
}
