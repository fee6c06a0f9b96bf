/* residual_series.c - series of residuals, in memory or in a temporary file. */
#include "base/mem.h"
#include "data/spool.h"
#include "pointwise/residual_inside.h"

#include <string.h>

enum { COLUMNS = 4, BAR = 2 };

static void list_columns(double ***column, darc_residual_series *s)
{
    column[0] = &s->time;
    column[1] = &s->value;
    column[BAR] = &s->bar;
    column[3] = &s->margin;
}

darc_status darc_residual_series_open(darc_residual_series *s, size_t n,
                                      bool spooled, darc_err *err)
{
    double **column[COLUMNS];
    *s = (darc_residual_series){.count = n};
    list_columns(column, s);
    if (spooled) {
        int c;
        darc_status status = darc_spool_new(&s->spool, 0, err);
        if (status != DARC_OK)
            return status;
        darc_spool_reserve(s->spool, n);
        for (int i = 0; i < COLUMNS; i++)
            darc_spool_widen(s->spool, &c);
        return DARC_OK;
    }
    for (int i = 0; i < COLUMNS; i++)
        *column[i] = darc_calloc(n, sizeof **column[i]);
    return DARC_OK;
}

darc_status darc_residual_series_put(darc_residual_series *s, size_t at,
                                     darc_residual_series *part, size_t n,
                                     darc_err *err)
{
    double **to[COLUMNS], **from[COLUMNS];
    darc_status status = DARC_OK;
    list_columns(to, s);
    list_columns(from, part);
    for (int c = 0; c < COLUMNS && status == DARC_OK; c++)
        if (s->spool != NULL)
            status = darc_spool_put(s->spool, c, at, *from[c], n, err);
        else
            memcpy(*to[c] + at, *from[c], n * sizeof(double));
    return status;
}

/* Add to n bars from `at` on. */
static darc_status raise_bars(darc_residual_series *s, size_t at, size_t n,
                              double by, darc_err *err)
{
    double bar[DARC_BLOCK];
    for (size_t t = 0; t < n && s->spool == NULL; t++)
        s->bar[at + t] += by;
    for (size_t t = 0, m; t < n && s->spool != NULL; t += m) {
        m = n - t < DARC_BLOCK ? n - t : DARC_BLOCK;
        for (size_t i = 0; i < m; i++)
            bar[i] = s->bar[at + t + i] + by;
        darc_status status = darc_spool_put(s->spool, BAR, at + t, bar, m, err);
        if (status != DARC_OK)
            return status;
    }
    return DARC_OK;
}

darc_status darc_residual_series_close(darc_residual_series *s,
                                       const darc_blocks *blocks,
                                       double truncation, darc_err *err)
{
    darc_status status = DARC_OK;
    double **column[COLUMNS];
    list_columns(column, s);
    for (int c = 0; c < COLUMNS && s->spool != NULL; c++)
        DARC_TRY(darc_spool_map_column(s->spool, c, column[c], err));
    for (size_t i = 0; i < blocks->runs; i++) {
        const darc_block *b = &blocks->run[i].all;
        if (!b->inner)
            DARC_TRY(raise_bars(s, b->at, b->n, truncation, err));
    }
    darc_residual_series_done(s, 0, s->count);
done:
    return status;
}

void darc_residual_series_clear(darc_residual_series *s)
{
    double **column[COLUMNS];
    list_columns(column, s);
    for (int c = 0; c < COLUMNS && s->spool == NULL; c++)
        darc_free(*column[c]);
    darc_spool_free(s->spool);
    *s = (darc_residual_series){0};
}

void darc_residual_series_done(const darc_residual_series *s, size_t begin,
                               size_t end)
{
    if (s->spool != NULL)
        darc_spool_done(s->spool, begin, end);
}
