/* covariance.c - V(c) = A A', in bands. */
#include "weak/piece.h"

#include "base/mem.h"
#include "stats/lanes.h"

#include <string.h>

/* The rows of A for the last few test functions, in a ring: row k*equations +
 * q at place (k % functions)*equations + q. */
typedef struct {
    int width, functions;
    int from, reach; /* values that are not 0, of a row */
    double *row;
} ring;

static double *row_of(const darc_weak_work *work, const ring *r, int k, int q)
{
    int place = (k % r->functions) * work->weak->equations + q;
    return r->row + (size_t)place * (size_t)r->width;
}

/* Add the products of row (k, q) with itself and the rows before it. */
static void add_products(darc_weak_work *work, const ring *r, int k, int q)
{
    int n = work->weak->equations, row = k * n + q;
    const double *a = row_of(work, r, k, q) + r->from;
    for (int j = 0; j < r->functions && j <= k; j++) {
        int by = darc_weak_window_of(work, k).first -
                 darc_weak_window_of(work, k - j).first;
        for (int p = 0; p < n && (j > 0 || p <= q) && by < r->reach; p++) {
            int other = (k - j) * n + p;
            if (row - other > work->band)
                continue;
            const double *b = row_of(work, r, k - j, p) + r->from + by;
            work->ab[(size_t)other * (size_t)(work->band + 1) +
                     (size_t)(row - other)] +=
                darc_lanes_dot(a, b, (size_t)(r->reach - by));
        }
    }
}

static void add_channel(darc_weak_work *work, int channel)
{
    const darc_weak *weak = work->weak;
    darc_weak_reach own = {0, 0};
    if (channel < weak->channels)
        own = weak->reach[channel];
    ring r = {.from = weak->left - own.left,
              .reach = weak->wide + own.left + own.right,
              .width = weak->wide + weak->left + weak->right,
              .functions = (work->band + 1) / weak->equations + 1};
    r.row = darc_calloc((size_t)(r.width * r.functions * weak->equations),
                        sizeof *r.row);
    for (int k = 0; k < work->functions; k++)
        for (int q = 0; q < weak->equations; q++) {
            darc_weak_row(work, channel, k, q, row_of(work, &r, k, q));
            add_products(work, &r, k, q);
        }
    darc_free(r.row);
}

void darc_weak_covariance(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)(work->band + 1) * (size_t)work->rows;
    if (work->ab == NULL) {
        size_t most = (size_t)darc_weak_most_functions(weak);
        work->ab = darc_calloc((size_t)(work->band + 1) * most *
                                   (size_t)weak->equations,
                               sizeof *work->ab);
    }
    memset(work->ab, 0, n * sizeof *work->ab);
    for (int c = 0; c < darc_weak_channels(weak); c++)
        add_channel(work, c);
}
