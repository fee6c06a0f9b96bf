#include "model/fraction.h"

#include <assert.h>

/* The augmented matrix: n rows of n + 1 entries. */
typedef struct {
    darc_dpoly_struct *a;
    slong n;
    const darc_jet_struct *jet;
} matrix;

static darc_dpoly_struct *entry(const matrix *m, slong i, slong j)
{
    return m->a + i * (m->n + 1) + j;
}

/* Return the row from k on whose entry in column k is the shortest that is
 * not 0; -1 if there is none. */
static slong find_pivot(const matrix *m, slong k)
{
    slong best = -1;
    for (slong i = k; i < m->n; i++) {
        slong length = fmpz_mpoly_length(entry(m, i, k), m->jet->ctx);
        if (length > 0 &&
            (best < 0 ||
             length < fmpz_mpoly_length(entry(m, best, k), m->jet->ctx)))
            best = i;
    }
    return best;
}

/* Row i becomes (pivot * row i - a[i][k] * row k) / previous pivot; the
 * division is exact [Bareiss]. */
static void eliminate_row(const matrix *m, slong i, slong k,
                          const darc_dpoly_t previous)
{
    const fmpz_mpoly_ctx_struct *ctx = m->jet->ctx;
    darc_dpoly_t s, t, factor;
    darc_dpoly_init(s, m->jet);
    darc_dpoly_init(t, m->jet);
    darc_dpoly_init(factor, m->jet);
    fmpz_mpoly_set(factor, entry(m, i, k), ctx);
    for (slong j = 0; j <= m->n; j++) {
        fmpz_mpoly_mul(s, entry(m, k, k), entry(m, i, j), ctx);
        fmpz_mpoly_mul(t, factor, entry(m, k, j), ctx);
        fmpz_mpoly_sub(s, s, t, ctx);
        int exact = fmpz_mpoly_divides(entry(m, i, j), s, previous, ctx);
        assert(exact);
        (void)exact;
    }
    darc_dpoly_clear(s, m->jet);
    darc_dpoly_clear(t, m->jet);
    darc_dpoly_clear(factor, m->jet);
}

darc_status darc_fraction_solve(darc_fraction_struct *x, darc_dpoly_struct *a,
                                slong n, const darc_jet_t jet, darc_err *err)
{
    const matrix m = {a, n, jet};
    darc_status status = DARC_OK;
    darc_dpoly_t previous;
    darc_dpoly_init(previous, jet);
    fmpz_mpoly_one(previous, jet->ctx);
    /* Invariant: columns 0 .. k-1 are zero but for `previous`, the leading
     * minor of order k, on the diagonal. */
    for (slong k = 0; k < n; k++) {
        slong pivot = find_pivot(&m, k);
        if (pivot < 0) {
            status = darc_fail(err, DARC_DOMAIN, "singular linear equations");
            goto done;
        }
        for (slong j = 0; j <= n && pivot != k; j++)
            fmpz_mpoly_swap(entry(&m, pivot, j), entry(&m, k, j), jet->ctx);
        for (slong i = 0; i < n; i++)
            if (i != k)
                eliminate_row(&m, i, k, previous);
        fmpz_mpoly_set(previous, entry(&m, k, k), jet->ctx);
    }
    for (slong k = 0; k < n; k++) {
        fmpz_mpoly_swap(x[k].num, entry(&m, k, n), jet->ctx);
        fmpz_mpoly_set(x[k].den, entry(&m, k, k), jet->ctx);
        darc_fraction_cancel(x + k, jet);
    }
done:
    darc_dpoly_clear(previous, jet);
    return status;
}
