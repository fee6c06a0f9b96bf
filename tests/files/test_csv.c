#include "tests.h"

#include "recording.h"

#include "base/limits.h"
#include "base/text.h"
#include "data/reader.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LLVMFuzzerTestOneInput fuzz_csv
#include "fuzz/fuzz_csv.c"

static darc_load_options o;
static darc_err err;
static darc_table *t;

static void setup(void)
{
    darc_load_options_init(&o);
    darc_err_init(&err);
    t = NULL;
}

static void teardown(void)
{
    darc_table_free(t);
}

static void load(const char *text)
{
    darc_table_free(t);
    t = NULL;
    darc_err_init(&err);
    darc_status status = recording_load(&t, text, strlen(text), &o, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
}

/* Three samples 0, 0.5, 1 s of a = 1.5, -2, 30 and z = 4, 5, 6. */
static void check_three(void)
{
    static const double a[] = {1.5, -2, 30};
    ck_assert_uint_eq(t->samples, 3);
    ck_assert_int_eq(t->signals, 2);
    ck_assert_str_eq(t->signal[0].name, "a");
    ck_assert_str_eq(t->signal[1].name, "z");
    for (int i = 0; i < 3; i++) {
        ck_assert(t->signal[0].value[i] == a[i]);
        ck_assert(t->signal[1].value[i] == 4 + i);
        ck_assert(darc_table_time(t, (size_t)i) == 0.5 * i);
    }
    ck_assert_ptr_null(t->time);
    ck_assert(t->dt == 0.5);
    ck_assert_int_eq(t->segments, 1);
    ck_assert_uint_eq(t->segment[0].end, 3);
}

START_TEST(separators_find_themselves)
{
    static const char *const text[] = {
        "t,a,z\n0,1.5,4\n0.5,-2,5\n1,3e1,6\n",
        "t;a;z\n0;1,5;4\n0,5;-2;5\n1;3e1;6\n",
        "t;a;z\n0;1.5;4\n0.5;-2;5\n1;3e1;6\n",
        "t\ta\tz\n0\t1.5\t4\n0.5\t-2\t5\n1\t30\t6\n",
        "t a z\n0 1.5 4\n0.5 -2 5\n1 30 6\n",
        "  t   a  z\n  0   1.5 4 \n0.5\t-2\t5\n 1 30   6\n",
        "t, a, z\n0, 1.5, 4\n0.5, -2, 5\n1, +30., 6\n",
        "\xef\xbb\xbft,a,z\r\n0,1.5,4\r\n0.5,-2,5\r\n1,30,6\r\n",
        "# by hand\n\n  # and a line\nt,a,z\n0,1.5,4\n\n# in between\n0.5,-2,5 "
        "# "
        "a, b\n1,30,6",
        "\"t\";\"a\";\"z\"\n\"0\";\"1,5\";\"4\"\n0,5;-2;\"5\"\n1;30;6",
    };
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        load(text[i]);
        check_three();
    }
}
END_TEST

START_TEST(units_stand_in_the_header)
{
    load("time [ms]; a [m/s^2] ;z[m];\"w [N m]\"\n0;1;2;3\n500;1;2;3\n");
    ck_assert_int_eq(t->signals, 3);
    ck_assert_str_eq(t->signal[0].unit, "m/s^2");
    ck_assert_str_eq(t->signal[1].name, "z");
    ck_assert_str_eq(t->signal[1].unit, "m");
    ck_assert_str_eq(t->signal[2].unit, "N m");
    ck_assert_double_eq_tol(t->dt, 0.5, 1e-15);
    load("t [s] a [m / s^2] z\n0 1 2\n1 2 3\n");
    ck_assert_int_eq(t->signals, 2);
    ck_assert_str_eq(t->signal[0].unit, "m / s^2");
    ck_assert_str_eq(t->signal[1].unit, "");
}
END_TEST

START_TEST(columns_without_names_are_numbered)
{
    o.rate = 4;
    load("1.5 4\n-2 5\n30 6\n");
    ck_assert_str_eq(t->signal[1].name, "c2");
    ck_assert(t->dt == 0.25);
    ck_assert(t->signal[0].value[2] == 30);
    o.rate = 0;
    o.time_column = "c2";
    load("1.5,4\n-2,5\n30,6\n");
    ck_assert_int_eq(t->signals, 1);
    ck_assert(t->t0 == 4 && t->dt == 1);
}
END_TEST

START_TEST(gaps_split_into_segments)
{
    static const char text[] = "t,a,z,u\n0,1,1,\n1,,1,\n2,1,1,x\n3,1,nan,\n"
                               "4,1,NA,\n5,1,1,\n6,1,1,\n7,1,-nan,\n";
    static const char *const want[] = {"z", "a"};
    o.wanted = 2;
    o.want = want;
    load(text);
    ck_assert_uint_eq(t->samples, 8);
    ck_assert_int_eq(t->segments, 3);
    ck_assert_uint_eq(t->segment[0].begin, 0);
    ck_assert_uint_eq(t->segment[0].end, 1);
    ck_assert_uint_eq(t->segment[1].begin, 2);
    ck_assert_uint_eq(t->segment[1].end, 3);
    ck_assert_uint_eq(t->segment[2].begin, 5);
    ck_assert_uint_eq(t->segment[2].end, 7);
    ck_assert(isnan(t->signal[0].value[3]));
    ck_assert(t->signal[1].value[3] == 1);
    o.wanted = 1; /* gaps of z do not matter any more */
    o.want = want + 1;
    load(text);
    ck_assert_int_eq(t->segments, 2);
}
END_TEST

START_TEST(a_row_without_time_is_a_gap)
{
    load("t,a\n,5\n0,1\n1,2\n,3\n3,4\n");
    ck_assert_uint_eq(t->samples, 4);
    ck_assert_uint_eq(t->rows, 5);
    ck_assert(t->dt == 1);
    ck_assert_int_eq(t->segments, 2);
    ck_assert(isnan(t->signal[0].value[2]));
}
END_TEST

START_TEST(uniform_within_a_millionth)
{
    load("t,a\n0,1\n0.001,1\n0.0020000009,1\n0.003,1\n");
    ck_assert_ptr_null(t->time);
    ck_assert_double_eq_tol(t->dt, 0.001, 1e-12);
    /* Few digits: a millionth of a second is allowed up to 1e-4 dt. */
    load("t,a\n0,1\n0.001,1\n0.00200009,1\n0.003,1\n");
    ck_assert_ptr_null(t->time);
    load("t,a\n0,1\n0.001,1\n0.0020003,1\n0.003,1\n");
    ck_assert_ptr_nonnull(t->time);
    ck_assert(t->dt == 0);
    ck_assert(darc_table_time(t, 2) == 0.0020003);
    load("t,a\n0,1\n1,1\n2.0000009,1\n3,1\n");
    ck_assert_ptr_null(t->time);
    load("t,a\n0,1\n1,1\n2.000003,1\n3,1\n");
    ck_assert_ptr_nonnull(t->time);
    /* A slow drift of the clock adds up. */
    load("t,a\n0,1\n1,1\n2,1\n3.000002,1\n4.000006,1\n5.000015,1\n");
    ck_assert(t->dt == 0);
    /* Times whose last place is coarse against the step. */
    load("t,a\n1e9,1\n1000000000.0000001,1\n1000000000.0000002,1\n"
         "1000000000.0000004,1\n");
    ck_assert(t->dt > 0);
}
END_TEST

START_TEST(rows_that_are_missing_are_gaps)
{
    load("t,a\n0,1\n0.1,2\n0.2,3\n0.5,6\n0.6,7\n0.8,9\n");
    ck_assert_uint_eq(t->samples, 9);
    ck_assert_uint_eq(t->rows, 6);
    ck_assert_double_eq_tol(t->dt, 0.1, 1e-15);
    ck_assert_ptr_null(t->time);
    ck_assert_int_eq(t->segments, 3);
    for (size_t i = 0; i < 9; i++) {
        bool missing = i == 3 || i == 4 || i == 7;
        ck_assert(isnan(t->signal[0].value[i]) == missing);
        ck_assert(missing || t->signal[0].value[i] == 1 + (double)i);
    }
    /* a pause that is no multiple of the step, one far too long */
    load("t,a\n0,1\n0.1,2\n0.2,3\n0.55,6\n0.65,7\n");
    ck_assert(t->dt == 0);
    ck_assert_uint_eq(t->samples, 5);
    load("t,a\n0,1\n0.1,2\n0.2,3\n3600,6\n3600.1,7\n");
    ck_assert(t->dt == 0);
    ck_assert_uint_eq(t->samples, 5);
}
END_TEST

/* Steps as small as the rounding of times leave no number between. */
START_TEST(holes_below_the_rounding_are_none)
{
    load("t,a\n1e16,1\n10000000000000002,2\n10000000000000004,3\n"
         "10000000000000010,4\n");
    ck_assert_uint_ge(t->samples, 4);
    load("t,a\n1,1\n1.0000000000000002,2\n1.0000000000000009,3\n"
         "1.0000000000000011,4\n1.000000000000004,5\n");
    ck_assert_uint_ge(t->samples, 5);
    for (size_t i = 1; i < t->samples; i++)
        ck_assert(darc_table_time(t, i) > darc_table_time(t, i - 1));
}
END_TEST

/* A hole of 10000 rows: several blocks. */
START_TEST(a_hole_is_longer_than_a_block)
{
    darc_text_t text;
    darc_text_init(text);
    darc_text_puts(text, "t,a\n");
    for (int i = 0; i < 20000; i++)
        if (i < 6000 || i >= 16000)
            darc_text_printf(text, "%.3f,%d\n", i * 1e-3, i);
    o.from = 1;
    load(text->s);
    ck_assert_uint_eq(t->samples, 19000);
    ck_assert_int_eq(t->segments, 2);
    ck_assert_uint_eq(t->segment[0].end, 5000);
    ck_assert_uint_eq(t->segment[1].begin, 15000);
    ck_assert_double_eq(t->signal[0].value[18999], 19999);
    ck_assert_double_eq_tol(t->dt, 1e-3, 1e-9);
    darc_text_clear(text);
}
END_TEST

START_TEST(from_and_to)
{
    o.from = 0.5;
    o.to = 1.5;
    load("t,a\n0,1\n0.5,2\n1,3\n1.5,4\n2,5\nnot,read\n");
    ck_assert_uint_eq(t->samples, 3);
    ck_assert(t->t0 == 0.5);
    ck_assert(t->signal[0].value[0] == 2);
}
END_TEST

/* A logger that begins anew writes its header again. */
START_TEST(a_header_may_come_again)
{
    load("t [s],a [m]\n0,1\n0.5,2\nt [s],a [m]\n1,3\n");
    ck_assert_uint_eq(t->samples, 3);
    ck_assert(t->signal[0].value[2] == 3);
    load("t;a\n0;1\n0.5;2\nt;a\n1;3\n1.5;4\n");
    ck_assert_uint_eq(t->samples, 4);
}
END_TEST

START_TEST(names_units_and_factors)
{
    static const char *const want[] = {"z", "acc"};
    static const char *const map_name[] = {"acc"}, *const map_column[] = {"a"};
    static const char *const scale_name[] = {"z", "acc"};
    static const double scale[] = {1000, -9.81};
    o.wanted = 2;
    o.want = want;
    o.maps = 1;
    o.map_name = map_name;
    o.map_column = map_column;
    o.scales = 2;
    o.scale_name = scale_name;
    o.scale = scale;
    load("t,a [g],other,z [m]\n0,1,word,0.5\n1,2,word,0.25\n");
    ck_assert_int_eq(darc_table_find(t, "acc"), 1);
    ck_assert_int_eq(darc_table_find(t, "a"), -1);
    ck_assert_str_eq(t->signal[1].unit, ""); /* m/s^2 is not named */
    ck_assert(t->signal[0].value[0] == 500);
    ck_assert(t->signal[1].value[1] == 2 * -9.81);
}
END_TEST

START_TEST(one_column_may_serve_twice)
{
    static const char *const want[] = {"a", "b"};
    static const char *const map_name[] = {"b"}, *const map_column[] = {"a"};
    o.wanted = 2;
    o.want = want;
    o.maps = 1;
    o.map_name = map_name;
    o.map_column = map_column;
    load("t,a\n0,1\n1,7\n");
    ck_assert(t->signal[0].value[1] == 7 && t->signal[1].value[1] == 7);
}
END_TEST

START_TEST(time_column_by_its_name)
{
    load("a,Time\n5,0\n6,1\n");
    ck_assert(t->dt == 1);
    load("a,time_s,t\n5,0,0\n6,7,2\n");
    ck_assert(t->dt == 2);
    load("a,timestamp,b\n5,0,0\n6,7,2\n");
    ck_assert(t->dt == 7);
    load("time col,a\n0,5\n3,6\n");
    ck_assert(t->dt == 3);
    load("time col,a,TIME,time\xe2\n7,0,0,7\n1,5,2,9\n");
    ck_assert(t->dt == 2);
    o.rate = 50; /* overrides what was only guessed */
    load("a,t\n5,1e9\n6,1e9\n");
    ck_assert(t->dt == 0.02);
    ck_assert_int_eq(t->signals, 1);
}
END_TEST

/* What loggers write above the numbers: each file holds U = 1.5, 1.6, 1.7 V and
 * I = 2, 3, 2 mA at 0, 0.5, 1 ms. */
START_TEST(tables_of_loggers)
{
    static const char *const text[] = {
        /* LabVIEW, in English and in German */
        "LabVIEW Measurement\t\nWriter_Version\t2\nSeparator\tTab\n"
        "Date\t2026/01/05\nTime\t12:00:00.1\n***End_of_Header***\t\n\t\n"
        "Channels\t2\t\t\nSamples\t3\t3\t\nX0\t0.0E+0\t0.0E+0\t\n"
        "***End_of_Header***\t\t\t\nX_Value\tU\tI\tComment\n"
        "0.0000\t1.5\t2\n0.0005\t1.6\t3\n0.0010\t1.7\t2\n",
        "X_Value\tU\tI\tComment\r\n0,0000\t1,5\t2\r\n0,0005\t1,6\t3\r\n"
        "0,0010\t1,7\t2\r\n",
        /* Moku: names in the last comment */
        "% Moku:Lab Data Logger\n% Channel 1, DC, 1 MOhm\n% Acquired "
        "2026-01-05\n% Time (s), U (V), I (mA)\n0.0,1.5,2.0\n5e-4,1.6,3.0\n"
        "% a pause\n1e-3,1.7,2.0\n",
        /* DIAdem, PicoScope, INCA: a line of units */
        "\"Zeit\";\"U\";\"I\"\n\"ms\";\"V\";\"mA\"\n0;1,5;2\n0,5;1,6;3\n"
        "1;1,7;2\n",
        "Time,U,I\n(ms),(V),(mA)\n\n0.0,1.5,2.0\n0.5,1.6,3.0\n1.0,1.7,2.0\n",
        "ETASAsciiItemFile\trecord\t\nsampleCount\t3\ntime\tU\tI\ns\tV\tmA\n"
        "0.0\t1.5\t2\n0.0005\t1.6\t3\n0.001\t1.7\t2\n",
        /* ECP: a matrix in brackets */
        "Sample   Time    U   I\n[   0  0.0  1.5  2;\n    1   0.0005   1.6   3;"
        "\n    2   0.001   1.7   2]\n",
        "Encoder 1 Pos\tTime\tU\tI\n[0\t0.0\t1.5\t2;\n1\t0.0005\t1.6\t3 ;\n"
        "2\t0.001\t1.7\t2 ;]\n",
        /* a title, Latin-1, a separator at the end; NumPy; units in names */
        "Messung\nBediener: M\xfcller\n\nZeit [\xb5s];U [V];I [mA];\n"
        "0;1,5;2;\n500;1,6;3;\n1000;1,7;2;\n",
        "# t U I\n0 1.5 2\n.0005 1.6 3\n.001 1.7 2\n",
        "t_ms;U;I\n0;1,5;2\n0,5;1,6;3\n1;1,7;2\n",
        "Zeit [ms]\tU [V]\tI [mA]\n0\t1,5\t2\n0,5\t1,6\t3\n1\t1,7\t2\n",
        /* points in time */
        "Zeitstempel;U;I\n05.01.2026 12:00:00,0000;1,5;2\n05.01.2026 "
        "12:00:00,0005;1,6;3\n05.01.2026 12:00:00,0010;1,7;2\n",
        "timestamp,U,I\n2026-02-28T23:59:59.9995Z,1.5,2\n2026-03-01T01:00:00+"
        "01:00,1.6,3\n2026-03-01T00:00:00.0005Z,1.7,2\n",
        "Time,U,I\n23:59:59.9995,1.5,2\n00:00:00,1.6,3\n00:00:00.0005,1.7,2\n",
        "Datum;Uhrzeit;U;I\n05.01.2026;23:59:59,9995;1,5;2\n06.01.2026;"
        "00:00:00,0000;1,6;3\n06.01.2026;00:00:00,0005;1,7;2\n",
        "DateTime|U|I\n01/31/2026 11:59:59.9995 PM|1.5|2\n02/01/2026 "
        "12:00:00.0000 AM|1.6|3\n02/01/2026 12:00:00.0005 AM|1.7|2\n",
        "Time,U,I\n31/01/2026 12:59:59.9995,1.5,2\n31/01/2026 13:00:00.0,1.6,"
        "3\n31/01/2026 13:00:00.0005,1.7,2\n",
        "Time,U,I\n31-Jan-2026 12:59:59.9995,1.5,2\n31-Jan-2026 13:00:00,1.6,"
        "3\n31-JAN-2026 13:00:00.0005,1.7,2\n",
        "time,U,I\n20260131T125959.9995,1.5,2\n2026-01-31 14:00:00 +0100,1.6,"
        "3\n2026-01-31 13:00:00:0005 UTC,1.7,2\n",
        /* units behind a slash or a word (DIN 1313), or below an empty cell */
        "Zeit / ms;U / V;I / mA\n0;1,5;2\n0,5;1,6;3\n1;1,7;2\n",
        "t/ms;U/V;I in mA\n0;1,5;2\n0,5;1,6;3\n1;1,7;2\n",
        "Elapsed time,U,I\n,V,mA\n0,1.5,2\n.0005,1.6,3\n.001,1.7,2\n",
        /* Excel's quotes, Fortran's exponents, ends of lines and of files */
        "\"t\",\"U\",\"I\"\n\"0\",\"1,5\",\"2\"\n\"0,0005\",\"1,6\",\"3\"\n"
        "\"0,001\",\"1,7\",\"2\"\n",
        "t,U,I\n0,1.5D0,2\n.5D-3,1.6D+0,3\n1d-3,.17D+01,2\n",
        "t,U,I\r0,1.5,2\r.0005,1.6,3\r.001,1.7,2\r",
        "t,U,I\r\n0,1.5,2\r\n.0005,1.6,3\r\n.001,1.7,2\r\n\x1a",
        /* frames around names; names that tell of time without being it */
        "'t','U','I'\n0,1.5,2\n.0005,1.6,3\n.001,1.7,2\n",
        "[t] [U] [I]\n0 1.5 2\n.0005 1.6 3\n.001 1.7 2\n",
        "t <ms>;U <V>;I <mA>\n0;1,5;2\n0,5;1,6;3\n1;1,7;2\n",
        "Uptime,time_constant,rel. time [s],U,I\n7,3,0,1.5,2\n7,3,.0005,1.6,3\n"
        "8,3,.001,1.7,2\n",
        "Zeitkonstante,log time,U,I\n2,0,1.5,2\n1,.0005,1.6,3\n0,.001,1.7,2\n",
    };
    static const char *const want[] = {"U", "I"};
    o.wanted = 2;
    o.want = want;
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        load(text[i]);
        ck_assert_uint_eq(t->samples, 3);
        ck_assert_double_eq_tol(t->dt, 0.0005, 1e-12);
        for (size_t k = 0; k < 3; k++) {
            ck_assert_double_eq(t->signal[0].value[k], 1.5 + 0.1 * (double)k);
            ck_assert_double_eq(t->signal[1].value[k], k == 1 ? 3 : 2);
        }
    }
    static const char *const odd[] = {"</b>"}; /* a name, no unit */
    o.wanted = 1;
    o.want = odd;
    load("t,</b>\n0,1\n1,2\n2,3\n");
    ck_assert_uint_eq(t->samples, 3);
}
END_TEST

/* What stands below the rows is left out, and said; what may be a row is not.
 */
START_TEST(tables_end_before_files)
{
#define ROWS "t,U,I\n0,1.5,2\n.0005,1.6,3\n.001,1.7,2\n"
    static const char *const text[] = {
        ROWS "\nEnd of file\n",
        ROWS "Mean,1.6,2.3\nSd,.1,.6\n",
        ROWS ".0015,1.",
        ROWS "\"samples\";3\n\n# end\n",
        ROWS "stopped at 12:00:00",
        ROWS "Mean,1.6,2.3\n.0015,1.8\n",
        ROWS "\nt,V\n0,1\n1,2\n",
        ROWS ".0015,x,2\nEnd of file\n",
        "t,U,I\nEnd of file\n",
    };
    for (int i = 0; i < 5; i++) {
        load(text[i]);
        ck_assert_uint_eq(t->samples, 3);
        ck_assert_int_eq(t->remarks, 1);
        ck_assert_ptr_nonnull(
            strstr(t->remark[0], i == 0 ? "line 6" : "line 5"));
    }
    static const char *const want[] = {"U"};
    o.wanted = 1;
    o.want = want;
    for (int i = 5; i < 9; i++) {
        darc_err_init(&err);
        darc_table_free(t);
        t = NULL;
        ck_assert_int_eq(recording_load(&t, text[i], strlen(text[i]), &o, &err),
                         DARC_DATA);
    }
#undef ROWS
}
END_TEST

/* Where all columns are read, those of text are not; what is no number in a
 * column of numbers is told. */
START_TEST(columns_of_text)
{
    static const char text[] = "t,mode,a,b\n0,idle,1,\n1,,2,\n2,run,3,4\n";
    static const char broken[] = "t,a,b\n0,1,2\n1,x,3\n";
    load(text);
    ck_assert_int_eq(t->signals, 2);
    ck_assert_int_eq(darc_table_find(t, "b"), 1);
    ck_assert_str_eq(t->remark[0], "text, not read: mode");
    load(broken);
    ck_assert_int_eq(t->signals, 1);
    ck_assert_str_eq(t->remark[0], "not read: a ('x' in line 3 is no number)");
    static const char *const want[] = {"a"};
    o.wanted = 1;
    o.want = want;
    darc_table_free(t);
    t = NULL;
    ck_assert_int_eq(recording_load(&t, broken, strlen(broken), &o, &err),
                     DARC_DATA);
}
END_TEST

/* 64 bits of nanoseconds hold 584 years. */
START_TEST(days_beyond_the_clock)
{
    static const char *const text[] = {
        "t,y\n9999-12-31T10:00:00,1\n9999-12-31T10:00:01,2\n",
        "t,y\n0001-01-01T10:00:00,1\n0001-01-01T10:00:01,2\n",
        "t,y\n2115-12-31T10:00:00,1\n1824-01-01T00:00:00,2\n"};
    static const char *const why[] = {
        "'9999-12-31T10:00:00'", "'0001-01-01T10:00:00'", "does not increase"};
    for (int i = 0; i < 3; i++) {
        darc_err_init(&err);
        ck_assert_int_eq(recording_load(&t, text[i], strlen(text[i]), &o, &err),
                         DARC_DATA);
        ck_assert_ptr_nonnull(strstr(err.message, why[i]));
    }
    /* behind a named day a clock goes on from there */
    load("t,y\n2026-01-05T23:59:59,1\n00:00:00,2\n00:00:01,3\n");
    ck_assert_double_eq(t->dt, 1);
}
END_TEST

/* UTF-16, either byte first, with and without a mark; 0x20ac is beyond 0x800.
 */
START_TEST(wide_characters)
{
    static const unsigned short text[] = {
        0xfeff, 't',  ',', 'a',    ' ', '[',  0xb5, 'm', ']', ',',
        'z',    ' ',  '[', 0x20ac, ']', '\n', '0',  ',', '1', '.',
        '5',    ',',  '4', '\n',   '.', '5',  ',',  '-', '2', ',',
        '5',    '\n', '1', ',',    '3', '0',  ',',  '6', '\n'};
    enum { N = sizeof text / sizeof text[0] };
    char bytes[2 * N];
    for (int k = 0; k < 4; k++) {
        size_t skip = (size_t)(k % 2), n = 2 * (N - skip);
        for (size_t i = 0; i < N; i++) {
            bytes[2 * i] = (char)(k < 2 ? text[i] : text[i] >> 8);
            bytes[2 * i + 1] = (char)(k < 2 ? text[i] >> 8 : text[i]);
        }
        darc_table_free(t);
        t = NULL;
        ck_assert_msg(recording_load(&t, bytes + 2 * skip, n, &o, &err) ==
                          DARC_OK,
                      "%s", err.message);
        check_three();
        ck_assert_str_eq(t->signal[0].unit, "\xc2\xb5m");
        ck_assert_str_eq(t->signal[1].unit, "\xe2\x82\xac");
    }
}
END_TEST

/* None of the spellings becomes a number: -1.#IND was -1 before a comment. */
START_TEST(missing_samples_by_any_name)
{
    static const char *const word[] = {
        "",        "nan",     "NaN",   "NA",        "N/A",       "#N/A",
        "NULL",    "None",    "-",     "--",        "---",       "?",
        "-1.#IND", "1.#QNAN", "#NUM!", "-1.#IND00", "-nan(ind)", "nan "};
    darc_text_t text = DARC_TEXT;
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
        for (int last = 0; last < 2; last++) {
            darc_text_reset(text);
            darc_text_printf(text, "t,a,z\n0,1,2\n1,%s,%s\n2,3,4\n3,5,6\n",
                             last ? "7" : word[i], last ? word[i] : "7");
            load(text->s);
            ck_assert_uint_eq(t->samples, 4);
            ck_assert(isnan(t->signal[last].value[1]));
            ck_assert(t->signal[1 - last].value[1] == 7);
        }
    darc_text_clear(text);
}
END_TEST

START_TEST(units_of_loggers)
{
    load("Time (s),U (kV),y (measured)\n0,1,2\n1,2,3\n");
    ck_assert_str_eq(t->signal[0].name, "U");
    ck_assert_str_eq(t->signal[0].unit, "kV");
    ck_assert_str_eq(t->signal[1].name, "y (measured)");
    load("t;T [\xb0"
         "C];n;k\ns;;1/min;-\n0;1;2;3\n1;2;3;4\n");
    ck_assert_str_eq(t->signal[0].unit, "\xc2\xb0"
                                        "C");
    ck_assert_str_eq(t->signal[1].unit, "1/min");
    ck_assert_str_eq(t->signal[2].unit, "");
    static const char *const want[] = {"U (kV)"};
    o.wanted = 1;
    o.want = want;
    load("Time (s),U (kV),y (measured)\n0,1,2\n1,2,3\n");
    ck_assert_uint_eq(t->samples, 2);
}
END_TEST

START_TEST(values_come_in_the_models_unit)
{
    static const char *const want[] = {"z", "T", "a"};
    static const char *const unit[] = {"m", "K", "m/s^2"};
    static const char *const scaled[] = {"a"};
    static const double scale[] = {10};
    o.wanted = o.units = 3;
    o.want = o.unit_name = want;
    o.unit = unit;
    o.scales = 1;
    o.scale_name = scaled;
    o.scale = scale;
    load("t,z [mm],T [degC],a [mm]\n0,1500,20,1\n1,2500,30,2\n");
    ck_assert_double_eq_tol(t->signal[0].value[1], 2.5, 1e-15);
    ck_assert_double_eq_tol(t->signal[1].value[0], 293.15, 1e-9);
    ck_assert_double_eq(t->signal[2].value[1], 20);
    ck_assert_str_eq(t->signal[0].unit, "m");
    ck_assert_int_eq(t->remarks, 1);
    ck_assert_str_eq(t->remark[0], "units: z mm to m, T degC to K");
    static const char text[] = "t,z [s],T,a\n0,1,20,1\n1,2,30,2\n";
    ck_assert_int_eq(recording_load(&t, text, sizeof text - 1, &o, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "column 'z' for 'z': 's' cannot "
                                              "be brought to 'm'"));
    ck_assert_ptr_nonnull(strstr(err.message, "--scale z=F"));
    darc_table_free(t);
    t = NULL;
    o.wanted = o.units = o.scales = 0;
    load("t,z [mm]\n0,1500\n1,2500\n");
    ck_assert_int_eq(darc_table_convert(t, 0, "m", NULL), DARC_OK);
    ck_assert_double_eq_tol(t->signal[0].value[1], 2.5, 1e-15);
    ck_assert_int_eq(darc_table_convert(t, 0, "kg", NULL), DARC_DATA);
}
END_TEST

START_TEST(a_rate_beside_a_time_column)
{
    o.rate = 10;
    o.time_column = "t";
    load("t,a\n5,1\n5.101,2\n5.199,3\n5.402,5\n5.5,6\n");
    ck_assert_uint_eq(t->samples, 6);
    ck_assert(t->dt == 0.1 && t->t0 == 5);
    ck_assert(isnan(t->signal[0].value[3]));
    ck_assert_double_eq(t->signal[0].value[4], 5);
    ck_assert_int_eq(t->remarks, 0);
    load("t,a\n0,1\n0.102,2\n0.204,3\n0.306,5\n");
    ck_assert_uint_eq(t->samples, 4);
    ck_assert_str_eq(t->remark[0],
                     "the time column runs 2 % longer than --rate "
                     "says; the rate counts");
}
END_TEST

START_TEST(a_part_of_a_recording)
{
    const char *file = "systems/quarter_car_chassis/data.csv";
    char part[100];
    snprintf(part, sizeof part, "%s[1:2.5]", file);
    ck_assert_int_eq(darc_table_load(&t, part, &o, &err), DARC_OK);
    ck_assert_uint_eq(t->samples, 1501);
    ck_assert_double_eq_tol(t->t0, 1, 1e-12);
    ck_assert_str_eq(t->file, part);
    darc_table_free(t);
    snprintf(part, sizeof part, "%s[:0.5]", file);
    ck_assert_int_eq(darc_table_load(&t, part, &o, &err), DARC_OK);
    ck_assert_uint_eq(t->samples, 501);
    darc_table_free(t);
    t = NULL;
    snprintf(part, sizeof part, "%s[1]", file);
    ck_assert_int_eq(darc_table_load(&t, part, &o, &err), DARC_IO);
}
END_TEST

/* What stands behind a NUL is not held against the words for gaps. */
START_TEST(a_nul_behind_a_gap)
{
    static const char file[] = "t,x\n0,nan\0\0\0\n1,2\n2,3\n";
    darc_reader *r;
    darc_block block;
    ck_assert_int_eq(open_bytes(&r, file, sizeof file - 1, &o, &err), DARC_OK);
    ck_assert_int_eq(darc_reader_next(r, &block, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, ":2:6: error: NUL byte"));
    darc_reader_close(r);
}
END_TEST

/* Long files cross the borders of chunks and blocks anywhere. */
START_TEST(blocks_and_chunks)
{
    darc_text_t s;
    darc_text_init(s);
    darc_text_puts(s, "t;x;y\n");
    enum { ROWS = 40000 };
    for (int i = 0; i < ROWS; i++)
        darc_text_printf(s, "%d,%03d;%d;%s%d\r\n", i / 1000, i % 1000, i * i,
                         i % 777 == 0 ? " \t" : "", -i);
    darc_reader *r;
    ck_assert_int_eq(open_bytes(&r, s->s, s->len, &o, &err), DARC_OK);
    size_t n = 0;
    darc_block block;
    do {
        ck_assert_int_eq(darc_reader_next(r, &block, &err), DARC_OK);
        for (size_t k = 0; k < block.samples; k++, n++) {
            ck_assert(block.value[0][k] == (double)(int)(n * n));
            ck_assert(block.value[1][k] == -(double)n);
        }
    } while (block.samples > 0);
    ck_assert_uint_eq(n, ROWS);
    ck_assert_double_eq_tol(darc_reader_dt(r), 0.001, 1e-15);
    darc_reader_close(r);
    load(s->s);
    ck_assert_uint_eq(t->samples, ROWS);
    darc_text_clear(s);
}
END_TEST

START_TEST(a_line_beyond_the_limit)
{
    darc_text_t s;
    darc_text_init(s);
    darc_text_puts(s, "t,a\n");
    for (int i = 0; i < DARC_MAX_LINE / 8 + 100000; i++)
        darc_text_puts(s, "12345678");
    ck_assert_int_eq(recording_load(&t, s->s, s->len, &o, &err), DARC_DATA);
    ck_assert_ptr_nonnull(
        strstr(err.message, ":2:1: error: line longer than 1048576 bytes"));
    darc_text_reset(s);
    darc_err_init(&err);
    for (int i = 0; i <= DARC_MAX_COLUMNS; i++)
        darc_text_puts(s, "a,");
    ck_assert_int_eq(recording_load(&t, s->s, s->len, &o, &err), DARC_DATA);
    ck_assert_ptr_nonnull(
        strstr(err.message, ":1:1: error: more than 10000 columns"));
    darc_text_clear(s);
}
END_TEST

START_TEST(a_file_that_is_not_there)
{
    ck_assert_int_eq(darc_table_load(&t, "no/such.csv", &o, &err), DARC_IO);
    ck_assert_str_eq(err.message, "no/such.csv: error: cannot open: No such "
                                  "file or directory");
    darc_err_init(&err);
    ck_assert_int_eq(darc_table_load(&t, "tests", &o, &err), DARC_IO);
}
END_TEST

/* The second column of its name, a unit behind a slash, a unit not known. */
START_TEST(columns_by_other_names)
{
    static const char *const time[] = {"X"};
    static const double scale[] = {1e-3};
    o.time_column = "X_2";
    load("X,X,u\n9,0,1\n8,1,2\n7,2,3\n");
    ck_assert(t->dt == 1 && t->samples == 3);
    o.time_column = "p/s";
    load("q,p [s],u\n9,0,1\n8,1,2\n7,2,3\n");
    ck_assert(t->dt == 1 && t->samples == 3);
    o.time_column = "X";
    o.scales = 1;
    o.scale_name = time;
    o.scale = scale;
    load("X [1e-3 s],u\n0,1\n5,2\n10,3\n");
    ck_assert(fabs(t->dt - 5e-3) < 1e-12);
}
END_TEST

START_TEST(half_a_record_of_comtrade)
{
    FILE *f = fopen("build/half.dat", "w");
    fputs("1,0,150,201\n2,1000,175,202\n3,2000,200,203\n", f);
    fclose(f);
    ck_assert_int_eq(darc_table_load(&t, "build/half.dat", &o, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(
        strstr(err.message, "of a COMTRADE record the .cfg beside it tells"));
    remove("build/half.dat");
}
END_TEST

/* ---- systems/broken_data: NAME.csv, and in NAME.txt the message and the
 * options ---------------------------------------------------------------- */

#define BROKEN "systems/broken_data/"

/* "a,z" into names, in place; of "acc=aa" the values too. */
static int split(char *list, const char **name, const char **value)
{
    int n = 0;
    char *rest;
    for (char *s = strtok_r(list, ",", &rest); s != NULL;
         s = strtok_r(NULL, ",", &rest), n++) {
        char *equals = strchr(s, '=');
        name[n] = s;
        value[n] = equals != NULL ? equals + 1 : "";
        if (equals != NULL)
            *equals = '\0';
    }
    return n;
}

static void set_option(const char *option, char *value)
{
    static const char *want[8], *name[8], *column[8], *scaled[8], *none[8];
    static double scale[8];
    if (strcmp(option, "--time") == 0) {
        o.time_column = value;
    } else if (strcmp(option, "--from") == 0) {
        o.from = atof(value);
    } else if (strcmp(option, "--to") == 0) {
        o.to = atof(value);
    } else if (strcmp(option, "--want") == 0) {
        o.wanted = split(value, want, none);
        o.want = want;
    } else if (strcmp(option, "--map") == 0) {
        o.maps = split(value, name, column);
        o.map_name = name;
        o.map_column = column;
    } else {
        ck_assert_str_eq(option, "--scale");
        o.scales = split(value, scaled, none);
        o.scale_name = scaled;
        o.scale = scale;
    }
}

static void check_broken(const char *name)
{
    char path[300], line[2000], options[300] = "";
    snprintf(path, sizeof path, BROKEN "%.*s.txt", (int)strlen(name) - 4, name);
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s", path);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    line[strcspn(line, "\n")] = '\0';
    char *more = fgets(options, sizeof options, f);
    fclose(f);
    setup();
    char *rest;
    for (char *s = more != NULL ? strtok_r(options, " \n", &rest) : NULL;
         s != NULL; s = strtok_r(NULL, " \n", &rest))
        set_option(s, strtok_r(NULL, " \n", &rest));
    snprintf(path, sizeof path, BROKEN "%s", name);
    darc_status status = darc_table_load(&t, path, &o, &err);
    ck_assert_msg(status == DARC_DATA, "%s is accepted", name);
    ck_assert_ptr_null(t);
    ck_assert_msg(strncmp(err.message, BROKEN, strlen(BROKEN)) == 0 &&
                      strcmp(err.message + strlen(BROKEN), line) == 0,
                  "%s\n  gives  %s\n  not    %s", name, err.message, line);
}

/* The fuzz harness on a file, and on every shorter beginning of it. */
static void replay(const char *name)
{
    char path[300];
    static uint8_t bytes[20000];
    snprintf(path, sizeof path, BROKEN "%s", name);
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t k = n > 200 ? n - 20 : 0; k <= n; k++) {
        uint8_t *exact = malloc(k + 1); /* so that sanitizers see the end */
        memcpy(exact, bytes, k);
        fuzz_csv(exact, k);
        free(exact);
    }
}

START_TEST(broken_files_give_their_message)
{
    DIR *dir = opendir(BROKEN);
    ck_assert_ptr_nonnull(dir);
    int n = 0;
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        size_t length = strlen(e->d_name);
        if (length > 4 && strcmp(e->d_name + length - 4, ".csv") == 0) {
            check_broken(e->d_name);
            replay(e->d_name);
            n++;
        }
    }
    closedir(dir);
    ck_assert_int_ge(n, 22);
}
END_TEST

/* Two rows of one time at the end of a block, and behind it. */
START_TEST(the_later_of_two_rows_counts)
{
    darc_text_t text = DARC_TEXT;
    darc_text_puts(text, "t,u,y\n");
    for (int i = 0; i < 9000; i++) {
        bool event = i == 4095 || i == 4096 || i == 8191;
        darc_text_printf(text, "%d,%d,%d\n", i, event ? -1 : i / 3, i);
        if (event)
            darc_text_printf(text, "%d,%d,%d\n", i, i / 3, i);
    }
    ck_assert_int_eq(recording_load(&t, text->s, text->len, &o, &err), DARC_OK);
    ck_assert_uint_eq(t->samples, 9000);
    ck_assert_int_eq(t->segments, 1);
    ck_assert_uint_eq(t->sides, 3);
    ck_assert_uint_eq(t->side[0], 4095);
    for (int i = 0; i < 9000; i++)
        ck_assert(t->signal[0].value[i] == i / 3);
    ck_assert(!darc_table_is_held(t, 0));
    darc_text_clear(text);
}
END_TEST

START_TEST(a_unit_that_changes_late_is_named)
{
    darc_text_t text = DARC_TEXT;
    darc_text_puts(text, "t,y\n");
    for (int i = 0; i < 90; i++)
        darc_text_printf(text, i < 80 ? "%d,%d mV\n" : "%d,1.%d V\n", i, i);
    ck_assert_int_eq(recording_load(&t, text->s, text->len, &o, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message,
                                 ":82:4: error: '1.80 V' in column "
                                 "'y' has another unit than the "
                                 "rows above"));
    darc_text_clear(text);
}
END_TEST

Suite *suite_csv(void)
{
    Suite *s = suite_create("csv");
    TCase *c = tcase_create("csv");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, separators_find_themselves);
    tcase_add_test(c, units_stand_in_the_header);
    tcase_add_test(c, a_unit_that_changes_late_is_named);
    tcase_add_test(c, columns_without_names_are_numbered);
    tcase_add_test(c, gaps_split_into_segments);
    tcase_add_test(c, a_row_without_time_is_a_gap);
    tcase_add_test(c, uniform_within_a_millionth);
    tcase_add_test(c, rows_that_are_missing_are_gaps);
    tcase_add_test(c, holes_below_the_rounding_are_none);
    tcase_add_test(c, a_hole_is_longer_than_a_block);
    tcase_add_test(c, from_and_to);
    tcase_add_test(c, a_header_may_come_again);
    tcase_add_test(c, names_units_and_factors);
    tcase_add_test(c, one_column_may_serve_twice);
    tcase_add_test(c, time_column_by_its_name);
    tcase_add_test(c, tables_of_loggers);
    tcase_add_test(c, days_beyond_the_clock);
    tcase_add_test(c, tables_end_before_files);
    tcase_add_test(c, columns_of_text);
    tcase_add_test(c, wide_characters);
    tcase_add_test(c, missing_samples_by_any_name);
    tcase_add_test(c, units_of_loggers);
    tcase_add_test(c, values_come_in_the_models_unit);
    tcase_add_test(c, a_rate_beside_a_time_column);
    tcase_add_test(c, a_part_of_a_recording);
    tcase_add_test(c, blocks_and_chunks);
    tcase_add_test(c, the_later_of_two_rows_counts);
    tcase_add_test(c, a_nul_behind_a_gap);
    tcase_add_test(c, a_line_beyond_the_limit);
    tcase_add_test(c, a_file_that_is_not_there);
    tcase_add_test(c, columns_by_other_names);
    tcase_add_test(c, half_a_record_of_comtrade);
    tcase_add_test(c, broken_files_give_their_message);
    suite_add_tcase(s, c);
    return s;
}
