#include "decide/wideside.h"

#include "base/mem.h"
#include "derive/derive.h"
#include "model/derived.h"
#include "noise/signalnoise.h"

#include <math.h>

/* A singular value decomposition of so many columns takes some ten seconds. */
#define MOST_TERMS 1000

darc_status darc_wideside_init(darc_wideside *s, const darc_question *x,
                               const darc_table *table, int number,
                               darc_err *err)
{
    darc_status status;
    int terms = (int)darc_question_equation(x, 0)->part->count;
    *s = (darc_wideside){.x = x, .table = table, .r = {.idle = true}};
    if (terms > MOST_TERMS)
        return darc_fail(err, DARC_DATA,
                         "the io-equation has %d terms, more than the %d of "
                         "which it can be asked whether a recording moves them "
                         "independently",
                         terms, MOST_TERMS);
    DARC_TRY(darc_regression_init(&s->r, x, table, err));
    DARC_TRY(darc_moments_init(&s->columns, &s->r, x, table, number, err));
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

static bool is_given(const darc_criteria *by, int u)
{
    return (by->noise_sd != NULL && !isnan(by->noise_sd[u])) ||
           (by->noise != NULL && by->noise[u].kernel != NULL);
}

/* Whether the noise of a measured signal may have any spectrum. */
static bool has_colour(const darc_wideside *s)
{
    int count = 0, *list = darc_calloc((size_t)s->r.unknowns, sizeof *list);
    darc_signalnoise *n = darc_calloc((size_t)s->r.unknowns, sizeof *n);
    for (int u = 0; u < s->r.unknowns; u++)
        if (s->r.column[u] >= 0 && darc_derived_find(s->x->model, u) < 0 &&
            !is_given(s->x->by, u))
            list[count++] = s->r.column[u];
    bool coloured = count > 0 && darc_signalnoise_read(n, s->table, list, count,
                                                       NULL) != DARC_OK;
    for (int i = 0; i < count; i++) {
        coloured = coloured || n[i].colour == DARC_COLOUR_ANY;
        darc_signalnoise_clear(n + i);
    }
    darc_free(n);
    darc_free(list);
    return coloured;
}

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
    else if (has_colour(s))
        darc_decision_say(
            d, DARC_UNDECIDED,
            "more remains than white noise of the size seen above the band of "
            "the signals explains, but coloured noise may; give --noise or "
            "--noise-from");
}
