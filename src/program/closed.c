#include "program/closed.h"

#include "base/mem.h"
#include "program/bordered.h"
#include "stats/columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void compile_h(darc_closed *c, const darc_relation *r)
{
    size_t n = (size_t)c->n;
    fmpz_mpoly_struct *slope = darc_calloc(n, sizeof *slope);
    for (slong j = 0; j < c->n; j++) {
        fmpz_mpoly_init(slope + j, r->hctx);
        fmpz_mpoly_derivative(slope + j, r->h, j, r->hctx);
    }
    darc_program_compile_mpoly(&c->h, r->h, 1, true, r->hctx);
    darc_program_compile_mpoly(&c->h_c, slope, c->n, false, r->hctx);
    for (slong j = 0; j < c->n; j++)
        fmpz_mpoly_clear(slope + j, r->hctx);
    darc_free(slope);
}

void darc_closed_init(darc_closed *c, const darc_relation *r, const int *slot,
                      int slots)
{
    assert(r->columns > 0);
    *c = (darc_closed){.n = (int)r->columns};
    darc_dpolys_t all;
    darc_dpolys_init(all);
    darc_dpolys_set(all, r->matrix, r->jet);
    for (slong j = 0; j < r->last->count; j++)
        darc_dpolys_append(all, r->last->p + j, r->jet);
    c->entries = (int)all->count;
    assert(c->entries == c->n * c->n || r->last->count == 0);
    darc_polys_init(&c->entry, all, slot, slots, r->jet);
    darc_dpolys_clear(all, r->jet);
    if (r->last->count == 0)
        compile_h(c, r);
    c->reads = darc_calloc((size_t)slots, sizeof *c->reads);
    for (int i = 0; i < c->entries * slots; i++)
        c->reads[i % slots] |= c->entry.slope_of[i] >= 0;
}

void darc_closed_clear(darc_closed *c)
{
    darc_polys_clear(&c->entry);
    darc_program_free(c->h);
    darc_program_free(c->h_c);
    darc_free(c->reads);
    *c = (darc_closed){0};
}

/* Set m to the bordered matrix at sample t: `last` or zeros on top. */
static void gather(const darc_closed *c, double *const *entry, size_t t,
                   double *m)
{
    int n = c->n, inner = n * (n - 1);
    for (int j = 0; j < n; j++)
        m[j] = c->h == NULL ? entry[inner + j][t] : 0;
    for (int i = 0; i < inner; i++)
        m[n + i] = entry[i][t];
}

/* Run h or its partial derivatives; inputs are the c_j that occur. */
static void run_h(const darc_program *program, double *const *kernel,
                  double *const *out, size_t n)
{
    int inputs = darc_program_inputs(program);
    const double **in = darc_calloc((size_t)inputs, sizeof *in);
    for (int i = 0; i < inputs; i++)
        in[i] = kernel[darc_program_variable(program, i)];
    darc_program_eval(program, in, out, n);
    darc_free(in);
}

/* Matrices of one sample, and columns of a block. */
typedef struct {
    darc_bordered b;
    double **matrix; /* three matrices */
    double **entry;
    double **kernel; /* c_j, then h_j */
    double **h;      /* h and |h| */
} closed_work;

static void work_init(closed_work *w, const darc_closed *c, size_t n)
{
    size_t columns = (size_t)c->n;
    darc_bordered_init(&w->b, c->n);
    w->matrix = darc_columns_new(3, columns * columns);
    w->entry = darc_columns_new((size_t)c->entries, n);
    w->kernel = darc_columns_new(2 * columns, n);
    w->h = darc_columns_new(2, n);
}

static void work_clear(closed_work *w)
{
    darc_bordered_clear(&w->b);
    darc_columns_free(w->matrix);
    darc_columns_free(w->entry);
    darc_columns_free(w->kernel);
    darc_columns_free(w->h);
}

/* Set w->kernel[j][t] to c_j. */
static void kernels(const darc_closed *c, closed_work *w, size_t n)
{
    double *m = w->matrix[0], *adj = w->matrix[1];
    for (size_t t = 0; t < n; t++) {
        gather(c, w->entry, t, m);
        darc_bordered_factor(&w->b, m);
        darc_bordered_adjugate(&w->b, adj);
        for (int j = 0; j < c->n; j++)
            w->kernel[j][t] = adj[j * c->n];
    }
}

void darc_closed_values(const darc_closed *c, double *const *in, double *value,
                        size_t n)
{
    closed_work w;
    work_init(&w, c, n);
    darc_polys_values(&c->entry, in, w.entry, n);
    if (c->h != NULL) {
        kernels(c, &w, n);
        run_h(c->h, w.kernel, w.h, n);
        memcpy(value, w.h[0], n * sizeof *value);
    } else {
        for (size_t t = 0; t < n; t++) {
            gather(c, w.entry, t, w.matrix[0]);
            value[t] = darc_bordered_factor(&w.b, w.matrix[0]);
        }
    }
    work_clear(&w);
}

/* m: sizes of the entries; e: their errors.  Add the backward error of the
 * factorisation of `value`, and set e to m + e. */
static void inflate(darc_bordered *b, const double *value, const double *m,
                    double *e, double roundings)
{
    int n = b->n;
    darc_bordered_factor(b, value);
    darc_bordered_growth(b);
    for (int i = 0; i < n * n; i++)
        e[i] += m[i] + darc_gamma(roundings) * b->growth[i];
}

/* Sizes of the residual at one sample from those of the entries. */
static void sizes_last(closed_work *w, const double *m, const double *e,
                       double *size, double *larger)
{
    *size = darc_bordered_permanent(&w->b, m, 0, -1);
    *larger = darc_bordered_permanent(&w->b, e, 0, -1);
}

static void sizes_h(const darc_closed *c, closed_work *w, const double *m,
                    const double *e, size_t t)
{
    for (int j = 0; j < c->n; j++) {
        w->kernel[j][t] = darc_bordered_permanent(&w->b, m, 1, j);
        w->kernel[c->n + j][t] = darc_bordered_permanent(&w->b, e, 1, j);
    }
}

void darc_closed_bounds(const darc_closed *c, double *const *in,
                        const double *error, double *size, double *bound,
                        size_t n)
{
    closed_work w;
    work_init(&w, c, n);
    size_t entries = (size_t)c->entries, slots = (size_t)c->entry.slots;
    double **sizes = darc_columns_new(entries, n);
    double **bounds = darc_columns_new(entries, n);
    double **spare = darc_columns_new(slots + entries, n);
    darc_polys_values(&c->entry, in, w.entry, n);
    darc_polys_bounds(&c->entry, in, error, (darc_bounds){sizes, bounds, spare},
                      n);
    double *v = w.matrix[0], *m = w.matrix[1], *e = w.matrix[2];
    for (size_t t = 0; t < n; t++) {
        gather(c, w.entry, t, v);
        gather(c, sizes, t, m);
        gather(c, bounds, t, e);
        inflate(&w.b, v, m, e, c->h == NULL ? c->n : 6.0 * c->n);
        if (c->h == NULL)
            sizes_last(&w, m, e, size + t, bound + t);
        else
            sizes_h(c, &w, m, e, t);
    }
    double k = 3.0 * c->n;
    if (c->h != NULL) {
        run_h(c->h, w.kernel, w.h, n);
        memcpy(size, w.h[1], n * sizeof *size);
        run_h(c->h, w.kernel + c->n, w.h, n);
        memcpy(bound, w.h[1], n * sizeof *bound);
        k = (k + 1) * (darc_program_roundings(c->h, 0) + 1);
    }
    for (size_t t = 0; t < n; t++)
        bound[t] = bound[t] - size[t] + 3 * darc_gamma(k) * bound[t];
    darc_columns_free(spare);
    darc_columns_free(bounds);
    darc_columns_free(sizes);
    work_clear(&w);
}

/* Add sum over entries of cofactor * d(entry)/d(in[s]) at sample t. */
static void chain_rule(const darc_closed *c, const double *adj,
                       double *const *entry_slope, double *const *slope,
                       size_t t)
{
    int n = c->n, slots = c->entry.slots;
    for (int i = 0; i < c->entries; i++) {
        int row = i < n * (n - 1) ? i / n + 1 : 0;
        double cofactor = adj[i % n * n + row];
        for (int s = 0; s < slots; s++) {
            int k = c->entry.slope_of[i * slots + s];
            if (k >= 0)
                slope[s][t] += cofactor * entry_slope[k][t];
        }
    }
}

void darc_closed_slopes(const darc_closed *c, double *const *in,
                        double *const *slope, size_t n)
{
    closed_work w;
    work_init(&w, c, n);
    size_t slopes = (size_t)darc_polys_slope_count(&c->entry);
    double **entry_slope = darc_columns_new(slopes, n);
    double *m = w.matrix[0], *adj = w.matrix[1];
    darc_polys_values(&c->entry, in, w.entry, n);
    darc_polys_slopes(&c->entry, in, entry_slope, n);
    if (c->h != NULL) {
        kernels(c, &w, n);
        run_h(c->h_c, w.kernel, w.kernel + c->n, n);
    }
    for (int s = 0; s < c->entry.slots; s++)
        for (size_t t = 0; c->reads[s] && t < n; t++)
            slope[s][t] = 0;
    for (size_t t = 0; t < n; t++) {
        gather(c, w.entry, t, m);
        for (int j = 0; c->h != NULL && j < c->n; j++)
            m[j] = w.kernel[c->n + j][t];
        darc_bordered_factor(&w.b, m);
        darc_bordered_adjugate(&w.b, adj);
        chain_rule(c, adj, entry_slope, slope, t);
    }
    darc_columns_free(entry_slope);
    work_clear(&w);
}
