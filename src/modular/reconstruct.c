#include "modular/reconstruct.h"

#include "algebra/finite.h"
#include "base/mem.h"
#include "modular/thresholds.h"

#include <string.h>

bool darc_reconstruct(fmpz *c, const fmpz *residue, slong n,
                      const fmpz_t modulus, slong bits)
{
    fmpq *q = _fmpq_vec_init(n);
    fmpz_t den;
    fmpz_init_set_ui(den, 1);
    bool ok = true;
    for (slong j = 0; j < n && ok; j++) {
        ok = fmpq_reconstruct_fmpz(q + j, residue + j, modulus) &&
             (slong)fmpq_height_bits(q + j) <= bits;
        fmpz_lcm(den, den, fmpq_denref(q + j));
    }
    for (slong j = 0; j < n && ok; j++) {
        fmpz_divexact(c + j, den, fmpq_denref(q + j));
        fmpz_mul(c + j, c + j, fmpq_numref(q + j));
    }
    fmpz_clear(den);
    _fmpq_vec_clear(q, n);
    return ok;
}

bool darc_reconstruct_column(fmpz *c, const nmod_mat_t m, slong k, slong bits)
{
    fmpz *residue = _fmpz_vec_init(m->r);
    fmpz_t modulus;
    fmpz_init_set_ui(modulus, m->mod.n);
    for (slong j = 0; j < m->r; j++)
        fmpz_set_ui(residue + j, nmod_mat_entry(m, j, k));
    bool ok = darc_reconstruct(c, residue, m->r, modulus, bits);
    fmpz_clear(modulus);
    _fmpz_vec_clear(residue, m->r);
    return ok;
}

bool darc_reconstruct_polynomial(fmpz_mpoly_t f, const nmod_mat_t m, slong k,
                                 const ulong *exp, slong bits,
                                 const fmpz_mpoly_ctx_struct *ctx)
{
    slong vars = fmpz_mpoly_ctx_nvars(ctx);
    fmpz *c = _fmpz_vec_init(m->r);
    bool ok = darc_reconstruct_column(c, m, k, bits);
    fmpz_mpoly_zero(f, ctx);
    for (slong j = 0; j < m->r && ok; j++)
        if (!fmpz_is_zero(c + j))
            fmpz_mpoly_push_term_fmpz_ui(f, c + j, exp + j * vars, ctx);
    fmpz_mpoly_sort_terms(f, ctx);
    _fmpz_vec_clear(c, m->r);
    return ok && f->length > 0;
}

void darc_residues_init(darc_residues *r, slong n)
{
    r->n = n;
    r->residue = _fmpz_vec_init(n);
    fmpz_init_set_ui(r->modulus, 1);
}

void darc_residues_clear(darc_residues *r)
{
    _fmpz_vec_clear(r->residue, r->n);
    fmpz_clear(r->modulus);
}

void darc_residues_add(darc_residues *r, const ulong *image, ulong p)
{
    for (slong i = 0; i < r->n; i++)
        fmpz_CRT_ui(r->residue + i, r->residue + i, r->modulus, image[i], p, 0);
    fmpz_mul_ui(r->modulus, r->modulus, p);
}

/* Make den * residue small for every entry, growing den. */
bool darc_residues_integers(fmpz *c, const darc_residues *r)
{
    fmpz_t bound, den;
    fmpq_t q;
    fmpz_init(bound);
    fmpz_init_set_ui(den, 1);
    fmpq_init(q);
    fmpz_sqrt(bound, r->modulus);
    fmpz_fdiv_q_2exp(bound, bound, DARC_LIFT_BITS);
    bool good = true;
    for (slong i = 0; i < r->n && good; i++) {
        fmpz_mul(c + i, r->residue + i, den);
        fmpz_smod(c + i, c + i, r->modulus);
        if (fmpz_cmpabs(c + i, bound) <= 0)
            continue;
        fmpz_mod(c + i, c + i, r->modulus);
        good = fmpq_reconstruct_fmpz(q, c + i, r->modulus) &&
               fmpz_cmpabs(fmpq_numref(q), bound) <= 0;
        fmpz_mul(den, den, fmpq_denref(q));
        good = good && fmpz_cmpabs(den, bound) <= 0;
        i = -1; /* all over with the larger denominator */
    }
    fmpz_clear(den);
    fmpq_clear(q);
    fmpz_clear(bound);
    return good;
}

void darc_quotient_init(darc_quotient *q, const ulong *t, const ulong *y,
                        slong n, nmod_t mod)
{
    nmod_poly_t r[2], v[2], d, m;
    slong best = n;
    q->n = n;
    DARC_EACH_IN(nmod_poly_init_mod, mod, q->num, q->den, d, m);
    for (int i = 0; i < 2; i++) {
        DARC_EACH_IN(nmod_poly_init_mod, mod, r[i], v[i]);
    }
    nmod_poly_product_roots_nmod_vec(r[0], t, n);
    nmod_poly_interpolate_nmod_vec(r[1], t, y, n);
    nmod_poly_one(v[1]);
    while (!nmod_poly_is_zero(r[1])) {
        slong degrees = nmod_poly_degree(r[1]) + nmod_poly_degree(v[1]);
        if (degrees < best) {
            best = degrees;
            nmod_poly_set(q->num, r[1]);
            nmod_poly_set(q->den, v[1]);
        }
        nmod_poly_divrem(d, r[0], r[0], r[1]);
        nmod_poly_mul(m, d, v[1]);
        nmod_poly_sub(v[0], v[0], m);
        nmod_poly_swap(r[0], r[1]);
        nmod_poly_swap(v[0], v[1]);
    }
    for (int i = 0; i < 2; i++) {
        DARC_EACH(nmod_poly_clear, r[i], v[i]);
    }
    DARC_EACH(nmod_poly_clear, d, m);
}

bool darc_exponents_next(ulong *e, slong n, slong degree, const bool *used)
{
    slong total = 0;
    for (slong v = 0; v < n; v++)
        total += (slong)e[v];
    for (slong v = n - 1; v >= 0; v--) {
        if ((used == NULL || used[v]) && total < degree) {
            e[v]++;
            return true;
        }
        total -= (slong)e[v];
        e[v] = 0;
    }
    return false;
}

bool darc_exponents_append(darc_exponents *l, slong to, const bool *used,
                           slong most)
{
    size_t size = (size_t)l->vars * sizeof *l->exp;
    ulong *e = darc_calloc((size_t)l->vars + 1, sizeof *e);
    bool more = true;
    for (; more && l->count < most;
         more = darc_exponents_next(e, l->vars, to, used)) {
        l->exp = darc_room(l->exp, (size_t)l->count, size + 1);
        memcpy(l->exp + l->count++ * l->vars, e, size);
    }
    darc_free(e);
    return !more;
}

ulong darc_exponents_value(const darc_exponents *l, slong i, const ulong *x,
                           nmod_t mod)
{
    return darc_finite_monomial(l->exp + i * l->vars, x, l->vars, mod);
}
