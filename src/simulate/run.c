#include "simulate/run.h"

#include "base/mem.h"
#include "simulate/thresholds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Return the largest share that is left of an equation at (t, y, dy): its
 * value over the sum of the absolute values of its terms, 0 .. 1. */
static double defect_of(darc_plant *p, double t, const double *y,
                        const double *dy)
{
    assert(p->implicit);
    darc_signals_set(&p->signals, t);
    darc_evaluator_run(&p->equations, t, y, dy);
    int n = p->equations.outputs / 2;
    double worst = 0;
    for (int k = 0; k < n; k++) {
        double size = p->equations.out[n + k];
        if (size > 0)
            worst = fmax(worst, fabs(p->equations.out[k]) / size);
    }
    return worst;
}

/* Whether every slope is finite at the start, or the equations hold. */
static darc_status check_start(const darc_run *r, darc_err *err)
{
    darc_plant *p = r->plant;
    if (!p->implicit) {
        double *f = darc_calloc((size_t)p->layout.n, sizeof *f);
        int bad = p->system.slope(0, r->start, f, p);
        darc_free(f);
        if (bad == 0)
            return DARC_OK;
        return darc_fail(err, DARC_DOMAIN,
                         "a derivative is not finite at t = 0 s: a divisor is "
                         "0 at the initial values (--init) or parameters "
                         "given");
    }
    double defect = defect_of(p, 0, darc_integrator_y(r->integrator),
                              darc_integrator_dy(r->integrator));
    if (defect <= DARC_MOST_DEFECT)
        return DARC_OK;
    return darc_fail(err, DARC_DOMAIN,
                     "no consistent initial values found: %.1g of an equation "
                     "is left over, the equations may have no solution near "
                     "the values given (--init \"x=1,x'=1\")",
                     defect);
}

/* Begin at t, with the doses there. */
static darc_status begin_at(darc_run *r, double t, const double *from,
                            const double *slope, double towards, darc_err *err)
{
    size_t n = (size_t)r->plant->layout.n;
    double *y = darc_calloc(n, sizeof *y);
    memcpy(y, from, n * sizeof *y);
    darc_status status = darc_plant_dose(r->plant, t, y, err);
    DARC_THEN(darc_integrator_start(r->integrator, t, y, slope, towards, err));
    darc_free(y);
    return status;
}

/* The next jump is the first behind t. */
static void find_jump(darc_run *r, double t)
{
    darc_signals *s = &r->plant->signals;
    r->jump = s->until = darc_signals_next_jump(s, t);
    s->known = false;
}

static double time_of(const darc_run *r, size_t i)
{
    return r->time != NULL ? r->time[i] : (double)i / r->rate;
}

/* Set *y to the state at sample i; samples are asked for in order.  At a jump
 * the integrator begins again. */
static darc_status run_step(darc_run *r, size_t i, const double **y,
                            darc_err *err)
{
    static const double no_state = 0;
    darc_integrator *g = r->integrator;
    double t = time_of(r, i);
    while (r->jump <= t) {
        double at = r->jump;
        if (g != NULL)
            DARC_NEED(darc_integrator_advance(g, at, at, r->budget, err));
        find_jump(r, at);
        if (g != NULL)
            DARC_NEED(begin_at(r, at, darc_integrator_y(g),
                               darc_integrator_dy(g), at + 1 / r->rate, err));
    }
    *y = g != NULL ? darc_integrator_y(g) : &no_state;
    if (g == NULL)
        return darc_budget_check(r->budget, err);
    return i == 0 ? DARC_OK
                  : darc_integrator_advance(g, t, r->jump, r->budget, err);
}

darc_status darc_run_all(darc_run *r, const char *stage, darc_run_visit *visit,
                         void *user, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_system *system = &r->plant->system;
    find_jump(r, 0);
    if (system->n > 0) {
        DARC_TRY(darc_integrator_new(&r->integrator, system, r->method, r->rtol,
                                     r->atol, err));
        DARC_TRY(begin_at(r, 0, r->start, r->guess, 1 / r->rate, err));
        DARC_TRY(check_start(r, err));
    }
    for (size_t i = 0; i < r->samples; i++) {
        const double *y;
        DARC_TRY(run_step(r, i, &y, err));
        DARC_TRY(visit(user, i, time_of(r, i), y, err));
        if (i % 256 == 0)
            darc_budget_progress(
                r->budget,
                &(darc_progress){stage, (long)i, (long)r->samples, 0});
    }
done:
    darc_integrator_free(r->integrator);
    r->integrator = NULL;
    return status;
}

typedef struct {
    darc_plant *plant;
    size_t every;   /* samples between two looks at the Jacobian */
    double *square; /* sums of y_i^2 */
    double norm;    /* largest norm of the Jacobian seen, 1/s */
    double *work;   /* 3 n */
} sizes;

/* Return the largest column sum of |df_i/dy_j| at y, by differences: the
 * size of the fastest rate of change, 1/s. */
static double jacobian_norm(const sizes *s, double t, const double *y)
{
    int n = s->plant->layout.n;
    double *at = s->work, *f0 = at + n, *f1 = f0 + n, norm = 0;
    memcpy(at, y, (size_t)n * sizeof *at);
    if (s->plant->system.slope(t, at, f0, s->plant) != 0)
        return 0;
    for (int j = 0; j < n; j++) {
        double h = DARC_JACOBIAN_STEP * fmax(fabs(y[j]), DARC_JACOBIAN_STEP);
        double sum = 0;
        at[j] = y[j] + h;
        if (s->plant->system.slope(t, at, f1, s->plant) == 0)
            for (int i = 0; i < n; i++)
                sum += fabs(f1[i] - f0[i]) / h;
        at[j] = y[j];
        norm = fmax(norm, sum);
    }
    return norm;
}

static darc_status visit_sizes(void *user, size_t i, double t, const double *y,
                               darc_err *err)
{
    (void)err;
    sizes *s = user;
    for (int j = 0; j < s->plant->layout.n; j++)
        s->square[j] += y[j] * y[j];
    if (!s->plant->implicit && i % s->every == 0)
        s->norm = fmax(s->norm, jacobian_norm(s, t, y));
    return DARC_OK;
}

darc_status darc_run_sizes(darc_run *r, darc_err *err)
{
    darc_run pilot = *r;
    size_t n = (size_t)r->plant->layout.n;
    sizes s = {.plant = r->plant, .every = r->samples / DARC_JACOBIANS + 1};
    s.square = darc_calloc(n, sizeof *s.square);
    s.work = darc_calloc(3 * n, sizeof *s.work);
    pilot.method = DARC_BDF;
    pilot.rtol = DARC_PILOT_RTOL;
    DARC_FILL(pilot.atol, n, DARC_PILOT_ATOL);
    darc_status status =
        darc_run_all(&pilot, "looking ahead", visit_sizes, &s, err);
    for (size_t j = 0; j < n; j++) {
        double rms = sqrt(s.square[j] / (double)r->samples);
        r->atol[j] = rms > 0 ? r->rtol * rms : DARC_PILOT_ATOL;
    }
    double t_end = time_of(r, r->samples - 1);
    r->method = s.norm * t_end > DARC_ADAMS_STEPS ? DARC_BDF : DARC_ADAMS;
    DARC_FREE(s.square, s.work);
    return status;
}
