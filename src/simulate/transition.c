#include "simulate/transition.h"

#include "base/mem.h"
#include "simulate/thresholds.h"

#include <math.h>
#include <string.h>

/* Terms of Taylor's series: 1/14! is 1e-11.  Derivatives of what forces. */
enum { TERMS = 13, DEGREES = 4 };

static size_t area_of(const darc_transition *t)
{
    return (size_t)t->length * (size_t)t->length;
}

static int parts_of(const darc_transition *t)
{
    return 1 + (t->slopes ? t->flow->params : 0);
}

static void forget(darc_transition *t)
{
    DARC_FREE_EACH(t->of, t->kept);
    DARC_FREE(t->m, t->work);
    t->kept = t->last = 0;
    t->m = t->work = NULL;
    memset((void *)t->of, 0, sizeof t->of);
}

bool darc_transition_init(darc_transition *t, darc_flow *flow)
{
    *t = (darc_transition){.flow = flow};
    size_t names = (size_t)flow->names->count;
    if (!flow->linear)
        return false;
    t->input = darc_calloc(2 * names + (size_t)flow->n, sizeof *t->input);
    t->degree = t->input + names;
    t->force = t->degree + names;
    t->value = darc_calloc(names, sizeof *t->value);
    return true;
}

void darc_transition_clear(darc_transition *t)
{
    forget(t);
    DARC_FREE(t->input, t->value, t->amount);
    *t = (darc_transition){.flow = NULL};
}

/* List the inputs as they are now; set *same to whether they were so before. */
static bool list_inputs(darc_transition *t, bool *same)
{
    const darc_signals *s = &t->flow->signals;
    int count = 0;
    t->length = t->flow->n + 1;
    for (int u = 0; u < s->unknowns; u++) {
        if (s->wave[u] == NULL)
            continue;
        int degree = darc_wave_degree(s->wave[u]);
        *same = *same && count < t->inputs && t->input[count] == u &&
                t->degree[count] == degree;
        if (degree < 0)
            return false;
        t->input[count] = u;
        t->degree[count++] = degree;
        t->length += degree + 1;
    }
    *same = *same && count == t->inputs;
    t->inputs = count;
    return true;
}

/* The same of states that columns force. */
static void list_forced(darc_transition *t, bool *same)
{
    int before = t->forces;
    t->forces = 0;
    for (int k = 0; k < t->plan->forced; k++) {
        int f = 0, state = t->plan->state[k];
        while (f < t->forces && t->force[f] != state)
            f++;
        *same = *same && f < before && t->force[f] == state;
        t->force[f] = state;
        t->forces += f == t->forces;
    }
    *same = *same && t->forces == before;
    t->length += DEGREES * t->forces;
}

/* Return where what forces state i begins in w. */
static int forced_at(const darc_transition *t, int i)
{
    int f = 0;
    while (t->force[f] != i)
        f++;
    return t->length - 1 - DEGREES * (t->forces - f);
}

/* Add the rates at the unit vector of w[column], and their derivatives by
 * parameters, to that column of m; b: room for the derivatives. */
static bool take_column(darc_transition *t, int column, double *y, double *b)
{
    darc_flow *w = t->flow;
    int n = w->n, last = t->length - 1;
    w->signals.known = true;
    if (!darc_flow_rates(w, w->signals.at, y, b, b + n, b + n + n * n))
        return false;
    for (int k = 0; k < parts_of(t); k++) {
        double *m = t->m + (size_t)k * area_of(t);
        const double *from = k == 0 ? b : b + n + n * n + (k - 1) * n;
        for (int i = 0; i < n; i++)
            m[column * t->length + i] =
                from[i] - (column < last ? m[last * t->length + i] : 0);
    }
    return true;
}

/* Set m: the rates are those of 1 at 0, and each of the others adds its own. */
static bool take_matrix(darc_transition *t)
{
    darc_flow *w = t->flow;
    darc_signals *s = &w->signals;
    int n = w->n, column = n;
    size_t need = (size_t)(2 * n + n * n + n * w->params + 1);
    double *y = darc_calloc(need, sizeof *y), *b = y + n;
    for (int u = 0; u < s->unknowns; u++)
        for (int k = 0; k <= s->order[u]; k++)
            s->value[u][k] = 0;
    bool good = take_column(t, t->length - 1, y, b);
    for (int i = 0; i < n && good; i++) {
        y[i] = 1;
        good = take_column(t, i, y, b);
        y[i] = 0;
    }
    for (int l = 0; l < t->inputs; l++)
        for (int k = 0; k <= t->degree[l]; k++, column++) {
            double *value = s->value[t->input[l]] + k;
            bool needed = k <= s->order[t->input[l]];
            if (needed)
                *value = 1;
            good = good && (!needed || take_column(t, column, y, b));
            if (needed)
                *value = 0;
            if (k > 0) /* the derivative before goes by this one */
                t->m[column * t->length + column - 1] = 1;
        }
    for (int f = 0; f < t->forces; f++)
        for (int k = 0; k < DEGREES; k++, column++)
            t->m[column * t->length + (k > 0 ? column - 1 : t->force[f])] = 1;
    s->known = false;
    darc_free(y);
    return good;
}

bool darc_transition_begin(darc_transition *t, const darc_columns_plan *plan)
{
    size_t names = (size_t)t->flow->names->count * sizeof(double);
    bool same = t->m != NULL && t->slopes == plan->parameters &&
                memcmp(t->value, t->flow->value, names) == 0;
    t->plan = plan;
    if (!list_inputs(t, &same)) {
        forget(t);
        return false;
    }
    list_forced(t, &same);
    t->amount = darc_realloc(t->amount, (size_t)(DEGREES * plan->forced + 1),
                             sizeof *t->amount);
    if (same)
        return true;
    forget(t);
    t->slopes = plan->parameters;
    memcpy(t->value, t->flow->value, names);
    size_t all = area_of(t) * (size_t)parts_of(t);
    t->m = darc_calloc(all, sizeof *t->m);
    t->work = darc_calloc(all + 3 * area_of(t), sizeof *t->work);
    if (take_matrix(t))
        return true;
    forget(t);
    return false;
}

/* c += by a b, n x n each. */
static void add_times(double *c, const double *a, const double *b, double by,
                      int n)
{
    for (int j = 0; j < n; j++)
        for (int l = 0; l < n; l++) {
            double f = by * b[j * n + l];
            for (int i = 0; i < n && f != 0; i++)
                c[j * n + i] += a[l * n + i] * f;
        }
}

/* Return the largest sum of absolute values of a column of a, n x n. */
static double norm_of(const double *a, int n)
{
    double most = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += fabs(a[j * n + i]);
        most = fmax(most, sum);
    }
    return most;
}

/* Return how often h is halved until Taylor's series of the states converges:
 * by the roots of norms of powers, which other units of states hardly change
 * [AH09].  What inputs do is of no matter: they are polynomials. */
static int halvings(const darc_transition *t, double h)
{
    int n = t->flow->n;
    size_t square = (size_t)(n * n);
    double *a = darc_calloc(3 * square + 1, sizeof *a);
    for (int j = 0; j < n; j++)
        memcpy(a + j * n, t->m + j * t->length, (size_t)n * sizeof *a);
    add_times(a + square, a, a, 1, n);
    add_times(a + 2 * square, a + square, a, 1, n);
    double size =
        fmax(sqrt(norm_of(a + square, n)), cbrt(norm_of(a + 2 * square, n)));
    darc_free(a);
    int halve = 0;
    for (double at = h * size; at > 1 && isfinite(at); at /= 2)
        halve++;
    return halve;
}

/* to = from of `by`, and the derivatives by parameters likewise, where both
 * have them: to_k = from of by_k + from_k of by. */
static void add_with_slopes(const darc_transition *t, double *to,
                            const double *from, const double *by, double f)
{
    size_t area = area_of(t);
    for (int k = parts_of(t) - 1; k >= 0; k--) {
        double *own = to + (size_t)k * area;
        add_times(own, from, by + (size_t)k * area, f, t->length);
        if (k > 0)
            add_times(own, from + (size_t)k * area, by, f, t->length);
    }
}

/* Set e to the exponential of M h and its derivatives. */
static void exponentiate(darc_transition *t, double *e, double h)
{
    int halve = halvings(t, h), n = t->length;
    size_t all = area_of(t) * (size_t)parts_of(t);
    double *next = t->work, part = ldexp(h, -halve);
    memset(e, 0, all * sizeof *e);
    for (int i = 0; i < n; i++)
        e[i * n + i] = 1;
    for (int term = TERMS; term > 0; term--) {
        memset(next, 0, all * sizeof *next);
        for (int i = 0; i < n; i++)
            next[i * n + i] = 1;
        add_with_slopes(t, next, t->m, e, part / term);
        memcpy(e, next, all * sizeof *e);
    }
    for (; halve > 0; halve--) {
        memset(next, 0, all * sizeof *next);
        add_with_slopes(t, next, e, e, 1);
        memcpy(e, next, all * sizeof *e);
    }
}

/* Return the exponential over h, with its derivatives. */
static const double *over(darc_transition *t, double h)
{
    for (int k = 0; k < t->kept; k++)
        if (fabs(t->h[k] - h) <= DARC_TRANSITION_SAME * h) {
            t->last = (k + (k == t->last)) % DARC_TRANSITIONS;
            return t->of[k];
        }
    int at = t->kept < DARC_TRANSITIONS ? t->kept++ : t->last;
    t->last = (at + 1) % DARC_TRANSITIONS;
    if (t->of[at] == NULL)
        t->of[at] =
            darc_malloc(area_of(t) * (size_t)parts_of(t) * sizeof(double));
    t->h[at] = h;
    exponentiate(t, t->of[at], h);
    return t->of[at];
}

/* Set w at time t0; return when inputs are other polynomials. */
static double begin_interval(const darc_transition *t, double t0,
                             const double *z, double *w)
{
    int n = t->flow->n;
    double end = HUGE_VAL, piece[4];
    memcpy(w, z, (size_t)n * sizeof *w);
    w += n;
    for (int l = 0; l < t->inputs; l++, w++) {
        const darc_wave *wave = t->flow->signals.wave[t->input[l]];
        end = fmin(end, darc_wave_piece(wave, t0, piece));
        for (int k = 0; k < t->degree[l]; k++)
            *w++ = piece[k];
        *w = piece[t->degree[l]];
    }
    memset(w, 0, (size_t)(DEGREES * t->forces) * sizeof *w);
    w[DEGREES * t->forces] = 1;
    return end;
}

/* to += the first n rows of m times x, of m's length or n. */
static void add_rows(double *to, const double *m, int length, int n,
                     const double *x, int columns)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < n; i++)
            to[i] += m[j * length + i] * x[j];
}

/* Set amounts, by columns, to the derivatives of the cubic polynomials through
 * those at the ends and thirds of the way from t0 to t1. */
static void force_columns(darc_transition *t, double t0, double t1,
                          const double *z)
{
    static const double by[DEGREES][DEGREES] = {{1, 0, 0, 0},
                                                {-5.5, 9, -4.5, 1},
                                                {18, -45, 36, -9},
                                                {-27, 81, -81, 27}};
    int n = t->flow->n, all = t->plan->forced;
    double h = t1 - t0, *own = darc_malloc((size_t)(n + all) * sizeof *own);
    double *now = own + n, *w = t->work, *moved = w + t->length;
    const double *e = over(t, h / 3);
    memcpy(own, z, (size_t)n * sizeof *own);
    memset(t->amount, 0, (size_t)(DEGREES * all) * sizeof *t->amount);
    t->flow->signals.until = t1;
    for (int node = 0; node < DEGREES; node++) {
        double at = node < 3 ? t0 + node * h / 3 : t1;
        t->flow->signals.known = false;
        darc_signals_set(&t->flow->signals, at);
        t->plan->amount(now, at, own, t->plan->user);
        for (int k = 0; k < all; k++)
            for (int d = 0; d < DEGREES; d++)
                t->amount[k * DEGREES + d] += by[d][node] * now[k] / pow(h, d);
        begin_interval(t, at, own, w);
        memset(moved, 0, (size_t)n * sizeof *moved);
        add_rows(moved, e, t->length, n, w, t->length);
        memcpy(own, moved, (size_t)n * sizeof *own);
    }
    darc_free(own);
}

/* Bring z over h, where w is at its begin. */
static void carry_columns(darc_transition *t, const double *e, const double *w,
                          double *moved, double *z)
{
    int n = t->flow->n, length = t->length, free = t->plan->free;
    int columns = free + parts_of(t) - 1, all = columns + t->plan->forced;
    for (int c = 0; c < 1 + all; c++) {
        double *own = z + c * n;
        int k = c - columns - 1;
        memset(moved, 0, (size_t)n * sizeof *moved);
        if (c == 0 || (c > free && k < 0))
            add_rows(moved, e + (size_t)(c == 0 ? 0 : c - free) * area_of(t),
                     length, n, w, length);
        if (k >= 0)
            add_rows(moved,
                     e + (ptrdiff_t)forced_at(t, t->plan->state[k]) * length,
                     length, n, t->amount + k * DEGREES, DEGREES);
        if (c > 0)
            add_rows(moved, e, length, n, own, n);
        memcpy(own, moved, (size_t)n * sizeof *own);
    }
}

bool darc_transition_go(darc_transition *t, double t0, double t1, double *z)
{
    int length = t->flow->n * (t->plan->free + parts_of(t) + t->plan->forced);
    double *w = t->work, *moved = w + t->length;
    bool finite = true;
    while (t0 < t1) {
        double end = begin_interval(t, t0, z, w);
        end = end < t1 - DARC_TRANSITION_SAME * (t1 - t0) ? end : t1;
        if (t->plan->forced > 0)
            force_columns(t, t0, end, z);
        const double *e = over(t, end - t0);
        begin_interval(t, t0, z, w);
        carry_columns(t, e, w, moved, z);
        for (int i = 0; i < length; i++)
            finite = finite && isfinite(z[i]);
        t0 = end;
    }
    t->flow->signals.known = false;
    return finite;
}
