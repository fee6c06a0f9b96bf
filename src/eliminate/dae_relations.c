#include "eliminate/dae_relations.h"

#include "base/mem.h"

#include <stdlib.h>

static bool is_output(const darc_dae_relations *w, int j)
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
static slong lay_columns(shown *list, slong *column,
                         const darc_dae_relations *w,
                         const darc_ranking_struct *ranking)
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
            list[n] =
                (shown){{w->m.as[w->x->unknown[j]], k}, o, hidden + n, ranking};
    }
    qsort(list, (size_t)n, sizeof *list, highest_first);
    return hidden;
}

/* Set b to the gradients, states first, then derivatives of outputs, the
 * highest first, then by which equations. */
static void set_gradients(nmod_mat_t b, const shown *list, const slong *column,
                          slong hidden, const darc_dae_relations *w,
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

darc_deriv darc_dae_relations_leader(const darc_dae_relations *w, int o)
{
    return (darc_deriv){w->x->unknown[w->of[o].j], w->of[o].order};
}

/* The gradients in echelon form. */
typedef struct {
    nmod_mat_struct *b;
    slong known; /* columns before those that say by which equations */
    slong *row;  /* of output o; owned */
    nmod_t mod;
} echelon;

/* Return how many equations make row i plus c times row k. */
static slong count_equations(const echelon *e, slong i, ulong c, slong k)
{
    slong count = 0;
    for (slong r = e->known; r < e->b->c; r++)
        count += nmod_add(nmod_mat_entry(e->b, i, r),
                          nmod_mul(c, nmod_mat_entry(e->b, k, r), e->mod),
                          e->mod) != 0;
    return count;
}

/* Add a multiple of the row of output k to that of output o, so that the lower
 * leader of k stays, where fewer equations make it; return whether they do. */
static bool thin_out(const echelon *e, int o, int k)
{
    slong i = e->row[o], j = e->row[k], least = count_equations(e, i, 0, j);
    ulong best = 0;
    for (slong r = e->known; r < e->b->c; r++) {
        ulong a = nmod_mat_entry(e->b, i, r), b = nmod_mat_entry(e->b, j, r);
        if (a == 0 || b == 0)
            continue;
        ulong c = nmod_neg(nmod_div(a, b, e->mod), e->mod);
        slong count = count_equations(e, i, c, j);
        best = count < least ? c : best;
        least = FLINT_MIN(count, least);
    }
    for (slong r = 0; r < e->b->c && best != 0; r++)
        nmod_mat_entry(e->b, i, r) = nmod_add(
            nmod_mat_entry(e->b, i, r),
            nmod_mul(best, nmod_mat_entry(e->b, j, r), e->mod), e->mod);
    return best != 0;
}

static void read_row(bool *makes, const echelon *e, int o)
{
    for (slong r = e->known; r < e->b->c; r++)
        makes[r - e->known] = nmod_mat_entry(e->b, e->row[o], r) != 0;
}

/* Say which equations make the relations, the lowest leader first: where others
 * stay in a relation it is linear as a rule, and its own leader goes from those
 * that follow. */
static void read_rows(darc_dae_relations *w, const echelon *e)
{
    bool *read = darc_calloc((size_t)w->outputs + 1, sizeof *read);
    bool *stays = darc_calloc((size_t)w->outputs + 1, sizeof *stays);
    for (int n = 0; n < w->outputs; n++) {
        int o = -1;
        for (int k = 0; k < w->outputs; k++)
            if (!read[k] && (o < 0 || w->of[k].place > w->of[o].place))
                o = k;
        read_row(w->of[o].alone, e, o);
        stays[o] = true;
        for (int k = 0; k < w->outputs; k++) {
            w->of[o].with[k] = read[k] && stays[k] && thin_out(e, o, k);
            stays[o] = stays[o] && !w->of[o].with[k];
        }
        read[o] = true;
        read_row(w->of[o].makes, e, o);
    }
    DARC_FREE(read, stays);
}

darc_status darc_dae_relations_find(darc_dae_relations *w,
                                    const darc_ranking_struct *ranking,
                                    const darc_solution_t s, darc_err *err)
{
    const darc_dae_struct *x = w->x;
    size_t most = (size_t)(x->count * (w->last - x->first + 1));
    slong *column = darc_calloc((size_t)x->count + 1, sizeof *column);
    shown *list = darc_calloc(most + 1, sizeof *list);
    slong hidden = lay_columns(list, column, w, ranking), known = hidden;
    for (int o = 0; o < w->outputs; o++)
        known += w->last + x->highest[w->of[o].j] + 1;
    nmod_mat_t b;
    nmod_mat_init(b, w->rows, known + w->rows, s->mod.n);
    set_gradients(b, list, column, hidden, w, s);
    echelon e = {.b = b, .known = known, .mod = s->mod};
    e.row = darc_calloc((size_t)w->outputs + 1, sizeof *e.row);
    slong rank = nmod_mat_rref(b), found = 0;
    for (slong i = 0, c = 0; i < rank; i++) {
        while (nmod_mat_entry(b, i, c) == 0)
            c++;
        if (c < hidden || c >= known)
            continue;
        int o = list[c - hidden].o;
        found += w->of[o].order < 0;
        w->of[o].order = list[c - hidden].d.order; /* ever lower ones */
        e.row[o] = i;
        w->of[o].place = c;
    }
    if (found == w->outputs)
        read_rows(w, &e);
    nmod_mat_clear(b);
    DARC_FREE(list, column, e.row);
    return found == w->outputs ? DARC_OK
                               : darc_fail(err, DARC_DOMAIN,
                                           "an output is bound by no equation");
}

darc_status darc_dae_relations_init(darc_dae_relations *w,
                                    const darc_model *model, flint_rand_t rand,
                                    darc_err *err)
{
    *w = (darc_dae_relations){.outputs = 0};
    DARC_NEED(darc_mechanism_init(&w->m, model, rand, err));
    const darc_dae_struct *x = w->x = w->m.x;
    w->last = x->free > 0 ? x->free : 0;
    w->rows = darc_mechanism_rows(&w->m, w->last);
    w->of = darc_calloc((size_t)x->count + 1, sizeof *w->of);
    for (int j = 0; j < x->count; j++) {
        if (!is_output(w, j))
            continue;
        darc_dae_relation *of = w->of + w->outputs++;
        *of = (darc_dae_relation){.j = j, .order = -1};
        DARC_CALLOC((size_t)w->rows, of->makes, of->alone);
        of->with = darc_calloc((size_t)x->count, sizeof *of->with);
    }
    return DARC_OK;
}

void darc_dae_relations_clear(darc_dae_relations *w)
{
    for (int o = 0; o < w->outputs; o++) {
        DARC_FREE(w->of[o].makes, w->of[o].alone, w->of[o].with);
        if (w->of[o].image.n > 0)
            darc_residues_clear(&w->of[o].image);
    }
    darc_free(w->of);
    darc_mechanism_clear(&w->m);
}
