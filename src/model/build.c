#include "model/model_struct.h"

#include "algebra/fraction.h"
#include "base/limits.h"
#include "base/mem.h"

#include <assert.h>

typedef struct {
    darc_model *model;
    const darc_script *script;
    darc_err *what; /* of a failed step, without its place */
} builder;

/* Give the message of a failed step the place of e. */
static darc_status located(const builder *b, const darc_expr *e,
                           darc_status status)
{
    return status == DARC_OK ? DARC_OK
                             : darc_script_fail(b->script, e->place, status,
                                                "%s", b->what->message);
}

/* Append what must not vanish to the inequations: primitive, no numbers, no
 * duplicates. */
static void require_nonzero(const builder *b, const darc_dpoly_t p)
{
    darc_model *m = b->model;
    darc_dpoly_t q;
    darc_dpoly_init(q, m->jet);
    darc_dpoly_primitive(q, p, m->jet);
    if (!fmpz_mpoly_is_fmpz(q, m->jet->ctx) &&
        !darc_dpolys_contains(m->ineq, q, m->jet))
        darc_dpolys_append_take(m->ineq, q, m->jet);
    darc_dpoly_clear(q, m->jet);
}

static darc_status build_fraction(darc_fraction_t f, const darc_expr *e,
                                  const builder *b);

static darc_status build_children(darc_fraction_t f, const darc_expr *e,
                                  const builder *b)
{
    darc_status status;
    darc_jet_struct *jet = b->model->jet;
    darc_fraction_t g;
    darc_fraction_init(g, jet);
    DARC_TRY(build_fraction(f, e->child[0], b));
    for (int i = 1; i < e->count; i++) {
        DARC_TRY(build_fraction(g, e->child[i], b));
        status =
            (e->kind == DARC_EXPR_SUM ? darc_fraction_add
                                      : darc_fraction_mul)(f, g, jet, b->what);
        DARC_TRY(located(b, e, status));
    }
done:
    darc_fraction_clear(g, jet);
    return status;
}

static darc_status invert_fraction(darc_fraction_t f, const darc_expr *e,
                                   const builder *b)
{
    darc_jet_struct *jet = b->model->jet;
    if (fmpz_mpoly_is_zero(f->num, jet->ctx))
        return DARC_FAIL_MODEL(
            b, e,
            "division by zero: the divisor is 0 whatever the unknowns are");
    darc_fraction_shorten(f, jet);
    require_nonzero(b, f->num);
    fmpz_mpoly_swap(f->num, f->den, jet->ctx);
    return DARC_OK;
}

static darc_status integer_exponent(int *n, const darc_expr *e,
                                    const builder *b)
{
    fmpq_t q;
    fmpq_init(q);
    darc_status status = darc_expr_rational(q, e, "the exponent", b->script);
    fmpz limit = DARC_MAX_EXPONENT;
    if (status == DARC_OK && !fmpz_is_one(fmpq_denref(q)))
        status = DARC_FAIL_MODEL(b, e, "the exponent must be an integer here");
    else if (status == DARC_OK && fmpz_cmpabs(fmpq_numref(q), &limit) > 0)
        status = darc_script_fail(b->script, e->place, DARC_LIMIT,
                                  "the exponent lies outside -%d to %d",
                                  DARC_MAX_EXPONENT, DARC_MAX_EXPONENT);
    else if (status == DARC_OK)
        *n = (int)fmpz_get_si(fmpq_numref(q));
    fmpq_clear(q);
    return status;
}

static darc_status build_power(darc_fraction_t f, const darc_expr *e,
                               const builder *b)
{
    int n = 0;
    DARC_NEED(integer_exponent(&n, e->child[1], b));
    DARC_NEED(build_fraction(f, e->child[0], b));
    if (n < 0)
        DARC_NEED(invert_fraction(f, e->child[0], b));
    return located(
        b, e, darc_fraction_pow(f, n < 0 ? -n : n, b->model->jet, b->what));
}

/* Set f to the value of e in the model's jet; divisors become inequations. */
static darc_status build_fraction(darc_fraction_t f, const darc_expr *e,
                                  const builder *b)
{
    darc_jet_struct *jet = b->model->jet;
    switch (darc_expr_get_kind(e)) {
    case DARC_EXPR_NUMBER:
        fmpz_mpoly_set_fmpz(f->num, fmpq_numref(e->value), jet->ctx);
        fmpz_mpoly_set_fmpz(f->den, fmpq_denref(e->value), jet->ctx);
        return DARC_OK;
    case DARC_EXPR_UNKNOWN:
        darc_dpoly_set_deriv(f->num, darc_expr_deriv(e), jet);
        fmpz_mpoly_one(f->den, jet->ctx);
        return DARC_OK;
    case DARC_EXPR_NEGATE:
        DARC_NEED(build_fraction(f, e->child[0], b));
        fmpz_mpoly_neg(f->num, f->num, jet->ctx);
        return DARC_OK;
    case DARC_EXPR_INVERT:
        DARC_NEED(build_fraction(f, e->child[0], b));
        return invert_fraction(f, e->child[0], b);
    case DARC_EXPR_POWER:
        return build_power(f, e, b);
    case DARC_EXPR_DERIVATIVE:
        DARC_NEED(build_fraction(f, e->child[0], b));
        for (int k = 0; k < e->order; k++)
            DARC_NEED(located(b, e, darc_fraction_diff(f, jet, b->what)));
        return DARC_OK;
    default:
        assert(e->kind != DARC_EXPR_CALL); /* see rewrite.h */
        return build_children(f, e, b);
    }
}

/* Set f to left - right in lowest terms: the equation says f = 0. */
static darc_status build_difference(darc_fraction_t f, const darc_statement *s,
                                    const builder *b)
{
    darc_status status;
    darc_jet_struct *jet = b->model->jet;
    darc_fraction_t g;
    darc_fraction_init(g, jet);
    DARC_TRY(build_fraction(f, s->left, b));
    DARC_TRY(build_fraction(g, s->right, b));
    fmpz_mpoly_neg(g->num, g->num, jet->ctx);
    DARC_TRY(located(b, s->left, darc_fraction_add(f, g, jet, b->what)));
    darc_fraction_shorten(f, jet);
done:
    darc_fraction_clear(g, jet);
    return status;
}

static darc_status add_equation(darc_fraction_t f, const darc_statement *s,
                                const builder *b)
{
    darc_model *m = b->model;
    if (fmpz_mpoly_is_fmpz(f->num, m->jet->ctx)) {
        bool zero = fmpz_mpoly_is_zero(f->num, m->jet->ctx);
        return DARC_FAIL_MODEL(b, s, "the equation reads %s",
                               zero ? "0 = 0; it says nothing"
                                    : "1 = 0; it has no solution");
    }
    darc_dpoly_primitive(f->num, f->num, m->jet);
    darc_dpolys_append_take(m->eq, f->num, m->jet);
    return DARC_OK;
}

static darc_status add_assumption(darc_fraction_t f, const darc_statement *s,
                                  const builder *b)
{
    if (fmpz_mpoly_is_zero(f->num, b->model->jet->ctx))
        return DARC_FAIL_MODEL(b, s,
                               "the assumption reads 0 != 0; it never holds");
    require_nonzero(b, f->num);
    return DARC_OK;
}

static darc_status build_statements(const darc_statements *list, bool equations,
                                    const builder *b)
{
    darc_status status = DARC_OK;
    darc_fraction_t f;
    darc_fraction_init(f, b->model->jet);
    for (size_t i = 0; i < list->count; i++) {
        const darc_statement *s = list->statement + i;
        DARC_TRY(build_difference(f, s, b));
        DARC_TRY((equations ? add_equation : add_assumption)(f, s, b));
    }
done:
    darc_fraction_clear(f, b->model->jet);
    return status;
}

darc_status darc_build_equations(darc_model *model, const darc_script *script)
{
    darc_err what = {DARC_OK, ""};
    builder b = {model, script, &what};
    DARC_NEED(build_statements(&model->syntax.equations, true, &b));
    DARC_NEED(build_statements(&model->syntax.assumptions, false, &b));
    /* Parameters that occur are not 0 unless they may be. */
    int n = model->names->count;
    int *order = darc_calloc((size_t)n, sizeof *order);
    DARC_FILL(order, n, -1);
    darc_dpolys_orders(order, model->eq, model->jet);
    darc_dpolys_orders(order, model->ineq, model->jet);
    darc_dpoly_t p;
    darc_dpoly_init(p, model->jet);
    for (int u = 0; u < n; u++) {
        if (model->names->symbol[u].kind != DARC_PARAMETER ||
            darc_model_may_be_zero(model, u) || order[u] < 0)
            continue;
        darc_dpoly_set_deriv(p, (darc_deriv){u, 0}, model->jet);
        require_nonzero(&b, p);
    }
    darc_dpoly_clear(p, model->jet);
    darc_free(order);
    return DARC_OK;
}
