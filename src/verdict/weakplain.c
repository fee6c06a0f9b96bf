#include "verdict/weakfit.h"

#include "base/mem.h"
#include "darc/stats.h"
#include "numeric/weak.h"

#include <math.h>

/* Sums over the moments of all pieces. */
typedef struct {
    double residual;   /* squares of e less their noise variance */
    double noise;      /* variance of that by noise: 2 tr V^2 */
    double lead, mean; /* of the leading term: squares, sum */
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

static void add_piece(sums *s, const darc_weakfit *f, darc_weak_work *work,
                      int lead)
{
    size_t k = (size_t)work->functions, rows = (size_t)work->band + 1;
    darc_weak_at(work, f->fit.c);
    darc_weak_covariance(work, f->fit.c, true);
    for (size_t i = 0; i < k; i++) {
        double e = 0, x = f->fit.c[lead] * work->w[(size_t)lead * k + i];
        for (int j = 0; j < f->model; j++)
            e += f->fit.c[j] * work->w[(size_t)j * k + i];
        s->residual += e * e - work->ab[i * rows];
        s->lead += x * x;
        s->mean += x;
    }
    s->noise += noise_of_squares(work);
    s->functions += (double)k;
}

double darc_weakfit_plain(const darc_weakfit *f, bool offset, double alpha)
{
    sums s = {0};
    int lead = 0;
    for (int j = 0; j < f->model; j++)
        if (f->fit.size[j] == f->lambda)
            lead = j;
    darc_weak_work *work = darc_weak_work_new(f->weak);
    for (int p = 0; p < f->weak->pieces; p++) {
        darc_weak_load(work, p);
        add_piece(&s, f, work, lead);
    }
    darc_weak_work_free(work);
    if (offset)
        s.lead -= s.mean * s.mean / s.functions;
    double z = darc_stats_normal_quantile(1 - alpha);
    double most = fmax(0, s.residual + z * sqrt(s.noise));
    return s.lead > 0 ? sqrt(most / s.lead) : HUGE_VAL;
}
