/* laws_begin.c - where functions of signals start at a point. */
#include "algebra/finite.h"
#include "eliminate/engine.h"
#include "syntax/expr.h"

/* Return a number of the field for x, at random, where seed is 0 the same at
 * all points. */
static ulong draw_for(const darc_beginning *b, ulong seed, ulong x)
{
    darc_rng rng = {b->mod.n};
    rng.state = darc_rng_next(&rng) ^ seed;
    rng.state = darc_rng_next(&rng) ^ x;
    return darc_rng_residue(&rng, b->mod);
}

/* Return the value of e at the start, modulo n. */
static ulong begin_at(darc_beginning *b, const darc_expr *e, ulong n)
{
    ulong x = 0;
    nmod_t mod;
    nmod_init(&mod, n);
    b->good = b->good && darc_expr_residue(&x, e, mod, b->seed);
    return x;
}

/* exp(a): a power of a square, of which the order has no small factors. */
ulong darc_begin_exp(darc_beginning *b, const darc_expr *a)
{
    ulong base = draw_for(b, 0, 0), power = begin_at(b, a, (b->mod.n - 1) / 2);
    return nmod_pow_ui(nmod_mul(base, base, b->mod), power, b->mod);
}

/* Let the point (c, s) of the circle be turned by another. */
static void turn(ulong *c, ulong *s, ulong by, ulong up, nmod_t mod)
{
    ulong x = nmod_sub(nmod_mul(*c, by, mod), nmod_mul(*s, up, mod), mod);
    *s = nmod_add(nmod_mul(*c, up, mod), nmod_mul(*s, by, mod), mod);
    *c = x;
}

/* Turn (c, s) so often from (1, 0) as it is turned once. */
static void turn_often(ulong *c, ulong *s, ulong n, nmod_t mod)
{
    ulong x = 1, y = 0;
    for (; n > 0; n /= 2) {
        if (n % 2 == 1)
            turn(&x, &y, *c, *s, mod);
        turn(c, s, *c, *s, mod);
    }
    *c = x;
    *s = y;
}

/* cos(a), sin(a): -1 is no square, so that the circle has p + 1 points; those
 * of an order without small factors. */
void darc_begin_circle(ulong *c, ulong *s, darc_beginning *b,
                       const darc_expr *a)
{
    ulong t = draw_for(b, 0, 1), square = nmod_mul(t, t, b->mod);
    ulong order = b->mod.n + 1, small = 1;
    ulong by = nmod_inv(nmod_add(1, square, b->mod), b->mod);
    *c = nmod_mul(nmod_sub(1, square, b->mod), by, b->mod);
    *s = nmod_mul(nmod_add(t, t, b->mod), by, b->mod);
    for (ulong q = 2; q <= DARC_LARGEST_ROOT; q++)
        for (; order % q == 0; order /= q)
            small *= q;
    turn_often(c, s, small, b->mod);
    turn_often(c, s, begin_at(b, a, order), b->mod);
    b->good = b->good && order > DARC_LAW_TURNS;
}

/* An odd function of e that nothing else binds. */
ulong darc_begin_odd(darc_beginning *b, const darc_expr *e)
{
    ulong x = begin_at(b, e, b->mod.n), y = nmod_neg(x, b->mod);
    return x < y    ? draw_for(b, b->seed, x)
           : x == 0 ? 0
                    : nmod_neg(draw_for(b, b->seed, y), b->mod);
}

/* Return the sum of the logarithms of the prime factors of n != 0; a number of
 * more than a word counts as prime. */
static ulong log_number(const darc_beginning *b, const fmpz_t n)
{
    ulong sum = 0;
    n_factor_t f;
    if (!fmpz_abs_fits_ui(n))
        return draw_for(b, 0, fmpz_fdiv_ui(n, b->mod.n));
    n_factor_init(&f);
    n_factor(&f, fmpz_get_ui(n), 1);
    for (int i = 0; i < f.num; i++)
        sum = nmod_add(sum,
                       nmod_mul(draw_for(b, 0, f.p[i] % b->mod.n),
                                (ulong)f.exp[i], b->mod),
                       b->mod);
    return sum;
}

ulong darc_begin_log(darc_beginning *b, const darc_expr *e)
{
    ulong x = 0;
    fmpq_t q;
    fmpq_init(q);
    if (darc_expr_rational(q, e, "", NULL) == DARC_OK) {
        x = fmpq_is_zero(q) ? 0
                            : nmod_sub(log_number(b, fmpq_numref(q)),
                                       log_number(b, fmpq_denref(q)), b->mod);
    } else if (e->kind == DARC_EXPR_PRODUCT) {
        for (int i = 0; i < e->count; i++)
            x = nmod_add(x, darc_begin_log(b, e->child[i]), b->mod);
    } else if (e->kind == DARC_EXPR_NEGATE) {
        x = darc_begin_log(b, e->child[0]);
    } else if (e->kind == DARC_EXPR_INVERT) {
        x = nmod_neg(darc_begin_log(b, e->child[0]), b->mod);
    } else if (e->kind == DARC_EXPR_POWER &&
               darc_expr_rational(q, e->child[1], "", NULL) == DARC_OK) {
        x = nmod_mul(darc_begin_log(b, e->child[0]),
                     begin_at(b, e->child[1], b->mod.n), b->mod);
    } else {
        x = draw_for(b, b->seed, begin_at(b, e, b->mod.n));
    }
    fmpq_clear(q);
    return x;
}
