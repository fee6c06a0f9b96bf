#include "simulate/flow.h"

#include "base/mem.h"
#include "simulate/plant.h"
#include "simulate/thresholds.h"

#include <math.h>
#include <string.h>

/* Return the variable that stands at place v: states, then parameters. */
static slong variable_at(const darc_flow *w, int v)
{
    return darc_jet_var(w->jet, v < w->n
                                    ? w->state[v]
                                    : (darc_deriv){w->constant[v - w->n], 0});
}

/* Functions begin .. end - 1 of s and their derivatives. */
static void init_quotients(darc_quotients *q, darc_flow *w,
                           const darc_solved_t s, int begin, int end,
                           const darc_places *at)
{
    darc_dpolys_t all;
    darc_dpolys_init(all);
    q->count = end - begin;
    for (int half = 0; half < 2; half++)
        for (int i = begin; i < end; i++)
            darc_dpolys_append(all, (half == 0 ? s->num : s->den)->p + i,
                               s->jet);
    darc_evaluator_init(&q->plain, all, false, s->jet, at);
    size_t most = (size_t)(2 * q->count * (w->n + w->constants)) + 1;
    q->of = darc_calloc(2 * most, sizeof *q->of);
    q->by = q->of + most;
    darc_dpoly_t d;
    darc_dpoly_init(d, s->jet);
    for (int i = 0; i < 2 * q->count; i++)
        for (int v = 0; v < w->n + w->constants; v++) {
            slong variable = variable_at(w, v);
            if (variable < 0 ||
                darc_dpoly_degree(all->p + i, variable, s->jet) <= 0)
                continue;
            fmpz_mpoly_derivative(d, all->p + i, variable, s->jet->ctx);
            darc_dpolys_append(all, d, s->jet);
            q->of[q->partials] = i;
            q->by[q->partials++] = v;
        }
    darc_dpoly_clear(d, s->jet);
    darc_evaluator_init(&q->functions, all, false, s->jet, at);
    q->scratch = darc_calloc(
        (size_t)q->count * (size_t)(w->n + w->constants) + 1, sizeof(double));
    darc_dpolys_clear(all, s->jet);
}

static void init_terms(darc_flow *w, const darc_solved_t s,
                       const darc_places *at)
{
    darc_dpolys_t all;
    darc_dpolys_init(all);
    darc_dpoly_t m;
    darc_dpoly_init(m, s->jet);
    slong count = 0;
    for (int i = 0; i < w->n; i++)
        count += fmpz_mpoly_length(s->num->p + i, s->jet->ctx);
    w->term_of = darc_calloc((size_t)count + 1, sizeof *w->term_of);
    for (int i = 0; i < w->n; i++)
        for (slong k = 0; k < fmpz_mpoly_length(s->num->p + i, s->jet->ctx);
             k++) {
            fmpz_mpoly_get_term(m, s->num->p + i, k, s->jet->ctx);
            darc_dpolys_append(all, m, s->jet);
            w->term_of[w->monomials++] = i;
        }
    for (int i = 0; i < w->n; i++)
        darc_dpolys_append(all, s->den->p + i, s->jet);
    darc_evaluator_init(&w->terms, all, false, s->jet, at);
    darc_dpoly_clear(m, s->jet);
    darc_dpolys_clear(all, s->jet);
}

static void list_unknowns(darc_flow *w, const darc_solved_t s)
{
    size_t names = (size_t)w->names->count;
    w->n = s->states;
    DARC_CALLOC((size_t)w->n + 1, w->state, w->function);
    for (int i = 0; i < w->n; i++) {
        darc_deriv d = w->state[i] = s->state[i];
        w->function[i] =
            d.order == 0 ? darc_adjoined_find(w->model, d.unknown) : -1;
        w->functions = w->functions || w->function[i] >= 0;
        if (d.order == 0)
            w->layout.first[d.unknown] = i;
        w->layout.count[d.unknown]++;
        w->layout.n++;
    }
    w->outputs = s->outputs;
    w->output = darc_calloc(2 * (size_t)w->outputs + 1, sizeof *w->output);
    w->shows = w->output + w->outputs;
    memcpy(w->output, s->output, (size_t)w->outputs * sizeof *w->output);
    for (int j = 0; j < w->outputs; j++) {
        w->shows[j] = -1;
        for (int i = 0; i < w->n; i++)
            if (fmpz_mpoly_is_one(s->den->p + w->n + j, s->jet->ctx) &&
                fmpz_mpoly_is_gen(s->num->p + w->n + j,
                                  darc_jet_var(s->jet, w->state[i]),
                                  s->jet->ctx))
                w->shows[j] = i;
    }
    w->param = darc_calloc(2 * names, sizeof *w->param);
    w->constant = w->param + names;
    for (int u = 0; u < w->names->count; u++) {
        if (w->names->symbol[u].kind != DARC_PARAMETER)
            continue;
        w->constant[w->constants++] = u;
        if (darc_adjoined_find(w->model, u) < 0)
            w->param[w->params++] = u;
    }
}

/* Whether p is of parameters alone. */
static bool is_of_parameters(const darc_dpoly_t p, const darc_jet_t jet)
{
    bool only = true;
    for (slong v = 0; v < jet->vars && only; v++)
        only =
            jet->names->symbol[jet->deriv[v].unknown].kind == DARC_PARAMETER ||
            darc_dpoly_degree(p, v, jet) <= 0;
    return only;
}

/* Whether rates are linear in states and inputs, and free of time. */
static bool is_linear(const darc_solved_t s)
{
    const darc_jet_struct *jet = s->jet;
    darc_dpoly_t d;
    bool linear = true;
    darc_dpoly_init(d, jet);
    for (int i = 0; i < s->states && linear; i++)
        linear = is_of_parameters(s->den->p + i, jet);
    for (slong v = 0; v < jet->vars && linear; v++) {
        darc_kind kind = jet->names->symbol[jet->deriv[v].unknown].kind;
        for (int i = 0; i < s->states && linear; i++) {
            if (kind == DARC_PARAMETER ||
                darc_dpoly_degree(s->num->p + i, v, jet) <= 0)
                continue;
            fmpz_mpoly_derivative(d, s->num->p + i, v, jet->ctx);
            linear = kind != DARC_TIME && is_of_parameters(d, jet);
        }
    }
    darc_dpoly_clear(d, jet);
    return linear;
}

darc_status darc_flow_init(darc_flow *w, const darc_model *model, darc_err *err)
{
    *w = (darc_flow){.model = model, .names = darc_model_names(model)};
    size_t names = (size_t)w->names->count;
    darc_solved_t s;
    DARC_NEED(darc_solved_init_dynamic(s, model, err));
    darc_signals_init(&w->signals, w->names->count);
    w->layout.first = darc_calloc(2 * names, sizeof *w->layout.first);
    w->layout.count = w->layout.first + names;
    list_unknowns(w, s);
    w->value = darc_calloc(names, sizeof *w->value);
    DARC_CALLOC((size_t)w->constants * (size_t)w->params + 1, w->chain);
    darc_jet_init(w->jet, s->jet->names, s->jet->ranking, s->jet->bound);
    darc_places at = {w->value, &w->layout, &w->signals};
    init_quotients(&w->rates, w, s, 0, w->n, &at);
    init_quotients(&w->results, w, s, w->n, w->n + w->outputs, &at);
    init_terms(w, s, &at);
    w->linear = is_linear(s);
    for (int k = 0; k < 2; k++) {
        darc_quotients *q = k == 0 ? &w->rates : &w->results;
        darc_evaluator_bind(&q->plain, w->jet, &w->signals);
        darc_evaluator_bind(&q->functions, w->jet, &w->signals);
    }
    darc_evaluator_bind(&w->terms, w->jet, &w->signals);
    darc_solved_clear(s);
    return DARC_OK;
}

static void clear_quotients(darc_quotients *q)
{
    DARC_EACH(darc_evaluator_clear, &q->plain, &q->functions);
    DARC_FREE(q->of, q->scratch);
}

void darc_flow_clear(darc_flow *w)
{
    if (w->state == NULL)
        return;
    DARC_FILL(w->signals.wave, w->signals.unknowns, NULL); /* a recording's */
    darc_signals_clear(&w->signals);
    DARC_EACH(clear_quotients, &w->rates, &w->results);
    darc_evaluator_clear(&w->terms);
    darc_jet_clear(w->jet);
    DARC_FREE(w->layout.first, w->state, w->function, w->output, w->param,
              w->value, w->chain, w->term_of);
    *w = (darc_flow){.model = NULL};
}

/* Take the values of the constants into e. */
static void refresh(darc_evaluator *e, const darc_flow *w)
{
    for (int i = 0; i < e->inputs; i++) {
        int u = e->program->deriv[i].unknown;
        if (w->names->symbol[u].kind == DARC_PARAMETER)
            e->fixed[i] = w->value[u];
    }
}

static bool set_values(darc_flow *w, const double *theta)
{
    for (int k = 0; k < w->params; k++)
        w->value[w->param[k]] = theta[k];
    return w->constants == w->params ||
           darc_adjoined_parameters(w->value, w->model, NULL) == DARC_OK;
}

bool darc_flow_set(darc_flow *w, const double *theta)
{
    double *moved = darc_malloc((size_t)(w->params + 1) * sizeof *moved);
    bool good = true;
    memcpy(moved, theta, (size_t)w->params * sizeof *moved);
    for (int k = 0; k < w->params && good; k++)
        for (int side = 1; side >= -1; side -= 2) {
            double h = DARC_FUNCTION_STEP * fmax(fabs(theta[k]), 1e-6);
            moved[k] = theta[k] + side * h;
            good = good && (w->constants == w->params || set_values(w, moved));
            for (int c = 0; c < w->constants; c++) {
                double *to = w->chain + c * w->params + k;
                double value = w->value[w->constant[c]] * side / (2 * h);
                bool own = w->constant[c] == w->param[k];
                *to = w->constants == w->params ? own
                      : side > 0                ? value
                                                : *to + value;
            }
            moved[k] = theta[k];
        }
    good = good && set_values(w, theta);
    for (int k = 0; k < 2; k++) {
        refresh(k == 0 ? &w->rates.plain : &w->results.plain, w);
        refresh(k == 0 ? &w->rates.functions : &w->results.functions, w);
    }
    refresh(&w->terms, w);
    darc_free(moved);
    return good;
}

void darc_flow_drive(darc_flow *w, darc_wave **wave)
{
    memcpy(w->signals.wave, wave,
           (size_t)w->signals.unknowns * sizeof(darc_wave *));
    w->signals.known = false;
}

/* Set to[0] to the quotients at (t, y), and unless they are NULL to[1] and
 * to[2] to the derivatives by states and free parameters. */
static bool divide(darc_flow *w, darc_quotients *q, double t, const double *y,
                   double *const *to)
{
    double *f = to[0], *a = to[1], *b = to[2];
    darc_evaluator *e = a == NULL ? &q->plain : &q->functions;
    darc_signals_set(&w->signals, t);
    darc_evaluator_run(e, t, y, NULL);
    const double *out = e->out;
    int m = q->count, all = w->n + w->constants;
    bool finite = true;
    for (int i = 0; i < m; i++) {
        f[i] = out[i] / out[m + i];
        finite = finite && isfinite(f[i]);
    }
    if (a == NULL || !finite)
        return finite;
    memset(q->scratch, 0, (size_t)m * (size_t)all * sizeof(double));
    for (int k = 0; k < q->partials; k++) {
        int i = q->of[k] % m;
        double part = out[2 * m + k] / out[m + i];
        q->scratch[q->by[k] * m + i] += q->of[k] < m ? part : -f[i] * part;
    }
    memcpy(a, q->scratch, (size_t)m * (size_t)w->n * sizeof *a);
    memset(b, 0, (size_t)m * (size_t)w->params * sizeof *b);
    for (int c = 0; c < w->constants; c++)
        for (int k = 0; k < w->params; k++) {
            double by = w->chain[c * w->params + k];
            for (int i = 0; i < m && by != 0; i++)
                b[k * m + i] += by * q->scratch[(w->n + c) * m + i];
        }
    return finite;
}

bool darc_flow_rates(darc_flow *w, double t, const double *y, double *f,
                     double *a, double *b)
{
    return divide(w, &w->rates, t, y, (double *[]){f, a, b});
}

bool darc_flow_results(darc_flow *w, double t, const double *y, double *g,
                       double *c, double *d)
{
    int q = w->outputs;
    bool states = true;
    for (int j = 0; j < q; j++)
        states = states && w->shows[j] >= 0;
    for (int j = 0; j < q && states; j++)
        g[j] = y[w->shows[j]];
    if (c != NULL && states) {
        memset(c, 0, (size_t)(q * w->n) * sizeof *c);
        memset(d, 0, (size_t)(q * w->params) * sizeof *d);
        for (int j = 0; j < q; j++)
            c[w->shows[j] * q + j] = 1;
    }
    return states || divide(w, &w->results, t, y, (double *[]){g, c, d});
}

static double function_value(const darc_flow *w, darc_moment *p, int state)
{
    const darc_expr *e = darc_adjoined_expr(w->model, w->function[state]);
    bool integral = darc_expr_get_kind(e) == DARC_EXPR_CALL &&
                    e->function == DARC_FUNCTION_INT;
    return integral ? 0 : darc_expr_eval(e, darc_moment_value, p);
}

/* Return the derivative of the function by what *x is. */
static double function_slope(const darc_flow *w, darc_moment *p, int state,
                             double *x)
{
    double own = *x, h = DARC_FUNCTION_STEP * fmax(fabs(own), 1e-6);
    *x = own + h;
    double above = function_value(w, p, state);
    *x = own - h;
    double below = function_value(w, p, state);
    *x = own;
    return (above - below) / (2 * h);
}

/* As darc_flow_complete; the last `params` of the m columns are by these. */
static bool complete_all(darc_flow *w, double t, double *y, double *s, int m,
                         int params)
{
    darc_signals_set(&w->signals, t);
    bool good = true;
    darc_moment p = {w->names, w->value, &w->layout, &w->signals, y, t};
    for (int f = 0; f < darc_adjoined_count(w->model); f++)
        for (int i = 0; i < w->n; i++) {
            if (w->function[i] != f)
                continue;
            y[i] = function_value(w, &p, i);
            good = good && isfinite(y[i]);
            for (int c = 0; c < m; c++)
                s[c * w->n + i] = 0;
            for (int j = 0; j < w->n && m > 0; j++) {
                double by = j == i ? 0 : function_slope(w, &p, i, &y[j]);
                for (int c = 0; c < m && by != 0; c++)
                    s[c * w->n + i] += by * s[c * w->n + j];
            }
            for (int k = 0; k < w->constants && params > 0; k++) {
                double by = function_slope(w, &p, i, &w->value[w->constant[k]]);
                for (int c = 0; c < params && by != 0; c++)
                    s[(m - params + c) * w->n + i] +=
                        by * w->chain[k * w->params + c];
            }
        }
    return good;
}

bool darc_flow_complete(darc_flow *w, double t, double *y, double *s, int m)
{
    return complete_all(w, t, y, s, m, m > 0 ? w->params : 0);
}

bool darc_flow_lift(darc_flow *w, double t, const double *y, double *by, int m)
{
    if (!w->functions)
        return true;
    double *moved = darc_malloc((size_t)w->n * sizeof *moved);
    memcpy(moved, y, (size_t)w->n * sizeof *moved);
    bool good = complete_all(w, t, moved, by, m, 0);
    darc_free(moved);
    return good;
}

void darc_flow_sizes(darc_flow *w, double t, const double *y, double *size)
{
    darc_signals_set(&w->signals, t);
    darc_evaluator_run(&w->terms, t, y, NULL);
    const double *out = w->terms.out;
    DARC_FILL(size, w->n, 0);
    for (int k = 0; k < w->monomials; k++) {
        int i = w->term_of[k];
        size[i] = fmax(size[i], fabs(out[k] / out[w->monomials + i]));
    }
}
