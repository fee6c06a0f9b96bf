#include "decide/wideside.h"

#include "base/mem.h"
#include "decide/thresholds.h"
#include "derive/derive.h"
#include "model/derived.h"

darc_status darc_wideside_init(darc_wideside *s, const darc_question *x,
                               const darc_table *table, darc_err *err)
{
    darc_status status;
    int terms = (int)darc_question_equation(x, 0)->part->count;
    *s = (darc_wideside){.x = x, .table = table, .r = {.idle = true}};
    if (terms > DARC_WIDE_TERMS)
        return darc_fail(err, DARC_DATA,
                         "the io-equation has %d terms, more than the %d of "
                         "which it can be asked whether a recording moves them "
                         "independently",
                         terms, DARC_WIDE_TERMS);
    darc_question y = *x;
    darc_criteria by = *x->by;
    y.by = &by;
    by.edges = true;
    DARC_TRY(darc_regression_init(&s->r, &y, table, err));
    DARC_TRY(darc_moments_init(&s->columns, &s->r, x, table, err));
    s->r.idle = s->columns.rows == 0;
    if (s->r.idle)
        status = darc_fail(err, DARC_DATA,
                           "the io-equation has %d terms, and the recording is "
                           "too short for as many moments of each",
                           terms);
done:
    return status;
}

void darc_wideside_clear(darc_wideside *s)
{
    darc_regression_clear(&s->r);
    darc_moments_clear(&s->columns);
}

/* ---- doubt -----------------------------------------------------------------
 */

/* Whether a derived signal has errors that are no white noise. */
static bool has_estimate(const darc_wideside *s)
{
    for (int u = 0; u < s->r.unknowns; u++) {
        const darc_derivation *v = darc_table_derivation(s->table, u);
        if (s->r.column[u] >= 0 && v != NULL && v->error > 0 &&
            darc_derive_is_estimated(s->x->model, u))
            return true;
    }
    return false;
}

void darc_wideside_doubt(darc_decision *d, const darc_wideside *s)
{
    if (d->verdict != DARC_INCONSISTENT)
        return;
    if (has_estimate(s))
        darc_decision_say(
            d, DARC_UNDECIDED,
            "more remains than the noise explains, but the errors of "
            "derived signals may make it");
    else if (s->r.coloured >= 0)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "more remains than white noise of the size seen above the band of "
            "the signals explains, but coloured noise may; give --noise or "
            "--noise-from");
}
