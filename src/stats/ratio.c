#include "stats/ratio.h"

#include "base/mem.h"
#include "stats/autoregress.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/sandwich.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* Order the rows part by part. */
static void sort_rows(const darc_ratio *r, double *y, const double *x)
{
    for (int q = 0; q < r->parts; q++)
        for (size_t k = 0; k < r->n; k++)
            y[(size_t)q * r->n + k] = x[k * (size_t)r->parts + (size_t)q];
}

static size_t rows_of(const darc_ratio *r)
{
    return (size_t)r->parts * r->n;
}

/* Take the columns off y, twice for the sake of rounding. */
static void project(double *y, const double *x, int columns, size_t rows)
{
    for (int twice = 0; twice < 2; twice++)
        for (int j = 0; j < columns; j++) {
            const double *own = x + (size_t)j * rows;
            darc_lanes_add(y, -darc_lanes_dot(own, y, rows), own, rows);
        }
}

/* Scale y to the norm 1, or 0; return what it was. */
static double normalise(double *y, size_t rows)
{
    double norm = sqrt(darc_lanes_dot(y, y, rows));
    for (size_t i = 0; i < rows; i++)
        y[i] = norm > 0 ? y[i] / norm : 0;
    return norm;
}

/* Set x to orthonormal columns of the same span; those that others make to 0.
 */
static void orthonormalise(double *x, int columns, size_t rows)
{
    for (int j = 0; j < columns; j++) {
        double *own = x + (size_t)j * rows;
        double all = normalise(own, rows);
        project(own, x, j, rows);
        if (!(all > 0) || normalise(own, rows) < DARC_RATIO_RANK)
            memset(own, 0, rows * sizeof *own);
    }
}

/* Set a, a predictor of the order m, to that of the order m - 1 of the same
 * noise; return the share of its error that is left with one value more. */
static double step_down(double *a, int m)
{
    double old[DARC_RATIO_ORDER], k = a[m - 1];
    double share = fmax(1 - k * k, 1e-12);
    memcpy(old, a, (size_t)m * sizeof *old);
    for (int i = 0; i < m - 1; i++)
        a[i] = (old[i] + k * old[m - 2 - i]) / share;
    return share;
}

/* Set y to scale (x_t - sum a_i x_(t-i)); the first ones to what the values
 * before them do not predict, as large (Levinson's recursion backwards). Return
 * the logarithm of what that divides their deviations by: without these rows a
 * regressor that stands in them would be free. */
static double whiten_part(double *y, const double *x, size_t n, const double *a,
                          int order, double scale)
{
    double own[DARC_RATIO_ORDER] = {0}, left = 1, all = 0;
    memcpy(y, x, n * sizeof *y);
    memcpy(own, a, (size_t)order * sizeof *own);
    for (int i = 0; i < order; i++)
        darc_lanes_add(y + order, -a[i], x + (size_t)(order - 1 - i),
                       n - (size_t)order);
    for (int t = order - 1; t >= 0; t--) {
        left *= step_down(own, t + 1);
        for (int i = 0; i < t; i++)
            y[t] -= own[i] * x[t - 1 - i];
        y[t] *= sqrt(left);
        all += log(left) / 2;
    }
    for (size_t t = 0; t < n; t++)
        y[t] *= scale;
    return all;
}

typedef struct {
    const double *a, *scale;
} noise;

static void whiten_all(double *y, const double *x, const darc_ratio *r,
                       noise by)
{
    for (int q = 0; q < r->parts; q++) {
        size_t at = (size_t)q * r->n;
        whiten_part(y + at, x + at, r->n, by.a + q * DARC_RATIO_ORDER,
                    r->order[q], by.scale[q]);
    }
}

/* Estimate the noise of what is left; return the log likelihood. */
static double fit_noise(double *a, double *scale, const darc_ratio *r,
                        const double *left, double *room)
{
    double likelihood = 0;
    for (int q = 0; q < r->parts; q++) {
        const double *x = left + (size_t)q * r->n;
        int order = r->order[q];
        darc_autoregress m;
        darc_autoregress_floored(&m, x, r->n, order, DARC_RATIO_FLOOR);
        memset(a + q * DARC_RATIO_ORDER, 0, DARC_RATIO_ORDER * sizeof *a);
        memcpy(a + q * DARC_RATIO_ORDER, m.a, (size_t)m.order * sizeof *a);
        likelihood +=
            whiten_part(room, x, r->n, a + q * DARC_RATIO_ORDER, order, 1);
        double v = darc_lanes_dot(room, room, r->n) / (double)r->n;
        scale[q] = v > 0 ? 1 / sqrt(v) : 1;
        likelihood += (double)r->n * log(scale[q]);
    }
    return likelihood;
}

/* The order of least BIC. */
static int choose_order(const double *x, size_t n, double *room)
{
    int best = 0;
    double least = HUGE_VAL;
    for (int p = 0; p <= DARC_RATIO_ORDER && 8 * (size_t)p < n; p++) {
        darc_autoregress m;
        darc_autoregress_floored(&m, x, n, p, DARC_RATIO_FLOOR);
        double first = whiten_part(room, x, n, m.a, m.order, 1);
        double v = darc_lanes_dot(room, room, n) / (double)n;
        double cost = (double)n * log(v) - 2 * first + log((double)n) * p;
        if (cost < least) {
            least = cost;
            best = p;
        }
    }
    return best;
}

/* The columns of r, and behind them `more` of y. */
typedef struct {
    const darc_ratio *r;
    int columns, more;
    const double *y;
    double *b;           /* coefficients */
    double *a, *scale;   /* of the noise */
    double *left, *room; /* rows each */
    double *we, *wx;     /* rows, columns x rows: less the noise */
} profile;

static void open_profile(profile *p, const darc_ratio *r, const double *y,
                         int more)
{
    ptrdiff_t rows = (ptrdiff_t)rows_of(r);
    *p = (profile){.r = r, .y = y, .columns = r->columns + more, .more = more};
    DARC_CARVE({&p->b, p->columns + 1}, {&p->a, r->parts * DARC_RATIO_ORDER},
               {&p->scale, r->parts}, {&p->left, rows}, {&p->room, rows},
               {&p->we, rows}, {&p->wx, rows * (p->columns + 1)});
}

static const double *column_of(const profile *p, int j)
{
    int own = p->r->columns;
    return j < own ? p->r->x + (size_t)j * rows_of(p->r)
                   : p->y + (size_t)(j - own) * rows_of(p->r);
}

static void set_left(profile *p)
{
    size_t rows = rows_of(p->r);
    memcpy(p->left, p->r->e, rows * sizeof *p->left);
    for (int j = 0; j < p->columns; j++)
        darc_lanes_add(p->left, p->b[j], column_of(p, j), rows);
}

/* Least squares under the noise; return whether they could be solved. */
static bool solve(profile *p)
{
    const darc_ratio *r = p->r;
    int n = p->columns, *index = darc_calloc((size_t)n + 1, sizeof *index);
    size_t rows = rows_of(r);
    noise by = {p->a, p->scale};
    double *gram = darc_calloc((size_t)n * (size_t)n + 1, sizeof *gram);
    double *b = darc_calloc((size_t)n + 1, sizeof *b);
    int count = 0;
    whiten_all(p->we, r->e, r, by);
    for (int j = 0; j < n; j++) {
        double *own = p->wx + (size_t)j * rows;
        whiten_all(own, column_of(p, j), r, by);
        for (int i = 0; i <= j; i++)
            gram[i * n + j] = gram[j * n + i] =
                darc_lanes_dot(own, p->wx + (size_t)i * rows, rows);
        if (gram[j * (n + 1)] > 0) {
            index[count] = j;
            b[count++] = -darc_lanes_dot(own, p->we, rows);
        }
    }
    bool solved = darc_solve_part(gram, n, index, count, b, 1);
    for (int i = 0; i < count && solved; i++)
        p->b[index[i]] = b[i];
    DARC_FREE(index, gram, b);
    return solved;
}

/* Noise and coefficients in turn; return the log likelihood. */
static double maximise(profile *p)
{
    bool solved = true;
    for (int i = 0; i < DARC_RATIO_PASSES && solved; i++) {
        set_left(p);
        fit_noise(p->a, p->scale, p->r, p->left, p->room);
        solved = solve(p);
    }
    set_left(p);
    return fit_noise(p->a, p->scale, p->r, p->left, p->room);
}

bool darc_ratio_init(darc_ratio *r, const double *e, const double *x,
                     int columns, int parts, size_t n)
{
    *r = (darc_ratio){.parts = parts, .columns = columns, .n = n};
    ptrdiff_t rows = (ptrdiff_t)rows_of(r);
    DARC_CARVE({&r->e, rows}, {&r->x, rows * (columns + 1)}, {&r->we, rows},
               {&r->wx, rows * (columns + 1)},
               {&r->a, parts * DARC_RATIO_ORDER}, {&r->scale, parts});
    r->order = darc_calloc((size_t)parts, sizeof *r->order);
    if (n < DARC_RATIO_LEAST || rows < 4 * (columns + parts))
        return false;
    sort_rows(r, r->e, e);
    for (int j = 0; j < columns; j++)
        sort_rows(r, r->x + (ptrdiff_t)j * rows, x + (ptrdiff_t)j * rows);
    orthonormalise(r->x, columns, (size_t)rows);
    profile p;
    open_profile(&p, r, NULL, 0);
    memcpy(p.left, r->e, (size_t)rows * sizeof *p.left);
    project(p.left, r->x, columns, (size_t)rows);
    for (int q = 0; q < parts; q++) {
        int order = choose_order(p.left + (size_t)q * n, n, p.room);
        r->coloured = r->coloured || order > 0;
        r->order[q] =
            order > DARC_RATIO_LEAST_ORDER ? order : DARC_RATIO_LEAST_ORDER;
    }
    r->likelihood = maximise(&p);
    noise by = {p.a, p.scale};
    memcpy(r->a, p.a, (size_t)parts * DARC_RATIO_ORDER * sizeof *r->a);
    memcpy(r->scale, p.scale, (size_t)parts * sizeof *r->scale);
    whiten_all(r->we, p.left, r, by);
    for (int j = 0; j < columns; j++)
        whiten_all(r->wx + (ptrdiff_t)j * rows, r->x + (ptrdiff_t)j * rows, r,
                   by);
    orthonormalise(r->wx, columns, (size_t)rows);
    darc_free(p.b);
    return isfinite(r->likelihood);
}

void darc_ratio_clear(darc_ratio *r)
{
    DARC_FREE(r->e, r->order);
    *r = (darc_ratio){0};
}

double darc_ratio_rest(const darc_ratio *r, double *y, const double *x)
{
    size_t rows = rows_of(r);
    sort_rows(r, y, x);
    double all = sqrt(darc_lanes_dot(y, y, rows));
    project(y, r->x, r->columns, rows);
    double left = normalise(y, rows);
    return all > 0 ? left / all : 0;
}

double darc_ratio_score(const darc_ratio *r, const double *y)
{
    size_t rows = rows_of(r);
    double *w = darc_malloc(rows * sizeof *w);
    noise by = {r->a, r->scale};
    whiten_all(w, y, r, by);
    project(w, r->wx, r->columns, rows);
    double t = normalise(w, rows) > 0 ? darc_lanes_dot(w, r->we, rows) : 0;
    darc_free(w);
    return t * t;
}

void darc_ratio_whiten(const darc_ratio *r, double *y, const double *x)
{
    double *sorted = darc_malloc(rows_of(r) * sizeof *sorted);
    noise by = {r->a, r->scale};
    sort_rows(r, sorted, x);
    whiten_all(y, sorted, r, by);
    darc_free(sorted);
}

double darc_ratio_power(const darc_ratio *r, const double *x)
{
    double *w = darc_malloc(rows_of(r) * sizeof *w);
    darc_ratio_whiten(r, w, x);
    double power = darc_lanes_dot(w, w, rows_of(r));
    darc_free(w);
    return power;
}

/* Set out to x, each part shifted in a circle by s rows. */
static void shift(double *out, const double *x, const darc_ratio *r, size_t s)
{
    for (int q = 0; q < r->parts; q++) {
        double *to = out + (size_t)q * r->n;
        const double *from = x + (size_t)q * r->n;
        memcpy(to + s, from, (r->n - s) * sizeof *to);
        memcpy(to, from + r->n - s, s * sizeof *to);
    }
}

/* Return how many of `count` vectors of `more` scores t, of this mean square,
 * are independent. */
static double independent(const double *t, size_t count, int more, double mean)
{
    double sum = 0;
    size_t k = (size_t)more;
    for (size_t l = 1; l < count / 3 && l < DARC_RATIO_LAGS; l++) {
        double both = darc_lanes_dot(t + l * k, t, (count - l) * k);
        sum += pow(both / (double)((count - l) * k) / mean, 2);
    }
    return fmax(2, (double)(count * k) / (1 + 2 * sum));
}

/* Return the variance of the scores of `more` orthonormal columns w over what
 * it is where the noise is the same everywhere: it need not be [Whi80].
 */
static double uneven(const double *w, int more, const double *left, size_t rows)
{
    double sum = 0, power = darc_lanes_dot(left, left, rows) / (double)rows;
    double norm = darc_lanes_dot(w, w, rows * (size_t)more);
    for (int j = 0; j < more; j++)
        for (size_t i = 0; i < rows; i++)
            sum += pow(w[(size_t)j * rows + i] * left[i], 2);
    return norm > 0 && power > 0 ? sum / norm / power : 1;
}

/* Set w to the regressors of p, shifted by s rows, less their noise and what
 * its own columns make of them, orthonormal. */
static void whiten_shifted(double *w, profile *p, size_t s)
{
    const darc_ratio *r = p->r;
    size_t rows = rows_of(r);
    for (int j = 0; j < p->more; j++) {
        shift(p->room, p->y + (size_t)j * rows, r, s);
        whiten_all(w + (size_t)j * rows, p->room, r, (noise){p->a, p->scale});
        project(w + (size_t)j * rows, p->wx, r->columns, rows);
    }
    orthonormalise(w, p->more, rows);
}

/* Make p stand at the alternative: its own columns and what it leaves, less
 * their noise. */
static void go_to_alternative(profile *p)
{
    const darc_ratio *r = p->r;
    size_t rows = rows_of(r);
    noise by = {p->a, p->scale};
    for (int j = 0; j < r->columns; j++)
        whiten_all(p->wx + (size_t)j * rows, column_of(p, j), r, by);
    orthonormalise(p->wx, r->columns, rows);
    whiten_all(p->we, p->left, r, by);
    project(p->we, p->wx, r->columns, rows);
}

/* The same at the model. */
static void go_to_model(profile *p)
{
    const darc_ratio *r = p->r;
    size_t rows = rows_of(r);
    memcpy(p->a, r->a, (size_t)(r->parts * DARC_RATIO_ORDER) * sizeof *p->a);
    memcpy(p->scale, r->scale, (size_t)r->parts * sizeof *p->scale);
    memcpy(p->wx, r->wx, (size_t)r->columns * rows * sizeof *p->wx);
    memcpy(p->we, r->we, rows * sizeof *p->we);
    project(p->we, p->wx, r->columns, rows);
}

/* Set *mean to the mean square of a score over shifts of the regressors against
 * what p leaves, or more where that grows with the regressors; return how many
 * are independent. */
static double shifted(double *mean, profile *p)
{
    const darc_ratio *r = p->r;
    size_t rows = rows_of(r), n = r->n, count = 0, many = (size_t)p->more;
    size_t apart = 1 + n * many / DARC_RATIO_SHIFTS;
    size_t least = 2 + n / DARC_RATIO_NEAR;
    double *w = p->wx + (size_t)r->columns * rows;
    double *t = darc_calloc((n / apart + 1) * many, sizeof *t);
    whiten_shifted(w, p, 0);
    double most = uneven(w, p->more, p->we, rows);
    for (size_t s = least; s + least < n; s += apart, count++) {
        whiten_shifted(w, p, s);
        for (size_t j = 0; j < many; j++)
            t[count * many + j] = darc_lanes_dot(w + j * rows, p->we, rows);
    }
    size_t all = count * many;
    *mean = all > 0 ? darc_lanes_dot(t, t, all) / (double)all : 1;
    double dof = *mean > 0 ? independent(t, count, p->more, *mean) : 2;
    *mean = fmax(*mean, most);
    darc_free(t);
    return dof;
}

int darc_ratio_basis(const darc_ratio *r, double *y, const double *x, int count,
                     double least)
{
    size_t rows = rows_of(r);
    int kept = 0;
    for (int j = 0; j < count; j++) {
        double *own = y + (size_t)kept * rows;
        double share = darc_ratio_rest(r, own, x + (size_t)j * rows);
        project(own, y, kept, rows);
        kept += share * normalise(own, rows) >= least;
    }
    return kept;
}

/* Return the F statistic of the regressors of p, the noise estimated with them.
 */
static double statistic(profile *p, double *dof)
{
    const darc_ratio *r = p->r;
    double gain = 2 * (maximise(p) - r->likelihood), m = (double)rows_of(r);
    *dof = m - r->columns - p->more;
    for (int q = 0; q < r->parts; q++)
        *dof -= r->order[q];
    return *dof * expm1(fmin(fmax(gain, 0) / m, 600)) / p->more;
}

/* Return the mean of that statistic over shifts: many regressors take up slow
 * noise, which is estimated as less with them, wherever they stand. */
static double shifted_statistic(const profile *p)
{
    const darc_ratio *r = p->r;
    size_t rows = rows_of(r), many = (size_t)p->more;
    size_t apart = 1 + r->n * many / DARC_RATIO_SHIFTS;
    size_t least = 2 + r->n / DARC_RATIO_NEAR;
    double *y = darc_malloc(many * rows * sizeof *y), sum = 0, dof;
    int count = 0;
    for (size_t s = least; s + least < r->n; s += apart, count++) {
        for (size_t j = 0; j < many; j++) {
            shift(y + j * rows, p->y + j * rows, r, s);
            project(y + j * rows, r->x, r->columns, rows);
        }
        orthonormalise(y, p->more, rows);
        profile other;
        open_profile(&other, r, y, p->more);
        sum += statistic(&other, &dof);
        darc_free(other.b);
    }
    darc_free(y);
    return count > 0 ? sum / count : 1;
}

void darc_ratio_ask(darc_ratio_test *out, const darc_ratio *r, const double *y,
                    int count, double alpha)
{
    profile p;
    open_profile(&p, r, y, count);
    double dof, t2 = statistic(&p, &dof);
    *out =
        (darc_ratio_test){.value = p.b[r->columns], .t2 = t2, .inflation = 1};
    out->left = darc_lanes_dot(p.left, p.left, rows_of(r)) / (double)rows_of(r);
    out->p_value = darc_stats_f_sf(out->t2, count, dof);
    if (out->p_value < alpha) {
        double mean;
        if (count > 1)
            go_to_model(&p);
        else
            go_to_alternative(&p);
        double many = shifted(&mean, &p);
        if (count > 1)
            mean = fmax(mean, shifted_statistic(&p));
        out->inflation = fmax(1, mean);
        out->t2 /= out->inflation;
        out->p_value = darc_stats_f_sf(out->t2, count, fmin(dof, many));
    }
    out->sd = out->t2 > 0 ? fabs(out->value) / sqrt(out->t2) : HUGE_VAL;
    darc_free(p.b);
}
