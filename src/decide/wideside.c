#include "decide/wideside.h"

#include "base/mem.h"

/* A singular value decomposition of so many columns takes some ten seconds. */
#define MOST_TERMS 1000

bool darc_wideside_is_doubtful(darc_decision *d, const darc_wideside *s,
                               const darc_weakcheck_options *o)
{
    const darc_weakfit *f = &s->fit;
    if (f->suspect) {
        darc_decision_say(
            d, DARC_UNDECIDED,
            "more remains than white noise of the size seen above the band of "
            "the signals explains, but coloured noise may; give --noise or "
            "--noise-from");
        return true;
    }
    for (int u = 0; u < f->unknowns && o->derived_error != NULL; u++)
        if (o->derived_error[u] > 0 &&
            darc_total_var(f->total, (darc_deriv){u, 0}) >= 0) {
            darc_decision_say(
                d, DARC_UNDECIDED,
                "more remains than the noise explains, but the errors of "
                "derived signals may make it");
            return true;
        }
    return false;
}

void darc_wideside_clear(darc_wideside *s)
{
    darc_weakfit_clear(&s->fit);
    darc_weakcolumns_clear(&s->columns);
    darc_free(s->column);
}

darc_status darc_wideside_init(darc_wideside *s, int number, darc_weakdoubt at,
                               darc_err *err)
{
    darc_status status;
    *s = (darc_wideside){.idle = false};
    s->column = darc_calloc((size_t)at.io->jet->names->count, sizeof(int));
    DARC_TRY(darc_weakfit_open(&s->fit, s->column, at.model, at.io, at.e,
                               at.table, at.o, err));
    at.f = &s->fit;
    at.column = s->column;
    DARC_TRY(darc_weakfit_suspect(&at, err));
    darc_weaksource from = {&s->fit, s->column, at.table, number};
    DARC_TRY(darc_weakcolumns_init(&s->columns, &from, at.o, at.budget, err));
done:
    s->idle = s->fit.idle;
    if (status != DARC_OK)
        darc_weakcolumns_clear(&s->columns);
    return status;
}

darc_status darc_wideside_look(darc_nullity *f, const darc_weakcolumns *columns,
                               double alpha, darc_err *err)
{
    *f = (darc_nullity){.columns = columns};
    if (darc_nullity_find(f, alpha))
        return DARC_OK;
    darc_nullity_clear(f);
    return darc_fail(err, DARC_INTERNAL, "no singular values of %d columns",
                     columns->n);
}

bool darc_wideside_is_out_of_reach(darc_decision *d, int terms,
                                   const darc_wideside *s)
{
    if (s == NULL && terms > MOST_TERMS)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "the io-equation has %d terms, more than the %d of which it can "
            "be asked whether a recording moves them independently",
            terms, MOST_TERMS);
    else if (s != NULL && s->columns.rows == 0)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "the io-equation has %d terms, and the recording is too short for "
            "as many moments of each",
            terms);
    else
        return false;
    return true;
}
