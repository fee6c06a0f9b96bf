#include "modular/minors.h"

#include "base/mem.h"

#include <stdlib.h>

void darc_matrix_init(darc_matrix *M, slong n, const darc_ring_t ring)
{
    M->n = n;
    M->entry = darc_calloc((size_t)(n * n), sizeof *M->entry);
    for (slong i = 0; i < n * n; i++)
        nmod_mpoly_init(M->entry + i, ring->ctx);
}

void darc_matrix_clear(darc_matrix *M, const darc_ring_t ring)
{
    for (slong i = 0; i < M->n * M->n; i++)
        nmod_mpoly_clear(M->entry + i, ring->ctx);
    darc_free(M->entry);
}

darc_mpoly *darc_matrix_entry(const darc_matrix *M, slong i, slong k)
{
    return M->entry + i * M->n + k;
}

/* Divide the n entries first, first + stride, ... by their gcd. */
static darc_status reduce_line(darc_mpoly *first, slong stride, slong n,
                               darc_ring_t ring, darc_err *err)
{
    nmod_mpoly_t g;
    nmod_mpoly_init(g, ring->ctx);
    darc_status status = DARC_OK;
    for (slong i = 0; i < n; i++) {
        if (nmod_mpoly_is_one(g, ring->ctx))
            goto done;
        if (!nmod_mpoly_gcd(g, g, first + i * stride, ring->ctx)) {
            status = darc_fail(err, DARC_LIMIT, "a gcd is out of reach");
            goto done;
        }
    }
    DARC_TRY(darc_budget_check(ring->budget, err));
    if (nmod_mpoly_is_zero(g, ring->ctx) || nmod_mpoly_is_ui(g, ring->ctx) ||
        darc_ring_value(g, ring) == 0)
        goto done;
    DARC_TRY(darc_ring_remember_factors(ring, g, err));
    for (slong i = 0; i < n; i++)
        nmod_mpoly_divides(first + i * stride, first + i * stride, g,
                           ring->ctx);
done:
    nmod_mpoly_clear(g, ring->ctx);
    return status;
}

darc_status darc_matrix_reduce(darc_matrix *M, darc_ring_t ring, darc_err *err)
{
    darc_status status = DARC_OK;
    for (slong i = 0; i < M->n; i++)
        DARC_TRY(reduce_line(M->entry + i * M->n, 1, M->n, ring, err));
    for (slong k = 0; k < M->n; k++)
        DARC_TRY(reduce_line(M->entry + k, M->n, M->n, ring, err));
done:
    return status;
}

typedef struct {
    slong terms, row;
} row_size;

static int by_terms(const void *a, const void *b)
{
    const row_size *x = a, *y = b;
    return (x->terms < y->terms) - (x->terms > y->terms);
}

/* Set rows to the rows of M, those with most terms first. */
static void sort_rows(row_size *rows, const darc_matrix *M)
{
    for (slong i = 0; i < M->n; i++) {
        rows[i] = (row_size){0, i};
        for (slong k = 0; k < M->n; k++)
            rows[i].terms += M->entry[i * M->n + k].length;
    }
    qsort(rows, (size_t)M->n, sizeof *rows, by_terms);
}

/* Set minor[set] from the minors of one row less: expansion along row. */
static void expand(darc_mpoly *minor, slong set, const darc_mpoly *row, slong n,
                   darc_ring_t ring)
{
    nmod_mpoly_t t;
    nmod_mpoly_init(t, ring->ctx);
    int sign = 0;
    for (slong k = 0; k < n; k++) {
        if (!((set >> k) & 1))
            continue;
        const darc_mpoly *rest = minor + (set & ~(WORD(1) << k));
        sign = !sign;
        if (row[k].length == 0 || rest->length == 0)
            continue;
        ring->work += (double)row[k].length * (double)rest->length;
        nmod_mpoly_mul(t, row + k, rest, ring->ctx);
        if (sign)
            nmod_mpoly_add(minor + set, minor + set, t, ring->ctx);
        else
            nmod_mpoly_sub(minor + set, minor + set, t, ring->ctx);
    }
    nmod_mpoly_clear(t, ring->ctx);
}

static int bits(slong set)
{
    int count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

darc_status darc_matrix_det(darc_mpoly *r, const darc_matrix *M,
                            darc_ring_t ring, darc_err *err)
{
    slong n = M->n;
    if (n > DARC_MAX_MINORS)
        return darc_fail(err, DARC_LIMIT,
                         "a determinant of %ld rows is out of reach", (long)n);
    slong sets = WORD(1) << n;
    darc_status status = DARC_OK;
    darc_mpoly *minor = darc_calloc((size_t)sets, sizeof *minor);
    row_size *rows = darc_calloc((size_t)n, sizeof *rows);
    sort_rows(rows, M);
    for (slong s = 0; s < sets; s++)
        nmod_mpoly_init(minor + s, ring->ctx);
    nmod_mpoly_one(minor, ring->ctx);
    for (int size = 1; size <= n; size++) {
        const darc_mpoly *row = M->entry + rows[size - 1].row * n;
        for (slong s = 0; s < sets; s++) {
            if (bits(s) == size)
                expand(minor, s, row, n, ring);
            DARC_TRY(darc_budget_check(ring->budget, err));
            if (ring->work > ring->work_limit) {
                status = darc_fail(err, DARC_LIMIT, "a dearer way");
                goto done;
            }
        }
        for (slong s = 0; s < sets; s++)
            if (bits(s) == size - 1)
                nmod_mpoly_zero(minor + s, ring->ctx);
    }
    nmod_mpoly_swap(r, minor + sets - 1, ring->ctx);
done:
    for (slong s = 0; s < sets; s++)
        nmod_mpoly_clear(minor + s, ring->ctx);
    darc_free(minor);
    darc_free(rows);
    return status;
}
