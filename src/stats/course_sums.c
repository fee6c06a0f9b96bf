#include "stats/course_sums.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/sandwich.h"

#include <math.h>
#include <string.h>

static bool is_bend(const darc_course_sums *s, int r)
{
    return r >= s->d->covariates && r < s->regressors - 1;
}

double darc_course_sums_regressor(const darc_course_sums *s, int i, int r,
                                  int j)
{
    int q = s->d->covariates;
    double u = s->bent[i * s->d->p + j];
    return r < q                   ? s->d->covariate[i * q + r]
           : r < s->regressors - 1 ? (r == q ? u * u / 2 : u * u * u / 3)
                                   : s->d->time[i] - s->middle;
}

void darc_course_sums_clear(darc_course_sums *s)
{
    DARC_FREE(s->info, s->index);
}

/* Add up all values. */
static void add_up(darc_course_sums *s)
{
    const darc_course_data *d = s->d;
    size_t p = (size_t)d->p, pp = p * p, rs = (size_t)s->regressors;
    memset(s->bend, 0, rs * rs * pp * sizeof *s->bend);
    memset(s->turned, 0, rs * p * sizeof *s->turned);
    for (size_t i = 0; i < (size_t)d->n; i++) {
        const double *info = d->info + i * pp, *score = d->score + i * p;
        for (size_t k = 0; k < pp; k++)
            s->info[(i + 1) * pp + k] = s->info[i * pp + k] + info[k];
        for (size_t j = 0; j < p; j++)
            s->score[(i + 1) * p + j] = s->score[i * p + j] + score[j];
        for (size_t r = 0; r < rs; r++) {
            size_t at = (i * rs + r) * pp;
            for (size_t j = 0; j < p; j++)
                s->turned[r * p + j] +=
                    darc_course_sums_regressor(s, (int)i, (int)r, (int)j) *
                    score[j];
            for (size_t k = 0; k < pp; k++) {
                double z = info[k] * darc_course_sums_regressor(
                                         s, (int)i, (int)r, (int)(k % p));
                s->turn[at + rs * pp + k] = s->turn[at + k] + z;
                for (size_t q = 0; q < rs; q++)
                    s->bend[(q * rs + r) * pp + k] +=
                        z * darc_course_sums_regressor(s, (int)i, (int)q,
                                                       (int)(k / p));
            }
        }
    }
}

void darc_course_sums_init(darc_course_sums *s, const darc_course_data *d)
{
    ptrdiff_t n = d->n, p = d->p;
    ptrdiff_t r = d->covariates + (d->covariates > 0 ? 2 : 0) + 1;
    *s = (darc_course_sums){.d = d,
                            .regressors = (int)r,
                            .used = (int)r - 1,
                            .skip = {-1, -1},
                            .middle = (d->time[0] + d->time[n - 1]) / 2};
    DARC_CARVE({&s->info, (n + 1) * p * p}, {&s->turn, (n + 1) * r * p * p},
               {&s->score, (n + 1) * p}, {&s->bend, r * r * p * p},
               {&s->bent, n * p}, {&s->turned, r * p}, {&s->slope, r * p},
               {&s->room, p * (r * p + 1)}, {&s->a, p * p}, {&s->b, r * p * p});
    s->index = darc_calloc((size_t)(r * p), sizeof *s->index);
    for (int j = 0; j < d->p * s->regressors; j++)
        s->index[j] = j;
    add_up(s);
}

/* Take value i, which does not count, from the sums over one stretch. */
static void leave_out(darc_course_sums *s, int i)
{
    int p = s->d->p, pp = p * p;
    for (int k = 0; k < pp; k++) {
        s->a[k] -= s->d->info[i * pp + k];
        for (int r = 0; r < s->used; r++)
            s->b[r * pp + k] -= darc_course_sums_regressor(s, i, r, k % p) *
                                s->d->info[i * pp + k];
    }
    for (int j = 0; j < p; j++)
        s->room[j] -= s->d->score[i * p + j];
}

/* Set s->a, s->b to the sums of info and its turns over begin .. end - 1, and
 * the first column of s->room to the score less what the slopes make of it. */
static void take_stretch(darc_course_sums *s, int begin, int end)
{
    size_t p = (size_t)s->d->p, pp = p * p, x = (size_t)begin, y = (size_t)end;
    size_t all = (size_t)s->regressors * pp, used = (size_t)s->used;
    for (size_t k = 0; k < pp; k++)
        s->a[k] = s->info[y * pp + k] - s->info[x * pp + k];
    for (size_t k = 0; k < used * pp; k++)
        s->b[k] = s->turn[y * all + k] - s->turn[x * all + k];
    for (size_t j = 0; j < p; j++)
        s->room[j] = s->score[y * p + j] - s->score[x * p + j];
    for (int k = 0; k < 2; k++)
        if (s->skip[k] >= begin && s->skip[k] < end)
            leave_out(s, s->skip[k]);
    for (size_t r = 0; r < used; r++)
        for (size_t j = 0; j < p; j++)
            for (size_t k = 0; k < p; k++)
                s->room[j] -= s->b[r * pp + j * p + k] * s->slope[r * p + k];
}

double darc_course_sums_gain(darc_course_sums *s, int begin, int end)
{
    int p = s->d->p;
    double *r = s->room, *x = s->room + p, gain = 0;
    take_stretch(s, begin, end);
    memcpy(x, r, (size_t)p * sizeof *x);
    if (!darc_solve_part(s->a, p, s->index, p, x, 1))
        return 0;
    for (int j = 0; j < p; j++)
        gain += r[j] * x[j];
    return fmax(0, gain);
}

void darc_course_sums_take_level(darc_course_sums *s, int begin, int end,
                                 double *m, double *r, int sign)
{
    int p = s->d->p, n = s->used * p;
    double *x = s->room;
    take_stretch(s, begin, end);
    for (int j = 0; j < p; j++) /* column of regressor u, component l */
        for (int k = 0; k < n; k++)
            x[p + k * p + j] = s->b[k / p * p * p + j * p + k % p];
    if (darc_solve_part(s->a, p, s->index, p, x, n + 1))
        for (int i = 0; i < n; i++)
            for (int k = 0; k < p; k++) {
                double b = sign * s->b[i / p * p * p + k * p + i % p];
                r[i] -= b * x[k];
                for (int l = 0; l < n; l++)
                    m[i * n + l] -= b * x[p + l * p + k];
            }
}

/* Set (m, r) to the sums of all slopes, levels not taken from them yet. */
static void sum_bends(const darc_course_sums *s, double *m, double *r)
{
    int p = s->d->p, pp = p * p, n = s->used * p;
    for (int i = 0; i < n; i++) {
        r[i] = s->turned[i];
        for (int l = 0; l < n; l++)
            m[i * n + l] = s->bend[(i / p * s->regressors + l / p) * pp +
                                   i % p * p + l % p];
        if (is_bend(s, i / p))
            m[i * n + i] += 1; /* bends are 0 +- 1 times those listed */
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0, v = s->skip[k]; i < n && v >= 0; i++) {
            double z = darc_course_sums_regressor(s, v, i / p, i % p);
            r[i] -= z * s->d->score[v * p + i % p];
            for (int l = 0; l < n; l++)
                m[i * n + l] -= z *
                                darc_course_sums_regressor(s, v, l / p, l % p) *
                                s->d->info[v * pp + i % p * p + l % p];
        }
}

bool darc_course_sums_solve(const darc_course_sums *s, const double *m,
                            double *b, int columns)
{
    int p = s->d->p, n = s->used * p;
    double *left, *room;
    DARC_CARVE({&left, n * n}, {&room, n});
    memcpy(left, m, (size_t)(n * n) * sizeof *left);
    for (int i = 0; i < n; i++)
        if (!is_bend(s, i / p))
            left[i * n + i] -= DARC_COURSE_SEEN *
                               s->bend[(i / p) * (s->regressors + 1) * p * p +
                                       i % p * (p + 1)];
    bool seen = darc_solve_part(left, n, s->index, n, room, 1) &&
                darc_solve_part(m, n, s->index, n, b, columns);
    darc_free(left);
    return seen;
}

double darc_course_sums_slopes_gain(const darc_course_sums *s, const double *m,
                                    const double *r, double *x)
{
    int n = s->used * s->d->p;
    double gain = 0, *own = darc_calloc((size_t)n + 1, sizeof *own);
    memcpy(own, r, (size_t)n * sizeof *own);
    if (n > 0 && darc_course_sums_solve(s, m, own, 1)) {
        /* 2 r' x - x' m x is the same, and forgives x its rounding */
        for (int j = 0; j < n; j++) {
            double left = 2 * r[j];
            for (int l = 0; l < n; l++)
                left -= m[j * n + l] * own[l];
            gain += own[j] * left;
        }
        if (x != NULL)
            memcpy(x, own, (size_t)n * sizeof *x);
    }
    darc_free(own);
    return gain;
}

void darc_course_sums_no_slopes(darc_course_sums *s)
{
    memset(s->slope, 0, (size_t)(s->d->p * s->regressors) * sizeof *s->slope);
}

void darc_course_sums_slopes(darc_course_sums *s, const darc_course *c,
                             double *m, double *r)
{
    darc_course_sums_no_slopes(s);
    sum_bends(s, m, r);
    for (int k = 0; k <= c->steps; k++)
        darc_course_sums_take_level(s, darc_course_bound(c, k, s->d->n),
                                    darc_course_bound(c, k + 1, s->d->n), m, r,
                                    1);
}

double darc_course_sums_find_slopes(darc_course_sums *s, const darc_course *c)
{
    int n = s->used * s->d->p;
    double *m, *r;
    DARC_CARVE({&m, n * n + 1}, {&r, n + 1});
    darc_course_sums_slopes(s, c, m, r);
    double gain = darc_course_sums_slopes_gain(s, m, r, s->slope);
    darc_free(m);
    return gain;
}

void darc_course_sums_bend(darc_course_sums *s)
{
    int p = s->d->p, q = s->d->covariates;
    for (int i = 0; i < s->d->n; i++)
        for (int j = 0; j < p; j++) {
            double by = 0;
            for (int r = 0; r < q; r++)
                by += s->slope[r * p + j] * s->d->covariate[i * q + r];
            s->bent[i * p + j] = by;
        }
    darc_course_sums_no_slopes(s);
    add_up(s);
}

void darc_course_sums_allow_curves(darc_curved *to, darc_course_sums *s)
{
    const darc_course_data *d = s->d;
    int p = d->p, pp = p * p;
    double range = DARC_COURSE_STRAIGHT * (d->time[d->n - 1] - d->time[0]);
    double *g, *x, *root;
    DARC_CARVE({&g, pp}, {&x, p * (p + 1)}, {&root, p});
    *to = (darc_curved){.d = *d};
    DARC_CARVE({&to->info, d->n * pp}, {&to->score, d->n * p});
    memcpy(to->info, d->info, (size_t)(d->n * pp) * sizeof *x);
    memcpy(to->score, d->score, (size_t)(d->n * p) * sizeof *x);
    for (int j = 0; j < p; j++)
        root[j] = range * fabs(s->slope[(s->regressors - 1) * p + j]);
    for (int i = 0; i < d->n; i++) {
        const double *a = d->info + i * pp;
        /* with R = D^1/2: J = A - A R (1 + R A R)^-1 R A */
        for (int j = 0; j < p; j++)
            for (int k = 0; k < p; k++) {
                g[j * p + k] = (j == k) + root[j] * a[j * p + k] * root[k];
                x[p + k * p + j] = root[j] * a[j * p + k];
                x[j] = root[j] * d->score[i * p + j];
            }
        bool solved = darc_solve_part(g, p, s->index, p, x, p + 1);
        for (int j = 0; j < p && solved; j++)
            for (int l = 0; l < p; l++) {
                double ar = a[j * p + l] * root[l];
                to->score[i * p + j] -= ar * x[l];
                for (int k = 0; k < p; k++)
                    to->info[i * pp + j * p + k] -= ar * x[p + k * p + l];
            }
    }
    DARC_SAME(&to->d, to, info, score);
    s->d = &to->d;
    darc_course_sums_no_slopes(s);
    add_up(s);
    darc_free(g);
}
