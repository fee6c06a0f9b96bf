#include "derive/derive.h"

#include "base/mem.h"
#include "derive/evaluate.h"
#include "derive/thresholds.h"

#include <math.h>
#include <stdio.h>

static void mark_expr(bool *needed, const darc_expr *e)
{
    if (darc_expr_get_kind(e) == DARC_EXPR_UNKNOWN)
        needed[darc_expr_deriv(e).unknown] = true;
    for (int i = 0; i < e->count; i++)
        mark_expr(needed, e->child[i]);
}

void darc_derive_mark(bool *needed, const darc_model *model)
{
    /* A derived signal depends on earlier ones only. */
    for (int u = darc_model_names(model)->count; u-- > 0;)
        if (needed[u] && darc_derived_expr(model, u) != NULL)
            mark_expr(needed, darc_derived_expr(model, u));
}

static bool calls(const darc_expr *e, darc_function f)
{
    return darc_expr_get_kind(e) == DARC_EXPR_CALL && e->function == f;
}

static bool is_estimated(const darc_model *model, const darc_expr *e)
{
    darc_expr_kind kind = darc_expr_get_kind(e);
    if (kind == DARC_EXPR_DERIVATIVE || calls(e, DARC_FUNCTION_INT))
        return true;
    if (kind == DARC_EXPR_UNKNOWN)
        return darc_expr_deriv(e).order > 0 ||
               darc_derive_is_estimated(model, darc_expr_deriv(e).unknown);
    for (int i = 0; i < e->count; i++)
        if (is_estimated(model, e->child[i]))
            return true;
    return false;
}

bool darc_derive_is_estimated(const darc_model *model, int u)
{
    const darc_expr *e = darc_derived_expr(model, u);
    return e != NULL && is_estimated(model, e);
}

/* Return whether e chooses by the sign of something. */
static bool has_switch(const darc_expr *e)
{
    bool has = calls(e, DARC_FUNCTION_SIGN) || calls(e, DARC_FUNCTION_IF);
    for (int i = 0; i < e->count && !has; i++)
        has = has_switch(e->child[i]);
    return has;
}

/* Return whether a later derived signal that is needed contains signal u. */
static bool is_used_later(const darc_model *model, int u, const bool *needed)
{
    int names = darc_model_names(model)->count;
    bool *used = darc_calloc((size_t)names, sizeof *used);
    for (int v = u + 1; v < names; v++)
        if (needed[v] && darc_derived_expr(model, v) != NULL)
            mark_expr(used, darc_derived_expr(model, v));
    bool found = used[u];
    darc_free(used);
    return found;
}

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

/* What windows say of the argument of a derivative. */
typedef struct {
    darc_formula_sums sums;
    double variance, count; /* of measured noise, where it is known */
} evidence;

static void look_at_segment(evidence *seen, const darc_column *col,
                            darc_segment at)
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
static darc_status choose_window(darc_column *col, darc_err *err)
{
    const darc_table *table = col->c->table;
    for (int all = 0; all < 2 && col->formula->best < 0; all++) {
        evidence seen = {.variance = 0};
        darc_noise shown;
        size_t count = window_count(table, all != 0);
        for (size_t k = 0; k < count; k++) {
            DARC_NEED(darc_budget_check(col->c->budget, err));
            look_at_segment(&seen, col, window(table, k, count));
        }
        double noise = seen.count > 0 ? sqrt(seen.variance / seen.count) : 0;
        darc_noisesums_estimate(&shown, &seen.sums.noise);
        if (has_own_error(col->arg) && shown.order > 0)
            noise = fmax(noise, shown.sd);
        darc_formula_choose(col->formula, &seen.sums, noise);
    }
    return DARC_OK;
}

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
        col->integral[i / DARC_INTEGRAL_STEP] = state;
        darc_integral_run(&state, value, NULL, &v, &variance, table);
        darc_strip_clear(&variance);
        darc_dual_clear(&x, col->arg);
        darc_table_done(table, i, end);
    }
done:
    darc_free(value);
    return status;
}

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

/* Return for how many samples in a row the sign of a measured signal is not
 * sure, in the mean over such samples.  What sticks has one friction all along,
 * any from -1 to 1, whatever signs the noise makes. */
static double rest_of(const darc_column *arg)
{
    const darc_table *t = arg->c->table;
    double all = 0, square = 0, run = 0;
    if (arg->kind != DARC_COLUMN_SIGNAL || /* or it is not as measured */
        darc_table_derivation(arg->c->table, arg->unknown) != NULL)
        return 1;
    const double *x = t->signal[arg->signal].value;
    double unsure = DARC_REST_DEVIATIONS * arg->c->origin[arg->seed[0]].sd;
    for (size_t i = 0; i < t->samples; i++) {
        bool near = fabs(x[i]) < unsure;
        run = near ? run + 1 : 0;
        all += near;
        square += near ? 2 * run - 1 : 0; /* adds up to squares of runs */
    }
    return all > 0 ? square / all : 1;
}

static void correlate(const darc_column *col, double samples)
{
    for (int k = 0; k < col->seeds; k++)
        col->c->origin[col->seed[k]].correlation = samples;
}

/* Find out what takes many samples: the noise of signals, the formulas of
 * derivatives, the states of integrals. */
static darc_status prepare(darc_column *col, darc_err *err)
{
    const darc_table *t = col->c->table;
    size_t longest = 1;
    for (int k = 0; k < col->args; k++)
        DARC_NEED(prepare(col->arg + k, err));
    darc_origin *origin = col->c->origin;
    switch (col->kind) {
    case DARC_COLUMN_SIGNAL:
        for (int k = 0; k < col->seeds; k++)
            if (origin[col->seed[k]].measured)
                origin[col->seed[k]].sd =
                    noise_of(col->c, origin[col->seed[k]].unknown);
        break;
    case DARC_COLUMN_DELAY:
    case DARC_COLUMN_MEAN:
        for (int m = 0; m < col->origins * col->taps; m++)
            if (col->moved[m] >= 0) {
                darc_origin *now = origin + col->moved[m];
                now->sd = origin[m / col->taps].sd;
                now->correlation = origin[m / col->taps].correlation;
            }
        break;
    case DARC_COLUMN_SIGN:
        correlate(col, fmax(correlation_of(col), rest_of(col->arg)));
        break;
    case DARC_COLUMN_SWITCH:
        correlate(col, correlation_of(col));
        break;
    case DARC_COLUMN_DERIVATIVE:
        DARC_NEED(choose_window(col, err));
        correlate(col, darc_formula_width(col->formula));
        break;
    case DARC_COLUMN_INTEGRAL:
        DARC_NEED(integrate(col, err));
        for (int s = 0; s < t->segments; s++)
            longest =
                FLINT_MAX(longest, t->segment[s].end - t->segment[s].begin);
        correlate(col, (double)longest);
        break;
    default:
        break;
    }
    return DARC_OK;
}

void darc_derive_delayed(double *out, const double *x, double late,
                         const darc_table *table)
{
    const darc_stretch whole = {(double *)x, {0, table->samples}};
    size_t *source = darc_malloc((table->samples + 1) * sizeof *source);
    darc_delay_values(out, source, &whole, late, table, whole.at);
    darc_free(source);
}

static darc_status derive_one(darc_column_context *c, int u, bool used_later,
                              const darc_derive_work *how, darc_err *err)
{
    const darc_expr *e = darc_derived_expr(c->model, u);
    c->name = darc_model_names(c->model)->symbol[u].name;
    c->switches = used_later || has_switch(e);
    darc_column col;
    darc_status status = darc_column_init(&col, e, c, err);
    DARC_THEN(prepare(&col, err));
    DARC_THEN(darc_append(&col, u, used_later, how, err));
    darc_column_clear(&col);
    darc_free(c->origin);
    c->origin = NULL;
    c->origins = 0;
    return status;
}

darc_status darc_derive_by(darc_table *table, double *error,
                           const darc_model *model, const bool *needed,
                           const darc_derive_work *how, darc_err *err)
{
    int names = darc_model_names(model)->count;
    darc_column_context c = {
        .table = table, .model = model, .budget = how->budget};
    darc_status status = DARC_OK;
    c.noise = darc_calloc((size_t)names, sizeof *c.noise);
    for (int u = 0; u < names; u++)
        c.noise[u] = how->noise == NULL ? NAN : how->noise[u];
    for (int u = 0; u < names && status == DARC_OK; u++)
        if (needed[u] && darc_derived_expr(model, u) != NULL)
            status =
                derive_one(&c, u, is_used_later(model, u, needed), how, err);
    for (int k = 0; k < table->derivations && status == DARC_OK; k++)
        if (error != NULL)
            error[table->derivation[k].unknown] = table->derivation[k].error;
    darc_free(c.noise);
    return status;
}

/* Return the one value of a signal in all recordings; NAN: it has others. */
static double one_value(const char *name, darc_table *const *table, int n)
{
    double value = NAN;
    for (int i = 0; i < n; i++) {
        int k = darc_table_find(table[i], name);
        if (k < 0 || table[i]->derivations > 0 ||
            !darc_table_stands_still(table[i], k) ||
            (i > 0 && table[i]->signal[k].value[0] != value))
            return NAN;
        value = table[i]->signal[k].value[0];
    }
    return value;
}

bool darc_still_find(double *value, const darc_model *model,
                     darc_table *const *table, int n)
{
    const darc_names_struct *names = darc_model_names(model);
    bool any = false;
    for (int u = 0; u < names->count; u++) {
        const darc_symbol *s = names->symbol + u;
        value[u] = s->kind == DARC_INPUT ? one_value(s->name, table, n) : NAN;
        any = any || !isnan(value[u]);
    }
    return any;
}

darc_model *darc_still_fix(const darc_model *model, const double *value)
{
    int n = darc_model_names(model)->count;
    char(*digits)[40] = darc_calloc((size_t)n, sizeof *digits);
    const char **text = darc_calloc((size_t)n, sizeof *text);
    darc_model *fixed = NULL;
    for (int u = 0; u < n; u++) {
        snprintf(digits[u], sizeof digits[u], "%.17g", value[u]);
        text[u] = isnan(value[u]) ? NULL : digits[u];
    }
    if (darc_model_fix(&fixed, model, text, NULL) != DARC_OK)
        fixed = NULL;
    DARC_FREE(digits, text);
    return fixed;
}
