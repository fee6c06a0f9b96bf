#include "derive/prepare.h"

#include "base/mem.h"
#include "derive/evaluate.h"
#include "derive/thresholds.h"

#include <math.h>

/* ---- windows on a recording ----------------------------------------------
 */

enum { FEW = DARC_SPREAD_SAMPLES / DARC_SPREAD_WINDOW };

/* Return how many windows are looked at: those that cover all samples, or a
 * few that are spread over them. */
static size_t window_count(const darc_table *t, bool all)
{
    size_t most = (t->samples - 1) / DARC_SPREAD_WINDOW + 1;
    return all || most < FEW ? most : FEW;
}

static darc_segment window(const darc_table *t, size_t k, size_t count)
{
    size_t n = t->samples, begin = k * DARC_SPREAD_WINDOW;
    if (count * DARC_SPREAD_WINDOW < n)
        begin = k * ((n - DARC_SPREAD_WINDOW) / (count - 1));
    size_t left = n - begin;
    return (darc_segment){
        begin, left < DARC_SPREAD_WINDOW ? n : begin + DARC_SPREAD_WINDOW};
}

/* Return the sd of the noise of measured signal u: what is said of it, else
 * what its differences show. */
static double noise_of(const darc_column_context *c, int u)
{
    if (!isnan(c->noise[u]))
        return c->noise[u];
    darc_noisesums sums = {{0}, {0}};
    darc_noise noise;
    int column =
        darc_table_find(c->table, darc_model_names(c->model)->symbol[u].name);
    size_t count = window_count(c->table, false);
    for (size_t k = 0; k < count; k++) {
        darc_segment at = window(c->table, k, count);
        darc_noisesums_add(&sums, c->table, column, at.begin, at.end);
        darc_table_done(c->table, at.begin, at.end);
    }
    darc_noisesums_estimate(&noise, &sums);
    c->noise[u] = noise.order > 0 ? noise.sd : 0;
    return c->noise[u];
}

/* ---- derivatives ---------------------------------------------------------
 */

/* What windows say of the argument of a derivative. */
typedef struct {
    darc_formula_sums sums;
    double variance, count; /* of measured noise, where it is known */
} evidence;

static void look(evidence *seen, const darc_column *col, darc_segment at)
{
    const darc_pass pass = {.slopes = true};
    const darc_column *arg = col->arg;
    darc_dual x;
    darc_strip variance;
    darc_segment from = darc_formula_reach(col->formula, at, false);
    size_t n = from.end - from.begin;
    darc_evaluate(&x, arg, from, &pass);
    if (x.value.value == NULL)
        darc_strip_expand(&x.value, n);
    darc_stretch v = {x.value.value, from};
    darc_dual_variance(&variance, &x, arg, DARC_COUNTS | DARC_MEASURED, n);
    darc_formula_try(&seen->sums, col->formula, &v, at);
    for (size_t i = at.begin - from.begin; i < at.end - from.begin; i++) {
        double here = darc_strip_at(&variance, i);
        bool known = isfinite(v.x[i]) && isfinite(here);
        seen->variance += known ? here : 0;
        seen->count += known;
    }
    darc_strip_clear(&variance);
    darc_dual_clear(&x, arg);
    darc_table_done(col->c->table, from.begin, from.end);
}

static bool has_own_error(const darc_column *col)
{
    bool own = false, *has = darc_calloc((size_t)col->c->origins, sizeof *has);
    darc_column_mark(has, col);
    for (int o = 0; o < col->c->origins; o++)
        own = own || (has[o] && !col->c->origin[o].measured);
    darc_free(has);
    return own;
}

/* Choose from a few windows; where no formula fits into one, from all. */
static darc_status choose(darc_column *col, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_table *table = col->c->table;
    for (int all = 0; all < 2 && col->formula->best < 0; all++) {
        evidence seen = {.variance = 0};
        darc_noise shown;
        size_t count = window_count(table, all != 0);
        for (size_t k = 0; k < count; k++) {
            DARC_TRY(darc_budget_check(col->c->budget, err));
            look(&seen, col, window(table, k, count));
        }
        double noise = seen.count > 0 ? sqrt(seen.variance / seen.count) : 0;
        darc_noisesums_estimate(&shown, &seen.sums.noise);
        if (has_own_error(col->arg) && shown.order > 0)
            noise = fmax(noise, shown.sd);
        darc_formula_choose(col->formula, &seen.sums, noise);
    }
done:
    return status;
}

/* ---- integrals -----------------------------------------------------------
 */

static darc_status integrate(const darc_column *col, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_pass pass = {.slopes = true};
    const darc_table *table = col->c->table;
    darc_integral_state state = {.runs = false};
    double *value = darc_malloc(DARC_INTEGRAL_STEP * sizeof *value);
    for (size_t i = 0, end; i < table->samples; i = end) {
        DARC_TRY(darc_budget_check(col->c->budget, err));
        size_t left = table->samples - i;
        end =
            left < DARC_INTEGRAL_STEP ? table->samples : i + DARC_INTEGRAL_STEP;
        darc_dual x;
        darc_strip variance;
        darc_segment at = {i, end};
        darc_evaluate(&x, col->arg, at, &pass);
        darc_stretch v = {darc_strip_expand(&x.value, end - i), at};
        darc_dual_variance(&variance, &x, col->arg,
                           DARC_COUNTS | DARC_ALL | DARC_ALONG, end - i);
        col->integral->state[i / DARC_INTEGRAL_STEP] = state;
        darc_integral_run(&state, value, NULL, &v, &variance, table);
        darc_strip_clear(&variance);
        darc_dual_clear(&x, col->arg);
        darc_table_done(table, i, end);
    }
done:
    darc_free(value);
    return status;
}

static double longest_segment(const darc_table *table)
{
    size_t longest = 1;
    for (int s = 0; s < table->segments; s++) {
        size_t n = table->segment[s].end - table->segment[s].begin;
        longest = n > longest ? n : longest;
    }
    return (double)longest;
}

/* ---- origins -------------------------------------------------------------
 */

/* Return for how many samples an error of the arguments stays the same. */
static double correlation_of(const darc_column *col)
{
    double most = 1;
    bool *has = darc_calloc((size_t)col->c->origins, sizeof *has);
    for (int k = 0; k < col->args; k++)
        darc_column_mark(has, col->arg + k);
    for (int o = 0; o < col->c->origins; o++)
        if (has[o])
            most = fmax(most, col->c->origin[o].correlation);
    darc_free(has);
    return most;
}

static void correlate(const darc_column *col, double samples)
{
    for (int k = 0; k < col->seeds; k++)
        col->c->origin[col->seed[k]].correlation = samples;
}

static void set_noise(const darc_column *col)
{
    for (int k = 0; k < col->seeds; k++) {
        darc_origin *o = col->c->origin + col->seed[k];
        if (o->measured)
            o->sd = noise_of(col->c, o->unknown);
    }
}

static void move(const darc_column *delay)
{
    darc_origin *origin = delay->c->origin;
    for (int o = 0; o < delay->origins; o++)
        if (delay->moved[o] >= 0) {
            origin[delay->moved[o]].sd = origin[o].sd;
            origin[delay->moved[o]].correlation = origin[o].correlation;
        }
}

darc_status darc_prepare(darc_column *col, darc_err *err)
{
    darc_status status = DARC_OK;
    for (int k = 0; k < col->args; k++)
        DARC_TRY(darc_prepare(col->arg + k, err));
    switch (col->kind) {
    case DARC_COLUMN_SIGNAL:
        set_noise(col);
        break;
    case DARC_COLUMN_DELAY:
        move(col);
        break;
    case DARC_COLUMN_SIGN:
    case DARC_COLUMN_SWITCH:
        correlate(col, correlation_of(col));
        break;
    case DARC_COLUMN_DERIVATIVE:
        DARC_TRY(choose(col, err));
        correlate(col, darc_formula_width(col->formula));
        break;
    case DARC_COLUMN_INTEGRAL:
        DARC_TRY(integrate(col, err));
        correlate(col, longest_segment(col->c->table));
        break;
    default:
        break;
    }
done:
    return status;
}
