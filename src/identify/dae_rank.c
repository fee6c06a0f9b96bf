#include "identify/sensitivity.h"

#include "base/mem.h"
#include "identify/thresholds.h"
#include "projection/dae.h"

/* All equations and their derivatives, linear in the changes of what is not
 * measured: the derivatives of the unknowns, then the parameters.  What follows
 * from the measured signals is what these rows span. */
typedef struct {
    darc_information_struct *f;
    darc_dae_t x;
    int asked;
    bool functions;
    flint_rand_t rand;
    int last;       /* stage */
    slong *column;  /* column[j]: of unknown j, -1: it is measured; owned */
    slong unknowns; /* columns before those of the parameters */
    slong *param;   /* param[u]: column of parameter u; owned */
    slong columns, rows;
    darc_solution_t s;
    nmod_mat_t a;
} ranking;

/* Columns for the derivatives up to last + d_j. */
static void list_columns_of_dae(ranking *w)
{
    const darc_dae_struct *x = w->x;
    const darc_symbol *symbol = x->jet->names->symbol;
    int outputs = 0;
    w->column = darc_calloc((size_t)x->count + 1, sizeof *w->column);
    w->param = darc_calloc((size_t)x->jet->names->count + 1, sizeof *w->param);
    for (int j = 0; j < x->count; j++) {
        bool output = symbol[x->unknown[j]].kind == DARC_OUTPUT;
        outputs += output;
        w->column[j] = output && outputs > w->asked ? -1 : w->columns;
        if (w->column[j] >= 0)
            w->columns += w->last + x->highest[j] + 1;
    }
    w->rows = darc_dae_rows(x, w->last);
    w->unknowns = w->columns;
    for (int u = 0; u < x->jet->names->count; u++)
        if (symbol[u].kind == DARC_PARAMETER)
            w->param[u] = w->columns++;
    w->f->params = w->columns - w->unknowns;
}

static int unknown_number(const ranking *w, int u)
{
    int j = 0;
    while (j < w->x->count && w->x->unknown[j] != u)
        j++;
    return j;
}

static bool take_derivative(ulong *value, ulong *by, const void *user,
                            darc_deriv d)
{
    const ranking *w = user;
    if (d.unknown < 0 || d.order >= w->s->stride)
        return false;
    darc_kind kind = w->x->jet->names->symbol[d.unknown].kind;
    int j = unknown_number(w, d.unknown);
    *value = w->s->value[d.unknown * w->s->stride + d.order];
    if (kind == DARC_PARAMETER)
        by[w->param[d.unknown]] = 1;
    else if (j < w->x->count && w->column[j] >= 0)
        by[w->column[j] + d.order] = 1;
    return true;
}

/* Let functions start at their values: a row each, from `row` on.  Return false
 * where that is not possible. */
static bool bind_rows(ranking *w, slong row)
{
    const darc_model *model = w->x->model;
    const darc_exact_place p = {w->columns, w->s->mod, take_derivative, w};
    for (int i = 0; i < darc_adjoined_count(model); i++) {
        int u = darc_adjoined_unknown(model, i), j = unknown_number(w, u);
        bool parametric = w->x->jet->names->symbol[u].kind == DARC_PARAMETER;
        if (darc_adjoined_is_exact(model, i) && !parametric)
            continue;
        ulong slope, *by = nmod_mat_entry_ptr(w->a, row + i, 0);
        const darc_expr *call = darc_adjoined_expr(model, i);
        const ulong *twin = darc_dae_twin(w->x, i, w->s);
        ulong value = w->s->value[u * w->s->stride];
        if ((j == w->x->count && !parametric) ||
            !darc_exact_row(by, &slope, &p, call, value))
            return false;
        if (twin != NULL)
            slope = call->function == DARC_FUNCTION_COS
                        ? nmod_neg(*twin, w->s->mod)
                        : *twin;
        _nmod_vec_scalar_mul_nmod(by, by, w->columns, slope, w->s->mod);
        slong c = parametric ? w->param[u] : w->column[j];
        if (c >= 0)
            by[c] = nmod_sub(by[c], 1, w->s->mod);
    }
    return true;
}

/* Set a to the rows at the point, in echelon form; return their rank, -1: a
 * function is of something else. */
static slong make_rows(ranking *w)
{
    nmod_mat_zero(w->a);
    darc_dae_gradients(w->a, w->x, w->last, w->s, w->column, w->param);
    if (w->functions && !bind_rows(w, w->rows))
        return -1;
    return nmod_mat_rref(w->a);
}

/* Take what a, of that rank, says of the parameters alone; return whether it
 * is new. */
static bool take_parameters(ranking *w, slong rank)
{
    darc_information_struct *f = w->f;
    slong n = f->params, from = rank, before = f->rank;
    while (from > 0 && _nmod_vec_is_zero(nmod_mat_entry_ptr(w->a, from - 1, 0),
                                         w->unknowns))
        from--;
    nmod_mat_t all;
    nmod_mat_init(all, before + rank - from, n, w->s->mod.n);
    for (slong i = 0; i < all->r; i++)
        _nmod_vec_set(nmod_mat_entry_ptr(all, i, 0),
                      i < before ? nmod_mat_entry_ptr(f->rows, i, 0)
                                 : nmod_mat_entry_ptr(w->a, from + i - before,
                                                      w->unknowns),
                      n);
    f->rank = nmod_mat_rref(all);
    for (slong i = 0; i < f->rank; i++)
        _nmod_vec_set(nmod_mat_entry_ptr(f->rows, i, 0),
                      nmod_mat_entry_ptr(all, i, 0), n);
    nmod_mat_clear(all);
    return f->rank > before;
}

/* Set shown[j] of asked output j, with what is known of the parameters. */
static void find_shown_here(bool *shown, ranking *w, slong rank)
{
    darc_information_struct *f = w->f;
    for (slong i = 0; i < f->rank; i++) {
        ulong *row = nmod_mat_entry_ptr(w->a, rank + i, 0);
        _nmod_vec_zero(row, w->columns);
        _nmod_vec_set(row + w->unknowns, nmod_mat_entry_ptr(f->rows, i, 0),
                      f->params);
    }
    rank = nmod_mat_rref(w->a);
    int asked = 0;
    for (int j = 0; j < w->x->count && asked < w->asked; j++) {
        if (w->x->jet->names->symbol[w->x->unknown[j]].kind != DARC_OUTPUT)
            continue;
        slong c = w->column[j], i = 0;
        while (i < rank && nmod_mat_entry(w->a, i, c) == 0)
            i++;
        /* the row of a pivot holds no other pivot */
        shown[asked] = i < rank;
        for (slong k = 0; k < w->columns && shown[asked]; k++)
            shown[asked] = k == c || nmod_mat_entry(w->a, i, k) == 0;
        asked++;
    }
}

/* Begin with the numbers among the parameters, which are known. */
static void begin_with_numbers(ranking *w)
{
    const darc_names_struct *names = w->x->jet->names;
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].number)
            nmod_mat_entry(w->f->rows, w->f->rank++,
                           w->param[u] - w->unknowns) = 1;
}

/* Make experiments until several, of whatever branch of roots, say nothing new;
 * *all: as long as that takes. */
static darc_status look_at_points(ranking *w, bool *all,
                                  const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_information_struct *f = w->f;
    ulong prime = f->rows->mod.n;
    size_t names = (size_t)w->x->jet->names->count;
    ulong *param = darc_calloc(names + 1, sizeof *param);
    int idle = 0;
    slong rank = 0;
    *all = true;
    for (int n = 0; n == 0 || (idle < DARC_DAE_IDLE && f->rank < f->params);
         n++) {
        DARC_TRY(darc_budget_check(budget, err));
        if (!darc_dae_point(w->s, w->x, w->last, prime, n > 0 ? param : NULL,
                            w->rand)) {
            *all = false;
            break;
        }
        for (size_t u = 0; u < names; u++)
            param[u] = w->s->value[(slong)u * w->s->stride];
        slong now = make_rows(w);
        bool grew = now >= 0 && take_parameters(w, now);
        idle = grew ? 0 : idle + 1;
        darc_solution_clear(w->s);
        if (now < 0)
            DARC_TRY(darc_fail(err, DARC_DOMAIN,
                               "a function is of unknowns that nothing tells"));
        rank = now;
        for (slong v = 0; v < f->params && n == 0; v++)
            f->once[v] = darc_information_fixes(f, v);
        if (n == 0)
            find_shown_here(f->shown, w, now);
        f->experiments += grew;
        f->behaviour = now;
    }
    if (f->experiments == 0 && !*all)
        DARC_TRY(darc_fail(err, DARC_DOMAIN, "no point obeys the equations"));
    find_shown_here(f->within, w, rank);
done:
    darc_free(param);
    return status;
}

darc_status darc_information_init_dae(darc_information_t f, bool *all,
                                      const darc_model *model, int asked,
                                      const darc_budget *budget, darc_err *err)
{
    darc_status status;
    ranking w = {.f = f,
                 .asked = asked,
                 .functions = !darc_adjoined_are_exact(model) ||
                              darc_adjoined_have_parametric(model)};
    *f = (darc_information_struct){.params = 0};
    DARC_NEED(darc_dae_init(w.x, model, err));
    flint_randinit(w.rand);
    ulong prime = darc_finite_random_prime(w.rand);
    for (int u = 0; u < w.x->jet->names->count; u++)
        w.last += w.x->jet->names->symbol[u].kind == DARC_PARAMETER;
    w.last += w.x->free + 1;
    list_columns_of_dae(&w);
    slong params = f->params, more = darc_adjoined_count(model) + params;
    nmod_mat_init(f->rows, params, params, prime);
    nmod_mat_init(f->own, params, params, prime);
    nmod_mat_one(f->own);
    DARC_CALLOC((size_t)asked + 1, f->shown, f->within);
    f->once = darc_calloc((size_t)params + 1, sizeof *f->once);
    if (w.columns > DARC_DAE_COLUMNS) {
        status = darc_fail(err, DARC_DOMAIN, "more than %d derivatives",
                           DARC_DAE_COLUMNS);
    } else {
        nmod_mat_init(w.a, w.rows + more, w.columns, prime);
        begin_with_numbers(&w);
        status = look_at_points(&w, all, budget, err);
        nmod_mat_clear(w.a);
    }
    DARC_FREE(w.column, w.param);
    flint_randclear(w.rand);
    darc_dae_clear(w.x);
    if (status != DARC_OK)
        darc_information_clear(f);
    return status;
}
