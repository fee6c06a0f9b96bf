#include "trajectory/sizes.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/dense.h"

#include <math.h>
#include <string.h>

static double signal_at(const darc_flow *w, int i, const double *y)
{
    return i < w->n ? y[i] : w->signals.value[i - w->n][0];
}

double darc_lacking_at(const darc_flow *w, const darc_lacking *l,
                       const double *y)
{
    double value = 1;
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < l->power[f]; k++)
            value *= signal_at(w, l->factor[f], y);
    return value;
}

/* Products along recordings of the slopes of rates by the parameters. */
typedef struct {
    double *slope;        /* at one time: n x p, by columns; owned in one */
    double *gram, *cross; /* p x p of each state; p of each candidate */
} products;

static void add_products(products *s, const darc_flow *w, int state)
{
    int n = w->n, p = w->params;
    double *gram = s->gram + state * p * p;
    for (int k = 0; k < p; k++)
        for (int l = 0; l < p; l++)
            gram[k * p + l] +=
                s->slope[k * n + state] * s->slope[l * n + state];
}

/* Return the square of what n columns, of which there are the products (spoilt)
 * and those with `own`, leave of it. */
static double left_of(double square, double *gram, const double *own, int n)
{
    double *value = darc_calloc(2 * (size_t)n + 1, sizeof *value);
    double *norm = value + n;
    for (int k = 0; k < n; k++)
        norm[k] = gram[k * n + k] > 0 ? sqrt(gram[k * n + k]) : 1;
    for (int k = 0; k < n * n; k++)
        gram[k] /= norm[k / n] * norm[k % n];
    bool good = n > 0 && darc_dense_eigen(value, gram, n, 'V');
    for (int e = 0; e < n && good; e++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += gram[e * n + k] * own[k] / norm[k];
        if (value[e] > DARC_LINEAR_RANK * value[n - 1])
            square -= sum * sum / value[e];
    }
    darc_free(value);
    return fmax(square, 0);
}

/* Set s->term to RMS, s->net to what the slopes leave. */
static void project(darc_sizes *s, const products *by, int p,
                    const darc_lacking *term, int terms, size_t all)
{
    size_t n = (size_t)(p * p);
    double *gram = darc_malloc((n + 1) * sizeof *gram);
    for (int t = 0; t < terms; t++) {
        double square = s->term[t];
        memcpy(gram, by->gram + (size_t)term[t].state * n, n * sizeof *gram);
        double left = left_of(square, gram, by->cross + t * p, p);
        s->net[t] = square > 0 ? sqrt(left / square) : 0;
        s->term[t] = square > 0 ? sqrt(square / (double)all) : 1;
    }
    darc_free(gram);
}

bool darc_sizes_init(darc_sizes *s, darc_trajectory *x,
                     const darc_lacking *term, int terms)
{
    darc_match *m = &x->match;
    darc_flow *w = m->flow;
    size_t all = 0;
    int n = w->n, p = w->params;
    double *z, *now, *a;
    products by;
    DARC_CARVE({&z, n}, {&now, n}, {&a, n * n}, {&by.slope, n * p + 1},
               {&by.gram, n * p * p + 1}, {&by.cross, terms * p + 1});
    DARC_CARVE({&s->size, m->runs * n + 1}, {&s->state, m->runs * n + 1},
               {&s->term, terms + 1}, {&s->net, terms + 1});
    bool good = true;
    for (int r = 0; r < m->runs && good; r++) {
        const darc_record *run = m->run + r;
        good = darc_match_begin(m, r, NULL, z);
        for (size_t i = 0; i < run->n && good; i++, all++) {
            w->signals.until = HUGE_VAL;
            w->signals.known = false;
            bool known = darc_flow_rates(w, run->time[i], z, now, a, by.slope);
            for (int k = 0; k < n && known; k++)
                add_products(&by, w, k);
            for (int k = 0; k < terms; k++) {
                double value = darc_lacking_at(w, term + k, z);
                s->term[k] += value * value;
                for (int e = 0; e < p && known; e++)
                    by.cross[k * p + e] +=
                        value * by.slope[e * n + term[k].state];
            }
            for (int k = 0; k < n; k++)
                s->state[r * n + k] += z[k] * z[k] / (double)run->n;
            darc_flow_sizes(w, run->time[i], z, now);
            for (int k = 0; k < n; k++)
                s->size[r * n + k] +=
                    isfinite(now[k]) ? now[k] * now[k] / (double)run->n : 0;
            good = darc_match_go_on(m, r, i, NULL, z);
        }
    }
    for (int k = 0; k < m->runs * n; k++) {
        s->size[k] = sqrt(s->size[k]);
        s->state[k] = sqrt(s->state[k]);
    }
    project(s, &by, p, term, terms, all);
    darc_free(z);
    return good;
}

void darc_sizes_clear(darc_sizes *s)
{
    darc_free(s->size);
    *s = (darc_sizes){.size = NULL};
}
