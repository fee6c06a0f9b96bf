#include "algebra/dpoly.h"

#include "base/mem.h"

#include <string.h>

void darc_deriv_print(darc_text_t out, darc_deriv d, const darc_names_t names)
{
    const char *name = names->symbol[d.unknown].name;
    if (d.order > 3) {
        darc_text_printf(out, "der(%s,%d)", name, d.order);
        return;
    }
    darc_text_puts(out, name);
    for (int k = 0; k < d.order; k++)
        darc_text_putc(out, '\'');
}

/* "k12" becomes k_{12}; letters longer than one stand in \mathit. */
static void latex_name(darc_text_t out, const char *name)
{
    size_t letters = strcspn(name, "0123456789_");
    if (letters == 0)
        letters = strlen(name);
    const char *tail = name + letters + (name[letters] == '_');
    if (letters > 1)
        darc_text_puts(out, "\\mathit{");
    darc_text_write(out, name, letters);
    if (letters > 1)
        darc_text_putc(out, '}');
    if (*tail == '\0')
        return;
    darc_text_puts(out, "_{");
    for (; *tail != '\0'; tail++)
        darc_text_puts(out, *tail == '_' ? "\\_" : (char[]){*tail, '\0'});
    darc_text_putc(out, '}');
}

static void latex_deriv(darc_text_t out, darc_deriv d, const darc_names_t names)
{
    static const char *const dots[] = {"", "\\dot{", "\\ddot{", "\\dddot{"};
    const char *name = names->symbol[d.unknown].name;
    if (d.order > 0 && d.order <= 3)
        darc_text_puts(out, dots[d.order]);
    if (d.order > 3)
        darc_text_putc(out, '{');
    latex_name(out, name);
    if (d.order > 0)
        darc_text_putc(out, '}');
    if (d.order > 3)
        darc_text_printf(out, "^{(%d)}", d.order);
}

/* How to write a product: the model language or LaTeX. */
typedef struct {
    const char *times;
    const char *power; /* format of an exponent */
    void (*deriv)(darc_text_t, darc_deriv, const darc_names_t);
} style;

static const style plain = {"*", "^%lu", darc_deriv_print};
static const style latex = {" ", "^{%lu}", latex_deriv};

static void print_styled(darc_text_t out, const darc_dpoly_t p, const style *st,
                         const darc_jet_t jet)
{
    if (p->length == 0)
        darc_text_putc(out, '0');
    ulong *exp = darc_calloc((size_t)jet->vars, sizeof *exp);
    for (slong i = 0; i < p->length; i++) {
        bool negative = fmpz_sgn(p->coeffs + i) < 0;
        if (i > 0)
            darc_text_puts(out, negative ? " - " : " + ");
        else if (negative)
            darc_text_putc(out, '-');
        /* Append term i of p without its sign: 3*a*z'^2. */
        fmpz_mpoly_get_term_exp_ui(exp, p, i, jet->ctx);
        fmpz_t c;
        fmpz_init(c);
        fmpz_abs(c, p->coeffs + i);
        bool empty = true;
        for (slong v = 0; v < jet->vars; v++)
            empty = empty && exp[v] == 0;
        bool first = true;
        if (empty || !fmpz_is_one(c)) {
            char *s = fmpz_get_str(NULL, 10, c);
            darc_text_puts(out, s);
            flint_free(s);
            first = false;
        }
        /* Parameters stand before signals, as people write them. */
        for (int pass = 0; pass < 2; pass++)
            for (slong v = 0; v < jet->vars; v++) {
                bool constant =
                    darc_jet_is_constant(jet, jet->deriv[v].unknown);
                if (exp[v] == 0 || constant != (pass == 0))
                    continue;
                if (!first)
                    darc_text_puts(out, st->times);
                darc_deriv d = jet->deriv[v];
                bool braces = st == &latex && exp[v] > 1 && d.order > 3;
                if (braces)
                    darc_text_putc(out, '(');
                st->deriv(out, d, jet->names);
                if (braces)
                    darc_text_putc(out, ')');
                if (exp[v] > 1)
                    darc_text_printf(out, st->power, exp[v]);
                first = false;
            }
        fmpz_clear(c);
    }
    darc_free(exp);
}

void darc_dpoly_print(darc_text_t out, const darc_dpoly_t p,
                      const darc_jet_t jet)
{
    print_styled(out, p, &plain, jet);
}

void darc_dpoly_latex(darc_text_t out, const darc_dpoly_t p,
                      const darc_jet_t jet)
{
    print_styled(out, p, &latex, jet);
}
