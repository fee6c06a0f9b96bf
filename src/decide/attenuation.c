#include "decide/attenuation.h"

#include <math.h>

/* Return what is left over what white noise makes. */
static double excess_of(const darc_fit *f)
{
    return f->white.dof > 0 ? f->white.q / f->white.dof : 0;
}

/* Return the output that a term is, but for a factor; -1: it is none. */
static int output_of(const darc_fit *f, const darc_total_struct *total,
                     const darc_total_term *t)
{
    int u = -1, held = 0;
    for (int v = 0; v < total->vars; v++) {
        if (!darc_total_holds(t, v))
            continue;
        held += t->exponent[v] == 1 && total->var[v].order == 0 ? 1 : 2;
        u = total->var[v].unknown;
    }
    bool is = held == 1 && t->order == 0 && t->log < 0 && f->r.column[u] >= 0 &&
              f->r.signal[u].output;
    return is ? u : -1;
}

/* Whether the terms of coefficient j are several outputs, as k (p - q). */
static bool is_difference(const darc_fit *f, const darc_total_struct *total,
                          int j)
{
    int first = -1;
    bool several = false;
    for (int i = 0; i < total->count; i++) {
        if (total->term[i].coeff != j)
            continue;
        int u = output_of(f, total, total->term + i);
        if (u < 0)
            return false;
        several = several || (first >= 0 && u != first);
        first = u;
    }
    return several;
}

double darc_attenuation_of(const darc_fit *f)
{
    const darc_gls *g = &f->fit;
    double most = 0;
    for (int q = 0; q < f->r.equations; q++)
        for (int k = 0; k < f->y[q].coeffs; k++) {
            int j = f->y[q].first + k, at = j * (g->coeffs + 1);
            if (g->free[j] && is_difference(f, f->r.total + q, k))
                most = fmax(most, g->noise[at] / g->info[at]);
        }
    return most * excess_of(f);
}

double darc_attenuation_noise(const darc_fit *f)
{
    double most = 0;
    for (int u = 0; u < f->r.unknowns; u++) {
        const darc_signalnoise *n = f->r.noise + u;
        double band = fmin(1, 2 * f->weak->dt * n->power_band);
        if (f->r.column[u] >= 0 && f->r.signal[u].output && n->sd > 0)
            most = fmax(most, n->sd / n->rms * sqrt(band * excess_of(f)));
    }
    return most;
}
