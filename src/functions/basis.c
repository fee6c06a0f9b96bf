#include "functions/basis.h"

#include "base/mem.h"

enum { BASIS_BITS = 20 }; /* of coefficients, a third of a prime's */

slong darc_basis_express(fmpq_mat_t by, slong *pivot, const nmod_mat_t value)
{
    nmod_mat_t m;
    fmpz_t bound, p, x;
    bool good = true;
    DARC_EACH(fmpz_init, bound, p, x);
    fmpz_one_2exp(bound, BASIS_BITS);
    fmpz_set_ui(p, value->mod.n);
    nmod_mat_init_set(m, value);
    slong n = nmod_mat_ncols(m), rank = nmod_mat_rref(m);
    fmpq_mat_init(by, n, rank);
    for (slong k = 0, i = 0; k < rank; k++, i++) {
        while (nmod_mat_entry(m, k, i) == 0)
            i++;
        pivot[k] = i;
        for (slong j = i; j < n && good; j++) {
            fmpz_set_ui(x, nmod_mat_entry(m, k, j));
            good = fmpq_reconstruct_fmpz_2(fmpq_mat_entry(by, j, k), x, p,
                                           bound, bound);
        }
    }
    if (!good)
        fmpq_mat_clear(by);
    nmod_mat_clear(m);
    DARC_EACH(fmpz_clear, bound, p, x);
    return good ? rank : -1;
}

static bool is_zero(const fmpq_mat_t v, slong i, slong from, slong to)
{
    bool zero = true;
    for (slong j = from; j < to && zero; j++)
        zero = fmpq_is_zero(fmpq_mat_entry(v, i, j));
    return zero;
}

bool darc_basis_related(bool *in, const fmpq_mat_t v, slong from, slong to)
{
    fmpq_mat_t m; /* column i: row i of v */
    slong n = fmpq_mat_nrows(v);
    bool below = false;
    fmpq_mat_init(m, to - from, n);
    for (slong i = 0; i < n; i++)
        for (slong j = from; j < to && is_zero(v, i, 0, from); j++)
            fmpq_set(fmpq_mat_entry(m, j - from, i), fmpq_mat_entry(v, i, j));
    slong rank = fmpq_mat_rref(m, m);
    for (slong k = 0, i = 0; k < rank; k++, i++) {
        while (fmpq_is_zero(fmpq_mat_entry(m, k, i)))
            i++;
        for (slong j = i + 1; j < n; j++) {
            /* Other pivots' columns are 0 here. */
            if (fmpq_is_zero(fmpq_mat_entry(m, k, j)))
                continue;
            in[i] = in[j] = true;
            below = below || !is_zero(v, i, to, fmpq_mat_ncols(v)) ||
                    !is_zero(v, j, to, fmpq_mat_ncols(v));
        }
    }
    fmpq_mat_clear(m);
    return below;
}

/* Set basis to the Hermite normal form of the rows. */
static void span_rows(fmpq_mat_t basis, const fmpq_mat_t v, const bool *in)
{
    slong n = fmpq_mat_nrows(v), m = fmpq_mat_ncols(v), rank = 0;
    fmpz_mat_t whole;
    fmpz_t below;
    fmpq_t q;
    fmpz_init_set_ui(below, 1);
    fmpq_init(q);
    fmpz_mat_init(whole, n, m);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < m && in[i]; j++)
            fmpz_lcm(below, below, fmpq_mat_entry_den(v, i, j));
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < m && in[i]; j++) {
            fmpq_mul_fmpz(q, fmpq_mat_entry(v, i, j), below);
            fmpz_set(fmpz_mat_entry(whole, i, j), fmpq_numref(q));
        }
    fmpz_mat_hnf(whole, whole);
    while (rank < n && !_fmpz_vec_is_zero(fmpz_mat_entry(whole, rank, 0), m))
        rank++;
    fmpq_mat_init(basis, rank, m);
    for (slong i = 0; i < rank; i++)
        for (slong j = 0; j < m; j++)
            fmpq_set_fmpz_frac(fmpq_mat_entry(basis, i, j),
                               fmpz_mat_entry(whole, i, j), below);
    fmpz_mat_clear(whole);
    fmpq_clear(q);
    fmpz_clear(below);
}

/* Set by to row i of v in the basis; return whether its sum is at most that. */
static bool express_row(fmpz *by, const fmpq_mat_t basis, const fmpq_mat_t v,
                        slong i, slong most)
{
    slong m = fmpq_mat_ncols(v);
    fmpq_mat_t row;
    fmpq_t q;
    fmpz_t sum;
    fmpz_init(sum);
    fmpq_init(q);
    fmpq_mat_init(row, 1, m);
    for (slong j = 0; j < m; j++)
        fmpq_set(fmpq_mat_entry(row, 0, j), fmpq_mat_entry(v, i, j));
    for (slong k = 0, j = 0; k < fmpq_mat_nrows(basis); k++) {
        while (fmpq_is_zero(fmpq_mat_entry(basis, k, j)))
            j++;
        fmpq_div(q, fmpq_mat_entry(row, 0, j), fmpq_mat_entry(basis, k, j));
        fmpz_set(by + k, fmpq_numref(q)); /* whole */
        for (slong h = j; h < m; h++)
            fmpq_submul(fmpq_mat_entry(row, 0, h), q,
                        fmpq_mat_entry(basis, k, h));
        fmpz_abs(fmpq_numref(q), fmpq_numref(q));
        fmpz_add(sum, sum, fmpq_numref(q));
    }
    bool few = fmpz_cmp_si(sum, most) <= 0;
    fmpq_mat_clear(row);
    fmpq_clear(q);
    fmpz_clear(sum);
    return few;
}

void darc_basis_find(fmpq_mat_t basis, fmpz_mat_t by, bool *in,
                     const fmpq_mat_t v, slong most)
{
    slong n = fmpq_mat_nrows(v);
    bool *taken = darc_calloc((size_t)n + 1, sizeof *taken);
    fmpq_mat_init(basis, 0, fmpq_mat_ncols(v));
    fmpz_mat_init(by, n, 0);
    for (slong i = 0; i < n; i++) {
        if (!in[i])
            continue;
        fmpq_mat_t more;
        fmpz_mat_t so;
        taken[i] = true;
        span_rows(more, v, taken);
        fmpz_mat_init(so, n, fmpq_mat_nrows(more));
        for (slong k = 0; k <= i && taken[i]; k++)
            if (taken[k])
                taken[i] =
                    express_row(fmpz_mat_entry(so, k, 0), more, v, k, most);
        in[i] = taken[i];
        if (in[i]) {
            fmpq_mat_swap(basis, more);
            fmpz_mat_swap(by, so);
        }
        fmpq_mat_clear(more);
        fmpz_mat_clear(so);
    }
    darc_free(taken);
}
