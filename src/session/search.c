/* search.c - where parameters of functions are, where no equation tells. */
#include "session/near.h"

#include "base/mem.h"
#include "fit/starts.h"

#include <math.h>
#include <string.h>

static void stand_at(darc_centre *c, const double *x)
{
    for (int i = 0; i < c->count; i++)
        c->item[i].own[0] = x[i];
}

static void keep(double *x, double *sd, const darc_centre *c)
{
    for (int i = 0; i < c->count; i++) {
        x[i] = c->item[i].own[0];
        sd[i] = c->item[i].sd[0];
    }
}

static bool holds_at(darc_linear *l, darc_centre *c)
{
    return darc_near_ask(l, c, l->askings->check, DARC_STRUCTURE) &&
           darc_session_verdict(l->session) == DARC_CONSISTENT;
}

static int best_of(const double *rest, int n)
{
    int best = -1;
    for (int i = 0; i < n; i++)
        if (rest[i] < (best < 0 ? HUGE_VAL : rest[best]))
            best = i;
    return best;
}

/* Follow the best of n starts; x becomes what the best of all ends at.  Return
 * whether the model holds there, or two ended there. */
static bool follow(darc_linear *l, darc_centre *c, double *x, double *sd, int n)
{
    double *rest = darc_calloc((size_t)n + 1, sizeof *rest);
    double least = HUGE_VAL, dof;
    int ended = 0;
    bool found = false;
    for (int i = 0; i < n; i++) {
        stand_at(c, x + i * c->count);
        rest[i] = darc_near_ask(l, c, l->askings->values, DARC_STRUCTURE)
                      ? darc_near_left(l, &dof)
                      : HUGE_VAL;
    }
    for (int k = 0; k < DARC_NEAR_FOLLOWED && !found; k++) {
        int i = best_of(rest, n);
        if (i < 0)
            break;
        c->most = DARC_NEAR_AWAY * rest[i];
        rest[i] = HUGE_VAL;
        stand_at(c, x + i * c->count);
        if (!darc_near_settle(l, c, l->askings->values, DARC_STRUCTURE,
                              HUGE_VAL))
            continue;
        double left = darc_near_left(l, &dof);
        bool same = fabs(left - least) * dof <= DARC_NEAR_SAME * fmax(1, left);
        ended = same ? ended + 1 : left < least ? 1 : ended;
        if (left < least || same)
            keep(sd + c->count, sd, c);
        found = ended > 1 || (left < least && holds_at(l, c));
        least = fmin(left, least);
    }
    memcpy(x, sd + c->count, (size_t)c->count * sizeof *x);
    darc_free(rest);
    return found;
}

/* Set own and sd of recording r, where the others' are known. */
static bool search_one(darc_linear *l, darc_centre *all, int r)
{
    int n = all->count, most = DARC_NEAR_STARTS;
    int *parameter = darc_calloc((size_t)n, sizeof *parameter);
    double *x = darc_calloc((size_t)(n * (most + 3)), sizeof *x);
    double *sd = x + n * (most + 1);
    darc_centre c = {.count = n, .item = all->item, .coarse = all->coarse};
    const darc_session *s = l->of;
    double *own = darc_calloc((size_t)n, sizeof *own);
    for (int i = 0; i < n; i++) {
        own[i] = all->item[i].own[0];
        parameter[i] = all->item[i].unknown;
    }
    l->from = r;
    l->count = 1;
    memcpy(x, own, (size_t)n * sizeof *x);
    bool found;
    if (darc_model_has_dead_times(s->model) && darc_late_find(x, l, &c, r)) {
        stand_at(&c, x);
        found = darc_near_settle(l, &c, l->askings->values, DARC_STRUCTURE,
                                 HUGE_VAL);
        if (found)
            keep(x, sd, &c);
        goto done;
    }
    found =
        r > 0 &&
        darc_near_settle(l, &c, l->askings->values, DARC_STRUCTURE, HUGE_VAL) &&
        holds_at(l, &c);
    if (found) {
        keep(x, sd, &c);
    } else {
        int first = r > 0;
        int starts = darc_starts_find(x + first * n, most, s->model, parameter,
                                      n, s->table[r]);
        memcpy(x, own, (size_t)(first * n) * sizeof *x);
        found = follow(l, &c, x, sd, first + starts);
    }
done:
    all->coarse = c.coarse;
    for (int i = 0; i < n; i++) {
        all->item[i].own[0] = own[i];
        all->item[i].own[r] = x[i];
        all->item[i].sd[r] = sd[i];
    }
    DARC_FREE(parameter, x, own);
    return found;
}

/* Stand at what recordings tell each by itself; two of them apart. */
bool darc_near_search(darc_linear *l, darc_centre *c)
{
    bool found = c->count > 0;
    for (int r = 0; r < (c->pair ? 2 : 1) && found; r++)
        found = search_one(l, c, r);
    l->from = 0;
    l->count = l->of->recordings;
    c->apart = c->pair;
    return found;
}
