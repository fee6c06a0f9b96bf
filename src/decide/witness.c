#include "decide/witness.h"

#include "base/mem.h"
#include "base/random.h"
#include "decide/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/real.h"
#include "stats/sandwich.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* Steps from a start; turns of the signs of all parameters. */
enum { ITERATIONS = 120, FLIPS = 3 };

/* A coefficient but for the references. */
typedef struct {
    slong entry;              /* of the polynomials */
    const darc_estimates *of; /* the fit that holds its estimate */
    int at;                   /* there */
} coefficient;

/* The polynomials, term by term, and what they are held against. */
typedef struct {
    const darc_witness_question *q;
    int vars, rows;
    coefficient *row;
    slong entries, terms;
    slong *entry;   /* of term t */
    double *factor; /* sign of term t */
    double *log;    /* logarithm of its size at parameters 1 */
    double *power;  /* terms x vars */
    double *value;  /* of each entry, over that of its reference */
    double *slope;  /* entries x vars: by the logarithms */
    int rank;
    double *cov;      /* rows x rows: V */
    double *root;     /* rank x rows: root' root = V^-1 on its range */
    double *room;     /* rows */
    double *r, *j;    /* residual; its Jacobian, by rows */
    double *x, *sign; /* logarithms and signs of the parameters */
    double *size;     /* room for logarithms */
} witness_search;

/* The estimates of a vector; one fit holds those of all equations. */
static const darc_estimates *of(const witness_search *s, int vector)
{
    return s->q->of[s->q->c->recording[vector]];
}

static const darc_estimates_equation *equation(const witness_search *s,
                                               int vector)
{
    return of(s, vector)->eq + s->q->place[vector];
}

static double estimate(const coefficient *k)
{
    return k->of->c[k->at];
}

/* Those of two recordings have none. */
static double covariance(const coefficient *a, const coefficient *b)
{
    return a->of == b->of ? a->of->cov[a->at * a->of->coeffs + b->at] : 0;
}

static void load_entry(witness_search *s, slong entry)
{
    const darc_coeffs_struct *c = s->q->c;
    const fmpz_mpoly_struct *b = c->b + entry;
    ulong *e = darc_calloc((size_t)c->vars + 1, sizeof *e);
    for (slong i = 0; i < fmpz_mpoly_length(b, c->ctx); i++) {
        double k = darc_real_integer(b->coeffs + i);
        slong t = s->terms++;
        fmpz_mpoly_get_term_exp_ui(e, b, i, c->ctx);
        s->entry[t] = entry;
        s->factor[t] = k < 0 ? -1 : 1;
        s->log[t] = log(fabs(k));
        for (int v = 0; v < s->vars; v++)
            s->power[t * s->vars + v] = (double)e[v];
    }
    darc_free(e);
}

static void load(witness_search *s)
{
    const darc_coeffs_struct *c = s->q->c;
    slong n = 0;
    s->vars = (int)c->vars;
    s->entries = c->first[c->vectors];
    for (slong i = 0; i < s->entries; i++)
        n += fmpz_mpoly_length(c->b + i, c->ctx);
    s->row = darc_calloc((size_t)s->entries, sizeof *s->row);
    for (int i = 0; i < c->vectors; i++) {
        const darc_estimates_equation *q = equation(s, i);
        for (int k = 0; k < q->coeffs; k++)
            if (q->first + k != q->reference)
                s->row[s->rows++] =
                    (coefficient){c->first[i] + k, of(s, i), q->first + k};
    }
    slong v = s->vars, rows = s->rows;
    s->entry = darc_calloc((size_t)n, sizeof *s->entry);
    DARC_CARVE({&s->factor, n}, {&s->log, n}, {&s->power, n * v},
               {&s->value, s->entries}, {&s->slope, s->entries * v},
               {&s->root, rows * rows}, {&s->cov, rows * rows},
               {&s->room, rows}, {&s->r, rows}, {&s->j, rows * v}, {&s->x, v},
               {&s->sign, v}, {&s->size, v});
    for (slong i = 0; i < s->entries; i++)
        load_entry(s, i);
}

static double term_log(const witness_search *s, slong t, const double *x,
                       double *sign)
{
    double sum = s->log[t];
    *sign = s->factor[t];
    for (int v = 0; v < s->vars; v++) {
        double e = s->power[t * s->vars + v];
        sum += e * x[v];
        if (s->sign[v] < 0 && fmod(e, 2) != 0)
            *sign = -*sign;
    }
    return sum;
}

/* Divide the entries of a vector, and their slopes, by its reference. */
static bool refer(witness_search *s, int vector)
{
    const darc_coeffs_struct *c = s->q->c;
    slong r = c->first[vector] + equation(s, vector)->reference -
              equation(s, vector)->first;
    double unit = s->value[r];
    if (unit == 0 || !isfinite(unit))
        return false;
    for (slong i = c->first[vector]; i < c->first[vector + 1]; i++) {
        s->value[i] /= unit;
        for (int v = 0; v < s->vars; v++)
            s->slope[i * s->vars + v] /= unit;
    }
    for (slong i = c->first[vector]; i < c->first[vector + 1]; i++)
        for (int v = 0; v < s->vars && i != r; v++)
            s->slope[i * s->vars + v] -=
                s->value[i] * s->slope[r * s->vars + v];
    for (int v = 0; v < s->vars; v++)
        s->slope[r * s->vars + v] = 0;
    return true;
}

/* Set value and slope at x: the largest term of a vector is 1 before its
 * reference divides, so that nothing overflows. */
static bool evaluate_vectors(witness_search *s, const double *x)
{
    const darc_coeffs_struct *c = s->q->c;
    memset(s->value, 0, (size_t)s->entries * sizeof *s->value);
    memset(s->slope, 0,
           (size_t)s->entries * (size_t)s->vars * sizeof *s->slope);
    slong t = 0;
    for (int i = 0; i < c->vectors; i++) {
        double top = -HUGE_VAL, sign;
        slong end = t;
        for (; end < s->terms && s->entry[end] < c->first[i + 1]; end++)
            top = fmax(top, term_log(s, end, x, &sign));
        for (; t < end; t++) {
            double value = exp(term_log(s, t, x, &sign) - top) * sign;
            s->value[s->entry[t]] += value;
            for (int v = 0; v < s->vars; v++)
                s->slope[s->entry[t] * s->vars + v] +=
                    s->power[t * s->vars + v] * value;
        }
        if (!refer(s, i))
            return false;
    }
    return true;
}

/* Set the residual and its Jacobian at x from logarithms of the coefficients
 * that are clear of 0; those of the wrong sign count by their size. */
static bool compare_logarithms(witness_search *s, const double *x)
{
    if (!evaluate_vectors(s, x))
        return false;
    for (int i = 0; i < s->rows; i++) {
        const coefficient *k = s->row + i;
        double x0 = estimate(k), value = s->value[k->entry];
        bool clear = fabs(x0) > DARC_WITNESS_CLEAR * sqrt(covariance(k, k)) &&
                     value != 0;
        s->r[i] = clear ? log(fabs(value / x0)) : 0;
        for (int v = 0; v < s->vars; v++)
            s->j[i * s->vars + v] =
                clear ? s->slope[k->entry * s->vars + v] / value : 0;
    }
    return true;
}

/* a = root a, a of `columns` columns; rows behind the rank become 0. */
static void weigh_rows(witness_search *s, double *a, int columns)
{
    int n = s->rows;
    for (int c = 0; c < columns; c++) {
        for (int k = 0; k < n; k++) {
            s->room[k] = 0;
            for (int i = 0; i < n && k < s->rank; i++)
                s->room[k] += s->root[k * n + i] * a[i * columns + c];
        }
        for (int k = 0; k < n; k++)
            a[k * columns + c] = s->room[k];
    }
}

/* The same weighed by the covariance. */
static bool compare_weighed(witness_search *s, const double *x)
{
    if (!evaluate_vectors(s, x))
        return false;
    for (int i = 0; i < s->rows; i++) {
        const coefficient *k = s->row + i;
        s->r[i] = s->value[k->entry] - estimate(k);
        memcpy(s->j + i * s->vars, s->slope + k->entry * s->vars,
               (size_t)s->vars * sizeof *s->j);
    }
    weigh_rows(s, s->r, 1);
    weigh_rows(s, s->j, s->vars);
    return true;
}

/* The same at parameters that are no logarithms: they may change signs. */
static bool compare_straight(witness_search *s, const double *theta)
{
    for (int v = 0; v < s->vars; v++) {
        s->sign[v] = theta[v] < 0 ? -1 : 1;
        s->size[v] = log(fmax(fabs(theta[v]), 1e-300));
    }
    if (!compare_weighed(s, s->size))
        return false;
    for (int i = 0; i < s->rows * s->vars; i++)
        s->j[i] /= s->sign[i % s->vars] * exp(s->size[i % s->vars]);
    return true;
}

/* Set root and rank; false where there is no covariance. */
static bool set_root(witness_search *s)
{
    int n = s->rows;
    for (int i = 0; i < n; i++) {
        double t = s->q->tolerance, x = estimate(s->row + i);
        for (int k = 0; k < n; k++)
            s->cov[k * n + i] = covariance(s->row + i, s->row + k);
        s->cov[i * (n + 1)] += t * t * x * x;
    }
    s->rank = darc_whiten(s->root, s->cov, n);
    return s->rank > 0;
}

typedef bool residual(witness_search *s, const double *x);

static double square_sum(const witness_search *s)
{
    double sum = 0;
    for (int i = 0; i < s->rows; i++)
        sum += s->r[i] * s->r[i];
    return isfinite(sum) ? sum : HUGE_VAL;
}

/* Set step to -(J'J + damping diag(J'J))^-1 J'r. */
static bool find_step(const witness_search *s, double *step, double *a,
                      double damping)
{
    int n = s->vars;
    for (int v = 0; v < n; v++) {
        step[v] = 0;
        for (int i = 0; i < s->rows; i++)
            step[v] -= s->j[i * n + v] * s->r[i];
        for (int w = 0; w <= v; w++) {
            double sum = 0;
            for (int i = 0; i < s->rows; i++)
                sum += s->j[i * n + v] * s->j[i * n + w];
            a[v * n + w] = a[w * n + v] = sum;
        }
    }
    for (int v = 0; v < n; v++)
        a[v * n + v] = a[v * n + v] > 0 ? a[v * n + v] * (1 + damping) : 1;
    return darc_dense_solve(a, step, n, 1);
}

/* Move s->x to a minimum; return the sum of squares there.  s->r and s->j
 * belong to s->x before every step. */
static double descend_squares(witness_search *s, residual *f, double enough)
{
    size_t n = (size_t)s->vars;
    double *step, *a, *to;
    DARC_CARVE({&step, s->vars}, {&a, s->vars * s->vars}, {&to, s->vars});
    double damping = 1e-2, here = f(s, s->x) ? square_sum(s) : HUGE_VAL;
    for (int i = 0; i < ITERATIONS && here > enough && damping < 1e12; i++) {
        if (isinf(here) || !find_step(s, step, a, damping)) {
            damping *= 10;
            continue;
        }
        double most = 0;
        for (size_t v = 0; v < n; v++)
            most = fmax(most, fabs(step[v]));
        for (size_t v = 0; v < n; v++)
            to[v] = s->x[v] + (f == compare_straight
                                   ? step[v]
                                   : step[v] * fmin(1, 3 / fmax(most, 1e-300)));
        double there = f(s, to) ? square_sum(s) : HUGE_VAL;
        if (there < here) {
            memcpy(s->x, to, n * sizeof *to);
            damping = fmax(damping / 10, 1e-12);
            here = there;
        } else {
            damping *= 10;
            f(s, s->x);
        }
    }
    darc_free(step);
    return here;
}

/* Coefficients clear of 0 that have the sign of the fit. */
static int right_signs(witness_search *s)
{
    int count = 0;
    if (!evaluate_vectors(s, s->x))
        return -1;
    for (int i = 0; i < s->rows; i++)
        count += estimate(s->row + i) * s->value[s->row[i].entry] > 0;
    return count;
}

/* Turn signs of parameters as long as more coefficients get theirs. */
static void turn_signs(witness_search *s)
{
    int best = right_signs(s);
    for (int pass = 0; pass < FLIPS; pass++)
        for (int v = 0; v < s->vars; v++) {
            s->sign[v] = -s->sign[v];
            int now = right_signs(s);
            if (now > best)
                best = now;
            else
                s->sign[v] = -s->sign[v];
        }
}

/* The first start is 1, ..., 1, the next are positive: most parameters are. */
static void choose_start(witness_search *s, int i, darc_random *random)
{
    double spread = i == 0 ? 0 : 1 + i % 4;
    for (int v = 0; v < s->vars; v++) {
        s->x[v] = spread * darc_random_normal(random);
        s->sign[v] =
            i >= DARC_WITNESS_POSITIVE && darc_random_uniform(random) < 0.5 ? -1
                                                                            : 1;
    }
    if (i >= DARC_WITNESS_POSITIVE)
        turn_signs(s);
}

/* Return the sum of squares up to which noise explains it. */
static double limit(const witness_search *s)
{
    const darc_coeffs_struct *c = s->q->c;
    flint_rand_t state;
    flint_randinit(state);
    double dof = (double)(s->rank - darc_coeffs_dimension(c, state));
    double error_dof = HUGE_VAL;
    flint_randclear(state);
    for (int i = 0; i < c->vectors; i++)
        error_dof = fmin(error_dof, of(s, i)->error_dof);
    return dof > 0 ? darc_stats_squares_isf(s->q->alpha, dof, error_dof)
                   : HUGE_VAL;
}

static int affordable(const witness_search *s)
{
    double each = (double)s->terms * s->vars + (double)s->rows * s->rows +
                  (double)s->rows * s->vars * s->vars;
    double starts = DARC_WITNESS_WORK / (each * 3 * ITERATIONS);
    return starts > DARC_WITNESS_STARTS ? DARC_WITNESS_STARTS : 1 + (int)starts;
}

/* Return the least sum of squares from all starts, or the first up to `enough`;
 * each is followed down to `floor`.  theta (NULL: not asked) gets the place. */
static double seek_witness(witness_search *s, double *theta, double enough,
                           double floor, const darc_budget *budget)
{
    darc_random random;
    double least = HUGE_VAL;
    darc_random_init(&random, 1, 0);
    int starts = s->rank > 0 ? affordable(s) : 0;
    for (int i = 0; i < starts && least > enough; i++) {
        if (darc_budget_check(budget, NULL) != DARC_OK)
            break;
        choose_start(s, i, &random);
        descend_squares(s, compare_logarithms, 1e-24);
        double here = descend_squares(s, compare_weighed, floor);
        for (int v = 0; v < s->vars; v++)
            s->x[v] = s->sign[v] * exp(s->x[v]);
        if (here > enough)
            here = descend_squares(s, compare_straight, floor);
        for (int v = 0; v < s->vars && theta != NULL && here < least; v++)
            theta[v] = s->x[v];
        least = fmin(here, least);
    }
    return least;
}

bool darc_witness_exists(const darc_witness_question *question, double *near,
                         const darc_budget *budget)
{
    witness_search s = {.q = question};
    load(&s);
    double most = set_root(&s) ? limit(&s) : 0;
    double enough = near == NULL || isfinite(most) ? most : s.rows;
    double floor = near == NULL ? most : DARC_WITNESS_NEAR;
    double least = seek_witness(&s, near, enough, floor, budget);
    DARC_FREE(s.row, s.entry, s.factor);
    return near == NULL ? least <= most : isfinite(least);
}

bool darc_witness_is_found(const darc_question *x, const darc_estimates *a,
                           const darc_estimates *b, const bool *changed)
{
    for (int e = 0; e < x->io->count; e++)
        if (!x->io->eq[e].expanded)
            return false;
    if (x->equations < x->io->count)
        return false;
    darc_coeffs_t c;
    darc_coeffs_init(c, x->io, x->io->count > 1 ? -1 : 0, changed);
    int *place = darc_calloc((size_t)c->vectors, sizeof *place);
    for (int i = 0; i < c->vectors; i++)
        for (int q = 0; q < x->equations; q++)
            place[i] = x->equation[q] == c->equation[i] ? q : place[i];
    darc_witness_question w = {.c = c,
                               .of = {a, b},
                               .place = place,
                               .tolerance = x->by->tolerance,
                               .alpha = x->by->alpha};
    bool found = darc_witness_exists(&w, NULL, x->budget);
    darc_coeffs_clear(c);
    darc_free(place);
    return found;
}
