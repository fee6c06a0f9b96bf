/* look.c - what the columns hold that a reader may take. */
#include "base/mem.h"
#include "data/reader_state.h"
#include "data/thresholds.h"

#include <string.h>

darc_status darc_reader_look(darc_column_look *look, void *user, int c,
                             darc_err *err)
{
    darc_reader *r = user;
    (void)err;
    *look = (darc_column_look){DARC_COLUMN_NUMBERS, {0}};
    if (r->arrays)
        return DARC_OK;
    if (r->look == NULL) {
        r->look = darc_calloc((size_t)r->csv.columns, sizeof *r->look);
        darc_csv_look_at(r->look, &r->csv);
    }
    const darc_csv_look *x = r->look + c;
    if (x->pairs > 0)
        look->form.clock = x->minutes ? 'm' : 'h';
    if (x->falls > 1 && x->most < 30)
        look->form.clock = 'f';
    if (x->places > 1 && x->places % 3 == 0 &&
        (x->back || (x->zeros > 0 && x->zeros < x->places)))
        look->form.digits = (unsigned char)x->places;
    bool dotted = x->dotted > 0 && x->dotted == x->stamps &&
                  (x->dates < x->stamps || x->turns > 0);
    if (dotted) /* a clock, whose seconds go on from row to row */
        look->form.clock = '.';
    if (x->stamps > x->numbers && x->stamps >= x->words)
        look->kind = dotted || x->clocks == x->stamps ? DARC_COLUMN_CLOCK
                     : x->dates == x->stamps          ? DARC_COLUMN_DAYS
                                                      : DARC_COLUMN_STAMPS;
    else if (x->words > x->numbers)
        look->kind = DARC_COLUMN_TEXT;
    else if (x->numbers == 0 && x->gaps > 0)
        look->kind = DARC_COLUMN_EMPTY;
    return DARC_OK;
}

/* The same of the rows that are picked. */
static darc_status first_picked(double *x, size_t *n, darc_reader *r, int c,
                                darc_err *err)
{
    const size_t most = DARC_CLOCK_ROWS;
    const double *value;
    size_t have;
    bool *picked = darc_malloc(most * sizeof *picked);
    darc_status status = DARC_OK;
    *n = 0;
    for (size_t row = 0; row < r->source.rows && *n < most; row += have) {
        DARC_TRY(darc_arrayfile_values(&value, &have, &r->source, r->pick, row,
                                       err));
        size_t want = have < most ? have : most;
        for (size_t i = 0; i < want; i++)
            picked[i] = value[i] == r->picked;
        DARC_TRY(darc_arrayfile_values(&value, &have, &r->source, c, row, err));
        have = have < want ? have : want;
        for (size_t i = 0; i < have && *n < most; i++)
            if (picked[i])
                x[(*n)++] = value[i];
    }
done:
    darc_free(picked);
    return status;
}

darc_status darc_reader_first(double *x, size_t *n, void *user, int c,
                              darc_stamp_form form, darc_err *err)
{
    darc_reader *r = user;
    const double *value;
    if (!r->arrays) {
        *n = darc_csv_first(x, DARC_CLOCK_ROWS, &r->csv, c, &form);
        return DARC_OK;
    }
    if (r->pick >= 0)
        return first_picked(x, n, r, c, err);
    DARC_NEED(darc_arrayfile_values(&value, n, &r->source, c, 0, err));
    *n = *n < DARC_CLOCK_ROWS ? *n : DARC_CLOCK_ROWS;
    memcpy(x, value, *n * sizeof *x);
    return DARC_OK;
}
