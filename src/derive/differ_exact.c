#include "base/mem.h"
#include "derive/differ_inside.h"

#include <assert.h>
#include <math.h>

/* Set q to the double x, exactly. */
static void set_double(fmpq_t q, double x)
{
    int e;
    double mantissa = frexp(x, &e);
    fmpz_set_si(fmpq_numref(q), (slong)(mantissa * 0x1p53));
    fmpz_one(fmpq_denref(q));
    fmpq_canonicalise(q);
    if (e >= 53)
        fmpq_mul_2exp(q, q, (flint_bitcnt_t)(e - 53));
    else
        fmpq_div_2exp(q, q, (flint_bitcnt_t)(53 - e));
}

/* Points of the formula of derivative k around sample i. */
static void set_points(fmpq *x, const darc_differ *d, int half, size_t i)
{
    const darc_table *table = d->table;
    fmpq_t centre;
    fmpq_init(centre);
    if (table->dt > 0)
        set_double(centre, table->dt);
    else
        set_double(centre, table->time[i]);
    for (int j = 0; j <= 2 * half; j++) {
        if (table->dt > 0) {
            fmpq_set_si(x + j, j - half, 1);
            fmpq_mul(x + j, x + j, centre);
        } else {
            set_double(x + j, table->time[i - (size_t)half + (size_t)j]);
            fmpq_sub(x + j, x + j, centre);
        }
    }
    fmpq_clear(centre);
}

/* w = X (X^T X)^-1 k! e_k, X[j][m] = x_j^m: of all weights with the moments
 * of the derivative up to the degree, the least in the sum of squares. */
static void solve_moments(fmpq *w, const fmpq *x, int n, int degree, int k)
{
    fmpq_mat_t powers, transposed, gram, rhs, sum, weights;
    slong columns = degree + 1;
    fmpq_mat_init(powers, n, columns);
    fmpq_mat_init(transposed, columns, n);
    fmpq_mat_init(gram, columns, columns);
    fmpq_mat_init(rhs, columns, 1);
    fmpq_mat_init(sum, columns, 1);
    fmpq_mat_init(weights, n, 1);
    for (int j = 0; j < n; j++)
        for (slong m = 0; m < columns; m++)
            fmpq_pow_si(fmpq_mat_entry(powers, j, m), x + j, m);
    fmpz_fac_ui(fmpq_numref(fmpq_mat_entry(rhs, k, 0)), (ulong)k);
    fmpq_mat_transpose(transposed, powers);
    fmpq_mat_mul(gram, transposed, powers);
    int solved = fmpq_mat_solve(sum, gram, rhs);
    assert(solved);
    (void)solved;
    fmpq_mat_mul(weights, powers, sum);
    for (int j = 0; j < n; j++)
        fmpq_set(w + j, fmpq_mat_entry(weights, j, 0));
    fmpq_mat_clear(weights);
    fmpq_mat_clear(sum);
    fmpq_mat_clear(rhs);
    fmpq_mat_clear(gram);
    fmpq_mat_clear(transposed);
    fmpq_mat_clear(powers);
}

void darc_differ_weights_exact(const darc_differ *differ, int k, size_t i,
                               fmpq *w)
{
    int half = darc_differ_half(differ, k), n = 2 * half + 1;
    bool central = differ->spec.kind == DARC_DIFF_CENTRAL || k == 0;
    fmpq *x = darc_calloc((size_t)n, sizeof *x);
    for (int j = 0; j < n; j++)
        fmpq_init(x + j);
    set_points(x, differ, half, i);
    solve_moments(w, x, n, central ? n - 1 : differ->spec.degree, k);
    for (int j = 0; j < n; j++)
        fmpq_clear(x + j);
    darc_free(x);
}
