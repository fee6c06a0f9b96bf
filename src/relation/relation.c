#include "relation/relation.h"

#include "base/limits.h"
#include "base/mem.h"
#include "coefficient/coeffrel.h"
#include "relation/plan.h"
#include "relation/thresholds.h"

#include <assert.h>
#include <string.h>

static slong row_count(const darc_plan_t p)
{
    return p->determinant ? p->n : p->n - 1;
}

/* The signals of the equation, once for each recording that gives rows. */
static void add_signals(darc_relation *r, darc_names_t names,
                        const darc_plan_t p, int recordings)
{
    const darc_jet_struct *jet = p->io->jet;
    size_t room = 2 * (size_t)jet->names->count;
    DARC_CALLOC(room, r->recording, r->unknown);
    for (int u = 0; u < jet->names->count; u++) {
        const darc_symbol *s = jet->names->symbol + u;
        if (s->kind == DARC_PARAMETER ||
            darc_dpoly_order(p->io->eq[p->equation].poly, u, jet) < 0)
            continue;
        for (int copy = p->first; copy <= p->last; copy++) {
            char *name = recordings == 1
                             ? darc_strdup(s->name)
                             : darc_coeffs_copy_name(s->name, copy, jet->names);
            int w = darc_names_add(names, name, s->kind);
            darc_free(name);
            r->recording[w] = copy;
            r->unknown[w] = u;
        }
    }
}

/* Copies of a signal stand side by side in its block, A above B. */
static void set_frame(darc_relation *r, const darc_plan_t p, int recordings)
{
    const darc_jet_struct *jet = p->io->jet;
    darc_names_t names;
    darc_ranking_t rk;
    darc_names_init(names);
    add_signals(r, names, p, recordings);
    darc_ranking_init(rk, names->count);
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    for (int w = 0; w < names->count; w++) {
        int u = r->unknown[w];
        rk->block[w] = jet->ranking->block[u];
        rk->position[w] = 2 * jet->ranking->position[u] + r->recording[w];
        int rows = 0; /* the highest derivation of its recording */
        for (slong i = 0; i < row_count(p); i++)
            if (p->row_recording[i] == r->recording[w])
                rows = FLINT_MAX(rows, p->row_order[i]);
        bound[w] = rows + darc_dpoly_order(p->io->eq[p->equation].poly, u, jet);
        r->order = FLINT_MAX(r->order, bound[w]);
    }
    darc_jet_init(r->jet, names, rk, bound);
    darc_free(bound);
    darc_ranking_clear(rk);
    darc_names_clear(names);
}

/* Set map[u] to the copy of unknown u for a recording, -1: none. */
static void copy_map(int *map, const darc_relation *r, int recording,
                     int unknowns)
{
    DARC_FILL(map, unknowns, -1);
    for (int w = 0; w < r->jet->names->count; w++)
        if (r->recording[w] == recording)
            map[r->unknown[w]] = w;
}

/* Append the entries of recording p->first + i without derivation. */
static darc_status base_row(darc_dpolys_t row, const darc_relation *r,
                            const darc_plan_t p, int i, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_jet_struct *from = p->io->jet;
    const darc_dpolys_struct *part = p->io->eq[p->equation].part;
    int *map = darc_calloc((size_t)from->names->count, sizeof *map);
    copy_map(map, r, p->first + i, from->names->count);
    darc_dpoly_t sum, term;
    darc_dpoly_init(term, r->jet);
    for (slong c = 0; c < p->n; c++) {
        darc_dpoly_init(sum, r->jet);
        for (slong j = 0; j < part->count && status == DARC_OK; j++) {
            const fmpq *q = fmpq_mat_entry(p->q, p->vec->first[i] + j, c);
            if (fmpq_is_zero(q))
                continue;
            status = darc_dpoly_map(term, r->jet, part->p + j, from, map, err);
            fmpz_mpoly_scalar_mul_fmpz(term, term, fmpq_numref(q), r->jet->ctx);
            fmpz_mpoly_add(sum, sum, term, r->jet->ctx);
        }
        darc_dpolys_append_take(row, sum, r->jet);
        darc_dpoly_clear(sum, r->jet);
    }
    darc_dpoly_clear(term, r->jet);
    darc_free(map);
    return status;
}

/* Append the rows; they ascend in the derivation of each recording, but for the
 * last, which may have been passed over. */
static darc_status set_rows(darc_relation *r, const darc_plan_t p,
                            const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    int order[2] = {0, 0};
    darc_dpolys_t current[2]; /* the row of a recording, derived so often */
    darc_dpolys_init(current[0]);
    darc_dpolys_init(current[1]);
    for (slong at = 0; at < row_count(p); at++) {
        int i = p->row_recording[at] - p->first;
        darc_dpolys_struct *to = at < p->n - 1 ? r->matrix : r->last;
        DARC_TRY(darc_budget_check(budget, err));
        if (current[i]->count == 0 || order[i] > p->row_order[at]) {
            darc_dpolys_clear(current[i], r->jet);
            order[i] = 0;
            DARC_TRY(base_row(current[i], r, p, i, err));
        }
        for (; order[i] < p->row_order[at]; order[i]++)
            for (slong c = 0; c < p->n; c++)
                DARC_TRY(darc_dpoly_diff(current[i]->p + c, current[i]->p + c,
                                         r->jet, err));
        for (slong c = 0; c < p->n; c++)
            darc_dpolys_append(to, current[i]->p + c, r->jet);
    }
done:
    DARC_EACH_IN(darc_dpolys_clear, r->jet, current[0], current[1]);
    return status;
}

static char *column_name(const darc_plan_t p, slong i)
{
    const char **names = p->col->vars > 0 ? (const char **)p->col->name : NULL;
    char *s = fmpz_mpoly_get_str_pretty(p->col->b + i, names, p->col->ctx);
    char *d = fmpz_get_str(NULL, 10, p->scale + i);
    darc_text_t t = DARC_TEXT;
    darc_text_printf(t, fmpz_is_one(p->scale + i) ? "%s" : "(%s)/%s", s, d);
    DARC_EACH(flint_free, d, s);
    return darc_text_take(t);
}

/* Append the inequations of the model that speak of signals alone, for each
 * recording. */
static void add_inequations(darc_relation *r, const darc_plan_t p)
{
    const darc_jet_struct *from = p->io->jet;
    int *map = darc_calloc((size_t)from->names->count, sizeof *map);
    darc_dpoly_t f;
    darc_dpoly_init(f, r->jet);
    for (int copy = p->first; copy <= p->last; copy++) {
        copy_map(map, r, copy, from->names->count);
        for (slong i = 0; i < p->io->inequations->count; i++) {
            const fmpz_mpoly_struct *g = p->io->inequations->p + i;
            if (darc_dpoly_map(f, r->jet, g, from, map, NULL) == DARC_OK &&
                !fmpz_mpoly_is_fmpz(f, r->jet->ctx) &&
                !darc_dpolys_contains(r->inequations, f, r->jet))
                darc_dpolys_append(r->inequations, f, r->jet);
        }
    }
    darc_dpoly_clear(f, r->jet);
    darc_free(map);
}

/* Set r (cleared memory) to the matrix form that the plan describes, without
 * h.  recordings is that of the test. */
static darc_status build_relation(darc_relation *r, const darc_plan_t p,
                                  int recordings, const darc_budget *budget,
                                  darc_err *err)
{
    r->equation = p->equation;
    r->recordings = recordings;
    set_frame(r, p, recordings);
    DARC_EACH(darc_dpolys_init, r->matrix, r->last, r->inequations);
    darc_dpoly_init(r->poly, r->jet);
    r->columns = p->n;
    fmpz_mpoly_ctx_init(r->hctx, p->n, ORD_DEGREVLEX);
    fmpz_mpoly_init(r->h, r->hctx);
    size_t n = (size_t)p->n;
    r->column_name = darc_calloc(n, sizeof *r->column_name);
    for (slong i = 0; i < p->n; i++)
        r->column_name[i] = column_name(p, i);
    DARC_CALLOC(n, r->row_recording, r->row_order);
    memcpy(r->row_recording, p->row_recording, n * sizeof *r->row_recording);
    memcpy(r->row_order, p->row_order, n * sizeof *r->row_order);
    add_inequations(r, p);
    return set_rows(r, p, budget, err);
}

typedef struct {
    darc_relations_struct *out;
    const darc_ioeqs_struct *io;
    darc_relation_task task; /* max_terms is set; changed, too */
} request;

void darc_relations_clear(darc_relations_t relations)
{
    for (int k = 0; k < relations->count; k++) {
        darc_relation *r = relations->relation + k;
        DARC_FREE_EACH(r->column_name, r->columns);
        DARC_FREE(r->column_name, r->row_recording, r->row_order, r->note,
                  r->recording, r->unknown);
        DARC_EACH_IN(darc_dpolys_clear, r->jet, r->matrix, r->last,
                     r->inequations);
        darc_dpoly_clear(r->poly, r->jet);
        fmpz_mpoly_clear(r->h, r->hctx);
        fmpz_mpoly_ctx_clear(r->hctx);
        darc_jet_clear(r->jet);
    }
    darc_free(relations->relation);
    relations->relation = NULL;
    relations->count = 0;
}

/* Hand over the relations so far, the last one in matrix form. */
static void reach_relations(const request *q)
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
    darc_relations_struct *out = q->out;
    DARC_ROOM(out->relation, out->count);
    darc_relation *r = out->relation + out->count++;
    memset(r, 0, sizeof *r);
    r->test = q->task.test;
    DARC_NEED(build_relation(r, p, q->task.test == DARC_STRUCTURE ? 1 : 2,
                             q->task.budget, err));
    if (h != NULL)
        fmpz_mpoly_set(r->h, h, r->hctx);
    r->note = darc_strdup(p->reduced ? reduced : note);
    r->necessary = p->reduced || (h != NULL && p->dimension < p->n - 2);
    if (q->task.form == DARC_FORM_EXPANDED) {
        reach_relations(q);
        DARC_NEED(darc_expand(r, p, q->task.max_terms, q->task.budget, err));
    }
    return DARC_OK;
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
    darc_status status = DARC_OK;
    darc_coeffrel_t rel;
    DARC_NEED(darc_coeffrel_set_coeffs(rel, p->col, q->task.budget, err));
    if (rel->count == 0) {
        p->determinant = true;
        status = append_relation(q, p, NULL, unknown, err);
        q->out->relation[q->out->count - 1].necessary = true;
    }
    for (slong i = 0;
         i < rel->count && i < DARC_MAX_CLOSINGS && status == DARC_OK; i++) {
        rescale(rel->h + i, p, rel->ctx);
        status = append_relation(q, p, rel->h + i,
                                 rel->codimension > 1 ? lower : "", err);
    }
    darc_coeffrel_clear(rel);
    return status;
}

/* Append the relations of one equation on the recordings first .. last. */
static darc_status append_plan(const request *q, int equation, int first,
                               int last, const char *note, darc_err *err)
{
    darc_plan_t p = {{.io = q->io,
                      .equation = equation,
                      .changed = first < last ? q->task.changed : NULL,
                      .first = first,
                      .last = last}};
    DARC_NEED(darc_plan_init(p, q->task.budget, err));
    bool wide =
        q->task.form == DARC_FORM_EXPANDED && p->n > DARC_MAX_MINOR_COLUMNS;
    darc_status status =
        wide             ? darc_fail_expansion(err, p->n, q->task.max_terms)
        : p->determinant ? append_relation(q, p, NULL, note, err)
                         : append_closed(q, p, err);
    darc_plan_clear(p);
    return status;
}

/* Return whether two recordings that differ in changed[] are linked at all:
 * whether some algebraic relation binds the coefficients of A to those of B.
 * Where none does, only the structure of each can be tested. */
static bool are_linked(const darc_ioeqs_t io, int equation, const bool *changed)
{
    flint_rand_t state;
    flint_randinit(state);
    darc_coeffs_t one, two;
    darc_coeffs_init(one, io, equation, NULL);
    darc_coeffs_init(two, io, equation, changed);
    slong single = darc_coeffs_dimension(one, state);
    slong both = darc_coeffs_dimension(two, state);
    DARC_EACH(darc_coeffs_clear, one, two);
    flint_randclear(state);
    return both < 2 * single;
}

static darc_status append_equation(const request *q, int equation,
                                   darc_err *err)
{
    static const char *const unlinked =
        "the change explains every pair of recordings: only the structure of "
        "each is tested";
    if (q->task.test == DARC_STRUCTURE)
        return append_plan(q, equation, 0, 0, "", err);
    if (are_linked(q->io, equation, q->task.changed))
        return append_plan(q, equation, 0, 1, "", err);
    DARC_NEED(append_plan(q, equation, 0, 0, unlinked, err));
    return append_plan(q, equation, 1, 1, unlinked, err);
}

/* Fail where a changed parameter is none, or no coefficient depends on it;
 * where an equation is not expanded one may. */
static darc_status check_changed(const request *q, darc_err *err)
{
    const darc_ioeqs_struct *io = q->io;
    const darc_names_struct *names = io->jet->names;
    for (int u = 0; u < names->count; u++) {
        bool seen = false;
        for (int i = 0; i < io->count; i++) {
            seen = seen || !io->eq[i].expanded;
            for (slong j = 0; j < io->eq[i].coeff->count && !seen; j++)
                seen =
                    darc_dpoly_order(io->eq[i].coeff->p + j, u, io->jet) >= 0;
        }
        if (q->task.changed[u] &&
            (names->symbol[u].kind != DARC_PARAMETER || !seen))
            return darc_fail(err, DARC_DOMAIN,
                             "'%s' is no parameter of the io-equations: the "
                             "signals do not show its change",
                             names->symbol[u].name);
    }
    return DARC_OK;
}

darc_status darc_relations_init(darc_relations_t out, const darc_ioeqs_t io,
                                const darc_relation_task *task, darc_err *err)
{
    assert(task->test != DARC_CHANGED || task->changed != NULL);
    darc_status status;
    *out = (darc_relations_struct){.count = 0};
    bool *none = darc_calloc((size_t)io->jet->names->count, sizeof *none);
    request q = {out, io, *task};
    if (task->max_terms <= 0)
        q.task.max_terms = DARC_MAX_EXPANDED_TERMS;
    if (io->count == 0)
        DARC_TRY(
            darc_fail(err, DARC_DOMAIN, "there is no io-equation to test"));
    if (task->test == DARC_CHANGED)
        DARC_TRY(check_changed(&q, err));
    else
        q.task.changed = none;
    for (int i = 0; i < io->count; i++)
        DARC_TRY(append_equation(&q, i, err));
done:
    if (status != DARC_OK)
        darc_relations_clear(out);
    darc_free(none);
    return status;
}
