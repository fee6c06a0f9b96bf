/* expr_residue.c - expressions at a point that a seed draws. */
#include "algebra/finite.h"
#include "syntax/expr.h"

typedef struct {
    nmod_t mod;
    ulong seed;
    bool good; /* no divisor was 0 */
} drawing;

/* Return a number that looks random, one for a and b. */
static ulong mix(ulong a, ulong b)
{
    darc_rng rng = {a};
    rng.state = darc_rng_next(&rng) ^ b;
    return darc_rng_next(&rng);
}

static ulong residue_of(const darc_expr *e, drawing *d);

/* Return the value of what is no polynomial of its parts: one for these. */
static ulong draw(const darc_expr *e, drawing *d)
{
    ulong h = mix(d->seed, (ulong)e->kind);
    for (const char *s = e->text; s != NULL && *s != '\0'; s++)
        h = mix(h, (ulong)*s);
    h = mix(h, (ulong)e->order);
    h = mix(h, e->kind == DARC_EXPR_CALL ? (ulong)e->function : 0);
    for (int i = 0; i < e->count; i++)
        h = mix(h, residue_of(e->child[i], d));
    return h % d->mod.n;
}

static ulong inverse(ulong x, drawing *d)
{
    ulong y = 0;
    d->good = d->good && n_gcdinv(&y, x, d->mod.n) == 1;
    return y;
}

static ulong fraction(const fmpq_t q, drawing *d)
{
    ulong below = fmpz_fdiv_ui(fmpq_denref(q), d->mod.n);
    return nmod_mul(fmpz_fdiv_ui(fmpq_numref(q), d->mod.n), inverse(below, d),
                    d->mod);
}

static ulong power(const darc_expr *e, drawing *d)
{
    fmpq_t n;
    fmpq_init(n);
    bool whole = darc_expr_rational(n, e->child[1], "", NULL) == DARC_OK &&
                 fmpz_is_one(fmpq_denref(n)) && fmpz_fits_si(fmpq_numref(n));
    slong k = whole ? fmpz_get_si(fmpq_numref(n)) : 0;
    fmpq_clear(n);
    if (!whole)
        return draw(e, d);
    ulong x = residue_of(e->child[0], d);
    return nmod_pow_ui(k < 0 ? inverse(x, d) : x,
                       k < 0 ? 0 - (ulong)k : (ulong)k, d->mod);
}

static ulong residue_of(const darc_expr *e, drawing *d)
{
    bool sum = e->kind == DARC_EXPR_SUM;
    ulong x = sum ? 0 : 1;
    switch (darc_expr_get_kind(e)) {
    case DARC_EXPR_NUMBER:
        return fraction(e->value, d);
    case DARC_EXPR_SUM:
    case DARC_EXPR_PRODUCT:
        for (int i = 0; i < e->count; i++) {
            ulong y = residue_of(e->child[i], d);
            x = sum ? nmod_add(x, y, d->mod) : nmod_mul(x, y, d->mod);
        }
        return x;
    case DARC_EXPR_NEGATE:
        return nmod_neg(residue_of(e->child[0], d), d->mod);
    case DARC_EXPR_INVERT:
        return inverse(residue_of(e->child[0], d), d);
    case DARC_EXPR_POWER:
        return power(e, d);
    default:
        return draw(e, d);
    }
}

bool darc_expr_residue(ulong *x, const darc_expr *e, nmod_t mod, ulong seed)
{
    drawing d = {mod, seed, true};
    *x = residue_of(e, &d);
    return d.good;
}
