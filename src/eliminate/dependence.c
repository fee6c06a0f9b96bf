#include "eliminate/engine.h"

#include "base/mem.h"
#include "eliminate/thresholds.h"
#include "modular/reconstruct.h"
#include "projection/ioeq.h"

#include <stdlib.h>
#include <string.h>

/* Points at which the laws hold, a row each, modulo one prime after the other;
 * zero when it begins. */
struct sample {
    darc_rng rng;
    int primes;
    struct {
        nmod_t mod;
        slong rows;
        ulong *value; /* rows x variables; owned */
    } at[DARC_DEPENDENCE_PRIMES];
};

/* The monomials of one group, which differ in what laws bind alone, cheap ones
 * first, and what binds them. */
typedef struct {
    const darc_model *model;
    const darc_jet_struct *jet;
    const darc_budget *budget;
    struct sample *sample; /* points of all groups; not owned */
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

/* Set *mod to the field of this prime, and *value to point i there. */
static darc_status take_field(nmod_t *mod, int prime, const dependences *d,
                              darc_err *err)
{
    struct sample *s = d->sample;
    if (prime == s->primes) {
        DARC_NEED(
            darc_laws_field(&s->at[prime].mod, d->model, d->jet, &s->rng, err));
        s->primes++;
    }
    *mod = s->at[prime].mod;
    return DARC_OK;
}

static darc_status take_point(const ulong **value, slong i, int prime,
                              const dependences *d, darc_err *err)
{
    struct sample *s = d->sample;
    size_t vars = (size_t)d->jet->vars, row = vars * sizeof(ulong);
    for (; s->at[prime].rows <= i; s->at[prime].rows++) {
        s->at[prime].value = darc_room(
            s->at[prime].value, (size_t)s->at[prime].rows, row + sizeof(ulong));
        DARC_NEED(darc_laws_point(
            s->at[prime].value + (size_t)s->at[prime].rows * (vars + 1),
            d->model, d->jet, s->at[prime].mod, &s->rng, err));
    }
    *value = s->at[prime].value + (size_t)i * (vars + 1);
    return DARC_OK;
}

/* Set kernel, n x n, to a basis of what vanishes at random points modulo p, one
 * a column, each 1 at a monomial that the others leave free, and set
 * *dimension. */
static darc_status find_kernel(nmod_mat_t kernel, slong *dimension, int prime,
                               const dependences *d, darc_err *err)
{
    darc_status status = DARC_OK;
    nmod_mat_t a;
    nmod_mat_init(a, d->n + DARC_DEPENDENCE_SPARE, d->n, kernel->mod.n);
    for (slong i = 0; i < a->r; i++) {
        const ulong *value;
        DARC_TRY(darc_budget_check(d->budget, err));
        DARC_TRY(take_point(&value, i, prime, d, err));
        for (slong j = 0; j < d->n; j++)
            nmod_mat_entry(a, i, j) =
                darc_finite_eval(d->monomial[j], value, a->mod, d->jet->ctx);
    }
    *dimension = nmod_mat_nullspace(kernel, a);
done:
    nmod_mat_clear(a);
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
        DARC_NEED(take_field(&mod, i, d, err));
        nmod_mat_init(kernel, d->n, d->n, mod.n);
        status = find_kernel(kernel, &dimension, i, d, err);
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

/* Find the dependences of the n monomials of this group among all, with the
 * model, frame, budget and sample of d. */
static darc_status dependences_init(dependences *d,
                                    const darc_dpolys_t monomial,
                                    const slong *group, slong count,
                                    darc_err *err)
{
    size_t n = (size_t)count;
    d->n = count;
    if (d->n > DARC_DEPENDENCE_MONOMIALS)
        return darc_fail(
            err, DARC_LIMIT,
            "model '%s' has derived signals and an io-equation with %ld "
            "monomials, more than %d, that derived signals alone tell apart: "
            "whether they depend on each other is not known",
            darc_model_name(d->model), (long)d->n, DARC_DEPENDENCE_MONOMIALS);
    DARC_CALLOC(n + 1, d->monomial, d->place, d->weight, d->which);
    darc_residues_init(&d->r, 0);
    d->c = _fmpz_vec_init(d->n * d->n);
    /* Stable: insertion among those that cost as much, or less. */
    ulong *exp = darc_calloc((size_t)d->jet->vars, sizeof *exp);
    for (slong k = 0; k < d->n; k++) {
        /* Total degree first, then the derivations: what is estimated best. */
        slong degree = 0, order = 0;
        fmpz_mpoly_get_term_exp_ui(exp, monomial->p + group[k], 0, d->jet->ctx);
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
    for (slong i = 0; i < d->n; i++) {
        d->place[i] = group[d->place[i]];
        d->monomial[i] = monomial->p + d->place[i];
    }
    darc_free(exp);
    return find_dependences(d, err);
}

/* A monomial and its exponents in what no law binds. */
typedef struct {
    slong k;
    size_t bytes;
    const ulong *exp; /* not owned */
} loose;

static int by_loose(const void *a, const void *b)
{
    const loose *x = a, *y = b;
    int by = memcmp(x->exp, y->exp, x->bytes);
    return by != 0 ? by : x->k < y->k ? -1 : x->k > y->k;
}

/* Set exp, the exponents of a monomial, to those in what no law binds. */
static void loosen(ulong *exp, const int *reach, const darc_jet_t jet)
{
    for (slong v = 0; v < jet->vars; v++)
        if (jet->deriv[v].order <= reach[jet->deriv[v].unknown])
            exp[v] = 0;
}

/* Set group (room for all) to the monomials, group after group, and first[k] to
 * where group k begins; return how many there are.  What no law binds is free
 * at every point of the rest: the sum of a group vanishes if all does. */
static slong list_groups(slong *group, slong *first, const dependences *d,
                         const darc_dpolys_t monomial)
{
    size_t n = (size_t)monomial->count, vars = (size_t)d->jet->vars, u;
    size_t names = (size_t)d->jet->names->count;
    int *order = darc_calloc(names + 1, sizeof *order);
    int *reach = darc_calloc(names + 1, sizeof *reach);
    ulong *exp = darc_calloc(n * vars + 1, sizeof *exp);
    loose *item = darc_calloc(n + 1, sizeof *item);
    slong groups = 0;
    bool sums = false;
    for (size_t k = 0; k < n && !sums; k++)
        sums = monomial->p[k].length != 1;
    for (u = 0; u < names; u++)
        order[u] = reach[u] = -1;
    darc_dpolys_orders(order, monomial, d->jet);
    darc_laws_reach(reach, d->model, order);
    for (size_t k = 0; k < n; k++) {
        item[k] = (loose){(slong)k, vars * sizeof *exp, exp + k * vars};
        if (sums) /* one group */
            continue;
        fmpz_mpoly_get_term_exp_ui(exp + k * vars, monomial->p + k, 0,
                                   d->jet->ctx);
        loosen(exp + k * vars, reach, d->jet);
    }
    qsort(item, n, sizeof *item, by_loose);
    for (size_t k = 0; k < n; k++) {
        group[k] = item[k].k;
        if (k == 0 || memcmp(item[k].exp, item[k - 1].exp, item[k].bytes) != 0)
            first[groups++] = (slong)k;
    }
    first[groups] = (slong)n;
    DARC_FREE(order, reach, exp, item);
    return groups;
}

static void dependences_clear(dependences *d)
{
    if (d->place == NULL)
        return;
    _fmpz_vec_clear(d->c, d->n * d->n);
    darc_residues_clear(&d->r);
    DARC_FREE(d->monomial, d->place, d->weight, d->which);
}

/* Express monomials of p, scale times the equation with coefficients g, by
 * others of their group. */
static void reduce_group(darc_dpoly_t p, fmpz_t scale, const dependences d,
                         const darc_monomials *g)
{
    for (slong k = 0; k < d.bound; k++) {
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
        fmpz_mpoly_mul(law, law, g->coeff->p + d.place[d.which[k]], jet->ctx);
        fmpz_mpoly_scalar_mul_fmpz(law, law, scale, jet->ctx);
        fmpz_mpoly_scalar_mul_fmpz(p, p, row + d.which[k], jet->ctx);
        fmpz_mpoly_sub(p, p, law, jet->ctx);
        fmpz_mul(scale, scale, row + d.which[k]);
        darc_dpoly_clears(jet->ctx, law, term, NULL);
    }
}

/* Find the dependences of the monomials, group by group, and, g not NULL, free
 * p, which is given, from them; *bound: how many there are. */
static darc_status free_groups(slong *bound, darc_dpoly_struct *p,
                               const darc_monomials *g, const dependences *none,
                               const darc_dpolys_t monomial, darc_err *err)
{
    size_t n = (size_t)monomial->count;
    slong *group = darc_calloc(n + 1, sizeof *group);
    slong *first = darc_calloc(n + 1, sizeof *first);
    slong groups = list_groups(group, first, none, monomial);
    darc_status status = DARC_OK;
    fmpz_t scale;
    fmpz_init_set_ui(scale, 1);
    *bound = 0;
    for (slong k = 0; k < groups && status == DARC_OK; k++) {
        dependences d = *none;
        slong count = first[k + 1] - first[k];
        if (count == 1) /* a product of what is not 0 */
            continue;
        status = dependences_init(&d, monomial, group + first[k], count, err);
        *bound += status == DARC_OK ? d.bound : 0;
        if (status == DARC_OK && g != NULL)
            reduce_group(p, scale, d, g);
        dependences_clear(&d);
    }
    fmpz_clear(scale);
    DARC_FREE(group, first);
    return status;
}

/* Set p to the equation poly in independent monomials; *changed: it is
 * another. */
static darc_status reduce_monomials(darc_dpoly_t p, bool *changed,
                                    const dependences *none,
                                    const darc_dpoly_t poly, darc_err *err)
{
    darc_monomials g;
    slong bound;
    darc_monomials_init(&g, poly, none->jet);
    fmpz_mpoly_set(p, poly, none->jet->ctx);
    darc_status status = free_groups(&bound, p, &g, none, g.monomial, err);
    *changed = *changed || bound > 0;
    darc_monomials_clear(&g, none->jet);
    return status;
}

static darc_status check_support(const dependences *none, const darc_ioeq *eq,
                                 darc_err *err)
{
    slong bound;
    DARC_NEED(free_groups(&bound, NULL, NULL, none, eq->part, err));
    if (bound == 0)
        return DARC_OK;
    return darc_fail(
        err, DARC_LIMIT,
        "of the %ld monomials of an io-equation of model '%s' %ld depend "
        "on the others by what binds its derived signals: only the "
        "expanded equation, which is too large, would tell what follows",
        (long)eq->part->count, darc_model_name(none->model), (long)bound);
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
    struct sample *sample = darc_calloc(1, sizeof *sample);
    const dependences none = {
        .model = model, .jet = io->jet, .budget = budget, .sample = sample};
    sample->rng = (darc_rng){(size_t)io->count};
    darc_dpolys_t poly = {{0}};
    for (int e = 0; e < io->count && status == DARC_OK; e++) {
        const darc_ioeq *eq = io->eq + e;
        darc_dpoly_t p;
        darc_dpoly_init(p, io->jet);
        status = eq->expanded
                     ? reduce_monomials(p, &changed, &none, eq->poly, err)
                     : check_support(&none, eq, err);
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
    for (int i = 0; i < sample->primes; i++)
        darc_free(sample->at[i].value);
    darc_free(sample);
    return status;
}
