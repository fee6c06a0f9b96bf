#include "modular/determinant.h"

#include "algebra/minors.h"
#include "base/mem.h"

#include <stddef.h>
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

/* ---- minors ------------------------------------------------------------- */

typedef struct {
    slong terms, row;
} row_size;

static int by_terms(const void *a, const void *b)
{
    const row_size *x = a, *y = b;
    return (x->terms < y->terms) - (x->terms > y->terms);
}

static void mpoly_clear(void *x, void *user)
{
    nmod_mpoly_clear(x, ((darc_ring_struct *)user)->ctx);
}

static darc_status mpoly_sum(void *minor, const darc_minor_product *p, slong n,
                             void *user, darc_err *err)
{
    darc_ring_struct *ring = user;
    darc_status status = darc_ring_check(ring, err);
    nmod_mpoly_t t;
    nmod_mpoly_init(minor, ring->ctx);
    nmod_mpoly_init(t, ring->ctx);
    for (slong i = 0; i < n; i++) {
        const darc_mpoly *a = p[i].entry, *b = p[i].rest;
        DARC_TRY(darc_ring_take(ring, a, b, err));
        nmod_mpoly_mul(t, a, b, ring->ctx);
        if (p[i].sign > 0)
            nmod_mpoly_add(minor, minor, t, ring->ctx);
        else
            nmod_mpoly_sub(minor, minor, t, ring->ctx);
    }
done:
    nmod_mpoly_clear(t, ring->ctx);
    return status;
}

/* Set *m, the minor of no rows, to that of all, those with most terms first;
 * the entries stand row by row. */
static darc_status walk(darc_minors *m, const void *entry, darc_err *err)
{
    darc_status status = DARC_OK;
    slong n = m->places;
    row_size rows[DARC_MAX_MINORS] = {{0}};
    const char *first = entry;
    for (slong i = 0; i < n * n; i++) {
        rows[i / n].row = i / n;
        rows[i / n].terms +=
            *(const slong *)(first + (size_t)i * m->type.size + m->type.length);
    }
    qsort(rows, (size_t)n, sizeof *rows, by_terms);
    for (slong k = 0; k < n && status == DARC_OK; k++)
        status = darc_minors_add(
            m, first + (size_t)(rows[k].row * n) * m->type.size, 1, err);
    return status;
}

darc_status darc_matrix_det(darc_mpoly *r, const darc_matrix *M,
                            darc_ring_t ring, darc_err *err)
{
    if (M->n > DARC_MAX_MINORS)
        return darc_fail(err, DARC_LIMIT,
                         "a determinant of %ld rows is out of reach",
                         (long)M->n);
    const darc_minor_type type = {sizeof(darc_mpoly),
                                  offsetof(darc_mpoly, length), mpoly_sum,
                                  mpoly_clear, ring};
    darc_minors m;
    darc_mpoly one;
    nmod_mpoly_init(&one, ring->ctx);
    nmod_mpoly_one(&one, ring->ctx);
    darc_minors_init_take(&m, &type, &one, M->n, WORD_MAX);
    darc_status status = walk(&m, M->entry, err);
    if (status == DARC_OK && m.count == 1)
        nmod_mpoly_swap(r, m.minor, ring->ctx);
    else if (status == DARC_OK)
        nmod_mpoly_zero(r, ring->ctx);
    darc_minors_clear(&m);
    return status;
}
