#include "fit/weakbias.h"

#include "base/mem.h"

#include <math.h>

/* Next to none, so that no covariance vanishes. */
static const double NEXT_TO_NONE = 1e-2;

static bool is_bound(const darc_noisemodel *n)
{
    return n->kernel != NULL &&
           (n->kind == DARC_NOISE_UNKNOWN || n->kind == DARC_NOISE_COLOURED);
}

/* Set g->noise to that of f, next to none where it is a bound, and f->drowned;
 * return whether there is such noise. */
static bool set_least(darc_weakfit *g, darc_weakfit *f, const darc_table *table,
                      const int *column)
{
    bool bound = false;
    g->noise = darc_calloc((size_t)f->unknowns, sizeof *g->noise);
    for (int u = 0; u < f->unknowns; u++) {
        const darc_noisemodel *n = f->noise + u;
        if (n->kernel == NULL)
            continue;
        bound = bound || is_bound(n);
        if (is_bound(n) &&
            n->sd > DARC_WEAK_DROWNED * darc_weakfit_rms(table, column[u]))
            f->drowned = u;
        if (is_bound(n))
            darc_noisemodel_init(g->noise + u, NEXT_TO_NONE * n->sd);
        else
            darc_noisemodel_copy(g->noise + u, n);
        g->noise[u].power_band = n->power_band;
        g->noise[u].edge = n->edge;
    }
    return bound;
}

/* Return by how much the equation moves from the coefficients of f to those
 * of g, which have the same reference. */
static double move(const darc_weakfit *f, const darc_weakfit *g)
{
    double most = 0;
    for (int j = 0; j < f->model; j++) {
        double c = f->fit.c[j], other = g->fit.c[j];
        double part = f->share[j] * fabs(other / c - 1);
        most = c == other ? most : fmax(most, isnan(part) ? HUGE_VAL : part);
    }
    return most;
}

darc_status darc_weakfit_set_bias(darc_weakfit *f, const darc_table *table,
                                  const int *column,
                                  const darc_weakcheck_options *o,
                                  const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_err own;
    darc_err_init(&own);
    darc_weakfit g = {.unknowns = f->unknowns, .model = f->model};
    f->bias = 0;
    f->drowned = -1;
    if (set_least(&g, f, table, column)) {
        darc_total_set(g.total, f->total);
        status = darc_weakfit_total(&g, table, column, o, budget, &own);
        if (status == DARC_OK) {
            f->bias = darc_gls_refer(&g.fit, f->fit.reference) ? move(f, &g)
                                                               : HUGE_VAL;
        } else if (status == DARC_DATA) {
            f->bias = HUGE_VAL;
            status = DARC_OK;
        } else {
            status = darc_fail(err, status, "%s", own.message);
        }
    }
    darc_weakfit_clear(&g);
    return status;
}
