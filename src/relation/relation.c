#include "relation/relation.h"

#include "base/limits.h"
#include "base/mem.h"
#include "coefficient/coeffrel.h"
#include "relation/expand.h"
#include "relation/plan.h"
#include "relation/thresholds.h"

#include <assert.h>
#include <string.h>

typedef struct {
    darc_relations_struct *out;
    const darc_ioeqs_struct *io;
    darc_relation_task task; /* changed NULL: structure; max_terms is set */
} request;

static void relation_clear(darc_relation *r)
{
    for (slong i = 0; i < r->columns; i++)
        darc_free(r->column_name[i]);
    darc_free(r->column_name);
    darc_free(r->row_recording);
    darc_free(r->row_order);
    darc_free(r->note);
    darc_free(r->recording);
    darc_free(r->unknown);
    darc_dpolys_clear(r->matrix, r->jet);
    darc_dpolys_clear(r->last, r->jet);
    darc_dpolys_clear(r->inequations, r->jet);
    darc_dpoly_clear(r->poly, r->jet);
    fmpz_mpoly_clear(r->h, r->hctx);
    fmpz_mpoly_ctx_clear(r->hctx);
    darc_jet_clear(r->jet);
}

void darc_relations_clear(darc_relations_t r)
{
    for (int i = 0; i < r->count; i++)
        relation_clear(r->relation + i);
    darc_free(r->relation);
    r->relation = NULL;
    r->count = 0;
}

static void set_note(darc_relation *r, const char *note)
{
    darc_free(r->note);
    r->note = darc_strdup(note);
}

/* Hand over the relations so far, the last one in matrix form. */
static void reach(const request *q)
{
    darc_partial_t p;
    if (!darc_budget_is_read(q->task.budget))
        return;
    darc_ioeqs_reach(p, q->io);
    p->relations = q->out;
    darc_budget_reached(q->task.budget, p);
    darc_partial_clear(p);
}

/* Append the relation of the plan, closed by h or (NULL) the determinant. */
static darc_status append_relation(const request *q, const darc_plan_t p,
                                   const fmpz_mpoly_struct *h, const char *note,
                                   darc_err *err)
{
    static const char *const reduced =
        "the terms of the io-equation obey further linear relations, a signal "
        "being constant or bound by another equation; the determinant of some "
        "columns follows from the model but says less than the model";
    darc_status status;
    darc_relations_struct *out = q->out;
    out->relation = darc_grow(out->relation, (size_t)out->count, &out->alloc,
                              sizeof *out->relation);
    darc_relation *r = out->relation + out->count++;
    memset(r, 0, sizeof *r);
    r->test = q->task.test;
    DARC_TRY(darc_plan_build(r, p, q->task.test == DARC_STRUCTURE ? 1 : 2,
                             q->task.budget, err));
    if (h != NULL)
        fmpz_mpoly_set(r->h, h, r->hctx);
    set_note(r, note);
    if (p->reduced)
        set_note(r, reduced);
    r->necessary = p->reduced || (h != NULL && p->dimension < p->n - 2);
    if (q->task.form == DARC_FORM_EXPANDED)
        reach(q);
    if (q->task.form == DARC_FORM_EXPANDED)
        DARC_TRY(darc_expand(r, p, q->task.max_terms, q->task.budget, err));
done:
    return status;
}

/* The scales of the columns put into h: column i stands for b_i / scale_i,
 * so b_i is scale_i times the i-th cofactor. */
static void rescale(fmpz_mpoly_t h, const darc_plan_t p,
                    const fmpz_mpoly_ctx_t ctx)
{
    ulong *e = darc_calloc((size_t)p->n, sizeof *e);
    fmpz_t f;
    fmpz_init(f);
    for (slong t = 0; t < h->length; t++) {
        fmpz_mpoly_get_term_exp_ui(e, h, t, ctx);
        for (slong i = 0; i < p->n; i++) {
            fmpz_pow_ui(f, p->scale + i, e[i]);
            fmpz_mul(h->coeffs + t, h->coeffs + t, f);
        }
    }
    darc_free(e);
    fmpz_clear(f);
}

/* The coefficients obey algebraic relations: close the matrix by them. */
static darc_status append_closed(const request *q, darc_plan_t p, darc_err *err)
{
    static const char *const lower =
        "the coefficients obey several algebraic relations; each closes the "
        "matrix, and a relation of lower order than these may exist";
    static const char *const unknown =
        "the coefficients obey an algebraic relation that was not found; the "
        "determinant follows from the model but says less than the model";
    darc_status status;
    darc_coeffrel_t rel;
    DARC_TRY(darc_coeffrel_set_coeffs(rel, p->col, q->task.budget, err));
    if (rel->count == 0) {
        p->determinant = true;
        status = append_relation(q, p, NULL, unknown, err);
        if (status == DARC_OK)
            q->out->relation[q->out->count - 1].necessary = true;
    }
    for (slong i = 0;
         i < rel->count && i < DARC_MAX_CLOSINGS && status == DARC_OK; i++) {
        rescale(rel->h + i, p, rel->ctx);
        status = append_relation(q, p, rel->h + i,
                                 rel->codimension > 1 ? lower : "", err);
    }
    darc_coeffrel_clear(rel);
done:
    return status;
}

/* Append the relations of one equation on the recordings first .. last. */
static darc_status append_plan(const request *q, int equation, int first,
                               int last, const char *note, darc_err *err)
{
    darc_status status;
    darc_plan_t p = {{.io = q->io,
                      .equation = equation,
                      .changed = first < last ? q->task.changed : NULL,
                      .first = first,
                      .last = last}};
    DARC_TRY(darc_plan_init(p, q->task.budget, err));
    if (q->task.form == DARC_FORM_EXPANDED && p->n > DARC_MAX_MINOR_COLUMNS)
        status = darc_fail_expansion(err, p->n, q->task.max_terms);
    else
        status = p->determinant ? append_relation(q, p, NULL, note, err)
                                : append_closed(q, p, err);
    darc_plan_clear(p);
done:
    return status;
}

static darc_status append_equation(const request *q, int equation,
                                   darc_err *err)
{
    static const char *const unlinked =
        "the change explains every pair of recordings: only the structure of "
        "each is tested";
    darc_status status;
    if (q->task.test == DARC_STRUCTURE)
        return append_plan(q, equation, 0, 0, "", err);
    if (darc_plan_is_linked(q->io, equation, q->task.changed))
        return append_plan(q, equation, 0, 1, "", err);
    DARC_TRY(append_plan(q, equation, 0, 0, unlinked, err));
    DARC_TRY(append_plan(q, equation, 1, 1, unlinked, err));
done:
    return status;
}

/* Return whether a coefficient of some equation depends on parameter u, or may:
 * an equation is not expanded. */
static bool is_seen(const darc_ioeqs_t io, int u)
{
    for (int i = 0; i < io->count; i++)
        if (!io->eq[i].expanded)
            return true;
    for (int i = 0; i < io->count; i++)
        for (slong j = 0; j < io->eq[i].coeff->count; j++)
            if (darc_dpoly_order(io->eq[i].coeff->p + j, u, io->jet) >= 0)
                return true;
    return false;
}

static darc_status check_changed(const request *q, darc_err *err)
{
    const darc_names_struct *names = q->io->jet->names;
    for (int u = 0; u < names->count; u++)
        if (q->task.changed[u] &&
            (names->symbol[u].kind != DARC_PARAMETER || !is_seen(q->io, u)))
            return darc_fail(err, DARC_DOMAIN,
                             "'%s' is no parameter of the io-equations: the "
                             "signals do not show its change",
                             names->symbol[u].name);
    return DARC_OK;
}

darc_status darc_relations_init(darc_relations_t out, const darc_ioeqs_t io,
                                const darc_relation_task *task, darc_err *err)
{
    assert(task->test != DARC_CHANGED || task->changed != NULL);
    darc_status status = DARC_OK;
    *out = (darc_relations_struct){.count = 0};
    bool *none = darc_calloc((size_t)io->jet->names->count, sizeof *none);
    request q = {out, io, *task};
    if (task->test != DARC_CHANGED)
        q.task.changed = none;
    if (task->max_terms <= 0)
        q.task.max_terms = DARC_MAX_EXPANDED_TERMS;
    if (io->count == 0)
        DARC_TRY(darc_fail(err, DARC_DOMAIN,
                           "there is no io-equation to "
                           "test"));
    DARC_TRY(check_changed(&q, err));
    if (task->test == DARC_STRUCTURE)
        q.task.changed = NULL;
    for (int i = 0; i < io->count; i++)
        DARC_TRY(append_equation(&q, i, err));
done:
    if (status != DARC_OK)
        darc_relations_clear(out);
    darc_free(none);
    return status;
}
