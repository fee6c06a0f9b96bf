#include "weak/total.h"

#include <stdlib.h>

static void print_factor(darc_text_t out, const darc_total_t total, int v,
                         const darc_names_t names, int exponent)
{
    darc_deriv_print(out, total->var[v], names);
    if (exponent < 0)
        darc_text_printf(out, "^(%d)", exponent);
    else if (exponent != 1)
        darc_text_printf(out, "^%d", exponent);
}

static void print_inside(darc_text_t out, const darc_total_t total,
                         const darc_total_term *t, const darc_names_t names)
{
    bool first = true;
    for (int v = 0; v < total->vars; v++) {
        if (t->exponent[v] == 0)
            continue;
        if (!first)
            darc_text_putc(out, '*');
        print_factor(out, total, v, names, t->exponent[v]);
        first = false;
    }
    if (t->log >= 0) {
        darc_text_puts(out, first ? "log(" : "*log(");
        darc_deriv_print(out, total->var[t->log], names);
        darc_text_putc(out, ')');
    } else if (first) {
        darc_text_putc(out, '1');
    }
}

static void print_term(darc_text_t out, const darc_total_t total,
                       const darc_total_term *t, const darc_names_t names,
                       bool first)
{
    bool negative = fmpq_sgn(t->factor) < 0;
    if (first)
        darc_text_puts(out, negative ? "-" : "");
    else
        darc_text_puts(out, negative ? " - " : " + ");
    darc_text_printf(out, "c%d*", t->coeff);
    fmpq_t size;
    fmpq_init(size);
    fmpq_abs(size, t->factor);
    if (!fmpq_is_one(size)) {
        char *s = fmpq_get_str(NULL, 10, size);
        darc_text_printf(out, "%s*", s);
        flint_free(s);
    }
    fmpq_clear(size);
    darc_text_putc(out, '(');
    print_inside(out, total, t, names);
    darc_text_putc(out, ')');
    if (t->order > 3)
        darc_text_printf(out, "^{(%d)}", t->order);
    for (int k = 0; t->order <= 3 && k < t->order; k++)
        darc_text_putc(out, '\'');
}

void darc_total_print(darc_text_t out, const darc_total_t total,
                      const darc_names_t names)
{
    for (int i = 0; i < total->count; i++)
        print_term(out, total, total->term + i, names, i == 0);
}
