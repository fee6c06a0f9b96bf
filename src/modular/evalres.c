#include "modular/evalres.h"

#include "base/mem.h"
#include "modular/image.h"

/* Longer factors are not taken for those of denominators. */
#define MAX_POLE_TERMS 6

static slong degree_in(const darc_mpoly *f, slong v, const darc_evalres *w)
{
    slong d = darc_ring_degree(f, v, w->ring);
    return d < 0 ? 0 : d;
}

/* Return a variable in which g is linear and f is not, -1: none. */
slong darc_evalres_variable(const darc_mpoly *f, const darc_mpoly *g, slong v,
                            const darc_ring_t ring)
{
    for (slong t = 0; t < ring->vars; t++)
        if (t != v && darc_ring_degree(g, t, ring) == 1 &&
            darc_ring_degree(f, t, ring) < 1)
            return t;
    return -1;
}

void darc_evalres_init(darc_evalres *w, slong t)
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

void darc_evalres_clear(darc_evalres *w)
{
    darc_free(w->z);
    darc_free(w->value);
    darc_free(w->times);
    darc_free(w->at);
    darc_free(w->root);
}

/* Set r, in t, to the resultant at w->value; its degree is full. */
bool darc_evalres_sample(nmod_poly_t r, darc_evalres *w)
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

static void line_init(line *l, const darc_evalres *w)
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

static void line_clear(line *l, const darc_evalres *w)
{
    for (slong k = 0; k <= w->degree; k++)
        nmod_poly_clear(l->c + k);
    nmod_poly_clear(l->content);
    darc_free(l->base);
    darc_free(l->way);
    darc_free(l->c);
}

/* Return the highest degree of a term of f along the line. */
static slong line_degree(const darc_mpoly *f, const line *l,
                         const darc_evalres *w)
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
static void line_point(darc_evalres *w, const line *l, ulong x)
{
    nmod_t mod = w->ring->mod;
    for (slong v = 0; v < w->ring->vars; v++)
        w->value[v] = nmod_add(l->base[v], nmod_mul(x, l->way[v], mod), mod);
}

darc_status darc_evalres_spend(darc_evalres *w, double samples, darc_err *err)
{
    w->ring->work += samples * w->cost;
    if (w->ring->work > w->ring->work_limit)
        return darc_fail(err, DARC_LIMIT, "a dearer way");
    return darc_budget_check(w->ring->budget, err);
}

darc_status darc_evalres_fail(darc_err *err)
{
    return darc_fail(err, DARC_LIMIT,
                     "a resultant of high degree is out of reach");
}

/* Fill c and content of the line. */
static darc_status line_sample(line *l, darc_evalres *w, darc_err *err)
{
    slong n = degree_in(w->g, w->v, w) * line_degree(w->f, l, w) +
              w->degree * line_degree(w->g, l, w) + 1;
    darc_status status = darc_evalres_spend(w, (double)n, err);
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
        good = darc_evalres_sample(r, w);
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
    return good ? DARC_OK : darc_evalres_fail(err);
}

/* Set a to the image of the polynomial c on the line. */
static void line_image(nmod_poly_t a, const darc_mpoly *c, const line *l,
                       darc_evalres *w)
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
static bool is_on_grid(const darc_mpoly *c, const darc_evalres *w)
{
    return degree_in(c, w->v, w) == 0 && degree_in(c, w->t, w) == 0;
}

/* Where a factor c of a denominator vanishes so may B and A: remember the
 * factors of res_v(f, c), which e may have. */
darc_status darc_evalres_remember_poles(darc_evalres *w, darc_err *err)
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
darc_status darc_evalres_content(darc_evalres *w, slong *powers, darc_err *err)
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
        status = darc_evalres_fail(err);
done:
    line_clear(&l, w);
    nmod_poly_clear(a);
    nmod_poly_clear(q);
    nmod_poly_clear(rest);
    return status;
}

/* Set *degree to the degree of E in the i-th variable of the grid. */
darc_status darc_evalres_degree(slong *degree, slong i, darc_evalres *w,
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
ulong darc_evalres_content_value(const slong *powers, const darc_evalres *w)
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
