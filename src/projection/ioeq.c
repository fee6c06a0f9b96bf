#include "projection/ioeq.h"

#include "base/mem.h"
#include "projection/group.h"

#include <assert.h>
#include <string.h>

void darc_ioeq_ranking(darc_ranking_t rk, const darc_ranking_t ranking,
                       const darc_names_t names)
{
    darc_ranking_set(rk, ranking);
    int lowest = 0;
    for (int u = 0; u < names->count; u++)
        lowest = ranking->block[u] > lowest ? ranking->block[u] : lowest;
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_PARAMETER)
            rk->block[u] = lowest + 1;
}

void darc_ioeqs_init_frame(darc_ioeqs_t e, const darc_names_t names,
                           const darc_ranking_t ranking, const int *bound)
{
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_ioeq_ranking(rk, ranking, names);
    darc_jet_init(e->jet, names, rk, bound);
    darc_ranking_clear(rk);
    e->count = 0;
    e->alloc = 0;
    e->eq = NULL;
    e->linked = false;
    darc_dpolys_init(e->inequations);
}

static void clear_equation(darc_ioeq *eq, const darc_jet_t jet)
{
    darc_dpoly_clear(eq->poly, jet);
    darc_dpolys_clear(eq->coeff, jet);
    darc_dpolys_clear(eq->part, jet);
}

void darc_ioeqs_clear(darc_ioeqs_t e)
{
    for (int i = 0; i < e->count; i++)
        clear_equation(e->eq + i, e->jet);
    darc_free(e->eq);
    e->eq = NULL;
    e->count = 0;
    darc_dpolys_clear(e->inequations, e->jet);
    darc_jet_clear(e->jet);
}

/* Move the last equation to its place among ascending leaders. */
static void sift(darc_ioeqs_t e)
{
    for (int i = e->count - 1; i > 0; i--) {
        darc_ioeq *a = e->eq + i - 1, *b = e->eq + i;
        if (darc_ranking_cmp(a->leader, b->leader, e->jet->ranking) <= 0)
            return;
        darc_ioeq t = *a;
        *a = *b;
        *b = t;
    }
}

/* Append an equation without poly, led as p is. */
static darc_ioeq *append_empty(darc_ioeqs_t e, const darc_dpoly_t p,
                               const char *engine)
{
    e->eq = darc_grow(e->eq, (size_t)e->count, &e->alloc, sizeof *e->eq);
    darc_ioeq *eq = e->eq + e->count++;
    slong v = darc_dpoly_leader(p, e->jet);
    assert(v >= 0);
    eq->leader = e->jet->deriv[v];
    assert(!darc_jet_is_constant(e->jet, eq->leader.unknown));
    darc_dpoly_init(eq->poly, e->jet);
    darc_dpolys_init(eq->coeff);
    darc_dpolys_init(eq->part);
    eq->expanded = false;
    eq->engine = engine;
    eq->cpu_s = 0;
    return eq;
}

void darc_ioeqs_append(darc_ioeqs_t e, const darc_dpoly_t poly,
                       const char *engine)
{
    darc_ioeq *eq = append_empty(e, poly, engine);
    darc_dpoly_primitive(eq->poly, poly, e->jet);
    eq->expanded = true;
    darc_ioeq_group(eq, e->jet);
    sift(e);
}

void darc_ioeqs_append_support(darc_ioeqs_t e, const darc_dpoly_t sum,
                               const char *engine)
{
    darc_ioeq *eq = append_empty(e, sum, engine);
    for (slong t = 0; t < sum->length; t++) {
        darc_dpoly_t m;
        darc_dpoly_init(m, e->jet);
        fmpz_mpoly_get_term_monomial(m, sum, t, e->jet->ctx);
        darc_dpolys_append_take(eq->part, m, e->jet);
        darc_dpoly_clear(m, e->jet);
    }
    sift(e);
}

/* Set eq to the equations of io with the parameters of s put in. */
static void put_in(darc_dpolys_t eq, const darc_ioeqs_t io,
                   const darc_solution_t s)
{
    const darc_jet_struct *jet = io->jet;
    darc_dpoly_t sum, term;
    darc_dpoly_init(sum, jet);
    darc_dpoly_init(term, jet);
    for (int e = 0; e < io->count; e++) {
        const darc_ioeq *from = io->eq + e;
        for (slong j = 0; j < from->coeff->count; j++) {
            ulong c;
            darc_solution_derivatives(&c, 1, from->coeff->p + j, jet, s);
            fmpz_mpoly_scalar_mul_ui(term, from->part->p + j, c, jet->ctx);
            fmpz_mpoly_add(sum, sum, term, jet->ctx);
        }
        darc_dpolys_append_take(eq, sum, jet);
    }
    darc_dpoly_clear(sum, jet);
    darc_dpoly_clear(term, jet);
}

darc_status darc_ioeqs_solve(darc_solution_t s, const darc_ioeqs_t e,
                             flint_rand_t state, darc_err *err)
{
    darc_dpolys_t eq;
    darc_err why;
    darc_err_init(&why);
    darc_dpolys_init(eq);
    put_in(eq, e, s);
    darc_status status = darc_solution_solve(s, eq, e->jet, state, &why);
    darc_dpolys_clear(eq, e->jet);
    if (status == DARC_OK)
        return status;
    darc_solution_clear(s);
    return darc_fail(err, DARC_INTERNAL, "%s", why.message);
}

int darc_ioeq_order(const darc_ioeq *eq, const darc_jet_t jet)
{
    int order = 0;
    for (slong j = 0; j < eq->part->count; j++) {
        int k = darc_dpoly_highest_order(eq->part->p + j, jet);
        order = k > order ? k : order;
    }
    return order;
}

void darc_ioeqs_reach(darc_partial_t p, const darc_ioeqs_t e)
{
    darc_partial_init(p, e->jet->names, e->jet->ranking, e->jet->bound);
    for (int i = 0; i < e->count; i++) {
        const darc_ioeq *eq = e->eq + i;
        darc_item *item = darc_partial_add(
            p, DARC_ITEM_IO,
            eq->expanded ? DARC_ITEM_EQUATION : DARC_ITEM_MONOMIALS, eq->leader,
            (long)(eq->expanded ? eq->poly->length : eq->part->count));
        if (eq->expanded)
            fmpz_mpoly_set(item->poly, eq->poly, p->jet->ctx);
        for (slong j = 0; j < eq->part->count && !eq->expanded; j++)
            fmpz_mpoly_add(item->poly, item->poly, eq->part->p + j,
                           p->jet->ctx);
    }
}
