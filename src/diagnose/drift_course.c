#include "diagnose/drift_sequence.h"

#include "base/mem.h"
#include "decide/thresholds.h"
#include "stats/sandwich.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

enum { REGRESSORS = DARC_COVARIATES + 1 }; /* and the time */

static double regressor(const darc_sequence *s, int i, int r)
{
    return r < s->q ? s->z[i * s->q + r] : s->time[i];
}

/* A stretch of one function: weight, and weighted means of regressors and
 * value. */
typedef struct {
    double weight, x, z[REGRESSORS];
} mean;

static double weight_of(const darc_sequence *s, int k, int i)
{
    double sd = s->sd[i * s->p + k];
    return 1 / (sd * sd);
}

static mean mean_of_stretch(const darc_sequence *s, const darc_course *c, int k,
                            int stretch)
{
    mean m = {.weight = 0};
    if (darc_sequence_share(s, c, k, stretch, &m.x, &m.weight))
        return m;
    int end = darc_course_bound(c, stretch + 1, s->n);
    for (int i = darc_course_bound(c, stretch, s->n); i < end; i++) {
        double w = weight_of(s, k, i);
        m.weight += w;
        m.x += w * s->x[i * s->p + k];
        for (int r = 0; r <= s->q; r++)
            m.z[r] += w * regressor(s, i, r);
    }
    m.x /= m.weight;
    for (int r = 0; r <= s->q; r++)
        m.z[r] /= m.weight;
    return m;
}

/* Slopes of one function, the same in all stretches, and their covariance. */
typedef struct {
    int n; /* the covariates, then the line if there is one */
    bool seen;
    double x[REGRESSORS], v[REGRESSORS * REGRESSORS];
} slopes;

/* Solve m x = r where levels leave something of every slope; `all` is what
 * there is of each. */
static void solve_slopes(slopes *b, const double *m, const double *r,
                         const double *all)
{
    int index[REGRESSORS], n = b->n;
    double left[REGRESSORS * REGRESSORS], x[REGRESSORS] = {0};
    double out[REGRESSORS * (REGRESSORS + 1)] = {0};
    memcpy(left, m, sizeof left);
    memcpy(out, r, (size_t)n * sizeof *out);
    for (int i = 0; i < n; i++) {
        index[i] = i;
        left[i * (n + 1)] -= DARC_COURSE_SEEN * all[i];
        out[n + i * (n + 1)] = 1;
    }
    b->seen = n > 0 && darc_solve_part(left, n, index, n, x, 1) &&
              darc_solve_part(m, n, index, n, out, n + 1);
    if (!b->seen)
        return;
    memcpy(b->x, out, (size_t)n * sizeof *out);
    memcpy(b->v, out + n, (size_t)(n * n) * sizeof *out);
}

static slopes slopes_of(const darc_sequence *s, const darc_course *c, int k)
{
    slopes b = {.n = s->q + c->line};
    int n = b.n;
    double m[REGRESSORS * REGRESSORS] = {0}, r[REGRESSORS] = {0};
    double all[REGRESSORS] = {0};
    for (int stretch = 0; stretch <= c->steps && n > 0; stretch++) {
        mean o = mean_of_stretch(s, c, k, stretch);
        int end = darc_course_bound(c, stretch + 1, s->n);
        for (int i = darc_course_bound(c, stretch, s->n); i < end; i++) {
            double w = weight_of(s, k, i);
            for (int p = 0; p < n; p++) {
                double z = regressor(s, i, p) - o.z[p];
                double t = regressor(s, i, p) - (p < s->q ? 0 : s->time[0]);
                all[p] += w * t * t;
                r[p] += w * z * (s->x[i * s->p + k] - o.x);
                for (int l = 0; l < n; l++)
                    m[p * n + l] += w * z * (regressor(s, i, l) - o.z[l]);
            }
        }
    }
    solve_slopes(&b, m, r, all);
    return b;
}

/* A change and its standard deviation. */
typedef struct {
    double x, sd;
} size;

static size slope_of(const darc_sequence *s, const darc_course *c, int k)
{
    slopes b = slopes_of(s, c, k);
    if (!c->line || !b.seen)
        return (size){0, 0};
    return (size){b.x[s->q], sqrt(b.v[s->q * (b.n + 1)])};
}

/* The step between two stretches. */
static size step_of(const darc_sequence *s, const darc_course *c, int k,
                    int step)
{
    mean a = mean_of_stretch(s, c, k, step);
    mean b = mean_of_stretch(s, c, k, step + 1);
    slopes slope = slopes_of(s, c, k);
    double x = b.x - a.x, v = 1 / a.weight + 1 / b.weight;
    for (int r = 0; r < slope.n; r++) {
        double z = b.z[r] - a.z[r];
        x -= slope.x[r] * z;
        for (int l = 0; l < slope.n; l++)
            v += z * (b.z[l] - a.z[l]) * slope.v[r * slope.n + l];
    }
    return (size){x, sqrt(v)};
}

/* The p-value of what exceeds that which does not count. */
static double p_of(const darc_sequence *s, int k, size d, double times)
{
    double beyond = fmax(0, fabs(d.x) * times - s->ignored[k]);
    return beyond > 0
               ? 2 * darc_stats_error_sf(beyond / (d.sd * times), s->error_dof)
               : 1;
}

/* The surest function of a step (-1: of the line), and its p-value. */
static int surest(const darc_sequence *s, const darc_course *c, int step,
                  double *p)
{
    int best = 0;
    *p = 2;
    for (int k = 0; k < s->p; k++) {
        size d = step < 0 ? slope_of(s, c, k) : step_of(s, c, k, step);
        double times = step < 0 ? s->time[s->n - 1] - s->time[0] : 1;
        double own = p_of(s, k, d, times);
        if (!(own < *p))
            continue;
        *p = own;
        best = k;
    }
    return best;
}

/* Whether something counts, where a change may be too small to. */
static bool counts(const darc_sequence *s, double p)
{
    bool any = false;
    for (int k = 0; k < s->p; k++)
        any = any || s->ignored[k] > 0;
    return !any || p * s->p < s->c->x->by->alpha;
}

/* Take out steps and a line of which no function moved enough, the least sure
 * ones first. */
static void take_out(darc_course *c, const darc_sequence *s)
{
    for (int worst = 0; worst >= 0;) {
        double most = -1, p;
        worst = -1;
        for (int step = 0; step < c->steps; step++) {
            surest(s, c, step, &p);
            if (counts(s, p) || !(p > most))
                continue;
            most = p;
            worst = step;
        }
        if (worst >= 0)
            darc_course_drop(c, worst);
    }
    double p = 1;
    if (c->line)
        surest(s, c, -1, &p);
    c->line = c->line && counts(s, p);
}

/* Changes of logarithms become shares of what was before. */
static size share_of(const darc_sequence *s, int k, size d)
{
    return s->log[k] ? (size){expm1(d.x), exp(d.x) * d.sd} : d;
}

/* List the function that makes a step by itself, if one does; return whether
 * that is so. */
static bool list_alone(darc_drift *out, const darc_sequence *s,
                       const darc_course *c, int step)
{
    darc_parted by;
    bool only;
    int column = darc_sequence_alone(s, c, step, &by, &only), j = 0;
    while (j < out->functions && s->all[j].j != column)
        j++;
    if (column < 0 || j == out->functions)
        return false;
    for (int k = 0; k < s->p && !only; k++)
        if (s->which[k] == j) { /* others may make it: they are free, too */
            size d = share_of(s, k, step_of(s, c, k, step));
            by.change = d.x;
            by.sd = d.sd;
        }
    out->point[out->points++] =
        (darc_change_point){j, s->recording[c->at[step]], by.change, by.sd};
    return true;
}

/* List function k where it moved, of steps that no function makes alone. */
static void list_moves(darc_drift *out, const darc_sequence *s,
                       const darc_course *c, const bool *alone, int k)
{
    double p, alpha = s->c->x->by->alpha / s->p;
    int j = s->which[k];
    size d = share_of(s, k, slope_of(s, c, k));
    double range = s->time[s->n - 1] - s->time[0];
    if (c->line && (surest(s, c, -1, &p) == k ||
                    p_of(s, k, slope_of(s, c, k), range) < alpha))
        out->trend[out->trends++] = (darc_trend){j, d.x, d.sd};
    for (int step = 0; step < c->steps; step++) {
        if (alone[step])
            continue;
        size raw = step_of(s, c, k, step);
        if (surest(s, c, step, &p) != k && !(p_of(s, k, raw, 1) < alpha))
            continue;
        d = share_of(s, k, raw);
        out->point[out->points++] =
            (darc_change_point){j, s->recording[c->at[step]], d.x, d.sd};
    }
}

/* Return whether one of the recordings is said to differ. */
static bool differ(const darc_drift *out, const darc_sequence *s)
{
    bool any = false;
    for (int i = 0; i < s->n; i++)
        any =
            any || out->recording[s->recording[i]].verdict == DARC_INCONSISTENT;
    return any;
}

/* Find the course, and list what moves. */
static void find_changes(darc_drift *out, const darc_sequence *s,
                         darc_course *course)
{
    size_t functions = (size_t)s->p + 1;
    out->trend = darc_calloc(functions, sizeof *out->trend);
    DARC_CALLOC((size_t)(s->n + 1) * functions, out->point);
    darc_course_find(course, &s->data);
    darc_sequence_confirm(course, s);
    take_out(course, s);
    if (s->n == 2 && !differ(out, s)) /* of a pair its verdict counts */
        course->steps = 0;
    bool *alone = darc_calloc((size_t)course->steps + 1, sizeof *alone);
    for (int step = 0; step < course->steps; step++)
        alone[step] = list_alone(out, s, course, step);
    for (int k = 0; k < s->p && s->n > 1; k++)
        list_moves(out, s, course, alone, k);
    darc_free(alone);
}

/* Tell what covariates move, in shares of each function a unit of theirs. */
static void list_slopes(darc_drift *out, const darc_sequence *s,
                        const darc_course *c)
{
    int all = s->c->covariates;
    out->slope = darc_calloc((size_t)(s->p * all) + 1, sizeof *out->slope);
    for (int k = 0; k < s->p; k++) {
        slopes b = slopes_of(s, c, k);
        for (int r = 0, at = 0; r < all; r++) {
            darc_covariate_slope *to = out->slope + out->slopes++;
            *to = (darc_covariate_slope){s->which[k], r, NAN, NAN,
                                         out->reference};
            if (at == s->q || s->kept[at] != r)
                continue;
            if (b.seen) {
                to->relative = b.x[at] / s->spread[at];
                to->sd = sqrt(b.v[at * (b.n + 1)]) / s->spread[at];
            }
            at++;
        }
    }
}

/* Return whether covariates move function k for certain, beside a course. */
static bool is_driven(const darc_sequence *s, const darc_course *c, int k)
{
    slopes b = slopes_of(s, c, k);
    int index[REGRESSORS];
    double x[REGRESSORS], square = 0;
    for (int r = 0; r < s->q; r++) {
        index[r] = r;
        x[r] = b.x[r];
    }
    if (!b.seen || !darc_solve_part(b.v, b.n, index, s->q, x, 1))
        return false;
    for (int r = 0; r < s->q; r++)
        square += b.x[r] * x[r];
    return darc_stats_squares_sf(square, s->q, s->error_dof) * s->p <
           s->c->x->by->alpha;
}

/* Set `both` to the course with that change besides; return whether it is there
 * already. */
static bool add_change(darc_course *both, const darc_course *c,
                       const darc_sequence *s, const darc_change_doubt *x)
{
    int at = 0, i = 0;
    bool line = x->recording < 0;
    while (!line && s->recording[at] != x->recording)
        at++;
    both->steps = 0;
    both->line = c->line || line;
    for (; i < c->steps && (line || c->at[i] < at); i++)
        both->at[both->steps++] = c->at[i];
    bool known = line ? c->line : i < c->steps && c->at[i] == at;
    if (!line && !known)
        both->at[both->steps++] = at;
    for (; i < c->steps; i++)
        both->at[both->steps++] = c->at[i];
    return known;
}

/* List a change that is one if covariates move nothing, and none with them,
 * where they alone need not have made it. */
static void doubt(darc_drift *out, const darc_sequence *s, const darc_course *c,
                  const darc_change_doubt *x)
{
    darc_course both = {.at = darc_calloc((size_t)s->n + 1, sizeof *both.at)};
    double p = 2 * darc_stats_error_sf(fabs(x->relative) / x->sd, s->error_dof);
    int k = 0;
    while (s->which[k] != x->function)
        k++;
    if (p * s->p * (s->n - 1) < s->c->x->by->alpha &&
        !add_change(&both, c, s, x) && !is_driven(s, &both, k))
        out->doubt[out->doubts++] = *x;
    darc_course_clear(&both);
}

static void list_doubts(darc_drift *out, const darc_sequence *s,
                        const darc_course *c)
{
    darc_sequence plain = *s;
    darc_drift found = {.reference = out->reference,
                        .recording = out->recording};
    darc_course course;
    plain.q = plain.data.covariates = 0;
    find_changes(&found, &plain, &course);
    DARC_CALLOC((size_t)(found.points + found.trends) + 1, out->doubt);
    for (int i = 0; i < found.points; i++) {
        const darc_change_point *x = found.point + i;
        doubt(out, s, c,
              &(darc_change_doubt){x->function, x->recording, x->relative,
                                   x->sd, out->reference});
    }
    for (int i = 0; i < found.trends; i++) {
        const darc_trend *x = found.trend + i;
        doubt(out, s, c,
              &(darc_change_doubt){x->function, -1, x->per_recording, x->sd,
                                   out->reference});
    }
    DARC_FREE(found.point, found.trend);
    darc_course_clear(&course);
}

/* Return the place, no step of c, at which most of a covariate (*r, of those
 * kept) is a step; 0: there is none. */
static int find_jump(const darc_sequence *s, const darc_course *c, int *r)
{
    int place = 0;
    double most = 0;
    for (int k = 0; k < s->q; k++) {
        double sum = 0;
        for (int i = 1, step = 0; i < s->n; i++) {
            sum += s->z[(i - 1) * s->q + k];
            while (step < c->steps && c->at[step] < i)
                step++;
            double share = sum * sum / ((double)i * (s->n - i));
            if (!(share > most) || (step < c->steps && c->at[step] == i))
                continue;
            most = share;
            place = i;
            *r = k;
        }
    }
    return place;
}

/* Tell of the function whose changes the covariates hide most. */
static void list_blind(darc_drift *out, const darc_sequence *s,
                       const darc_course *c)
{
    int r = 0, step = 0;
    int at = out->doubts > 0 ? 0 : find_jump(s, c, &r); /* it is told */
    darc_sequence plain = *s;
    darc_course both = {.at = darc_calloc((size_t)s->n + 1, sizeof *both.at)};
    double most = DARC_DRIFT_BLIND;
    const darc_change_doubt there = {.recording =
                                         at > 0 ? s->recording[at] : -1};
    plain.q = 0;
    if (at > 0)
        add_change(&both, c, s, &there);
    while (step < both.steps && both.at[step] != at)
        step++;
    double level = s->c->x->by->alpha / (2 * fmax(1, s->n - 1)), times = 0;
    if (s->p > 0)
        times = sqrt(
            darc_stats_detectable_ncp(s->p, s->error_dof, level, DARC_POWER));
    for (int k = 0; k < s->p && at > 0; k++) {
        double alone = step_of(&plain, &both, k, step).sd;
        double beside = slopes_of(s, &both, k).seen
                            ? step_of(s, &both, k, step).sd
                            : HUGE_VAL;
        if (!(beside > most * alone))
            continue;
        most = beside / alone;
        DARC_ROOM(out->blind, 0);
        out->blinds = 1;
        *out->blind =
            (darc_drift_blind){s->which[k], s->kept[r], s->recording[at],
                               times * beside, times * alone};
    }
    darc_course_clear(&both);
}

void darc_drift_date(darc_drift *out, const darc_drift_comparison *c,
                     const darc_followed *f, darc_estimates **adjusted)
{
    darc_sequence s;
    darc_course course;
    darc_sequence_open(&s, out, c, f);
    find_changes(out, &s, &course);
    if (c->covariates > 0) {
        list_slopes(out, &s, &course);
        list_doubts(out, &s, &course);
        list_blind(out, &s, &course);
        darc_sequence_adjust(&s, out, &course, f, adjusted);
    }
    darc_course_clear(&course);
    darc_sequence_close(&s);
}
