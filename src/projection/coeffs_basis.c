#include "projection/coeffs.h"

#include "algebra/dpoly.h"
#include "base/mem.h"
#include "modular/reconstruct.h"

#include <assert.h>
#include <stdlib.h>

typedef struct {
    slong index, length, degree;
    const fmpz_mpoly_struct *p;
    const fmpz_mpoly_ctx_struct *ctx;
} key;

static int cmp_key(const void *a, const void *b)
{
    const key *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    if (x->degree != y->degree)
        return x->degree < y->degree ? -1 : 1;
    int c = fmpz_mpoly_cmp(x->p, y->p, x->ctx);
    if (c != 0)
        return -c; /* names declared earlier first */
    return x->index < y->index ? -1 : 1;
}

/* Set the reduced echelon form of the projections of p[order[.]] and its
 * pivot columns; return the rank. */
static slong echelon(nmod_mat_t m, slong *pivot, const slong *order,
                     const fmpz_mpoly_struct *p, const fmpz_mpoly_ctx_t ctx)
{
    for (slong j = 0; j < m->c; j++) {
        /* Add to column j of m the values of p under random linear functionals,
         * one a row: functional i sends a monomial to a hash of it and i. */
        slong n = fmpz_mpoly_ctx_nvars(ctx);
        ulong *exp = darc_calloc((size_t)n, sizeof *exp);
        for (slong t = 0; t < (p + order[j])->length; t++) {
            fmpz_mpoly_get_term_exp_ui(exp, (p + order[j]), t, ctx);
            ulong h = darc_finite_hash(exp, n);
            ulong c = fmpz_fdiv_ui((p + order[j])->coeffs + t, m->mod.n);
            for (slong i = 0; i < m->r; i++) {
                ulong f = darc_finite_functional(h, i, m->mod);
                nmod_mat_entry(m, i, j) = nmod_add(
                    nmod_mat_entry(m, i, j), nmod_mul(c, f, m->mod), m->mod);
            }
        }
        darc_free(exp);
    }
    slong rank = nmod_mat_rref(m), j = 0;
    for (slong i = 0; i < rank; i++) {
        while (nmod_mat_entry(m, i, j) == 0)
            j++;
        pivot[i] = j;
    }
    return rank;
}

/* Set row order[j] of q from the residues of column j of the echelon form;
 * return whether every entry could be reconstructed. */
static bool reconstruct(fmpq_mat_t q, const darc_residues *x,
                        const slong *order)
{
    bool ok = true;
    for (slong j = 0; j < q->r && ok; j++)
        for (slong i = 0; i < q->c && ok; i++)
            ok = fmpq_reconstruct_fmpz(fmpq_mat_entry(q, order[j], i),
                                       x->residue + i * q->r + j, x->modulus);
    return ok;
}

/* Return whether p[k] = sum_j q_kj p[basis[j]] exactly. */
static bool is_combination(slong k, const slong *basis, const fmpq_mat_t q,
                           const fmpz_mpoly_struct *p,
                           const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_t sum, term;
    fmpz_t den, c;
    darc_dpoly_inits(ctx, sum, term, NULL);
    fmpz_init_set_ui(den, 1);
    fmpz_init(c);
    for (slong j = 0; j < q->c; j++)
        fmpz_lcm(den, den, fmpq_mat_entry_den(q, k, j));
    fmpz_mpoly_scalar_mul_fmpz(sum, p + k, den, ctx);
    for (slong j = 0; j < q->c; j++) {
        if (fmpq_is_zero(fmpq_mat_entry(q, k, j)))
            continue;
        fmpz_divexact(c, den, fmpq_mat_entry_den(q, k, j));
        fmpz_mul(c, c, fmpq_mat_entry_num(q, k, j));
        fmpz_mpoly_scalar_mul_fmpz(term, p + basis[j], c, ctx);
        fmpz_mpoly_sub(sum, sum, term, ctx);
    }
    bool zero = fmpz_mpoly_is_zero(sum, ctx);
    darc_dpoly_clears(ctx, sum, term, NULL);
    DARC_EACH(fmpz_clear, den, c);
    return zero;
}

slong darc_coeffs_basis(slong *basis, fmpq_mat_t q, const fmpz_mpoly_struct *p,
                        slong n, const fmpz_mpoly_ctx_t ctx)
{
    assert(n > 0);
    slong *order = darc_calloc((size_t)n, sizeof *order), rank = -1;
    slong *pivot = darc_calloc((size_t)n, sizeof *pivot);
    darc_residues x;
    flint_rand_t state;
    flint_randinit(state);
    key *k = darc_calloc((size_t)n, sizeof *k);
    for (slong i = 0; i < n; i++)
        k[i] = (key){i, p[i].length, fmpz_mpoly_total_degree_si(p + i, ctx),
                     p + i, ctx};
    qsort(k, (size_t)n, sizeof *k, cmp_key);
    for (slong i = 0; i < n; i++)
        order[i] = k[i].index;
    darc_free(k);
    darc_residues_init(&x, 0);
    fmpq_mat_init(q, n, 0);
    /* Ends when the modulus exceeds what the true q needs, however large the
     * coefficients. */
    for (bool done = false; !done;) {
        nmod_mat_t m;
        nmod_mat_init(m, n + 2, n, darc_finite_random_prime(state));
        slong r = echelon(m, pivot, order, p, ctx);
        if (r > rank) { /* the primes before were unlucky */
            rank = r;
            for (slong i = 0; i < rank; i++)
                basis[i] = order[pivot[i]];
            darc_residues_clear(&x);
            darc_residues_init(&x, rank * n);
            fmpq_mat_clear(q);
            fmpq_mat_init(q, n, rank);
        }
        if (r == rank) {
            /* Take in the rows of the echelon form modulo one more prime. */
            ulong *image = darc_calloc((size_t)x.n + 1, sizeof *image);
            for (slong i = 0; i < x.n; i++)
                image[i] = nmod_mat_entry(m, i / m->c, i % m->c);
            darc_residues_add(&x, image, m->mod.n);
            darc_free(image);
        }
        nmod_mat_clear(m);
        done = reconstruct(q, &x, order);
        for (slong i = 0; i < n && done; i++)
            done = is_combination(i, basis, q, p, ctx);
    }
    flint_randclear(state);
    darc_residues_clear(&x);
    DARC_FREE(order, pivot);
    return rank;
}
