#include "relation/solution.h"

#include "base/mem.h"
#include "projection/coeffs.h"

#include <assert.h>
#include <string.h>

/* Trials with other random values before a root is given up. */
#define MAX_TRIALS 100

/* The powers of the series of one variable, grown on demand; power[e - 1]. */
typedef struct {
    slong count;
    nmod_poly_struct *power;
} powers;

static void solution_alloc(darc_solution_t s, int unknowns, slong length,
                           slong stride, ulong prime)
{
    s->unknowns = unknowns;
    s->length = length;
    s->stride = stride;
    nmod_init(&s->mod, prime);
    s->value = darc_calloc((size_t)(unknowns * stride), sizeof *s->value);
    s->invfac = darc_calloc((size_t)stride, sizeof *s->invfac);
    ulong f = 1;
    for (slong k = 0; k < stride; k++) {
        f = k > 0 ? nmod_mul(f, (ulong)k, s->mod) : 1;
        s->invfac[k] = nmod_inv(f, s->mod);
    }
}

void darc_solution_clear(darc_solution_t s)
{
    darc_free(s->value);
    darc_free(s->invfac);
    s->value = s->invfac = NULL;
}

/* Set f to the series of u^(order) to n coefficients. */
static void series_of(nmod_poly_t f, int u, darc_kind kind, int order, slong n,
                      const darc_solution_t s)
{
    nmod_poly_zero(f);
    slong known = kind == DARC_PARAMETER ? 1 : n;
    for (slong k = 0; k < known && order + k < s->stride; k++)
        nmod_poly_set_coeff_ui(f, k,
                               nmod_mul(s->value[u * s->stride + order + k],
                                        s->invfac[k], s->mod));
}

static const nmod_poly_struct *power_of(powers *w, ulong e, slong n)
{
    while (w->count < (slong)e) {
        w->power =
            darc_realloc(w->power, (size_t)w->count + 1, sizeof *w->power);
        nmod_poly_struct *p = w->power + w->count;
        nmod_poly_init_mod(p, w->power->mod);
        nmod_poly_mullow(p, w->power + w->count - 1, w->power, n);
        w->count++;
    }
    return w->power + e - 1;
}

static powers *powers_init(slong n, const darc_dpoly_t f, const darc_jet_t jet,
                           const int *map, const darc_solution_t s)
{
    powers *w = darc_calloc((size_t)jet->vars, sizeof *w);
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    darc_dpoly_used(used, f, jet);
    for (slong v = 0; v < jet->vars; v++) {
        if (!used[v])
            continue;
        darc_deriv d = jet->deriv[v];
        int u = map == NULL ? d.unknown : map[d.unknown];
        w[v].count = 1;
        w[v].power = darc_calloc(1, sizeof *w[v].power);
        nmod_poly_init_mod(w[v].power, s->mod);
        series_of(w[v].power, u, jet->names->symbol[d.unknown].kind, d.order, n,
                  s);
    }
    darc_free(used);
    return w;
}

static void powers_clear(powers *w, slong vars)
{
    for (slong v = 0; v < vars; v++) {
        for (slong e = 0; e < w[v].count; e++)
            nmod_poly_clear(w[v].power + e);
        darc_free(w[v].power);
    }
    darc_free(w);
}

/* Set sum to the series of f to n coefficients. */
static void evaluate(nmod_poly_t sum, slong n, const darc_dpoly_t f,
                     const darc_jet_t jet, const int *map,
                     const darc_solution_t s)
{
    powers *w = powers_init(n, f, jet, map, s);
    ulong *e = darc_calloc((size_t)jet->vars, sizeof *e);
    nmod_poly_t term;
    nmod_poly_init_mod(term, s->mod);
    nmod_poly_zero(sum);
    for (slong t = 0; t < f->length; t++) {
        fmpz_mpoly_get_term_exp_ui(e, f, t, jet->ctx);
        nmod_poly_zero(term);
        nmod_poly_set_coeff_ui(term, 0, fmpz_fdiv_ui(f->coeffs + t, s->mod.n));
        for (slong v = 0; v < jet->vars; v++)
            if (e[v] != 0)
                nmod_poly_mullow(term, term, power_of(w + v, e[v], n), n);
        nmod_poly_add(sum, sum, term);
    }
    nmod_poly_clear(term);
    darc_free(e);
    powers_clear(w, jet->vars);
}

void darc_solution_derivatives(ulong *out, slong n, const darc_dpoly_t f,
                               const darc_jet_t jet, const int *map,
                               const darc_solution_t s)
{
    nmod_poly_t sum;
    nmod_poly_init_mod(sum, s->mod);
    evaluate(sum, n, f, jet, map, s);
    for (slong k = 0; k < n; k++)
        out[k] = nmod_div(nmod_poly_get_coeff_ui(sum, k), s->invfac[k], s->mod);
    nmod_poly_clear(sum);
}

ulong darc_solution_value(const darc_dpoly_t f, const darc_jet_t jet,
                          const int *map, const int *which,
                          const darc_solution_struct *s)
{
    ulong *x = darc_calloc((size_t)jet->vars, sizeof *x);
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v];
        const darc_solution_struct *p = s + which[d.unknown];
        if (d.order < p->stride)
            x[v] = p->value[map[d.unknown] * p->stride + d.order];
    }
    ulong value = darc_finite_eval(f, x, s->mod, jet->ctx);
    darc_free(x);
    return value;
}

static void randomize(darc_solution_t s, const darc_names_struct *names,
                      const ulong *param, flint_rand_t state)
{
    for (int u = 0; u < names->count; u++) {
        ulong *x = s->value + u * s->stride;
        darc_finite_random_point(x, s->stride, s->mod, state);
        darc_kind kind = names->symbol[u].kind;
        if (kind == DARC_PARAMETER && param != NULL)
            x[0] = param[u];
        for (slong k = 1; k < s->stride; k++)
            if (kind == DARC_PARAMETER || kind == DARC_TIME)
                x[k] = kind == DARC_TIME && k == 1;
    }
}

void darc_solution_init_random(darc_solution_t s, const darc_names_t names,
                               slong length, ulong prime, flint_rand_t state)
{
    solution_alloc(s, names->count, length, length + 1, prime);
    randomize(s, names, NULL, state);
}

/* An equation with the parameters put in. */
typedef struct {
    darc_dpoly_t poly, separant;
    darc_deriv leader;
    slong order; /* the highest of any signal */
} special;

static slong highest_order(const darc_dpoly_t p, const darc_jet_t jet)
{
    slong order = 0;
    for (int u = 0; u < jet->names->count; u++) {
        slong k = darc_dpoly_order(p, u, jet);
        order = k > order ? k : order;
    }
    return order;
}

static void special_init(special *e, const darc_ioeq *eq, const darc_jet_t jet,
                         const darc_solution_t s)
{
    darc_dpoly_init(e->poly, jet);
    darc_dpoly_init(e->separant, jet);
    darc_dpoly_t term;
    darc_dpoly_init(term, jet);
    for (slong j = 0; j < eq->coeff->count; j++) {
        ulong c;
        darc_solution_derivatives(&c, 1, eq->coeff->p + j, jet, NULL, s);
        fmpz_mpoly_scalar_mul_ui(term, eq->part->p + j, c, jet->ctx);
        fmpz_mpoly_add(e->poly, e->poly, term, jet->ctx);
    }
    darc_dpoly_clear(term, jet);
    fmpz_mpoly_derivative(e->separant, e->poly, darc_jet_var(jet, eq->leader),
                          jet->ctx);
    e->leader = eq->leader;
    e->order = highest_order(e->poly, jet);
}

static void special_clear(special *e, const darc_jet_t jet)
{
    darc_dpoly_clear(e->poly, jet);
    darc_dpoly_clear(e->separant, jet);
}

/* Set f to eq as a polynomial in its leader, all else known. */
static void in_leader(nmod_poly_t f, const special *eq, const darc_jet_t jet,
                      const darc_solution_t s)
{
    slong v = darc_jet_var(jet, eq->leader);
    darc_dpoly_t c;
    darc_dpoly_init(c, jet);
    for (slong d = darc_dpoly_degree(eq->poly, v, jet); d >= 0; d--) {
        ulong value;
        darc_dpoly_coeff(c, eq->poly, v, d, jet);
        darc_solution_derivatives(&value, 1, c, jet, NULL, s);
        nmod_poly_set_coeff_ui(f, d, value);
    }
    darc_dpoly_clear(c, jet);
}

static ulong separant_value(const special *eq, const darc_jet_t jet,
                            const darc_solution_t s)
{
    ulong value;
    darc_solution_derivatives(&value, 1, eq->separant, jet, NULL, s);
    return value;
}

/* Set the leader to a root; return whether there is one at which the
 * separant does not vanish. */
static bool solve_leader(const special *eq, const darc_jet_t jet,
                         darc_solution_t s, flint_rand_t state)
{
    ulong *x = s->value + eq->leader.unknown * s->stride + eq->leader.order;
    nmod_poly_t f;
    nmod_poly_init_mod(f, s->mod);
    in_leader(f, eq, jet, s);
    nmod_poly_factor_t roots;
    nmod_poly_factor_init(roots);
    if (nmod_poly_degree(f) > 0)
        nmod_poly_roots(roots, f, 0);
    bool ok = roots->num > 0;
    if (ok) {
        slong i = (slong)n_randint(state, (ulong)roots->num);
        *x = nmod_neg(nmod_poly_get_coeff_ui(roots->p + i, 0), s->mod);
        ok = separant_value(eq, jet, s) != 0;
    }
    nmod_poly_factor_clear(roots);
    nmod_poly_clear(f);
    return ok;
}

/* Solve the m-th derivative of eq, m >= 1, linear in the m-th derivative of
 * the leader, whose factor is the separant. */
static bool solve_derivative(const special *eq, slong m, const darc_jet_t jet,
                             darc_solution_t s)
{
    ulong *x = s->value + eq->leader.unknown * s->stride + eq->leader.order + m;
    ulong separant = separant_value(eq, jet, s);
    if (separant == 0)
        return false;
    ulong *value = darc_calloc((size_t)m + 1, sizeof *value);
    *x = 0;
    darc_solution_derivatives(value, m + 1, eq->poly, jet, NULL, s);
    *x = nmod_neg(nmod_div(value[m], separant, s->mod), s->mod);
    darc_free(value);
    return true;
}

/* Return the equation whose leader is d or lies below it; NULL: none. */
static const special *equation_for(const special *eq, int count, darc_deriv d)
{
    for (int i = 0; i < count; i++)
        if (eq[i].leader.unknown == d.unknown && eq[i].leader.order <= d.order)
            return eq + i;
    return NULL;
}

/* Solve all leaders and their derivatives in ascending order. */
static bool solve_all(darc_solution_t s, const special *eq, int count,
                      const darc_jet_t jet, const darc_jet_t large,
                      flint_rand_t state)
{
    for (slong v = large->vars - 1; v >= 0; v--) {
        const special *e = equation_for(eq, count, large->deriv[v]);
        if (e == NULL)
            continue;
        slong m = large->deriv[v].order - e->leader.order;
        if (m + e->order >= s->stride)
            continue; /* above length by the choice of stride */
        if (m == 0 ? !solve_leader(e, jet, s, state)
                   : !solve_derivative(e, m, jet, s))
            return false;
    }
    return true;
}

static bool try_solution(darc_solution_t s, const darc_ioeqs_t io,
                         const darc_jet_t large, const ulong *param,
                         flint_rand_t state)
{
    randomize(s, io->jet->names, param, state);
    special *eq = darc_calloc((size_t)io->count, sizeof *eq);
    for (int i = 0; i < io->count; i++)
        special_init(eq + i, io->eq + i, io->jet, s);
    bool ok = solve_all(s, eq, io->count, io->jet, large, state);
    for (int i = 0; i < io->count; i++)
        special_clear(eq + i, io->jet);
    darc_free(eq);
    return ok;
}

/* The frame of the derivatives below stride of the signals solved for. */
static void large_frame(darc_jet_t large, const darc_ioeqs_t io, slong stride)
{
    size_t n = (size_t)io->jet->names->count;
    int *bound = darc_calloc(n, sizeof *bound);
    for (int i = 0; i < io->count; i++)
        bound[io->eq[i].leader.unknown] = (int)stride - 1;
    darc_jet_init(large, io->jet->names, io->jet->ranking, bound);
    darc_free(bound);
}

darc_status darc_solution_init(darc_solution_t s, const darc_ioeqs_t io,
                               slong length, ulong prime, const ulong *param,
                               flint_rand_t state, darc_err *err)
{
    assert(length >= 1);
    slong stride = length + 1;
    for (int i = 0; i < io->count; i++)
        stride += darc_ioeq_order(io->eq + i, io->jet);
    solution_alloc(s, io->jet->names->count, length, stride, prime);
    darc_jet_t large;
    large_frame(large, io, stride);
    bool ok = false;
    for (int trial = 0; trial < MAX_TRIALS && !ok; trial++)
        ok = try_solution(s, io, large, param, state);
    darc_jet_clear(large);
    if (ok)
        return DARC_OK;
    darc_solution_clear(s);
    return darc_fail(err, DARC_INTERNAL,
                     "no random solution of the io-equations modulo %lu in "
                     "%d trials",
                     prime, MAX_TRIALS);
}
