#include "fulfil/nearest.h"

#include "base/mem.h"
#include "base/random.h"
#include "fulfil/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 2 * 3.14159265358979323846;

/* The parameters are exp(x) where they are positive, else sinh(x). */
typedef struct {
    darc_nearest *n;
    bool *positive;
    bool guarded; /* places that are not stable do not count */
    bool blunt; /* deviations count less near poles of the model: what is found
                   so lies where a search that counts them in full can begin */
    int vars, own, entries, points; /* own: variables of the model, first */
    double omega[DARC_NEAREST_POINTS];
    double complex *goal;   /* G at each; owned, with what follows */
    double complex *e, *de; /* (H - G) / scale; its slopes */
    double complex *h;
    double *scale; /* |G|, or what stands for it; owned, with what follows */
    double *x, *to, *theta, *step, *gradient, *hessian;
} place_search;

static int entries(const darc_nearest *n)
{
    return n->of[1].outputs * n->of[1].inputs;
}

/* Set what is to be met at point i. */
static void set_goal(place_search *s, int i)
{
    double complex *g = s->goal + i * s->entries;
    darc_transfer_at(&s->n->of[1], s->omega[i], g);
    for (int k = 0; k < s->entries; k++)
        s->scale[i * s->entries + k] = darc_nearest_size(s->n, g, k);
}

static void add_point(place_search *s, double hz)
{
    if (s->points == DARC_NEAREST_POINTS)
        return;
    s->omega[s->points] = turn * hz;
    set_goal(s, s->points++);
}

static void set_both(place_search *s, const double *value)
{
    darc_transfer_set(&s->n->of[0], value);
    darc_transfer_set(&s->n->of[1], value + s->own);
}

static void set_parameters(place_search *s, const double *x)
{
    for (int v = 0; v < s->vars; v++)
        s->theta[v] = s->positive[v] ? exp(x[v]) : sinh(x[v]);
    set_both(s, s->theta);
}

/* Set e at every stride-th point; return the largest |e|. */
static double deviate(place_search *s, const double *x, int stride)
{
    double top = 0;
    set_parameters(s, x);
    for (int i = 0; i < s->points; i += stride) {
        double share = darc_transfer_at(&s->n->of[0], s->omega[i], s->h);
        if (s->own < s->vars)
            set_goal(s, i);
        for (int k = 0; k < s->entries; k++) {
            int at = i * s->entries + k;
            s->e[at] = (s->h[k] - s->goal[at]) / s->scale[at];
            s->e[at] *= s->blunt ? share : 1;
            top =
                fmax(top, isfinite(cabs(s->e[at])) ? cabs(s->e[at]) : HUGE_VAL);
        }
    }
    return top;
}

/* Set de, by differences, then e; return the largest |e|. */
static double deviate_around(place_search *s, const double *x)
{
    static const double h = 1e-6; /* the root of the rounding, some more */
    int count = s->points * s->entries;
    memcpy(s->to, x, (size_t)s->vars * sizeof *x);
    for (int v = 0; v < s->vars; v++)
        for (int side = 1; side >= -1; side -= 2) {
            s->to[v] = x[v] + side * h;
            deviate(s, s->to, 1);
            s->to[v] = x[v];
            for (int at = 0; at < count; at++) {
                double complex *to = &s->de[at * s->vars + v];
                *to = (side > 0 ? 0 : *to) + side * s->e[at] / (2 * h);
            }
        }
    return deviate(s, x, 1);
}

/* Return (mean |e|^p)^(1/p) of every stride-th point; top: the largest |e|. */
static double mean(const place_search *s, double top, double p, int stride)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->points && top > 0 && isfinite(top); i += stride)
        for (int k = 0; k < s->entries; k++, count++)
            sum += pow(cabs(s->e[i * s->entries + k]) / top, p);
    return count > 0 ? top * pow(sum / count, 1 / p) : top;
}

/* Set gradient and Hessian of sum |e|^p, but for second derivatives of the
 * response, both over the same number. */
static void set_slopes(place_search *s, double top, double p)
{
    int n = s->vars;
    memset(s->gradient, 0, (size_t)n * sizeof *s->gradient);
    memset(s->hessian, 0, (size_t)(n * n) * sizeof *s->hessian);
    for (int at = 0; at < s->points * s->entries; at++) {
        const double complex *de = s->de + at * n;
        double size = cabs(s->e[at]), weight = pow(size / top, p - 2);
        double complex u = size > 0 ? conj(s->e[at]) / size : 0;
        for (int v = 0; v < n; v++) {
            double along = creal(u * de[v]);
            s->gradient[v] += weight * size * along;
            for (int w = 0; w <= v; w++)
                s->hessian[w * n + v] +=
                    weight * (creal(conj(de[v]) * de[w]) +
                              (p - 2) * along * creal(u * de[w]));
        }
    }
}

/* Set `to` to x less (H + damping diag H)^-1 gradient; false: there is no such
 * step. */
static bool take_step(place_search *s, const double *x, double damping)
{
    int n = s->vars;
    double *a = s->step + n, most = 0;
    memcpy(a, s->hessian, (size_t)(n * n) * sizeof *a);
    for (int v = 0; v < n; v++) {
        s->step[v] = -s->gradient[v];
        a[v * n + v] = a[v * n + v] > 0 ? a[v * n + v] * (1 + damping) : 1;
    }
    if (!darc_dense_solve(a, s->step, n, 1))
        return false;
    for (int v = 0; v < n; v++)
        most = fmax(most, fabs(s->step[v]));
    for (int v = 0; v < n; v++)
        s->to[v] = fmax(-DARC_NEAREST_RANGE,
                        fmin(DARC_NEAREST_RANGE,
                             x[v] + s->step[v] * (most > 2 ? 2 / most : 1)));
    return true;
}

static bool is_permitted(place_search *s, const double *x)
{
    if (!s->guarded)
        return true;
    set_parameters(s, x);
    return darc_nearest_is_stable(s->n, s->theta);
}

/* Move x to where the mean is least (Levenberg and Marquardt); return it. */
static double descend_place(place_search *s, double *x, double p)
{
    double damping = 1e-2, top = deviate_around(s, x);
    double here = mean(s, top, p, 1);
    int still = 0;
    for (int i = 0; i < DARC_NEAREST_STEPS && still < 3 && here > 1e-14 &&
                    isfinite(here) && s->vars > 0;
         i++) {
        set_slopes(s, top, p);
        double there = HUGE_VAL;
        for (; !(there < here) && damping < 1e12; damping *= 10)
            if (take_step(s, x, damping) && is_permitted(s, s->to))
                there = mean(s, deviate(s, s->to, 1), p, 1);
        if (!(there < here))
            break;
        still = there > here * (1 - 1e-7) ? still + 1 : 0;
        memcpy(x, s->to, (size_t)s->vars * sizeof *x);
        damping = fmax(damping / 100, 1e-12);
        top = deviate_around(s, x);
        here = mean(s, top, p, 1);
    }
    return here;
}

/* Set the defect of the parameters that are set, and where it is: the largest
 * on a fine grid, then around that. */
static void scan(place_search *s)
{
    darc_nearest *n = s->n;
    double step = log(n->high / n->low) / DARC_NEAREST_FINE;
    double *error = darc_calloc((size_t)s->entries, sizeof *error);
    double complex *h[2] = {s->h, s->h + s->entries};
    n->defect = -1;
    for (int i = 0; i <= DARC_NEAREST_FINE; i++) {
        double hz = i == DARC_NEAREST_FINE ? n->high : n->low * exp(step * i);
        darc_nearest_at(n, hz, h, error);
        for (int k = 0; k < s->entries; k++)
            if (!(error[k] <= n->defect)) {
                n->defect = isfinite(error[k]) ? error[k] : HUGE_VAL;
                n->output = k / n->of[1].inputs;
                n->input = k % n->of[1].inputs;
                n->hz = hz;
            }
    }
    int k = n->output * n->of[1].inputs + n->input;
    for (double d = step / 2; d > 1e-9; d /= 2)
        for (int side = -1; side <= 1; side += 2) {
            double hz = fmin(n->high, fmax(n->low, n->hz * exp(side * d)));
            darc_nearest_at(n, hz, h, error);
            if (error[k] > n->defect) {
                n->defect = error[k];
                n->hz = hz;
            }
        }
    darc_free(error);
}

/* Go from the mean towards the largest deviation; where it is larger between
 * the points, another one is put there. */
static void level(place_search *s, double *x)
{
    for (double p = 16; p <= DARC_NEAREST_POWER; p *= 2) {
        descend_place(s, x, p);
        double top = deviate(s, x, 1);
        scan(s);
        if (s->n->defect > 1.001 * top && isfinite(s->n->defect))
            add_point(s, s->n->hz);
    }
    descend_place(s, x, DARC_NEAREST_POWER);
}

/* Set the value of the parameters to x, to so many digits, and the defect. */
static void round_to(place_search *s, const double *x, int digits)
{
    char text[40];
    set_parameters(s, x);
    for (int v = 0; v < s->vars; v++) {
        snprintf(text, sizeof text, "%.*g", digits, s->theta[v]);
        s->n->value[v] = strtod(text, NULL);
    }
    set_both(s, s->n->value);
    scan(s);
}

/* Decide for the numbers in `value` whether the model is stable, and within
 * the tolerance of a target that is one. */
static void judge_place(place_search *s)
{
    darc_nearest *n = s->n;
    const double within[] = {n->tolerance, n->low, n->high};
    const double *goal = n->value + s->own;
    n->stable = darc_nearest_is_stable(n, n->value);
    n->within = n->stable && (s->own == s->vars || darc_nearest_zero(n) < 0);
    for (int k = 0; k < s->entries && n->within; k++)
        n->within = darc_transfer_is_near(&n->of[0], n->value, &n->of[1], goal,
                                          k, within);
}

static darc_status check_target(const place_search *s, darc_err *err)
{
    const darc_transfer *r = &s->n->of[1];
    if (r->parameters > 0)
        return DARC_OK;
    if (darc_transfer_integrators(r, NULL) < 0)
        return darc_fail(err, DARC_DOMAIN,
                         "the target is not stable and has no frequency "
                         "response; ask without --band");
    int k = darc_nearest_zero(s->n);
    return k < 0 ? DARC_OK
                 : darc_fail(err, DARC_DOMAIN,
                             "the target's response from '%s' to '%s' is 0 "
                             "somewhere in the band: no deviation is relative "
                             "to it there",
                             r->input[k % r->inputs], r->output[k / r->inputs]);
}

/* Start number i: 1, ..., 1, then positive ones of any size, or of any sign. */
static void choose_start(place_search *s, double *x, int i, darc_random *random)
{
    double spread = i == 0 ? 0 : 1 << i % 4;
    for (int v = 0; v < s->vars; v++) {
        x[v] = spread * darc_random_normal(random);
        x[v] = fmax(-DARC_NEAREST_RANGE, fmin(DARC_NEAREST_RANGE, x[v]));
        if (s->positive[v])
            continue;
        x[v] = asinh(exp(x[v]));
        if (i % 8 >= 4 && darc_random_uniform(random) < 0.5)
            x[v] = -x[v];
    }
}

/* Set the rows of best to random places, the better ones first; return how
 * many. */
static int screen(place_search *s, double *best, double *size)
{
    darc_random random;
    int n = s->vars, most = DARC_NEAREST_STARTS, kept = 0;
    size_t row = (size_t)n * sizeof *best;
    darc_random_init(&random, s->n->seed, 0);
    for (int i = 0; i < (n > 0 ? DARC_NEAREST_TRIES * n : 1); i++) {
        choose_start(s, s->x, i, &random);
        if (!is_permitted(s, s->x))
            continue;
        double top = deviate(s, s->x, DARC_NEAREST_STRIDE);
        double here = mean(s, top, 2, DARC_NEAREST_STRIDE);
        int at = kept;
        while (at > 0 && here < size[at - 1])
            at--;
        if (at == most)
            continue;
        kept += kept < most;
        memmove(best + (at + 1) * n, best + at * n,
                (size_t)(kept - 1 - at) * row);
        memmove(size + at + 1, size + at,
                (size_t)(kept - 1 - at) * sizeof *size);
        memcpy(best + at * n, s->x, row);
        size[at] = here;
    }
    return kept;
}

/* Return which place is the nearest that is stable, if one is; -1: no place
 * has a response. */
static int choose_place(place_search *s, const double *best, const double *size,
                        int count)
{
    int found = -1;
    bool stable = false;
    for (int i = 0; i < count; i++) {
        if (!isfinite(size[i]) || (stable && size[i] >= size[found]))
            continue;
        round_to(s, best + i * s->vars, 15);
        judge_place(s);
        if (found < 0 || s->n->stable > stable ||
            (s->n->stable == stable && size[i] < size[found])) {
            found = i;
            stable = s->n->stable;
        }
    }
    return found;
}

/* Set x to the best place that many starts lead to; *found: there is one. */
static darc_status seek_place(place_search *s, double *x, bool *found,
                              const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    double *best, *size;
    DARC_CARVE({&best, DARC_NEAREST_STARTS * s->vars},
               {&size, DARC_NEAREST_STARTS});
    s->blunt = true;
    int count = screen(s, best, size);
    for (int i = 0; i < count && status == DARC_OK; i++) {
        status = darc_budget_check(budget, err);
        s->blunt = true;
        descend_place(s, best + i * s->vars, 2);
        s->blunt = false;
        descend_place(s, best + i * s->vars, 2);
        size[i] = descend_place(s, best + i * s->vars, 8);
    }
    int at = status == DARC_OK ? choose_place(s, best, size, count) : -1;
    *found = at >= 0;
    if (*found)
        memcpy(x, best + at * s->vars, (size_t)s->vars * sizeof *x);
    darc_free(best);
    return status;
}

/* Round x to as few digits as leave what it is. */
static void settle_place(place_search *s, const double *x)
{
    round_to(s, x, 15);
    double least = s->n->defect;
    judge_place(s);
    bool stable = s->n->stable, done = false;
    for (int digits = 6; digits <= 15 && !done; digits += 3) {
        round_to(s, x, digits);
        judge_place(s);
        done = s->n->defect <= 1.0001 * least && s->n->stable == stable;
    }
}

/* Where the nearest is not stable, look for one that is. */
static darc_status seek_nearest(place_search *s, const darc_budget *budget,
                                darc_err *err)
{
    bool found;
    double *x, *stable;
    s->n->defect = NAN;
    DARC_CARVE({&x, s->vars}, {&stable, s->vars});
    darc_status status = seek_place(s, x, &found, budget, err);
    s->n->defect = NAN;
    if (status == DARC_OK && found) {
        level(s, x);
        settle_place(s, x);
        s->guarded = !s->n->stable && s->vars > 0;
    }
    if (s->guarded) {
        status = seek_place(s, stable, &found, budget, err);
        if (found)
            level(s, stable);
        settle_place(s, found ? stable : x);
    }
    darc_free(x);
    return status;
}

/* Append which parameters of the model are positive. */
static void list_positive(bool *positive, int *v, const darc_model *model)
{
    const darc_names_struct *names = darc_model_names(model);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_PARAMETER)
            positive[(*v)++] = darc_model_is_positive(model, u);
}

static void start_search(place_search *s, const darc_model *model,
                         const darc_model *target)
{
    int v = 0, n = s->own = s->n->of[0].parameters;
    n = s->vars = n + s->n->of[1].parameters;
    int all = s->entries * DARC_NEAREST_POINTS;
    s->positive = darc_calloc((size_t)n + 1, sizeof *s->positive);
    list_positive(s->positive, &v, model);
    list_positive(s->positive, &v, target);
    DARC_CALLOC((size_t)(all * (n + 2) + 2 * s->entries), s->goal);
    s->e = s->goal + all;
    s->de = s->e + all;
    s->h = s->de + all * n;
    DARC_CARVE({&s->scale, all}, {&s->x, n}, {&s->to, n}, {&s->theta, n},
               {&s->step, n + n * n}, {&s->gradient, n}, {&s->hessian, n * n});
    s->n->value = darc_calloc((size_t)n + 1, sizeof *s->n->value);
    double span = log(s->n->high / s->n->low);
    set_parameters(s, s->x); /* all are 0 */
    for (int i = 0; i < DARC_NEAREST_GRID; i++)
        add_point(s, s->n->low * exp(span * i / (DARC_NEAREST_GRID - 1)));
}

darc_status darc_nearest_find(darc_nearest *n, const darc_model *model,
                              const darc_model *target,
                              const darc_budget *budget, darc_err *err)
{
    place_search s = {.n = n};
    n->value = NULL;
    n->none = NULL;
    DARC_NEED(darc_transfer_init(&n->of[1], target, NULL, budget, err));
    darc_status status =
        darc_transfer_init(&n->of[0], model, &n->of[1], budget, err);
    if (status != DARC_OK) {
        darc_transfer_clear(&n->of[1]);
        return status;
    }
    s.entries = entries(n);
    start_search(&s, model, target);
    status = check_target(&s, err);
    DARC_THEN(seek_nearest(&s, budget, err));
    if (status == DARC_OK && n->defect > n->tolerance && n->tolerance > 0)
        n->none = darc_beyond_prove(n, s.positive, budget);
    DARC_FREE(s.positive, s.goal, s.scale);
    if (status != DARC_OK)
        darc_nearest_clear(n);
    return status;
}

void darc_nearest_clear(darc_nearest *n)
{
    DARC_EACH(darc_transfer_clear, &n->of[0], &n->of[1]);
    DARC_FREE(n->value, n->none);
}
