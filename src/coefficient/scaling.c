#include "coefficient/scaling.h"

#include "algebra/finite.h"
#include "base/mem.h"

#include <string.h>

/* Differences of exponents: independent rows, reduced modulo a prime to see
 * that, and as they are. */
typedef struct {
    slong vars, rank;
    nmod_mat_t echelon; /* row of pivot p: p, or zero */
    fmpz_mat_t rows;
} differences;

/* Add the row unless it depends on those there. */
static void add_difference(differences *d, const slong *row)
{
    nmod_t mod = d->echelon->mod;
    ulong *r = darc_calloc((size_t)d->vars, sizeof *r);
    for (slong v = 0; v < d->vars; v++)
        r[v] =
            row[v] >= 0 ? (ulong)row[v] : nmod_neg((ulong)-row[v] % mod.n, mod);
    slong pivot = -1;
    for (slong v = 0; v < d->vars && pivot < 0; v++) {
        if (r[v] == 0)
            continue;
        ulong head = nmod_mat_entry(d->echelon, v, v);
        if (head == 0) {
            pivot = v;
            break;
        }
        ulong factor = nmod_neg(nmod_div(r[v], head, mod), mod);
        for (slong k = v; k < d->vars; k++)
            r[k] = nmod_add(
                r[k], nmod_mul(factor, nmod_mat_entry(d->echelon, v, k), mod),
                mod);
    }
    for (slong v = 0; v < d->vars && pivot >= 0; v++) {
        nmod_mat_entry(d->echelon, pivot, v) = r[v];
        fmpz_set_si(fmpz_mat_entry(d->rows, d->rank, v), row[v]);
    }
    d->rank += pivot >= 0;
    darc_free(r);
}

/* Divide rows by what divides their entries: any power of a factor is one. */
static void shorten(fmpz_mat_t w)
{
    fmpz_t g;
    fmpz_init(g);
    for (slong i = 0; i < w->r; i++) {
        _fmpz_vec_content(g, fmpz_mat_entry(w, i, 0), w->c);
        if (!fmpz_is_zero(g))
            _fmpz_vec_scalar_divexact_fmpz(fmpz_mat_entry(w, i, 0),
                                           fmpz_mat_entry(w, i, 0), w->c, g);
    }
    fmpz_clear(g);
}

void darc_weights_find(fmpz_mat_t w, slong columns, const slong *column,
                       const fmpz_mpoly_struct *p, slong n,
                       const fmpz_mpoly_ctx_t ctx)
{
    slong vars = fmpz_mpoly_ctx_nvars(ctx);
    ulong *first = darc_calloc(2 * (size_t)vars, sizeof *first);
    ulong *e = first + vars;
    slong *row = darc_calloc((size_t)columns + 1, sizeof *row);
    flint_rand_t state;
    fmpz_mat_t kernel;
    differences d = {.vars = columns};
    flint_randinit(state);
    nmod_mat_init(d.echelon, columns, columns, darc_finite_random_prime(state));
    fmpz_mat_init(d.rows, columns, columns);
    for (slong i = 0; i < n; i++)
        for (slong t = 0; t < p[i].length && d.rank < columns; t++) {
            fmpz_mpoly_get_term_exp_ui(t == 0 ? first : e, p + i, t, ctx);
            memset(row, 0, (size_t)columns * sizeof *row);
            for (slong v = 0; v < vars; v++) {
                slong c = column == NULL ? v : column[v];
                if (c >= 0)
                    row[c] += (slong)e[v] - (slong)first[v];
            }
            if (t > 0)
                add_difference(&d, row);
        }
    fmpz_mat_init(kernel, columns, columns);
    slong found = fmpz_mat_nullspace(kernel, d.rows);
    fmpz_mat_init(w, found, columns);
    for (slong i = 0; i < found; i++)
        for (slong c = 0; c < columns; c++)
            fmpz_set(fmpz_mat_entry(w, i, c), fmpz_mat_entry(kernel, c, i));
    shorten(w);
    DARC_EACH(fmpz_mat_clear, kernel, d.rows);
    nmod_mat_clear(d.echelon);
    flint_randclear(state);
    DARC_FREE(first, row);
}

/* Set w (initialised by the call) to the weights, of the unknowns that have a
 * column, under which every equation is homogeneous. */
static darc_status find_weights(fmpz_mat_t w, slong columns,
                                const slong *column, const darc_model *model,
                                darc_err *err)
{
    darc_jet_t jet;
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    darc_model_frame(jet, model, NULL);
    slong *of = darc_calloc((size_t)jet->vars, sizeof *of);
    for (slong v = 0; v < jet->vars; v++)
        of[v] = column[jet->deriv[v].unknown];
    darc_status status = darc_model_equations(eq, ineq, model, jet, err);
    darc_weights_find(w, columns, of, eq->p, eq->count, jet->ctx);
    DARC_EACH_IN(darc_dpolys_clear, jet, ineq, eq);
    darc_jet_clear(jet);
    darc_free(of);
    return status;
}

/* Make column c of w, that is 1 or -1 in row i, 1 there and 0 elsewhere. */
static void clear_column(fmpz_mat_t w, slong i, slong c)
{
    fmpz_t factor;
    fmpz_init(factor);
    fmpz *row = fmpz_mat_entry(w, i, 0);
    if (fmpz_sgn(row + c) < 0)
        _fmpz_vec_neg(row, row, w->c);
    for (slong k = 0; k < w->r; k++) {
        fmpz_set(factor, fmpz_mat_entry(w, k, c));
        if (k != i)
            _fmpz_vec_scalar_submul_fmpz(fmpz_mat_entry(w, k, 0), row, w->c,
                                         factor);
    }
    fmpz_clear(factor);
    shorten(w);
}

/* Choose for each row i a parameter that becomes 1, of column pivot[i]; -1:
 * none has weight 1. */
static void choose_pivots(slong *pivot, fmpz_mat_t w, const slong *column,
                          darc_scaling *s, const darc_model *model)
{
    DARC_FILL(pivot, w->r, -1);
    for (int u = 0; u < s->unknowns; u++) {
        bool parameter =
            darc_model_names(model)->symbol[u].kind == DARC_PARAMETER;
        for (slong i = 0; i < w->r && parameter && column[u] >= 0 && !s->one[u];
             i++) {
            if (pivot[i] >= 0 || darc_model_may_be_zero(model, u) ||
                !fmpz_is_pm1(fmpz_mat_entry(w, i, column[u])))
                continue;
            clear_column(w, i, column[u]);
            pivot[i] = column[u];
            s->one[u] = true;
            s->count++;
        }
    }
}

/* Append the powers of the pivots' names with this sign, "a*b^2"; return how
 * many. */
static int put_powers(darc_text_t out, slong c, int sign, const fmpz_mat_t w,
                      const slong *pivot, const char *const *name)
{
    int count = 0;
    for (slong i = 0; i < w->r; i++) {
        slong e = pivot[i] < 0 ? 0 : -fmpz_get_si(fmpz_mat_entry(w, i, c));
        if (e * sign <= 0)
            continue;
        darc_text_printf(out, "%s%s", count++ > 0 ? "*" : "", name[pivot[i]]);
        if (e * sign > 1)
            darc_text_printf(out, "^%ld", (long)(e * sign));
    }
    return count;
}

/* Return what the unknown `own`, of column c, stands for; NULL: itself. */
static char *say(const char *own, slong c, const fmpz_mat_t w,
                 const slong *pivot, const char *const *name)
{
    darc_text_t above = DARC_TEXT, below = DARC_TEXT, out = DARC_TEXT;
    int up = put_powers(above, c, 1, w, pivot, name);
    int down = put_powers(below, c, -1, w, pivot, name);
    darc_text_printf(out, up > 0 ? "%s*%s" : "%s", own, above->s);
    if (down > 0)
        darc_text_printf(out, down > 1 ? "/(%s)" : "/%s", below->s);
    DARC_EACH(darc_text_clear, above, below);
    if (up + down == 0)
        darc_text_clear(out);
    return up + down > 0 ? darc_text_take(out) : NULL;
}

/* Give no column to what e holds; return whether all of it is known. */
static bool leave_arguments(slong *column, const darc_expr *e)
{
    bool name = e->kind == DARC_EXPR_UNKNOWN && !e->constant;
    bool all = !name || e->unknown >= 0;
    for (int i = 0; i < e->count; i++)
        all = leave_arguments(column, e->child[i]) && all;
    if (name && all)
        column[e->unknown] = -1;
    return all;
}

/* Number what may be scaled: states and parameters that are neither functions
 * of others, but roots of states, nor arguments of such. */
static slong set_columns(slong *column, const darc_model *model)
{
    const darc_names_struct *names = darc_model_names(model);
    slong columns = 0;
    bool all = true;
    for (int u = 0; u < names->count; u++)
        column[u] = names->symbol[u].kind == DARC_STATE ||
                            names->symbol[u].kind == DARC_PARAMETER
                        ? 0
                        : -1;
    for (int i = 0; i < darc_adjoined_count(model); i++) {
        int w = darc_adjoined_unknown(model, i);
        if (names->symbol[w].kind == DARC_PARAMETER ||
            !darc_adjoined_is_exact(model, i)) {
            column[w] = -1;
            all = leave_arguments(column, darc_adjoined_expr(model, i)) && all;
        }
    }
    for (int u = 0; u < names->count; u++)
        column[u] = all && column[u] == 0 ? columns++ : -1;
    return columns;
}

darc_status darc_scaling_init(darc_scaling *s, const darc_model *model,
                              darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    size_t most = (size_t)names->count + 1;
    fmpz_mat_t w;
    *s = (darc_scaling){names->count, darc_calloc(most, sizeof *s->one),
                        darc_calloc(most, sizeof *s->stands), 0, NULL};
    slong *column = darc_calloc(most, sizeof *column);
    const char **name = darc_calloc(most, sizeof *name);
    slong columns = set_columns(column, model);
    for (int u = 0; u < names->count; u++)
        if (column[u] >= 0)
            name[column[u]] = names->symbol[u].name;
    darc_status status = find_weights(w, columns, column, model, err);
    slong *pivot = darc_calloc((size_t)w->r + 1, sizeof *pivot);
    choose_pivots(pivot, w, column, s, model);
    bool *function = darc_calloc(most, sizeof *function);
    for (int i = 0; i < darc_adjoined_count(model); i++)
        function[darc_adjoined_unknown(model, i)] = true;
    for (int u = 0; u < names->count; u++)
        if (column[u] >= 0 && !s->one[u] && !function[u])
            s->stands[u] =
                say(names->symbol[u].name, column[u], w, pivot, name);
    if (status == DARC_OK && s->count > 0) {
        const char **value = darc_calloc(most, sizeof *value);
        for (int u = 0; u < s->unknowns; u++)
            value[u] = s->one[u] ? "1" : NULL;
        status = darc_model_fix(&s->model, model, value, err);
        darc_free(value);
    }
    fmpz_mat_clear(w);
    DARC_FREE(function, pivot, column, name);
    if (status != DARC_OK)
        darc_scaling_clear(s);
    return status;
}

void darc_scaling_clear(darc_scaling *s)
{
    DARC_FREE_EACH(s->stands, s->unknowns);
    DARC_FREE(s->stands, s->one);
    darc_model_free(s->model);
    *s = (darc_scaling){0};
}
