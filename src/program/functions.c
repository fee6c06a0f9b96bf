#include "program/functions.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

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
    for (slong v = 0; v < r->jet->vars; v++)
        slot[v] = -1;
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

static void number_slopes(darc_functions *f)
{
    size_t pairs = (size_t)f->count * (size_t)f->slots;
    f->slope = darc_calloc(pairs, sizeof *f->slope);
    int shift = f->has_closed ? 1 : 0;
    int inside = f->has_polys ? darc_polys_slope_count(&f->polys) : 0;
    f->slopes = inside;
    for (int s = 0; s < f->slots && f->has_closed; s++)
        f->slope[s] = f->closed.reads[s] ? f->slopes++ : -1;
    for (int i = 0; i < (f->count - shift) * f->slots; i++)
        f->slope[shift * f->slots + i] = f->polys.slope_of[i];
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

static double residual_degree(const darc_relation *r)
{
    if (r->expanded)
        return (double)fmpz_mpoly_total_degree_si(r->poly, r->jet->ctx);
    double entry = (double)degree_of(r->matrix, r->jet);
    double minor = entry * (double)(r->columns - 1);
    if (r->last->count > 0)
        return minor + (double)degree_of(r->last, r->jet);
    return minor * (double)fmpz_mpoly_total_degree_si(r->h, r->hctx);
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
    f->has_polys = polys->count > 0;
    f->count = (int)polys->count + (f->has_closed ? 1 : 0);
    f->degree = residual_degree(r);
    int *slot = darc_calloc((size_t)r->jet->vars, sizeof *slot);
    number_slots(f, slot, r, polys);
    if (f->has_closed)
        darc_closed_init(&f->closed, r, slot, f->slots);
    if (f->has_polys)
        darc_polys_init(&f->polys, polys, slot, f->slots, r->jet);
    number_slopes(f);
    darc_free(slot);
    darc_dpolys_clear(polys, r->jet);
}

void darc_functions_clear(darc_functions *f)
{
    if (f->has_closed)
        darc_closed_clear(&f->closed);
    if (f->has_polys)
        darc_polys_clear(&f->polys);
    darc_free(f->deriv);
    darc_free(f->slope);
    *f = (darc_functions){0};
}

void darc_functions_values(const darc_functions *f, double *const *in,
                           double *const *value, size_t n)
{
    if (f->has_closed)
        darc_closed_values(&f->closed, in, value[0], n);
    if (f->has_polys)
        darc_polys_values(&f->polys, in, value + (f->has_closed ? 1 : 0), n);
}

void darc_functions_bounds(const darc_functions *f, double *const *in,
                           const double *error, darc_bounds out, size_t n)
{
    if (f->has_closed)
        darc_closed_bounds(&f->closed, in, error, *out.size++, *out.bound++, n);
    if (f->has_polys)
        darc_polys_bounds(&f->polys, in, error, out, n);
}

void darc_functions_slopes(const darc_functions *f, double *const *in,
                           double *const *slope, size_t n)
{
    int inside = 0;
    if (f->has_polys) {
        darc_polys_slopes(&f->polys, in, slope, n);
        inside = darc_polys_slope_count(&f->polys);
    }
    if (!f->has_closed)
        return;
    double **own = darc_calloc((size_t)f->slots, sizeof *own);
    for (int s = 0, k = inside; s < f->slots; s++)
        if (f->closed.reads[s])
            own[s] = slope[k++];
    darc_closed_slopes(&f->closed, in, own, n);
    darc_free(own);
}
