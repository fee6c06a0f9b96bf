#include "algebra/realpoint.h"

#include "algebra/thresholds.h"
#include "base/mem.h"

static void range_init(darc_range *r)
{
    DARC_EACH(fmpq_init, r->low, r->high);
}

static void range_clear(darc_range *r)
{
    DARC_EACH(fmpq_clear, r->low, r->high);
}

static void range_set(darc_range *r, const darc_range *a)
{
    fmpq_set(r->low, a->low);
    fmpq_set(r->high, a->high);
}

static int range_sign(const darc_range *r)
{
    return fmpq_sgn(r->low) > 0 ? 1 : fmpq_sgn(r->high) < 0 ? -1 : 0;
}

static bool is_exact(const darc_range *r)
{
    return fmpq_equal(r->low, r->high);
}

static void range_add(darc_range *r, const darc_range *a, const darc_range *b)
{
    fmpq_add(r->low, a->low, b->low);
    fmpq_add(r->high, a->high, b->high);
}

static void range_negate(darc_range *r)
{
    fmpq_swap(r->low, r->high);
    fmpq_neg(r->low, r->low);
    fmpq_neg(r->high, r->high);
}

static void range_mul(darc_range *r, const darc_range *a, const darc_range *b)
{
    darc_range m;
    fmpq_t t;
    fmpq_init(t);
    range_init(&m);
    for (int i = 0; i < 4; i++) {
        fmpq_mul(t, i % 2 == 0 ? a->low : a->high, i < 2 ? b->low : b->high);
        if (i == 0 || fmpq_cmp(t, m.low) < 0)
            fmpq_set(m.low, t);
        if (i == 0 || fmpq_cmp(t, m.high) > 0)
            fmpq_set(m.high, t);
    }
    range_set(r, &m);
    range_clear(&m);
    fmpq_clear(t);
}

/* r := a/b; b does not hold 0. */
static void range_div(darc_range *r, const darc_range *a, const darc_range *b)
{
    darc_range inverse;
    range_init(&inverse);
    fmpq_inv(inverse.low, b->high);
    fmpq_inv(inverse.high, b->low);
    range_mul(r, a, &inverse);
    range_clear(&inverse);
}

static void enclose_values(darc_range *r, const darc_dpoly_t f,
                           const darc_range *at, const darc_jet_t jet)
{
    ulong *exp = darc_calloc((size_t)jet->vars, sizeof *exp);
    darc_range term;
    range_init(&term);
    DARC_EACH(fmpq_zero, r->low, r->high);
    for (slong t = 0; t < fmpz_mpoly_length(f, jet->ctx); t++) {
        fmpq_set_fmpz_frac(term.low, (f->coeffs + t), (fmpz[]){1});
        fmpq_set(term.high, term.low);
        fmpz_mpoly_get_term_exp_ui(exp, f, t, jet->ctx);
        for (slong v = 0; v < jet->vars; v++)
            for (ulong e = 0; e < exp[v]; e++)
                range_mul(&term, &term, &at[v]);
        range_add(r, r, &term);
    }
    range_clear(&term);
    darc_free(exp);
}

/* r := sum c_i t^i, i <= degree */
static void horner(darc_range *r, const darc_range *c, slong degree,
                   const fmpq_t t)
{
    darc_range x;
    range_init(&x);
    DARC_EACH_IN(fmpq_set, t, x.low, x.high);
    range_set(r, &c[degree]);
    for (slong i = degree - 1; i >= 0; i--) {
        range_mul(r, r, &x);
        range_add(r, r, &c[i]);
    }
    range_clear(&x);
}

/* Narrow a change of sign from low to high; a simple number that is a zero is
 * taken for it. */
static void bisect(darc_range *x, const darc_range *c, slong degree)
{
    darc_range value;
    fmpq_t middle;
    fmpq_init(middle);
    range_init(&value);
    horner(&value, c, degree, x->low);
    int sign = range_sign(&value), now = 1;
    for (int i = 0; i < DARC_REALPOINT_HALVINGS && now != 0; i++) {
        fmpq_add(middle, x->low, x->high);
        fmpq_div_2exp(middle, middle, 1);
        horner(&value, c, degree, middle);
        now = range_sign(&value);
        if (now != 0)
            fmpq_set(now == sign ? x->low : x->high, middle);
    }
    fmpq_simplest_between(middle, x->low, x->high);
    horner(&value, c, degree, middle);
    if (fmpq_is_zero(value.low) && fmpq_is_zero(value.high)) {
        DARC_EACH_IN(fmpq_set, middle, x->low, x->high);
    }
    range_clear(&value);
    fmpq_clear(middle);
}

/* Place number i of those between which signs are compared: -2^k, 0, 2^k. */
static void sample_place(fmpq_t t, int i)
{
    int k = i < 0 ? -i - 1 : i - 1;
    fmpq_set_si(t, i == 0 ? 0 : i < 0 ? -1 : 1, 1);
    fmpq_mul_2exp(t, t, (flint_bitcnt_t)k);
    fmpq_div_2exp(t, t, DARC_REALPOINT_OCTAVES);
}

/* Set x to zero number `which` of the polynomial, counted round; false: there
 * is no change of sign. */
static bool enclose(darc_range *x, const darc_range *c, slong degree,
                    bool positive, int which)
{
    int found = 0, last = 2 * DARC_REALPOINT_OCTAVES + 1;
    darc_range value;
    range_init(&value);
    for (int pass = 0; pass < 2 && (pass == 0 || found > 0); pass++) {
        int goal = pass == 0 ? -1 : which % found, sign = 0;
        found = 0;
        for (int i = positive ? 1 : -last; i <= last; i++) {
            fmpq_t t;
            fmpq_init(t);
            sample_place(t, i);
            horner(&value, c, degree, t);
            int now = range_sign(&value);
            bool here = now == 0 && is_exact(&value), passed = now * sign < 0;
            if (found == goal && (here || passed)) {
                fmpq_set(x->high, t);
                sample_place(x->low, here ? i : i - 1);
            }
            found += here || passed;
            sign = now;
            fmpq_clear(t);
        }
    }
    range_clear(&value);
    if (found > 0 && !is_exact(x))
        bisect(x, c, degree);
    return found > 0;
}

/* Set x to a zero in variable v of f, the lower variables being known. */
static bool find_zero(darc_realpoint *p, const darc_dpoly_t f, slong v,
                      const darc_jet_t jet, bool positive, int which)
{
    slong degree = darc_dpoly_degree(f, v, jet);
    darc_range *c = darc_calloc((size_t)degree + 1, sizeof *c);
    darc_dpoly_t part;
    darc_dpoly_init(part, jet);
    for (slong i = 0; i <= degree; i++) {
        range_init(&c[i]);
        darc_dpoly_coeff(part, f, v, i, jet);
        enclose_values(&c[i], part, p->at, jet);
    }
    bool known = range_sign(&c[degree]) != 0;
    if (known && degree == 1) {
        range_div(&p->at[v], &c[0], &c[1]);
        range_negate(&p->at[v]);
    } else if (known) {
        known = enclose(&p->at[v], c, degree, positive, which);
    }
    for (slong i = 0; i <= degree; i++)
        range_clear(&c[i]);
    darc_dpoly_clear(part, jet);
    darc_free(c);
    return known && (!positive || range_sign(&p->at[v]) > 0);
}

bool darc_realpoint_init(darc_realpoint *p, const darc_dpolys_t equations,
                         const darc_jet_t jet, const bool *positive,
                         int attempt)
{
    p->vars = jet->vars;
    p->at = darc_calloc((size_t)jet->vars, sizeof *p->at);
    p->exact = true;
    DARC_ALL(range_init, p->at, jet->vars);
    bool found = true;
    static const int num[] = {1, 2, 3, 1, 5, 1, 7, 4};
    static const int den[] = {1, 1, 1, 2, 1, 3, 1, 1};
    for (slong v = jet->vars - 1; v >= 0 && found; v--) {
        const darc_dpoly_struct *f = NULL;
        for (slong i = 0; i < equations->count; i++)
            if (darc_dpoly_leader(equations->p + i, jet) == v)
                f = equations->p + i;
        if (f != NULL) {
            found = find_zero(p, f, v, jet, positive[v], attempt);
        } else { /* a simple value */
            int i = (attempt * (int)(2 * v + 1) + (int)v) % 8;
            bool negative =
                !positive[v] && attempt >= 8 && (attempt >> (v % 5)) % 2 == 1;
            fmpq_set_si(p->at[v].low, negative ? -num[i] : num[i],
                        (ulong)den[i]);
            fmpq_set(p->at[v].high, p->at[v].low);
        }
        p->exact &= is_exact(&p->at[v]);
    }
    if (!found)
        darc_realpoint_clear(p);
    return found;
}

void darc_realpoint_clear(darc_realpoint *p)
{
    DARC_ALL(range_clear, p->at, p->vars);
    darc_free(p->at);
    p->at = NULL;
    p->vars = 0;
}

int darc_realpoint_sign(const darc_realpoint *p, const darc_dpoly_t f,
                        const darc_jet_t jet)
{
    darc_range r;
    range_init(&r);
    enclose_values(&r, f, p->at, jet);
    int sign = range_sign(&r);
    range_clear(&r);
    return sign;
}

/* Replace the two highest rows of Routh's array, joined in c[0 .. degree] by
 * falling power, by the next; false: the polynomial is not stable, or it is not
 * known. */
static bool routh_step(darc_range *c, slong degree)
{
    darc_range ratio, t;
    int sign = range_sign(&c[degree]);
    if (sign == 0 || range_sign(&c[degree - 1]) != sign)
        return false;
    DARC_EACH(range_init, &ratio, &t);
    range_div(&ratio, &c[degree], &c[degree - 1]);
    range_negate(&ratio);
    for (slong i = degree - 2; i > 0; i -= 2) {
        range_mul(&t, &ratio, &c[i - 1]);
        range_add(&c[i], &c[i], &t);
    }
    DARC_EACH(range_clear, &ratio, &t);
    return true;
}

bool darc_realpoint_is_stable(const darc_realpoint *p, const darc_dpolys_t c,
                              const darc_jet_t jet)
{
    size_t n = (size_t)c->count;
    darc_range *r = darc_calloc(n, sizeof *r);
    for (size_t i = 0; i < n; i++) {
        range_init(&r[i]);
        enclose_values(&r[i], c->p + i, p->at, jet);
    }
    bool stable = true;
    for (slong degree = c->count - 1; degree > 0 && stable; degree--)
        stable = routh_step(r, degree);
    DARC_ALL(range_clear, r, n);
    darc_free(r);
    return stable;
}
