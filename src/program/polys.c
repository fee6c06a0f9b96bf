#include "program/polys.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>

#define MAX_INPUTS 512

double darc_gamma(double k)
{
    const double u = 0x1p-53;
    return k * u / (1 - k * u);
}

static int *slots_of(const darc_program *program, const int *slot)
{
    int n = darc_program_inputs(program);
    int *s = darc_calloc((size_t)n, sizeof *s);
    for (int i = 0; i < n; i++) {
        s[i] = slot[darc_program_variable(program, i)];
        assert(s[i] >= 0);
    }
    return s;
}

/* Polynomials with positive coefficients: a size at |in|. */
static void compile_sizes(darc_polys *p, const darc_dpolys_t poly,
                          const darc_jet_t jet)
{
    darc_dpolys_t sizes;
    darc_dpolys_init(sizes);
    for (slong i = 0; i < poly->count; i++) {
        darc_dpolys_append(sizes, poly->p + i, jet);
        darc_dpoly_struct *q = sizes->p + i;
        for (slong k = 0; k < q->length; k++)
            fmpz_abs(q->coeffs + k, q->coeffs + k);
    }
    darc_program_compile(&p->size, sizes, false, jet);
    darc_dpolys_clear(sizes, jet);
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
    if (slopes->count > 0) {
        darc_program_compile(&p->slope, slopes, false, jet);
        p->slope_slot = slots_of(p->slope, slot);
    }
    darc_dpoly_clear(q, jet);
    darc_dpolys_clear(slopes, jet);
}

void darc_polys_init(darc_polys *p, const darc_dpolys_t poly, const int *slot,
                     int slots, const darc_jet_t jet)
{
    assert(poly->count > 0);
    *p = (darc_polys){.count = (int)poly->count, .slots = slots};
    size_t pairs = (size_t)p->count * (size_t)slots;
    p->slope_of = darc_calloc(pairs, sizeof *p->slope_of);
    for (size_t i = 0; i < pairs; i++)
        p->slope_of[i] = -1;
    darc_program_compile(&p->value, poly, false, jet);
    p->value_slot = slots_of(p->value, slot);
    compile_sizes(p, poly, jet);
    p->size_slot = slots_of(p->size, slot);
    compile_slopes(p, poly, slot, jet);
}

void darc_polys_clear(darc_polys *p)
{
    darc_program_free(p->value);
    darc_program_free(p->size);
    darc_program_free(p->slope);
    darc_free(p->value_slot);
    darc_free(p->size_slot);
    darc_free(p->slope_slot);
    darc_free(p->slope_of);
    *p = (darc_polys){0};
}

static void run(const darc_program *program, const int *slot, double *const *in,
                double *const *out, size_t n)
{
    const double *few[MAX_INPUTS];
    int inputs = darc_program_inputs(program);
    const double **x =
        inputs <= MAX_INPUTS ? few : darc_calloc((size_t)inputs, sizeof *x);
    for (int i = 0; i < inputs; i++)
        x[i] = in[slot[i]];
    darc_program_eval(program, x, out, n);
    if (x != few)
        darc_free(x);
}

void darc_polys_values(const darc_polys *p, double *const *in,
                       double *const *value, size_t n)
{
    run(p->value, p->value_slot, in, value, n);
}

void darc_polys_bounds(const darc_polys *p, double *const *in,
                       const double *error, darc_bounds out, size_t n)
{
    double *const *shifted = out.work, *const *larger = out.work + p->slots;
    for (int s = 0; s < p->slots; s++)
        for (size_t t = 0; t < n; t++)
            shifted[s][t] = fabs(in[s][t]);
    run(p->size, p->size_slot, shifted, out.size, n);
    for (int s = 0; s < p->slots; s++)
        for (size_t t = 0; t < n; t++)
            shifted[s][t] += error[s];
    run(p->size, p->size_slot, shifted, larger, n);
    for (int i = 0; i < p->count; i++) {
        /* The sizes are rounded themselves, inputs and difference too. */
        double g = darc_gamma(darc_program_roundings(p->value, i)) +
                   2 * darc_gamma(darc_program_roundings(p->size, i) + 4);
        for (size_t t = 0; t < n; t++)
            out.bound[i][t] = larger[i][t] - out.size[i][t] + g * larger[i][t];
    }
}

int darc_polys_slope_count(const darc_polys *p)
{
    return p->slope == NULL ? 0 : darc_program_outputs(p->slope);
}

void darc_polys_slopes(const darc_polys *p, double *const *in,
                       double *const *slope, size_t n)
{
    if (p->slope != NULL)
        run(p->slope, p->slope_slot, in, slope, n);
}
