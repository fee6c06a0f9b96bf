#include "data/reader.h"

#include "base/mem.h"
#include "data/thresholds.h"
#include "files/arrayfile.h"
#include "files/csv.h"
#include "files/recognise.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096 };

struct darc_reader {
    darc_csv csv;
    darc_arrayfile source; /* in place of csv */
    bool arrays;           /* whether it is */
    const double **at;     /* of slot s: the next value of the source; owned */
    size_t left;           /* values there */
    int *slot_of;          /* of column c of the file, -1: not used; owned */
    darc_selection take;
    int *slot;      /* of signal i in a row; several signals may share one */
    int slots;      /* time, if a column, is the last of them */
    double *row;    /* slots cells */
    double **value; /* (signals + 1) * BLOCK; owned */
    double *time;   /* the last of them */
    double rate, from, to;
    size_t rows;       /* read */
    double last, step; /* time and time step of the last row, s */
    bool timed;        /* there was a row with a time */
    darc_grid grid;    /* of the samples given out */
    size_t missing;    /* samples to put before the row that is held */
    double held;       /* the time of that row */
    bool paced;        /* the rate gives the step, the time column the order */
    double began, clock; /* the column's first and last time, s */
    bool ended;
    size_t live; /* as in the options */
    bool all;    /* no signal was named */
    size_t late; /* rows dropped since the last one */
};

/* Tell by the first values of a column what it holds, gaps aside. */
static darc_status kind_of(darc_column_kind *kind, void *user, int c,
                           darc_err *err)
{
    darc_reader *r = user;
    double x[DARC_TIME_ROWS], last = -HUGE_VAL;
    const double *first = x;
    size_t n = 0, numbers = 0, words = 0, falls = 0;
    if (r->arrays)
        DARC_NEED(darc_arrayfile_values(&first, &n, &r->source, c, 0, err));
    else
        n = darc_csv_first(x, DARC_TIME_ROWS, &r->csv, c);
    for (size_t i = 0; i < n && i < DARC_TIME_ROWS; i++) {
        if (isfinite(first[i])) {
            falls += first[i] <= last;
            last = first[i];
            numbers++;
        }
        words += isinf(first[i]) != 0;
    }
    *kind = DARC_COLUMN_NUMBERS;
    if (numbers > 0 && falls == 0)
        *kind = DARC_COLUMN_INCREASES;
    else if (numbers == 0 && words > 0)
        *kind = DARC_COLUMN_TEXT;
    return DARC_OK;
}

static darc_status start_reading(darc_reader *r, const darc_load_options *o,
                                 darc_err *err)
{
    char place[1024];
    snprintf(place, sizeof place, "%s:%zu:1", r->csv.lines.file,
             r->csv.header_line);
    darc_columns columns = {place,       r->csv.columns, r->csv.name,
                            r->csv.unit, kind_of,        r,
                            false,       !r->csv.named};
    const darc_arrayfile *s = &r->source;
    if (r->arrays)
        columns = (darc_columns){s->file, s->columns, s->name, s->unit,
                                 kind_of, r,          true,    false};
    DARC_NEED(darc_selection_init(&r->take, &columns, o, err));
    size_t n = (size_t)r->take.signals;
    r->slot = darc_calloc(n, sizeof *r->slot);
    r->row = darc_calloc(n + 1, sizeof *r->row);
    r->value = darc_calloc(n + 1, sizeof *r->value);
    for (size_t i = 0; i <= n; i++)
        r->value[i] = darc_malloc(BLOCK * sizeof **r->value);
    r->time = r->value[n];
    r->slot_of = darc_calloc((size_t)columns.count, sizeof *r->slot_of);
    r->at = darc_calloc(n + 1, sizeof *r->at);
    for (int c = 0; c < columns.count; c++)
        r->slot_of[c] = -1;
    int *slot = r->slot_of, t = r->take.time_column;
    for (int i = 0; i < r->take.signals; i++) {
        int c = r->take.signal[i].column;
        slot[c] = slot[c] < 0 ? r->slots++ : slot[c];
        r->slot[i] = slot[c];
    }
    if (t >= 0 && slot[t] < 0)
        slot[t] = r->slots++;
    r->all = o->wanted == 0;
    r->rate = o->rate;
    r->paced = o->rate > 0 && r->take.time_column >= 0;
    r->from = isnan(o->from) ? -HUGE_VAL : o->from;
    r->to = isnan(o->to) ? HUGE_VAL : o->to;
    darc_grid_init(&r->grid);
    r->held = NAN;
    r->csv.slot = r->slot_of;
    r->csv.stamped = r->take.time_column;
    r->csv.live = o->live > 0;
    r->live = o->live;
    return DARC_OK;
}

/* "FILE[from:to]": set the two and return the length of FILE; of any other
 * name the whole length. */
static size_t part_of(double *from, double *to, const char *file)
{
    size_t n = strlen(file);
    const char *open = strrchr(file, '[');
    if (open == NULL || file[n - 1] != ']' || access(file, F_OK) == 0)
        return n;
    char *end;
    double a = strtod(open + 1, &end), b;
    const char *colon = end;
    if (*colon != ':')
        return n;
    b = strtod(colon + 1, &end);
    if (*end != ']' || end[1] != '\0')
        return n;
    *from = colon > open + 1 ? a : *from;
    *to = end > colon + 1 ? b : *to;
    return (size_t)(open - file);
}

/* What was passed over may be what was asked for. */
static void add_reason(const char *note, darc_err *err)
{
    size_t n = err != NULL ? strlen(err->message) : 0;
    if (n > 0)
        snprintf(err->message + n, sizeof err->message - n, "; %s", note);
}

darc_status darc_reader_open(darc_reader **reader, const char *file,
                             const darc_load_options *options, darc_err *err)
{
    darc_status status;
    darc_load_options own = *options;
    char *whole = darc_strndup(file, part_of(&own.from, &own.to, file));
    darc_reader *r = darc_calloc(1, sizeof *r);
    const char **name = darc_calloc((size_t)own.wanted + 1, sizeof *name);
    if (own.from >= own.to)
        DARC_TRY(darc_fail_file(err, file,
                                "the part from %g to %g s ends before it "
                                "begins",
                                own.from, own.to));
    darc_recognised is = darc_recognise(whole);
    r->arrays = is.kind != NULL && !is.text;
    for (int i = 0; i < own.wanted; i++)
        name[i] = darc_mapped(own.want[i], options);
    darc_arrayfile_wish wish = {own.rate, own.time_column, own.wanted, name};
    DARC_TRY(r->arrays ? darc_arrayfile_open(&r->source, whole, &wish, err)
                       : darc_csv_open(&r->csv, whole, err));
    if (r->arrays && r->source.slowest > 0)
        own.rate = r->source.slowest;
    status = start_reading(r, &own, err);
    for (int i = 0; i < r->source.notes && status == DARC_DATA; i++)
        add_reason(r->source.note[i], err);
    if (status != DARC_OK)
        goto done;
    *reader = r;
done:
    DARC_FREE((void *)name, whole);
    if (status != DARC_OK)
        darc_reader_close(r);
    return status;
}

void darc_reader_close(darc_reader *r)
{
    if (r == NULL)
        return;
    for (int i = 0; i <= r->take.signals && r->value != NULL; i++)
        darc_free(r->value[i]);
    DARC_FREE(r->value, r->row, r->slot, r->slot_of, r->at);
    darc_selection_clear(&r->take);
    if (r->arrays)
        darc_arrayfile_close(&r->source);
    else
        darc_csv_close(&r->csv);
    darc_free(r);
}

/* Set *t to the time of the row just read; *known is false while no row has
 * had a time. */
static darc_status row_time(darc_reader *r, double *t, bool *known,
                            darc_err *err)
{
    int c = r->take.time_column;
    *known = true;
    if (c < 0) {
        *t = (double)r->rows / r->rate;
        return DARC_OK;
    }
    double *cell = &r->row[r->slot_of[c]];
    *t = *cell * (r->csv.stamps ? 1 : r->take.time_scale);
    if (isnan(*t)) {
        for (int s = 0; s < r->slots; s++)
            r->row[s] = NAN;
        *t = r->last + r->step;
        *known = r->timed && *t > r->last;
        r->last = *t;
        return DARC_OK;
    }
    if (r->csv.again && r->live > 0) {
        r->timed = false; /* time may begin anew */
        darc_grid_init(&r->grid);
    }
    r->csv.again = false;
    if (r->timed && !(*t > r->last) && r->late < r->live) {
        *known = false;
        r->late++;
        return DARC_OK;
    }
    if (r->timed && !(*t > r->last) && r->arrays)
        return darc_fail_file(err, r->source.file,
                              "row %zu: time %.12g s does not increase (%.12g "
                              "s in the row before)",
                              r->rows + 1, *t, r->last);
    if (r->timed && !(*t > r->last))
        return darc_lines_fail(&r->csv.lines, darc_csv_place(&r->csv, c), err,
                               "time %.12g s does not increase (%.12g s in the "
                               "row before)",
                               *t, r->last);
    r->late = 0;
    if (r->timed)
        r->step = *t - r->last;
    r->last = *t;
    r->timed = true;
    return DARC_OK;
}

/* Copy the row to place k of the block; return whether it has a gap. */
static bool store(darc_reader *r, size_t k, double t)
{
    double sum = 0; /* NAN if one is; infinities were refused */
    r->time[k] = t;
    for (int i = 0; i < r->take.signals; i++) {
        const darc_taken *s = r->take.signal + i;
        double x = r->row[r->slot[i]] * s->scale;
        if (s->shift != 0) /* -0 keeps its sign */
            x += s->shift;
        r->value[i][k] = x;
        sum += x * 0;
    }
    darc_grid_append(&r->grid, t);
    return sum != 0;
}

/* Make r->at point to values of the next rows. */
static darc_status next_values(darc_reader *r, darc_err *err)
{
    r->left = r->source.rows - r->rows;
    for (int c = 0; c < r->source.columns; c++) {
        size_t have;
        if (r->slot_of[c] < 0)
            continue;
        DARC_NEED(darc_arrayfile_values(&r->at[r->slot_of[c]], &have,
                                        &r->source, c, r->rows, err));
        r->left = have < r->left ? have : r->left;
    }
    return DARC_OK;
}

static darc_status next_row(darc_reader *r, bool *row, darc_err *err)
{
    if (!r->arrays)
        return darc_csv_row(&r->csv, r->row, row, err);
    *row = r->rows < r->source.rows;
    if (*row && r->left == 0) {
        DARC_NEED(next_values(r, err));
    }
    for (int s = 0; s < r->slots && *row; s++)
        r->row[s] = *r->at[s]++;
    r->left -= *row;
    return DARC_OK;
}

/* Put a sample that is missing at place k of the block, or the row that was
 * held at last; return whether it has a gap. */
static bool fill_gap(darc_reader *r, size_t k)
{
    if (r->missing == 0) {
        double t = r->held;
        r->held = NAN;
        return store(r, k, t);
    }
    r->time[k] = darc_grid_fill(&r->grid, r->missing--, r->held);
    if (isnan(r->time[k])) {
        r->missing = 0;
        return fill_gap(r, k);
    }
    for (int i = 0; i < r->take.signals; i++)
        r->value[i][k] = NAN;
    return true;
}

/* Set missing and *t for the row at time *t of the column: where a rate is
 * given, the column only tells how many rows were lost since the last one. */
static void place_row(darc_reader *r, double *t)
{
    if (!r->paced) {
        r->missing = darc_grid_missing(&r->grid, *t, r->rows);
        return;
    }
    if (r->grid.count == 0)
        r->began = r->clock = *t;
    double steps = (*t - r->clock) * r->rate;
    double most = DARC_FILLED_A_ROW * (double)r->rows + DARC_FILLED_BESIDES;
    bool lost =
        steps >= DARC_GRID_LATE && (double)r->grid.filled + steps <= most;
    r->missing = lost ? (size_t)round(steps) - 1 : 0;
    r->clock = *t;
    *t = r->began + (double)(r->grid.count + r->missing) / r->rate;
}

/* Read a row: store it at place *k of the block, or hold it where samples
 * before it are missing. */
static darc_status take_row(darc_reader *r, size_t *k, bool *gaps,
                            darc_err *err)
{
    bool row, known;
    double t;
    DARC_NEED(next_row(r, &row, err));
    r->ended = !row;
    if (!row)
        return DARC_OK;
    DARC_NEED(row_time(r, &t, &known, err));
    if (!r->arrays)
        darc_csv_next(&r->csv);
    r->rows++;
    r->ended = t > r->to;
    if (r->ended || !known || t < r->from)
        return DARC_OK;
    place_row(r, &t);
    if (r->missing > 0) {
        r->held = t;
    } else {
        *gaps |= store(r, (*k)++, t);
    }
    return DARC_OK;
}

darc_status darc_reader_next(darc_reader *r, darc_block *block, darc_err *err)
{
    size_t k = 0;
    bool gaps = false;
    size_t most = r->live > 0 && r->live < BLOCK ? r->live : BLOCK;
    while (k < most && !r->ended) {
        if (isnan(r->held))
            DARC_NEED(take_row(r, &k, &gaps, err));
        else
            gaps |= fill_gap(r, k++);
    }
    *block = (darc_block){k, r->time, (const double *const *)r->value, gaps};
    return DARC_OK;
}

int darc_reader_signals(const darc_reader *r)
{
    return r->take.signals;
}

const darc_taken *darc_reader_signal(const darc_reader *r, int signal)
{
    assert(signal >= 0 && signal < r->take.signals);
    return r->take.signal + signal;
}

size_t darc_reader_rows(const darc_reader *r)
{
    return r->rows;
}

double darc_reader_dt(const darc_reader *r)
{
    return r->take.time_column < 0 || r->paced ? 1 / r->rate
                                               : darc_grid_step(&r->grid);
}

/* What an array file has besides; s is empty for other files. */
static void tell_source(darc_table *table, const darc_arrayfile *s, bool all)
{
    for (int i = 0; i < s->notes && all; i++)
        darc_table_remark(table, "%s", s->note[i]);
    for (int i = 0; i < s->arrays.count && s->window != NULL; i++)
        if (s->window[i].infinite > 0)
            darc_table_remark(table,
                              "%zu infinite value%s of '%s' read as gaps, the "
                              "first in row %zu",
                              s->window[i].infinite,
                              s->window[i].infinite == 1 ? "" : "s",
                              s->arrays.array[i].path, s->window[i].first);
}

void darc_reader_tell(const darc_reader *r, darc_table *table)
{
    darc_text_t units = DARC_TEXT;
    for (int i = 0; i < r->take.signals; i++)
        if (r->take.signal[i].conversion != NULL)
            darc_text_printf(units, "%s %s %s", units->len > 0 ? "," : "units:",
                             r->take.signal[i].name,
                             r->take.signal[i].conversion);
    if (units->len > 0)
        darc_table_remark(table, "%s", units->s);
    darc_text_clear(units);
    if (r->take.text != NULL)
        darc_table_remark(table, "text, not read: %s", r->take.text);
    if (!r->arrays && r->csv.rest > 0)
        darc_table_remark(table,
                          "line %zu and what is below are no rows: not read",
                          r->csv.rest);
    tell_source(table, &r->source, r->all);
    if (r->arrays && r->source.slowest > 0)
        darc_table_remark(table,
                          "channels of several rates: interpolated to %.6g Hz, "
                          "that of the slowest (or --rate)",
                          r->source.slowest);
    /* By what part the time column runs slower than the rate that counts. */
    size_t n = r->grid.count;
    double drift = r->paced && n > 1
                       ? (r->clock - r->began) * r->rate / (double)(n - 1) - 1
                       : 0;
    if (fabs(drift) > DARC_CLOCKS_AGREE)
        darc_table_remark(table,
                          "the time column runs %.3g %% %s than --rate says; "
                          "the rate counts",
                          100 * fabs(drift), drift > 0 ? "longer" : "shorter");
}
