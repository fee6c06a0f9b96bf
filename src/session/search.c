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

/* Settle from x on; x and sd become what that ends at.  Return whether it does.
 */
static bool settle_at(double *x, double *sd, darc_linear *l, darc_centre *c)
{
    stand_at(c, x);
    bool found =
        darc_near_settle(l, c, l->askings->values, DARC_STRUCTURE, HUGE_VAL);
    if (found)
        keep(x, sd, c);
    return found;
}

static bool holds_at(darc_linear *l, darc_centre *c)
{
    l->rough = false;
    return darc_near_ask(l, c, l->askings->check, DARC_STRUCTURE) &&
           darc_session_verdict(l->session) == DARC_CONSISTENT;
}

/* Follow the best of n starts; x becomes what the best of all ends at.  Return
 * whether the model holds there, or two ended there. */
static bool follow(darc_linear *l, darc_centre *c, double *x, double *sd, int n)
{
    double *rest = darc_calloc((size_t)n + 1, sizeof *rest);
    double least = HUGE_VAL, dof;
    int ended = 0;
    bool found = false;
    l->holds = false;
    l->rough = true;
    for (int i = 0; i < n; i++) {
        stand_at(c, x + i * c->count);
        rest[i] =
            !l->holds && darc_near_ask(l, c, l->askings->values, DARC_STRUCTURE)
                ? darc_near_left(l, &dof)
                : HUGE_VAL;
        l->holds = l->holds || rest[i] <= DARC_NEAR_HOLDS;
    }
    for (int k = 0; k < DARC_NEAR_FOLLOWED && k < n && !found; k++) {
        int i = 0;
        for (int j = 1; j < n; j++)
            i = rest[j] < rest[i] || isnan(rest[i]) ? j : i;
        if (!(rest[i] < HUGE_VAL))
            break;
        l->rough = true;
        c->most = DARC_NEAR_AWAY * rest[i];
        rest[i] = HUGE_VAL;
        if (!settle_at(x + i * c->count, sd, l, c))
            continue;
        double left = darc_near_left(l, &dof);
        bool same = fabs(left - least) * dof <= DARC_NEAR_SAME * fmax(1, left);
        ended = same ? ended + 1 : left < least ? 1 : ended;
        if (left < least || same)
            keep(sd + c->count, sd, c);
        found = ended > 1 || left <= DARC_NEAR_HOLDS ||
                (left < least && holds_at(l, c));
        least = fmin(left, least);
    }
    l->rough = false;
    memcpy(x, sd + c->count, (size_t)c->count * sizeof *x);
    darc_free(rest);
    l->holds = least <= DARC_NEAR_HOLDS;
    return found;
}

/* The same from starts by the signals, in `most` samples (0: all) of a
 * recording; of a second one, from where c stands, too. */
static bool follow_starts(double *x, double *sd, darc_linear *l, darc_centre *c,
                          size_t most)
{
    int n = c->count, first = l->from > 0;
    int *parameter = darc_calloc((size_t)n, sizeof *parameter);
    for (int i = 0; i < n; i++)
        parameter[i] = c->item[i].unknown;
    for (int i = 0; i < first * n; i++)
        x[i] = c->item[i].own[0];
    int starts = darc_starts_find(x + first * n, DARC_NEAR_STARTS, l->of->model,
                                  parameter, n, l->of->table[l->from]);
    l->most = most;
    bool found = follow(l, c, x, sd, first + starts);
    l->most = 0;
    c->most = 0;
    darc_free(parameter);
    return found;
}

/* Set own and sd of recording r, where the others' are known. */
static bool search_one(darc_linear *l, darc_centre *all, int r)
{
    int n = all->count, most = DARC_NEAR_STARTS;
    double *x = darc_calloc((size_t)(n * (most + 4)), sizeof *x);
    double *sd = x + n * (most + 1), *own = sd + 2 * n;
    darc_centre c = {.count = n, .item = all->item, .coarse = all->coarse};
    const darc_session *s = l->of;
    keep(own, sd, all);
    l->from = r;
    l->count = 1;
    memcpy(x, own, (size_t)n * sizeof *x);
    bool found = true;
    if (darc_model_has_dead_times(s->model) && darc_late_find(x, l, &c, r)) {
        found = settle_at(x, sd, l, &c);
    } else if (!(r > 0 && settle_at(x, sd, l, &c) && holds_at(l, &c))) {
        l->holds = false;
        stand_at(&c, own);
        found = s->table[r]->samples > DARC_NEAR_SAMPLES &&
                follow_starts(x, sd, l, &c, DARC_NEAR_SAMPLES) &&
                settle_at(x, sd, l, &c);
        stand_at(&c, own);
        found = found || (!l->holds && follow_starts(x, sd, l, &c, 0));
    }
    all->coarse = c.coarse;
    for (int i = 0; i < n; i++) {
        all->item[i].own[0] = own[i];
        all->item[i].own[r] = x[i];
        all->item[i].sd[r] = sd[i];
    }
    darc_free(x);
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
