#include "pointwise/runs.h"

#include "base/mem.h"

#include <assert.h>
#include <stdint.h>

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
static bool settle(walk *w)
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

void darc_blocks_init(darc_blocks *b, const darc_table *const *tables,
                      int recordings, const size_t *half, const size_t *wide)
{
    assert(recordings == 1 || recordings == 2);
    *b = (darc_blocks){0};
    walk w[2] = {{0}, {0}};
    for (int a = 0; a < recordings; a++)
        w[a] = (walk){tables[a], half[a], wide[a], 0, 0};
    while (settle(w) && (recordings == 1 || settle(w + 1))) {
        darc_block block = {.n = SIZE_MAX, .at = b->used, .inner = true};
        for (int a = 0; a < recordings; a++) {
            block.start[a] = w[a].next;
            block.n = least(block.n, ahead(w + a));
            block.inner = block.inner && is_inner(w + a);
        }
        for (int a = 0; a < recordings; a++)
            w[a].next += block.n;
        b->run = darc_grow(b->run, b->runs, &b->alloc, sizeof *b->run);
        b->run[b->runs++] = (darc_run_of_blocks){block, b->count};
        b->count += (block.n + DARC_BLOCK - 1) / DARC_BLOCK;
        b->used += block.n;
        b->inner += block.inner ? block.n : 0;
    }
}

darc_block darc_blocks_at(const darc_blocks *b, size_t i)
{
    size_t low = 0, high = b->runs; /* the run lies in low .. high - 1 */
    assert(i < b->count);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (b->run[middle].first <= i)
            low = middle;
        else
            high = middle;
    }
    darc_block block = b->run[low].all;
    size_t off = (i - b->run[low].first) * DARC_BLOCK;
    block.start[0] += off;
    block.start[1] += off;
    block.at += off;
    block.n = least(block.n - off, DARC_BLOCK);
    return block;
}

void darc_blocks_clear(darc_blocks *b)
{
    darc_free(b->run);
    *b = (darc_blocks){0};
}
