#include "algebra/nullstellensatz.h"

#include "algebra/dpoly.h"
#include "algebra/thresholds.h"
#include "base/mem.h"

/* m*g = sum q_i*f_i */
typedef struct {
    fmpz_mpoly_t g, m;
    fmpz_mpoly_struct *q; /* owned */
} element;

typedef struct {
    slong i, j;
    ulong degree; /* of the least common multiple of leading monomials */
} pair;

typedef struct {
    const darc_signs *s;
    const fmpz_mpoly_ctx_struct *ctx;
    slong n; /* of the f_i */
    bool real;
    double work; /* words of numbers handled */
    slong count, pairs;
    element *e; /* owned */
    pair *pair; /* owned */
} basis;

bool darc_signs_exclude(const darc_signs *s, const fmpz_mpoly_t p, bool real)
{
    slong terms = fmpz_mpoly_length(p, s->ctx);
    slong vars = fmpz_mpoly_ctx_nvars(s->ctx);
    ulong *exp = darc_calloc((size_t)vars, sizeof *exp);
    bool one = terms == 1 || (terms > 1 && real), any = false;
    int sign = 0;
    for (slong t = 0; t < terms && one; t++) {
        int now = fmpz_sgn(p->coeffs + t);
        bool sure = true; /* the term has no zero */
        fmpz_mpoly_get_term_exp_ui(exp, p, t, s->ctx);
        for (slong v = 0; v < vars; v++) {
            bool may = terms == 1 || !s->positive[v];
            sure = sure && (exp[v] == 0 || s->nonzero[v] || !may);
            if (terms > 1) /* it is not < 0 */
                one = one && (exp[v] % 2 == 0 || s->positive[v]);
        }
        any = any || sure;
        one = one && (sign == 0 || sign == now);
        sign = now;
    }
    darc_free(exp);
    return one && any;
}

static void element_clear(element *e, const basis *b)
{
    darc_dpoly_clears(b->ctx, e->g, e->m, NULL);
    DARC_ALL_IN(fmpz_mpoly_clear, b->ctx, e->q, b->n);
    darc_free(e->q);
}

static void element_init(element *e, const basis *b)
{
    darc_dpoly_inits(b->ctx, e->g, e->m, NULL);
    fmpz_mpoly_one(e->m, b->ctx);
    e->q = darc_calloc((size_t)b->n + 1, sizeof *e->q);
    DARC_ALL_IN(fmpz_mpoly_init, b->ctx, e->q, b->n);
}

/* e := a*e + c*o, as combinations of the f_i. */
static void combine_elements(element *e, const fmpz_mpoly_t a, const element *o,
                             const fmpz_mpoly_t c, const basis *b)
{
    fmpz_mpoly_t common, own, other, t;
    darc_dpoly_inits(b->ctx, common, own, other, t, NULL);
    if (!fmpz_mpoly_gcd(common, e->m, o->m, b->ctx))
        fmpz_mpoly_one(common, b->ctx);
    fmpz_mpoly_divides(own, o->m, common, b->ctx);
    fmpz_mpoly_divides(other, e->m, common, b->ctx);
    fmpz_mpoly_mul(t, a, e->g, b->ctx);
    fmpz_mpoly_mul(e->g, c, o->g, b->ctx);
    fmpz_mpoly_add(e->g, e->g, t, b->ctx);
    fmpz_mpoly_mul(e->m, e->m, own, b->ctx);
    fmpz_mpoly_mul(own, own, a, b->ctx);
    fmpz_mpoly_mul(other, other, c, b->ctx);
    for (slong i = 0; i < b->n; i++) {
        fmpz_mpoly_mul(t, own, e->q + i, b->ctx);
        fmpz_mpoly_mul(e->q + i, other, o->q + i, b->ctx);
        fmpz_mpoly_add(e->q + i, e->q + i, t, b->ctx);
    }
    darc_dpoly_clears(b->ctx, common, own, other, t, NULL);
}

/* Set kept and dropped to the factors of p that may vanish, and to the rest,
 * which includes what is given where `given`.  What is given is real. */
static void split(fmpz_mpoly_t kept, fmpz_mpoly_t dropped, const fmpz_mpoly_t p,
                  const basis *b, bool given)
{
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, b->ctx);
    fmpz_mpoly_factor_init(f, b->ctx);
    fmpz_mpoly_one(kept, b->ctx);
    if (!fmpz_mpoly_factor(f, p, b->ctx)) {
        fmpz_mpoly_set(kept, p, b->ctx);
        fmpz_mpoly_one(dropped, b->ctx);
        f->num = 0;
    } else {
        fmpz_mpoly_set_fmpz(dropped, f->constant, b->ctx);
    }
    for (slong i = 0; i < f->num; i++) {
        bool known = true; /* it holds only what is given */
        for (slong v = 0; v < b->s->given; v++)
            known &= fmpz_mpoly_degree_si(f->poly + i, v, b->ctx) <= 0;
        bool sure = (given && known) ||
                    darc_signs_exclude(b->s, f->poly + i, b->real || known);
        fmpz_mpoly_struct *to = sure ? dropped : kept;
        fmpz_mpoly_pow_fmpz(t, f->poly + i, f->exp + i, b->ctx);
        fmpz_mpoly_mul(to, to, t, b->ctx);
    }
    fmpz_mpoly_factor_clear(f, b->ctx);
    fmpz_mpoly_clear(t, b->ctx);
}

/* Set a and c so that term k of a*g and the leading term of c*h add up to 0;
 * return the total degree of these, 0 where they are coprime. */
static ulong cofactors(fmpz_mpoly_t a, fmpz_mpoly_t c, const element *g,
                       slong k, const element *h, const basis *b)
{
    slong vars = fmpz_mpoly_ctx_nvars(b->ctx);
    ulong *x = darc_calloc(2 * (size_t)vars, sizeof *x), *y = x + vars;
    ulong degree = 0, shared = 0;
    fmpz_t common, t;
    DARC_EACH(fmpz_init, common, t);
    fmpz_mpoly_get_term_exp_ui(x, g->g, k, b->ctx);
    fmpz_mpoly_get_term_exp_ui(y, h->g, 0, b->ctx);
    for (slong v = 0; v < vars; v++) {
        ulong least = FLINT_MIN(x[v], y[v]), most = FLINT_MAX(x[v], y[v]);
        shared += least;
        degree += most;
        ulong own = most - x[v];
        y[v] = most - y[v];
        x[v] = own;
    }
    fmpz_gcd(common, g->g->coeffs + k, h->g->coeffs);
    fmpz_divexact(t, h->g->coeffs, common);
    DARC_EACH_IN(fmpz_mpoly_zero, b->ctx, a, c);
    fmpz_mpoly_set_coeff_fmpz_ui(a, t, x, b->ctx);
    fmpz_divexact(t, g->g->coeffs + k, common);
    fmpz_neg(t, t);
    fmpz_mpoly_set_coeff_fmpz_ui(c, t, y, b->ctx);
    DARC_EACH(fmpz_clear, t, common);
    darc_free(x);
    return shared == 0 ? 0 : degree;
}

/* Add the size of e, words of its numbers, to the work; return whether more
 * may be done. */
static bool goes_on(const element *e, basis *b)
{
    for (slong i = -1; i < b->n; i++) {
        const fmpz_mpoly_struct *p = i < 0 ? e->g : e->q + i;
        b->work +=
            (double)p->length *
            (1 + (double)FLINT_ABS(_fmpz_vec_max_bits(p->coeffs, p->length)) /
                     FLINT_BITS);
    }
    return b->work < DARC_REFUTE_WORK;
}

/* Remove the terms of e that an element divides; false: the work is spent. */
static bool reduce_element(element *e, basis *b)
{
    fmpz_mpoly_t a, c;
    darc_dpoly_inits(b->ctx, a, c, NULL);
    bool on = goes_on(e, b);
    for (slong k = 0; on && k < fmpz_mpoly_length(e->g, b->ctx);) {
        const element *by = NULL; /* its leading term divides term k */
        fmpz_mpoly_get_term_monomial(a, e->g, k, b->ctx);
        for (slong i = 0; i < b->count && by == NULL; i++) {
            fmpz_mpoly_get_term_monomial(c, b->e[i].g, 0, b->ctx);
            if (fmpz_mpoly_divides(c, a, c, b->ctx))
                by = &b->e[i];
        }
        if (by == NULL) {
            k++;
            continue;
        }
        cofactors(a, c, e, k, by, b);
        combine_elements(e, a, by, c, b);
        on = goes_on(e, b);
    }
    darc_dpoly_clears(b->ctx, a, c, NULL);
    return on;
}

/* Reduce e and take it in; return whether it is a proof. */
static bool add_take(basis *b, element *e)
{
    if (!reduce_element(e, b) || fmpz_mpoly_is_zero(e->g, b->ctx)) {
        element_clear(e, b);
        return false;
    }
    /* Drop what cannot vanish from g, and what m and all q_i share. */
    fmpz_mpoly_t kept, dropped, a, c;
    darc_dpoly_inits(b->ctx, kept, dropped, a, c, NULL);
    split(kept, dropped, e->g, b, true);
    fmpz_mpoly_swap(e->g, kept, b->ctx);
    fmpz_mpoly_mul(e->m, e->m, dropped, b->ctx);
    fmpz_mpoly_set(dropped, e->m, b->ctx);
    bool known = true;
    for (slong i = 0; i < b->n && known; i++)
        known = fmpz_mpoly_gcd(dropped, dropped, e->q + i, b->ctx);
    for (slong i = 0; i < b->n && known; i++)
        fmpz_mpoly_divides(e->q + i, e->q + i, dropped, b->ctx);
    if (known)
        fmpz_mpoly_divides(e->m, e->m, dropped, b->ctx);
    /* Take e, which is not 0, into the basis, with its pairs. */
    for (slong i = 0; i < b->count; i++) {
        ulong degree = cofactors(a, c, &b->e[i], 0, e, b);
        if (degree == 0)
            continue;
        DARC_APPEND(b->pair, b->pairs, (pair){i, b->count, degree});
    }
    DARC_APPEND(b->e, b->count, *e);
    darc_dpoly_clears(b->ctx, kept, dropped, a, c, NULL);
    return fmpz_mpoly_is_fmpz(b->e[b->count - 1].g, b->ctx);
}

/* Take the pair of lowest degree out and return its polynomial. */
static element next_pair(basis *b)
{
    slong k = 0;
    for (slong i = 1; i < b->pairs; i++)
        if (b->pair[i].degree < b->pair[k].degree)
            k = i;
    pair p = b->pair[k];
    b->pair[k] = b->pair[--b->pairs];
    fmpz_mpoly_t a, c, one;
    element s;
    element_init(&s, b);
    darc_dpoly_inits(b->ctx, a, c, one, NULL);
    cofactors(a, c, &b->e[p.i], 0, &b->e[p.j], b);
    combine_elements(&s, one, &b->e[p.i], a, b);
    fmpz_mpoly_one(one, b->ctx);
    combine_elements(&s, one, &b->e[p.j], c, b);
    darc_dpoly_clears(b->ctx, one, a, c, NULL);
    return s;
}

/* The last element is a proof: hand it over, checked. */
static void take_proof(darc_refutation *r, basis *b, const fmpz_mpoly_struct *f)
{
    element *e = &b->e[b->count - 1];
    fmpz_mpoly_t sum, sure;
    darc_dpoly_inits(b->ctx, sum, sure, NULL);
    for (slong i = 0; i < b->n; i++) {
        fmpz_mpoly_mul(sure, e->q + i, f + i, b->ctx);
        fmpz_mpoly_add(sum, sum, sure, b->ctx);
        fmpz_mpoly_swap(r->q + i, e->q + i, b->ctx);
    }
    fmpz_mpoly_mul(r->left, e->m, e->g, b->ctx);
    r->found = fmpz_mpoly_equal(sum, r->left, b->ctx);
    split(r->unless, sure, r->left, b, false);
    r->real = b->real;
    darc_dpoly_clears(b->ctx, sum, sure, NULL);
}

static darc_status refute(darc_refutation *r, const fmpz_mpoly_struct *f,
                          basis *b, const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    bool proved = false;
    /* First what has no zero by itself: reduced by others, it might not show.
     */
    for (slong k = 0; k < 2 * b->n && !proved; k++) {
        slong i = k % b->n;
        element e;
        if (darc_signs_exclude(b->s, f + i, b->real) != (k < b->n))
            continue;
        element_init(&e, b);
        fmpz_mpoly_set(e.g, f + i, b->ctx);
        fmpz_mpoly_one(e.q + i, b->ctx);
        proved = add_take(b, &e);
    }
    while (!proved && b->pairs > 0 && b->work < DARC_REFUTE_WORK) {
        DARC_TRY(darc_budget_check(budget, err));
        element e = next_pair(b);
        proved = add_take(b, &e);
    }
    if (proved)
        take_proof(r, b, f);
done:
    DARC_ALL_IN(element_clear, b, b->e, b->count);
    DARC_FREE(b->e, b->pair);
    return status;
}

darc_status darc_refutation_init(darc_refutation *r, const fmpz_mpoly_struct *f,
                                 slong n, const darc_signs *s,
                                 const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    *r = (darc_refutation){.count = n};
    r->q = darc_calloc((size_t)n + 1, sizeof *r->q);
    DARC_ALL_IN(fmpz_mpoly_init, s->ctx, r->q, n);
    darc_dpoly_inits(s->ctx, r->left, r->unless, NULL);
    for (int real = 0; real < 2 && status == DARC_OK && !r->found; real++) {
        basis b = {.s = s, .ctx = s->ctx, .n = n, .real = real == 1};
        status = refute(r, f, &b, budget, err);
    }
    if (status != DARC_OK)
        darc_refutation_clear(r, s);
    return status;
}

void darc_refutation_clear(darc_refutation *r, const darc_signs *s)
{
    DARC_ALL_IN(fmpz_mpoly_clear, s->ctx, r->q, r->count);
    darc_dpoly_clears(s->ctx, r->left, r->unless, NULL);
    darc_free(r->q);
}
