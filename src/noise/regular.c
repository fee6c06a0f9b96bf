#include "noise/regular.h"

#include "base/mem.h"
#include "data/table.h"
#include "stats/uneven.h"

#include <math.h>
#include <string.h>

/* Steps of a hole from which on what stands on its sides is apart: places there
 * would be made up. */
enum { PASSES = 3, HALF = 3, HOLE = 1000 };

/* Derivatives, from three samples on either side. */
static const double slope_of[HALF] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
static const double bend_of[HALF] = {270.0 / 180, -27.0 / 180, 2.0 / 180};

/* A segment on its way to uniform times. */
typedef struct {
    size_t n;    /* places */
    double *x;   /* values */
    double *y;   /* of the sample next to it; NAN: there is none near */
    double *off; /* how far behind the place that is, steps */
} course;

static bool is_sample_there(const unsigned char *absent, size_t t)
{
    return absent == NULL || absent[t] == 0;
}

/* Steps between samples of all segments: the sum of times over that of rounded
 * steps. */
static double find_step(const darc_table *table, int signal)
{
    const unsigned char *absent = darc_table_absent(table, signal);
    double usual = darc_table_spacing(table, signal), sum = 0, steps = 0;
    for (int i = 0; i < table->segments && usual > 0; i++) {
        size_t last = table->segment[i].end;
        for (size_t t = table->segment[i].begin; t < table->segment[i].end;
             t++) {
            if (!is_sample_there(absent, t))
                continue;
            if (last < t) {
                double gap =
                    darc_table_time(table, t) - darc_table_time(table, last);
                sum += gap;
                steps += round(gap / usual);
            }
            last = t;
        }
    }
    return steps > 0 ? sum / steps : usual;
}

/* Give every place of segment g the sample that is nearest; append them to
 * raw, and to l. */
static void place_samples(course *c, darc_regular *r, const darc_table *table,
                          int signal, darc_segment g, darc_uneven *l)
{
    const double *value = table->signal[signal].value;
    const unsigned char *absent = darc_table_absent(table, signal);
    double t0 = darc_table_time(table, g.begin);
    for (size_t k = 0; k < c->n; k++)
        c->y[k] = NAN;
    for (size_t t = g.begin; t < g.end; t++) {
        if (!is_sample_there(absent, t))
            continue;
        double at = (darc_table_time(table, t) - t0) / r->table.dt;
        size_t k = (size_t)fmax(0, floor(at + 0.5));
        double off = at - (double)k;
        l->x[l->n] = at;
        l->value[l->n++] = value[t];
        r->measured.value[r->raw.samples++] = value[t];
        if (k < c->n && (isnan(c->y[k]) || fabs(off) < fabs(c->off[k]))) {
            c->y[k] = value[t];
            c->off[k] = off;
        }
    }
}

/* Begin with what the samples say between them; return what that makes of the
 * variance of white noise at places that have none. */
static double start_course(course *c, const darc_uneven *l)
{
    double noise = 0;
    if (l->n < 2)
        c->x[0] = l->value[0];
    for (size_t k = 0; k < c->n && l->n > 1; k++) {
        const double *w = l->weight + l->at[k], *y = l->value + l->from[k];
        c->x[k] = 0;
        for (int i = 0; i < l->count[k]; i++) {
            c->x[k] += w[i] * y[i];
            noise += isnan(c->y[k]) ? w[i] * w[i] : 0;
        }
    }
    return noise;
}

/* Move all values once more. */
static void move(course *c, double *next)
{
    memcpy(next, c->x, c->n * sizeof *next);
    for (size_t k = HALF; k + HALF < c->n; k++) {
        double slope = 0, bend = -490.0 / 180 * c->x[k];
        for (size_t i = 0; i < HALF; i++) {
            double a = c->x[k - 1 - i], b = c->x[k + 1 + i];
            slope += slope_of[i] * (b - a);
            bend += bend_of[i] * (a + b);
        }
        double off = c->off[k];
        if (!isnan(c->y[k]))
            next[k] = c->y[k] - off * slope - off * off * bend / 2;
    }
    memcpy(c->x, next, c->n * sizeof *next);
}

/* What moving does to the variance of white noise: moved values take off *
 * slope besides. */
static double noise_of(const course *c)
{
    double moved = 0, sum = 0;
    for (int i = 0; i < HALF; i++)
        moved += 2 * slope_of[i] * slope_of[i];
    for (size_t k = 0; k < c->n; k++)
        sum += isnan(c->y[k]) ? 0 : 1 + moved * c->off[k] * c->off[k];
    return sum;
}

static void add_course(darc_regular *r, const darc_table *table, int signal,
                       darc_segment g, double *gain)
{
    const unsigned char *absent = darc_table_absent(table, signal);
    while (g.begin < g.end && !is_sample_there(absent, g.begin))
        g.begin++;
    while (g.end > g.begin && !is_sample_there(absent, g.end - 1))
        g.end--;
    if (g.begin == g.end || !(r->table.dt > 0))
        return;
    double length =
        darc_table_time(table, g.end - 1) - darc_table_time(table, g.begin);
    size_t n = (size_t)floor(length / r->table.dt + 0.5) + 1;
    double *room = darc_calloc(3 * n, sizeof *room);
    r->signal.value =
        darc_realloc(r->signal.value, r->table.samples + n + 1, sizeof(double));
    course c = {n, r->signal.value + r->table.samples, room, room + n};
    darc_uneven l = {.n = 0};
    darc_uneven_init(&l, g.end - g.begin, n);
    place_samples(&c, r, table, signal, g, &l);
    if (l.n > 1)
        darc_uneven_find(&l, (int)n, (double)(n - 1) / (l.n - 1), 0);
    *gain += start_course(&c, &l);
    darc_uneven_clear(&l);
    for (int p = 0; p < PASSES; p++)
        move(&c, room + 2 * n);
    *gain += noise_of(&c);
    darc_table_add_segment(&r->table, r->table.samples, r->table.samples + n);
    r->table.samples += n;
    c.x[n] = NAN; /* segments stay apart */
    r->table.samples++;
    darc_free(room);
}

/* The same, holes that are too long left out. */
static void add_courses(darc_regular *r, const darc_table *table, int signal,
                        darc_segment g, double *gain)
{
    const unsigned char *absent = darc_table_absent(table, signal);
    size_t last = g.begin;
    for (size_t t = g.begin; t < g.end; t++) {
        if (!is_sample_there(absent, t))
            continue;
        darc_segment part = g;
        if (darc_table_time(table, t) - darc_table_time(table, last) >
            HOLE * r->table.dt) {
            part.end = last + 1;
            g.begin = t;
            add_course(r, table, signal, part, gain);
        }
        last = t;
    }
    add_course(r, table, signal, g, gain);
}

void darc_regular_init(darc_regular *r, const darc_table *table, int signal)
{
    double gain = 0, places = 0;
    *r = (darc_regular){.table = {.file = table->file, .signals = 1}};
    r->table.dt = find_step(table, signal);
    r->measured.value = darc_malloc(table->samples * sizeof(double));
    for (int i = 0; i < table->segments; i++)
        add_courses(r, table, signal, table->segment[i], &gain);
    for (int i = 0; i < r->table.segments; i++)
        places += (double)(r->table.segment[i].end - r->table.segment[i].begin);
    r->gain = gain / fmax(1, places);
    r->signal.name = table->signal[signal].name;
    r->table.signal = &r->signal;
    r->raw.signals = 1;
    r->raw.signal = &r->measured;
    darc_table_add_segment(&r->raw, 0, r->raw.samples);
}

void darc_regular_clear(darc_regular *r)
{
    DARC_FREE(r->signal.value, r->table.segment, r->raw.segment,
              r->measured.value);
    *r = (darc_regular){0};
}
