#include "base/mem.h"
#include "eliminate/dae_relations.h"
#include "eliminate/thresholds.h"
#include "modular/resultant.h"
#include "projection/projection.h"

typedef struct {
    darc_ioeqs_struct *out;
    darc_dae_relations set;
    darc_dae_relation *of; /* its relations, equations, and structure: */
    slong rows;
    const darc_dae_struct *x;
    darc_jet_t wide;   /* with all derivatives */
    darc_dpolys_t row; /* in that frame; 0 where no relation takes it */
    bool linked;       /* whether leaders may be */
    const darc_budget *budget;
    flint_rand_t rand;
} eliminating;

/* Return whether a relation takes differentiated equation r. */
static bool is_taken(const eliminating *w, slong r)
{
    int o = 0;
    while (o < w->set.outputs && !w->of[o].makes[r] && !w->of[o].alone[r])
        o++;
    return o < w->set.outputs;
}

/* Set the frame to that of all derivatives in equations that are taken. */
static void open_wide(eliminating *w)
{
    const darc_dae_struct *x = w->x;
    const darc_names_struct *names = x->jet->names;
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    slong r = 0;
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k <= w->set.last + x->times[i]; k++, r++)
            for (int u = 0; u < names->count && is_taken(w, r); u++) {
                int order = darc_dpoly_order(x->eq->p + i, u, x->jet);
                if (order >= 0 && bound[u] < order + k)
                    bound[u] = order + k;
            }
    darc_jet_init(w->wide, names, x->jet->ranking, bound);
    darc_free(bound);
}

/* Differentiate the equations that are taken. */
static darc_status differentiate_taken(eliminating *w, darc_err *err)
{
    const darc_dae_struct *x = w->x;
    darc_status status = DARC_OK;
    slong r = 0;
    darc_dpoly_t p, q;
    DARC_EACH_IN(darc_dpoly_init, w->wide, p, q);
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k <= w->set.last + x->times[i]; k++, r++) {
            fmpz_mpoly_zero(q, w->wide->ctx);
            if (is_taken(w, r)) {
                DARC_TRY(
                    darc_dpoly_move(p, w->wide, x->eq->p + i, x->jet, err));
                DARC_TRY(darc_dpoly_diff_n(q, p, k, w->wide, err));
            }
            darc_dpolys_append(w->row, q, w->wide);
        }
    for (slong k = 0; k < w->set.m.bond->count; k++) {
        DARC_TRY(
            darc_dpoly_move(p, w->wide, w->set.m.bond->p + k, x->jet, err));
        darc_dpolys_append(w->row, p, w->wide);
    }
done:
    DARC_EACH_IN(darc_dpoly_clear, w->wide, p, q);
    return status;
}

/* ---- modulo a prime ------------------------------------------------------ */

/* Return whether derivative d is to be eliminated from the relation of o. */
static bool goes(const eliminating *w, int o, darc_deriv d)
{
    darc_kind kind = w->x->jet->names->symbol[d.unknown].kind;
    if (kind != DARC_OUTPUT)
        return kind == DARC_STATE &&
               (!w->set.m.known[d.unknown] || d.order > 0);
    int i = 0;
    while (w->x->unknown[w->of[i].j] != d.unknown)
        i++;
    return d.order >= w->of[i].order + (i == o || w->of[o].with[i]);
}

/* The variables of one relation in a ring: what goes, other signals,
 * parameters. */
typedef struct {
    slong *map; /* of variable v of the wide frame, -1: none; owned */
    slong hidden, side, vars;
    slong leader;      /* variable of the leader */
    int o;             /* the relation */
    darc_deriv *deriv; /* owned */
} layout;

static void layout_init(layout *l, const eliminating *w, int o)
{
    const darc_jet_struct *jet = w->wide;
    size_t n = (size_t)jet->vars;
    int *used = darc_calloc(2 * n, sizeof *used);
    *l = (layout){.o = o,
                  .map = darc_calloc(n, sizeof *l->map),
                  .deriv = darc_calloc(n, sizeof *l->deriv)};
    for (slong r = 0; r < w->rows; r++) {
        if (!w->of[o].makes[r])
            continue;
        darc_dpoly_used(used + n, w->row->p + r, jet);
        for (size_t v = 0; v < n; v++)
            used[v] = used[v] || used[n + v];
    }
    DARC_FILL(l->map, jet->vars, -1);
    for (int kind = 0; kind < 3; kind++) {
        for (slong v = 0; v < jet->vars; v++) {
            darc_deriv d = jet->deriv[v];
            bool constant = darc_jet_is_constant(jet, d.unknown);
            if (!used[v] || (constant ? 2 : !goes(w, o, d)) != kind)
                continue;
            if (d.unknown == darc_dae_relations_leader(&w->set, o).unknown &&
                d.order == darc_dae_relations_leader(&w->set, o).order)
                l->leader = l->vars;
            l->deriv[l->vars] = d;
            l->map[v] = l->vars++;
        }
        l->hidden = kind == 0 ? l->vars : l->hidden;
        l->side = kind < 2 ? l->vars : l->side;
    }
    darc_free(used);
}

/* Set f to the relation of output o at the point s, in a ring. */
static darc_status relate(darc_mpoly *f, darc_ring_t ring, const layout *l,
                          const eliminating *w, const darc_solution_t s,
                          darc_err *err)
{
    const darc_jet_struct *jet = w->wide;
    slong n = 0;
    ulong *at = darc_calloc((size_t)jet->vars, sizeof *at);
    darc_mpoly *system = darc_calloc((size_t)w->rows, sizeof *system);
    darc_solution_values(at, s, jet);
    for (slong v = 0; v < jet->vars; v++)
        if (l->map[v] >= 0)
            ring->point[l->map[v]] = at[v];
    for (slong r = 0; r < w->rows; r++) {
        if (!w->of[l->o].makes[r])
            continue;
        nmod_mpoly_init(system + n, ring->ctx);
        darc_finite_image(system + n++, ring->ctx, l->map, at, w->row->p + r,
                          jet->ctx);
    }
    darc_status status =
        darc_ring_eliminate(system, n, l->hidden, l->leader, ring, err);
    if (status == DARC_OK)
        nmod_mpoly_swap(f, system, ring->ctx);
    while (n > 0)
        nmod_mpoly_clear(system + --n, ring->ctx);
    DARC_FREE(system, at);
    return status;
}

/* Find a point modulo the prime.
 * Fails: DARC_DOMAIN where there is none. */
static darc_status find_point(darc_solution_t s, eliminating *w, ulong prime,
                              darc_err *err)
{
    return darc_dae_point(s, w->x, w->set.last, prime, NULL, w->rand)
               ? DARC_OK
               : darc_fail(err, DARC_DOMAIN, "no point obeys the equations");
}

/* Return whether q vanishes at random points modulo other primes. */
static bool vanishes(const darc_dpoly_t q, eliminating *w)
{
    const darc_jet_struct *jet = w->out->jet;
    bool zero = true;
    ulong *at = darc_calloc((size_t)jet->vars, sizeof *at);
    for (int i = 0; i < DARC_PROJECT_CHECKS && zero; i++) {
        darc_solution_t s;
        zero = find_point(s, w, darc_finite_prime(i), NULL) == DARC_OK;
        if (!zero)
            break;
        darc_mechanism_values(at, jet, &w->set.m, s);
        zero = darc_finite_eval(q, at, s->mod, jet->ctx) == 0;
        darc_solution_clear(s);
    }
    darc_free(at);
    return zero;
}

/* Take in the image f; append the equation where it is known. */
static void take_image(eliminating *w, const darc_mpoly *f, const layout *l,
                       const darc_ring_t ring)
{
    darc_dae_relation *of = w->of + l->o;
    const darc_jet_struct *jet = w->out->jet;
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    darc_deriv *deriv = darc_calloc((size_t)l->vars, sizeof *deriv);
    for (slong v = 0; v < l->vars; v++)
        deriv[v] =
            (darc_deriv){w->set.m.as[l->deriv[v].unknown], l->deriv[v].order};
    of->done = darc_projection_join(q, jet, &of->image, f, deriv, ring) &&
               vanishes(q, w);
    darc_free(deriv);
    if (of->done)
        darc_ioeqs_append(w->out, q, "constraints");
    darc_dpoly_clear(q, jet);
}

/* Return whether f, the image of the relation, is reduced: leaders of others
 * stay in lower degrees than in their own relations. */
static bool fits(darc_dae_relation *of, const darc_mpoly *f, const layout *l,
                 const eliminating *w, const darc_ring_t ring)
{
    bool good = true;
    of->degree = darc_ring_degree(f, l->leader, ring);
    for (int i = 0; i < w->set.outputs; i++) {
        darc_deriv d = darc_dae_relations_leader(&w->set, i);
        for (slong v = 0; v < l->vars && of->with[i]; v++)
            if (l->deriv[v].unknown == d.unknown &&
                l->deriv[v].order == d.order)
                good = good && darc_ring_degree(f, v, ring) < w->of[i].degree;
    }
    return good;
}

/* Take in the relation of output o modulo prime i. */
static darc_status take_prime(eliminating *w, const layout *l, int i,
                              darc_err *err)
{
    darc_solution_t s;
    darc_ring_t ring;
    nmod_mpoly_t f;
    ulong prime = darc_finite_prime(DARC_PROJECT_PRIME + i);
    DARC_NEED(find_point(s, w, prime, err));
    darc_ring_init(ring, l->vars, prime, w->budget);
    ring->side = l->side;
    nmod_mpoly_init(f, ring->ctx);
    darc_status status = relate(f, ring, l, w, s, err);
    if (status == DARC_OK && !fits(w->of + l->o, f, l, w, ring))
        status = darc_fail(err, DARC_DOMAIN, "leaders are linked");
    if (status == DARC_OK)
        take_image(w, f, l, ring);
    nmod_mpoly_clear(f, ring->ctx);
    darc_ring_clear(ring);
    darc_solution_clear(s);
    return status;
}

/* Find the relation of output o, modulo prime after prime. */
static darc_status find_relation(eliminating *w, int o, darc_err *err)
{
    layout l;
    darc_status status = DARC_OK;
    darc_dae_relation *of = w->of + o;
    layout_init(&l, w, o);
    for (int i = 0; i < DARC_PROJECT_PRIMES && !of->done && status == DARC_OK;
         i++)
        status = take_prime(w, &l, i, err);
    if (status == DARC_OK && !of->done)
        status = darc_fail(err, DARC_LIMIT,
                           "coefficients do not settle after %d primes",
                           DARC_PROJECT_PRIMES);
    DARC_FREE(l.map, l.deriv);
    return status;
}

/* The same, with leaders of others where that helps, else without. */
static darc_status find_either(eliminating *w, int o, darc_err *err)
{
    darc_err own = {DARC_OK, ""};
    darc_dae_relation *of = w->of + o;
    darc_status status = find_relation(w, o, &own);
    bool *with = of->with;
    int n = w->set.outputs;
    while (n > 0 && !with[n - 1])
        n--;
    if (status == DARC_OK || n == 0 ||
        darc_budget_check(w->budget, NULL) != DARC_OK)
        return darc_fail_as(err, status, &own);
    DARC_FILL(with, w->set.outputs, false);
    DARC_SWAP(bool *, of->makes, of->alone);
    if (of->image.n > 0)
        darc_residues_clear(&of->image);
    of->image.n = 0;
    return find_relation(w, o, err);
}

/* Find all, the lowest leader first. */
static darc_status find_each(eliminating *w, darc_err *err)
{
    darc_status status = DARC_OK;
    for (int n = 0; n < w->set.outputs && status == DARC_OK; n++) {
        int o = -1;
        for (int k = 0; k < w->set.outputs; k++)
            if (!w->of[k].done && (o < 0 || w->of[k].place > w->of[o].place))
                o = k;
        status = find_either(w, o, err);
    }
    return status;
}

/* ---- all of it ----------------------------------------------------------- */

/* Give out the frame of the relations, in the names of the model. */
static void reframe(eliminating *w, const darc_names_struct *names)
{
    const darc_jet_struct *jet = w->wide;
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    for (int u = 0; u < jet->names->count; u++)
        if (w->set.m.as[u] >= 0)
            bound[w->set.m.as[u]] = w->set.m.known[u] ? 0 : jet->bound[u];
    darc_ioeqs_reframe(w->out, names, w->out->jet->ranking, bound);
    darc_free(bound);
}

/* Let the relations generate a prime ideal.
 * Fails: DARC_DOMAIN where they do not. */
static darc_status make_prime(eliminating *w, darc_err *err)
{
    darc_solution_t s;
    darc_ioeqs_struct *out = w->out;
    DARC_NEED(find_point(s, w, darc_finite_prime(0), err));
    ulong *at = darc_calloc((size_t)out->jet->vars, sizeof *at);
    darc_mechanism_values(at, out->jet, &w->set.m, s);
    out->linked = w->linked; /* then they were seen to be: darc_engine_dae */
    darc_status status = darc_ioeqs_make_prime(out, at, s->mod, w->budget, err);
    if (status == DARC_OK && out->linked && !w->linked)
        status = darc_fail(err, DARC_DOMAIN, "leaders are linked");
    darc_free(at);
    darc_solution_clear(s);
    return status;
}

static darc_status find_all(eliminating *w, const darc_model *model,
                            darc_err *err)
{
    open_wide(w);
    reframe(w, darc_model_names(model));
    darc_status status = differentiate_taken(w, err);
    DARC_THEN(find_each(w, err));
    DARC_THEN(make_prime(w, err));
    DARC_THEN(darc_engine_model_inequations(w->out, model, err));
    w->out->bound = w->set.m.laws;
    darc_dpolys_clear(w->row, w->wide);
    darc_jet_clear(w->wide);
    return status;
}

/* Which models are of interest. */
typedef enum { ANY, OF_ONE_OUTPUT, GOING_ROUND, LINKED } interest;

static bool is_of(interest which, const eliminating *w)
{
    return which == ANY || which == LINKED ||
           (w->set.outputs == 1 && (which == OF_ONE_OUTPUT || w->set.m.round));
}

static darc_status run(darc_ioeqs_t out, const darc_model *model,
                       interest which, const darc_budget *budget, darc_err *err)
{
    eliminating w = {.out = out, .linked = which == LINKED, .budget = budget};
    darc_solution_t s;
    flint_randinit(w.rand);
    darc_status status = darc_dae_relations_init(&w.set, model, w.rand, err);
    w.of = w.set.of;
    w.rows = w.set.rows;
    w.x = w.set.x;
    if (status == DARC_OK && !is_of(which, &w))
        status = darc_fail(err, DARC_DOMAIN, "another engine comes first");
    DARC_THEN(
        find_point(s, &w, darc_finite_prime(DARC_PROJECT_PRIME - 1), err));
    if (status == DARC_OK) {
        status = darc_dae_relations_find(&w.set, out->jet->ranking, s, err);
        darc_solution_clear(s);
    }
    DARC_THEN(find_all(&w, model, err));
    darc_dae_relations_clear(&w.set);
    flint_randclear(w.rand);
    return status;
}

darc_status darc_engine_dae(darc_ioeqs_t out, const darc_model *model,
                            const darc_budget *budget, darc_err *err)
{
    return run(out, model, ANY, budget, err);
}

darc_status darc_engine_dae_single(darc_ioeqs_t out, const darc_model *model,
                                   const darc_budget *budget, darc_err *err)
{
    return run(out, model, OF_ONE_OUTPUT, budget, err);
}

darc_status darc_engine_dae_round(darc_ioeqs_t out, const darc_model *model,
                                  const darc_budget *budget, darc_err *err)
{
    return run(out, model, GOING_ROUND, budget, err);
}

darc_status darc_engine_dae_linked(darc_ioeqs_t out, const darc_model *model,
                                   const darc_budget *budget, darc_err *err)
{
    return run(out, model, LINKED, budget, err);
}
