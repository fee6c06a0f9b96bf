#include "coefficient/interpolate.h"

#include "base/mem.h"
#include "modular/reconstruct.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void darc_sampling_init(darc_sampling *s, const darc_vectors_t v, ulong seed)
{
    *s = (darc_sampling){.v = v, .columns = v->first[v->vectors]};
    flint_randinit(s->state);
    for (ulong i = 0; i < seed; i++)
        n_randlimb(s->state);
    nmod_init(&s->mod, darc_finite_random_prime(s->state));
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
        s->value = darc_room(s->value, (size_t)s->count,
                             (size_t)s->columns * sizeof *s->value);
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

/* Advance the columns of a monomial, ascending inside a vector, to those of the
 * next one; return whether there is one. */
static bool advance(slong *column, const int *owner, slong degree,
                    const darc_vectors_t v)
{
    slong k = degree - 1;
    while (k >= 0 && column[k] + 1 == v->first[owner[k] + 1])
        k--;
    if (k < 0)
        return false;
    column[k]++;
    for (slong i = k + 1; i < degree; i++)
        column[i] = owner[i] == owner[k] ? column[k] : v->first[owner[i]];
    return true;
}

static void enumerate(darc_ansatz *m, slong n, const darc_vectors_t v,
                      const int *degree)
{
    m->col = darc_calloc((size_t)(n * m->degree) + 1, sizeof *m->col);
    slong *column = darc_calloc((size_t)m->degree, sizeof *column);
    int *owner = darc_calloc((size_t)m->degree, sizeof *owner);
    slong k = 0;
    for (int i = 0; i < v->vectors; i++)
        for (int d = 0; d < degree[i]; d++) {
            owner[k] = i;
            column[k++] = v->first[i];
        }
    do {
        memcpy(m->col + m->count * m->degree, column,
               (size_t)m->degree * sizeof *column);
        m->count++;
    } while (advance(column, owner, m->degree, v));
    assert(m->count == n);
    DARC_FREE(column, owner);
}

/* A monomial with its weights as one number: different weights give different
 * numbers but for chance, which costs time alone. */
typedef struct {
    uint64_t weight;
    slong index;
} weighed;

static int by_weight(const void *a, const void *b)
{
    const weighed *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static weighed weigh_monomial(const darc_ansatz *m, slong i,
                              const darc_grading *w)
{
    uint64_t sum = 0, factor = 1;
    for (slong k = 0; k < w->count; k++) {
        factor *= UINT64_C(0x9e3779b97f4a7c15);
        for (slong d = 0; d < m->degree; d++)
            sum +=
                factor *
                (uint64_t)w->weight[m->col[i * m->degree + d] * w->count + k];
    }
    return (weighed){sum, i};
}

/* Sort the monomials by weight and mark where groups begin. */
static void group(darc_ansatz *m, const darc_grading *w)
{
    size_t n = (size_t)m->count;
    weighed *order = darc_calloc(n, sizeof *order);
    slong *col = darc_calloc(n * (size_t)m->degree, sizeof *col);
    m->first = darc_calloc(n + 1, sizeof *m->first);
    for (slong i = 0; i < m->count; i++)
        order[i] = weigh_monomial(m, i, w);
    qsort(order, n, sizeof *order, by_weight);
    for (slong i = 0; i < m->count; i++) {
        memcpy(col + i * m->degree, m->col + order[i].index * m->degree,
               (size_t)m->degree * sizeof *col);
        if (i == 0 || order[i].weight != order[i - 1].weight)
            m->first[m->groups++] = i;
    }
    m->first[m->groups] = m->count;
    DARC_FREE(m->col, order);
    m->col = col;
}

void darc_ansatz_init(darc_ansatz *m, const darc_vectors_t v, const int *degree,
                      const darc_grading *weights)
{
    *m = (darc_ansatz){.largest = -1};
    double count = 1; /* of the monomials */
    for (int i = 0; i < v->vectors; i++) {
        slong n = v->first[i + 1] - v->first[i];
        m->degree += degree[i];
        for (int k = 1; k <= degree[i]; k++)
            count *= (double)(n - 1 + k) / k;
    }
    if (count > DARC_MAX_MONOMIALS)
        return;
    m->largest = 0;
    enumerate(m, (slong)(count + 0.5), v, degree);
    group(m, weights);
    for (slong i = 0; i < m->groups; i++) {
        slong size = m->first[i + 1] - m->first[i];
        m->largest = size > m->largest ? size : m->largest;
        m->products += (double)size * (double)size * (double)size;
    }
}

/* Set the columns of kernel to a basis of the dependences of the monomials of
 * a group, return their number. */
static slong dependences(nmod_mat_t kernel, const darc_ansatz *m, slong g,
                         const darc_sampling *s)
{
    nmod_mat_t a;
    slong first = m->first[g], n = m->first[g + 1] - first;
    nmod_mat_init(a, n + DARC_SPARE_POINTS, n, s->mod.n);
    for (slong i = 0; i < a->r; i++) {
        const ulong *x = darc_sampling_at(s, i);
        for (slong j = 0; j < a->c; j++) {
            ulong v = 1;
            for (slong k = 0; k < m->degree; k++)
                v = nmod_mul(v, x[m->col[(first + j) * m->degree + k]], s->mod);
            nmod_mat_entry(a, i, j) = v;
        }
    }
    slong nullity = nmod_mat_nullspace(kernel, a);
    nmod_mat_clear(a);
    return nullity;
}

static int cmp_length(const void *a, const void *b)
{
    const fmpz_mpoly_struct *p = a, *q = b;
    return (p->length > q->length) - (p->length < q->length);
}

/* Append the relations of a group. */
static void add_group(darc_poly_list *h, const darc_sampling *s,
                      const darc_ansatz *m, slong g)
{
    nmod_mat_t kernel;
    slong n = m->first[g + 1] - m->first[g];
    nmod_mat_init(kernel, n, n, s->mod.n);
    slong nullity = n < 2 ? 0 : dependences(kernel, m, g, s);
    slong vars = fmpz_mpoly_ctx_nvars(h->ctx);
    ulong *exp = darc_calloc((size_t)(n * vars) + 1, sizeof *exp);
    for (slong j = 0; j < n; j++)
        for (slong k = 0; k < m->degree; k++)
            exp[j * vars + m->col[(m->first[g] + j) * m->degree + k]]++;
    for (slong k = 0; k < nullity; k++) {
        DARC_ROOM(h->p, h->count);
        fmpz_mpoly_struct *f = h->p + h->count;
        fmpz_mpoly_init(f, h->ctx);
        if (darc_reconstruct_polynomial(f, kernel, k, exp, DARC_ANY_HEIGHT,
                                        h->ctx)) {
            if (fmpz_sgn(f->coeffs) < 0)
                fmpz_mpoly_neg(f, f, h->ctx);
            h->count++;
        } else {
            fmpz_mpoly_clear(f, h->ctx);
        }
    }
    nmod_mat_clear(kernel);
    darc_free(exp);
}

darc_status darc_interpolate(darc_poly_list *h, darc_sampling *s,
                             const darc_ansatz *m, darc_err *err)
{
    assert(m->largest >= 0 && m->largest <= DARC_MAX_INTERPOLATED);
    darc_status status =
        darc_sampling_fill(s, m->largest + DARC_SPARE_POINTS, err);
    slong before = h->count;
    for (slong g = 0; g < m->groups && status == DARC_OK; g++)
        add_group(h, s, m, g);
    if (h->count > before)
        qsort(h->p + before, (size_t)(h->count - before), sizeof *h->p,
              cmp_length);
    return status;
}
