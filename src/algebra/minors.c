#include "algebra/minors.h"

#include "algebra/dpoly.h"
#include "base/mem.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void *at(const darc_minors *m, slong i)
{
    return (char *)m->minor + (size_t)i * m->type.size;
}

static bool is_zero(const void *x, const darc_minors *m)
{
    return *(const slong *)((const char *)x + m->type.length) == 0;
}

void darc_minors_init_take(darc_minors *m, const darc_minor_type *type,
                           void *one, slong places, slong most)
{
    assert(places <= 64);
    *m = (darc_minors){
        .type = *type, .places = places, .count = 1, .most = most};
    m->set = darc_calloc(1, sizeof *m->set);
    m->minor = darc_malloc(type->size);
    memcpy(m->minor, one, type->size);
}

void darc_minors_clear(darc_minors *m)
{
    for (slong i = 0; i < m->count; i++)
        m->type.clear(at(m, i), m->type.user);
    DARC_FREE(m->set, m->minor);
    m->set = NULL;
    m->minor = NULL;
    m->count = 0;
}

static int by_set(const void *a, const void *b)
{
    const darc_minor_product *x = a, *y = b;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Set *p to the products of the line with the minors, sorted; return their
 * number. */
static slong list_products(darc_minor_product **p, const darc_minors *m,
                           const void *line, slong stride)
{
    slong n = 0;
    *p = darc_calloc((size_t)(m->count * m->places) + 1, sizeof **p);
    for (slong k = 0; k < m->places; k++) {
        const void *entry =
            (const char *)line + (size_t)(k * stride) * m->type.size;
        uint64_t bit = UINT64_C(1) << k;
        for (slong i = 0; i < m->count && !is_zero(entry, m); i++)
            if ((m->set[i] & bit) == 0) {
                /* the entry follows those at higher places */
                uint64_t above = k == 63 ? 0 : m->set[i] >> (k + 1);
                int sign = __builtin_popcountll(above) % 2 == 0 ? 1 : -1;
                (*p)[n++] = (darc_minor_product){entry, at(m, i), sign, k,
                                                 m->set[i] | bit};
            }
    }
    qsort(*p, (size_t)n, sizeof **p, by_set);
    return n;
}

darc_status darc_minors_add(darc_minors *m, const void *line, slong stride,
                            darc_err *err)
{
    darc_status status = DARC_OK;
    darc_minor_product *p;
    slong n = list_products(&p, m, line, stride), sets = 0, end;
    for (slong i = 0; i < n; i++)
        sets += i == 0 || p[i].set != p[i - 1].set;
    darc_minors next = *m;
    next.count = 0;
    next.set = darc_calloc((size_t)sets + 1, sizeof *next.set);
    next.minor = darc_calloc((size_t)sets + 1, m->type.size);
    for (slong i = 0; i < n && status == DARC_OK; i = end) {
        for (end = i + 1; end < n && p[end].set == p[i].set;)
            end++;
        if (next.count == next.most) {
            status =
                darc_fail(err, DARC_DOMAIN, "more than %ld minors of one size",
                          (long)next.most);
            break;
        }
        void *minor = at(&next, next.count);
        status = m->type.sum(minor, p + i, end - i, m->type.user, err);
        next.set[next.count] = p[i].set;
        if (status == DARC_OK && is_zero(minor, m))
            m->type.clear(minor, m->type.user);
        else
            next.count++;
    }
    darc_free(p);
    darc_minors_clear(m);
    *m = next;
    return status;
}

void *darc_minors_get(const darc_minors *m, uint64_t set)
{
    slong below = -1, found = m->count;
    DARC_BISECT(slong, below, found, k, m->set[k] < set)
    return found < m->count && m->set[found] == set ? at(m, found) : NULL;
}

/* ---- polynomials -------------------------------------------------------- */

static darc_status sum_polys(void *minor, const darc_minor_product *p, slong n,
                             void *user, darc_err *err)
{
    const darc_minor_polys *w = user;
    fmpz_mpoly_struct *to = minor;
    fmpz_mpoly_t t;
    darc_dpoly_inits(w->ctx, to, t, NULL);
    darc_status status = DARC_OK;
    for (slong i = 0; i < n && status == DARC_OK; i++) {
        const fmpz_mpoly_struct *x = p[i].entry, *y = p[i].rest;
        DARC_TRY(w->check((double)x->length * (double)y->length, to->length,
                          w->user, err));
        fmpz_mpoly_mul(t, x, y, w->ctx);
        if (p[i].sign > 0)
            fmpz_mpoly_add(to, to, t, w->ctx);
        else
            fmpz_mpoly_sub(to, to, t, w->ctx);
    }
    status = w->check(0, to->length, w->user, err);
done:
    fmpz_mpoly_clear(t, w->ctx);
    return status;
}

static void clear_poly(void *x, void *user)
{
    fmpz_mpoly_clear(x, ((const darc_minor_polys *)user)->ctx);
}

void darc_minors_init_polys(darc_minors *m, darc_minor_polys *p, slong places,
                            slong most)
{
    const darc_minor_type type = {sizeof(fmpz_mpoly_struct),
                                  offsetof(fmpz_mpoly_struct, length),
                                  sum_polys, clear_poly, p};
    fmpz_mpoly_struct one;
    fmpz_mpoly_init(&one, p->ctx);
    fmpz_mpoly_one(&one, p->ctx);
    darc_minors_init_take(m, &type, &one, places, most);
}
