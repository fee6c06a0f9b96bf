/* tell.c - what is worth knowing of how a recording was read. */
#include "base/mem.h"
#include "data/reader_state.h"
#include "data/thresholds.h"

#include <math.h>
#include <string.h>

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

bool darc_fillers_see(darc_fillers *f, double x)
{
    static const double known[] = {-999,    -9999,   -99999,  -999.9,
                                   -999.99, -9999.9, -9999.99};
    bool is = x > 1e30; /* what a meter writes beyond its range */
    for (int k = 0; k < 7 && x < -998; k++)
        is = is || x == known[k];
    if (is && (f->count == 0 || x == f->value)) {
        f->value = x;
        return f->count++ == 0;
    }
    f->low = x < f->low ? x : f->low;
    f->high = x > f->high ? x : f->high;
    return false;
}

void darc_fillers_quote(darc_fillers *f, const darc_csv *csv, int column)
{
    const char *b = csv->lines.buffer, *s = b + csv->lines.begin;
    darc_cell cell;
    for (s -= s > b; s > b && s[-1] != '\n';)
        s--;
    darc_csv_find(&cell, csv, s, column);
    darc_csv_strip(&cell, csv, column);
    size_t k = 0;
    for (size_t i = 0; i < cell.n && k + 3 < sizeof f->text; i++) {
        if (strchr(".+*", cell.s[i]) != NULL)
            f->text[k++] = '\\';
        f->text[k++] = cell.s[i];
    }
}

/* Numbers far from all others, which stand for missing ones. */
static void tell_fillers(const darc_reader *r, darc_table *table)
{
    for (int i = 0; i < r->take.signals; i++) {
        const darc_fillers *f = r->fillers + i;
        double far = fabs(f->value) / 2;
        if (f->count > 0 && f->low > -far && f->high < far)
            darc_table_remark(
                table,
                "%zu value%s of '%s' %s %.10g: if that stands for missing "
                "ones, make them gaps%s%s%s",
                f->count, f->count > 1 ? "s" : "", r->take.signal[i].name,
                f->count > 1 ? "are" : "is", f->value,
                r->arrays ? " (nan)" : ": sed 's/", f->text,
                r->arrays ? "" : "\\b/nan/g' FILE >run.csv");
    }
}

/* How time was read, where that is not certain. */
static void tell_clock(const darc_reader *r, darc_table *table)
{
    const darc_csv_clock *c = &r->csv.clock[r->csv.clock[1].any];
    if (r->clock.note != NULL)
        darc_table_remark(table, "%s", r->clock.note);
    const char *by = r->parted_by;
    char order = c->form.order;
    bool minutes = c->form.clock == 'm', any = !r->arrays && c->any;
    if (any && c->chosen)
        darc_table_remark(table, "days are read as %s",
                          order == 'm' ? "month/day (--stamps dmy: day/month)"
                          : order == 'y'
                              ? "year/month/day (--stamps dmy)"
                              : "day/month (--stamps mdy: month/day)");
    if (any && c->form.clock == '.')
        darc_table_remark(table, "23.59.59 is read as a clock (--stamps dmy: "
                                 "as a day)");
    if (any && c->counted)
        darc_table_remark(table, "1:02:03:04 is read as a day and a clock");
    if (any && c->form.digits > 0)
        darc_table_remark(table,
                          "fractions of a second lack zeros in front: read as "
                          "counts of 1e-%d s",
                          c->form.digits);
    if (r->csv.clock[0].any && r->csv.clock[0].pair)
        darc_table_remark(
            table, "the clock is read as %s",
            minutes ? "minutes:seconds (--stamps h:m: hours:minutes)"
                    : "hours:minutes (--stamps m:s: minutes:seconds)");
    if (r->still > 0)
        darc_table_remark(table,
                          "%s %zu: %zu row%s the time of the row before: the "
                          "later one counts",
                          r->arrays ? "row" : "line", r->still_line, r->still,
                          r->still > 1 ? "s have" : " has");
    if (r->set > 0)
        darc_table_remark(table,
                          "line %zu: the clock was set by an hour there, as "
                          "summer time begins or ends (%zu time%s): time goes "
                          "on without it",
                          r->set_line, r->set, r->set > 1 ? "s" : "");
    if (r->anew > 0)
        darc_table_remark(table,
                          "%s %zu: time begins anew (%zu time%s): a segment "
                          "of its own, %d rows behind the one before%s%s",
                          r->arrays ? "row" : "line", r->back_line, r->anew,
                          r->anew > 1 ? "s" : "", DARC_APART,
                          by != NULL ? "; a recording each: --each " : "",
                          by != NULL ? by : "");
}

/* The first cell of a kind, and how many there are. */
static void tell_odd(darc_table *table, const darc_csv_odd *x, const char *what)
{
    if (x->cells > 0)
        darc_table_remark(table, "line %zu: '%s' %s (%zu such cell%s)", x->line,
                          x->text, what, x->cells, x->cells > 1 ? "s" : "");
}

/* Cells that are not what stands there. */
static void tell_cells(const darc_reader *r, darc_table *table)
{
    tell_odd(table, &r->csv.infinite, "is a gap");
    tell_odd(table, &r->csv.scaled,
             "has a power of ten: m 1e-3, k 1e3, M or MEG 1e6");
    if (r->csv.above > 0)
        darc_table_remark(table,
                          "line %zu: what has a value in the first %d columns "
                          "is of a level above the rows: not read (%zu line%s)",
                          r->csv.level_line, r->csv.levels, r->csv.above,
                          r->csv.above > 1 ? "s" : "");
    if (r->csv.alone && r->csv.passed > 0)
        darc_table_remark(table,
                          "'%s' is %s: %zu row%s of others not read (--each)",
                          r->csv.name[r->csv.pick], r->csv.picked,
                          r->csv.passed, r->csv.passed > 1 ? "s" : "");
    if (r->csv.lines.letters != NULL)
        darc_table_remark(table, "%s", r->csv.lines.letters);
    if (r->csv.vertical)
        darc_table_remark(table, "columns are named by lines above, one below "
                                 "the other");
    if (r->csv.grouped && !r->csv.decimals)
        darc_table_remark(table,
                          "numbers that have a mark have three digits behind "
                          "it, as 1%c202: these are read as decimal marks; if "
                          "they part thousands, take them away",
                          r->csv.point);
    if (r->take.time_column < 0 && r->rate > 0 && r->csv.step > 0 &&
        fabs(r->rate * r->csv.step - 1) < 1e-12)
        darc_table_remark(table,
                          "time by '%s' in line %zu: %.6g Hz (--rate gives "
                          "another)",
                          r->csv.step_name, r->csv.step_line, r->rate);
}

bool darc_reader_takes_all(const darc_reader *r)
{
    return r->all;
}

const darc_csv_odd *darc_reader_odd(const darc_reader *r, int signal)
{
    const darc_csv_odd *x =
        r->csv.odd != NULL ? &r->csv.odd[r->take.signal[signal].column] : NULL;
    return x != NULL && x->cells > 0 ? x : NULL;
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
        darc_table_remark(table, "%s", r->take.text);
    if (r->take.time_column >= 0)
        tell_clock(r, table);
    if (!r->arrays)
        tell_cells(r, table);
    tell_fillers(r, table);
    if (!r->arrays && r->csv.rest > 0)
        darc_table_remark(table,
                          r->csv.cut_off
                              ? "line %zu has no end, its last number seems "
                                "to be cut: not read"
                              : "line %zu and what is below are no rows: not "
                                "read",
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
                       ? (r->now - r->began) * r->rate / (double)(n - 1) - 1
                       : 0;
    if (fabs(drift) > DARC_CLOCKS_AGREE)
        darc_table_remark(table,
                          "the time column runs %.3g %% %s than --rate says; "
                          "the rate counts",
                          100 * fabs(drift), drift > 0 ? "longer" : "shorter");
}
