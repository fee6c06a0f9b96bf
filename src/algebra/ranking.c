#include "algebra/ranking.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void darc_ranking_init(darc_ranking_t rk, int n)
{
    assert(n > 0);
    rk->unknowns = n;
    rk->block = darc_calloc((size_t)n, sizeof(int));
    rk->position = darc_calloc((size_t)n, sizeof(int));
    for (int u = 0; u < n; u++)
        rk->position[u] = u;
}

void darc_ranking_clear(darc_ranking_t rk)
{
    DARC_FREE(rk->block, rk->position);
    rk->block = rk->position = NULL;
}

void darc_ranking_set(darc_ranking_t rk, const darc_ranking_t other)
{
    if (rk == other)
        return;
    darc_ranking_clear(rk);
    darc_ranking_init(rk, other->unknowns);
    size_t size = (size_t)other->unknowns * sizeof *rk->block;
    memcpy(rk->block, other->block, size);
    memcpy(rk->position, other->position, size);
}

darc_status darc_ranking_set_blocks(darc_ranking_t rk, const int *block,
                                    darc_err *err)
{
    for (int u = 0; u < rk->unknowns; u++)
        if (block[u] < 0 || block[u] >= rk->unknowns)
            return darc_fail(err, DARC_DOMAIN, "unknown %d: no block %d", u,
                             block[u]);

    memcpy(rk->block, block, (size_t)rk->unknowns * sizeof *block);
    for (int u = 0; u < rk->unknowns; u++)
        rk->position[u] = u;
    return DARC_OK;
}

static const int default_block[] = {[DARC_STATE] = 0,
                                    [DARC_PARAMETER] = 1,
                                    [DARC_OUTPUT] = 2,
                                    [DARC_INPUT] = 3,
                                    [DARC_TIME] = 4};

void darc_ranking_set_default(darc_ranking_t rk, const darc_names_t names)
{
    assert(rk->unknowns == names->count);
    for (int u = 0; u < rk->unknowns; u++) {
        rk->block[u] = default_block[names->symbol[u].kind];
        rk->position[u] = u;
    }
}

/* The state of reading "x1 x2 >> m c >> y". */
typedef struct {
    const char *text, *at;
    int block, position;
    int *in_block, *in_position; /* per unknown; in_block -1: not named */
} reader;

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

static darc_status read_name(reader *r, const darc_names_t names, darc_err *err)
{
    const char *begin = r->at;
    while (is_name_char(*r->at))
        r->at++;
    int n = (int)(r->at - begin), column = (int)(begin - r->text) + 1;
    if (n == 0)
        return darc_fail(err, DARC_DOMAIN,
                         "column %d: expected a name or '>>' near '%.10s'",
                         column, begin);
    int u = darc_names_find(names, begin, (size_t)n);
    if (u < 0)
        return darc_fail(err, DARC_DOMAIN, "column %d: '%.*s' is not declared",
                         column, n, begin);
    if (r->in_block[u] >= 0)
        return darc_fail(err, DARC_DOMAIN, "column %d: '%.*s' stands twice",
                         column, n, begin);
    r->in_block[u] = r->block;
    r->in_position[u] = r->position++;
    return DARC_OK;
}

/* ranking -> block { '>>' block };  block -> name { [','] name } */
static darc_status read_blocks(reader *r, const darc_names_t names,
                               darc_err *err)
{
    for (;;) {
        bool ends = *r->at == '\0';
        if (!ends && strchr(" \t\r\n,", *r->at) != NULL) {
            r->at++;
            continue;
        }
        if (!ends && (r->at[0] != '>' || r->at[1] != '>')) {
            DARC_NEED(read_name(r, names, err));
            continue;
        }
        if (r->position == 0)
            return darc_fail(err, DARC_DOMAIN, "column %d: a block is empty",
                             (int)(r->at - r->text) + 1);
        r->block++;
        r->position = 0;
        if (ends)
            return DARC_OK;
        r->at += 2;
    }
}

darc_status darc_ranking_set_text(darc_ranking_t rk, const char *text,
                                  const darc_names_t names, darc_err *err)
{
    assert(rk->unknowns == names->count);
    darc_status status;
    int n = rk->unknowns;
    reader r = {text,
                text,
                0,
                0,
                darc_calloc((size_t)n, sizeof(int)),
                darc_calloc((size_t)n, sizeof(int))};
    DARC_FILL(r.in_block, n, -1);
    DARC_TRY(read_blocks(&r, names, err));

    for (int u = 0; u < n; u++) {
        bool named = r.in_block[u] >= 0;
        rk->block[u] = named ? r.in_block[u]
                             : r.block + default_block[names->symbol[u].kind];
        rk->position[u] = named ? r.in_position[u] : u;
    }
done:
    DARC_FREE(r.in_block, r.in_position);
    return status;
}

static int cmp_int(int a, int b)
{
    return (a > b) - (a < b);
}

int darc_ranking_cmp(darc_deriv a, darc_deriv b, const darc_ranking_t rk)
{
    assert(a.unknown < rk->unknowns && b.unknown < rk->unknowns);

    /* Number 0 is the highest block, and the highest unknown of its block. */
    int c = cmp_int(rk->block[b.unknown], rk->block[a.unknown]);
    c = c != 0 ? c : cmp_int(a.order, b.order);
    return c != 0 ? c
                  : cmp_int(rk->position[b.unknown], rk->position[a.unknown]);
}

darc_status darc_ranking_keep_lowest(darc_ranking_t rk, const bool *keep,
                                     darc_err *err)
{
    int n = rk->unknowns, blocks = 0;
    int *block = darc_calloc((size_t)n, sizeof *block);
    int *number = darc_calloc(2 * (size_t)n, sizeof *number);
    for (int u = 0; u < n; u++) {
        block[u] = rk->block[u] + (keep[u] ? n : 0);
        number[block[u]] = 1;
    }
    for (int b = 0; b < 2 * n; b++) {
        blocks += number[b]; /* those that are there, up to b */
        number[b] = blocks - 1;
    }
    for (int u = 0; u < n; u++)
        block[u] = number[block[u]];
    darc_status status = darc_ranking_set_blocks(rk, block, err);
    DARC_FREE(number, block);
    return status;
}
