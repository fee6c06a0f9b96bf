#include "relation/wronski.h"

#include "algebra/minors.h"

#include <assert.h>

darc_status darc_fail_expansion(darc_err *err, slong columns, slong max_terms)
{
    return darc_fail(err, DARC_LIMIT,
                     "the expanded relation (determinant of %ld columns) "
                     "passes the bound of %ld terms; use --form matrix",
                     (long)columns, (long)max_terms);
}

typedef struct {
    const darc_relation *r;
    slong max_terms;
    const darc_budget *budget;
} job;

/* See minors.h. */
static darc_status check(double product, slong length, void *user,
                         darc_err *err)
{
    const job *w = user;
    double most = DARC_EXPAND_FACTOR * (double)w->max_terms;
    if (product > most || (double)length > most / 4)
        return darc_fail_expansion(err, w->r->columns, w->max_terms);
    return darc_budget_check(w->budget, err);
}

/* Set *m to the minors of all rows of the matrix; on failure it is cleared. */
static darc_status matrix_minors(darc_minors *m, darc_minor_polys *p,
                                 darc_err *err)
{
    const job *w = p->user;
    slong n = w->r->columns;
    darc_status status = DARC_OK;
    if (n > DARC_MAX_MINOR_COLUMNS)
        return darc_fail_expansion(err, n, w->max_terms);
    darc_minors_init_polys(m, p, n, WORD_MAX);
    for (slong k = 0; k + 1 < n && status == DARC_OK; k++) {
        darc_progress at = {"expanding a determinant", k, n, 0};
        darc_budget_progress(w->budget, &at);
        status = darc_minors_add(m, w->r->matrix->p + k * n, 1, err);
    }
    if (status != DARC_OK)
        darc_minors_clear(m);
    return status;
}

darc_status darc_wronski_cofactors(darc_dpolys_t c, const darc_relation *r,
                                   slong max_terms, const darc_budget *budget,
                                   darc_err *err)
{
    job w = {r, max_terms, budget};
    darc_minor_polys p = {r->jet->ctx, check, &w};
    darc_minors m;
    darc_status status = matrix_minors(&m, &p, err);
    if (status != DARC_OK)
        return status;
    darc_dpoly_t d;
    darc_dpoly_init(d, r->jet);
    uint64_t all = (UINT64_C(1) << r->columns) - 1;
    for (slong j = 0; j < r->columns; j++) {
        fmpz_mpoly_struct *minor =
            darc_minors_get(&m, all - (UINT64_C(1) << j));
        fmpz_mpoly_zero(d, r->jet->ctx);
        if (minor != NULL)
            fmpz_mpoly_swap(d, minor, r->jet->ctx);
        if (j % 2 == 1)
            fmpz_mpoly_neg(d, d, r->jet->ctx);
        darc_dpolys_append_take(c, d, r->jet);
    }
    darc_dpoly_clear(d, r->jet);
    darc_minors_clear(&m);
    return DARC_OK;
}

/* last is expanded like one more row below: sum_j (-1)^(n-1-j) last_j M_j,
 * which is (-1)^(n-1) times the determinant of last above the matrix. */
darc_status darc_wronski_determinant(darc_dpoly_t p, const darc_relation *r,
                                     slong max_terms, const darc_budget *budget,
                                     darc_err *err)
{
    assert(r->last->count == r->columns);
    job w = {r, max_terms, budget};
    darc_minor_polys polys = {r->jet->ctx, check, &w};
    darc_minors m;
    darc_status status = matrix_minors(&m, &polys, err);
    if (status != DARC_OK)
        return status;
    status = darc_minors_add(&m, r->last->p, 1, err);
    fmpz_mpoly_zero(p, r->jet->ctx);
    if (status == DARC_OK && m.count == 1)
        fmpz_mpoly_swap(p, m.minor, r->jet->ctx);
    if (r->columns % 2 == 0)
        fmpz_mpoly_neg(p, p, r->jet->ctx);
    darc_minors_clear(&m);
    return status;
}
