#include "tests.h"

#include "draw.h"
#include "noise/angles.h"
#include "noise/faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2000 };

static double y[N];
static darc_fault list[DARC_FAULT_KINDS];

/* A slow course with noise of .01. */
static void draw(uint64_t *state)
{
    for (int i = 0; i < N; i++)
        y[i] = 2 + sin(0.05 * i) + 0.7 * sin(0.0213 * i + 1) +
               0.01 * draw_normal(state);
}

static int find(void)
{
    darc_segment all = {0, N};
    darc_signal signal = {.name = (char *)"y", .unit = (char *)"", .value = y};
    darc_table table = {.samples = N,
                        .dt = 0.01,
                        .signals = 1,
                        .signal = &signal,
                        .segments = 1,
                        .segment = &all};
    return darc_faults_find(list, &table, 0);
}

static void has(darc_fault_kind kind, size_t count, double value)
{
    int n = find(), k = 0;
    while (k < n && list[k].kind != kind)
        k++;
    ck_assert_int_lt(k, n);
    ck_assert_uint_eq(list[k].count, count);
    ck_assert_double_eq_tol(list[k].value, value, 1e-9);
    ck_assert_double_eq_tol(list[k].share, (double)count / N, 1e-12);
}

START_TEST(codes_and_zeros_are_named)
{
    uint64_t state = 1;
    draw(&state);
    for (int i = 700; i < 705; i++)
        y[i] = -9999;
    has(DARC_FAULT_CODE, 5, -9999);
    draw(&state);
    for (int i = 0; i < N; i++)
        y[i] += 3;
    for (int i = 400; i < 403; i++)
        y[i] = y[i + 900] = 0;
    has(DARC_FAULT_ZEROS, 6, 0);
}
END_TEST

START_TEST(outliers_are_named)
{
    uint64_t state = 2;
    draw(&state);
    for (int k = 0; k < 15; k++)
        y[60 + 130 * k] += k % 2 ? 0.2 : -0.2;
    has(DARC_FAULT_OUTLIERS, 15, 0);
}
END_TEST

START_TEST(what_sticks_or_clips_is_named)
{
    uint64_t state = 3;
    draw(&state);
    for (int i = 500; i < 600; i++)
        y[i] = y[499];
    has(DARC_FAULT_STUCK, 101, y[499]);
    draw(&state);
    size_t count = 0;
    for (int i = 0; i < N; i++) {
        count += y[i] > 3.2;
        y[i] = fmin(y[i], 3.2);
    }
    has(DARC_FAULT_CLIPPED, count, 3.2);
}
END_TEST

/* What jumps as it begins was switched on, as a dose is taken. */
START_TEST(a_first_step_is_no_angle)
{
    static const double dose[] = {-.07, 5.62, 4.56, 3.33, 2.69, 2.34, 2.06,
                                  1.91, 1.82, 1.66, 1.62, 1.56, 1.44, 1.37};
    double turn;
    ck_assert_uint_eq(darc_angle_turn(&turn, dose, 14, .05, 0), 0);
}
END_TEST

START_TEST(angles_that_wrap_are_named_and_go_on)
{
    uint64_t state = 4;
    static double whole[N];
    for (int i = 0; i < N; i++) {
        whole[i] = 20 * sin(0.003 * i) + 0.01 * draw_normal(&state);
        y[i] = remainder(whole[i], 6.283185307179586);
    }
    ck_assert_int_eq(find(), 1);
    ck_assert_int_eq(list[0].kind, DARC_FAULT_WRAPPED);
    darc_segment all = {0, N};
    darc_signal signal = {.name = (char *)"y", .unit = (char *)"", .value = y};
    darc_table table = {.samples = N,
                        .dt = 0.01,
                        .signals = 1,
                        .signal = &signal,
                        .segments = 1,
                        .segment = &all};
    darc_faults_mend(&table, NULL, NULL);
    for (int i = 0; i < N; i++)
        ck_assert_double_eq_tol(y[i] - y[0], whole[i] - whole[0], 1e-9);
    ck_assert_int_eq(table.remarks, 1);
    ck_assert_ptr_nonnull(strstr(table.remark[0], "jumps by 6.28319"));
    free(table.remark[0]);
    free(table.remark);
}
END_TEST

/* Steps, stairs, switching, corners, saturation, rest, rounding: no faults. */
START_TEST(courses_are_no_faults)
{
    uint64_t state = 5;
    draw(&state);
    ck_assert_int_eq(find(), 0);
    for (int i = 0; i < N; i++)
        y[i] = i / 37 * 7 % 11 < 4 ? 12 : 0;
    ck_assert_int_eq(find(), 0);
    for (int i = 0; i < N; i++)
        y[i] += 0.01 * draw_normal(&state);
    ck_assert_int_eq(find(), 0);
    for (int i = 0; i < N; i++)
        y[i] = tanh(3 * sin(0.02 * i)) + 0.003 * draw_normal(&state);
    ck_assert_int_eq(find(), 0);
    for (int i = 0; i < N; i++)
        y[i] = i < 900 ? 0.25 : 0.25 + 1 - exp(-0.01 * (i - 900));
    ck_assert_int_eq(find(), 0);
    for (int i = 0; i < N; i++)
        y[i] = fabs(remainder(0.01 * i, 4)) - 1;
    ck_assert_int_eq(find(), 0);
    for (int i = 0; i < N; i++)
        y[i] = round(40 * sin(0.01 * i) + 0.3 * draw_normal(&state));
    ck_assert_int_eq(find(), 0);
}
END_TEST

/* Noise on the levels of u, of which y knows nothing or which acts on it; u is
 * held, or not.  Only in the first case is it no more there. */
START_TEST(noise_on_levels_is_averaged_unless_it_acts)
{
    static double u[N];
    static const bool held[][2] = {
        {true, false}, {true, false}, {false, false}};
    uint64_t state = 6;
    double x = 0;
    for (int i = 0; i < N; i++) {
        double level = i / 37 * 7 % 11 < 4 ? 12 : i / 37 % 3, was = x;
        u[i] = level + 0.05 * draw_normal(&state);
        x += 0.1 * ((_i == 1 ? u[i] : level) - x);
        y[i] = was + 0.001 * draw_normal(&state);
    }
    darc_segment all = {0, N};
    darc_signal signal[] = {
        {.name = (char *)"u", .unit = (char *)"", .value = u},
        {.name = (char *)"y", .unit = (char *)"", .value = y}};
    darc_table table = {.samples = N,
                        .dt = 0.01,
                        .signals = 2,
                        .signal = signal,
                        .segments = 1,
                        .segment = &all};
    bool computed[] = {true, false};
    double was = u[40], step = u[41] - u[40];
    darc_faults_mend(&table, computed, held[_i]);
    ck_assert_int_eq(table.remarks, _i == 0);
    if (_i > 0) {
        ck_assert_double_eq(u[40], was);
        ck_assert_double_eq(u[41] - u[40], step);
        return;
    }
    int values = 0;
    for (int i = 0; i < N; i++) {
        bool seen = false;
        for (int k = 0; k < i && !seen; k++)
            seen = u[k] == u[i];
        values += !seen;
        ck_assert_double_lt(fabs(u[i] - round(u[i])), 0.02);
    }
    ck_assert_int_eq(values, 4);
    ck_assert_ptr_nonnull(strstr(table.remark[0], "4 levels"));
    free(table.remark[0]);
    free(table.remark);
}
END_TEST

Suite *suite_faults(void)
{
    Suite *s = suite_create("faults");
    TCase *c = tcase_create("faults");
    tcase_add_test(c, codes_and_zeros_are_named);
    tcase_add_test(c, outliers_are_named);
    tcase_add_test(c, what_sticks_or_clips_is_named);
    tcase_add_test(c, a_first_step_is_no_angle);
    tcase_add_test(c, angles_that_wrap_are_named_and_go_on);
    tcase_add_test(c, courses_are_no_faults);
    tcase_add_loop_test(c, noise_on_levels_is_averaged_unless_it_acts, 0, 3);
    suite_add_tcase(s, c);
    return s;
}
