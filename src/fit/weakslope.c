#include "fit/weakslope.h"

#include "weak/weak_inside.h"

#include <math.h>

/* Power of x about its mean. */
static double power(const double *x, int n)
{
    double mean = 0, sum = 0;
    for (int t = 0; t < n; t++)
        mean += x[t] / n;
    for (int t = 0; t < n; t++)
        sum += (x[t] - mean) * (x[t] - mean) / n;
    return sum;
}

static double noise_power(const darc_weak_var *v)
{
    double sum = 0;
    for (int s = 0; s <= 2 * v->reach && v->channel >= 0; s++)
        sum += v->response[s] * v->response[s] / v->times;
    return sum;
}

/* Return the largest share of a term of the model that holds variable v. */
static double largest_share(const darc_weakfit *f, int v)
{
    double most = 0;
    for (int g = 0; g < f->weak->groups; g++) {
        const darc_weak_group *group = f->weak->group + g;
        if (group->coeff < f->model && group->by[v].count > 0)
            most = fmax(most, f->share[group->coeff]);
    }
    return most;
}

double darc_weakfit_slope_noise(const darc_weakfit *f)
{
    const darc_weak *weak = f->weak;
    darc_weak_work *work = NULL;
    double most = 0;
    for (int v = 0; v < weak->vars; v++) {
        double noise = noise_power(weak->var + v);
        if (weak->var[v].deriv.order == 0 || noise == 0)
            continue;
        if (work == NULL) {
            work = darc_weak_work_new(weak);
            darc_weak_load(work, 0);
        }
        double signal = power(work->x[v], work->samples) - noise;
        double ratio = signal > noise ? noise / signal : 1;
        most = fmax(most, ratio * largest_share(f, v));
    }
    if (work != NULL)
        darc_weak_work_free(work);
    return most;
}
