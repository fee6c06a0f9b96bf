#include "relation/sampled.h"

#include "base/mem.h"
#include "relation/image.h"

#include <string.h>

/* Nodes times coefficients of a grid, at most: they are held in memory. */
#define MAX_GRID 1e8

/* Longer factors are not taken for those of denominators. */
#define MAX_POLE_TERMS 6

typedef struct {
    const darc_mpoly *f, *g; /* f free of t, g linear in t */
    slong v, t, degree;      /* degree in v of f: that in t of the resultant */
    darc_ring_struct *ring;
    slong count;  /* variables of the grid */
    slong *z;     /* they; owned */
    slong *times; /* times[i]: multiplicity of the remembered factor i; owned */
    ulong *value; /* of the ring's variables; scratch; owned */
    ulong *at, *root; /* degree + 1 values of t and of the resultant; owned */
    double cost;      /* products a sample takes */
} sampling;

static slong degree_in(const darc_mpoly *f, slong v, const sampling *w)
{
    slong d = darc_ring_degree(f, v, w->ring);
    return d < 0 ? 0 : d;
}

/* Return a variable in which g is linear and f is not, -1: none. */
static slong linear_variable(const darc_mpoly *f, const darc_mpoly *g, slong v,
                             const darc_ring_t ring)
{
    for (slong t = 0; t < ring->vars; t++)
        if (t != v && darc_ring_degree(g, t, ring) == 1 &&
            darc_ring_degree(f, t, ring) < 1)
            return t;
    return -1;
}

static void sampling_init(sampling *w, slong t)
{
    darc_ring_struct *ring = w->ring;
    size_t n = (size_t)ring->vars;
    w->t = t;
    w->z = darc_calloc(n, sizeof *w->z);
    w->value = darc_calloc(n, sizeof *w->value);
    w->times = darc_calloc((size_t)ring->count + 1, sizeof *w->times);
    w->degree = degree_in(w->f, w->v, w);
    w->at = darc_calloc((size_t)w->degree + 1, sizeof *w->at);
    w->root = darc_calloc((size_t)w->degree + 1, sizeof *w->root);
    for (slong i = 0; i <= w->degree; i++)
        w->at[i] = (ulong)i + 1;
    for (slong z = 0; z < ring->vars; z++)
        if (z != w->v && z != t &&
            degree_in(w->f, z, w) + degree_in(w->g, z, w) > 0)
            w->z[w->count++] = z;
    double m = (double)w->degree, k = (double)degree_in(w->g, w->v, w);
    w->cost = (m + 1) * m * (k + 1) + 4 * (double)(w->f->length + w->g->length);
}

static void sampling_clear(sampling *w)
{
    darc_free(w->z);
    darc_free(w->value);
    darc_free(w->times);
    darc_free(w->at);
    darc_free(w->root);
}

/* Set r, in t, to the resultant at w->value; its degree is full. */
static bool sample(nmod_poly_t r, sampling *w)
{
    nmod_t mod = w->ring->mod;
    nmod_poly_t f, a, b;
    nmod_poly_init_mod(f, mod);
    nmod_poly_init_mod(a, mod);
    nmod_poly_init_mod(b, mod);
    darc_line_image(f, w->f, w->v, w->value, w->ring);
    w->value[w->t] = 0;
    darc_line_image(a, w->g, w->v, w->value, w->ring);
    w->value[w->t] = 1;
    darc_line_image(b, w->g, w->v, w->value, w->ring);
    bool full = nmod_poly_degree(f) == w->degree;
    nmod_poly_sub(b, b, a);
    for (slong i = 0; i <= w->degree && full; i++) {
        nmod_poly_add(a, a, b); /* A + (i + 1) B */
        w->root[i] = nmod_poly_resultant(f, a);
        /* The resultant of formal degrees takes powers of the leading
         * coefficient of f where A + t B loses degrees. */
        full = nmod_poly_degree(a) == degree_in(w->g, w->v, w);
    }
    nmod_poly_interpolate_nmod_vec(r, w->at, w->root, w->degree + 1);
    nmod_poly_clear(f);
    nmod_poly_clear(a);
    nmod_poly_clear(b);
    return full && nmod_poly_degree(r) == w->degree;
}

/* A random line value = base + x * way, x = 1, 2, ... */
typedef struct {
    ulong *base, *way;
    slong samples;       /* enough for the coefficients of the resultant */
    nmod_poly_struct *c; /* c[k] in F_p[x]: coefficient of t^k */
    nmod_poly_t content;
} line;

static void line_init(line *l, const sampling *w)
{
    size_t n = (size_t)w->ring->vars;
    *l = (line){.base = darc_calloc(n, sizeof *l->base),
                .way = darc_calloc(n, sizeof *l->way),
                .c = darc_calloc((size_t)w->degree + 1, sizeof *l->c)};
    for (size_t v = 0; v < n; v++)
        l->base[v] = n_randint(w->ring->rand, w->ring->mod.n);
    for (slong k = 0; k <= w->degree; k++)
        nmod_poly_init_mod(l->c + k, w->ring->mod);
    nmod_poly_init_mod(l->content, w->ring->mod);
}

static void line_clear(line *l, const sampling *w)
{
    for (slong k = 0; k <= w->degree; k++)
        nmod_poly_clear(l->c + k);
    nmod_poly_clear(l->content);
    darc_free(l->base);
    darc_free(l->way);
    darc_free(l->c);
}

/* Return the highest degree of a term of f along the line. */
static slong line_degree(const darc_mpoly *f, const line *l, const sampling *w)
{
    slong most = 0;
    ulong *exp = darc_calloc((size_t)w->ring->vars, sizeof *exp);
    for (slong i = 0; i < f->length; i++) {
        slong d = 0;
        nmod_mpoly_get_term_exp_ui(exp, f, i, w->ring->ctx);
        for (slong v = 0; v < w->ring->vars; v++)
            d += l->way[v] != 0 ? (slong)exp[v] : 0;
        most = d > most ? d : most;
    }
    darc_free(exp);
    return most;
}

/* Set w->value to the point x of the line. */
static void line_point(sampling *w, const line *l, ulong x)
{
    nmod_t mod = w->ring->mod;
    for (slong v = 0; v < w->ring->vars; v++)
        w->value[v] = nmod_add(l->base[v], nmod_mul(x, l->way[v], mod), mod);
}

static darc_status spend(sampling *w, double samples, darc_err *err)
{
    w->ring->work += samples * w->cost;
    if (w->ring->work > w->ring->work_limit)
        return darc_fail(err, DARC_LIMIT, "a dearer way");
    return darc_budget_check(w->ring->budget, err);
}

static darc_status unlucky(darc_err *err)
{
    return darc_fail(err, DARC_LIMIT,
                     "a resultant of high degree is out of reach");
}

/* Fill c and content of the line. */
static darc_status line_sample(line *l, sampling *w, darc_err *err)
{
    slong n = degree_in(w->g, w->v, w) * line_degree(w->f, l, w) +
              w->degree * line_degree(w->g, l, w) + 1;
    darc_status status = spend(w, (double)n, err);
    if (status != DARC_OK)
        return status;
    size_t rows = (size_t)w->degree + 1;
    ulong *x = darc_calloc((size_t)n, sizeof *x);
    ulong *y = darc_calloc((size_t)n * rows, sizeof *y);
    nmod_poly_t r;
    nmod_poly_init_mod(r, w->ring->mod);
    bool good = true;
    for (slong i = 0; i < n && good; i++) {
        x[i] = (ulong)i + 1;
        line_point(w, l, x[i]);
        good = sample(r, w);
        for (slong k = 0; k <= w->degree; k++)
            y[k * n + i] = nmod_poly_get_coeff_ui(r, k);
    }
    nmod_poly_zero(l->content);
    for (slong k = 0; k <= w->degree && good; k++) {
        nmod_poly_interpolate_nmod_vec(l->c + k, x, y + k * n, n);
        nmod_poly_gcd(l->content, l->content, l->c + k);
    }
    nmod_poly_clear(r);
    darc_free(x);
    darc_free(y);
    return good ? DARC_OK : unlucky(err);
}

/* Set a to the image of the polynomial c on the line. */
static void line_image(nmod_poly_t a, const darc_mpoly *c, const line *l,
                       sampling *w)
{
    slong n = line_degree(c, l, w) + 1;
    ulong *x = darc_calloc((size_t)n, sizeof *x);
    ulong *y = darc_calloc((size_t)n, sizeof *y);
    for (slong i = 0; i < n; i++) {
        x[i] = (ulong)i + 1;
        line_point(w, l, x[i]);
        y[i] = nmod_mpoly_evaluate_all_ui(c, w->value, w->ring->ctx);
    }
    nmod_poly_interpolate_nmod_vec(a, x, y, n);
    darc_free(x);
    darc_free(y);
}

/* Return whether c holds variables of the grid alone. */
static bool is_on_grid(const darc_mpoly *c, const sampling *w)
{
    return degree_in(c, w->v, w) == 0 && degree_in(c, w->t, w) == 0;
}

/* Where a factor c of a denominator vanishes so may B and A: remember the
 * factors of res_v(f, c), which e may have. */
static darc_status remember_poles(sampling *w, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_ring_struct *ring = w->ring;
    nmod_mpoly_t r, c;
    nmod_mpoly_init(r, ring->ctx);
    nmod_mpoly_init(c, ring->ctx);
    slong known = ring->count;
    for (slong i = 0; i < known; i++) {
        nmod_mpoly_set(c, ring->factor + i, ring->ctx);
        if (degree_in(c, w->v, w) == 0 || c->length > MAX_POLE_TERMS ||
            !nmod_mpoly_resultant(r, w->f, c, w->v, ring->ctx) ||
            nmod_mpoly_is_zero(r, ring->ctx) || darc_ring_value(r, ring) == 0)
            continue;
        DARC_TRY(darc_ring_remember_factors(ring, r, err));
    }
done:
    nmod_mpoly_clear(r, ring->ctx);
    nmod_mpoly_clear(c, ring->ctx);
    return status;
}

/* Find how often each remembered factor, and each variable, divides the
 * content on a random line; together they must be all of it. */
static darc_status find_content(sampling *w, slong *powers, darc_err *err)
{
    line l;
    darc_status status;
    nmod_poly_t a, q, rest;
    nmod_poly_init_mod(a, w->ring->mod);
    nmod_poly_init_mod(q, w->ring->mod);
    nmod_poly_init_mod(rest, w->ring->mod);
    line_init(&l, w);
    for (slong i = 0; i < w->count; i++)
        l.way[w->z[i]] = 1 + n_randint(w->ring->rand, w->ring->mod.n - 1);
    DARC_TRY(line_sample(&l, w, err));
    nmod_poly_set(rest, l.content);
    nmod_mpoly_t var;
    nmod_mpoly_init(var, w->ring->ctx);
    for (slong i = 0; i < w->ring->count + w->count; i++) {
        bool known = i < w->ring->count;
        if (!known)
            nmod_mpoly_gen(var, w->z[i - w->ring->count], w->ring->ctx);
        const darc_mpoly *c = known ? w->ring->factor + i : var;
        slong *times = known ? w->times + i : powers + i - w->ring->count;
        *times = 0;
        if (!is_on_grid(c, w))
            continue;
        line_image(a, c, &l, w);
        while (nmod_poly_degree(a) > 0 &&
               nmod_poly_degree(rest) >= nmod_poly_degree(a)) {
            nmod_poly_rem(q, rest, a);
            if (!nmod_poly_is_zero(q))
                break;
            nmod_poly_div(rest, rest, a);
            ++*times;
        }
    }
    nmod_mpoly_clear(var, w->ring->ctx);
    if (nmod_poly_degree(rest) != 0)
        status = unlucky(err);
done:
    line_clear(&l, w);
    nmod_poly_clear(a);
    nmod_poly_clear(q);
    nmod_poly_clear(rest);
    return status;
}

/* Set *degree to the degree of E in the i-th variable of the grid. */
static darc_status find_degree(slong *degree, slong i, sampling *w,
                               darc_err *err)
{
    line l;
    darc_status status;
    line_init(&l, w);
    l.way[w->z[i]] = 1;
    DARC_TRY(line_sample(&l, w, err));
    *degree = 0;
    for (slong k = 0; k <= w->degree; k++)
        if (nmod_poly_degree(l.c + k) - nmod_poly_degree(l.content) > *degree)
            *degree = nmod_poly_degree(l.c + k) - nmod_poly_degree(l.content);
done:
    line_clear(&l, w);
    return status;
}

/* Return the value of e at w->value. */
static ulong content_value(const slong *powers, const sampling *w)
{
    nmod_t mod = w->ring->mod;
    ulong e = 1;
    for (slong i = 0; i < w->ring->count; i++)
        if (w->times[i] > 0)
            e = nmod_mul(
                e,
                nmod_pow_ui(nmod_mpoly_evaluate_all_ui(w->ring->factor + i,
                                                       w->value, w->ring->ctx),
                            (ulong)w->times[i], mod),
                mod);
    for (slong i = 0; i < w->count; i++)
        e = nmod_mul(e, nmod_pow_ui(w->value[w->z[i]], (ulong)powers[i], mod),
                     mod);
    return e;
}

/* ---- the grid ------------------------------------------------------------ */

typedef struct {
    slong *degree; /* of E in each variable of the grid; owned */
    slong *powers; /* of the variables in e; owned */
    ulong *first;  /* node j of variable i is first[i] + j; owned */
    slong nodes;
    ulong *value; /* value[k * nodes + n]: coefficient of t^k at node n; then
                     of the monomial n; the first variable varies slowest */
} grid;

static darc_status grid_fill(grid *d, sampling *w, darc_err *err)
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
            DARC_TRY(spend(w, 64, err));
        bool good = sample(r, w);
        ulong e = content_value(d->powers, w);
        if (!good || e == 0)
            DARC_TRY(unlucky(err));
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
static void grid_interpolate(grid *d, const sampling *w)
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
static void grid_poly(darc_mpoly *r, const grid *d, const sampling *w)
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

static darc_status grid_init(grid *d, sampling *w, darc_err *err)
{
    darc_status status;
    size_t n = (size_t)w->count;
    *d = (grid){.degree = darc_calloc(n + 1, sizeof *d->degree),
                .powers = darc_calloc(n + 1, sizeof *d->powers),
                .first = darc_calloc(n + 1, sizeof *d->first)};
    double nodes = 1;
    DARC_TRY(find_content(w, d->powers, err));
    for (slong i = 0; i < w->count; i++) {
        DARC_TRY(find_degree(d->degree + i, i, w, err));
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
static bool is_squarefree(sampling *w)
{
    nmod_poly_t r, d;
    nmod_poly_init_mod(r, w->ring->mod);
    nmod_poly_init_mod(d, w->ring->mod);
    for (slong v = 0; v < w->ring->vars; v++)
        w->value[v] = n_randint(w->ring->rand, w->ring->mod.n);
    bool good = sample(r, w);
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
    slong t = linear_variable(f, g, v, ring);
    if (t < 0) {
        const darc_mpoly *swap = f;
        f = g;
        g = swap;
        t = linear_variable(f, g, v, ring);
    }
    if (t < 0)
        return unlucky(err);
    sampling w = {.f = f, .g = g, .v = v, .ring = ring};
    grid d = {.nodes = 0};
    DARC_TRY(remember_poles(&w, err));
    sampling_init(&w, t);
    if (!is_squarefree(&w))
        DARC_TRY(unlucky(err));
    DARC_TRY(grid_init(&d, &w, err));
    DARC_TRY(grid_fill(&d, &w, err));
    grid_interpolate(&d, &w);
    grid_poly(r, &d, &w);
    nmod_mpoly_make_monic(r, r, ring->ctx);
    if (darc_ring_value(r, ring) != 0)
        status = unlucky(err);
done:
    grid_clear(&d);
    sampling_clear(&w);
    return status;
}
