#include "identify/probe.h"

#include "base/mem.h"
#include "identify/thresholds.h"
#include "modular/exponents.h"
#include "modular/reconstruct.h"

/* The quotient sought: unknown i < num stands at monomial i of the numerator,
 * the others at those of the denominator. */
typedef struct {
    darc_exponents m;
    slong num;
} shape;

static void shape_init(shape *f, const darc_pair *p, const darc_probe_t s)
{
    slong vars = s->g->vars;
    *f = (shape){.m = {.vars = vars}};
    bool *used = darc_calloc((size_t)vars, sizeof *used);
    for (slong v = 0; v < vars; v++)
        used[v] = darc_probe_depends(s, p->j, p->k, v);
    darc_exponents_append(&f->m, 0, p->num, used, WORD_MAX);
    f->num = f->m.count;
    darc_exponents_append(&f->m, 0, p->den, used, WORD_MAX);
    darc_free(used);
}

/* Set sol to the unknowns modulo the prime of the pool, with entry lead 1 (-1:
 * the first that is not 0, which lead becomes); return whether they are
 * unique. */
static bool solve(ulong *sol, slong *lead, const shape *f, const darc_pair *p,
                  const darc_pool *pool)
{
    nmod_mat_t a, kernel;
    slong rows = f->m.count + DARC_FIT_SPARE;
    nmod_mat_init(a, rows, f->m.count, pool->mod.n);
    nmod_mat_init(kernel, f->m.count, f->m.count, pool->mod.n);
    for (slong i = 0; i < rows; i++) {
        ulong n = pool->value[i * pool->entries + p->k];
        ulong d = nmod_neg(pool->value[i * pool->entries + p->j], pool->mod);
        for (slong c = 0; c < f->m.count; c++)
            nmod_mat_entry(a, i, c) =
                nmod_mul(c < f->num ? n : d,
                         darc_exponents_value(
                             &f->m, c, pool->x + i * pool->vars, pool->mod),
                         pool->mod);
    }
    bool unique = nmod_mat_nullspace(kernel, a) == 1;
    for (slong c = 0; c < f->m.count && unique && *lead < 0; c++)
        if (nmod_mat_entry(kernel, c, 0) != 0)
            *lead = c;
    unique = unique && nmod_mat_entry(kernel, *lead, 0) != 0;
    if (unique) {
        ulong inverse = nmod_inv(nmod_mat_entry(kernel, *lead, 0), pool->mod);
        for (slong c = 0; c < f->m.count; c++)
            sol[c] = nmod_mul(nmod_mat_entry(kernel, c, 0), inverse, pool->mod);
    }
    nmod_mat_clear(a);
    nmod_mat_clear(kernel);
    return unique;
}

/* Set num and den from residues; return whether all could be reconstructed. */
static bool lift(fmpz_mpoly_t num, fmpz_mpoly_t den,
                 const fmpz_mpoly_ctx_struct *ctx, const shape *f,
                 const darc_residues *r)
{
    fmpz *a = _fmpz_vec_init(f->m.count);
    bool ok = darc_reconstruct(a, r->residue, f->m.count, r->modulus,
                               DARC_ANY_HEIGHT);
    fmpz_mpoly_zero(num, ctx);
    fmpz_mpoly_zero(den, ctx);
    for (slong c = 0; c < f->m.count && ok; c++)
        if (!fmpz_is_zero(a + c))
            fmpz_mpoly_push_term_fmpz_ui(c < f->num ? num : den, a + c,
                                         f->m.exp + c * f->m.vars, ctx);
    fmpz_mpoly_sort_terms(num, ctx);
    fmpz_mpoly_sort_terms(den, ctx);
    _fmpz_vec_clear(a, f->m.count);
    return ok && num->length > 0 && den->length > 0;
}

/* Return whether num/den is the ratio at the points of another prime. */
static bool agrees(const fmpz_mpoly_t num, const fmpz_mpoly_t den,
                   const fmpz_mpoly_ctx_struct *ctx, const darc_pair *p,
                   const darc_pool *pool)
{
    for (slong i = 0; i < DARC_FIT_CHECKS; i++) {
        ulong n =
            darc_finite_eval(num, pool->x + i * pool->vars, pool->mod, ctx);
        ulong d =
            darc_finite_eval(den, pool->x + i * pool->vars, pool->mod, ctx);
        if (nmod_mul(n, pool->value[i * pool->entries + p->k], pool->mod) !=
            nmod_mul(d, pool->value[i * pool->entries + p->j], pool->mod))
            return false;
    }
    return true;
}

darc_status darc_probe_fit(darc_ratios_t f, bool *found, const darc_pair *p,
                           darc_probe_t s, darc_err *err)
{
    darc_status status;
    darc_pool *check = s->pool + DARC_POOLS - 1;
    shape q;
    darc_residues r;
    fmpz_mpoly_t num, den;
    shape_init(&q, p, s);
    darc_residues_init(&r, q.m.count);
    fmpz_mpoly_init(num, f->ctx);
    fmpz_mpoly_init(den, f->ctx);
    ulong *sol = darc_calloc((size_t)q.m.count, sizeof *sol);
    slong lead = -1;
    bool unique = true;
    *found = false;
    DARC_TRY(darc_pool_fill(check, DARC_FIT_CHECKS, s, err));
    for (int i = 0; i + 1 < DARC_POOLS && unique && !*found; i++) {
        darc_pool *pool = s->pool + i;
        DARC_TRY(darc_pool_fill(pool, q.m.count + DARC_FIT_SPARE, s, err));
        unique = solve(sol, &lead, &q, p, pool);
        if (!unique)
            break;
        darc_residues_add(&r, sol, pool->mod.n);
        *found = lift(num, den, f->ctx, &q, &r) &&
                 agrees(num, den, f->ctx, p, check);
    }
    if (*found)
        *found = darc_ratios_append(f, num, den);
done:
    darc_residues_clear(&r);
    fmpz_mpoly_clear(num, f->ctx);
    fmpz_mpoly_clear(den, f->ctx);
    darc_free(sol);
    darc_free(q.m.exp);
    return status;
}
