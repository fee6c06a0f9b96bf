#include "fit/weakdoubt.h"

#include "base/mem.h"
#include "fit/missing.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* Coloured noise that is far larger than the residual is not what was seen. */
static const double LEAST_OVER = 1e-4;

/* A residual of this many times the power of noise that continues what is
 * seen above the bands is none: the noise would have to rise fourfold. */
static const double MARGIN = 16;

static bool is_rounded(const darc_noisemodel *n)
{
    return n->step * n->step / 12 > 0.3 * n->sd * n->sd;
}

/* Rounding a slow signal makes errors that follow the signal.  At worst their
 * whole power, step^2/12, lies in the band of the signal instead of being
 * spread to the Nyquist frequency: return Q/dof that this explains, twice
 * over; 0 when rounding does not matter. */
static double rounding_bound(const darc_weakfit *f, double dt)
{
    double bound = 0;
    for (int u = 0; u < f->unknowns; u++) {
        const darc_noisemodel *n = f->noise + u;
        if (n->kernel == NULL || !is_rounded(n) || !(n->power_band > 0))
            continue;
        double power = fmax(1, n->step * n->step / 12 / (n->sd * n->sd));
        bound = fmax(bound, 2 * power * 0.5 / (dt * n->power_band));
    }
    return bound;
}

/* Set suspect of the fit; *coloured holds the noise as it may be. */
static darc_status look_for_colour(const darc_weakdoubt *d,
                                   darc_weakfit *coloured, darc_err *err)
{
    darc_weakfit *f = d->f;
    *coloured = (darc_weakfit){.unknowns = f->unknowns, .model = f->model};
    coloured->noise = darc_calloc((size_t)f->unknowns, sizeof *coloured->noise);
    darc_status status = darc_weakfit_noise(coloured, d->model, d->column,
                                            d->table, d->o, true, err);
    for (int u = 0; u < f->unknowns && status == DARC_OK; u++)
        if (d->column[u] >= 0)
            f->suspect = f->suspect || is_rounded(f->noise + u) ||
                         f->noise[u].kind == DARC_NOISE_UNKNOWN ||
                         coloured->noise[u].kind == DARC_NOISE_COLOURED ||
                         coloured->noise[u].kind == DARC_NOISE_UNKNOWN;
    return status;
}

/* ---- missing terms ---------------------------------------------------------
 */

/* List in out the terms that are missing from fit f. */
static darc_status list_missing(darc_weakcheck *out, const darc_weakfit *f,
                                const darc_weakdoubt *d, darc_err *err)
{
    darc_weakcheck_options omnibus = *d->o;
    double least_p;
    omnibus.against = 0;
    *out = (darc_weakcheck){0};
    return darc_missing_terms(out, &least_p, f, d->io, d->e, d->table, &omnibus,
                              d->budget, err);
}

/* Make signal u carry all noise, factor times what it carries in the fit; the
 * others keep next to none, so that no covariance vanishes. */
static void set_blame(darc_weakfit *g, const darc_weakfit *f, int u,
                      double factor)
{
    static const double NEXT_TO_NONE = 1e-4;
    for (int v = 0; v < f->unknowns; v++) {
        const darc_noisemodel *n = f->noise + v;
        if (n->kernel == NULL)
            continue;
        darc_noisemodel_clear(g->noise + v);
        darc_noisemodel_init(g->noise + v,
                             n->sd * factor * (v == u ? 1 : NEXT_TO_NONE));
        g->noise[v].power_band = n->power_band;
        g->noise[v].edge = n->edge;
    }
}

/* Scale the noise of signal u until it explains the size of the residual;
 * *explained: it does. */
static darc_status blame(darc_weakfit *g, const darc_weakdoubt *d, int u,
                         bool *explained, darc_err *err)
{
    enum { ROUNDS = 8 };
    const darc_weakfit *f = d->f;
    double factor = sqrt(f->fit.q_here / f->fit.dof);
    darc_status status = DARC_OK;
    *explained = false;
    for (int i = 0; i < ROUNDS && !*explained; i++) {
        darc_gls_clear(&g->fit);
        darc_weak_free(g->weak);
        g->weak = NULL;
        set_blame(g, f, u, factor);
        status =
            darc_weakfit_total(g, d->table, d->column, d->o, d->budget, err);
        if (status != DARC_OK)
            return status;
        double ratio = g->fit.q_here / g->fit.dof;
        *explained = fabs(ratio - 1) < 0.02 && !g->fit.robust;
        factor *= sqrt(ratio);
    }
    return DARC_OK;
}

/* Whether the noise that g blames signal u for is far more than what stands
 * just above the band of the signal. */
static bool is_absurd(const darc_weakfit *g, const darc_weakdoubt *d, int u)
{
    double sd = g->noise[u].sd;
    return 2 * d->table->dt * sd * sd > MARGIN * d->f->noise[u].edge;
}

/* Drop from `missing` the terms that are not missing, or have another sign,
 * when signal u carries the noise. */
static void keep_common(darc_weakcheck *missing, const darc_weakcheck *other)
{
    int kept = 0;
    for (int i = 0; i < missing->missing; i++) {
        darc_missing_term t = missing->missing_term[i];
        bool common = false;
        for (int k = 0; k < other->missing; k++)
            common =
                common || (strcmp(other->missing_term[k].term, t.term) == 0 &&
                           other->missing_term[k].value * t.value > 0);
        if (common)
            missing->missing_term[kept++] = t;
        else
            darc_free(t.term);
    }
    missing->missing = kept;
}

static darc_status try_signal(darc_weakcheck *missing, const darc_weakdoubt *d,
                              int u, darc_err *err)
{
    const darc_weakfit *f = d->f;
    darc_weakcheck other = {0};
    darc_weakfit g = {
        .unknowns = f->unknowns, .model = f->model, .suspect = f->suspect};
    bool explained;
    darc_err own;
    darc_err_init(&own);
    darc_total_set(g.total, f->total);
    g.noise = darc_calloc((size_t)g.unknowns, sizeof *g.noise);
    darc_status status = blame(&g, d, u, &explained, &own);
    explained = explained && !is_absurd(&g, d, u);
    if (status == DARC_OK && explained)
        status = list_missing(&other, &g, d, &own);
    if (status == DARC_OK && explained)
        keep_common(missing, &other);
    darc_weakcheck_clear(&other);
    darc_weakfit_clear(&g);
    /* a signal whose noise cannot make the residual is not to blame */
    return status == DARC_OK || status == DARC_DATA
               ? DARC_OK
               : darc_fail(err, status, "%s", own.message);
}

/* Set *found to whether a term is missing whichever signal carries the noise.
 */
static darc_status find_missing(bool *found, const darc_weakdoubt *d,
                                darc_err *err)
{
    darc_weakcheck missing;
    darc_status status = list_missing(&missing, d->f, d, err);
    for (int u = 0; u < d->f->unknowns && status == DARC_OK; u++)
        if (missing.missing > 0 && d->f->noise[u].kernel != NULL &&
            d->f->noise[u].sd > 0)
            status = try_signal(&missing, d, u, err);
    *found = status == DARC_OK && missing.missing > 0;
    darc_weakcheck_clear(&missing);
    return status;
}

/* ---- size ------------------------------------------------------------------
 */

static void swap_noise(darc_weakfit *f, darc_weakfit *coloured)
{
    darc_noisemodel *noise = f->noise;
    f->noise = coloured->noise;
    coloured->noise = noise;
}

static bool has_kind(const darc_weakfit *coloured, darc_noise_kind kind)
{
    for (int u = 0; u < coloured->unknowns; u++)
        if (coloured->noise[u].kernel != NULL &&
            coloured->noise[u].kind == kind)
            return true;
    return false;
}

/* That noise of a spectrum which is merely possible explains the residual does
 * not make it so: let the covariance follow the residual, while the statistic
 * stays that of the noise. */
static darc_status distrust(darc_weakfit *f, const darc_budget *budget,
                            darc_err *err)
{
    double p = f->fit.p_value, dof = f->fit.dof;
    darc_gls_clear(&f->fit);
    darc_status status =
        darc_gls_fit(&f->fit, f->weak, f->model, true, budget, err);
    if (status == DARC_OK) {
        f->fit.p_value = p;
        f->fit.q_here = darc_stats_chi2_isf(p, dof);
    }
    return status;
}

/* Fit with the noise as it may be: set coloured and open of the fit, which
 * keeps the noise it had unless that is what the residual is. */
static darc_status try_colour(const darc_weakdoubt *d, darc_weakfit *coloured,
                              darc_err *err)
{
    darc_weakfit *f = d->f, old = *f;
    swap_noise(f, coloured);
    f->weak = NULL;
    f->fit = (darc_gls){0};
    darc_status status =
        darc_weakfit_total(f, d->table, d->column, d->o, d->budget, err);
    double p = status == DARC_OK ? f->fit.p_value : 0;
    double size = status == DARC_OK ? f->fit.q / f->fit.dof : 0;
    if (p >= d->o->alpha && p <= 1 - LEAST_OVER) {
        f->coloured = true;
        f->open = f->misfit = false;
        darc_gls_clear(&old.fit);
        darc_weak_free(old.weak);
        return distrust(f, d->budget, err);
    }
    darc_gls_clear(&f->fit);
    darc_weak_free(f->weak);
    f->fit = old.fit;
    f->weak = old.weak;
    /* nothing is known above a band that has no end */
    if (size > MARGIN && !has_kind(f, DARC_NOISE_UNKNOWN) &&
        !has_kind(coloured, DARC_NOISE_UNKNOWN))
        f->open = false;
    swap_noise(f, coloured);
    return status == DARC_DATA ? DARC_OK : status;
}

darc_status darc_weakfit_doubt(const darc_weakdoubt *d, darc_err *err)
{
    darc_weakfit coloured, *f = d->f;
    darc_status status = look_for_colour(d, &coloured, err);
    bool found = false;
    if (status != DARC_OK || !f->suspect)
        goto done;
    darc_gls_clear(&f->fit);
    DARC_TRY(darc_gls_fit(&f->fit, f->weak, f->model, true, d->budget, err));
    DARC_TRY(find_missing(&found, d, err));
    f->open = !found;
    if (!found && has_kind(&coloured, DARC_NOISE_COLOURED))
        DARC_TRY(try_colour(d, &coloured, err));
    if (!f->coloured &&
        f->fit.q_here < f->fit.dof * rounding_bound(f, d->table->dt))
        f->open = true;
done:
    darc_weakfit_clear(&coloured);
    return status;
}

darc_status darc_weakfit_suspect(const darc_weakdoubt *d, darc_err *err)
{
    darc_weakfit coloured;
    darc_status status = look_for_colour(d, &coloured, err);
    darc_weakfit_clear(&coloured);
    return status;
}
