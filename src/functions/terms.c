#include "functions/terms.h"

#include "base/mem.h"

enum { TERMS_MOST = 64 }; /* of a product */

void darc_terms_clear(darc_terms *l)
{
    for (int i = 0; i < l->count; i++) {
        fmpq_clear(l->item[i].factor);
        darc_expr_free(l->item[i].of);
    }
    darc_free(l->item);
    *l = (darc_terms){0};
}

static void append_take(darc_terms *l, const fmpq_t factor, darc_expr *of)
{
    DARC_ROOM(l->item, l->count);
    darc_term *t = l->item + l->count++;
    t->of = of;
    fmpq_init(t->factor);
    fmpq_set(t->factor, factor);
}

static darc_expr *product_of(const darc_expr *a, const darc_expr *b)
{
    darc_expr *left = a == NULL ? NULL : darc_expr_copy(a);
    darc_expr *right = b == NULL ? NULL : darc_expr_copy(b);
    return left == NULL || right == NULL
               ? (left == NULL ? right : left)
               : darc_expr_join_take(DARC_EXPR_PRODUCT, left, right);
}

/* Append the terms of the product e, or itself where they are many. */
static void expand_product(darc_terms *l, const darc_expr *e, const fmpq_t by)
{
    darc_terms all = {0};
    bool few = true;
    append_take(&all, by, NULL);
    for (int i = 0; i < e->count && few; i++) {
        darc_terms part = {0}, next = {0};
        fmpq_t q;
        fmpq_init(q);
        fmpq_one(q);
        darc_terms_append(&part, e->child[i], q);
        few = all.count * part.count <= TERMS_MOST;
        for (int k = 0; k < all.count * part.count && few; k++) {
            const darc_term *a = all.item + k / part.count;
            const darc_term *b = part.item + k % part.count;
            fmpq_mul(q, a->factor, b->factor);
            append_take(&next, q, product_of(a->of, b->of));
        }
        fmpq_clear(q);
        DARC_EACH(darc_terms_clear, &part, &all);
        all = next;
    }
    if (!few)
        append_take(l, by, darc_expr_copy(e));
    for (int k = 0; k < all.count; k++)
        append_take(l, all.item[k].factor, product_of(all.item[k].of, NULL));
    darc_terms_clear(&all);
}

/* Append the terms of by*log(e). */
static void expand_log(darc_terms *l, const darc_expr *e, const fmpq_t by)
{
    fmpq_t q;
    fmpq_init(q);
    bool power = e->kind == DARC_EXPR_POWER &&
                 darc_expr_rational(q, e->child[1], "", NULL) == DARC_OK;
    if (e->kind == DARC_EXPR_INVERT)
        fmpq_set_si(q, -1, 1);
    if (power || e->kind == DARC_EXPR_INVERT) {
        fmpq_mul(q, q, by);
        expand_log(l, e->child[0], q);
    } else if (e->kind == DARC_EXPR_PRODUCT) {
        for (int i = 0; i < e->count; i++)
            expand_log(l, e->child[i], by);
    } else if (e->kind == DARC_EXPR_CALL && e->function == DARC_FUNCTION_EXP) {
        darc_terms_append(l, e->child[0], by);
    } else if (darc_expr_rational(q, e, "", NULL) != DARC_OK ||
               !fmpq_is_one(q)) {
        append_take(l, by,
                    darc_call_take(DARC_FUNCTION_LOG, darc_expr_copy(e)));
    }
    fmpq_clear(q);
}

void darc_terms_append(darc_terms *l, const darc_expr *e, const fmpq_t by)
{
    fmpq_t q;
    fmpq_init(q);
    if (darc_expr_rational(q, e, "", NULL) == DARC_OK) {
        fmpq_mul(q, q, by);
        append_take(l, q, NULL);
    } else if (e->kind == DARC_EXPR_SUM || e->kind == DARC_EXPR_NEGATE) {
        fmpq_set(q, by);
        if (e->kind == DARC_EXPR_NEGATE)
            fmpq_neg(q, q);
        for (int i = 0; i < e->count; i++)
            darc_terms_append(l, e->child[i], q);
    } else if (e->kind == DARC_EXPR_PRODUCT) {
        expand_product(l, e, by);
    } else if (e->kind == DARC_EXPR_CALL && e->function == DARC_FUNCTION_LOG) {
        expand_log(l, e->child[0], by);
    } else {
        append_take(l, by, darc_expr_copy(e));
    }
    fmpq_clear(q);
}

darc_expr *darc_call_take(darc_function f, darc_expr *argument)
{
    darc_expr *call = darc_expr_new(DARC_EXPR_CALL, argument->place, NULL, 0);
    call->function = f;
    darc_expr_append_take(call, argument);
    return call;
}
