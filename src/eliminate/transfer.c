#include "eliminate/transfer.h"

#include "algebra/margin.h"
#include "algebra/minors.h"
#include "base/mem.h"
#include "eliminate/engine.h"
#include "eliminate/thresholds.h"
#include "stats/real.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A(s) x = B(s) u, x the outputs, then the states, u the inputs: one row an
 * equation, the columns of -B behind those of A. */
typedef struct {
    darc_transfer *r;
    const darc_model *model;
    int *place; /* of unknown u: its column, or its variable in ctx; owned */
    int unknowns;
    darc_polymat m;
    const darc_budget *budget;
} system_rows;

/* Give the unknowns of one kind their places, those of `like` where it has the
 * names; false: it has others. */
static bool place_kind(system_rows *w, darc_kind kind, const char **name,
                       int *count, const char *const *like, int wanted)
{
    const darc_names_struct *names = w->r->jet->names;
    for (int u = 0; u < names->count; u++) {
        if (names->symbol[u].kind != kind)
            continue;
        int at = like == NULL ? *count : 0;
        while (like != NULL && at < wanted &&
               strcmp(like[at], names->symbol[u].name) != 0)
            at++;
        if (like != NULL && at == wanted)
            return false;
        w->place[u] = at;
        name[at] = names->symbol[u].name;
        ++*count;
    }
    return like == NULL || *count == wanted;
}

static darc_status place_unknowns(system_rows *w, const darc_transfer *like,
                                  darc_err *err)
{
    darc_transfer *r = w->r;
    const darc_names_struct *names = r->jet->names;
    bool same =
        place_kind(w, DARC_OUTPUT, r->output, &r->outputs,
                   like != NULL ? like->output : NULL,
                   like != NULL ? like->outputs : 0) &&
        place_kind(w, DARC_INPUT, r->input, &r->inputs,
                   like != NULL ? like->input : NULL,
                   like != NULL ? like->inputs : 0) &&
        place_kind(w, DARC_PARAMETER, r->parameter, &r->parameters, NULL, 0);
    if (!same || r->inputs == 0 || r->outputs == 0)
        return darc_fail(err, DARC_USAGE,
                         same ? "%s: a frequency response needs an input and "
                                "an output"
                              : "%s: the target has other inputs or outputs; "
                                "both need the same",
                         darc_model_file(w->model));
    w->unknowns = r->outputs;
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_STATE)
            w->place[u] = w->unknowns++;
    for (int u = 0; u < names->count; u++)
        w->place[u] += names->symbol[u].kind == DARC_INPUT       ? w->unknowns
                       : names->symbol[u].kind == DARC_PARAMETER ? 1
                                                                 : 0;
    return DARC_OK;
}

/* Enter a term of equation i; false: it is not linear. */
static bool read_term(system_rows *w, slong i, const fmpz_t c, const ulong *exp)
{
    const darc_jet_struct *jet = w->r->jet;
    ulong *to = darc_calloc((size_t)w->r->parameters + 1, sizeof *to);
    int column = -1;
    bool linear = true;
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v];
        if (exp[v] == 0)
            continue;
        if (darc_jet_is_constant(jet, d.unknown)) {
            to[w->place[d.unknown]] = exp[v];
            continue;
        }
        linear &= column < 0 && exp[v] == 1 &&
                  jet->names->symbol[d.unknown].kind != DARC_TIME;
        column = w->place[d.unknown];
        to[0] = (ulong)d.order;
    }
    w->r->constants |= column < 0; /* it moves the state of rest alone */
    if (linear && column >= 0)
        fmpz_mpoly_push_term_fmpz_ui(darc_polymat_entry(&w->m, i, column), c,
                                     to, w->r->ctx);
    darc_free(to);
    return linear;
}

/* List what may not vanish, of those in parameters alone. */
static void list_conditions(system_rows *w, const darc_dpolys_t ineq)
{
    darc_transfer *r = w->r;
    slong *to = darc_calloc((size_t)r->jet->vars, sizeof *to);
    for (slong v = 0; v < r->jet->vars; v++) {
        int u = r->jet->deriv[v].unknown;
        to[v] = darc_jet_is_constant(r->jet, u) ? w->place[u] : -1;
    }
    for (slong i = 0; i < ineq->count; i++) {
        if (!darc_dpoly_is_constant(ineq->p + i, r->jet))
            continue;
        DARC_ROOM(r->f, r->functions + r->conditions);
        fmpz_mpoly_struct *f = r->f + r->functions + r->conditions++;
        fmpz_mpoly_init(f, r->ctx);
        fmpz_mpoly_compose_fmpz_mpoly_gen(f, ineq->p + i, to, r->jet->ctx,
                                          r->ctx);
    }
    darc_free(to);
}

static darc_status read_equations(system_rows *w, darc_err *err)
{
    const darc_transfer *r = w->r;
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_status status = darc_model_equations(eq, ineq, w->model, r->jet, err);
    ulong *exp = darc_calloc((size_t)r->jet->vars, sizeof *exp);
    bool linear =
        darc_derived_count(w->model) + darc_adjoined_count(w->model) == 0;
    darc_polymat_init(&w->m, eq->count, w->unknowns + r->inputs, r->ctx);
    for (slong i = 0; i < eq->count; i++)
        for (slong t = 0; t < eq->p[i].length && linear; t++) {
            fmpz_mpoly_get_term_exp_ui(exp, eq->p + i, t, r->jet->ctx);
            linear = read_term(w, i, eq->p[i].coeffs + t, exp);
        }
    for (slong i = 0; i < eq->count * (w->unknowns + r->inputs); i++) {
        fmpz_mpoly_sort_terms(w->m.entry + i, r->ctx);
        fmpz_mpoly_combine_like_terms(w->m.entry + i, r->ctx);
    }
    if (status == DARC_OK && !linear)
        status = darc_fail(err, DARC_DOMAIN,
                           "%s: a frequency response needs a model that is "
                           "linear with constant coefficients; ask without "
                           "--band, or of a model made linear",
                           darc_model_file(w->model));
    if (status == DARC_OK && (eq->count != w->unknowns || w->unknowns > 64))
        status =
            darc_fail(err, DARC_DOMAIN,
                      "%s: a frequency response needs as many equations as "
                      "states and outputs, 64 at most; there are %d and %d",
                      darc_model_file(w->model), (int)eq->count, w->unknowns);
    if (status == DARC_OK)
        list_conditions(w, ineq);
    darc_free(exp);
    DARC_EACH_IN(darc_dpolys_clear, r->jet, eq, ineq);
    return status;
}

static darc_status check(double product, slong length, void *user,
                         darc_err *err)
{
    (void)length;
    const system_rows *w = user;
    darc_budget_take(w->budget, product);
    return darc_budget_check(w->budget, err);
}

/* Set f to the determinant of A, column i replaced by column k. */
static darc_status determinant(fmpz_mpoly_t f, system_rows *w, int i, int k,
                               darc_err *err)
{
    darc_minor_polys ring = {w->r->ctx, check, w};
    darc_minors minors;
    darc_status status = DARC_OK;
    int n = w->unknowns;
    darc_minors_init_polys(&minors, &ring, n, DARC_TRANSFER_MINORS);
    for (int c = n - 1; c >= 0 && status == DARC_OK; c--)
        status = darc_minors_add(&minors,
                                 darc_polymat_entry(&w->m, 0, c == i ? k : c),
                                 n + w->r->inputs, err);
    const fmpz_mpoly_struct *all =
        status == DARC_OK ? darc_minors_get(&minors, ~(uint64_t)0 >> (64 - n))
                          : NULL;
    if (all != NULL)
        fmpz_mpoly_set(f, all, w->r->ctx);
    if (i >= 0)
        fmpz_mpoly_neg(f, f, w->r->ctx);
    darc_minors_clear(&minors);
    return status;
}

/* List the terms of all functions. */
static void list_terms(darc_transfer *r)
{
    int n = r->parameters;
    ulong *exp = darc_calloc((size_t)n + 1, sizeof *exp);
    int all = r->functions + r->conditions;
    for (int i = 0; i < all; i++)
        r->terms += (int)r->f[i].length;
    DARC_CALLOC((size_t)r->terms + 1, r->function, r->order);
    r->factor = darc_calloc((size_t)(r->terms * (n + 1)), sizeof *r->factor);
    r->power = r->factor + r->terms;
    for (int i = 0, t = 0; i < all; i++)
        for (slong k = 0; k < r->f[i].length; k++, t++) {
            fmpz_mpoly_get_term_exp_ui(exp, r->f + i, k, r->ctx);
            r->function[t] = i;
            r->order[t] = (int)exp[0];
            r->factor[t] = darc_real_integer(r->f[i].coeffs + k);
            r->degree = FLINT_MAX(r->degree, r->order[t]);
            for (int v = 0; v < n; v++)
                r->power[t * n + v] = (double)exp[1 + v];
        }
    r->coeff = darc_calloc((size_t)(all * (r->degree + 1)), sizeof *r->coeff);
    darc_free(exp);
}

static darc_status put_entries(system_rows *w, const darc_transfer *like,
                               darc_err *err)
{
    darc_transfer *r = w->r;
    DARC_NEED(place_unknowns(w, like, err));
    fmpz_mpoly_ctx_init(r->ctx, 1 + r->parameters, ORD_LEX);
    for (int i = 0; i <= r->outputs * r->inputs; i++) {
        DARC_ROOM(r->f, r->functions);
        fmpz_mpoly_init(r->f + r->functions++, r->ctx);
    }
    DARC_NEED(read_equations(w, err));
    DARC_NEED(determinant(r->f, w, -1, -1, err));
    for (int i = 1; i < r->functions; i++)
        DARC_NEED(determinant(r->f + i, w, (i - 1) / r->inputs,
                              w->unknowns + (i - 1) % r->inputs, err));
    if (fmpz_mpoly_is_zero(r->f, r->ctx))
        return darc_fail(err, DARC_DOMAIN,
                         "%s: the equations do not fix states and outputs, so "
                         "that there is no frequency response",
                         darc_model_file(w->model));
    list_terms(r);
    return DARC_OK;
}

darc_status darc_transfer_init(darc_transfer *r, const darc_model *model,
                               const darc_transfer *like,
                               const darc_budget *budget, darc_err *err)
{
    system_rows w = {.r = r, .model = model, .budget = budget};
    const darc_names_struct *names = darc_model_names(model);
    size_t n = (size_t)names->count + 1;
    int *order = darc_calloc(n, sizeof *order);
    darc_ranking_t rk;
    *r = (darc_transfer){.output = darc_calloc(n, sizeof *r->output),
                         .input = darc_calloc(n, sizeof *r->input),
                         .parameter = darc_calloc(n, sizeof *r->parameter)};
    darc_ranking_init(rk, names->count);
    darc_model_orders(model, order);
    darc_jet_init(r->jet, names, rk, order);
    darc_ranking_clear(rk);
    darc_free(order);
    w.place = darc_calloc(n, sizeof *w.place);
    darc_status status = put_entries(&w, like, err);
    darc_polymat_clear(&w.m, r->ctx);
    darc_free(w.place);
    if (status != DARC_OK)
        darc_transfer_clear(r);
    return status;
}

void darc_transfer_clear(darc_transfer *r)
{
    DARC_ALL_IN(fmpz_mpoly_clear, r->ctx, r->f, r->functions + r->conditions);
    if (r->functions > 0)
        fmpz_mpoly_ctx_clear(r->ctx);
    DARC_FREE(r->f, r->function, r->order, r->factor, r->coeff,
              (void *)r->output, (void *)r->input, (void *)r->parameter);
    darc_jet_clear(r->jet);
}

void darc_transfer_set(darc_transfer *r, const double *parameter)
{
    int n = r->parameters, width = r->degree + 1;
    memset(r->coeff, 0,
           (size_t)((r->functions + r->conditions) * width) * sizeof *r->coeff);
    for (int t = 0; t < r->terms; t++) {
        double value = r->factor[t];
        for (int v = 0; v < n; v++)
            value *= pow(parameter[v], r->power[t * n + v]);
        r->coeff[r->function[t] * width + r->order[t]] += value;
    }
}

double darc_transfer_at(const darc_transfer *r, double omega, double complex *h)
{
    double complex den = 1;
    double size = 0;
    for (int i = 0; i < r->functions; i++) {
        double complex sum = 0;
        for (int k = r->degree; k >= 0; k--) {
            double c = r->coeff[i * (r->degree + 1) + k];
            sum = sum * (I * omega) + c;
            size = i == 0 ? size * omega + fabs(c) : size;
        }
        if (i == 0)
            den = sum;
        else
            h[i - 1] = sum / den;
    }
    return cabs(den) / size;
}

/* ---- what is exact ------------------------------------------------------- */

/* Set c to the term at the parameters m * 2^e, times 2^-*shift; where c is
 * NULL, lower *shift to what that has as a factor. */
static void evaluate_term(fmpz_t c, slong *shift, const double *power, int n,
                          const fmpz *m, const int *e)
{
    slong twos = 0;
    fmpz_t p;
    fmpz_init(p);
    for (int v = 0; v < n; v++) {
        twos += (slong)power[v] * e[v];
        if (c == NULL)
            continue;
        fmpz_pow_ui(p, m + v, (ulong)power[v]);
        fmpz_mul(c, c, p);
    }
    if (c == NULL)
        *shift = FLINT_MIN(*shift, twos);
    else
        fmpz_mul_2exp(c, c, (ulong)(twos - *shift));
    fmpz_clear(p);
}

fmpz_poly_struct *darc_transfer_exact(const darc_transfer *r,
                                      const double *parameter)
{
    int n = r->parameters, all = r->functions + r->conditions;
    assert(n == 0 || parameter != NULL);
    fmpz_poly_struct *f = darc_calloc((size_t)all, sizeof *f);
    int *e = darc_calloc((size_t)n + 1, sizeof *e);
    fmpz *m = _fmpz_vec_init(n);
    slong shift = WORD_MAX;
    fmpz_t c, sum;
    DARC_EACH(fmpz_init, c, sum);
    for (int v = 0; v < n; v++) { /* of a double, all bits */
        double x = frexp(parameter[v], &e[v]);
        fmpz_set_si(m + v, (slong)ldexp(x, 53));
        e[v] -= 53;
    }
    for (int t = 0; t < r->terms; t++)
        evaluate_term(NULL, &shift, r->power + t * n, n, m, e);
    for (int i = 0, t = 0; i < all; i++) {
        fmpz_poly_init(f + i);
        for (slong k = 0; k < r->f[i].length; k++, t++) {
            fmpz_set(c, r->f[i].coeffs + k);
            evaluate_term(c, &shift, r->power + t * n, n, m, e);
            fmpz_poly_get_coeff_fmpz(sum, f + i, r->order[t]);
            fmpz_add(sum, sum, c);
            fmpz_poly_set_coeff_fmpz(f + i, r->order[t], sum);
        }
    }
    _fmpz_vec_clear(m, n);
    DARC_EACH(fmpz_clear, c, sum);
    darc_free(e);
    return f;
}

void darc_transfer_exact_free(fmpz_poly_struct *f, const darc_transfer *r)
{
    DARC_ALL(fmpz_poly_clear, f, r->functions + r->conditions);
    darc_free(f);
}

int darc_transfer_integrators(const darc_transfer *r, const double *value)
{
    fmpz_poly_struct *f = darc_transfer_exact(r, value);
    int zeros = darc_margin_integrators(f);
    for (int i = 0; i < r->conditions; i++)
        zeros = fmpz_poly_is_zero(f + r->functions + i) ? -1 : zeros;
    darc_transfer_exact_free(f, r);
    return zeros;
}

/* Set q to |g|^2 at i w, g the numerators, of function number `entry` of r, or
 * of all of its output where that is none. */
static void set_scale(fmpz_poly_t q, const fmpz_poly_struct *g,
                      const darc_transfer *r, int entry)
{
    int first = entry / r->inputs * r->inputs;
    bool none = fmpz_mpoly_is_zero(r->f + 1 + entry, r->ctx);
    fmpz_poly_t one;
    fmpz_poly_init(one);
    darc_margin_square(q, g + entry);
    for (int j = 0; j < r->inputs && none; j++) {
        darc_margin_square(one, g + first + j);
        fmpz_poly_add(q, q, one);
    }
    fmpz_poly_clear(one);
}

/* With H = N/D and G = M/E: N E - M D against D times the scale of M. */
bool darc_transfer_is_near(const darc_transfer *model, const double *value,
                           const darc_transfer *target, const double *goal,
                           int entry, const double within[3])
{
    fmpz_poly_struct *g = darc_transfer_exact(target, goal);
    fmpz_poly_t a, b, q;
    DARC_EACH(fmpz_poly_init, a, b, q);
    set_scale(q, g + 1, target, entry);
    if (model != NULL) {
        fmpz_poly_struct *f = darc_transfer_exact(model, value);
        darc_margin_square(a, f);
        fmpz_poly_mul(q, q, a);
        fmpz_poly_mul(a, f + 1 + entry, g);
        fmpz_poly_mul(b, g + 1 + entry, f);
        fmpz_poly_sub(a, a, b);
        darc_transfer_exact_free(f, model);
    }
    bool yes = darc_margin_holds(a, q, within[0], within + 1);
    DARC_EACH(fmpz_poly_clear, a, b, q);
    darc_transfer_exact_free(g, target);
    return yes;
}
