#include "weak/held.h"

#include "base/mem.h"
#include "stats/lanes.h"
#include "stats/real.h"

#include <math.h>
#include <string.h>

enum { HALF = DARC_WEAK_HELD_HALF };

/* Weights of g at 1/2, 3/2, ... samples from the middle of a step of the
 * integral over it, exact for polynomials of degree 9. */
static const double weight[HALF] = {4134338 / 7257600.0, -641776 / 7257600.0,
                                    162680 / 7257600.0, -28939 / 7257600.0,
                                    2497 / 7257600.0};

bool darc_weak_is_held(const darc_weak_data *data,
                       const darc_total_struct *total, int v)
{
    const darc_weak_signal *s = data->signal + total->var[v].unknown;
    return s->held && s->value != NULL && total->var[v].order == 0;
}

static double value_at(const darc_weak_var *var, size_t t)
{
    double product = 1;
    for (int i = 0; i < var->factors; i++) {
        const darc_weak_factor *f = var->factor + i;
        product *= f->exponent != 0 ? pow(f->value[t], f->exponent)
                                    : log(fabs(f->value[t]));
    }
    return product;
}

void darc_weak_held_load(double *x, const darc_weak_var *var, darc_segment s,
                         size_t begin, size_t n)
{
    size_t wide = n + 2 * HALF - 1;
    double *f = darc_malloc(wide * sizeof *f);
    for (size_t i = 0; i < wide; i++) {
        size_t t = begin + i < s.begin + HALF ? s.begin : begin + i - HALF;
        f[i] = value_at(var, t < s.end ? t : s.end - 1);
    }
    memset(x, 0, n * sizeof *x);
    for (size_t k = 0; k < HALF; k++) {
        darc_lanes_add(x, weight[k], f + HALF + k, n);
        darc_lanes_add(x, weight[k], f + HALF - 1 - k, n);
    }
    darc_free(f);
}

/* Set var to what the held signals of a term are a factor of; return how many
 * there are, 0 also where the noise of one counts. */
static int gather_held(darc_weak_var *var, const darc_weak_data *data,
                       const darc_total_struct *total,
                       const darc_total_term *term)
{
    for (int v = 0; v < total->vars; v++) {
        const darc_weak_signal *s = data->signal + total->var[v].unknown;
        if (!darc_total_holds(term, v) || !darc_weak_is_held(data, total, v))
            continue;
        if (!s->exact)
            return 0;
        var->deriv = total->var[v];
        var->value = s->value;
        if (term->log == v)
            var->factor[var->factors++] = (darc_weak_factor){s->value, 0};
        if (term->exponent[v] != 0)
            var->factor[var->factors++] =
                (darc_weak_factor){s->value, term->exponent[v]};
    }
    return var->factors;
}

static bool are_same(const darc_weak_var *a, const darc_weak_var *b)
{
    bool same = a->factors == b->factors;
    for (int i = 0; i < a->factors && same; i++)
        same = a->factor[i].value == b->factor[i].value &&
               a->factor[i].exponent == b->factor[i].exponent;
    return same;
}

int darc_weak_held_factor(darc_weak *weak, const darc_weak_data *data,
                          const darc_total_struct *total,
                          const darc_total_term *term)
{
    darc_weak_var var = {.value = NULL};
    int n = gather_held(&var, data, total, term);
    if (n == 0 || (n == 1 && var.factor[0].exponent == 1))
        return -1;
    for (int v = 0; v < weak->vars; v++)
        if (are_same(weak->var + v, &var))
            return v;
    if (weak->vars == DARC_LAURENT_VARS)
        return -1;
    weak->var[weak->vars] = var;
    return weak->vars++;
}

/* Return the value of a term at sample t; of its partial derivative by variable
 * `by`, unless that is -1; with held signals as they are at sample `held`. */
static double term_at(const darc_weak_data *data,
                      const darc_total_struct *total,
                      const darc_total_term *term, int by, size_t t,
                      size_t held)
{
    double x = darc_real(fmpq_numref(term->factor), fmpq_denref(term->factor));
    for (int v = 0; v < total->vars; v++) {
        int e = term->exponent[v];
        if (e == 0)
            continue;
        const double *value = data->signal[total->var[v].unknown].value;
        double s = value[darc_weak_is_held(data, total, v) ? held : t];
        x *= v == by ? e * pow(s, e - 1) : pow(s, e);
    }
    return x;
}

/* Return the sample-borne variable that all terms of that order hold, beside
 * held ones; -1: several, or none. */
static int sole_variable(const darc_weak_data *data,
                         const darc_total_struct *total, int order)
{
    int sole = -1;
    for (int i = 0; i < total->count; i++)
        for (int v = 0; v < total->vars; v++) {
            if (total->term[i].order != order ||
                total->term[i].exponent[v] == 0)
                continue;
            if ((sole >= 0 && sole != v) || darc_weak_is_held(data, total, v))
                return -1;
            sole = v;
        }
    return sole;
}

static bool is_plain(const darc_weak_data *data, const darc_total_struct *total,
                     const darc_total_term *term)
{
    bool plain = term->log < 0;
    for (int v = 0; v < total->vars; v++)
        plain = plain && (term->exponent[v] == 0 ||
                          (total->var[v].order == 0 &&
                           data->signal[total->var[v].unknown].value != NULL));
    return plain;
}

static bool has_held(const darc_weak_data *data, const darc_total_struct *total,
                     const darc_total_term *term)
{
    for (int v = 0; v < total->vars; v++)
        if (term->exponent[v] != 0 && darc_weak_is_held(data, total, v))
            return true;
    return false;
}

/* Return the highest order of a term that holds variable v; -1: none. */
static int order_of(const darc_total_struct *total, int v)
{
    int order = -1;
    for (int i = 0; i < total->count; i++) {
        const darc_total_term *t = total->term + i;
        if (darc_total_holds(t, v))
            order = t->order > order ? t->order : order;
    }
    return order;
}

static bool is_output(const darc_weak_data *data,
                      const darc_total_struct *total, int v)
{
    return data->signal[total->var[v].unknown].output;
}

/* The highest order of a term with a held signal; -1: none. */
static int held_order(const darc_weak_data *data, const darc_total_struct *t)
{
    int most = -1;
    for (int v = 0; v < t->vars; v++)
        if (darc_weak_is_held(data, t, v) && order_of(t, v) > most)
            most = order_of(t, v);
    return most;
}

/* Whether unknown u leads one of the equations, all that is held behind it:
 * then it is an integral of what jumps, and has kinks alone. */
static bool is_led(const darc_weak_data *data, const darc_total_struct *total,
                   int equations, int u)
{
    bool leads = false;
    for (int q = 0; q < equations && !leads; q++) {
        int top = darc_total_order(total + q);
        int v = sole_variable(data, total + q, top);
        leads = v >= 0 && total[q].var[v].unknown == u &&
                held_order(data, total + q) < top;
    }
    return leads;
}

int darc_weak_held_jumps(const darc_weak_data *data,
                         const darc_total_struct *total, int equations)
{
    for (int q = 0; q < equations; q++) {
        const darc_total_struct *t = total + q;
        int most = held_order(data, t);
        for (int v = 0; v < t->vars && most >= 0; v++)
            if (is_output(data, t, v) && order_of(t, v) == most &&
                !is_led(data, total, equations, t->var[v].unknown))
                return t->var[v].unknown;
    }
    return -1;
}

/* Whether an output stands in term t of equation q that may jump. */
static bool may_jump(const darc_weak_data *data, const darc_total_struct *total,
                     int equations, int q, const darc_total_term *t)
{
    for (int w = 0; w < total[q].vars; w++)
        if (t->exponent[w] != 0 && is_output(data, total + q, w) &&
            !is_led(data, total, equations, total[q].var[w].unknown))
            return true;
    return false;
}

int darc_weak_held_straighten(double *y, const darc_weak_data *data,
                              const darc_total_struct *all, int equations,
                              int q, const double *c)
{
    const darc_table *table = data->table;
    const darc_total_struct *total = all + q;
    int top = darc_total_order(total), v = sole_variable(data, total, top);
    bool bends = false;
    if (v < 0 || !is_output(data, total, v))
        return -1;
    for (int i = 0; i < total->count; i++) {
        const darc_total_term *t = total->term + i;
        if (t->order < top - 1)
            continue;
        if (!is_plain(data, total, t) || may_jump(data, all, equations, q, t))
            return -1;
        bends = bends || (t->order == top - 1 && has_held(data, total, t));
    }
    if (!bends)
        return -1;
    int u = total->var[v].unknown;
    memcpy(y, data->signal[u].value, table->samples * sizeof *y);
    for (int s = 0; s < table->segments; s++)
        for (size_t k = table->segment[s].begin + 1; k < table->segment[s].end;
             k++) {
            double jump = 0, slope = 0;
            for (int i = 0; i < total->count; i++) {
                const darc_total_term *t = total->term + i;
                if (t->order == top)
                    slope += c[t->coeff] * term_at(data, total, t, v, k, k);
                else if (t->order == top - 1 && has_held(data, total, t))
                    jump +=
                        c[t->coeff] * (term_at(data, total, t, -1, k, k) -
                                       term_at(data, total, t, -1, k, k - 1));
            }
            if (slope != 0 && isfinite(jump / slope))
                y[k] -= table->dt / 12 * jump / slope;
        }
    return u;
}
