#include "stats/columns.h"

#include "base/mem.h"

double **darc_columns_new(size_t count, size_t n)
{
    double **columns = darc_calloc(count + 1, sizeof *columns);
    columns[0] = darc_calloc(count * n, sizeof **columns);
    for (size_t i = 1; i < count; i++)
        columns[i] = columns[0] + i * n;
    return columns;
}

void darc_carve(const darc_share *share, size_t count)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += (size_t)share[i].n;
    double *at = darc_calloc(all, sizeof *at);
    for (size_t i = 0; i < count; at += share[i++].n)
        *share[i].at = at;
}

void darc_columns_free(double **columns)
{
    if (columns != NULL)
        DARC_FREE(columns[0], columns);
}
