#include "syntax/expr.h"

/* How tightly an expression binds; a looser one needs parentheses. */
enum { CHOICE, SUM, PRODUCT, FACTOR, POWER, ATOM };

static int binding(const darc_expr *e)
{
    switch (e->kind) {
    case DARC_EXPR_SUM:
        return SUM;
    case DARC_EXPR_PRODUCT:
    case DARC_EXPR_INVERT:
        return PRODUCT;
    case DARC_EXPR_NEGATE:
        return FACTOR;
    case DARC_EXPR_POWER:
        return POWER;
    case DARC_EXPR_CALL:
        return e->function == DARC_FUNCTION_IF ? CHOICE : ATOM;
    default:
        return ATOM;
    }
}

static void print_at(darc_text_t out, const darc_dialect *d, const darc_expr *e,
                     int tightness)
{
    bool parentheses = binding(e) < tightness;
    if (parentheses)
        darc_text_putc(out, '(');
    darc_expr_print_as(out, d, e);
    if (parentheses)
        darc_text_putc(out, ')');
}

static void print_divisor(darc_text_t out, const darc_dialect *d,
                          const darc_expr *e)
{
    if (e->kind == DARC_EXPR_NUMBER)
        d->number(out, e, true);
    else
        print_at(out, d, e, FACTOR);
}

static void print_product(darc_text_t out, const darc_dialect *d,
                          const darc_expr *e)
{
    for (int i = 0; i < e->count; i++) {
        const darc_expr *factor = e->child[i];
        if (i == 0) {
            print_at(out, d, factor, FACTOR);
        } else if (factor->kind == DARC_EXPR_INVERT) {
            darc_text_putc(out, '/');
            print_divisor(out, d, factor->child[0]);
        } else {
            darc_text_putc(out, '*');
            print_at(out, d, factor, FACTOR);
        }
    }
}

/* ---- darc's own language
 * -----------------------------------------------------
 */

static void print_primes(darc_text_t out, const darc_expr *e, void *user)
{
    (void)user;
    if (e->order > 3) {
        darc_text_printf(out, "der(%s,%d)", e->text, e->order);
        return;
    }
    darc_text_puts(out, e->text);
    for (int k = 0; k < e->order; k++)
        darc_text_putc(out, '\'');
}

static void print_number(darc_text_t out, const darc_expr *e, bool divides)
{
    (void)divides;
    darc_text_puts(out, e->text);
}

static const darc_dialect own = {
    "^",    print_primes, print_number, darc_function_name,
    "der(", ",",          false,        NULL};

void darc_quoted_print(darc_text_t out, const char *text)
{
    darc_text_putc(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            darc_text_putc(out, '\\');
        darc_text_putc(out, *text);
    }
    darc_text_putc(out, '"');
}

static void print_call(darc_text_t out, const darc_dialect *d,
                       const darc_expr *e)
{
    if (e->function == DARC_FUNCTION_IF) {
        darc_text_puts(out, "if ");
        print_at(out, d, e->child[0], SUM);
        darc_text_printf(out, " %s ", e->text);
        print_at(out, d, e->child[1], SUM);
        darc_text_puts(out, " then ");
        print_at(out, d, e->child[2], SUM);
        darc_text_puts(out, " else ");
        darc_expr_print_as(out, d, e->child[3]);
        return;
    }
    if (e->function == DARC_FUNCTION_TABLE && e->text == NULL) {
        /* A table whose points stand in the model. */
        darc_text_puts(out, "table(");
        darc_expr_print_as(out, d, e->child[0]);
        for (int i = 1; i < e->count; i++) {
            darc_text_puts(out, i == 1 ? "; " : i % 2 == 1 ? ", " : " ");
            darc_expr_print_as(out, d, e->child[i]);
        }
        darc_text_putc(out, ')');
        return;
    }
    darc_text_puts(out, d->function(e->function));
    for (int i = 0; i < e->count; i++) {
        darc_text_puts(out, i == 0 ? "(" : ", ");
        darc_expr_print_as(out, d, e->child[i]);
    }
    if (e->function == DARC_FUNCTION_TABLE) {
        darc_text_puts(out, ", ");
        darc_quoted_print(out, e->text);
    }
    darc_text_putc(out, ')');
}

void darc_expr_print_as(darc_text_t out, const darc_dialect *d,
                        const darc_expr *e)
{
    switch (e->kind) {
    case DARC_EXPR_NUMBER:
        d->number(out, e, false);
        break;
    case DARC_EXPR_UNKNOWN:
        d->unknown(out, e, d->user);
        break;
    case DARC_EXPR_SUM:
        for (int i = 0; i < e->count; i++) {
            const darc_expr *term = e->child[i];
            if (i == 0) {
                print_at(out, d, term, PRODUCT);
            } else if (term->kind == DARC_EXPR_NEGATE) {
                darc_text_puts(out, " - ");
                print_at(out, d, term->child[0], PRODUCT);
            } else {
                darc_text_puts(out, " + ");
                print_at(out, d, term, PRODUCT);
            }
        }
        break;
    case DARC_EXPR_PRODUCT:
        print_product(out, d, e);
        break;
    case DARC_EXPR_NEGATE:
        darc_text_putc(out, '-');
        print_at(out, d, e->child[0], FACTOR);
        break;
    case DARC_EXPR_INVERT:
        darc_text_puts(out, "1/");
        print_divisor(out, d, e->child[0]);
        break;
    case DARC_EXPR_POWER:
        print_at(out, d, e->child[0], ATOM);
        darc_text_puts(out, d->power);
        print_at(out, d, e->child[1], FACTOR);
        break;
    case DARC_EXPR_DERIVATIVE:
        darc_text_puts(out, d->derive);
        darc_expr_print_as(out, d, e->child[0]);
        if (e->order > 1 || d->always)
            darc_text_printf(out, "%s%d", d->order, e->order);
        darc_text_putc(out, ')');
        break;
    case DARC_EXPR_CALL:
        print_call(out, d, e);
        break;
    }
}

void darc_expr_print(darc_text_t out, const darc_expr *e)
{
    darc_expr_print_as(out, &own, e);
}
