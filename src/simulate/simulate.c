#include "simulate/simulate.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/random.h"
#include "model/derived.h"
#include "simulate/adjoined.h"
#include "simulate/setup.h"
#include "simulate/thresholds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void darc_simulate_options_init(darc_simulate_options *o)
{
    *o = (darc_simulate_options){
        .t_end = 10, .rate = 1000, .seed = 1, .rtol = DARC_RTOL};
}

/* One run over the samples. */
typedef struct {
    darc_plant *plant;
    darc_integrator *integrator; /* NULL for a plant without states */
    const double *start, *guess; /* y and y' at t = 0 */
    darc_integrator_method method;
    double rtol, *atol; /* atol[j] of state j */
    double rate;        /* Hz */
    size_t samples;
    double jump; /* the next one, s */
    const darc_budget *budget;
} run;

/* Called with the values at sample i. */
typedef darc_status (*visit_fn)(void *user, size_t i, double t, const double *y,
                                darc_err *err);

/* Whether every slope is finite at the start. */
static darc_status check_slopes(const run *r, darc_err *err)
{
    darc_plant *p = r->plant;
    double *f = darc_calloc((size_t)p->layout.n, sizeof *f);
    int bad = p->system.slope(0, r->start, f, p);
    darc_free(f);
    if (bad == 0)
        return DARC_OK;
    return darc_fail(err, DARC_DOMAIN,
                     "a derivative is not finite at t = 0 s: a divisor is 0 "
                     "at the initial values (--init) or parameters given");
}

static darc_status check_start(const run *r, darc_err *err)
{
    darc_plant *p = r->plant;
    if (!p->implicit)
        return check_slopes(r, err);
    double defect = darc_plant_defect(p, 0, darc_integrator_y(r->integrator),
                                      darc_integrator_dy(r->integrator));
    if (defect <= DARC_MOST_DEFECT)
        return DARC_OK;
    return darc_fail(err, DARC_DOMAIN,
                     "no consistent initial values found: %.1g of an equation "
                     "is left over, the equations may have no solution near "
                     "the values given (--init \"x=1,x'=1\")",
                     defect);
}

static darc_status run_init(run *r, darc_err *err)
{
    darc_plant *p = r->plant;
    r->jump = darc_signals_next_jump(&p->signals, 0);
    p->signals.until = r->jump;
    darc_signals_forget(&p->signals);
    if (p->layout.n == 0)
        return DARC_OK;
    DARC_NEED(darc_integrator_new(&r->integrator, &p->system, r->method,
                                  r->rtol, r->atol, err));
    DARC_NEED(darc_integrator_start(r->integrator, 0, r->start, r->guess,
                                    1 / r->rate, err));
    return check_start(r, err);
}

/* Go to the jump and begin again behind it. */
static darc_status pass_jump(run *r, darc_err *err)
{
    darc_signals *s = &r->plant->signals;
    darc_integrator *g = r->integrator;
    double t = r->jump;
    if (g != NULL)
        DARC_NEED(darc_integrator_advance(g, t, t, r->budget, err));
    r->jump = darc_signals_next_jump(s, t);
    s->until = r->jump;
    darc_signals_forget(s);
    return g == NULL ? DARC_OK
                     : darc_integrator_start(g, t, darc_integrator_y(g),
                                             darc_integrator_dy(g),
                                             t + 1 / r->rate, err);
}

/* Set *y to the state at sample i; samples are asked for in order. */
static darc_status run_step(run *r, size_t i, const double **y, darc_err *err)
{
    static const double no_state = 0;
    double t = (double)i / r->rate;
    while (r->jump <= t)
        DARC_NEED(pass_jump(r, err));
    *y = &no_state;
    if (r->integrator == NULL)
        return darc_budget_check(r->budget, err);
    if (i > 0)
        DARC_NEED(
            darc_integrator_advance(r->integrator, t, r->jump, r->budget, err));
    *y = darc_integrator_y(r->integrator);
    return DARC_OK;
}

static darc_status run_all(run *r, const char *stage, visit_fn visit,
                           void *user, darc_err *err)
{
    darc_status status;
    DARC_TRY(run_init(r, err));
    for (size_t i = 0; i < r->samples; i++) {
        const double *y;
        DARC_TRY(run_step(r, i, &y, err));
        DARC_TRY(visit(user, i, (double)i / r->rate, y, err));
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

/* ---- the run that finds sizes ------------------------------------------ */

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

/* Set atol[j] to rtol times the RMS of state j, and the method. */
static darc_status find_sizes(run *r, darc_err *err)
{
    run pilot = *r;
    size_t n = (size_t)r->plant->layout.n;
    sizes s = {.plant = r->plant, .every = r->samples / DARC_JACOBIANS + 1};
    s.square = darc_calloc(n, sizeof *s.square);
    s.work = darc_calloc(3 * n, sizeof *s.work);
    pilot.method = DARC_BDF;
    pilot.rtol = DARC_PILOT_RTOL;
    for (size_t j = 0; j < n; j++)
        pilot.atol[j] = DARC_PILOT_ATOL;
    darc_status status = run_all(&pilot, "looking ahead", visit_sizes, &s, err);
    for (size_t j = 0; j < n; j++) {
        double rms = sqrt(s.square[j] / (double)r->samples);
        r->atol[j] = rms > 0 ? r->rtol * rms : DARC_PILOT_ATOL;
    }
    double t_end = (double)r->samples / r->rate;
    r->method = s.norm * t_end > DARC_ADAMS_STEPS ? DARC_BDF : DARC_ADAMS;
    darc_free(s.square);
    darc_free(s.work);
    return status;
}

/* ---- the recording ------------------------------------------------------ */

typedef struct {
    darc_plant *plant;
    darc_table *table;
    double *out; /* one value an output */
    const darc_adjoined_source *source;
} recorder;

static darc_status visit_record(void *user, size_t i, double t, const double *y,
                                darc_err *err)
{
    recorder *r = user;
    darc_plant *p = r->plant;
    DARC_NEED(darc_plant_outputs(p, t, y, r->out, err));
    darc_signals_set(&p->signals, t);
    DARC_NEED(darc_adjoined_check(p, t, y, r->source, err));
    int column = 0;
    for (int u = 0; u < p->names->count; u++)
        if (p->signals.wave[u] != NULL)
            r->table->signal[column++].value[i] = p->signals.value[u][0];
    for (int j = 0; j < p->outputs; j++)
        r->table->signal[column++].value[i] = r->out[j] + 0.0; /* no -0 */
    return DARC_OK;
}

static void add_columns(darc_table *table, const darc_model *model,
                        darc_kind kind)
{
    const darc_names_struct *names = darc_model_names(model);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == kind && darc_derived_find(model, u) < 0)
            table->signal[table->signals++] = (darc_signal){
                .name = darc_strdup(names->symbol[u].name),
                .unit = darc_strdup(darc_model_unit(model, u)),
                .value = darc_calloc(table->samples, sizeof(double))};
}

static darc_table *new_table(const darc_model *model, size_t samples, double dt)
{
    darc_table *table = darc_calloc(1, sizeof *table);
    table->file = darc_strdup("simulation");
    table->samples = table->rows = samples;
    table->dt = dt;
    table->signal = darc_calloc((size_t)darc_model_names(model)->count,
                                sizeof *table->signal);
    add_columns(table, model, DARC_INPUT);
    add_columns(table, model, DARC_OUTPUT);
    darc_table_add_segment(table, 0, samples);
    return table;
}

/* Add noise * RMS times a normal number to every sample of output j; every
 * output has a stream of its own. */
static void add_noise(darc_table *table, int outputs, double noise,
                      uint64_t seed)
{
    for (int j = 0; j < outputs && noise > 0; j++) {
        double *x = table->signal[table->signals - outputs + j].value, sum = 0;
        for (size_t i = 0; i < table->samples; i++)
            sum += x[i] * x[i];
        double sd = noise * sqrt(sum / (double)table->samples);
        darc_random r;
        darc_random_init(&r, seed, UINT64_C(1000000) + (uint64_t)j);
        for (size_t i = 0; i < table->samples; i++)
            x[i] += sd * darc_random_normal(&r);
    }
}

/* Fill the table of rec. */
static darc_status record(recorder *rec, run *r, darc_err *err)
{
    darc_status status;
    size_t n = (size_t)r->plant->layout.n;
    r->atol = darc_calloc(n, sizeof *r->atol);
    rec->out = darc_calloc((size_t)r->plant->outputs, sizeof *rec->out);
    if (n > 0)
        DARC_TRY(find_sizes(r, err));
    status = run_all(r, "simulating", visit_record, rec, err);
done:
    darc_free(r->atol);
    darc_free(rec->out);
    return status;
}

/* ---- all of it ---------------------------------------------------------- */

static darc_status check_sampling(size_t *samples,
                                  const darc_simulate_options *o, darc_err *err)
{
    assert(o->t_end > 0 && o->rate > 0 && o->noise >= 0);
    double n = darc_setup_samples(o);
    if (n > DARC_MAX_SAMPLES)
        return darc_fail(err, DARC_LIMIT,
                         "%.0f samples are more than the limit of %ld", n,
                         (long)DARC_MAX_SAMPLES);
    *samples = (size_t)n;
    return DARC_OK;
}

darc_status darc_simulate(darc_table **table, const darc_model *model,
                          const darc_simulate_options *o,
                          const darc_budget *budget, darc_err *err)
{
    *table = NULL;
    run r = {.rate = o->rate, .rtol = o->rtol, .budget = budget};
    DARC_NEED(check_sampling(&r.samples, o, err));
    darc_status status;
    darc_plant plant;
    size_t names = (size_t)darc_model_names(model)->count;
    double *value = darc_calloc(names, sizeof *value), *y = NULL;
    bool made = false;
    DARC_TRY(darc_setup_parameters(value, model, &o->param, err));
    DARC_TRY(darc_plant_init(&plant, model, value, err));
    made = true;
    DARC_TRY(darc_setup_inputs(&plant, model, o, err));
    size_t n = (size_t)plant.layout.n;
    y = darc_calloc(2 * n, sizeof *y);
    DARC_TRY(darc_setup_states(y, y + n, &plant, &o->init, err));
    darc_adjoined_source source = {model, value, &o->init};
    DARC_TRY(darc_adjoined_states(y, &plant, &source, err));
    darc_adjoined_keep(&source, &plant);
    r.plant = &plant;
    r.start = y;
    r.guess = y + n;
    *table = new_table(model, r.samples, 1 / r.rate);
    recorder rec = {.plant = &plant, .table = *table, .source = &source};
    DARC_TRY(record(&rec, &r, err));
    add_noise(*table, plant.outputs, o->noise, o->seed);
done:
    if (status != DARC_OK) {
        darc_table_free(*table);
        *table = NULL;
    }
    if (made)
        darc_plant_clear(&plant);
    darc_free(value);
    darc_free(y);
    return status;
}
