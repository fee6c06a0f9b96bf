#include "fit/excitation.h"

#include "stats/lanes.h"
#include "weak/weak_inside.h"

#include <math.h>
#include <stdio.h>

static bool is_still(const darc_signal *signal, const darc_table *table)
{
    static const double STILL = 1e-12; /* of the value: its rounding */
    double y = signal->value[table->segment[0].begin];
    return sqrt(darc_lanes_variance(signal->value, table)) <= STILL * fabs(y);
}

darc_status darc_excitation_of_signals(darc_weakfit *f, const darc_table *table,
                                       const int *column, darc_err *err)
{
    f->idle = table->segments > 0;
    for (int u = 0; u < f->unknowns && f->idle; u++)
        f->idle = column[u] < 0 || is_still(table->signal + column[u], table);
    return !f->idle ? DARC_OK
                    : darc_fail(err, DARC_DATA,
                                "%s: no signal moves, and constant ones excite "
                                "nothing",
                                table->file);
}

darc_status darc_excitation_of_orders(darc_weakfit *f, darc_err *err)
{
    int order = darc_total_order(f->total);
    f->idle = order > DARC_WEAK_MAX_ORDER;
    return !f->idle ? DARC_OK
                    : darc_fail(err, DARC_DATA,
                                "the io-equation has order %d, of which "
                                "recordings show little; the weak form takes "
                                "up to %d",
                                order, (int)DARC_WEAK_MAX_ORDER);
}

/* Return the first signal that the terms of coefficient j hold. */
static const char *signal_of(const darc_weakfit *f, int j,
                             const darc_table *table, const int *column)
{
    const darc_total_struct *total = f->total;
    for (int i = 0; i < total->count; i++)
        for (int v = 0; v < total->vars && total->term[i].coeff == j; v++) {
            int at = column[total->var[v].unknown];
            bool held =
                total->term[i].exponent[v] != 0 || total->term[i].log == v;
            if (held && at >= 0)
                return table->signal[at].name;
        }
    return "time";
}

darc_status darc_excitation_of_terms(darc_weakfit *f, const darc_table *table,
                                     const int *column, darc_err *err)
{
    int j = darc_weak_vanishing(f->weak, f->model);
    f->idle = j >= 0;
    return j < 0 ? DARC_OK
                 : darc_fail(err, DARC_DATA,
                             "%s does not excite the term of c%d, with the "
                             "signal '%s': it is 0 throughout",
                             table->file, j, signal_of(f, j, table, column));
}

darc_status darc_excitation_decide(darc_weakcheck *out, const darc_ioeqs_t io,
                                   int e, const darc_weakcheck_options *o,
                                   const char *reason, darc_err *err)
{
    darc_text_t t;
    darc_total_t total;
    darc_status status =
        darc_total_init(total, io->eq[e].part, io->jet, true, err);
    if (status != DARC_OK)
        return status;
    out->decision = darc_decision_none(o->alpha, o->tolerance);
    snprintf(out->decision.reason, sizeof out->decision.reason, "%s", reason);
    darc_text_init(t);
    darc_total_print(t, total, io->jet->names);
    out->form = darc_text_take(t);
    out->terms = total->count;
    out->order = darc_total_order(total);
    darc_total_clear(total);
    return DARC_OK;
}
