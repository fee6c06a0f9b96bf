#include "coefficient/scaling.h"

#include "base/mem.h"
#include "model/derived.h"

#include <string.h>

/* ---- scalings --------------------------------------------------------------
 */

/* Append to rows, which has room, how the exponents of the terms of p differ;
 * signals and time have no column. */
static void add_differences(fmpz_mat_t rows, slong *row, const darc_dpoly_t p,
                            const slong *column, const darc_jet_t jet)
{
    size_t n = (size_t)jet->vars;
    ulong *first = darc_calloc(n, sizeof *first),
          *e = darc_calloc(n, sizeof *e);
    for (slong t = 0; t < p->length; t++) {
        fmpz_mpoly_get_term_exp_ui(t == 0 ? first : e, p, t, jet->ctx);
        for (slong v = 0; v < jet->vars && t > 0; v++) {
            slong c = column[jet->deriv[v].unknown];
            fmpz *to = c < 0 ? NULL : fmpz_mat_entry(rows, *row, c);
            if (to != NULL)
                fmpz_add_si(to, to, (slong)e[v] - (slong)first[v]);
        }
        *row += t > 0;
    }
    darc_free(first);
    darc_free(e);
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

/* Set w (initialised by the call), a row each, to independent weights of the
 * columns under which every equation is homogeneous. */
static darc_status find_weights(fmpz_mat_t w, slong columns,
                                const slong *column, const darc_model *model,
                                darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    darc_ranking_t rk;
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
    int *order = darc_calloc((size_t)names->count + 1, sizeof *order);
    darc_model_orders(model, order);
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, model);
    darc_jet_init(jet, names, rk, order);
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    darc_status status = darc_model_equations(eq, ineq, model, jet, err);
    slong terms = 0, row = 0;
    for (slong i = 0; i < eq->count; i++)
        terms += eq->p[i].length;
    fmpz_mat_t rows, kernel;
    fmpz_mat_init(rows, terms, columns);
    fmpz_mat_init(kernel, columns, columns);
    for (slong i = 0; i < eq->count; i++)
        add_differences(rows, &row, eq->p + i, column, jet);
    slong found = status == DARC_OK ? fmpz_mat_nullspace(kernel, rows) : 0;
    fmpz_mat_init(w, found, columns);
    for (slong i = 0; i < found; i++)
        for (slong c = 0; c < columns; c++)
            fmpz_set(fmpz_mat_entry(w, i, c), fmpz_mat_entry(kernel, c, i));
    shorten(w);
    fmpz_mat_clear(rows);
    fmpz_mat_clear(kernel);
    darc_dpolys_clear(ineq, jet);
    darc_dpolys_clear(eq, jet);
    darc_jet_clear(jet);
    darc_ranking_clear(rk);
    darc_free(order);
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

/* ---- the model ------------------------------------------------------------
 */

/* Choose for each row i a parameter that becomes 1, of column pivot[i]; -1:
 * none has weight 1. */
static void choose(slong *pivot, fmpz_mat_t w, const slong *column,
                   darc_scaling *s, const darc_model *model)
{
    for (slong i = 0; i < w->r; i++)
        pivot[i] = -1;
    for (int u = 0; u < s->unknowns; u++) {
        bool parameter =
            darc_model_names(model)->symbol[u].kind == DARC_PARAMETER;
        for (slong i = 0; i < w->r && parameter && !s->one[u]; i++) {
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

/* Append the powers of names with this sign, "a*b^2". */
static int put_powers(darc_text_t out, const fmpz *e, int sign,
                      const char *const *name, slong n)
{
    int count = 0;
    for (slong j = 0; j < n; j++) {
        if (fmpz_sgn(e + j) != sign)
            continue;
        darc_text_printf(out, "%s%s", count++ > 0 ? "*" : "", name[j]);
        if (!fmpz_is_pm1(e + j)) {
            darc_text_printf(out, "^%ld", labs((long)fmpz_get_si(e + j)));
        }
    }
    return count;
}

/* Return what the unknown `own`, of column c, stands for; NULL: itself. */
static char *say(const char *own, slong c, const fmpz_mat_t w,
                 const slong *pivot, const char *const *name)
{
    darc_text_t out = DARC_TEXT, below = DARC_TEXT;
    slong n = w->r;
    fmpz *e = _fmpz_vec_init(n + 1);
    for (slong i = 0; i < n; i++)
        if (pivot[i] >= 0)
            fmpz_neg(e + i, fmpz_mat_entry(w, i, c));
    const char **by = darc_calloc((size_t)n + 1, sizeof *by);
    for (slong i = 0; i < n; i++)
        by[i] = pivot[i] >= 0 ? name[pivot[i]] : "";
    bool moved = !_fmpz_vec_is_zero(e, n);
    darc_text_puts(out, own);
    darc_text_t above = DARC_TEXT;
    if (put_powers(above, e, 1, by, n) > 0)
        darc_text_printf(out, "*%s", above->s);
    int count = put_powers(below, e, -1, by, n);
    if (count > 0)
        darc_text_printf(out, count > 1 ? "/(%s)" : "/%s", below->s);
    darc_text_clear(above);
    darc_text_clear(below);
    darc_free(by);
    _fmpz_vec_clear(e, n + 1);
    char *text = darc_text_take(out);
    if (moved)
        return text;
    darc_free(text);
    return NULL;
}

/* Functions of what is scaled, other than powers, stand in the way. */
static bool has_functions(const darc_model *model)
{
    for (int i = 0; i < darc_adjoined_count(model); i++)
        if (!darc_adjoined_is_exact(model, i))
            return true;
    return false;
}

static bool is_function(const darc_model *model, int u)
{
    for (int i = 0; i < darc_adjoined_count(model); i++)
        if (darc_adjoined_unknown(model, i) == u)
            return true;
    return false;
}

darc_status darc_scaling_init(darc_scaling *s, const darc_model *model,
                              darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    size_t most = (size_t)names->count + 1;
    slong columns = 0;
    fmpz_mat_t w;
    *s = (darc_scaling){names->count, darc_calloc(most, sizeof *s->one),
                        darc_calloc(most, sizeof *s->stands), 0, NULL};
    if (has_functions(model))
        return DARC_OK;
    slong *column = darc_calloc(most, sizeof *column);
    const char **name = darc_calloc(most, sizeof *name);
    for (int u = 0; u < names->count; u++) {
        darc_kind kind = names->symbol[u].kind;
        column[u] =
            kind == DARC_STATE || kind == DARC_PARAMETER ? columns++ : -1;
        if (column[u] >= 0)
            name[column[u]] = names->symbol[u].name;
    }
    darc_status status = find_weights(w, columns, column, model, err);
    slong *pivot = darc_calloc((size_t)w->r + 1, sizeof *pivot);
    choose(pivot, w, column, s, model);
    for (int u = 0; u < names->count; u++)
        if (column[u] >= 0 && !s->one[u] && !is_function(model, u))
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
    darc_free(pivot);
    darc_free(column);
    darc_free(name);
    if (status != DARC_OK)
        darc_scaling_clear(s);
    return status;
}

void darc_scaling_clear(darc_scaling *s)
{
    for (int u = 0; u < s->unknowns; u++)
        darc_free(s->stands[u]);
    darc_free(s->stands);
    darc_free(s->one);
    darc_model_free(s->model);
    *s = (darc_scaling){0};
}
