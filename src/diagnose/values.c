#include "diagnose/values.h"

#include "base/mem.h"
#include "decide/reading.h"
#include "diagnose/pooling.h"
#include "diagnose/thresholds.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- functions ----------------------------------------------------------- */

/* Return Q at theta + t along, which `to` becomes. */
static double square_at(darc_pooling *s, double *to, const double *along,
                        double t)
{
    for (int v = 0; v < s->vars; v++)
        to[v] = s->theta[v] + t * along[v];
    return darc_pooling_square(s, to);
}

/* Return f where Q reaches aim along a direction, at t = 1 where all is
 * straight; NAN where it does not. */
static double end_of(darc_pooling *s, const darc_slopes *num,
                     const darc_slopes *den, const double *along, double aim)
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
static void find_ends(darc_value *out, darc_pooling *s, const darc_slopes *num,
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
static void find_value(darc_value *out, double *slope, darc_pooling *s,
                       const darc_slopes *num, const darc_slopes *den)
{
    int n = s->vars;
    double hidden = 0, all = 0, variance = 0;
    darc_pooling_square(s, s->theta);
    darc_pooling_invert(s);
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

static void find_all(darc_values *out, darc_pooling *s,
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
    out->functions = n + (int)id->function->count;
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
            darc_slopes_load(&num, id->function->num + k - n, id->ctx, place,
                             s->vars);
            darc_slopes_load(&den, id->function->den + k - n, id->ctx, place,
                             s->vars);
        }
        find_value(out->value + k, s->slope + k * s->vars, s, &num, &den);
        darc_slopes_clear(&num);
        darc_slopes_clear(&den);
    }
    darc_free(place);
}

/* Set cov to g' pinv g of the functions that are known. */
static void keep_covariance(darc_values *out, const darc_pooling *s)
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
static void keep_directions(darc_values *out, const darc_pooling *s)
{
    int vars = s->vars;
    const double *of = s->value + s->entries;
    out->direction = darc_calloc((size_t)(s->e[0]->coeffs * vars) + 1,
                                 sizeof *out->direction);
    for (int i = 0; i < s->c->vectors; i++) {
        const darc_estimates_equation *eq = darc_pooling_equation(s, 0, i);
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
static void keep_information(darc_values *out, darc_pooling *s)
{
    int n = out->vars = s->vars;
    size_t size = (size_t)n;
    darc_pooling_square(s, s->theta);
    out->rank = darc_pooling_invert(s);
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

static double p_value(const darc_pooling *s, double least, int rank)
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
    darc_pooling s = {.x = x, .e = e, .recordings = 1, .least = HUGE_VAL};
    int *own = NULL;
    *v = (darc_values){.factor = 1, .p_value = 1};
    DARC_NEED(check_question(x, e, recordings, err));
    own = darc_calloc((size_t)darc_model_names(x->model)->count, sizeof *own);
    s.recordings = recordings;
    darc_pooling_open(&s, own);
    if (darc_pooling_begin(&s))
        s.least = darc_pooling_descend(&s);
    v->p_value =
        isfinite(s.least) ? p_value(&s, s.least, darc_pooling_invert(&s)) : 0;
    int spare = s.rows - (isfinite(s.least) ? darc_pooling_invert(&s) : 0);
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
    darc_pooling_close(&s);
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
