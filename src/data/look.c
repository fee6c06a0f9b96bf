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

darc_status darc_reader_first(double *x, size_t *n, void *user, int c,
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
