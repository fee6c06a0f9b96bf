#include "darc/decision.h"

#include <assert.h>

const char *darc_verdict_text(darc_verdict verdict)
{
    static const char *const text[] = {[DARC_CONSISTENT] = "consistent",
                                       [DARC_INCONSISTENT] = "inconsistent",
                                       [DARC_UNDECIDED] = "undecided"};
    assert((int)verdict >= 0 && verdict <= DARC_UNDECIDED);
    return text[verdict];
}
