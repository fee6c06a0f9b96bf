#include "trajectory/record.h"

#include "base/mem.h"
#include "simulate/plant.h"
#include "trajectory/thresholds.h"

#include <math.h>
#include <string.h>

/* Return the column of unknown u, -1: none. */
static int table_column(const darc_flow *w, const darc_table *t, int u)
{
    return darc_table_find(t, w->names->symbol[u].name);
}

static double sample_of(const darc_table *t, int column, size_t i)
{
    const unsigned char *absent =
        column < 0 ? NULL : darc_table_absent(t, column);
    return column < 0 || (absent != NULL && absent[i] != 0)
               ? NAN
               : t->signal[column].value[i];
}

static darc_status take_outputs(darc_record *r, const darc_flow *w,
                                const darc_table *t, darc_err *err)
{
    size_t q = (size_t)w->outputs;
    r->time = darc_calloc(t->samples, sizeof *r->time);
    DARC_CALLOC(t->samples * q, r->y, r->weight);
    r->count = darc_calloc(q, sizeof *r->count);
    for (size_t i = 0; i < t->samples; i++) {
        bool any = false;
        double *y = r->y + r->n * q;
        for (int j = 0; j < w->outputs; j++) {
            y[j] = sample_of(t, table_column(w, t, w->output[j]), i);
            any |= isfinite(y[j]);
            r->count[j] += isfinite(y[j]);
        }
        r->time[r->n] = darc_table_time(t, i);
        r->n += any || r->n == 0; /* initial values are those of row 0 */
    }
    for (int j = 0; j < w->outputs; j++)
        if (r->count[j] > 0)
            return DARC_OK;
    return darc_fail(err, DARC_DATA, "%s: no output has a sample", t->file);
}

/* Return how many samples of unknown u repeat the one before, and set *all. */
static double repeats_of(const darc_record_plan *plan, int u,
                         const darc_table *t, double *all)
{
    int column = table_column(plan->flow, t, u);
    const double *x = column < 0 ? NULL : t->signal[column].value;
    double same = 0;
    *all = x != NULL ? (double)t->samples - 1 : 0;
    for (size_t i = 1; i < t->samples && x != NULL; i++)
        same += x[i] == x[i - 1];
    return same;
}

/* Whether an input that is not said to be held is a staircase: samples repeat
 * exactly, enough of all recordings and one of this. */
static bool is_staircase(const darc_record_plan *plan, int u,
                         const darc_table *t)
{
    const darc_flow *w = plan->flow;
    int column = table_column(w, t, u);
    double same = 0, all = 0, count, own = repeats_of(plan, u, t, &count);
    if (w->names->symbol[u].kind != DARC_INPUT || darc_is_dose(w->model, u) ||
        column < 0 || plan->held[u] || w->signals.order[u] > 0 ||
        darc_table_absent(t, column) != NULL || own == 0 || own == count)
        return false;
    for (int r = 0; r < plan->recordings; r++) {
        same += repeats_of(plan, u, plan->table[r], &count);
        all += count;
    }
    return same >= DARC_STEPS_HELD * all;
}

size_t darc_record_samples(const darc_record *r, int outputs)
{
    size_t n = 0;
    for (int j = 0; j < outputs; j++)
        n += r->count[j];
    return n;
}

double darc_record_moves(const darc_record *r, int j, int outputs)
{
    double n = 0, sum = 0, square = 0;
    for (size_t i = 0; i < r->n; i++) {
        double y = r->y[i * (size_t)outputs + (size_t)j];
        n += isfinite(y);
        sum += isfinite(y) ? y : 0;
        square += isfinite(y) ? y * y : 0;
    }
    return sqrt(fmax(0, square / n - pow(sum / n, 2)));
}

int darc_record_stepped(const darc_record *r, const darc_flow *w)
{
    for (int u = 0; u < w->names->count && r->steps > 0; u++)
        if (r->stairs[u])
            return u;
    return -1;
}

static void list_steps(darc_record *r, const darc_record_plan *plan,
                       const darc_table *t)
{
    const darc_flow *w = plan->flow;
    r->stairs = darc_calloc((size_t)w->names->count, sizeof *r->stairs);
    for (int u = 0; u < w->names->count; u++)
        r->stairs[u] = is_staircase(plan, u, t);
    for (size_t i = 1; i < t->samples; i++) {
        double time = darc_table_time(t, i);
        bool steps = false;
        for (int u = 0; u < w->names->count; u++) {
            const double *x =
                r->stairs[u] ? t->signal[table_column(w, t, u)].value : NULL;
            steps = steps || (x != NULL && x[i] != x[i - 1]);
        }
        if (!steps)
            continue;
        DARC_ROOM(r->step, r->steps);
        r->step[r->steps++] =
            (darc_record_step){i, time, time - darc_table_time(t, i - 1)};
    }
}

static darc_between between(const darc_record *r, const darc_record_plan *plan,
                            int u)
{
    bool held = plan->held[u] || plan->reading >= DARC_READ_HELD ||
                (plan->stairs && r->stairs[u]);
    bool smooth =
        plan->reading == DARC_READ_SMOOTH || plan->flow->signals.order[u] > 0;
    return held ? DARC_HELD : smooth ? DARC_SMOOTH : DARC_STRAIGHT;
}

static darc_status take_input(darc_record *r, const darc_record_plan *plan,
                              int u, const darc_table *t, darc_err *err)
{
    const darc_flow *w = plan->flow;
    const char *name = w->names->symbol[u].name;
    int column = table_column(w, t, u);
    if (column < 0)
        return darc_fail(err, DARC_DOMAIN, "%s: input '%s' was not measured",
                         t->file, name);
    size_t n = 0;
    double *time = darc_calloc(2 * t->samples, sizeof *time);
    double *x = time + t->samples;
    bool doses = darc_is_dose(w->model, u);
    for (size_t i = 0; i < t->samples; i++) {
        size_t from = plan->reading == DARC_READ_LATE && i > 0 ? i - 1 : i;
        x[n] = sample_of(t, column, from);
        time[n] = darc_table_time(t, i);
        x[n] = doses && !isfinite(x[n]) ? 0 : x[n];
        n += isfinite(x[n]);
    }
    darc_status status = DARC_OK;
    if (n < 2)
        status = darc_fail(err, DARC_DATA,
                           "%s: input '%s' has fewer than two samples", t->file,
                           name);
    else if (doses)
        r->wave[u] = darc_wave_doses(time, x, n);
    else
        r->wave[u] = darc_wave_of(time, x, n, between(r, plan, u));
    darc_free(time);
    if (status == DARC_OK && darc_wave_order(r->wave[u]) < w->signals.order[u])
        return darc_fail(err, DARC_DOMAIN, "%s: it needs derivative %d of '%s'",
                         t->file, w->signals.order[u], name);
    return status;
}

/* Take the value that a name, "x" or "x'", has at the start. */
static darc_status take_start(darc_record *r, const darc_flow *w,
                              const char *name, double value, darc_err *err)
{
    size_t length = strcspn(name, "'");
    int order = (int)strlen(name + length);
    for (int i = 0; i < w->n; i++) {
        const char *own = w->names->symbol[w->state[i].unknown].name;
        if (strlen(own) != length || strncmp(own, name, length) != 0 ||
            w->state[i].order != order)
            continue;
        r->start[i] = value;
        return DARC_OK;
    }
    return darc_fail(err, DARC_USAGE,
                     "--init: '%s' is no state whose rate the equations give",
                     name);
}

/* Long recordings are parted, but for those of doses: errors of a trajectory,
 * and of what it begins with, need not last. */
static size_t piece_of(const darc_record *r, const darc_flow *w)
{
    bool parted = r->n >= DARC_RECORD_LONG;
    for (int u = 0; u < w->names->count; u++)
        parted = parted && !darc_is_dose(w->model, u);
    double share = ceil((double)r->n / DARC_RECORD_PIECES);
    return parted ? (size_t)fmax(DARC_RECORD_PIECE, share) : 0;
}

/* Whether an input is no smooth curve through its samples: cubic polynomials
 * through two before and two behind a sample miss it. */
static bool is_rough(const darc_record_plan *plan, const darc_table *t)
{
    const darc_flow *w = plan->flow;
    bool rough = false;
    for (int u = 0; u < w->names->count; u++) {
        int column =
            w->names->symbol[u].kind == DARC_INPUT ? table_column(w, t, u) : -1;
        const double *x = column < 0 ? NULL : t->signal[column].value;
        double off = 0, moves = 0;
        for (size_t i = 3; x != NULL && i + 3 < t->samples; i++) {
            double by = (9 * (x[i - 1] + x[i + 1]) - x[i - 3] - x[i + 3]) / 16;
            double d = pow(x[i] - by, 2) + pow(x[i + 1] - x[i - 1], 2);
            off += isfinite(d) ? pow(x[i] - by, 2) : 0;
            moves += isfinite(d) ? pow(x[i + 1] - x[i - 1], 2) : 0;
        }
        rough = rough || off > DARC_RECORD_ROUGH * moves;
    }
    return rough;
}

static darc_status drive_inputs(darc_record *r, const darc_record_plan *plan,
                                const darc_table *t, darc_err *err)
{
    const darc_flow *w = plan->flow;
    for (int u = 0; u < w->names->count; u++)
        if (w->names->symbol[u].kind == DARC_INPUT) {
            darc_wave_free(r->wave[u]);
            r->wave[u] = NULL;
            DARC_NEED(take_input(r, plan, u, t, err));
        }
    return DARC_OK;
}

darc_status darc_records_drive(darc_record *r, int runs,
                               const darc_record_plan *plan, darc_err *err)
{
    for (int i = 0; i < runs; i++)
        DARC_NEED(drive_inputs(r + i, plan, plan->table[i], err));
    return DARC_OK;
}

darc_status darc_record_init(darc_record *r, darc_record_plan *plan,
                             const darc_table *t, darc_err *err)
{
    const darc_flow *w = plan->flow;
    darc_status status;
    *r = (darc_record){.file = t->file};
    r->wave = darc_calloc((size_t)w->names->count, sizeof *r->wave);
    r->start = darc_calloc((size_t)w->n + 1, sizeof *r->start);
    for (int i = 0; i < w->n; i++)
        r->start[i] = w->state[i].order > 0
                          ? NAN
                          : darc_model_start(w->model, w->state[i].unknown);
    DARC_TRY(take_outputs(r, w, t, err));
    r->piece = piece_of(r, w);
    if (r->piece > 0)
        plan->reading = is_rough(plan, t) ? DARC_READ_HELD : DARC_READ_SMOOTH;
    list_steps(r, plan, t);
    DARC_TRY(drive_inputs(r, plan, t, err));
    for (int k = 0; k < plan->starts; k++)
        DARC_TRY(take_start(r, w, plan->start_name[k], plan->start[k], err));
done:
    if (status != DARC_OK)
        darc_record_clear(r, w);
    return status;
}

void darc_record_clear(darc_record *r, const darc_flow *w)
{
    for (int u = 0; r->wave != NULL && u < w->names->count; u++)
        darc_wave_free(r->wave[u]);
    DARC_FREE(r->time, r->y, r->weight, r->count, (void *)r->wave, r->start,
              r->colour, r->step, r->stairs);
    *r = (darc_record){.file = NULL};
}
