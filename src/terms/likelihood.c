#include "terms/likelihood.h"

#include "base/mem.h"
#include "fit/sums.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/sandwich.h"
#include "stats/stats.h"
#include "terms/thresholds.h"

#include <math.h>
#include <string.h>

/* Return the moments of coefficient j, whitened. */
static const double *column_of(const darc_likelihood *l, int j)
{
    return l->white + (size_t)(j + 1) * l->rows;
}

/* Return how many functions of a piece are left out: the first, of which there
 * are none before to be whitened by, hold more of slow noise than others. */
static size_t skipped(const darc_weak *weak, int piece)
{
    size_t first = (size_t)(DARC_LIKELIHOOD_FIRST * (weak->degree + 1));
    size_t all = (size_t)weak->piece[piece].functions;
    return all > DARC_LIKELIHOOD_LONG * first ? first : 0;
}

/* Set to to the rows of x that are held against each other. */
static void take_rows(double *to, const darc_likelihood *l, const double *x)
{
    const darc_weak *weak = l->weak;
    size_t parts = (size_t)weak->equations;
    for (int p = 0; p < weak->pieces; p++) {
        size_t first = skipped(weak, p) * parts;
        size_t n = (size_t)weak->piece[p].functions * parts;
        memcpy(to, x + first, (n - first) * sizeof *to);
        to += n - first;
        x += n;
    }
}

/* Whiten at l->c, the columns that `only` marks (NULL: all). */
static darc_status whiten_columns(darc_likelihood *l, const bool *only,
                                  darc_err *err)
{
    darc_point at = {
        .weak = l->weak, .c = l->c, .white = l->white, .only = only};
    darc_effort effort = {.every = 1, .draw_every = 1};
    darc_sums sums;
    darc_sums_init(&sums, l->weak);
    darc_status status = darc_sums_pass(&sums, &at, &effort, l->budget, err);
    darc_sums_clear(&sums);
    return status;
}

/* Open l at the coefficients c; its columns are not set. */
static void open_at(darc_likelihood *l, const darc_weak *weak,
                    const darc_gls *fit, const darc_budget *budget,
                    const double *c)
{
    ptrdiff_t n = weak->coeffs;
    *l = (darc_likelihood){.weak = weak, .fit = fit, .budget = budget};
    l->rows = l->kept = weak->functions * (size_t)weak->equations;
    for (int p = 0; p < weak->pieces; p++)
        l->kept -= skipped(weak, p) * (size_t)weak->equations;
    DARC_CARVE({&l->c, n}, {&l->white, (ptrdiff_t)l->rows * (n + 1)});
    memcpy(l->c, c, (size_t)n * sizeof *l->c);
}

/* Open the ratio of what is left, with the model's own columns. */
static bool open_ratio(darc_likelihood *l)
{
    int own = 0, n = l->weak->coeffs;
    double *x, *e;
    DARC_CARVE({&e, (ptrdiff_t)l->kept}, {&x, (ptrdiff_t)l->kept * (n + 1)});
    take_rows(e, l, l->white);
    for (int j = 0; j < n; j++)
        if (l->fit->free[j])
            take_rows(x + l->kept * (size_t)own++, l, column_of(l, j));
    size_t parts = (size_t)l->weak->equations;
    bool enough = darc_ratio_init(&l->ratio, e, x, own, l->weak->equations,
                                  l->kept / parts);
    darc_free(e);
    return enough;
}

darc_status darc_likelihood_init(darc_likelihood *l, bool *enough,
                                 const darc_weak *weak, const darc_gls *fit,
                                 const darc_budget *budget, darc_err *err)
{
    open_at(l, weak, fit, budget, fit->c);
    darc_status status = whiten_columns(l, NULL, err);
    *enough = status == DARC_OK && open_ratio(l);
    return status;
}

void darc_likelihood_clear(darc_likelihood *l)
{
    darc_ratio_clear(&l->ratio);
    darc_free(l->c);
    *l = (darc_likelihood){.c = NULL};
}

/* Set *rows to the moments of f, and return the logarithm of the likelihood of
 * what white leaves of them; NAN: it is too short. */
static double likelihood_of(const darc_fit *f, double *rows)
{
    darc_likelihood l;
    bool enough;
    darc_status status =
        darc_likelihood_init(&l, &enough, f->weak, &f->white, NULL, NULL);
    double likelihood = status == DARC_OK && enough ? l.ratio.likelihood : NAN;
    *rows = (double)l.kept;
    darc_likelihood_clear(&l);
    return likelihood;
}

double darc_likelihood_likelier(const darc_fit *f, const darc_fit *other)
{
    double rows, others;
    if (f->r.coloured < 0)
        return darc_fit_likelier(f, other);
    double own = likelihood_of(f, &rows);
    double gain = likelihood_of(other, &others) / others - own / rows;
    return isfinite(gain) ? 2 * fmin(rows, others) * gain
                          : darc_fit_likelier(f, other);
}

darc_likelihood_sight darc_likelihood_look(const darc_likelihood *l, int j)
{
    double *x, *y;
    DARC_CARVE({&x, (ptrdiff_t)l->kept}, {&y, (ptrdiff_t)l->kept});
    take_rows(x, l, column_of(l, j));
    double rest = darc_ratio_rest(&l->ratio, y, x);
    double drop = darc_lanes_dot(y, l->ratio.e, l->kept);
    darc_likelihood_sight sight = {.rest = rest * rest,
                                   .info = rest * rest *
                                           darc_lanes_dot(x, x, l->kept),
                                   .score = darc_ratio_score(&l->ratio, y),
                                   .drop = drop * drop};
    darc_free(x);
    return sight;
}

/* Test column j beside the others of l. */
static darc_ratio_test test_column(const darc_likelihood *l, int j,
                                   double alpha)
{
    double *x, *y;
    DARC_CARVE({&x, (ptrdiff_t)l->kept}, {&y, (ptrdiff_t)l->kept});
    take_rows(x, l, column_of(l, j));
    double norm =
        darc_ratio_rest(&l->ratio, y, x) * sqrt(darc_lanes_dot(x, x, l->kept));
    darc_ratio_test said;
    darc_ratio_ask(&said, &l->ratio, y, 1, alpha);
    said.value /= norm;
    said.sd /= norm;
    darc_free(x);
    return said;
}

/* One step of least squares by the columns marked; return whether it could be
 * made. */
static bool step(darc_likelihood *l, const bool *only)
{
    int n = l->weak->coeffs, count = 0;
    int *index = darc_calloc((size_t)n, sizeof *index);
    double *gram, *b;
    DARC_CARVE({&gram, n * n}, {&b, n});
    for (int j = 0; j < n; j++) {
        if (!only[j])
            continue;
        b[count] = -darc_lanes_dot(column_of(l, j), l->white, l->rows);
        index[count++] = j;
        for (int i = 0; i <= j; i++)
            if (only[i])
                gram[i * n + j] = gram[j * n + i] =
                    darc_lanes_dot(column_of(l, j), column_of(l, i), l->rows);
    }
    bool solved = darc_solve_part(gram, n, index, count, b, 1);
    for (int i = 0; i < count && solved; i++)
        l->c[index[i]] += b[i];
    DARC_FREE(index, gram);
    return solved;
}

/* Go to the coefficients to which candidate j leads. */
static bool go_along(darc_likelihood *l, int j)
{
    size_t n = (size_t)l->weak->coeffs;
    bool *only = darc_malloc(n * sizeof *only), went = true;
    memcpy(only, l->fit->free, n * sizeof *only);
    only[j] = true;
    for (int i = 0; i < DARC_LIKELIHOOD_STEPS && went; i++)
        went = step(l, only) && whiten_columns(l, only, NULL) == DARC_OK;
    if (went) /* without the candidate this is left */
        darc_lanes_add(l->white, -l->c[j], column_of(l, j), l->rows);
    darc_free(only);
    return went && open_ratio(l);
}

darc_ratio_test darc_likelihood_ask(const darc_likelihood *l, int j, bool again,
                                    double alpha)
{
    darc_likelihood other;
    darc_ratio_test said = test_column(l, j, alpha);
    if (!again || said.p_value > DARC_MISSING_HOPE)
        return said;
    open_at(&other, l->weak, l->fit, l->budget, l->c);
    memcpy(other.white, l->white,
           l->rows * (size_t)(l->weak->coeffs + 1) * sizeof *l->white);
    if (go_along(&other, j))
        said = test_column(&other, j, alpha);
    darc_likelihood_clear(&other);
    return said;
}

darc_ratio_test darc_likelihood_at_zero(const darc_likelihood *l, int j)
{
    double *x = darc_malloc(l->kept * sizeof *x);
    darc_ratio_test said;
    take_rows(x, l, column_of(l, j));
    darc_ratio_ask_constant(&said, &l->ratio, x);
    darc_free(x);
    return said;
}

double darc_likelihood_gain(const darc_likelihood *l, int j)
{
    double *x = darc_malloc(l->kept * sizeof *x);
    take_rows(x, l, column_of(l, j));
    double plain = darc_lanes_dot(x, x, l->kept);
    double gain = plain > 0 ? darc_ratio_power(&l->ratio, x) / plain : 0;
    darc_free(x);
    return gain;
}

/* Test `count` columns of x (l->kept rows) together, those that others make
 * left out. */
static darc_ratio_test test_columns(const darc_likelihood *l, const double *x,
                                    int count, double alpha)
{
    darc_ratio_test said = {.p_value = 1};
    double *y = darc_malloc((size_t)count * l->kept * sizeof *y);
    count = darc_ratio_basis(&l->ratio, y, x, count, DARC_PAST_APART);
    if (count > 0)
        darc_ratio_ask(&said, &l->ratio, y, count, alpha);
    darc_free(y);
    return said;
}

darc_ratio_test darc_likelihood_together(const darc_likelihood *l,
                                         const int *coeff, int count,
                                         double alpha)
{
    int most = (int)((double)l->weak->functions / DARC_PAST_ROWS);
    count = count < most ? count : most;
    if (count < 2)
        return (darc_ratio_test){.p_value = 1};
    double *x = darc_malloc((size_t)count * l->kept * sizeof *x);
    for (int i = 0; i < count; i++)
        take_rows(x + (size_t)i * l->kept, l, column_of(l, coeff[i]));
    darc_ratio_test said = test_columns(l, x, count, alpha);
    darc_free(x);
    return said;
}

/* Set x to column j of equation q, shifted in a circle by 0 .. lags - 1 rows,
 * as columns of equation `in`, l->kept rows each. */
static void set_later(double *x, const darc_likelihood *l, int j, int q, int in,
                      int lags)
{
    size_t parts = (size_t)l->weak->equations, n = l->weak->functions;
    const double *from = column_of(l, j) + q;
    double *all = darc_calloc(l->rows, sizeof *all);
    for (size_t k = 0; k < (size_t)lags; k++, x += l->kept) {
        for (size_t t = 0; t < n; t++)
            all[(t + k) % n * parts + (size_t)in] = from[t * parts];
        take_rows(x, l, all);
    }
    darc_free(all);
}

double darc_likelihood_past(int *which, const darc_likelihood *l,
                            const int *input, double alpha)
{
    int parts = l->weak->equations, inputs = 0;
    double least = 1;
    *which = 0;
    for (int q = 0; q < parts; q++)
        inputs += input[q] >= 0;
    int lags =
        (int)fmin(DARC_PAST_LAGS, (double)l->weak->functions / DARC_PAST_ROWS);
    if (inputs == 0 || lags < 2)
        return 1;
    size_t most = (size_t)(inputs * lags) * l->kept;
    double *x = darc_malloc(most * sizeof *x);
    for (int in = 0; in < parts; in++) {
        int count = 0;
        for (int q = 0; q < parts; q++)
            if (input[q] >= 0) {
                set_later(x + (size_t)count * l->kept, l, input[q], q, in,
                          lags);
                count += lags;
            }
        double p = test_columns(l, x, count, alpha / parts).p_value;
        *which = p < least ? in : *which;
        least = fmin(least, p);
    }
    darc_free(x);
    return fmin(1, least * parts);
}
