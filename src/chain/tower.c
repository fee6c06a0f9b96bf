#include "chain/regular.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

static ulong *element(const darc_tower_t t)
{
    return darc_calloc((size_t)t->max_dim, sizeof(ulong));
}

/* Set out to a * b in the lowest l levels: stride[l] coordinates. */
static void mul_level(ulong *out, const ulong *a, const ulong *b, slong l,
                      const darc_tower_t t)
{
    if (l == 0) {
        out[0] = nmod_mul(a[0], b[0], t->mod);
        return;
    }
    slong n = t->degree[l - 1], m = t->stride[l - 1];
    ulong *sum = darc_calloc((size_t)(2 * n * m), sizeof *sum);
    ulong *c = darc_calloc((size_t)m, sizeof *c);
    for (slong i = 0; i < n; i++)
        for (slong j = 0; j < n; j++) {
            mul_level(c, a + i * m, b + j * m, l - 1, t);
            _nmod_vec_add(sum + (i + j) * m, sum + (i + j) * m, c, m, t->mod);
        }
    for (slong k = 2 * n - 2; k >= n; k--)
        for (slong i = 0; i < n; i++) {
            ulong *to = sum + (k - n + i) * m;
            mul_level(c, sum + k * m, t->monic[l - 1] + i * m, l - 1, t);
            _nmod_vec_sub(to, to, c, m, t->mod);
        }
    memcpy(out, sum, (size_t)(n * m) * sizeof *out);
    DARC_FREE(c, sum);
}

/* Set out to a * b; out may be a or b. */
static void mul(ulong *out, const ulong *a, const ulong *b,
                const darc_tower_t t)
{
    mul_level(out, a, b, t->levels, t);
}

/* Set out to 1 / a and return true, or return false: not invertible.  The
 * matrix of the multiplication by a is solved for 1. */
static bool invert_number(ulong *out, const ulong *a, const darc_tower_t t)
{
    nmod_mat_t m, x, one;
    nmod_mat_init(m, t->dim, t->dim, t->mod.n);
    nmod_mat_init(x, t->dim, 1, t->mod.n);
    nmod_mat_init(one, t->dim, 1, t->mod.n);
    ulong *e = element(t), *column = element(t);
    for (slong j = 0; j < t->dim; j++) {
        e[j] = 1;
        mul(column, a, e, t);
        e[j] = 0;
        for (slong i = 0; i < t->dim; i++)
            nmod_mat_entry(m, i, j) = column[i];
    }
    nmod_mat_entry(one, 0, 0) = 1;
    bool invertible = nmod_mat_solve(x, m, one) != 0;
    for (slong i = 0; invertible && i < t->dim; i++)
        out[i] = nmod_mat_entry(x, i, 0);
    DARC_FREE(e, column);
    DARC_EACH(nmod_mat_clear, m, x, one);
    return invertible;
}

/* What an evaluation needs besides the polynomial. */
typedef struct {
    darc_tower_struct *t;
    darc_autored_struct *a;
    const darc_jet_struct *jet;
    const darc_dpoly_struct *bad; /* equation with an initial or separant
                                     that is not invertible, or NULL */
} fibre;

static darc_status eval(ulong *out, const darc_dpoly_t p, fibre *f,
                        darc_err *err);

/* Set *value to -b / c where g = c*v + b is the k-th derivative of the
 * equation of u and v its leader. */
static darc_status solve_derivative(ulong *value, slong v, int u, int k,
                                    fibre *f, darc_err *err)
{
    darc_status status;
    const darc_dpoly_struct *g;
    darc_dpoly_t coeff;
    darc_dpoly_init(coeff, f->jet);
    ulong *c = element(f->t);
    DARC_TRY(darc_autored_diff(&g, f->a, u, k, f->jet, err));
    darc_dpoly_coeff(coeff, g, v, 0, f->jet);
    fmpz_mpoly_neg(coeff, coeff, f->jet->ctx);
    DARC_TRY(eval(value, coeff, f, err));
    darc_dpoly_coeff(coeff, g, v, 1, f->jet);
    DARC_TRY(eval(c, coeff, f, err));
    if (f->bad == NULL && invert_number(c, c, f->t))
        mul(value, value, c, f->t);
    else if (f->bad == NULL)
        f->bad = darc_autored_get(f->a, u);
done:
    darc_free(c);
    darc_dpoly_clear(coeff, f->jet);
    return status;
}

/* Make the value of v known; leaders are known from the start. */
static darc_status know(slong v, fibre *f, darc_err *err)
{
    darc_tower_struct *t = f->t;
    if (t->value[v] != NULL)
        return DARC_OK;
    darc_deriv d = f->jet->deriv[v];
    int order = darc_autored_order(f->a, d.unknown, f->jet);
    assert(order != d.order);
    ulong *value = element(t);
    darc_status status = DARC_OK;
    if (order < 0 || d.order < order)
        value[0] = darc_rng_residue(&t->rng, t->mod);
    else
        status = solve_derivative(value, v, d.unknown, d.order - order, f, err);
    if (status == DARC_OK && f->bad == NULL)
        t->value[v] = value;
    else
        darc_free(value);
    return status;
}

static bool is_scalar(const ulong *a, const darc_tower_t t)
{
    return _nmod_vec_is_zero(a + 1, t->dim - 1);
}

/* Set term to c * prod value[v]^exp[v]. */
static void eval_term(ulong *term, ulong c, const ulong *exp, const fibre *f)
{
    const darc_tower_struct *t = f->t;
    memset(term, 0, (size_t)t->max_dim * sizeof *term);
    for (slong v = 0; v < t->vars; v++)
        if (exp[v] != 0 && is_scalar(t->value[v], t))
            c = nmod_mul(c, nmod_pow_ui(t->value[v][0], exp[v], t->mod),
                         t->mod);
    term[0] = c;
    for (slong v = 0; v < t->vars; v++)
        if (exp[v] != 0 && !is_scalar(t->value[v], t))
            for (ulong e = 0; e < exp[v]; e++)
                mul(term, term, t->value[v], t);
}

static darc_status eval(ulong *out, const darc_dpoly_t p, fibre *f,
                        darc_err *err)
{
    darc_status status = DARC_OK;
    darc_tower_struct *t = f->t;
    ulong *exp = darc_calloc((size_t)t->vars, sizeof *exp);
    int *used = darc_calloc((size_t)t->vars, sizeof *used);
    ulong *term = element(t);
    memset(out, 0, (size_t)t->max_dim * sizeof *out);
    darc_dpoly_used(used, p, f->jet);
    for (slong v = t->vars - 1; v >= 0; v--)
        if (used[v])
            DARC_TRY(know(v, f, err));
    for (slong i = 0; f->bad == NULL && i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(exp, p, i, f->jet->ctx);
        eval_term(term, fmpz_fdiv_ui(p->coeffs + i, t->mod.n), exp, f);
        _nmod_vec_add(out, out, term, t->dim, t->mod);
    }
done:
    DARC_FREE(term, used, exp);
    return status;
}

/* Make the leader v of equation g of degree n known: a new level, or the
 * value itself where n = 1. */
static darc_status add_leader(const darc_dpoly_struct *g, slong v, slong n,
                              fibre *f, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_tower_struct *t = f->t;
    darc_dpoly_t c;
    darc_dpoly_init(c, f->jet);
    ulong **coeff = darc_calloc((size_t)n + 1, sizeof *coeff);
    for (slong i = n; i >= 0; i--) {
        coeff[i] = element(t);
        darc_dpoly_coeff(c, g, v, i, f->jet);
        DARC_TRY(eval(coeff[i], c, f, err));
        if (f->bad == NULL && i == n && !invert_number(coeff[n], coeff[n], t))
            f->bad = g;
        if (f->bad != NULL)
            goto done;
        if (i < n)
            mul(coeff[i], coeff[i], coeff[n], t);
    }
    t->value[v] = element(t);
    if (n > 1) {
        /* Add a level for the equation of degree n: monic[i] = coefficient i
         * divided by the leading one.  Its variable is the new generator. */
        slong l = t->levels;
        t->degree[l] = n;
        t->monic[l] = darc_calloc((size_t)(n * t->dim), sizeof(ulong));
        for (slong i = 0; i < n; i++)
            memcpy(t->monic[l] + i * t->dim, coeff[i],
                   (size_t)t->dim * sizeof(ulong));
        t->value[v][t->dim] = 1;
        t->dim *= n;
        t->levels++;
        t->stride[t->levels] = t->dim;
    } else
        _nmod_vec_neg(t->value[v], coeff[0], t->dim, t->mod);
done:
    for (slong i = 0; i <= n; i++)
        darc_free(coeff[i]);
    darc_free(coeff);
    darc_dpoly_clear(c, f->jet);
    return status;
}

darc_status darc_tower_init(darc_tower_t t, const darc_dpoly_struct **bad,
                            darc_autored_t a, ulong seed, const darc_jet_t jet,
                            darc_err *err)
{
    size_t n = (size_t)a->unknowns;
    *t = (darc_tower_struct){.dim = 1, .max_dim = 1, .vars = jet->vars};
    t->rng.state = seed;
    nmod_init(&t->mod, darc_rng_prime(&t->rng));
    t->degree = darc_calloc(n, sizeof *t->degree);
    t->stride = darc_calloc(n + 1, sizeof *t->stride);
    t->stride[0] = 1;
    t->monic = darc_calloc(n, sizeof *t->monic);
    t->value = darc_calloc((size_t)jet->vars, sizeof *t->value);

    int *unknown = darc_calloc(n, sizeof *unknown);
    fibre f = {t, a, jet, NULL};
    int count = darc_autored_sorted(unknown, a, jet);
    /* Add the leaders of all equations, lowest first. */
    darc_status status = DARC_OK;
    for (int i = 0; f.bad == NULL && i < count; i++) {
        const darc_dpoly_struct *g = darc_autored_get(f.a, unknown[i]);
        slong v = darc_dpoly_leader(g, f.jet);
        slong degree = darc_dpoly_degree(g, v, f.jet);
        if (degree > DARC_TOWER_MAX_DIM / f.t->max_dim)
            f.bad = g;
        else
            f.t->max_dim *= degree;
    }
    for (int i = 0; f.bad == NULL && i < count && status == DARC_OK; i++) {
        const darc_dpoly_struct *g = darc_autored_get(f.a, unknown[i]);
        slong v = darc_dpoly_leader(g, f.jet);
        status = add_leader(g, v, darc_dpoly_degree(g, v, f.jet), &f, err);
    }
    *bad = f.bad;
    darc_free(unknown);
    if (status != DARC_OK)
        darc_tower_clear(t);
    return status;
}

void darc_tower_clear(darc_tower_t t)
{
    for (slong v = 0; t->value != NULL && v < t->vars; v++)
        darc_free(t->value[v]);
    DARC_FREE_EACH(t->monic, t->levels);
    DARC_FREE(t->value, t->monic, t->degree, t->stride);
    *t = (darc_tower_struct){0};
}

darc_status darc_tower_is_regular(bool *regular, darc_tower_t t,
                                  const darc_dpoly_t p, darc_autored_t a,
                                  const darc_jet_t jet, darc_err *err)
{
    fibre f = {t, a, jet, NULL};
    ulong *value = element(t);
    darc_status status = eval(value, p, &f, err);
    if (status == DARC_OK)
        *regular = f.bad == NULL && invert_number(value, value, t);
    darc_free(value);
    return status;
}
