#include "project/coeffs.h"

#include "base/mem.h"
#include "project/peel.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

/* Add to column j of m the values of p under random linear functionals, one
 * a row: functional i sends a monomial to a hash of it and i. */
static void project(nmod_mat_t m, slong j, const fmpz_mpoly_struct *p,
                    const fmpz_mpoly_ctx_t ctx)
{
    slong n = fmpz_mpoly_ctx_nvars(ctx);
    ulong *exp = darc_calloc((size_t)n, sizeof *exp);
    for (slong t = 0; t < p->length; t++) {
        fmpz_mpoly_get_term_exp_ui(exp, p, t, ctx);
        ulong h = darc_finite_hash(exp, n);
        ulong c = fmpz_fdiv_ui(p->coeffs + t, m->mod.n);
        for (slong i = 0; i < m->r; i++) {
            ulong f = darc_finite_mix(h + (ulong)(i + 1) *
                                              UINT64_C(0xd1342543de82ef95));
            f %= m->mod.n;
            nmod_mat_entry(m, i, j) = nmod_add(nmod_mat_entry(m, i, j),
                                               nmod_mul(c, f, m->mod), m->mod);
        }
    }
    darc_free(exp);
}

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

static void sort_short_first(slong *order, const fmpz_mpoly_struct *p, slong n,
                             const fmpz_mpoly_ctx_t ctx)
{
    key *k = darc_calloc((size_t)n, sizeof *k);
    for (slong i = 0; i < n; i++)
        k[i] = (key){i, p[i].length, fmpz_mpoly_total_degree_si(p + i, ctx),
                     p + i, ctx};
    qsort(k, (size_t)n, sizeof *k, cmp_key);
    for (slong i = 0; i < n; i++)
        order[i] = k[i].index;
    darc_free(k);
}

/* Set the reduced echelon form of the projections of p[order[.]] and its
 * pivot columns; return the rank. */
static slong echelon(nmod_mat_t m, slong *pivot, const slong *order,
                     const fmpz_mpoly_struct *p, slong n,
                     const fmpz_mpoly_ctx_t ctx)
{
    for (slong j = 0; j < n; j++)
        project(m, j, p + order[j], ctx);
    slong rank = nmod_mat_rref(m), j = 0;
    for (slong i = 0; i < rank; i++) {
        while (nmod_mat_entry(m, i, j) == 0)
            j++;
        pivot[i] = j;
    }
    return rank;
}

/* Set q (columns of x x rank) from the entries x modulo modulus; return
 * whether every entry could be reconstructed. */
static int reconstruct(fmpq_mat_t q, const fmpz_mat_t x, const fmpz_t modulus)
{
    int ok = 1;
    for (slong j = 0; j < x->c && ok; j++)
        for (slong i = 0; i < x->r && ok; i++)
            ok = fmpq_reconstruct_fmpz(fmpq_mat_entry(q, j, i),
                                       fmpz_mat_entry(x, i, j), modulus);
    return ok;
}

/* Return whether p[order[k]] = sum_j q_kj p[order[pivot[j]]] exactly. */
static int holds(slong k, const slong *order, const slong *pivot,
                 const fmpq_mat_t q, const fmpz_mpoly_struct *p,
                 const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_t sum, term;
    fmpz_t den, c;
    fmpz_mpoly_init(sum, ctx);
    fmpz_mpoly_init(term, ctx);
    fmpz_init_set_ui(den, 1);
    fmpz_init(c);
    for (slong j = 0; j < q->c; j++)
        fmpz_lcm(den, den, fmpq_mat_entry_den(q, k, j));
    fmpz_mpoly_scalar_mul_fmpz(sum, p + order[k], den, ctx);
    for (slong j = 0; j < q->c; j++) {
        if (fmpq_is_zero(fmpq_mat_entry(q, k, j)))
            continue;
        fmpz_divexact(c, den, fmpq_mat_entry_den(q, k, j));
        fmpz_mul(c, c, fmpq_mat_entry_num(q, k, j));
        fmpz_mpoly_scalar_mul_fmpz(term, p + order[pivot[j]], c, ctx);
        fmpz_mpoly_sub(sum, sum, term, ctx);
    }
    int zero = fmpz_mpoly_is_zero(sum, ctx);
    fmpz_mpoly_clear(sum, ctx);
    fmpz_mpoly_clear(term, ctx);
    fmpz_clear(den);
    fmpz_clear(c);
    return zero;
}

static int all_hold(const slong *order, const slong *pivot, const fmpq_mat_t q,
                    const fmpz_mpoly_struct *p, slong n,
                    const fmpz_mpoly_ctx_t ctx)
{
    for (slong k = 0; k < n; k++)
        if (!holds(k, order, pivot, q, p, ctx))
            return 0;
    return 1;
}

/* The images of one prime folded into x modulo *modulus. */
static void fold(fmpz_mat_t x, fmpz_t modulus, const nmod_mat_t m)
{
    for (slong i = 0; i < x->r; i++)
        for (slong j = 0; j < x->c; j++)
            fmpz_CRT_ui(fmpz_mat_entry(x, i, j), fmpz_mat_entry(x, i, j),
                        modulus, nmod_mat_entry(m, i, j), m->mod.n, 0);
    fmpz_mul_ui(modulus, modulus, m->mod.n);
}

/* Choose a basis among p[order[0 .. n-1]], earlier ones first: the places
 * pivot[.] in order; q (n rows) expresses the p[order[k]].  Return the rank. */
static slong core_basis(slong *pivot, fmpq_mat_t q, const slong *order,
                        const fmpz_mpoly_struct *p, slong n,
                        const fmpz_mpoly_ctx_t ctx)
{
    slong *trial = darc_calloc((size_t)n + 1, sizeof *trial);
    fmpz_t modulus;
    fmpz_init_set_ui(modulus, 1);
    fmpz_mat_t x;
    fmpz_mat_init(x, 0, 0);
    flint_rand_t state;
    flint_randinit(state);
    slong rank = 0;
    int done = n == 0;
    fmpq_mat_init(q, n, 0);
    /* Ends when the modulus exceeds what the true q needs, however large the
     * coefficients. */
    for (int k = 0; !done; k++) {
        nmod_mat_t m;
        nmod_mat_init(m, n + 2, n, darc_finite_random_prime(state));
        slong r = echelon(m, trial, order, p, n, ctx);
        if (k == 0 || r > rank) { /* the primes before were unlucky */
            rank = r;
            for (slong i = 0; i < rank; i++)
                pivot[i] = trial[i];
            fmpz_mat_clear(x);
            fmpz_mat_init(x, rank, n);
            fmpz_one(modulus);
            fmpq_mat_clear(q);
            fmpq_mat_init(q, n, rank);
        }
        if (r == rank)
            fold(x, modulus, m);
        nmod_mat_clear(m);
        done =
            reconstruct(q, x, modulus) && all_hold(order, pivot, q, p, n, ctx);
    }
    flint_randclear(state);
    fmpz_mat_clear(x);
    fmpz_clear(modulus);
    darc_free(trial);
    return rank;
}

/* Put the polynomials that stand alone and the basis of the rest together,
 * in the order of `order`; core[k] is the place in the rest, -1 for alone. */
static slong assemble(slong *basis, fmpq_mat_t q, const slong *order, slong n,
                      const slong *core, const slong *pivot,
                      const fmpq_mat_t core_q)
{
    slong rank = 0;
    slong *column = darc_calloc((size_t)core_q->c + 1, sizeof *column);
    for (slong k = 0, c = 0; k < n; k++) {
        bool in_core = c < core_q->c && core[k] == pivot[c];
        if (core[k] >= 0 && !in_core)
            continue;
        if (in_core)
            column[c++] = rank;
        basis[rank++] = order[k];
    }
    fmpq_mat_init(q, n, rank);
    for (slong k = 0; k < n; k++)
        for (slong c = 0; core[k] >= 0 && c < core_q->c; c++)
            fmpq_set(fmpq_mat_entry(q, order[k], column[c]),
                     fmpq_mat_entry(core_q, core[k], c));
    for (slong k = 0, i = 0; k < n && i < rank; k++)
        if (order[k] == basis[i]) {
            if (core[k] < 0)
                fmpq_one(fmpq_mat_entry(q, order[k], i));
            i++;
        }
    darc_free(column);
    return rank;
}

slong darc_coeffs_basis(slong *basis, fmpq_mat_t q, const fmpz_mpoly_struct *p,
                        slong n, const fmpz_mpoly_ctx_t ctx)
{
    assert(n > 0);
    slong *order = darc_calloc((size_t)n, sizeof *order);
    slong *rest = darc_calloc((size_t)n, sizeof *rest), left = 0;
    slong *core = darc_calloc((size_t)n, sizeof *core);
    slong *pivot = darc_calloc((size_t)n, sizeof *pivot);
    bool *alone = darc_calloc((size_t)n, sizeof *alone);
    sort_short_first(order, p, n, ctx);
    darc_peel(alone, p, n, ctx);
    for (slong k = 0; k < n; k++) {
        core[k] = alone[order[k]] ? -1 : left;
        if (!alone[order[k]])
            rest[left++] = order[k];
    }
    fmpq_mat_t core_q;
    core_basis(pivot, core_q, rest, p, left, ctx);
    slong rank = assemble(basis, q, order, n, core, pivot, core_q);
    fmpq_mat_clear(core_q);
    darc_free(alone);
    darc_free(pivot);
    darc_free(core);
    darc_free(rest);
    darc_free(order);
    return rank;
}
