/* dose.c - x += D: a state takes up a dose. */
#include "syntax/parser.h"

#include <string.h>

/* Whether e holds a dose, and what else changes with time; its name. */
static bool takes(const darc_syntax *s, const darc_expr *e, bool dose,
                  const char **name)
{
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *d = s->declaration + i;
        bool signal = d->section != DARC_SECTION_PARAMETERS &&
                      d->section != DARC_SECTION_CONSTANTS && !d->dose;
        *name = d->name;
        if ((dose ? d->dose : signal) && darc_expr_occurrences(e, *name) > 0)
            return true;
    }
    return false;
}

/* Return the equation whose left side is the rate of x, NULL: none. */
static darc_statement *rate_of(darc_syntax *s, const char *x)
{
    darc_place at = {0};
    darc_expr *rate = darc_expr_derive_take(at, darc_expr_name(at, x), 1);
    darc_statement *found = NULL;
    for (size_t i = 0; i < s->equations.count && found == NULL; i++)
        if (darc_expr_equal(s->equations.statement[i].left, rate))
            found = s->equations.statement + i;
    darc_expr_free(rate);
    return found;
}

darc_status darc_doses_apply(darc_syntax *syntax, const darc_script *script)
{
    darc_statements *all = &syntax->equations;
    for (size_t i = 0; i < all->count;) {
        darc_statement d = all->statement[i];
        const char *name, *x = d.doses ? d.left->text : "";
        darc_statement *rate = d.doses ? rate_of(syntax, x) : NULL;
        if (!d.doses) {
            i++;
            continue;
        }
        if (!takes(syntax, d.right, true, &name))
            return darc_script_fail(script, d.place, DARC_MODEL,
                                    "'+=' takes up doses: inputs with the word "
                                    "'dose' behind them");
        if (takes(syntax, d.right, false, &name))
            return darc_script_fail(script, d.place, DARC_MODEL,
                                    "what a dose adds holds parameters, not "
                                    "the signal '%s'",
                                    name);
        if (rate == NULL)
            return darc_script_fail(script, d.place, DARC_MODEL,
                                    "no equation begins with %s' =, to which "
                                    "the dose could be added",
                                    x);
        rate->right =
            darc_expr_formula_take(d.place, "A + W", rate->right, d.right);
        darc_expr_free(d.left);
        memmove(all->statement + i, all->statement + i + 1,
                (--all->count - i) * sizeof d);
    }
    return DARC_OK;
}
