#include "decide/weakfree.h"

#include "base/mem.h"
#include "fit/weakfit.h"
#include "stats/real.h"
#include "stats/stats.h"

#include <math.h>

/* A parameter of the model, which the equation does not hold: the gain. */
static int gain_of(const darc_jet_t jet)
{
    const darc_names_struct *names = jet->names;
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_PARAMETER)
            return u;
    return -1;
}

bool darc_weakfree_is(const darc_ioeqs_t io, int e)
{
    const darc_ioeq *eq = io->eq + e;
    return eq->part->count == 1 && eq->part->p->length > 1 &&
           gain_of(io->jet) >= 0;
}

/* Set q to p with the gain before the terms that hold the leader; where all
 * do, before the first. */
static void give_gain(darc_dpoly_t q, const darc_dpoly_t p, darc_deriv leader,
                      const darc_jet_t jet)
{
    slong v = darc_jet_var(jet, leader);
    darc_dpoly_t gain, rest, term;
    darc_dpoly_init(gain, jet);
    darc_dpoly_init(rest, jet);
    darc_dpoly_init(term, jet);
    fmpz_mpoly_zero(q, jet->ctx);
    for (slong t = 0; t < p->length; t++) {
        fmpz_mpoly_get_term(term, p, t, jet->ctx);
        bool leads = darc_dpoly_degree(term, v, jet) > 0;
        fmpz_mpoly_add(leads ? q : rest, leads ? q : rest, term, jet->ctx);
    }
    if (fmpz_mpoly_is_zero(rest, jet->ctx)) {
        fmpz_mpoly_get_term(term, p, 0, jet->ctx);
        fmpz_mpoly_sub(rest, q, term, jet->ctx);
        fmpz_mpoly_set(q, term, jet->ctx);
    }
    darc_dpoly_set_deriv(gain, (darc_deriv){gain_of(jet), 0}, jet);
    fmpz_mpoly_mul(q, q, gain, jet->ctx);
    fmpz_mpoly_add(q, q, rest, jet->ctx);
    darc_dpoly_clear(gain, jet);
    darc_dpoly_clear(rest, jet);
    darc_dpoly_clear(term, jet);
}

/* Set with to the equation with the gain. */
static void set_equation(darc_ioeqs_t with, const darc_ioeqs_t io, int e)
{
    const darc_ioeq *eq = io->eq + e;
    darc_dpoly_t p, q;
    darc_ioeqs_init_frame(with, io->jet->names, io->jet->ranking,
                          io->jet->bound);
    darc_dpoly_init(p, io->jet);
    darc_dpoly_init(q, with->jet);
    give_gain(p, eq->part->p, eq->leader, io->jet);
    if (darc_dpoly_move(q, with->jet, p, io->jet, NULL) == DARC_OK)
        darc_ioeqs_append(with, q, eq->engine, eq->cpu_s);
    darc_dpoly_clear(p, io->jet);
    darc_dpoly_clear(q, with->jet);
}

/* Set *gain and its standard deviation to those of the fit; the coefficients
 * are a*gain and a number, in some order. */
static void read_gain(double *gain, double *sd, const darc_ioeqs_t with,
                      const darc_weakfit *f)
{
    const darc_gls *fit = &f->fit;
    const fmpz_mpoly_struct *c = with->eq->coeff->p;
    int other = fit->reference == 0 ? 1 : 0;
    int g = darc_dpoly_leader(c, with->jet) < 0 ? 1 : 0;
    double relative =
        sqrt(fit->cov[other * fit->coeffs + other]) / fabs(fit->c[other]);
    *gain = fit->c[g] / fit->c[1 - g] * darc_real_integer(c[1 - g].coeffs) /
            darc_real_integer(c[g].coeffs);
    *sd = fabs(*gain) * relative;
}

/* Hold the gain against 1, at level alpha. */
static void decide(darc_decision *d, double gain, double sd, double alpha,
                   double absorbed)
{
    double z = darc_stats_normal_quantile(1 - alpha / 2);
    double off = fabs(gain - 1), most = off + z * sd;
    double reject = fmax(d->tolerance, absorbed);
    if (d->verdict == DARC_INCONSISTENT || isnan(sd))
        return;
    if (off - z * sd > reject) {
        d->defect = off;
        d->defect_low = off - z * sd;
        d->defect_high = most;
        darc_decision_say(d, DARC_INCONSISTENT,
                          "the equation holds no parameter, and fits only with "
                          "a gain of %.6g +- %.2g before its leading terms: "
                          "units, or a signal of something else?",
                          gain, sd);
    } else if (d->verdict == DARC_CONSISTENT &&
               most > fmax(reject, DARC_WEAK_MEANING)) {
        darc_decision_say(d, DARC_UNDECIDED,
                          "nothing contradicts the equation, but the gain of "
                          "its leading terms is known to %.2g %% only",
                          100 * most);
    }
}

static void drop_estimates(darc_weakcheck *out)
{
    for (int i = 0; i < out->estimates; i++)
        darc_free(out->estimate[i].function);
    darc_free(out->estimate);
    out->estimate = NULL;
    out->estimates = 0;
    darc_weakfit_clear(out->fit[0]);
    darc_free(out->fit[0]);
    out->fit[0] = NULL;
}

darc_status darc_weakfree_structure(darc_weakcheck *out,
                                    const darc_model *model,
                                    const darc_ioeqs_t io, int e,
                                    const darc_table *table,
                                    const darc_weakcheck_options *o,
                                    const darc_budget *budget, darc_err *err)
{
    darc_ioeqs_t with;
    darc_weakcheck_options each = *o;
    each.alpha = 1 - sqrt(1 - o->alpha);
    set_equation(with, io, e);
    darc_status status;
    if (with->count == 1 && with->eq->part->count == 2)
        status = darc_weakcheck_structure(out, model, with, 0, table, &each,
                                          budget, err);
    else
        status = darc_fail(err, DARC_INTERNAL, "a gain makes %d equations",
                           with->count);
    if (status == DARC_OK && out->fit[0] != NULL) {
        double gain, sd;
        read_gain(&gain, &sd, with, out->fit[0]);
        decide(&out->decision, gain, sd, each.alpha,
               darc_weakfit_absorbed(out->fit[0]));
        darc_weakcheck_note(out,
                            "an equation without parameters: with a gain "
                            "before its leading terms, of %.6g +- %.2g",
                            gain, sd);
        drop_estimates(out);
    }
    if (status == DARC_OK)
        out->decision.alpha = o->alpha;
    darc_ioeqs_clear(with);
    return status;
}
