#include "pointwise/residual_inside.h"

#include "base/mem.h"
#include "stats/columns.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* A walk through the samples of one recording that are used. */
typedef struct {
    const darc_table *table;
    size_t half, wide;
    int segment;
    size_t next; /* sample; valid while segment < segments */
} walk;

static size_t stop_of(const walk *w)
{
    return w->table->segment[w->segment].end - w->half;
}

/* Go to the first segment from here on that has samples left. */
static bool settle_segment(walk *w)
{
    for (; w->segment < w->table->segments; w->segment++) {
        const darc_segment *s = w->table->segment + w->segment;
        if (w->next < s->begin + w->half)
            w->next = s->begin + w->half;
        if (s->end > w->half && w->next < stop_of(w))
            return true;
    }
    return false;
}

static bool is_inner(const walk *w)
{
    const darc_segment *s = w->table->segment + w->segment;
    return w->next >= s->begin + w->wide && w->next + w->wide < s->end;
}

/* Samples ahead that are all inner, or all not. */
static size_t ahead(const walk *w)
{
    const darc_segment *s = w->table->segment + w->segment;
    size_t stop = stop_of(w);
    if (is_inner(w))
        stop = s->end - w->wide;
    else if (w->next < s->begin + w->wide && stop > s->begin + w->wide)
        stop = s->begin + w->wide;
    return stop - w->next;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Set b to the samples that stay `half[a]` away from the ends of segments of
 * tables[a], inner from `wide[a]` >= half[a] on; those of two recordings are
 * paired in order. */
static void init_blocks(darc_blocks *b, const darc_table *const *tables,
                        int recordings, const size_t *half, const size_t *wide)
{
    *b = (darc_blocks){0};
    walk w[2] = {{0}, {0}};
    assert(recordings > 0);
    for (int a = 0; a < recordings; a++)
        w[a] = (walk){tables[a], half[a], wide[a], 0, 0};
    while (settle_segment(w) && (recordings == 1 || settle_segment(w + 1))) {
        darc_block block = {.n = SIZE_MAX, .at = b->used, .inner = true};
        for (int a = 0; a < recordings; a++) {
            block.start[a] = w[a].next;
            block.n = least(block.n, ahead(w + a));
            block.inner = block.inner && is_inner(w + a);
        }
        for (int a = 0; a < recordings; a++)
            w[a].next += block.n;
        DARC_APPEND(b->run, b->runs, (darc_run_of_blocks){block, b->count});
        b->count += (block.n + DARC_BLOCK - 1) / DARC_BLOCK;
        b->used += block.n;
        b->inner += block.inner ? block.n : 0;
    }
}

darc_block darc_blocks_at(const darc_blocks *b, size_t i)
{
    size_t low = 0, high = b->runs; /* the run lies in low .. high - 1 */
    assert(i < b->count);
    DARC_BISECT(size_t, low, high, k, b->run[k].first <= i)
    darc_block block = b->run[low].all;
    size_t off = (i - b->run[low].first) * DARC_BLOCK;
    block.start[0] += off;
    block.start[1] += off;
    block.at += off;
    block.n = least(block.n - off, DARC_BLOCK);
    return block;
}

/* Return the column of the signal that unknown u of the jet stands for: with
 * two recordings its name ends in A, B, A_ or B_. */
static int find_column(const darc_relation *relation, const darc_table *table,
                       int u)
{
    const char *name = relation->jet->names->symbol[u].name;
    size_t n = strlen(name);
    if (relation->recordings == 2)
        n -= name[n - 1] == '_' ? 2 : 1;
    for (int c = 0; c < table->signals; c++)
        if (strlen(table->signal[c].name) == n &&
            strncmp(table->signal[c].name, name, n) == 0)
            return c;
    return -1;
}

static darc_status find_data_columns(darc_residual *r, darc_err *err)
{
    const darc_relation *relation = r->relation;
    for (int s = 0; s < r->f.slots; s++) {
        int u = r->f.deriv[s].unknown, a = relation->recording[u];
        const darc_symbol *symbol = relation->jet->names->symbol + u;
        if (symbol->kind == DARC_TIME) {
            r->column[u] = r->table[a]->time;
            continue;
        }
        r->index[u] = find_column(relation, r->table[a], u);
        if (r->index[u] < 0)
            return darc_fail(err, DARC_DATA,
                             "%s: no signal for '%s' of the relation",
                             r->table[a]->file, symbol->name);
        r->column[u] = r->table[a]->signal[r->index[u]].value;
    }
    return DARC_OK;
}

/* Highest derivative of recording a. */
static int highest_order(const darc_residual *r, int a)
{
    int order = 0;
    for (int s = 0; s < r->f.slots; s++)
        if (r->relation->recording[r->f.deriv[s].unknown] == a &&
            r->f.deriv[s].order > order)
            order = r->f.deriv[s].order;
    return order;
}

/* Rungs of the ladder; a finer rung has the wider stencil. */
static darc_status make_formulas(darc_residual *r, const darc_diff_spec *spec,
                                 size_t *half, size_t *wide, darc_err *err)
{
    for (int a = 0; a < r->relation->recordings; a++) {
        darc_diff_spec rung = *spec;
        int orders = highest_order(r, a);
        for (int k = 0; k < DARC_RUNGS; k++) {
            DARC_NEED(darc_differ_new(&r->differ[a][k], &rung, orders,
                                      r->table[a], err));
            rung = darc_diff_spec_finer(&rung);
        }
        for (int k = 1; k <= orders; k++) {
            size_t h = (size_t)darc_differ_half(r->differ[a][0], k);
            size_t w =
                (size_t)darc_differ_half(r->differ[a][DARC_RUNGS - 1], k);
            half[a] = h > half[a] ? h : half[a];
            wide[a] = w > wide[a] ? w : wide[a];
        }
        r->half = (int)wide[a] > r->half ? (int)wide[a] : r->half;
    }
    return DARC_OK;
}

static darc_status make_blocks(darc_residual *r, const darc_diff_spec *spec,
                               darc_err *err)
{
    size_t half[2] = {0, 0}, wide[2] = {0, 0};
    DARC_NEED(make_formulas(r, spec, half, wide, err));
    init_blocks(&r->blocks, r->table, r->relation->recordings, half, wide);
    if (r->blocks.used > 0)
        return DARC_OK;
    size_t need = half[0] > half[1] ? half[0] : half[1];
    return darc_fail(err, DARC_DATA,
                     "%s: no stretch without a gap holds the %zu samples that "
                     "the derivatives of the relation need",
                     r->table[0]->file, 2 * need + 1);
}

darc_status darc_residual_new(darc_residual **residual,
                              const darc_relation *relation,
                              const darc_table *const *tables,
                              const darc_diff_spec *spec, darc_err *err)
{
    darc_residual *r = darc_calloc(1, sizeof *r);
    size_t n = (size_t)relation->jet->names->count;
    r->relation = relation;
    for (int a = 0; a < relation->recordings; a++)
        r->table[a] = tables[a];
    r->unknowns = (int)n;
    DARC_CALLOC(n, r->column, r->index);
    DARC_CARVE({&r->noise, (ptrdiff_t)n}, {&r->least, (ptrdiff_t)n});
    DARC_FILL(r->index, n, -1);
    darc_functions_init(&r->f, relation);
    while (r->lead < r->f.slots - 1 && r->f.slope[r->lead] < 0)
        r->lead++;
    darc_status status = find_data_columns(r, err);
    DARC_THEN(make_blocks(r, spec, err));
    if (status != DARC_OK) {
        darc_residual_free(r);
        r = NULL;
    }
    *residual = r;
    return status;
}

void darc_residual_free(darc_residual *residual)
{
    if (residual == NULL)
        return;
    for (int a = 0; a < 2; a++)
        DARC_ALL_OF(darc_differ_free, residual->differ[a], DARC_RUNGS);
    darc_free(residual->blocks.run);
    darc_functions_clear(&residual->f);
    DARC_FREE(residual->column, residual->index, residual->noise, residual);
}

int darc_residual_functions(const darc_residual *residual)
{
    return residual->f.count;
}

int darc_residual_column(const darc_residual *residual, int w)
{
    assert(w >= 0 && w < residual->unknowns);
    return residual->index[w];
}

double darc_residual_degree(const darc_residual *residual)
{
    return residual->f.degree;
}

void darc_residual_set_noise(darc_residual *residual, int w, double sd,
                             double least)
{
    assert(w >= 0 && w < residual->unknowns && least >= 0 && sd >= least);
    if (residual->index[w] >= 0) {
        residual->noise[w] = sd;
        residual->least[w] = least;
    }
}

void darc_residual_summarise(darc_residual_summary *s,
                             const darc_residual_errors *e)
{
    DARC_SAME(s, e, rms, max);
    s->relative_rms = e->size > 0 ? e->rms / e->size : 0;
    s->used = e->used;
}
