#include "eliminate/engine.h"

#include "algebra/factors.h"
#include "algebra/pdiv.h"
#include "base/mem.h"
#include "eliminate/thresholds.h"
#include "projection/ioeq.h"

#include <math.h>

/* ---- seeing that a set is prime ----------------------------------------- */

/* A line through the space of all variables but the leaders, over F_p, and the
 * polynomial there whose roots w are the values of a random combination of the
 * leaders: ring variables are t, w, and z_k for the leader of equation k. */
typedef struct {
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_ctx_t from; /* of the variables of the jet */
    slong vars;            /* of the jet */
    nmod_mpoly_struct *at; /* at[v]: variable v on the line; owned */
    nmod_mpoly_t r;        /* the polynomial */
    bool known;            /* it could be computed */
} line;

/* What is not the same all along the line: on a point nothing is. */
typedef enum { POINT, SIGNALS, ALL } moving;

enum { T, W, Z };

/* Set l->r; return whether it could be computed. */
static bool characteristic(line *l, const darc_ioeqs_t e, flint_rand_t rand)
{
    bool ok = true;
    nmod_mpoly_t f, z;
    darc_mpoly_inits(l->ctx, f, z, NULL);
    nmod_mpoly_gen(l->r, W, l->ctx);
    for (int k = 0; k < e->count; k++) {
        nmod_mpoly_gen(z, Z + k, l->ctx);
        nmod_mpoly_scalar_mul_ui(
            z, z, 1 + n_randint(rand, nmod_mpoly_ctx_modulus(l->ctx) - 1),
            l->ctx);
        nmod_mpoly_add(l->r, l->r, z, l->ctx);
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
        ok = nmod_mpoly_resultant(l->r, l->r, f, Z + k, l->ctx);
    }
    darc_mpoly_clears(l->ctx, f, z, NULL);
    return ok;
}

/* Draw the line modulo prime i. */
static void line_init(line *l, const darc_ioeqs_t e, moving what, int i,
                      flint_rand_t rand)
{
    const darc_jet_struct *jet = e->jet;
    ulong p = darc_finite_prime(i);
    l->vars = jet->vars;
    nmod_mpoly_ctx_init(l->ctx, Z + e->count, ORD_LEX, p);
    nmod_mpoly_ctx_init(l->from, l->vars, ORD_LEX, p);
    l->at = darc_calloc((size_t)l->vars, sizeof *l->at);
    for (slong v = 0; v < l->vars; v++) {
        bool stays =
            what == POINT || (what == SIGNALS &&
                              darc_jet_is_constant(jet, jet->deriv[v].unknown));
        nmod_mpoly_init(l->at + v, l->ctx);
        nmod_mpoly_gen(l->at + v, T, l->ctx);
        nmod_mpoly_scalar_mul_ui(l->at + v, l->at + v,
                                 stays ? 0 : 1 + n_randint(rand, p - 1),
                                 l->ctx);
        nmod_mpoly_add_ui(l->at + v, l->at + v, n_randint(rand, p), l->ctx);
    }
    for (int k = 0; k < e->count; k++)
        nmod_mpoly_gen(l->at + darc_jet_var(jet, e->eq[k].leader), Z + k,
                       l->ctx);
    nmod_mpoly_init(l->r, l->ctx);
    l->known = characteristic(l, e, rand);
}

static void line_clear(line *l)
{
    nmod_mpoly_clear(l->r, l->ctx);
    DARC_ALL_IN(nmod_mpoly_clear, l->ctx, l->at, l->vars);
    darc_free(l->at);
    DARC_EACH(nmod_mpoly_ctx_clear, l->from, l->ctx);
}

/* What points say of a polynomial of degree n: possible[d]: its factors may
 * have a product of degree d, as those at every point have. */
typedef struct {
    slong n, points;
    double roots, squares; /* of them at a point: sums */
    bool *possible;        /* n + 1; owned */
} pattern;

/* Set r to the polynomial at t, monic; return whether it is of degree n without
 * a double root. */
static bool read_point(nmod_poly_t r, slong n, const line *l, ulong t)
{
    ulong *exp = darc_calloc((size_t)nmod_mpoly_ctx_nvars(l->ctx), sizeof *exp);
    for (slong i = 0; l->known && i < l->r->length; i++) {
        nmod_mpoly_get_term_exp_ui(exp, l->r, i, l->ctx);
        ulong c = nmod_mul(nmod_mpoly_get_term_coeff_ui(l->r, i, l->ctx),
                           nmod_pow_ui(t, exp[T], r->mod), r->mod);
        nmod_poly_set_coeff_ui(
            r, (slong)exp[W],
            nmod_add(nmod_poly_get_coeff_ui(r, (slong)exp[W]), c, r->mod));
    }
    darc_free(exp);
    if (nmod_poly_degree(r) != n || !nmod_poly_is_squarefree(r))
        return false;
    nmod_poly_make_monic(r, r);
    return true;
}

/* Take in the degrees of the factors at t. */
static void take_point(pattern *f, const line *l, ulong t)
{
    nmod_poly_t r;
    nmod_poly_factor_t all;
    nmod_poly_init(r, nmod_mpoly_ctx_modulus(l->ctx));
    nmod_poly_factor_init(all);
    slong *degree = darc_calloc((size_t)f->n + 1, sizeof *degree);
    bool *sum = darc_calloc((size_t)f->n + 1, sizeof *sum);
    bool good = read_point(r, f->n, l, t);
    double roots = 0;
    sum[0] = true;
    if (good)
        nmod_poly_factor_distinct_deg(all, r, &degree);
    for (slong i = 0; i < all->num; i++)
        for (slong d = degree[i], left = nmod_poly_degree(all->p + i); left > 0;
             left -= d) {
            roots += d == 1;
            for (slong k = f->n; k >= d; k--)
                sum[k] = sum[k] || sum[k - d];
        }
    f->points += good;
    f->roots += roots;
    f->squares += roots * roots;
    for (slong k = 0; good && k <= f->n; k++)
        f->possible[k] = f->possible[k] && sum[k];
    DARC_FREE(sum, degree);
    nmod_poly_factor_clear(all);
    nmod_poly_clear(r);
}

static void pattern_init(pattern *f, slong n)
{
    *f = (pattern){.n = n, .possible = darc_malloc((size_t)n + 1)};
    DARC_FILL(f->possible, n + 1, true);
}

/* Return whether such a line, modulo prime i, has one factor; with `closed`,
 * over all extensions: then it has a simple root somewhere, where factors that
 * are conjugate would meet. */
static bool is_one_on_line(slong n, bool closed, const darc_ioeqs_t e, int i,
                           flint_rand_t rand)
{
    line l;
    pattern f;
    pattern_init(&f, n);
    line_init(&l, e, closed ? SIGNALS : ALL, i, rand);
    bool one = l.known && darc_is_one_factor(l.r, W, l.ctx);
    for (ulong t = 1; t < DARC_PRIMALITY_MOST && one && closed && f.roots == 0;
         t++)
        take_point(&f, &l, t);
    line_clear(&l);
    darc_free(f.possible);
    return one && (!closed || f.roots > 0);
}

/* Return whether there are more roots than an irreducible polynomial has, one
 * at a point on the average. */
static bool has_many_roots(const pattern *f)
{
    double n = (double)f->points, mean = f->roots / n;
    double error = sqrt((f->squares / n - mean * mean) / n);
    return n >= DARC_PRIMALITY_POINTS &&
           mean - 1 > DARC_PRIMALITY_SIGMAS * error;
}

/* Return whether points show that e, of degrees with the product n, is prime;
 * *apart: they show that it is not. */
static bool is_prime_at_points(bool *apart, slong n, const darc_ioeqs_t e,
                               flint_rand_t rand)
{
    bool whole = *apart = false;
    pattern f;
    pattern_init(&f, n);
    for (int i = 0; i < DARC_PRIMALITY_MOST && !whole && !*apart; i++) {
        line l;
        line_init(&l, e, POINT, i, rand);
        take_point(&f, &l, 0);
        line_clear(&l);
        whole = f.points > 0;
        for (slong k = 1; k < n; k++)
            whole = whole && !f.possible[k];
        *apart = has_many_roots(&f);
    }
    darc_free(f.possible);
    return whole;
}

/* Set *prime to whether points, or a random line, show that e is prime. */
static darc_status test_prime(bool *prime, slong n, const darc_ioeqs_t e,
                              flint_rand_t rand, const darc_budget *budget,
                              darc_err *err)
{
    bool apart;
    *prime = is_prime_at_points(&apart, n, e, rand);
    for (int i = 0; i < DARC_PRIMALITY_LINES && !*prime && !apart; i++) {
        DARC_NEED(darc_budget_check(budget, err));
        *prime = is_one_on_line(n, false, e, i, rand);
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

/* Return the product of the degrees in the leaders, 1 when at most `most` of
 * them are above 1: then nothing is to be looked into. */
static double degree(const darc_ioeqs_t e, int most)
{
    double product = 1;
    int above = 0;
    for (int i = 0; i < e->count; i++) {
        slong d = darc_dpoly_degree(
            e->eq[i].poly, darc_jet_var(e->jet, e->eq[i].leader), e->jet);
        product *= (double)d;
        above += d > 1;
    }
    return above > most ? product : 1;
}

darc_status darc_ioeqs_make_prime(darc_ioeqs_t e, const ulong *at, nmod_t mod,
                                  const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    const line_search w = {e, at, mod, budget};
    flint_rand_t rand;
    flint_randinit(rand);
    bool prime = false, changed = true, known = e->linked;
    while (degree(e, 1) > 1 && degree(e, 1) <= DARC_MAX_PRIME_DEGREE &&
           changed) {
        if (!known)
            DARC_TRY(
                test_prime(&prime, (slong)degree(e, 1), e, rand, budget, err));
        known = false;
        e->linked = !prime;
        changed = false;
        if (!prime)
            DARC_TRY(relate_pairs(&changed, &w, err));
        e->linked = !prime && !(changed && degree(e, 1) == 1);
    }
done:
    flint_randclear(rand);
    return status;
}

/* Return whether the leader of another equation stands before that of i. */
static bool has_leader_before(const darc_ioeqs_t e, int i)
{
    bool has = false;
    darc_dpoly_t c;
    slong v = darc_jet_var(e->jet, e->eq[i].leader);
    darc_dpoly_init(c, e->jet);
    darc_dpoly_coeff(c, e->eq[i].poly, v,
                     darc_dpoly_degree(e->eq[i].poly, v, e->jet), e->jet);
    for (int k = 0; k < e->count; k++)
        has = has || darc_dpoly_degree(c, darc_jet_var(e->jet, e->eq[k].leader),
                                       e->jet) > 0;
    darc_dpoly_clear(c, e->jet);
    return has;
}

bool darc_ioeqs_are_loose(const darc_ioeqs_t e)
{
    double n = degree(e, 0);
    bool loose = false;
    for (int i = 0; i < e->count; i++)
        loose = loose || has_leader_before(e, i);
    if (loose || n < 2 || n > DARC_MAX_PRIME_DEGREE || e->linked)
        return loose;
    flint_rand_t rand;
    flint_randinit(rand);
    loose = true;
    for (int i = 0; i < DARC_PRIMALITY_LINES && loose; i++)
        loose = !is_one_on_line((slong)n, true, e, i, rand);
    flint_randclear(rand);
    return loose;
}
