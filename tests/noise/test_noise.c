#include "tests.h"

#include "noise/noise.h"

#include "fixture_quarter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tables borrow the quarter car; signal 1 is its wheel displacement. */
static double size_of(const quarter *q)
{
    double sum = 0;
    for (size_t i = 0; i < q->table.samples; i++)
        sum += q->signal[1].value[i] * q->signal[1].value[i];
    return sqrt(sum / (double)q->table.samples);
}

START_TEST(white_noise_is_found)
{
    static const double share[] = {1e-8, 1e-4, 1e-2, 0.3};
    quarter_car car = quarter_car_default();
    for (int i = 0; i < 4; i++) {
        quarter q;
        darc_noise noise;
        quarter_drive(&q, &car, 4000, 1e-3);
        double sd = share[i] * size_of(&q);
        quarter_add_noise(&q, share[i], 3);
        darc_noise_estimate(&noise, &q.table, 1);
        ck_assert_int_eq(noise.order, DARC_NOISE_ORDERS);
        ck_assert(noise.floor);
        /* Three standard deviations of an estimate of dof degrees. */
        double off = 3 * sqrt(0.5 / noise.dof);
        ck_assert_double_eq_tol(noise.sd / sd, 1, off);
        ck_assert_double_ge(noise.sd, noise.low);
        ck_assert_double_le(noise.high, 1.2 * sd);
        quarter_clear(&q);
    }
}
END_TEST

/* The spread of the estimate over many recordings is what dof says. */
START_TEST(dof_is_that_of_the_spread)
{
    enum { N = 300, RUNS = 200 };
    static double y[N];
    static char name[] = "y";
    darc_signal signal = {name, name, y};
    darc_segment segment = {0, N};
    darc_table table = {.samples = N,
                        .dt = 1,
                        .signals = 1,
                        .signal = &signal,
                        .segments = 1,
                        .segment = &segment};
    unsigned long state = 5;
    double sum = 0, sum2 = 0, dof = 1;
    for (int run = 0; run < RUNS; run++) {
        darc_noise noise;
        for (int i = 0; i < N; i++)
            y[i] = quarter_normal(&state);
        darc_noise_estimate(&noise, &table, 0);
        sum += noise.sd * noise.sd;
        sum2 += pow(noise.sd, 4);
        dof = noise.dof;
    }
    double mean = sum / RUNS, variance = sum2 / RUNS - mean * mean;
    ck_assert_double_eq_tol(mean, 1, 4 * sqrt(2 / dof / RUNS));
    ck_assert_double_eq_tol(variance * dof / 2, 1, 0.45);
}
END_TEST

/* Rounding alone; and rounding to a grid, whose error is uniform. */
START_TEST(exact_and_quantised_signals)
{
    quarter_car car = quarter_car_default();
    quarter q;
    darc_noise noise;
    quarter_drive(&q, &car, 4000, 1e-3);
    darc_noise_estimate(&noise, &q.table, 1);
    double size = size_of(&q);
    ck_assert_double_lt(noise.high, 1e-14 * size);
    ck_assert_double_gt(noise.high, 1e-17 * size);
    double step = 1e-5 * size;
    for (size_t i = 0; i < 4000; i++)
        q.signal[1].value[i] = step * round(q.signal[1].value[i] / step);
    darc_noise_estimate(&noise, &q.table, 1);
    ck_assert_double_eq_tol(noise.sd / step, sqrt(1 / 12.), 0.03);
    ck_assert(noise.floor);
    quarter_clear(&q);
}
END_TEST

/* Four samples a period: no floor, and the estimate is an upper bound. */
START_TEST(no_floor_in_a_fast_signal)
{
    enum { N = 2000 };
    static double y[N];
    static char name[] = "y";
    darc_signal signal = {name, name, y};
    darc_segment segment = {0, N};
    darc_table table = {.samples = N,
                        .dt = 1,
                        .signals = 1,
                        .signal = &signal,
                        .segments = 1,
                        .segment = &segment};
    darc_noise noise;
    for (int i = 0; i < N; i++)
        y[i] = sin(1.5 * i);
    darc_noise_estimate(&noise, &table, 0);
    ck_assert(!noise.floor);
    ck_assert(noise.low == 0 && noise.high > 1e-6);
}
END_TEST

START_TEST(uneven_grid_and_gaps)
{
    enum { N = 600 };
    static double y[N], x[N];
    static char name[] = "y";
    darc_signal signal = {name, name, y};
    darc_segment segment[] = {{0, 3}, {5, 250}, {251, N}};
    darc_table table = {.samples = N,
                        .time = x,
                        .signals = 1,
                        .signal = &signal,
                        .segments = 3,
                        .segment = segment};
    unsigned long state = 9;
    darc_noise noise;
    for (int i = 0; i < N; i++) {
        x[i] = 0.01 * i + 0.002 * sin(2.385 * i);
        y[i] = sin(5 * x[i]) + 1e-3 * quarter_normal(&state);
    }
    y[3] = y[4] = y[250] = NAN;
    darc_noise_estimate(&noise, &table, 0);
    ck_assert_double_eq_tol(noise.sd, 1e-3, 3e-4);
    table.segments = 1;
    darc_noise_estimate(&noise, &table, 0);
    ck_assert_int_eq(noise.order, 0);
    ck_assert(noise.sd == 0 && !noise.floor);
}
END_TEST

/* The third difference is y3 - 3 y2 + 3 y1 - y0, in blocks or not, and its sum
 * of squares is told over C(6, 3). */
START_TEST(differences_go_over_the_ends_of_blocks)
{
    enum { N = 5000 };
    static double y[N];
    darc_signal signal = {.value = y};
    darc_segment segment = {0, N};
    darc_table table = {.samples = N,
                        .dt = 1,
                        .signals = 1,
                        .signal = &signal,
                        .segments = 1,
                        .segment = &segment};
    darc_noisesums sums = {{0}, {0}}, few = {{0}, {0}};
    double want = 0;
    unsigned long s = 12345;
    for (size_t i = 0; i < N; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        y[i] = 1000 + (double)(s >> 11) / 9007199254740992.0;
    }
    darc_noisesums_add(&sums, &table, 0, 0, N);
    for (size_t i = 0; i + 3 < N; i++)
        want += pow(y[i + 3] - 3 * y[i + 2] + 3 * y[i + 1] - y[i], 2);
    ck_assert_double_eq_tol(20 * sums.square[3], want, 1e-9 * want);
    ck_assert_double_eq(sums.count[3], N - 3);
    segment.end = 4;
    darc_noisesums_add(&few, &table, 0, 0, N);
    ck_assert_double_gt(few.square[3], 0);
    ck_assert_double_eq(few.square[4], 0);
}
END_TEST

Suite *suite_noise(void)
{
    Suite *s = suite_create("noise");
    TCase *c = tcase_create("noise");
    tcase_add_test(c, white_noise_is_found);
    tcase_add_test(c, dof_is_that_of_the_spread);
    tcase_add_test(c, exact_and_quantised_signals);
    tcase_add_test(c, no_floor_in_a_fast_signal);
    tcase_add_test(c, uneven_grid_and_gaps);
    tcase_add_test(c, differences_go_over_the_ends_of_blocks);
    suite_add_tcase(s, c);
    return s;
}
