#include "noise/differences.h"

#include "stats/lanes.h"
#include "stats/stencil.h"

#include <string.h>

enum { BLOCK = 2048, DONE = 1 << 16 };

DARC_EVERY_WIDTH static void difference(double *d, size_t n)
{
    for (size_t i = 0; i < n; i++)
        d[i] = d[i + 1] - d[i];
}

void darc_differences_add(double *sum, const double *y, size_t n, size_t starts,
                          const darc_table *table, size_t begin)
{
    enum { ORDERS = DARC_DIFFERENCES_MAX };
    double d[BLOCK + ORDERS];
    for (size_t at = 0; at < starts; at += BLOCK) {
        size_t have = n - at, most = BLOCK + ORDERS;
        size_t here = starts - at < BLOCK ? starts - at : BLOCK;
        have = have < most ? have : most;
        memcpy(d, y + at, have * sizeof *d);
        for (int p = 1; p <= ORDERS && (size_t)p < have; p++) {
            size_t left = have - (size_t)p;
            difference(d, left);
            left = left < here ? left : here;
            sum[p] += darc_lanes_dot(d, d, left);
        }
        if (table != NULL && ((at + BLOCK) % DONE == 0 || at + BLOCK >= starts))
            darc_table_done(table, begin + at / DONE * DONE, begin + at + have);
    }
}
