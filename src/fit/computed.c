#include "fit/computed.h"

#include "base/mem.h"
#include "fit/thresholds.h"
#include "model/model.h"
#include "noise/controller.h"

#include <math.h>

/* Return the column of the table that unknown u was measured in; -1: none. */
static int measured(const darc_question *x, const darc_table *table, int u)
{
    const darc_symbol *s = x->io->jet->names->symbol + u;
    return s->kind == DARC_TIME || darc_derived_expr(x->model, u) != NULL
               ? -1
               : darc_table_find(table, s->name);
}

/* Whether only the spectrum of unknown u can tell its noise. */
static bool is_asked(const darc_question *x, int u)
{
    const darc_criteria *by = x->by;
    return by->colour == DARC_ASSUME_AUTO &&
           x->io->jet->names->symbol[u].kind == DARC_INPUT &&
           (by->noise_sd == NULL || isnan(by->noise_sd[u])) &&
           (by->rest == NULL || by->rest[u].samples == 0);
}

/* Set the sd of noise, of other than white a share: it changes less from sample
 * to sample. */
static bool read_noise(double *sd, const darc_table *table, const int *column,
                       int count)
{
    darc_signalnoise *n = darc_calloc((size_t)count, sizeof *n);
    bool ok = darc_signalnoise_read(n, table, column, count, NULL) == DARC_OK;
    for (int i = 0; i < count && ok; i++) {
        double share = n[i].colour == DARC_COLOUR_WHITE ? 1
                       : n[i].colour == DARC_COLOUR_ANY ? DARC_COMPUTED_RED
                                                        : 0;
        sd[i] = share * n[i].sd;
        darc_signalnoise_clear(n + i);
    }
    darc_free(n);
    return ok;
}

bool darc_computed_find(double *left, const darc_question *x,
                        const darc_table *table, int u)
{
    int unknowns = x->io->jet->names->count, input = measured(x, table, u);
    if (input < 0 || !is_asked(x, u) || darc_table_is_patchy(table))
        return false;
    int *column = darc_calloc((size_t)unknowns, sizeof *column);
    double *sd = darc_calloc((size_t)unknowns, sizeof *sd);
    darc_controller_outputs of = {.column = column, .sd = sd};
    for (int v = 0; v < unknowns; v++)
        if (x->io->jet->names->symbol[v].kind != DARC_INPUT &&
            measured(x, table, v) >= 0)
            column[of.count++] = measured(x, table, v);
    bool found = of.count > 0 && read_noise(sd, table, column, of.count) &&
                 darc_controller_find(left, table, input, &of);
    DARC_FREE(column, sd);
    return found;
}
