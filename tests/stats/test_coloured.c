/* stats/ratio.h: likelihood ratios keep their level whatever the colour of the
 * noise, and find what is there; where noise is known, they are those of least
 * squares. */
#include "tests.h"

#include "draw.h"
#include "stats/ratio.h"

#include <math.h>
#include <stdlib.h>

enum { N = 240, MORE = 4 };

/* What is left, one own column, MORE regressors, driven by an input that is no
 * part of the noise. */
typedef struct {
    double e[N], own[N], x[MORE * N];
} made;

/* Noise of this pole, and share times the last regressor. */
static void make(made *m, double pole, double share, uint64_t *state)
{
    double noise = 0, u = 0;
    for (int t = 0; t < N; t++) {
        u = 0.6 * u + draw_normal(state);
        m->own[t] = u;
        for (int j = 0; j < MORE; j++)
            m->x[j * N + t] = t > j ? m->own[t - j - 1] : 0;
    }
    for (int t = 0; t < N; t++) {
        noise = pole * noise + draw_normal(state);
        m->e[t] = 2 * m->own[t] + noise + share * m->x[(MORE - 1) * N + t];
    }
}

/* Test the last regressor alone, or all of them. */
static darc_ratio_test ask(const made *m, bool all, double alpha)
{
    darc_ratio r;
    darc_ratio_test said;
    double y[MORE * N];
    int first = all ? 0 : MORE - 1, count = MORE - first;
    ck_assert(darc_ratio_init(&r, m->e, m->own, 1, 1, N));
    ck_assert_int_eq(darc_ratio_basis(&r, y, m->x + first * N, count, 1e-3),
                     count);
    darc_ratio_ask(&said, &r, y, count, alpha);
    darc_ratio_clear(&r);
    return said;
}

/* Of 200 at .05 more than 21 have p = .0006. */
START_TEST(the_level_is_kept)
{
    static const double pole[] = {0, 0.5, 0.9, 0.99};
    uint64_t state = 21;
    int one = 0, all = 0;
    made m;
    for (int run = 0; run < 200; run++) {
        make(&m, pole[_i], 0, &state);
        one += ask(&m, false, 0.05).p_value < 0.05;
        all += ask(&m, true, 0.05).p_value < 0.05;
    }
    ck_assert_int_le(one, 21);
    ck_assert_int_le(all, 21);
}
END_TEST

START_TEST(what_is_there_is_found)
{
    static const double pole[] = {0, 0.5, 0.9, 0.99};
    uint64_t state = 22;
    made m;
    for (int run = 0; run < 20; run++) {
        make(&m, pole[_i], 0.6, &state);
        ck_assert_double_lt(ask(&m, false, 0.01).p_value, 1e-3);
        ck_assert_double_lt(ask(&m, true, 0.01).p_value, 1e-3);
    }
}
END_TEST

/* Return the F statistic of all regressors beside the own column, by the normal
 * equations. */
static double regress(const made *m)
{
    double rest[2];
    for (int full = 0; full < 2; full++) {
        int n = full ? 1 + MORE : 1;
        double a[1 + MORE][2 + MORE] = {{0}};
        const double *column[1 + MORE] = {m->own};
        for (int j = 0; j < MORE; j++)
            column[1 + j] = m->x + j * N;
        for (int i = 0; i < n; i++)
            for (int t = 0; t < N; t++) {
                for (int k = 0; k < n; k++)
                    a[i][k] += column[i][t] * column[k][t];
                a[i][n] += column[i][t] * m->e[t];
            }
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                double by = k == i ? 0 : a[k][i] / a[i][i];
                for (int l = i; l <= n; l++)
                    a[k][l] -= by * a[i][l];
            }
        rest[full] = 0;
        for (int t = 0; t < N; t++) {
            double left = m->e[t];
            for (int i = 0; i < n; i++)
                left -= a[i][n] / a[i][i] * column[i][t];
            rest[full] += left * left;
        }
    }
    return (rest[0] - rest[1]) / MORE / (rest[1] / (N - 1 - MORE));
}

/* White noise: an autoregression of the least order says nearly what least
 * squares says. */
START_TEST(white_noise_is_least_squares)
{
    uint64_t state = 23;
    double own = 0, other = 0;
    made m;
    for (int run = 0; run < 20; run++) {
        make(&m, 0, 0.2, &state);
        own += ask(&m, true, 0).t2;
        other += regress(&m);
    }
    ck_assert_double_lt(fabs(own / other - 1), 0.1);
}
END_TEST

/* Return x' V^-1 x, V the covariance of the noise of r, by elimination in a
 * matrix of covariances: sums over its answer to one impulse. */
static double weigh(const darc_ratio *r, const double *x)
{
    enum { LONG = 4000, FEW = 60 };
    static double h[LONG], v[FEW][FEW + 1];
    for (int t = 0; t < LONG; t++) {
        h[t] = t == 0 ? 1 / r->scale[0] : 0;
        for (int i = 0; i < r->order[0] && i < t; i++)
            h[t] += r->a[i] * h[t - 1 - i];
    }
    for (int i = 0; i < FEW; i++) {
        v[i][FEW] = x[i];
        for (int k = 0; k < FEW; k++) {
            v[i][k] = 0;
            for (int t = abs(i - k); t < LONG; t++)
                v[i][k] += h[t] * h[t - abs(i - k)];
        }
    }
    double sum = 0;
    for (int i = 0; i < FEW; i++) { /* of a positive definite one */
        for (int k = i + 1; k < FEW; k++)
            for (int l = FEW; l >= i; l--)
                v[k][l] -= v[k][i] / v[i][i] * v[i][l];
        sum += v[i][FEW] * v[i][FEW] / v[i][i];
    }
    return sum;
}

/* The first rows included, rows less their noise have the covariance 1. */
START_TEST(whitening_is_that_of_all_rows)
{
    static const double pole[] = {0, 0.5, 0.9, 0.99};
    uint64_t state = 25;
    for (int run = 0; run < 10; run++) {
        made m;
        darc_ratio r;
        make(&m, pole[_i], 0, &state);
        ck_assert(darc_ratio_init(&r, m.e, m.own, 1, 1, 60));
        double want = weigh(&r, m.x);
        ck_assert_double_eq_tol(darc_ratio_power(&r, m.x) / want, 1, 1e-6);
        darc_ratio_clear(&r);
    }
}
END_TEST

Suite *suite_coloured(void)
{
    Suite *s = suite_create("coloured");
    TCase *c = tcase_create("coloured");
    tcase_add_loop_test(c, the_level_is_kept, 0, 4);
    tcase_add_loop_test(c, what_is_there_is_found, 0, 4);
    tcase_add_loop_test(c, whitening_is_that_of_all_rows, 0, 4);
    tcase_add_test(c, white_noise_is_least_squares);
    suite_add_tcase(s, c);
    return s;
}
