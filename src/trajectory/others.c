#include "trajectory/others.h"

#include "base/mem.h"
#include "trajectory/thresholds.h"

#include <string.h>

/* Bring what was found on the first recordings to all. */
static darc_status match_all(darc_match *m, const darc_trajectory *x,
                             darc_err *err)
{
    darc_match full;
    darc_match_init(&full, m->flow, x->match.run, x->runs, NULL, m->budget);
    darc_match_set(&full, &x->match);
    memcpy(full.theta, m->theta, (size_t)m->columns * sizeof *full.theta);
    for (int r = 0; r < m->runs; r++)
        memcpy(full.pieces[r].x, m->pieces[r].x,
               (size_t)m->flow->n * sizeof(double));
    darc_match_clear(m);
    *m = full;
    return darc_match_run(m, DARC_SEEK_LAST, false, err);
}

static void drop_other(darc_sought *s, int i)
{
    darc_match_clear(s->other + i);
    s->other[i] = s->other[--s->others];
}

darc_status darc_others_match(bool *better, darc_trajectory *x, darc_err *err)
{
    darc_sought *s = &x->sought;
    darc_status status = DARC_OK;
    double limit = darc_trajectory_quantile(x, x->question->alpha, 1);
    *better = false;
    darc_match *other = s->other;
    int others = s->others;
    s->other = NULL;
    s->others = 0;
    for (int i = 0; i < others; i++) {
        DARC_TRY(match_all(other + i, x, err));
        double more = other[i].square - x->match.square;
        if (more < -DARC_PROFILE_NEAR * limit) {
            *better = true;
            darc_match_set(&x->match, other + i);
            DARC_TRY(darc_match_run(&x->match, DARC_SEEK_LAST, false, err));
        }
        if (more < limit)
            darc_seek_keep(s, other + i);
    }
done:
    DARC_ALL(darc_match_clear, other, others);
    darc_free(other);
    return status;
}

void darc_others_mark(darc_profile *v, darc_sought *s, int params)
{
    for (int i = s->others - 1; i >= 0; i--) {
        bool any = false;
        for (int k = 0; k < params; k++) {
            double value = s->other[i].theta[k];
            bool own = v[k].known && (value < v[k].low || value > v[k].high);
            v[k].local |= own;
            any |= own;
        }
        if (!any)
            drop_other(s, i);
    }
}
