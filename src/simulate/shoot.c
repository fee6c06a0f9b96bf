#include "simulate/shoot.h"

#include "base/mem.h"
#include "simulate/thresholds.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STAGES = 7 };

void darc_shooter_init(darc_shooter *g, darc_flow *flow,
                       const darc_budget *budget)
{
    *g = (darc_shooter){.flow = flow, .budget = budget};
    for (int u = 0; u < flow->names->count; u++)
        g->inputs |= flow->names->symbol[u].kind == DARC_INPUT;
    g->scale = darc_calloc((size_t)flow->n + 1, sizeof *g->scale);
    g->linear = darc_transition_init(&g->exact, flow);
}

void darc_shooter_clear(darc_shooter *g)
{
    darc_integrator_free(g->stiff);
    darc_transition_clear(&g->exact);
    DARC_FREE(g->scale, g->work);
    *g = (darc_shooter){.flow = NULL};
}

int darc_shooter_columns(const darc_shooter *g)
{
    return g->plan.free + (g->plan.parameters ? g->flow->params : 0) +
           g->plan.forced;
}

static size_t length_of(const darc_shooter *g)
{
    return (size_t)g->flow->n * (size_t)(1 + darc_shooter_columns(g));
}

void darc_shooter_begin(darc_shooter *g, const darc_columns_plan *plan)
{
    size_t n = (size_t)g->flow->n, p = (size_t)g->flow->params;
    g->plan = plan != NULL ? *plan : (darc_columns_plan){.free = 0};
    g->step = 0;
    g->exactly = g->linear && darc_transition_begin(&g->exact, &g->plan);
    darc_integrator_free(g->stiff);
    g->stiff = NULL;
    memset(g->scale, 0, n * sizeof *g->scale);
    size_t need = length_of(g) * (STAGES + 3) + n * (n + p + 1) +
                  (n + 1) * (size_t)g->plan.forced + 1;
    if (need > g->alloc)
        g->work = darc_realloc(g->work, need, sizeof *g->work);
    g->alloc = need > g->alloc ? need : g->alloc;
    g->may = g->work + length_of(g) * (STAGES + 2);
    g->a = g->may + length_of(g);
    g->b = g->a + n * n;
    g->f = g->b + n * p;
    g->amount = g->f + n;
}

/* Add the amounts to the rates of the columns that are forced. */
static bool force(darc_shooter *g, double t, const double *z, double *dz)
{
    int n = g->flow->n, forced = g->plan.forced;
    double *by = g->amount + forced;
    g->plan.amount(g->amount, t, z, g->plan.user);
    memset(by, 0, (size_t)(n * forced) * sizeof *by);
    for (int k = 0; k < forced; k++)
        by[n * k + g->plan.state[k]] = g->amount[k];
    bool good = darc_flow_lift(g->flow, t, z, by, forced);
    for (int i = 0; i < n * forced; i++)
        dz[i] += by[i];
    return good;
}

/* Set dz to z' at t; return whether it is finite. */
static bool rate(darc_shooter *g, double t, const double *z, double *dz)
{
    darc_flow *w = g->flow;
    int n = w->n, columns = darc_shooter_columns(g);
    bool slopes = columns > 0;
    if (!darc_flow_rates(w, t, z, dz, slopes ? g->a : NULL, g->b))
        return false;
    for (int c = 0; c < columns; c++) {
        const double *s = z + n * (1 + c);
        double *ds = dz + n * (1 + c);
        int k = c - g->plan.free;
        if (k >= 0 && g->plan.parameters && k < w->params)
            memcpy(ds, g->b + k * n, (size_t)n * sizeof *ds);
        else
            memset(ds, 0, (size_t)n * sizeof *ds);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n && s[j] != 0; i++)
                ds[i] += g->a[j * n + i] * s[j];
    }
    return g->plan.forced == 0 ||
           force(g, t, z, dz + n * (1 + columns - g->plan.forced));
}

/* Set may[i] to the error that z[i] may have.  A column that begins at 0 may
 * have one beside what its parameter, or the forced ones, can do. */
static void allow(const darc_shooter *g, const double *z, double *may)
{
    int n = g->flow->n, columns = darc_shooter_columns(g);
    int forced = columns - g->plan.forced;
    double most = 0, least = HUGE_VAL, floor = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, DARC_SHOOT_LEAST * g->scale[i]);
    for (int i = 0; i < n; i++) {
        double size = fmax(fmax(g->scale[i], fabs(z[i])), most);
        may[i] = DARC_SHOOT_RTOL * size;
        least = fmin(least, size);
    }
    for (int i = n * (1 + forced); i < n * (1 + columns); i++)
        floor = fmax(floor, DARC_SHOOT_FORCED * fabs(z[i]));
    for (int c = 0; c < columns; c++) {
        int k = c - g->plan.free;
        double size = c >= forced ? floor : 0;
        if (k >= 0 && c < forced)
            size = DARC_SHOOT_FORCED * least /
                   fabs(g->flow->value[g->flow->param[k]]);
        size = isfinite(size) ? size : 0;
        for (int i = 0; i < n; i++)
            size = fmax(size, fabs(z[n * (1 + c) + i]));
        for (int i = 0; i < n; i++)
            may[n * (1 + c) + i] = DARC_SHOOT_SLOPES * size;
    }
}

/* Return the error of a step over what it may be. */
static double error_of(const darc_shooter *g, const double *z,
                       const double *error)
{
    double worst = 0;
    allow(g, z, g->may);
    for (size_t i = 0; i < length_of(g); i++)
        if (error[i] != 0)
            worst = fmax(worst, fabs(error[i]) / g->may[i]);
    return isfinite(worst) ? worst : HUGE_VAL;
}

/* One step of length h from z, whose rate is k[0]; set the error, and `to`,
 * whose rate becomes k[6]. */
static bool step(darc_shooter *g, double t, double h, const double *z,
                 double *to, double *error)
{
    static const double node[STAGES] = {0,      1. / 5, 3. / 10, 4. / 5,
                                        8. / 9, 1,      1};
    static const double by[STAGES][STAGES - 1] = {
        {0},
        {1. / 5},
        {3. / 40, 9. / 40},
        {44. / 45, -56. / 15, 32. / 9},
        {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
        {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
        {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
    static const double off[STAGES] = {
        71. / 57600,      0,         -71. / 16695, 71. / 1920,
        -17253. / 339200, 22. / 525, -1. / 40};
    size_t n = length_of(g);
    double *k = g->work;
    for (int stage = 1; stage < STAGES; stage++) {
        memcpy(to, z, n * sizeof *to);
        for (int j = 0; j < stage; j++)
            for (size_t i = 0; i < n && by[stage][j] != 0; i++)
                to[i] += h * by[stage][j] * k[(size_t)j * n + i];
        if (!rate(g, t + node[stage] * h, to, k + (size_t)stage * n))
            return false;
    }
    memset(error, 0, n * sizeof *error);
    for (int j = 0; j < STAGES; j++)
        for (size_t i = 0; i < n; i++)
            error[i] += h * off[j] * k[(size_t)j * n + i];
    return true;
}

static int call_rate(double t, const double *z, double *dz, void *user)
{
    return rate(user, t, z, dz) ? 0 : 1;
}

/* Let BDF begin at t. */
static bool begin_stiff(darc_shooter *g, double t, const double *z, double t1)
{
    size_t all = length_of(g);
    darc_system system = {.n = (int)all, .slope = call_rate, .user = g};
    allow(g, z, g->may);
    for (size_t i = 0; i < all; i++)
        g->may[i] = fmax(g->may[i], DBL_MIN);
    g->reached = t;
    darc_integrator_free(g->stiff);
    return darc_integrator_new(&g->stiff, &system, DARC_BDF, DARC_SHOOT_RTOL,
                               g->may, NULL) == DARC_OK &&
           darc_integrator_start(g->stiff, t, z, NULL, t1, NULL) == DARC_OK;
}

/* The rest of the way, stiff.  It begins again where inputs may have a corner,
 * at samples, and where z was moved. */
static bool go_on(darc_shooter *g, double t0, double t1, double *z)
{
    double left = DARC_SHOOT_STIFF, stop = g->inputs ? t1 : HUGE_VAL;
    darc_budget own = darc_budget_with(g->budget, &left);
    bool there =
        g->stiff != NULL && g->reached == t0 && !g->inputs &&
        memcmp(z, darc_integrator_y(g->stiff), length_of(g) * sizeof *z) == 0;
    if (!there && !begin_stiff(g, t0, z, t1))
        return false;
    if (darc_integrator_advance(g->stiff, t1, stop, &own, NULL) != DARC_OK)
        return false;
    g->reached = t1;
    memcpy(z, darc_integrator_y(g->stiff), length_of(g) * sizeof *z);
    return true;
}

/* Bring z from t0 to t1, between which nothing is given. */
static bool travel(darc_shooter *g, double t0, double t1, double *z)
{
    size_t n = length_of(g);
    double *k = g->work, *to = k + STAGES * n, *error = to + n;
    double t = t0, h = g->step > 0 ? g->step : (t1 - t0) / 4;
    g->flow->signals.until = t1;
    g->flow->signals.known = false;
    for (int i = 0; i < g->flow->n; i++)
        g->scale[i] = fmax(g->scale[i], fabs(z[i]));
    if (g->stiff != NULL)
        return go_on(g, t0, t1, z);
    if (!rate(g, t, z, k))
        return false;
    for (int steps = 0; t < t1; steps++) {
        if (steps == DARC_SHOOT_STEPS)
            return !g->brisk && go_on(g, t, t1, z);
        bool last = t + 1.001 * h >= t1;
        double now = last ? t1 - t : h;
        double off =
            step(g, t, now, z, to, error) ? error_of(g, to, error) : HUGE_VAL;
        if (off <= 1) {
            t = last ? t1 : t + now;
            memcpy(z, to, n * sizeof *z);
            memcpy(k, k + 6 * n, n * sizeof *k);
            for (int i = 0; i < g->flow->n; i++)
                g->scale[i] = fmax(g->scale[i], fabs(z[i]));
        }
        double next = now * fmin(5, fmax(.1, .9 * pow(off + 1e-30, -.2)));
        h = last && off <= 1 ? fmax(h, next) : next;
        if (!(h > 1e-12 * (t1 - t0)))
            return false;
    }
    g->step = h;
    return true;
}

bool darc_shoot_dose(darc_shooter *g, double t, double *z)
{
    darc_flow *w = g->flow;
    darc_signals *s = &w->signals;
    size_t length = length_of(g);
    double *once = g->work, *rest = once + length, *twice = rest + length;
    double before = nextafter(t, -HUGE_VAL), most = 0;
    if (!g->inputs || darc_signals_next_dose(s, before) != t)
        return true;
    for (int turn = 0; turn < 2; turn++) {
        double *gain = turn == 0 ? once : twice;
        s->until = HUGE_VAL;
        s->known = false;
        bool good = rate(g, t, z, rest);
        darc_signals_dose(s, t, turn + 1);
        good = good && rate(g, t, z, gain);
        s->known = false;
        if (!good)
            return false;
        for (size_t i = 0; i < length; i++) {
            gain[i] -= rest[i];
            z[i] += turn == 0 ? gain[i] : 0;
        }
    }
    for (int i = 0; i < w->n; i++)
        most = fmax(most, fabs(once[i]) + fabs(z[i]));
    for (int i = 0; i < w->n; i++)
        if (fabs(twice[i] - 2 * once[i]) > DARC_DOSES_SLACK * most)
            return false;
    return darc_flow_complete(w, t, z, z + w->n,
                              g->plan.parameters ? darc_shooter_columns(g) : 0);
}

bool darc_shoot(darc_shooter *g, double t0, double t1, double *z)
{
    bool good = true;
    for (double t = t0; t < t1 && good;) {
        double next =
            g->inputs ? darc_signals_next_jump(&g->flow->signals, t) : HUGE_VAL;
        next = fmin(next, t1);
        good = (g->exactly ? darc_transition_go(&g->exact, t, next, z)
                           : travel(g, t, next, z)) &&
               darc_shoot_dose(g, next, z);
        t = next;
    }
    return good;
}
