#include "decide/curvature.h"

#include "base/mem.h"
#include "base/random.h"
#include "stats/real.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { DRAWS = 256 };

static const double TAILS = 9;

/* A relation, ready to be evaluated: term t is factor[t] times the variables
 * var[first[t]] .. var[first[t + 1] - 1]. */
typedef struct {
    slong terms;
    double *factor;
    slong *first, *var; /* owned, as is factor */
    double here;        /* its value at x */
    double *slope;      /* its gradient there; owned */
} polynomial;

static void polynomial_init(polynomial *p, const darc_coeffrel_t r, slong k,
                            const double *x)
{
    const fmpz_mpoly_struct *h = r->h + k;
    slong degree = fmpz_mpoly_total_degree_si(h, r->ctx), n = 0;
    size_t terms = (size_t)h->length, vars = (size_t)r->vars;
    ulong *e = darc_calloc(vars, sizeof *e);
    p->terms = h->length;
    p->factor = darc_calloc(terms, sizeof *p->factor);
    p->first = darc_calloc(terms + 1, sizeof *p->first);
    p->var = darc_calloc(terms * (size_t)degree + 1, sizeof *p->var);
    p->slope = darc_calloc(vars, sizeof *p->slope);
    for (slong t = 0; t < h->length; t++) {
        p->factor[t] = darc_real_integer(h->coeffs + t);
        fmpz_mpoly_get_term_exp_ui(e, h, t, r->ctx);
        for (slong v = 0; v < r->vars; v++)
            for (ulong i = 0; i < e[v]; i++)
                p->var[n++] = v;
        p->first[t + 1] = n;
    }
    p->here = darc_contrast_value(r, k, -1, x);
    for (slong v = 0; v < r->vars; v++)
        p->slope[v] = darc_contrast_value(r, k, v, x);
    darc_free(e);
}

static void polynomial_clear(polynomial *p)
{
    darc_free(p->factor);
    darc_free(p->first);
    darc_free(p->var);
    darc_free(p->slope);
}

/* Return what p has at x + e beyond its linear part. */
static double beyond(const polynomial *p, const double *x, const double *e,
                     slong vars)
{
    double sum = -p->here;
    for (slong t = 0; t < p->terms; t++) {
        double term = p->factor[t];
        for (slong i = p->first[t]; i < p->first[t + 1]; i++)
            term *= x[p->var[i]] + e[p->var[i]];
        sum += term;
    }
    for (slong v = 0; v < vars; v++)
        sum -= p->slope[v] * e[v];
    return sum;
}

/* Set root (n x n, by columns) so that root root' is the covariance of the
 * coefficients of f; to 0 where there is none. */
static double *root_of(const darc_weakfit *f, double inflate)
{
    int n = f->fit.model;
    double *root = darc_calloc((size_t)(n * n), sizeof *root);
    double *w = darc_calloc((size_t)n, sizeof *w);
    for (int i = 0; i < n * n; i++)
        root[i] = inflate * f->fit.cov[i / n * f->fit.coeffs + i % n];
    bool ok = true;
    for (int i = 0; i < n * n; i++)
        ok = ok && isfinite(root[i]);
    ok = ok && LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, root, n, w) == 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            root[k * n + i] *= ok ? sqrt(fmax(0, w[k])) : 0;
    darc_free(w);
    return root;
}

/* Add a draw from the errors with this root to e. */
static void draw(double *e, const double *root, int n, darc_random *random)
{
    for (int k = 0; k < n; k++) {
        double z = darc_random_normal(random);
        for (int i = 0; i < n; i++)
            e[i] += z * root[k * n + i];
    }
}

/* Add the draw e to the second moments. */
static void add_draw(darc_contrast *c, const polynomial *p, const double *x,
                     const double *e, slong vars)
{
    double *q = darc_calloc((size_t)c->count, sizeof *q);
    for (int i = 0; i < c->count; i++)
        q[i] = beyond(p + i, x, e, vars);
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->count; k++)
            c->s[i * c->count + k] += TAILS / DRAWS * q[i] * q[k];
    darc_free(q);
}

void darc_curvature_add(darc_contrast *c, const darc_coeffrel_t r,
                        const slong *relation, const double *x,
                        const darc_weakfit *const *fit, double inflate)
{
    size_t n = (size_t)c->count, vectors = (size_t)r->vectors;
    polynomial *p = darc_calloc(n + 1, sizeof *p);
    double **root = darc_calloc(vectors, sizeof *root);
    double *e = darc_calloc((size_t)r->vars, sizeof *e);
    darc_random random;
    darc_random_init(&random, 1, 0);
    for (size_t i = 0; i < n; i++)
        polynomial_init(p + i, r, relation[i], x);
    for (size_t w = 0; w < vectors; w++)
        root[w] = root_of(fit[w], inflate);
    for (int i = 0; i < DRAWS && n > 0; i++) {
        memset(e, 0, (size_t)r->vars * sizeof *e);
        for (size_t w = 0; w < vectors; w++)
            draw(e + r->first[w], root[w], fit[w]->fit.model, &random);
        add_draw(c, p, x, e, r->vars);
    }
    for (size_t i = 0; i < n; i++)
        polynomial_clear(p + i);
    for (size_t w = 0; w < vectors; w++)
        darc_free(root[w]);
    darc_free(p);
    darc_free(root);
    darc_free(e);
}
