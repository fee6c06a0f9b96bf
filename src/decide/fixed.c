/* fixed.c - two recordings under a model without a free coefficient. */
#include "base/text.h"
#include "decide/pair.h"
#include "decide/thresholds.h"

#include <math.h>

static darc_decision open_decision(const darc_pair *p)
{
    darc_decision d = darc_decision_none(p->x->by->alpha, p->x->by->tolerance);
    d.p_value = fmin(1, 2 * fmin(p->a->p_value, p->b->p_value));
    d.noise = p->a->coloured || p->b->coloured ? "any" : "white";
    d.defect = d.defect_low = d.defect_high = 0;
    for (int i = 0; i < 2; i++)
        for (int q = 0; q < p->a->equations; q++) {
            const darc_defect *f = &(i == 0 ? p->a : p->b)->eq[q].defect;
            d.defect = fmax(d.defect, f->defect);
            d.defect_high = fmax(d.defect_high, fmax(f->high, f->high_input));
        }
    d.detectable = d.defect_high; /* more would have been seen */
    return d;
}

void darc_pair_fixed(darc_decision *d, const darc_pair *p)
{
    double t = p->x->by->tolerance;
    bool a = darc_reading_fails(p->a, t), b = darc_reading_fails(p->b, t);
    double left = fmax(darc_reading_left(p->a), darc_reading_left(p->b));
    *d = open_decision(p);
    const darc_percent high = darc_percent_fine(d->defect_high);
    if (a != b && !p->a->coarse && !p->b->coarse) {
        d->defect_low = left;
        darc_decision_say(d, DARC_INCONSISTENT,
                          "the model has no free coefficient; it holds in "
                          "recording %c, and in %c at least %s of the largest "
                          "term remain",
                          a ? 'B' : 'A', a ? 'A' : 'B',
                          darc_percent_fine(left).text);
    } else if (!a && !b && d->defect_high <= (t > 0 ? t : DARC_MEANING)) {
        darc_decision_say(d, DARC_CONSISTENT,
                          "the model has no free coefficient, and holds in "
                          "both recordings: at most %s of the largest term "
                          "remain",
                          high.text);
    } else {
        darc_decision_say(d, DARC_UNDECIDED,
                          "the model has no free coefficient, and up to %s of "
                          "the largest term remain%s",
                          high.text, a && b ? " of both recordings" : "");
    }
}
