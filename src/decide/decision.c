#include "decide/decision.h"

#include "decide/thresholds.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

const char *darc_verdict_text(darc_verdict verdict)
{
    static const char *const text[] = {[DARC_CONSISTENT] = "consistent",
                                       [DARC_INCONSISTENT] = "inconsistent",
                                       [DARC_UNDECIDED] = "undecided"};
    assert((int)verdict >= 0 && verdict <= DARC_UNDECIDED);
    return text[verdict];
}

int darc_verdict_rank(darc_verdict verdict)
{
    static const int rank[] = {
        [DARC_CONSISTENT] = 0, [DARC_UNDECIDED] = 1, [DARC_INCONSISTENT] = 2};
    return rank[verdict];
}

darc_decision darc_decision_none(double alpha, double tolerance)
{
    return (darc_decision){.method = "weak",
                           .statistic = NAN,
                           .dof = NAN,
                           .p_value = NAN,
                           .alpha = alpha,
                           .defect = NAN,
                           .defect_low = NAN,
                           .defect_high = NAN,
                           .tolerance = tolerance,
                           .detectable = NAN,
                           .verdict = DARC_UNDECIDED};
}

void darc_decision_say(darc_decision *d, darc_verdict verdict,
                       const char *format, ...)
{
    va_list args;
    d->verdict = verdict;
    va_start(args, format);
    vsnprintf(d->reason, sizeof d->reason, format, args);
    va_end(args);
}

void darc_decision_withhold(darc_decision *d)
{
    if (d->verdict == DARC_CONSISTENT)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model, but the io-equations know a "
            "function in it up to a constant only (darc eliminate shows "
            "which): "
            "what depends on that constant was not tested");
}

/* Make d undecided where it is inconsistent, for what may have made it. */
static void refuse(darc_decision *d, const char *why)
{
    char found[sizeof d->reason];
    if (d->verdict != DARC_INCONSISTENT)
        return;
    snprintf(found, sizeof found, "%s", d->reason);
    d->defect_low = 0;
    darc_decision_say(d, DARC_UNDECIDED, "%s (%s)", why, found);
}

void darc_decision_refuse_coarse(darc_decision *d)
{
    refuse(d, "signals reach up to half the sampling rate, and sampling may "
              "have made what contradicts the model: sample more finely");
}

void darc_decision_refuse_numeric(darc_decision *d, double most)
{
    if (fmax(most, d->detectable) <= DARC_SUMS_ERROR)
        refuse(d, "so little may come of the digits of the file, or of sums "
                  "over samples that stand for integrals");
}

void darc_decision_refuse_copies(darc_decision *d)
{
    d->verdict = DARC_UNDECIDED;
    snprintf(d->reason, sizeof d->reason,
             "both recordings hold the same samples: a copy tells nothing new; "
             "give another recording");
}
