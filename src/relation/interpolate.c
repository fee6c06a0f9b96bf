#include "relation/interpolate.h"

#include "base/mem.h"
#include "relation/reconstruct.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Points beyond the number of monomials: a false relation survives each with
 * probability degree / 2^60. */
#define SPARE_POINTS 4

/* Products of `degree` columns each; monomial i is col[i * degree + .]. */
typedef struct {
    slong count;
    slong degree;
    slong *col;
} monomials;

void darc_sampling_init(darc_sampling *s, const darc_vectors_t v, ulong seed)
{
    s->v = v;
    s->columns = v->first[v->vectors];
    s->count = s->alloc = 0;
    s->value = NULL;
    flint_randinit(s->state);
    for (ulong i = 0; i < seed; i++)
        n_randlimb(s->state);
    nmod_init(&s->mod, darc_coeffs_prime(s->state));
}

void darc_sampling_clear(darc_sampling *s)
{
    flint_randclear(s->state);
    darc_free(s->value);
    s->value = NULL;
}

darc_status darc_sampling_fill(darc_sampling *s, slong n, darc_err *err)
{
    darc_status status = DARC_OK;
    while (s->count < n && status == DARC_OK) {
        if (s->count == s->alloc) {
            s->alloc = 2 * s->alloc + 8;
            s->value = darc_realloc(s->value, (size_t)(s->alloc * s->columns),
                                    sizeof *s->value);
        }
        status = darc_vectors_sample(s->value + s->count * s->columns, s->v,
                                     s->mod, s->state, err);
        s->count += status == DARC_OK;
    }
    return status;
}

const ulong *darc_sampling_at(const darc_sampling *s, slong i)
{
    assert(i < s->count);
    return s->value + i * s->columns;
}

slong darc_monomial_count(const darc_selection *choice, const int *degree,
                          int vectors)
{
    double count = 1;
    for (int i = 0; i < vectors; i++) {
        slong n = choice->first[i + 1] - choice->first[i];
        if (n == 0 && degree[i] > 0)
            return 0;
        for (int k = 1; k <= degree[i]; k++)
            count *= (double)(n - 1 + k) / k;
    }
    return count > DARC_MAX_INTERPOLATED ? DARC_MAX_INTERPOLATED + 1
                                         : (slong)(count + 0.5);
}

/* Advance the slots (places in choice->column, ascending inside a vector) to
 * the next monomial; return whether there is one. */
static int advance(slong *slot, const int *owner, slong degree,
                   const darc_selection *choice)
{
    slong k = degree - 1;
    while (k >= 0 && slot[k] + 1 == choice->first[owner[k] + 1])
        k--;
    if (k < 0)
        return 0;
    slot[k]++;
    for (slong i = k + 1; i < degree; i++)
        slot[i] = owner[i] == owner[k] ? slot[k] : choice->first[owner[i]];
    return 1;
}

static void enumerate(monomials *m, const darc_selection *choice,
                      const int *degree, int vectors)
{
    m->degree = 0;
    for (int i = 0; i < vectors; i++)
        m->degree += degree[i];
    slong n = darc_monomial_count(choice, degree, vectors);
    m->col = darc_calloc((size_t)(n * m->degree) + 1, sizeof *m->col);
    m->count = 0;
    if (n == 0)
        return;
    slong *slot = darc_calloc((size_t)m->degree, sizeof *slot);
    int *owner = darc_calloc((size_t)m->degree, sizeof *owner);
    slong k = 0;
    for (int i = 0; i < vectors; i++)
        for (int d = 0; d < degree[i]; d++) {
            owner[k] = i;
            slot[k++] = choice->first[i];
        }
    do {
        for (k = 0; k < m->degree; k++)
            m->col[m->count * m->degree + k] = choice->column[slot[k]];
        m->count++;
    } while (advance(slot, owner, m->degree, choice));
    assert(m->count == n);
    darc_free(slot);
    darc_free(owner);
}

/* Set the columns of kernel to a basis of the dependences of the monomials,
 * return their number. */
static slong dependences(nmod_mat_t kernel, const monomials *m,
                         const darc_sampling *s)
{
    nmod_mat_t a;
    nmod_mat_init(a, m->count + SPARE_POINTS, m->count, s->mod.n);
    for (slong i = 0; i < a->r; i++) {
        const ulong *x = darc_sampling_at(s, i);
        for (slong j = 0; j < a->c; j++) {
            ulong v = 1;
            for (slong k = 0; k < m->degree; k++)
                v = nmod_mul(v, x[m->col[j * m->degree + k]], s->mod);
            nmod_mat_entry(a, i, j) = v;
        }
    }
    slong nullity = nmod_mat_nullspace(kernel, a);
    nmod_mat_clear(a);
    return nullity;
}

/* Return the exponents of the monomials in so many variables. */
static ulong *exponents(const monomials *m, slong vars)
{
    ulong *e = darc_calloc((size_t)(m->count * vars) + 1, sizeof *e);
    for (slong j = 0; j < m->count; j++)
        for (slong i = 0; i < m->degree; i++)
            e[j * vars + m->col[j * m->degree + i]]++;
    return e;
}

static int cmp_length(const void *a, const void *b)
{
    const fmpz_mpoly_struct *p = a, *q = b;
    return (p->length > q->length) - (p->length < q->length);
}

darc_status darc_interpolate(fmpz_mpoly_struct **h, slong *count, size_t *alloc,
                             const fmpz_mpoly_ctx_t ctx, darc_sampling *s,
                             const darc_selection *choice, const int *degree,
                             darc_err *err)
{
    monomials m;
    enumerate(&m, choice, degree, s->v->vectors);
    assert(m.count <= DARC_MAX_INTERPOLATED);
    darc_status status = darc_sampling_fill(s, m.count + SPARE_POINTS, err);
    if (status != DARC_OK) {
        darc_free(m.col);
        return status;
    }
    nmod_mat_t kernel;
    nmod_mat_init(kernel, m.count, m.count, s->mod.n);
    slong nullity = m.count < 2 ? 0 : dependences(kernel, &m, s);
    slong before = *count;
    ulong *exp = exponents(&m, fmpz_mpoly_ctx_nvars(ctx));
    for (slong k = 0; k < nullity; k++) {
        *h = darc_grow(*h, (size_t)*count, alloc, sizeof **h);
        fmpz_mpoly_init(*h + *count, ctx);
        if (darc_reconstruct_polynomial(*h + *count, kernel, k, exp,
                                        DARC_ANY_HEIGHT, ctx)) {
            if (fmpz_sgn((*h)[*count].coeffs) < 0)
                fmpz_mpoly_neg(*h + *count, *h + *count, ctx);
            (*count)++;
        } else {
            fmpz_mpoly_clear(*h + *count, ctx);
        }
    }
    if (*count > before)
        qsort(*h + before, (size_t)(*count - before), sizeof **h, cmp_length);
    nmod_mat_clear(kernel);
    darc_free(exp);
    darc_free(m.col);
    return DARC_OK;
}
