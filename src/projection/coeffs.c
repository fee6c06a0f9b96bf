#include "projection/coeffs.h"

#include "base/mem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

char *darc_coeffs_copy_name(const char *name, int recording,
                            const darc_names_t names)
{
    size_t n = strlen(name), room = n + (size_t)names->count + 3;
    char *copy = darc_malloc(room);
    snprintf(copy, room, "%s%c", name, recording == 0 ? 'A' : 'B');
    for (n++; darc_names_find(names, copy, n) >= 0; n++)
        memcpy(copy + n, "_", 2);
    return copy;
}

static void add_variable(darc_coeffs_t c, int u, int copy,
                         const darc_names_t names)
{
    slong v = c->vars++;
    c->unknown[v] = u;
    c->copy[v] = copy;
    const char *name = names->symbol[u].name;
    c->name[v] =
        copy < 0 ? darc_strdup(name) : darc_coeffs_copy_name(name, copy, names);
}

static void add_variables(darc_coeffs_t c, const darc_names_struct *names,
                          const bool *changed)
{
    size_t n = 2 * (size_t)names->count;
    DARC_CALLOC(n, c->name, c->unknown, c->copy);
    for (int u = 0; u < names->count; u++) {
        if (names->symbol[u].kind != DARC_PARAMETER)
            continue;
        bool twice = changed != NULL && changed[u];
        add_variable(c, u, twice ? 0 : -1, names);
        if (twice)
            add_variable(c, u, 1, names);
    }
    fmpz_mpoly_ctx_init(c->ctx, c->vars > 0 ? c->vars : 1, ORD_DEGREVLEX);
}

static void add_vectors(darc_coeffs_t c, const darc_ioeqs_t io, int equation,
                        int recordings)
{
    int from = equation < 0 ? 0 : equation;
    int to = equation < 0 ? io->count : equation + 1;
    size_t n = (size_t)(recordings * (to - from));
    DARC_CALLOC(n, c->recording, c->equation);
    c->first = darc_calloc(n + 1, sizeof *c->first);
    for (int r = 0; r < recordings; r++)
        for (int e = from; e < to; e++) {
            c->recording[c->vectors] = r;
            c->equation[c->vectors] = e;
            c->first[c->vectors + 1] =
                c->first[c->vectors] + io->eq[e].coeff->count;
            c->vectors++;
        }
}

void darc_coeffs_init(darc_coeffs_t c, const darc_ioeqs_t io, int equation,
                      const bool *changed)
{
    memset(c, 0, sizeof *c);
    add_variables(c, io->jet->names, changed);
    add_vectors(c, io, equation, changed == NULL ? 1 : 2);
    slong n = c->first[c->vectors];
    c->b = darc_calloc((size_t)n, sizeof *c->b);
    for (int i = 0; i < c->vectors; i++) {
        const darc_ioeq *eq = io->eq + c->equation[i];
        assert(eq->expanded);
        for (slong j = 0; j < eq->coeff->count; j++) {
            const fmpz_mpoly_struct *p = eq->coeff->p + j;
            fmpz_mpoly_struct *b = c->b + c->first[i] + j;
            fmpz_mpoly_init(b, c->ctx);
            ulong *a = darc_calloc((size_t)io->jet->vars, sizeof *a);
            ulong *e = darc_calloc((size_t)c->vars + 1, sizeof *e);
            for (slong t = 0; t < p->length; t++) {
                fmpz_mpoly_get_term_exp_ui(a, p, t, io->jet->ctx);
                for (slong v = 0; v < c->vars; v++) {
                    slong w =
                        darc_jet_var(io->jet, (darc_deriv){c->unknown[v], 0});
                    bool here = c->copy[v] < 0 || c->copy[v] == c->recording[i];
                    e[v] = here ? a[w] : 0;
                }
                fmpz_mpoly_push_term_fmpz_ui(b, p->coeffs + t, e, c->ctx);
            }
            fmpz_mpoly_sort_terms(b, c->ctx);
            DARC_FREE(a, e);
        }
    }
}

void darc_coeffs_init_vector(darc_coeffs_t c, const darc_names_struct *names,
                             slong n)
{
    memset(c, 0, sizeof *c);
    add_variables(c, names, NULL);
    c->vectors = 1;
    DARC_CALLOC(1, c->recording, c->equation);
    c->first = darc_calloc(2, sizeof *c->first);
    c->first[1] = n;
    c->b = darc_calloc((size_t)n, sizeof *c->b);
    DARC_ALL_IN(fmpz_mpoly_init, c->ctx, c->b, n);
}

void darc_coeffs_clear(darc_coeffs_t c)
{
    for (slong i = 0; c->first != NULL && i < c->first[c->vectors]; i++)
        fmpz_mpoly_clear(c->b + i, c->ctx);
    DARC_FREE_EACH(c->name, c->vars);
    DARC_FREE(c->b, c->name, c->unknown, c->copy, c->recording, c->equation,
              c->first);
    fmpz_mpoly_ctx_clear(c->ctx);
    memset(c, 0, sizeof *c);
}

void darc_coeffs_jacobian(nmod_mat_t m, const darc_coeffs_t c,
                          flint_rand_t state)
{
    assert(m->r == c->vectors + c->vars && m->c == c->first[c->vectors]);
    ulong *x = darc_calloc((size_t)c->vars + 1, sizeof *x);
    darc_finite_random_point(x, c->vars, m->mod, state);
    for (int i = 0; i < c->vectors; i++)
        for (slong j = c->first[i]; j < c->first[i + 1]; j++) {
            /* Set rows row .. row + vars of column j of m: the entry b itself
             * in the row of its vector, below them its derivatives by the
             * variables. */
            ulong *by = darc_calloc((size_t)c->vars, sizeof *by);
            nmod_mat_entry(m, i, j) =
                darc_finite_gradient(by, c->b + j, x, m->mod, c->ctx);
            for (slong v = 0; v < c->vars; v++)
                nmod_mat_entry(m, c->vectors + v, j) = by[v];
            darc_free(by);
        }
    darc_free(x);
}

slong darc_coeffs_dimension(const darc_coeffs_t c, flint_rand_t state)
{
    nmod_mat_t m;
    nmod_mat_init(m, c->vectors + c->vars, c->first[c->vectors],
                  darc_finite_random_prime(state));
    darc_coeffs_jacobian(m, c, state);
    slong rank = nmod_mat_rank(m);
    nmod_mat_clear(m);
    return rank - c->vectors;
}
