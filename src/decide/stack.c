/* stack.c - the moments of two recordings as one set of columns. */
#include "decide/moments.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>

/* One recording as a part of the stack. */
typedef struct {
    const darc_moments *of;
    double weight;
    size_t first; /* row */
    int *column;  /* of term j in the stack; owned */
} part;

/* Return the factor that makes the errors of columns 1 in the geometric mean:
 * a recording with little noise is not to drown in that of another. */
static double weight_of(const darc_moments *c)
{
    double sum = 0;
    int n = 0;
    for (int j = 0; j < c->n; j++)
        if (c->t[j * c->n + j] > 0) {
            sum += log(c->t[j * c->n + j] / (double)c->rows);
            n++;
        }
    return n > 0 ? exp(-sum / (2 * n)) / sqrt((double)c->rows) : 1;
}

static int columns_of(int n, const bool *shared)
{
    int count = n;
    for (int j = 0; j < n; j++)
        count += shared != NULL && !shared[j];
    return count;
}

static void part_init(part *p, const darc_moments *of, int number,
                      const bool *shared)
{
    int behind = of->n;
    *p = (part){.of = of, .weight = weight_of(of)};
    p->column = darc_calloc((size_t)of->n, sizeof *p->column);
    for (int j = 0; j < of->n; j++)
        p->column[j] =
            number == 0 || shared == NULL || shared[j] ? j : behind++;
}

/* Put x, columns of the part, into those of the stack. */
static void put_rows(double *to, const darc_moments *out, const double *x,
                     const part *p)
{
    size_t rows = p->of->rows;
    for (int j = 0; j < p->of->n; j++) {
        double *column = to + (size_t)p->column[j] * out->rows + p->first;
        for (size_t i = 0; i < rows; i++)
            column[i] = p->weight * x[(size_t)j * rows + i];
    }
}

static void add_errors(darc_moments *out, const part *p)
{
    int n = p->of->n;
    double square = p->weight * p->weight;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out->t[p->column[i] * out->n + p->column[j]] +=
                square * p->of->t[i * n + j];
}

void darc_moments_stack(darc_moments *out, const darc_moments *a,
                        const darc_moments *b, const bool *shared)
{
    assert(a->n == b->n && a->draws == b->draws);
    part p[2];
    part_init(p, a, 0, shared);
    part_init(p + 1, b, 1, shared);
    p[1].first = a->rows;
    *out = (darc_moments){.n = columns_of(a->n, shared),
                          .rows = a->rows + b->rows,
                          .draws = a->draws,
                          .used = a->used + b->used};
    size_t n = (size_t)out->n, size = n * out->rows;
    out->w = darc_calloc(size, sizeof *out->w);
    out->t = darc_calloc(n * n, sizeof *out->t);
    out->noise = darc_calloc((size_t)out->draws * size, sizeof *out->noise);
    for (int r = 0; r < 2; r++) {
        const darc_moments *of = p[r].of;
        size_t from = (size_t)of->n * of->rows;
        put_rows(out->w, out, of->w, p + r);
        for (size_t d = 0; d < (size_t)out->draws; d++)
            put_rows(out->noise + d * size, out, of->noise + d * from, p + r);
        add_errors(out, p + r);
        darc_free(p[r].column);
    }
}

double darc_moments_stack_size(const darc_moments *a, const darc_moments *b,
                               const bool *shared)
{
    return (double)columns_of(a->n, shared) * (double)(a->rows + b->rows) *
           (1 + a->draws);
}
