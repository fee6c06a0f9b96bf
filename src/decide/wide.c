#include "decide/wide.h"

#include "base/mem.h"
#include "coefficient/classes.h"
#include "decide/freedom.h"
#include "decide/widepair.h"

#include <math.h>

bool darc_wide_is(const darc_ioeqs_t io, int e)
{
    return io->eq[e].part->count > DARC_WEAK_TERMS;
}

/* ---- the decision -----------------------------------------------------------
 */

static void decide(darc_decision *d, const darc_nullity *f, bool full)
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
            "coefficients relate them; at least %.3g %% of the leading term "
            "remain",
            n, 100 * f->low);
    else if (f->free == 0)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "no coefficients relate the %d terms, but whether less than the "
            "tolerance of %.3g %% of the leading term remains is not shown",
            n, 100 * t);
    else if (f->detectable > (t > 0 ? t : DARC_WEAK_MEANING))
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model, but a defect of less than %.2g %% "
            "of the leading term would not have been found",
            100 * f->detectable);
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
            "one relation binds the %d terms to within noise; a defect of "
            "%.2g %% of the leading term would have been found",
            n, 100 * f->detectable);
}

static void describe(darc_weakcheck *out, const darc_ioeq *eq,
                     const darc_jet_t jet)
{
    darc_text_t t;
    darc_text_init(t);
    darc_text_printf(t, "%d terms, each with a coefficient of its own",
                     (int)eq->part->count);
    out->form = darc_text_take(t);
    out->wide = true;
    darc_text_clear(t);
    out->terms = (int)eq->part->count;
    out->order = darc_ioeq_order(eq, jet);
    if (eq->part->count <= DARC_WEAK_TERMS)
        return;
    darc_weakcheck_note(out,
                        "an equation of more than %d terms: asked is how many "
                        "of them the recording moves independently",
                        DARC_WEAK_TERMS);
}

/* ---- structure --------------------------------------------------------------
 */

darc_status darc_wide_structure(darc_weakcheck *out, const darc_model *model,
                                const darc_ioeqs_t io, int e,
                                const darc_table *table,
                                const darc_weakcheck_options *o,
                                const darc_budget *budget, darc_err *err)
{
    const darc_ioeq *eq = io->eq + e;
    darc_weakdoubt at = {NULL, model, io, e, table, NULL, o, budget};
    darc_decision *d = &out->decision;
    darc_err why;
    darc_wideside s;
    darc_nullity f;
    *out = (darc_weakcheck){.residual = {.rms = NAN, .relative_rms = NAN}};
    *d = darc_decision_none(o->alpha, o->tolerance);
    describe(out, eq, io->jet);
    if (darc_wideside_is_out_of_reach(d, (int)eq->part->count, NULL))
        return DARC_OK;
    darc_err_init(&why);
    darc_status status = darc_wideside_init(&s, 0, at, &why);
    if (status == DARC_DATA && s.idle) {
        darc_decision_say(d, DARC_UNDECIDED, "%s", why.message);
        status = DARC_OK;
    } else if (status != DARC_OK) {
        darc_fail(err, status, "%s", why.message);
    } else if (!darc_wideside_is_out_of_reach(d, s.fit.model, &s)) {
        out->residual.used = s.columns.used;
        status = darc_wideside_look(&f, &s.columns, o->alpha, err);
        if (status == DARC_OK) {
            decide(d, &f,
                   f.free == 1 && darc_freedom_is_full(model, io, e, budget));
            if (f.free == 0)
                darc_wideside_is_doubtful(d, &s, o);
            darc_nullity_clear(&f);
        }
    }
    darc_wideside_clear(&s);
    if (status != DARC_OK)
        darc_weakcheck_clear(out);
    return status;
}

/* ---- pairs ------------------------------------------------------------------
 */

/* Test what a change of `changed` leaves alone. */
static darc_status test_changed(darc_decision *d, const darc_widepair *p,
                                const darc_weakdoubt *at, const bool *changed,
                                darc_err *err)
{
    darc_status status = DARC_OK;
    darc_blackbox_t g = {0};
    darc_classes_t c = {0};
    slong *least = NULL;
    *d = p->why;
    if (p->settled)
        return DARC_OK;
    DARC_TRY(darc_blackbox_init(g, at->io, at->model, at->budget, err));
    DARC_TRY(darc_classes_init(c, g, err));
    least = darc_calloc((size_t)c->entries, sizeof *least);
    DARC_TRY(darc_classes_find(least, c, changed, err));
    status = darc_widepair_changed(d, p, least, g->first[at->e], err);
done:
    darc_free(least);
    darc_classes_clear(c);
    darc_blackbox_clear(g);
    return status;
}

static void note_sides(darc_weakcheck *out, const darc_widepair *p)
{
    int n = p->terms;
    for (int i = 0; i < 2; i++) {
        out->residual.used += p->side[i].columns.used;
        if (p->free[i] >= 0)
            darc_weakcheck_note(
                out, "recording %c moves %d of %d terms independently", 'A' + i,
                n - p->free[i], n);
    }
}

darc_status darc_wide_pair(darc_weakcheck *out, const darc_model *model,
                           const darc_ioeqs_t io, int e,
                           const darc_table *const table[2],
                           const bool *changed, const darc_weakcheck_options *o,
                           const darc_budget *budget, darc_err *err)
{
    darc_widepair p;
    darc_weakdoubt at = {NULL, model, io, e, NULL, NULL, o, budget};
    *out = (darc_weakcheck){.residual = {.rms = NAN, .relative_rms = NAN}};
    describe(out, io->eq + e, io->jet);
    darc_status status = darc_widepair_init(&p, at, table, err);
    if (status == DARC_OK) {
        note_sides(out, &p);
        status = changed == NULL
                     ? darc_widepair_equal(&out->decision, &p, err)
                     : test_changed(&out->decision, &p, &at, changed, err);
        darc_widepair_clear(&p);
    }
    if (status != DARC_OK)
        darc_weakcheck_clear(out);
    return status;
}
