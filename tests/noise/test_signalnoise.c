#include "tests.h"

#include "draw.h"
#include "noise/limits.h"
#include "noise/signalnoise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000 };

static const double PI = 3.14159265358979323846;
static double x[2][N];
static darc_signal column[] = {{.name = "a", .value = x[0]},
                               {.name = "b", .value = x[1]}};
static darc_segment whole[] = {{0, N}};
static darc_table table;

/* Two sines of RMS 1 together, at 2 and 4 Hz, 100 samples a second. */
static void setup(void)
{
    table = (darc_table){.file = "x.csv",
                         .samples = N,
                         .dt = 0.01,
                         .signals = 2,
                         .signal = column,
                         .segments = 1,
                         .segment = whole};
    for (int t = 0; t < N; t++)
        x[0][t] = sin(0.0401 * PI * t) + sin(0.0803 * PI * t + 1);
}

static darc_signalnoise read_first(void)
{
    darc_signalnoise n;
    ck_assert_int_eq(darc_signalnoise_read(&n, &table, (int[]){0}, 1, NULL),
                     DARC_OK);
    return n;
}

static void add_noise(double sd, double pole, uint64_t state)
{
    double e = 0;
    for (int t = -500; t < N; t++) {
        e = pole * e + sd * draw_normal(&state);
        if (t >= 0)
            x[0][t] += e;
    }
}

static void assert_white(const darc_signalnoise *n, double sd, double share)
{
    ck_assert_int_eq(n->colour, DARC_COLOUR_WHITE);
    ck_assert_double_eq_tol(n->sd, sd, share * sd);
    ck_assert_int_eq(n->taps, 1);
    ck_assert_double_eq(n->kernel[0], n->sd);
}

START_TEST(white_noise_is_white)
{
    add_noise(0.02, 0, 1);
    darc_signalnoise n = read_first();
    assert_white(&n, 0.02, 4 * sqrt(0.5 / n.dof));
    ck_assert_double_gt(n.dof, 1200);
    ck_assert_double_ge(n.raise, 1);
    ck_assert_double_lt(n.raise, 1.4);
    ck_assert_double_eq_tol(n.rms, 1, 0.01);
    ck_assert_double_eq_tol(n.power_band, 4, 0.25);
    ck_assert_double_eq_tol(n.signal_band, 4, 0.4);
    ck_assert_double_eq_tol(n.seen, 0.02 * sqrt(0.9), 1e-3);
    ck_assert_double_eq_tol(n.beyond, 0.02 * sqrt(0.9), 1e-3);
    ck_assert_double_eq(n.step, 0);
    darc_signalnoise_clear(&n);
    ck_assert_ptr_null(n.kernel);
}
END_TEST

/* The same signal twice, and two signals that share a spectrum. */
START_TEST(signals_are_read_one_by_one)
{
    darc_signalnoise n[3], one;
    add_noise(0.02, 0, 1);
    for (int t = 0; t < N; t++)
        x[1][t] = 7 - 2 * x[0][t];
    ck_assert_int_eq(
        darc_signalnoise_read(n, &table, (int[]){0, 1, 0}, 3, NULL), DARC_OK);
    one = read_first();
    ck_assert_double_eq(n[0].sd, one.sd);
    ck_assert_double_eq(n[2].sd, one.sd);
    ck_assert_double_eq_tol(n[1].sd, 2 * one.sd, 1e-9);
    ck_assert_double_eq(n[1].dof, one.dof);
    for (int i = 0; i < 3; i++)
        darc_signalnoise_clear(n + i);
    darc_signalnoise_clear(&one);
}
END_TEST

START_TEST(red_noise_is_of_any_colour)
{
    static const double pole[] = {0.5, 0.9, 0.99};
    for (int i = 0; i < 3; i++) {
        setup();
        add_noise(0.02, pole[i], 2);
        darc_signalnoise n = read_first();
        ck_assert_int_eq(n.colour, DARC_COLOUR_ANY);
        ck_assert(isinf(n.raise));
        ck_assert_double_gt(n.beyond, 0.01);
        darc_signalnoise_clear(&n);
    }
}
END_TEST

/* Of 60 short recordings with AR(pole) noise, those called white. */
static int count_white(double pole)
{
    enum { RUNS = 60, SHORT = 500 };
    darc_segment part[] = {{0, SHORT}};
    int white = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        setup();
        table.segment = part;
        add_noise(0.02, pole, 50 + run);
        darc_signalnoise n = read_first();
        white += n.colour == DARC_COLOUR_WHITE;
        darc_signalnoise_clear(&n);
    }
    return white;
}

/* limits.h promises 1 % for coloured noise; white noise is found mostly. */
START_TEST(short_recordings_are_judged_with_care)
{
    ck_assert_int_le(count_white(0.5), 2);
    ck_assert_int_le(count_white(0.9), 1);
    ck_assert_int_ge(count_white(0), 50);
}
END_TEST

/* A line far above the band is no part of it, and no colour; the third
 * harmonic is a part. */
START_TEST(hum_is_no_colour)
{
    add_noise(0.02, 0, 3);
    for (int t = 0; t < N; t++)
        x[0][t] += 0.05 * sin(0.91 * PI * t);
    darc_signalnoise n = read_first();
    assert_white(&n, 0.02, 0.1);
    ck_assert_double_lt(n.signal_band, 5);
    ck_assert_double_eq_tol(n.seen, 0.05 / sqrt(2), 0.01);
    darc_signalnoise_clear(&n);
    for (int t = 0; t < N; t++)
        x[0][t] += 0.05 * sin(0.24 * PI * t);
    n = read_first();
    assert_white(&n, 0.02, 0.1);
    ck_assert_double_eq_tol(n.signal_band, 12, 0.3);
    ck_assert_double_lt(n.power_band, 5);
    darc_signalnoise_clear(&n);
}
END_TEST

/* Hum whose third harmonic folds: seen, it is the line that functions are to
 * keep out; in the band the signal may hide it, and nothing is shown. */
START_TEST(harmonics_of_hum_fold)
{
    static const double pitch[] = {0.78, 0.64};
    for (int i = 0; i < 2; i++) {
        setup();
        add_noise(0.02, 0, 3);
        for (int t = 0; t < N; t++)
            x[0][t] += 0.05 * sin(pitch[i] * PI * t) +
                       0.01 * sin(3 * pitch[i] * PI * t);
        darc_signalnoise n = read_first();
        ck_assert_int_eq(n.colour,
                         i == 0 ? DARC_COLOUR_WHITE : DARC_COLOUR_ANY);
        ck_assert_double_eq_tol(n.line, i == 0 ? 17 : 32, 0.5);
        darc_signalnoise_clear(&n);
    }
}
END_TEST

/* Lines of a multisine are no harmonics of each other: hum at five times one
 * of them is hum.  All odd harmonics of a square wave are its own. */
START_TEST(harmonics_of_the_signal_climb)
{
    setup();
    add_noise(0.02, 0, 3);
    for (int t = 0; t < N; t++)
        x[0][t] += sin(0.128 * PI * t) + 0.05 * sin(0.64 * PI * t) +
                   0.01 * sin(3 * 0.64 * PI * t);
    darc_signalnoise n = read_first();
    ck_assert_int_eq(n.colour, DARC_COLOUR_ANY);
    darc_signalnoise_clear(&n);
    memset(x[0], 0, sizeof x[0]);
    add_noise(0.02, 0, 3);
    for (int t = 0; t < N; t++)
        for (int k = 1; k < 20; k += 2)
            x[0][t] += sin(0.0401 * k * PI * t) / (k * k);
    n = read_first();
    assert_white(&n, 0.02, 0.1);
    darc_signalnoise_clear(&n);
}
END_TEST

/* Where the spectrum has few values, the signal is not taken for its end: 64 to
 * 400 samples, ten in the shortest period. */
START_TEST(short_recordings_show_their_noise)
{
    for (size_t samples = 64; samples <= 400; samples += 16) {
        darc_segment part[] = {{0, samples}};
        setup();
        memset(x[0], 0, sizeof x[0]);
        table.segment = part;
        add_noise(0.02, 0, samples);
        for (int t = 0; t < N; t++)
            for (int k = 1; k <= 8; k++)
                x[0][t] += 0.5 * sin(0.0251 * k * PI * t + k * k);
        darc_signalnoise n = read_first();
        ck_assert_msg(n.sd > 0.01 && n.sd < 0.04, "%zu samples: %g", samples,
                      n.sd);
        darc_signalnoise_clear(&n);
    }
}
END_TEST

START_TEST(a_signal_without_noise_stands_on_the_floor)
{
    darc_signalnoise n = read_first();
    ck_assert_int_eq(n.colour, DARC_COLOUR_FLOOR);
    ck_assert_double_eq_tol(n.sd, DARC_NOISE_FLOOR, 1e-8);
    darc_signalnoise_clear(&n);
    add_noise(6e-6, 0, 1);
    n = read_first();
    ck_assert_int_eq(n.colour, DARC_COLOUR_FLOOR);
    ck_assert_double_eq_tol(n.sd, 6e-6, 1e-6);
    ck_assert(isinf(n.dof) && isinf(n.raise));
    darc_signalnoise_clear(&n);
}
END_TEST

/* Steps that are fast against the rounding make white noise; slow ones hide
 * most of it inside the band. */
START_TEST(rounding_is_noise)
{
    double step = 0.01, slow = 0.25;
    for (int t = 0; t < N; t++)
        x[0][t] = step * round(x[0][t] / step);
    darc_signalnoise n = read_first();
    ck_assert_double_eq_tol(n.step, step, 1e-9);
    assert_white(&n, step / sqrt(12), 0.1);
    ck_assert_double_ge(n.sd, 0.9999 * step / sqrt(12));
    darc_signalnoise_clear(&n);
    for (int t = 0; t < N; t++)
        x[0][t] = slow * round(sin(0.002 * PI * t) / slow);
    n = read_first();
    ck_assert_int_eq(n.colour, DARC_COLOUR_ANY);
    ck_assert_double_ge(n.sd, 0.9999 * slow / sqrt(12));
    ck_assert_double_ge(n.seen, 0.9999 * slow / sqrt(12));
    darc_signalnoise_clear(&n);
}
END_TEST

START_TEST(staircases_are_exact)
{
    for (int t = 0; t < N; t++)
        x[0][t] = t / 50 * 7 % 11 < 5;
    darc_signalnoise n = read_first();
    ck_assert_int_eq(n.colour, DARC_COLOUR_EXACT);
    ck_assert_double_eq(n.sd, 0);
    ck_assert_double_eq(n.kernel[0], 0);
    ck_assert(isinf(n.dof));
    darc_signalnoise_clear(&n);
    for (int t = 0; t < N; t++)
        x[0][t] = 24;
    n = read_first();
    ck_assert_int_eq(n.colour, DARC_COLOUR_EXACT);
    darc_signalnoise_clear(&n);
}
END_TEST

START_TEST(noise_can_be_given)
{
    add_noise(0.02, 0.9, 2);
    darc_signalnoise n = read_first();
    double band = n.power_band;
    darc_signalnoise_give(&n, 0.03);
    ck_assert_int_eq(n.colour, DARC_COLOUR_GIVEN);
    ck_assert_double_eq_tol(n.sd, 0.03, 1e-15);
    ck_assert_double_eq(n.kernel[0], n.sd);
    ck_assert_double_eq(n.raise, 1);
    ck_assert(isinf(n.dof));
    darc_signalnoise_give(&n, 0);
    ck_assert_int_eq(n.colour, DARC_COLOUR_EXACT);
    ck_assert_double_eq(n.power_band, band);
    darc_signalnoise_clear(&n);
}
END_TEST

START_TEST(noise_can_be_measured_at_rest)
{
    darc_autoregress rest;
    add_noise(0.02, 0.9, 2);
    darc_signalnoise n = read_first();
    memset(x[0], 0, sizeof x[0]);
    add_noise(0.02, 0.9, 3);
    ck_assert_int_eq(darc_signalnoise_rest(&rest, &table, 0, NULL), DARC_OK);
    ck_assert_int_le(rest.order, DARC_REST_ORDER);
    ck_assert_double_eq_tol(rest.a[0], 0.9, 0.1);
    darc_signalnoise_measured(&n, &rest, table.dt);
    ck_assert_int_eq(n.colour, DARC_COLOUR_MEASURED);
    ck_assert_double_eq_tol(n.sd, 0.02 / sqrt(0.19), 0.01);
    ck_assert_int_gt(n.taps, 20);
    ck_assert_double_eq_tol(
        n.dof,
        2 / darc_autoregress_doubt(&rest, 0, 2 * PI * 0.01 * n.power_band),
        1e-9 * n.dof);
    ck_assert_double_lt(n.dof, N / 2);
    darc_signalnoise_give(&n, 0.5);
    ck_assert_int_eq(n.taps, 1);
    darc_signalnoise_clear(&n);
}
END_TEST

/* A gap in one signal cuts the segments of all; its NAN enters nothing. */
START_TEST(gaps_leave_the_noise_alone)
{
    darc_segment cut[] = {{0, 1000}, {1049, N}};
    add_noise(0.02, 0, 1);
    for (int t = 1000; t < 1049; t++)
        x[0][t] = NAN;
    table.segment = cut;
    table.segments = 2;
    darc_signalnoise n = read_first();
    assert_white(&n, 0.02, 0.1);
    darc_signalnoise_clear(&n);
}
END_TEST

static void assert_refused(const char *text)
{
    darc_err err;
    darc_signalnoise n;
    darc_autoregress rest;
    darc_err_init(&err);
    ck_assert_int_eq(darc_signalnoise_read(&n, &table, (int[]){0}, 1, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, text));
    darc_err_init(&err);
    ck_assert_int_eq(darc_signalnoise_rest(&rest, &table, 0, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, text));
}

START_TEST(what_shows_no_noise_is_refused)
{
    darc_segment few[] = {{0, DARC_NOISE_SAMPLES - 1}, {100, 120}};
    darc_err err;
    darc_autoregress rest;
    table.segment = few;
    table.segments = 2;
    assert_refused("x.csv: 63 samples without a gap, at least 64");
    few[0].end++;
    darc_signalnoise n = read_first();
    darc_signalnoise_clear(&n);
    double time[N];
    for (int t = 0; t < N; t++)
        time[t] = t + 0.2 * sin(t);
    table.time = time;
    darc_err_init(&err);
    ck_assert_int_eq(darc_signalnoise_rest(&rest, &table, 0, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "uniform time only"));
    table.segments = 1;
    few[0].end -= 20;
    darc_err_init(&err);
    ck_assert_int_eq(darc_signalnoise_read(&n, &table, (int[]){0}, 1, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(
        err.message, " samples, read at even times, without a gap, at least"));
    table.time = NULL;
    setup();
    for (int t = 0; t < N; t++)
        x[0][t] = 3.5;
    darc_err_init(&err);
    ck_assert_int_eq(darc_signalnoise_rest(&rest, &table, 0, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "x.csv: 'a' does not move"));
}
END_TEST

/* The second signal is there at every hundredth time only. */
START_TEST(a_signal_that_fails_leaves_none_of_the_others)
{
    unsigned char rare[N], *absent[] = {NULL, rare};
    darc_signalnoise n[2] = {{.taps = 0}, {.taps = 0}};
    add_noise(0.02, 0, 1);
    for (int t = 0; t < N; t++) {
        rare[t] = t % 100 != 0;
        x[1][t] = rare[t] ? NAN : x[0][t];
    }
    table.absent = absent;
    table.absents = 2;
    ck_assert_int_eq(darc_signalnoise_read(n, &table, (int[]){0, 1}, 2, NULL),
                     DARC_DATA);
    ck_assert_ptr_null(n[0].kernel);
    ck_assert_int_eq(darc_signalnoise_read(n, &table, (int[]){0}, 1, NULL),
                     DARC_OK);
    darc_signalnoise_clear(n);
}
END_TEST

START_TEST(colours_have_names)
{
    ck_assert_str_eq(darc_colour_text(DARC_COLOUR_EXACT), "exact");
    ck_assert_str_eq(darc_colour_text(DARC_COLOUR_MEASURED), "measured");
    ck_assert_str_eq(darc_colour_text(DARC_COLOUR_ANY), "any");
}
END_TEST

/* What moves at an end, under the edge of every window, or between the
 * stretches of a long recording, shows where its power lies. */
START_TEST(events_show_their_band)
{
    enum { LONG = 1000000, AT = 380000, FEW = 100, RING = 40 };
    double *long_one = calloc(LONG, sizeof *long_one);
    darc_segment all = {0, LONG};
    darc_signalnoise n;
    uint64_t state = 5;
    memset(x[0], 0, sizeof x[0]);
    for (int t = 0; t < FEW; t++)
        x[0][t] = exp(-t / 20.0) * cos(0.2 * PI * t); /* 10 Hz */
    add_noise(0.0005, 0, 1);
    n = read_first();
    ck_assert_double_eq_tol(n.bulk_band, 13, 6);
    darc_signalnoise_clear(&n);
    for (int t = 0; t < LONG; t++)
        long_one[t] = 1e-3 * draw_normal(&state);
    for (int t = 0; t < RING * FEW; t++)
        long_one[AT + t] += sin(0.04 * PI * t) * sin(PI * t / (RING * FEW));
    column[0].value = long_one;
    table.segment = &all;
    table.samples = LONG;
    n = read_first();
    ck_assert_double_eq_tol(n.bulk_band, 2, 0.2);
    darc_signalnoise_clear(&n);
    column[0].value = x[0];
    table.segment = whole;
    free(long_one);
}
END_TEST

/* Blows fill the spectrum; between them the noise shows, or that there is none.
 */
START_TEST(blows_are_no_noise)
{
    static const double sd[] = {0, 0.002};
    darc_signalnoise n;
    memset(x[0], 0, sizeof x[0]);
    for (int t = 100; t + 5 < N; t += 190)
        for (int k = 1; k < 5; k++)
            x[0][t + k] = pow(sin(PI * k / 5), 2);
    add_noise(sd[_i], 0, 3);
    n = read_first();
    if (sd[_i] > 0)
        ck_assert_double_eq_tol(n.sd, sd[_i], 0.3 * sd[_i]);
    else
        ck_assert_double_lt(n.sd, 1e-5);
    ck_assert_double_gt(n.power_band, 15);
    darc_signalnoise_clear(&n);
}
END_TEST

Suite *suite_signalnoise(void)
{
    Suite *s = suite_create("signalnoise");
    TCase *c = tcase_create("signalnoise");
    tcase_add_checked_fixture(c, setup, NULL);
    tcase_add_test(c, white_noise_is_white);
    tcase_add_test(c, signals_are_read_one_by_one);
    tcase_add_test(c, red_noise_is_of_any_colour);
    tcase_add_test(c, short_recordings_are_judged_with_care);
    tcase_add_test(c, hum_is_no_colour);
    tcase_add_test(c, harmonics_of_hum_fold);
    tcase_add_test(c, harmonics_of_the_signal_climb);
    tcase_add_test(c, short_recordings_show_their_noise);
    tcase_add_test(c, a_signal_without_noise_stands_on_the_floor);
    tcase_add_test(c, rounding_is_noise);
    tcase_add_test(c, staircases_are_exact);
    tcase_add_test(c, noise_can_be_given);
    tcase_add_test(c, noise_can_be_measured_at_rest);
    tcase_add_test(c, events_show_their_band);
    tcase_add_loop_test(c, blows_are_no_noise, 0, 2);
    tcase_add_test(c, gaps_leave_the_noise_alone);
    tcase_add_test(c, what_shows_no_noise_is_refused);
    tcase_add_test(c, a_signal_that_fails_leaves_none_of_the_others);
    tcase_add_test(c, colours_have_names);
    suite_add_tcase(s, c);
    return s;
}
