#include "diagnose/pooling.h"

#include "base/mem.h"
#include "decide/reading.h"
#include "decide/witness.h"
#include "diagnose/thresholds.h"
#include "fit/sandwich.h"
#include "stats/dense.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS = 100 };

/* ---- the residual -------------------------------------------------------- */

const darc_estimates_equation *darc_pooling_equation(const darc_pooling *s,
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

/* Set the rows of a recording from the ratios at theta; false where a reference
 * is 0. */
static bool compare(darc_pooling *s, int recording, double *r, double *j)
{
    const darc_estimates *e = s->e[recording];
    int n = e->coeffs, vars = s->vars;
    size_t rows = (size_t)n;
    double *d = darc_calloc(rows * (size_t)(vars + 1), sizeof *d);
    double *slope = d + n, *of = s->value + s->entries;
    bool fine = true;
    for (int i = 0; i < s->c->vectors; i++) {
        const darc_estimates_equation *eq =
            darc_pooling_equation(s, recording, i);
        int first = (int)s->c->first[i];
        int ref = first + eq->reference - eq->first;
        double unit = s->value[ref];
        fine = fine && unit != 0 && isfinite(1 / unit);
        for (int k = 0; k < eq->coeffs && fine; k++) {
            double ratio = s->value[first + k] / unit;
            d[eq->first + k] = ratio - coefficients(e)[eq->first + k];
            for (int v = 0; v < vars; v++)
                slope[(eq->first + k) * vars + v] =
                    (of[(first + k) * vars + v] - ratio * of[ref * vars + v]) /
                    unit;
        }
    }
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
            darc_slopes_value(of + i * s->vars, s->g + i, theta, s->vars);
    for (int k = 0; k < s->recordings; row += s->rank[k++])
        if (!compare(s, k, s->r + row, s->j + row * s->vars))
            return HUGE_VAL;
    for (int i = 0; i < s->rows; i++)
        sum += s->r[i] * s->r[i];
    return isfinite(sum) ? sum : HUGE_VAL;
}

/* ---- the least squares --------------------------------------------------- */

int darc_pooling_invert(darc_pooling *s)
{
    int n = s->vars, rank = 0;
    size_t size = (size_t)n * (size_t)n;
    double *a = darc_calloc(size, sizeof *a), *w = darc_calloc((size_t)n, 8);
    double *scale = darc_calloc((size_t)n, sizeof *scale);
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
    darc_free(w);
    darc_free(scale);
    return rank;
}

double darc_pooling_descend(darc_pooling *s)
{
    size_t n = (size_t)s->vars;
    double *step = darc_calloc(n, sizeof *step);
    double *to = darc_calloc(n, sizeof *to);
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
    darc_free(to);
    return here;
}

/* ---- all ------------------------------------------------------------------
 */

void darc_pooling_open(darc_pooling *s, int *own)
{
    darc_coeffs_init(s->c, s->x->io, s->x->io->count > 1 ? -1 : 0, NULL);
    s->vars = (int)s->c->vars;
    s->entries = (int)s->c->first[s->c->vectors];
    size_t vars = (size_t)s->vars, runs = (size_t)s->recordings;
    for (int v = 0; v < s->vars; v++)
        own[v] = v;
    s->g = darc_calloc((size_t)s->entries, sizeof *s->g);
    for (int i = 0; i < s->entries; i++)
        darc_slopes_load(s->g + i, s->c->b + i, s->c->ctx, own, s->vars);
    s->root = darc_calloc(runs, sizeof *s->root);
    s->rank = darc_calloc(runs, sizeof *s->rank);
    for (int k = 0; k < s->recordings; k++) {
        size_t n = (size_t)s->e[k]->coeffs;
        s->root[k] = darc_calloc(n * n, sizeof **s->root);
        s->rank[k] = whiten(s->root[k], s, s->e[k]);
        s->rows += s->rank[k] > 0 ? s->rank[k] : 0;
    }
    size_t rows = (size_t)s->rows + 1;
    s->value = darc_calloc((size_t)s->entries * (vars + 1), sizeof *s->value);
    s->r = darc_calloc(rows, sizeof *s->r);
    s->j = darc_calloc(rows * vars, sizeof *s->j);
    s->pinv = darc_calloc(vars * vars, sizeof *s->pinv);
    s->shown = darc_calloc(vars * vars, sizeof *s->shown);
    s->theta = darc_calloc(vars, sizeof *s->theta);
}

void darc_pooling_close(darc_pooling *s)
{
    for (int i = 0; i < s->entries; i++)
        darc_slopes_clear(s->g + i);
    for (int k = 0; k < s->recordings && s->root != NULL; k++)
        darc_free(s->root[k]);
    darc_free(s->g);
    darc_free(s->root);
    darc_free(s->rank);
    darc_free(s->value);
    darc_free(s->r);
    darc_free(s->j);
    darc_free(s->pinv);
    darc_free(s->shown);
    darc_free(s->theta);
    darc_free(s->slope);
    darc_coeffs_clear(s->c);
}

bool darc_pooling_begin(darc_pooling *s)
{
    int *place = darc_calloc((size_t)s->c->vectors, sizeof *place);
    for (int i = 0; i < s->c->vectors; i++)
        place[i] = (int)(darc_pooling_equation(s, 0, i) - s->e[0]->eq);
    darc_witness_question w = {.c = s->c,
                               .of = {s->e[0], NULL},
                               .place = place,
                               .alpha = s->x->by->alpha};
    bool found = darc_witness_exists(&w, s->theta, s->x->budget);
    darc_free(place);
    return found;
}
