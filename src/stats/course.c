#include "stats/course_sums.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void move_steps(darc_course_sums *s, darc_course *c, int reach)
{
    for (int k = 0; k < c->steps && reach > 1; k++) {
        int left = k > 0 ? c->at[k - 1] : 0;
        int right = k + 1 < c->steps ? c->at[k + 1] : s->d->n;
        int from = c->at[k] - reach, to = c->at[k] + reach;
        double most = -1;
        for (int i = from > left ? from : left + 1; i < to && i < right; i++) {
            double gain = darc_course_sums_gain(s, left, i) +
                          darc_course_sums_gain(s, i, right);
            if (!(gain > most))
                continue;
            most = gain;
            c->at[k] = i;
        }
    }
}

/* Take out the step that gains least, if that is less than the price. */
static bool drop_step(darc_course_sums *s, darc_course *c, double price)
{
    int least = -1;
    for (int k = 0; k < c->steps; k++) {
        int left = k > 0 ? c->at[k - 1] : 0;
        int right = k + 1 < c->steps ? c->at[k + 1] : s->d->n;
        double gain = darc_course_sums_gain(s, left, c->at[k]) +
                      darc_course_sums_gain(s, c->at[k], right) -
                      darc_course_sums_gain(s, left, right);
        if (!(gain < price))
            continue;
        price = gain;
        least = k;
    }
    if (least >= 0)
        darc_course_drop(c, least);
    return least >= 0;
}

/* Set the steps of c to the best ones, each at that price. */
static void place_steps(darc_course_sums *s, darc_course *c, double price)
{
    int n = s->d->n, width = 1 + (n - 1) / DARC_COURSE_PLACES;
    int places = (n + width - 1) / width;
    double *best = darc_calloc((size_t)places + 1, sizeof *best);
    int *from = darc_calloc((size_t)places + 1, sizeof *from);
    best[0] = price; /* the first stretch costs nothing */
    for (int e = 1; e <= places; e++) {
        int end = e * width < n ? e * width : n;
        best[e] = -HUGE_VAL;
        for (int b = 0; b < e; b++) {
            double gain =
                best[b] + darc_course_sums_gain(s, b * width, end) - price;
            if (!(gain > best[e]))
                continue;
            best[e] = gain;
            from[e] = b;
        }
    }
    c->steps = 0;
    for (int e = from[places]; e > 0; e = from[e])
        c->steps++;
    for (int e = from[places], k = c->steps; e > 0; e = from[e])
        c->at[--k] = e * width;
    do /* a step within a group takes two between groups */
        move_steps(s, c, width);
    while (width > 1 && drop_step(s, c, price));
    DARC_FREE(best, from);
}

/* Return what steps and slopes make of 2 log L, the price of steps paid. */
static double value_of_course(darc_course_sums *s, const darc_course *c,
                              double price)
{
    double gain = darc_course_sums_find_slopes(s, c) - price * c->steps;
    darc_course_sums_no_slopes(s);
    for (int k = 0; k <= c->steps; k++)
        gain += darc_course_sums_gain(s, darc_course_bound(c, k, s->d->n),
                                      darc_course_bound(c, k + 1, s->d->n));
    return gain;
}

/* Find slopes, and the steps beside them, in turn. */
static void alternate(darc_course_sums *s, darc_course *c, double price)
{
    int *before = darc_calloc((size_t)s->d->n, sizeof *before);
    for (int round = 0; round < DARC_COURSE_ROUNDS; round++) {
        int count = c->steps;
        memcpy(before, c->at, (size_t)count * sizeof *before);
        darc_course_sums_find_slopes(s, c);
        place_steps(s, c, price);
        if (c->steps == count &&
            memcmp(before, c->at, (size_t)count * sizeof *before) == 0)
            break;
    }
    darc_course_sums_no_slopes(s);
    darc_free(before);
}

/* The sums of slopes beside some steps, and room for those beside others. */
typedef struct {
    double *m, *r, *own, *rest;
    double gain; /* of the slopes */
} beside;

static void open_beside(beside *x, darc_course_sums *s, const darc_course *c)
{
    int n = s->used * s->d->p;
    DARC_CARVE({&x->m, n * n + 1}, {&x->r, n + 1}, {&x->own, n * n + 1},
               {&x->rest, n + 1});
    darc_course_sums_slopes(s, c, x->m, x->r);
    x->gain = darc_course_sums_slopes_gain(s, x->m, x->r, NULL);
}

/* Return what a step at `at` in the stretch begin .. end - 1 makes of 2 log L,
 * slopes found anew; with sign -1 what taking it out makes of it. */
static double gain_of_step(darc_course_sums *s, beside *x, int begin, int at,
                           int end, int sign)
{
    size_t n = (size_t)(s->used * s->d->p);
    memcpy(x->own, x->m, n * n * sizeof *x->own);
    memcpy(x->rest, x->r, n * sizeof *x->rest);
    darc_course_sums_take_level(s, begin, end, x->own, x->rest, -sign);
    darc_course_sums_take_level(s, begin, at, x->own, x->rest, sign);
    darc_course_sums_take_level(s, at, end, x->own, x->rest, sign);
    return sign * (darc_course_sums_gain(s, begin, at) +
                   darc_course_sums_gain(s, at, end) -
                   darc_course_sums_gain(s, begin, end)) +
           darc_course_sums_slopes_gain(s, x->own, x->rest, NULL) - x->gain;
}

/* Add the step that gains most, if more than the price.  Of many places some
 * are tried, then those around the best. */
static bool add_step(darc_course_sums *s, darc_course *c, double price)
{
    beside x;
    int n = s->d->n, place = -1, width = 1 + (n - 1) / DARC_COURSE_PLACES;
    double most = 0;
    open_beside(&x, s, c);
    for (int step = width, near = -1; step > 0; near = place) {
        for (int k = 0; k <= c->steps; k++) {
            int begin = darc_course_bound(c, k, n), i = begin + step;
            int end = darc_course_bound(c, k + 1, n);
            for (; i < end; i += step) {
                if (near >= 0 && abs(i - near) >= width)
                    continue;
                double gain = gain_of_step(s, &x, begin, i, end, 1);
                if (!(gain > most))
                    continue;
                most = gain;
                place = i;
            }
        }
        step = step > 1 && place >= 0 ? 1 : 0;
    }
    int k = c->steps;
    for (; most > price && k > 0 && c->at[k - 1] > place; k--)
        c->at[k] = c->at[k - 1];
    c->at[k] = most > price ? place : c->at[k];
    c->steps += most > price;
    darc_free(x.m);
    return most > price;
}

/* Take out steps that are not worth their price, the least one first. */
static void drop_steps(darc_course_sums *s, darc_course *c, double price)
{
    for (int worst = 0; worst >= 0;) {
        beside x;
        double most = -price;
        worst = -1;
        open_beside(&x, s, c);
        for (int k = 0; k < c->steps; k++) {
            double gain =
                gain_of_step(s, &x, darc_course_bound(c, k, s->d->n), c->at[k],
                             darc_course_bound(c, k + 2, s->d->n), -1);
            if (!(gain >= most))
                continue;
            most = gain;
            worst = k;
        }
        if (worst >= 0)
            darc_course_drop(c, worst);
        darc_free(x.m);
    }
}

/* Set c to the steps beside the slopes.  A covariate that goes with a step
 * would hide it from slopes and steps in turn: steps are tried one by one. */
static void place_course(darc_course_sums *s, darc_course *c, double price)
{
    c->steps = 0;
    if (s->used == 0) {
        place_steps(s, c, price);
        return;
    }
    alternate(s, c, price);
    if (s->d->covariates == 0)
        return;
    drop_steps(s, c, price);
    darc_course one = {.at = darc_calloc((size_t)s->d->n, sizeof *one.at)};
    while (add_step(s, &one, price))
        ;
    if (one.steps > 1)
        drop_steps(s, &one, price);
    if (value_of_course(s, &one, price) > value_of_course(s, c, price)) {
        memcpy(c->at, one.at, (size_t)one.steps * sizeof *one.at);
        c->steps = one.steps;
    }
    darc_course_clear(&one);
}

/* Put a line in the place of the steps of c where it tells the course better.
 */
static void try_line(darc_course *c, darc_course_sums *s, double price)
{
    const darc_course_data *d = s->d;
    double price_of_line =
        darc_stats_squares_isf(d->alpha / 2, d->p, d->error_dof);
    darc_course line = {.at = darc_calloc((size_t)d->n, sizeof *line.at),
                        .line = true};
    darc_curved off = {.info = NULL};
    double without = darc_course_sums_find_slopes(s, &line);
    s->used = s->regressors;
    if (darc_course_sums_find_slopes(s, &line) - without > price_of_line) {
        darc_course_sums_allow_curves(&off, s);
        place_course(s, &line, price);
        double value = value_of_course(s, &line, price) - price_of_line;
        s->used = s->regressors - 1;
        if (value > value_of_course(s, c, price)) {
            darc_course_clear(c);
            *c = line;
            line.at = NULL;
        }
    }
    DARC_FREE(line.at, off.info);
}

void darc_course_find(darc_course *c, const darc_course_data *data)
{
    darc_course_sums s;
    bool lines = data->lines && data->n >= DARC_COURSE_LINE;
    double share = data->alpha / (lines ? 2 : 1);
    *c = (darc_course){.at = darc_calloc((size_t)data->n + 1, sizeof *c->at)};
    if (data->n < 2 || data->p < 1)
        return;
    double price =
        darc_stats_squares_isf(share / (data->n - 1), data->p, data->error_dof);
    darc_course_sums_init(&s, data);
    place_course(&s, c, price);
    if (data->covariates > 0) {
        darc_course_sums_find_slopes(&s, c);
        darc_course_sums_bend(&s);
        place_course(&s, c, price);
    }
    c->gain = value_of_course(&s, c, 0);
    if (lines)
        try_line(c, &s, price);
    darc_course_sums_clear(&s);
}

void darc_course_shifts(const darc_course_data *data, const darc_course *c,
                        darc_course_shift *shift, int shifts)
{
    darc_course_sums s;
    int p = data->p;
    darc_course_sums_init(&s, data);
    s.used += c->line;
    int n = s.used * p, own = (s.regressors - 1) * p; /* not the line */
    double *m, *x, *w;
    DARC_CARVE({&m, n * n + 1}, {&x, n * (n + 1) + 1}, {&w, n + 1});
    darc_course_sums_find_slopes(&s, c);
    darc_course_sums_bend(&s);
    for (int t = 0; t < shifts; t++) {
        darc_course_shift *to = shift + t;
        s.skip[0] = to->of;
        s.skip[1] = to->from;
        memset(x, 0, (size_t)(n * (n + 1)) * sizeof *x);
        darc_course_sums_slopes(&s, c, m, x);
        for (int i = 0; i < n; i++) {
            x[n + i * (n + 1)] = 1;
            w[i] = darc_course_sums_regressor(&s, to->of, i / p, i % p) -
                   darc_course_sums_regressor(&s, to->from, i / p, i % p);
        }
        to->seen = darc_course_sums_solve(&s, m, x, n + 1);
        for (int i = 0; i < own && to->seen; i++) {
            to->by[i % p] += w[i] * x[i];
            for (int l = 0; l < own; l++)
                to->cov[i % p * p + l % p] += w[i] * w[l] * x[n + l * n + i];
        }
    }
    darc_free(m);
    darc_course_sums_clear(&s);
}

void darc_course_clear(darc_course *c)
{
    darc_free(c->at);
    *c = (darc_course){0};
}
