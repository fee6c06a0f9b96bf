#include "verdict/wide.h"

#include "base/mem.h"
#include "verdict/freedom.h"
#include "verdict/nullity.h"
#include "verdict/weakdoubt.h"
#include "verdict/weakpair.h"

#include <math.h>
#include <stdio.h>

/* A singular value decomposition of so many columns takes some ten seconds. */
#define MOST_TERMS 1000

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

/* Whether what is not known of the noise, or errors of derived signals, may
 * make what speaks against the model; *d says so. */
static bool is_doubtful(darc_decision *d, const darc_weakfit *f,
                        const darc_nullity *found,
                        const darc_weakcheck_options *o)
{
    if (found->free > 0)
        return false;
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

/* A recording of an equation and its columns. */
typedef struct {
    darc_weakfit fit; /* open */
    int *column;      /* owned */
    darc_weakcolumns columns;
    bool idle; /* no signal moves */
} side;

static void side_clear(side *s)
{
    darc_weakfit_clear(&s->fit);
    darc_weakcolumns_clear(&s->columns);
    darc_free(s->column);
}

/* Set s to recording number `number`, table; at.f and at.column are set. */
static darc_status side_init(side *s, int number, darc_weakdoubt at,
                             darc_err *err)
{
    darc_status status;
    *s = (side){.idle = false};
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

static darc_status look(darc_nullity *f, const darc_weakcolumns *columns,
                        double alpha, darc_err *err)
{
    *f = (darc_nullity){.columns = columns};
    if (darc_nullity_find(f, alpha))
        return DARC_OK;
    darc_nullity_clear(f);
    return darc_fail(err, DARC_INTERNAL, "no singular values of %d columns",
                     columns->n);
}

/* Whether there are too many terms, for us or for the recording; *d is the
 * decision then. */
static bool is_out_of_reach(darc_decision *d, int terms, const side *s)
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
    side s;
    darc_nullity f;
    *out = (darc_weakcheck){.residual = {.rms = NAN, .relative_rms = NAN}};
    *d = darc_decision_none(o->alpha, o->tolerance);
    describe(out, eq, io->jet);
    if (is_out_of_reach(d, (int)eq->part->count, NULL))
        return DARC_OK;
    darc_err_init(&why);
    darc_status status = side_init(&s, 0, at, &why);
    if (status == DARC_DATA && s.idle) {
        darc_decision_say(d, DARC_UNDECIDED, "%s", why.message);
        status = DARC_OK;
    } else if (status != DARC_OK) {
        darc_fail(err, status, "%s", why.message);
    } else if (!is_out_of_reach(d, s.fit.model, &s)) {
        out->residual.used = s.columns.used;
        status = look(&f, &s.columns, o->alpha, err);
        if (status == DARC_OK) {
            decide(d, &f,
                   f.free == 1 && darc_freedom_is_full(model, io, e, budget));
            is_doubtful(d, &s.fit, &f, o);
            darc_nullity_clear(&f);
        }
    }
    side_clear(&s);
    if (status != DARC_OK)
        darc_weakcheck_clear(out);
    return status;
}

/* ---- pairs ------------------------------------------------------------------
 */

/* Whether recording i alone fits the equation; *d says where it does not. */
static bool stands_alone(darc_decision *d, darc_weakcheck *out,
                         const darc_nullity *f, int i)
{
    int n = f->columns->n;
    darc_weakcheck_note(out, "recording %c moves %d of %d terms independently",
                        'A' + i, n - f->free, n);
    if (f->free > 0)
        return true;
    darc_decision_say(
        d, DARC_UNDECIDED,
        "recording %c moves all %d terms independently of each other: no "
        "coefficients fit it, and there are none to compare",
        'A' + i, n);
    return false;
}

/* Changes of all coefficients by the fraction t move W c by t times the sum of
 * all terms at most, which is t sqrt(n) times the root of c'Gc. */
static double least_change(const darc_nullity *f)
{
    return f->low / sqrt((double)f->columns->n);
}

/* Decide by both recordings together; free: directions that each leaves. */
static void compare(darc_decision *d, const darc_nullity *f, const int free[2])
{
    int n = f->columns->n;
    double t = d->tolerance, change = least_change(f);
    d->statistic = f->value[0];
    d->dof = f->dof;
    d->p_value = f->p_value;
    d->detectable = f->free <= 1 ? f->detectable : NAN;
    if (f->free == 0)
        d->defect_low = change;
    if (f->free == 0 && (t == 0 || change > t))
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "the parameters differ: coefficients of the %d terms fit either "
            "recording, but none fit both; some change by at least %.2g %%",
            n, 100 * change);
    else if (f->free == 0)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "no coefficients fit both recordings, but that some change by "
            "more than the tolerance of %.3g %% is not shown",
            100 * t);
    else if (f->free > 1 || free[0] > 1 || free[1] > 1)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "%d terms, of which recording A moves %d independent ones beyond "
            "its noise, B %d, both together %d: some coefficients fit both, "
            "and a change in the other directions is not seen",
            n, n - free[0], n - free[1], n - f->free);
    else if (f->detectable > (t > 0 ? t : DARC_WEAK_MEANING))
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing shows a change, but one that moves the equation by less "
            "than %.2g %% of its leading term would not have been found",
            100 * f->detectable);
    else
        darc_decision_say(
            d, DARC_CONSISTENT,
            "the parameters are the same: the same coefficients fit both "
            "recordings; a change that moves the equation by %.2g %% of its "
            "leading term would have been found",
            100 * f->detectable);
}

/* Look at each recording, then at both. */
static darc_status look_at_both(darc_weakcheck *out, const side s[2],
                                const darc_weakcheck_options *o, darc_err *err)
{
    darc_decision *d = &out->decision;
    darc_nullity f;
    int free[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        darc_status status =
            look(&f, &s[i].columns, o->alpha * DARC_WEAK_GATE, err);
        if (status != DARC_OK)
            return status;
        free[i] = f.free;
        bool alone = stands_alone(d, out, &f, i);
        darc_nullity_clear(&f);
        if (!alone)
            return DARC_OK;
    }
    darc_weakcolumns both;
    darc_weakcolumns_stack(&both, &s[0].columns, &s[1].columns);
    darc_status status = look(&f, &both, o->alpha, err);
    if (status == DARC_OK) {
        compare(d, &f, free);
        for (int i = 0; i < 2 && d->verdict == DARC_INCONSISTENT; i++)
            is_doubtful(d, &s[i].fit, &f, o);
        darc_nullity_clear(&f);
    }
    darc_weakcolumns_clear(&both);
    return status;
}

static darc_status hold_pair(darc_weakcheck *out, side s[2], darc_weakdoubt at,
                             const darc_table *const table[2], darc_err *err)
{
    darc_status status = DARC_OK;
    darc_decision *d = &out->decision;
    for (int i = 0; i < 2 && status == DARC_OK; i++) {
        at.table = table[i];
        status = side_init(s + i, i, at, err);
        if (status == DARC_OK && is_out_of_reach(d, s[i].fit.model, s + i))
            return DARC_OK;
        out->residual.used += s[i].columns.used;
    }
    if (status != DARC_OK)
        return status;
    if (darc_weakfit_are_copies(&s[0].fit, at.io->jet->names, table)) {
        darc_decision_refuse_copies(d);
        return DARC_OK;
    }
    return look_at_both(out, s, at.o, err);
}

void darc_wide_refuse_changed(darc_weakcheck *out, const darc_ioeqs_t io, int e,
                              const darc_weakcheck_options *o)
{
    const darc_ioeq *eq = io->eq + e;
    int terms = (int)eq->part->count;
    *out = (darc_weakcheck){.residual = {.rms = NAN, .relative_rms = NAN}};
    out->decision = darc_decision_none(o->alpha, o->tolerance);
    describe(out, eq, io->jet);
    if (darc_wide_is(io, e))
        darc_decision_say(
            &out->decision, DARC_UNDECIDED,
            "the io-equation has %d terms, and what a change of some "
            "parameters leaves alone is known of up to %d; check equal tells "
            "whether anything changed",
            terms, DARC_WEAK_TERMS);
    else
        darc_decision_say(
            &out->decision, DARC_UNDECIDED,
            "the io-equation is not expanded, which would be long, so that "
            "nobody knows what a change of some parameters leaves alone; "
            "check equal tells whether anything changed, and --engine project "
            "expands the equation");
}

darc_status darc_wide_pair(darc_weakcheck *out, const darc_model *model,
                           const darc_ioeqs_t io, int e,
                           const darc_table *const table[2],
                           const darc_weakcheck_options *o,
                           const darc_budget *budget, darc_err *err)
{
    const darc_ioeq *eq = io->eq + e;
    darc_decision *d = &out->decision;
    darc_err why;
    side s[2] = {{.idle = false}, {.idle = false}};
    *out = (darc_weakcheck){.residual = {.rms = NAN, .relative_rms = NAN}};
    *d = darc_decision_none(o->alpha, o->tolerance);
    describe(out, eq, io->jet);
    if (is_out_of_reach(d, (int)eq->part->count, NULL))
        return DARC_OK;
    darc_err_init(&why);
    darc_weakdoubt at = {NULL, model, io, e, NULL, NULL, o, budget};
    darc_status status = hold_pair(out, s, at, table, &why);
    if (status == DARC_DATA && (s[0].idle || s[1].idle)) {
        darc_decision_say(d, DARC_UNDECIDED, "%s", why.message);
        status = DARC_OK;
    } else if (status != DARC_OK) {
        darc_fail(err, status, "%s", why.message);
    }
    side_clear(s);
    side_clear(s + 1);
    if (status != DARC_OK)
        darc_weakcheck_clear(out);
    return status;
}
