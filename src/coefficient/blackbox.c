#include "coefficient/blackbox.h"

#include "base/mem.h"
#include "coefficient/thresholds.h"

#include <string.h>

/* Set s to the monomials of eq, and find one for every part that no other has;
 * false: some part has none. */
static bool support_init(darc_support *s, const darc_ioeq *eq,
                         const darc_jet_t jet)
{
    slong parts = eq->part->count;
    bool all = true;
    darc_dpoly_t count, m;
    fmpz_t n;
    fmpz_init(n);
    darc_dpoly_init(m, jet);
    darc_dpoly_init(count, jet); /* parts that have it, of each monomial */
    darc_dpoly_init(s->monomial, jet);
    s->factor = darc_calloc((size_t)parts + 1, sizeof *s->factor);
    for (slong k = 0; k < parts; k++) {
        fmpz_mpoly_set(m, eq->part->p + k, jet->ctx);
        DARC_ALL(fmpz_one, m->coeffs, m->length);
        fmpz_mpoly_add(count, count, m, jet->ctx);
    }
    fmpz_mpoly_set(s->monomial, count, jet->ctx);
    for (slong t = 0; t < count->length; t++)
        fmpz_set_si(s->monomial->coeffs + t, parts + 1);
    for (slong k = 0; k < parts && all; k++) {
        const fmpz_mpoly_struct *part = eq->part->p + k;
        for (slong t = 0; t < part->length && s->factor[k] == 0; t++) {
            fmpz_mpoly_get_term_monomial(m, part, t, jet->ctx);
            fmpz_mpoly_get_coeff_fmpz_monomial(n, count, m, jet->ctx);
            if (!fmpz_is_one(n) || !fmpz_fits_si(part->coeffs + t))
                continue;
            s->factor[k] = fmpz_get_si(part->coeffs + t);
            fmpz_set_si(n, k + 1);
            fmpz_mpoly_set_coeff_fmpz_monomial(s->monomial, n, m, jet->ctx);
        }
        all = s->factor[k] != 0;
    }
    darc_dpoly_clears(jet->ctx, m, count, NULL);
    fmpz_clear(n);
    return all;
}

static ulong residue(slong n, nmod_t mod)
{
    ulong r = (ulong)(n < 0 ? -n : n) % mod.n;
    return n < 0 ? nmod_neg(r, mod) : r;
}

static darc_status open_elimination(darc_blackbox_t g, const darc_model *model,
                                    darc_err *err)
{
    bool all = true;
    DARC_NEED(
        darc_problem_init(g->p, model, g->io->jet->ranking, g->budget, err));
    DARC_CALLOC((size_t)g->p->s->outputs + 1, g->equation);
    for (int j = 0; j < g->p->s->outputs; j++) {
        int e = 0;
        while (e < g->io->count &&
               (g->io->eq[e].leader.unknown != g->p->s->output[j] ||
                g->io->eq[e].leader.order != g->p->order[j]))
            e++;
        if (e == g->io->count)
            return darc_fail(err, DARC_DOMAIN,
                             "the io-equations are not those of the solved "
                             "form");
        g->equation[j] = e;
    }
    g->support = darc_calloc((size_t)g->io->count, sizeof *g->support);
    for (int e = 0; e < g->io->count; e++)
        all = support_init(g->support + e, g->io->eq + e, g->io->jet) && all;
    if (!all)
        return darc_fail(err, DARC_DOMAIN,
                         "an io-equation has terms without a monomial of "
                         "their own");
    darc_point_t pt;
    darc_point_init(pt, g->p->s, g->p->length, darc_finite_prime(1), g->rand);
    darc_status status = darc_route_init(&g->route, g->p, pt, NULL, err);
    darc_point_clear(pt);
    return status;
}

darc_status darc_blackbox_init(darc_blackbox_t g, const darc_ioeqs_t io,
                               const darc_model *model,
                               const darc_budget *budget, darc_err *err)
{
    const darc_names_struct *names = io->jet->names;
    int closed = -1; /* an equation that is not expanded */
    *g = (darc_blackbox_struct){.io = io, .count = io->count, .budget = budget};
    flint_randinit(g->rand);
    g->unknown = darc_calloc((size_t)names->count + 1, sizeof *g->unknown);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_PARAMETER)
            g->unknown[g->vars++] = u;
    g->first = darc_calloc((size_t)io->count + 1, sizeof *g->first);
    for (int e = 0; e < io->count; e++) {
        g->first[e + 1] = g->first[e] + io->eq[e].part->count;
        closed = closed < 0 && !io->eq[e].expanded ? e : closed;
    }
    g->polynomials = closed < 0;
    darc_status status = DARC_OK;
    if (g->polynomials)
        darc_coeffs_init(g->c, io, -1, NULL);
    else if (model == NULL)
        status = darc_fail(
            err, DARC_DOMAIN,
            "the coefficients of the io-equation of '%s' are not known as "
            "polynomials",
            names->symbol[io->eq[closed].leader.unknown].name);
    else
        status = open_elimination(g, model, err);
    if (status != DARC_OK)
        darc_blackbox_clear(g);
    return status;
}

void darc_blackbox_init_take(darc_blackbox_t g, darc_coeffs_t c,
                             const darc_budget *budget)
{
    *g = (darc_blackbox_struct){.vars = c->vars,
                                .count = c->vectors,
                                .polynomials = true,
                                .budget = budget};
    flint_randinit(g->rand);
    g->unknown = darc_calloc((size_t)g->vars + 1, sizeof *g->unknown);
    memcpy(g->unknown, c->unknown, (size_t)g->vars * sizeof *g->unknown);
    g->first = darc_calloc((size_t)c->vectors + 1, sizeof *g->first);
    memcpy(g->first, c->first, ((size_t)c->vectors + 1) * sizeof *g->first);
    g->c[0] = c[0];
}

void darc_blackbox_clear(darc_blackbox_t g)
{
    if (g->first == NULL)
        return;
    if (g->polynomials)
        darc_coeffs_clear(g->c);
    darc_problem_clear(g->p);
    darc_route_clear(&g->route);
    for (int e = 0; g->support != NULL && e < g->count; e++) {
        darc_dpoly_clear(g->support[e].monomial, g->io->jet);
        darc_free(g->support[e].factor);
    }
    DARC_FREE(g->support, g->equation, g->unknown, g->first);
    flint_randclear(g->rand);
    memset(g, 0, sizeof *g);
}

/* Set the values of equation e to the coefficients of its parts in f, which has
 * no monomials but those of the support (and may miss some). */
static darc_status read_values(ulong *value, const darc_blackbox_t g, int e,
                               const darc_mpoly *f,
                               const darc_projection_t proj, darc_err *err)
{
    const darc_support *s = g->support + e;
    const darc_jet_struct *jet = g->io->jet;
    slong parts = g->first[e + 1] - g->first[e];
    value += g->first[e];
    fmpz_mpoly_t q;
    fmpz_mpoly_init(q, jet->ctx);
    fmpz *coeff = _fmpz_vec_init(f->length);
    for (slong t = 0; t < f->length; t++)
        fmpz_set_ui(coeff + t, f->coeffs[t]);
    darc_projection_carry(q, jet, coeff, f, proj->deriv, proj->ring);
    _fmpz_vec_clear(coeff, f->length);
    nmod_t mod = proj->ring->mod;
    bool all = true;
    fmpz_mpoly_t m;
    fmpz_t n;
    fmpz_mpoly_init(m, jet->ctx);
    fmpz_init(n);
    memset(value, 0, (size_t)parts * sizeof *value);
    for (slong t = 0; t < q->length; t++) {
        fmpz_mpoly_get_term_monomial(m, q, t, jet->ctx);
        fmpz_mpoly_get_coeff_fmpz_monomial(n, s->monomial, m, jet->ctx);
        slong k = fmpz_get_si(n) - 1;
        all = all && k >= 0;
        if (k >= 0 && k < parts)
            value[k] = nmod_div(fmpz_get_ui(q->coeffs + t),
                                residue(s->factor[k], mod), mod);
    }
    fmpz_clear(n);
    darc_dpoly_clears(jet->ctx, m, q, NULL);
    return all ? DARC_OK
               : darc_fail(err, DARC_DOMAIN,
                           "an io-equation has further monomials at these "
                           "parameters");
}

/* Set row to the values of the monomials of equation e at the point. */
static void put_monomial_row(ulong *row, const darc_blackbox_t g, int e,
                             const darc_point_t pt)
{
    const darc_jet_struct *jet = g->io->jet;
    const darc_dpoly_struct *m = g->support[e].monomial;
    ulong *exp = darc_calloc((size_t)jet->vars + 1, sizeof *exp);
    for (slong i = 0; i < m->length; i++) {
        row[i] = 1;
        fmpz_mpoly_get_term_exp_ui(exp, m, i, jet->ctx);
        for (slong v = 0; v < jet->vars; v++)
            if (exp[v] != 0) {
                ulong x = darc_point_value(pt, jet->deriv[v]);
                row[i] =
                    nmod_mul(row[i], nmod_pow_ui(x, exp[v], pt->mod), pt->mod);
            }
    }
    darc_free(exp);
}

/* Set the values of equation e to the one relation that its monomials obey at
 * all points; return whether there is one alone. */
static bool take_kernel(ulong *value, const darc_blackbox_t g, int e,
                        const nmod_mat_t rows)
{
    const darc_support *s = g->support + e;
    slong parts = g->first[e + 1] - g->first[e];
    nmod_mat_t kernel;
    nmod_mat_init(kernel, rows->c, rows->c, rows->mod.n);
    bool one = nmod_mat_nullspace(kernel, rows) == 1;
    for (slong i = 0; i < rows->c && one; i++) {
        slong k = fmpz_get_si(s->monomial->coeffs + i) - 1;
        if (k < parts)
            value[g->first[e] + k] =
                nmod_div(nmod_mat_entry(kernel, i, 0),
                         residue(s->factor[k], rows->mod), rows->mod);
    }
    nmod_mat_clear(kernel);
    return one;
}

/* Set value by random points with these parameters: along them the monomials
 * of an io-equation obey no other linear relation, for it generates the ideal
 * of its variables.  Return whether that was possible. */
static bool look_at_points(ulong *value, darc_blackbox_t g, const ulong *param,
                           nmod_t mod)
{
    int n = g->io->count;
    nmod_mat_t *rows = darc_calloc((size_t)n, sizeof *rows);
    slong most = 0;
    bool regular = true;
    for (int e = 0; e < n; e++) {
        slong terms = g->support[e].monomial->length;
        nmod_mat_init(rows[e], terms + DARC_SUPPORT_SPARE, terms, mod.n);
        most = rows[e]->r > most ? rows[e]->r : most;
    }
    for (slong i = 0; i < most && regular; i++) {
        darc_point_t pt;
        regular = darc_point_init_at(pt, g->p->s, g->p->length, mod.n, param,
                                     g->rand);
        for (int e = 0; e < n && regular; e++)
            if (i < rows[e]->r)
                put_monomial_row(nmod_mat_entry_ptr(rows[e], i, 0), g, e, pt);
        if (regular)
            darc_point_clear(pt);
    }
    for (int e = 0; e < n; e++) {
        regular = regular && take_kernel(value, g, e, rows[e]);
        nmod_mat_clear(rows[e]);
    }
    darc_free(rows);
    return regular;
}

darc_status darc_blackbox_at(ulong *value, darc_blackbox_t g, const ulong *x,
                             nmod_t mod, darc_err *err)
{
    DARC_NEED(darc_budget_check(g->budget, err));
    g->calls++;
    if (g->polynomials) {
        for (slong k = 0; k < g->first[g->count]; k++)
            value[k] = darc_finite_eval(g->c->b + k, x, mod, g->c->ctx);
        return DARC_OK;
    }
    bool shown = true; /* points cost less than an elimination */
    for (int e = 0; e < g->io->count; e++)
        shown = shown && g->support[e].monomial->length <= DARC_SHORT_SUPPORT;
    darc_point_t pt;
    size_t names = (size_t)g->io->jet->names->count;
    ulong *param = darc_calloc(names + 1, sizeof *param);
    for (slong v = 0; v < g->vars; v++)
        param[g->unknown[v]] = x[v];
    shown = shown && look_at_points(value, g, param, mod);
    bool regular = shown || darc_point_init_at(pt, g->p->s, g->p->length, mod.n,
                                               param, g->rand);
    darc_free(param);
    if (shown)
        return DARC_OK;
    if (!regular)
        return darc_fail(err, DARC_DOMAIN,
                         "a denominator vanishes at these parameters");
    darc_projection_t proj;
    darc_projection_init(proj, g->p, pt, true);
    darc_status status = darc_route_run(&g->route, proj, NULL, err);
    for (int j = 0; j < g->p->s->outputs && status == DARC_OK; j++)
        status = read_values(value, g, g->equation[j], proj->Q + j, proj, err);
    darc_projection_clear(proj);
    darc_point_clear(pt);
    return status == DARC_INTERNAL ? DARC_DOMAIN : status;
}

bool darc_blackbox_agree(const ulong *a, const ulong *b,
                         const darc_blackbox_t g, nmod_t mod)
{
    for (int e = 0; e < g->count; e++) {
        slong k = g->first[e], end = g->first[e + 1];
        while (k < end && a[k] == 0)
            k++;
        for (slong j = g->first[e]; j < end && k < end; j++)
            if (nmod_mul(a[j], b[k], mod) != nmod_mul(a[k], b[j], mod))
                return false;
    }
    return true;
}
