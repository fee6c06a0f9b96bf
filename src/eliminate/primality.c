#include "eliminate/engine.h"

#include "algebra/factors.h"
#include "algebra/pdiv.h"
#include "base/mem.h"
#include "eliminate/thresholds.h"
#include "projection/ioeq.h"

#include <math.h>

/* ---- seeing that a set is prime ----------------------------------------- */

/* A line through the space of all variables but the leaders, over F_p: ring
 * variables are t, w, and z_k for the leader of equation k. */
typedef struct {
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_ctx_t from; /* of the variables of the jet */
    slong vars;            /* of the jet */
    nmod_mpoly_struct *at; /* at[v]: variable v on the line; owned */
} line;

enum { T, W, Z };

/* Set r to the polynomial whose roots w are the values of a random
 * combination of the leaders; return whether it could be computed. */
static bool characteristic(nmod_mpoly_t r, const darc_ioeqs_t e, const line *l,
                           flint_rand_t rand)
{
    bool ok = true;
    nmod_mpoly_t f, z;
    darc_mpoly_inits(l->ctx, f, z, NULL);
    nmod_mpoly_gen(r, W, l->ctx);
    for (int k = 0; k < e->count; k++) {
        nmod_mpoly_gen(z, Z + k, l->ctx);
        nmod_mpoly_scalar_mul_ui(
            z, z, 1 + n_randint(rand, nmod_mpoly_ctx_modulus(l->ctx) - 1),
            l->ctx);
        nmod_mpoly_add(r, r, z, l->ctx);
    }
    for (int k = e->count - 1; k >= 0 && ok; k--) {
        /* Set f to q on the line. */
        nmod_mpoly_t image;
        nmod_mpoly_init(image, l->from);
        darc_finite_image(image, l->from, NULL, NULL, e->eq[k].poly,
                          e->jet->ctx);
        nmod_mpoly_struct **at = darc_calloc((size_t)l->vars, sizeof *at);
        for (slong v = 0; v < l->vars; v++)
            at[v] = l->at + v;
        nmod_mpoly_compose_nmod_mpoly(f, image, at, l->from, l->ctx);
        nmod_mpoly_clear(image, l->from);
        darc_free(at);
        ok = nmod_mpoly_resultant(r, r, f, Z + k, l->ctx);
    }
    darc_mpoly_clears(l->ctx, f, z, NULL);
    return ok;
}

/* Set *prime to whether a random line shows that e is prime. */
static darc_status test_prime(bool *prime, const darc_ioeqs_t e,
                              flint_rand_t rand, const darc_budget *budget,
                              darc_err *err)
{
    *prime = false;
    for (int i = 0; i < DARC_PRIMALITY_LINES && !*prime; i++) {
        DARC_NEED(darc_budget_check(budget, err));
        line l;
        nmod_mpoly_t r;
        ulong p = darc_finite_prime(i);
        l.vars = e->jet->vars;
        nmod_mpoly_ctx_init(l.ctx, Z + e->count, ORD_LEX, p);
        nmod_mpoly_ctx_init(l.from, l.vars, ORD_LEX, p);
        l.at = darc_calloc((size_t)l.vars, sizeof *l.at);
        for (slong v = 0; v < l.vars; v++) {
            nmod_mpoly_init(l.at + v, l.ctx);
            nmod_mpoly_gen(l.at + v, T, l.ctx);
            nmod_mpoly_scalar_mul_ui(l.at + v, l.at + v,
                                     1 + n_randint(rand, p - 1), l.ctx);
            nmod_mpoly_add_ui(l.at + v, l.at + v, n_randint(rand, p), l.ctx);
        }
        for (int k = 0; k < e->count; k++)
            nmod_mpoly_gen(l.at + darc_jet_var(e->jet, e->eq[k].leader), Z + k,
                           l.ctx);
        nmod_mpoly_init(r, l.ctx);
        *prime =
            characteristic(r, e, &l, rand) && darc_is_one_factor(r, W, l.ctx);
        nmod_mpoly_clear(r, l.ctx);
        DARC_ALL_IN(nmod_mpoly_clear, l.ctx, l.at, l.vars);
        darc_free(l.at);
        DARC_EACH(nmod_mpoly_ctx_clear, l.from, l.ctx);
    }
    return DARC_OK;
}

/* ---- the relation between two leaders ----------------------------------- */

typedef struct {
    darc_ioeqs_struct *e;
    const ulong *at; /* values of the variables at a point, modulo mod.n */
    nmod_t mod;
    const darc_budget *budget;
} line_search;

/* Set q to p with z + sign*y for z. */
static void shift(darc_dpoly_t q, const darc_dpoly_t p, slong z, slong y,
                  int sign, const darc_jet_t jet)
{
    fmpz_mpoly_struct *value = darc_calloc((size_t)jet->vars, sizeof *value);
    fmpz_mpoly_struct **at = darc_calloc((size_t)jet->vars, sizeof *at);
    for (slong v = 0; v < jet->vars; v++) {
        at[v] = value + v;
        fmpz_mpoly_init(value + v, jet->ctx);
        fmpz_mpoly_gen(value + v, v, jet->ctx);
    }
    if (sign > 0)
        fmpz_mpoly_add(value + z, value + z, value + y, jet->ctx);
    else
        fmpz_mpoly_sub(value + z, value + z, value + y, jet->ctx);
    fmpz_mpoly_compose_fmpz_mpoly(q, p, at, jet->ctx, jet->ctx);
    DARC_ALL_IN(fmpz_mpoly_clear, jet->ctx, value, jet->vars);
    DARC_FREE(value, at);
}

/* Set p to its irreducible factor that vanishes at the point when z is set
 * to z + shifted*y there; to anything, and false, when there is none. */
static bool select(darc_dpoly_t p, slong z, slong y, bool shifted,
                   const line_search *w)
{
    bool found = false;
    const darc_jet_struct *jet = w->e->jet;
    darc_dpolys_t f;
    darc_dpolys_init(f);
    if (!fmpz_mpoly_is_zero(p, jet->ctx))
        darc_factors(f, p, jet);
    for (slong i = 0; i < f->count && !found; i++) {
        if (shifted)
            shift(p, f->p + i, z, y, 1, jet);
        else
            fmpz_mpoly_swap(p, f->p + i, jet->ctx);
        found = darc_finite_eval(p, w->at, w->mod, jet->ctx) == 0;
    }
    if (found)
        darc_dpoly_primitive(p, p, jet);
    darc_dpolys_clear(f, jet);
    return found;
}

/* Set p to its remainder by the polynomial of eq in its leader. */
static darc_status reduce_equation(darc_dpoly_t p, const darc_ioeq *eq,
                                   const line_search *w, darc_err *err)
{
    const darc_jet_struct *jet = w->e->jet;
    darc_pdiv_t d;
    darc_pdiv_init(d, false, jet, w->budget);
    darc_status status =
        darc_pdiv(d, p, eq->poly, darc_jet_var(jet, eq->leader), err);
    fmpz_mpoly_swap(p, d->r, jet->ctx);
    darc_pdiv_clear(d);
    return status;
}

/* Set p to a relation between the leaders of equations j < i that has a lower
 * degree than equation i in its leader, 0 where none is found. */
static darc_status relate(darc_dpoly_t p, int i, int j, const line_search *w,
                          darc_err *err)
{
    const darc_jet_struct *jet = w->e->jet;
    const darc_ioeq *a = w->e->eq + i, *b = w->e->eq + j;
    slong z = darc_jet_var(jet, a->leader), y = darc_jet_var(jet, b->leader);
    darc_status status;
    DARC_TRY(darc_budget_check(w->budget, err));
    /* The polynomial of z + y: its factors tell what z and y share. */
    shift(p, a->poly, z, y, -1, jet);
    if (!fmpz_mpoly_resultant(p, p, b->poly, y, jet->ctx) ||
        !select(p, z, y, true, w)) {
        fmpz_mpoly_zero(p, jet->ctx);
        goto done;
    }
    DARC_TRY(reduce_equation(p, a, w, err));
    DARC_TRY(reduce_equation(p, b, w, err));
    if (fmpz_mpoly_is_zero(p, jet->ctx) || !select(p, z, y, false, w) ||
        darc_dpoly_degree(p, z, jet) < 1)
        fmpz_mpoly_zero(p, jet->ctx);
done:
    return status;
}

/* Try all pairs; *changed tells whether an equation was replaced. */
static darc_status relate_pairs(bool *changed, const line_search *w,
                                darc_err *err)
{
    darc_status status = DARC_OK;
    darc_ioeqs_struct *e = w->e;
    darc_dpoly_t p;
    darc_dpoly_init(p, e->jet);
    *changed = false;
    for (int i = 1; i < e->count; i++)
        for (int j = 0; j < i; j++) {
            const darc_ioeq *a = e->eq + i, *b = e->eq + j;
            slong z = darc_jet_var(e->jet, a->leader);
            slong y = darc_jet_var(e->jet, b->leader);
            double m = (double)darc_dpoly_degree(a->poly, z, e->jet);
            double n = (double)darc_dpoly_degree(b->poly, y, e->jet);
            double terms = (double)a->poly->length * (double)b->poly->length;
            if (m < 2 || n < 2 ||
                terms * pow(m * n / 4, 2) >= DARC_PRIMALITY_WORK)
                continue; /* no relation, or hard to find */
            DARC_TRY(relate(p, i, j, w, err));
            if (fmpz_mpoly_is_zero(p, e->jet->ctx))
                continue;
            /* Give equation i the polynomial p. */
            darc_ioeq *eq = e->eq + i;
            DARC_EACH_IN(darc_dpolys_clear, e->jet, eq->coeff, eq->part);
            darc_dpoly_primitive(eq->poly, p, e->jet);
            darc_ioeq_group(eq, e->jet);
            *changed = true;
        }
done:
    darc_dpoly_clear(p, e->jet);
    return status;
}

/* Return the product of the degrees in the leaders, 1 when at most one of
 * them is above 1: then nothing is to be looked into. */
static double degree(const darc_ioeqs_t e)
{
    double product = 1;
    int above = 0;
    for (int i = 0; i < e->count; i++) {
        slong d = darc_dpoly_degree(
            e->eq[i].poly, darc_jet_var(e->jet, e->eq[i].leader), e->jet);
        product *= (double)d;
        above += d > 1;
    }
    return above > 1 ? product : 1;
}

darc_status darc_ioeqs_make_prime(darc_ioeqs_t e, const ulong *at, nmod_t mod,
                                  const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    const line_search w = {e, at, mod, budget};
    flint_rand_t rand;
    flint_randinit(rand);
    bool prime = false, changed = true;
    while (degree(e) > 1 && degree(e) <= DARC_MAX_PRIME_DEGREE && changed) {
        DARC_TRY(test_prime(&prime, e, rand, budget, err));
        e->linked = !prime;
        changed = false;
        if (!prime)
            DARC_TRY(relate_pairs(&changed, &w, err));
        e->linked = !prime && !(changed && degree(e) == 1);
    }
done:
    flint_randclear(rand);
    return status;
}
