#include "modular/sampled.h"

#include "base/mem.h"
#include "modular/evalres.h"

/* Nodes times coefficients of a grid, at most: they are held in memory. */
#define MAX_GRID 1e8

typedef struct {
    slong *degree; /* of E in each variable of the grid; owned */
    slong *powers; /* of the variables in e; owned */
    ulong *first;  /* node j of variable i is first[i] + j; owned */
    slong nodes;
    ulong *value; /* value[k * nodes + n]: coefficient of t^k at node n; then
                     of the monomial n; the first variable varies slowest */
} grid;

static darc_status grid_fill(grid *d, darc_evalres *w, darc_err *err)
{
    darc_status status = DARC_OK;
    nmod_t mod = w->ring->mod;
    nmod_poly_t r;
    nmod_poly_init_mod(r, mod);
    for (slong n = 0; n < d->nodes; n++) {
        slong rest = n;
        for (slong i = w->count - 1; i >= 0; i--) {
            slong j = rest % (d->degree[i] + 1);
            w->value[w->z[i]] = nmod_add(d->first[i], (ulong)j, mod);
            rest /= d->degree[i] + 1;
        }
        if (n % 64 == 0)
            DARC_TRY(darc_evalres_spend(w, 64, err));
        bool good = darc_evalres_sample(r, w);
        ulong e = darc_evalres_content_value(d->powers, w);
        if (!good || e == 0)
            DARC_TRY(darc_evalres_fail(err));
        e = nmod_inv(e, mod);
        for (slong k = 0; k <= w->degree; k++)
            d->value[k * d->nodes + n] =
                nmod_mul(nmod_poly_get_coeff_ui(r, k), e, mod);
    }
done:
    nmod_poly_clear(r);
    return status;
}

/* From values at first, first + 1, ... to coefficients, in place: n values
 * stride apart, by Newton's differences. */
static void newton(ulong *y, slong n, slong stride, ulong first,
                   const ulong *inverse, nmod_t mod)
{
    for (slong k = 1; k < n; k++)
        for (slong i = n - 1; i >= k; i--)
            y[i * stride] =
                nmod_mul(nmod_sub(y[i * stride], y[(i - 1) * stride], mod),
                         inverse[k], mod);
    for (slong k = n - 1; k-- > 0;) {
        ulong x = nmod_add(first, (ulong)k, mod);
        for (slong i = k; i < n - 1; i++)
            y[i * stride] = nmod_sub(
                y[i * stride], nmod_mul(x, y[(i + 1) * stride], mod), mod);
    }
}

/* From values to coefficients along every variable. */
static void grid_interpolate(grid *d, const darc_evalres *w)
{
    nmod_t mod = w->ring->mod;
    slong stride = 1, total = d->nodes * (w->degree + 1);
    for (slong i = w->count - 1; i >= 0; i--) {
        slong n = d->degree[i] + 1;
        ulong *inverse = darc_calloc((size_t)n + 1, sizeof *inverse);
        for (slong k = 1; k < n; k++)
            inverse[k] = nmod_inv((ulong)k, mod);
        for (slong block = 0; block < total; block += n * stride)
            for (slong s = 0; s < stride; s++)
                newton(d->value + block + s, n, stride, d->first[i], inverse,
                       mod);
        darc_free(inverse);
        stride *= n;
    }
}

/* Set r to the polynomial with these coefficients. */
static void grid_poly(darc_mpoly *r, const grid *d, const darc_evalres *w)
{
    ulong *exp = darc_calloc((size_t)w->ring->vars, sizeof *exp);
    nmod_mpoly_zero(r, w->ring->ctx);
    for (slong k = 0; k <= w->degree; k++)
        for (slong n = 0; n < d->nodes; n++) {
            ulong c = d->value[k * d->nodes + n];
            if (c == 0)
                continue;
            slong rest = n;
            for (slong i = w->count - 1; i >= 0; i--) {
                exp[w->z[i]] = (ulong)(rest % (d->degree[i] + 1));
                rest /= d->degree[i] + 1;
            }
            exp[w->t] = (ulong)k;
            nmod_mpoly_push_term_ui_ui(r, c, exp, w->ring->ctx);
        }
    nmod_mpoly_sort_terms(r, w->ring->ctx);
    darc_free(exp);
}

static darc_status grid_init(grid *d, darc_evalres *w, darc_err *err)
{
    darc_status status;
    size_t n = (size_t)w->count;
    *d = (grid){.degree = darc_calloc(n + 1, sizeof *d->degree),
                .powers = darc_calloc(n + 1, sizeof *d->powers),
                .first = darc_calloc(n + 1, sizeof *d->first)};
    double nodes = 1;
    DARC_TRY(darc_evalres_content(w, d->powers, err));
    for (slong i = 0; i < w->count; i++) {
        DARC_TRY(darc_evalres_degree(d->degree + i, i, w, err));
        d->first[i] = n_randint(w->ring->rand, w->ring->mod.n);
        nodes *= (double)(d->degree[i] + 1);
    }
    if (nodes * (double)(w->degree + 1) > MAX_GRID)
        DARC_TRY(darc_fail(err, DARC_LIMIT,
                           "an equation with a grid of %.3g nodes is out of "
                           "reach",
                           nodes));
    if (w->ring->work + nodes * w->cost > w->ring->work_limit)
        DARC_TRY(darc_fail(err, DARC_LIMIT, "a dearer way"));
    d->nodes = (slong)nodes;
    d->value =
        darc_calloc((size_t)(d->nodes * (w->degree + 1)), sizeof *d->value);
done:
    return status;
}

static void grid_clear(grid *d)
{
    darc_free(d->degree);
    darc_free(d->powers);
    darc_free(d->first);
    darc_free(d->value);
}

/* Return whether the resultant is squarefree in t at a random point: then E
 * is no power. */
static bool is_squarefree(darc_evalres *w)
{
    nmod_poly_t r, d;
    nmod_poly_init_mod(r, w->ring->mod);
    nmod_poly_init_mod(d, w->ring->mod);
    for (slong v = 0; v < w->ring->vars; v++)
        w->value[v] = n_randint(w->ring->rand, w->ring->mod.n);
    bool good = darc_evalres_sample(r, w);
    nmod_poly_derivative(d, r);
    nmod_poly_gcd(d, d, r);
    good = good && nmod_poly_degree(d) == 0;
    nmod_poly_clear(r);
    nmod_poly_clear(d);
    return good;
}

darc_status darc_sampled_resultant(darc_mpoly *r, const darc_mpoly *f,
                                   const darc_mpoly *g, slong v,
                                   darc_ring_t ring, darc_err *err)
{
    darc_status status = DARC_OK;
    slong t = darc_evalres_variable(f, g, v, ring);
    if (t < 0) {
        const darc_mpoly *swap = f;
        f = g;
        g = swap;
        t = darc_evalres_variable(f, g, v, ring);
    }
    if (t < 0 || ring->side < ring->vars) /* no grid holds parameters, too */
        return darc_evalres_fail(err);
    darc_evalres w = {.f = f, .g = g, .v = v, .ring = ring};
    grid d = {.nodes = 0};
    DARC_TRY(darc_evalres_remember_poles(&w, err));
    darc_evalres_init(&w, t);
    if (!is_squarefree(&w))
        DARC_TRY(darc_evalres_fail(err));
    DARC_TRY(grid_init(&d, &w, err));
    DARC_TRY(grid_fill(&d, &w, err));
    grid_interpolate(&d, &w);
    grid_poly(r, &d, &w);
    nmod_mpoly_make_monic(r, r, ring->ctx);
    if (darc_ring_value(r, ring) != 0)
        status = darc_evalres_fail(err);
done:
    grid_clear(&d);
    darc_evalres_clear(&w);
    return status;
}
