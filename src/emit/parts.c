#include "emit/parts.h"

#include "base/mem.h"
#include "model/model.h"

#include <stdarg.h>

const char *darc_emit_test(darc_test test)
{
    static const char *const text[] = {"structure", "equal", "changed"};
    return text[test];
}

void darc_emit_comment(darc_text_t out, const darc_emit *how,
                       const char *format, ...)
{
    static const char *const begin[] = {"# ", "% ", "", "// ", "# "};
    va_list args;
    darc_text_puts(out, begin[how->format]);
    va_start(args, format);
    darc_text_vprintf(out, format, args);
    va_end(args);
}

void darc_emit_poly(darc_text_t out, const darc_dpoly_t p, const darc_jet_t jet,
                    const darc_emit *how)
{
    if (how->format == DARC_FORMAT_LATEX)
        darc_dpoly_latex(out, p, jet);
    else
        darc_dpoly_print(out, p, jet);
}

void darc_emit_line(darc_text_t out, const darc_dpoly_t p, bool vanishes,
                    const darc_jet_t jet, const darc_emit *how)
{
    bool latex = how->format == DARC_FORMAT_LATEX;
    darc_text_puts(out, latex ? "\\[ " : "");
    darc_emit_poly(out, p, jet, how);
    if (latex)
        darc_text_puts(out, vanishes ? " = 0 \\]\n" : " \\neq 0 \\]\n");
    else
        darc_text_puts(out, vanishes ? " = 0\n" : " != 0\n");
}

int darc_emit_order(const darc_dpoly_t p, const darc_jet_t jet)
{
    int order = 0;
    for (int u = 0; u < jet->names->count; u++) {
        int k = darc_dpoly_order(p, u, jet);
        order = k > order ? k : order;
    }
    return order;
}

char *darc_emit_closing(const darc_relation *r)
{
    size_t n = (size_t)r->columns;
    char **x = darc_calloc(n, sizeof *x);
    for (size_t j = 0; j < n; j++)
        x[j] = darc_text_of("c%zu", j);
    char *s = fmpz_mpoly_get_str_pretty(r->h, (const char **)x, r->hctx);
    DARC_FREE_EACH(x, n);
    darc_free(x);
    return s;
}

void darc_emit_monomials(darc_dpolys_t m, const darc_dpoly_t p,
                         const darc_jet_t jet)
{
    darc_dpoly_t t;
    darc_dpolys_init(m);
    darc_dpoly_init(t, jet);
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_monomial(t, p, i, jet->ctx);
        darc_dpolys_append(m, t, jet);
    }
    darc_dpoly_clear(t, jet);
}

void darc_emit_support(darc_dpolys_t m, const darc_ioeq *eq,
                       const darc_jet_t jet)
{
    ulong *e = darc_calloc((size_t)jet->vars, sizeof *e);
    darc_dpoly_t sum, t;
    darc_dpoly_inits(jet->ctx, sum, t, NULL);
    /* Monomials of several parts come once: absolute values cannot cancel. */
    for (slong j = 0; j < eq->part->count; j++) {
        const fmpz_mpoly_struct *p = eq->part->p + j;
        fmpz_mpoly_zero(t, jet->ctx);
        for (slong i = 0; i < p->length; i++) {
            fmpz_mpoly_get_term_exp_ui(e, p, i, jet->ctx);
            fmpz_mpoly_push_term_ui_ui(t, 1, e, jet->ctx);
        }
        fmpz_mpoly_add(sum, sum, t, jet->ctx);
    }
    darc_emit_monomials(m, sum, jet);
    darc_dpoly_clears(jet->ctx, sum, t, NULL);
    darc_free(e);
}

void darc_emit_unit(darc_text_t out, const darc_dpoly_t p, const darc_jet_t jet,
                    const darc_model *model)
{
    if (p->length == 0 || model == NULL)
        return;
    double seconds = 0;
    ulong *e = darc_calloc((size_t)jet->vars, sizeof *e);
    double *power = darc_calloc((size_t)jet->names->count, sizeof *power);
    fmpz_mpoly_get_term_exp_ui(e, p, 0, jet->ctx);
    for (slong v = 0; v < jet->vars; v++) {
        power[jet->deriv[v].unknown] += (double)e[v];
        seconds -= (double)e[v] * jet->deriv[v].order;
    }
    darc_model_unit_of(out, model, power, seconds);
    DARC_FREE(power, e);
}

bool darc_emit_holds(const darc_ioeqs_t io, int u)
{
    bool found = false;
    for (int i = 0; i < io->count && !found; i++)
        found = darc_dpoly_order(io->eq[i].poly, u, io->jet) >= 0;
    return found;
}
