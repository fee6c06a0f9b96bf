#include "algebra/solution.h"

#include "algebra/thresholds.h"
#include "base/mem.h"

#include <assert.h>

/* Draw all values but those of the parameters. */
static void draw_values(darc_solution_t s, const darc_names_struct *names,
                        flint_rand_t state)
{
    for (int u = 0; u < names->count; u++) {
        ulong *x = s->value + u * s->stride;
        darc_kind kind = names->symbol[u].kind;
        if (kind == DARC_PARAMETER)
            continue;
        darc_finite_random_point(x, s->stride, s->mod, state);
        for (slong k = 1; k < s->stride && kind == DARC_TIME; k++)
            x[k] = k == 1;
    }
}

/* Make room for so many derivatives; the parameters stay. */
static void set_stride(darc_solution_t s, slong stride)
{
    ulong *value = darc_calloc((size_t)(s->unknowns * stride), sizeof *value);
    for (int u = 0; u < s->unknowns && s->value != NULL; u++)
        value[u * stride] = s->value[u * s->stride];
    darc_solution_clear(s);
    s->value = value;
    s->stride = stride;
    s->invfac = darc_calloc((size_t)stride, sizeof *s->invfac);
    ulong f = 1;
    for (slong k = 0; k < stride; k++) {
        f = k > 0 ? nmod_mul(f, (ulong)k, s->mod) : 1;
        s->invfac[k] = nmod_inv(f, s->mod);
    }
}

void darc_solution_init(darc_solution_t s, const darc_names_t names,
                        slong length, ulong prime, const ulong *param,
                        flint_rand_t state)
{
    assert(length >= 1);
    *s = (darc_solution_struct){.unknowns = names->count, .length = length};
    nmod_init(&s->mod, prime);
    set_stride(s, length + 1);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_PARAMETER && param != NULL)
            s->value[u * s->stride] = param[u];
        else
            darc_finite_random_point(s->value + u * s->stride, 1, s->mod,
                                     state);
    draw_values(s, names, state);
}

void darc_solution_clear(darc_solution_t s)
{
    DARC_FREE(s->value, s->invfac);
    s->value = s->invfac = NULL;
}

/* ---- values of polynomials ---------------------------------------------- */

void darc_solution_derivatives(ulong *out, slong n, const darc_dpoly_t f,
                               const darc_jet_t jet, const darc_solution_t s)
{
    nmod_poly_t sum;
    nmod_poly_init_mod(sum, s->mod);
    size_t vars = (size_t)jet->vars;
    nmod_poly_struct *x = darc_calloc(vars, sizeof *x);
    int *used = darc_calloc(vars, sizeof *used);
    ulong *e = darc_calloc(vars, sizeof *e);
    nmod_poly_t term, power;
    DARC_EACH_IN(nmod_poly_init_mod, s->mod, term, power);
    darc_dpoly_used(used, f, jet);
    for (size_t v = 0; v < vars; v++) {
        darc_deriv d = jet->deriv[v];
        nmod_poly_init_mod(x + v, s->mod);
        slong known = darc_jet_is_constant(jet, d.unknown) ? 1 : n;
        const ulong *from = s->value + d.unknown * s->stride + d.order;
        for (slong k = 0; k < known && used[v] && d.order + k < s->stride; k++)
            nmod_poly_set_coeff_ui(x + v, k,
                                   nmod_mul(from[k], s->invfac[k], s->mod));
    }
    nmod_poly_zero(sum);
    for (slong t = 0; t < f->length; t++) {
        fmpz_mpoly_get_term_exp_ui(e, f, t, jet->ctx);
        nmod_poly_zero(term);
        nmod_poly_set_coeff_ui(term, 0, fmpz_fdiv_ui(f->coeffs + t, s->mod.n));
        for (size_t v = 0; v < vars; v++)
            if (e[v] != 0) {
                nmod_poly_pow_trunc(power, x + v, e[v], n);
                nmod_poly_mullow(term, term, power, n);
            }
        nmod_poly_add(sum, sum, term);
    }
    DARC_ALL(nmod_poly_clear, x, vars);
    DARC_EACH(nmod_poly_clear, term, power);
    DARC_FREE(x, used, e);
    for (slong k = 0; k < n; k++)
        out[k] = nmod_div(nmod_poly_get_coeff_ui(sum, k), s->invfac[k], s->mod);
    nmod_poly_clear(sum);
}

void darc_solution_values(ulong *value, const darc_solution_t s,
                          const darc_jet_t jet)
{
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v];
        assert(d.order < s->stride);
        value[v] = s->value[d.unknown * s->stride + d.order];
    }
}

/* ---- solving ------------------------------------------------------------ */

typedef struct {
    const darc_dpoly_struct *poly;
    darc_dpoly_t separant;
    darc_deriv leader;
    slong order; /* the highest of any signal */
} equation;

static equation *equations_init(const darc_dpolys_t eq, const darc_jet_t jet)
{
    equation *e = darc_calloc((size_t)eq->count + 1, sizeof *e);
    for (slong i = 0; i < eq->count; i++) {
        slong v = darc_dpoly_leader(eq->p + i, jet);
        assert(v >= 0);
        e[i].poly = eq->p + i;
        e[i].leader = jet->deriv[v];
        e[i].order = darc_dpoly_highest_order(eq->p + i, jet);
        darc_dpoly_init(e[i].separant, jet);
        darc_dpoly_separant(e[i].separant, eq->p + i, jet);
    }
    return e;
}

static ulong separant_value(const equation *eq, const darc_jet_t jet,
                            const darc_solution_t s)
{
    ulong value;
    darc_solution_derivatives(&value, 1, eq->separant, jet, s);
    return value;
}

bool darc_solution_root(ulong *x, const darc_dpoly_t p, slong v,
                        const darc_jet_t jet, const darc_solution_t s,
                        flint_rand_t rand)
{
    nmod_poly_t f; /* p in its variable v, all else known */
    darc_dpoly_t c;
    nmod_poly_init_mod(f, s->mod);
    darc_dpoly_init(c, jet);
    for (slong d = darc_dpoly_degree(p, v, jet); d >= 0; d--) {
        ulong value;
        darc_dpoly_coeff(c, p, v, d, jet);
        darc_solution_derivatives(&value, 1, c, jet, s);
        nmod_poly_set_coeff_ui(f, d, value);
    }
    darc_dpoly_clear(c, jet);
    nmod_poly_factor_t roots;
    nmod_poly_factor_init(roots);
    if (nmod_poly_degree(f) > 0)
        nmod_poly_roots(roots, f, 0);
    bool found = roots->num > 0;
    if (found) {
        slong i = (slong)n_randint(rand, (ulong)roots->num);
        *x = nmod_neg(nmod_poly_get_coeff_ui(roots->p + i, 0), s->mod);
    }
    nmod_poly_factor_clear(roots);
    nmod_poly_clear(f);
    return found;
}

/* Set the leader to a root; return whether there is one at which the
 * separant does not vanish. */
static bool solve_leader(const equation *eq, const darc_jet_t jet,
                         darc_solution_t s, flint_rand_t state)
{
    ulong *x = s->value + eq->leader.unknown * s->stride + eq->leader.order;
    slong v = darc_jet_var(jet, eq->leader);
    return darc_solution_root(x, eq->poly, v, jet, s, state) &&
           separant_value(eq, jet, s) != 0;
}

/* Solve all leaders and their derivatives in ascending order. */
static bool solve_all(darc_solution_t s, const equation *eq, slong count,
                      const darc_jet_t jet, const darc_jet_t large,
                      flint_rand_t state)
{
    for (slong v = large->vars - 1; v >= 0; v--) {
        darc_deriv d = large->deriv[v];
        const equation *e = eq; /* whose leader is d or lies below it */
        while (e < eq + count &&
               (e->leader.unknown != d.unknown || e->leader.order > d.order))
            e++;
        if (e == eq + count)
            continue;
        slong m = d.order - e->leader.order;
        if (m + e->order >= s->stride)
            continue; /* above length by the choice of stride */
        if (m == 0 && solve_leader(e, jet, s, state))
            continue;
        /* its m-th derivative is linear in the m-th of the leader, whose
         * factor is the separant */
        ulong separant = m == 0 ? 0 : separant_value(e, jet, s);
        if (separant == 0)
            return false;
        ulong *x = s->value + d.unknown * s->stride + d.order;
        ulong *value = darc_calloc((size_t)m + 1, sizeof *value);
        *x = 0;
        darc_solution_derivatives(value, m + 1, e->poly, jet, s);
        *x = nmod_neg(nmod_div(value[m], separant, s->mod), s->mod);
        darc_free(value);
    }
    return true;
}

darc_status darc_solution_solve(darc_solution_t s, const darc_dpolys_t eq,
                                const darc_jet_t jet, flint_rand_t state,
                                darc_err *err)
{
    equation *e = equations_init(eq, jet);
    slong stride = s->length + 1;
    int trials = DARC_TRIALS_OF_POINTS;
    for (slong i = 0; i < eq->count; i++) {
        slong v = darc_jet_var(jet, e[i].leader);
        stride += e[i].order;
        if (darc_dpoly_degree(e[i].poly, v, jet) > 1)
            trials = DARC_TRIALS_OF_ROOTS;
    }
    set_stride(s, stride);
    darc_jet_t large;
    /* Set large to the frame of the derivatives below the stride of the
     * unknowns solved for. */
    size_t n = (size_t)jet->names->count;
    int *bound = darc_calloc(n, sizeof *bound);
    for (slong i = 0; i < eq->count; i++)
        bound[e[i].leader.unknown] = (int)stride - 1;
    darc_jet_init(large, jet->names, jet->ranking, bound);
    darc_free(bound);
    bool ok = false;
    for (int i = 0; i < trials && !ok; i++) {
        draw_values(s, jet->names, state);
        ok = solve_all(s, e, eq->count, jet, large, state);
    }
    darc_jet_clear(large);
    for (slong i = 0; i < eq->count; i++)
        darc_dpoly_clear(e[i].separant, jet);
    darc_free(e);
    return ok ? DARC_OK
              : darc_fail(err, DARC_DOMAIN,
                          "no random solution modulo %lu in %d trials",
                          s->mod.n, trials);
}

/* ---- equations that are linear in their leaders together ----------------- */

/* Set the m-th derivatives of the leaders, whose factors are a, so that those
 * of the equations vanish; return whether a tells them. */
static bool solve_order(darc_solution_t s, slong m, const nmod_mat_t a,
                        const darc_dpolys_t eq, const darc_deriv *leader,
                        const darc_jet_t jet)
{
    nmod_mat_t b;
    nmod_mat_init(b, a->r, 1, s->mod.n);
    ulong *value = darc_calloc((size_t)m + 1, sizeof *value);
    for (slong j = 0; j < a->c; j++)
        s->value[leader[j].unknown * s->stride + leader[j].order + m] = 0;
    for (slong i = 0; i < a->r; i++) {
        darc_solution_derivatives(value, m + 1, eq->p + i, jet, s);
        nmod_mat_entry(b, i, 0) = nmod_neg(value[m], s->mod);
    }
    bool ok = nmod_mat_solve(b, a, b) != 0;
    for (slong j = 0; j < a->c && ok; j++)
        s->value[leader[j].unknown * s->stride + leader[j].order + m] =
            nmod_mat_entry(b, j, 0);
    darc_free(value);
    nmod_mat_clear(b);
    return ok;
}

darc_status darc_solution_solve_linear(darc_solution_t s,
                                       const darc_dpolys_t eq,
                                       const slong *leader,
                                       const darc_jet_t jet, flint_rand_t state,
                                       darc_err *err)
{
    slong n = eq->count, most = 0;
    darc_deriv *d = darc_calloc((size_t)n + 1, sizeof *d);
    for (slong i = 0; i < n; i++) {
        d[i] = jet->deriv[leader[i]];
        most = FLINT_MAX(most, darc_dpoly_highest_order(eq->p + i, jet));
    }
    set_stride(s, s->length + 1 + 2 * most);
    darc_dpoly_t c;
    darc_dpoly_init(c, jet);
    nmod_mat_t a;
    nmod_mat_init(a, n, n, s->mod.n);
    bool ok = false;
    for (int t = 0; t < DARC_TRIALS_OF_POINTS && !ok; t++) {
        draw_values(s, jet->names, state);
        for (slong i = 0; i < n; i++)
            for (slong j = 0; j < n; j++) {
                darc_dpoly_coeff(c, eq->p + i, leader[j], 1, jet);
                darc_solution_derivatives(nmod_mat_entry_ptr(a, i, j), 1, c,
                                          jet, s);
            }
        ok = true;
        for (slong m = 0; m + most < s->stride && ok; m++)
            ok = solve_order(s, m, a, eq, d, jet);
    }
    nmod_mat_clear(a);
    darc_dpoly_clear(c, jet);
    darc_free(d);
    return ok ? DARC_OK
              : darc_fail(err, DARC_DOMAIN,
                          "no random solution modulo %lu in %d trials",
                          s->mod.n, DARC_TRIALS_OF_POINTS);
}
