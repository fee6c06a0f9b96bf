#include "relation/wronski.h"

#include "base/mem.h"

#include <assert.h>

/* Minors of the rows so far: minor[s] of the columns in the bit set s, NULL
 * where it is 0 or has another number of rows. */
typedef struct {
    const darc_relation *r;
    slong max_terms;
    slong sets; /* 2^columns */
    fmpz_mpoly_struct **minor;
} minors;

darc_status darc_fail_expansion(darc_err *err, slong columns, slong max_terms)
{
    return darc_fail(err, DARC_LIMIT,
                     "the expanded relation (determinant of %ld columns) "
                     "passes the bound of %ld terms; use --form matrix",
                     (long)columns, (long)max_terms);
}

static void drop(minors *m, slong s)
{
    if (m->minor[s] == NULL)
        return;
    fmpz_mpoly_clear(m->minor[s], m->r->jet->ctx);
    darc_free(m->minor[s]);
    m->minor[s] = NULL;
}

static void minors_clear(minors *m)
{
    for (slong s = 0; s < m->sets; s++)
        drop(m, s);
    darc_free(m->minor);
}

static fmpz_mpoly_struct *new_minor(minors *m, slong s)
{
    if (m->minor[s] == NULL) {
        m->minor[s] = darc_malloc(sizeof **m->minor);
        fmpz_mpoly_init(m->minor[s], m->r->jet->ctx);
    }
    return m->minor[s];
}

static darc_status minors_init(minors *m, const darc_relation *r,
                               slong max_terms, darc_err *err)
{
    m->r = r;
    m->max_terms = max_terms;
    m->sets = 0;
    m->minor = NULL;
    if (r->columns > DARC_MAX_MINOR_COLUMNS)
        return darc_fail_expansion(err, r->columns, max_terms);
    m->sets = (slong)1 << r->columns;
    m->minor = darc_calloc((size_t)m->sets, sizeof *m->minor);
    fmpz_mpoly_one(new_minor(m, 0), r->jet->ctx);
    return DARC_OK;
}

static int count_bits(slong s)
{
    int n = 0;
    for (; s != 0; s &= s - 1)
        n++;
    return n;
}

/* Add entry * minor[s] with its sign to minor[s + column j]. */
static darc_status extend_minor(minors *m, slong s, slong j,
                                const fmpz_mpoly_struct *entry, darc_err *err)
{
    const darc_jet_struct *jet = m->r->jet;
    double product = (double)entry->length * (double)m->minor[s]->length;
    if (product > DARC_EXPAND_FACTOR * (double)m->max_terms)
        return darc_fail_expansion(err, m->r->columns, m->max_terms);
    fmpz_mpoly_struct *to = new_minor(m, s | (slong)1 << j);
    darc_dpoly_t t;
    darc_dpoly_init(t, jet);
    fmpz_mpoly_mul(t, entry, m->minor[s], jet->ctx);
    if (count_bits(s >> (j + 1)) % 2 == 0)
        fmpz_mpoly_add(to, to, t, jet->ctx);
    else
        fmpz_mpoly_sub(to, to, t, jet->ctx);
    bool large =
        (double)to->length > DARC_EXPAND_FACTOR / 4 * (double)m->max_terms;
    darc_dpoly_clear(t, jet);
    return large ? darc_fail_expansion(err, m->r->columns, m->max_terms)
                 : DARC_OK;
}

/* Expand by row k: minors of k rows give way to those of k + 1. */
static darc_status add_row(minors *m, int k, const fmpz_mpoly_struct *row,
                           const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    for (slong s = 0; s < m->sets; s++) {
        if (m->minor[s] == NULL || count_bits(s) != k)
            continue;
        for (slong j = 0; j < m->r->columns; j++) {
            if ((s >> j & 1) != 0 ||
                fmpz_mpoly_is_zero(row + j, m->r->jet->ctx))
                continue;
            DARC_TRY(darc_budget_check(budget, err));
            DARC_TRY(extend_minor(m, s, j, row + j, err));
        }
        drop(m, s);
    }
done:
    return status;
}

/* Expand by all rows of the matrix. */
static darc_status add_rows(minors *m, const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    slong n = m->r->columns;
    for (slong k = 0; k + 1 < n; k++) {
        darc_progress at = {"expanding a determinant", k, n, 0};
        darc_budget_progress(budget, &at);
        DARC_TRY(add_row(m, (int)k, m->r->matrix->p + k * n, budget, err));
    }
done:
    return status;
}

darc_status darc_wronski_cofactors(darc_dpolys_t c, const darc_relation *r,
                                   slong max_terms, const darc_budget *budget,
                                   darc_err *err)
{
    minors m;
    darc_status status;
    DARC_TRY(minors_init(&m, r, max_terms, err));
    DARC_TRY(add_rows(&m, budget, err));
    for (slong j = 0; j < r->columns; j++) {
        fmpz_mpoly_struct *d = new_minor(&m, m.sets - 1 - ((slong)1 << j));
        if (j % 2 == 1)
            fmpz_mpoly_neg(d, d, r->jet->ctx);
        darc_dpolys_append(c, d, r->jet);
    }
done:
    minors_clear(&m);
    return status;
}

/* last is expanded like one more row below: sum_j (-1)^(n-1-j) last_j M_j,
 * which is (-1)^(n-1) times the determinant of last above the matrix. */
darc_status darc_wronski_determinant(darc_dpoly_t p, const darc_relation *r,
                                     slong max_terms, const darc_budget *budget,
                                     darc_err *err)
{
    assert(r->last->count == r->columns);
    minors m;
    darc_status status;
    int n = (int)r->columns;
    DARC_TRY(minors_init(&m, r, max_terms, err));
    DARC_TRY(add_rows(&m, budget, err));
    DARC_TRY(add_row(&m, n - 1, r->last->p, budget, err));
    fmpz_mpoly_swap(p, new_minor(&m, m.sets - 1), r->jet->ctx);
    if (n % 2 == 0)
        fmpz_mpoly_neg(p, p, r->jet->ctx);
done:
    minors_clear(&m);
    return status;
}
