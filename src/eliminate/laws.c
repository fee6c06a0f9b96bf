#include "eliminate/engine.h"

#include "base/mem.h"
#include "model/model.h"
#include "syntax/expr.h"

#include <limits.h>

typedef struct {
    const darc_model *model;
    const darc_names_struct *names;
    nmod_t mod;
    darc_rng *rng;
    slong length;        /* of all series */
    nmod_poly_t *series; /* by unknown; owned */
    darc_beginning from; /* where functions start */
    bool good;           /* no base was found that is no square, no divisor 0 */
} bundle;

/* ---- which signals are bound --------------------------------------------- */

static bool is_smooth(const darc_expr *e)
{
    bool smooth =
        e->kind != DARC_EXPR_CALL ||
        (e->function < DARC_FUNCTION_ABS && e->function != DARC_FUNCTION_ASIN &&
         e->function != DARC_FUNCTION_ACOS) ||
        e->function == DARC_FUNCTION_INT;
    for (int i = 0; i < e->count && smooth; i++)
        smooth = is_smooth(e->child[i]);
    return smooth;
}

static bool is_rational(fmpq_t q, const darc_expr *e)
{
    return darc_expr_rational(q, e, "", NULL) == DARC_OK;
}

static bool powers_are_rational(const darc_expr *e)
{
    fmpq_t q;
    fmpq_init(q);
    bool all = e->kind != DARC_EXPR_POWER || is_rational(q, e->child[1]);
    fmpq_clear(q);
    for (int i = 0; i < e->count && all; i++)
        all = powers_are_rational(e->child[i]);
    return all;
}

static bool is_bound(const darc_expr *e)
{
    return is_smooth(e) && powers_are_rational(e);
}

bool darc_laws_bind(const darc_model *model)
{
    bool bound = false;
    for (int u = 0; u < darc_model_names(model)->count && !bound; u++) {
        const darc_expr *e = darc_derived_expr(model, u);
        bound = e != NULL && is_bound(e);
    }
    return bound;
}

/* What e, derived `order` times, reaches. */
static void reach_of(int *reach, const darc_model *model, const darc_expr *e,
                     int order)
{
    bool taken =
        e->kind == DARC_EXPR_DERIVATIVE || e->kind == DARC_EXPR_UNKNOWN;
    order += taken ? e->order : 0;
    for (int i = 0; i < e->count; i++)
        reach_of(reach, model, e->child[i], order);
    if (e->kind != DARC_EXPR_UNKNOWN || e->constant ||
        order <= reach[e->unknown])
        return;
    reach[e->unknown] = order;
    const darc_expr *of = darc_derived_expr(model, e->unknown);
    if (of != NULL && is_bound(of))
        reach_of(reach, model, of, order);
}

void darc_laws_reach(int *reach, const darc_model *model, const int *order)
{
    const darc_names_struct *names = darc_model_names(model);
    for (int u = 0; u < names->count; u++) {
        const darc_expr *e = darc_derived_expr(model, u);
        if (names->symbol[u].kind == DARC_TIME)
            reach[u] = INT_MAX;
        if (e == NULL || !is_bound(e) || order[u] < 0)
            continue;
        reach[u] = FLINT_MAX(reach[u], order[u]);
        reach_of(reach, model, e, order[u]);
    }
}

/* ---- series of expressions ----------------------------------------------- */

static ulong draw_value(bundle *b)
{
    return darc_rng_residue(b->rng, b->mod);
}

static void set_derivative(nmod_poly_t f, const nmod_poly_t a, int order)
{
    nmod_poly_set(f, a);
    for (int k = 0; k < order; k++)
        nmod_poly_derivative(f, f);
}

static ulong residue(bundle *b, const fmpq_t q)
{
    ulong n = fmpz_fdiv_ui(fmpq_numref(q), b->mod.n);
    ulong d = fmpz_fdiv_ui(fmpq_denref(q), b->mod.n);
    b->good = b->good && d != 0;
    return d == 0 ? 0 : nmod_mul(n, nmod_inv(d, b->mod), b->mod);
}

/* f = 1/f */
static void invert_bundle(nmod_poly_t f, bundle *b)
{
    ulong first = nmod_poly_get_coeff_ui(f, 0);
    b->good = b->good && first != 0;
    if (b->good)
        nmod_poly_inv_series(f, f, b->length);
}

/* f = log(f/f(0)), of which f(0) != 0. */
static void log_ratio(nmod_poly_t f, bundle *b)
{
    ulong first = nmod_poly_get_coeff_ui(f, 0);
    b->good = b->good && first != 0;
    if (!b->good)
        return;
    nmod_poly_scalar_mul_nmod(f, f, nmod_inv(first, b->mod));
    nmod_poly_log_series(f, f, b->length);
}

/* f = f^(n/d): the root that is a square itself. */
static void take_power(nmod_poly_t f, const fmpq_t power, bundle *b)
{
    ulong first = nmod_poly_get_coeff_ui(f, 0), order = (b->mod.n - 1) / 2;
    ulong root = fmpz_fdiv_ui(fmpq_denref(power), order);
    b->good = b->good && first != 0 && root != 0 &&
              n_jacobi_unsigned(first, b->mod.n) > 0 && n_gcd(root, order) == 1;
    if (!b->good)
        return;
    ulong e = n_mulmod2(n_invmod(root, order),
                        fmpz_fdiv_ui(fmpq_numref(power), order), order);
    log_ratio(f, b);
    nmod_poly_scalar_mul_nmod(f, f, residue(b, power));
    nmod_poly_exp_series(f, f, b->length);
    nmod_poly_scalar_mul_nmod(f, f, nmod_pow_ui(first, e, b->mod));
}

static void expand_expr(nmod_poly_t f, const darc_expr *e, bundle *b);

static void evaluate_power(nmod_poly_t f, const darc_expr *e, bundle *b)
{
    fmpq_t power;
    fmpq_init(power);
    bool known = is_rational(power, e->child[1]);
    expand_expr(f, e->child[0], b);
    b->good = b->good && known && fmpz_abs_fits_ui(fmpq_numref(power));
    if (!b->good) {
        nmod_poly_zero(f);
    } else if (!fmpz_is_one(fmpq_denref(power))) {
        take_power(f, power, b);
    } else {
        if (fmpz_sgn(fmpq_numref(power)) < 0)
            invert_bundle(f, b);
        fmpz_abs(fmpq_numref(power), fmpq_numref(power));
        nmod_poly_pow_trunc(f, f, fmpz_get_ui(fmpq_numref(power)), b->length);
    }
    fmpq_clear(power);
}

/* s = sin(a), c = cos(a), f = a. */
static void circular(nmod_poly_t s, nmod_poly_t c, const nmod_poly_t f,
                     const darc_expr *a, bundle *b)
{
    ulong c0, s0;
    darc_begin_circle(&c0, &s0, &b->from, a);
    nmod_poly_t x, sx, cx;
    DARC_EACH_IN(nmod_poly_init, b->mod.n, x, sx, cx);
    nmod_poly_set(x, f);
    nmod_poly_set_coeff_ui(x, 0, 0);
    nmod_poly_sin_series(sx, x, b->length);
    nmod_poly_cos_series(cx, x, b->length);
    nmod_poly_scalar_mul_nmod(s, cx, s0);
    nmod_poly_scalar_mul_nmod(x, sx, c0);
    nmod_poly_add(s, s, x);
    nmod_poly_scalar_mul_nmod(c, cx, c0);
    nmod_poly_scalar_mul_nmod(x, sx, s0);
    nmod_poly_sub(c, c, x);
    DARC_EACH(nmod_poly_clear, x, sx, cx);
}

/* f = above/below */
static void divide_bundles(nmod_poly_t f, const nmod_poly_t above,
                           nmod_poly_t below, bundle *b)
{
    invert_bundle(below, b);
    nmod_poly_mullow(f, above, below, b->length);
}

/* f = sin, cos or tan of f = a. */
static void set_circular(nmod_poly_t f, const darc_expr *call, bundle *b)
{
    nmod_poly_t s, c;
    DARC_EACH_IN(nmod_poly_init, b->mod.n, s, c);
    circular(s, c, f, call->child[0], b);
    if (call->function == DARC_FUNCTION_TAN)
        divide_bundles(f, s, c, b);
    else
        nmod_poly_set(f, call->function == DARC_FUNCTION_SIN ? s : c);
    DARC_EACH(nmod_poly_clear, s, c);
}

/* f = exp, sinh, cosh or tanh of f = a. */
static void set_exponential(nmod_poly_t f, const darc_expr *call, bundle *b)
{
    nmod_poly_t e, i, sum;
    DARC_EACH_IN(nmod_poly_init, b->mod.n, e, i, sum);
    /* g = exp(a), f = a */
    nmod_poly_set(e, f);
    nmod_poly_set_coeff_ui(e, 0, 0);
    nmod_poly_exp_series(e, e, b->length);
    nmod_poly_scalar_mul_nmod(e, e, darc_begin_exp(&b->from, call->child[0]));
    nmod_poly_set(i, e);
    if (call->function != DARC_FUNCTION_EXP)
        invert_bundle(i, b);
    nmod_poly_add(sum, e, i);
    if (call->function == DARC_FUNCTION_EXP)
        nmod_poly_set(f, e);
    else if (call->function == DARC_FUNCTION_COSH)
        nmod_poly_set(f, sum);
    else
        nmod_poly_sub(f, e, i);
    if (call->function == DARC_FUNCTION_TANH)
        divide_bundles(f, f, sum, b);
    else if (call->function != DARC_FUNCTION_EXP)
        nmod_poly_scalar_mul_nmod(f, f, nmod_inv(2, b->mod));
    DARC_EACH(nmod_poly_clear, e, i, sum);
}

/* f = atan(f), of e. */
static void set_atan(nmod_poly_t f, const darc_expr *e, bundle *b)
{
    nmod_poly_t slope, one;
    DARC_EACH_IN(nmod_poly_init, b->mod.n, slope, one);
    nmod_poly_derivative(slope, f);
    nmod_poly_mullow(f, f, f, b->length);
    nmod_poly_one(one);
    nmod_poly_add(f, f, one);
    divide_bundles(f, slope, f, b);
    nmod_poly_integral(f, f);
    nmod_poly_set_coeff_ui(f, 0, darc_begin_odd(&b->from, e));
    nmod_poly_truncate(f, b->length);
    DARC_EACH(nmod_poly_clear, slope, one);
}

static void evaluate_call(nmod_poly_t f, const darc_expr *e, bundle *b)
{
    fmpq_t half;
    expand_expr(f, e->child[0], b);
    switch (e->function) {
    case DARC_FUNCTION_SQRT:
        fmpq_init(half);
        fmpq_set_si(half, 1, 2);
        take_power(f, half, b);
        fmpq_clear(half);
        break;
    case DARC_FUNCTION_LOG:
        log_ratio(f, b);
        nmod_poly_set_coeff_ui(f, 0, darc_begin_log(&b->from, e->child[0]));
        break;
    case DARC_FUNCTION_SIN:
    case DARC_FUNCTION_COS:
    case DARC_FUNCTION_TAN:
        set_circular(f, e, b);
        break;
    case DARC_FUNCTION_ATAN:
        set_atan(f, e->child[0], b);
        break;
    case DARC_FUNCTION_INT:
        nmod_poly_integral(f, f);
        nmod_poly_set_coeff_ui(f, 0, darc_begin_odd(&b->from, e->child[0]));
        nmod_poly_truncate(f, b->length);
        break;
    default: /* EXP, SINH, COSH, TANH: is_smooth */
        set_exponential(f, e, b);
    }
}

/* f = e, which is_bound */
static void expand_expr(nmod_poly_t f, const darc_expr *e, bundle *b)
{
    if (!b->good)
        return;
    switch (e->kind) {
    case DARC_EXPR_NUMBER:
        nmod_poly_zero(f);
        nmod_poly_set_coeff_ui(f, 0, residue(b, e->value));
        break;
    case DARC_EXPR_UNKNOWN:
        nmod_poly_zero(f);
        if (e->constant)
            nmod_poly_set_coeff_ui(f, 0, residue(b, e->value));
        else
            set_derivative(f, b->series[e->unknown], e->order);
        break;
    case DARC_EXPR_SUM:
    case DARC_EXPR_PRODUCT:;
        nmod_poly_t a;
        nmod_poly_init(a, b->mod.n);
        expand_expr(f, e->child[0], b);
        for (int i = 1; i < e->count; i++) {
            expand_expr(a, e->child[i], b);
            if (e->kind == DARC_EXPR_SUM)
                nmod_poly_add(f, f, a);
            else
                nmod_poly_mullow(f, f, a, b->length);
        }
        nmod_poly_clear(a);
        break;
    case DARC_EXPR_NEGATE:
        expand_expr(f, e->child[0], b);
        nmod_poly_neg(f, f);
        break;
    case DARC_EXPR_INVERT:
        expand_expr(f, e->child[0], b);
        invert_bundle(f, b);
        break;
    case DARC_EXPR_POWER:
        evaluate_power(f, e, b);
        break;
    case DARC_EXPR_DERIVATIVE:
        expand_expr(f, e->child[0], b);
        set_derivative(f, f, e->order);
        break;
    case DARC_EXPR_CALL:
        evaluate_call(f, e, b);
        break;
    }
}

/* ---- a point ------------------------------------------------------------- */

/* Derivatives that e takes of signals, at most. */
static slong orders_in(const darc_expr *e)
{
    slong most = 0;
    for (int i = 0; i < e->count; i++) {
        slong k = orders_in(e->child[i]);
        most = k > most ? k : most;
    }
    bool takes =
        e->kind == DARC_EXPR_DERIVATIVE || e->kind == DARC_EXPR_UNKNOWN;
    return most + (takes ? e->order : 0);
}

static void expand_bundle(bundle *b)
{
    for (int u = 0; u < b->names->count; u++) {
        darc_kind kind = b->names->symbol[u].kind;
        if (kind != DARC_STATE && kind != DARC_PARAMETER) {
            nmod_poly_zero(b->series[u]);
            for (slong k = 0; k < b->length; k++)
                nmod_poly_set_coeff_ui(b->series[u], k, draw_value(b));
        }
        if (kind == DARC_TIME) {
            nmod_poly_truncate(b->series[u], 1);
            nmod_poly_set_coeff_ui(b->series[u], 1, 1);
        }
    }
    for (int u = 0; u < darc_model_names(b->model)->count; u++) {
        const darc_expr *e = darc_derived_expr(b->model, u);
        if (e != NULL && is_bound(e))
            expand_expr(b->series[u], e, b);
    }
}

bool darc_laws_values(ulong *value, const darc_model *model,
                      const darc_jet_t jet, nmod_t mod, darc_rng *rng)
{
    bundle b = {.model = model,
                .names = jet->names,
                .mod = mod,
                .rng = rng,
                .length = 1,
                .from = {mod, darc_rng_next(rng) | 1, true},
                .good = true};
    for (int u = 0; u < jet->names->count; u++)
        b.length = FLINT_MAX(b.length, jet->bound[u] + 1);
    for (int u = 0; u < darc_model_names(model)->count; u++) {
        const darc_expr *e = darc_derived_expr(model, u);
        b.length += e != NULL ? orders_in(e) : 0;
    }
    size_t n = (size_t)b.names->count;
    b.series = darc_calloc(n + 1, sizeof *b.series);
    DARC_ALL_OF_IN(nmod_poly_init, mod.n, b.series, n);
    expand_bundle(&b);
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v];
        ulong x = nmod_poly_get_coeff_ui(b.series[d.unknown], d.order);
        for (int k = 2; k <= d.order; k++)
            x = nmod_mul(x, (ulong)k, mod);
        value[v] = x;
    }
    DARC_ALL_OF(nmod_poly_clear, b.series, n);
    darc_free(b.series);
    return b.good && b.from.good;
}
