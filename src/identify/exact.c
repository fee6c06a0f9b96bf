#include "identify/sensitivity.h"

#include "base/mem.h"
#include "model/model.h"

/* A value and its gradient by the columns. */
typedef struct {
    ulong value;
    ulong *by; /* owned */
} dual;

typedef darc_exact_place place;

static dual dual_new(const place *p, ulong value)
{
    return (dual){value, darc_calloc((size_t)p->columns + 1, sizeof(ulong))};
}

/* a += b * factor, in the gradient. */
static void add_by(dual *a, const dual *b, ulong factor, const place *p)
{
    _nmod_vec_scalar_addmul_nmod(a->by, b->by, p->columns, factor, p->mod);
}

static bool raise_power(dual *a, slong n, const place *p)
{
    bool below = n < 0;
    ulong m = (ulong)(below ? -n : n), base = a->value;
    if (below && base == 0)
        return false;
    base = below ? nmod_inv(base, p->mod) : base;
    ulong slope = m == 0 ? 0 : nmod_pow_ui(base, below ? m + 1 : m - 1, p->mod);
    slope = nmod_mul(m, slope, p->mod);
    _nmod_vec_scalar_mul_nmod(a->by, a->by, p->columns,
                              below ? nmod_neg(slope, p->mod) : slope, p->mod);
    a->value = nmod_pow_ui(base, m, p->mod);
    return true;
}

static bool evaluate_dual(dual *a, const place *p, const darc_expr *e);

/* A sum or product of children. */
static bool combine_children(dual *a, const place *p, const darc_expr *e,
                             bool sum)
{
    bool known = true;
    a->value = sum ? 0 : 1;
    for (int i = 0; i < e->count && known; i++) {
        dual b = dual_new(p, 0);
        known = evaluate_dual(&b, p, e->child[i]);
        if (sum) {
            add_by(a, &b, 1, p);
            a->value = nmod_add(a->value, b.value, p->mod);
        } else {
            ulong old = a->value; /* (a*b)' = a'*b + a*b' */
            _nmod_vec_scalar_mul_nmod(a->by, a->by, p->columns, b.value,
                                      p->mod);
            add_by(a, &b, old, p);
            a->value = nmod_mul(old, b.value, p->mod);
        }
        darc_free(b.by);
    }
    return known;
}

static bool set_number(dual *a, const place *p, const fmpq_t q)
{
    ulong n = fmpz_get_nmod(fmpq_numref(q), p->mod);
    ulong d = fmpz_get_nmod(fmpq_denref(q), p->mod);
    a->value = d == 0 ? 0 : nmod_div(n, d, p->mod);
    return d != 0;
}

/* Set a, which is 0, to e; return false where that is not possible.  Inner
 * functions have been replaced by names. */
static bool evaluate_dual(dual *a, const place *p, const darc_expr *e)
{
    double n;
    switch (darc_expr_get_kind(e)) {
    case DARC_EXPR_NUMBER:
        return set_number(a, p, e->value);
    case DARC_EXPR_UNKNOWN:
        return e->unknown >= 0 &&
               p->unknown(&a->value, a->by, p->user, darc_expr_deriv(e));
    case DARC_EXPR_SUM:
    case DARC_EXPR_PRODUCT:
        return combine_children(a, p, e, e->kind == DARC_EXPR_SUM);
    case DARC_EXPR_NEGATE:
        if (!evaluate_dual(a, p, e->child[0]))
            return false;
        _nmod_vec_neg(a->by, a->by, p->columns, p->mod);
        a->value = nmod_neg(a->value, p->mod);
        return true;
    case DARC_EXPR_INVERT:
        return evaluate_dual(a, p, e->child[0]) && raise_power(a, -1, p);
    case DARC_EXPR_POWER:
        return darc_expr_is_constant(e->child[1], &n) &&
               n == (double)(slong)n && evaluate_dual(a, p, e->child[0]) &&
               raise_power(a, (slong)n, p);
    default:
        return false;
    }
}

/* Set *slope to f'(a) for w = f(a). */
static bool slope_of(ulong *slope, const darc_expr *call, ulong a, ulong w,
                     const place *p)
{
    ulong square = nmod_mul(w, w, p->mod);
    fmpq_t q;
    dual n = {0, NULL};
    bool known = a != 0;
    if (call->kind == DARC_EXPR_POWER) {
        fmpq_init(q);
        known = known &&
                darc_expr_rational(q, call->child[1], "", NULL) == DARC_OK &&
                set_number(&n, p, q);
        *slope = known ? nmod_mul(n.value, nmod_div(w, a, p->mod), p->mod) : 0;
        fmpq_clear(q);
        return known;
    }
    darc_function f = call->function;
    ulong under = f == DARC_FUNCTION_LOG ? a
                  : f == DARC_FUNCTION_ATAN
                      ? nmod_add(1, nmod_mul(a, a, p->mod), p->mod)
                      : 1;
    *slope = f == DARC_FUNCTION_EXP    ? w
             : f == DARC_FUNCTION_ABS  ? (a != 0 ? nmod_div(w, a, p->mod) : 0)
             : f == DARC_FUNCTION_TAN  ? nmod_add(1, square, p->mod)
             : f == DARC_FUNCTION_TANH ? nmod_sub(1, square, p->mod)
             : f == DARC_FUNCTION_INT  ? 0 /* at the first sample */
             : f == DARC_FUNCTION_LOG || f == DARC_FUNCTION_ATAN
                 ? (under != 0 ? nmod_inv(under, p->mod) : 0)
                 : 1 + w; /* sin and others: only that it changes counts */
    return under != 0;
}

bool darc_exact_row(ulong *by, ulong *slope, const darc_exact_place *p,
                    const darc_expr *call, ulong w)
{
    dual a = dual_new(p, 0);
    bool known = evaluate_dual(&a, p, call->child[0]) &&
                 slope_of(slope, call, a.value, w, p);
    if (known)
        _nmod_vec_set(by, a.by, p->columns);
    darc_free(a.by);
    return known;
}

/* ---- the columns of a variation ------------------------------------------ */

/* Return the column of the initial value of a state or parameter, else -1. */
static slong column_of(const darc_variation *v, darc_deriv d)
{
    for (slong c = 0; c < v->columns; c++) {
        darc_deriv e = v->s->jet->deriv[v->variable[c]];
        if (e.unknown == d.unknown && e.order == d.order)
            return c;
    }
    return -1;
}

/* What a derivative of an unknown is along the variation. */
static bool take_unknown(ulong *value, ulong *by, const void *user,
                         darc_deriv d)
{
    const darc_variation *v = user;
    const darc_solved_struct *s = v->s;
    nmod_t mod = v->pt->mod;
    slong j = 0, c = column_of(v, (darc_deriv){d.unknown, 0});
    ulong factorial = 1;
    for (int k = 2; k <= d.order; k++)
        factorial = nmod_mul(factorial, (ulong)k, mod);
    while (j < s->outputs && s->output[j] != d.unknown)
        j++;
    if (d.order >= v->pt->length || d.unknown < 0)
        return false;
    darc_kind kind = s->jet->names->symbol[d.unknown].kind;
    if (kind == DARC_PARAMETER)
        by[c] = 1;
    else if (c >= 0)
        _nmod_vec_set(by, v->phi + (d.order * s->states + c) * v->columns,
                      v->columns);
    else if (j < s->outputs)
        darc_variation_output(by, v, j, d.order);
    else if (kind != DARC_INPUT && kind != DARC_TIME)
        return false;
    _nmod_vec_scalar_mul_nmod(by, by, v->columns, factorial, mod);
    *value = darc_point_value(v->pt, d);
    return true;
}

/* Set the row of function i. */
static bool set_row(nmod_mat_t n, const place *p, const darc_model *model,
                    int i)
{
    const darc_variation *v = p->user;
    darc_deriv d = {darc_adjoined_unknown(model, i), 0};
    slong c = column_of(v, d);
    if (c < v->s->states && darc_adjoined_is_exact(model, i))
        return true;
    if (c < 0)
        return false;
    ulong slope, *row = nmod_mat_entry_ptr(n, c, 0);
    bool known = darc_exact_row(row, &slope, p, darc_adjoined_expr(model, i),
                                darc_point_value(v->pt, d));
    if (known)
        _nmod_vec_scalar_mul_nmod(row, row, p->columns, slope, p->mod);
    return known;
}

bool darc_exact_columns(nmod_mat_t c, const darc_variation *v,
                        const darc_model *model)
{
    const place p = {v->columns, v->pt->mod, take_unknown, v};
    nmod_mat_t n, next;
    bool known = true, settled = false;
    int functions = darc_adjoined_count(model);
    nmod_mat_init(n, v->columns, v->columns, p.mod.n);
    nmod_mat_init(next, v->columns, v->columns, p.mod.n);
    nmod_mat_one(n);
    for (int i = 0; i < functions && known; i++)
        known = set_row(n, &p, model, i);
    /* Functions inside functions: as often as they can be nested. */
    nmod_mat_set(c, n);
    for (int i = 0; i <= functions && known && !settled; i++) {
        nmod_mat_mul(next, n, c);
        settled = nmod_mat_equal(next, c);
        nmod_mat_swap(next, c);
    }
    DARC_EACH(nmod_mat_clear, n, next);
    return known && settled;
}
