#include "library/meeting.h"

#include "identify/thresholds.h"

/* Append p as a factor, or as a divisor. */
static void put_part(darc_text_t out, const darc_dpoly_t p, bool divisor,
                     const darc_jet_t jet)
{
    bool lone = fmpz_mpoly_length(p, jet->ctx) <= 1 &&
                (!divisor || fmpz_mpoly_is_fmpz(p, jet->ctx) ||
                 fmpz_mpoly_is_gen(p, -1, jet->ctx));
    darc_text_puts(out, lone ? "" : "(");
    darc_dpoly_print(out, p, jet);
    darc_text_puts(out, lone ? "" : ")");
}

/* Set num/den to what p, of degree 1 in its leader v, gives for it, in lowest
 * terms, the first coefficient of den positive. */
static void solve_leader(darc_dpoly_t num, darc_dpoly_t den,
                         const darc_dpoly_t p, slong v, const darc_jet_t jet)
{
    darc_dpoly_t common;
    darc_dpoly_init(common, jet);
    darc_dpoly_coeff(num, p, v, 0, jet);
    darc_dpoly_coeff(den, p, v, 1, jet);
    if (fmpz_mpoly_gcd(common, num, den, jet->ctx)) {
        fmpz_mpoly_divides(num, num, common, jet->ctx);
        fmpz_mpoly_divides(den, den, common, jet->ctx);
    }
    fmpz_mpoly_struct *negative = fmpz_sgn(den->coeffs) < 0 ? den : num;
    fmpz_mpoly_neg(negative, negative, jet->ctx);
    darc_dpoly_clear(common, jet);
}

int darc_formula_print(darc_text_t out, const darc_dpoly_t p,
                       const darc_signs *sign, const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(p, jet);
    if (darc_dpoly_degree(p, v, jet) > 1) {
        darc_text_puts(out, "a zero of ");
        darc_dpoly_print(out, p, jet);
        return 0;
    }
    darc_dpoly_t num, den;
    darc_dpoly_inits(jet->ctx, num, den, NULL);
    solve_leader(num, den, p, v, jet);
    if (fmpz_mpoly_is_one(den, jet->ctx)) {
        darc_dpoly_print(out, num, jet);
    } else {
        put_part(out, num, false, jet);
        darc_text_putc(out, '/');
        put_part(out, den, true, jet);
    }
    fmpz_mpoly_mul(num, num, den, jet->ctx);
    int known = darc_signs_exclude(sign, num, true) ? fmpz_sgn(num->coeffs) : 0;
    darc_dpoly_clears(jet->ctx, num, den, NULL);
    return known;
}

void darc_formula_print_modes(darc_text_t out, const darc_dpolys_t c,
                              const darc_jet_t jet)
{
    for (slong i = c->count - 1; i >= 0; i--) {
        if (fmpz_mpoly_is_zero(c->p + i, jet->ctx))
            continue;
        darc_text_puts(out, i + 1 < c->count ? " + " : "");
        bool one = i > 0 && fmpz_mpoly_is_one(c->p + i, jet->ctx);
        if (!one)
            put_part(out, c->p + i, false, jet);
        if (i > 0)
            darc_text_puts(out, one ? "s" : "*s");
        if (i > 1)
            darc_text_printf(out, "^%ld", (long)i);
    }
}

void darc_formula_print_proof(darc_text_t out, const darc_refutation *r,
                              const darc_dpolys_t f, const darc_jet_t jet)
{
    size_t begin = out->len;
    long used = 0;
    for (slong i = 0; i < r->count; i++) {
        if (fmpz_mpoly_is_zero(r->q + i, jet->ctx))
            continue;
        darc_text_t term = DARC_TEXT;
        if (!fmpz_mpoly_is_one(r->q + i, jet->ctx)) {
            put_part(term, r->q + i, false, jet);
            darc_text_putc(term, '*');
            put_part(term, f->p + i, false, jet);
        } else {
            darc_dpoly_print(term, f->p + i, jet);
        }
        bool minus = used > 0 && term->s[0] == '-';
        darc_text_puts(out, used++ == 0 ? "" : minus ? " - " : " + ");
        darc_text_puts(out, term->s + minus);
        darc_text_clear(term);
    }
    if (out->len - begin > DARC_PROOF_SHOWN) {
        out->len = begin;
        darc_text_printf(out, "a sum of multiples of %ld equations", used);
    }
    darc_text_puts(out, " = ");
    darc_dpoly_print(out, r->left, jet);
}
