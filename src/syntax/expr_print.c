#include "syntax/expr.h"

/* How tightly an expression binds; a looser one needs parentheses. */
enum { CHOICE, SUM, PRODUCT, FACTOR, POWER, ATOM };

static int binding(const darc_expr *e)
{
    static const int of[] = {
        [DARC_EXPR_NUMBER] = ATOM,   [DARC_EXPR_UNKNOWN] = ATOM,
        [DARC_EXPR_SUM] = SUM,       [DARC_EXPR_PRODUCT] = PRODUCT,
        [DARC_EXPR_NEGATE] = FACTOR, [DARC_EXPR_INVERT] = PRODUCT,
        [DARC_EXPR_POWER] = POWER,   [DARC_EXPR_DERIVATIVE] = ATOM,
        [DARC_EXPR_CALL] = ATOM};
    bool choice = e->kind == DARC_EXPR_CALL && e->function == DARC_FUNCTION_IF;
    return choice ? CHOICE : of[e->kind];
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

static void print_number(darc_text_t out, const darc_dialect *d,
                         const darc_expr *e, bool divides)
{
    if (d->number != NULL)
        d->number(out, e, divides);
    else
        darc_text_puts(out, e->text);
}

static void print_divisor(darc_text_t out, const darc_dialect *d,
                          const darc_expr *e)
{
    if (e->kind == DARC_EXPR_NUMBER)
        print_number(out, d, e, true);
    else
        print_at(out, d, e, FACTOR);
}

/* Print a sum or a product: between its parts `plain`, or where one is the
 * `inverse` of another `minus` and that. */
static void print_list(darc_text_t out, const darc_dialect *d,
                       const darc_expr *e, const char *plain, const char *minus,
                       darc_expr_kind inverse)
{
    for (int i = 0; i < e->count; i++) {
        const darc_expr *part = e->child[i];
        bool inverted = i > 0 && part->kind == inverse;
        darc_text_puts(out, i == 0 ? "" : inverted ? minus : plain);
        if (inverted && inverse == DARC_EXPR_INVERT)
            print_divisor(out, d, part->child[0]);
        else
            print_at(out, d, inverted ? part->child[0] : part,
                     e->kind == DARC_EXPR_SUM ? PRODUCT : FACTOR);
    }
}

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

static const darc_dialect own = {
    .power = "^", .unknown = print_primes, .derive = "der(", .order = ","};

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
    darc_text_puts(out, d->function != NULL ? d->function(e->function)
                                            : darc_function_name(e->function));
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
        print_number(out, d, e, false);
        break;
    case DARC_EXPR_UNKNOWN:
        d->unknown(out, e, d->user);
        break;
    case DARC_EXPR_SUM:
        print_list(out, d, e, " + ", " - ", DARC_EXPR_NEGATE);
        break;
    case DARC_EXPR_PRODUCT:
        print_list(out, d, e, "*", "/", DARC_EXPR_INVERT);
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
