#include "base/mem.h"
#include "eliminate/engine.h"
#include "eliminate/mechanism.h"
#include "eliminate/thresholds.h"
#include "modular/reconstruct.h"
#include "modular/resultant.h"
#include "projection/projection.h"

#include <stdlib.h>

/* An output, its io-equation, and the equations that make it. */
typedef struct {
    int j;               /* unknown[j] of the structure */
    int order;           /* of the io-equation */
    bool *makes;         /* makes[r]: differentiated equation r; owned */
    darc_residues image; /* n 0: none */
    bool done;
} relation;

typedef struct {
    darc_ioeqs_struct *out;
    darc_mechanism m;
    const darc_dae_struct *x; /* its structure */
    int last;                 /* stage */
    slong rows; /* differentiated equations up to there, and bonds */
    int outputs;
    relation *of;      /* of output o; owned */
    darc_jet_t wide;   /* with all derivatives */
    darc_dpolys_t row; /* in that frame; 0 where no relation takes it */
    nmod_t mod;        /* of what makes relations */
    const darc_budget *budget;
    flint_rand_t rand;
} eliminating;

/* ---- which equations ----------------------------------------------------- */

static bool is_output(const eliminating *w, int j)
{
    return w->x->jet->names->symbol[w->x->unknown[j]].kind == DARC_OUTPUT;
}

/* A derivative of an output, and its ranking. */
typedef struct {
    darc_deriv d;
    int o;
    slong column;
    const darc_ranking_struct *rk;
} shown;

static int highest_first(const void *a, const void *b)
{
    const shown *x = a, *y = b;
    return -darc_ranking_cmp(x->d, y->d, x->rk);
}

/* List the derivatives of outputs up to the last stage, the highest first, and
 * set column[j]; return the columns of the states. */
static slong lay_columns(shown *list, slong *column, const eliminating *w)
{
    slong hidden = 0, n = 0;
    for (int j = 0; j < w->x->count; j++)
        if (!is_output(w, j)) {
            column[j] = hidden;
            hidden += w->last + w->x->highest[j] + 1;
        }
    for (int o = 0; o < w->outputs; o++) {
        int j = w->of[o].j;
        column[j] = hidden + n;
        for (int k = 0; k <= w->last + w->x->highest[j]; k++, n++)
            list[n] = (shown){{w->m.as[w->x->unknown[j]], k},
                              o,
                              hidden + n,
                              w->out->jet->ranking};
    }
    qsort(list, (size_t)n, sizeof *list, highest_first);
    return hidden;
}

/* Set b to the gradients, states first, then derivatives of outputs, the
 * highest first, then by which equations. */
static void set_gradients(nmod_mat_t b, const shown *list, const slong *column,
                          slong hidden, const eliminating *w,
                          const darc_solution_t s)
{
    nmod_mat_t a;
    slong known = b->c - w->rows;
    nmod_mat_init(a, w->rows, known, s->mod.n);
    darc_mechanism_gradients(a, &w->m, w->last, s, column);
    for (slong r = 0; r < w->rows; r++) {
        for (slong c = 0; c < known; c++)
            nmod_mat_entry(b, r, c) =
                nmod_mat_entry(a, r, c < hidden ? c : list[c - hidden].column);
        nmod_mat_entry(b, r, known + r) = 1;
    }
    nmod_mat_clear(a);
}

static darc_deriv leader_of(const eliminating *w, int o)
{
    return (darc_deriv){w->x->unknown[w->of[o].j], w->of[o].order};
}

/* Find the orders of the io-equations, and the equations that make each: of the
 * combinations of gradients without states those of lowest leaders. */
static darc_status find_relations(eliminating *w, const darc_solution_t s,
                                  darc_err *err)
{
    const darc_dae_struct *x = w->x;
    size_t most = (size_t)(x->count * (w->last - x->first + 1));
    slong *column = darc_calloc((size_t)x->count + 1, sizeof *column);
    shown *list = darc_calloc(most + 1, sizeof *list);
    slong hidden = lay_columns(list, column, w), known = hidden;
    for (int o = 0; o < w->outputs; o++)
        known += w->last + x->highest[w->of[o].j] + 1;
    nmod_mat_t b;
    nmod_mat_init(b, w->rows, known + w->rows, s->mod.n);
    set_gradients(b, list, column, hidden, w, s);
    slong rank = nmod_mat_rref(b), found = 0;
    for (slong i = 0, c = 0; i < rank; i++) {
        while (nmod_mat_entry(b, i, c) == 0)
            c++;
        if (c < hidden || c >= known)
            continue;
        relation *of = w->of + list[c - hidden].o;
        found += of->order < 0;
        of->order = list[c - hidden].d.order; /* ever lower ones */
        for (slong r = 0; r < w->rows; r++)
            of->makes[r] = nmod_mat_entry(b, i, known + r) != 0;
    }
    nmod_mat_clear(b);
    DARC_FREE(list, column);
    return found == w->outputs ? DARC_OK
                               : darc_fail(err, DARC_DOMAIN,
                                           "an output is bound by no equation");
}

/* Return whether a relation takes differentiated equation r. */
static bool is_taken(const eliminating *w, slong r)
{
    int o = 0;
    while (o < w->outputs && !w->of[o].makes[r])
        o++;
    return o < w->outputs;
}

/* Set the frame to that of all derivatives in equations that are taken. */
static void open_wide(eliminating *w)
{
    const darc_dae_struct *x = w->x;
    const darc_names_struct *names = x->jet->names;
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    slong r = 0;
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k <= w->last + x->times[i]; k++, r++)
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
        for (int k = 0; k <= w->last + x->times[i]; k++, r++) {
            fmpz_mpoly_zero(q, w->wide->ctx);
            if (is_taken(w, r)) {
                DARC_TRY(
                    darc_dpoly_move(p, w->wide, x->eq->p + i, x->jet, err));
                DARC_TRY(darc_dpoly_diff_n(q, p, k, w->wide, err));
            }
            darc_dpolys_append(w->row, q, w->wide);
        }
    for (slong k = 0; k < w->m.bond->count; k++) {
        DARC_TRY(darc_dpoly_move(p, w->wide, w->m.bond->p + k, x->jet, err));
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
        return kind == DARC_STATE && (!w->m.known[d.unknown] || d.order > 0);
    int i = 0;
    while (w->x->unknown[w->of[i].j] != d.unknown)
        i++;
    return d.order >= w->of[i].order + (i == o);
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
            if (d.unknown == leader_of(w, o).unknown &&
                d.order == leader_of(w, o).order)
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
    return darc_dae_point(s, w->x, w->last, prime, NULL, w->rand)
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
        darc_mechanism_values(at, jet, &w->m, s);
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
    relation *of = w->of + l->o;
    const darc_jet_struct *jet = w->out->jet;
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    darc_deriv *deriv = darc_calloc((size_t)l->vars, sizeof *deriv);
    for (slong v = 0; v < l->vars; v++)
        deriv[v] =
            (darc_deriv){w->m.as[l->deriv[v].unknown], l->deriv[v].order};
    of->done = darc_projection_join(q, jet, &of->image, f, deriv, ring) &&
               vanishes(q, w);
    darc_free(deriv);
    if (of->done)
        darc_ioeqs_append(w->out, q, "constraints");
    darc_dpoly_clear(q, jet);
}

/* Find the relation of output o, modulo prime after prime. */
static darc_status find_relation(eliminating *w, int o, darc_err *err)
{
    layout l;
    darc_status status = DARC_OK;
    relation *of = w->of + o;
    layout_init(&l, w, o);
    for (int i = 0; i < DARC_PROJECT_PRIMES && !of->done && status == DARC_OK;
         i++) {
        darc_solution_t s;
        darc_ring_t ring;
        nmod_mpoly_t f;
        ulong prime = darc_finite_prime(DARC_PROJECT_PRIME + i);
        status = find_point(s, w, prime, err);
        if (status != DARC_OK)
            break;
        darc_ring_init(ring, l.vars, prime, w->budget);
        ring->side = l.side;
        nmod_mpoly_init(f, ring->ctx);
        status = relate(f, ring, &l, w, s, err);
        if (status == DARC_OK)
            take_image(w, f, &l, ring);
        nmod_mpoly_clear(f, ring->ctx);
        darc_ring_clear(ring);
        darc_solution_clear(s);
    }
    if (status == DARC_OK && !of->done)
        status = darc_fail(err, DARC_LIMIT,
                           "coefficients do not settle after %d primes",
                           DARC_PROJECT_PRIMES);
    DARC_FREE(l.map, l.deriv);
    return status;
}

/* ---- all of it ----------------------------------------------------------- */

static darc_status eliminating_init(eliminating *w, const darc_model *model,
                                    darc_err *err)
{
    flint_randinit(w->rand);
    DARC_NEED(darc_mechanism_init(&w->m, model, w->rand, err));
    const darc_dae_struct *x = w->x = w->m.x;
    w->last = x->free > 0 ? x->free : 0;
    w->rows = darc_mechanism_rows(&w->m, w->last);
    w->of = darc_calloc((size_t)x->count + 1, sizeof *w->of);
    for (int j = 0; j < x->count; j++)
        if (is_output(w, j))
            w->of[w->outputs++] =
                (relation){.j = j,
                           .order = -1,
                           .makes = darc_calloc((size_t)w->rows, sizeof(bool))};
    return DARC_OK;
}

static void eliminating_clear(eliminating *w)
{
    for (int o = 0; o < w->outputs; o++) {
        darc_free(w->of[o].makes);
        if (w->of[o].image.n > 0)
            darc_residues_clear(&w->of[o].image);
    }
    darc_free(w->of);
    flint_randclear(w->rand);
    darc_mechanism_clear(&w->m);
}

/* Give out the frame of the relations, in the names of the model. */
static void reframe(eliminating *w, const darc_names_struct *names)
{
    const darc_jet_struct *jet = w->wide;
    int *bound = darc_calloc((size_t)names->count, sizeof *bound);
    for (int u = 0; u < jet->names->count; u++)
        if (w->m.as[u] >= 0)
            bound[w->m.as[u]] = w->m.known[u] ? 0 : jet->bound[u];
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
    darc_mechanism_values(at, out->jet, &w->m, s);
    darc_status status = darc_ioeqs_make_prime(out, at, s->mod, w->budget, err);
    if (status == DARC_OK && out->linked)
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
    for (int o = 0; o < w->outputs && status == DARC_OK; o++)
        status = find_relation(w, o, err);
    DARC_THEN(make_prime(w, err));
    DARC_THEN(darc_engine_model_inequations(w->out, model, err));
    w->out->bound = w->m.laws;
    darc_dpolys_clear(w->row, w->wide);
    darc_jet_clear(w->wide);
    return status;
}

/* Which models are of interest. */
typedef enum { ANY, OF_ONE_OUTPUT, GOING_ROUND } interest;

static bool is_of(interest which, const eliminating *w)
{
    return which == ANY ||
           (w->outputs == 1 && (which == OF_ONE_OUTPUT || w->m.round));
}

static darc_status run(darc_ioeqs_t out, const darc_model *model,
                       interest which, const darc_budget *budget, darc_err *err)
{
    eliminating w = {.out = out, .budget = budget};
    darc_solution_t s;
    darc_status status = eliminating_init(&w, model, err);
    if (status == DARC_OK && !is_of(which, &w))
        status = darc_fail(err, DARC_DOMAIN, "another engine comes first");
    DARC_THEN(
        find_point(s, &w, darc_finite_prime(DARC_PROJECT_PRIME - 1), err));
    if (status == DARC_OK) {
        status = find_relations(&w, s, err);
        darc_solution_clear(s);
    }
    DARC_THEN(find_all(&w, model, err));
    eliminating_clear(&w);
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
