#include "diagnose/drift_course.h"

#include "base/mem.h"
#include "decide/reading.h"
#include "diagnose/course.h"
#include "diagnose/thresholds.h"
#include "fit/sandwich.h"
#include "stats/stats.h"

#include <math.h>

/* The recordings and functions that enter the course. */
typedef struct {
    const darc_drift_comparison *c;
    int n, p;
    int *recording;  /* owned */
    int *which;      /* functions; owned */
    double *time;    /* of the recordings; owned */
    double *x, *sd;  /* n x p: logarithms, or values over a common size; of the
                        recording alone: the reference is common to all; owned */
    bool *log;       /* by function; owned */
    double *scale;   /* n x p: dx = d(coefficient) / scale; owned */
    double *ignored; /* by function: change that does not count; owned */
    double error_dof;
} sequence;

static const darc_drift_change *change_of(const darc_drift *out,
                                          const sequence *s, int i, int k)
{
    return out->recording[s->recording[i]].change + s->which[k];
}

static bool is_known(const darc_drift_change *d)
{
    return isfinite(d->log) && isfinite(d->log_sd) && d->log_sd > 0 &&
           isfinite(d->value) && isfinite(d->ignored);
}

/* Return whether recording r tells something of function j. */
static bool tells(const darc_drift *out, int r, int j)
{
    return r == out->reference || is_known(out->recording[r].change + j);
}

/* The functions that at least half of the recordings tell something of, and the
 * recordings that do of all these. */
static void choose(sequence *s, const darc_drift *out)
{
    int n = 0;
    for (int i = 0; i < out->recordings; i++)
        if (out->recording[i].change != NULL && !s->c->fit[i]->coarse &&
            !darc_reading_is_useless(s->c->fit[i], NULL, 0))
            s->recording[n++] = i;
    for (int j = 0; j < out->functions; j++) {
        int count = 0;
        for (int i = 0; i < n; i++)
            count += tells(out, s->recording[i], j);
        if (2 * count >= n)
            s->which[s->p++] = j;
    }
    for (int i = 0; i < n; i++) {
        bool all = true;
        for (int k = 0; k < s->p; k++)
            all = all && tells(out, s->recording[i], s->which[k]);
        if (!all)
            continue;
        double dof = s->c->fit[s->recording[i]]->error_dof;
        s->error_dof = fmin(s->error_dof, dof);
        s->time[s->n] = s->recording[i];
        s->recording[s->n++] = s->recording[i];
    }
}

/* Logarithms where no recording comes near 0. */
static void set_values(sequence *s, const darc_drift *out,
                       const darc_followed *f, int k)
{
    s->log[k] = !f[s->which[k]].vanishing;
    for (int i = 0; i < s->n; i++) {
        const darc_drift_change *d = change_of(out, s, i, k);
        double first = change_of(out, s, 0, k)->value;
        s->log[k] = s->log[k] && d->value * first > 0 &&
                    fabs(d->value) > DARC_DRIFT_CLEAR * d->sd;
        s->ignored[k] = fmax(s->ignored[k], d->ignored);
    }
    for (int i = 0; i < s->n; i++) {
        const darc_drift_change *d = change_of(out, s, i, k);
        double scale = s->log[k] ? d->value : f[s->which[k]].size;
        s->scale[i * s->p + k] = scale;
        s->x[i * s->p + k] = s->log[k] ? log(fabs(d->value)) : d->value / scale;
        s->sd[i * s->p + k] = d->sd / fabs(scale);
    }
}

static void open_sequence(sequence *s, const darc_drift *out,
                          const darc_drift_comparison *c,
                          const darc_followed *f)
{
    size_t n = (size_t)out->recordings, p = (size_t)out->functions + 1;
    *s = (sequence){.c = c, .error_dof = HUGE_VAL};
    s->recording = darc_calloc(n, sizeof *s->recording);
    s->time = darc_calloc(n, sizeof *s->time);
    s->which = darc_calloc(p, sizeof *s->which);
    choose(s, out);
    s->x = darc_calloc(n * p, sizeof *s->x);
    s->sd = darc_calloc(n * p, sizeof *s->sd);
    s->scale = darc_calloc(n * p, sizeof *s->scale);
    s->log = darc_calloc(p, sizeof *s->log);
    s->ignored = darc_calloc(p, sizeof *s->ignored);
    for (int k = 0; k < s->p; k++)
        set_values(s, out, f, k);
}

static void close_sequence(sequence *s)
{
    darc_free(s->recording);
    darc_free(s->time);
    darc_free(s->which);
    darc_free(s->x);
    darc_free(s->sd);
    darc_free(s->scale);
    darc_free(s->log);
    darc_free(s->ignored);
}

/* ---- when ------------------------------------------------------------------
 */

/* Set info (p x p) and score to what recording i says, relations of its
 * coefficients not imposed: they would leave it a range of its own. */
static void tell(double *info, double *score, const sequence *s,
                 const darc_followed *f, int i)
{
    const darc_estimates *e = s->c->fit[s->recording[i]];
    const double *cov = e->bare != NULL ? e->bare_cov : e->cov;
    const double *value = e->bare != NULL ? e->bare : e->c;
    const double *scale = s->scale + i * s->p;
    int p = s->p;
    double *v = darc_calloc((size_t)(p * p), sizeof *v);
    double *root = darc_calloc((size_t)(p * p), sizeof *root);
    for (int k = 0; k < p; k++)
        for (int l = 0; l < p; l++)
            v[k * p + l] =
                cov[f[s->which[k]].j * e->coeffs + f[s->which[l]].j] /
                (scale[k] * scale[l]);
    int rank = darc_whiten(root, v, p);
    for (int r = 0; r < rank; r++)
        for (int k = 0; k < p; k++)
            for (int l = 0; l < p; l++)
                info[k * p + l] += root[r * p + k] * root[r * p + l];
    for (int k = 0; k < p; k++)
        for (int l = 0; l < p; l++) {
            double off = value[f[s->which[l]].j] - e->c[f[s->which[l]].j];
            double x = s->x[i * p + l] - s->x[l] + off / scale[l];
            score[k] += info[k * p + l] * x;
        }
    darc_free(v);
    darc_free(root);
}

static void find_course(darc_course *course, const sequence *s,
                        const darc_followed *f)
{
    size_t n = (size_t)s->n, p = (size_t)s->p;
    double *info = darc_calloc(n * p * p + 1, sizeof *info);
    double *score = darc_calloc(n * p + 1, sizeof *score);
    for (int i = 0; i < s->n; i++)
        tell(info + (size_t)i * p * p, score + (size_t)i * p, s, f, i);
    darc_course_data data = {.n = s->n,
                             .p = s->p,
                             .time = s->time,
                             .info = info,
                             .score = score,
                             .error_dof = s->error_dof,
                             .alpha = s->c->x->by->alpha,
                             .lines = true};
    darc_course_find(course, &data);
    darc_free(info);
    darc_free(score);
}

/* ---- by how much -----------------------------------------------------------
 */

/* A stretch of one function: weight, and weighted means of time and value. */
typedef struct {
    double weight, time, x;
} mean;

static mean mean_of(const sequence *s, int k, int begin, int end)
{
    mean m = {0, 0, 0};
    for (int i = begin; i < end; i++) {
        double sd = s->sd[i * s->p + k], w = 1 / (sd * sd);
        m.weight += w;
        m.time += w * s->time[i];
        m.x += w * s->x[i * s->p + k];
    }
    m.time /= m.weight;
    m.x /= m.weight;
    return m;
}

static int begin_of(const darc_course *c, int stretch)
{
    return stretch > 0 ? c->at[stretch - 1] : 0;
}

static mean mean_of_stretch(const sequence *s, const darc_course *c, int k,
                            int stretch)
{
    int end = stretch < c->steps ? c->at[stretch] : s->n;
    return mean_of(s, k, begin_of(c, stretch), end);
}

/* A change and its standard deviation. */
typedef struct {
    double x, sd;
} size;

/* The slope of function k, the same in all stretches. */
static size slope_of(const sequence *s, const darc_course *c, int k)
{
    double tt = 0, tx = 0;
    for (int stretch = 0; stretch <= c->steps && c->line; stretch++) {
        mean m = mean_of_stretch(s, c, k, stretch);
        int end = stretch < c->steps ? c->at[stretch] : s->n;
        for (int i = begin_of(c, stretch); i < end; i++) {
            double sd = s->sd[i * s->p + k], t = s->time[i] - m.time;
            tt += t * t / (sd * sd);
            tx += t * (s->x[i * s->p + k] - m.x) / (sd * sd);
        }
    }
    return tt > 0 ? (size){tx / tt, 1 / sqrt(tt)} : (size){0, 0};
}

/* The step between two stretches. */
static size step_of(const sequence *s, const darc_course *c, int k, int step)
{
    mean a = mean_of_stretch(s, c, k, step);
    mean b = mean_of_stretch(s, c, k, step + 1);
    size slope = slope_of(s, c, k);
    double t = b.time - a.time;
    return (size){b.x - a.x - slope.x * t, sqrt(1 / a.weight + 1 / b.weight +
                                                t * t * slope.sd * slope.sd)};
}

/* The p-value of what exceeds that which does not count. */
static double p_of(const sequence *s, int k, size d, double times)
{
    double beyond = fmax(0, fabs(d.x) * times - s->ignored[k]);
    return beyond > 0
               ? 2 * darc_stats_error_sf(beyond / (d.sd * times), s->error_dof)
               : 1;
}

/* The surest function of a step (-1: of the line), and its p-value. */
static int surest(const sequence *s, const darc_course *c, int step, double *p)
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
static bool counts(const sequence *s, double p)
{
    bool any = false;
    for (int k = 0; k < s->p; k++)
        any = any || s->ignored[k] > 0;
    return !any || p * s->p < s->c->x->by->alpha;
}

/* Take out steps and a line of which no function moved enough, the least sure
 * ones first. */
static void take_out(darc_course *c, const sequence *s)
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
        for (int step = worst; worst >= 0 && step + 1 < c->steps; step++)
            c->at[step] = c->at[step + 1];
        c->steps -= worst >= 0;
    }
    double p = 1;
    if (c->line)
        surest(s, c, -1, &p);
    c->line = c->line && counts(s, p);
}

/* Changes of logarithms become shares of what was before. */
static size share_of(const sequence *s, int k, size d)
{
    return s->log[k] ? (size){expm1(d.x), exp(d.x) * d.sd} : d;
}

/* List function k where it moved. */
static void list(darc_drift *out, const sequence *s, const darc_course *c,
                 int k)
{
    double p, alpha = s->c->x->by->alpha / s->p;
    int j = s->which[k];
    size d = share_of(s, k, slope_of(s, c, k));
    double range = s->time[s->n - 1] - s->time[0];
    if (c->line && (surest(s, c, -1, &p) == k ||
                    p_of(s, k, slope_of(s, c, k), range) < alpha))
        out->trend[out->trends++] =
            (darc_drift_trend){j, d.x, d.sd, out->reference};
    for (int step = 0; step < c->steps; step++) {
        size raw = step_of(s, c, k, step);
        if (surest(s, c, step, &p) != k && !(p_of(s, k, raw, 1) < alpha))
            continue;
        d = share_of(s, k, raw);
        out->point[out->points++] =
            (darc_drift_point){j, s->recording[c->at[step]], d.x, d.sd};
    }
}

/* Return whether one of the recordings is said to differ. */
static bool differ(const darc_drift *out, const sequence *s)
{
    bool any = false;
    for (int i = 0; i < s->n; i++)
        any =
            any || out->recording[s->recording[i]].verdict == DARC_INCONSISTENT;
    return any;
}

void darc_drift_date(darc_drift *out, const darc_drift_comparison *c,
                     const darc_followed *f)
{
    size_t functions = (size_t)out->functions + 1;
    sequence s;
    darc_course course;
    out->trend = darc_calloc(functions, sizeof *out->trend);
    out->point =
        darc_calloc((size_t)out->recordings * functions, sizeof *out->point);
    open_sequence(&s, out, c, f);
    find_course(&course, &s, f);
    take_out(&course, &s);
    if (s.n == 2 && !differ(out, &s)) /* of a pair its verdict counts */
        course.steps = 0;
    for (int k = 0; k < s.p && s.n > 1; k++)
        list(out, &s, &course, k);
    darc_course_clear(&course);
    close_sequence(&s);
}
