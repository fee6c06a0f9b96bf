#include "project/lift.h"

#include "base/mem.h"

#include <assert.h>

void darc_lift_init(darc_lift_t lift)
{
    lift->terms = 0;
    lift->residue = NULL;
    fmpz_init_set_ui(lift->modulus, 1);
}

void darc_lift_clear(darc_lift_t lift)
{
    if (lift->residue != NULL)
        _fmpz_vec_clear(lift->residue, lift->terms);
    fmpz_clear(lift->modulus);
}

bool darc_lift_add(darc_lift_t lift, const darc_mpoly *f,
                   const darc_ring_t ring)
{
    if (lift->residue == NULL) {
        lift->terms = f->length;
        lift->residue = _fmpz_vec_init(lift->terms);
    }
    if (lift->terms != f->length)
        return false;
    for (slong i = 0; i < lift->terms; i++)
        fmpz_CRT_ui(lift->residue + i, lift->residue + i, lift->modulus,
                    f->coeffs[i], ring->mod.n, 0);
    fmpz_mul_ui(lift->modulus, lift->modulus, ring->mod.n);
    return true;
}

/* Make den * residue small for every coefficient, growing den. */
bool darc_lift_integers(fmpz *coeff, const darc_lift_t lift)
{
    fmpz_t bound;
    fmpz_init(bound);
    fmpq_t q;
    fmpq_init(q);
    /* numerators below sqrt(modulus) / 4 leave a margin of 16 against chance */
    fmpz_sqrt(bound, lift->modulus);
    fmpz_fdiv_q_2exp(bound, bound, 2);
    fmpz_t den;
    fmpz_init_set_ui(den, 1);
    bool good = true;
    for (slong i = 0; i < lift->terms && good; i++) {
        fmpz_mul(coeff + i, lift->residue + i, den);
        fmpz_smod(coeff + i, coeff + i, lift->modulus);
        if (fmpz_cmpabs(coeff + i, bound) <= 0)
            continue;
        fmpz_mod(coeff + i, coeff + i, lift->modulus);
        good = fmpq_reconstruct_fmpz(q, coeff + i, lift->modulus) &&
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

void darc_lift_poly(darc_dpoly_t q, const darc_jet_t jet, const fmpz *coeff,
                    const darc_mpoly *f, const darc_flow_t flow)
{
    const darc_ring_struct *ring = flow->ring;
    ulong *from = darc_calloc((size_t)ring->vars, sizeof *from);
    ulong *to = darc_calloc((size_t)jet->vars, sizeof *to);
    slong *map = darc_calloc((size_t)ring->vars, sizeof *map);
    for (slong v = 0; v < ring->vars; v++)
        map[v] = darc_jet_var(jet, flow->deriv[v]);
    fmpz_mpoly_zero(q, jet->ctx);
    for (slong t = 0; t < f->length; t++) {
        nmod_mpoly_get_term_exp_ui(from, f, t, ring->ctx);
        for (slong v = 0; v < jet->vars; v++)
            to[v] = 0;
        for (slong v = 0; v < ring->vars; v++)
            if (from[v] != 0) {
                assert(map[v] >= 0);
                to[map[v]] = from[v];
            }
        fmpz_mpoly_push_term_fmpz_ui(q, coeff + t, to, jet->ctx);
    }
    fmpz_mpoly_sort_terms(q, jet->ctx);
    darc_dpoly_primitive(q, q, jet);
    darc_free(from);
    darc_free(to);
    darc_free(map);
}
