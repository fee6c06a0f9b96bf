#include "terms/jumps.h"

#include "base/budget.h"
#include "base/mem.h"
#include "fit/cut.h"
#include "fit/follow.h"
#include "model/model.h"
#include "noise/lattice.h"
#include "terms/thresholds.h"

#include <math.h>

/* Set r to the noise that is seen between the jumps of inputs, with the bands
 * that the signals have with them. */
static darc_status read_between(darc_regression *r, const darc_question *x,
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

/* Fit what lies between the jumps of inputs.  Return whether that can be done;
 * else f is clear. */
static bool fit_between(darc_fit *f, const darc_question *x,
                        const darc_table *table, double alpha, bool staircases)
{
    darc_cut *cut =
        darc_cut_new(x, table, staircases ? DARC_CUT_STAIRS : DARC_CUT_JUMPS);
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_regression r = {0};
    if (cut == NULL)
        return false;
    darc_status status = read_between(&r, x, cut, table);
    by.known = r.noise;
    by.jumps = cut->jumps;
    y.by = &by;
    if (status == DARC_OK &&
        darc_fit_question(f, &y, &cut->table, alpha, NULL) == DARC_OK)
        f->cut = cut;
    else {
        darc_fit_clear(f);
        darc_cut_free(cut);
    }
    darc_regression_clear(&r);
    return f->cut != NULL;
}

/* Set whole to the fit of the whole recording, with the noise that is seen
 * between the jumps: the inputs that jump are held from each sample to the
 * next, or jump anywhere between two. */
static darc_status fit_across(darc_fit *whole, const darc_fit *f,
                              const darc_question *x, const darc_table *table,
                              double alpha, bool held)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    by.edges |= !held;
    by.jumps = f->cut->jumps;
    by.known = f->r.noise;
    y.by = &by;
    bool *hold = darc_cut_hold(x, held ? by.jumps : NULL);
    by.held = hold;
    darc_status status = darc_fit_question(whole, &y, table, alpha, NULL);
    darc_free(hold);
    return status;
}

static void replace_fit(darc_fit *f, darc_fit *by)
{
    darc_fit_clear(f);
    *f = *by;
    *by = (darc_fit){.weak = NULL};
}

/* f fits what lies between jumps.  Where that is not refused, what the jumps
 * make says how simple the signals are.  Where it is, or that, inputs are held
 * that agree with it.  Else the whole recording says by how much it is refused;
 * where less than a tolerance does not matter, with what its own spectrum shows
 * of noise, and the functions that go with it: a defect of some percent. */
static void look_across(darc_fit *f, const darc_question *x,
                        const darc_table *table, double alpha)
{
    darc_fit free, held = {.weak = NULL};
    bool refused = f->white.p_value < alpha;
    bool known = fit_across(&free, f, x, table, alpha, false) == DARC_OK;
    bool holds = known && free.white.p_value >= alpha;
    for (int q = 0; q < f->r.equations && holds && !refused; q++) {
        f->y[q].arbitrary = free.y[q].arbitrary;
        f->y[q].excited = free.y[q].excited;
    }
    if (holds && !refused)
        goto done;
    if (fit_across(&held, f, x, table, alpha, true) == DARC_OK &&
        held.white.p_value >= alpha) {
        replace_fit(f, &held);
        goto done;
    }
    if (refused && x->by->tolerance > 0) {
        darc_fit_clear(&free);
        known = darc_fit_question(&free, x, table, alpha, NULL) == DARC_OK;
    }
    if (refused && known && free.white.p_value < alpha)
        replace_fit(f, &free);
done:
    darc_fit_clear(&free);
    darc_fit_clear(&held);
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
        replace_fit(f, &again);
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
    if (!darc_follow_level(&level, f, table))
        return false;
    bool read = darc_regression_init(r, x, &level, NULL) == DARC_OK;
    for (int u = 0; u < r->unknowns && read; u++) {
        int i = r->column[u];
        r->noise[u].power_band = f->r.noise[u].power_band;
        r->noise[u].bulk_band = f->r.noise[u].bulk_band;
        r->noise[u].signal_band = f->r.noise[u].signal_band;
        quieter = quieter ||
                  (i >= 0 && level.signal[i].value != table->signal[i].value &&
                   r->noise[u].sd < DARC_LEVEL_QUIETER * f->r.noise[u].sd);
    }
    darc_follow_unlevel(&level, table);
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

/* As darc_fit_question, with noise that is seen where jumps of outputs are
 * taken off, or between steps of held inputs. */
static darc_status fit_quieter(darc_fit *f, const darc_question *x,
                               const darc_table *table, double alpha,
                               darc_err *err)
{
    DARC_NEED(darc_fit_question(f, x, table, alpha, err));
    fit_levelled(f, x, table, alpha);
    if (f->r.coloured < 0 || x->by->colour != DARC_ASSUME_AUTO)
        return DARC_OK;
    darc_cut *cut = darc_cut_new(x, table, DARC_CUT_HELD);
    darc_regression r = {0};
    if (cut != NULL && read_between(&r, x, cut, table) == DARC_OK &&
        r.coloured < 0)
        fit_knowing(f, r.noise, x, table, alpha, false);
    if (cut != NULL)
        darc_regression_clear(&r);
    darc_cut_free(cut);
    return DARC_OK;
}

/* Whether an input is taken to be held: a *staircase, *noisy where it was
 * measured with noise, or what a controller computed. */
static bool is_found(bool *noisy, bool *staircase, const darc_fit *f)
{
    bool found = false;
    *noisy = *staircase = false;
    for (int u = 0; u < f->r.unknowns; u++)
        if (f->r.held[u] == DARC_HELD_FOUND) {
            found = true;
            *noisy = *noisy || f->r.noise[u].jump > 0;
            *staircase =
                *staircase || f->r.noise[u].colour != DARC_COLOUR_COMPUTED;
        }
    return found;
}

/* Whether f explains less than the other does. */
static bool is_worse(const darc_fit *f, const darc_fit *other)
{
    const darc_gls *a = &f->white, *b = &other->white;
    return a->p_value < b->p_value ||
           (a->p_value == b->p_value && a->q * b->dof > b->q * a->dof);
}

/* Whether f holds an input that a controller computed. */
static bool is_computed(const darc_fit *f)
{
    bool computed = false;
    for (int u = 0; u < f->r.unknowns; u++)
        computed = computed || (f->r.held[u] != DARC_HELD_NOT &&
                                f->r.noise[u].colour == DARC_COLOUR_COMPUTED);
    return computed;
}

/* What a controller computed at a sample may act from the next on. */
static void look_later(darc_fit *f, const darc_question *x,
                       const darc_table *table, double alpha)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_fit late;
    by.shift = 1;
    y.by = &by;
    if (!is_computed(f) ||
        fit_quieter(&late, &y, table, alpha, NULL) != DARC_OK)
        return;
    late.late = true;
    if (is_worse(f, &late))
        replace_fit(f, &late);
    darc_fit_clear(&late);
}

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
        return fit_quieter(out, &y, r->table, r->alpha, NULL);
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
                 quieter ? other->r.noise : r->f->r.noise) == DARC_OK) {
        const darc_gls *of = quieter ? &again.white : &r->f->white;
        const darc_gls *by = quieter ? &other->white : &again.white;
        gain = fmin(of->dof, by->dof) * log(of->q / by->q);
    }
    darc_fit_clear(&again);
    return gain;
}

/* Take the other reading where it is the likeliest so far. */
static void try_reading(darc_fit *best, double *most, const read *r, reading as)
{
    darc_fit other = {.weak = NULL};
    double gain = gain_of(&other, r, as);
    if (gain > *most + DARC_EDGES_SHOWN) {
        replace_fit(best, &other);
        *most = gain;
    }
    darc_fit_clear(&other);
}

bool darc_fit_gains_by_means(const darc_question *x, const darc_table *table,
                             const bool *until)
{
    darc_fit f = {.weak = NULL}, other = {.weak = NULL};
    read r = {x, table, x->by->alpha, &f, {x->by->held, x->by->until, NULL}};
    bool gains = fit_quieter(&f, x, table, x->by->alpha, NULL) == DARC_OK &&
                 gain_of(&other, &r, (reading){x->by->held, until, NULL}) >
                     DARC_EDGES_SHOWN;
    darc_fit_clear(&f);
    darc_fit_clear(&other);
    return gains;
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
                                       f->r.noise[u].step, true);
        any = any || more[u];
    }
    return any;
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
 * refused. */
static void look_held(darc_fit *f, const darc_question *x,
                      const darc_table *table, double alpha)
{
    size_t n = (size_t)f->r.unknowns;
    bool *more = darc_calloc(n, sizeof *more), *hold;
    bool *until = darc_calloc(n, sizeof *until);
    bool repeats = f->cut == NULL && mark_repeating(more, f, x, table);
    read r = {x, table, alpha, f, {x->by->held, x->by->until, more}};
    darc_fit best = {.weak = NULL};
    double most = 0;
    hold = darc_cut_hold(x, more);
    if (repeats)
        try_reading(&best, &most, &r, (reading){hold, x->by->until, NULL});
    bool ask = f->cut == NULL && (repeats || f->white.p_value < alpha) &&
               x->by->until == NULL && !has_said_side(f, x);
    if (ask && mark_held(until, hold, f, x, table))
        try_reading(&best, &most, &r, (reading){hold, until, NULL});
    if (x->by->until != NULL && f->white.p_value < alpha)
        try_reading(&best, &most, &r,
                    (reading){x->by->held, x->by->until, x->by->until});
    if (most > 0)
        replace_fit(f, &best);
    darc_fit_clear(&best);
    DARC_FREE(more, hold, until);
}

/* Whether held inputs change at the samples, unless the likelihood, beside
 * noise of this shape and any size, shows that they do between them: half a
 * sample earlier on average. */
static bool is_sampled(const darc_fit *f, const darc_question *x,
                       const darc_table *table, double alpha)
{
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_fit early;
    by.shift = -0.5;
    by.known = f->r.noise;
    by.level = true;
    y.by = &by;
    if (f->cut != NULL ||
        darc_fit_question(&early, &y, table, alpha, NULL) != DARC_OK)
        return false;
    double dof = fmin(f->white.dof, early.white.dof);
    bool sampled = !(dof * log(f->white.q / early.white.q) > DARC_EDGES_SHOWN);
    darc_fit_clear(&early);
    return sampled;
}

/* A staircase need not change at the samples: where that is refused, and less
 * likely than half a sample earlier, its edges are taken to be anywhere between
 * them.  Beside noise of any colour what was measured with noise does not show
 * that it is held. What a controller computed is held, or a line between
 * samples, whichever explains more. */
darc_status darc_fit_init(darc_fit *f, const darc_question *x,
                          const darc_table *table, double alpha, darc_err *err)
{
    darc_status status = DARC_OK;
    bool noisy, staircase;
    *f = (darc_fit){.weak = NULL};
    if (fit_between(f, x, table, alpha, false)) {
        look_across(f, x, table, alpha);
    } else {
        DARC_NEED(darc_budget_check(x->budget, err));
        status = fit_quieter(f, x, table, alpha, err);
    }
    if (status != DARC_OK)
        return status;
    look_later(f, x, table, alpha);
    look_held(f, x, table, alpha);
    bool refused = f->white.p_value < alpha,
         found = is_found(&noisy, &staircase, f);
    if (refused && !found)
        return DARC_OK;
    if (!refused && !(noisy && f->r.coloured >= 0))
        return DARC_OK;
    if (staircase && is_sampled(f, x, table, alpha))
        return DARC_OK;
    darc_question y = *x;
    darc_criteria by = *x->by;
    darc_fit held = *f;
    *f = (darc_fit){.weak = NULL};
    y.by = &by;
    by.edges = true;
    if (fit_between(f, &y, table, alpha, true)) {
        look_across(f, &y, table, alpha);
    } else if (refused) {
        status = darc_fit_question(f, &y, table, alpha, err);
        f->torn = staircase;
        if (status == DARC_OK && !staircase && is_worse(f, &held))
            replace_fit(f, &held);
    } else {
        *f = held;
        return DARC_OK;
    }
    darc_fit_clear(&held);
    return status;
}
