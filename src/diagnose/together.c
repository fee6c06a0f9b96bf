#include "diagnose/together.h"

#include "base/mem.h"
#include "trajectory/linear.h"

#include <math.h>
#include <string.h>

/* Set the values of s to those of the match of x. */
static void read_match(darc_shared *s, darc_trajectory *x)
{
    darc_linear_match l;
    bool good = darc_linear_match_init(&l, &x->match);
    s->square = x->match.square / x->scale;
    for (int k = 0; k < x->flow.params; k++) {
        int at = x->match.place[k];
        double variance =
            good ? l.inverse[at * l.columns + at] * x->scale : HUGE_VAL;
        s->value[k] = x->match.theta[at];
        s->sd[k] = good && l.unseen[at] < DARC_LINEAR_UNSEEN && variance > 0
                       ? sqrt(variance)
                       : HUGE_VAL;
    }
    darc_linear_match_clear(&l);
}

darc_status darc_together_ask(const darc_shared **out, darc_together *t,
                              const int *which, int count, darc_err *err)
{
    darc_trajectory whole;
    darc_comparing part;
    size_t size = (size_t)count * sizeof *which, p = (size_t)t->x->flow.params;
    for (int i = 0; i < t->known; i++) {
        *out = t->shared + i;
        if ((*out)->count == count && memcmp((*out)->which, which, size) == 0)
            return DARC_OK;
    }
    darc_status status = darc_comparing_part(
        &part, t->x, &whole, &(darc_comparing_some){t->all, which, count}, err);
    if (status == DARC_OK) {
        DARC_ROOM(t->shared, t->known);
        darc_shared *s = t->shared + t->known++;
        *s = (darc_shared){.count = count};
        s->which = darc_malloc(size);
        memcpy(s->which, which, size);
        s->value = darc_malloc((2 * p + 1) * sizeof *s->value);
        s->sd = s->value + p;
        read_match(s, t->x);
        *out = s;
    }
    darc_comparing_clear(&part);
    darc_comparing_join(t->x, &whole);
    return status;
}

/* Set out to what the match of x becomes where parameter k parts. */
static darc_status part_one(darc_parted *out, darc_trajectory *x, int k,
                            int first, darc_err *err)
{
    darc_match m;
    darc_linear_match l;
    darc_match_init(&m, &x->flow, x->run, x->runs, NULL, x->question->budget);
    darc_match_part(&m, k, first);
    darc_match_set(&m, &x->match);
    darc_status status = darc_match_run(&m, DARC_SEEK_LAST, false, err);
    bool good = darc_linear_match_init(&l, &m);
    int a = m.place[k], b = m.columns - 1, n = l.columns;
    double was = m.theta[a], times = m.theta[b] / was, variance = -1;
    if (good && l.unseen[a] + l.unseen[b] < DARC_LINEAR_UNSEEN)
        variance = times * times * l.inverse[a * n + a] + l.inverse[b * n + b] -
                   2 * times * l.inverse[a * n + b];
    *out = (darc_parted){
        .left = m.square / x->scale,
        .change = times - 1,
        .sd = variance > 0 ? sqrt(variance * x->scale) / fabs(was) : HUGE_VAL};
    darc_linear_match_clear(&l);
    darc_match_clear(&m);
    return status;
}

darc_status darc_together_part(darc_parted *out, darc_together *t,
                               const int *which, int count, int first,
                               darc_err *err)
{
    darc_trajectory whole;
    darc_comparing part;
    darc_status status = darc_comparing_part(
        &part, t->x, &whole, &(darc_comparing_some){t->all, which, count}, err);
    for (int k = 0; k < t->x->flow.params && status == DARC_OK; k++)
        status = part_one(out + k, t->x, k, first, err);
    darc_comparing_clear(&part);
    darc_comparing_join(t->x, &whole);
    return status;
}

void darc_together_clear(darc_together *t)
{
    for (int i = 0; i < t->known; i++)
        DARC_FREE(t->shared[i].which, t->shared[i].value);
    darc_free(t->shared);
    *t = (darc_together){.known = 0};
}
