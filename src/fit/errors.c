#include "fit/errors.h"

#include "base/mem.h"
#include "fit/sums.h"
#include "fit/thresholds.h"
#include "stats/columns.h"
#include "stats/hac.h"
#include "stats/lanes.h"
#include "stats/ratio.h"
#include "stats/sandwich.h"

#include <math.h>
#include <string.h>

/* What is left and its regressors. */
typedef struct {
    const darc_weak *weak;
    darc_gls *fit;
    int free, *index; /* coefficients; owned */
    size_t rows;
    double *all;          /* residual and all columns, whitened; owned */
    double *x;            /* free columns; less their noise; owned */
    double *h, *j, *step; /* of the free ones */
    double *info, *score; /* of all coefficients */
    bool is_uneven;
    double *uneven; /* their covariance where noise is not even */
} errors;

static void open_errors(errors *s, darc_gls *fit, const darc_weak *weak)
{
    int n = fit->coeffs;
    *s = (errors){.weak = weak,
                  .fit = fit,
                  .rows = weak->functions * (size_t)weak->equations};
    s->index = darc_calloc((size_t)n + 1, sizeof *s->index);
    for (int i = 0; i < n; i++)
        if (fit->free[i])
            s->index[s->free++] = i;
    ptrdiff_t rows = (ptrdiff_t)s->rows;
    int m = s->free;
    DARC_CARVE({&s->all, rows * (n + 1)}, {&s->x, rows * (m + 1)},
               {&s->h, m * m}, {&s->j, m * m}, {&s->step, m + 1},
               {&s->info, n * n}, {&s->score, n * n}, {&s->uneven, n * n});
}

/* Whiten at the coefficients as if noise were white. */
static darc_status whiten(errors *s, const darc_budget *budget, darc_err *err)
{
    darc_point at = {.weak = s->weak, .c = s->fit->c, .white = s->all};
    darc_effort effort = {.every = 1, .draw_every = 1};
    darc_sums sums;
    darc_sums_init(&sums, s->weak);
    darc_status status = darc_sums_pass(&sums, &at, &effort, budget, err);
    darc_sums_clear(&sums);
    for (int k = 0; k < s->free; k++)
        memcpy(s->x + (size_t)k * s->rows,
               s->all + (size_t)(s->index[k] + 1) * s->rows,
               s->rows * sizeof *s->x);
    return status;
}

/* Take the noise off the columns; set their products, and what they lead to. */
static void weigh(errors *s, const darc_ratio *r)
{
    int m = s->free;
    double *own = darc_malloc(s->rows * sizeof *own);
    darc_ratio_whiten(r, own, s->all);
    for (int k = 0; k < m; k++) {
        double *x = s->x + (size_t)k * s->rows;
        darc_ratio_whiten(r, x, s->all + (size_t)(s->index[k] + 1) * s->rows);
        s->step[k] = -darc_lanes_dot(x, own, s->rows);
        for (int i = 0; i <= k; i++)
            s->h[i * m + k] = s->h[k * m + i] =
                darc_lanes_dot(x, s->x + (size_t)i * s->rows, s->rows);
    }
    darc_free(own);
}

/* Set w to the weights of the rows in the coefficients, H^-1 X', and taken to
 * the share of each row that the fit takes. */
static void set_weights(double *w, double *taken, const errors *s)
{
    int m = s->free, *index = darc_calloc((size_t)m, sizeof *index);
    double *inverse = darc_calloc((size_t)m * (size_t)m, sizeof *inverse);
    for (int k = 0; k < m; k++)
        index[k] = k;
    darc_sandwich(inverse, s->h, s->h, m, index, m);
    for (int k = 0; k < m; k++)
        for (int i = 0; i < m; i++)
            darc_lanes_add(w + (size_t)k * s->rows, inverse[k * m + i],
                           s->x + (size_t)i * s->rows, s->rows);
    for (size_t k = 0; k < (size_t)m; k++)
        for (size_t t = 0; t < s->rows; t++)
            taken[t] += w[k * s->rows + t] * s->x[k * s->rows + t];
    DARC_FREE(index, inverse);
}

/* Return by how many standard deviations the squares of errors go with those of
 * the weights: heteroscedasticity that counts [Whi80], studentised [Koe81]. */
static double growth_of(const double *w, const double *e, size_t rows)
{
    double n = (double)rows, both = 0, ww = 0, ee = 0;
    double w2 = darc_lanes_dot(w, w, rows) / n;
    double e2 = darc_lanes_dot(e, e, rows) / n;
    for (size_t t = 0; t < rows; t++) {
        double x = w[t] * w[t] - w2, y = e[t] * e[t] - e2;
        both += x * y;
        ww += x * x;
        ee += y * y;
    }
    return ww > 0 && ee > 0 ? both / sqrt(ww * ee / n) : 0;
}

/* Whether noise is stronger where the columns are large; their covariance is
 * then what the errors make of it row by row. */
static bool is_uneven(errors *s, const double *e)
{
    int m = s->free, n = s->fit->coeffs;
    double *w, *taken, *room, most = 0;
    DARC_CARVE({&w, (ptrdiff_t)s->rows * m}, {&taken, (ptrdiff_t)s->rows},
               {&room, (ptrdiff_t)s->rows});
    set_weights(w, taken, s);
    for (int k = 0; k < m; k++) {
        const double *own = w + (size_t)k * s->rows;
        most = fmax(most, growth_of(own, e, s->rows));
        for (size_t t = 0; t < s->rows; t++)
            room[t] = own[t] * e[t] * e[t] / fmax(1 - taken[t], DARC_HAC_LEAST);
        for (int i = 0; i < m; i++)
            s->uneven[s->index[k] * n + s->index[i]] =
                darc_lanes_dot(room, w + (size_t)i * s->rows, s->rows);
    }
    darc_free(w);
    return most > DARC_ERRORS_UNEVEN;
}

/* Take the step and set the covariance; return whether it can be made. */
static bool take_step(errors *s, const darc_ratio *r)
{
    int m = s->free, n = s->fit->coeffs;
    weigh(s, r);
    s->is_uneven = is_uneven(s, r->we);
    if (!r->coloured && !s->is_uneven)
        return false;
    darc_hac_rows of = {s->x, r->we, s->h, m, r->parts, r->n};
    double dof = darc_hac(s->j, &of);
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++) {
            s->info[s->index[i] * n + s->index[k]] = s->h[i * m + k];
            s->score[s->index[i] * n + s->index[k]] = s->j[i * m + k];
        }
    if (!darc_solve_part(s->info, n, s->index, m, s->step, 1))
        return false;
    for (int k = 0; k < m; k++)
        s->fit->c[s->index[k]] += s->step[k];
    double *least = darc_calloc((size_t)n * (size_t)n, sizeof *least);
    darc_sandwich(s->fit->cov, s->info, s->score, n, s->index, m);
    darc_sandwich(least, s->info, s->info, n, s->index, m);
    darc_cover(s->fit->cov, least, n, s->index, m);
    if (s->is_uneven)
        darc_cover(s->fit->cov, s->uneven, n, s->index, m);
    for (int i = 0; i < n * n; i++) /* the variance of a t */
        s->fit->cov[i] *= dof > DARC_ERRORS_DOF ? dof / (dof - 2) : 2;
    s->fit->error_dof = dof;
    darc_free(least);
    return true;
}

darc_status darc_errors_take(darc_gls *fit, double *loud,
                             darc_octaves *spectrum, const darc_weak *weak,
                             const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    bool taken = true;
    errors s;
    open_errors(&s, fit, weak);
    *loud = 0;
    for (int i = 0; i < DARC_ERRORS_STEPS && taken && s.free > 0; i++) {
        darc_ratio r = {0};
        status = whiten(&s, budget, err);
        if (status == DARC_OK)
            darc_octaves_init(spectrum, weak, fit->c, s.all);
        double left = darc_lanes_dot(s.all, s.all, s.rows) / (double)s.rows;
        taken = status == DARC_OK && left > DARC_ERRORS_LEAST &&
                darc_ratio_init(&r, s.all, s.x, s.free, weak->equations,
                                weak->functions) &&
                take_step(&s, &r);
        if (taken)
            *loud = left;
        darc_ratio_clear(&r);
    }
    spectrum->uneven = s.is_uneven;
    DARC_FREE(s.index, s.all);
    return status;
}
