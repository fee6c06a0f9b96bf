#include "relation/functions.h"

#include "base/mem.h"
#include "stats/columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double darc_gamma(double k)
{
    const double u = 0x1p-53;
    return k * u / (1 - k * u);
}

/* Return a program for p whose variables are slots. */
static darc_program *compile(const darc_dpolys_t p, const int *slot,
                             const darc_jet_t jet)
{
    darc_program *program;
    darc_program_compile_mpoly(&program, p->p, p->count, false, jet->ctx);
    for (int i = 0; i < program->inputs; i++) {
        program->variable[i] = slot[program->variable[i]];
        assert(program->variable[i] >= 0);
    }
    return program;
}

/* Evaluate a program from the columns of its variables. */
static void run_columns(const darc_program *p, double *const *in,
                        double *const *out, size_t n)
{
    const double **x = darc_calloc((size_t)p->inputs, sizeof *x);
    for (int i = 0; i < p->inputs; i++)
        x[i] = in[p->variable[i]];
    darc_program_eval(p, x, out, n);
    darc_free(x);
}

static void compile_slopes(darc_polys *p, const darc_dpolys_t poly,
                           const int *slot, const darc_jet_t jet)
{
    darc_dpolys_t slopes;
    darc_dpoly_t q;
    darc_dpolys_init(slopes);
    darc_dpoly_init(q, jet);
    for (slong i = 0; i < poly->count; i++)
        for (slong v = 0; v < jet->vars; v++) {
            if (slot[v] < 0)
                continue;
            fmpz_mpoly_derivative(q, poly->p + i, v, jet->ctx);
            if (fmpz_mpoly_is_zero(q, jet->ctx))
                continue;
            p->slope_of[i * p->slots + slot[v]] = (int)slopes->count;
            darc_dpolys_append(slopes, q, jet);
        }
    p->slope = compile(slopes, slot, jet);
    darc_dpoly_clear(q, jet);
    darc_dpolys_clear(slopes, jet);
}

/* slot[v]: of variable v of the jet, -1 where it does not occur. */
static void polys_init(darc_polys *p, const darc_dpolys_t poly, const int *slot,
                       int slots, const darc_jet_t jet)
{
    *p = (darc_polys){.count = (int)poly->count, .slots = slots};
    size_t pairs = (size_t)p->count * (size_t)slots;
    p->slope_of = darc_calloc(pairs, sizeof *p->slope_of);
    DARC_FILL(p->slope_of, pairs, -1);
    p->value = compile(poly, slot, jet);
    /* With positive coefficients: a size at |in|. */
    darc_dpolys_t sizes;
    darc_dpolys_init(sizes);
    darc_dpolys_set(sizes, poly, jet);
    for (slong i = 0; i < sizes->count; i++)
        for (slong k = 0; k < sizes->p[i].length; k++)
            fmpz_abs(sizes->p[i].coeffs + k, sizes->p[i].coeffs + k);
    p->size = compile(sizes, slot, jet);
    darc_dpolys_clear(sizes, jet);
    compile_slopes(p, poly, slot, jet);
}

static void polys_clear(darc_polys *p)
{
    DARC_EACH(darc_program_free, p->value, p->size, p->slope);
    darc_free(p->slope_of);
}

/* |prod (v + e) - prod v| <= prod (|v| + |e|) - prod |v|, term by term. */
static void polys_bounds(const darc_polys *p, double *const *in,
                         const double *error, darc_bounds out, size_t n)
{
    double *const *shifted = out.work, *const *larger = out.work + p->slots;
    for (int s = 0; s < p->slots; s++)
        for (size_t t = 0; t < n; t++)
            shifted[s][t] = fabs(in[s][t]);
    run_columns(p->size, shifted, out.size, n);
    for (int s = 0; s < p->slots; s++)
        for (size_t t = 0; t < n; t++)
            shifted[s][t] += error[s];
    run_columns(p->size, shifted, larger, n);
    for (int i = 0; i < p->count; i++) {
        /* The sizes are rounded themselves, inputs and difference too. */
        double g = darc_gamma(p->value->roundings[i]) +
                   2 * darc_gamma(p->size->roundings[i] + 4);
        for (size_t t = 0; t < n; t++)
            out.bound[i][t] = larger[i][t] - out.size[i][t] + g * larger[i][t];
    }
}

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
    DARC_ALL_IN(fmpz_mpoly_clear, r->hctx, slope, c->n);
    darc_free(slope);
}

static void closed_init(darc_closed *c, const darc_relation *r, const int *slot,
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
    polys_init(&c->entry, all, slot, slots, r->jet);
    darc_dpolys_clear(all, r->jet);
    if (r->last->count == 0)
        compile_h(c, r);
    c->reads = darc_calloc((size_t)slots, sizeof *c->reads);
    for (int i = 0; i < c->entries * slots; i++)
        c->reads[i % slots] |= c->entry.slope_of[i] >= 0;
}

/* Set m to the bordered matrix at sample t: `last` or zeros on top. */
static void gather_matrix(const darc_closed *c, double *const *entry, size_t t,
                          double *m)
{
    int n = c->n, inner = n * (n - 1);
    for (int j = 0; j < n; j++)
        m[j] = c->h == NULL ? entry[inner + j][t] : 0;
    for (int i = 0; i < inner; i++)
        m[n + i] = entry[i][t];
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
    DARC_FREE(w->b.lu, w->b.row);
    DARC_EACH(darc_columns_free, w->matrix, w->entry, w->kernel, w->h);
}

/* Set w->kernel[j][t] to c_j. */
static void kernels(const darc_closed *c, closed_work *w, size_t n)
{
    double *m = w->matrix[0], *adj = w->matrix[1];
    for (size_t t = 0; t < n; t++) {
        gather_matrix(c, w->entry, t, m);
        darc_bordered_factor(&w->b, m);
        darc_bordered_adjugate(&w->b, adj);
        for (int j = 0; j < c->n; j++)
            w->kernel[j][t] = adj[j * c->n];
    }
}

static void closed_values(const darc_closed *c, double *const *in,
                          double *value, size_t n)
{
    closed_work w;
    work_init(&w, c, n);
    run_columns(c->entry.value, in, w.entry, n);
    if (c->h != NULL) {
        kernels(c, &w, n);
        run_columns(c->h, w.kernel, w.h, n);
        memcpy(value, w.h[0], n * sizeof *value);
    } else {
        for (size_t t = 0; t < n; t++) {
            gather_matrix(c, w.entry, t, w.matrix[0]);
            value[t] = darc_bordered_factor(&w.b, w.matrix[0]);
        }
    }
    work_clear(&w);
}

static void closed_bounds(const darc_closed *c, double *const *in,
                          const double *error, double *size, double *bound,
                          size_t n)
{
    closed_work w;
    work_init(&w, c, n);
    size_t entries = (size_t)c->entries, slots = (size_t)c->entry.slots;
    double **sizes = darc_columns_new(entries, n);
    double **bounds = darc_columns_new(entries, n);
    double **spare = darc_columns_new(slots + entries, n);
    run_columns(c->entry.value, in, w.entry, n);
    polys_bounds(&c->entry, in, error, (darc_bounds){sizes, bounds, spare}, n);
    double *v = w.matrix[0], *m = w.matrix[1], *e = w.matrix[2];
    double backward = darc_gamma(c->h == NULL ? c->n : 6.0 * c->n);
    for (size_t t = 0; t < n; t++) {
        gather_matrix(c, w.entry, t, v);
        gather_matrix(c, sizes, t, m);
        gather_matrix(c, bounds, t, e);
        /* The backward error of the factorisation of the values. */
        darc_bordered_factor(&w.b, v);
        darc_bordered_growth(&w.b);
        for (int i = 0; i < c->n * c->n; i++)
            e[i] += m[i] + backward * w.b.growth[i];
        if (c->h == NULL) {
            size[t] = darc_bordered_permanent(&w.b, m, 0, -1);
            bound[t] = darc_bordered_permanent(&w.b, e, 0, -1);
        }
        for (int j = 0; j < c->n && c->h != NULL; j++) {
            w.kernel[j][t] = darc_bordered_permanent(&w.b, m, 1, j);
            w.kernel[c->n + j][t] = darc_bordered_permanent(&w.b, e, 1, j);
        }
    }
    double k = 3.0 * c->n;
    if (c->h != NULL) {
        run_columns(c->h, w.kernel, w.h, n);
        memcpy(size, w.h[1], n * sizeof *size);
        run_columns(c->h, w.kernel + c->n, w.h, n);
        memcpy(bound, w.h[1], n * sizeof *bound);
        k = (k + 1) * (c->h->roundings[0] + 1);
    }
    for (size_t t = 0; t < n; t++)
        bound[t] = bound[t] - size[t] + 3 * darc_gamma(k) * bound[t];
    DARC_EACH(darc_columns_free, spare, bounds, sizes);
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

static void closed_slopes(const darc_closed *c, double *const *in,
                          double *const *slope, size_t n)
{
    closed_work w;
    work_init(&w, c, n);
    size_t slopes = (size_t)c->entry.slope->outputs;
    double **entry_slope = darc_columns_new(slopes, n);
    double *m = w.matrix[0], *adj = w.matrix[1];
    run_columns(c->entry.value, in, w.entry, n);
    run_columns(c->entry.slope, in, entry_slope, n);
    if (c->h != NULL) {
        kernels(c, &w, n);
        run_columns(c->h_c, w.kernel, w.kernel + c->n, n);
    }
    for (int s = 0; s < c->entry.slots; s++)
        for (size_t t = 0; c->reads[s] && t < n; t++)
            slope[s][t] = 0;
    for (size_t t = 0; t < n; t++) {
        gather_matrix(c, w.entry, t, m);
        for (int j = 0; c->h != NULL && j < c->n; j++)
            m[j] = w.kernel[c->n + j][t];
        darc_bordered_factor(&w.b, m);
        darc_bordered_adjugate(&w.b, adj);
        chain_rule(c, adj, entry_slope, slope, t);
    }
    darc_columns_free(entry_slope);
    work_clear(&w);
}

static void mark_used(int *slot, int *used, const darc_dpolys_t p,
                      const darc_jet_t jet)
{
    for (slong i = 0; i < p->count; i++) {
        darc_dpoly_used(used, p->p + i, jet);
        for (slong v = 0; v < jet->vars; v++)
            if (used[v])
                slot[v] = 0;
    }
}

/* Number the derivatives that occur: slot[v] of variable v, or -1. */
static void number_slots(darc_functions *f, int *slot, const darc_relation *r,
                         const darc_dpolys_t polys)
{
    size_t vars = (size_t)r->jet->vars;
    int *used = darc_calloc(vars, sizeof *used);
    DARC_FILL(slot, r->jet->vars, -1);
    mark_used(slot, used, polys, r->jet);
    if (f->has_closed) {
        mark_used(slot, used, r->matrix, r->jet);
        mark_used(slot, used, r->last, r->jet);
    }
    f->deriv = darc_calloc(vars, sizeof *f->deriv);
    for (slong v = 0; v < r->jet->vars; v++)
        if (slot[v] == 0) {
            f->deriv[f->slots] = r->jet->deriv[v];
            slot[v] = f->slots++;
        }
    darc_free(used);
}

static slong degree_of(const darc_dpolys_t p, const darc_jet_t jet)
{
    slong degree = 0;
    for (slong i = 0; i < p->count; i++) {
        slong d = fmpz_mpoly_total_degree_si(p->p + i, jet->ctx);
        degree = d > degree ? d : degree;
    }
    return degree;
}

void darc_functions_init(darc_functions *f, const darc_relation *r)
{
    assert(r->expanded || r->columns > 0);
    *f = (darc_functions){.has_closed = !r->expanded};
    darc_dpolys_t polys;
    darc_dpolys_init(polys);
    if (r->expanded)
        darc_dpolys_append(polys, r->poly, r->jet);
    for (slong i = 0; i < r->inequations->count; i++)
        darc_dpolys_append(polys, r->inequations->p + i, r->jet);
    f->count = (int)polys->count + (f->has_closed ? 1 : 0);
    /* Of a matrix: the degree of a minor, and what is done with minors. */
    double minor = (double)(degree_of(r->matrix, r->jet) * (r->columns - 1));
    f->degree = r->expanded
                    ? (double)fmpz_mpoly_total_degree_si(r->poly, r->jet->ctx)
                : r->last->count > 0
                    ? minor + (double)degree_of(r->last, r->jet)
                    : minor * (double)fmpz_mpoly_total_degree_si(r->h, r->hctx);
    int *slot = darc_calloc((size_t)r->jet->vars, sizeof *slot);
    number_slots(f, slot, r, polys);
    if (f->has_closed)
        closed_init(&f->closed, r, slot, f->slots);
    polys_init(&f->polys, polys, slot, f->slots, r->jet);
    f->slope = darc_calloc((size_t)(f->count * f->slots), sizeof *f->slope);
    f->slopes = f->polys.slope->outputs;
    for (int s = 0; s < f->slots && f->has_closed; s++)
        f->slope[s] = f->closed.reads[s] ? f->slopes++ : -1;
    for (int i = 0, n = f->polys.count * f->slots; i < n; i++)
        f->slope[f->count * f->slots - n + i] = f->polys.slope_of[i];
    darc_free(slot);
    darc_dpolys_clear(polys, r->jet);
}

void darc_functions_clear(darc_functions *f)
{
    polys_clear(&f->closed.entry);
    DARC_EACH(darc_program_free, f->closed.h, f->closed.h_c);
    darc_free(f->closed.reads);
    polys_clear(&f->polys);
    DARC_FREE(f->deriv, f->slope);
    *f = (darc_functions){0};
}

void darc_functions_values(const darc_functions *f, double *const *in,
                           double *const *value, size_t n)
{
    if (f->has_closed)
        closed_values(&f->closed, in, value[0], n);
    run_columns(f->polys.value, in, value + (f->has_closed ? 1 : 0), n);
}

void darc_functions_bounds(const darc_functions *f, double *const *in,
                           const double *error, darc_bounds out, size_t n)
{
    if (f->has_closed)
        closed_bounds(&f->closed, in, error, *out.size++, *out.bound++, n);
    polys_bounds(&f->polys, in, error, out, n);
}

void darc_functions_slopes(const darc_functions *f, double *const *in,
                           double *const *slope, size_t n)
{
    run_columns(f->polys.slope, in, slope, n);
    if (!f->has_closed)
        return;
    double **own = darc_calloc((size_t)f->slots, sizeof *own);
    for (int s = 0, k = f->polys.slope->outputs; s < f->slots; s++)
        if (f->closed.reads[s])
            own[s] = slope[k++];
    closed_slopes(&f->closed, in, own, n);
    darc_free(own);
}
