#include "diagnose/values.h"

#include "base/mem.h"
#include "decide/reading.h"
#include "decide/thresholds.h"
#include "diagnose/pooling.h"
#include "diagnose/thresholds.h"
#include "stats/columns.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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
    DARC_CALLOC((size_t)((out->functions + 1) * s->vars), s->slope);
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
        DARC_EACH(darc_slopes_clear, &num, &den);
    }
    darc_free(place);
}

/* Set cov to g' pinv g of the functions that are known. */
static void keep_covariance(darc_values *out, const darc_pooling *s)
{
    int f = out->functions, n = s->vars;
    double square = s->factor * s->factor;
    for (int k = 0; k < f * f; k++)
        for (int v = 0; v < n && out->value[k / f].known; v++)
            for (int u = 0; u < n && out->value[k % f].known; u++)
                out->cov[k] += square * s->slope[k / f * n + v] *
                               s->pinv[v * n + u] * s->slope[k % f * n + u];
}

/* Hand over by what changes of the parameters show. */
static void keep_information(darc_values *out, darc_pooling *s)
{
    int n = out->vars = s->vars;
    double *ratio;
    ptrdiff_t coeffs = s->e[0]->coeffs, f = out->functions;
    DARC_CARVE({&out->direction, coeffs * n}, {&out->information, n * n},
               {&out->cov, f * f}, {&ratio, coeffs + 1});
    darc_pooling_square(s, s->theta);
    out->rank = darc_pooling_invert(s);
    keep_covariance(out, s);
    darc_pooling_ratios(ratio, out->direction, s, 0);
    out->unknown = darc_calloc((size_t)n + 1, sizeof *out->unknown);
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

/* With so many rows more than J has rank. */
static double p_value(const darc_pooling *s, int spare)
{
    double error_dof = HUGE_VAL;
    for (int k = 0; k < s->recordings; k++)
        error_dof = fmin(error_dof, s->e[k]->error_dof);
    return spare > 0 ? darc_stats_squares_sf(s->least, spare, error_dof) : 1;
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

/* How far apart the local parameters are, in shares of their sizes. */
static double distance(const double *a, const double *b, const bool *local,
                       int n)
{
    double sum = 0;
    for (int v = 0; v < n; v++)
        if (local[v] && a[v] != b[v])
            sum += fabs(a[v] - b[v]) / (fabs(a[v]) + fabs(b[v]));
    return sum;
}

/* Go from `start`, which is overwritten, to a minimum; stay there if it is as
 * low as the one at hand and nearer to `near`. */
static void try_branch(darc_pooling *s, double *start, const double *near,
                       const bool *local)
{
    double *own = s->theta;
    s->theta = start;
    double least = darc_pooling_descend(s);
    s->theta = own;
    if (!(least <= s->least + DARC_VALUES_BRANCH) ||
        !(distance(start, near, local, s->vars) <
          distance(own, near, local, s->vars)))
        return;
    memcpy(own, start, (size_t)s->vars * sizeof *own);
    s->least = least;
}

/* Let theta be the branch nearest to other values: reached from these, or by an
 * exchange of two local parameters. */
static void move_beside(darc_pooling *s, const darc_identification_struct *id,
                        const darc_values *near)
{
    int n = s->vars, locals = 0;
    size_t size = (size_t)n * sizeof(double);
    bool *local = darc_calloc((size_t)n + 1, sizeof *local);
    for (int u = 0; u < n; u++)
        for (slong v = 0; v < id->vars; v++)
            local[u] = local[u] || (id->unknown[v] == s->c->unknown[u] &&
                                    id->parameter[v] == DARC_LOCALLY);
    for (int u = 0; u < n; u++)
        locals += local[u];
    double *start = darc_malloc(size + sizeof(double));
    if (locals > 0 && near->vars == n) {
        memcpy(start, near->theta, size);
        try_branch(s, start, near->theta, local);
    }
    for (int u = 0; u < n && locals <= DARC_VALUES_LOCALS; u++)
        for (int v = 0; v < u && local[u] && near->vars == n; v++) {
            if (!local[v])
                continue;
            memcpy(start, s->theta, size);
            start[u] = s->theta[v];
            start[v] = s->theta[u];
            try_branch(s, start, near->theta, local);
        }
    DARC_FREE(start, local);
}

/* Set v by what s, whose question it is, makes of it; beside other values
 * unless NULL. */
static darc_status find_values(darc_values *v, darc_pooling *s,
                               const darc_identification_struct *id,
                               const darc_values *near, darc_err *err)
{
    darc_status status;
    const darc_question *x = s->x;
    *v = (darc_values){.factor = 1, .p_value = 1};
    DARC_NEED(check_question(x, s->e, s->recordings, err));
    darc_pooling_open(s);
    if (darc_pooling_begin(s))
        s->least = darc_pooling_descend(s);
    bool found = isfinite(s->least);
    if (found && near != NULL)
        move_beside(s, id, near);
    if (found)
        darc_pooling_square(s, s->theta);
    int spare = s->rows - (found ? darc_pooling_invert(s) : 0);
    v->p_value = found ? p_value(s, spare) : 0;
    if (v->p_value < x->by->alpha && spare > 0)
        v->factor = sqrt(s->least / spare);
    if (!(v->factor < DARC_VALUES_WIDEST)) {
        status = darc_fail(err, DARC_DOMAIN,
                           s->recordings > 1
                               ? "the recordings contradict each other: no "
                                 "parameters make all (darc check equal)"
                               : "no parameters make the coefficients that "
                                 "fit best (darc check structure)");
        goto done;
    }
    s->factor = v->factor;
    status = darc_budget_check(x->budget, err);
    if (status == DARC_OK) {
        find_all(v, s, id);
        keep_information(v, s);
    }
done:
    darc_pooling_close(s);
    return status;
}

darc_status darc_values_init(darc_values *v, const darc_question *x,
                             const darc_identification_t id,
                             const darc_estimates *const *e, int recordings,
                             darc_err *err)
{
    darc_pooling s = {
        .x = x, .e = e, .recordings = recordings, .least = HUGE_VAL};
    return find_values(v, &s, id, NULL, err);
}

darc_status darc_values_init_beside(darc_values *v, const darc_question *x,
                                    const darc_identification_t id,
                                    const darc_estimates *e,
                                    const darc_values *near, darc_err *err)
{
    darc_pooling s = {.x = x, .e = &e, .recordings = 1, .least = HUGE_VAL};
    return find_values(v, &s, id, near, err);
}

void darc_values_clear(darc_values *v)
{
    DARC_FREE(v->value, v->unknown, v->theta, v->slope, v->direction);
    *v = (darc_values){0};
}

static double ncp(int dof, double alpha)
{
    return darc_stats_detectable_ncp(dof, HUGE_VAL, alpha, DARC_POWER);
}

/* Set c to the correlations of the differences, and sd. */
static void correlate(double *c, double *sd, const darc_values *a,
                      const darc_values *b)
{
    int n = a->functions;
    for (int k = 0; k < n; k++) {
        bool known = a->value[k].known && b->value[k].known;
        sd[k] = known ? sqrt(a->cov[k * n + k] + b->cov[k * n + k]) : HUGE_VAL;
    }
    for (int k = 0; k < n * n; k++)
        c[k] = (a->cov[k] + b->cov[k]) / (sd[k / n] * sd[k % n]);
}

/* Sweep [Bea64] row p: after several rows c holds the inverse of what stood in
 * these, its other entries are what is left of them. */
static void sweep(double *c, int n, int p)
{
    double d = c[p * n + p];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != p && j != p)
                c[i * n + j] -= c[i * n + p] * c[p * n + j] / d;
    for (int i = 0; i < n; i++) {
        c[i * n + p] /= i == p ? 1 : d;
        c[p * n + i] /= i == p ? 1 : -d;
    }
    c[p * n + p] = 1 / d;
}

void darc_foresee_changes(double *least, const darc_values *a,
                          const darc_values *b, double alpha)
{
    int n = a->functions;
    assert(n == b->functions);
    double *c = darc_calloc((size_t)(n * n) + 1, sizeof *c);
    bool *swept = darc_calloc((size_t)n + 1, sizeof *swept);
    correlate(c, least, a, b);
    for (int k = 0; k < n; k++) {
        swept[k] = isfinite(least[k]) && c[k * n + k] > DARC_FORESEE_SAME;
        if (swept[k])
            sweep(c, n, k);
    }
    for (int k = 0; k < n; k++) {
        double alone = swept[k] ? least[k] / sqrt(c[k * n + k]) : least[k];
        least[k] = b->rank > 0 ? sqrt(ncp(b->rank, alpha)) * alone /
                                     fabs(a->value[k].value)
                               : HUGE_VAL;
    }
    DARC_FREE(c, swept);
}

double darc_foresee_apart(const darc_values *v, int p, int q, double alpha)
{
    int n = v->vars;
    const double *m = v->information;
    double pp = m[p * n + p], qq = m[q * n + q], pq = m[p * n + q];
    double left = qq > 0 ? pp - pq * pq / qq : pp;
    if (v->rank < 2 || !(left > DARC_FORESEE_SAME * pp))
        return HUGE_VAL;
    return sqrt(2 * ncp(v->rank - 1, alpha) / left) / fabs(v->theta[p]);
}
