#include "identify/candidates.h"

#include "base/mem.h"
#include "identify/thresholds.h"
#include "modular/exponents.h"
#include "modular/reconstruct.h"

#include <assert.h>
#include <string.h>

/* The monomials of P; exponents of monomial j at exp + j * vars. */
typedef struct {
    slong vars, count;
    ulong *exp;
} monomials;

static bool is_squarefree(const ulong *e, slong n)
{
    for (slong v = 0; v < n; v++)
        if (e[v] > 1)
            return false;
    return true;
}

/* Collect the monomials, but for multiples of den: squarefree ones first, so
 * that squares are eliminated where there is a choice.  Return false when
 * they are too many. */
static bool monomials_init(monomials *m, slong vars, const ulong *den,
                           slong degree)
{
    size_t n = (size_t)vars;
    m->vars = vars;
    m->count = 0;
    m->exp =
        darc_calloc(n * (DARC_MAX_CANDIDATE_MONOMIALS + 1), sizeof *m->exp);
    ulong *e = darc_calloc(n, sizeof *e);
    bool fits = true;
    for (int pass = 0; pass < 2 && fits; pass++) {
        memset(e, 0, n * sizeof *e);
        do {
            bool multiple = true;
            for (slong v = 0; v < vars; v++)
                multiple = multiple && e[v] >= den[v];
            if (multiple && memcmp(e, den, n * sizeof *e) == 0)
                continue;
            if (is_squarefree(e, vars) != (pass == 0))
                continue;
            fits = m->count < DARC_MAX_CANDIDATE_MONOMIALS;
            if (fits)
                memcpy(m->exp + m->count++ * vars, e, n * sizeof *e);
        } while (fits && darc_exponents_next(e, vars, degree, NULL));
    }
    darc_free(e);
    return fits;
}

static void normal_form(nmod_mpoly_t r, const ulong *e, const darc_fibre *p)
{
    ulong *f = darc_calloc((size_t)p->vars + 1, sizeof *f);
    memcpy(f, e, (size_t)p->vars * sizeof *f);
    nmod_mpoly_zero(r, p->ctx);
    nmod_mpoly_set_coeff_ui_ui(r, 1, f, p->ctx);
    darc_groebner_reduce(r, r, p->basis);
    darc_free(f);
}

/* Add to rows first .. first + rows - 1 of column j of m the values of r
 * under random functionals. */
static void project(nmod_mat_t m, slong first, slong rows, slong j,
                    const nmod_mpoly_t r, const darc_fibre *p)
{
    slong n = p->vars + p->divisors;
    ulong *e = darc_calloc((size_t)n + 1, sizeof *e);
    for (slong t = 0; t < r->length; t++) {
        nmod_mpoly_get_term_exp_ui(e, r, t, p->ctx);
        ulong h = darc_finite_hash(e, n);
        for (slong i = 0; i < rows; i++) {
            ulong f = nmod_mul(darc_finite_functional(h, i, p->mod),
                               r->coeffs[t], p->mod);
            nmod_mat_entry(m, first + i, j) =
                nmod_add(nmod_mat_entry(m, first + i, j), f, p->mod);
        }
    }
    darc_free(e);
}

/* P/den is constant on the fibre iff sum_j a_j (NF(m_j) - (m_j/den)(p)
 * NF(den)) = 0: fill in these conditions for one point. */
static darc_status fill(nmod_mat_t a, slong first, const monomials *m,
                        const ulong *den, const darc_fibre *p, darc_err *err)
{
    darc_status status = DARC_OK;
    nmod_mpoly_t r, d, s;
    nmod_mpoly_init(r, p->ctx);
    nmod_mpoly_init(d, p->ctx);
    nmod_mpoly_init(s, p->ctx);
    normal_form(d, den, p);
    ulong inverse =
        nmod_inv(darc_finite_monomial(den, p->x, p->vars, p->mod), p->mod);
    for (slong j = 0; j < m->count; j++) {
        const ulong *e = m->exp + j * m->vars;
        DARC_TRY(darc_budget_check(p->budget, err));
        normal_form(r, e, p);
        ulong v = nmod_mul(darc_finite_monomial(e, p->x, p->vars, p->mod),
                           inverse, p->mod);
        nmod_mpoly_scalar_mul_ui(s, d, v, p->ctx);
        nmod_mpoly_sub(r, r, s, p->ctx);
        project(a, first, m->count + DARC_CANDIDATE_SPARE, j, r, p);
    }
done:
    nmod_mpoly_clear(r, p->ctx);
    nmod_mpoly_clear(d, p->ctx);
    nmod_mpoly_clear(s, p->ctx);
    return status;
}

static void take_kernel(darc_ratios_t out, const nmod_mat_t kernel,
                        slong nullity, const monomials *m,
                        const fmpz_mpoly_t den)
{
    slong before = out->count;
    fmpz_mpoly_t f;
    fmpz_mpoly_init(f, out->ctx);
    for (slong k = 0; k < nullity; k++)
        if (darc_reconstruct_polynomial(f, kernel, k, m->exp,
                                        DARC_CANDIDATE_BITS, out->ctx))
            darc_ratios_append(out, f, den);
    fmpz_mpoly_clear(f, out->ctx);
    darc_ratios_sort(out, before);
}

darc_status darc_candidates(darc_ratios_t out, const fmpz_mpoly_t den,
                            slong degree, const darc_fibre *fibre, int n,
                            darc_err *err)
{
    assert(den->length == 1);
    darc_status status = DARC_OK;
    slong vars = fmpz_mpoly_ctx_nvars(out->ctx);
    ulong *e = darc_calloc((size_t)vars, sizeof *e);
    fmpz_mpoly_get_term_exp_ui(e, den, 0, out->ctx);
    monomials m;
    bool fits = monomials_init(&m, vars, e, degree);
    slong rows = m.count + DARC_CANDIDATE_SPARE;
    nmod_mat_t a, kernel;
    nmod_mat_init(a, n * rows, m.count, fibre->mod.n);
    nmod_mat_init(kernel, m.count, m.count, fibre->mod.n);
    for (int i = 0; i < n && fits; i++)
        DARC_TRY(fill(a, i * rows, &m, e, fibre + i, err));
    if (fits && m.count > 0)
        take_kernel(out, kernel, nmod_mat_nullspace(kernel, a), &m, den);
done:
    nmod_mat_clear(a);
    nmod_mat_clear(kernel);
    darc_free(m.exp);
    darc_free(e);
    return status;
}
