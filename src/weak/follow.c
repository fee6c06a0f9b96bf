/* follow.c - by how much outputs jump and bend where held signals step. */
#include "weak/steps.h"

#include "base/assignment.h"
#include "base/mem.h"
#include "data/table.h"
#include "stats/columns.h"
#include "stats/real.h"
#include "weak/thresholds.h"

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
    int of;          /* variable that it tells; -1: none */
    int order;       /* of the terms whose jumps tell it */
    bool jumps;      /* it jumps; else it bends */
    bool linear;     /* in all that jumps or bends */
} balance;

/* A derivative of this order and all below it are smooth at every step. */
enum { SMOOTH = 1 << 20 };

/* Equations, and the lowest derivative of each unknown that jumps at steps. */
typedef struct {
    balance *by; /* of each equation; owned */
    int equations;
    int *jumping; /* by unknown; owned */
} balances;

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

/* Return the highest derivative of unknown u in an equation; -1: none. */
static int order_in(const darc_total_struct *total, int u)
{
    int most = -1;
    for (int v = 0; v < total->vars; v++) {
        int order = order_of(total, v);
        if (total->var[v].unknown == u && order >= 0 &&
            order + total->var[v].order > most)
            most = order + total->var[v].order;
    }
    return most;
}

/* Whether no term of that order or above holds a derivative, which no sample
 * shows. */
static bool is_plain(const darc_total_struct *total, int order)
{
    bool plain = true;
    for (int i = 0; i < total->count; i++)
        for (int v = 0; v < total->vars; v++)
            plain = plain &&
                    (total->term[i].order < order || total->var[v].order == 0 ||
                     !darc_total_holds(total->term + i, v));
    return plain;
}

/* Whether an equation is linear in all that jumps or bends. */
static bool is_linear(const darc_total_struct *total, const int *jumping)
{
    bool linear = true;
    for (int i = 0; i < total->count; i++) {
        const darc_total_term *t = total->term + i;
        int powers = 0, moving = 0;
        for (int v = 0; v < total->vars; v++) {
            if (!darc_total_holds(t, v))
                continue;
            powers += t->log == v ? 2 : abs(t->exponent[v]);
            moving += jumping[total->var[v].unknown] < SMOOTH;
        }
        linear = linear && (moving == 0 || powers == 1);
    }
    return linear;
}

/* Set told[q] to the unknown that equation q tells, -1: none: so that the sum
 * of their highest derivatives in these is the greatest there is, which is the
 * structure of a solution [Pry01]. */
static void assign_outputs(int *told, const balances *a, const darc_steps *s,
                           const darc_weak_data *data)
{
    size_t all = (size_t)a->equations * (size_t)s->unknowns;
    int *value = darc_calloc(all + 1, sizeof *value);
    for (int q = 0; q < a->equations; q++)
        for (int u = 0; u < s->unknowns; u++)
            value[q * s->unknowns + u] =
                data->signal[u].output && s->to[u] == NULL
                    ? order_in(a->by[q].total, u)
                    : -1;
    darc_assign(told, value, a->equations, s->unknowns);
    darc_free(value);
}

/* Set the lowest derivative of unknown u that jumps, by equation q: as much
 * below its highest one as others' are, at most. */
static void say_jumping(const balances *a, int q, int u)
{
    const darc_total_struct *total = a->by[q].total;
    int most = -SMOOTH, own = order_in(total, u);
    for (int v = 0; v < total->vars; v++) {
        int other = total->var[v].unknown;
        int above = other == u || a->jumping[other] >= SMOOTH
                        ? -SMOOTH
                        : order_in(total, other) - a->jumping[other];
        most = above > most ? above : most;
    }
    if (most > -SMOOTH && own >= most && own - most < a->jumping[u])
        a->jumping[u] = own - most;
}

/* Set what equation q says of unknown u. */
static void open_balance(balance *b, const balances *a, int u)
{
    const darc_total_struct *total = b->total;
    int v = 0, jumping = a->jumping[u];
    while (v < total->vars &&
           (total->var[v].unknown != u || total->var[v].order > 0 ||
            order_of(total, v) < order_in(total, u)))
        v++;
    b->jumps = jumping == 0;
    b->linear = is_linear(total, a->jumping);
    if (v == total->vars || jumping >= SMOOTH || (jumping > 1 && !b->linear))
        return;
    b->order = order_of(total, v) - !b->jumps;
    if (b->order < 0 || !is_plain(total, b->order))
        return;
    b->of = v;
    b->steps->slight[u] = jumping > 1;
}

/* Set what each equation says at steps. */
static void open_balances(balances *a, darc_steps *steps,
                          const darc_weak_data *data,
                          const darc_total_struct *total, int equations)
{
    int *told = darc_calloc((size_t)equations + 1, sizeof *told);
    *a = (balances){.equations = equations};
    a->by = darc_calloc((size_t)equations, sizeof *a->by);
    a->jumping = darc_calloc((size_t)steps->unknowns, sizeof *a->jumping);
    for (int q = 0; q < equations; q++)
        a->by[q] = (balance){steps, data, total + q, .of = -1};
    for (int u = 0; u < steps->unknowns; u++) {
        a->jumping[u] = steps->to[u] != NULL       ? 0
                        : data->signal[u].mean > 0 ? 1
                                                   : SMOOTH;
    }
    assign_outputs(told, a, steps, data);
    for (int i = 0; i < equations; i++) /* one follows another */
        for (int q = 0; q < equations; q++)
            if (told[q] >= 0)
                say_jumping(a, q, told[q]);
    for (int q = 0; q < equations; q++)
        if (told[q] >= 0)
            open_balance(a->by + q, a, told[q]);
    darc_free(told);
}

static void close_balances(balances *a)
{
    DARC_FREE(a->by, a->jumping);
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

/* Return what the kinks of other variables in the terms of an order add up to.
 */
static double kinks_at(const balance *b, int order, const double *x, size_t k)
{
    double sum = 0;
    for (int v = 0; v < b->total->vars; v++) {
        const double *kink = b->steps->kink[b->total->var[v].unknown];
        if (v != b->of && kink != NULL && b->total->var[v].order == 0)
            sum += kink[k] * sum_at(b, order, x, v);
    }
    return sum;
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
    rest += kinks_at(b, b->order, plus, k);
    s->kink[u][k] = finite_or_0(-rest / sum_at(b, b->order, plus, b->of));
}

/* Find by what the slope jumps at step k. */
static void solve_kink(const balance *b, size_t k, double *minus, double *plus)
{
    int u = b->total->var[b->of].unknown;
    values_at(minus, plus, b, k);
    double rest = sum_at(b, b->order, plus, -1) -
                  sum_at(b, b->order, minus, -1) +
                  kinks_at(b, b->order + 1, plus, k);
    b->steps->kink[u][k] =
        finite_or_0(-rest / sum_at(b, b->order + 1, plus, b->of));
}

/* Return where the jump of derivative p of unknown u at step k is; NULL: it
 * does not jump, or is not known. */
static double *jump_of(const darc_steps *s, int u, size_t k, int p)
{
    if (s->kink[u] == NULL || p < 0 || p >= 2 + DARC_STEP_CURVES)
        return NULL;
    return p == 0   ? s->jump[u] + k
           : p == 1 ? s->kink[u] + k
                    : s->curve[u] + k * DARC_STEP_CURVES + (p - 2);
}

/* Find what all derivatives jump by at step k, where the equation is linear:
 * differentiated, all jumps add up to 0.  by[n] holds what each variable has in
 * the terms of order n. */
static void solve_linear(const balance *b, size_t k, const double *by)
{
    const darc_steps *s = b->steps;
    int vars = b->total->vars, top = darc_total_order(b->total);
    int u = b->total->var[b->of].unknown, own = b->order + !b->jumps;
    for (int p = 0; p < 2 + DARC_STEP_CURVES; p++) {
        double rest = 0;
        for (int n = 0; n <= top; n++)
            for (int v = 0; v < vars; v++) {
                const darc_deriv d = b->total->var[v];
                int w = d.unknown, at = p - own + n + d.order;
                if (by[n * vars + v] == 0 || (n == own && v == b->of))
                    continue;
                const double *jump = jump_of(s, w, k, at);
                if (s->to[w] != NULL && at == 0)
                    rest += by[n * vars + v] * (s->to[w][k] - s->from[w][k]);
                else if (jump != NULL)
                    rest += by[n * vars + v] * *jump;
            }
        *jump_of(s, u, k, p) = finite_or_0(-rest / by[own * vars + b->of]);
    }
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
    int u = b->total->var[b->of].unknown, vars = b->total->vars;
    int top = darc_total_order(b->total);
    double *minus, *plus, *by;
    DARC_CARVE({&minus, vars}, {&plus, vars}, {&by, (top + 1) * vars});
    if (s->jump[u] == NULL)
        bend(s, u);
    if (s->count > 0)
        values_at(minus, plus, b, 0);
    for (int n = 0; n <= top && b->linear && s->count > 0; n++)
        for (int v = 0; v < vars; v++)
            by[n * vars + v] = sum_at(b, n, plus, v);
    for (size_t k = 0; k < s->count; k++) {
        if (b->linear)
            solve_linear(b, k, by);
        else if (b->jumps)
            solve_jump(b, k, minus, plus);
        else
            solve_kink(b, k, minus, plus);
    }
    s->curved[u] = b->linear;
    darc_free(minus);
}

/* What is computed from an output that bends bends with it. */
static void bend_computed(darc_steps *s, const darc_weak_data *data, int u)
{
    const darc_weak_signal *from = data->signal + u;
    if (from->slope == NULL || s->kink[from->of] == NULL ||
        s->jump[u] != NULL || s->slight[from->of])
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
    balances a;
    bool any = false;
    enum { SWEEPS = 6 }; /* what follows what follows */
    open_balances(&a, steps, data, total, equations);
    for (int i = 0; i < SWEEPS; i++)
        for (int q = 0; q < equations; q++) {
            a.by[q].c = c + first[q];
            if (a.by[q].of < 0 || (i > 1 && !a.by[q].linear))
                continue;
            any = true;
            solve_balance(a.by + q);
        }
    for (int u = 0; u < steps->unknowns; u++)
        bend_computed(steps, data, u);
    close_balances(&a);
    return any;
}

bool darc_steps_has_side(const darc_steps *steps, const darc_weak_data *data,
                         const darc_total_struct *total, int equations, int u)
{
    balances a;
    bool any = false;
    open_balances(&a, (darc_steps *)steps, data, total, equations);
    for (int q = 0; q < equations; q++)
        any = any || (a.by[q].of >= 0 && a.by[q].jumps &&
                      total[q].var[a.by[q].of].unknown == u);
    close_balances(&a);
    return any;
}

bool darc_steps_outrun(const darc_steps *steps)
{
    double last = 0, all = 0;
    for (int u = 0; steps != NULL && u < steps->unknowns; u++)
        for (size_t k = 0; steps->curved[u] && k < steps->count; k++) {
            double scale = 1;
            for (int p = 0; p < 2 + DARC_STEP_CURVES; p++) {
                const double *jump = jump_of(steps, u, k, p);
                double part = jump != NULL ? fabs(*jump) * scale : 0;
                all += p > 0 ? part : 0;
                last += p == 1 + DARC_STEP_CURVES ? part : 0;
                scale *= steps->dt / (p + 1);
            }
        }
    return last > DARC_STEP_OUTRUN * all;
}
