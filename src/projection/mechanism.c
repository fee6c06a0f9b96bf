#include "projection/mechanism.h"

#include "base/mem.h"
#include "syntax/expr.h"

#include <string.h>

static const darc_symbol *symbol_of(const darc_model *model, int u)
{
    return darc_model_names(model)->symbol + u;
}

/* Set a and b to the names where p says that two signals are one, z = x. */
static bool is_equality(const char **a, const char **b, const darc_dpoly_t p,
                        const darc_jet_t jet)
{
    int n = 0;
    for (slong v = 0; v < jet->vars; v++) {
        const darc_symbol *s = jet->names->symbol + jet->deriv[v].unknown;
        if (darc_dpoly_degree(p, v, jet) != 1 || jet->deriv[v].order > 0)
            continue;
        *(s->kind == DARC_OUTPUT ? a : b) = s->name;
        n += s->kind == DARC_OUTPUT ? 1 : s->kind == DARC_STATE ? 4 : 16;
    }
    return n == 5 && p->length == 2 &&
           fmpz_mpoly_total_degree_si(p, jet->ctx) == 1 &&
           fmpz_is_pm1(p->coeffs) &&
           fmpz_equal_si(p->coeffs + 1, -fmpz_get_si(p->coeffs));
}

/* Return what function i of the model is, outputs that are states being called
 * so. */
static char *say_function(const darc_model *model, int i, const darc_dae_t x)
{
    darc_text_t said = DARC_TEXT, out = DARC_TEXT;
    const char *output = "", *state = "";
    darc_adjoined_say(said, model,
                      symbol_of(model, darc_adjoined_unknown(model, i))->name);
    darc_expr *e = darc_expr_read(said->s, said->len);
    for (slong k = 0; k < x->eq->count && e != NULL; k++) {
        if (!is_equality(&output, &state, x->eq->p + k, x->jet))
            continue;
        darc_expr *by = darc_expr_name(e->place, state);
        darc_expr_substitute(&e, output, by);
        darc_expr_free(by);
    }
    if (e != NULL)
        darc_expr_print(out, e);
    darc_expr_free(e);
    darc_text_clear(said);
    return darc_text_take(out);
}

/* Return the unknown of the model, of that kind, that is this function; -1:
 * none. */
static int find_function(const darc_model *model, darc_kind kind,
                         const char *function, const darc_dae_t x)
{
    int found = -1;
    for (int i = 0; i < darc_adjoined_count(model) && found < 0; i++) {
        int u = darc_adjoined_unknown(model, i);
        char *own = say_function(model, i, x);
        if (symbol_of(model, u)->kind == kind && *own != '\0' &&
            strcmp(own, function) == 0)
            found = u;
        darc_free(own);
    }
    return found;
}

/* Return whether function i may stand in the place of one of the model, or
 * goes: roots are known better there. */
static bool take_function(darc_mechanism *m, int i, const darc_model *model)
{
    int u = darc_adjoined_unknown(m->bound, i);
    if (darc_adjoined_expr(m->bound, i)->kind != DARC_EXPR_CALL)
        return false;
    darc_kind kind = symbol_of(m->bound, u)->kind;
    char *said = say_function(m->bound, i, m->x);
    m->as[u] = find_function(model, kind == DARC_STATE ? DARC_INPUT : kind,
                             said, m->x);
    darc_free(said);
    m->known[u] = kind == DARC_STATE && m->as[u] >= 0;
    m->laws = m->laws || m->known[u];
    return kind == DARC_STATE || m->as[u] >= 0;
}

/* Return whether each derived signal that stands for a function has been found,
 * and has its law where it is differentiated: no derivative of it is left. */
static bool are_known(const darc_mechanism *m, const darc_model *model)
{
    int found = 0, count = 0;
    const darc_names_struct *names = darc_model_names(model);
    int *order = darc_calloc((size_t)names->count, sizeof *order);
    darc_model_orders(model, order);
    for (int i = 0; i < darc_adjoined_count(m->bound); i++) {
        int v = m->as[darc_adjoined_unknown(m->bound, i)];
        found += v >= 0 && names->symbol[v].kind == DARC_INPUT;
    }
    for (int i = 0; i < darc_adjoined_count(model); i++) {
        int u = darc_adjoined_unknown(model, i);
        if (names->symbol[u].kind == DARC_INPUT)
            count += order[u] > 0 ? 2 : 1;
    }
    darc_free(order);
    return found == count;
}

/* A twin of one that is known must be known. */
static bool are_paired(const darc_mechanism *m)
{
    bool paired = true;
    darc_dpoly_t p;
    darc_dpoly_init(p, m->x->jet);
    for (int i = 0; i + 1 < darc_adjoined_count(m->bound); i++)
        if (darc_dae_bond(p, m->x, i))
            paired =
                paired && m->known[darc_adjoined_unknown(m->bound, i)] ==
                              m->known[darc_adjoined_unknown(m->bound, i + 1)];
    darc_dpoly_clear(p, m->x->jet);
    return paired;
}

/* Say which unknowns of the bound model are those of the model; return whether
 * it says the same. */
static bool match(darc_mechanism *m, const darc_model *model)
{
    const darc_names_struct *names = darc_model_names(model);
    const darc_names_struct *all = darc_model_names(m->bound);
    DARC_CALLOC((size_t)all->count + 1, m->as, m->known);
    bool good = true;
    for (int u = 0; u < all->count && good; u++) {
        const darc_symbol *s = all->symbol + u;
        bool by_name =
            s->kind != DARC_STATE && darc_adjoined_find(m->bound, u) < 0;
        m->as[u] =
            by_name ? darc_names_find(names, s->name, strlen(s->name)) : -1;
        good = !by_name ||
               (m->as[u] >= 0 && names->symbol[m->as[u]].kind == s->kind);
    }
    for (int i = 0; i < darc_adjoined_count(m->bound) && good; i++)
        good = take_function(m, i, model);
    return good && are_known(m, model) && are_paired(m);
}

/* Return whether a state of the model is a place on a circle. */
static bool has_place(const darc_model *model)
{
    bool place = false;
    for (int i = 0; i < darc_adjoined_count(model); i++)
        place =
            place || (darc_adjoined_expr(model, i)->kind == DARC_EXPR_PRODUCT &&
                      symbol_of(model, darc_adjoined_unknown(model, i))->kind ==
                          DARC_STATE);
    return place;
}

/* Open the bound model; return false, with nothing open, where there is none
 * that says the same. */
static bool open_bound(darc_mechanism *m, const darc_model *model)
{
    if (!darc_model_is_rewritten(model) ||
        darc_dae_model(&m->bound, model, NULL) != DARC_OK)
        return false;
    bool opened = darc_dae_init(m->x, m->bound, NULL) == DARC_OK;
    bool good = opened && match(m, model);
    if (good)
        return true;
    if (opened)
        darc_dae_clear(m->x);
    darc_model_free(m->bound);
    DARC_FREE(m->as, m->known);
    *m = (darc_mechanism){0};
    return false;
}

static darc_status open_own(darc_mechanism *m, const darc_model *model,
                            darc_err *err)
{
    size_t n = (size_t)darc_model_names(model)->count;
    DARC_NEED(darc_dae_init(m->x, model, err));
    DARC_CALLOC(n + 1, m->as, m->known);
    for (size_t u = 0; u < n; u++)
        m->as[u] = symbol_of(model, (int)u)->kind == DARC_STATE ? -1 : (int)u;
    return DARC_OK;
}

darc_status darc_mechanism_init(darc_mechanism *m, const darc_model *model,
                                flint_rand_t rand, darc_err *err)
{
    darc_dae_t own;
    *m = (darc_mechanism){0};
    DARC_NEED(darc_dae_init(own, model, err));
    bool prime = darc_dae_is_prime(own, rand);
    darc_dae_clear(own);
    if (!prime)
        return darc_fail(err, DARC_DOMAIN,
                         "the equations may have several components");
    if (!open_bound(m, model))
        DARC_NEED(open_own(m, model, err));
    m->x->apart = m->known;
    darc_dpoly_t p;
    darc_dpoly_init(p, m->x->jet);
    for (int i = 0; i < darc_adjoined_count(m->x->model) && m->bound != NULL;
         i++)
        if (darc_dae_bond(p, m->x, i))
            darc_dpolys_append(m->bond, p, m->x->jet);
    darc_dpoly_clear(p, m->x->jet);
    m->round = m->bond->count > 0 || (m->bound != NULL && has_place(model));
    return DARC_OK;
}

void darc_mechanism_clear(darc_mechanism *m)
{
    if (m->as == NULL)
        return;
    darc_dpolys_clear(m->bond, m->x->jet);
    darc_dae_clear(m->x);
    darc_model_free(m->bound);
    DARC_FREE(m->as, m->known);
}

void darc_mechanism_values(ulong *at, const darc_jet_t jet,
                           const darc_mechanism *m, const darc_solution_t s)
{
    for (int u = 0; u < m->x->jet->names->count; u++)
        for (int k = 0;
             m->as[u] >= 0 && k <= jet->bound[m->as[u]] && k < s->length; k++)
            at[darc_jet_var(jet, (darc_deriv){m->as[u], k})] =
                s->value[u * s->stride + k];
}

slong darc_mechanism_rows(const darc_mechanism *m, int last)
{
    return darc_dae_rows(m->x, last) + m->bond->count;
}

void darc_mechanism_gradients(nmod_mat_t a, const darc_mechanism *m, int last,
                              const darc_solution_t s, const slong *column)
{
    const darc_jet_struct *jet = m->x->jet;
    slong first = darc_dae_rows(m->x, last);
    ulong *at = darc_calloc(2 * (size_t)jet->vars, sizeof *at);
    ulong *by = at + jet->vars;
    darc_dae_gradients(a, m->x, last, s, column, NULL);
    darc_solution_values(at, s, jet);
    for (slong k = 0; k < m->bond->count; k++) {
        darc_finite_gradient(by, m->bond->p + k, at, s->mod, jet->ctx);
        for (int j = 0; j < m->x->count; j++)
            nmod_mat_entry(a, first + k, column[j]) =
                by[darc_jet_var(jet, (darc_deriv){m->x->unknown[j], 0})];
    }
    for (int j = 0; j < m->x->count; j++)
        for (slong r = 0; r < a->r && m->known[m->x->unknown[j]]; r++)
            nmod_mat_entry(a, r, column[j]) = 0;
    darc_free(at);
}
