#include "fit/delayed.h"

#include "base/mem.h"
#include "derive/elementary.h"
#include "model/model.h"
#include "syntax/expr.h"

#include <math.h>
#include <string.h>

int darc_delayed_base(double *late, bool *mean, const darc_question *x,
                      const darc_table *table, int u)
{
    const darc_expr *e = darc_derived_expr(x->model, u);
    if (e == NULL || darc_expr_get_kind(e) != DARC_EXPR_CALL ||
        (e->function != DARC_FUNCTION_DELAY &&
         e->function != DARC_FUNCTION_MEAN) ||
        darc_expr_get_kind(e->child[0]) != DARC_EXPR_UNKNOWN)
        return -1;
    darc_deriv d = darc_expr_deriv(e->child[0]);
    *mean = e->function == DARC_FUNCTION_MEAN;
    bool derived = darc_derived_expr(x->model, d.unknown) != NULL;
    *late = darc_delay_time(e, x->model, table);
    return d.order == 0 && !derived && isfinite(*late) ? d.unknown : -1;
}

double *darc_delayed_hold(darc_regression *r, const darc_table *table, int u,
                          int base, double late)
{
    static const double same = 1e-6; /* of a sample: rounding of times */
    darc_weak_signal *s = r->signal + u;
    const double *from = table->signal[r->at[base]].value;
    const unsigned char *absent = darc_table_absent(table, r->at[base]);
    double *v = darc_malloc(table->samples * sizeof *v);
    double slack = same * darc_table_step(table);
    memcpy(v, s->value, table->samples * sizeof *v);
    size_t next = 0; /* the first sample of the base that acts later */
    double last = NAN;
    for (size_t t = 0; t < table->samples; t++) {
        double until = darc_table_time(table, t) - late + slack;
        for (; next < table->samples && darc_table_time(table, next) <= until;
             next++)
            if ((absent == NULL || !absent[next]) && !isnan(from[next]))
                last = from[next];
        if (!isnan(v[t]) && !isnan(last))
            v[t] = last;
    }
    s->value = v;
    s->held = true;
    s->late = late;
    s->base = from;
    s->base_absent = absent;
    return v;
}
