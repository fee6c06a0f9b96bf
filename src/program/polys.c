#include "program/polys.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>

double darc_gamma(double k)
{
    const double u = 0x1p-53;
    return k * u / (1 - k * u);
}

static void compile(darc_slotted *to, const darc_dpolys_t p, const int *slot,
                    const darc_jet_t jet)
{
    darc_program_compile(&to->program, p, false, jet);
    int n = to->program->inputs;
    to->slot = darc_calloc((size_t)n, sizeof *to->slot);
    for (int i = 0; i < n; i++) {
        to->slot[i] = slot[to->program->variable[i]];
        assert(to->slot[i] >= 0);
    }
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
    if (slopes->count > 0)
        compile(&p->slope, slopes, slot, jet);
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
    compile(&p->value, poly, slot, jet);
    /* With positive coefficients: a size at |in|. */
    darc_dpolys_t sizes;
    darc_dpolys_init(sizes);
    darc_dpolys_set(sizes, poly, jet);
    for (slong i = 0; i < sizes->count; i++)
        for (slong k = 0; k < sizes->p[i].length; k++)
            fmpz_abs(sizes->p[i].coeffs + k, sizes->p[i].coeffs + k);
    compile(&p->size, sizes, slot, jet);
    darc_dpolys_clear(sizes, jet);
    compile_slopes(p, poly, slot, jet);
}

void darc_polys_clear(darc_polys *p)
{
    darc_slotted *const part[] = {&p->value, &p->size, &p->slope};
    for (int i = 0; i < 3; i++) {
        darc_program_free(part[i]->program);
        darc_free(part[i]->slot);
    }
    darc_free(p->slope_of);
    *p = (darc_polys){0};
}

static void run(const darc_slotted *s, double *const *in, double *const *out,
                size_t n)
{
    int inputs = s->program->inputs;
    const double **x = darc_calloc((size_t)inputs, sizeof *x);
    for (int i = 0; i < inputs; i++)
        x[i] = in[s->slot[i]];
    darc_program_eval(s->program, x, out, n);
    darc_free(x);
}

void darc_polys_values(const darc_polys *p, double *const *in,
                       double *const *value, size_t n)
{
    run(&p->value, in, value, n);
}

void darc_polys_bounds(const darc_polys *p, double *const *in,
                       const double *error, darc_bounds out, size_t n)
{
    double *const *shifted = out.work, *const *larger = out.work + p->slots;
    for (int s = 0; s < p->slots; s++)
        for (size_t t = 0; t < n; t++)
            shifted[s][t] = fabs(in[s][t]);
    run(&p->size, shifted, out.size, n);
    for (int s = 0; s < p->slots; s++)
        for (size_t t = 0; t < n; t++)
            shifted[s][t] += error[s];
    run(&p->size, shifted, larger, n);
    for (int i = 0; i < p->count; i++) {
        /* The sizes are rounded themselves, inputs and difference too. */
        double g = darc_gamma(p->value.program->roundings[i]) +
                   2 * darc_gamma(p->size.program->roundings[i] + 4);
        for (size_t t = 0; t < n; t++)
            out.bound[i][t] = larger[i][t] - out.size[i][t] + g * larger[i][t];
    }
}

int darc_polys_slope_count(const darc_polys *p)
{
    return p->slope.program == NULL ? 0 : p->slope.program->outputs;
}

void darc_polys_slopes(const darc_polys *p, double *const *in,
                       double *const *slope, size_t n)
{
    if (p->slope.program != NULL)
        run(&p->slope, in, slope, n);
}
