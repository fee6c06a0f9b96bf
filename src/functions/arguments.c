#include "functions/arguments.h"

#include "functions/calls.h"
#include "functions/terms.h"

#include <string.h>

static void share(darc_calls *s, darc_expr **e);

static darc_expr *join(darc_expr_kind by, darc_expr *a, darc_expr *b)
{
    return a == NULL ? b : b == NULL ? a : darc_expr_join_take(by, a, b);
}

/* q*e, q != 0; e NULL: q */
static darc_expr *multiple_take(const fmpq_t q, darc_expr *e)
{
    fmpq_t size;
    fmpq_init(size);
    fmpq_abs(size, q);
    char *text = fmpq_get_str(NULL, 10, size);
    if (e == NULL || !fmpq_is_one(size))
        e = join(DARC_EXPR_PRODUCT, darc_expr_read(text, strlen(text)), e);
    if (fmpq_sgn(q) < 0)
        e = darc_expr_join_take(DARC_EXPR_NEGATE, e, NULL);
    flint_free(text);
    fmpq_clear(size);
    return e;
}

/* a^q, q != 0 */
static darc_expr *power_take(darc_expr *a, const fmpq_t q)
{
    fmpq_t size;
    fmpq_init(size);
    fmpq_abs(size, q);
    if (!fmpq_is_one(size))
        a = darc_expr_join_take(DARC_EXPR_POWER, a, multiple_take(size, NULL));
    if (fmpq_sgn(q) < 0)
        a = darc_expr_join_take(DARC_EXPR_INVERT, a, NULL);
    fmpq_clear(size);
    return a;
}

static bool is_log(const darc_expr *e)
{
    return e != NULL && darc_call_kind_of(e) == DARC_CALL_LOG;
}

/* Return the sum that row i of m is in the atoms, but for those of logarithms
 * without them; NULL: 0. */
static darc_expr *sum_of(const darc_call_family *f, const fmpq_mat_t m, slong i,
                         bool logs)
{
    darc_expr *sum = NULL;
    for (int j = 0; j < f->columns; j++) {
        const darc_expr *e = f->atom[f->column[j]];
        const fmpq *q = fmpq_mat_entry(m, i, j);
        if (!fmpq_is_zero(q) && (logs || !is_log(e)))
            sum = join(DARC_EXPR_SUM, sum,
                       multiple_take(q, e == NULL ? NULL : darc_expr_copy(e)));
    }
    return sum;
}

/* Return row i of the basis, as a member writes it where that is one. */
static darc_expr *argument_of(darc_calls *s, darc_call_kind k,
                              const darc_call_group *g, slong i)
{
    const darc_call_family *f = s->of + k;
    darc_expr *out = NULL;
    for (int m = 0; m < f->count && out == NULL; m++) {
        int j = 0;
        while (j < f->columns && fmpq_equal(fmpq_mat_entry(f->row, m, j),
                                            fmpq_mat_entry(g->basis, i, j)))
            j++;
        if (j == f->columns && !darc_call_is_half(f->item[m].call->function))
            out = darc_expr_copy(f->item[m].call->child[0]);
    }
    if (out == NULL)
        out = sum_of(f, g->basis, i, true);
    share(s, &out);
    return out;
}

/* exp(row i of the basis)^n, with exp(log(a)) = a */
static darc_expr *exponential(darc_calls *s, const darc_call_group *g, slong i,
                              slong n)
{
    const darc_call_family *f = s->of + DARC_CALL_EXP;
    darc_expr *out = NULL, *rest;
    fmpq_t q;
    fmpq_init(q);
    for (int j = 0; j < f->columns; j++) {
        const darc_expr *e = f->atom[f->column[j]];
        fmpq_mul_si(q, fmpq_mat_entry(g->basis, i, j), n);
        if (!is_log(e) || fmpq_is_zero(q))
            continue;
        darc_expr *a = darc_expr_copy(e->child[0]);
        share(s, &a);
        out = join(DARC_EXPR_PRODUCT, out, power_take(a, q));
    }
    rest = out == NULL ? argument_of(s, DARC_CALL_EXP, g, i)
                       : sum_of(f, g->basis, i, false);
    fmpq_set_si(q, n, 1);
    if (rest != NULL)
        out = join(DARC_EXPR_PRODUCT, out,
                   power_take(darc_call_take(DARC_FUNCTION_EXP, rest), q));
    fmpq_clear(q);
    return out;
}

/* sin or cos of n*a, n != 0 */
static darc_expr *turned(const darc_expr *a, slong n, bool sine)
{
    slong size = n < 0 ? -n : n;
    darc_expr *sum = NULL;
    fmpq_t q, p;
    DARC_EACH(fmpq_init, q, p);
    for (slong k = sine; k <= size; k += 2) {
        darc_expr *term = NULL;
        for (int i = 0; i < 2; i++) {
            darc_expr *f = darc_call_take(
                i ? DARC_FUNCTION_SIN : DARC_FUNCTION_COS, darc_expr_copy(a));
            fmpq_set_si(p, i ? k : size - k, 1);
            if (fmpq_is_zero(p))
                darc_expr_free(f);
            else
                term = join(DARC_EXPR_PRODUCT, term, power_take(f, p));
        }
        fmpz_bin_uiui(fmpq_numref(q), (ulong)size, (ulong)k);
        if ((k / 2 % 2 == 1) != (sine && n < 0))
            fmpq_neg(q, q);
        sum = join(DARC_EXPR_SUM, sum, multiple_take(q, term));
    }
    DARC_EACH(fmpq_clear, q, p);
    return sum;
}

/* sin or cos of what is `by` in the basis, from row i on; NULL: of 0. */
static darc_expr *rotated(darc_calls *s, const darc_call_group *g,
                          const fmpz *by, slong i, bool sine)
{
    slong n = fmpq_mat_nrows(g->basis);
    while (i < n && fmpz_is_zero(by + i))
        i++;
    if (i == n)
        return NULL;
    slong times = fmpz_get_si(by + i);
    darc_expr *a = argument_of(s, DARC_CALL_CIRCLE, g, i);
    darc_expr *out = turned(a, times, sine);
    darc_expr *c = rotated(s, g, by, i + 1, false);
    if (c != NULL) {
        darc_expr *up =
            darc_expr_join_take(DARC_EXPR_PRODUCT, turned(a, times, !sine),
                                rotated(s, g, by, i + 1, true));
        if (!sine)
            up = darc_expr_join_take(DARC_EXPR_NEGATE, up, NULL);
        out = darc_expr_join_take(
            DARC_EXPR_SUM, darc_expr_join_take(DARC_EXPR_PRODUCT, out, c), up);
    }
    darc_expr_free(a);
    return out;
}

/* By exp or cos of an argument, or twice it: A; sin: W. */
static const char *form_of(darc_function f)
{
    switch (f) {
    case DARC_FUNCTION_SINH:
        return "(A - 1/A)/2";
    case DARC_FUNCTION_COSH:
        return "(A + 1/A)/2";
    case DARC_FUNCTION_TANH:
        return "(A - 1)/(A + 1)";
    case DARC_FUNCTION_SIN:
        return "W";
    case DARC_FUNCTION_TAN:
        return "W/(1 + A)";
    default: /* EXP, COS */
        return "A";
    }
}

/* Return the function f of the member's argument, or of its negative, by the
 * basis of its group. */
static darc_expr *made_of(darc_calls *s, darc_call_kind k, const darc_call *m,
                          darc_function f, int sign)
{
    const darc_call_group *g = s->of[k].of + m->group;
    slong n = fmpq_mat_nrows(g->basis);
    fmpz *by = _fmpz_vec_init(n);
    darc_expr *a = NULL, *w = NULL;
    _fmpz_vec_scalar_mul_si(by, fmpz_mat_entry(g->by, m - s->of[k].item, 0), n,
                            sign);
    if (k == DARC_CALL_CIRCLE) {
        a = rotated(s, g, by, 0, false);
        w = rotated(s, g, by, 0, true);
    }
    for (slong i = 0; i < n && k == DARC_CALL_EXP; i++)
        if (!fmpz_is_zero(by + i))
            a = join(DARC_EXPR_PRODUCT, a,
                     exponential(s, g, i, fmpz_get_si(by + i)));
    _fmpz_vec_clear(by, n);
    if (a == NULL) { /* of 0 */
        a = darc_expr_integer(m->call->place, 1);
        w = darc_expr_integer(m->call->place, 0);
    }
    return darc_expr_formula_take(m->call->place, form_of(f), a, w);
}

/* Let a member's argument stand in the call, which is that or its negative. */
static void use_member(darc_expr **e, const darc_call *m, int sign)
{
    darc_function f = (*e)->function;
    darc_expr_free((*e)->child[0]);
    (*e)->child[0] = darc_expr_copy(m->call->child[0]);
    if (sign < 0 && !darc_call_is_even(f))
        *e = darc_expr_join_take(f == DARC_FUNCTION_EXP ? DARC_EXPR_INVERT
                                                        : DARC_EXPR_NEGATE,
                                 *e, NULL);
}

static void share(darc_calls *s, darc_expr **e)
{
    darc_call_kind k = darc_call_kind_of(*e);
    int sign = 0;
    const darc_call *m =
        k < DARC_CALL_KINDS ? darc_calls_find(&sign, s, *e, k) : NULL;
    if (m != NULL && m->group >= 0) {
        darc_expr *by =
            k == DARC_CALL_LOG
                ? sum_of(s->of + k, s->of[k].row, m - s->of[k].item, true)
                : made_of(s, k, m, (*e)->function, sign);
        if (by == NULL)
            by = darc_expr_integer((*e)->place, 0);
        darc_expr_free(*e);
        *e = by;
        return;
    }
    if (m != NULL)
        use_member(e, m, sign);
    for (int i = 0; i < (*e)->count; i++)
        share(s, &(*e)->child[i]);
}

bool darc_share_arguments(darc_syntax *syntax, const darc_arguments *about)
{
    darc_expr **side;
    darc_calls s = {.about = about};
    for (size_t i = 0; (side = darc_syntax_side(syntax, i)) != NULL; i++)
        darc_calls_list(&s, side);
    darc_calls_bind(&s);
    for (size_t i = 0; (side = darc_syntax_side(syntax, i)) != NULL; i++)
        share(&s, side);
    bool all = true;
    for (darc_call_kind k = 0; k < DARC_CALL_KINDS; k++)
        all = all && s.of[k].groups <= 2;
    darc_calls_clear(&s);
    return all;
}
