#include "diagnose/values.h"

#include "base/mem.h"
#include "decide/reading.h"
#include "decide/witness.h"
#include "diagnose/slopes.h"
#include "diagnose/thresholds.h"
#include "fit/sandwich.h"
#include "stats/stats.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS = 100 };

typedef struct {
    const darc_question *x;
    const darc_estimates *const *e;
    int recordings, vars, entries;
    darc_coeffs_t c;
    darc_slopes *g; /* entries; owned */
    double **root;  /* of each recording: root' root = V^-1; owned */
    int *rank;      /* rows of each root; owned */
    int rows;       /* of all */
    double *value;  /* entries, then their gradients; owned */
    double *r, *j;  /* rows; rows x vars: weighed residual, Jacobian; owned */
    double *pinv;   /* vars x vars: of J' J; owned */
    double *shown;  /* vars x vars: the projection on what J shows; owned */
    double *theta;  /* owned */
    double *slope;  /* of each function, functions x vars; owned */
    double least;   /* Q at the minimum */
    double factor;  /* by which sds are widened */
} search;

/* ---- the residual -------------------------------------------------------- */

static const darc_estimates_equation *equation(const search *s, int recording,
                                               int vector)
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
static int whiten(double *root, const search *s, const darc_estimates *e)
{
    size_t n = (size_t)e->coeffs;
    double *v = darc_calloc(n * n, sizeof *v);
    memcpy(v, e->bare != NULL ? e->bare_cov : e->cov, n * n * sizeof *v);
    for (int q = 0; q < e->equations && s->recordings > 1; q++) {
        const darc_estimates_equation *eq = e->eq + q;
        for (size_t k = 0; eq->origin && eq->offset >= 0 && k < n; k++)
            v[(size_t)eq->offset * n + k] = v[k * n + (size_t)eq->offset] = 0;
    }
    int rank = darc_whiten(root, v, e->coeffs);
    darc_free(v);
    return rank;
}

/* Set the rows of a recording from the ratios at theta; false where a reference
 * is 0. */
static bool compare(search *s, int recording, double *r, double *j)
{
    const darc_estimates *e = s->e[recording];
    int n = e->coeffs, vars = s->vars;
    size_t rows = (size_t)n;
    double *d = darc_calloc(rows * (size_t)(vars + 1), sizeof *d);
    double *slope = d + n, *of = s->value + s->entries;
    bool fine = true;
    for (int i = 0; i < s->c->vectors; i++) {
        const darc_estimates_equation *eq = equation(s, recording, i);
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

/* Set r and j at theta; return Q, HUGE_VAL where it has none. */
static double square(search *s, const double *theta)
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

/* Set pinv and shown from j, in the scale of its columns; return the rank. */
static int invert(search *s)
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
    bool fine = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, w) == 0;
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

/* Move theta to a minimum of Q, by halved steps of Gauss and Newton; return Q.
 * r and j belong to theta then. */
static double descend(search *s)
{
    size_t n = (size_t)s->vars;
    double *step = darc_calloc(n, sizeof *step);
    double *to = darc_calloc(n, sizeof *to);
    double here = square(s, s->theta), share = 1;
    for (int i = 0; i < ITERATIONS && isfinite(here) && share > 1e-9; i++) {
        invert(s);
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
            there = square(s, to);
        }
        if (!(there < here))
            break;
        memcpy(s->theta, to, n * sizeof *to);
        bool settled = here - there < 1e-10 * (1 + here);
        here = there;
        if (settled)
            break;
    }
    here = square(s, s->theta);
    darc_free(step);
    darc_free(to);
    return here;
}

/* ---- functions ----------------------------------------------------------- */

/* Return Q at theta + t along, which `to` becomes. */
static double square_at(search *s, double *to, const double *along, double t)
{
    for (int v = 0; v < s->vars; v++)
        to[v] = s->theta[v] + t * along[v];
    return square(s, to);
}

/* Return f where Q reaches aim along a direction, at t = 1 where all is
 * straight; NAN where it does not. */
static double end_of(search *s, const darc_slopes *num, const darc_slopes *den,
                     const double *along, double aim)
{
    double *to = darc_calloc(2 * (size_t)s->vars, sizeof *to);
    double low = 0, high = 1, end = NAN;
    int doubled = 0;
    while (square_at(s, to, along, high) < aim &&
           doubled++ < DARC_VALUES_DOUBLED) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < 40; i++) {
        double t = (low + high) / 2;
        *(square_at(s, to, along, t) < aim ? &low : &high) = t;
    }
    if (doubled <= DARC_VALUES_DOUBLED)
        end = darc_slopes_quotient(to + s->vars, num, den, to, s->vars);
    darc_free(to);
    return end;
}

/* Set the interval of f, by what it bends by over it. */
static void find_ends(darc_value *out, search *s, const darc_slopes *num,
                      const darc_slopes *den, const double *slope)
{
    int n = s->vars;
    double z = -darc_stats_normal_quantile(s->x->by->alpha / 2);
    double *along = darc_calloc((size_t)n, sizeof *along), end[2];
    double straight[2] = {out->value - z * out->sd, out->value + z * out->sd};
    for (int k = 0; k < 2; k++) {
        for (int v = 0; v < n; v++) {
            along[v] = 0;
            for (int u = 0; u < n; u++)
                along[v] += s->pinv[v * n + u] * slope[u];
            along[v] *= (k == 0 ? -z : z) * s->factor * s->factor / out->sd;
        }
        end[k] = end_of(s, num, den, along,
                        s->least + z * z * s->factor * s->factor);
    }
    out->low = isfinite(end[0]) ? fmin(straight[0], end[0]) : -HUGE_VAL;
    out->high = isfinite(end[1]) ? fmax(straight[1], end[1]) : HUGE_VAL;
    double room = DARC_VALUES_STRAIGHT * z * out->sd;
    if (straight[0] - out->low < room && out->high - straight[1] < room) {
        out->low = straight[0];
        out->high = straight[1];
    }
    darc_free(along);
}

/* Set out to f = num / den at the minimum, and its slope; not known where J
 * does not show it. */
static void find_value(darc_value *out, double *slope, search *s,
                       const darc_slopes *num, const darc_slopes *den)
{
    int n = s->vars;
    double hidden = 0, all = 0, variance = 0;
    square(s, s->theta);
    invert(s);
    out->value = darc_slopes_quotient(slope, num, den, s->theta, n);
    for (int v = 0; v < n; v++) {
        double seen = 0;
        for (int u = 0; u < n; u++) {
            seen += s->shown[v * n + u] * slope[u];
            variance += slope[v] * s->pinv[v * n + u] * slope[u];
        }
        hidden = fmax(hidden, fabs((slope[v] - seen) * s->theta[v]));
        all = fmax(all, fabs(slope[v] * s->theta[v]));
    }
    out->sd = s->factor * sqrt(variance);
    out->known = isfinite(out->value) && out->sd > 0 && isfinite(out->sd) &&
                 hidden <= DARC_VALUES_HIDDEN * all;
    if (out->known)
        find_ends(out, s, num, den, slope);
}

static void find_all(darc_values *out, search *s,
                     const darc_identification_struct *id)
{
    int n = (int)id->vars;
    int *place = darc_calloc((size_t)n + 1, sizeof *place);
    for (int v = 0; v < n; v++) {
        place[v] = -1;
        for (int u = 0; u < s->vars; u++)
            if (s->c->unknown[u] == id->unknown[v])
                place[v] = u;
    }
    out->functions = n + (int)id->count;
    out->value = darc_calloc((size_t)out->functions + 1, sizeof *out->value);
    s->slope =
        darc_calloc((size_t)((out->functions + 1) * s->vars), sizeof *s->slope);
    for (int k = 0; k < out->functions; k++) {
        bool own = k < n;
        darc_slopes num, den;
        if (own && (place[k] < 0 || id->parameter[k] < DARC_LOCALLY ||
                    id->parameter[k] > DARC_GLOBALLY))
            continue;
        if (own) {
            darc_slopes_single(&num, place[k], s->vars);
            darc_slopes_single(&den, -1, s->vars);
            out->value[k].local = id->parameter[k] == DARC_LOCALLY;
        } else {
            darc_slopes_load(&num, id->num + k - n, id->ctx, place, s->vars);
            darc_slopes_load(&den, id->den + k - n, id->ctx, place, s->vars);
        }
        find_value(out->value + k, s->slope + k * s->vars, s, &num, &den);
        darc_slopes_clear(&num);
        darc_slopes_clear(&den);
    }
    darc_free(place);
}

/* Set cov to g' pinv g of the functions that are known. */
static void keep_covariance(darc_values *out, const search *s)
{
    int f = out->functions, n = s->vars;
    double square = s->factor * s->factor;
    out->cov = darc_calloc((size_t)(f * f) + 1, sizeof *out->cov);
    for (int k = 0; k < f * f; k++)
        for (int v = 0; v < n && out->value[k / f].known; v++)
            for (int u = 0; u < n && out->value[k % f].known; u++)
                out->cov[k] += square * s->slope[k / f * n + v] *
                               s->pinv[v * n + u] * s->slope[k % f * n + u];
}

/* Set the slopes of the coefficients of the first recording. */
static void keep_directions(darc_values *out, const search *s)
{
    int vars = s->vars;
    const double *of = s->value + s->entries;
    out->direction = darc_calloc((size_t)(s->e[0]->coeffs * vars) + 1,
                                 sizeof *out->direction);
    for (int i = 0; i < s->c->vectors; i++) {
        const darc_estimates_equation *eq = equation(s, 0, i);
        int first = (int)s->c->first[i];
        int ref = first + eq->reference - eq->first;
        double unit = s->value[ref];
        for (int k = 0; k < eq->coeffs; k++)
            for (int v = 0; v < vars; v++)
                out->direction[(eq->first + k) * vars + v] =
                    (of[(first + k) * vars + v] -
                     s->value[first + k] / unit * of[ref * vars + v]) /
                    unit;
    }
}

/* Hand over by what changes of the parameters show. */
static void keep_information(darc_values *out, search *s)
{
    int n = out->vars = s->vars;
    size_t size = (size_t)n;
    square(s, s->theta);
    out->rank = invert(s);
    keep_covariance(out, s);
    keep_directions(out, s);
    out->unknown = darc_calloc(size + 1, sizeof *out->unknown);
    out->information = darc_calloc(size * size + 1, sizeof *out->information);
    for (int v = 0; v < n; v++) {
        out->unknown[v] = s->c->unknown[v];
        for (int u = 0; u < n; u++)
            for (int i = 0; i < s->rows; i++)
                out->information[v * n + u] +=
                    s->j[i * n + v] * s->j[i * n + u] / (s->factor * s->factor);
    }
    out->theta = s->theta;
    s->theta = NULL;
    out->slope = s->slope;
    s->slope = NULL;
}

/* ---- all ----------------------------------------------------------------- */

static void open_search(search *s, int *own)
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

static void close_search(search *s)
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

/* Set theta near what makes the coefficients of the first recording. */
static bool begin(search *s)
{
    int *place = darc_calloc((size_t)s->c->vectors, sizeof *place);
    for (int i = 0; i < s->c->vectors; i++)
        place[i] = (int)(equation(s, 0, i) - s->e[0]->eq);
    darc_witness_question w = {.c = s->c,
                               .of = {s->e[0], NULL},
                               .place = place,
                               .alpha = s->x->by->alpha};
    bool found = darc_witness_exists(&w, s->theta, s->x->budget);
    darc_free(place);
    return found;
}

static double p_value(const search *s, double least, int rank)
{
    double error_dof = HUGE_VAL;
    for (int k = 0; k < s->recordings; k++)
        error_dof = fmin(error_dof, s->e[k]->error_dof);
    return s->rows > rank
               ? darc_stats_squares_sf(least, s->rows - rank, error_dof)
               : 1;
}

static darc_status check_question(const darc_question *x,
                                  const darc_estimates *const *e,
                                  int recordings, darc_err *err)
{
    char why[256];
    for (int i = 0; i < x->io->count; i++)
        if (!x->io->eq[i].expanded || x->equations < x->io->count)
            return darc_fail(err, DARC_DOMAIN,
                             "the equations are too long for values");
    for (int k = 0; k < recordings; k++)
        if (darc_reading_is_useless(e[k], why, sizeof why))
            return darc_fail(err, DARC_DOMAIN, "%s", why);
    return DARC_OK;
}

darc_status darc_values_init(darc_values *v, const darc_question *x,
                             const darc_identification_t id,
                             const darc_estimates *const *e, int recordings,
                             darc_err *err)
{
    darc_status status;
    search s = {.x = x, .e = e, .recordings = 1, .least = HUGE_VAL};
    int *own = NULL;
    *v = (darc_values){.factor = 1, .p_value = 1};
    DARC_NEED(check_question(x, e, recordings, err));
    own = darc_calloc((size_t)darc_model_names(x->model)->count, sizeof *own);
    s.recordings = recordings;
    open_search(&s, own);
    if (begin(&s))
        s.least = descend(&s);
    v->p_value = isfinite(s.least) ? p_value(&s, s.least, invert(&s)) : 0;
    int spare = s.rows - (isfinite(s.least) ? invert(&s) : 0);
    if (v->p_value < x->by->alpha && spare > 0)
        v->factor = sqrt(s.least / spare);
    if (!(v->factor < DARC_VALUES_WIDEST)) {
        status = darc_fail(err, DARC_DOMAIN,
                           recordings > 1
                               ? "the recordings contradict each other: no "
                                 "parameters make all (darc check equal)"
                               : "no parameters make the coefficients that "
                                 "fit best (darc check structure)");
        goto done;
    }
    s.factor = v->factor;
    status = darc_budget_check(x->budget, err);
    if (status == DARC_OK) {
        find_all(v, &s, id);
        keep_information(v, &s);
    }
done:
    close_search(&s);
    darc_free(own);
    return status;
}

void darc_values_clear(darc_values *v)
{
    darc_free(v->value);
    darc_free(v->unknown);
    darc_free(v->theta);
    darc_free(v->information);
    darc_free(v->cov);
    darc_free(v->slope);
    darc_free(v->direction);
    *v = (darc_values){0};
}
