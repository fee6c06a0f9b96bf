#include "derive/evaluate.h"

#include "base/mem.h"
#include "derive/thresholds.h"

#include <math.h>
#include <string.h>

static size_t length(darc_segment at)
{
    return at.end - at.begin;
}

void darc_dual_clear(darc_dual *d, const darc_column *col)
{
    darc_strip_clear(&d->value);
    for (int o = 0; d->slope != NULL && o < col->c->origins; o++)
        darc_strip_clear(d->slope + o);
    darc_free(d->slope);
    d->slope = NULL;
}

void darc_dual_variance(darc_strip *variance, const darc_dual *d,
                        const darc_column *col, int what, size_t n)
{
    *variance = (darc_strip){0};
    for (int o = 0; o < col->c->origins; o++) {
        const darc_origin *from = col->c->origin + o;
        int whose = from->measured ? DARC_MEASURED : DARC_OWN;
        double along = (what & DARC_ALONG) != 0 ? from->correlation : 1;
        if ((from->counts & what) != 0 && (whose & what) != 0)
            darc_strip_add_square(variance, d->slope + o,
                                  from->sd * sqrt(along), n);
    }
}

/* Every slope *= f */
static void scale_slopes(darc_dual *d, const darc_column *col,
                         const darc_strip *f, size_t n)
{
    for (int o = 0; d->slope != NULL && o < col->c->origins; o++)
        if (!darc_strip_is_zero(d->slope + o))
            darc_strip_multiply(d->slope + o, f, n);
}

/* Every slope of d += that of b, times f */
static void add_slopes(darc_dual *d, const darc_dual *b, const darc_column *col,
                       const darc_strip *f, size_t n)
{
    for (int o = 0; d->slope != NULL && o < col->c->origins; o++)
        darc_strip_add(d->slope + o, b->slope + o, f, n);
}

static void evaluate_number(darc_dual *d, const darc_column *col,
                            darc_segment at, const darc_pass *pass)
{
    (void)at;
    (void)pass;
    d->value.constant = col->number;
}

static void evaluate_time(darc_dual *d, const darc_column *col, darc_segment at,
                          const darc_pass *pass)
{
    double *t = darc_strip_renew(&d->value, length(at));
    for (size_t i = at.begin; i < at.end; i++)
        t[i - at.begin] = darc_table_time(col->c->table, i);
    (void)pass;
}

static void evaluate_signal(darc_dual *d, const darc_column *col,
                            darc_segment at, const darc_pass *pass)
{
    const darc_table *table = col->c->table;
    const double *x = table->signal[col->signal].value;
    const darc_derivation *from = darc_table_derivation(table, col->unknown);
    bool noisy = from == NULL || from->influences > 0;
    d->value = (darc_strip){.value = x + at.begin};
    if (pass->smooth > 0 && noisy)
        darc_smooth(darc_strip_renew(&d->value, length(at)), x, pass->smooth,
                    table, at);
    if (!pass->slopes)
        return;
    int k = 0; /* the slopes of a derived signal are columns of its own */
    for (; from != NULL && k < from->influences; k++) {
        const darc_influence *by = from->influence + k;
        const double *slope = by->slope == NULL ? NULL : by->slope + at.begin;
        d->slope[col->seed[k]] = (darc_strip){by->constant, slope, NULL};
    }
    if (from == NULL)
        d->slope[col->seed[0]] = (darc_strip){.constant = 1};
    else if (from->sd != NULL)
        d->slope[col->seed[k++]] = (darc_strip){.value = from->sd + at.begin};
    if (from != NULL && from->switching != NULL)
        d->slope[col->seed[k++]] =
            (darc_strip){.value = from->switching + at.begin};
    if (from != NULL && from->rest != NULL)
        d->slope[col->seed[k]] = (darc_strip){.value = from->rest + at.begin};
}

static const darc_strip one = {.constant = 1};

/* A function of one argument: its value takes the argument's place. */
static void evaluate_unary(darc_dual *d, const darc_column *col, size_t n)
{
    darc_strip x = d->value, slope = {0};
    bool constant = x.value == NULL;
    bool wanted =
        d->slope != NULL && !constant && col->kind != DARC_COLUMN_SIGN;
    const double *from = constant ? &x.constant : x.value;
    d->value = (darc_strip){0};
    double *y = constant ? &d->value.constant : darc_strip_renew(&d->value, n);
    double *by = wanted ? darc_strip_renew(&slope, n) : NULL;
    n = constant ? 1 : n;
    if (col->kind == DARC_COLUMN_TABLE)
        darc_lookup_values(col->lookup, y, by, from, n);
    else if (col->kind == DARC_COLUMN_FUNCTION || col->kind == DARC_COLUMN_SIGN)
        darc_elementary(col->e->function, from, y, by, n);
    else
        darc_elementary_power(col->kind == DARC_COLUMN_POWER ? col->number : -1,
                              from, y, by, n);
    if (wanted)
        scale_slopes(d, col, &slope, n);
    DARC_EACH(darc_strip_clear, &slope, &x);
}

/* Set x to argument k of col, less the next one where col is a choice. */
static void evaluate_margin(darc_dual *x, const darc_column *col, int k,
                            darc_segment at, const darc_pass *pass)
{
    const darc_strip minus = {.constant = -1};
    darc_dual y;
    darc_evaluate(x, col->arg + k, at, pass);
    if (col->kind != DARC_COLUMN_SWITCH)
        return;
    darc_evaluate(&y, col->arg + k + 1, at, pass);
    darc_strip_add(&x->value, &y.value, &minus, length(at));
    add_slopes(x, &y, col, &minus, length(at));
    darc_dual_clear(&y, col);
}

/* Where what col switches by passes 0 between two samples nobody knows when: a
 * sum over samples has the jump J in the middle, and is off by as much as an
 * even number from -J/2 to J/2, of variance J^2/12, half of it at either. */
static void add_crossings(double *sd, const darc_column *col, darc_segment at)
{
    const darc_pass raw = {.slopes = false};
    darc_dual x, jump = {.value = {.constant = 2}};
    size_t first = at.begin - (at.begin > 0);
    darc_segment wide = {first, at.end + (at.end < col->c->table->samples)};
    evaluate_margin(&x, col, 0, wide, &raw);
    if (col->kind == DARC_COLUMN_SWITCH)
        evaluate_margin(&jump, col, 2, wide, &raw);
    for (size_t i = 0; i + 1 < length(wide); i++) {
        double a = darc_strip_at(&x.value, i);
        double b = -darc_strip_at(&x.value, i + 1);
        if (!(a * b > 0)) /* else it is 0 at the share a / (a + b) of a step */
            continue;
        double there = (b * darc_strip_at(&jump.value, i) +
                        a * darc_strip_at(&jump.value, i + 1)) /
                       (a + b);
        for (size_t k = first + i; k <= first + i + 1; k++)
            if (k >= at.begin && k < at.end)
                sd[k - at.begin] =
                    fmax(sd[k - at.begin], fabs(there) / sqrt(24));
    }
    DARC_EACH_IN(darc_dual_clear, col, &x, &jump);
}

/* Set rests[i] where x may rest: a rest goes on until its end is sure. */
static void find_rests(bool *rests, const darc_strip *x,
                       const darc_strip *variance, size_t n)
{
    const double near = pow(DARC_REST_DEVIATIONS, 2);
    const double sure = pow(DARC_SURE_DEVIATIONS, 2);
    for (size_t i = 0, last = n; i < n; i++) {
        double v = darc_strip_at(x, i), of = darc_strip_at(variance, i);
        rests[i] = v * v < near * of;
        bool joined = rests[i] && last < i && i - last <= DARC_REST_REACH;
        for (size_t k = i; joined && k > last; k--)
            rests[k] = true;
        last = rests[i] ? i : v * v < sure * of ? last : n;
    }
}

/* What sticks has any friction while it rests, whatever signs noise makes: an
 * error of up to the jump J either way.  In any sum over the n samples of a
 * rest its square is at most what white noise of variance n J^2 makes. */
static void bound_rests(double *bound, const bool *rests,
                        const darc_strip *jump, size_t n)
{
    const size_t reach = DARC_REST_REACH;
    for (size_t i = 0, end; i < n; i = end + (end == i)) {
        for (end = i; end < n && rests[end];)
            end++;
        for (size_t k = i; k < end; k++) {
            size_t from = k > i + reach ? k - reach : i;
            size_t to = end > k + reach ? k + reach : end;
            bound[k] = fabs(darc_strip_at(jump, k)) *
                       sqrt(DARC_REST_BOUND * (double)(to - from));
        }
    }
}

static void keep(darc_strip *s, const double *from, size_t n)
{
    memcpy(darc_strip_renew(s, n), from, n * sizeof *from);
}

/* The errors of what switches: to be on the wrong side, and at rest on none. */
static void set_switch_errors(darc_dual *d, const darc_column *col,
                              darc_segment at, const darc_pass *pass)
{
    const darc_pass values = {.smooth = pass->smooth};
    const size_t reach = 2 * DARC_REST_REACH, all = col->c->table->samples;
    darc_segment wide = {at.begin > reach ? at.begin - reach : 0,
                         all - at.end > reach ? at.end + reach : all};
    size_t n = length(wide);
    darc_dual x, jump = {.value = {.constant = 2}};
    darc_strip variance;
    evaluate_margin(&x, col, 0, wide, pass);
    if (col->kind == DARC_COLUMN_SWITCH)
        evaluate_margin(&jump, col, 2, wide, &values);
    darc_dual_variance(&variance, &x, col, DARC_COUNTS_AT_SWITCH | DARC_ALL, n);
    double *error = darc_calloc(2 * n, sizeof *error), *bound = error + n;
    bool *rests = darc_calloc(n, sizeof *rests);
    darc_switch_error(error, &x.value, &variance, &jump.value, n);
    find_rests(rests, &x.value, &variance, n);
    bound_rests(bound, rests, &jump.value, n);
    darc_strip *own = d->slope + col->seed[0];
    keep(own, error + (at.begin - wide.begin), length(at));
    keep(d->slope + col->seed[1], bound + (at.begin - wide.begin), length(at));
    add_crossings(own->own, col, at);
    DARC_FREE(error, rests);
    darc_strip_clear(&variance);
    DARC_EACH_IN(darc_dual_clear, col, &x, &jump);
}

/* d becomes its sign: all that its errors do is to turn it. */
static void evaluate_sign(darc_dual *d, const darc_column *col, darc_segment at,
                          const darc_pass *pass)
{
    DARC_ALL(darc_strip_clear, d->slope, col->c->origins);
    evaluate_unary(d, col, length(at));
    set_switch_errors(d, col, at, pass);
}

/* Join the next argument b of a sum, a product, a least or a greatest. */
static void join_argument(darc_dual *d, const darc_dual *b,
                          const darc_column *col, size_t n)
{
    if (col->kind == DARC_COLUMN_SUM) {
        darc_strip_add(&d->value, &b->value, &one, n);
        add_slopes(d, b, col, &one, n);
        return;
    }
    if (col->kind == DARC_COLUMN_PRODUCT) {
        scale_slopes(d, col, &b->value, n);
        add_slopes(d, b, col, &d->value, n);
        darc_strip_multiply(&d->value, &b->value, n);
        return;
    }
    bool *take = darc_malloc(n * sizeof *take);
    double way = col->e->function == DARC_FUNCTION_MIN ? -1 : 1;
    for (size_t i = 0; i < n; i++) {
        double x = darc_strip_at(&b->value, i);
        take[i] = isnan(x) || way * x > way * darc_strip_at(&d->value, i);
    }
    darc_strip_select(&d->value, &b->value, take, n);
    for (int o = 0; d->slope != NULL && o < col->c->origins; o++)
        darc_strip_select(d->slope + o, b->slope + o, take, n);
    darc_free(take);
}

static bool compare_numbers(const char *how, double a, double b)
{
    bool above = how[0] == '>' ? a > b : a < b;
    return above || (how[1] == '=' && a == b);
}

static void evaluate_choice(darc_dual *d, const darc_column *col,
                            darc_segment at, const darc_pass *pass)
{
    darc_dual arg[4];
    size_t n = length(at);
    const char *how = col->e->text;
    bool *other = darc_malloc(n * sizeof *other);
    for (int k = 0; k < 4; k++)
        darc_evaluate(arg + k, col->arg + k, at, pass);
    for (size_t i = 0; i < n; i++)
        other[i] = !compare_numbers(how, darc_strip_at(&arg[0].value, i),
                                    darc_strip_at(&arg[1].value, i));
    darc_strip_add(&d->value, &arg[2].value, &one, n);
    darc_strip_select(&d->value, &arg[3].value, other, n);
    double *value = darc_strip_expand(&d->value, n);
    for (size_t i = 0; i < n; i++)
        if (isnan(darc_strip_at(&arg[0].value, i)) ||
            isnan(darc_strip_at(&arg[1].value, i)))
            value[i] = NAN;
    if (pass->slopes) {
        add_slopes(d, arg + 2, col, &one, n);
        for (int o = 0; o < col->c->origins; o++)
            darc_strip_select(d->slope + o, arg[3].slope + o, other, n);
        set_switch_errors(d, col, at, pass);
    }
    DARC_ALL_IN(darc_dual_clear, col, arg, 4);
    darc_free(other);
}

static darc_stretch stretch_of(darc_strip *s, darc_segment at)
{
    if (s->value == NULL)
        darc_strip_expand(s, length(at));
    return (darc_stretch){s->value, at};
}

/* Set d to what the argument was, or to its mean. */
static void evaluate_delay(darc_dual *d, const darc_column *col,
                           darc_segment at, const darc_pass *pass)
{
    darc_dual x;
    size_t n = length(at), *source = darc_malloc(n * sizeof *source);
    darc_segment from = darc_evaluate_reach(col, at, pass);
    darc_evaluate(&x, col->arg, from, pass);
    darc_stretch v = stretch_of(&x.value, from);
    double *y = darc_strip_renew(&d->value, n);
    if (col->kind == DARC_COLUMN_MEAN)
        darc_mean_values(y, &v, col->number, col->c->table, at);
    else
        darc_delay_values(y, source, &v, col->number, col->c->table, at);
    for (int m = 0; pass->slopes && m < col->origins * col->taps; m++) {
        const darc_strip *was = x.slope + m / col->taps;
        int k = m % col->taps;
        if (col->moved[m] < 0 || darc_strip_is_zero(was))
            continue;
        darc_strip *now = d->slope + col->moved[m];
        now->constant += col->tap[k] * was->constant;
        double *slope = was->value == NULL ? NULL : darc_strip_renew(now, n);
        for (size_t i = 0; i < n && slope != NULL; i++) {
            size_t t = at.begin + i - (size_t)col->back[k] - from.begin;
            t = col->kind == DARC_COLUMN_MEAN ? t : source[i];
            slope[i] = t < length(from) ? col->tap[k] * was->value[t] : NAN;
        }
    }
    darc_dual_clear(&x, col);
    darc_free(source);
}

static void evaluate_derivative(darc_dual *d, const darc_column *col,
                                darc_segment at, const darc_pass *pass)
{
    const darc_pass values = {0};
    darc_dual x;
    size_t n = length(at);
    darc_segment from = darc_evaluate_reach(col, at, pass);
    darc_evaluate(&x, col->arg, from, &values);
    darc_stretch v = stretch_of(&x.value, from);
    darc_formula_values(col->formula, darc_strip_renew(&d->value, n), &v, at);
    if (pass->slopes) {
        double *sd = darc_strip_renew(d->slope + col->seed[0], n);
        double *switching = col->seeds < 2
                                ? NULL
                                : darc_strip_renew(d->slope + col->seed[1], n);
        darc_formula_errors(col->formula, sd, switching, &v, at);
    }
    darc_dual_clear(&x, col);
}

static void evaluate_integral(darc_dual *d, const darc_column *col,
                              darc_segment at, const darc_pass *pass)
{
    const darc_pass raw = {.slopes = pass->slopes};
    darc_dual x;
    darc_strip variance = {0};
    darc_segment from = darc_evaluate_reach(col, at, pass);
    darc_integral_state state = col->integral[from.begin / DARC_INTEGRAL_STEP];
    size_t n = length(at), m = length(from);
    darc_evaluate(&x, col->arg, from, &raw);
    darc_stretch v = stretch_of(&x.value, from);
    double *value = darc_malloc(2 * m * sizeof *value), *sd = value + m;
    if (pass->slopes)
        darc_dual_variance(&variance, &x, col,
                           DARC_COUNTS | DARC_ALL | DARC_ALONG, m);
    darc_integral_run(&state, value, pass->slopes ? sd : NULL, &v, &variance,
                      col->c->table);
    memcpy(darc_strip_renew(&d->value, n), value + (m - n), n * sizeof *value);
    if (pass->slopes)
        memcpy(darc_strip_renew(d->slope + col->seed[0], n), sd + (m - n),
               n * sizeof *sd);
    darc_free(value);
    darc_strip_clear(&variance);
    darc_dual_clear(&x, col);
}

darc_segment darc_evaluate_reach(const darc_column *col, darc_segment at,
                                 const darc_pass *pass)
{
    if (col->kind == DARC_COLUMN_DELAY)
        return darc_delay_reach(col->c->table, col->number, at);
    if (col->kind == DARC_COLUMN_MEAN)
        return darc_mean_reach(col->c->table, col->number, at);
    if (col->kind == DARC_COLUMN_DERIVATIVE)
        return darc_formula_reach(col->formula, at, pass->slopes);
    if (col->kind == DARC_COLUMN_INTEGRAL)
        at.begin -= at.begin % DARC_INTEGRAL_STEP;
    return at;
}

/* Evaluate the arguments one after the other into one. */
static void evaluate_arguments(darc_dual *d, const darc_column *col,
                               darc_segment at, const darc_pass *pass)
{
    const darc_strip minus = {.constant = -1};
    size_t n = length(at);
    darc_evaluate(d, col->arg, at, pass);
    for (int k = 1; k < col->args; k++) {
        darc_dual next;
        darc_evaluate(&next, col->arg + k, at, pass);
        join_argument(d, &next, col, n);
        darc_dual_clear(&next, col);
    }
    if (col->kind == DARC_COLUMN_SUM || col->kind == DARC_COLUMN_PRODUCT ||
        col->kind == DARC_COLUMN_EXTREME)
        return;
    if (col->kind == DARC_COLUMN_NEGATE) {
        darc_strip_multiply(&d->value, &minus, n);
        scale_slopes(d, col, &minus, n);
    } else if (col->kind == DARC_COLUMN_SIGN && pass->slopes) {
        evaluate_sign(d, col, at, pass);
    } else {
        evaluate_unary(d, col, n);
    }
}

void darc_evaluate(darc_dual *d, const darc_column *col, darc_segment at,
                   const darc_pass *pass)
{
    static void (*const evaluators[])(darc_dual *, const darc_column *,
                                      darc_segment, const darc_pass *) = {
        [DARC_COLUMN_NUMBER] = evaluate_number,
        [DARC_COLUMN_TIME] = evaluate_time,
        [DARC_COLUMN_SIGNAL] = evaluate_signal,
        [DARC_COLUMN_SWITCH] = evaluate_choice,
        [DARC_COLUMN_DELAY] = evaluate_delay,
        [DARC_COLUMN_MEAN] = evaluate_delay,
        [DARC_COLUMN_DERIVATIVE] = evaluate_derivative,
        [DARC_COLUMN_INTEGRAL] = evaluate_integral};
    bool own = evaluators[col->kind] != NULL; /* the last kind is there */
    *d = (darc_dual){{0}, NULL};
    if (own && pass->slopes)
        d->slope = darc_calloc((size_t)col->c->origins, sizeof *d->slope);
    if (own)
        evaluators[col->kind](d, col, at, pass);
    else
        evaluate_arguments(d, col, at, pass);
}
