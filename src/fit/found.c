#include "fit/found.h"

#include "fit/thresholds.h"
#include "noise/lines.h"
#include "noise/spikes.h"

#include <math.h>

static bool has_channel(const darc_weak *weak, int u, int channel)
{
    for (int v = 0; v < weak->vars; v++)
        for (int i = 0; i < weak->var[v].paths; i++)
            if (weak->var[v].deriv.unknown == u &&
                weak->var[v].path[i].channel == channel)
                return true;
    return false;
}

/* Return the equation in which the noise of u is the strongest; -1: there is
 * none, or what it leaves counts as white. */
static int equation_of(const darc_fit *f, int u)
{
    for (int q = 0; q < f->r.equations && f->spectrum.count > 0; q++)
        if (has_channel(f->weak, u, f->spectrum.loudest[q]))
            return q;
    return -1;
}

static void set_spectrum(darc_noise_found *out, const darc_octaves *o, int q)
{
    double end = o->top;
    out->points = o->count;
    for (int k = 0; k < o->count; k++, end /= 2)
        out->spectrum[k] = (darc_noise_point){
            end / sqrt(2), out->level * sqrt(o->share[q * DARC_OCTAVES + k])};
}

/* Whether another signal of the equations holds that line: then it may be one
 * of the motion that they describe, a mode or an input's. */
static bool is_shared(const darc_fit *f, int u, double hertz)
{
    for (int v = 0; v < f->r.unknowns; v++)
        if (v != u && f->r.column[v] >= 0 &&
            darc_lines_has(f->weak->table, f->r.column[v], hertz))
            return true;
    return false;
}

void darc_found_set(darc_noise_found *out, const darc_fit *f,
                    const darc_question *x, int u)
{
    const darc_signalnoise *n = f->r.noise + u;
    const darc_table *table = f->weak->table;
    const double *y = table->signal[f->r.at[u]].value;
    darc_line line[DARC_LINES_MOST];
    int q = equation_of(f, u);
    *out = (darc_noise_found){.signal = x->io->jet->names->symbol[u].name,
                              .level = n->rms > 0 ? n->sd / n->rms : 0,
                              .grows = q >= 0 && f->spectrum.uneven};
    out->heavy = n->colour == DARC_COLOUR_WHITE &&
                 n->sd > DARC_FOUND_HEAVY * darc_spikes_sd(y, table->samples);
    int lines = darc_lines_find(line, n, table, f->r.at[u]);
    for (int i = 0; i < lines; i++)
        if (!is_shared(f, u, line[i].hz))
            out->line[out->lines++] =
                (darc_noise_point){line[i].hz, line[i].share};
    if (q >= 0)
        set_spectrum(out, &f->spectrum, q);
}

/* Return the frequency below which noise is redder than what the spectrum shows
 * of it, *most gets how strong it is there, at most. */
static double red_below(double *most, const darc_noise_found *found)
{
    double hertz = 0;
    for (int i = 0; i < found->points; i++) {
        double level = found->spectrum[i].level;
        if (level < DARC_FOUND_RED * found->level)
            hertz = *most = 0;
        else if (hertz == 0)
            hertz = found->spectrum[i].hz * sqrt(2);
        *most = fmax(*most, level);
    }
    return hertz;
}

void darc_found_say(darc_text_t out, const darc_noise_found *found,
                    const darc_signalnoise *n)
{
    double most = 0, red = red_below(&most, found);
    darc_text_printf(out, "noise of %s: %s, sd %.3g (%.2g %%)", found->signal,
                     darc_colour_text(n->colour), n->sd, 100 * found->level);
    if (red > 0)
        darc_text_printf(out, ", as white noise of %.2g %% below %.3g Hz",
                         100 * most, red);
    if (found->grows)
        darc_text_puts(out, ", more where it is large");
    if (found->heavy)
        darc_text_puts(out, ", heavy tails");
}
