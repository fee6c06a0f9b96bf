#include "coefficient/ratio.h"

#include "base/mem.h"
#include "stats/real.h"

#include <limits.h>
#include <string.h>

/* Terms of a ratio that are read, at most; longer ones go by what the
 * coefficients stand before. */
#define MOST_READ 40

/* Whether terms of p have both signs: a difference may be small beside them. */
static bool is_difference(const darc_dpoly_t p, const darc_jet_t jet)
{
    fmpz_t c;
    fmpz_init(c);
    bool plus = false, minus = false;
    for (slong i = 0; i < fmpz_mpoly_length(p, jet->ctx); i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, i, jet->ctx);
        plus = plus || fmpz_sgn(c) > 0;
        minus = minus || fmpz_sgn(c) < 0;
    }
    fmpz_clear(c);
    return plus && minus;
}

bool darc_ratio_may_vanish(const darc_model *model, const darc_ioeqs_t io,
                           int e, int j)
{
    const darc_jet_struct *jet = io->jet;
    bool may = false,
         all = !io->eq[e].expanded; /* nobody knows what it holds */
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    if (!all) {
        darc_dpoly_used(used, io->eq[e].coeff->p + j, jet);
        may = is_difference(io->eq[e].coeff->p + j, jet);
    }
    for (slong v = 0; v < jet->vars && model != NULL; v++) {
        int u = jet->deriv[v].unknown;
        may = may || ((all || used[v]) && darc_jet_is_constant(jet, u) &&
                      darc_model_may_be_zero(model, u));
    }
    darc_free(used);
    return may;
}

/* Return the unknown that p is, up to a factor; INT_MAX if it is none. */
static int lone_unknown(const darc_dpoly_t p, const darc_jet_t jet)
{
    if (fmpz_mpoly_length(p, jet->ctx) != 1 ||
        fmpz_mpoly_total_degree_si(p, jet->ctx) != 1)
        return INT_MAX;
    return jet->deriv[darc_dpoly_leader(p, jet)].unknown;
}

int darc_ratio_reference(const darc_ioeqs_t io, int e)
{
    const darc_ioeq *eq = io->eq + e;
    int first = INT_MAX, at = -1;
    for (int j = 0; j < (int)eq->coeff->count; j++) { /* none: not expanded */
        const fmpz_mpoly_struct *c = eq->coeff->p + j;
        if (fmpz_mpoly_is_fmpz(c, io->jet->ctx))
            return j;
        if (lone_unknown(c, io->jet) < first) {
            first = lone_unknown(c, io->jet);
            at = j;
        }
    }
    if (at >= 0)
        return at;
    slong leader = darc_jet_var(io->jet, eq->leader);
    for (int j = 0; j < (int)eq->part->count; j++)
        if (darc_dpoly_degree(eq->part->p + j, leader, io->jet) > 0)
            return j;
    return 0;
}

/* In parentheses where it must not stand bare beside a slash. */
static void print_side(darc_text_t out, const darc_dpoly_t p,
                       const darc_jet_t jet, bool below)
{
    darc_text_t text = DARC_TEXT;
    darc_dpoly_print(text, p, jet);
    bool bare = fmpz_mpoly_length(p, jet->ctx) == 1 &&
                (!below || strchr(text->s, '*') == NULL);
    darc_text_printf(out, bare ? "%s" : "(%s)", text->s);
    darc_text_clear(text);
}

/* Divide p by its content, with the sign of the first term; return it. */
static double take_content(darc_dpoly_t p, const darc_jet_t jet)
{
    fmpz_t content;
    fmpz_init(content);
    _fmpz_vec_content(content, p->coeffs, p->length);
    if (p->length > 0 && fmpz_sgn(p->coeffs) < 0)
        fmpz_neg(content, content);
    double value = darc_real_integer(content);
    if (!fmpz_is_zero(content))
        fmpz_mpoly_scalar_divexact_fmpz(p, p, content, jet->ctx);
    fmpz_clear(content);
    return value;
}

void darc_ratio_print(darc_text_t out, const darc_ioeqs_t io, int e, int j,
                      int r, double *factor)
{
    const darc_jet_struct *jet = io->jet;
    darc_dpoly_t a, b, g;
    const darc_ioeq *eq = io->eq + e;
    if (!eq->expanded ||
        eq->coeff->p[j].length + eq->coeff->p[r].length > MOST_READ) {
        /* "coefficient of y'*u over that of (y'' - u')" */
        darc_text_puts(out, "coefficient of ");
        print_side(out, eq->part->p + j, jet, false);
        darc_text_puts(out, " over that of ");
        print_side(out, eq->part->p + r, jet, false);
        if (factor != NULL)
            *factor = 1;
        return;
    }
    darc_dpoly_inits(jet->ctx, a, b, g, NULL);
    fmpz_mpoly_set(a, eq->coeff->p + j, jet->ctx);
    fmpz_mpoly_set(b, eq->coeff->p + r, jet->ctx);
    if (fmpz_mpoly_gcd(g, a, b, jet->ctx) && !fmpz_mpoly_is_zero(g, jet->ctx)) {
        fmpz_mpoly_divides(a, a, g, jet->ctx);
        fmpz_mpoly_divides(b, b, g, jet->ctx);
    }
    if (fmpz_mpoly_length(b, jet->ctx) > 0 && fmpz_sgn(b->coeffs) < 0) {
        fmpz_mpoly_neg(a, a, jet->ctx);
        fmpz_mpoly_neg(b, b, jet->ctx);
    }
    if (factor != NULL) {
        *factor = take_content(a, jet);
        *factor /= take_content(b, jet);
    }
    print_side(out, a, jet, false);
    if (!fmpz_mpoly_is_one(b, jet->ctx)) {
        darc_text_putc(out, '/');
        print_side(out, b, jet, true);
    }
    darc_dpoly_clears(jet->ctx, a, b, g, NULL);
}
