#include "relation/plan.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

static slong row_count(const darc_plan_t p)
{
    return p->determinant ? p->n : p->n - 1;
}

/* Highest derivation of recording r among the rows. */
static int highest_row(const darc_plan_t p, int recording)
{
    int k = 0;
    for (slong i = 0; i < row_count(p); i++)
        if (p->row_recording[i] == recording && p->row_order[i] > k)
            k = p->row_order[i];
    return k;
}

static void add_signal(darc_relation *r, darc_names_t names, int u, int copy,
                       int recordings, const darc_jet_t jet)
{
    const darc_symbol *s = jet->names->symbol + u;
    char *name = recordings == 1
                     ? darc_strdup(s->name)
                     : darc_coeffs_copy_name(s->name, copy, jet->names);
    int w = darc_names_add(names, name, s->kind);
    darc_free(name);
    r->recording[w] = copy;
    r->unknown[w] = u;
}

/* The signals of the equation, once for each recording that gives rows. */
static void add_signals(darc_relation *r, darc_names_t names,
                        const darc_plan_t p, int recordings)
{
    const darc_jet_struct *jet = p->io->jet;
    size_t room = 2 * (size_t)jet->names->count;
    r->recording = darc_calloc(room, sizeof *r->recording);
    r->unknown = darc_calloc(room, sizeof *r->unknown);
    for (int u = 0; u < jet->names->count; u++) {
        if (jet->names->symbol[u].kind == DARC_PARAMETER ||
            darc_dpoly_order(p->io->eq[p->equation].poly, u, jet) < 0)
            continue;
        for (int copy = p->first; copy <= p->last; copy++)
            add_signal(r, names, u, copy, recordings, jet);
    }
}

/* Copies of a signal stand side by side in its block, A above B. */
static void set_ranking(darc_ranking_t rk, const darc_relation *r,
                        const darc_jet_t jet)
{
    for (int w = 0; w < rk->unknowns; w++) {
        int u = r->unknown[w];
        rk->block[w] = jet->ranking->block[u];
        rk->position[w] = 2 * jet->ranking->position[u] + r->recording[w];
    }
}

static void set_frame(darc_relation *r, const darc_plan_t p, int recordings)
{
    const darc_jet_struct *jet = p->io->jet;
    darc_names_t names;
    darc_names_init(names);
    add_signals(r, names, p, recordings);
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    set_ranking(rk, r, jet);
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    for (int w = 0; w < names->count; w++)
        bound[w] =
            darc_dpoly_order(p->io->eq[p->equation].poly, r->unknown[w], jet) +
            highest_row(p, r->recording[w]);
    darc_jet_init(r->jet, names, rk, bound);
    darc_free(bound);
    darc_ranking_clear(rk);
    darc_names_clear(names);
}

/* Set map[u] to the copy of unknown u for a recording, -1: none. */
static void copy_map(int *map, const darc_relation *r, int recording,
                     int unknowns)
{
    for (int u = 0; u < unknowns; u++)
        map[u] = -1;
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

/* Append row `at` to matrix, or to last: current holds the row of its
 * recording, *order times derived, and is derived further. */
static darc_status append_row(darc_relation *r, const darc_plan_t p, slong at,
                              darc_dpolys_t current, int *order, darc_err *err)
{
    darc_status status = DARC_OK;
    for (; *order < p->row_order[at]; (*order)++)
        for (slong c = 0; c < p->n; c++)
            DARC_TRY(
                darc_dpoly_diff(current->p + c, current->p + c, r->jet, err));
    darc_dpolys_struct *to = at < p->n - 1 ? r->matrix : r->last;
    for (slong c = 0; c < p->n; c++)
        darc_dpolys_append(to, current->p + c, r->jet);
done:
    return status;
}

/* Rows ascend in the derivation of each recording, but for the last, which
 * may have been passed over. */
static darc_status set_rows(darc_relation *r, const darc_plan_t p,
                            const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    int order[2] = {0, 0};
    darc_dpolys_t current[2];
    darc_dpolys_init(current[0]);
    darc_dpolys_init(current[1]);
    for (slong at = 0; at < row_count(p); at++) {
        int i = p->row_recording[at] - p->first;
        DARC_TRY(darc_budget_check(budget, err));
        if (current[i]->count == 0 || order[i] > p->row_order[at]) {
            darc_dpolys_clear(current[i], r->jet);
            order[i] = 0;
            DARC_TRY(base_row(current[i], r, p, i, err));
        }
        DARC_TRY(append_row(r, p, at, current[i], order + i, err));
    }
done:
    darc_dpolys_clear(current[0], r->jet);
    darc_dpolys_clear(current[1], r->jet);
    return status;
}

static char *column_name(const darc_plan_t p, slong i)
{
    const char **names = p->col->vars > 0 ? (const char **)p->col->name : NULL;
    char *s = fmpz_mpoly_get_str_pretty(p->col->b + i, names, p->col->ctx);
    darc_text_t t;
    darc_text_init(t);
    if (fmpz_is_one(p->scale + i)) {
        darc_text_puts(t, s);
    } else {
        char *d = fmpz_get_str(NULL, 10, p->scale + i);
        darc_text_printf(t, "(%s)/%s", s, d);
        flint_free(d);
    }
    flint_free(s);
    char *name = darc_strdup(t->s);
    darc_text_clear(t);
    return name;
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

static void set_order(darc_relation *r)
{
    r->order = 0;
    for (int w = 0; w < r->jet->names->count; w++)
        if (r->jet->bound[w] > r->order)
            r->order = r->jet->bound[w];
}

darc_status darc_plan_build(darc_relation *r, const darc_plan_t p,
                            int recordings, const darc_budget *budget,
                            darc_err *err)
{
    r->equation = p->equation;
    r->recordings = recordings;
    set_frame(r, p, recordings);
    darc_dpolys_init(r->matrix);
    darc_dpolys_init(r->last);
    darc_dpolys_init(r->inequations);
    darc_dpoly_init(r->poly, r->jet);
    r->columns = p->n;
    fmpz_mpoly_ctx_init(r->hctx, p->n, ORD_DEGREVLEX);
    fmpz_mpoly_init(r->h, r->hctx);
    size_t n = (size_t)p->n;
    r->column_name = darc_calloc(n, sizeof *r->column_name);
    for (slong i = 0; i < p->n; i++)
        r->column_name[i] = column_name(p, i);
    r->row_recording = darc_calloc(n, sizeof *r->row_recording);
    r->row_order = darc_calloc(n, sizeof *r->row_order);
    memcpy(r->row_recording, p->row_recording, n * sizeof *r->row_recording);
    memcpy(r->row_order, p->row_order, n * sizeof *r->row_order);
    r->note = darc_strdup("");
    add_inequations(r, p);
    set_order(r);
    return set_rows(r, p, budget, err);
}
