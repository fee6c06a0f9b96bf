#include "modular/resultant.h"

#include "base/mem.h"
#include "modular/kronecker.h"
#include "modular/thresholds.h"

#include <assert.h>
#include <string.h>

/* Divide a and b by their gcd. */
static darc_status cancel(darc_mpoly *a, darc_mpoly *b, darc_ring_t ring,
                          darc_err *err)
{
    nmod_mpoly_t g;
    nmod_mpoly_init(g, ring->ctx);
    darc_status status = DARC_OK;
    if (nmod_mpoly_is_ui(a, ring->ctx) || nmod_mpoly_is_ui(b, ring->ctx))
        goto done;
    if (!nmod_mpoly_gcd(g, a, b, ring->ctx)) {
        status = darc_fail(err, DARC_LIMIT, "a gcd is out of reach");
        goto done;
    }
    if (!nmod_mpoly_is_ui(g, ring->ctx)) {
        nmod_mpoly_divides(a, a, g, ring->ctx);
        nmod_mpoly_divides(b, b, g, ring->ctx);
    }
done:
    nmod_mpoly_clear(g, ring->ctx);
    return status;
}

/* Set r to sum_i f_i (-b)^i a^(m-i): f at v = -b/a, g = a v + b. */
static darc_status substitute(darc_mpoly *r, darc_split *f, darc_split *g,
                              darc_ring_t ring, darc_err *err)
{
    nmod_mpoly_t power, t;
    darc_status status = DARC_OK;
    slong m = f->degree;
    nmod_mpoly_init(power, ring->ctx);
    nmod_mpoly_init(t, ring->ctx);
    darc_mpoly *a = g->c + 1, *b = g->c;
    if (m == 1)
        DARC_TRY(cancel(f->c + 1, a, ring, err));
    nmod_mpoly_neg(b, b, ring->ctx);
    nmod_mpoly_set(power, a, ring->ctx);
    nmod_mpoly_set(r, f->c + m, ring->ctx);
    for (slong i = m - 1; i >= 0; i--) {
        DARC_TRY(darc_ring_take(ring, r, b, err));
        DARC_TRY(darc_ring_take(ring, f->c + i, power, err));
        nmod_mpoly_mul(r, r, b, ring->ctx);
        nmod_mpoly_mul(t, f->c + i, power, ring->ctx);
        nmod_mpoly_add(r, r, t, ring->ctx);
        if (i > 0)
            nmod_mpoly_mul(power, power, a, ring->ctx);
    }
    status = darc_ring_check(ring, err);
done:
    nmod_mpoly_clear(power, ring->ctx);
    nmod_mpoly_clear(t, ring->ctx);
    return status;
}

/* Add x*y - z*w to r. */
static void add_cross(darc_mpoly *r, const darc_mpoly *x, const darc_mpoly *y,
                      const darc_mpoly *z, const darc_mpoly *w,
                      const darc_ring_t ring)
{
    nmod_mpoly_t t;
    nmod_mpoly_init(t, ring->ctx);
    nmod_mpoly_mul(t, x, y, ring->ctx);
    nmod_mpoly_add(r, r, t, ring->ctx);
    nmod_mpoly_mul(t, z, w, ring->ctx);
    nmod_mpoly_sub(r, r, t, ring->ctx);
    nmod_mpoly_clear(t, ring->ctx);
}

/* Fill the hybrid Bezout matrix of f and g, deg f = m >= deg g = n: row
 * i < n holds (a_m x^i + ... + a_(m-i)) g_low - (b_n x^i + ...) f_low, and
 * row n + i is x^i g; column k belongs to x^k. */
static void bezout(darc_matrix *M, const darc_split *f, const darc_split *g,
                   const darc_ring_t ring)
{
    slong m = f->degree, n = g->degree;
    for (slong i = 0; i < n; i++)
        for (slong k = 0; k < m; k++) {
            darc_mpoly *entry = darc_matrix_entry(M, i, k);
            /* a_(m-i+s) x^s times b_l x^(l+m-n), l + m - n + s = k, where
             * l < n - i, and the same with f_low */
            for (slong s = 0; s <= i && s <= k; s++) {
                slong la = k - s, lb = la - (m - n);
                const darc_mpoly *a = f->c + m - i + s, *b = g->c + n - i + s;
                nmod_mpoly_t zero;
                nmod_mpoly_init(zero, ring->ctx);
                const darc_mpoly *blow =
                    lb >= 0 && lb < n - i ? g->c + lb : zero;
                const darc_mpoly *alow = la < m - i ? f->c + la : zero;
                add_cross(entry, a, blow, b, alow, ring);
                nmod_mpoly_clear(zero, ring->ctx);
            }
        }
    for (slong i = 0; i < m - n; i++)
        for (slong k = 0; k <= n; k++)
            nmod_mpoly_set(darc_matrix_entry(M, n + i, k + i), g->c + k,
                           ring->ctx);
}

static darc_status resultant(darc_mpoly *r, const darc_split *f,
                             const darc_split *g, darc_ring_t ring,
                             darc_err *err)
{
    if (f->degree < g->degree)
        return resultant(r, g, f, ring, err);
    darc_matrix M;
    darc_matrix_init(&M, f->degree, ring);
    bezout(&M, f, g, ring);
    darc_status status = darc_matrix_reduce(&M, ring, err);
    if (status == DARC_OK)
        status = darc_kronecker_det(r, &M, ring, err);
    darc_matrix_clear(&M, ring);
    return status;
}

/* Remember the factors of the leading coefficient of s, usual extraneous
 * factors. */
static darc_status remember_lead(const darc_split *s, darc_ring_t ring,
                                 darc_err *err)
{
    const darc_mpoly *lead = s->c + s->degree;
    if (lead->length > DARC_LEAD_TERMS || darc_ring_value(lead, ring) == 0)
        return DARC_OK;
    return darc_ring_remember_factors(ring, lead, err);
}

darc_status darc_resultant(darc_mpoly *r, const darc_mpoly *f,
                           const darc_mpoly *g, slong v, darc_ring_t ring,
                           darc_err *err)
{
    darc_split sf, sg;
    darc_status status = DARC_OK;
    if (darc_ring_degree(f, v, ring) == 0) {
        nmod_mpoly_set(r, f, ring->ctx);
        return DARC_OK;
    }
    darc_split_init(&sf, f, v, ring);
    darc_split_init(&sg, g, v, ring);
    assert(sg.degree > 0);
    DARC_TRY(remember_lead(&sg, ring, err));
    DARC_TRY(remember_lead(&sf, ring, err));
    if (sf.degree > 1 && sg.degree > 1 &&
        FLINT_MAX(sf.degree, sg.degree) > DARC_MAX_MINORS) {
        status = darc_fail(err, DARC_LIMIT,
                           "a resultant of degrees %ld and %ld, above %d, is "
                           "out of reach",
                           (long)sf.degree, (long)sg.degree, DARC_MAX_MINORS);
        goto done;
    }
    if (sg.degree == 1)
        DARC_TRY(substitute(r, &sf, &sg, ring, err));
    else if (sf.degree == 1)
        DARC_TRY(substitute(r, &sg, &sf, ring, err));
    else
        DARC_TRY(resultant(r, &sf, &sg, ring, err));
    DARC_TRY(darc_ring_select(r, ring, err));
done:
    darc_split_clear(&sf, ring);
    darc_split_clear(&sg, ring);
    return status;
}
