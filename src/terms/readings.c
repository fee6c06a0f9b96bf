#include "terms/readings.h"

#include "base/mem.h"
#include "fit/cut.h"
#include "fit/follow.h"
#include "noise/lattice.h"
#include "stats/stats.h"
#include "terms/levelled.h"
#include "terms/likelihood.h"
#include "terms/locate.h"
#include "terms/missing.h"
#include "terms/thresholds.h"

#include <math.h>
#include <string.h>

/* Whether the model says on which side of steps the samples of an output lie,
 * which a step at another sample would turn. */
static bool has_said_side(const darc_fit *f, const darc_question *x)
{
    bool said = false;
    for (int u = 0; u < f->r.unknowns && !said; u++)
        said = darc_model_side(x->model, u) != 0 && darc_follow_jumps(f, u);
    return said;
}

/* A reading of the inputs, beside what a question says. */
typedef struct {
    const bool *held, *until;
    const bool *line; /* not held, whatever the noise */
} reading;

/* What is read: a recording, as f has it. */
typedef struct {
    const darc_question *x;
    const darc_table *table;
    double alpha;
    const darc_fit *f;
    reading own; /* that of f */
} read;

/* Fit the question so read, with noise of its own or, unless NULL, that of
 * another reading, which is of any size. */
static darc_status fit_read(darc_fit *out, const read *r, reading as,
                            const darc_signalnoise *known)
{
    darc_question y = *r->x;
    darc_criteria by = *r->x->by;
    by.held = as.held;
    by.until = as.until;
    by.jumps = as.line;
    y.by = &by;
    if (known == NULL)
        return darc_levelled_fit(out, &y, r->table, r->alpha, NULL);
    by.known = known;
    by.level = true;
    return darc_fit_question(out, &y, r->table, r->alpha, NULL);
}

/* Return how loud the noise is that f takes the signals to have. */
static double loudness(const darc_fit *f)
{
    const double least = 1e-6;
    double sum = 0;
    for (int u = 0; u < f->r.unknowns; u++)
        if (f->r.at[u] >= 0 && f->r.noise[u].rms > 0)
            sum += log(hypot(f->r.noise[u].sd / f->r.noise[u].rms, least));
    return sum;
}

/* Set other to the fit of another reading; return by how much twice the
 * logarithm of its likelihood is above that of f, beside the noise of the one
 * that has less: what the wrong one takes for noise explains anything. */
static double gain_of(darc_fit *other, const read *r, reading as)
{
    darc_fit again = {.weak = NULL};
    double gain = 0;
    if (fit_read(other, r, as, NULL) != DARC_OK)
        return 0;
    bool quieter = loudness(other) < loudness(r->f);
    if (fit_read(&again, r, quieter ? r->own : as,
                 quieter ? other->r.noise : r->f->r.noise) == DARC_OK)
        gain = darc_likelihood_likelier(quieter ? &again : r->f,
                                        quieter ? other : &again);
    darc_fit_clear(&again);
    return gain;
}

/* Take the other reading where it is the likeliest so far. */
static void try_reading(darc_fit *best, double *most, const read *r, reading as)
{
    darc_fit other = {.weak = NULL};
    double gain = gain_of(&other, r, as);
    if (gain > *most + DARC_EDGES_SHOWN) {
        darc_fit_replace(best, &other);
        *most = gain;
    }
    darc_fit_clear(&other);
}

/* Mark inputs that may be held though they are not: they repeat their values,
 * as nothing does that moves in between.  Return whether there are any. */
static bool mark_repeating(bool *more, const darc_fit *f,
                           const darc_question *x, const darc_table *table)
{
    bool any = false;
    for (int u = 0; u < f->r.unknowns; u++) {
        more[u] = f->r.column[u] >= 0 && f->r.held[u] == DARC_HELD_NOT &&
                  f->r.noise[u].colour != DARC_COLOUR_COMPUTED &&
                  darc_cut_may_hold(x, table, u) &&
                  darc_lattice_is_held(f->r.signal[u].value, table,
                                       f->r.noise[u].step, DARC_STAIRS_SHORT);
        any = any || more[u];
    }
    return any;
}

bool darc_readings_mark_small(bool *small, const darc_fit *f,
                              const darc_question *x, const darc_table *table)
{
    bool any = false;
    for (int u = 0; u < f->r.unknowns && f->cut == NULL; u++) {
        small[u] = f->r.column[u] >= 0 && f->r.held[u] == DARC_HELD_NOT &&
                   f->r.noise[u].colour > DARC_COLOUR_COMPUTED &&
                   f->r.noise[u].step > 0 && darc_cut_may_hold(x, table, u) &&
                   darc_lattice_is_held(f->r.signal[u].value, table,
                                        f->r.noise[u].step, DARC_STAIRS_SMALL);
        any = any || small[u];
    }
    return any;
}

/* Draw a line through the middles of what stands still in segment g. */
static void smooth_segment(double *out, const double *y, darc_segment g)
{
    double at = (double)g.begin, from = y[g.begin];
    size_t done = g.begin;
    for (size_t i = g.begin, end; i < g.end; i = end) {
        for (end = i + 1; end < g.end && y[end] == y[i];)
            end++;
        double middle =
            end == g.end ? (double)end - 1 : (double)(i + end - 1) / 2;
        for (; done < g.end && (double)done <= middle; done++)
            out[done] =
                middle > at
                    ? from + (y[i] - from) * ((double)done - at) / (middle - at)
                    : y[i];
        at = middle;
        from = y[i];
    }
}

/* Set out to the table with what inputs of small steps were where these are
 * made by rounding; to be released with darc_levelled_release. */
static void smooth(darc_table *out, const darc_fit *f, const darc_table *table,
                   const bool *small)
{
    size_t n = (size_t)table->signals * sizeof *out->signal;
    *out = *table;
    out->signal = darc_malloc(n);
    memcpy(out->signal, table->signal, n);
    for (int u = 0; u < f->r.unknowns; u++) {
        if (!small[u])
            continue;
        const double *y = table->signal[f->r.column[u]].value;
        double *line = darc_malloc(table->samples * sizeof *line);
        memcpy(line, y, table->samples * sizeof *line);
        for (int g = 0; g < table->segments; g++)
            smooth_segment(line, y, table->segment[g]);
        out->signal[f->r.column[u]].value = line;
    }
}

bool darc_readings_are_stairs(const darc_fit *f, const darc_question *x,
                              const darc_table *table, const bool *small)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_fit line = {.weak = NULL};
    darc_table smoothed;
    by.known = f->r.noise;
    by.level = true;
    by.like = f->weak;
    by.jumps = small;
    y.by = &by;
    smooth(&smoothed, f, table, small);
    double left = fmax(1, f->white.q / f->white.dof);
    bool stairs =
        darc_fit_question(&line, &y, &smoothed, by.alpha, NULL) == DARC_OK &&
        line.white.q * f->white.dof >
            DARC_STAIRS_CLEAR * left * f->white.q * line.white.dof &&
        darc_likelihood_likelier(&line, f) >
            DARC_EDGES_SHOWN + (double)f->located * log(f->white.dof);
    darc_fit_clear(&line);
    darc_levelled_release(&smoothed, table);
    return stairs;
}

/* Mark what is held or will be, but for what a controller computed; return
 * whether there is anything. */
static bool mark_held(bool *until, const bool *hold, const darc_fit *f,
                      const darc_question *x, const darc_table *table)
{
    bool any = false;
    for (int u = 0; u < f->r.unknowns; u++) {
        until[u] = f->r.column[u] >= 0 &&
                   (f->r.held[u] != DARC_HELD_NOT || hold[u]) &&
                   darc_cut_is_input(x, table, u) &&
                   f->r.noise[u].colour != DARC_COLOUR_COMPUTED;
        any = any || until[u];
    }
    return any;
}

/* Inputs are a line between samples, held from each to the next, or up to each
 * from the one before, as the means are that meters, loggers and weather files
 * write: of these the likeliest is taken.  Who moves in between samples repeats
 * no values; and what is held from its samples on is not asked unless it is
 * refused.  Set best to it, and return by how much twice the logarithm of its
 * likelihood is above that of f; 0, and nothing is set: f is as likely. */
static double look_held(darc_fit *best, const darc_fit *f,
                        const darc_question *x, const darc_table *table,
                        double alpha)
{
    size_t n = (size_t)f->r.unknowns;
    bool *more = darc_calloc(n, sizeof *more), *hold;
    bool *until = darc_calloc(n, sizeof *until);
    bool repeats = f->cut == NULL && mark_repeating(more, f, x, table);
    read r = {x, table, alpha, f, {x->by->held, x->by->until, more}};
    double most = 0;
    hold = darc_cut_hold(x, more);
    if (repeats)
        try_reading(best, &most, &r, (reading){hold, x->by->until, NULL});
    bool ask = f->cut == NULL && (repeats || f->white.p_value < alpha) &&
               x->by->until == NULL && !has_said_side(f, x);
    if (ask && mark_held(until, hold, f, x, table))
        try_reading(best, &most, &r, (reading){hold, until, NULL});
    if (x->by->until != NULL && f->white.p_value < alpha)
        try_reading(best, &most, &r,
                    (reading){x->by->held, x->by->until, x->by->until});
    DARC_FREE(more, hold, until);
    return most;
}

/* Whether a candidate is what other times of changes make: a lag, or a
 * derivative of an input that f takes as held. */
static bool is_shift(const darc_candidate *c, const darc_fit *f)
{
    bool shift = c->kind == DARC_CANDIDATE_LAG;
    for (int i = 0; i < c->count && !shift; i++)
        shift = f->r.held[c->f[i].d.unknown] != DARC_HELD_NOT &&
                c->order + c->f[i].d.order > 0;
    return shift;
}

/* Return by how much the term that explains most of what f leaves raises twice
 * the logarithm of its likelihood, less the price of its coefficient (BIC);
 * unless `held` is NULL of those that are found, 0 where that is what other
 * times make of what is held there. */
static double gain_by_term(const darc_fit *f, const darc_fit *held,
                           const darc_question *x, const darc_table *table,
                           double alpha)
{
    darc_missings m = {.count = 0};
    double dof = f->white.dof, excess = f->white.q - dof, term = 0;
    int best = 0;
    if (excess > 0 && darc_missing_find(&m, f, x, table, NULL) == DARC_OK)
        while (best < m.count && held != NULL &&
               !(m.term[best].p_value < alpha))
            best++;
    if (best < m.count && !(held != NULL && is_shift(&m.term[best].what, held)))
        term = m.term[best].explains;
    darc_missing_clear(&m);
    return term > 0
               ? fmax(0, dof * log(f->white.q / (f->white.q - term * excess)) -
                             log(dof))
               : 0;
}

bool darc_readings_gain(const darc_question *x, const darc_table *table,
                        const bool *held, const bool *until)
{
    double alpha = x->by->alpha, gain = 0;
    darc_fit f = {.weak = NULL}, other = {.weak = NULL};
    read r = {x, table, alpha, &f, {x->by->held, x->by->until, NULL}};
    if (darc_levelled_fit(&f, x, table, alpha, NULL) == DARC_OK)
        gain = gain_of(&other, &r, (reading){held, until, NULL});
    bool gains =
        gain > DARC_EDGES_SHOWN &&
        gain_by_term(&f, &other, x, table, alpha) <= gain + DARC_EDGES_SHOWN;
    darc_fit_clear(&f);
    darc_fit_clear(&other);
    return gains;
}

/* Whether a term that f lacks, and that is found, makes it likelier by far than
 * another reading, whose gain this is, is with its own. */
static bool lacks_rather(const darc_fit *f, const darc_fit *other, double gain,
                         const darc_question *x, const darc_table *table,
                         double alpha)
{
    double own = gain_by_term(f, f, x, table, alpha);
    return own > gain + DARC_EDGES_SHOWN &&
           own > gain + gain_by_term(other, NULL, x, table, alpha) +
                     DARC_EDGES_SHOWN;
}

/* Return how many changes have times. */
static int count_times(double *const *early, const darc_fit *f,
                       const darc_table *table)
{
    int count = 0;
    for (int u = 0; u < f->r.unknowns; u++) {
        const double *v = f->r.signal[u].value;
        for (size_t t = 1; early[u] != NULL && t < table->samples; t++)
            count += v[t] != v[t - 1];
    }
    return count;
}

/* Replace f by the fit with the changes of held inputs at times of their own,
 * where twice the logarithm of the likelihood, beside noise of the shape that f
 * has and any size, is above its own by `least` and what the times cost.
 * Return whether that can be told. */
static bool locate(darc_fit *f, double least, const darc_question *x,
                   const darc_table *table, double alpha)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_fit moved = {.weak = NULL};
    double price, **early = darc_calloc((size_t)f->r.unknowns, sizeof *early);
    bool told = f->cut == NULL &&
                darc_locate_changes(early, &price, f, x, table, alpha);
    by.early = (const double *const *)early;
    by.known = f->r.noise;
    by.level = true;
    y.by = &by;
    double gain = 0, raw = 0;
    if (told && isfinite(price) &&
        darc_fit_question(&moved, &y, table, alpha, NULL) == DARC_OK)
        raw = darc_likelihood_likelier(f, &moved);
    gain = raw > 0 ? raw - price : 0;
    bool shown =
        gain > least && !lacks_rather(f, &moved, gain, x, table, alpha);
    f->loose = !shown && raw > 0 &&
               raw > darc_stats_squares_isf(alpha, count_times(early, f, table),
                                            HUGE_VAL);
    darc_fit_clear(&moved);
    by.known = x->by->known;
    by.level = x->by->level;
    if (shown && darc_levelled_fit(&moved, &y, table, alpha, NULL) == DARC_OK) {
        darc_locate_spread(&moved, x, table);
        darc_fit_replace(f, &moved);
    }
    darc_fit_clear(&moved);
    for (int u = 0; u < f->r.unknowns; u++)
        darc_free(early[u]);
    darc_free(early);
    return told;
}

bool darc_readings_take(darc_fit *f, const darc_question *x,
                        const darc_table *table, double alpha)
{
    darc_fit best = {.weak = NULL};
    if (x->by->glance)
        return true;
    double most = look_held(&best, f, x, table, alpha);
    bool told = locate(f, fmax(most, DARC_EDGES_SHOWN), x, table, alpha);
    if (most > 0 && f->located == 0 &&
        !lacks_rather(f, &best, most, x, table, alpha))
        darc_fit_replace(f, &best);
    darc_fit_clear(&best);
    return told;
}
