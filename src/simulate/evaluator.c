#include "simulate/evaluator.h"

#include "base/mem.h"
#include "stats/columns.h"

#include <math.h>

void darc_signals_init(darc_signals *s, int unknowns)
{
    size_t n = (size_t)unknowns;
    *s = (darc_signals){.unknowns = unknowns, .until = HUGE_VAL};
    DARC_CALLOC(n, s->wave, s->order, s->value);
    for (int u = 0; u < unknowns; u++)
        s->value[u] = darc_calloc(1, sizeof *s->value[u]);
}

void darc_signals_clear(darc_signals *s)
{
    DARC_ALL_OF(darc_wave_free, s->wave, s->unknowns);
    DARC_FREE_EACH(s->value, s->unknowns);
    DARC_FREE(s->wave, s->order, s->value);
    *s = (darc_signals){0};
}

void darc_signals_require(darc_signals *s, int u, int order)
{
    if (order <= s->order[u])
        return;
    s->order[u] = order;
    s->value[u] =
        darc_realloc(s->value[u], (size_t)order + 1, sizeof *s->value[u]);
}

void darc_signals_set(darc_signals *s, double t)
{
    if (s->known && s->at == t)
        return;
    double moment = t < s->until ? t : nextafter(s->until, -HUGE_VAL);
    for (int u = 0; u < s->unknowns; u++)
        if (s->wave[u] != NULL)
            darc_wave_eval(s->wave[u], moment, s->order[u], s->value[u]);
    s->at = t;
    s->known = true;
}

double darc_signals_next_jump(const darc_signals *s, double t)
{
    double first = HUGE_VAL;
    for (int u = 0; u < s->unknowns; u++)
        if (s->wave[u] != NULL)
            first = fmin(first, darc_wave_next_jump(s->wave[u], t));
    return first;
}

double darc_signals_next_dose(const darc_signals *s, double t)
{
    double first = HUGE_VAL;
    for (int u = 0; u < s->unknowns; u++)
        if (s->wave[u] != NULL)
            first = fmin(first, darc_wave_next_dose(s->wave[u], t));
    return first;
}

bool darc_signals_dose(darc_signals *s, double t, double times)
{
    bool any = false;
    darc_signals_set(s, t);
    for (int u = 0; u < s->unknowns; u++) {
        double amount = s->wave[u] != NULL ? darc_wave_dose(s->wave[u], t) : 0;
        any = any || amount != 0;
        if (amount != 0)
            s->value[u][0] = times * amount;
    }
    return any;
}

double darc_moment_value(void *moment, darc_deriv d)
{
    const darc_moment *m = moment;
    int u = d.unknown;
    switch (m->names->symbol[u].kind) {
    case DARC_PARAMETER:
        return m->value[u];
    case DARC_TIME:
        return d.order == 0 ? m->t : d.order == 1;
    case DARC_INPUT:
        return d.order <= m->signals->order[u] ? m->signals->value[u][d.order]
                                               : NAN;
    default:
        return d.order < m->layout->count[u]
                   ? m->y[m->layout->first[u] + d.order]
                   : NAN;
    }
}

void darc_evaluator_init(darc_evaluator *e, const darc_dpolys_t p,
                         bool magnitude, const darc_jet_t jet,
                         const darc_places *at)
{
    const darc_layout *layout = at->layout;
    *e = (darc_evaluator){0};
    darc_program_compile(&e->program, p, magnitude, jet);
    DARC_SAME(e, e->program, inputs, outputs);
    size_t n = (size_t)e->inputs, m = (size_t)e->outputs;
    DARC_CALLOC(n, e->in, e->fixed, e->from);
    e->out_at = darc_columns_new(m, 1);
    e->out = m > 0 ? e->out_at[0] : NULL;
    for (int i = 0; i < e->inputs; i++) {
        darc_deriv d = e->program->deriv[i];
        int u = d.unknown, known = layout->count[u];
        e->in[i] = e->fixed + i;
        e->fixed[i] = at->value[u];
        e->from[i] = (darc_evaluator_source){
            d.order < known ? layout->first[u] + d.order : -1,
            known > 0 && d.order == known ? layout->first[u] + known - 1 : -1,
            jet->names->symbol[u].kind == DARC_TIME};
        if (jet->names->symbol[u].kind == DARC_INPUT)
            darc_signals_require(at->signals, u, d.order);
    }
}

void darc_evaluator_clear(darc_evaluator *e)
{
    darc_program_free(e->program);
    DARC_FREE((void *)e->in, e->fixed, e->from);
    darc_columns_free(e->out_at);
    *e = (darc_evaluator){0};
}

void darc_evaluator_bind(darc_evaluator *e, const darc_jet_t jet,
                         const darc_signals *signals)
{
    for (int i = 0; i < e->inputs; i++) {
        darc_deriv d = e->program->deriv[i];
        if (jet->names->symbol[d.unknown].kind == DARC_INPUT)
            e->in[i] = signals->value[d.unknown] + d.order;
    }
}

void darc_evaluator_run(darc_evaluator *e, double t, const double *y,
                        const double *dy)
{
    for (int i = 0; i < e->inputs; i++) {
        const darc_evaluator_source *from = e->from + i;
        if (from->y >= 0)
            e->fixed[i] = y[from->y];
        else if (from->dy >= 0)
            e->fixed[i] = dy[from->dy];
        else if (from->time)
            e->fixed[i] = t;
    }
    darc_program_eval(e->program, e->in, e->out_at, 1);
}
