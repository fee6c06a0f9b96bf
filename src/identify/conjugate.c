#include "identify/conjugate.h"

#include "base/mem.h"
#include "identify/slice.h"
#include "identify/thresholds.h"
#include "modular/exponents.h"
#include "modular/reconstruct.h"

#include <string.h>

/* Pairs of points at which the coefficients agree. */
typedef struct {
    nmod_t mod;
    slong vars, count;
    size_t alloc;
    ulong *x;  /* pair i: x at 2 * i * vars, y behind it; owned */
    int whole; /* slices of which all points were compared */
} pairs;

/* ---- pairs -------------------------------------------------------------- */

static const ulong *point_of(const pairs *l, slong i, int second)
{
    return l->x + (2 * i + second) * l->vars;
}

static void append_pair(pairs *l, const ulong *x, const ulong *y)
{
    size_t n = (size_t)l->vars;
    l->x = darc_grow(l->x, (size_t)l->count, &l->alloc, 2 * n * sizeof *l->x);
    memcpy(l->x + 2 * l->count * l->vars, x, n * sizeof *x);
    memcpy(l->x + (2 * l->count++ + 1) * l->vars, y, n * sizeof *y);
}

/* Append the points of the slice at which the coefficients are as at x. */
static darc_status take_points(pairs *l, const darc_conjugates *c,
                               const darc_slice_t slice, const ulong *x,
                               darc_err *err)
{
    darc_status status = DARC_OK;
    bool whole = slice->all && slice->count > 0;
    size_t n = (size_t)c->g->first[c->g->io->count] + 1;
    ulong *at = darc_calloc(n, sizeof *at), *here = darc_calloc(n, sizeof *at);
    DARC_TRY(darc_blackbox_at(at, c->g, x, l->mod, err));
    for (slong i = 0; i < slice->count; i++) {
        darc_err why;
        darc_err_init(&why);
        if (memcmp(slice->x + i * slice->vars, x,
                   (size_t)l->vars * sizeof *x) == 0)
            continue;
        status = darc_blackbox_at(here, c->g, slice->x + i * slice->vars,
                                  l->mod, &why);
        if (status == DARC_LIMIT)
            DARC_TRY(darc_fail(err, status, "%s", why.message));
        if (status == DARC_OK && darc_blackbox_agree(at, here, c->g, l->mod))
            append_pair(l, x, slice->x + i * slice->vars);
        whole = whole && status == DARC_OK;
        status = DARC_OK;
    }
    l->whole += whole;
done:
    darc_free(at);
    darc_free(here);
    return status;
}

/* Look at the fibre through a random point, cut at random places. */
static darc_status look(pairs *l, const darc_conjugates *c, darc_err *err)
{
    darc_status status;
    darc_fibre w;
    darc_slice_t slice = {0};
    darc_fibre_init(&w, c->ratio, false, c->fixed, l->mod.n, *c->rand);
    w.budget = c->budget;
    DARC_TRY(darc_fibre_find(&w, c->ratio, err));
    DARC_TRY(darc_slice_init(slice, &w, err));
    DARC_TRY(take_points(l, c, slice, w.x, err));
done:
    darc_slice_clear(slice);
    darc_fibre_clear(&w);
    return status;
}

/* Find n pairs; fewer where fibres have no further rational points. */
static darc_status find_pairs(pairs *l, slong n, const darc_conjugates *c,
                              darc_err *err)
{
    darc_status status = DARC_OK;
    for (int barren = 0; l->count < n && barren < DARC_CONJUGATE_BARREN;) {
        slong before = l->count;
        darc_progress at = {"comparing points that look the same", before, n,
                            0};
        darc_budget_progress(c->budget, &at);
        DARC_TRY(look(l, c, err));
        barren = l->count > before ? 0 : barren + 1;
    }
done:
    return status;
}

/* Find a whole slice modulo another prime: no point over any extension
 * escapes it, so a function that is not in the field differs at one of its
 * points.  Modulo some primes there may be none (roots of unity). */
static darc_status find_whole(pairs *l, const darc_conjugates *c, darc_err *err)
{
    darc_status status = DARC_OK;
    for (int k = 0;
         k < DARC_CONJUGATE_PRIMES * DARC_CONJUGATE_FIBRES && l->whole == 0;
         k++) {
        if (k % DARC_CONJUGATE_FIBRES == 0) {
            darc_free(l->x);
            *l = (pairs){.vars = l->vars};
            nmod_init(&l->mod, darc_finite_random_prime(*c->rand));
        }
        DARC_TRY(look(l, c, err));
    }
done:
    return status;
}

/* ---- polynomials -------------------------------------------------------- */

/* Mark the variables of the ratios. */
static void mark_used(bool *used, const darc_ratios_struct *f)
{
    slong n = fmpz_mpoly_ctx_nvars(f->ctx);
    int *one = darc_calloc((size_t)n + 1, sizeof *one);
    for (slong k = 0; k < 2 * f->count; k++) {
        fmpz_mpoly_used_vars(one, k % 2 == 0 ? f->num + k / 2 : f->den + k / 2,
                             f->ctx);
        for (slong v = 0; v < n; v++)
            used[v] = used[v] || one[v] != 0;
    }
    darc_free(one);
}

/* Return whether h agrees at all pairs. */
static bool is_constant(const fmpz_mpoly_t h, const pairs *l,
                        const fmpz_mpoly_ctx_struct *ctx)
{
    for (slong i = 0; i < l->count; i++)
        if (darc_finite_eval(h, point_of(l, i, 0), l->mod, ctx) !=
            darc_finite_eval(h, point_of(l, i, 1), l->mod, ctx))
            return false;
    return true;
}

/* Set h to the shortest polynomial that agrees at all pairs, those of a
 * second prime too, and differs at x and y. */
static bool choose(fmpz_mpoly_t h, const darc_exponents *m, const pairs *l,
                   const pairs *check, const darc_conjugates *c)
{
    const fmpz_mpoly_ctx_struct *ctx = c->ratio->ctx;
    bool found = false;
    nmod_mat_t a, kernel;
    fmpz_mpoly_t f;
    fmpz_mpoly_init(f, ctx);
    nmod_mat_init(a, l->count, m->count, l->mod.n);
    nmod_mat_init(kernel, m->count, m->count, l->mod.n);
    for (slong i = 0; i < l->count; i++)
        for (slong j = 0; j < m->count; j++)
            nmod_mat_entry(a, i, j) = nmod_sub(
                darc_exponents_value(m, j, point_of(l, i, 0), l->mod),
                darc_exponents_value(m, j, point_of(l, i, 1), l->mod), l->mod);
    slong nullity = nmod_mat_nullspace(kernel, a);
    for (slong k = 0; k < nullity; k++) {
        if (!darc_reconstruct_polynomial(f, kernel, k, m->exp,
                                         DARC_CONJUGATE_BITS, ctx) ||
            !is_constant(f, check, ctx) ||
            darc_finite_eval(f, c->x, l->mod, ctx) ==
                darc_finite_eval(f, c->y, l->mod, ctx))
            continue;
        if (!found || f->length < h->length)
            fmpz_mpoly_set(h, f, ctx);
        found = true;
    }
    nmod_mat_clear(a);
    nmod_mat_clear(kernel);
    fmpz_mpoly_clear(f, ctx);
    return found;
}

darc_status darc_conjugates_find(fmpz_mpoly_t h, bool *found,
                                 const darc_conjugates *c, slong degree,
                                 darc_err *err)
{
    darc_status status = DARC_OK;
    slong vars = fmpz_mpoly_ctx_nvars(c->ratio->ctx);
    pairs l = {.mod = c->mod, .vars = vars}, check = {.vars = vars};
    darc_exponents m = {.vars = vars};
    bool *used = darc_calloc((size_t)vars, sizeof *used);
    *found = false;
    mark_used(used, c->ratio);
    if (!darc_exponents_append(&m, 1, degree, used, DARC_CONJUGATE_MONOMIALS))
        goto done;
    DARC_TRY(find_pairs(&l, m.count + DARC_CONJUGATE_SPARE, c, err));
    if (l.count < m.count + DARC_CONJUGATE_SPARE)
        goto done;
    DARC_TRY(find_whole(&check, c, err));
    *found = check.whole > 0 && choose(h, &m, &l, &check, c);
done:
    darc_free(m.exp);
    darc_free(used);
    darc_free(l.x);
    darc_free(check.x);
    return status;
}
