#include "identify/identify.h"

#include "base/mem.h"
#include "identify/fibre.h"
#include "identify/thresholds.h"
#include "modular/reconstruct.h"

#include <string.h>

static bool is_squarefree(const ulong *e, slong n)
{
    for (slong v = 0; v < n; v++)
        if (e[v] > 1)
            return false;
    return true;
}

/* Collect the monomials of P, but for that of exponents den (NULL: none):
 * squarefree ones first, so that squares are eliminated where there is a
 * choice.  Return false when they are too many. */
static bool monomials_init(darc_exponents *m, slong vars, const ulong *den,
                           slong degree)
{
    size_t size = (size_t)vars * sizeof(ulong);
    darc_exponents all = {.vars = vars};
    bool fits = darc_exponents_append(&all, degree, NULL,
                                      DARC_MAX_CANDIDATE_MONOMIALS + 1);
    *m = (darc_exponents){.vars = vars};
    m->exp = darc_malloc((size_t)all.count * size);
    for (int pass = 0; pass < 2 && fits; pass++)
        for (slong i = 0; i < all.count; i++) {
            const ulong *e = all.exp + i * vars;
            if ((den == NULL || memcmp(e, den, size) != 0) &&
                is_squarefree(e, vars) == (pass == 0))
                memcpy(m->exp + m->count++ * vars, e, size);
        }
    darc_free(all.exp);
    return fits;
}

/* Behind those at which functions are sought, a fibre modulo a second prime, at
 * which every answer is checked. */
#define CHECK DARC_GENERATOR_PLACES

typedef struct {
    const darc_ratios_struct *ratio; /* they generate the field */
    const fmpz_mpoly_ctx_struct *ctx;
    slong vars, rank;
    darc_fibre fibre[DARC_GENERATOR_PLACES + 1]; /* of ratio, cut */
    int fibres;          /* so many are found, besides the last */
    darc_ratios_t steep; /* of the same rank, short ones */
    slong points;
    ulong *point; /* random points, and directions along which no ratio changes
                     there, at i * vars * (1 + vars - rank); owned */
    const darc_identifiability *parameter;
    darc_ratios_struct *gen;
    darc_fibre own; /* of gen, cut, made for divisors */
    bool complete;  /* gen generates the field */
    flint_rand_t rand;
    const darc_budget *budget;
} finder;

/* Append a random point with its directions. */
static void add_place(finder *w)
{
    slong n = w->vars, ways = n - w->rank;
    nmod_t mod = w->fibre->mod;
    w->point = darc_room(w->point, (size_t)w->points,
                         (size_t)(n * (1 + ways)) * sizeof *w->point);
    ulong *x = w->point + w->points++ * n * (1 + ways);
    nmod_mat_t m, kernel;
    nmod_mat_init(m, w->steep->count, n, mod.n);
    nmod_mat_init(kernel, n, n, mod.n);
    darc_finite_random_point(x, n, mod, w->rand);
    darc_ratios_gradients(m, w->steep, x);
    slong found = nmod_mat_nullspace(kernel, m);
    for (slong i = 0; i < n * ways; i++)
        x[n + i] = i / n < found ? nmod_mat_entry(kernel, i % n, i / n) : 0;
    DARC_EACH(nmod_mat_clear, m, kernel);
}

/* Set row j to the derivative of m_j/den, times den^2, along direction k at
 * point i. */
static void set_slope(ulong *row, slong i, slong k, const darc_exponents *m,
                      const fmpz_mpoly_t den, const finder *w)
{
    nmod_t mod = w->fibre->mod;
    slong n = w->vars;
    const ulong *x = w->point + i * n * (1 + n - w->rank);
    const ulong *way = x + (1 + k) * n;
    ulong *by = darc_calloc(2 * (size_t)n, sizeof *by), *rate = by + n;
    ulong d = darc_finite_gradient(by, den, x, mod, w->ctx), slope = 0;
    for (slong v = 0; v < n; v++) {
        slope = nmod_addmul(slope, by[v], way[v], mod);
        rate[v] = nmod_div(nmod_mul(d, way[v], mod), x[v], mod);
    }
    for (slong j = 0; j < m->count; j++) {
        const ulong *e = m->exp + j * n;
        ulong sum = nmod_neg(slope, mod);
        for (slong v = 0; v < n; v++)
            if (e[v] != 0)
                sum = nmod_addmul(sum, e[v], rate[v], mod);
        row[j] = nmod_mul(sum, darc_finite_monomial(e, x, n, mod), mod);
    }
    darc_free(by);
}

/* Set the rows of `space` (initialised by the call) to the first columns. */
static void set_space(nmod_mat_t space, const nmod_mat_t column, slong columns)
{
    nmod_mat_init(space, columns, column->r, column->mod.n);
    for (slong k = 0; k < columns; k++)
        for (slong j = 0; j < column->r; j++)
            nmod_mat_entry(space, k, j) = nmod_mat_entry(column, j, k);
}

/* Set the rows of `space` (initialised by the call) to a basis of the sum_j a_j
 * m_j/den that do not change along the directions at random points: they are
 * algebraic over the field. */
static void find_algebraic(nmod_mat_t space, const darc_exponents *m,
                           const fmpz_mpoly_t den, finder *w)
{
    slong n = m->count, ways = w->vars - w->rank;
    slong rows = ways > 0 ? n + DARC_CANDIDATE_SPARE : 0;
    nmod_mat_t a, kernel;
    nmod_mat_init(a, rows, n, w->fibre->mod.n);
    nmod_mat_init(kernel, n, n, w->fibre->mod.n);
    for (slong i = 0; i < rows; i++) {
        while (w->points <= i / ways)
            add_place(w);
        set_slope(nmod_mat_entry_ptr(a, i, 0), i / ways, i % ways, m, den, w);
    }
    set_space(space, kernel, nmod_mat_nullspace(kernel, a));
    DARC_EACH(nmod_mat_clear, a, kernel);
}

/* Set column k of `column` (initialised by the call) to element k of a reduced
 * basis of the space, whose leading entries are the last. */
static void set_columns(nmod_mat_t column, const nmod_mat_t space)
{
    slong n = space->c;
    nmod_mat_t a;
    nmod_mat_init(column, n, space->r, space->mod.n);
    nmod_mat_init(a, space->r, n, space->mod.n);
    for (slong k = 0; k < n * space->r; k++)
        nmod_mat_entry(a, k / n, n - 1 - k % n) =
            nmod_mat_entry(space, k / n, k % n);
    nmod_mat_rref(a);
    for (slong k = 0; k < n * space->r; k++)
        nmod_mat_entry(column, n - 1 - k % n, k / n) =
            nmod_mat_entry(a, k / n, k % n);
    nmod_mat_clear(a);
}

/* Add the values of r under random functionals to column j. */
static void add_functionals(nmod_mat_t a, slong j, const nmod_mpoly_t r,
                            const darc_fibre *p)
{
    ulong *exp = darc_calloc((size_t)p->vars + 2, sizeof *exp);
    for (slong t = 0; t < r->length; t++) {
        nmod_mpoly_get_term_exp_ui(exp, r, t, p->ctx);
        ulong h = darc_finite_hash(exp, p->vars + p->divisors);
        for (slong i = 0; i < a->r; i++) {
            ulong f = darc_finite_functional(h, i, p->mod);
            ulong *to = nmod_mat_entry_ptr(a, i, j);
            *to = nmod_addmul(*to, f, r->coeffs[t], p->mod);
        }
    }
    darc_free(exp);
}

/* P/den is constant on the fibre iff sum_j a_j (NF(m_j) - (m_j/den)(p)
 * NF(den)) = 0: leave those in the space that are. */
static darc_status keep_constant(nmod_mat_t space, const darc_exponents *m,
                                 const fmpz_mpoly_t den, const darc_fibre *p,
                                 darc_err *err)
{
    darc_status status = DARC_OK;
    nmod_mpoly_t r, d, s;
    nmod_mat_t a, by, c, kernel;
    darc_mpoly_inits(p->ctx, r, d, s, NULL);
    nmod_mat_init(a, space->r + DARC_CANDIDATE_SPARE, m->count, p->mod.n);
    ulong *e = darc_calloc((size_t)p->vars + 2, sizeof *e);
    darc_finite_image(d, p->ctx, NULL, NULL, den, p->ring);
    darc_groebner_reduce(d, d, p->basis);
    ulong inverse =
        nmod_inv(darc_finite_eval(den, p->x, p->mod, p->ring), p->mod);
    for (slong j = 0; j < m->count; j++) {
        DARC_TRY(darc_budget_check(p->budget, err));
        memcpy(e, m->exp + j * m->vars, (size_t)p->vars * sizeof *e);
        ulong v = darc_finite_monomial(e, p->x, p->vars, p->mod);
        nmod_mpoly_zero(r, p->ctx);
        nmod_mpoly_set_coeff_ui_ui(r, 1, e, p->ctx);
        darc_groebner_reduce(r, r, p->basis);
        nmod_mpoly_scalar_mul_ui(s, d, nmod_mul(v, inverse, p->mod), p->ctx);
        nmod_mpoly_sub(r, r, s, p->ctx);
        add_functionals(a, j, r, p);
    }
    nmod_mat_init(by, m->count, space->r, p->mod.n);
    nmod_mat_init(c, a->r, space->r, p->mod.n);
    nmod_mat_init(kernel, space->r, space->r, p->mod.n);
    nmod_mat_transpose(by, space);
    nmod_mat_mul(c, a, by);
    slong nullity = nmod_mat_nullspace(kernel, c);
    nmod_mat_mul(by, by, kernel);
    nmod_mat_clear(space);
    set_space(space, by, nullity);
    DARC_EACH(nmod_mat_clear, by, c, kernel);
done:
    nmod_mat_clear(a);
    darc_mpoly_clears(p->ctx, r, d, s, NULL);
    darc_free(e);
    return status;
}

/* Return whether all of f is constant on the fibre w->own. */
static bool fixes_functions(const finder *w, const darc_ratios_t f)
{
    for (slong k = 0; k < f->count; k++)
        if (!darc_fibre_fixes(&w->own, f->num + k, f->den + k))
            return false;
    return true;
}

/* Add num/den to the generators if it is in the field and new to them, or its
 * inverse where den is a sum and that is among the ratios. */
static darc_status consider(finder *w, const fmpz_mpoly_struct *num,
                            const fmpz_mpoly_struct *den, darc_err *err)
{
    for (slong k = 0; k < w->ratio->count && den->length > 1; k++)
        if (fmpz_mpoly_equal(w->ratio->num + k, den, w->ctx) &&
            fmpz_mpoly_equal(w->ratio->den + k, num, w->ctx)) {
            num = w->ratio->num + k;
            den = w->ratio->den + k;
            break;
        }
    if (!darc_fibre_fixes(w->fibre + CHECK, num, den) ||
        (w->gen->count > 0 && darc_fibre_fixes(&w->own, num, den)) ||
        !darc_ratios_append(w->gen, num, den))
        return DARC_OK;
    DARC_NEED(darc_fibre_find(&w->own, w->gen, err));
    if (w->gen->count >= w->rank)
        w->complete = fixes_functions(w, w->ratio);
    return DARC_OK;
}

/* Append the quotients of all by the shortest. */
static void exchange(darc_ratios_t f)
{
    fmpz_mpoly_t num, den;
    darc_dpoly_inits(f->ctx, num, den, NULL);
    darc_ratios_sort(f, 0);
    for (slong k = 1, n = f->count; k < n; k++) {
        fmpz_mpoly_mul(num, f->num + k, f->den, f->ctx);
        fmpz_mpoly_mul(den, f->den + k, f->num, f->ctx);
        darc_ratios_append(f, num, den);
    }
    darc_dpoly_clears(f->ctx, num, den, NULL);
}

/* Leave those in the space that are constant on fibres, one after the other
 * until one says nothing new.  A point alone says nothing. */
static darc_status keep_in_field(nmod_mat_t space, const darc_exponents *m,
                                 const fmpz_mpoly_t den, finder *w,
                                 darc_err *err)
{
    const darc_groebner_struct *b = w->fibre[CHECK].basis;
    slong before = b->values == b->vars ? space->r : -1;
    for (int i = 0; i < CHECK && space->r != before; i++) {
        before = space->r;
        if (w->fibres == i)
            DARC_NEED(darc_fibre_find(w->fibre + w->fibres++, w->ratio, err));
        DARC_NEED(keep_constant(space, m, den, w->fibre + i, err));
    }
    return DARC_OK;
}

/* Consider a basis of the P/den, deg P <= degree, that are constant on the
 * fibres, all modulo one prime.  Sparse ones come first; those with large
 * rational coefficients are left out. */
static darc_status search(finder *w, const fmpz_mpoly_t den, slong degree,
                          darc_err *err)
{
    darc_status status = DARC_OK;
    slong vars = fmpz_mpoly_ctx_nvars(w->ctx);
    ulong *e = darc_calloc((size_t)vars, sizeof *e);
    fmpz_mpoly_get_term_exp_ui(e, den, 0, w->ctx);
    fmpz_mpoly_t p;
    darc_ratios_t f;
    darc_exponents m;
    nmod_mat_t space, column;
    fmpz_mpoly_init(p, w->ctx);
    darc_ratios_init(f, w->ctx);
    if (!monomials_init(&m, vars, den->length == 1 ? e : NULL, degree))
        m.count = 0;
    find_algebraic(space, &m, den, w);
    DARC_TRY(keep_in_field(space, &m, den, w, err));
    set_columns(column, space);
    for (slong k = 0; k < column->c; k++)
        if (darc_reconstruct_polynomial(p, column, k, m.exp,
                                        DARC_CANDIDATE_BITS, w->ctx))
            darc_ratios_append(f, p, den);
    nmod_mat_clear(column);
    if (den->length > 1)
        exchange(f);
    darc_ratios_sort(f, 0);
    for (slong k = 0; k < f->count && !w->complete; k++)
        DARC_TRY(consider(w, f->num + k, f->den + k, err));
done:
    fmpz_mpoly_clear(p, w->ctx);
    darc_ratios_clear(f);
    nmod_mat_clear(space);
    DARC_FREE(m.exp, e);
    return status;
}

/* Consider polynomials of growing degree, and those over single parameters,
 * those over the denominators of ratios, then the ratios themselves. */
static darc_status search_all(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    slong vars = fmpz_mpoly_ctx_nvars(w->ctx);
    fmpz_mpoly_t den;
    fmpz_mpoly_init(den, w->ctx);
    for (slong degree = 1; degree <= DARC_CANDIDATE_DEGREE; degree++) {
        darc_ratios_clear(w->steep);
        darc_ratios_init(w->steep, w->ctx);
        darc_ratios_append_all(w->steep, w->gen);
        darc_ratios_raise(w->steep, w->ratio);
        for (slong v = -1; v < vars && !w->complete; v++) {
            if (v >= 0 && (degree > DARC_QUOTIENT_DEGREE ||
                           w->parameter[v] == DARC_GLOBALLY))
                continue;
            if (v < 0)
                fmpz_mpoly_one(den, w->ctx);
            else
                fmpz_mpoly_gen(den, v, w->ctx);
            DARC_TRY(search(w, den, degree, err));
        }
    }
    for (slong k = 0; k < w->ratio->count && !w->complete; k++) {
        const fmpz_mpoly_struct *d = w->ratio->den + k;
        slong degree =
            FLINT_MAX(fmpz_mpoly_total_degree_si(w->ratio->num + k, w->ctx),
                      fmpz_mpoly_total_degree_si(d, w->ctx));
        if (d->length > 1 && degree <= DARC_CANDIDATE_DEGREE)
            DARC_TRY(search(w, d, degree, err));
    }
    for (slong k = 0; k < w->ratio->count && !w->complete; k++)
        DARC_TRY(consider(w, w->ratio->num + k, w->ratio->den + k, err));
done:
    fmpz_mpoly_clear(den, w->ctx);
    return status;
}

/* Remove generators that the others make superfluous, the longest first. */
static darc_status prune(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_ratios_t f;
    darc_ratios_init(f, w->ctx);
    darc_ratios_sort(w->gen, 0);
    for (slong k = w->gen->count - 1; k >= 0 && w->gen->count > w->rank; k--) {
        darc_ratios_clear(f);
        darc_ratios_init(f, w->ctx);
        for (slong i = 0; i < w->gen->count; i++)
            if (i != k)
                darc_ratios_append(f, w->gen->num + i, w->gen->den + i);
        DARC_TRY(darc_fibre_find(&w->own, f, err));
        if (fixes_functions(w, w->ratio))
            darc_ratios_remove(w->gen, k);
    }
done:
    darc_ratios_clear(f);
    return status;
}

static darc_status finder_init(finder *w, darc_err *err)
{
    flint_randinit(w->rand);
    darc_ratios_init(w->steep, w->ctx);
    bool *cut = darc_calloc((size_t)w->vars, sizeof *cut);
    darc_ratios_independent(cut, w->ratio);
    ulong prime = darc_finite_random_prime(w->rand),
          second = darc_finite_random_prime(w->rand);
    for (int i = 0; i <= CHECK; i++) {
        darc_fibre_init(w->fibre + i, w->ratio, false, cut,
                        i == CHECK ? second : prime, w->rand);
        w->fibre[i].budget = w->budget;
    }
    darc_fibre_init(&w->own, w->ratio, true, cut, prime, w->rand);
    w->own.budget = w->budget;
    darc_free(cut);
    return darc_fibre_find(w->fibre + CHECK, w->ratio, err);
}

darc_status darc_generators_find(darc_ratios_t gen, const darc_ratios_t ratio,
                                 const darc_identifiability *parameter,
                                 const darc_budget *budget, darc_err *err)
{
    darc_status status;
    finder w = {.ratio = ratio,
                .ctx = ratio->ctx,
                .vars = fmpz_mpoly_ctx_nvars(ratio->ctx),
                .gen = gen,
                .parameter = parameter,
                .budget = budget};
    if (ratio->count == 0)
        return DARC_OK;
    w.rank = darc_ratios_rank(ratio, 1);
    DARC_TRY(finder_init(&w, err));
    DARC_TRY(search_all(&w, err));
    DARC_TRY(prune(&w, err));
done:
    for (int i = 0; i <= CHECK; i++)
        darc_fibre_clear(w.fibre + i);
    darc_fibre_clear(&w.own);
    darc_ratios_clear(w.steep);
    darc_free(w.point);
    flint_randclear(w.rand);
    return status;
}
