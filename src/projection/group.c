#include "projection/group.h"

#include "base/mem.h"
#include "projection/coeffs.h"
#include "projection/thresholds.h"

#include <assert.h>
#include <string.h>

/* Split the exponents e into those of parameters (in place) and of signals
 * (in s). */
static void split_exponents(ulong *e, ulong *s, const darc_jet_t jet)
{
    for (slong v = 0; v < jet->vars; v++) {
        bool constant = darc_jet_is_constant(jet, jet->deriv[v].unknown);
        s[v] = constant ? 0 : e[v];
        e[v] = constant ? e[v] : 0;
    }
}

static void append_monomial(darc_monomials *g, const ulong *s,
                            const darc_jet_t jet)
{
    darc_dpoly_t p;
    darc_dpoly_init(p, jet);
    darc_dpolys_append_take(g->coeff, p, jet);
    darc_dpoly_clear(p, jet);
    darc_dpoly_init(p, jet);
    fmpz_mpoly_set_coeff_ui_ui(p, 1, s, jet->ctx);
    darc_dpolys_append_take(g->monomial, p, jet);
    darc_dpoly_clear(p, jet);
}

/* The parameters are the lowest variables and the order is lexicographic:
 * terms of one signal monomial are neighbours. */
static void split_terms(darc_monomials *g, const darc_dpoly_t p,
                        const darc_jet_t jet)
{
    size_t size = (size_t)jet->vars * sizeof(ulong);
    ulong *e = darc_malloc(size), *s = darc_malloc(size);
    ulong *last = darc_malloc(size);
    for (slong t = 0; t < p->length; t++) {
        fmpz_mpoly_get_term_exp_ui(e, p, t, jet->ctx);
        split_exponents(e, s, jet);
        if (t == 0 || memcmp(s, last, size) != 0)
            append_monomial(g, s, jet);
        memcpy(last, s, size);
        fmpz_mpoly_struct *c = g->coeff->p + g->coeff->count - 1;
        fmpz_mpoly_push_term_fmpz_ui(c, p->coeffs + t, e, jet->ctx);
    }
    darc_free(e);
    darc_free(s);
    darc_free(last);
}

void darc_monomials_init(darc_monomials *g, const darc_dpoly_t p,
                         const darc_jet_t jet)
{
    darc_dpolys_init(g->coeff);
    darc_dpolys_init(g->monomial);
    split_terms(g, p, jet);
}

void darc_monomials_clear(darc_monomials *g, const darc_jet_t jet)
{
    darc_dpolys_clear(g->coeff, jet);
    darc_dpolys_clear(g->monomial, jet);
}

/* Set h to a basis of the lattice that the rows of q span in Q^r, over the
 * common denominator den. */
static void lattice(fmpz_mat_t h, fmpz_t den, const fmpq_mat_t q)
{
    fmpz_mat_t num;
    fmpz_mat_init(num, q->r, q->c);
    fmpq_mat_get_fmpz_mat_matwise(num, den, q);
    fmpz_mat_hnf(num, num);
    for (slong i = 0; i < q->c; i++)
        for (slong j = 0; j < q->c; j++)
            fmpz_set(fmpz_mat_entry(h, i, j), fmpz_mat_entry(num, i, j));
    fmpz_mat_clear(num);
}

/* Set coeff[i] = sum_j h_ij/den * (basis polynomial j), an integer one. */
static void combine(darc_dpolys_t coeff, const fmpz_mat_t h, const fmpz_t den,
                    const slong *basis, const darc_dpolys_t from,
                    const darc_jet_t jet)
{
    darc_dpoly_t sum;
    fmpz *c = _fmpz_vec_init(from->count);
    darc_dpoly_init(sum, jet);
    for (slong i = 0; i < h->r; i++) {
        for (slong j = 0; j < h->c; j++)
            fmpz_set(c + basis[j], fmpz_mat_entry(h, i, j));
        darc_dpolys_combine(sum, c, from, jet);
        fmpz_mpoly_scalar_divexact_fmpz(sum, sum, den, jet->ctx);
        darc_dpolys_append(coeff, sum, jet);
    }
    darc_dpoly_clear(sum, jet);
    _fmpz_vec_clear(c, from->count);
}

/* part[j] = sum_k w_kj monomial[k], w integral. */
static void collect_parts(darc_dpolys_t part, const fmpq_mat_t w,
                          const darc_dpolys_t monomial, const darc_jet_t jet)
{
    darc_dpoly_t sum;
    fmpz *c = _fmpz_vec_init(w->r);
    darc_dpoly_init(sum, jet);
    for (slong j = 0; j < w->c; j++) {
        for (slong k = 0; k < w->r; k++) {
            assert(fmpz_is_one(fmpq_mat_entry_den(w, k, j)));
            fmpz_set(c + k, fmpq_mat_entry_num(w, k, j));
        }
        darc_dpolys_combine(sum, c, monomial, jet);
        darc_dpolys_append(part, sum, jet);
    }
    darc_dpoly_clear(sum, jet);
    _fmpz_vec_clear(c, w->r);
}

static bool is_integral(const fmpq_mat_t q)
{
    for (slong i = 0; i < q->r; i++)
        for (slong j = 0; j < q->c; j++)
            if (!fmpz_is_one(fmpq_mat_entry_den(q, i, j)))
                return false;
    return true;
}

/* Replace the basis by one of the lattice: b' = (h/den) b, w = q den h^-1. */
static void refine(darc_ioeq *eq, const slong *basis, const fmpq_mat_t q,
                   const darc_monomials *g, const darc_jet_t jet)
{
    fmpz_mat_t h;
    fmpq_mat_t inverse, w;
    fmpz_t den;
    fmpz_init(den);
    fmpz_mat_init(h, q->c, q->c);
    fmpq_mat_init(inverse, q->c, q->c);
    fmpq_mat_init(w, q->r, q->c);
    lattice(h, den, q);
    fmpq_mat_set_fmpz_mat_div_fmpz(inverse, h, den);
    int ok = fmpq_mat_inv(inverse, inverse);
    assert(ok);
    (void)ok;
    fmpq_mat_mul(w, q, inverse);
    combine(eq->coeff, h, den, basis, g->coeff, jet);
    collect_parts(eq->part, w, g->monomial, jet);
    fmpz_mat_clear(h);
    fmpq_mat_clear(inverse);
    fmpq_mat_clear(w);
    fmpz_clear(den);
}

/* Make the leading coefficients of the coeff positive. */
static void normalize_signs(darc_ioeq *eq, const darc_jet_t jet)
{
    for (slong j = 0; j < eq->coeff->count; j++) {
        fmpz_mpoly_struct *c = eq->coeff->p + j, *p = eq->part->p + j;
        if (fmpz_sgn(c->coeffs) > 0)
            continue;
        fmpz_mpoly_neg(c, c, jet->ctx);
        fmpz_mpoly_neg(p, p, jet->ctx);
    }
}

/* Make every monomial a part of its own. */
static void keep_single(darc_ioeq *eq, darc_monomials *g, const darc_jet_t jet)
{
    for (slong j = 0; j < g->coeff->count; j++) {
        darc_dpolys_append_take(eq->coeff, g->coeff->p + j, jet);
        darc_dpolys_append_take(eq->part, g->monomial->p + j, jet);
    }
    normalize_signs(eq, jet);
}

void darc_ioeq_group(darc_ioeq *eq, const darc_jet_t jet)
{
    assert(eq->coeff->count == 0 && eq->part->count == 0);
    assert(!fmpz_mpoly_is_zero(eq->poly, jet->ctx));
    darc_monomials g;
    darc_monomials_init(&g, eq->poly, jet);
    double m = (double)g.coeff->count;
    if (m * ((double)eq->poly->length + m * m) > DARC_GROUP_WORK) {
        keep_single(eq, &g, jet);
        goto done;
    }
    slong *basis = darc_calloc((size_t)g.coeff->count, sizeof *basis);
    fmpq_mat_t q;
    slong n = darc_coeffs_basis(basis, q, g.coeff->p, g.coeff->count, jet->ctx);
    if (is_integral(q)) {
        for (slong j = 0; j < n; j++)
            darc_dpolys_append(eq->coeff, g.coeff->p + basis[j], jet);
        collect_parts(eq->part, q, g.monomial, jet);
    } else {
        refine(eq, basis, q, &g, jet);
    }
    normalize_signs(eq, jet);
    fmpq_mat_clear(q);
    darc_free(basis);
done:
    darc_monomials_clear(&g, jet);
}
