#include "identify/fibre.h"

#include "base/mem.h"
#include "identify/thresholds.h"

#include <assert.h>
#include <string.h>

/* Return whether a divisor is more than a number. */
static bool have_divisors(const darc_ratios_t f)
{
    for (slong k = 0; k < f->count; k++)
        if (!fmpz_mpoly_is_fmpz(f->den + k, f->ctx))
            return true;
    return false;
}

void darc_fibre_init(darc_fibre *w, const darc_ratios_t f, bool divisors,
                     const bool *cut, ulong prime, flint_rand_t state)
{
    size_t n = (size_t)fmpz_mpoly_ctx_nvars(f->ctx);
    *w = (darc_fibre){.ring = f->ctx, .vars = (slong)n};
    w->divisors = divisors || have_divisors(f);
    nmod_init(&w->mod, prime);
    nmod_mpoly_ctx_init(w->ctx, w->vars + w->divisors, ORD_DEGREVLEX, prime);
    w->x = darc_calloc(n + 1, sizeof *w->x);
    darc_finite_random_point(w->x, w->vars, w->mod, state);
    if (cut == NULL)
        return;
    DARC_CALLOC(n + 1, w->place, w->at);
    for (slong v = 0; v < w->vars; v++)
        w->place[v] = cut[v] ? -1 : v;
    darc_finite_random_point(w->at, w->vars, w->mod, state);
}

void darc_fibre_clear(darc_fibre *w)
{
    if (w->x == NULL)
        return;
    darc_groebner_clear(w->basis);
    nmod_mpoly_ctx_clear(w->ctx);
    DARC_FREE(w->x, w->place, w->at);
    w->x = NULL;
}

void darc_fibre_equation(nmod_mpoly_t q, nmod_mpoly_t d, const fmpz_mpoly_t num,
                         const fmpz_mpoly_t den, const slong *target,
                         const darc_fibre *p)
{
    ulong n = darc_finite_eval(num, p->x, p->mod, p->ring);
    ulong m = darc_finite_eval(den, p->x, p->mod, p->ring);
    nmod_mpoly_t t;
    nmod_mpoly_init(t, p->ctx);
    target = target == NULL ? p->place : target;
    darc_finite_image(q, p->ctx, target, p->at, num, p->ring);
    darc_finite_image(d, p->ctx, target, p->at, den, p->ring);
    nmod_mpoly_scalar_mul_ui(q, q, m, p->ctx);
    nmod_mpoly_scalar_mul_ui(t, d, n, p->ctx);
    nmod_mpoly_sub(q, q, t, p->ctx);
    nmod_mpoly_clear(t, p->ctx);
}

/* Set q to t*m - 1, m the product of the different denominators that are no
 * monomials, and of the variables of those that are. */
static void saturation(nmod_mpoly_t q, const darc_ratios_t f,
                       const darc_fibre *p)
{
    slong n = p->vars;
    int *used = darc_calloc(2 * (size_t)n, sizeof *used), *one = used + n;
    nmod_mpoly_t d;
    nmod_mpoly_init(d, p->ctx);
    nmod_mpoly_gen(q, n, p->ctx);
    for (slong k = 0; k < f->count; k++) {
        const fmpz_mpoly_struct *den = f->den + k;
        bool old = fmpz_mpoly_is_fmpz(den, f->ctx);
        for (slong i = 0; i < k && !old; i++)
            old = fmpz_mpoly_equal(f->den + i, den, f->ctx);
        if (!old && den->length == 1) {
            fmpz_mpoly_used_vars(one, den, f->ctx);
            for (slong v = 0; v < n; v++)
                used[v] |= one[v];
        } else if (!old) {
            darc_finite_image(d, p->ctx, p->place, p->at, den, f->ctx);
            nmod_mpoly_mul(q, q, d, p->ctx);
        }
    }
    for (slong v = 0; v < n; v++) {
        if (p->place != NULL && p->place[v] < 0)
            nmod_mpoly_set_ui(d, p->at[v], p->ctx);
        else
            nmod_mpoly_gen(d, v, p->ctx);
        if (used[v])
            nmod_mpoly_mul(q, q, d, p->ctx);
    }
    nmod_mpoly_sub_ui(q, q, 1, p->ctx);
    nmod_mpoly_clear(d, p->ctx);
    darc_free(used);
}

/* Set the ideal by generators. */
static void set_ideal(darc_fibre *w, const darc_ratios_t f)
{
    assert(w->divisors || !have_divisors(f));
    nmod_mpoly_t q, d;
    darc_mpoly_inits(w->ctx, q, d, NULL);
    darc_groebner_clear(w->basis);
    darc_groebner_init(w->basis, w->ctx);
    for (slong v = 0; v < w->vars && w->place != NULL; v++)
        if (w->place[v] < 0)
            darc_groebner_add_value(w->basis, v, w->at[v]);
    for (slong k = 0; k < f->count; k++) {
        darc_fibre_equation(q, d, f->num + k, f->den + k, NULL, w);
        darc_groebner_add(w->basis, q);
    }
    if (w->divisors) {
        saturation(q, f, w);
        darc_groebner_add(w->basis, q);
    }
    darc_mpoly_clears(w->ctx, q, d, NULL);
}

darc_status darc_fibre_find(darc_fibre *w, const darc_ratios_t f, darc_err *err)
{
    set_ideal(w, f);
    return darc_groebner_find(w->basis, w->budget, err);
}

darc_status darc_fibre_fix(darc_fibre *w, const darc_ratios_t f, darc_err *err)
{
    set_ideal(w, f);
    return darc_groebner_find_short(w->basis, w->budget, err);
}

bool darc_fibre_fixes(const darc_fibre *w, const fmpz_mpoly_t num,
                      const fmpz_mpoly_t den)
{
    nmod_mpoly_t q, d;
    darc_mpoly_inits(w->ctx, q, d, NULL);
    darc_fibre_equation(q, d, num, den, NULL, w);
    bool fixed = darc_groebner_contains(w->basis, q);
    darc_mpoly_clears(w->ctx, q, d, NULL);
    return fixed;
}

/* Set f to a combination of the polynomials r that vanishes; false: there is
 * none.  All but the last are linearly independent. */
static bool combination(nmod_poly_t f, const nmod_mpoly_struct *r, slong n,
                        const darc_fibre *p)
{
    nmod_mpoly_t all, m;
    darc_mpoly_inits(p->ctx, all, m, NULL);
    for (slong i = 0; i < n; i++)
        for (slong t = 0; t < r[i].length; t++) {
            nmod_mpoly_get_term_monomial(m, r + i, t, p->ctx);
            if (nmod_mpoly_get_coeff_ui_monomial(all, m, p->ctx) == 0)
                nmod_mpoly_add(all, all, m, p->ctx);
        }
    nmod_mat_t a, kernel;
    nmod_mat_init(a, all->length, n, p->mod.n);
    nmod_mat_init(kernel, n, n, p->mod.n);
    for (slong t = 0; t < all->length; t++) {
        nmod_mpoly_get_term_monomial(m, all, t, p->ctx);
        for (slong i = 0; i < n; i++)
            nmod_mat_entry(a, t, i) =
                nmod_mpoly_get_coeff_ui_monomial(r + i, m, p->ctx);
    }
    bool found = nmod_mat_nullspace(kernel, a) > 0;
    nmod_poly_zero(f);
    for (slong i = 0; i < n && found; i++)
        nmod_poly_set_coeff_ui(f, i, nmod_mat_entry(kernel, i, 0));
    DARC_EACH(nmod_mat_clear, a, kernel);
    darc_mpoly_clears(p->ctx, all, m, NULL);
    return found;
}

/* Set f to the polynomial of least degree that x_v satisfies modulo b; false:
 * its degree is too high, or there is none. */
static bool minimal_polynomial(nmod_poly_t f, const darc_groebner_t b, slong v,
                               const darc_fibre *p)
{
    nmod_mpoly_struct r[DARC_SLICE_DEGREE + 1]; /* x_v^n reduced */
    bool found = false;
    slong n = 0;
    nmod_mpoly_t x;
    nmod_mpoly_init(x, p->ctx);
    nmod_mpoly_gen(x, v, p->ctx);
    for (; n <= DARC_SLICE_DEGREE && !found; n++) {
        nmod_mpoly_init(r + n, p->ctx);
        if (n == 0)
            nmod_mpoly_one(r, p->ctx);
        else
            nmod_mpoly_mul(r + n, r + n - 1, x, p->ctx);
        darc_groebner_reduce(r + n, r + n, b);
        found = combination(f, r, n + 1, p);
    }
    while (n > 0)
        nmod_mpoly_clear(r + --n, p->ctx);
    nmod_mpoly_clear(x, p->ctx);
    return found;
}

/* Set b to the ideal of the basis a and x_v - value. */
static void cut_ideal(darc_groebner_t b, const darc_groebner_t a, slong v,
                      ulong value)
{
    nmod_mpoly_t q;
    nmod_mpoly_init(q, a->ctx);
    darc_groebner_init(b, a->ctx);
    darc_groebner_add_value(b, v, value);
    for (slong i = 0; i < a->count; i++) {
        nmod_mpoly_set(q, a->g[i].p, a->ctx);
        if (a->g[i].active)
            darc_groebner_add(b, q);
    }
    nmod_mpoly_clear(q, a->ctx);
}

/* List the points of b whose coordinates below v are x. */
static darc_status list_points(darc_slice_t s, const darc_fibre *p, ulong *x,
                               const darc_groebner_t b, slong v, darc_err *err)
{
    darc_status status = DARC_OK;
    if (darc_groebner_is_one(b) || s->count >= DARC_MAX_SLICE)
        return DARC_OK;
    if (v == s->vars) {
        size_t size = (size_t)s->vars * sizeof *x;
        s->x = darc_room(s->x, (size_t)s->count, size);
        memcpy(s->x + s->count++ * s->vars, x, size);
        return DARC_OK;
    }
    nmod_poly_t f;
    nmod_poly_factor_t root;
    nmod_poly_init(f, p->mod.n);
    nmod_poly_factor_init(root);
    bool found = minimal_polynomial(f, b, v, p);
    if (found)
        nmod_poly_roots(root, f, 1);
    slong degree = 0;
    for (slong i = 0; i < root->num; i++)
        degree += root->exp[i];
    s->all = s->all && found && degree == nmod_poly_degree(f);
    for (slong i = 0; i < root->num && status == DARC_OK; i++) {
        darc_groebner_t c;
        x[v] = nmod_neg(nmod_poly_get_coeff_ui(root->p + i, 0), p->mod);
        cut_ideal(c, b, v, x[v]);
        status = darc_groebner_find(c, p->budget, err);
        DARC_THEN(list_points(s, p, x, c, v + 1, err));
        darc_groebner_clear(c);
    }
    nmod_poly_clear(f);
    nmod_poly_factor_clear(root);
    return status;
}

darc_status darc_slice_init(darc_slice_t s, const darc_fibre *w, darc_err *err)
{
    *s = (darc_slice_struct){.vars = w->vars, .all = true};
    ulong *x = darc_calloc((size_t)s->vars + 1, sizeof *x);
    darc_status status = list_points(s, w, x, w->basis, 0, err);
    s->all = s->all && s->count < DARC_MAX_SLICE;
    darc_free(x);
    if (status != DARC_OK)
        darc_slice_clear(s);
    return status;
}

void darc_slice_clear(darc_slice_t s)
{
    darc_free(s->x);
    *s = (darc_slice_struct){0};
}
