#include "verdict/weakfit.h"

#include "base/mem.h"
#include "darc/stats.h"
#include "numeric/weak.h"

#include <math.h>

/* Sums over the moments of all pieces. */
typedef struct {
    double residual;     /* squares of e less their noise variance */
    double noise;        /* variance of that by noise: 2 tr V^2 */
    double *term, *mean; /* of term j: squares, sum; owned */
    double functions;
} sums;

/* Return 2 tr V^2 of the lower band in ab. */
static double noise_of_squares(const darc_weak_work *work)
{
    size_t rows = (size_t)work->band + 1;
    double sum = 0;
    for (size_t i = 0; i < (size_t)work->functions; i++)
        for (size_t l = 0; l < rows; l++) {
            double v = work->ab[i * rows + l];
            sum += (l == 0 ? 2 : 4) * v * v;
        }
    return sum;
}

static void add_terms(sums *s, const darc_weakfit *f,
                      const darc_weak_work *work)
{
    size_t k = (size_t)work->functions;
    for (int j = 0; j < f->model; j++)
        for (size_t i = 0; i < k; i++) {
            double x = f->fit.c[j] * work->w[(size_t)j * k + i];
            s->term[j] += x * x;
            s->mean[j] += x;
        }
    s->functions += (double)k;
}

static void add_residual(sums *s, const darc_weakfit *f, darc_weak_work *work)
{
    size_t k = (size_t)work->functions, rows = (size_t)work->band + 1;
    darc_weak_load_partials(work);
    darc_weak_at(work, f->fit.c);
    darc_weak_covariance(work, f->fit.c, true);
    for (size_t i = 0; i < k; i++) {
        double e = 0;
        for (int j = 0; j < f->model; j++)
            e += f->fit.c[j] * work->w[(size_t)j * k + i];
        s->residual += e * e - work->ab[i * rows];
    }
    s->noise += noise_of_squares(work);
}

static int leading_term(const darc_weakfit *f)
{
    int lead = 0;
    for (int j = 0; j < f->model; j++)
        if (f->fit.size[j] == f->lambda)
            lead = j;
    return lead;
}

void darc_weakfit_set_plain(darc_weakfit *f, bool offset, double alpha)
{
    int lead = leading_term(f);
    sums s = {.term = darc_calloc((size_t)f->model, sizeof(double)),
              .mean = darc_calloc((size_t)f->model, sizeof(double))};
    darc_weak_work *work = darc_weak_work_new(f->weak);
    for (int p = 0; p < f->weak->pieces; p++) {
        darc_weak_load(work, p);
        add_terms(&s, f, work);
        if (f->misfit)
            add_residual(&s, f, work);
    }
    darc_weak_work_free(work);
    for (int j = 0; j < f->model && offset; j++)
        s.term[j] -= s.mean[j] * s.mean[j] / s.functions;
    f->share = darc_calloc((size_t)f->model, sizeof *f->share);
    for (int j = 0; j < f->model; j++) {
        double plain = s.term[lead] > 0 ? s.term[j] / s.term[lead] : 0;
        double weighed = f->lambda > 0 ? f->fit.size[j] / f->lambda : 1;
        f->share[j] = fmin(1, sqrt(fmax(0, fmax(plain, weighed))));
    }
    double z = darc_stats_normal_quantile(1 - alpha);
    double most = fmax(0, s.residual + z * sqrt(s.noise));
    if (f->misfit)
        f->plain = s.term[lead] > 0 ? sqrt(most / s.term[lead]) : HUGE_VAL;
    darc_free(s.term);
    darc_free(s.mean);
}
