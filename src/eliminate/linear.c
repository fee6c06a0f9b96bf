#include "eliminate/engine.h"

#include "base/mem.h"
#include "modular/resultant.h"

#include <assert.h>

/* Return the degree of the monomial in states and their derivatives; *other
 * is set to whether it contains a signal. */
static ulong state_degree(const ulong *exp, bool *other,
                          const darc_projection_t proj)
{
    ulong degree = 0;
    *other = false;
    slong states = 2 * proj->s->states;
    for (slong v = 0; v < proj->ring->side; v++)
        if (v < states)
            degree += exp[v];
        else if (exp[v] != 0)
            *other = true;
    return degree;
}

static bool is_linear_part(const darc_mpoly *f, const darc_projection_t proj)
{
    bool linear = true, other;
    ulong *exp = darc_calloc((size_t)proj->ring->vars, sizeof *exp);
    for (slong t = 0; t < f->length && linear; t++) {
        nmod_mpoly_get_term_exp_ui(exp, f, t, proj->ring->ctx);
        ulong degree = state_degree(exp, &other, proj);
        linear = degree == 0 || (degree == 1 && !other);
    }
    darc_free(exp);
    return linear;
}

bool darc_linear_applies(const darc_projection_t proj)
{
    for (int i = 0; i < proj->s->states; i++)
        if (!is_linear_part(proj->E + i, proj))
            return false;
    for (int j = 0; j < proj->s->outputs; j++)
        if (!is_linear_part(proj->Q + j, proj))
            return false;
    return true;
}

/* The rows of all Lie derivatives up to the orders: row[j][k], k <=
 * target[j], is a multiple of y_j^(k) - (r x + s). */
typedef struct {
    darc_mpoly **row;
    slong rank;    /* sum of the orders */
    slong *column; /* rank variables of states, independent columns */
} rows;

static darc_status rows_init(rows *w, darc_projection_t proj, darc_err *err)
{
    const darc_solved_struct *s = proj->s;
    const nmod_mpoly_ctx_struct *ctx = proj->ring->ctx;
    darc_status status = DARC_OK;
    *w = (rows){.row = darc_calloc((size_t)s->outputs, sizeof *w->row)};
    w->column = darc_calloc((size_t)s->states + 1, sizeof *w->column);
    for (int j = 0; j < s->outputs; j++) {
        int top = proj->target[j];
        w->row[j] = darc_calloc((size_t)top + 1, sizeof **w->row);
        for (int k = 0; k <= top; k++)
            nmod_mpoly_init(w->row[j] + k, ctx);
    }
    for (int j = 0; j < s->outputs; j++) {
        nmod_mpoly_set(w->row[j], proj->Q + j, ctx);
        for (int k = 0; k < proj->target[j]; k++)
            DARC_TRY(darc_projection_lie(w->row[j] + k + 1, w->row[j] + k, proj,
                                         err));
        w->rank += proj->target[j];
    }
done:
    return status;
}

/* Find independent columns of the rows below the orders, by elimination at
 * the point. */
static void find_independent(rows *w, const darc_projection_t proj)
{
    const darc_solved_struct *s = proj->s;
    slong r = 0, column = 0;
    nmod_mat_t m;
    nmod_mpoly_t c;
    nmod_mpoly_init(c, proj->ring->ctx);
    nmod_mat_init(m, w->rank, s->states, proj->ring->mod.n);
    for (int j = 0; j < s->outputs; j++)
        for (int k = 0; k < proj->target[j]; k++, r++)
            for (int i = 0; i < s->states; i++) {
                nmod_mpoly_derivative(c, w->row[j] + k, proj->x[i],
                                      proj->ring->ctx);
                nmod_mat_entry(m, r, i) = darc_ring_value(c, proj->ring);
            }
    slong rank = nmod_mat_rref(m);
    assert(rank == w->rank);
    for (slong i = 0; i < rank; i++) {
        while (nmod_mat_entry(m, i, column) == 0)
            column++;
        w->column[i] = proj->x[column];
    }
    nmod_mat_clear(m);
    nmod_mpoly_clear(c, proj->ring->ctx);
}

/* Set rest to the terms of f that are free of states. */
static void take_rest(darc_mpoly *rest, const darc_mpoly *f,
                      const darc_projection_t proj)
{
    bool other;
    const nmod_mpoly_ctx_struct *ctx = proj->ring->ctx;
    ulong *exp = darc_calloc((size_t)proj->ring->vars, sizeof *exp);
    nmod_mpoly_zero(rest, ctx);
    for (slong t = 0; t < f->length; t++) {
        nmod_mpoly_get_term_exp_ui(exp, f, t, ctx);
        if (state_degree(exp, &other, proj) == 0)
            nmod_mpoly_push_term_ui_ui(rest, f->coeffs[t], exp, ctx);
    }
    darc_free(exp);
}

/* Return relation r: those below the orders, then the last one of output j. */
static const darc_mpoly *relation(const rows *w, slong r, int j,
                                  const darc_projection_t proj)
{
    if (r == w->rank)
        return w->row[j] + proj->target[j];
    int i = 0;
    while (r >= proj->target[i])
        r -= proj->target[i++];
    return w->row[i] + r;
}

/* Set Q_j to the determinant of these relations, in independent columns. */
static darc_status by_determinant(darc_projection_t proj, const rows *w, int j,
                                  darc_err *err)
{
    darc_matrix M;
    const nmod_mpoly_ctx_struct *ctx = proj->ring->ctx;
    darc_matrix_init(&M, w->rank + 1, proj->ring);
    for (slong r = 0; r <= w->rank; r++) {
        const darc_mpoly *f = relation(w, r, j, proj);
        for (slong i = 0; i < w->rank; i++)
            nmod_mpoly_derivative(darc_matrix_entry(&M, r, i), f, w->column[i],
                                  ctx);
        take_rest(darc_matrix_entry(&M, r, w->rank), f, proj);
    }
    darc_status status = darc_matrix_det(proj->Q + j, &M, proj->ring, err);
    if (status == DARC_OK)
        status = darc_ring_select(proj->Q + j, proj->ring, err);
    darc_matrix_clear(&M, proj->ring);
    return status;
}

/* The same with numbers for the parameters: the one combination of the
 * relations that is free of states. */
static void by_kernel(darc_projection_t proj, const rows *w, int j)
{
    nmod_mat_t m, kernel;
    nmod_mpoly_t p;
    const nmod_mpoly_ctx_struct *ctx = proj->ring->ctx;
    nmod_mat_init(m, w->rank, w->rank + 1, proj->ring->mod.n);
    nmod_mat_init(kernel, w->rank + 1, w->rank + 1, proj->ring->mod.n);
    nmod_mpoly_init(p, ctx);
    for (slong r = 0; r <= w->rank; r++)
        for (slong i = 0; i < w->rank; i++) {
            nmod_mpoly_derivative(p, relation(w, r, j, proj), w->column[i],
                                  ctx);
            nmod_mat_entry(m, i, r) = darc_ring_value(p, proj->ring);
        }
    nmod_mat_nullspace(kernel, m); /* the columns are independent: a line */
    nmod_mpoly_zero(proj->Q + j, ctx);
    for (slong r = 0; r <= w->rank; r++) {
        take_rest(p, relation(w, r, j, proj), proj);
        nmod_mpoly_scalar_mul_ui(p, p, nmod_mat_entry(kernel, r, 0), ctx);
        nmod_mpoly_add(proj->Q + j, proj->Q + j, p, ctx);
    }
    nmod_mpoly_clear(p, ctx);
    nmod_mat_clear(kernel);
    nmod_mat_clear(m);
}

darc_status darc_linear_run(darc_projection_t proj, darc_reached_t reached,
                            darc_err *err)
{
    rows w;
    slong rank = 0;
    for (int j = 0; j < proj->s->outputs; j++)
        rank += proj->target[j];
    if (rank > DARC_MAX_LINEAR && !proj->numeric)
        return darc_fail(err, DARC_DOMAIN,
                         "%ld observed states are more than the %d that "
                         "determinants are for",
                         (long)rank, DARC_MAX_LINEAR);
    darc_status status = rows_init(&w, proj, err);
    if (status != DARC_OK)
        goto done;
    find_independent(&w, proj);
    for (int j = 0; j < proj->s->outputs && status == DARC_OK; j++) {
        if (proj->numeric) {
            by_kernel(proj, &w, j);
            continue;
        }
        darc_reached_projection(reached, proj);
        status = by_determinant(proj, &w, j, err);
    }
done:
    for (int j = 0; j < proj->s->outputs; j++) {
        for (int k = 0; k <= proj->target[j]; k++)
            nmod_mpoly_clear(w.row[j] + k, proj->ring->ctx);
        darc_free(w.row[j]);
    }
    DARC_FREE(w.row, w.column);
    return status;
}
