#include "decide/wide.h"

#include "base/mem.h"
#include "base/text.h"
#include "decide/bindings.h"
#include "decide/moments.h"
#include "decide/thresholds.h"
#include "derive/derive.h"

#include <assert.h>

/* One recording of an io-equation of many terms. */
typedef struct {
    const darc_question *x; /* of the equation alone */
    const darc_table *table;
    darc_regression r;
    darc_moments columns;
} wideside;

/* Set s to a recording, to be released in any case.  Fails with s->r.idle where
 * it cannot answer: no signal moves, it is too short, or the terms are too
 * many.
 */
static darc_status open_side(wideside *s, const darc_question *x,
                             const darc_table *table, darc_err *err)
{
    darc_status status;
    int terms = (int)darc_question_equation(x, 0)->part->count;
    *s = (wideside){.x = x, .table = table, .r = {.idle = true}};
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

/* Whether a derived signal has errors that are no white noise. */
static bool has_estimate(const wideside *s)
{
    for (int u = 0; u < s->r.unknowns; u++) {
        const darc_derivation *v = darc_table_derivation(s->table, u);
        if (s->r.column[u] >= 0 && v != NULL && v->error > 0 &&
            darc_derive_is_estimated(s->x->model, u))
            return true;
    }
    return false;
}

/* Where d is a rejection, let it be undecided if noise that is not known to be
 * white, or errors of derived signals, may have made it. */
static void doubt(darc_decision *d, const wideside *s)
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

bool darc_wide_is(const darc_ioeqs_t io, int e)
{
    return io->eq[e].part->count > DARC_WEAK_MAX_COEFFS;
}

static void decide_nullity(darc_decision *d, const darc_nullity *f, bool full)
{
    int n = f->columns->n;
    double t = d->tolerance;
    d->statistic = f->value[0];
    d->dof = f->dof;
    d->p_value = f->p_value;
    if (f->free > 1) {
        darc_decision_say(
            d, DARC_UNDECIDED,
            "%d terms, of which the recording moves %d independent ones "
            "beyond its noise: in the other %d directions the coefficients "
            "stay free, so that some always fit; richer excitation, less "
            "noise or a longer recording would help",
            n, n - f->free, f->free);
        return;
    }
    d->defect = f->defect;
    d->defect_low = f->low;
    d->detectable = f->detectable;
    if (f->free == 0 && (t == 0 || f->low > t))
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "the recording moves all %d terms independently of each other: no "
            "coefficients relate them; at least %s of the leading term remain",
            n, darc_percent_fine(f->low).text);
    else if (f->free == 0)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "no coefficients relate the %d terms, but whether less than the "
            "tolerance of %s of the leading term remains is not shown",
            n, darc_percent_fine(t).text);
    else if (!(f->detectable <= (t > 0 ? t : DARC_MEANING)))
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model, but a defect of less than %s of "
            "the leading term would not have been found",
            darc_percent_of(f->detectable).text);
    else if (!full)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model: one relation binds the %d terms "
            "to within noise; but its coefficients obey relations in the "
            "model, which are not tested",
            n);
    else
        darc_decision_say(
            d, DARC_CONSISTENT,
            "one relation binds the %d terms to within noise; a defect of %s "
            "of the leading term would have been found",
            n, darc_percent_of(f->detectable).text);
}

/* Set out to describe the only equation of x. */
static void open_judgement(darc_judgement *out, const darc_question *x)
{
    assert(x->equations == 1 && darc_wide_is(x->io, x->equation[0]));
    const darc_ioeq *eq = darc_question_equation(x, 0);
    darc_text_t t = DARC_TEXT;
    int terms = (int)eq->part->count;
    darc_text_printf(t, "%d terms, each with a coefficient of its own", terms);
    *out = (darc_judgement){.equations = 1};
    out->decision = darc_decision_none(x->by->alpha, x->by->tolerance);
    out->equation = darc_calloc(1, sizeof *out->equation);
    *out->equation = (darc_judged){.form = darc_text_take(t),
                                   .terms = terms,
                                   .order = darc_ioeq_order(eq, x->io->jet)};
    darc_judgement_note(out,
                        "an equation of more than %d terms: asked is how many "
                        "of them the recording moves independently",
                        (int)DARC_WEAK_MAX_COEFFS);
}

/* The decision on the equation is that on all. */
static void close_judgement(darc_judgement *out, darc_status status)
{
    if (status == DARC_OK)
        out->equation->decision = out->decision;
    else
        darc_judgement_clear(out);
}

static darc_status look_at(darc_judgement *out, const wideside *s,
                           darc_err *err)
{
    darc_nullity f;
    const darc_question *x = s->x;
    out->used[0] = s->columns.used;
    darc_status status = darc_nullity_find(&f, &s->columns, x->by->alpha, err);
    if (status == DARC_OK) {
        decide_nullity(&out->decision, &f,
                       f.free == 1 &&
                           darc_freedom_is_full(x->model, x->io, x->equation[0],
                                                x->budget));
        doubt(&out->decision, s);
    }
    darc_nullity_clear(&f);
    return status;
}

darc_status darc_wide_structure(darc_judgement *out, const darc_question *x,
                                const darc_table *table, darc_err *err)
{
    wideside s;
    darc_err why;
    darc_err_init(&why);
    open_judgement(out, x);
    darc_status status = open_side(&s, x, table, &why);
    if (status == DARC_OK)
        status = look_at(out, &s, &why);
    if (status == DARC_DATA && s.r.idle) {
        darc_decision_say(&out->decision, DARC_UNDECIDED, "%s", why.message);
        status = DARC_OK;
    }
    if (status == DARC_OK)
        darc_decision_finish(&out->decision);
    else
        darc_fail(err, status, "%s", why.message);
    darc_regression_clear(&s.r);
    darc_moments_clear(&s.columns);
    close_judgement(out, status);
    return status;
}

void darc_wide_pair(darc_judgement *out, const darc_question *x)
{
    open_judgement(out, x);
    darc_wide_withhold(&out->decision, x->io);
    close_judgement(out, DARC_OK);
}

void darc_wide_withhold(darc_decision *d, const darc_ioeqs_t io)
{
    bool open = d->verdict == DARC_CONSISTENT || d->reason[0] == '\0';
    for (int e = 0; e < io->count && open; e++)
        if (darc_wide_is(io, e))
            darc_decision_say(
                d, DARC_UNDECIDED,
                "the io-equation of '%.100s' has %d terms, and recordings are "
                "compared by coefficients of up to %d; check structure asks "
                "each of them",
                io->jet->names->symbol[io->eq[e].leader.unknown].name,
                (int)io->eq[e].part->count, (int)DARC_WEAK_MAX_COEFFS);
}
