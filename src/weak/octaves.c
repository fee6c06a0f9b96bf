#include "weak/octaves.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/fft.h"
#include "stats/lanes.h"
#include "weak/piece.h"
#include "weak/thresholds.h"

#include <math.h>

/* Set power[k] to the mean square of x in octave k; return how many hold values
 * enough. */
static int set_octaves(double *power, const double *x, size_t rows, int stride)
{
    double *re, *im;
    darc_fft_plan plan;
    int n = 1, count = 0;
    while ((size_t)n < rows)
        n *= 2;
    DARC_CARVE({&re, n}, {&im, n});
    for (size_t t = 0; t < rows; t++)
        re[t] = x[t * (size_t)stride];
    darc_fft_plan_init(&plan, n);
    darc_fft_run(&plan, re, im);
    for (int end = n / 2; count < DARC_OCTAVES; end /= 2) {
        int begin = end / 2;
        double sum = 0, values = end - begin;
        if (values * (double)rows < DARC_OCTAVES_LEAST * n)
            break;
        for (int k = begin; k < end; k++)
            sum += re[k] * re[k] + im[k] * im[k];
        power[count++] = sum / values / (double)rows;
    }
    darc_fft_plan_clear(&plan);
    darc_free(re);
    return count;
}

/* Return the channel whose noise is strongest in equation q, by functions that
 * share none of it. */
static int loudest(darc_weak_work *work, int q)
{
    enum { APART = 8 };
    const darc_weak *weak = work->weak;
    int best = 0;
    double most = 0, *x = darc_calloc((size_t)work->rows, sizeof *x);
    for (int k = 0; k < work->functions; k += APART)
        x[k * weak->equations + q] = 1;
    darc_weak_adjoint(work, x);
    for (int c = 0; c < weak->channels; c++) {
        double power =
            darc_lanes_dot(work->z[c], work->z[c], darc_weak_field(work));
        best = power > most ? c : best;
        most = fmax(most, power);
    }
    darc_free(x);
    return best;
}

void darc_octaves_init(darc_octaves *o, const darc_weak *weak, const double *c,
                       const double *white)
{
    darc_weak_work *work = darc_weak_work_new(weak);
    darc_octaves_clear(o);
    o->equations = weak->equations;
    o->top = 0.5 / (weak->step * weak->dt);
    o->share =
        darc_calloc((size_t)o->equations * DARC_OCTAVES, sizeof *o->share);
    o->loudest = darc_calloc((size_t)o->equations, sizeof *o->loudest);
    darc_weak_load(work, 0);
    darc_weak_load_partials(work);
    darc_weak_at(work, c);
    for (int q = 0; q < o->equations; q++) {
        o->count = set_octaves(o->share + q * DARC_OCTAVES, white + q,
                               weak->functions, o->equations);
        o->loudest[q] = loudest(work, q);
    }
    darc_weak_work_free(work);
}

void darc_octaves_clear(darc_octaves *o)
{
    DARC_FREE(o->share, o->loudest);
    *o = (darc_octaves){0};
}
