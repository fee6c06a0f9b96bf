#include "fit/metric.h"

#include "base/mem.h"
#include "fit/thresholds.h"
#include "stats/columns.h"
#include "stats/lanes.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Sums over functions of moments and their squares: of coefficients, and of
 * groups with and without their derivative. */
typedef struct {
    double count;
    double *sum, *square;    /* by coefficient */
    double *derived, *plain; /* squares, by group */
    double *derived_sum, *plain_sum;
} columns;

static void add_up(double *sum, double *square, const double *x, int n,
                   int stride)
{
    for (int k = 0; k < n; k++) {
        *sum += x[k * stride];
        *square += x[k * stride] * x[k * stride];
    }
}

/* Add the moments of a group under its derivative and under none. */
static void add_group(columns *s, darc_weak_work *work, int g, double *room)
{
    const darc_weak_group *group = work->weak->group + g;
    int e = work->weak->equations, n = work->functions;
    if (group->order == 0)
        return;
    darc_laurent_eval(work->scratch, &group->g, work->x, (size_t)work->samples);
    for (int d = 0; d <= group->order; d += group->order) {
        memset(room, 0, (size_t)(n * e) * sizeof *room);
        darc_weak_project(work, room, darc_weak_shape(work->weak, group, d),
                          work->scratch);
        add_up(d > 0 ? s->derived_sum + g : s->plain_sum + g,
               d > 0 ? s->derived + g : s->plain + g, room, n, e);
    }
}

static void sum_columns(columns *s, const darc_weak *weak)
{
    darc_weak_work *work = darc_weak_work_new(weak);
    int most = darc_weak_most_functions(weak);
    double *room = darc_calloc((size_t)(most * weak->equations), sizeof *room);
    int every =
        darc_weak_stride(weak, (int)ceil(weak->pieces / DARC_METRIC_PIECES));
    for (int p = 0; p < weak->pieces; p += every) {
        darc_weak_load(work, p);
        s->count += work->functions;
        for (int q = 0; q < weak->equations; q++)
            for (int j = weak->first[q]; j < weak->first[q + 1]; j++)
                add_up(s->sum + j, s->square + j,
                       work->w + (size_t)j * (size_t)work->rows + q,
                       work->functions, weak->equations);
        for (int g = 0; g < weak->groups; g++)
            add_group(s, work, g, room);
    }
    darc_free(room);
    darc_weak_work_free(work);
}

/* Mean square, about the mean where that is taken up by an offset. */
static double size2(const columns *s, double square, double sum, bool offset)
{
    double mean = offset ? sum / s->count : 0;
    return fmax(0, square / s->count - mean * mean);
}

/* The frequency at which the signals of equation q live, about their means: a
 * temperature in K has that of one in degC.  An offset takes up the slope of
 * what runs away, too. */
static double find_omega(const columns *s, const darc_weak *weak, int q,
                         bool offset)
{
    double omega = 0;
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        if (group->equation != q || group->order == 0)
            continue;
        double plain = size2(s, s->plain[g], s->plain_sum[g], true);
        double derived = size2(s, s->derived[g], s->derived_sum[g], offset);
        if (plain > 0)
            omega = fmax(omega, pow(derived / plain, 0.5 / group->order));
    }
    return omega;
}

static void set_equation(darc_metric *metric, const columns *s,
                         const darc_weak *weak, const double *c, int q,
                         int offset)
{
    double *lag = metric->lag + q * (metric->lags + 1);
    double omega = find_omega(s, weak, q, offset >= 0);
    double moving = 0, whole = 0;
    metric->omega[q] = omega;
    for (int j = weak->first[q]; j < weak->first[q + 1]; j++) {
        int order = 0; /* the highest under which the coefficient stands */
        for (int g = 0; g < weak->groups; g++)
            if (weak->group[g].coeff == j && weak->group[g].order > order)
                order = weak->group[g].order;
        double a2 =
            c[j] * c[j] * size2(s, s->square[j], s->sum[j], offset >= 0);
        if (j == offset || !(a2 > 0))
            continue;
        whole = fmax(whole, a2);
        moving =
            fmax(moving, c[j] * c[j] * size2(s, s->square[j], s->sum[j], true));
        const double *phi = weak->phi[order];
        a2 /= pow(omega > 0 ? omega : 1, 2 * order);
        for (int m = 0; m <= weak->degree; m++) {
            int by = m * weak->step;
            lag[m] += a2 * darc_lanes_dot(phi + by, phi,
                                          (size_t)(weak->support + 1 - by));
        }
    }
    metric->moving[q] = whole > 0 ? sqrt(moving / whole) : 1;
    lag[0] *= 1 + DARC_METRIC_RIDGE;
}

void darc_metric_init(darc_metric *m, const darc_weak *weak, const double *c,
                      const int *offset)
{
    columns s = {0};
    int j = weak->coeffs, g = weak->groups;
    DARC_CARVE({&s.sum, j}, {&s.square, j}, {&s.derived, g}, {&s.plain, g},
               {&s.derived_sum, g}, {&s.plain_sum, g});
    *m = (darc_metric){.equations = weak->equations, .lags = weak->degree};
    DARC_CARVE({&m->lag, m->equations * (m->lags + 1)},
               {&m->omega, m->equations}, {&m->moving, m->equations},
               {&m->origin, j});
    sum_columns(&s, weak);
    m->offset = darc_calloc((size_t)m->equations, sizeof *m->offset);
    memcpy(m->offset, offset, (size_t)m->equations * sizeof *offset);
    for (int q = 0; q < weak->equations; q++) {
        set_equation(m, &s, weak, c, q, offset[q]);
        for (int i = weak->first[q]; i < weak->first[q + 1]; i++)
            if (offset[q] >= 0 && i != offset[q])
                m->origin[i] = s.sum[i] / s.sum[offset[q]];
    }
    darc_free(s.sum);
}

void darc_metric_clear(darc_metric *m)
{
    DARC_FREE(m->lag, m->offset);
    *m = (darc_metric){0};
}

void darc_metric_add(double *ab, int band, int rows, const darc_metric *m,
                     const double *rho)
{
    int e = m->equations;
    for (int r = 0; r < rows; r++) {
        int q = r % e;
        const double *lag = m->lag + q * (m->lags + 1);
        for (int i = 0; i <= m->lags && i * e <= band && r + i * e < rows; i++)
            ab[(size_t)r * (size_t)(band + 1) + (size_t)(i * e)] +=
                rho[q] * rho[q] * lag[i];
    }
}

bool darc_metric_factor(double *factor, const darc_metric *m, int q,
                        int functions)
{
    int rows = m->lags + 1;
    memset(factor, 0, (size_t)rows * (size_t)functions * sizeof *factor);
    for (int k = 0; k < functions; k++)
        for (int i = 0; i < rows && k + i < functions; i++)
            factor[(size_t)k * (size_t)rows + (size_t)i] = m->lag[q * rows + i];
    return LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', functions, m->lags, factor,
                          rows) == 0;
}
