#include "modular/resultant.h"

#include "algebra/minors.h"
#include "base/mem.h"
#include "modular/thresholds.h"

#include <assert.h>
#include <string.h>

void darc_matrix_init(darc_matrix *M, slong n, const darc_ring_t ring)
{
    M->n = n;
    M->entry = darc_calloc((size_t)(n * n), sizeof *M->entry);
    DARC_ALL_IN(nmod_mpoly_init, ring->ctx, M->entry, n * n);
}

void darc_matrix_clear(darc_matrix *M, const darc_ring_t ring)
{
    DARC_ALL_IN(nmod_mpoly_clear, ring->ctx, M->entry, M->n * M->n);
    darc_free(M->entry);
}

/* Return entry (i, k). */
static darc_mpoly *matrix_entry(const darc_matrix *M, slong i, slong k)
{
    return M->entry + i * M->n + k;
}

/* Divide the n entries first, first + stride, ... by their gcd. */
static darc_status reduce_line(darc_mpoly *first, slong stride, slong n,
                               darc_ring_t ring, darc_err *err)
{
    const darc_mpoly **line = darc_calloc((size_t)n, sizeof(void *));
    nmod_mpoly_t g;
    nmod_mpoly_init(g, ring->ctx);
    darc_status status = DARC_OK;
    for (slong i = 0; i < n; i++)
        line[i] = first + i * stride;
    DARC_TRY(darc_ring_gcd(g, line, n, ring, err));
    if (nmod_mpoly_is_zero(g, ring->ctx) || nmod_mpoly_is_ui(g, ring->ctx) ||
        darc_ring_value(g, ring) == 0)
        goto done;
    for (slong i = 0; i < n; i++)
        nmod_mpoly_divides(first + i * stride, first + i * stride, g,
                           ring->ctx);
done:
    nmod_mpoly_clear(g, ring->ctx);
    darc_free(line);
    return status;
}

/* Divide every row, then every column by the gcd of its entries; only the
 * factors that do not vanish at the point of ring. */
static darc_status matrix_reduce(darc_matrix *M, darc_ring_t ring,
                                 darc_err *err)
{
    for (slong i = 0; i < M->n; i++)
        DARC_NEED(reduce_line(M->entry + i * M->n, 1, M->n, ring, err));
    for (slong k = 0; k < M->n; k++)
        DARC_NEED(reduce_line(M->entry + k, M->n, M->n, ring, err));
    return DARC_OK;
}

static void mpoly_clear(void *x, void *user)
{
    nmod_mpoly_clear(x, ((darc_ring_struct *)user)->ctx);
}

/* Count the product a*b, before it is made.
 * Fails: DARC_LIMIT where that is more than the work allowed. */
static darc_status take_product(darc_ring_t ring, const darc_mpoly *a,
                                const darc_mpoly *b, darc_err *err)
{
    double products = (double)a->length * (double)b->length;
    ring->work += products;
    if (ring->work > ring->work_limit)
        return darc_ring_check(ring, err);
    if (products <= DARC_LONG_PRODUCT || ring->budget == NULL)
        return DARC_OK;
    /* It cannot be stopped: is there time for it? */
    double words = 1 + (double)ring->vars * (double)a->bits / FLINT_BITS;
    darc_budget own = *ring->budget;
    own.deadline -= products * words / DARC_WORDS_A_SECOND;
    return darc_budget_check(&own, err);
}

static darc_status mpoly_sum(void *minor, const darc_minor_product *p, slong n,
                             void *user, darc_err *err)
{
    darc_ring_struct *ring = user;
    darc_status status;
    nmod_mpoly_t t;
    darc_mpoly_inits(ring->ctx, minor, t, NULL);
    DARC_TRY(darc_ring_check(ring, err));
    for (slong i = 0; i < n; i++) {
        const darc_mpoly *a = p[i].entry, *b = p[i].rest;
        DARC_TRY(take_product(ring, a, b, err));
        nmod_mpoly_mul(t, a, b, ring->ctx);
        if (p[i].sign > 0)
            nmod_mpoly_add(minor, minor, t, ring->ctx);
        else
            nmod_mpoly_sub(minor, minor, t, ring->ctx);
    }
done:
    nmod_mpoly_clear(t, ring->ctx);
    return status;
}

/* Set r to the determinant of M up to sign, by the minors of its rows. */
static darc_status det(darc_mpoly *r, const darc_matrix *M, darc_ring_t ring,
                       darc_err *err)
{
    slong n = M->n;
    if (n > DARC_MAX_MINORS)
        return darc_fail(err, DARC_LIMIT,
                         "a determinant of %ld rows is out of reach", (long)n);
    const darc_minor_type type = {sizeof(darc_mpoly),
                                  offsetof(darc_mpoly, length), mpoly_sum,
                                  mpoly_clear, ring};
    darc_status status = DARC_OK;
    darc_minors m;
    darc_mpoly one;
    nmod_mpoly_init(&one, ring->ctx);
    nmod_mpoly_one(&one, ring->ctx);
    darc_minors_init_take(&m, &type, &one, n, WORD_MAX);
    for (slong k = 0; k < n && status == DARC_OK; k++)
        status = darc_minors_add(&m, M->entry + k * n, 1, err);
    if (status == DARC_OK && m.count == 1)
        nmod_mpoly_swap(r, m.minor, ring->ctx);
    else if (status == DARC_OK)
        nmod_mpoly_zero(r, ring->ctx);
    darc_minors_clear(&m);
    return status;
}

/* A ring with all exponents in few words. */
typedef struct {
    slong vars;   /* of the ring that is packed */
    slong *word;  /* word[v]: packed variable that holds variable v; owned */
    ulong *unit;  /* unit[v]: value of one power of v there; owned */
    ulong *radix; /* radix[v]: degree bound + 1; part of unit */
    darc_ring_t ring;
} packing;

/* Set p to hold polynomials of degree at most bound[v] in variable v, from the
 * last to the first: the lexicographic order is kept. */
static void packing_init(packing *p, const slong *bound, const darc_ring_t ring)
{
    size_t n = (size_t)ring->vars;
    slong words = 1;
    ulong unit = 1;
    p->vars = ring->vars;
    p->word = darc_calloc(n, sizeof *p->word);
    p->unit = darc_calloc(2 * n, sizeof *p->unit);
    p->radix = p->unit + n;
    for (slong v = p->vars - 1; v >= 0; v--) {
        p->radix[v] = (ulong)(bound[v] < 0 ? 0 : bound[v]) + 1;
        if (unit > (UWORD(1) << DARC_WORD_BITS) / p->radix[v]) {
            words++;
            unit = 1;
        }
        p->word[v] = words - 1;
        p->unit[v] = unit;
        unit *= p->radix[v];
    }
    for (slong v = 0; v < p->vars; v++)
        p->word[v] = words - 1 - p->word[v];
    darc_ring_init(p->ring, words, ring->mod.n, ring->budget);
}

static void pack(darc_mpoly *to, const darc_mpoly *from, const packing *p,
                 const darc_ring_t ring)
{
    ulong *exp = darc_calloc((size_t)p->vars, sizeof *exp);
    ulong *word = darc_calloc((size_t)p->ring->vars, sizeof *word);
    nmod_mpoly_zero(to, p->ring->ctx);
    nmod_mpoly_fit_length(to, from->length, p->ring->ctx);
    for (slong t = 0; t < from->length; t++) {
        nmod_mpoly_get_term_exp_ui(exp, from, t, ring->ctx);
        memset(word, 0, (size_t)p->ring->vars * sizeof *word);
        for (slong v = 0; v < p->vars; v++)
            word[p->word[v]] += exp[v] * p->unit[v];
        nmod_mpoly_push_term_ui_ui(to, from->coeffs[t], word, p->ring->ctx);
    }
    DARC_FREE(exp, word);
}

static void unpack(darc_mpoly *to, const darc_mpoly *from, const packing *p,
                   const darc_ring_t ring)
{
    ulong *exp = darc_calloc((size_t)p->vars, sizeof *exp);
    ulong *word = darc_calloc((size_t)p->ring->vars, sizeof *word);
    nmod_mpoly_zero(to, ring->ctx);
    nmod_mpoly_fit_length(to, from->length, ring->ctx);
    for (slong t = 0; t < from->length; t++) {
        nmod_mpoly_get_term_exp_ui(word, from, t, p->ring->ctx);
        for (slong v = p->vars - 1; v >= 0; v--) {
            ulong *w = word + p->word[v];
            exp[v] = 0;
            if (p->radix[v] == 1)
                continue;
            exp[v] = *w % p->radix[v];
            *w /= p->radix[v];
        }
        nmod_mpoly_push_term_ui_ui(to, from->coeffs[t], exp, ring->ctx);
    }
    DARC_FREE(exp, word);
}

/* Set bound[v] to a bound on the degree of det M in v: the largest degrees of
 * all rows, or of all columns, together. */
static void matrix_degrees(slong *bound, const darc_matrix *M,
                           const darc_ring_t ring)
{
    slong vars = ring->vars;
    slong *sum = darc_calloc(3 * (size_t)vars, sizeof *sum);
    slong *most = sum + vars, *degree = most + vars;
    for (int way = 0; way < 2; way++) {
        memset(sum, 0, (size_t)vars * sizeof *sum);
        for (slong i = 0; i < M->n; i++) {
            memset(most, 0, (size_t)vars * sizeof *most);
            for (slong k = 0; k < M->n; k++) {
                const darc_mpoly *entry =
                    way == 0 ? matrix_entry(M, i, k) : matrix_entry(M, k, i);
                nmod_mpoly_degrees_si(degree, entry, ring->ctx);
                for (slong v = 0; v < vars; v++)
                    most[v] = FLINT_MAX(most[v], degree[v]);
            }
            for (slong v = 0; v < vars; v++)
                sum[v] += most[v];
        }
        for (slong v = 0; v < vars; v++)
            bound[v] = way == 0 ? sum[v] : FLINT_MIN(sum[v], bound[v]);
    }
    darc_free(sum);
}

darc_status darc_matrix_det(darc_mpoly *r, const darc_matrix *M,
                            darc_ring_t ring, darc_err *err)
{
    packing p;
    darc_matrix P;
    nmod_mpoly_t d;
    slong *bound = darc_calloc((size_t)ring->vars, sizeof *bound);
    matrix_degrees(bound, M, ring);
    packing_init(&p, bound, ring);
    darc_matrix_init(&P, M->n, p.ring);
    nmod_mpoly_init(d, p.ring->ctx);
    for (slong i = 0; i < M->n * M->n; i++)
        pack(P.entry + i, M->entry + i, &p, ring);
    p.ring->work_limit = ring->work_limit - ring->work;
    darc_status status = det(d, &P, p.ring, err);
    ring->work += p.ring->work;
    if (status == DARC_OK)
        unpack(r, d, &p, ring);
    nmod_mpoly_clear(d, p.ring->ctx);
    darc_matrix_clear(&P, p.ring);
    darc_ring_clear(p.ring);
    DARC_FREE(p.word, p.unit, bound);
    return status;
}

/* Divide a and b by their gcd. */
static darc_status cancel(darc_mpoly *a, darc_mpoly *b, darc_ring_t ring,
                          darc_err *err)
{
    nmod_mpoly_t g;
    nmod_mpoly_init(g, ring->ctx);
    darc_status status = DARC_OK;
    if (nmod_mpoly_is_ui(a, ring->ctx) || nmod_mpoly_is_ui(b, ring->ctx))
        goto done;
    DARC_TRY(darc_ring_gcd(g, (const darc_mpoly *[]){a, b}, 2, ring, err));
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
    darc_mpoly_inits(ring->ctx, power, t, NULL);
    darc_mpoly *a = g->c + 1, *b = g->c;
    if (m == 1)
        DARC_TRY(cancel(f->c + 1, a, ring, err));
    nmod_mpoly_neg(b, b, ring->ctx);
    nmod_mpoly_set(power, a, ring->ctx);
    nmod_mpoly_set(r, f->c + m, ring->ctx);
    for (slong i = m - 1; i >= 0; i--) {
        DARC_TRY(take_product(ring, r, b, err));
        DARC_TRY(take_product(ring, f->c + i, power, err));
        nmod_mpoly_mul(r, r, b, ring->ctx);
        nmod_mpoly_mul(t, f->c + i, power, ring->ctx);
        nmod_mpoly_add(r, r, t, ring->ctx);
        if (i > 0) {
            DARC_TRY(take_product(ring, power, a, err));
            nmod_mpoly_mul(power, power, a, ring->ctx);
        }
    }
    status = darc_ring_check(ring, err);
done:
    darc_mpoly_clears(ring->ctx, power, t, NULL);
    return status;
}

/* Add sign*x*y to r. */
static darc_status add_product(darc_mpoly *r, const darc_mpoly *x,
                               const darc_mpoly *y, int sign, darc_ring_t ring,
                               darc_err *err)
{
    nmod_mpoly_t t;
    DARC_NEED(take_product(ring, x, y, err));
    nmod_mpoly_init(t, ring->ctx);
    nmod_mpoly_mul(t, x, y, ring->ctx);
    if (sign > 0)
        nmod_mpoly_add(r, r, t, ring->ctx);
    else
        nmod_mpoly_sub(r, r, t, ring->ctx);
    nmod_mpoly_clear(t, ring->ctx);
    return DARC_OK;
}

/* Fill the hybrid Bezout matrix of f and g, deg f = m >= deg g = n: row
 * i < n holds (a_m x^i + ... + a_(m-i)) g_low - (b_n x^i + ...) f_low, and
 * row n + i is x^i g; column k belongs to x^k. */
static darc_status bezout(darc_matrix *M, const darc_split *f,
                          const darc_split *g, darc_ring_t ring, darc_err *err)
{
    slong m = f->degree, n = g->degree;
    for (slong i = 0; i < n; i++)
        for (slong k = 0; k < m; k++)
            /* a_(m-i+s) x^s times b_l x^(l+m-n), l + m - n + s = k, where
             * l < n - i, and the same with f_low */
            for (slong s = 0; s <= i && s <= k; s++) {
                slong la = k - s, lb = la - (m - n);
                darc_mpoly *entry = matrix_entry(M, i, k);
                if (lb >= 0 && lb < n - i)
                    DARC_NEED(add_product(entry, f->c + m - i + s, g->c + lb, 1,
                                          ring, err));
                if (la < m - i)
                    DARC_NEED(add_product(entry, g->c + n - i + s, f->c + la,
                                          -1, ring, err));
            }
    for (slong i = 0; i < m - n; i++)
        for (slong k = 0; k <= n; k++)
            nmod_mpoly_set(matrix_entry(M, n + i, k + i), g->c + k, ring->ctx);
    return DARC_OK;
}

static darc_status resultant(darc_mpoly *r, const darc_split *f,
                             const darc_split *g, darc_ring_t ring,
                             darc_err *err)
{
    if (f->degree < g->degree)
        return resultant(r, g, f, ring, err);
    darc_matrix M;
    darc_matrix_init(&M, f->degree, ring);
    double work = ring->work; /* what the entries take bounds, but ranks not */
    darc_status status = bezout(&M, f, g, ring, err);
    ring->work = work;
    DARC_THEN(matrix_reduce(&M, ring, err));
    DARC_THEN(darc_matrix_det(r, &M, ring, err));
    darc_matrix_clear(&M, ring);
    return status;
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
    if (sf.degree > 1 && sg.degree > 1 &&
        FLINT_MAX(sf.degree, sg.degree) > DARC_MAX_MINORS)
        DARC_TRY(darc_fail(err, DARC_LIMIT,
                           "a resultant of degrees %ld and %ld, above %d, is "
                           "out of reach",
                           (long)sf.degree, (long)sg.degree, DARC_MAX_MINORS));
    if (sg.degree == 1)
        DARC_TRY(substitute(r, &sf, &sg, ring, err));
    else if (sf.degree == 1)
        DARC_TRY(substitute(r, &sg, &sf, ring, err));
    else
        DARC_TRY(resultant(r, &sf, &sg, ring, err));
    DARC_TRY(darc_ring_factor(r, ring, err));
done:
    DARC_EACH_IN(darc_split_clear, ring, &sf, &sg);
    return status;
}

darc_status darc_remainder(darc_mpoly *f, const darc_mpoly *g, slong v,
                           darc_ring_t ring, darc_err *err)
{
    darc_split sg;
    darc_status status = DARC_OK;
    nmod_mpoly_t lead, t;
    darc_mpoly_inits(ring->ctx, lead, t, NULL);
    darc_split_init(&sg, g, v, ring);
    darc_mpoly *a = sg.c + sg.degree;
    for (slong d; (d = darc_ring_degree(f, v, ring)) >= sg.degree;) {
        /* a*f - lead*v^(d - degree)*g, a and lead without common factors */
        darc_split sf;
        darc_split_init(&sf, f, v, ring);
        nmod_mpoly_swap(lead, sf.c + d, ring->ctx);
        darc_split_clear(&sf, ring);
        nmod_mpoly_set(t, a, ring->ctx);
        DARC_TRY(cancel(t, lead, ring, err));
        DARC_TRY(take_product(ring, f, t, err));
        DARC_TRY(take_product(ring, g, lead, err));
        nmod_mpoly_mul(f, f, t, ring->ctx);
        nmod_mpoly_gen(t, v, ring->ctx);
        nmod_mpoly_pow_ui(t, t, (ulong)(d - sg.degree), ring->ctx);
        nmod_mpoly_mul(lead, lead, t, ring->ctx);
        nmod_mpoly_mul(t, lead, g, ring->ctx);
        nmod_mpoly_sub(f, f, t, ring->ctx);
        DARC_TRY(darc_ring_check(ring, err));
    }
    DARC_TRY(darc_ring_factor(f, ring, err));
done:
    darc_split_clear(&sg, ring);
    darc_mpoly_clears(ring->ctx, lead, t, NULL);
    return status;
}
