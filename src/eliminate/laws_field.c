/* laws_field.c - prime fields in which derived signals have points. */
#include "base/mem.h"
#include "eliminate/engine.h"
#include "syntax/expr.h"

/* Let *x, known modulo *m, be r modulo the prime q, too. */
static void join_residue(ulong *x, ulong *m, ulong r, ulong q)
{
    ulong step = n_mulmod2(n_submod(r, *x % q, q), n_invmod(*m % q, q), q);
    *x += *m * step;
    *m *= q;
}

/* Return a random residue r != 1 of p modulo the odd prime q for which q is a
 * square modulo p, p = 3 modulo 4: by reciprocity (p/q) is 1 where q = 1 modulo
 * 4, else -1. */
static ulong draw_residue(ulong q, darc_rng *rng)
{
    for (;;) {
        ulong r = 2 + darc_rng_next(rng) % (q - 2);
        if (n_jacobi_unsigned(r, q) == (q % 4 == 1 ? 1 : -1))
            return r;
    }
}

ulong darc_laws_prime(darc_rng *rng)
{
    for (;;) {
        ulong x = 7, m = 8; /* 2 is a square, and -1 none */
        for (ulong q = 3; q <= DARC_SQUARE_PRIMES; q += 2)
            if (n_is_prime(q))
                join_residue(&x, &m, draw_residue(q, rng), q);
        ulong most = (UWORD(1) << 59) / m;
        ulong p = x + m * (most + darc_rng_next(rng) % most);
        bool good = n_is_prime(p);
        for (ulong q = 3; q <= DARC_LARGEST_ROOT && good; q += 2)
            good = p % q != 1;
        if (good)
            return p;
    }
}

/* Return whether the prime factors of all numbers in e are squares. */
static bool numbers_are_squares(const darc_expr *e, ulong p)
{
    bool all = true;
    for (int k = 0; k < 2 && (e->kind == DARC_EXPR_NUMBER || e->constant);
         k++) {
        const fmpz *n = k ? fmpq_denref(e->value) : fmpq_numref(e->value);
        n_factor_t f;
        n_factor_init(&f);
        if (!fmpz_is_zero(n) && fmpz_abs_fits_ui(n))
            n_factor(&f, fmpz_get_ui(n), 1); /* of the size */
        for (int i = 0; i < f.num; i++)
            all = all && n_jacobi_unsigned(f.p[i] % p, p) == 1;
    }
    for (int i = 0; i < e->count && all; i++)
        all = numbers_are_squares(e->child[i], p);
    return all;
}

darc_status darc_laws_point(ulong *value, const darc_model *model,
                            const darc_jet_t jet, nmod_t mod, darc_rng *rng,
                            darc_err *err)
{
    for (int k = 0; k < DARC_LAW_DRAWS; k++)
        if (darc_laws_values(value, model, jet, mod, rng))
            return DARC_OK;
    return darc_fail(err, DARC_MODEL,
                     "no point was found where the derived signals of model "
                     "'%s' have a value: look for a divisor that is always 0",
                     darc_model_name(model));
}

darc_status darc_laws_field(nmod_t *mod, const darc_model *model,
                            const darc_jet_t jet, darc_rng *rng, darc_err *err)
{
    darc_status status = DARC_MODEL;
    darc_err why = {DARC_OK, ""};
    ulong *value = darc_calloc((size_t)jet->vars + 1, sizeof *value);
    for (int i = 0; i < DARC_LAW_PRIMES && status != DARC_OK; i++) {
        nmod_init(mod, darc_laws_prime(rng));
        bool good = true;
        for (int u = 0; u < darc_model_names(model)->count && good; u++) {
            const darc_expr *e = darc_derived_expr(model, u);
            good = e == NULL || numbers_are_squares(e, mod->n);
        }
        if (good)
            status = darc_laws_point(value, model, jet, *mod, rng, &why);
    }
    darc_free(value);
    return status == DARC_OK || why.message[0] != '\0'
               ? darc_fail_as(err, status, &why)
               : darc_fail(err, DARC_LIMIT,
                           "no prime was found modulo which the numbers in "
                           "derived signals of model '%s' are squares",
                           darc_model_name(model));
}
