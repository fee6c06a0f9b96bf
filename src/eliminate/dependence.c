#include "eliminate/engine.h"

#include "base/mem.h"
#include "eliminate/thresholds.h"
#include "modular/reconstruct.h"
#include "projection/ioeq.h"

/* The monomials of one equation, cheap ones first, and what binds them. */
typedef struct {
    const darc_model *model;
    const darc_jet_struct *jet;
    const darc_budget *budget;
    darc_rng rng;
    slong n;
    const fmpz_mpoly_struct **monomial; /* in order of cost; owned */
    slong *place;                       /* of these among those given; owned */
    slong *weight;                      /* cost of those given; owned */
    slong bound;                        /* number of dependences */
    slong *which;    /* the monomial that dependence k expresses; owned */
    darc_residues r; /* of dependence k: entries k * n ... */
    fmpz *c;         /* the dependences, n x n, one a row, in integers without
                        a common factor; owned */
} dependences;

/* Set kernel, n x n, to a basis of what vanishes at random points modulo p, one
 * a column, each 1 at a monomial that the others leave free, and set
 * *dimension. */
static darc_status find_kernel(nmod_mat_t kernel, slong *dimension,
                               dependences *d, darc_err *err)
{
    darc_status status = DARC_OK;
    nmod_mat_t a;
    ulong *value = darc_calloc((size_t)d->jet->vars + 1, sizeof *value);
    nmod_mat_init(a, d->n + DARC_DEPENDENCE_SPARE, d->n, kernel->mod.n);
    for (slong i = 0; i < a->r; i++) {
        DARC_TRY(darc_budget_check(d->budget, err));
        DARC_TRY(
            darc_laws_point(value, d->model, d->jet, a->mod, &d->rng, err));
        for (slong j = 0; j < d->n; j++)
            nmod_mat_entry(a, i, j) =
                darc_finite_eval(d->monomial[j], value, a->mod, d->jet->ctx);
    }
    *dimension = nmod_mat_nullspace(kernel, a);
done:
    nmod_mat_clear(a);
    darc_free(value);
    return status;
}

/* Return the monomial that dependence k expresses: its last one, 1 there. */
static slong last_of(const nmod_mat_t kernel, slong k)
{
    slong j = kernel->r - 1;
    while (j > 0 && nmod_mat_entry(kernel, j, k) == 0)
        j--;
    return j;
}

/* Take in the kernel modulo one more prime. */
static void take_in(dependences *d, const nmod_mat_t kernel, slong dimension)
{
    bool first = fmpz_is_one(d->r.modulus);
    bool agrees = !first && dimension == d->bound;
    for (slong k = 0; k < dimension && agrees; k++)
        agrees = d->which[k] == last_of(kernel, k);
    if (!first && !agrees && dimension >= d->bound)
        return; /* a bad prime has more of them */
    if (!agrees) {
        darc_residues_clear(&d->r);
        darc_residues_init(&d->r, d->n * dimension);
        d->bound = dimension;
    }
    ulong *image = darc_calloc((size_t)(d->n * dimension), sizeof *image);
    for (slong k = 0; k < dimension; k++) {
        d->which[k] = last_of(kernel, k);
        for (slong j = 0; j < d->n; j++)
            image[k * d->n + j] = nmod_mat_entry(kernel, j, k);
    }
    darc_residues_add(&d->r, image, kernel->mod.n);
    darc_free(image);
}

/* Set d->c; return whether residues gave it and what holds modulo the prime of
 * the kernel, another one, agrees. */
static bool reconstruct(const dependences *d, const nmod_mat_t kernel,
                        slong dimension)
{
    bool ok = dimension == d->bound && !fmpz_is_one(d->r.modulus);
    for (slong k = 0; k < d->bound && ok; k++) {
        fmpz *c = d->c + k * d->n;
        nmod_t mod = kernel->mod;
        ok = darc_reconstruct(c, d->r.residue + k * d->n, d->n, d->r.modulus,
                              DARC_ANY_HEIGHT);
        ulong last = ok ? fmpz_fdiv_ui(c + d->which[k], mod.n) : 0;
        for (slong j = 0; j < d->n && ok; j++)
            ok = fmpz_fdiv_ui(c + j, mod.n) ==
                 nmod_mul(last, nmod_mat_entry(kernel, j, k), mod);
    }
    return ok;
}

/* Find the dependences of the monomials. */
static darc_status find_dependences(dependences *d, darc_err *err)
{
    darc_status status = DARC_OK;
    bool found = false;
    for (int i = 0; i < DARC_DEPENDENCE_PRIMES && !found && status == DARC_OK;
         i++) {
        nmod_mat_t kernel;
        nmod_t mod;
        slong dimension = 0;
        DARC_NEED(darc_laws_field(&mod, d->model, d->jet, &d->rng, err));
        nmod_mat_init(kernel, d->n, d->n, mod.n);
        status = find_kernel(kernel, &dimension, d, err);
        if (status == DARC_OK && dimension == 0) {
            d->bound = 0;
            found = true;
        } else if (status == DARC_OK) {
            found = reconstruct(d, kernel, dimension);
            if (!found)
                take_in(d, kernel, dimension);
        }
        nmod_mat_clear(kernel);
    }
    if (status == DARC_OK && !found)
        status =
            darc_fail(err, DARC_LIMIT,
                      "the dependences among the monomials of model '%s' "
                      "have coefficients of more than %d bits",
                      darc_model_name(d->model), 30 * DARC_DEPENDENCE_PRIMES);
    return status;
}

/* Find the dependences of the monomials with the model, frame and budget of
 * d. */
static darc_status dependences_init(dependences *d,
                                    const darc_dpolys_t monomial, darc_err *err)
{
    size_t n = (size_t)monomial->count;
    d->rng = (darc_rng){n};
    d->n = monomial->count;
    if (d->n > DARC_DEPENDENCE_MONOMIALS)
        return darc_fail(err, DARC_LIMIT,
                         "model '%s' has derived signals and an io-equation "
                         "of %ld monomials, more than %d: whether they depend "
                         "on each other is not known",
                         darc_model_name(d->model), (long)d->n,
                         DARC_DEPENDENCE_MONOMIALS);
    DARC_CALLOC(n + 1, d->monomial, d->place, d->weight, d->which);
    darc_residues_init(&d->r, 0);
    d->c = _fmpz_vec_init(d->n * d->n);
    /* Stable: insertion among those that cost as much, or less. */
    ulong *exp = darc_calloc((size_t)d->jet->vars, sizeof *exp);
    for (slong k = 0; k < d->n; k++) {
        /* Total degree first, then the derivations: what is estimated best. */
        slong degree = 0, order = 0;
        fmpz_mpoly_get_term_exp_ui(exp, (monomial->p + k), 0, d->jet->ctx);
        for (slong v = 0; v < d->jet->vars; v++) {
            degree += (slong)exp[v];
            order += (slong)exp[v] * d->jet->deriv[v].order;
        }
        d->weight[k] = degree * DARC_DEGREE_COST + order;
        slong i = k;
        for (; i > 0 && d->weight[d->place[i - 1]] > d->weight[k]; i--)
            d->place[i] = d->place[i - 1];
        d->place[i] = k;
    }
    for (slong i = 0; i < d->n; i++)
        d->monomial[i] = monomial->p + d->place[i];
    darc_free(exp);
    return find_dependences(d, err);
}

static void dependences_clear(dependences *d)
{
    if (d->place == NULL)
        return;
    _fmpz_vec_clear(d->c, d->n * d->n);
    darc_residues_clear(&d->r);
    DARC_FREE(d->monomial, d->place, d->weight, d->which);
}

/* Set p to the equation poly in independent monomials; *changed: it is
 * another. */
static darc_status reduce_monomials(darc_dpoly_t p, bool *changed,
                                    dependences d, const darc_dpoly_t poly,
                                    darc_err *err)
{
    fmpz_t scale;
    darc_monomials g;
    darc_monomials_init(&g, poly, d.jet);
    fmpz_init_set_ui(scale, 1);
    fmpz_mpoly_set(p, poly, d.jet->ctx);
    darc_status status = dependences_init(&d, g.monomial, err);
    for (slong k = 0; k < d.bound && status == DARC_OK; k++) {
        /* p = m*p - scale*(coefficient of the monomial expressed)*law, m its
         * factor in the law, of dependence k; scale, the factor of p before,
         * becomes m*scale. */
        const darc_jet_struct *jet = d.jet;
        const fmpz *row = d.c + k * d.n;
        darc_dpoly_t law, term;
        darc_dpoly_inits(jet->ctx, law, term, NULL);
        for (slong j = 0; j < d.n; j++) {
            fmpz_mpoly_scalar_mul_fmpz(term, d.monomial[j], row + j, jet->ctx);
            fmpz_mpoly_add(law, law, term, jet->ctx);
        }
        fmpz_mpoly_mul(law, law, g.coeff->p + d.place[d.which[k]], jet->ctx);
        fmpz_mpoly_scalar_mul_fmpz(law, law, scale, jet->ctx);
        fmpz_mpoly_scalar_mul_fmpz(p, p, row + d.which[k], jet->ctx);
        fmpz_mpoly_sub(p, p, law, jet->ctx);
        fmpz_mul(scale, scale, row + d.which[k]);
        darc_dpoly_clears(jet->ctx, law, term, NULL);
        *changed = true;
    }
    dependences_clear(&d);
    darc_monomials_clear(&g, d.jet);
    fmpz_clear(scale);
    return status;
}

static darc_status check_support(dependences d, const darc_ioeq *eq,
                                 darc_err *err)
{
    darc_status status = dependences_init(&d, eq->part, err);
    if (status == DARC_OK && d.bound > 0)
        status = darc_fail(
            err, DARC_LIMIT,
            "of the %ld monomials of an io-equation of model '%s' %ld depend "
            "on the others by what binds its derived signals: only the "
            "expanded equation, which is too large, would tell what follows",
            (long)d.n, darc_model_name(d.model), (long)d.bound);
    dependences_clear(&d);
    return status;
}

darc_status darc_ioeqs_make_independent(darc_ioeqs_t io,
                                        const darc_model *model,
                                        const darc_budget *budget,
                                        darc_err *err)
{
    darc_status status = DARC_OK;
    bool changed = false;
    if (!darc_laws_bind(model))
        return DARC_OK;
    const dependences none = {.model = model, .jet = io->jet, .budget = budget};
    darc_dpolys_t poly = {{0}};
    for (int e = 0; e < io->count && status == DARC_OK; e++) {
        const darc_ioeq *eq = io->eq + e;
        darc_dpoly_t p;
        darc_dpoly_init(p, io->jet);
        status = eq->expanded
                     ? reduce_monomials(p, &changed, none, eq->poly, err)
                     : check_support(none, eq, err);
        darc_dpolys_append_take(poly, p, io->jet);
        darc_dpoly_clear(p, io->jet);
    }
    if (status == DARC_OK && changed) {
        /* Replace the equations of io by poly = 0, those that are not 0. */
        slong n = poly->count, *leader = darc_calloc((size_t)n, sizeof *leader);
        const char **engine = darc_calloc((size_t)n, sizeof *engine);
        bool coupled = io->coupled;
        for (slong e = 0; e < n; e++) {
            engine[e] = io->eq[e].engine;
            leader[e] = coupled ? darc_jet_var(io->jet, io->eq[e].leader)
                                : darc_dpoly_leader(poly->p + e, io->jet);
        }
        darc_ioeqs_drop(io);
        io->coupled = coupled;
        io->bound = true;
        for (slong e = 0; e < n; e++)
            if (poly->p[e].length > 0)
                darc_ioeqs_append_led(io, poly->p + e, leader[e], engine[e]);
        DARC_FREE(leader, engine);
    }
    darc_dpolys_clear(poly, io->jet);
    return status;
}
