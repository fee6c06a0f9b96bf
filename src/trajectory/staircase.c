#include "trajectory/staircase.h"

#include "trajectory/linear.h"
#include "trajectory/long.h"

#include <math.h>

/* How inputs that are staircases are read. */
typedef enum { LINES, HELD, TIMED } reading;

typedef struct {
    darc_match match;
    darc_sought sought;
} match_found;

static darc_status read_as(darc_trajectory *x, darc_record_plan *plan,
                           reading as, darc_err *err)
{
    plan->stairs = as != LINES;
    for (int r = 0; r < x->runs; r++)
        x->run[r].timed = as == TIMED;
    return darc_records_drive(x->run, x->runs, plan, err);
}

/* Return twice the logarithm of how much likelier the recordings are where the
 * steps have no times of their own, which leaves `square`, than as they are:
 * the likelihoods integrated over level, unknowns, and times, of which each
 * may be anywhere since the sample before. */
static double untimed(darc_trajectory *x, double square)
{
    darc_match *m = &x->match;
    darc_linear_match l;
    bool good = darc_linear_match_init(&l, m);
    double dof = (double)l.rows - l.rank, logs = 0, steps = 0;
    for (int r = 0, end = m->columns; r < m->runs && good; r++) {
        int count = m->run[r].steps;
        end += m->pieces[r].unknowns;
        steps += count;
        for (int c = end - count; c < end; c++) {
            double known = l.inverse[c * l.columns + c];
            double even = dof / m->square / 12;
            bool seen = l.unseen[c] < DARC_LINEAR_UNSEEN && known > 0;
            logs += log(seen ? fmin(known, even) : even);
        }
    }
    darc_linear_match_clear(&l);
    return dof * log(m->square / square) - steps * log(acos(-1) * square) -
           logs + 2 * (lgamma((dof + steps) / 2) - lgamma(dof / 2));
}

/* Return whether each step can have a time that is sought. */
static bool may_time(const darc_trajectory *x)
{
    double left = -x->flow.params;
    for (int r = 0; r < x->runs; r++) {
        left -= x->match.pieces[r].unknowns + x->run[r].steps;
        left += (double)darc_record_samples(x->run + r, x->flow.outputs);
    }
    return left >= 1;
}

/* Set best, which is empty, to the better match from where two are, as inputs
 * are read. */
static darc_status match_from(darc_match *best, darc_trajectory *x,
                              const darc_match *one, const darc_match *other,
                              darc_err *err)
{
    darc_status status = DARC_OK;
    for (int turn = 0; turn < 2 && status == DARC_OK; turn++) {
        darc_match m;
        darc_match_init(&m, &x->flow, x->run, x->runs, NULL,
                        x->question->budget);
        darc_match_set(&m, turn == 0 ? one : other);
        status = darc_match_run(&m, DARC_SEEK_LAST, false, err);
        if (turn == 0 || m.square < best->square)
            darc_match_swap(best, &m);
        darc_match_clear(&m);
    }
    return status;
}

/* Seek anew, inputs read so; `found` is what was found. */
static darc_status seek_as(match_found *found, darc_trajectory *x,
                           darc_record_plan *plan, reading as,
                           const darc_match_near *near, darc_err *err)
{
    *found = (match_found){x->match, x->sought};
    x->sought = (darc_sought){.level = NULL};
    x->match = (darc_match){.flow = NULL};
    DARC_NEED(read_as(x, plan, as, err));
    darc_match_init(&x->match, &x->flow, x->run, x->runs, NULL,
                    x->question->budget);
    return darc_seek(&x->sought, &x->match, near->sd, near->value,
                     x->question->seed, err);
}

/* Choose between the match that is, with times, and those that were found
 * without; each may be near another. */
static darc_status choose_reading(reading *as, darc_trajectory *x,
                                  darc_record_plan *plan,
                                  const match_found *found, darc_err *err)
{
    darc_match m[3] = {{.flow = NULL}};
    double gain[2];
    darc_status status;
    DARC_TRY(match_from(m + TIMED, x, &x->match, &found[HELD].match, err));
    if (m[TIMED].square < x->match.square * (1 - DARC_SEEK_SAME)) {
        darc_match_swap(&x->match, m + TIMED);
        x->sought.met = 1;
    }
    DARC_TRY(darc_seek_growth(&x->sought, &x->match, err));
    for (int k = LINES; k <= HELD; k++) {
        DARC_TRY(read_as(x, plan, (reading)k, err));
        DARC_TRY(match_from(m + k, x, &found[k].match, &x->match, err));
    }
    DARC_TRY(read_as(x, plan, TIMED, err));
    for (int k = LINES; k <= HELD; k++)
        gain[k] = untimed(x, m[k].square);
    *as = gain[LINES] < fmax(gain[HELD], 0) ? HELD : LINES;
    if (gain[*as] - fmax(gain[!*as], 0) > DARC_STEPS_SURE)
        x->stepped = -1;
    else if (*as == HELD)
        *as = TIMED;
done:
    DARC_ALL(darc_match_clear, m, 3);
    return status;
}

/* Whether inputs step; sets x->stepped to one that does. */
static bool has_steps(darc_trajectory *x)
{
    for (int r = 0; r < x->runs && x->stepped < 0; r++)
        x->stepped = darc_record_stepped(x->run + r, &x->flow);
    return x->stepped >= 0;
}

darc_status darc_staircase_seek(darc_trajectory *x, darc_record_plan *plan,
                                const darc_match_near *near, darc_err *err)
{
    match_found found[2] = {{.match = {.flow = NULL}}};
    darc_status status;
    reading as = LINES;
    if (!has_steps(x) || x->run->piece > 0)
        return DARC_OK;
    double line = darc_sought_surprise(&x->sought, x->flow.outputs);
    DARC_TRY(seek_as(found + LINES, x, plan, HELD, near, err));
    bool good = x->match.square < HUGE_VAL, may = good && may_time(x);
    if (may ||
        (good && darc_sought_surprise(&x->sought, x->flow.outputs) < line))
        as = HELD;
    if (may) {
        DARC_TRY(seek_as(found + HELD, x, plan, TIMED, near, err));
        if (x->match.square < HUGE_VAL)
            DARC_TRY(choose_reading(&as, x, plan, found, err));
    }
    x->timed = as == TIMED;
    if (as == LINES || (may && as == HELD)) {
        match_found swap = {x->match, x->sought};
        x->match = found[as].match;
        x->sought = found[as].sought;
        found[as] = swap;
        DARC_TRY(read_as(x, plan, as, err));
        DARC_TRY(darc_seek_growth(&x->sought, &x->match, err));
    }
done:
    for (int k = LINES; k <= HELD; k++) {
        darc_match_clear(&found[k].match);
        darc_sought_clear(&found[k].sought);
    }
    return status;
}

/* Keep the match with times, or go back to the one without. */
static darc_status take_times(darc_trajectory *x, darc_record_plan *plan,
                              darc_match *without, darc_err *err)
{
    darc_match *m = &x->match;
    double gain = m->square < HUGE_VAL ? untimed(x, without->square) : HUGE_VAL;
    x->timed = gain <= DARC_STEPS_SURE;
    if (x->timed) {
        DARC_NEED(darc_seek_levels(&x->sought, m, err));
        return darc_long_colours(&gain, x, err);
    }
    x->stepped = gain < HUGE_VAL ? -1 : x->stepped;
    darc_match_swap(m, without);
    return read_as(x, plan, LINES, err);
}

darc_status darc_staircase_time(darc_trajectory *x, darc_record_plan *plan,
                                darc_err *err)
{
    darc_match m;
    darc_status status;
    int steps = 0;
    if (x->run->piece == 0 || !has_steps(x))
        return DARC_OK;
    for (int r = 0; r < x->runs; r++)
        steps += x->run[r].steps;
    if (steps > DARC_STEPS_MOST || !may_time(x)) {
        x->stepped = -1;
        return DARC_OK;
    }
    DARC_NEED(read_as(x, plan, TIMED, err));
    darc_match_init(&m, &x->flow, x->run, x->runs, NULL, x->question->budget);
    darc_match_set(&m, &x->match);
    darc_match_swap(&x->match, &m);
    DARC_TRY(darc_match_run(&x->match, DARC_SEEK_LAST, false, err));
    DARC_TRY(take_times(x, plan, &m, err));
done:
    darc_match_clear(&m);
    return status;
}
