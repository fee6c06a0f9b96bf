#include "decide/weakcheck.h"

#include "base/mem.h"
#include "coefficient/coeffrel.h"
#include "decide/contrast.h"
#include "decide/weakpair.h"
#include "decide/wide.h"
#include "decide/witness.h"
#include "fit/excitation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Products of terms that points of a program may take: seconds. */
#define RELATION_WORK 2e7

/* ---- both fits -------------------------------------------------------------
 */

static const darc_weakfit *worse(const darc_weakpair *p)
{
    return darc_weakfit_left(&p->a) > darc_weakfit_left(&p->b) ? &p->a : &p->b;
}

bool darc_weakfit_are_copies(const darc_weakfit *f,
                             const darc_names_struct *names,
                             const darc_table *const table[2])
{
    for (int u = 0; u < f->unknowns; u++) {
        const char *name = names->symbol[u].name;
        int i = darc_table_find(table[0], name);
        int j = darc_table_find(table[1], name);
        if (darc_total_var(f->total, (darc_deriv){u, 0}) >= 0 && i >= 0 &&
            j >= 0 && !darc_table_is_copy(table[0], i, table[1], j))
            return false;
    }
    return true;
}

darc_status darc_weakpair_init(darc_weakpair *p, const darc_model *model,
                               const darc_ioeqs_t io, int e,
                               const darc_table *a, const darc_table *b,
                               const darc_weakcheck_options *o,
                               const darc_budget *budget, darc_err *err)
{
    darc_weakcheck_options gate = *o;
    gate.alpha *= DARC_WEAK_GATE;
    *p = (darc_weakpair){.model = model, .io = io, .e = e, .options = *o};
    darc_status status =
        darc_weakfit_init(&p->a, model, io, e, a, &gate, budget, err);
    if (status != DARC_OK)
        return status;
    status = darc_weakfit_init(&p->b, model, io, e, b, &gate, budget, err);
    if (status != DARC_OK) {
        darc_weakfit_clear(&p->a);
        return status;
    }
    /* The test functions of one recording may be finer; the coefficients are
     * the same. */
    int r = darc_weakfit_reference(io, e);
    if (p->a.fit.c[r] == 0 || p->b.fit.c[r] == 0)
        r = p->a.fit.reference;
    if (!darc_gls_refer(&p->a.fit, r) || !darc_gls_refer(&p->b.fit, r)) {
        darc_weakpair_clear(p);
        p->a.idle = true;
        return darc_fail(err, DARC_DATA,
                         "the coefficient that ratios refer to is 0 in one of "
                         "the recordings and not in the other: its term cannot "
                         "be told from the others there");
    }
    p->structure = darc_weakfit_left(worse(p));
    p->fails = p->structure > o->tolerance;
    p->tolerance = fmax(o->tolerance, darc_weakfit_absorbed(&p->a) +
                                          darc_weakfit_absorbed(&p->b));
    p->copies = darc_weakfit_are_copies(&p->a, io->jet->names,
                                        (const darc_table *[]){a, b});
    return DARC_OK;
}

void darc_weakpair_clear(darc_weakpair *p)
{
    darc_weakfit_clear(&p->a);
    darc_weakfit_clear(&p->b);
}

/* ---- the decision
 * ------------------------------------------------------------ */

/* Say that term j of recording i stops the comparison: `what` about %s. */
static void blame_term(darc_decision *d, const darc_weakpair *p, int i, int j,
                       const char *what, double share)
{
    darc_text_t t;
    darc_text_init(t);
    double factor;
    darc_weakfit_ratio(t, p->io, p->e, j, p->a.fit.reference, &factor);
    snprintf(d->reason, sizeof d->reason, "recording %c %s %s is %.2g %% %s",
             'A' + i,
             what == NULL ? "is too poor (a single sine?) and has a misfit: of "
                            "the term with"
                          : "does not excite every term: the standard "
                            "deviation of",
             t->s, fmin(100 * share, 1e6),
             what == NULL ? "its own, the rest is made up by other terms"
                          : what);
    darc_text_clear(t);
}

/* Whether recording i of the pair allows no comparison at all; *d says why. */
static bool is_useless(darc_decision *d, const darc_weakpair *p, int i)
{
    const darc_weakfit *f = i == 0 ? &p->a : &p->b;
    double own;
    if (!darc_weakfit_is_useless(f))
        return false;
    if (f->fit.ratio > DARC_WEAK_NOISE_LIMIT) {
        snprintf(d->reason, sizeof d->reason,
                 "recording %c: noise times noise carries %.2g of the "
                 "information of the signals, more than %.2g",
                 'A' + i, f->fit.ratio, DARC_WEAK_NOISE_LIMIT);
        return true;
    }
    if (f->drowned >= 0) {
        snprintf(d->reason, sizeof d->reason,
                 "recording %c: the noise of %s is known from above only, and "
                 "may be %.2g of the signal; give --noise, or mend what "
                 "disturbs the recording",
                 'A' + i, p->io->jet->names->symbol[f->drowned].name,
                 DARC_WEAK_DROWNED);
        return true;
    }
    if (darc_weakfit_is_lost(f)) {
        snprintf(d->reason, sizeof d->reason,
                 "recording %c: the structure leaves up to %.2g %% of the "
                 "leading term unexplained, and coefficients mean nothing then",
                 'A' + i, 100 * fmax(f->high, f->plain));
        return true;
    }
    int j = darc_weakfit_collinear(f, &own);
    blame_term(d, p, i, j, NULL, own);
    return true;
}

/* Whether recording i does not show all functions. */
static bool is_poor(darc_decision *d, const darc_weakpair *p, int i)
{
    const darc_weakfit *f = i == 0 ? &p->a : &p->b;
    double sd;
    int j = darc_weakfit_weakest(f, p->model, p->io, p->e, &p->options, &sd);
    if (j >= 0)
        blame_term(d, p, i, j, "of its value", sd);
    return j >= 0;
}

/* Append what a function that is not well known may have changed by. */
static void name_unknown(darc_decision *d, const darc_weakpair *p,
                         const darc_contrast *c)
{
    double most = d->tolerance > 0 ? d->tolerance : DARC_WEAK_MEANING;
    int worst = -1;
    for (int i = 0; i < c->count; i++)
        if (c->weight[i] < 1 && darc_contrast_upper(c, i, d->alpha) > most) {
            most = darc_contrast_upper(c, i, d->alpha);
            worst = c->term[i];
        }
    if (worst < 0)
        return;
    darc_text_t t;
    darc_text_init(t);
    double factor;
    darc_weakfit_ratio(t, p->io, p->e, worst, p->a.fit.reference, &factor);
    size_t used = strlen(d->reason);
    snprintf(d->reason + used, sizeof d->reason - used,
             "; %s itself is not well known and may differ by %.2g %%", t->s,
             100 * most);
    darc_text_clear(t);
}

static void explain(darc_decision *d, const darc_weakpair *p, const char *what)
{
    const char *warning = "";
    char structure[200] = "";
    if (p->fails) {
        snprintf(structure, sizeof structure,
                 "; warning: the structure itself leaves %.2g %% unexplained, "
                 "so that changes which move the equation by less than %.2g %% "
                 "are not counted",
                 100 * worse(p)->defect, 100 * p->tolerance);
        warning = structure;
    }
    if (d->verdict == DARC_INCONSISTENT)
        snprintf(d->reason, sizeof d->reason,
                 "%s: a change of %.3g %% (at least %.3g %%)%s", what,
                 100 * d->defect, 100 * d->defect_low, warning);
    else if (d->verdict == DARC_CONSISTENT)
        snprintf(d->reason, sizeof d->reason,
                 "%s: no change moves the equation by more than %.2g %% of "
                 "its leading term; one of %.2g %% would have been found",
                 what, 100 * d->defect_high, 100 * d->detectable);
    else
        snprintf(d->reason, sizeof d->reason,
                 "%s: changes that move the equation by %.2g %% to %.2g %% of "
                 "its leading term are possible%s",
                 what, 100 * d->defect_low, 100 * d->defect_high, warning);
}

/* The model binds the recordings by more than was tested. */
static void doubt_relations(darc_decision *d)
{
    darc_decision_say(
        d, DARC_UNDECIDED,
        "no other change is seen: the relations known between the recordings "
        "hold, to %.2g %% of the leading term; but there are others, not "
        "known, so that a change of further parameters may go unseen",
        100 * d->defect_high);
}

static void decide(darc_decision *d, const darc_weakpair *p,
                   const darc_contrast *c, bool equal)
{
    const char *differs =
        equal ? "the parameters differ" : "others have changed besides";
    const char *agrees =
        equal ? "the parameters are the same" : "the others are the same";

    *d = (darc_decision){.method = "weak", .alpha = p->options.alpha};
    darc_contrast_decide(d, c, p->options.tolerance, p->tolerance);
    if (p->copies) {
        darc_decision_refuse_copies(d);
        return;
    }
    /* Agreement means something only under a structure that holds. */
    if (d->verdict == DARC_CONSISTENT && p->fails)
        d->verdict = DARC_UNDECIDED;
    bool shown = d->verdict == DARC_INCONSISTENT && !isnan(d->p_value);
    if (is_useless(d, p, 0) || is_useless(d, p, 1) ||
        ((!shown || c->curved) && (is_poor(d, p, 0) || is_poor(d, p, 1)))) {
        d->verdict = DARC_UNDECIDED;
        return;
    }
    explain(d, p,
            d->verdict == DARC_INCONSISTENT ? differs
            : d->verdict == DARC_CONSISTENT ? agrees
                                            : "the recordings do not decide");
    if (d->verdict == DARC_CONSISTENT)
        name_unknown(d, p, c);
}

/* There is nothing to test. */
static void refuse(darc_decision *d, const darc_weakpair *p,
                   const darc_contrast *c)
{
    *d = darc_decision_none(p->options.alpha, p->options.tolerance);
    if (c->partial)
        darc_decision_say(d, DARC_UNDECIDED,
                          "such a change leaves no ratio of coefficients "
                          "alone, and whether it can make any pair of "
                          "recordings is not known");
    else
        darc_decision_say(d, DARC_UNDECIDED,
                          "a change of these parameters can make any pair of "
                          "recordings that the structure allows: nothing is "
                          "left to test");
}

/* ---- report
 * ------------------------------------------------------------------- */

void darc_weakpair_estimates(darc_estimate **list, int *count,
                             const darc_weakpair *p)
{
    const darc_gls *a = &p->a.fit, *b = &p->b.fit;
    int n = a->coeffs;
    *list = darc_realloc(*list, (size_t)(*count + a->model), sizeof **list);
    for (int j = 0; j < a->model; j++) {
        if (j == a->reference)
            continue;
        darc_text_t t;
        darc_text_init(t);
        double factor, size;
        darc_weakfit_ratio(t, p->io, p->e, j, a->reference, &factor);
        size = fabs(factor);
        (*list)[(*count)++] =
            (darc_estimate){.function = darc_text_take(t),
                            .value_a = a->c[j] / factor,
                            .sd_a = sqrt(a->cov[j * n + j]) / size,
                            .value_b = b->c[j] / factor,
                            .sd_b = sqrt(b->cov[j * n + j]) / size};
        darc_text_clear(t);
    }
}

static void describe(darc_weakcheck *out, const darc_weakpair *p)
{
    darc_text_t t;
    darc_text_init(t);
    darc_total_print(t, p->a.total, p->io->jet->names);
    out->form = darc_text_take(t);
    darc_text_clear(t);
    out->terms = p->a.total->count;
    out->order = darc_total_order(p->a.total);
    for (int i = 0; i < 2; i++) {
        const darc_weakfit *f = i == 0 ? &p->a : &p->b;
        darc_weakcheck_note(out,
                            "recording %c: structure leaves %.2g %% "
                            "unexplained (%.2g to %.2g %%)%s",
                            'A' + i, 100 * f->defect, 100 * f->low,
                            100 * f->high,
                            f->open ? ", perhaps by coloured noise" : "");
    }
}

/* Whether other parameters than `changed` are found that make the coefficients
 * of both recordings. */
static bool has_witness(const darc_weakpair *p, const bool *changed,
                        const darc_budget *budget)
{
    if (!p->io->eq[p->e].expanded)
        return false;
    darc_coeffs_t c;
    darc_coeffs_init(c, p->io, p->e, changed);
    const darc_weakfit *const fit[] = {&p->a, &p->b};
    darc_witness_question q = {.c = c,
                               .fit = fit,
                               .inflate = 1,
                               .tolerance = p->tolerance,
                               .alpha = p->options.alpha};
    bool found = darc_witness_exists(&q, budget);
    darc_coeffs_clear(c);
    return found;
}

darc_status darc_weakpair_test(darc_decision *d, bool *untested,
                               const darc_weakpair *p, const bool *changed,
                               const darc_budget *budget, darc_err *err)
{
    darc_contrast c = {0};
    darc_status status = darc_weakpair_contrast(&c, p, changed, budget, err);
    if (status != DARC_OK)
        return status;
    *untested = c.count == 0 && !c.partial;
    if (c.count == 0)
        refuse(d, p, &c);
    else
        decide(d, p, &c, changed == NULL);
    if (d->verdict == DARC_CONSISTENT && c.partial &&
        !has_witness(p, changed, budget))
        doubt_relations(d);
    darc_contrast_clear(&c);
    return DARC_OK;
}

darc_status darc_weakcheck_pair(darc_weakcheck *out, const darc_model *model,
                                const darc_ioeqs_t io, int e,
                                const darc_table *a, const darc_table *b,
                                const bool *changed,
                                const darc_weakcheck_options *o,
                                const darc_budget *budget, darc_err *err)
{
    darc_weakpair p;
    darc_blackbox_t g = {0};
    darc_err why;
    if (darc_wide_is(io, e))
        return darc_wide_pair(out, model, io, e, (const darc_table *[]){a, b},
                              changed, o, budget, err);
    *out = (darc_weakcheck){0};
    darc_err_init(&why);
    darc_status status =
        darc_weakpair_init(&p, model, io, e, a, b, o, budget, &why);
    if (status != DARC_OK)
        return p.a.idle || p.b.idle
                   ? darc_excitation_decide(out, io, e, o, why.message, err)
                   : darc_fail(err, status, "%s", why.message);
    if (changed != NULL && !io->eq[e].expanded) {
        DARC_TRY(darc_blackbox_init(g, io, model, budget, err));
        p.program = g;
        p.work = RELATION_WORK;
    }
    DARC_TRY(darc_weakpair_test(&out->decision, &out->untested, &p, changed,
                                budget, err));
    darc_weakpair_estimates(&out->estimate, &out->estimates, &p);
    describe(out, &p);
    out->fit[0] = darc_weakfit_take(&p.a);
    out->fit[1] = darc_weakfit_take(&p.b);
done:
    darc_blackbox_clear(g);
    darc_weakpair_clear(&p);
    if (status != DARC_OK)
        darc_weakcheck_clear(out);
    return status;
}

darc_status darc_weakpair_contrast(darc_contrast *c, const darc_weakpair *p,
                                   const bool *changed,
                                   const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    int n = p->a.model;
    bool *vanishing = darc_calloc((size_t)n, sizeof *vanishing);
    for (int j = 0; j < n; j++)
        vanishing[j] = darc_weakfit_may_vanish(p->model, p->io, p->e, j);
    if (changed == NULL) {
        darc_contrast_equal(c, &p->a, &p->b, vanishing);
    } else {
        darc_coeffrel_t r;
        status = p->program != NULL
                     ? darc_coeffrel_init_blackbox(r, p->program, p->e, changed,
                                                   p->work, err)
                     : darc_coeffrel_init(r, p->io, p->e, changed, budget, err);
        if (status == DARC_OK) {
            darc_contrast_relations(c, r, &p->a, &p->b, vanishing);
            /* what equations share is not tested where not expanded */
            c->partial = c->partial || (p->program != NULL && p->io->count > 1);
            darc_coeffrel_clear(r);
        }
    }
    /* What the structure leaves may be in any coefficient. */
    if (status == DARC_OK && p->tolerance > p->options.tolerance)
        darc_contrast_drift_by_effect(c);
    darc_free(vanishing);
    return status;
}
