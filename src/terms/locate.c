#include "terms/locate.h"

#include "base/mem.h"
#include "fit/follow.h"
#include "fit/sums.h"
#include "stats/bounded.h"
#include "stats/dense.h"
#include "stats/lanes.h"
#include "terms/events.h"
#include "terms/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a time beforehand, in samples. */
static const double middle = 0.5, information = 12;

/* One step of Gauss and Newton, from the fit of changes at some times. */
typedef struct {
    const darc_question *x;
    const darc_table *table;
    double alpha;
    const darc_signalnoise *known;
    double **early; /* by unknown */
    darc_events events;
    int batches;
    darc_fit fit;
    const darc_gls *gls; /* of it */
    double *c;           /* its coefficients, by which outputs jump */
    bool shown;          /* an output jumps */
    bool *none;          /* of its coefficients */
    size_t rows;
    int columns;             /* changes, and free coefficients */
    double *all, *moved;     /* residual and moments, whitened */
    double *a, *gram, *step; /* of the columns */
    double share;            /* of what is left in the noise that was taken */
    double price;
    double gain;   /* that the last step promised: of twice the logarithm */
    bool hopeless; /* not half of it was gained by the step before */
    bool worse;    /* the step before lost */
    double best;   /* twice the logarithm of the likelihood */
    double *kept, kept_price; /* the times of that, by change */
} locating;

/* List the changes; return whether they can be told. */
static bool list_changes(locating *s, const darc_fit *f)
{
    for (int u = 0; u < f->r.unknowns; u++)
        s->shown = s->shown || darc_follow_jumps(f, u);
    return darc_events_list(&s->events, f, s->table, s->shown);
}

/* Return how early an event comes. */
static double time_of(const locating *s, int k)
{
    const darc_event *c = s->events.list + k;
    return s->early[c->unknown][c->at];
}

static void set_time(locating *s, int k, double to)
{
    darc_event_set(s->early, &s->events, s->events.list + k, to);
}

/* Let changes be where f has them; where it has none, in the middle. */
static void place(locating *s, const darc_fit *f)
{
    for (int u = 0; u < f->r.unknowns; u++)
        if (s->events.with[u] >= 0)
            s->early[u] = darc_calloc(s->table->samples, sizeof **s->early);
    for (int k = 0; k < s->events.count; k++) {
        const darc_event *c = s->events.list + k;
        const double *from = f->r.early[c->unknown];
        set_time(s, k, from != NULL ? from[c->at] : 0.5);
    }
}

/* Let changes of one batch be so far apart that their effects are. */
static void set_batches(locating *s)
{
    long apart = DARC_LOCATE_APART * (long)s->fit.weak->support;
    s->batches = 0;
    for (int i = 0; i < s->events.count; i++) {
        bool free = false;
        for (int b = 0; !free; b++) {
            free = true;
            for (int k = 0; k < i && free; k++)
                free = s->events.list[k].batch != b ||
                       labs((long)s->events.list[i].at -
                            (long)s->events.list[k].at) >= apart;
            s->events.list[i].batch = b;
        }
        if (s->events.list[i].batch >= s->batches)
            s->batches = s->events.list[i].batch + 1;
    }
}

/* Set all to the whitened residual and, s->all, moments at the coefficients of
 * the fit, the times that f->r says, and jumps as s->c makes them. */
static bool residual_at(double *all, locating *s)
{
    darc_fit *f = &s->fit, by = *f;
    darc_weak *weak = NULL;
    darc_steps *steps = f->r.steps;
    darc_weak_data like = {.like = f->weak};
    by.fit.c = s->c;
    f->r.steps = darc_follow_like(&by, &f->r, s->table);
    bool ok = darc_follow_open(&weak, f, s->x, s->table, like, NULL) == DARC_OK;
    if (ok && weak->functions == f->weak->functions) {
        darc_point at = {.weak = weak,
                         .c = s->gls->c,
                         .white = all,
                         .only = all == s->all ? NULL : s->none};
        darc_effort effort = {.every = 1, .draw_every = 1};
        darc_sums sums;
        darc_sums_init(&sums, weak);
        ok = darc_sums_pass(&sums, &at, &effort, s->x->budget, NULL) == DARC_OK;
        darc_sums_clear(&sums);
    }
    darc_weak_free(weak);
    darc_steps_free(f->r.steps);
    f->r.steps = steps;
    return ok;
}

/* Return the sample in the middle of the function of a row. */
static long middle_of(const darc_weak *weak, size_t row)
{
    long k = (long)(row / (size_t)weak->equations);
    int p = 0;
    while (p + 1 < weak->pieces && k >= weak->piece[p].functions)
        k -= weak->piece[p++].functions;
    return (long)weak->piece[p].begin + weak->margin + weak->support / 2 +
           k * weak->step;
}

/* Return the change of a batch that is nearest to a row. */
static int nearest(const locating *s, int batch, size_t row)
{
    long at = middle_of(s->fit.weak, row), least = 0;
    int best = -1;
    for (int i = 0; i < s->events.count; i++) {
        long way = labs((long)s->events.list[i].at - at);
        if (s->events.list[i].batch == batch && (best < 0 || way < least)) {
            best = i;
            least = way;
        }
    }
    return best;
}

/* Let an event come so much earlier in the fit, which has it at another sample
 * where it lies beyond its own. */
static void shift_event(locating *s, int k, double by)
{
    const darc_event *c = s->events.list + k;
    long at = (long)c->at - (long)floor(time_of(s, k));
    for (int u = 0; u < s->fit.r.unknowns; u++)
        if (darc_event_moves(&s->events, c, u))
            s->fit.r.early[u][at] += by;
}

/* Move the events of a batch by half a sample, towards the middle of what is
 * between two; set way to how far each went. */
static void move(double *way, locating *s, int batch)
{
    for (int k = 0; k < s->events.count; k++) {
        double now = time_of(s, k);
        if (s->events.list[k].batch != batch)
            continue;
        way[k] = now - floor(now) < 0.5 ? 0.5 : -0.5;
        shift_event(s, k, way[k]);
    }
}

static void move_back(const double *way, locating *s, int batch)
{
    for (int k = 0; k < s->events.count; k++)
        if (s->events.list[k].batch == batch)
            shift_event(s, k, -way[k]);
}

/* Add to the column of coefficient j what the jumps of outputs that depend on
 * it make. */
static bool add_jumps(double *column, locating *s, int j)
{
    const double share = 1e-3;
    double step = share * s->c[j];
    if (!s->shown || step == 0)
        return true;
    s->c[j] += step;
    bool ok = residual_at(s->moved, s);
    s->c[j] -= step;
    for (size_t i = 0; i < s->rows && ok; i++)
        column[i] += (s->moved[i] - s->all[i]) / step;
    return ok;
}

/* Set the columns: those of free coefficients, and behind them what a sample
 * earlier makes of the residual, by change. */
static bool move_each(locating *s)
{
    const darc_gls *g = s->gls;
    bool ok = true;
    s->columns = 0;
    for (int j = 0; j < g->coeffs && ok; j++) {
        double *column = s->a + s->rows * (size_t)s->columns;
        if (!g->free[j])
            continue;
        memcpy(column, s->all + s->rows * (size_t)(j + 1),
               s->rows * sizeof *s->a);
        ok = add_jumps(column, s, j);
        s->columns++;
    }
    double *a = s->a + s->rows * (size_t)s->columns;
    memset(a, 0, s->rows * (size_t)s->events.count * sizeof *a);
    double *way = darc_calloc((size_t)s->events.count, sizeof *way);
    for (int b = 0; b < s->batches && ok; b++) {
        move(way, s, b);
        ok = residual_at(s->moved, s);
        move_back(way, s, b);
        for (size_t i = 0; i < s->rows && ok; i++) {
            int k = nearest(s, b, i);
            a[(size_t)k * s->rows + i] = (s->moved[i] - s->all[i]) / way[k];
        }
    }
    s->columns += s->events.count;
    darc_free(way);
    return ok;
}

/* Return twice the sum of the logarithms of the diagonal of the factor of a
 * matrix, from the first so many on. */
static double log_det(const double *l, int n, int from)
{
    double sum = 0;
    for (int j = from; j < n; j++)
        sum += 2 * log(l[j * (n + 1)]);
    return sum;
}

/* Return the mean of the times. */
static double mean_time(const locating *s)
{
    double sum = 0;
    for (int k = 0; k < s->events.count; k++)
        sum += time_of(s, k);
    return sum / s->events.count;
}

/* Set the products of the columns, and what is known before: times have the
 * variance 1/12 of what is between two samples about a mean of their own (a
 * clock that beats with the sampling shows few of them), which has the mean 1/2
 * and that variance. */
static void multiply(locating *s)
{
    int n = s->columns, first = n - s->events.count;
    double all =
        1.0 / s->events.count - 1.0 / s->events.count / s->events.count;
    memset(s->gram, 0, (size_t)(n * n) * sizeof *s->gram);
    darc_columns_gram(s->gram, 1 / s->share, s->a, s->rows, n);
    for (int k = first; k < n; k++)
        for (int l = first; l < n; l++)
            s->gram[k * n + l] += information * ((k == l) - all);
}

/* Set step, which is the gradient, to the step within the bounds of the times.
 * gram becomes its factor. */
static bool solve_bounded(locating *s)
{
    int n = s->columns, first = n - s->events.count;
    double *low = s->moved, *high = low + n, *gradient = high + n;
    memcpy(gradient, s->step, (size_t)n * sizeof *gradient);
    for (int j = 0; j < n; j++) {
        const darc_event *c = j < first ? NULL : s->events.list + j - first;
        double now = c != NULL ? time_of(s, j - first) : 0;
        low[j] = c != NULL ? c->least - now : -HUGE_VAL;
        high[j] = c != NULL ? c->most - now : HUGE_VAL;
    }
    bool ok = darc_bounded_solve(s->step, s->gram, n, low, high);
    s->gain = darc_lanes_dot(gradient, s->step, (size_t)n);
    return ok;
}

/* Take the step.  The price is what the times cost beforehand, and how closely
 * they are known then: the coefficients stand first, so that the rest of the
 * factor is that of the times beside them. */
static bool take_times(locating *s)
{
    int n = s->columns, first = n - s->events.count;
    double about = mean_time(s), off = (about - middle) / s->events.count;
    for (int j = 0; j < n; j++)
        s->step[j] =
            -darc_lanes_dot(s->a + s->rows * (size_t)j, s->all, s->rows) /
            s->share;
    for (int k = 0; k < s->events.count; k++) {
        double now = time_of(s, k);
        s->step[first + k] -= information * (now - about + off);
    }
    if (!solve_bounded(s))
        return false;
    for (int k = 0; k < s->events.count; k++)
        set_time(s, k, time_of(s, k) + s->step[first + k]);
    about = mean_time(s);
    s->price = log_det(s->gram, n, first) - s->events.count * log(information) +
               log(s->events.count) +
               information * (about - middle) * (about - middle);
    for (int k = 0; k < s->events.count; k++) {
        double now = time_of(s, k);
        s->price += information * (now - about) * (now - about);
    }
    return true;
}

/* Add to x, by sign, the covariance of the free coefficients: the first m rows
 * of the inverse of the products of the first n columns. */
static bool add_covariance(double *x, const locating *s, int n, double sign)
{
    int m = s->columns - s->events.count;
    double *g = darc_malloc((size_t)(n * n) * sizeof *g);
    double *b = darc_calloc((size_t)(n * m) + 1, sizeof *b);
    for (int j = 0; j < n; j++)
        memcpy(g + j * n, s->gram + j * s->columns, (size_t)n * sizeof *g);
    for (int j = 0; j < m; j++)
        b[j * (n + 1)] = 1;
    bool ok = darc_dense_solve(g, b, n, m);
    for (int j = 0; j < m && ok; j++)
        for (int i = 0; i < m; i++)
            x[j * m + i] += sign * b[j * n + i];
    DARC_FREE(g, b);
    return ok;
}

/* Return what is added to the covariance of all coefficients; NULL: it is not
 * known. */
static double *added_covariance(const locating *s)
{
    int n = s->gls->coeffs, m = s->columns - s->events.count;
    double *x = darc_calloc((size_t)(m * m) + 1, sizeof *x);
    double *all = NULL;
    if (add_covariance(x, s, s->columns, 1) && add_covariance(x, s, m, -1)) {
        all = darc_calloc((size_t)(n * n), sizeof *all);
        for (int i = 0, k = 0; i < n; k += s->gls->free[i++])
            for (int j = 0, l = 0; j < n; l += s->gls->free[j++])
                if (s->gls->free[i] && s->gls->free[j])
                    all[i * n + j] = x[k * m + l];
    }
    darc_free(x);
    return all;
}

static bool open_step(locating *s)
{
    size_t n = (size_t)s->gls->coeffs + 1, m = (size_t)s->events.count + n;
    s->rows = s->fit.weak->functions * (size_t)s->fit.weak->equations;
    s->share = s->fit.white.q / fmax(1, s->fit.white.dof - s->events.count);
    s->all = darc_malloc(s->rows * n * sizeof *s->all);
    s->moved = darc_malloc((s->rows * n + 3 * m) * sizeof *s->moved);
    s->a = darc_malloc(s->rows * m * sizeof *s->a);
    s->gram = darc_malloc(m * m * sizeof *s->gram);
    s->step = darc_malloc(m * sizeof *s->step);
    s->c = darc_malloc(n * sizeof *s->c);
    s->none = darc_calloc(n, sizeof *s->none);
    memcpy(s->c, s->gls->c, (n - 1) * sizeof *s->c);
    set_batches(s);
    bool ok = residual_at(s->all, s) && move_each(s);
    if (ok)
        multiply(s);
    return ok;
}

static void close_step(locating *s)
{
    DARC_FREE(s->all, s->moved, s->a, s->gram, s->step, s->c, s->none);
}

/* Keep the times that are the likeliest so far, or go back to them. */
static void keep_best(locating *s, const darc_fit *f)
{
    double now = darc_fit_likelier(f, &s->fit);
    s->worse = now < s->best;
    for (int k = 0; k < s->events.count; k++) {
        if (s->worse)
            set_time(s, k, s->kept[k]);
        s->kept[k] = time_of(s, k);
    }
    *(s->worse ? &s->price : &s->kept_price) =
        s->worse ? s->kept_price : s->price;
    s->best = fmax(s->best, now);
}

/* Take one step from a fit with the changes where they are taken to be now. */
static bool improve(locating *s, const darc_fit *f)
{
    darc_question y = *s->x;
    darc_criteria by = *s->x->by;
    by.early = (const double *const *)s->early;
    by.known = s->known;
    by.level = true;
    y.by = &by;
    bool ok =
        darc_fit_question(&s->fit, &y, s->table, s->alpha, NULL) == DARC_OK;
    s->gls = &s->fit.white;
    s->hopeless =
        ok && s->price > 0 && darc_fit_likelier(f, &s->fit) < s->price / 2;
    if (ok)
        keep_best(s, f);
    if (ok && !s->hopeless && !s->worse) {
        ok = open_step(s) && take_times(s);
        close_step(s);
    }
    darc_fit_clear(&s->fit);
    return ok;
}

/* Take steps until they gain nothing. */
static bool settle(locating *s, const darc_fit *f)
{
    bool ok = true;
    s->gain = HUGE_VAL;
    s->best = -HUGE_VAL;
    s->kept = darc_calloc((size_t)s->events.count + 1, sizeof *s->kept);
    for (int i = 0; i < DARC_LOCATE_TURNS && ok && !s->hopeless && !s->worse &&
                    s->gain > DARC_LOCATE_DONE;
         i++)
        ok = improve(s, f);
    darc_free(s->kept);
    return ok;
}

bool darc_locate_changes(double **early, double *price, const darc_fit *f,
                         const darc_question *x, const darc_table *table,
                         double alpha)
{
    locating s = {.x = x,
                  .table = table,
                  .alpha = alpha,
                  .known = f->r.noise,
                  .early = early};
    memset(early, 0, (size_t)f->r.unknowns * sizeof *early);
    bool ok = list_changes(&s, f);
    if (ok)
        place(&s, f);
    ok = ok && settle(&s, f);
    for (int u = 0; u < f->r.unknowns && !ok; u++) {
        darc_free(early[u]);
        early[u] = NULL;
    }
    darc_events_clear(&s.events);
    *price = s.hopeless ? HUGE_VAL : s.price;
    return ok;
}

void darc_locate_spread(darc_fit *f, const darc_question *x,
                        const darc_table *table)
{
    size_t n = (size_t)f->r.unknowns;
    locating s = {.x = x, .table = table, .fit = *f, .gls = &f->fit};
    s.early = darc_calloc(n, sizeof *s.early);
    if (list_changes(&s, f)) {
        place(&s, f);
        f->located = s.events.count;
        f->spread = open_step(&s) ? added_covariance(&s) : NULL;
        close_step(&s);
    }
    for (size_t u = 0; u < n; u++)
        darc_free(s.early[u]);
    darc_free(s.early);
    darc_events_clear(&s.events);
}
