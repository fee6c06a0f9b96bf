/* crossing.c - when a signal that bends at steps passes 0. */
#include "weak/steps.h"

#include "data/table.h"

#include <math.h>

enum { NODES = DARC_CROSSING_NODES, HALVINGS = 40 };

/* Four samples around a step that a signal makes where it passes 0. */
typedef struct {
    const darc_steps *steps;
    int unknown; /* what passes 0 */
    size_t step;
    double at[NODES], value[NODES];
} crossing;

/* Return what the bend at step k, taken to be at this time, adds by time t. */
static double bend(const crossing *c, size_t k, double at, double t)
{
    const darc_steps *s = c->steps;
    const double *curve = s->curve[c->unknown] + k * DARC_STEP_CURVES;
    double x = fmax(0, t - at);
    return x * (s->kink[c->unknown][k] + x * (curve[0] / 2 + x * curve[1] / 6));
}

/* Return the weight of node j in the cubic through all at time t. */
static double weight(const crossing *c, int j, double t)
{
    double w = 1;
    for (int i = 0; i < NODES; i++)
        w *= i == j ? 1 : (t - c->at[i]) / (c->at[j] - c->at[i]);
    return w;
}

/* Take the bend of step k off the samples; return what it adds at time t. */
static double straighten(double smooth[NODES], const crossing *c, size_t k,
                         double t)
{
    double at = c->steps->at[k];
    for (int j = 0; j < NODES; j++)
        smooth[j] -= bend(c, k, at, c->at[j]);
    return bend(c, k, at, t);
}

/* Return the signal at time t, if its own step is there: the cubic through the
 * samples less all bends, and those bends. */
static double signal_at(const crossing *c, double t)
{
    const darc_steps *s = c->steps;
    double sum = 0, smooth[NODES];
    for (int j = 0; j < NODES; j++)
        smooth[j] = c->value[j] - bend(c, c->step, t, c->at[j]);
    for (size_t k = c->step; k-- > 0 && s->at[k] > c->at[0];)
        sum += straighten(smooth, c, k, t);
    for (size_t k = c->step + 1; k < s->count && s->at[k] < c->at[NODES - 1];
         k++)
        sum += straighten(smooth, c, k, t);
    for (int j = 0; j < NODES; j++)
        sum += weight(c, j, t) * smooth[j];
    return sum;
}

bool darc_steps_crossing(darc_crossing *out, const darc_steps *s, size_t k,
                         int u, const double *x, const darc_table *table)
{
    crossing c = {.steps = s, .unknown = u, .step = k};
    size_t row = s->row[k];
    if (s->kink[u] == NULL || row < 2 || row + 1 >= table->samples)
        return false;
    for (size_t j = 0; j < NODES; j++) {
        c.at[j] = darc_table_time(table, row - 2 + j);
        c.value[j] = x[row - 2 + j];
        double side = c.value[j] * x[j < 2 ? row - 1 : row];
        if (!(side > 0)) /* or it passes 0 once more, or is not known */
            return false;
    }
    double low = c.at[1], high = c.at[2];
    if (!(x[row - 1] * x[row] < 0))
        return false;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        bool before = signal_at(&c, middle) * x[row - 1] > 0;
        *(before ? &low : &high) = middle;
    }
    out->at = (low + high) / 2;
    double h = 1e-3 * (c.at[2] - c.at[1]);
    double by =
        (signal_at(&c, out->at + h) - signal_at(&c, out->at - h)) / (2 * h);
    for (int j = 0; j < NODES; j++)
        out->slope[j] = -weight(&c, j, out->at) / by;
    return isfinite(1 / by);
}
