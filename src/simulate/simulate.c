#include "simulate/simulate.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/random.h"
#include "model/derived.h"
#include "simulate/adjoined.h"
#include "simulate/run.h"
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

/* Pass on why a run failed, or that a derived signal has no value. */
static darc_status explain(const darc_plant *p, const darc_err *why,
                           darc_err *err)
{
    if (p->lost != NULL && why->status == DARC_DOMAIN)
        return darc_fail(err, why->status,
                         "'%s' has no value at t = %.6g s: its argument lies "
                         "outside the table, or no real number comes of it",
                         p->lost, p->lost_at);
    return darc_fail(err, why->status, "%s", why->message);
}

/* Fill the table of rec. */
static darc_status record(recorder *rec, darc_run *r, darc_err *err)
{
    darc_status status;
    darc_err why;
    darc_err_init(&why);
    size_t n = (size_t)r->plant->layout.n;
    r->atol = darc_calloc(n, sizeof *r->atol);
    rec->out = darc_calloc((size_t)r->plant->outputs, sizeof *rec->out);
    if (n > 0)
        DARC_TRY(darc_run_sizes(r, &why));
    status = darc_run_all(r, "simulating", visit_record, rec, &why);
done:
    if (status != DARC_OK)
        status = explain(r->plant, &why, err);
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
    darc_run r = {.rate = o->rate, .rtol = o->rtol, .budget = budget};
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
