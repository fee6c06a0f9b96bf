/* constant.c - a constant beside noise that is not white. */
#include "base/mem.h"
#include "stats/columns.h"
#include "stats/hac.h"
#include "stats/lanes.h"
#include "stats/ratio.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* The power of a random walk at frequency 0, n^2/3, over the mean of that at
 * the next three, n^2/(2 pi^2 k^2). */
#define DARC_CONSTANT_WALK 14.5

void darc_ratio_ask_constant(darc_ratio_test *out, const darc_ratio *r,
                             const double *constant)
{
    int n = r->columns + 1;
    size_t rows = (size_t)r->parts * r->n, all = (size_t)n * rows;
    *out = (darc_ratio_test){.p_value = 1};
    double *x, *e, *h, *v;
    DARC_CARVE({&x, (ptrdiff_t)all}, {&e, (ptrdiff_t)rows}, {&h, n * n},
               {&v, n * n});
    double norm = darc_ratio_rest(r, x, constant);
    memcpy(x + rows, r->x, (all - rows) * sizeof *x);
    memcpy(e, r->e, rows * sizeof *e);
    for (int k = 0; k < n; k++) {
        h[k * (n + 1)] = 1;
        double by = darc_lanes_dot(x + (size_t)k * rows, e, rows);
        darc_lanes_add(e, -by, x + (size_t)k * rows, rows);
        out->value = k == 0 ? by : out->value;
    }
    darc_hac_rows of = {x, e, h, n, r->parts, r->n};
    double dof = darc_hac(v, &of);
    v[0] *= DARC_CONSTANT_WALK;
    if (norm > 0 && v[0] > 0) {
        out->t2 = out->value * out->value / v[0];
        out->p_value = darc_stats_f_sf(out->t2, 1, dof);
        norm *= sqrt(darc_lanes_dot(constant, constant, rows));
        out->value /= norm;
        out->sd = sqrt(v[0]) / norm;
        out->left = darc_lanes_dot(e, e, rows) / (double)rows;
    }
    darc_free(x);
}
