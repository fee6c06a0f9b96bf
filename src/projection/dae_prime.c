#include "base/mem.h"
#include "projection/dae.h"

/* The equations that begin at one stage, and what they may be solved for. */
typedef struct {
    const darc_dae_struct *x;
    slong rows, vars;
    const darc_dpoly_struct **row; /* owned */
    slong *var;                    /* variables of the frame; owned */
} beginning;

/* Return whether p is of degree at most 1 in the variables together. */
static bool is_linear_in(const darc_dpoly_t p, const slong *var, slong n,
                         const darc_jet_t jet)
{
    bool linear = true;
    darc_dpoly_t by;
    darc_dpoly_init(by, jet);
    for (slong k = 0; k < n && linear; k++) {
        fmpz_mpoly_derivative(by, p, var[k], jet->ctx);
        for (slong i = 0; i < n && linear; i++)
            linear = darc_dpoly_degree(by, var[i], jet) < 1;
    }
    darc_dpoly_clear(by, jet);
    return linear;
}

/* List the equations that begin at the stage, and the derivatives of unknowns
 * that count there; at the first also parameters and inputs, that is, at
 * which no equation is differentiated. */
static void list_beginning(beginning *b, int stage, bool *first)
{
    const darc_dae_struct *x = b->x;
    const darc_names_struct *names = x->jet->names;
    b->rows = b->vars = 0;
    *first = true;
    for (int i = 0; i < x->count; i++) {
        if (x->times[i] == -stage)
            b->row[b->rows++] = x->eq->p + i;
        *first = *first && x->times[i] <= -stage;
    }
    for (int j = 0; j < x->count; j++) {
        darc_deriv d = {x->unknown[j], stage + x->highest[j]};
        slong v = d.order < 0 ? -1 : darc_jet_var(x->jet, d);
        if (v >= 0)
            b->var[b->vars++] = v;
    }
    for (int u = 0; u < names->count && *first; u++)
        if (names->symbol[u].kind == DARC_PARAMETER ||
            names->symbol[u].kind == DARC_INPUT)
            b->var[b->vars++] = darc_jet_var(x->jet, (darc_deriv){u, 0});
}

static bool are_linear(const beginning *b, slong n)
{
    slong i = 0;
    while (i < b->rows && is_linear_in(b->row[i], b->var, n, b->x->jet))
        i++;
    return i == b->rows;
}

/* Leave out a row that is linear in a variable which no other holds; return
 * whether there was one. */
static bool leave_out(beginning *b)
{
    for (slong k = 0; k < b->vars; k++) {
        slong only = -1, count = 0;
        for (slong i = 0; i < b->rows; i++)
            if (darc_dpoly_degree(b->row[i], b->var[k], b->x->jet) > 0) {
                only = i;
                count++;
            }
        if (count == 1 &&
            darc_dpoly_degree(b->row[only], b->var[k], b->x->jet) == 1) {
            b->row[only] = b->row[--b->rows];
            return true;
        }
    }
    return false;
}

static bool has_one_factor(const darc_dpoly_t p, const darc_jet_t jet)
{
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, jet->ctx);
    bool one =
        fmpz_mpoly_factor(f, p, jet->ctx) && f->num == 1 && fmpz_is_one(f->exp);
    fmpz_mpoly_factor_clear(f, jet->ctx);
    return one;
}

/* Return whether as many variables as rows, in which these are linear together,
 * are determined by them at a random point. */
static bool are_solvable(beginning *b, flint_rand_t rand)
{
    const darc_jet_struct *jet = b->x->jet;
    slong n = 0;
    for (slong k = 0; k < b->vars; k++) {
        b->var[n] = b->var[k];
        n += are_linear(b, n + 1);
    }
    nmod_t mod;
    nmod_mat_t a;
    nmod_init(&mod, darc_finite_random_prime(rand));
    nmod_mat_init(a, b->rows, n, mod.n);
    ulong *at = darc_calloc(2 * (size_t)jet->vars, sizeof *at);
    darc_finite_random_point(at, jet->vars, mod, rand);
    for (slong i = 0; i < b->rows; i++) {
        darc_finite_gradient(at + jet->vars, b->row[i], at, mod, jet->ctx);
        for (slong k = 0; k < n; k++)
            nmod_mat_entry(a, i, k) = at[jet->vars + b->var[k]];
    }
    bool full = nmod_mat_rank(a) == b->rows;
    nmod_mat_clear(a);
    darc_free(at);
    return full;
}

bool darc_dae_is_prime(const darc_dae_t x, flint_rand_t rand)
{
    bool prime = true;
    size_t n = (size_t)x->jet->names->count;
    beginning b = {.x = x,
                   .row = darc_calloc((size_t)x->count + 1, sizeof *b.row),
                   .var = darc_calloc(n + 1, sizeof *b.var)};
    for (int stage = x->first; stage <= 0 && prime; stage++) {
        bool first;
        list_beginning(&b, stage, &first);
        slong unknowns = 0;
        while (unknowns < b.vars &&
               !darc_jet_is_constant(x->jet,
                                     x->jet->deriv[b.var[unknowns]].unknown) &&
               x->jet->names->symbol[x->jet->deriv[b.var[unknowns]].unknown]
                       .kind != DARC_INPUT)
            unknowns++;
        if (are_linear(&b, unknowns))
            continue;
        while (first && leave_out(&b))
            continue;
        prime = first && (b.rows == 0 ||
                          (b.rows == 1 && has_one_factor(b.row[0], x->jet)) ||
                          are_solvable(&b, rand));
    }
    DARC_FREE(b.row, b.var);
    return prime;
}
