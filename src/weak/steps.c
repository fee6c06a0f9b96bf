#include "weak/steps.h"

#include "base/mem.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>

/* One change of one held signal, or of the slope of a mean. */
typedef struct {
    double at, from, to, kink;
    int unknown;
} change;

typedef struct {
    change *list;
    size_t count, room;
} changes;

/* Share of a sample by which two times are one (rounding of sums). */
static const double same = 1e-6;

static bool is_there(const darc_weak_signal *s, size_t t)
{
    const unsigned char *absent = s->base != NULL ? s->base_absent : s->absent;
    const double *x = s->base != NULL ? s->base : s->value;
    return (absent == NULL || absent[t] == 0) && !isnan(x[t]);
}

/* Whether sample t of all signals was lost. */
static bool is_lost(const darc_table *table, size_t t)
{
    bool lost = table->absents > 0;
    for (int i = 0; i < table->absents && lost; i++)
        lost = table->absent[i] != NULL && table->absent[i][t] != 0;
    return lost;
}

/* Return when what is new at sample t began: in the middle of the times at
 * which it may have, where samples before it are lost. */
static double begin_of(const darc_weak_signal *s, const darc_table *table,
                       size_t t)
{
    size_t first = t;
    while (first > 0 && is_lost(table, first - 1))
        first--;
    double at = darc_table_time(table, t);
    if (first == t && t > 0 && s->early != NULL)
        return at - s->early[t] * (at - darc_table_time(table, t - 1));
    return first == t ? at : (darc_table_time(table, first) + at) / 2;
}

static void append(changes *c, change of)
{
    c->list = darc_grow(c->list, c->count, &c->room, sizeof *c->list);
    c->list[c->count++] = of;
}

/* Append the changes of a held signal in one segment; of what is late, those
 * that come to act in it.  A mean bends where one comes into it, and where it
 * goes. */
static void gather(changes *c, const darc_weak_signal *s, int unknown,
                   darc_segment g, const darc_table *table)
{
    const double *x = s->base != NULL ? s->base : s->value;
    bool any = false;
    double last = 0, late = fmax(s->late, s->mean);
    size_t first = g.begin;
    size_t end = g.end;
    while (late > 0 && first > 0 &&
           darc_table_time(table, first) + late >
               darc_table_time(table, g.begin))
        first--;
    while (s->late < 0 && end < table->samples &&
           darc_table_time(table, end) + s->late <
               darc_table_time(table, g.end - 1))
        end++;
    for (size_t t = first; t < end; t++) {
        if (!is_there(s, t))
            continue;
        double at = begin_of(s, table, t), kink = (x[t] - last) / s->mean;
        if (any && x[t] != last && s->mean > 0) {
            append(c, (change){at, 0, 0, kink, unknown});
            append(c, (change){at + s->mean, 0, 0, -kink, unknown});
        } else if (any && x[t] != last) {
            append(c, (change){at + s->late, last, x[t], 0, unknown});
        }
        any = true;
        last = x[t];
    }
}

static int compare(const void *a, const void *b)
{
    const change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->unknown - y->unknown;
}

static darc_steps *open_steps(int unknowns, size_t room)
{
    darc_steps *s = darc_calloc(1, sizeof *s);
    size_t n = (size_t)unknowns + 1;
    s->unknowns = unknowns;
    s->at = darc_calloc(room + 1, sizeof *s->at);
    s->row = darc_calloc(room + 1, sizeof *s->row);
    s->from = darc_calloc(n, sizeof *s->from);
    s->to = darc_calloc(n, sizeof *s->to);
    s->jump = darc_calloc(n, sizeof *s->jump);
    s->kink = darc_calloc(n, sizeof *s->kink);
    s->curve = darc_calloc(n, sizeof *s->curve);
    s->curved = darc_calloc(n, sizeof *s->curved);
    s->slight = darc_calloc(n, sizeof *s->slight);
    s->before = darc_calloc(n, sizeof *s->before);
    return s;
}

darc_steps *darc_steps_none(int unknowns)
{
    return open_steps(unknowns, 0);
}

void darc_steps_free(darc_steps *s)
{
    if (s == NULL)
        return;
    for (int u = 0; u < s->unknowns; u++)
        DARC_FREE(s->from[u], s->to[u], s->jump[u], s->kink[u], s->curve[u]);
    DARC_FREE(s->at, s->row, s->from, s->to, s->jump, s->kink, s->curve,
              s->curved, s->slight, s->before, s);
}

/* Bring the changes into one order: one step where several signals change
 * together.  Between its own changes a signal stays as it is. */
static void merge(darc_steps *s, const changes *c, double dt)
{
    for (size_t i = 0; i < c->count; i++) {
        const change *x = c->list + i;
        size_t k = s->count;
        if (k == 0 || x->at > s->at[k - 1] + same * dt)
            s->at[s->count++] = x->at;
        k = s->count - 1;
        if (s->kink[x->unknown] != NULL) {
            s->kink[x->unknown][k] += x->kink;
            continue;
        }
        s->from[x->unknown][k] = x->from;
        s->to[x->unknown][k] = x->to;
    }
}

/* A step that is no change of signal u leaves it between its neighbours. */
static void carry_on(darc_steps *s, int u)
{
    double last = NAN;
    for (size_t k = 0; k < s->count; k++) {
        if (isnan(s->to[u][k]))
            s->from[u][k] = s->to[u][k] = last;
        last = s->to[u][k];
    }
    for (size_t k = s->count; k-- > 0;) {
        if (isnan(s->to[u][k]))
            s->from[u][k] = s->to[u][k] = last;
        last = s->from[u][k];
    }
}

/* Find the rows; steps that lie on one are at its very time.  What lies behind
 * all rows goes. */
static void find_rows(darc_steps *s, const darc_table *table)
{
    double dt = darc_table_step(table);
    size_t row = 0;
    for (size_t k = 0; k < s->count; k++) {
        while (row < table->samples &&
               darc_table_time(table, row) < s->at[k] - same * dt)
            row++;
        if (row == table->samples) {
            s->count = k;
            return;
        }
        s->row[k] = row;
        double t = darc_table_time(table, row);
        if (fabs(t - s->at[k]) <= same * dt)
            s->at[k] = t;
    }
}

darc_steps *darc_steps_new(const darc_table *table,
                           const darc_weak_signal *signal, int unknowns)
{
    changes c = {NULL, 0, 0};
    bool any = false;
    for (int u = 0; u < unknowns; u++) {
        const darc_weak_signal *s = signal + u;
        bool steps = s->value != NULL && (s->held || s->mean > 0);
        any = any || steps;
        for (int i = 0; steps && i < table->segments; i++)
            gather(&c, s, u, table->segment[i], table);
    }
    if (!any)
        return NULL;
    if (c.list != NULL)
        qsort(c.list, c.count, sizeof *c.list, compare);
    darc_steps *s = open_steps(unknowns, c.count);
    for (int u = 0; u < unknowns; u++) {
        if (signal[u].value != NULL && signal[u].mean > 0) {
            s->curved[u] = true;
            s->jump[u] = darc_calloc(c.count + 1, sizeof(double));
            s->kink[u] = darc_calloc(c.count + 1, sizeof(double));
            s->curve[u] =
                darc_calloc((c.count + 1) * DARC_STEP_CURVES, sizeof(double));
        }
        if (!signal[u].held || signal[u].value == NULL)
            continue;
        s->from[u] = darc_malloc((c.count + 1) * sizeof(double));
        s->to[u] = darc_malloc((c.count + 1) * sizeof(double));
        for (size_t k = 0; k < c.count; k++)
            s->from[u][k] = s->to[u][k] = NAN;
    }
    s->dt = darc_table_step(table);
    merge(s, &c, s->dt);
    for (int u = 0; u < unknowns; u++) {
        if (s->to[u] == NULL)
            continue;
        carry_on(s, u);
        for (size_t k = 0; k < s->count; k++)
            if (isnan(s->to[u][k])) /* it never changes */
                s->from[u][k] = s->to[u][k] =
                    signal[u].value[table->segment[0].begin];
    }
    find_rows(s, table);
    darc_free(c.list);
    return s;
}
