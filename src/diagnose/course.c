#include "diagnose/course.h"

#include "base/mem.h"
#include "diagnose/thresholds.h"
#include "fit/sandwich.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* Sums over values 0 .. i - 1 stand at i. */
typedef struct {
    const darc_course_data *d;
    double middle;       /* of the times */
    double *info, *turn; /* sums of info, of (t - middle) info; owned */
    double *score;       /* of the scores; owned */
    double *bend;        /* sum of all (t - middle)^2 info; owned */
    double *turned;      /* sum of all (t - middle) score; owned */
    double *slope;       /* that is taken off: 0, or of a line; owned */
    int *index;          /* 0 .. p - 1; owned */
    double *room;        /* p x (p + 1); owned */
    double *a, *b;       /* sums over one stretch; owned */
} sums;

static void init_sums(sums *s, const darc_course_data *d)
{
    size_t n = (size_t)d->n, p = (size_t)d->p;
    *s = (sums){.d = d, .middle = (d->time[0] + d->time[n - 1]) / 2};
    s->info = darc_calloc((n + 1) * p * p, sizeof *s->info);
    s->turn = darc_calloc((n + 1) * p * p, sizeof *s->turn);
    s->score = darc_calloc((n + 1) * p, sizeof *s->score);
    s->bend = darc_calloc(p * p, sizeof *s->bend);
    s->turned = darc_calloc(p, sizeof *s->turned);
    s->slope = darc_calloc(p, sizeof *s->slope);
    s->index = darc_calloc(p, sizeof *s->index);
    s->room = darc_calloc(p * (p + 1), sizeof *s->room);
    s->a = darc_calloc(p * p, sizeof *s->a);
    s->b = darc_calloc(p * p, sizeof *s->b);
    for (int j = 0; j < d->p; j++)
        s->index[j] = j;
}

static void clear_sums(sums *s)
{
    darc_free(s->info);
    darc_free(s->turn);
    darc_free(s->score);
    darc_free(s->bend);
    darc_free(s->turned);
    darc_free(s->slope);
    darc_free(s->index);
    darc_free(s->room);
    darc_free(s->a);
    darc_free(s->b);
}

/* Add up all values. */
static void add_up(sums *s)
{
    const darc_course_data *d = s->d;
    size_t p = (size_t)d->p, pp = p * p;
    memset(s->bend, 0, pp * sizeof *s->bend);
    memset(s->turned, 0, p * sizeof *s->turned);
    for (size_t i = 0; i < (size_t)d->n; i++) {
        double t = d->time[i] - s->middle;
        for (size_t k = 0; k < pp; k++) {
            double x = d->info[i * pp + k];
            s->info[(i + 1) * pp + k] = s->info[i * pp + k] + x;
            s->turn[(i + 1) * pp + k] = s->turn[i * pp + k] + t * x;
            s->bend[k] += t * t * x;
        }
        for (size_t j = 0; j < p; j++) {
            double x = d->score[i * p + j];
            s->score[(i + 1) * p + j] = s->score[i * p + j] + x;
            s->turned[j] += t * x;
        }
    }
}

/* Set s->a, s->b to the sums of info and its turn over begin .. end - 1, and
 * the first column of s->room to the score less what the slope makes of it. */
static void take_stretch(sums *s, int begin, int end)
{
    size_t p = (size_t)s->d->p, pp = p * p, x = (size_t)begin, y = (size_t)end;
    for (size_t k = 0; k < pp; k++) {
        s->a[k] = s->info[y * pp + k] - s->info[x * pp + k];
        s->b[k] = s->turn[y * pp + k] - s->turn[x * pp + k];
    }
    for (size_t j = 0; j < p; j++) {
        s->room[j] = s->score[y * p + j] - s->score[x * p + j];
        for (size_t k = 0; k < p; k++)
            s->room[j] -= s->b[j * p + k] * s->slope[k];
    }
}

/* Return what one level of begin .. end - 1 adds to 2 log L: r' A^-1 r; 0 where
 * a direction of it is not seen there. */
static double gain_of(sums *s, int begin, int end)
{
    int p = s->d->p;
    double *r = s->room, *x = s->room + p, gain = 0;
    take_stretch(s, begin, end);
    memcpy(x, r, (size_t)p * sizeof *x);
    if (!darc_solve_part(s->a, p, s->index, p, x, 1))
        return 0;
    for (int j = 0; j < p; j++)
        gain += r[j] * x[j];
    return fmax(0, gain);
}

/* ---- steps -----------------------------------------------------------------
 */

static void move_steps(sums *s, darc_course *c, int reach)
{
    for (int k = 0; k < c->steps && reach > 1; k++) {
        int left = k > 0 ? c->at[k - 1] : 0;
        int right = k + 1 < c->steps ? c->at[k + 1] : s->d->n;
        int from = c->at[k] - reach, to = c->at[k] + reach;
        double most = -1;
        for (int i = from > left ? from : left + 1; i < to && i < right; i++) {
            double gain = gain_of(s, left, i) + gain_of(s, i, right);
            if (!(gain > most))
                continue;
            most = gain;
            c->at[k] = i;
        }
    }
}

/* Take out the step that gains least, if that is less than the price. */
static bool drop_step(sums *s, darc_course *c, double price)
{
    int least = -1;
    for (int k = 0; k < c->steps; k++) {
        int left = k > 0 ? c->at[k - 1] : 0;
        int right = k + 1 < c->steps ? c->at[k + 1] : s->d->n;
        double gain = gain_of(s, left, c->at[k]) + gain_of(s, c->at[k], right) -
                      gain_of(s, left, right);
        if (!(gain < price))
            continue;
        price = gain;
        least = k;
    }
    for (int k = least; least >= 0 && k + 1 < c->steps; k++)
        c->at[k] = c->at[k + 1];
    c->steps -= least >= 0;
    return least >= 0;
}

/* Set the steps of c to the best ones, each at that price. */
static void place_steps(sums *s, darc_course *c, double price)
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
            double gain = best[b] + gain_of(s, b * width, end) - price;
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
    darc_free(best);
    darc_free(from);
}

/* Return what the steps of c make of 2 log L, their price paid. */
static double value_of_steps(sums *s, const darc_course *c, double price)
{
    double gain = -price * c->steps;
    for (int k = 0; k <= c->steps; k++)
        gain += gain_of(s, k > 0 ? c->at[k - 1] : 0,
                        k < c->steps ? c->at[k] : s->d->n);
    return gain;
}

/* ---- lines -----------------------------------------------------------------
 */

/* Take from the sums of a line, (c, r), what the level of a stretch takes up:
 * B' A^-1 B and B' A^-1 a. */
static void take_level(sums *s, int begin, int end, double *c, double *r)
{
    int p = s->d->p;
    take_stretch(s, begin, end);
    double *x = darc_calloc((size_t)(p * (p + 1)), sizeof *x);
    memcpy(x, s->room, (size_t)p * sizeof *x);
    memcpy(x + p, s->b, (size_t)(p * p) * sizeof *x);
    if (darc_solve_part(s->a, p, s->index, p, x, p + 1))
        for (int i = 0; i < p; i++)
            for (int k = 0; k < p; k++) {
                r[i] -= s->b[i * p + k] * x[k];
                for (int l = 0; l < p; l++)
                    c[i * p + l] -= s->b[i * p + k] * x[p + l * p + k];
            }
    darc_free(x);
}

/* Set s->slope to the best line with the steps of c; return what it adds to 2
 * log L, 0 where there is none. */
static double find_slope(sums *s, const darc_course *c)
{
    int p = s->d->p;
    double gain = 0;
    double *m = darc_calloc((size_t)(p * p), sizeof *m);
    double *r = darc_calloc((size_t)p, sizeof *r);
    memset(s->slope, 0, (size_t)p * sizeof *s->slope);
    memcpy(m, s->bend, (size_t)(p * p) * sizeof *m);
    memcpy(r, s->turned, (size_t)p * sizeof *r);
    for (int k = 0; k <= c->steps; k++)
        take_level(s, k > 0 ? c->at[k - 1] : 0,
                   k < c->steps ? c->at[k] : s->d->n, m, r);
    double *x = darc_calloc((size_t)p, sizeof *x);
    memcpy(x, r, (size_t)p * sizeof *x);
    if (darc_solve_part(m, p, s->index, p, x, 1)) {
        memcpy(s->slope, x, (size_t)p * sizeof *x);
        for (int j = 0; j < p; j++)
            gain += r[j] * x[j];
    }
    darc_free(m);
    darc_free(r);
    darc_free(x);
    return gain;
}

static void no_slope(sums *s)
{
    memset(s->slope, 0, (size_t)s->d->p * sizeof *s->slope);
}

/* Return what steps and a line make of 2 log L, all prices paid. */
static double value_with_line(sums *s, const darc_course *c, double price,
                              double price_of_line)
{
    double line = find_slope(s, c);
    no_slope(s);
    return value_of_steps(s, c, price) + line - price_of_line;
}

/* Allow every value to be off the line by a share of its range: info becomes
 * info (1 + D info)^-1, D diagonal. */
static void allow_curves(sums *s, double *info, double *score)
{
    const darc_course_data *d = s->d;
    int p = d->p;
    double range = DARC_COURSE_STRAIGHT * (d->time[d->n - 1] - d->time[0]);
    double *g = darc_calloc((size_t)(p * p), sizeof *g);
    double *x = darc_calloc((size_t)(p * (p + 1)), sizeof *x);
    for (int i = 0; i < d->n; i++) {
        const double *a = d->info + i * p * p;
        /* with R = D^1/2: J = A - A R (1 + R A R)^-1 R A */
        for (int j = 0; j < p; j++)
            for (int k = 0; k < p; k++) {
                double rj = range * fabs(s->slope[j]);
                double rk = range * fabs(s->slope[k]);
                g[j * p + k] = (j == k) + rj * a[j * p + k] * rk;
                x[p + k * p + j] = rj * a[j * p + k];
                x[j] = rj * d->score[i * p + j];
            }
        bool solved = darc_solve_part(g, p, s->index, p, x, p + 1);
        for (int j = 0; j < p && solved; j++)
            for (int l = 0; l < p; l++) {
                double ar = a[j * p + l] * range * fabs(s->slope[l]);
                score[i * p + j] -= ar * x[l];
                for (int k = 0; k < p; k++)
                    info[i * p * p + j * p + k] -= ar * x[p + k * p + l];
            }
    }
    darc_free(g);
    darc_free(x);
}

/* Set c to a line, and to the steps beside it. */
static void place_line(sums *s, darc_course *c, double price)
{
    int *before = darc_calloc((size_t)s->d->n, sizeof *before);
    c->line = true;
    c->steps = 0;
    for (int round = 0; round < DARC_COURSE_ROUNDS; round++) {
        int count = c->steps;
        memcpy(before, c->at, (size_t)count * sizeof *before);
        find_slope(s, c);
        place_steps(s, c, price);
        if (c->steps == count &&
            memcmp(before, c->at, (size_t)count * sizeof *before) == 0)
            break;
    }
    no_slope(s);
    darc_free(before);
}

/* Put a line in the place of the steps of c where it tells the course better.
 */
static void try_line(darc_course *c, const darc_course_data *data, double price)
{
    size_t n = (size_t)data->n, p = (size_t)data->p;
    double price_of_line =
        darc_stats_squares_isf(data->alpha / 2, data->p, data->error_dof);
    double *info = darc_calloc(n * p * p, sizeof *info);
    double *score = darc_calloc(n * p, sizeof *score);
    darc_course line = {.at = darc_calloc(n, sizeof *line.at)};
    darc_course_data curved = *data;
    sums s;
    memcpy(info, data->info, n * p * p * sizeof *info);
    memcpy(score, data->score, n * p * sizeof *score);
    init_sums(&s, data);
    add_up(&s);
    if (find_slope(&s, &line) > price_of_line) {
        allow_curves(&s, info, score);
        curved.info = info;
        curved.score = score;
        s.d = &curved;
        add_up(&s);
        place_line(&s, &line, price);
    }
    if (line.line && value_with_line(&s, &line, price, price_of_line) >
                         value_of_steps(&s, c, price)) {
        darc_course_clear(c);
        *c = line;
        line.at = NULL;
    }
    clear_sums(&s);
    darc_free(line.at);
    darc_free(info);
    darc_free(score);
}

void darc_course_find(darc_course *c, const darc_course_data *data)
{
    sums s;
    bool lines = data->lines && data->n >= DARC_COURSE_LINE;
    double share = data->alpha / (lines ? 2 : 1);
    *c = (darc_course){.at = darc_calloc((size_t)data->n + 1, sizeof *c->at)};
    if (data->n < 2 || data->p < 1)
        return;
    double price =
        darc_stats_squares_isf(share / (data->n - 1), data->p, data->error_dof);
    init_sums(&s, data);
    add_up(&s);
    place_steps(&s, c, price);
    c->gain = value_of_steps(&s, c, 0);
    clear_sums(&s);
    if (lines)
        try_line(c, data, price);
}

void darc_course_clear(darc_course *c)
{
    darc_free(c->at);
    *c = (darc_course){0};
}
