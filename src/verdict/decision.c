#include "darc/decision.h"

#include <assert.h>
#include <stdio.h>

const char *darc_verdict_text(darc_verdict verdict)
{
    static const char *const text[] = {[DARC_CONSISTENT] = "consistent",
                                       [DARC_INCONSISTENT] = "inconsistent",
                                       [DARC_UNDECIDED] = "undecided"};
    assert((int)verdict >= 0 && verdict <= DARC_UNDECIDED);
    return text[verdict];
}

void darc_decision_refuse_copies(darc_decision *d)
{
    d->verdict = DARC_UNDECIDED;
    snprintf(d->reason, sizeof d->reason,
             "both recordings hold the same samples: a copy tells nothing new; "
             "give another recording");
}
