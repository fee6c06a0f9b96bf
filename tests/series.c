#include "series.h"

#include <stdlib.h>

/* Set q to p on the series at[v] of the variables v. */
static void evaluate(nmod_poly_t q, const darc_dpoly_t p,
                     const nmod_poly_struct *at, slong length,
                     const darc_jet_t jet)
{
    ulong prime = q->mod.n;
    ulong *e = calloc((size_t)jet->vars, sizeof *e);
    nmod_poly_t term;
    nmod_poly_init(term, prime);
    nmod_poly_zero(q);
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(e, p, i, jet->ctx);
        nmod_poly_zero(term);
        nmod_poly_set_coeff_ui(term, 0, fmpz_fdiv_ui(p->coeffs + i, prime));
        for (slong v = 0; v < jet->vars; v++)
            for (ulong k = 0; k < e[v]; k++)
                nmod_poly_mullow(term, term, at + v, length);
        nmod_poly_add(q, q, term);
    }
    nmod_poly_clear(term);
    free(e);
}

static void differentiate(nmod_poly_t q, const nmod_poly_t p, int order)
{
    nmod_poly_set(q, p);
    for (int k = 0; k < order; k++)
        nmod_poly_derivative(q, q);
}

static nmod_poly_struct *variables(const series_solution *x,
                                   const darc_jet_t jet)
{
    nmod_poly_struct *at = calloc((size_t)jet->vars, sizeof *at);
    for (slong v = 0; v < jet->vars; v++) {
        nmod_poly_init(at + v, x->prime);
        differentiate(at + v, x->at + jet->deriv[v].unknown,
                      jet->deriv[v].order);
    }
    return at;
}

static void free_variables(nmod_poly_struct *at, const darc_jet_t jet)
{
    for (slong v = 0; v < jet->vars; v++)
        nmod_poly_clear(at + v);
    free(at);
}

/* Set q to function i of s; return 0 when its denominator vanishes. */
static int function(nmod_poly_t q, const darc_solved_t s, slong i,
                    const series_solution *x)
{
    nmod_poly_struct *at = variables(x, s->jet);
    nmod_poly_t den;
    nmod_poly_init(den, x->prime);
    evaluate(q, s->num->p + i, at, x->length, s->jet);
    evaluate(den, s->den->p + i, at, x->length, s->jet);
    int regular = nmod_poly_get_coeff_ui(den, 0) != 0;
    if (regular)
        nmod_poly_div_series(q, q, den, x->length);
    nmod_poly_clear(den);
    free_variables(at, s->jet);
    return regular;
}

static void randomise(series_solution *x, const darc_solved_t s,
                      flint_rand_t state)
{
    for (int u = 0; u < x->unknowns; u++) {
        darc_kind kind = s->jet->names->symbol[u].kind;
        nmod_poly_init(x->at + u, x->prime);
        slong n = kind == DARC_INPUT ? x->length : 1;
        for (slong k = 0; k < n && kind != DARC_TIME; k++)
            nmod_poly_set_coeff_ui(x->at + u, k, n_randint(state, x->prime));
        if (kind == DARC_TIME)
            nmod_poly_set_coeff_ui(x->at + u, 1, 1);
    }
    for (int i = 0; i < s->states; i++) /* initial values of x', x'', ... */
        nmod_poly_set_coeff_ui(x->at + s->state[i].unknown, s->state[i].order,
                               n_randint(state, x->prime));
}

/* Set the coefficient of t^(n + k) of every state x from its derivative
 * (x, k), whose terms below t^n are known. */
static int extend(series_solution *x, const darc_solved_t s, slong n)
{
    int regular = 1;
    nmod_poly_t f;
    nmod_poly_init(f, x->prime);
    for (int i = 0; i < s->states && regular; i++) {
        darc_deriv d = s->state[i];
        if (i + 1 < s->states && s->state[i + 1].unknown == d.unknown)
            continue;
        slong to = n + d.order;
        if (to >= x->length)
            continue;
        regular = function(f, s, i, x);
        ulong c = nmod_poly_get_coeff_ui(f, n - 1);
        for (slong k = n; k <= to; k++)
            c = nmod_div(c, (ulong)k, f->mod);
        nmod_poly_set_coeff_ui(x->at + d.unknown, to, c);
    }
    nmod_poly_clear(f);
    return regular;
}

int series_init(series_solution *x, const darc_solved_t s, slong length,
                flint_rand_t state)
{
    x->prime = n_nextprime(UWORD(1) << 61, 0);
    x->length = length;
    x->unknowns = s->jet->names->count;
    x->at = calloc((size_t)x->unknowns, sizeof *x->at);
    randomise(x, s, state);
    int regular = 1;
    for (slong n = 1; n < length && regular; n++)
        regular = extend(x, s, n);
    for (int j = 0; j < s->outputs && regular; j++)
        if (!(s->states > 0 && darc_dpoly_order(s->num->p + s->states + j,
                                                s->output[j], s->jet) >= 0))
            regular = function(x->at + s->output[j], s, s->states + j, x);
    if (!regular)
        series_clear(x);
    return regular;
}

void series_clear(series_solution *x)
{
    for (int u = 0; u < x->unknowns; u++)
        nmod_poly_clear(x->at + u);
    free(x->at);
    x->at = NULL;
}

ulong series_value(const darc_dpoly_t p, const series_solution *x,
                   const darc_jet_t jet)
{
    nmod_poly_struct *at = variables(x, jet);
    nmod_poly_t q;
    nmod_poly_init(q, x->prime);
    evaluate(q, p, at, 1, jet);
    ulong value = nmod_poly_get_coeff_ui(q, 0);
    nmod_poly_clear(q);
    free_variables(at, jet);
    return value;
}
