#include "decide/bound.h"

#include "base/mem.h"
#include "decide/contrast.h"
#include "decide/witness.h"

#include <math.h>
#include <string.h>

darc_status darc_bound_find(darc_coeffrel_t r, const darc_ioeqs_t io, int e,
                            const darc_budget *budget, darc_err *err)
{
    memset(r, 0, sizeof *r);
    if (!io->eq[e].expanded)
        return DARC_OK;
    return darc_coeffrel_init(r, io, e, NULL, budget, err);
}

/* Test whether the coefficients obey r; *h is the decision. */
static void test(darc_decision *h, const darc_coeffrel_t r, const darc_bound *b)
{
    const darc_weakfit *f = b->f;
    darc_contrast c;
    bool *vanishing = darc_calloc((size_t)f->model, sizeof *vanishing);
    for (int j = 0; j < f->model; j++)
        vanishing[j] = darc_weakfit_may_vanish(b->model, b->io, b->e, j);
    darc_contrast_relations(&c, r, f, NULL, vanishing);
    double reject = fmax(b->each->tolerance, f->doubt + f->bias);
    if (f->low > b->each->tolerance)
        reject = fmax(reject, f->high);
    *h = (darc_decision){.alpha = b->each->alpha};
    darc_contrast_decide(h, &c, b->each->tolerance, reject);
    darc_contrast_clear(&c);
    darc_free(vanishing);
}

static bool has_witness(const darc_bound *b)
{
    darc_coeffs_t c;
    darc_coeffs_init(c, b->io, b->e, NULL);
    darc_witness_question q = {
        .c = c,
        .fit = &b->f,
        .inflate = 1,
        .tolerance = fmax(b->each->tolerance, darc_weakfit_absorbed(b->f)),
        .alpha = b->each->alpha};
    bool found = darc_witness_exists(&q, b->budget);
    darc_coeffs_clear(c);
    return found;
}

/* Whether the statistic may refute: all coefficients are so well known that
 * the relations are linear within their errors, and no parameters make them
 * within noise after all. */
static bool may_refute(const darc_bound *b)
{
    double sd;
    return darc_weakfit_weakest(b->f, b->model, b->io, b->e, b->each, &sd) <
               0 &&
           !has_witness(b);
}

/* Q and the Wald statistic of the relations are independent: the smaller of
 * two p-values has the distribution 1 - (1 - p)^2. */
static double smaller_of_two(double p)
{
    return p * (2 - p);
}

static void merge(darc_weakcheck *out, const darc_decision *h,
                  const darc_coeffrel_t r, double alpha)
{
    darc_decision *d = &out->decision;
    darc_text_t t;
    if (isnan(h->p_value)) {
        darc_weakcheck_note(out, "the relations among the coefficients could "
                                 "not be tested: a coefficient is hardly "
                                 "known, or noise may make what is off");
        return;
    }
    darc_text_init(t);
    for (slong i = 0; i < r->count; i++) {
        darc_text_puts(t, i > 0 ? ", " : "");
        darc_coeffrel_print(t, r, i);
        darc_text_puts(t, " = 0");
    }
    darc_weakcheck_note(out,
                        "the coefficients obey %.200s to %.2g %% (up to %.2g "
                        "%%); p = %.2g",
                        t->s, 100 * h->defect, 100 * h->defect_high,
                        h->p_value);
    if (h->verdict == DARC_INCONSISTENT && d->verdict != DARC_INCONSISTENT) {
        d->statistic = h->statistic;
        d->dof = h->dof;
        d->defect = h->defect;
        d->defect_low = h->defect_low;
        d->defect_high = h->defect_high;
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "the model makes its coefficients obey %.200s; those of the "
            "recording are off by %.3g %% (at least %.3g %%)",
            t->s, 100 * h->defect, 100 * h->defect_low);
    }
    d->p_value = smaller_of_two(fmin(d->p_value, h->p_value));
    d->alpha = alpha;
    darc_text_clear(t);
}

/* Relations that are too long to be found are not tested: parameters that make
 * the coefficients show that these obey them. */
static void doubt(darc_decision *d, const darc_coeffrel_t r,
                  const darc_bound *b)
{
    if (d->verdict != DARC_CONSISTENT || r->complete || has_witness(b))
        return;
    darc_decision_say(
        d, DARC_UNDECIDED,
        "nothing contradicts the model: free coefficients explain the "
        "recording; but the model binds its coefficients by %ld relations, "
        "of which only %ld are short enough to be tested, and no values of "
        "the parameters were found that make these coefficients",
        (long)r->codimension, (long)r->count);
}

void darc_bound_decide(darc_weakcheck *out, const darc_coeffrel_t r,
                       const darc_bound *b)
{
    darc_decision h;
    if (!b->io->eq[b->e].expanded)
        return;
    if (r->count > 0) {
        test(&h, r, b);
        if (h.verdict == DARC_INCONSISTENT && !may_refute(b))
            h.p_value = NAN;
        merge(out, &h, r, b->alpha);
    }
    doubt(&out->decision, r, b);
}
