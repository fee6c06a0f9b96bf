/* follow.c - by how much outputs jump and bend where held signals step. */
#include "weak/steps.h"

#include "base/mem.h"
#include "data/table.h"
#include "stats/columns.h"
#include "stats/real.h"

#include <math.h>
#include <stdlib.h>

/* Newton steps of a jump that stands in products (chosen); what is linear takes
 * one. */
enum { NEWTON = 4 };

/* One equation, and what it says of one output. */
typedef struct {
    darc_steps *steps;
    const darc_weak_data *data;
    const darc_total_struct *total;
    const double *c; /* by coefficient of the total */
    int order;       /* highest of what jumps */
    int of;          /* variable that jumps, or bends */
    bool jumps;
} balance;

/* Return the highest order of a term that holds a variable; -1: none. */
static int order_of(const darc_total_struct *total, int v)
{
    int order = -1;
    for (int i = 0; i < total->count; i++) {
        const darc_total_term *t = total->term + i;
        if (darc_total_holds(t, v) && t->order > order)
            order = t->order;
    }
    return order;
}

/* The same of what jumps, output u aside. */
static int order_of_steps(const bool *jumpy, const darc_total_struct *total,
                          int u)
{
    int most = -1;
    for (int v = 0; v < total->vars; v++) {
        const darc_deriv d = total->var[v];
        if (d.unknown != u && d.order == 0 && jumpy[d.unknown] &&
            order_of(total, v) > most)
            most = order_of(total, v);
    }
    return most;
}

/* Return the only output that terms of that order hold and that is not held;
 * -1: several, or none. */
static int sole_output(const darc_steps *s, const darc_weak_data *data,
                       const darc_total_struct *total, int order)
{
    int sole = -1;
    for (int v = 0; v < total->vars; v++) {
        bool in = false;
        for (int i = 0; i < total->count && !in; i++)
            in = total->term[i].order == order &&
                 darc_total_holds(total->term + i, v);
        int u = total->var[v].unknown;
        if (!in || s->to[u] != NULL)
            continue;
        if (sole >= 0 || !data->signal[u].output || total->var[v].order > 0)
            return -1;
        sole = v;
    }
    return sole;
}

/* Whether no term of that order holds a derivative, which no sample shows. */
static bool is_plain(const darc_total_struct *total, int order)
{
    bool plain = true;
    for (int i = 0; i < total->count; i++)
        for (int v = 0; v < total->vars; v++)
            plain = plain && (total->term[i].order != order ||
                              total->var[v].order == 0 ||
                              !darc_total_holds(total->term + i, v));
    return plain;
}

/* Equations, each with what it says of one output. */
typedef struct {
    darc_steps *steps;
    const darc_weak_data *data;
    const darc_total_struct *total;
    int equations;
    balance *by; /* of each equation */
    bool *jumpy; /* by unknown: held, or an output that jumps */
} balances;

/* Whether output v of equation q jumps by what it says: nothing of a higher
 * order bends instead. */
static bool may_jump(const balances *a, int q, int v)
{
    const darc_total_struct *total = a->total + q;
    int u = total->var[v].unknown, order = order_of(total, v);
    bool may = total->var[v].order == 0 && order >= 0 &&
               a->data->signal[u].output && !a->jumpy[u] &&
               order_of_steps(a->jumpy, total, u) == order;
    for (int w = 0; w < total->vars && may; w++)
        may = !a->data->signal[total->var[w].unknown].output ||
              order_of(total, w) <= order;
    return may;
}

/* Whether an equation says of u that it integrates what jumps: it stands alone
 * under a higher derivative than that. */
static bool is_led(const balances *a, int u)
{
    bool led = false;
    for (int q = 0; q < a->equations && !led; q++) {
        int top = darc_total_order(a->total + q);
        int v = sole_output(a->steps, a->data, a->total + q, top);
        led = v >= 0 && a->total[q].var[v].unknown == u &&
              order_of_steps(a->jumpy, a->total + q, u) < top;
    }
    return led;
}

/* Let an equation say by how much an output jumps: one of which it alone says
 * so, or that may be several.  Return whether one was left. */
static bool assign_jump(balances *a, bool alone)
{
    for (int q = 0; q < a->equations; q++) {
        balance *b = a->by + q;
        int many = 0, of = -1;
        for (int v = 0; v < b->total->vars && b->of < 0; v++)
            if (may_jump(a, q, v) && !is_led(a, b->total->var[v].unknown)) {
                of = many == 0 ? v : of;
                many++;
            }
        if (many == 0 || (alone && many > 1))
            continue;
        b->of = of;
        b->order = order_of(b->total, of);
        b->jumps = true;
        a->jumpy[b->total->var[of].unknown] = true;
        return true;
    }
    return false;
}

/* Set what each equation says: of which output, that it jumps, or bends; none:
 * -1. */
static void open_balances(balances *a)
{
    a->by = darc_calloc((size_t)a->equations, sizeof *a->by);
    a->jumpy = darc_calloc((size_t)a->steps->unknowns, sizeof *a->jumpy);
    for (int u = 0; u < a->steps->unknowns; u++)
        a->jumpy[u] = a->steps->to[u] != NULL;
    for (int q = 0; q < a->equations; q++)
        a->by[q] = (balance){a->steps, a->data, a->total + q, .of = -1};
    while (assign_jump(a, true) || assign_jump(a, false))
        ;
    for (int q = 0; q < a->equations; q++) {
        balance *b = a->by + q;
        int top = darc_total_order(b->total);
        int v = b->jumps ? -1 : sole_output(a->steps, a->data, b->total, top);
        if (v >= 0 && !a->jumpy[b->total->var[v].unknown] &&
            is_plain(b->total, top) &&
            order_of_steps(a->jumpy, b->total, -1) == top - 1) {
            b->of = v;
            b->order = top - 1;
        }
        if (b->of >= 0 && !is_plain(b->total, b->order))
            b->of = -1;
    }
}

/* Set the variables on both sides of step k. */
static void values_at(double *minus, double *plus, const balance *b, size_t k)
{
    const darc_steps *s = b->steps;
    const darc_table *table = b->data->table;
    size_t row = s->row[k];
    bool on = s->at[k] == darc_table_time(table, row);
    for (int v = 0; v < b->total->vars; v++) {
        int u = b->total->var[v].unknown;
        const double *x = b->data->signal[u].value;
        if (s->to[u] != NULL) {
            minus[v] = s->from[u][k];
            plus[v] = s->to[u][k];
            continue;
        }
        double jump = s->jump[u] != NULL ? s->jump[u][k] : 0;
        bool before = on && s->before[u];
        double here = x == NULL ? s->at[k] : x[row];
        minus[v] = before ? here : here - jump;
        plus[v] = minus[v] + jump;
    }
}

/* Return a term at x; its partial derivative by variable `by`, unless that is
 * -1. */
static double term_at(const darc_total_struct *total, const darc_total_term *t,
                      const double *x, int by)
{
    double product = darc_real(fmpq_numref(t->factor), fmpq_denref(t->factor));
    for (int v = 0; v < total->vars; v++) {
        int e = t->exponent[v];
        double power = e != 0 ? pow(x[v], e) : 1;
        double slope = e != 0 ? e * pow(x[v], e - 1) : 0;
        if (t->log == v) {
            slope = slope * log(fabs(x[v])) + power / x[v];
            power *= log(fabs(x[v]));
        }
        product *= v == by ? slope : power;
    }
    return product;
}

/* Return the sum of terms of an order at x; or its derivative. */
static double sum_at(const balance *b, int order, const double *x, int by)
{
    double sum = 0;
    for (int i = 0; i < b->total->count; i++) {
        const darc_total_term *t = b->total->term + i;
        if (t->order == order)
            sum += b->c[t->coeff] * term_at(b->total, t, x, by);
    }
    return sum;
}

static double finite_or_0(double x)
{
    return isfinite(x) ? x : 0;
}

/* Find the jump at step k, and by the next order what the slope jumps by. */
static void solve_jump(const balance *b, size_t k, double *minus, double *plus)
{
    darc_steps *s = b->steps;
    int u = b->total->var[b->of].unknown;
    bool on = s->at[k] == darc_table_time(b->data->table, s->row[k]);
    bool before = on && s->before[u];
    for (int i = 0; i < NEWTON; i++) {
        values_at(minus, plus, b, k);
        double rest =
            sum_at(b, b->order, plus, -1) - sum_at(b, b->order, minus, -1);
        double by = sum_at(b, b->order, before ? plus : minus, b->of);
        double step = finite_or_0(-rest / by);
        s->jump[u][k] += step;
        if (fabs(step) <= 1e-12 * fabs(s->jump[u][k]))
            break;
    }
    values_at(minus, plus, b, k);
    bool below = b->order > 0 && is_plain(b->total, b->order - 1);
    double rest = !below ? 0
                         : sum_at(b, b->order - 1, plus, -1) -
                               sum_at(b, b->order - 1, minus, -1);
    for (int v = 0; v < b->total->vars; v++) {
        const double *kink = s->kink[b->total->var[v].unknown];
        if (v != b->of && kink != NULL && b->total->var[v].order == 0)
            rest += kink[k] * sum_at(b, b->order, plus, v);
    }
    s->kink[u][k] = finite_or_0(-rest / sum_at(b, b->order, plus, b->of));
}

/* Find by what the slope jumps at step k. */
static void solve_kink(const balance *b, size_t k, double *minus, double *plus)
{
    int u = b->total->var[b->of].unknown;
    values_at(minus, plus, b, k);
    double rest =
        sum_at(b, b->order, plus, -1) - sum_at(b, b->order, minus, -1);
    b->steps->kink[u][k] =
        finite_or_0(-rest / sum_at(b, b->order + 1, plus, b->of));
}

/* Whether terms that hold what jumps or bends are linear in it. */
static bool is_linear(const balance *b)
{
    const darc_steps *s = b->steps;
    bool linear = true;
    for (int i = 0; i < b->total->count; i++) {
        const darc_total_term *t = b->total->term + i;
        int powers = 0, moving = 0;
        for (int v = 0; v < b->total->vars; v++) {
            int u = b->total->var[v].unknown;
            if (!darc_total_holds(t, v))
                continue;
            powers += t->log == v ? 2 : abs(t->exponent[v]);
            moving += s->to[u] != NULL || s->jump[u] != NULL;
        }
        linear = linear && (moving == 0 || powers == 1);
    }
    return linear;
}

/* Return what derivative p of unknown u jumps by at step k. */
static double jump_of(const darc_steps *s, int u, size_t k, int p)
{
    if (p == 0 && s->to[u] != NULL)
        return s->to[u][k] - s->from[u][k];
    if (s->kink[u] == NULL)
        return 0;
    return p == 0   ? s->jump[u][k]
           : p == 1 ? s->kink[u][k]
                    : s->curve[u][k * DARC_STEP_CURVES + (size_t)p - 2];
}

/* Find what the higher derivatives jump by at step k: with the terms of order
 * top - n p - n times differentiated, all jumps add up to 0; by[n] holds what
 * each variable has there. */
static void solve_curves(const balance *b, size_t k, const double *by)
{
    const darc_steps *s = b->steps;
    int vars = b->total->vars, top = darc_total_order(b->total);
    double *curve =
        s->curve[b->total->var[b->of].unknown] + k * DARC_STEP_CURVES;
    for (int p = 2; p < 2 + DARC_STEP_CURVES; p++) {
        double rest = 0;
        for (int n = 0; n <= p && n <= top; n++)
            for (int v = 0; v < vars; v++)
                if (by[n * vars + v] != 0 && (n > 0 || v != b->of))
                    rest += by[n * vars + v] *
                            jump_of(s, b->total->var[v].unknown, k, p - n);
        curve[p - 2] = finite_or_0(-rest / by[b->of]);
    }
}

/* The same at all steps, where the equation is linear. */
static void solve_linear(const balance *b)
{
    int vars = b->total->vars, top = darc_total_order(b->total);
    if (b->steps->count == 0 || !is_linear(b) || b->order != top - !b->jumps ||
        !is_plain(b->total, b->order - 1) || !is_plain(b->total, b->order))
        return;
    double *by, *plus, *minus;
    DARC_CARVE({&by, (top + 1) * vars}, {&plus, vars}, {&minus, vars});
    values_at(minus, plus, b, 0);
    for (int n = 0; n <= top; n++)
        for (int v = 0; v < vars; v++)
            by[n * vars + v] = sum_at(b, top - n, plus, v);
    for (size_t k = 0; k < b->steps->count; k++)
        solve_curves(b, k, by);
    b->steps->curved[b->total->var[b->of].unknown] = true;
    darc_free(by);
}

static void bend(darc_steps *s, int u)
{
    s->jump[u] = darc_calloc(s->count + 1, sizeof(double));
    s->kink[u] = darc_calloc(s->count + 1, sizeof(double));
    s->curve[u] =
        darc_calloc((s->count + 1) * DARC_STEP_CURVES, sizeof(double));
}

static void solve_balance(const balance *b)
{
    darc_steps *s = b->steps;
    int u = b->total->var[b->of].unknown;
    double *minus, *plus;
    DARC_CARVE({&minus, b->total->vars}, {&plus, b->total->vars});
    if (s->jump[u] == NULL)
        bend(s, u);
    for (size_t k = 0; k < s->count; k++) {
        if (b->jumps)
            solve_jump(b, k, minus, plus);
        else
            solve_kink(b, k, minus, plus);
    }
    darc_free(minus);
}
/* What is computed from an output that bends bends with it. */
static void bend_computed(darc_steps *s, const darc_weak_data *data, int u)
{
    const darc_weak_signal *from = data->signal + u;
    if (from->slope == NULL || s->kink[from->of] == NULL || s->jump[u] != NULL)
        return;
    bend(s, u);
    for (size_t k = 0; k < s->count; k++)
        if (s->jump[from->of][k] == 0)
            s->kink[u][k] = s->kink[from->of][k] * from->slope[s->row[k]];
}

bool darc_steps_follow(darc_steps *steps, const darc_weak_data *data,
                       const darc_total_struct *total, int equations,
                       const int *first, const double *c)
{
    balances a = {steps, data, total, equations, NULL, NULL};
    bool any = false;
    enum { SWEEPS = 2, LINEAR = 4 }; /* what follows what follows */
    open_balances(&a);
    for (int i = 0; i < SWEEPS + LINEAR; i++)
        for (int q = 0; q < equations; q++) {
            a.by[q].c = c + first[q];
            if (a.by[q].of < 0)
                continue;
            any = true;
            if (i < SWEEPS)
                solve_balance(a.by + q);
            else
                solve_linear(a.by + q);
        }
    for (int u = 0; u < steps->unknowns; u++)
        bend_computed(steps, data, u);
    DARC_FREE(a.by, a.jumpy);
    return any;
}

bool darc_steps_has_side(const darc_steps *steps, const darc_weak_data *data,
                         const darc_total_struct *total, int equations, int u)
{
    balances a = {(darc_steps *)steps, data, total, equations, NULL, NULL};
    bool any = false;
    open_balances(&a);
    for (int q = 0; q < equations; q++)
        any = any || (a.by[q].of >= 0 && a.by[q].jumps &&
                      total[q].var[a.by[q].of].unknown == u);
    DARC_FREE(a.by, a.jumpy);
    return any;
}
