#include "data/reader_state.h"

#include "base/mem.h"
#include "base/text.h"
#include "data/part.h"
#include "data/thresholds.h"
#include "formats/recognise.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

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
    if (counts && k->scale > 1 && k->code == DARC_TIME_COUNTS)
        r->grid.digit = k->scale;
    r->csv.slot = r->slot_of;
    for (int i = 0; i < 2 && !r->arrays; i++) {
        const int column[] = {k->column, k->day};
        csv->clock[i] = (darc_csv_clock){.column = counts ? column[i] : -1,
                                         .numbers = i == 0 && k->numbers,
                                         .form = k->form,
                                         .whole = i == 0 && k->day >= 0};
    }
}

/* What the file offers; place is for messages. */
static darc_columns columns_of(darc_reader *r, char place[1024])
{
    const darc_csv *csv = &r->csv;
    const darc_arrayfile *s = &r->source;
    snprintf(place, 1024, "%s:%zu:1", csv->lines.file, csv->header_line);
    darc_columns x = {.place = r->arrays ? s->file : place,
                      .count = r->arrays ? s->columns : csv->columns,
                      .name = r->arrays ? s->name : csv->name,
                      .unit = r->arrays ? s->unit : csv->unit,
                      .look = darc_reader_look,
                      .first = darc_reader_first,
                      .propose = darc_reader_propose,
                      .letters = csv->lines.letters,
                      .user = r};
    if (!r->arrays) {
        x.nameless = !csv->named && !csv->keyed && !csv->vertical;
        x.step = csv->step;
        x.told = csv->told;
        x.told_line = csv->told_line;
        x.first_line = csv->header_line;
        x.turned = x.nameless && darc_reader_is_turned(csv);
    }
    return x;
}

static darc_status start_reading(darc_reader *r, const darc_load_options *o,
                                 darc_err *err)
{
    char place[1024];
    darc_columns columns = columns_of(r, place);
    DARC_NEED(darc_clock_init(&r->clock, &columns, o, err));
    DARC_NEED(darc_selection_init(&r->take, &columns, &r->clock, o, err));
    if (o->label_column == NULL)
        DARC_NEED(darc_reader_refuse_mixed(r, err));
    size_t n = (size_t)r->take.signals;
    r->slot = darc_calloc(n, sizeof *r->slot);
    r->row = darc_calloc(n + 3 + DARC_TIME_PARTS, sizeof *r->row);
    r->value = darc_calloc(n + 1, sizeof *r->value);
    for (size_t i = 0; i <= n; i++)
        r->value[i] = darc_malloc(BLOCK * sizeof **r->value);
    r->time = r->value[n];
    r->fillers = darc_calloc(n, sizeof *r->fillers);
    r->slot_of = darc_calloc((size_t)columns.count, sizeof *r->slot_of);
    r->at = darc_calloc(n + 3 + DARC_TIME_PARTS, sizeof *r->at);
    for (int c = 0; c < columns.count; c++)
        r->slot_of[c] = -1;
    int *slot = r->slot_of, t = r->take.time_column;
    for (int i = 0; i < r->take.signals; i++) {
        int c = r->take.signal[i].column;
        slot[c] = slot[c] < 0 ? r->slots++ : slot[c];
        r->slot[i] = slot[c];
    }
    for (int c = 0; c < columns.count && t >= 0; c++)
        if (slot[c] < 0 && darc_clock_uses(&r->clock, c))
            slot[c] = r->slots++;
    if (r->pick >= 0 && slot[r->pick] < 0)
        slot[r->pick] = r->slots++;
    start_clock(r, o);
    r->from = isnan(o->from) ? -HUGE_VAL : o->from;
    r->to = isnan(o->to) ? HUGE_VAL : o->to;
    r->held = r->raw = NAN;
    r->all = o->wanted == 0;
    r->csv.live = o->live > 0;
    r->live = o->live;
    if (o->wanted == 0 && !r->arrays && o->live == 0)
        r->csv.odd = darc_calloc((size_t)columns.count, sizeof *r->csv.odd);
    return DARC_OK;
}

/* Go to the first row that has the value, by which columns are known. */
static darc_status seek_row(darc_reader *r, const darc_part *part,
                            darc_err *err)
{
    darc_csv *csv = &r->csv;
    bool row;
    DARC_NEED(darc_csv_row(csv, NULL, &row, err));
    if (!row)
        return darc_fail_file(err, part->file,
                              "no row has '%s' in the column '%s'; darc data "
                              "FILE --each %s tells which there are",
                              part->value, part->column, part->column);
    return darc_lines_more(&csv->lines, err);
}

/* Read rows alone whose column has that value. */
static darc_status pick_rows(darc_reader *r, const darc_part *part,
                             darc_err *err)
{
    char place[1024], *end;
    darc_csv *csv = &r->csv;
    const darc_arrayfile *s = &r->source;
    darc_columns columns = columns_of(r, place);
    DARC_NEED(darc_column_find(r->arrays ? &r->pick : &csv->pick, part->column,
                               NULL, &columns, err));
    if (!r->arrays) {
        csv->picked = darc_strdup(part->value);
        return seek_row(r, part, err);
    }
    r->picked = strtod(part->value, &end);
    return end > part->value && *end == '\0'
               ? DARC_OK
               : darc_fail_file(err, s->file,
                                "'%s' has numbers; expected one, not '%s'",
                                part->column, part->value);
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
    darc_part part;
    darc_part_init(&part, file);
    darc_reader *r = darc_calloc(1, sizeof *r);
    const char **name = darc_calloc((size_t)own.wanted + 2, sizeof *name);
    r->pick = -1;
    own.from = isnan(part.from) ? own.from : part.from;
    own.to = isnan(part.to) ? own.to : part.to;
    if (own.from >= own.to)
        DARC_TRY(darc_fail_file(err, file,
                                "the part from %g to %g s ends before it "
                                "begins",
                                own.from, own.to));
    darc_recognised is = darc_recognise(part.file);
    r->arrays = is.kind != NULL && !is.text;
    for (int i = 0; i < own.wanted; i++)
        name[i] = darc_mapped(own.want[i], options);
    darc_arrayfile_wish wish = {own.rate, own.time_column, own.wanted, name};
    if (own.wanted > 0 && part.column != NULL)
        name[wish.names++] = part.column;
    DARC_TRY(r->arrays ? darc_arrayfile_open(&r->source, part.file, &wish, err)
                       : darc_csv_open(&r->csv, part.file, own.live > 0, err));
    if (r->arrays && r->source.slowest > 0)
        own.rate = r->source.slowest;
    if (part.column != NULL) {
        own.label_column = part.column;
        DARC_TRY(pick_rows(r, &part, err));
    }
    status = start_reading(r, &own, err);
    for (int i = 0; i < r->source.notes && status == DARC_DATA; i++)
        add_reason(r->source.note[i], err);
    if (r->csv.keys_differ && status == DARC_DATA)
        add_reason("keys and values (\"u=2.1\") stand in other columns from "
                   "line to line: write the same keys in the same order",
                   err);
    if (status != DARC_OK)
        goto done;
    *reader = r;
done:
    darc_free((void *)name);
    darc_part_clear(&part);
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
    DARC_FREE(r->value, r->row, r->slot, r->slot_of, r->at, r->look,
              r->parted_by, r->side, r->fillers);
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
    double t = r->row[r->slot_of[k->column]], part[DARC_TIME_PARTS];
    for (int i = 0; i < k->parts; i++)
        part[i] = r->row[r->slot_of[k->part[i].column]];
    r->shift += k->turning ? darc_clock_turn(&r->clock, r->raw, t) : 0;
    r->raw = t;
    if (r->arrays || !r->csv.clock[0].any)
        return darc_clock_time(k, darc_clock_seconds(k, t), part) *
               r->take.time_scale;
    if (k->day >= 0) {
        const darc_csv_clock *c = r->csv.clock;
        int64_t ns = c[0].last - c[0].first + c[1].last - c[1].first;
        double day = r->row[r->slot_of[k->day]];
        t = isnan(t) || isnan(day) ? NAN : (double)ns * 1e-9;
    }
    return darc_clock_time(k, t, part) * r->take.time_scale;
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
    *t = time_in_row(r); /* which may shift it */
    *t += r->shift;
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
    if (r->timed && !r->arrays && r->csv.clock[0].any)
        darc_reader_set_clock(r, t);
    DARC_NEED(darc_reader_check_time(r, *t, err));
    if (r->timed && !(*t > r->last)) {
        DARC_NEED(darc_reader_step_back(r, t, known, err));
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
        if (darc_fillers_see(r->fillers + i, r->row[r->slot[i]]) && !r->arrays)
            darc_fillers_quote(r->fillers + i, &r->csv, s->column);
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
    size_t row = r->rows + r->skipped;
    r->left = r->source.rows - row;
    for (int c = 0; c < r->source.columns; c++) {
        size_t have;
        if (r->slot_of[c] < 0)
            continue;
        DARC_NEED(darc_arrayfile_values(&r->at[r->slot_of[c]], &have,
                                        &r->source, c, row, err));
        r->left = have < r->left ? have : r->left;
    }
    return DARC_OK;
}

static darc_status next_row(darc_reader *r, bool *row, darc_err *err)
{
    if (!r->arrays)
        return darc_csv_row(&r->csv, r->row, row, err);
    for (;; r->skipped++) {
        *row = r->rows + r->skipped < r->source.rows;
        if (!*row)
            return DARC_OK;
        if (r->left == 0)
            DARC_NEED(next_values(r, err));
        for (int s = 0; s < r->slots; s++)
            r->row[s] = *r->at[s]++;
        r->left--;
        if (r->pick < 0 || r->row[r->slot_of[r->pick]] == r->picked)
            return DARC_OK;
    }
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
        r->side = darc_grow(r->side, r->sides, &r->room, sizeof *r->side);
        r->side[r->sides++] = r->grid.count - 1;
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
    size_t k = r->kept > 0;
    bool gaps = k > 0 && r->kept_gaps, gap = gaps;
    size_t most = r->live > 0 && r->live < BLOCK ? r->live : BLOCK;
    for (int i = 0; i <= r->take.signals && k > 0; i++)
        r->value[i][0] = r->value[i][r->kept];
    while (k < most && !r->ended) {
        gap = false;
        if (isnan(r->held))
            DARC_NEED(take_row(r, &k, &gap, err));
        else
            gap = fill_gap(r, k++);
        gaps |= gap;
    }
    /* the row that follows may take the place of the last one */
    r->kept = k == BLOCK && !r->ended && r->live == 0 ? k - 1 : 0;
    r->kept_gaps = gap;
    k -= r->kept > 0;
    *block = (darc_block){k, r->time, (const double *const *)r->value, gaps};
    return DARC_OK;
}

size_t *darc_reader_take_sides(size_t *n, darc_reader *r)
{
    size_t *side = r->side;
    r->side = NULL;
    *n = r->sides;
    return side;
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
