/* linear.c - a session of the model that is linear near values of parameters.
 */
#include "session/near.h"

#include "base/attempt.h"
#include "base/mem.h"
#include "model/model.h"
#include "session/thresholds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Between those of the recordings, as the model has it. */
static double middle(const darc_inner *p, bool pair)
{
    char digits[40];
    double at = pair ? (p->own[0] + p->own[1]) / 2 : p->own[0];
    snprintf(digits, sizeof digits, "%.6g", at);
    return strtod(digits, NULL);
}

static double at_centre(void *user, const char *parameter)
{
    const darc_centre *c = user;
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->item[i].name, parameter) == 0)
            return middle(c->item + i, c->pair);
    return NAN;
}

darc_told darc_near_told(const darc_session *s)
{
    const darc_isolation *i = darc_session_isolation(s);
    const darc_report *r = darc_session_report(s);
    return i != NULL ? (darc_told){i->values, i->value}
                     : (darc_told){r->values, r->value};
}

static const darc_estimate *find(const darc_told *t, const char *name)
{
    for (int i = 0; i < t->count; i++)
        if (strcmp(t->value[i].function, name) == 0)
            return t->value + i;
    return NULL;
}

/* Move a parameter to what is told of it; return how far in standard
 * deviations. */
static double move_one(darc_inner *p, const darc_estimate *e,
                       const darc_centre *c)
{
    double was = middle(p, c->pair), a = p->own[0], b = p->own[1];
    p->own[0] = e->value_a;
    p->own[1] = e->value_b;
    p->sd[0] = e->sd_a;
    p->sd[1] = e->sd_b;
    if (c->apart)
        return fmax(fabs(e->value_a - a) / e->sd_a,
                    fabs(e->value_b - b) / e->sd_b);
    double sd = c->pair ? hypot(e->sd_a, e->sd_b) / 2 : e->sd_a;
    return fabs(middle(p, c->pair) - was) / sd;
}

double darc_near_move(darc_centre *c, const darc_told *t)
{
    double most = c->count > 0 ? 0 : NAN;
    bool apart = c->apart;
    for (int i = 0; i < c->count && !isnan(most); i++) {
        const darc_estimate *e = find(t, c->item[i].name);
        double far = e != NULL ? move_one(c->item + i, e, c) : NAN;
        most = far <= most ? most : far;
        apart = apart || (e != NULL && c->pair &&
                          fabs(e->value_a - e->value_b) >
                              DARC_NEAR_APART * hypot(e->sd_a, e->sd_b));
    }
    if (apart && !c->apart && !isnan(most))
        most = HUGE_VAL;
    c->apart = apart;
    return most;
}

void darc_near_drop(darc_linear *l)
{
    if (l->session != NULL)
        l->session->asked = NULL;
    darc_session_free(l->session);
    darc_model_free(l->model);
    l->session = NULL;
    l->model = NULL;
}

/* Return column k, or a copy in `hole` of n values, where what was not measured
 * is a gap again. */
static const double *measured(double *hole, const darc_table *t, int k)
{
    const unsigned char *absent = k < t->absents ? t->absent[k] : NULL;
    if (absent == NULL)
        return t->signal[k].value;
    for (size_t i = 0; i < t->samples; i++)
        hole[i] = absent[i] ? NAN : t->signal[k].value[i];
    return hole;
}

/* Let it have a copy of what was measured, and columns of what is off. */
static darc_status lend(const darc_linear *l, const darc_centre *c, int r)
{
    const darc_session *s = l->of;
    const darc_table *t = s->table[r];
    bool part = l->most > 0 && l->most < t->samples;
    size_t first = part ? darc_table_liveliest(t, l->most) : 0;
    size_t n = 0, wanted = (size_t)s->set.load.wanted;
    size_t most = wanted + (size_t)c->count + 1;
    const char **name = darc_calloc(most, sizeof *name);
    const char **unit = darc_calloc(most, sizeof *unit);
    const double **value = darc_calloc(most, sizeof *value);
    double *room = darc_calloc(most * t->samples, sizeof *room);
    for (; n < wanted; n++) {
        name[n] = s->want[n];
        unit[n] = s->unit[n];
        value[n] =
            measured(room + n * t->samples, t, darc_table_find(t, name[n]));
    }
    for (int i = 0; i < c->count && c->apart; i++, n++) {
        double *off = room + n * t->samples;
        for (size_t k = 0; k < t->samples; k++)
            off[k] = c->item[i].own[r] - middle(c->item + i, c->pair);
        name[n] = c->item[i].off;
        unit[n] = "";
        value[n] = off;
    }
    for (size_t i = 0; i < n; i++)
        value[i] += first;
    darc_samples samples = {.name = t->file,
                            .samples = part ? l->most : t->samples,
                            .time = t->time == NULL ? NULL : t->time + first,
                            .t0 = t->t0 +
                                  (t->time == NULL ? (double)first * t->dt : 0),
                            .rate = t->dt > 0 ? 1 / t->dt : 0,
                            .signals = (int)n,
                            .signal = name,
                            .unit = unit,
                            .value = value};
    darc_status status = darc_session_add_samples(l->session, &samples, NULL);
    DARC_FREE((void *)name, (void *)unit, (void *)value, room);
    return status;
}

/* Settings for the model, in which what is off has no noise, and inputs are
 * held as they are found to be.  *names and *sd are owned by the caller. */
static darc_session_settings settings_of(const char ***names, double **sd,
                                         const darc_session *s,
                                         const darc_centre *c)
{
    darc_session_settings set = s->set;
    const darc_names_struct *all = darc_model_names(s->model);
    size_t most = (size_t)(set.noises + c->count) + 1;
    *names = darc_calloc(most + (size_t)all->count, sizeof **names);
    *sd = darc_calloc(most, sizeof **sd);
    set.hold = *names + most;
    set.holds = 0;
    for (int u = 0; u < all->count; u++)
        if (s->hold[u] && all->symbol[u].kind == DARC_INPUT)
            (*names)[most + (size_t)set.holds++] = all->symbol[u].name;
    for (int i = 0; i < set.noises; i++) {
        (*names)[i] = set.noise_name[i];
        (*sd)[i] = set.noise_sd[i];
    }
    for (int i = 0; i < c->count && c->apart; i++)
        (*names)[set.noises++] = c->item[i].off;
    set.noise_name = *names;
    set.noise_sd = *sd;
    return set;
}

static void say_near(darc_session *s, const darc_centre *c)
{
    for (int i = 0; i < c->count; i++) {
        const darc_inner *p = c->item + i;
        darc_session_detail(s, "functions of %s are linear around %s = %.6g",
                            p->name, p->near, middle(p, c->pair));
        if (c->apart)
            darc_session_detail(s, "%s: %s of a recording less %s", p->off,
                                p->name, p->near);
    }
    s->own = s->kept = s->notes;
}

static darc_status open_session(darc_linear *l, const darc_centre *c)
{
    darc_session *s = l->of;
    const char **names;
    double *sd;
    darc_session_settings set = settings_of(&names, &sd, s, c);
    darc_status status =
        darc_session_new(&l->session, l->model, &set, s->budget, NULL);
    DARC_FREE((void *)names, sd);
    if (status != DARC_OK)
        return status;
    l->session->set.noises = l->session->set.holds =
        0; /* they are taken over */
    l->session->asked = s->asked;
    l->session->set.rough = l->rough;
    say_near(l->session, c);
    for (int r = l->from; r < l->from + l->count; r++)
        DARC_NEED(lend(l, c, r));
    return DARC_OK;
}

/* Set *out to the session around the centre, NULL: there is none; as
 * darc_attempt. */
static darc_status open_near(darc_linear *out, darc_centre *c)
{
    darc_linear l = *out;
    darc_near near = {at_centre, c, c->apart};
    DARC_NEED(darc_model_near(&l.model, l.of->model, &near, NULL));
    darc_status status = l.model != NULL ? open_session(&l, c) : DARC_OK;
    if (status != DARC_OK)
        darc_near_drop(&l);
    *out = l;
    return status;
}

bool darc_near_open(darc_linear *l, darc_centre *c)
{
    darc_status status;
    darc_near_drop(l);
    DARC_ATTEMPT(status, open_near(l, c), NULL);
    return status == DARC_OK && l->session != NULL;
}

bool darc_near_ask(darc_linear *l, darc_centre *c, darc_asking *ask,
                   darc_test test)
{
    return darc_near_open(l, c) && ask(l->session, test, NULL) == DARC_OK &&
           darc_near_told(l->session).count > 0;
}

double darc_near_left(const darc_linear *l, double *dof)
{
    const darc_decision *d = &darc_session_report(l->session)->decision;
    *dof = d->dof;
    return d->dof > 0 ? d->statistic / d->dof : NAN;
}

/* Stand beside `last`, at try 0, 1, ...: each parameter by a share of itself up
 * or down, shares that fall. */
static void stand_beside(darc_centre *c, const double *last, int try)
{
    int n = c->count, round = try / (2 * n);
    double share = (try % 2 == 0 ? -1 : 1) * ldexp(DARC_NEAR_ASIDE, -round);
    for (int i = 0; i < 2 * n; i++)
        c->item[i / 2].own[i % 2] =
            last[i] * (i / 2 == try / 2 % n ? 1 + share : 1);
}

bool darc_near_settle(darc_linear *l, darc_centre *c, darc_asking *ask,
                      darc_test test, double far)
{
    double dof, least = HUGE_VAL, moved = far;
    double *last = darc_calloc(2 * (size_t)c->count + 1, sizeof *last);
    bool stays = l->session != NULL && far <= DARC_NEAR_ENOUGH;
    for (int pass = 0, try = 0;
         pass < DARC_NEAR_PASSES && !stays && !isnan(moved); pass++) {
        bool told = darc_near_ask(l, c, ask, test);
        double left = told ? darc_near_left(l, &dof) : HUGE_VAL;
        bool rises = !told || left > DARC_NEAR_RISE * least;
        if (least == HUGE_VAL && (!told || (c->most > 0 && !(left <= c->most))))
            break;
        if (rises) {
            stand_beside(c, last, try++);
            continue;
        }
        try = 0;
        least = left;
        for (int i = 0; i < 2 * c->count; i++)
            last[i] = c->item[i / 2].own[i % 2];
        const darc_told now = darc_near_told(l->session);
        moved = darc_near_move(c, &now);
        stays = moved <= DARC_NEAR_ENOUGH;
    }
    darc_free(last);
    return stays;
}
