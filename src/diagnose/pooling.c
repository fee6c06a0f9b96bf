#include "diagnose/pooling.h"

#include "base/mem.h"
#include "decide/reading.h"
#include "decide/witness.h"
#include "diagnose/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/real.h"
#include "stats/sandwich.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS = 100 };

void darc_slopes_load(darc_slopes *p, const fmpz_mpoly_struct *from,
                      const fmpz_mpoly_ctx_t ctx, const int *place, int vars)
{
    slong n = fmpz_mpoly_length(from, ctx), own = fmpz_mpoly_ctx_nvars(ctx);
    ulong *e = darc_calloc((size_t)own + 1, sizeof *e);
    p->terms = (int)n;
    p->factor = darc_calloc((size_t)n + 1, sizeof *p->factor);
    p->power = darc_calloc((size_t)n * (size_t)vars + 1, sizeof *p->power);
    for (slong t = 0; t < n; t++) {
        p->factor[t] = darc_real_integer(from->coeffs + t);
        fmpz_mpoly_get_term_exp_ui(e, from, t, ctx);
        for (slong v = 0; v < own; v++)
            if (e[v] > 0)
                p->power[t * vars + place[v]] = (int)e[v];
    }
    darc_free(e);
}

void darc_slopes_clear(darc_slopes *p)
{
    DARC_FREE(p->factor, p->power);
}

/* Return p at theta, and set its gradient. */
static double value_at_theta(double *gradient, const darc_slopes *p,
                             const double *theta, int vars)
{
    double sum = 0;
    memset(gradient, 0, (size_t)vars * sizeof *gradient);
    for (int t = 0; t < p->terms; t++) {
        const int *e = p->power + t * vars;
        double term = p->factor[t];
        for (int v = 0; v < vars; v++)
            term *= e[v] > 0 ? pow(theta[v], e[v]) : 1;
        sum += term;
        for (int v = 0; v < vars; v++) {
            if (e[v] == 0)
                continue;
            double slope = p->factor[t] * e[v] * pow(theta[v], e[v] - 1);
            for (int w = 0; w < vars; w++)
                slope *= w != v && e[w] > 0 ? pow(theta[w], e[w]) : 1;
            gradient[v] += slope;
        }
    }
    return sum;
}

double darc_slopes_quotient(double *gradient, const darc_slopes *num,
                            const darc_slopes *den, const double *theta,
                            int vars)
{
    double *d = darc_calloc((size_t)vars, sizeof *d);
    double n = value_at_theta(gradient, num, theta, vars);
    double q = value_at_theta(d, den, theta, vars);
    for (int v = 0; v < vars; v++)
        gradient[v] = (gradient[v] - n / q * d[v]) / q;
    darc_free(d);
    return n / q;
}

void darc_slopes_single(darc_slopes *p, int v, int vars)
{
    *p = (darc_slopes){1, darc_calloc(1, sizeof(double)),
                       darc_calloc((size_t)vars, sizeof(int))};
    p->factor[0] = 1;
    if (v >= 0)
        p->power[v] = 1;
}

/* Return what a recording says of the equation of a vector of coefficients. */
static const darc_estimates_equation *equation_of(const darc_pooling *s,
                                                  int recording, int vector)
{
    int q = 0;
    while (s->x->equation[q] != s->c->equation[vector])
        q++;
    assert(q < s->x->equations);
    return s->e[recording]->eq + q;
}

/* Before relations were imposed: these follow from the parameters. */
static const double *coefficients(const darc_estimates *e)
{
    return e->bare != NULL ? e->bare : e->c;
}

/* The covariance of e on what tells of parameters: the origin of a signal may
 * differ between recordings.  Return the rank of the root. */
static int whiten(double *root, const darc_pooling *s, const darc_estimates *e)
{
    size_t n = (size_t)e->coeffs;
    double *v = darc_calloc(n * n, sizeof *v);
    memcpy(v, e->bare != NULL ? e->bare_cov : e->cov, n * n * sizeof *v);
    if (s->recordings > 1)
        darc_reading_drop_origins(v, e);
    int rank = darc_whiten(root, v, e->coeffs);
    darc_free(v);
    return rank;
}

bool darc_pooling_ratios(double *ratio, double *slope, const darc_pooling *s,
                         int recording)
{
    int vars = s->vars;
    const double *of = s->value + s->entries;
    bool fine = true;
    for (int i = 0; i < s->c->vectors; i++) {
        const darc_estimates_equation *eq = equation_of(s, recording, i);
        int first = (int)s->c->first[i];
        int ref = first + eq->reference - eq->first;
        double unit = s->value[ref];
        fine = fine && unit != 0 && isfinite(1 / unit);
        for (int k = 0; k < eq->coeffs && fine; k++) {
            double own = ratio[eq->first + k] = s->value[first + k] / unit;
            for (int v = 0; v < vars; v++)
                slope[(eq->first + k) * vars + v] =
                    (of[(first + k) * vars + v] - own * of[ref * vars + v]) /
                    unit;
        }
    }
    return fine;
}

/* Set the rows of a recording from the ratios at theta; false where a reference
 * is 0. */
static bool compare_ratios(darc_pooling *s, int recording, double *r, double *j)
{
    const darc_estimates *e = s->e[recording];
    const double *c = coefficients(e);
    int n = e->coeffs, vars = s->vars;
    double *d, *slope;
    DARC_CARVE({&d, n}, {&slope, n * vars});
    memcpy(d, c, (size_t)n * sizeof *d); /* what no parameter makes is met */
    bool fine = darc_pooling_ratios(d, slope, s, recording);
    for (int k = 0; k < n; k++)
        d[k] -= c[k];
    for (int row = 0; row < s->rank[recording]; row++) {
        const double *p = s->root[recording] + row * n;
        r[row] = 0;
        for (int v = 0; v < vars; v++)
            j[row * vars + v] = 0;
        for (int k = 0; k < n; k++) {
            r[row] += p[k] * d[k];
            for (int v = 0; v < vars; v++)
                j[row * vars + v] += p[k] * slope[k * vars + v];
        }
    }
    darc_free(d);
    return fine;
}

double darc_pooling_square(darc_pooling *s, const double *theta)
{
    double *of = s->value + s->entries, sum = 0;
    int row = 0;
    for (int i = 0; i < s->entries; i++)
        s->value[i] =
            value_at_theta(of + i * s->vars, s->g + i, theta, s->vars);
    for (int k = 0; k < s->recordings; row += s->rank[k++])
        if (!compare_ratios(s, k, s->r + row, s->j + row * s->vars))
            return HUGE_VAL;
    for (int i = 0; i < s->rows; i++)
        sum += s->r[i] * s->r[i];
    return isfinite(sum) ? sum : HUGE_VAL;
}

int darc_pooling_invert(darc_pooling *s)
{
    int n = s->vars, rank = 0;
    size_t size = (size_t)n * (size_t)n;
    double *a, *w, *scale;
    DARC_CARVE({&a, n * n}, {&w, n}, {&scale, n});
    for (int i = 0; i < s->rows; i++)
        for (int v = 0; v < n; v++)
            scale[v] = hypot(scale[v], s->j[i * n + v]);
    for (int v = 0; v < n; v++)
        scale[v] = scale[v] > 0 ? scale[v] : 1;
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++)
            for (int i = 0; i < s->rows; i++)
                a[v * n + u] +=
                    s->j[i * n + v] * s->j[i * n + u] / (scale[v] * scale[u]);
    bool fine = darc_dense_eigen(w, a, n, 'V');
    memset(s->pinv, 0, size * sizeof *s->pinv);
    memset(s->shown, 0, size * sizeof *s->shown);
    for (int k = 0; k < n && fine; k++) {
        if (!(w[k] > DARC_VALUES_BLIND * w[n - 1]))
            continue;
        rank++;
        for (int v = 0; v < n; v++)
            for (int u = 0; u < n; u++) {
                double both = a[k * n + v] * a[k * n + u];
                s->pinv[v * n + u] += both / (w[k] * scale[v] * scale[u]);
                s->shown[v * n + u] += both;
            }
    }
    /* The projection acts on gradients over their scale. */
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++)
            s->shown[v * n + u] *= scale[v] / scale[u];
    darc_free(a);
    return rank;
}

double darc_pooling_descend(darc_pooling *s)
{
    size_t n = (size_t)s->vars;
    double *step, *to;
    DARC_CARVE({&step, s->vars}, {&to, s->vars});
    double here = darc_pooling_square(s, s->theta), share = 1;
    for (int i = 0; i < ITERATIONS && isfinite(here) && share > 1e-9; i++) {
        darc_pooling_invert(s);
        for (size_t v = 0; v < n; v++) {
            step[v] = 0;
            for (size_t u = 0; u < n; u++)
                for (int k = 0; k < s->rows; k++)
                    step[v] -=
                        s->pinv[v * n + u] * s->j[(size_t)k * n + u] * s->r[k];
        }
        double there = HUGE_VAL;
        for (share = 1; share > 1e-9 && !(there < here); share /= 2) {
            for (size_t v = 0; v < n; v++)
                to[v] = s->theta[v] + share * step[v];
            there = darc_pooling_square(s, to);
        }
        if (!(there < here))
            break;
        memcpy(s->theta, to, n * sizeof *to);
        bool settled = here - there < 1e-10 * (1 + here);
        here = there;
        if (settled)
            break;
    }
    here = darc_pooling_square(s, s->theta);
    darc_free(step);
    return here;
}

void darc_pooling_open(darc_pooling *s)
{
    darc_coeffs_init(s->c, s->x->io, s->x->io->count > 1 ? -1 : 0, NULL);
    s->vars = (int)s->c->vars;
    s->entries = (int)s->c->first[s->c->vectors];
    ptrdiff_t vars = s->vars;
    size_t runs = (size_t)s->recordings;
    int *own = darc_calloc((size_t)vars, sizeof *own);
    for (int v = 0; v < s->vars; v++)
        own[v] = v;
    s->g = darc_calloc((size_t)s->entries, sizeof *s->g);
    for (int i = 0; i < s->entries; i++)
        darc_slopes_load(s->g + i, s->c->b + i, s->c->ctx, own, s->vars);
    DARC_CALLOC(runs, s->root, s->rank);
    for (int k = 0; k < s->recordings; k++) {
        size_t n = (size_t)s->e[k]->coeffs;
        s->root[k] = darc_calloc(n * n, sizeof **s->root);
        s->rank[k] = whiten(s->root[k], s, s->e[k]);
        s->rows += s->rank[k] > 0 ? s->rank[k] : 0;
    }
    ptrdiff_t rows = s->rows + 1;
    DARC_CARVE({&s->value, s->entries * (vars + 1)}, {&s->r, rows},
               {&s->j, rows * vars}, {&s->pinv, vars * vars},
               {&s->shown, vars * vars});
    s->theta = darc_calloc((size_t)vars, sizeof *s->theta);
    darc_free(own);
}

void darc_pooling_close(darc_pooling *s)
{
    DARC_ALL(darc_slopes_clear, s->g, s->entries);
    DARC_FREE_EACH(s->root, s->recordings);
    DARC_FREE(s->g, s->root, s->rank, s->value, s->theta, s->slope);
    darc_coeffs_clear(s->c);
}

bool darc_pooling_begin(darc_pooling *s)
{
    int *place = darc_calloc((size_t)s->c->vectors, sizeof *place);
    for (int i = 0; i < s->c->vectors; i++)
        place[i] = (int)(equation_of(s, 0, i) - s->e[0]->eq);
    darc_witness_question w = {.c = s->c,
                               .of = {s->e[0], NULL},
                               .place = place,
                               .alpha = s->x->by->alpha};
    bool found = darc_witness_exists(&w, s->theta, s->x->budget);
    darc_free(place);
    return found;
}
