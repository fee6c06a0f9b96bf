#include "fit/regression.h"

#include "base/mem.h"
#include "data/table.h"
#include "fit/changes.h"
#include "fit/computed.h"
#include "fit/cut.h"
#include "fit/delayed.h"
#include "fit/edges.h"
#include "fit/thresholds.h"
#include "model/model.h"
#include "noise/lattice.h"
#include "noise/limits.h"
#include "stats/lanes.h"
#include "weak/means.h"
#include "weak/steps.h"

#include <math.h>
#include <string.h>

static bool is_derived(const darc_question *x, int u)
{
    return darc_derived_expr(x->model, u) != NULL;
}

static double given(const darc_question *x, int u)
{
    return x->by->noise_sd == NULL ? NAN : x->by->noise_sd[u];
}

void *darc_regression_keep(darc_regression *r, void *p)
{
    DARC_ROOM(r->own, r->owns);
    return r->own[r->owns++] = p;
}

/* What is known of derived signal u; NULL where it is measured, has no error or
 * one that the user gives. */
static const darc_derivation *derivation(const darc_question *x,
                                         const darc_table *table, int u)
{
    return is_derived(x, u) && isnan(given(x, u))
               ? darc_table_derivation(table, u)
               : NULL;
}

/* Set at[u] to the column of every signal whose noise counts: those that are
 * used, and those that used ones are computed from; -1 elsewhere. */
static darc_status find_noise_columns(int *at, const darc_regression *r,
                                      const darc_question *x,
                                      const darc_table *table, darc_err *err)
{
    for (int u = 0; u < r->unknowns; u++)
        at[u] = r->column[u];
    for (int u = 0; u < r->unknowns; u++) {
        const darc_derivation *d =
            r->column[u] >= 0 ? derivation(x, table, u) : NULL;
        for (int i = 0; d != NULL && i < d->influences; i++) {
            int from = d->influence[i].unknown;
            const char *name = x->io->jet->names->symbol[from].name;
            at[from] = darc_table_find(table, name);
            if (at[from] < 0)
                return darc_fail(err, DARC_DOMAIN, "%s: no signal '%s'",
                                 table->file, name);
        }
    }
    return DARC_OK;
}

static darc_status read_noise(darc_regression *r, const darc_question *x,
                              const int *at, const darc_table *table,
                              darc_err *err)
{
    for (int u = 0; u < r->unknowns && x->by->known != NULL; u++)
        if (at[u] >= 0)
            darc_signalnoise_copy(r->noise + u, x->by->known + u);
    if (x->by->known != NULL)
        return DARC_OK;
    int count = 0, *list = darc_calloc((size_t)r->unknowns, sizeof *list);
    darc_signalnoise *n = darc_calloc((size_t)r->unknowns, sizeof *n);
    for (int u = 0; u < r->unknowns; u++)
        if (at[u] >= 0)
            list[count++] = at[u];
    darc_status status = darc_signalnoise_read(n, table, list, count, err);
    for (int u = 0, i = 0; u < r->unknowns && status == DARC_OK; u++)
        if (at[u] >= 0)
            r->noise[u] = n[i++];
    DARC_FREE(n, list);
    return status;
}

/* Whether a signal moves by more than rounding. */
static bool moves(const darc_regression *r, const darc_table *table, int u)
{
    double at = table->signal[r->at[u]].value[table->segment[0].begin];
    return r->noise[u].rms > DARC_NOISE_FLOOR * fabs(at);
}

/* Of inputs alone a staircase is what acts on the system, also where it is said
 * to have no noise; what never moves is none.  What a controller computes at a
 * sample acts until the next. */
static darc_held is_held(const darc_regression *r, const darc_question *x,
                         const darc_table *table, int u, bool staircase)
{
    const darc_symbol *s = x->io->jet->names->symbol + u;
    if (r->at[u] < 0 || is_derived(x, u))
        return DARC_HELD_NOT;
    if (darc_cut_is_said(x, table, u))
        return DARC_HELD_SAID;
    bool cut = x->by->jumps != NULL && x->by->jumps[u];
    staircase =
        staircase && s->kind == DARC_INPUT && !cut && moves(r, table, u);
    bool computed = r->noise[u].colour == DARC_COLOUR_COMPUTED;
    return (staircase || computed) && !x->by->edges ? DARC_HELD_FOUND
                                                    : DARC_HELD_NOT;
}

/* Whether an input that is held, as is said or assumed, repeats its values. */
static bool repeats(const darc_signalnoise *n, const darc_question *x,
                    const darc_table *table, int u)
{
    int k = darc_table_find(table, x->io->jet->names->symbol[u].name);
    return (x->by->small != NULL && x->by->small[u]) ||
           (darc_cut_is_said(x, table, u) && k >= 0 &&
            darc_lattice_is_held(table->signal[k].value, table, n->step,
                                 DARC_STAIRS_SAID));
}

/* What the user says goes before what the signal shows. */
static void settle_noise(darc_signalnoise *n, const darc_question *x, int u,
                         double dt)
{
    const darc_criteria *by = x->by;
    if (!isnan(given(x, u))) {
        darc_signalnoise_give(n, given(x, u));
    } else if (by->rest != NULL && by->rest[u].samples > 0) {
        darc_signalnoise_measured(n, by->rest + u, dt);
    } else if (n->colour == DARC_COLOUR_EXACT) {
        return;
    } else if (by->colour == DARC_ASSUME_ANY) {
        n->colour = DARC_COLOUR_ANY;
        n->raise = HUGE_VAL;
    } else if (by->colour == DARC_ASSUME_WHITE &&
               n->colour == DARC_COLOUR_ANY) {
        n->colour = DARC_COLOUR_WHITE;
        n->raise = 1;
    }
}

/* Open the channel of a measured signal; return it.  No sensor is without
 * noise, but what is taken for that reason biases no power. */
static int open_channel(darc_regression *r, darc_signalnoise *n, double least,
                        double dt)
{
    double shown = n->sd;
    bool real = n->colour != DARC_COLOUR_FLOOR && shown > 0;
    if (shown < least) {
        n->sd = n->kernel[0] = least;
        n->taps = 1;
    }
    if (n->sd == 0)
        return -1;
    double share = n->sd > shown ? shown / n->sd : 1;
    bool any = n->colour == DARC_COLOUR_ANY;
    r->channel[r->channels] = (darc_weak_channel){
        .taps = n->taps,
        .kernel = n->kernel,
        .dof = n->dof,
        .real = real ? share * share : 0,
        .raise = n->colour == DARC_COLOUR_WHITE ? n->raise : 1,
        .red = any ? n->seen / n->sd : 0,
        .pole = exp(-2 * 3.14159265358979323846 * n->power_band * dt)};
    return r->channels++;
}

/* Open the channel of errors of a variance of 1, alike along so many samples;
 * or of that much at most. */
static int open_errors(darc_regression *r, double along, bool bound)
{
    int taps = (int)fmax(1, fmin(along, DARC_OWN_TAPS));
    double *kernel =
        darc_regression_keep(r, darc_malloc((size_t)taps * sizeof *kernel));
    for (int j = 0; j < taps; j++)
        kernel[j] = 1 / sqrt(taps);
    r->channel[r->channels] = (darc_weak_channel){.taps = taps,
                                                  .kernel = kernel,
                                                  .dof = HUGE_VAL,
                                                  .real = !bound,
                                                  .bound = bound};
    return r->channels++;
}

/* Return the mean square of the slope of a source. */
static double slope_of(const darc_weak_source *source, const darc_table *table)
{
    const double *x = source->partial;
    return x != NULL ? darc_lanes_mean(x, x, table) : pow(source->factor, 2);
}

/* Append a source to signal s, whose sd grows by noise of this sd. */
static void add_source(darc_weak_signal *s, const darc_weak_source *source,
                       double sd, const darc_table *table)
{
    darc_weak_source *list = (darc_weak_source *)s->source;
    DARC_ROOM(list, s->sources);
    list[s->sources++] = *source;
    s->source = list;
    s->sd = hypot(s->sd, sd * sqrt(slope_of(source, table)));
}

/* What the noise of samples makes of the places of steps that they tell. */
static void carry_places(darc_regression *r, int u, const int *channel,
                         const darc_table *table)
{
    const darc_switched *w = r->switched + u;
    for (int j = 0; j < DARC_CROSSING_NODES; j++) {
        darc_weak_source node = {channel[w->of], 1,
                                 w->own + (size_t)(j + 1) * table->samples,
                                 j - DARC_CROSSING_NODES / 2};
        add_source(r->signal + u, &node, 0, table);
    }
}

static void carry_derived(darc_regression *r, int u, const darc_derivation *d,
                          const int *channel, const darc_table *table)
{
    darc_weak_signal *s = r->signal + u;
    const darc_switched *w = r->switched + u;
    bool bent = false;
    double loud = 0;
    for (int i = 0; i < d->influences; i++) {
        const darc_influence *from = d->influence + i;
        const darc_signalnoise *n = r->noise + from->unknown;
        const double *partial = from->slope;
        darc_weak_source source = {channel[from->unknown],
                                   partial != NULL ? 1 : from->constant,
                                   partial, -(int)from->shift};
        if (source.channel >= 0)
            add_source(s, &source, n->sd, table);
        if (n->colour == DARC_COLOUR_ANY)
            loud += slope_of(&source, table) * pow(DARC_LOUD * n->rms, 2);
        bent = bent || (source.channel >= 0 && from->slope != NULL);
    }
    if (d->influences == 1 && d->influence->shift == 0) {
        s->of = d->influence->unknown;
        s->slope = d->influence->slope;
    }
    double power = darc_lanes_mean(s->value, s->value, table);
    s->bend = bent && power > 0 ? s->sd * s->sd / power / 2 : 0;
    s->loud = bent && power > 0 ? loud / power / 2 : 0;
    if (d->sd != NULL) {
        darc_weak_source own = {open_errors(r, d->correlation, false), 1,
                                w->early != NULL ? w->own : d->sd, 0};
        add_source(s, &own, 1, table);
    }
    if (w->early != NULL && w->of >= 0 && channel[w->of] >= 0)
        carry_places(r, u, channel, table);
    s->switches = d->rest != NULL;
    if (d->rest != NULL) {
        darc_weak_source rest = {open_errors(r, 1, true), 1, d->rest, 0};
        add_source(s, &rest, 0, table);
    }
}

/* Return the samples at which signal u was not measured, or one that it is
 * computed from. */
static const unsigned char *absent_of(darc_regression *r, int u,
                                      const darc_derivation *d,
                                      const darc_table *table)
{
    if (d == NULL)
        return darc_table_absent(table, r->column[u]);
    unsigned char *absent =
        darc_regression_keep(r, darc_calloc(table->samples, 1));
    for (int i = 0; i < d->influences; i++) {
        const darc_influence *from = d->influence + i;
        const unsigned char *one =
            darc_table_absent(table, r->at[from->unknown]);
        for (size_t t = 0; t < table->samples && one != NULL; t++) {
            long at = (long)t - from->shift;
            if (at < 0 || at >= (long)table->samples || one[at])
                absent[t] = 1;
        }
    }
    return absent;
}

static void carry_edges(darc_regression *r, const darc_question *x, int u,
                        const darc_table *table)
{
    int edges = open_errors(r, 1, false);
    darc_weak_source before = {edges, 1, r->edge[u], 1};
    darc_weak_source after = {edges, 1, r->edge[u] + table->samples, 0};
    if (!x->by->pulses)
        add_source(r->signal + u, &before, 1, table);
    add_source(r->signal + u, &after, 1, table);
}

/* What is held up to its samples is held from each to the next as the next one
 * says. */
static void hold_until(darc_regression *r, int u, const darc_table *table)
{
    darc_weak_signal *s = r->signal + u;
    darc_weak_source *source = (darc_weak_source *)s->source;
    size_t n = table->samples;
    double *v = darc_regression_keep(r, darc_malloc(n * sizeof *v));
    memcpy(v, s->value + 1, (n - 1) * sizeof *v);
    v[n - 1] = s->value[n - 1];
    s->value = v;
    if (s->absent != NULL) {
        unsigned char *absent = darc_regression_keep(r, darc_calloc(n, 1));
        memcpy(absent, s->absent + 1, n - 1);
        s->absent = absent;
        r->edge[u] =
            darc_regression_keep(r, darc_edges_lost(table, v, absent, 0));
    }
    for (int i = 0; i < s->sources; i++)
        source[i].shift++;
}

static void carry_signal(darc_regression *r, const darc_question *x, int u,
                         const int *channel, const darc_table *table)
{
    darc_weak_signal *s = r->signal + u;
    const darc_derivation *d = derivation(x, table, u);
    s->value = table->signal[r->column[u]].value;
    s->power_band = r->noise[u].bulk_band;
    s->line = r->noise[u].line;
    s->absent = darc_table_is_patchy(table) ? absent_of(r, u, d, table) : NULL;
    s->held = r->held[u] != DARC_HELD_NOT;
    s->output = x->io->jet->names->symbol[u].kind != DARC_INPUT;
    s->exact = r->noise[u].colour == DARC_COLOUR_EXACT;
    if (d != NULL) {
        r->clipped = d->missing > 0 ? u : r->clipped;
        darc_regression_keep(r, darc_changes_switch(r, x, u, d, table));
        carry_derived(r, u, d, channel, table);
    } else if (channel[u] >= 0) {
        darc_weak_source source = {channel[u], 1, NULL, 0};
        add_source(s, &source, r->noise[u].sd, table);
    }
    r->until[u] = d == NULL && x->by->until != NULL && x->by->until[u];
    if (r->until[u] && s->held)
        hold_until(r, u, table);
    else if (r->until[u])
        darc_regression_keep(r, darc_means_undo(s, table));
    if (r->edge[u] != NULL)
        carry_edges(r, x, u, table);
    s->switches = s->switches || (r->edge[u] != NULL && x->by->pulses);
}

/* Whoever says that delay(u, T) is held says it of u. */
static void hold_delayed(darc_regression *r, const darc_question *x,
                         const darc_table *table)
{
    for (int u = 0; u < r->unknowns; u++) {
        double late;
        bool mean;
        int base = r->column[u] >= 0
                       ? darc_delayed_base(&late, &mean, x, table, u)
                       : -1;
        if (base < 0 || r->at[base] < 0)
            continue;
        bool said = x->by->held != NULL && x->by->held[u];
        if (r->held[base] == DARC_HELD_NOT && !said)
            continue;
        if (mean) {
            darc_regression_keep(
                r, darc_means_of_held(r->signal + u, table, r->at[base], late));
            continue;
        }
        r->held[u] = said ? DARC_HELD_SAID : r->held[base];
        darc_regression_keep(r, darc_delayed_hold(r, table, u, base, late));
        r->edge[u] = darc_regression_keep(
            r,
            darc_edges_lost(table, r->signal[u].base, r->signal[u].base_absent,
                            lround(late / darc_table_step(table))));
        if (r->edge[u] != NULL)
            carry_edges(r, x, u, table);
    }
}

/* Inputs found to be held act so many samples later than they stand. */
static void shift_held(darc_regression *r, const darc_table *table,
                       double samples)
{
    double late = samples * darc_table_step(table);
    for (int u = 0; u < r->unknowns && samples != 0; u++)
        if (r->held[u] == DARC_HELD_FOUND && r->column[u] >= 0)
            darc_regression_keep(r, darc_delayed_hold(r, table, u, u, late));
}

/* Whether the top of the spectrum of unknown u is empty, but for what is left
 * there of the signal itself. */
static bool shows_none(const darc_regression *r, int u)
{
    const darc_signalnoise *n = r->noise + u;
    return n->colour == DARC_COLOUR_FLOOR ||
           (n->colour == DARC_COLOUR_ANY &&
            n->sd <= DARC_NOISE_CREDIBLE * n->rms);
}

/* Whether unknown u has noise of its own that counts. */
static bool has_noise(const darc_regression *r, const darc_question *x, int u)
{
    return r->at[u] >= 0 && !(is_derived(x, u) && isnan(given(x, u)));
}

bool darc_regression_is_noisy(const darc_regression *r, const darc_question *x,
                              int u)
{
    return has_noise(r, x, u) && r->noise[u].colour != DARC_COLOUR_EXACT &&
           (u == r->coloured || x->by->colour != DARC_ASSUME_AUTO ||
            !shows_none(r, u));
}

/* Let the changes of held inputs come as early as the question says. */
static void place_changes(darc_regression *r, const darc_question *x,
                          const darc_table *table)
{
    for (int u = 0; u < r->unknowns && x->by->early != NULL; u++) {
        if (r->held[u] != DARC_HELD_FOUND || x->by->early[u] == NULL)
            continue;
        double *own =
            darc_changes_new(r->signal[u].value, x->by->early[u], table);
        r->signal[u].early = r->early[u] = darc_regression_keep(r, own);
        r->signal[u].value = own + table->samples;
    }
}

darc_status darc_carriers_find(darc_regression *r, const darc_question *x,
                               const darc_table *table, darc_err *err)
{
    size_t n = (size_t)r->unknowns;
    int *channel = darc_calloc(n, sizeof *channel);
    darc_status status;
    double left, dt = darc_table_step(table);
    bool seen = false;
    int faint = -1; /* a signal of which little more than nothing is seen */
    DARC_TRY(find_noise_columns(r->at, r, x, table, err));
    DARC_TRY(read_noise(r, x, r->at, table, err));
    for (int u = 0; u < r->unknowns; u++) {
        channel[u] = -1;
        if (!has_noise(r, x, u))
            continue;
        double least = DARC_NOISE_FLOOR * r->noise[u].rms;
        if (repeats(r->noise + u, x, table, u) && isnan(given(x, u)))
            darc_signalnoise_give(r->noise + u, 0); /* noise never repeats */
        bool staircase =
            (r->noise[u].colour == DARC_COLOUR_EXACT && !(given(x, u) > 0)) ||
            r->noise[u].jump > 0;
        settle_noise(r->noise + u, x, u, dt);
        if ((r->noise[u].colour == DARC_COLOUR_ANY ||
             r->noise[u].colour == DARC_COLOUR_WHITE) &&
            darc_computed_find(&left, x, table, u))
            darc_signalnoise_compute(r->noise + u, left);
        r->held[u] = is_held(r, x, table, u, staircase);
        r->edge[u] =
            darc_regression_keep(r, darc_edges_find(r, x, u, table, staircase));
        channel[u] = open_channel(r, r->noise + u, least, dt);
        bool any = r->noise[u].colour == DARC_COLOUR_ANY;
        bool none = x->by->colour == DARC_ASSUME_AUTO && shows_none(r, u);
        if (any && none && faint < 0)
            faint = u;
        else if (any && !none && r->coloured < 0)
            r->coloured = u;
        seen = seen || (!none && r->noise[u].colour > DARC_COLOUR_COMPUTED);
    }
    if (!seen && r->coloured < 0)
        r->coloured = faint;
    for (int u = 0; u < r->unknowns; u++)
        if (r->column[u] >= 0)
            carry_signal(r, x, u, channel, table);
    place_changes(r, x, table);
    hold_delayed(r, x, table);
    shift_held(r, table, x->by->shift);
done:
    darc_free(channel);
    return status;
}
