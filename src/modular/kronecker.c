#include "modular/kronecker.h"

#include "base/mem.h"
#include "modular/thresholds.h"

#include <string.h>

/* A ring with all exponents in few words. */
typedef struct {
    slong vars;   /* of the ring that is packed */
    slong *word;  /* word[v]: packed variable that holds variable v; owned */
    ulong *unit;  /* unit[v]: value of one power of v there; owned */
    ulong *radix; /* radix[v]: degree bound + 1; owned */
    darc_ring_t ring;
} packing;

/* Assign the variables to words from the last to the first; return the number
 * of words.  The lexicographic order is kept. */
static slong assign(packing *p, const slong *bound)
{
    slong words = 1;
    ulong unit = 1;
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
    return words;
}

/* Set p to hold polynomials of degree at most bound[v] in variable v. */
static void packing_init(packing *p, const slong *bound, const darc_ring_t ring)
{
    size_t n = (size_t)ring->vars;
    p->vars = ring->vars;
    p->word = darc_calloc(n, sizeof *p->word);
    p->unit = darc_calloc(n, sizeof *p->unit);
    p->radix = darc_calloc(n, sizeof *p->radix);
    darc_ring_init(p->ring, assign(p, bound), ring->mod.n, 1, ring->budget);
}

static void packing_clear(packing *p)
{
    darc_free(p->word);
    darc_free(p->unit);
    darc_free(p->radix);
    darc_ring_clear(p->ring);
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
    darc_free(exp);
    darc_free(word);
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
    darc_free(exp);
    darc_free(word);
}

/* Add to sum[v] the largest degree in v of n entries from first on. */
static void add_line(slong *sum, const darc_mpoly *first, slong stride, slong n,
                     const darc_ring_t ring)
{
    slong *degree = darc_calloc(2 * (size_t)ring->vars, sizeof *degree);
    slong *most = degree + ring->vars;
    for (slong i = 0; i < n; i++) {
        nmod_mpoly_degrees_si(degree, first + i * stride, ring->ctx);
        for (slong v = 0; v < ring->vars; v++)
            most[v] = degree[v] > most[v] ? degree[v] : most[v];
    }
    for (slong v = 0; v < ring->vars; v++)
        sum[v] += most[v];
    darc_free(degree);
}

/* Set bound[v] to a bound on the degree of det M in v. */
static void matrix_degrees(slong *bound, const darc_matrix *M,
                           const darc_ring_t ring)
{
    size_t n = (size_t)ring->vars;
    slong *sum = darc_calloc(n, sizeof *sum);
    memset(bound, 0, n * sizeof *bound);
    for (slong i = 0; i < M->n; i++) {
        add_line(bound, M->entry + i * M->n, 1, M->n, ring);
        add_line(sum, M->entry + i, M->n, M->n, ring);
    }
    for (size_t v = 0; v < n; v++)
        bound[v] = sum[v] < bound[v] ? sum[v] : bound[v];
    darc_free(sum);
}

darc_status darc_kronecker_det(darc_mpoly *r, const darc_matrix *M,
                               darc_ring_t ring, darc_err *err)
{
    packing p;
    darc_matrix P;
    nmod_mpoly_t d;
    darc_status status = DARC_OK;
    slong *bound = darc_calloc((size_t)ring->vars, sizeof *bound);
    matrix_degrees(bound, M, ring);
    packing_init(&p, bound, ring);
    darc_matrix_init(&P, M->n, p.ring);
    nmod_mpoly_init(d, p.ring->ctx);
    for (slong i = 0; i < M->n * M->n; i++)
        pack(P.entry + i, M->entry + i, &p, ring);
    p.ring->work_limit = ring->work_limit - ring->work;
    status = darc_matrix_det(d, &P, p.ring, err);
    ring->work += p.ring->work;
    if (status == DARC_OK)
        unpack(r, d, &p, ring);
    nmod_mpoly_clear(d, p.ring->ctx);
    darc_matrix_clear(&P, p.ring);
    packing_clear(&p);
    darc_free(bound);
    return status;
}
