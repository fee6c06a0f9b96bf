#include "eliminate/engine.h"

#include "algebra/minors.h"
#include "base/mem.h"

#include <stdlib.h>

void darc_polymat_init(darc_polymat *m, slong rows, slong columns,
                       const fmpz_mpoly_ctx_t ctx)
{
    size_t n = (size_t)(rows * columns);
    *m = (darc_polymat){rows, columns, darc_calloc(n + 1, sizeof *m->entry)};
    DARC_ALL_IN(fmpz_mpoly_init, ctx, m->entry, n);
}

void darc_polymat_clear(darc_polymat *m, const fmpz_mpoly_ctx_t ctx)
{
    DARC_ALL_IN(fmpz_mpoly_clear, ctx, m->entry, m->rows * m->columns);
    darc_free(m->entry);
}

fmpz_mpoly_struct *darc_polymat_entry(const darc_polymat *m, slong i, slong k)
{
    return m->entry + i * m->columns + k;
}

/* ---- minors ------------------------------------------------------------- */

typedef struct {
    const darc_polymat *matrix;
    const fmpz_mpoly_ctx_struct *ctx;
    const darc_budget *budget;
    double work;
} minors_work;

static darc_status check_work(const minors_work *w, darc_err *err)
{
    const darc_budget *b = w->budget;
    if (b != NULL && b->work > 0 && w->work > b->work)
        return darc_fail(err, DARC_LIMIT, "a dearer way");
    return darc_budget_check(b, err);
}

/* Count a product; see minors.h. */
static darc_status count(double product, slong length, void *user,
                         darc_err *err)
{
    (void)length;
    minors_work *w = user;
    w->work += DARC_KERNEL_PRICE * product;
    return check_work(w, err);
}

/* ---- the kernel --------------------------------------------------------- */

/* Return the column, of those left, that brings in the fewest rows; the one
 * with the fewest entries if there are several. */
static slong next_column(const bool *taken, const bool *touched,
                         const darc_polymat *m)
{
    slong best = -1, best_new = 0, best_all = 0;
    for (slong k = 0; k < m->columns; k++) {
        slong fresh = 0, all = 0;
        for (slong i = 0; i < m->rows; i++) {
            bool there = darc_polymat_entry(m, i, k)->length > 0;
            all += there;
            fresh += there && !touched[i];
        }
        if (taken[k] || (best >= 0 && (fresh > best_new ||
                                       (fresh == best_new && all >= best_all))))
            continue;
        best = k;
        best_new = fresh;
        best_all = all;
    }
    return best;
}

static darc_status all_columns(darc_minors *a, minors_work *w, darc_err *err)
{
    const darc_polymat *m = w->matrix;
    darc_status status = DARC_OK;
    bool *taken = darc_calloc((size_t)m->columns + 1, sizeof *taken);
    bool *touched = darc_calloc((size_t)m->rows, sizeof *touched);
    for (slong n = 0; n < m->columns; n++) {
        slong k = next_column(taken, touched, m);
        taken[k] = true;
        for (slong i = 0; i < m->rows; i++)
            touched[i] = touched[i] || darc_polymat_entry(m, i, k)->length > 0;
        darc_progress at = {
            "minors of the equations", n, m->columns,
            a->count > 0 ? ((fmpz_mpoly_struct *)a->minor)->length : 0};
        darc_budget_progress(w->budget, &at);
        DARC_TRY(darc_minors_add(a, m->entry + k, m->columns, err));
    }
done:
    DARC_FREE(taken, touched);
    return status;
}

static int by_length(const void *a, const void *b)
{
    const fmpz_mpoly_struct *const *x = a, *const *y = b;
    return ((*x)->length > (*y)->length) - ((*x)->length < (*y)->length);
}

/* Divide the n entries of w by their gcd. */
static darc_status divide_by_content(fmpz_mpoly_struct *w, slong n,
                                     minors_work *b, darc_err *err)
{
    darc_status status = DARC_OK;
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, b->ctx);
    fmpz_mpoly_struct **short_first =
        darc_calloc((size_t)n, sizeof *short_first);
    for (slong i = 0; i < n; i++)
        short_first[i] = w + i;
    qsort(short_first, (size_t)n, sizeof *short_first, by_length);
    for (slong i = 0; i < n && !fmpz_mpoly_is_one(g, b->ctx); i++) {
        DARC_TRY(check_work(b, err));
        if (!fmpz_mpoly_gcd(g, g, short_first[i], b->ctx))
            DARC_TRY(darc_fail(err, DARC_LIMIT, "a gcd is out of reach"));
    }
    for (slong i = 0; i < n && !fmpz_mpoly_is_one(g, b->ctx); i++)
        if (!fmpz_mpoly_divides(w + i, w + i, g, b->ctx))
            DARC_TRY(darc_fail(err, DARC_INTERNAL, "a gcd does not divide"));
done:
    darc_free(short_first);
    fmpz_mpoly_clear(g, b->ctx);
    return status;
}

darc_status darc_polymat_kernel(fmpz_mpoly_struct *w, const darc_polymat *m,
                                const fmpz_mpoly_ctx_t ctx,
                                const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    minors_work b = {.matrix = m, .ctx = ctx, .budget = budget};
    darc_minors a;
    darc_minor_polys p = {ctx, count, &b};
    if (m->rows != m->columns + 1 || m->rows > DARC_MAX_KERNEL)
        return darc_fail(err, DARC_DOMAIN, "%ld rows for %ld columns",
                         (long)m->rows, (long)m->columns);
    darc_minors_init_polys(&a, &p, m->rows, DARC_KERNEL_MINORS);
    DARC_TRY(all_columns(&a, &b, err));
    for (slong i = 0; i < m->rows; i++) { /* the minors without one row */
        uint64_t all = UINT64_MAX >> (64 - m->rows);
        const fmpz_mpoly_struct *minor =
            darc_minors_get(&a, all & ~(UINT64_C(1) << i));
        if (minor == NULL)
            fmpz_mpoly_zero(w + i, ctx);
        else if (i % 2 == 0)
            fmpz_mpoly_set(w + i, minor, ctx);
        else
            fmpz_mpoly_neg(w + i, minor, ctx);
    }
    if (a.count == 0)
        DARC_TRY(darc_fail(err, DARC_DOMAIN, "the columns are dependent"));
    status = divide_by_content(w, m->rows, &b, err);
done:
    darc_minors_clear(&a);
    return status;
}
