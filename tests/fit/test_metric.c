#include "scene.h"
#include "tests.h"

#include "fit/metric.h"

static const double omega = 4.7;

static double sine(int signal, double t)
{
    return sin(omega * t + signal) + (signal == 0 ? 8 : 0);
}

static const scene_plan plan = {
    .names = "yzu",
    .part = {{"+1y2", "+1y0", "+1u0", "+1"}, {"+1z1", "+1u0"}},
    .at = sine,
    .samples = 3000,
    .dt = 0.01,
    .sd = 0.01,
    .support = 90};
static const double c[6] = {1, 0.5, -2, 3, 1, 4};
static const int offset[2] = {3, -1};

/* The ratio of the RMS of a derivative to that of the signal: of a sine its
 * frequency, whatever its mean, with an offset and without. */
START_TEST(signals_live_at_their_frequency)
{
    static const int none[2] = {-1, -1};
    scene s;
    darc_metric m;
    scene_open(&s, &plan);
    for (int i = 0; i < 4; i++) {
        darc_metric_init(&m, s.weak, c, i < 2 ? offset : none);
        ck_assert_double_eq_tol(m.omega[i % 2], omega, 0.01 * omega);
        darc_metric_clear(&m);
    }
    scene_close(&s);
}
END_TEST

/* Of y = 8 + a sine little moves, unless an offset takes up the 8. */
START_TEST(a_mean_does_not_move)
{
    static const double slow[6] = {1e-3, 0.5, -0.2, 0.1, 1, 4};
    static const int none[2] = {-1, -1};
    scene s;
    darc_metric m;
    scene_open(&s, &plan);
    darc_metric_init(&m, s.weak, slow, none);
    ck_assert_double_lt(m.moving[0], 0.1);
    ck_assert_double_gt(m.moving[1], 0.99);
    darc_metric_clear(&m);
    darc_metric_init(&m, s.weak, slow, offset);
    ck_assert_double_eq_tol(m.moving[0], 1, 1e-12);
    darc_metric_clear(&m);
    scene_close(&s);
}
END_TEST

/* Terms that are each white noise of their size make moments of covariance M:
 * sums over test functions of order 0 and 2, drawn. */
START_TEST(a_metric_is_what_wrong_terms_make)
{
    enum { RUNS = 4000, MOST = 24 };
    scene s;
    darc_metric m;
    uint64_t state = 3;
    scene_open(&s, &plan);
    darc_metric_init(&m, s.weak, c, offset);
    const darc_weak *w = s.weak;
    darc_weak_work *work = darc_weak_work_new(w);
    darc_weak_load(work, 0);
    double size[3], sum[MOST] = {0};
    for (int j = 0; j < 3; j++) { /* RMS about the mean of every term */
        const double *x = work->w + (size_t)j * (size_t)work->rows;
        double mean = 0, square = 0;
        for (int k = 0; k < work->functions; k++) {
            mean += x[2 * k] / work->functions;
            square += x[2 * k] * x[2 * k] / work->functions;
        }
        size[j] = fabs(c[j]) * sqrt(square - mean * mean);
    }
    darc_weak_work_free(work);
    int n = w->support + 1 + w->degree * w->step;
    double *z = calloc((size_t)n, sizeof *z);
    for (int run = 0; run < RUNS; run++) {
        double e[MOST] = {0};
        for (int j = 0; j < 3; j++) {
            int d = j == 0 ? 2 : 0;
            for (int t = 0; t < n; t++)
                z[t] = case_normal(&state);
            for (int k = 0; k <= w->degree; k++)
                for (int t = 0; t <= w->support; t++)
                    e[k] += size[j] / pow(m.omega[0], d) * w->phi[d][t] *
                            z[t + k * w->step];
        }
        for (int k = 0; k <= w->degree; k++)
            sum[k] += e[0] * e[k] / RUNS;
    }
    for (int k = 0; k <= w->degree; k++)
        ck_assert_double_eq_tol(sum[k], m.lag[k],
                                5 * sqrt(2.0 / RUNS) * m.lag[0]);
    free(z);
    darc_metric_clear(&m);
    scene_close(&s);
}
END_TEST

/* The band that is added is L L' of the factor. */
START_TEST(a_metric_is_added_and_factored)
{
    enum { K = 40 };
    scene s;
    darc_metric m;
    const double rho[2] = {0.3, 2};
    scene_open(&s, &plan);
    darc_metric_init(&m, s.weak, c, offset);
    int lags = m.lags, band = 2 * lags + 1, rows = 2 * K;
    double *ab = calloc((size_t)(rows * (band + 1)), sizeof *ab);
    double *l = calloc((size_t)(K * (lags + 1)), sizeof *l);
    darc_metric_add(ab, band, rows, &m, rho);
    for (int q = 0; q < 2; q++) {
        ck_assert(darc_metric_factor(l, &m, q, K));
        for (int i = 0; i < K; i++)
            for (int k = 0; k <= i; k++) {
                double sum = 0, got = 0;
                for (int h = 0; h <= k; h++)
                    if (i - h <= lags)
                        sum += l[h * (lags + 1) + i - h] *
                               l[h * (lags + 1) + k - h];
                if (2 * (i - k) <= band)
                    got = ab[(2 * k + q) * (band + 1) + 2 * (i - k)];
                ck_assert_double_eq_tol(got, rho[q] * rho[q] * sum,
                                        1e-10 * rho[q] * rho[q] *
                                            m.lag[q * (lags + 1)]);
            }
    }
    for (int r = 0; r < rows; r++) /* nothing between the equations */
        for (int i = 1; i <= band; i += 2)
            ck_assert(ab[r * (band + 1) + i] == 0);
    m.lag[1] = 3 * m.lag[0];
    ck_assert(!darc_metric_factor(l, &m, 0, K));
    free(ab);
    free(l);
    darc_metric_clear(&m);
    scene_close(&s);
}
END_TEST

Suite *suite_metric(void)
{
    Suite *s = suite_create("metric");
    TCase *t = tcase_create("metric");
    tcase_add_test(t, a_mean_does_not_move);
    tcase_add_test(t, signals_live_at_their_frequency);
    tcase_add_test(t, a_metric_is_what_wrong_terms_make);
    tcase_add_test(t, a_metric_is_added_and_factored);
    suite_add_tcase(s, t);
    return s;
}
