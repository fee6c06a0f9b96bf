#include "terms/levelled.h"

#include "base/mem.h"
#include "fit/follow.h"
#include "terms/thresholds.h"
#include "weak/steps.h"

#include <math.h>
#include <string.h>

/* Take the jumps of unknown u off y; and kinks, as ramps that fade. */
static void level(double *y, const darc_steps *s, int u,
                  const darc_table *table)
{
    double sum = 0, slope = 0, ramp = 0, last = darc_table_time(table, 0);
    double fade = DARC_LEVELLED_FADE * darc_table_step(table);
    size_t k = 0;
    for (size_t t = 0; t < table->samples; t++) {
        double now = darc_table_time(table, t), ago = now - last;
        ramp = (ramp + slope * ago) * exp(-ago / fade);
        slope *= exp(-ago / fade);
        last = now;
        for (; k < s->count &&
               (s->at[k] < now || (s->at[k] == now && !s->before[u]));
             k++) {
            ago = now - s->at[k];
            sum += s->jump[u][k];
            ramp += s->kink[u][k] * ago * exp(-ago / fade);
            slope += s->kink[u][k] * exp(-ago / fade);
        }
        y[t] -= sum + ramp;
    }
}

/* Whether the steps of output u are to be taken off: where it jumps, or bends
 * with inputs that know nothing of its noise. */
static bool is_stepped(const darc_fit *f, int u)
{
    const darc_steps *s = f->r.steps;
    bool any = f->r.column[u] >= 0 && s->kink[u] != NULL;
    bool bends = false;
    for (size_t k = 0; any && k < s->count && !bends; k++)
        bends = s->kink[u][k] != 0;
    for (int i = 0; i < f->r.unknowns && bends; i++)
        bends = f->r.held[i] == DARC_HELD_NOT ||
                f->r.noise[i].colour != DARC_COLOUR_COMPUTED;
    return any && (bends || darc_follow_jumps(f, u));
}

bool darc_levelled_table(darc_table *out, const darc_fit *f,
                         const darc_table *table)
{
    const darc_steps *s = f->r.steps;
    bool any = false;
    *out = *table;
    for (int u = 0; u < f->r.unknowns && s != NULL; u++)
        any = any || is_stepped(f, u);
    if (!any)
        return false;
    out->signal = darc_malloc((size_t)table->signals * sizeof *out->signal);
    memcpy(out->signal, table->signal,
           (size_t)table->signals * sizeof *out->signal);
    for (int u = 0; u < f->r.unknowns; u++) {
        if (!is_stepped(f, u))
            continue;
        double *y = darc_malloc(table->samples * sizeof *y);
        memcpy(y, table->signal[f->r.column[u]].value,
               table->samples * sizeof *y);
        level(y, s, u, table);
        out->signal[f->r.column[u]].value = y;
    }
    return true;
}

void darc_levelled_release(darc_table *out, const darc_table *table)
{
    for (int i = 0; i < table->signals; i++)
        if (out->signal[i].value != table->signal[i].value)
            darc_free(out->signal[i].value);
    darc_free(out->signal);
}

darc_status darc_levelled_between(darc_regression *r, const darc_question *x,
                                  const darc_cut *cut, const darc_table *table)
{
    darc_regression whole = {0};
    darc_status status = darc_regression_init(r, x, &cut->table, NULL);
    if (status == DARC_OK)
        status = darc_regression_init(&whole, x, table, NULL);
    for (int u = 0; u < whole.unknowns && status == DARC_OK; u++) {
        darc_signalnoise *n = r->noise + u;
        const darc_signalnoise *from = whole.noise + u;
        n->jump = from->jump;
        n->power_band = from->power_band;
        n->bulk_band = from->bulk_band;
        n->signal_band = from->signal_band;
        n->seen = fmin(n->seen, from->seen); /* both hold more than noise */
        n->beyond = fmin(n->beyond, from->beyond);
    }
    darc_regression_clear(&whole);
    return status;
}

/* Fit again with what is known of the noise; return whether all is white then.
 */
static bool fit_knowing(darc_fit *f, const darc_signalnoise *known,
                        const darc_question *x, const darc_table *table,
                        double alpha, bool level)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_fit again = {.weak = NULL};
    by.known = known;
    by.level = level;
    y.by = &by;
    if (darc_fit_question(&again, &y, table, alpha, NULL) == DARC_OK)
        darc_fit_replace(f, &again);
    darc_fit_clear(&again);
    return f->r.coloured < 0;
}

/* Let r hold the noise of outputs that jump with held inputs, read where these
 * jumps are taken off, which reach all frequencies and look like noise.  Return
 * whether one is quieter by the factor than it is in f. */
static bool read_level(darc_regression *r, const darc_fit *f,
                       const darc_question *x, const darc_table *table)
{
    darc_table level;
    bool quieter = false;
    *r = (darc_regression){0};
    if (!darc_levelled_table(&level, f, table))
        return false;
    bool read = darc_regression_init(r, x, &level, NULL) == DARC_OK;
    for (int u = 0; u < r->unknowns && read; u++) {
        int i = r->column[u];
        r->noise[u].rms = f->r.noise[u].rms;
        r->noise[u].power_band = f->r.noise[u].power_band;
        r->noise[u].bulk_band = f->r.noise[u].bulk_band;
        r->noise[u].signal_band = f->r.noise[u].signal_band;
        quieter = quieter ||
                  (i >= 0 && level.signal[i].value != table->signal[i].value &&
                   r->noise[u].sd < DARC_LEVEL_QUIETER * f->r.noise[u].sd);
    }
    darc_levelled_release(&level, table);
    return quieter;
}

/* Fit again with that noise, as long as it falls: the jumps are known as well
 * as the coefficients. */
static void fit_levelled(darc_fit *f, const darc_question *x,
                         const darc_table *table, double alpha)
{
    for (int i = 0; i < DARC_LEVEL_TURNS && x->by->known == NULL; i++) {
        darc_regression r;
        bool quieter = read_level(&r, f, x, table);
        if (quieter)
            fit_knowing(f, r.noise, x, table, alpha, true);
        darc_regression_clear(&r);
        if (!quieter)
            break;
    }
}

/* Set n to the noise that f takes the signals to have, that of any colour so
 * many times as loud. */
static void scale_noise(darc_signalnoise *n, const darc_fit *f, double factor)
{
    for (int u = 0; u < f->r.unknowns; u++) {
        if (f->r.at[u] < 0)
            continue;
        darc_signalnoise_copy(n + u, f->r.noise + u);
        if (n[u].colour != DARC_COLOUR_ANY)
            continue;
        n[u].sd *= factor;
        n[u].kernel[0] *= factor;
        n[u].seen *= factor;
        n[u].beyond *= factor;
    }
}

/* Fit again with noise that is no louder than what the equations leave: a
 * signal that fills its spectrum, as blows do, shows a bound of its own only.
 */
static void fit_quieter(darc_fit *f, const darc_question *x,
                        const darc_table *table, double alpha)
{
    size_t n = (size_t)f->r.unknowns;
    darc_signalnoise *noise = darc_calloc(n, sizeof *noise);
    for (int i = 0; i < DARC_LEVEL_TURNS && f->r.coloured >= 0; i++) {
        double left = f->white.q / f->white.dof;
        if (!(left > 0 && left < DARC_LEVEL_LOUD))
            break;
        scale_noise(noise, f, sqrt(left));
        fit_knowing(f, noise, x, table, alpha, x->by->level);
        for (size_t u = 0; u < n; u++)
            darc_signalnoise_clear(noise + u);
    }
    darc_free(noise);
}

darc_status darc_levelled_fit(darc_fit *f, const darc_question *x,
                              const darc_table *table, double alpha,
                              darc_err *err)
{
    DARC_NEED(darc_fit_question(f, x, table, alpha, err));
    fit_levelled(f, x, table, alpha);
    if (x->by->known == NULL && x->by->colour == DARC_ASSUME_AUTO)
        fit_quieter(f, x, table, alpha);
    if (f->r.coloured < 0 || x->by->colour != DARC_ASSUME_AUTO)
        return DARC_OK;
    darc_cut *cut = darc_cut_new(x, table, DARC_CUT_HELD);
    darc_regression r = {0};
    if (cut != NULL && darc_levelled_between(&r, x, cut, table) == DARC_OK &&
        r.coloured < 0)
        fit_knowing(f, r.noise, x, table, alpha, false);
    if (cut != NULL)
        darc_regression_clear(&r);
    darc_cut_free(cut);
    return DARC_OK;
}
