#include "fit/attenuation.h"

#include <math.h>

/* Return what is left over what white noise makes. */
static double excess_of(const darc_fit *f)
{
    return f->white.dof > 0 ? f->white.q / f->white.dof : 0;
}

/* Return the highest derivative in the terms of coefficient j. */
static int order_of(const darc_total_struct *total, int j)
{
    int most = 0;
    for (int i = 0; i < total->count; i++) {
        const darc_total_term *t = total->term + i;
        int order = t->order;
        for (int v = 0; v < total->vars; v++)
            order += darc_total_holds(t, v) ? total->var[v].order : 0;
        most = t->coeff == j && order > most ? order : most;
    }
    return most;
}

double darc_attenuation_of(const darc_fit *f)
{
    const darc_gls *g = &f->fit;
    double most = 0;
    for (int q = 0; q < f->r.equations; q++)
        for (int k = 0; k < f->y[q].coeffs; k++) {
            int j = f->y[q].first + k, at = j * (g->coeffs + 1);
            if (g->free[j] && order_of(f->r.total + q, k) == 0)
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
