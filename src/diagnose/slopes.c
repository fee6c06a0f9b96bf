#include "diagnose/slopes.h"

#include "base/mem.h"
#include "stats/real.h"

#include <math.h>
#include <string.h>

void darc_slopes_load(darc_slopes *p, const fmpz_mpoly_struct *from,
                      const fmpz_mpoly_ctx_t ctx, const int *place, int vars)
{
    slong n = fmpz_mpoly_length(from, ctx), own = fmpz_mpoly_ctx_nvars(ctx);
    ulong *e = darc_calloc((size_t)own + 1, sizeof *e);
    p->terms = (int)n;
    p->factor = darc_calloc((size_t)n + 1, sizeof *p->factor);
    p->power = darc_calloc((size_t)n * (size_t)vars + 1, sizeof *p->power);
    for (slong t = 0; t < n; t++) {
        p->factor[t] = darc_real_integer(from->coeffs + t);
        fmpz_mpoly_get_term_exp_ui(e, from, t, ctx);
        for (slong v = 0; v < own; v++)
            if (e[v] > 0)
                p->power[t * vars + place[v]] = (int)e[v];
    }
    darc_free(e);
}

void darc_slopes_clear(darc_slopes *p)
{
    darc_free(p->factor);
    darc_free(p->power);
}

double darc_slopes_value(double *gradient, const darc_slopes *p,
                         const double *theta, int vars)
{
    double sum = 0;
    memset(gradient, 0, (size_t)vars * sizeof *gradient);
    for (int t = 0; t < p->terms; t++) {
        const int *e = p->power + t * vars;
        double term = p->factor[t];
        for (int v = 0; v < vars; v++)
            term *= e[v] > 0 ? pow(theta[v], e[v]) : 1;
        sum += term;
        for (int v = 0; v < vars; v++) {
            if (e[v] == 0)
                continue;
            double slope = p->factor[t] * e[v] * pow(theta[v], e[v] - 1);
            for (int w = 0; w < vars; w++)
                slope *= w != v && e[w] > 0 ? pow(theta[w], e[w]) : 1;
            gradient[v] += slope;
        }
    }
    return sum;
}

double darc_slopes_quotient(double *gradient, const darc_slopes *num,
                            const darc_slopes *den, const double *theta,
                            int vars)
{
    double *d = darc_calloc((size_t)vars, sizeof *d);
    double n = darc_slopes_value(gradient, num, theta, vars);
    double q = darc_slopes_value(d, den, theta, vars);
    for (int v = 0; v < vars; v++)
        gradient[v] = (gradient[v] - n / q * d[v]) / q;
    darc_free(d);
    return n / q;
}

void darc_slopes_single(darc_slopes *p, int v, int vars)
{
    *p = (darc_slopes){1, darc_calloc(1, sizeof(double)),
                       darc_calloc((size_t)vars, sizeof(int))};
    p->factor[0] = 1;
    if (v >= 0)
        p->power[v] = 1;
}
