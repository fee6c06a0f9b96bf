/* Lines of a spectrum that are none of the signal. */
#include "tests.h"

#include "draw.h"
#include "noise/lines.h"

#include <math.h>

enum { N = 8000 };

static const double PI = 3.14159265358979323846;
static double y[N];
static darc_line list[DARC_LINES_MOST];

/* Lines of N samples at 1000 Hz. */
static int find(void)
{
    darc_segment all = {0, N};
    darc_signal signal = {.name = (char *)"y", .unit = (char *)"", .value = y};
    darc_table table = {.samples = N,
                        .dt = 0.001,
                        .signals = 1,
                        .signal = &signal,
                        .segments = 1,
                        .segment = &all};
    darc_signalnoise n;
    ck_assert_int_eq(darc_signalnoise_read(&n, &table, (int[]){0}, 1, NULL),
                     DARC_OK);
    int lines = darc_lines_find(list, &n, &table, 0);
    darc_signalnoise_clear(&n);
    return lines;
}

static void add_sine(double hertz, double rms)
{
    for (int t = 0; t < N; t++)
        y[t] += rms * sqrt(2) * sin(2 * PI * hertz * 0.001 * t + hertz);
}

/* Noise through two lags of 8 Hz, RMS 1, and white noise of .01. */
static void draw(uint64_t state)
{
    double a = 0, b = 0, pole = exp(-2 * PI * 8 * 0.001), all = 0;
    for (int t = -1000; t < N; t++) {
        a = pole * a + draw_normal(&state);
        b = pole * b + a;
        if (t >= 0) {
            y[t] = b;
            all += b * b / N;
        }
    }
    for (int t = 0; t < N; t++)
        y[t] = y[t] / sqrt(all) + 0.01 * draw_normal(&state);
}

/* Within the band in which the signal stands above its noise, too. */
START_TEST(hum_is_found_with_its_size)
{
    for (int i = 0; i < 3; i++) {
        draw((uint64_t)i + 1);
        ck_assert_int_eq(find(), 0);
        add_sine(i == 0 ? 50 : 150, 0.02);
        ck_assert_int_eq(find(), 1);
        ck_assert_double_eq_tol(list[0].hz, i == 0 ? 50 : 150, 0.05);
        ck_assert_double_eq_tol(list[0].share, 0.02, 0.004);
        if (i < 2)
            continue;
        add_sine(50, 0.05);
        ck_assert_int_eq(find(), 2);
        ck_assert_double_eq_tol(list[0].hz, 50, 0.05);
        ck_assert_double_eq_tol(list[1].share, 0.02, 0.004);
    }
}
END_TEST

/* A sum of sines is the signal, up to the highest; so are harmonics of one. */
START_TEST(a_signal_of_lines_has_its_own)
{
    uint64_t state = 7;
    for (int t = 0; t < N; t++)
        y[t] = 0.01 * draw_normal(&state);
    for (int i = 1; i <= 8; i++)
        add_sine(7.3 * i, 1.0 / (i * i));
    ck_assert_int_eq(find(), 0);
    add_sine(310, 0.02);
    ck_assert_int_eq(find(), 1);
    ck_assert_double_eq_tol(list[0].hz, 310, 0.05);
}
END_TEST

/* What fades is a mode that was struck. */
START_TEST(what_fades_is_none)
{
    draw(5);
    for (int t = 0; t < N; t++)
        y[t] += 0.1 * exp(-0.0004 * t) * sin(2 * PI * 50 * 0.001 * t);
    ck_assert_int_eq(find(), 0);
}
END_TEST

Suite *suite_lines(void)
{
    Suite *s = suite_create("lines");
    TCase *c = tcase_create("lines");
    tcase_add_test(c, hum_is_found_with_its_size);
    tcase_add_test(c, a_signal_of_lines_has_its_own);
    tcase_add_test(c, what_fades_is_none);
    suite_add_tcase(s, c);
    return s;
}
