#include "simulate/plant.h"

#include "base/mem.h"
#include "model/model_struct.h"
#include "simulate/thresholds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static darc_status no_value(const darc_model *model, int i, const char *hint,
                            darc_err *err)
{
    darc_text_t text = DARC_TEXT;
    darc_expr_print(text, darc_adjoined_expr(model, i));
    int u = darc_adjoined_unknown(model, i);
    darc_status status =
        darc_fail(err, DARC_MODEL, "'%s', which stands for %s, has no value%s",
                  darc_model_names(model)->symbol[u].name, text->s, hint);
    darc_text_clear(text);
    return status;
}

darc_status darc_adjoined_parameters(double *value, const darc_model *model,
                                     darc_err *err)
{
    darc_moment s = {.names = darc_model_names(model), .value = value};
    for (int i = 0; i < darc_adjoined_count(model); i++) {
        int u = darc_adjoined_unknown(model, i);
        if (s.names->symbol[u].kind != DARC_PARAMETER)
            continue;
        value[u] =
            darc_expr_eval(darc_adjoined_expr(model, i), darc_moment_value, &s);
        if (!isfinite(value[u]))
            return no_value(model, i, " for these parameters", err);
    }
    return DARC_OK;
}

/* Set *x to the value of the function that unknown *u, the i-th adjoined,
 * stands for; false where u is no state that the plant integrates from it.  An
 * integral is what it has become, 0 at the start. */
static bool state_value(int *u, double *x, darc_moment *s, int i,
                        const darc_adjoined_source *from)
{
    *u = darc_adjoined_unknown(from->model, i);
    if (s->names->symbol[*u].kind != DARC_STATE || s->layout->count[*u] == 0 ||
        darc_settings_find(from->init, s->names->symbol[*u].name) >= 0)
        return false;
    const darc_expr *e = darc_adjoined_expr(from->model, i);
    bool integral = darc_expr_get_kind(e) == DARC_EXPR_CALL &&
                    e->function == DARC_FUNCTION_INT;
    *x = integral ? s->y[s->layout->first[*u]]
                  : darc_expr_eval(e, darc_moment_value, s);
    return true;
}

darc_status darc_adjoined_states(double *y, darc_plant *plant,
                                 const darc_adjoined_source *from,
                                 darc_err *err)
{
    int u;
    double x;
    darc_signals_set(&plant->signals, 0);
    darc_moment s = {plant->names,    from->value, &plant->layout,
                     &plant->signals, y,           0};
    for (int i = 0; i < darc_adjoined_count(from->model); i++) {
        if (!state_value(&u, &x, &s, i, from))
            continue;
        if (!isfinite(x))
            return no_value(from->model, i,
                            " at the start; give other initial values or its "
                            "own by --init",
                            err);
        y[plant->layout.first[u]] = x;
    }
    return DARC_OK;
}

void darc_adjoined_keep(const darc_adjoined_source *source, darc_plant *plant)
{
    if (darc_adjoined_count(source->model) == 0 || plant->implicit)
        return;
    plant->exact = darc_calloc((size_t)plant->layout.n, sizeof(double));
    plant->kept = source;
}

/* Whether e has one value everywhere, without branches. */
static bool is_entire(const darc_expr *e)
{
    if (darc_expr_get_kind(e) != DARC_EXPR_CALL)
        return false;
    switch (e->function) {
    case DARC_FUNCTION_EXP:
    case DARC_FUNCTION_SIN:
    case DARC_FUNCTION_COS:
    case DARC_FUNCTION_TANH:
    case DARC_FUNCTION_ATAN:
    case DARC_FUNCTION_SINH:
    case DARC_FUNCTION_COSH:
        return true;
    default:
        return false;
    }
}

darc_status darc_adjoined_check(const darc_plant *plant, double t,
                                const double *y,
                                const darc_adjoined_source *from, darc_err *err)
{
    int u;
    double x;
    darc_moment s = {plant->names,    from->value, &plant->layout,
                     &plant->signals, y,           t};
    for (int i = 0; i < darc_adjoined_count(from->model); i++) {
        const darc_expr *e = darc_adjoined_expr(from->model, i);
        if (!state_value(&u, &x, &s, i, from) ||
            (plant->kept != NULL && isfinite(x) && is_entire(e)) ||
            fabs(x - y[plant->layout.first[u]]) <=
                DARC_MOST_DEVIATION * (1 + fabs(x))) /* not where x is nan */
            continue;
        darc_text_t text = DARC_TEXT;
        darc_expr_print(text, darc_adjoined_expr(from->model, i));
        darc_status status = darc_fail(
            err, DARC_DOMAIN,
            "the solution leaves the domain of %s before t = %g s: give other "
            "inputs, initial values or parameters, or an earlier end",
            text->s, t);
        darc_text_clear(text);
        return status;
    }
    return DARC_OK;
}

/* Set f[i] to num / den, the first and second half of e->out; return
 * non-zero where that is not finite. */
static int divide_rates(double *f, const darc_evaluator *e)
{
    int n = e->outputs / 2, bad = 0;
    for (int i = 0; i < n; i++) {
        f[i] = e->out[i] / e->out[n + i];
        bad |= !isfinite(f[i]);
    }
    return bad;
}

static void set_plant_signals(darc_plant *p, double t, const double *y)
{
    darc_signals_set(&p->signals, t);
    if (p->has_derived)
        darc_measured_set(&p->measured, t, y, &p->signals);
}

/* Return the states, with those that are functions of others as these make
 * them. */
static const double *exact(darc_plant *p, double t, const double *y)
{
    int u;
    double x;
    const darc_adjoined_source *from = p->kept;
    if (from == NULL)
        return y;
    memcpy(p->exact, y, (size_t)p->layout.n * sizeof *y);
    darc_moment s = {p->names,    from->value, &p->layout,
                     &p->signals, p->exact,    t};
    for (int i = 0; i < darc_adjoined_count(from->model); i++)
        if (state_value(&u, &x, &s, i, from) && isfinite(x))
            p->exact[p->layout.first[u]] = x;
    return p->exact;
}

static int slope(double t, const double *y, double *f, void *user)
{
    darc_plant *p = user;
    set_plant_signals(p, t, y);
    darc_evaluator_run(&p->equations, t, exact(p, t, y), NULL);
    int bad = divide_rates(f, &p->equations);
    for (int u = 0; u < p->names->count && p->has_derived && bad != 0; u++)
        if (isnan(p->signals.value[u][0])) {
            p->lost = p->names->symbol[u].name;
            p->lost_at = t;
        }
    return bad;
}

/* y'_i = y_(i+1) inside a chain of derivatives; the model's equations. */
static int residual(double t, const double *y, const double *dy, double *r,
                    void *user)
{
    darc_plant *p = user;
    darc_signals_set(&p->signals, t);
    darc_evaluator_run(&p->equations, t, y, dy);
    int k = 0, n = p->equations.outputs / 2;
    for (; k < n; k++) {
        r[k] = p->equations.out[k];
        if (!isfinite(r[k]))
            return 1;
    }
    for (int u = 0; u < p->names->count; u++)
        for (int i = 0; i + 1 < p->layout.count[u]; i++) {
            int at = p->layout.first[u] + i;
            r[k++] = dy[at] - y[at + 1];
        }
    assert(k == p->layout.n);
    return 0;
}

/* Give unknown u `count` places in the vector. */
static void place_unknown(darc_plant *p, int u, int count)
{
    p->layout.first[u] = p->layout.n;
    p->layout.count[u] = count;
    p->layout.n += count;
}

/* Of functions begin .. end - 1 of s: num, then den. */
static void init_functions(darc_evaluator *e, const darc_solved_t s, int begin,
                           int end, const darc_places *at)
{
    darc_dpolys_t both;
    darc_dpolys_init(both);
    for (int i = begin; i < end; i++)
        darc_dpolys_append(both, s->num->p + i, s->jet);
    for (int i = begin; i < end; i++)
        darc_dpolys_append(both, s->den->p + i, s->jet);
    darc_evaluator_init(e, both, false, s->jet, at);
    darc_dpolys_clear(both, s->jet);
}

static darc_status init_explicit(darc_plant *p, const darc_model *model,
                                 const darc_solved_t s, const darc_places *at,
                                 darc_err *err)
{
    darc_jet_init(p->jet, s->jet->names, s->jet->ranking, s->jet->bound);
    for (int i = 0; i < s->states; i++)
        if (s->state[i].order == 0)
            place_unknown(p, s->state[i].unknown, 1);
        else
            p->layout.n++, p->layout.count[s->state[i].unknown]++;
    init_functions(&p->equations, s, 0, s->states, at);
    init_functions(&p->results, s, s->states, s->states + s->outputs, at);
    p->system.slope = slope;
    p->has_derived = darc_derived_count(model) > 0;
    return p->has_derived ? darc_measured_init(&p->measured, model, s, at, err)
                          : DARC_OK;
}

static darc_status count_equations(const darc_plant *p, slong equations,
                                   darc_err *err)
{
    slong functions = 0;
    darc_text_t list = DARC_TEXT;
    for (int u = 0; u < p->names->count; u++)
        if (p->layout.count[u] > 0)
            darc_text_printf(list, "%s%s", functions++ > 0 ? ", " : "",
                             p->names->symbol[u].name);
    darc_status status = DARC_OK;
    if (functions != equations)
        status = darc_fail(err, DARC_DOMAIN,
                           "the model cannot be simulated: %ld equations for "
                           "%ld unknown functions (%s); what drives it has to "
                           "be an input",
                           (long)equations, (long)functions, list->s);
    darc_text_clear(list);
    return status;
}

/* Place u, u', ... below the highest order, or u itself where that is 0. */
static void place_implicit(darc_plant *p, const int *order)
{
    for (int u = 0; u < p->names->count; u++) {
        darc_kind kind = p->names->symbol[u].kind;
        if (kind == DARC_STATE || kind == DARC_OUTPUT)
            place_unknown(p, u, order[u] > 0 ? order[u] : 1);
    }
    p->differential = darc_calloc((size_t)p->layout.n, sizeof *p->differential);
    for (int u = 0; u < p->names->count; u++)
        for (int k = 0; k < p->layout.count[u]; k++)
            p->differential[p->layout.first[u] + k] = order[u] > 0;
}

static darc_status init_implicit(darc_plant *p, const darc_model *model,
                                 const darc_places *at, darc_err *err)
{
    darc_status status = DARC_OK;
    int n = p->names->count, *order = darc_calloc((size_t)n, sizeof *order);
    darc_ranking_t rk;
    darc_ranking_init(rk, n);
    darc_model_orders(model, order);
    darc_jet_init(p->jet, p->names, rk, order);
    darc_ranking_clear(rk);
    darc_dpolys_t eq, ineq;
    DARC_EACH(darc_dpolys_init, eq, ineq);
    p->implicit = true;
    place_implicit(p, order);
    for (int u = 0; u < n; u++)
        if (darc_derived_expr(model, u) != NULL)
            DARC_TRY(darc_fail(err, DARC_MODEL,
                               "derived signal '%s' cannot be simulated in a "
                               "model that is not in solved form",
                               p->names->symbol[u].name));
    DARC_TRY(darc_model_equations(eq, ineq, model, p->jet, err));
    DARC_TRY(count_equations(p, eq->count, err));
    darc_evaluator_init(&p->equations, eq, true, p->jet, at);
    p->system.residual = residual;
    p->system.differential = p->differential;
done:
    DARC_EACH_IN(darc_dpolys_clear, p->jet, eq, ineq);
    darc_free(order);
    return status;
}

darc_status darc_plant_init(darc_plant *p, const darc_model *model,
                            const double *value, darc_err *err)
{
    *p = (darc_plant){.names = darc_model_names(model)};
    size_t n = (size_t)p->names->count;
    darc_signals_init(&p->signals, p->names->count);
    DARC_CALLOC(n, p->layout.first, p->layout.count, p->output);
    for (int u = 0; u < p->names->count; u++)
        if (p->names->symbol[u].kind == DARC_OUTPUT)
            p->output[p->outputs++] = u;
    darc_places at = {value, &p->layout, &p->signals};
    darc_solved_t s;
    darc_status status = darc_solved_init_dynamic(s, model, NULL);
    if (status == DARC_OK) {
        status = init_explicit(p, model, s, &at, err);
        darc_solved_clear(s);
    } else {
        status = init_implicit(p, model, &at, err);
    }
    p->system.n = p->layout.n;
    p->system.user = p;
    if (status != DARC_OK) {
        darc_plant_clear(p);
        return status;
    }
    darc_evaluator_bind(&p->equations, p->jet, &p->signals);
    darc_evaluator_bind(&p->results, p->jet, &p->signals);
    if (p->measured.has_jet)
        darc_evaluator_bind(&p->measured.functions, p->measured.jet,
                            &p->signals);
    return DARC_OK;
}

void darc_plant_clear(darc_plant *p)
{
    DARC_EACH(darc_evaluator_clear, &p->equations, &p->results);
    darc_measured_clear(&p->measured);
    darc_signals_clear(&p->signals);
    DARC_FREE(p->layout.first, p->layout.count, p->output, p->differential,
              p->exact);
    darc_jet_clear(p->jet);
}

darc_status darc_plant_outputs(darc_plant *p, double t, const double *y,
                               double *out, darc_err *err)
{
    if (p->implicit) {
        for (int j = 0; j < p->outputs; j++)
            out[j] = y[p->layout.first[p->output[j]]];
        return DARC_OK;
    }
    set_plant_signals(p, t, y);
    darc_evaluator_run(&p->results, t, exact(p, t, y), NULL);
    if (divide_rates(out, &p->results) == 0)
        return DARC_OK;
    return darc_fail(err, DARC_DOMAIN,
                     "an output is not finite at t = %.9g s: a divisor is 0 "
                     "there",
                     t);
}

bool darc_is_dose(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    return d != NULL && d->dose;
}

/* Set gain to what the rates at (t, y) gain by so many times the doses. */
static int gain(darc_plant *p, double t, const double *y, double times,
                double *gain)
{
    int n = p->layout.n, bad;
    double *without = darc_calloc((size_t)n, sizeof *without);
    p->signals.known = false;
    bad = p->system.slope(t, y, without, p);
    darc_signals_dose(&p->signals, t, times);
    bad |= p->system.slope(t, y, gain, p);
    for (int i = 0; i < n; i++)
        gain[i] -= without[i];
    p->signals.known = false;
    darc_free(without);
    return bad;
}

darc_status darc_plant_dose(darc_plant *p, double t, double *y, darc_err *err)
{
    int n = p->layout.n, bad = 0;
    double before = nextafter(t, -HUGE_VAL), most = 0;
    if (darc_signals_next_dose(&p->signals, before) != t || n <= 0)
        return DARC_OK;
    if (p->implicit)
        return darc_fail(err, DARC_MODEL,
                         "doses need a model in solved form, x' = ...");
    double *once = darc_calloc(2 * (size_t)n, sizeof *once), *twice = once + n;
    bad = gain(p, t, y, 1, once);
    for (int i = 0; i < n; i++) {
        y[i] += once[i];
        most = fmax(most, fabs(once[i]));
    }
    memcpy(y, exact(p, t, y), (size_t)n * sizeof *y);
    bad |= gain(p, t, y, 2, twice);
    bool even = true;
    for (int i = 0; i < n; i++)
        even = even && fabs(twice[i] - 2 * once[i]) <=
                           DARC_DOSES_SLACK * (most + fabs(y[i]));
    darc_free(once);
    if (bad != 0)
        return darc_fail(err, DARC_DOMAIN,
                         "a derivative is not finite at the dose at t = %g s",
                         t);
    return even ? DARC_OK
                : darc_fail(err, DARC_MODEL,
                            "a dose is no amount that a state takes up (x += "
                            "D, x' = ... + D): what rates gain by it is not in "
                            "proportion, or depends on states");
}
