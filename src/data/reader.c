#include "data/reader_state.h"

#include "base/mem.h"
#include "data/thresholds.h"
#include "files/recognise.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096 };

/* Tell by the first rows what a column holds, gaps aside. */
static darc_status look_of(darc_column_look *look, void *user, int c,
                           darc_err *err)
{
    darc_reader *r = user;
    (void)err;
    *look = (darc_column_look){DARC_COLUMN_NUMBERS, {0, 0}};
    if (r->arrays)
        return DARC_OK;
    if (r->look == NULL) {
        r->look = darc_calloc((size_t)r->csv.columns, sizeof *r->look);
        darc_csv_look_at(r->look, &r->csv);
    }
    const darc_csv_look *x = r->look + c;
    if (x->pairs > 0)
        look->form.clock = x->minutes ? 'm' : 'h';
    if (x->stamps > x->numbers && x->stamps >= x->words)
        look->kind = x->dates == x->stamps    ? DARC_COLUMN_DAYS
                     : x->clocks == x->stamps ? DARC_COLUMN_CLOCK
                                              : DARC_COLUMN_STAMPS;
    else if (x->words > x->numbers)
        look->kind = DARC_COLUMN_TEXT;
    else if (x->numbers == 0 && x->gaps > 0)
        look->kind = DARC_COLUMN_EMPTY;
    return DARC_OK;
}

static darc_status first_of(double *x, size_t *n, void *user, int c,
                            darc_stamp_form form, darc_err *err)
{
    darc_reader *r = user;
    const double *value;
    if (!r->arrays) {
        *n = darc_csv_first(x, DARC_CLOCK_ROWS, &r->csv, c, form);
        return DARC_OK;
    }
    DARC_NEED(darc_arrayfile_values(&value, n, &r->source, c, 0, err));
    *n = *n < DARC_CLOCK_ROWS ? *n : DARC_CLOCK_ROWS;
    memcpy(x, value, *n * sizeof *x);
    return DARC_OK;
}

/* What time is read from. */
static void start_clock(darc_reader *r, const darc_load_options *o)
{
    darc_selection *take = &r->take;
    const darc_clock *k = &r->clock;
    darc_csv *csv = &r->csv;
    bool counts = take->time_column >= 0;
    r->rate = o->rate;
    r->paced = o->rate > 0 && counts;
    r->start = 0;
    if (!counts && !(o->rate > 0)) {
        r->rate = 1 / csv->step;
        r->start = isnan(csv->start) ? 0 : csv->start;
    }
    darc_grid_init(&r->grid);
    r->grid.usual = counts ? k->usual : 0;
    if (counts && k->scale > 1)
        r->grid.digit = k->scale;
    r->csv.slot = r->slot_of;
    for (int i = 0; i < 2 && !r->arrays; i++) {
        int column = i == 0 ? k->column : k->day;
        darc_csv_clock_init(&csv->clock[i], counts ? column : -1);
        csv->clock[i].form = k->form;
        csv->clock[i].whole = i == 0 && k->day >= 0;
    }
}

static darc_status start_reading(darc_reader *r, const darc_load_options *o,
                                 darc_err *err)
{
    char place[1024];
    snprintf(place, sizeof place, "%s:%zu:1", r->csv.lines.file,
             r->csv.header_line);
    darc_columns columns = {place,       r->csv.columns, r->csv.name,
                            r->csv.unit, look_of,        first_of,
                            r,           !r->csv.named,  r->csv.step};
    const darc_arrayfile *s = &r->source;
    if (r->arrays)
        columns =
            (darc_columns){s->file,  s->columns, s->name, s->unit, look_of,
                           first_of, r,          false,   0};
    DARC_NEED(darc_clock_init(&r->clock, &columns, o, err));
    DARC_NEED(darc_selection_init(&r->take, &columns, &r->clock, o, err));
    size_t n = (size_t)r->take.signals;
    r->slot = darc_calloc(n, sizeof *r->slot);
    r->row = darc_calloc(n + 2, sizeof *r->row);
    r->value = darc_calloc(n + 1, sizeof *r->value);
    for (size_t i = 0; i <= n; i++)
        r->value[i] = darc_malloc(BLOCK * sizeof **r->value);
    r->time = r->value[n];
    r->slot_of = darc_calloc((size_t)columns.count, sizeof *r->slot_of);
    r->at = darc_calloc(n + 2, sizeof *r->at);
    for (int c = 0; c < columns.count; c++)
        r->slot_of[c] = -1;
    int *slot = r->slot_of, t = r->take.time_column, day = r->clock.day;
    for (int i = 0; i < r->take.signals; i++) {
        int c = r->take.signal[i].column;
        slot[c] = slot[c] < 0 ? r->slots++ : slot[c];
        r->slot[i] = slot[c];
    }
    if (t >= 0 && slot[t] < 0)
        slot[t] = r->slots++;
    if (t >= 0 && day >= 0 && slot[day] < 0)
        slot[day] = r->slots++;
    start_clock(r, o);
    r->from = isnan(o->from) ? -HUGE_VAL : o->from;
    r->to = isnan(o->to) ? HUGE_VAL : o->to;
    r->held = NAN;
    r->all = o->wanted == 0;
    r->csv.live = o->live > 0;
    r->live = o->live;
    if (o->wanted == 0 && !r->arrays && o->live == 0)
        r->csv.odd = darc_calloc((size_t)columns.count, sizeof *r->csv.odd);
    return DARC_OK;
}

/* Read rows alone whose column has that value: "column=value". */
static darc_status pick_rows(darc_reader *r, char *pick, darc_err *err)
{
    char *value = strchr(pick, '=');
    char place[1024];
    snprintf(place, sizeof place, "%s:%zu:1", r->csv.lines.file,
             r->csv.header_line);
    *value++ = '\0';
    if (r->arrays)
        return darc_fail_file(err, r->source.file,
                              "rows are chosen by a value in text files alone");
    darc_columns columns = {.place = place,
                            .count = r->csv.columns,
                            .name = r->csv.name,
                            .unit = r->csv.unit};
    DARC_NEED(darc_column_find(&r->csv.pick, pick, NULL, &columns, err));
    r->csv.picked = darc_strdup(value);
    return DARC_OK;
}

/* "FILE[from:to]", "FILE[column=value]": set the two, or *pick to what stands
 * in the brackets, and return the length of FILE; of any other name the whole
 * length. */
static size_t part_of(double *from, double *to, char **pick, const char *file)
{
    size_t n = strlen(file);
    const char *open = strrchr(file, '[');
    if (open == NULL || file[n - 1] != ']' || access(file, F_OK) == 0)
        return n;
    if (strchr(open, '=') != NULL) {
        *pick = darc_strndup(open + 1, strlen(open) - 2);
        return (size_t)(open - file);
    }
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
    char *pick = NULL;
    char *whole = darc_strndup(file, part_of(&own.from, &own.to, &pick, file));
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
                       : darc_csv_open(&r->csv, whole, own.live > 0, err));
    if (r->arrays && r->source.slowest > 0)
        own.rate = r->source.slowest;
    if (pick != NULL)
        DARC_TRY(pick_rows(r, pick, err));
    status = start_reading(r, &own, err);
    for (int i = 0; i < r->source.notes && status == DARC_DATA; i++)
        add_reason(r->source.note[i], err);
    if (status != DARC_OK)
        goto done;
    *reader = r;
done:
    DARC_FREE((void *)name, whole, pick);
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
    DARC_FREE(r->value, r->row, r->slot, r->slot_of, r->at, r->look);
    darc_clock_clear(&r->clock);
    darc_selection_clear(&r->take);
    if (r->arrays)
        darc_arrayfile_close(&r->source);
    else
        darc_csv_close(&r->csv);
    darc_free(r);
}

/* Return the time in the row just read, s; NAN: it is a gap. */
static double time_in_row(darc_reader *r)
{
    const darc_clock *k = &r->clock;
    double t = r->row[r->slot_of[k->column]];
    if (r->arrays || !r->csv.clock[0].any)
        return darc_clock_seconds(k, t) * r->take.time_scale;
    if (k->day >= 0) {
        const darc_csv_clock *c = r->csv.clock;
        int64_t ns = c[0].last - c[0].first + c[1].last - c[1].first;
        double day = r->row[r->slot_of[k->day]];
        t = isnan(t) || isnan(day) ? NAN : (double)ns * 1e-9;
    }
    return t * r->take.time_scale;
}

/* Return whether a time that goes back begins another recording: it is that of
 * the first row, or names stand above it, and the next row goes on from it. */
static bool begins_anew(darc_reader *r, double t)
{
    double next;
    darc_lines *l = &r->csv.lines;
    if (!r->arrays && l->next == l->whole &&
        darc_lines_more(l, NULL) != DARC_OK)
        return false;
    bool back = r->csv.again || t <= r->first + r->step / 2;
    size_t begin = r->csv.lines.begin;
    if (r->arrays || r->rows < 2 || !back)
        return false;
    r->csv.lines.begin = r->csv.lines.next;
    darc_stamp_form form = r->csv.clock[0].form;
    size_t n = darc_csv_first(&next, 1, &r->csv, r->take.time_column, form);
    r->csv.lines.begin = begin;
    if (n == 0 || isnan(next))
        return false;
    if (r->csv.clock[0].any)
        return true;
    next = darc_clock_seconds(&r->clock, next) * r->take.time_scale + r->shift;
    return next > t && next - t < DARC_APART * r->step;
}

/* What a time says that is not later than the one before: *known is false where
 * the row counts no more. */
static darc_status step_back(darc_reader *r, double *t, bool *known,
                             darc_err *err)
{
    int c = r->take.time_column;
    if (r->late < r->live) {
        *known = false;
        r->late++;
        return DARC_OK;
    }
    size_t place = r->arrays ? r->rows + 1 : r->csv.lines.number;
    if (*t == r->last && r->clock.may_stand &&
        (double)r->still < DARC_STILL_SHARE * (double)r->rows + 1) {
        r->still_line = r->still++ == 0 ? place : r->still_line;
        *known = false;
        r->again = true;
        return DARC_OK;
    }
    if (*t < r->last && begins_anew(r, *t)) {
        r->back_line = r->anew++ == 0 ? r->csv.lines.number : r->back_line;
        r->shift += r->last - *t + DARC_APART * r->step;
        r->first = r->last + DARC_APART * r->step;
        *t = r->first;
        r->apart = true;
        return DARC_OK;
    }
    if (r->arrays)
        return darc_fail_file(err, r->source.file,
                              "row %zu: time %.12g s does not increase (%.12g "
                              "s in the row before)",
                              r->rows + 1, *t, r->last);
    return darc_lines_fail(&r->csv.lines, darc_csv_place(&r->csv, c), err,
                           "time %.12g s does not increase (%.12g s in the "
                           "row before)%s",
                           *t - r->shift, r->last - r->shift,
                           r->csv.pick < 0 && r->take.text != NULL
                               ? "; FILE[COLUMN=VALUE] takes the rows of one "
                                 "recording where several stand in a file"
                               : "");
}

/* Set *t to the time of the row just read; *known is false while no row has
 * had a time. */
static darc_status row_time(darc_reader *r, double *t, bool *known,
                            darc_err *err)
{
    *known = true;
    if (r->take.time_column < 0) {
        *t = r->start + (double)r->rows / r->rate;
        return DARC_OK;
    }
    *t = time_in_row(r) + r->shift;
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
    double last = r->last;
    if (r->timed && !(*t > last)) {
        DARC_NEED(step_back(r, t, known, err));
        r->csv.again = false;
        if (!*known)
            return DARC_OK;
    }
    r->csv.again = false;
    r->late = 0;
    if (!r->timed)
        r->first = *t;
    else if (!r->apart)
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
    if (r->again)
        r->again = false;
    else
        darc_grid_append(&r->grid, t);
    for (int i = 0; i < r->take.signals; i++) {
        const darc_taken *s = r->take.signal + i;
        double x = r->row[r->slot[i]] * s->scale;
        if (s->shift != 0) /* -0 keeps its sign */
            x += s->shift;
        r->value[i][k] = x;
        sum += x * 0;
    }
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
        r->began = r->now = *t;
    double steps = (*t - r->now) * r->rate;
    double most = DARC_FILLED_A_ROW * (double)r->rows + DARC_FILLED_BESIDES;
    bool lost =
        steps >= DARC_GRID_LATE && (double)r->grid.filled + steps <= most;
    r->missing = lost ? (size_t)round(steps) - 1 : 0;
    r->now = *t;
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
    if (r->again && *k > 0 && t >= r->from) { /* the later one counts */
        *gaps |= store(r, *k - 1, r->time[*k - 1]);
        return DARC_OK;
    }
    r->again = false;
    if (r->ended || !known || t < r->from)
        return DARC_OK;
    place_row(r, &t);
    r->missing += r->apart && r->missing == 0;
    r->apart = false;
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
