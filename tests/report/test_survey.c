#include "tests.h"

#include "data/table.h"
#include "program.h"
#include "recording.h"
#include "report/survey.h"
#include "report/thresholds.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8192 };

static uint64_t seed = 12345;

static double normal(void)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        sum += (double)(seed >> 11) / 9007199254740992.0;
    }
    return sum - 6;
}

/* White noise of sd 0.1 on a slow wave; a sine; a constant; steps; gaps. */
static darc_table *record(void)
{
    static double x[5][N];
    static const double *value[] = {x[0], x[1], x[2], x[3], x[4]};
    static const char *const name[] = {"wave", "sine", "still", "coarse",
                                       "gapped"};
    for (int i = 0; i < N; i++) {
        double t = i / 100.0;
        x[0][i] = sin(0.7 * t) + 0.8 * sin(2.1 * t + 1) + 0.1 * normal();
        x[1][i] = 3 + 2 * sin(2 * 3.14159265358979 * 5 * t);
        x[2][i] = 4;
        x[3][i] = 0.05 * round((sin(0.3 * t) + sin(1.7 * t)) / 0.05);
        x[4][i] = i >= 100 && i < 150 ? NAN : normal();
    }
    return recording_of(N, 100, 5, name, value);
}

START_TEST(measures_what_is_there)
{
    darc_table *t = record();
    darc_survey s;
    darc_survey_init(&s, t);
    ck_assert_double_eq_tol(s.rate, 100, 1e-9);
    ck_assert_double_eq_tol(s.duration, (N - 1) / 100.0, 1e-9);
    ck_assert_double_eq_tol(s.longest, (N - 151) / 100.0, 1e-9);
    ck_assert_double_eq_tol(s.signal[0].noise, 0.1, 0.01);
    ck_assert_int_eq(s.signal[0].colour, DARC_COLOUR_WHITE);
    ck_assert_double_lt(s.signal[0].band, 2);
    ck_assert_double_eq_tol(s.signal[1].mean, 3, 1e-2);
    ck_assert_double_eq_tol(s.signal[1].sd, sqrt(2), 1e-2);
    ck_assert_double_eq_tol(s.signal[1].max, 5, 1e-9);
    ck_assert_double_gt(s.signal[1].tone, DARC_SURVEY_TONE);
    ck_assert_double_lt(s.signal[4].tone, 0.5);
    ck_assert_double_eq(s.signal[2].sd, 0);
    ck_assert_double_eq_tol(s.signal[3].step, 0.05, 1e-9);
    ck_assert_uint_eq(s.signal[4].gaps, 50);
    darc_text_t out;
    darc_text_init(out);
    darc_survey_remark(out, &s, 0);
    ck_assert_str_eq(out->s, "");
    darc_survey_remark(out, &s, 1);
    ck_assert_ptr_nonnull(strstr(out->s, "in one spectral line"));
    darc_text_reset(out);
    darc_survey_remark(out, &s, 2);
    ck_assert_str_eq(out->s, "constant: it excites nothing");
    darc_text_reset(out);
    darc_survey_remark(out, &s, 3);
    ck_assert_ptr_nonnull(strstr(out->s, "rounded to steps of 0.05"));
    darc_text_clear(out);
    darc_survey_clear(&s);
    darc_table_free(t);
}
END_TEST

START_TEST(program_lists_signals)
{
    darc_text_t out, err;
    darc_text_init(out);
    darc_text_init(err);
    const char *car = "systems/quarter_car_chassis/data.csv";
    char line[512];
    snprintf(line, sizeof line, "data %s %s --map b=a --scale b=2 --json -",
             car, car);
    ck_assert_int_eq(program_run(line, out, err), 0);
    ck_assert_ptr_nonnull(strstr(out->s, "\"name\": \"b\""));
    ck_assert_double_eq_tol(program_json_number(out->s, "rate_hz", 1), 1000,
                            1e-6);
    ck_assert_double_eq(program_json_number(out->s, "samples", 0), 4000);
    darc_text_reset(out);
    snprintf(line, sizeof line, "data %s", car);
    ck_assert_int_eq(program_run(line, out, err), 0);
    ck_assert_ptr_nonnull(strstr(out->s, "4000 samples at 1000 Hz, 3.999 s"));
    ck_assert_ptr_nonnull(strstr(out->s, "  a [m/s^2] "));
    darc_text_reset(err);
    ck_assert_int_eq(program_run("data absent.mat", out, err), 4);
    ck_assert_ptr_nonnull(
        strstr(err->s, "absent.mat: error: cannot open: No such file"));
    darc_text_clear(out);
    darc_text_clear(err);
}
END_TEST

Suite *suite_survey(void)
{
    Suite *s = suite_create("survey");
    TCase *t = tcase_create("survey");
    tcase_add_test(t, measures_what_is_there);
    tcase_add_test(t, program_lists_signals);
    suite_add_tcase(s, t);
    return s;
}
