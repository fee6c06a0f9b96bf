#include "noise/signalnoise.h"

#include "base/mem.h"
#include "base/random.h"
#include "data/table.h"
#include "noise/lattice.h"
#include "noise/levels.h"
#include "noise/limits.h"
#include "noise/regular.h"
#include "noise/shelf.h"
#include "stats/lanes.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *darc_colour_text(darc_colour colour)
{
    static const char *const text[] = {"exact", "computed", "given", "measured",
                                       "white", "floor",    "any"};
    return text[colour];
}

void darc_signalnoise_clear(darc_signalnoise *n)
{
    darc_free(n->kernel);
    *n = (darc_signalnoise){0};
}

void darc_signalnoise_copy(darc_signalnoise *n, const darc_signalnoise *from)
{
    size_t size = (size_t)from->taps * sizeof *n->kernel;
    *n = *from;
    n->kernel = darc_malloc(size + 1);
    if (from->taps > 0)
        memcpy(n->kernel, from->kernel, size);
}

static void set_white(darc_signalnoise *n, darc_colour colour, double variance)
{
    n->colour = colour;
    n->sd = sqrt(variance);
    n->taps = 1;
    n->kernel = darc_realloc(n->kernel, 1, sizeof *n->kernel);
    n->kernel[0] = n->sd;
}

void darc_signalnoise_give(darc_signalnoise *n, double sd)
{
    assert(sd >= 0);
    set_white(n, sd > 0 ? DARC_COLOUR_GIVEN : DARC_COLOUR_EXACT, sd * sd);
    n->dof = HUGE_VAL;
    n->raise = 1;
}

void darc_signalnoise_compute(darc_signalnoise *n, double left)
{
    darc_signalnoise_give(n, left);
    n->colour = DARC_COLOUR_COMPUTED;
}

void darc_signalnoise_measured(darc_signalnoise *n,
                               const darc_autoregress *rest, double dt)
{
    double band = fmin(1, 2 * dt * n->power_band);
    n->kernel = darc_realloc(n->kernel, DARC_KERNEL_MOST, sizeof *n->kernel);
    n->taps = darc_autoregress_kernel(n->kernel, DARC_KERNEL_MOST, rest);
    n->kernel = darc_realloc(n->kernel, (size_t)n->taps, sizeof *n->kernel);
    n->sd = sqrt(darc_lanes_dot(n->kernel, n->kernel, (size_t)n->taps));
    n->colour = DARC_COLOUR_MEASURED;
    n->dof = 2 / darc_autoregress_doubt(rest, 0, band * 3.14159265358979323846);
    n->raise = 1;
}

/* Return the samples of segments that hold a stretch of a spectrum. */
static size_t usable(const darc_table *table)
{
    size_t all = 0;
    for (int i = 0; i < table->segments; i++) {
        size_t n = table->segment[i].end - table->segment[i].begin;
        all += n > DARC_STRETCH_LEAST ? n : 0;
    }
    return all;
}

/* Fail unless noise can be read off so many samples of the table; `how` they
 * were come by. */
static darc_status require_samples(const darc_table *table, size_t n,
                                   const char *how, darc_err *err)
{
    darc_segment g = darc_table_longest(table);
    if (n < DARC_NOISE_SAMPLES)
        return darc_fail(err, DARC_DATA,
                         "%s: %zu samples%s without a gap, at least %d needed "
                         "to estimate noise",
                         table->file, g.end - g.begin, how,
                         (int)DARC_NOISE_SAMPLES);
    return DARC_OK;
}

darc_status darc_signalnoise_rest(darc_autoregress *out,
                                  const darc_table *table, int signal,
                                  darc_err *err)
{
    darc_segment g = darc_table_longest(table);
    if (darc_table_is_patchy(table))
        return darc_fail(err, DARC_DATA,
                         "%s: the noise of a recording at rest is measured on "
                         "uniform time only; where the steps are equal in "
                         "truth, --rate HZ says so",
                         table->file);
    DARC_NEED(require_samples(table, g.end - g.begin, "", err));
    size_t n = g.end - g.begin;
    n = n < DARC_REST_MOST ? n : DARC_REST_MOST;
    int most = n / 10 < DARC_REST_ORDER ? (int)(n / 10) : DARC_REST_ORDER;
    darc_autoregress_fit(out, table->signal[signal].value + g.begin, n, most,
                         DARC_BY_AIC);
    double least = DARC_REST_STILL * fabs(table->signal[signal].value[g.begin]);
    if (out->variance > least * least)
        return DARC_OK;
    return darc_fail(err, DARC_DATA,
                     "%s: '%s' does not move: that shows no noise; give it by "
                     "--noise, the rounding step over the root of 12 at least",
                     table->file, table->signal[signal].name);
}

/* Whether more noise would be there than any that is taken for white. */
static bool is_loud(const darc_signalnoise *n, const darc_shelf *s)
{
    return s->level > DARC_NOISE_SHARE * n->rms * n->rms;
}

/* What the shelf shows of noise.  Rounding to steps has the variance step^2 /
 * 12; where the shelf shows less than half of it, the signal moves slowly and
 * the rest lies inside the band. */
static void read_shelf(darc_signalnoise *n, const darc_shelf *s)
{
    double rounding = n->step * n->step / 12;
    bool hidden = s->level < 0.5 * rounding;
    darc_colour colour = !s->flat || hidden || is_loud(n, s) ? DARC_COLOUR_ANY
                         : s->level < pow(DARC_NOISE_CREDIBLE * n->rms, 2)
                             ? DARC_COLOUR_FLOOR
                             : DARC_COLOUR_WHITE;
    set_white(n, colour, fmax(s->level, rounding));
    n->dof = colour == DARC_COLOUR_FLOOR ? HUGE_VAL : 2 * s->ordinates;
    n->raise = colour == DARC_COLOUR_WHITE ? s->raise : HUGE_VAL;
    n->seen = sqrt(fmax(s->seen, hidden ? rounding : 0));
    n->beyond = sqrt(fmax(s->beyond, hidden ? rounding : 0));
}

/* Samples of a stretch between blows, and how often it is differenced. */
enum { LENGTH = 32, ORDER = 6 };
static const double gain = 924; /* C(12, 6): of the variance of white noise */

/* Return the variance of white noise that LENGTH samples show. */
static double stretch_variance(const double *y)
{
    double d[LENGTH], sum = 0;
    memcpy(d, y, sizeof d);
    for (int p = 1; p <= ORDER; p++)
        for (int i = 0; i < LENGTH - p; i++)
            d[i] = d[i + 1] - d[i];
    for (int i = 0; i < LENGTH - ORDER; i++)
        sum += d[i] * d[i];
    return sum / (LENGTH - ORDER) / gain;
}

/* Return the variance of white noise that the quieter half of the stretches of
 * a column on uniform time shows; HUGE_VAL where all of them together do not
 * show DARC_QUIET_LOUD times as much.  A blow has power up to half the sampling
 * rate, and noise does not show above it; but between blows the signal rests,
 * or rings down smoothly, and what its differences hold there is noise. */
static double quiet_variance(const darc_table *table, int signal)
{
    const double *y = table->signal[signal].value;
    double *v = darc_malloc((table->samples / LENGTH + 1) * sizeof *v);
    double all = 0, quiet = HUGE_VAL;
    size_t n = 0;
    for (int s = 0; s < table->segments; s++)
        for (size_t t = table->segment[s].begin;
             t + LENGTH <= table->segment[s].end; t += LENGTH) {
            v[n] = stretch_variance(y + t);
            all += v[n++];
        }
    if (n > 0) {
        qsort(v, n, sizeof *v, darc_stats_cmp);
        if (all / (double)n > DARC_QUIET_LOUD * v[n / 2])
            quiet = v[n / 2];
    }
    darc_free(v);
    return quiet;
}

/* The step of quantisation, and the RMS, are those of the samples as they were
 * measured. */
static void read_one(darc_signalnoise *n, const darc_periodogram *p, int i,
                     const darc_table *table, int signal)
{
    double hertz = 1 / (2 * (p->bins - 1) * table->dt);
    /* A constant signal has some, too: its spectrum has logarithms. */
    double least = fmax(pow(DARC_NOISE_FLOOR * n->rms, 2), 1e-300);
    darc_shelf shelf;
    darc_shelf_find(&shelf, p, i, n->rms * n->rms, least);
    double quiet = (shelf.flat && !is_loud(n, &shelf)) ||
                           darc_levels_are_there(table, signal) ||
                           darc_lattice_is_held(table->signal[signal].value,
                                                table, n->step, DARC_STAIRS)
                       ? HUGE_VAL
                       : quiet_variance(table, signal);
    if (quiet < shelf.level)
        darc_shelf_lower(&shelf, p, i, n->rms * n->rms, fmax(quiet, least));
    n->power_band = shelf.power_band * hertz;
    n->signal_band = shelf.signal_band * hertz;
    n->line = shelf.line * hertz;
    read_shelf(n, &shelf);
}

static void read_values(darc_signalnoise *n, const darc_table *table,
                        int signal)
{
    darc_segment g = darc_table_longest(table);
    const double *y = table->signal[signal].value;
    *n = (darc_signalnoise){.rms = sqrt(darc_lanes_variance(y, table))};
    n->step = darc_lattice_step(y + g.begin, g.end - g.begin);
}

/* Whether half of some signal's power lies between stretches. */
static bool misses(const darc_periodogram *p, const darc_signalnoise *n,
                   int count)
{
    bool missed = false;
    for (int i = 0; i < count && p->bins > 0; i++)
        missed = missed || p->moment[2 * i + 1] < 0.5 * n[i].rms * n[i].rms;
    return missed;
}

/* Read spectra off a table on uniform time. */
static void read_spectra(darc_signalnoise *n, const darc_table *table,
                         const int *signal, int count)
{
    darc_periodogram p;
    darc_periodogram_init(&p, table, signal, count, DARC_STRETCH_PARTS, false);
    for (int i = 0; i < count; i++)
        read_one(n + i, &p, i, table, signal[i]);
    darc_periodogram_clear(&p);
    darc_periodogram_init(&p, table, signal, count, DARC_BULK_PARTS, false);
    if (misses(&p, n, count)) {
        darc_periodogram_clear(&p);
        darc_periodogram_init(&p, table, signal, count, DARC_BULK_PARTS, true);
    }
    for (int i = 0; i < count; i++)
        n[i].bulk_band =
            darc_shelf_band(&p, i, n[i].rms * n[i].rms, n[i].sd * n[i].sd) /
            (2 * (p.bins - 1) * table->dt);
    darc_periodogram_clear(&p);
}

/* Return the mean density of the signal beside the line of n, in half h of the
 * longest segment; 0 where that holds no spectrum. */
static double line_in_half(const darc_signalnoise *n, const darc_table *table,
                           int signal, int h)
{
    darc_periodogram p;
    darc_segment g = darc_table_longest(table);
    size_t middle = g.begin + (g.end - g.begin) / 2;
    darc_segment half = {h == 0 ? g.begin : middle, h == 0 ? middle : g.end};
    darc_table part = *table;
    part.segments = 1;
    part.segment = &half;
    darc_periodogram_init(&p, &part, &signal, 1, DARC_STRETCH_PARTS, false);
    int at = (int)lround(n->line * 2 * (p.bins - 1) * table->dt);
    double sum = 0;
    for (int k = at - DARC_LINE_SKIRT; k <= at + DARC_LINE_SKIRT; k++)
        sum += k > 0 && k < p.bins ? p.s[k] / (2 * DARC_LINE_SKIRT + 1) : 0;
    darc_periodogram_clear(&p);
    return sum;
}

/* A line above the band that fades is a mode that was struck, not hum: the
 * signal reaches up to it. */
static void follow_fading(darc_signalnoise *n, const darc_table *table,
                          int signal)
{
    if (n->line == 0)
        return;
    double early = line_in_half(n, table, signal, 0);
    double late = line_in_half(n, table, signal, 1);
    if (early < DARC_FADING * n->sd * n->sd || early < DARC_FADING * late)
        return;
    n->power_band = n->bulk_band = n->line;
    n->signal_band = fmax(n->signal_band, n->line);
    n->line = 0;
}

static void calm_staircase(darc_signalnoise *n, const darc_table *table,
                           int signal)
{
    if (darc_lattice_is_held(table->signal[signal].value, table, n->step,
                             DARC_STAIRS))
        darc_signalnoise_give(n, 0);
}

static darc_status read_patchy(darc_signalnoise *n, const darc_table *table,
                               int signal, darc_err *err)
{
    darc_regular r;
    const int first = 0;
    darc_regular_init(&r, table, signal);
    darc_status status = require_samples(&r.table, usable(&r.table),
                                         ", read at even times,", err);
    if (status == DARC_OK) {
        read_values(n, &r.raw, 0);
        read_spectra(n, &r.table, &first, 1);
        n->sd /= sqrt(r.gain);
        n->kernel[0] /= sqrt(r.gain);
        calm_staircase(n, &r.raw, 0);
    }
    darc_regular_clear(&r);
    return status;
}

darc_status darc_signalnoise_read(darc_signalnoise *n, const darc_table *table,
                                  const int *signal, int count, darc_err *err)
{
    darc_status status = DARC_OK;
    if (darc_table_is_patchy(table)) {
        int read = 0;
        for (; read < count && status == DARC_OK; read++)
            status = read_patchy(n + read, table, signal[read], err);
        for (int i = 0; i < read - 1 && status != DARC_OK; i++)
            darc_signalnoise_clear(n + i);
        return status;
    }
    DARC_NEED(require_samples(table, usable(table), "", err));
    for (int i = 0; i < count; i++)
        read_values(n + i, table, signal[i]);
    read_spectra(n, table, signal, count);
    for (int i = 0; i < count; i++)
        follow_fading(n + i, table, signal[i]);
    for (int i = 0; i < count; i++) {
        calm_staircase(n + i, table, signal[i]);
        if (n[i].colour != DARC_COLOUR_EXACT)
            darc_levels_read(n + i, table, signal[i]);
    }
    return status;
}

void darc_signalnoise_add(double *x, size_t n, const darc_signalnoise *noise,
                          uint64_t seed, uint64_t stream)
{
    size_t taps = (size_t)noise->taps;
    if (taps == 0)
        return;
    darc_random r;
    darc_random_init(&r, seed, UINT64_C(2000000) + stream);
    double *z = darc_calloc(n + taps, sizeof *z);
    for (size_t i = 0; i < n + taps; i++)
        z[i] = darc_random_normal(&r);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < taps; j++)
            x[i] += noise->kernel[j] * z[i + taps - j];
    darc_free(z);
}
