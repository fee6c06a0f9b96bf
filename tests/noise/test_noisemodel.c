#include "tests.h"

#include "../bench/weak_cases.h"
#include "noise/noisemodel.h"
#include "noise/psd.h"
#include "stats/fft.h"

START_TEST(fft_of_a_line_is_a_line)
{
    enum { N = 64 };
    double re[N], im[N];
    for (int t = 0; t < N; t++) {
        re[t] = cos(2 * 3.14159265358979323846 * 5 * t / N);
        im[t] = 0;
    }
    darc_fft(re, im, N);
    for (int k = 0; k < N; k++) {
        ck_assert_double_eq_tol(re[k], k == 5 || k == N - 5 ? N / 2.0 : 0,
                                1e-12);
        ck_assert_double_eq_tol(im[k], 0, 1e-12);
    }
}
END_TEST

START_TEST(white_noise_is_measured_both_ways)
{
    uint64_t exact = 3, state = 4;
    case_options o = {
        .seconds = 20, .rate = 500, .noise = 0.01, .scale = {1, 1, 1, 1}};
    darc_table *table = case_table(CASE_QUARTER, &o, &exact, &state);
    darc_noisemodel n[2];
    ck_assert_int_eq(
        darc_noisemodels_estimate(n, table, (int[]){0, 1}, 2, false, 1, NULL),
        DARC_OK);
    for (int i = 0; i < 2; i++) {
        double sd = 0.01 * case_rms(table->signal[i].value, table->samples);
        ck_assert_int_eq(n[i].kind, DARC_NOISE_WHITE);
        ck_assert_double_eq_tol(n[i].sd, sd, 0.04 * sd);
        ck_assert_double_eq_tol(n[i].sd_diff, sd, 0.06 * sd);
        ck_assert_double_eq(n[i].kernel[0], n[i].sd);
        ck_assert_double_gt(n[i].band, 12);
        ck_assert_double_gt(n[i].power_band, 4);
        ck_assert_double_lt(n[i].power_band, 13);
        darc_noisemodel_clear(n + i);
    }
    case_free(table);
}
END_TEST

/* A gap in one signal cuts the segments of all; its NAN enters nothing. */
START_TEST(gaps_leave_the_noise_alone)
{
    uint64_t exact = 3, state = 4;
    case_options o = {
        .seconds = 20, .rate = 500, .noise = 0.01, .scale = {1, 1, 1, 1}};
    darc_table *table = case_table(CASE_QUARTER, &o, &exact, &state);
    double sd = 0.01 * case_rms(table->signal[0].value, table->samples);
    darc_segment *whole = table->segment;
    darc_segment cut[] = {{0, 4000}, {4049, table->samples}};
    for (int t = 4000; t < 4049; t++)
        table->signal[0].value[t] = NAN;
    table->segment = cut;
    table->segments = 2;
    darc_noisemodel n[2];
    ck_assert_int_eq(
        darc_noisemodels_estimate(n, table, (int[]){0, 1}, 2, false, 1, NULL),
        DARC_OK);
    ck_assert_int_eq(n[0].kind, DARC_NOISE_WHITE);
    ck_assert_double_eq_tol(n[0].sd, sd, 0.05 * sd);
    for (int i = 0; i < 2; i++)
        darc_noisemodel_clear(n + i);
    table->segment = whole;
    table->segments = 1;
    case_free(table);
}
END_TEST

/* Density of the noise at frequency f from its kernel. */
static double density_at(const darc_noisemodel *n, double f, double dt)
{
    double sum = 0;
    for (int s = -n->half; s <= n->half; s++)
        sum += n->kernel[s + n->half] *
               cos(2 * 3.14159265358979323846 * f * s * dt);
    return 2 * dt * sum * sum;
}

/* Second-order low-pass noise: the density inside is known from above. */
START_TEST(low_pass_noise_is_continued_below_the_band)
{
    uint64_t exact = 3, state = 4;
    case_options o = {.seconds = 40,
                      .rate = 250,
                      .noise = 0.01,
                      .kind = NOISE_LOWPASS,
                      .scale = {1, 1, 1, 1}};
    darc_table *table = case_table(CASE_DUFFING, &o, &exact, &state);
    darc_noisemodel n[2];
    ck_assert_int_eq(
        darc_noisemodels_estimate(n, table, (int[]){0, 1}, 2, true, 1, NULL),
        DARC_OK);
    for (int i = 0; i < 2; i++) {
        double sd = 0.01 * case_rms(table->signal[i].value, table->samples);
        /* of a second-order Butterworth filter: corner * pi / sqrt(8) */
        double inside = sd * sd / (15 * 1.1107);
        ck_assert_int_eq(n[i].kind, DARC_NOISE_COLOURED);
        ck_assert_double_gt(n[i].band, i == 0 ? 4 : 6);
        for (int f = 0; f < 10; f += 3) {
            double ratio = density_at(n + i, f, table->dt) / inside;
            ck_assert_double_gt(ratio, i == 0 ? 0.8 : 0.5);
            ck_assert_double_lt(ratio, i == 0 ? 1.25 : 2);
        }
        ck_assert_double_gt(n[i].dof, 8);
        darc_noisemodel_clear(n + i);
    }
    case_free(table);
}
END_TEST

/* The flank of a signal that falls into white noise is not low-pass noise.
 * (The harmonics in the force of the other two might be.) */
START_TEST(a_flank_is_no_noise)
{
    for (int kind = CASE_QUARTER; kind <= CASE_PREY; kind += CASE_PREY) {
        uint64_t exact = 5, state = 6;
        case_options o = {
            .seconds = 40, .rate = 250, .noise = 1e-4, .scale = {1, 1, 1, 1}};
        darc_table *table = case_table((case_kind)kind, &o, &exact, &state);
        darc_noisemodel n[2];
        ck_assert_int_eq(darc_noisemodels_estimate(n, table, (int[]){0, 1},
                                                   table->signals, true, 1,
                                                   NULL),
                         DARC_OK);
        for (int i = 0; i < table->signals; i++) {
            ck_assert_int_ne(n[i].kind, DARC_NOISE_COLOURED);
            darc_noisemodel_clear(n + i);
        }
        case_free(table);
    }
}
END_TEST

START_TEST(steps_of_a_lattice_are_found)
{
    uint64_t state = 4;
    double y[1000];
    for (int i = 0; i < 1000; i++)
        y[i] = 0.2385 + 0.0125 * round(20 * case_normal(&state));
    ck_assert_double_eq_tol(darc_noise_step(y, 1000), 0.0125, 1e-9);
    for (int i = 0; i < 1000; i++)
        y[i] = case_normal(&state);
    ck_assert_double_eq(darc_noise_step(y, 1000), 0);
}
END_TEST

/* Where no stretch is as long as the window there is no spectrum. */
START_TEST(no_stretch_no_spectrum)
{
    uint64_t exact = 3, state = 4;
    case_options o = {.seconds = 0.1, .rate = 500, .scale = {1, 1, 1, 1}};
    darc_table *table = case_table(CASE_QUARTER, &o, &exact, &state);
    for (int threads = 0; threads < 3; threads++) {
        darc_psd psd;
        darc_psd_init(&psd, table, (int[]){0, 1}, 2, 64, threads);
        ck_assert_int_eq(psd.bins, 0);
        darc_psd_clear(&psd);
    }
    case_free(table);
}
END_TEST

START_TEST(short_recordings_are_refused)
{
    uint64_t exact = 3, state = 4;
    case_options o = {.seconds = 1, .rate = 100, .scale = {1, 1, 1, 1}};
    darc_table *table = case_table(CASE_QUARTER, &o, &exact, &state);
    darc_noisemodel n[2];
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(
        darc_noisemodels_estimate(n, table, (int[]){0, 1}, 2, false, 1, &err),
        DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "100 samples"));
    table->dt = 0;
    darc_err_init(&err);
    ck_assert_int_eq(
        darc_noisemodels_estimate(n, table, (int[]){0, 1}, 2, false, 1, &err),
        DARC_DATA);
    case_free(table);
}
END_TEST

Suite *suite_noisemodel(void)
{
    Suite *s = suite_create("noisemodel");
    TCase *c = tcase_create("noisemodel");
    tcase_add_test(c, fft_of_a_line_is_a_line);
    tcase_add_test(c, white_noise_is_measured_both_ways);
    tcase_add_test(c, gaps_leave_the_noise_alone);
    tcase_add_test(c, low_pass_noise_is_continued_below_the_band);
    tcase_add_test(c, a_flank_is_no_noise);
    tcase_add_test(c, steps_of_a_lattice_are_found);
    tcase_add_test(c, no_stretch_no_spectrum);
    tcase_add_test(c, short_recordings_are_refused);
    suite_add_tcase(s, c);
    return s;
}
