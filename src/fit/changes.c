#include "fit/changes.h"

#include "base/mem.h"
#include "fit/thresholds.h"
#include "weak/steps.h"

#include <math.h>
#include <string.h>

static void move_changes(double *value, double *early, const darc_table *table)
{
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        for (size_t t = g.begin + 1; t < g.end; t++) {
            double e = early[t];
            if (e < 0 && t + 1 < g.end) {
                value[t] = value[t - 1];
                early[t++] = 0;
                early[t] = fmin(1 + e, 1 - 1e-9); /* less than one */
            } else if (e >= 1 && t > g.begin + 1) {
                value[t - 1] = value[t];
                early[t - 1] = e - 1;
                early[t] = 0;
            }
        }
    }
}

double *darc_changes_new(const double *value, const double *early,
                         const darc_table *table)
{
    size_t n = table->samples;
    double *own = darc_malloc(2 * n * sizeof *own);
    memcpy(own, early, n * sizeof *own);
    memcpy(own + n, value, n * sizeof *own);
    move_changes(own + n, own, table);
    return own;
}

/* Return the measured unknown whose sign e is; -1: that of something else. */
static int sign_of(const darc_regression *r, const darc_question *x,
                   const darc_expr *e)
{
    const darc_expr *arg = e->child[0];
    darc_deriv d = {-1, 0};
    if (darc_expr_get_kind(arg) == DARC_EXPR_UNKNOWN)
        d = darc_expr_deriv(arg);
    bool measured = d.unknown >= 0 && d.order == 0 && r->at[d.unknown] >= 0 &&
                    darc_derived_expr(x->model, d.unknown) == NULL;
    return measured ? d.unknown : -1;
}

double *darc_changes_switch(darc_regression *r, const darc_question *x, int u,
                            const darc_derivation *d, const darc_table *table)
{
    const darc_expr *e = darc_derived_expr(x->model, u);
    size_t n = table->samples;
    if (darc_expr_get_kind(e) != DARC_EXPR_CALL ||
        e->function != DARC_FUNCTION_SIGN || d->sd == NULL ||
        n > DARC_SWITCHED_MOST)
        return NULL;
    darc_switched *w = r->switched + u;
    w->of = sign_of(r, x, e);
    w->early = darc_calloc((2 + DARC_CROSSING_NODES) * n, sizeof *w->early);
    w->own = w->early + n;
    memcpy(w->own, d->sd, n * sizeof *w->own);
    for (size_t t = 0; t < n; t++)
        w->early[t] = 0.5;
    r->signal[u].held = true;
    r->signal[u].early = w->early;
    return w->early;
}

/* Let step k of unknown u come where the samples say, as far as their noise
 * lets them: beforehand it is anywhere between two. */
static void place_step(const darc_regression *r, int u, const darc_steps *steps,
                       size_t k, const darc_table *table)
{
    const darc_switched *w = r->switched + u;
    const double *x = table->signal[r->at[w->of]].value;
    const double anywhere = 1.0 / 12;
    size_t t = steps->row[k];
    double by = steps->to[u][k] - steps->from[u][k];
    darc_crossing c;
    if (by == 0 || !darc_steps_crossing(&c, steps, k, w->of, x, table))
        return;
    double now = darc_table_time(table, t);
    double dt = now - darc_table_time(table, t - 1);
    double squares = 0, sd = r->noise[w->of].sd;
    for (int j = 0; j < DARC_CROSSING_NODES; j++)
        squares += pow(c.slope[j] * sd / dt, 2);
    double known = anywhere / (anywhere + squares);
    for (size_t j = 0; j < DARC_CROSSING_NODES; j++)
        w->own[(j + 1) * table->samples + t] = -by * known * c.slope[j] / dt;
    w->early[t] = 0.5 + known * ((now - c.at) / dt - 0.5);
    w->own[t] = w->own[t - 1] = fabs(by) * sqrt(anywhere * (1 - known) / 2);
}

bool darc_changes_place(const darc_regression *r, const darc_steps *steps,
                        const darc_table *table)
{
    bool any = false;
    for (int u = 0; u < r->unknowns; u++)
        if (r->switched[u].early != NULL && r->switched[u].of >= 0 &&
            steps->to[u] != NULL) {
            any = true;
            for (size_t k = 0; k < steps->count; k++)
                place_step(r, u, steps, k, table);
        }
    return any;
}
