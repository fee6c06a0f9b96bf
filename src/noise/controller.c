#include "noise/controller.h"

#include "base/mem.h"
#include "base/random.h"
#include "noise/limits.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The median of |x| over the sd of normal x. */
static const double NORMAL_MEDIAN = 0.674489750196082;

/* A difference equation for an input; rows are samples of the recording. */
typedef struct {
    int rows, terms;
    double *x;    /* terms columns, and that of the input */
    double *some; /* rows of them */
    double *left, *sorted;
    double *c, *best;
} equation;

static void equation_init(equation *e, int rows, int terms)
{
    ptrdiff_t n = rows, all = n * (terms + 1);
    *e = (equation){.rows = rows, .terms = terms};
    DARC_CARVE({&e->x, all}, {&e->some, all}, {&e->left, n}, {&e->sorted, n},
               {&e->c, terms}, {&e->best, terms});
}

/* Fill a column with values of y. */
static void delay(equation *e, int column, const double *y, size_t stride)
{
    double *to = e->x + (ptrdiff_t)column * e->rows;
    for (int k = 0; k < e->rows; k++)
        to[k] = y[(size_t)k * stride];
}

/* Leave out rows that hold a gap. */
static void leave_gaps(equation *e)
{
    ptrdiff_t n = e->rows, m = 0;
    for (ptrdiff_t k = 0; k < n; k++) {
        e->left[k] = 0;
        for (int j = 0; j <= e->terms; j++)
            e->left[k] += e->x[j * n + k];
        m += isfinite(e->left[k]);
    }
    for (int j = 0; j <= e->terms; j++)
        for (ptrdiff_t k = 0, i = 0; k < n; k++)
            if (isfinite(e->left[k]))
                e->x[j * m + i++] = e->x[j * n + k];
    e->rows = (int)m;
}

/* Solve for c by least squares, e->some holding `rows` rows; a column that
 * earlier ones tell is left out: while the set point stands, the command before
 * is one.  Return whether there are rows enough. */
static bool solve(equation *e, int rows)
{
    ptrdiff_t n = rows;
    int m = e->terms;
    if (n < m || !darc_dense_triangle(e->some, rows, m + 1))
        return false;
    for (int i = m - 1; i >= 0; i--) {
        double sum = e->some[m * n + i], pivot = e->some[i * n + i], size = 0;
        for (int k = 0; k <= i; k++)
            size = hypot(size, e->some[i * n + k]);
        for (int j = i + 1; j < m; j++)
            sum -= e->some[j * n + i] * e->c[j];
        bool tells = fabs(pivot) > DARC_CONTROLLER_PIVOT * size;
        e->c[i] = tells ? sum / pivot : 0;
    }
    return true;
}

/* Set what is left at every `every`-th row, and return the share of the sizes
 * below which so many of these rows lie. */
static double leave(equation *e, int every, double share)
{
    ptrdiff_t n = e->rows;
    size_t count = 0;
    for (ptrdiff_t k = 0; k < n; k += every) {
        double left = e->x[e->terms * n + k];
        for (int j = 0; j < e->terms; j++)
            left -= e->c[j] * e->x[j * n + k];
        e->left[k] = e->sorted[count++] = fabs(left);
    }
    qsort(e->sorted, count, sizeof *e->sorted, darc_stats_cmp);
    return e->sorted[(size_t)(share * (double)(count - 1))];
}

/* Take row k as the i-th of n. */
static void take(equation *e, ptrdiff_t k, ptrdiff_t i, ptrdiff_t n)
{
    for (int j = 0; j <= e->terms; j++)
        e->some[j * n + i] = e->x[j * (ptrdiff_t)e->rows + k];
}

/* Set c to that of drawn rows, as many as terms, which leaves least at half of
 * the rows. */
static bool start(equation *e)
{
    size_t size = (size_t)e->terms * sizeof *e->c;
    double least = HUGE_VAL;
    int every = (e->rows - 1) / DARC_CONTROLLER_GLANCE + 1;
    darc_random r;
    darc_random_init(&r, 0, 0);
    for (int trial = 0; trial < DARC_CONTROLLER_TRIALS; trial++) {
        for (int i = 0; i < e->terms; i++)
            take(e, (ptrdiff_t)(darc_random_uniform(&r) * e->rows), i,
                 e->terms);
        double left = solve(e, e->terms) ? leave(e, every, 0.5) : HUGE_VAL;
        if (left < least) {
            least = left;
            memcpy(e->best, e->c, size);
        }
    }
    memcpy(e->c, e->best, size);
    return least < HUGE_VAL;
}

/* Return the rounding of the input. */
static double rounding(const equation *e)
{
    double most = 0;
    for (int k = 0; k < e->rows; k++)
        most = fmax(most, fabs(e->x[e->terms * (ptrdiff_t)e->rows + k]));
    return DARC_CONTROLLER_PIVOT * most;
}

/* Return the size that what the equation leaves has at most, at this share of
 * the rows, over the median of a normal size: of half of them an sd.  c is that
 * of least trimmed squares; rows at which a set point steps move no c.  NAN:
 * there are too few rows. */
static double fit(equation *e, double share)
{
    if (!start(e))
        return NAN;
    for (int pass = 0; pass < DARC_CONTROLLER_PASSES; pass++) {
        double most = leave(e, 1, DARC_CONTROLLER_KEPT);
        ptrdiff_t n = 0, i = 0;
        for (ptrdiff_t k = 0; k < e->rows; k++)
            n += e->left[k] <= most;
        for (ptrdiff_t k = 0; k < e->rows; k++)
            if (e->left[k] <= most)
                take(e, k, i++, n);
        memcpy(e->best, e->c, (size_t)e->terms * sizeof *e->c);
        if (!solve(e, (int)n))
            memcpy(e->c, e->best, (size_t)e->terms * sizeof *e->c);
    }
    return fmax(leave(e, 1, share) / NORMAL_MEDIAN, rounding(e));
}

/* Samples from which the input is told, of its own past and of each output, and
 * the share of rows that have to agree. */
typedef struct {
    int past, taps;
    double share;
} memory;

/* Rows of an equation: samples of the recording, evenly spread. */
typedef struct {
    size_t begin, stride;
    int count;
} rows;

/* Return the samples with all before them that count; gaps are steps like those
 * of a set point, but for values that are none. */
static rows spread(const darc_table *table)
{
    size_t begin = table->segment[0].begin + DARC_CONTROLLER_OWN;
    size_t end = table->segment[table->segments - 1].end;
    size_t all = end > begin ? end - begin : 0;
    size_t stride = all / DARC_CONTROLLER_SEEN + 1;
    return (rows){begin, stride, (int)(all / stride)};
}

/* Return what is left of the input; *carried: what the noise of the outputs
 * makes of it. */
static double predict(double *carried, const darc_table *table, int input,
                      memory by, const darc_controller_outputs *of)
{
    rows r = spread(table);
    int terms = 0;
    equation e;
    equation_init(&e, r.count, by.past + by.taps * of->count + 1);
    for (int i = 1; i <= by.past; i++)
        delay(&e, terms++, table->signal[input].value + r.begin - i, r.stride);
    for (int j = 0; j < of->count; j++)
        for (int i = 0; i < by.taps; i++)
            delay(&e, terms++, table->signal[of->column[j]].value + r.begin - i,
                  r.stride);
    for (int k = 0; k < e.rows; k++)
        e.x[terms * (ptrdiff_t)e.rows + k] = 1;
    delay(&e, ++terms, table->signal[input].value + r.begin, r.stride);
    leave_gaps(&e);
    double left = e.rows < DARC_CONTROLLER_SAMPLES ? NAN : fit(&e, by.share);
    *carried = 0;
    for (int j = 0; j < of->count; j++)
        for (int i = 0; i < by.taps; i++)
            *carried =
                hypot(*carried, of->sd[j] * e.c[by.past + by.taps * j + i]);
    darc_free(e.x);
    return left;
}

/* Whether one output tells the input without memory, as a torque does the
 * current that it was computed from. */
static bool is_copy(const darc_table *table, int input,
                    const darc_controller_outputs *of, double least)
{
    static const memory none = {0, 1, DARC_CONTROLLER_STATIC};
    double unused;
    for (int j = 0; j < of->count; j++) {
        darc_controller_outputs one = {1, of->column + j, of->sd + j};
        if (!(predict(&unused, table, input, none, &one) > least))
            return true;
    }
    return false;
}

bool darc_controller_find(double *left, const darc_table *table, int input,
                          const darc_controller_outputs *of)
{
    static const memory controller = {DARC_CONTROLLER_POLES,
                                      DARC_CONTROLLER_TAPS, 0.5},
                        own = {DARC_CONTROLLER_OWN, 0, 0.5};
    double carried, unused;
    if (of->count == 0 || of->count > DARC_CONTROLLER_OUTPUTS ||
        spread(table).count < DARC_CONTROLLER_SAMPLES)
        return false;
    *left = predict(&carried, table, input, controller, of);
    if (!(*left < DARC_CONTROLLER_SHARE * carried))
        return false;
    double least = *left / DARC_CONTROLLER_SHARE;
    return predict(&unused, table, input, own, of) > least &&
           !is_copy(table, input, of, least);
}
