#include "modular/chunks.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "modular/thresholds.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void darc_chunks_init(darc_chunks *f)
{
    memset(f, 0, sizeof *f);
}

void darc_chunks_clear(darc_chunks *f)
{
    darc_free(f->main);
    darc_free(f->first);
    darc_free(f->side);
    darc_free(f->coeff);
    darc_chunks_init(f);
}

static void push_term(darc_chunks *f, ulong side, ulong coeff)
{
    size_t alloc = f->term_alloc;
    f->side = darc_grow(f->side, (size_t)f->terms, &alloc, sizeof *f->side);
    f->coeff =
        darc_grow(f->coeff, (size_t)f->terms, &f->term_alloc, sizeof *f->coeff);
    f->side[f->terms] = side;
    f->coeff[f->terms++] = coeff;
    f->first[f->count] = f->terms;
}

static void push_block(darc_chunks *f, ulong main)
{
    size_t alloc = f->block_alloc;
    f->main = darc_grow(f->main, (size_t)f->count + 1, &alloc, sizeof *f->main);
    f->first = darc_grow(f->first, (size_t)f->count + 1, &f->block_alloc,
                         sizeof *f->first);
    f->main[f->count] = main;
    f->first[f->count++] = f->terms;
    f->first[f->count] = f->terms;
}

void darc_chunks_push(darc_chunks *f, ulong main, ulong side, ulong coeff)
{
    if (f->count == 0 || f->main[f->count - 1] != main)
        push_block(f, main);
    push_term(f, side, coeff);
}

/* ---- one block of a sum of products ------------------------------------- */

typedef struct {
    ulong side, lo, hi; /* hi*2^64 + lo is the coefficient; hi < n */
} cell;

typedef struct {
    size_t mask, used;
    cell *cell; /* side = EMPTY: free */
    nmod_t mod;
} table;

#define EMPTY UWORD_MAX
#define MULTIPLIER UWORD(0x9e3779b97f4a7c15)

static void table_alloc(table *t, size_t size)
{
    t->mask = size - 1;
    t->used = 0;
    t->cell = darc_malloc(size * sizeof *t->cell);
    for (size_t i = 0; i < size; i++)
        t->cell[i].side = EMPTY;
}

static inline cell *find(const table *t, ulong side)
{
    size_t i = (size_t)((side * MULTIPLIER) >> 20) & t->mask;
    while (t->cell[i].side != side && t->cell[i].side != EMPTY)
        i = (i + 1) & t->mask;
    return t->cell + i;
}

static void table_double(table *t)
{
    table old = *t;
    table_alloc(t, 2 * (old.mask + 1));
    for (size_t i = 0; i <= old.mask; i++)
        if (old.cell[i].side != EMPTY)
            *find(t, old.cell[i].side) = old.cell[i];
    t->used = old.used;
    darc_free(old.cell);
}

/* Add c times n terms, shifted by side, to the table. */
static void add_scaled(table *t, ulong c, ulong side, const ulong *sides,
                       const ulong *coeffs, slong n)
{
    if (2 * (t->used + (size_t)n) > t->mask)
        while (2 * (t->used + (size_t)n) > t->mask)
            table_double(t);
    for (slong i = 0; i < n; i++) {
        cell *e = find(t, side + sides[i]);
        ulong hi, lo;
        umul_ppmm(hi, lo, c, coeffs[i]);
        if (e->side == EMPTY) {
            *e = (cell){side + sides[i], lo, hi};
            t->used++;
            continue;
        }
        add_ssaaaa(e->hi, e->lo, e->hi, e->lo, hi, lo);
        if (e->hi >= t->mod.n)
            e->hi -= t->mod.n;
    }
}

static int by_side(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    return (x->side < y->side) - (x->side > y->side);
}

/* Append the table as one block and make it empty. */
static void flush(darc_chunks *f, ulong main, table *t)
{
    size_t n = 0;
    for (size_t i = 0; i <= t->mask; i++) {
        cell e = t->cell[i];
        t->cell[i].side = EMPTY;
        if (e.side == EMPTY)
            continue;
        NMOD2_RED2(e.lo, e.hi, e.lo, t->mod);
        if (e.lo != 0)
            t->cell[n++] = e;
    }
    qsort(t->cell, n, sizeof *t->cell, by_side);
    if (n > 0)
        push_block(f, main);
    for (size_t i = 0; i < n; i++) {
        push_term(f, t->cell[i].side, t->cell[i].lo);
        t->cell[i].side = EMPTY;
    }
    t->used = 0;
}

/* A pair of blocks whose product goes to the main word. */
typedef struct {
    ulong main;
    slong product, a, b;
} pair;

static int by_main(const void *x, const void *y)
{
    const pair *p = x, *q = y;
    if (p->main != q->main)
        return p->main < q->main ? 1 : -1;
    if (p->product != q->product)
        return p->product < q->product ? -1 : 1;
    return (p->a > q->a) - (p->a < q->a);
}

static pair *list_pairs(slong *pairs, const darc_product *p, slong count)
{
    slong n = 0;
    for (slong k = 0; k < count; k++)
        n += p[k].a->count * p[k].b->count;
    pair *list = darc_malloc(((size_t)n + 1) * sizeof *list);
    *pairs = 0;
    for (slong k = 0; k < count; k++)
        for (slong i = 0; i < p[k].a->count; i++)
            for (slong j = 0; j < p[k].b->count; j++)
                list[(*pairs)++] =
                    (pair){p[k].a->main[i] + p[k].b->main[j], k, i, j};
    qsort(list, (size_t)n, sizeof *list, by_main);
    return list;
}

static void add_pair(table *t, const darc_product *p, slong i, slong j)
{
    const darc_chunks *a = p->a, *b = p->b;
    slong na = a->first[i + 1] - a->first[i],
          nb = b->first[j + 1] - b->first[j];
    if (na > nb) {
        const darc_chunks *swap = a;
        a = b;
        b = swap;
        slong s = i;
        i = j;
        j = s;
        nb = na;
    }
    for (slong k = a->first[i]; k < a->first[i + 1]; k++) {
        ulong c = p->sign > 0 ? a->coeff[k] : t->mod.n - a->coeff[k];
        add_scaled(t, c, a->side[k], b->side + b->first[j],
                   b->coeff + b->first[j], nb);
    }
}

/* ---- the sum, block by block --------------------------------------------- */

typedef struct {
    darc_chunks *f;
    const darc_product *p;
    const pair *list;
    slong *first; /* pairs first[u] .. first[u+1] - 1 are unit u's; owned */
    size_t units;
    nmod_t mod;
} sum;

/* What a thread works in. */
typedef struct {
    const sum *s;
    table t;
    darc_chunks part;
} bench;

static double pair_work(const pair *q, const darc_product *p)
{
    const darc_chunks *a = p[q->product].a, *b = p[q->product].b;
    return (double)(a->first[q->a + 1] - a->first[q->a]) *
           (double)(b->first[q->b + 1] - b->first[q->b]);
}

/* Part the pairs into units that end where the main word changes. */
static void set_units(sum *s, slong pairs)
{
    double work = 0;
    s->first = darc_calloc((size_t)pairs + 2, sizeof *s->first);
    for (slong i = 0; i < pairs; i++) {
        bool last = i + 1 == pairs || s->list[i + 1].main != s->list[i].main;
        work += pair_work(s->list + i, s->p);
        if (!last || (work < DARC_UNIT_WORK && i + 1 < pairs))
            continue;
        s->first[++s->units] = i + 1;
        work = 0;
    }
}

static void *open_bench(void *user)
{
    bench *b = darc_calloc(1, sizeof *b);
    b->s = user;
    b->t.mod = b->s->mod;
    table_alloc(&b->t, 1 << 10);
    return b;
}

static void close_bench(void *state)
{
    bench *b = state;
    darc_free(b->t.cell);
    darc_chunks_clear(&b->part);
    darc_free(b);
}

static darc_status work_unit(void *state, size_t unit, darc_err *err)
{
    (void)err;
    bench *b = state;
    const pair *list = b->s->list;
    slong end = b->s->first[unit + 1];
    b->part.count = b->part.terms = 0;
    for (slong i = b->s->first[unit]; i < end; i++) {
        add_pair(&b->t, b->s->p + list[i].product, list[i].a, list[i].b);
        if (i + 1 == end || list[i + 1].main != list[i].main)
            flush(&b->part, list[i].main, &b->t);
    }
    return DARC_OK;
}

static void gather_unit(void *user, void *state, size_t unit)
{
    (void)unit;
    darc_chunks *f = ((sum *)user)->f;
    const darc_chunks *part = &((bench *)state)->part;
    for (slong k = 0; k < part->count; k++) {
        push_block(f, part->main[k]);
        for (slong t = part->first[k]; t < part->first[k + 1]; t++)
            push_term(f, part->side[t], part->coeff[t]);
    }
}

darc_status darc_chunks_sum(darc_chunks *f, const darc_product *p, slong count,
                            nmod_t mod, const darc_budget *budget,
                            darc_err *err)
{
    assert(mod.n < UWORD(1) << 62);
    slong pairs;
    pair *list = list_pairs(&pairs, p, count);
    sum s = {.f = f, .p = p, .list = list, .mod = mod};
    f->count = 0;
    f->terms = 0;
    set_units(&s, pairs);
    const darc_parallel job = {
        &s,         s.units,     darc_budget_threads(budget),
        open_bench, close_bench, work_unit,
        gather_unit};
    darc_status status = s.units == 0 ? darc_budget_check(budget, err)
                                      : darc_parallel_run(&job, budget, err);
    darc_free(s.first);
    darc_free(list);
    return status;
}
