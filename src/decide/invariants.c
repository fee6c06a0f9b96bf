/* invariants.c - what holds of every decision. */
#include "decide/judgement.h"
#include "decide/thresholds.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

const char *darc_decision_broken(const darc_decision *d)
{
    double bound =
        (d->tolerance > 0 ? d->tolerance : DARC_MEANING) * (1 + 1e-9);
    if (d->defect_low > d->defect || d->defect > d->defect_high ||
        d->defect_low > d->defect_high)
        return "the defect is outside its interval";
    if (d->dof == 0 && !isnan(d->p_value))
        return "nothing was tested, and there is a p-value";
    if (d->verdict == DARC_CONSISTENT && d->defect_high > bound)
        return "the defect may be larger than is called small";
    if (d->verdict == DARC_CONSISTENT && d->detectable > bound)
        return "a defect that is not small would not have been found";
    return NULL;
}

void darc_decision_finish(darc_decision *d)
{
    const char *broken = darc_decision_broken(d);
    assert(broken == NULL);
    if (broken == NULL)
        return;
    char found[sizeof d->reason];
    snprintf(found, sizeof found, "%s", d->reason);
    darc_decision_say(d, DARC_UNDECIDED,
                      "a mistake in darc: %s; please report it (%s: %s)",
                      broken, darc_verdict_text(d->verdict), found);
}
