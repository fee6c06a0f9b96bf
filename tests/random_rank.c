#include "random_model.h"

#include <stdlib.h>

#define RND MPFR_RNDN
#define ROWS (RANDOM_LENGTH * RANDOM_OUTPUTS)
#define COLUMNS (RANDOM_PARAMS + RANDOM_STATES)
#define EXPERIMENTS (RANDOM_PARAMS + 1)

/* Derivatives are differences, off by some 2^-RANDOM_SHIFT; what is not zero
 * lies far above. */
#define ZERO_BITS 110

typedef struct {
    int rows, columns;
    mpfr_t *a; /* by rows */
} matrix;

static void matrix_init(matrix *m, int rows, int columns)
{
    *m = (matrix){.columns = columns};
    m->a = calloc((size_t)(rows * columns), sizeof *m->a);
    for (int i = 0; i < rows * columns; i++) {
        mpfr_init2(m->a[i], TAYLOR_BITS);
        mpfr_set_zero(m->a[i], 1);
    }
    m->rows = rows;
}

static void matrix_clear(matrix *m)
{
    for (int i = 0; i < m->rows * m->columns; i++)
        mpfr_clear(m->a[i]);
    free(m->a);
}

static mpfr_t *at(const matrix *m, int i, int j)
{
    return m->a + i * m->columns + j;
}

/* Bring the largest entry of rows >= k in the columns `from` .. `to` - 1 to row
 * k; return its column, -1 when all are zero. */
static int pivot(matrix *m, int k, int from, int to)
{
    int row = -1, column = -1;
    for (int i = k; i < m->rows; i++)
        for (int j = from; j < to; j++)
            if (row < 0 || mpfr_cmpabs(*at(m, i, j), *at(m, row, column)) > 0) {
                row = i;
                column = j;
            }
    if (row < 0 || mpfr_zero_p(*at(m, row, column)) ||
        mpfr_get_exp(*at(m, row, column)) < -ZERO_BITS)
        return -1;
    for (int j = 0; j < m->columns; j++)
        mpfr_swap(*at(m, k, j), *at(m, row, j));
    return column;
}

/* Eliminate these columns; return their rank: so many rows come first, the
 * others are zero there. */
static int reduce(matrix *m, int from, int to)
{
    mpfr_t factor, p;
    mpfr_init2(factor, TAYLOR_BITS);
    mpfr_init2(p, TAYLOR_BITS);
    int k = 0;
    for (int c; k < m->rows && (c = pivot(m, k, from, to)) >= 0; k++)
        for (int i = k + 1; i < m->rows; i++) {
            mpfr_div(factor, *at(m, i, c), *at(m, k, c), RND);
            for (int j = 0; j < m->columns; j++) {
                mpfr_mul(p, factor, *at(m, k, j), RND);
                mpfr_sub(*at(m, i, j), *at(m, i, j), p, RND);
            }
        }
    mpfr_clear(factor);
    mpfr_clear(p);
    return k;
}

static void append_row(matrix *m, int row, const matrix *from, int i)
{
    for (int j = 0; j < from->columns; j++)
        mpfr_set(*at(m, row, j), *at(from, i, j), RND);
}

/* Return the rank of the first `rows` rows of m, with unit vector `unit` where
 * that is >= 0. */
static int rank_with(const matrix *m, int unit)
{
    matrix c;
    matrix_init(&c, m->rows + 1, m->columns);
    for (int i = 0; i < m->rows; i++)
        append_row(&c, i, m, i);
    if (unit >= 0)
        mpfr_set_ui(*at(&c, m->rows, unit), 1, RND);
    int rank = reduce(&c, 0, c.columns);
    matrix_clear(&c);
    return rank;
}

/* Set column v of j to the derivatives of the outputs by v, times 2^-shift;
 * `sign` to what they are without. */
static void column(matrix *j, random_model *m, int v, bool plus)
{
    for (int y = 0; y < m->outputs; y++)
        for (int k = 0; k < RANDOM_LENGTH; k++) {
            mpfr_t *to = at(j, y * RANDOM_LENGTH + k, v);
            mpfr_t *c = m->tape.node[m->seen[y]].c;
            if (plus)
                mpfr_add(*to, *to, c[k], RND);
            else
                mpfr_sub(*to, *to, c[k], RND);
        }
}

/* Divide every row by its largest entry. */
static void normalise(matrix *j)
{
    for (int i = 0; i < j->rows; i++) {
        mpfr_exp_t most = -2 * TAYLOR_BITS;
        for (int v = 0; v < j->columns; v++)
            if (!mpfr_zero_p(*at(j, i, v)) && mpfr_get_exp(*at(j, i, v)) > most)
                most = mpfr_get_exp(*at(j, i, v));
        for (int v = 0; v < j->columns; v++) /* rows of noise stay small */
            mpfr_mul_2si(*at(j, i, v), *at(j, i, v), most > 0 ? (long)-most : 0,
                         RND);
    }
}

/* Set j to the Jacobian of the outputs in an experiment. */
static void jacobian(matrix *j, random_model *m, int experiment)
{
    int n = m->params + m->states;
    matrix_init(j, m->outputs * RANDOM_LENGTH, n);
    random_model_run(m, 1, experiment, -1);
    for (int v = 0; v < n; v++)
        column(j, m, v, false);
    for (int v = 0; v < n; v++) {
        random_model_run(m, 1, experiment, v);
        column(j, m, v, true);
    }
    for (int i = 0; i < j->rows * n; i++)
        mpfr_mul_2si(j->a[i], j->a[i], RANDOM_SHIFT, RND);
    normalise(j);
}

/* Append to `seen`, of *rows rows, what the experiment shows whatever its
 * initial states are. */
static void add_experiment(matrix *seen, int *rows, random_model *m, int e)
{
    matrix j;
    jacobian(&j, m, e);
    int states = reduce(&j, m->params, j.columns);
    for (int i = states; i < j.rows; i++)
        for (int v = 0; v < m->params; v++)
            mpfr_set(*at(seen, *rows + i - states, v), *at(&j, i, v), RND);
    *rows += j.rows - states;
    matrix_clear(&j);
}

void random_model_rank(random_model_ranks *r, random_model *m)
{
    matrix seen, all, j;
    int n = m->params + m->states, rows = 0;
    matrix_init(&seen, EXPERIMENTS * ROWS, n);
    for (int e = 0; e < EXPERIMENTS; e++)
        add_experiment(&seen, &rows, m, 10 + e);
    r->rank = reduce(&seen, 0, n);
    jacobian(&j, m, 10);
    matrix_init(&all, j.rows + r->rank, n);
    for (int i = 0; i < r->rank; i++)
        append_row(&all, i, &seen, i);
    for (int i = 0; i < j.rows; i++)
        append_row(&all, r->rank + i, &j, i);
    int both = rank_with(&all, -1);
    for (int v = 0; v < m->params; v++)
        r->parameter[v] = rank_with(&seen, v) == r->rank;
    for (int i = 0; i < m->states; i++)
        r->state[i] = rank_with(&all, m->params + i) == both;
    r->behaviour = reduce(&j, m->params, n);
    matrix_clear(&seen);
    matrix_clear(&all);
    matrix_clear(&j);
}
