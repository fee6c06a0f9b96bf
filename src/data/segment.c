#include "data/table.h"

#include "base/mem.h"

#include <assert.h>

void darc_table_new_segment(darc_table *table, size_t begin, size_t end)
{
    table->segment = darc_grow(table->segment, (size_t)table->segments,
                               &table->segment_alloc, sizeof *table->segment);
    table->segment[table->segments++] = (darc_segment){begin, end};
}

void darc_table_add_segment(darc_table *table, size_t begin, size_t end)
{
    int n = table->segments;
    if (n > 0 && table->segment[n - 1].end == begin)
        table->segment[n - 1].end = end;
    else
        darc_table_new_segment(table, begin, end);
}

double darc_table_time(const darc_table *table, size_t i)
{
    assert(i < table->samples);
    return table->time != NULL ? table->time[i]
                               : table->t0 + (double)i * table->dt;
}

darc_segment darc_table_longest(const darc_table *table)
{
    darc_segment best = {0, 0};
    for (int i = 0; i < table->segments; i++)
        if (table->segment[i].end - table->segment[i].begin >
            best.end - best.begin)
            best = table->segment[i];
    return best;
}
