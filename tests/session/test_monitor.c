/* A stream: alarms name the parameter that changed, and are as rare as asked.
 */
#include "tests.h"

#include "base/random.h"
#include "diagnose/watch.h"
#include "program.h"
#include "stats/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where tests share a process, another one may have left its own. */
static void make_fifo(void)
{
    const char *fifo = program_path("fifo");
    (void)unlink(fifo);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
}

static darc_text_t out = DARC_TEXT, err = DARC_TEXT, call = DARC_TEXT;

/* ---- the test ------------------------------------------------------------ */

/* Two coefficients, one parameter each, in windows whose information is I of
 * the 2 x 2 matrix below: sums of squares without a change. */
static const double info[4] = {4, 1, 1, 2}, root[4] = {2, 0.5, 0, 1.3228756555};

static void open_watch(darc_watch *w, int room, double base, double rate)
{
    *w = (darc_watch){.n = 2, .directions = 2, .room = room, .soon = 20};
    DARC_CARVE({&w->direction, 4}, {&w->info, 4}, {&w->cov, 4});
    w->direction[0] = w->direction[3] = 1;
    for (int i = 0; i < 4; i++)
        w->info[i] = w->cov[i] = base * info[i];
    darc_watch_init_take(w);
    ck_assert_int_eq(darc_watch_set(w, info, info, rate, NULL, NULL), DARC_OK);
}

/* Return whether a window of true coefficients `at` is an alarm. */
static bool take(darc_watch_finding *f, darc_watch *w, const double *at,
                 darc_random *r)
{
    double z[2] = {darc_random_normal(r), darc_random_normal(r)}, b[2];
    b[0] = root[0] * z[0] + info[0] * at[0] + info[1] * at[1];
    b[1] = root[1] * z[0] + root[3] * z[1] + info[2] * at[0] + info[3] * at[1];
    return darc_watch_take(f, w, b, info, info);
}

/* 80 baselines whose errors are drawn (base times the information of a window),
 * 400 alarms expected.  Their number has an error of 5 % by itself, 7 % by the
 * spread of baselines, and the threshold one of 5 %: 25 % is 2.5 sd. */
START_TEST(false_alarms_are_as_rare_as_asked)
{
    enum { BASES = 80, WINDOWS = 500 };
    double each[2], determinant = info[0] * info[3] - info[1] * info[2];
    darc_watch w;
    darc_watch_finding f = {.each = each};
    darc_random r;
    int alarms = 0;
    darc_random_init(&r, 7, 0);
    open_watch(&w, 4, 64, 0.01);
    for (int base = 0; base < BASES; base++) {
        /* The inverse of root' z / sqrt(base) has the covariance of errors. */
        double z[2] = {darc_random_normal(&r) / 8, darc_random_normal(&r) / 8};
        double b[2] = {root[0] * z[0], root[1] * z[0] + root[3] * z[1]};
        double at[2] = {(info[3] * b[0] - info[1] * b[1]) / determinant,
                        (info[0] * b[1] - info[2] * b[0]) / determinant};
        darc_watch_forget(&w);
        for (int k = 0; k < WINDOWS; k++)
            alarms += take(&f, &w, at, &r);
    }
    ck_assert_int_gt(alarms, 300);
    ck_assert_int_lt(alarms, 500);
    darc_watch_clear(&w);
}
END_TEST

/* A change of the second coefficient by three standard deviations of a window,
 * alone: 1 / sqrt(info_22). */
START_TEST(changes_are_found_and_named)
{
    double each[2], still[2] = {0, 0}, moved[2] = {0, 3 / sqrt(2)};
    darc_watch w;
    darc_watch_finding f = {.each = each};
    darc_random r;
    int late = 0, wrong = 0;
    double sum = 0;
    darc_random_init(&r, 8, 0);
    open_watch(&w, 8, 1e6, 0.001);
    for (int run = 0; run < 100; run++) {
        darc_watch_forget(&w);
        for (int k = 0; k < 5; k++)
            take(&f, &w, still, &r);
        darc_watch_forget(&w);
        int k = 1;
        while (!take(&f, &w, moved, &r) && k < 100)
            k++;
        late += k > 8;
        wrong += f.direction != 1;
        sum += f.change;
    }
    ck_assert_int_eq(late, 0);
    ck_assert_int_le(wrong, 2);
    /* Alarms come where noise adds to the change: the mean is high, by less
     * than a standard deviation. */
    ck_assert_double_gt(sum / 100, moved[1]);
    ck_assert_double_lt(sum / 100, moved[1] + 1 / sqrt(2));
    darc_watch_clear(&w);
}
END_TEST

/* ---- the program --------------------------------------------------------- */

/* What T changes to. */
static double lag = 0.103;

/* A low-pass filter with an input of three sines, T changing at a time, its
 * output continuous; rows from begin to end, every `lost`-th row left out and
 * every `late`-th one repeated. */
static void write_stream(const char *name, double until, double change,
                         int lost, int late, uint64_t seed)
{
    static const double w[3] = {1.7, 6.1, 14.3};
    FILE *f = fopen(program_path(name), "w");
    darc_random r;
    darc_random_init(&r, seed, 0);
    fprintf(f, "t [s],u [V],y [V]\n");
    double jump = 0;
    for (int k = 0; k * 0.02 < until; k++) {
        double t = k * 0.02, u = 0, y = 0, T = t < change ? 0.1 : lag;
        double before = 0, after = 0;
        for (int i = 0; i < 3; i++) {
            u += sin(w[i] * t);
            y += 2 * sin(w[i] * t - atan(w[i] * T)) / hypot(1, w[i] * T);
            before += 2 * sin(w[i] * change - atan(w[i] * 0.1)) /
                      hypot(1, w[i] * 0.1);
            after += 2 * sin(w[i] * change - atan(w[i] * lag)) /
                     hypot(1, w[i] * lag);
        }
        jump = t < change ? 0 : (before - after) * exp((change - t) / T);
        y += jump + 0.03 * darc_random_normal(&r);
        if (lost > 0 && k % lost == lost - 1)
            continue;
        fprintf(f, "%.9g,%.9g,%.9g\n", t, u, y);
        if (late > 0 && k % late == late - 1)
            fprintf(f, "%.9g,0,0\n", t - 0.1);
    }
    fclose(f);
}

static int monitor(const char *with)
{
    const char *model = program_write(
        "m.darc", "model m\nparameters\n T [s]\n K\ninputs\n u [V]\noutputs\n"
                  " y [V]\nequations\n T*y' + y = K*u\n");
    darc_text_reset(call);
    darc_text_printf(call, "monitor %s --baseline %s %s", model,
                     program_path("good.csv"), with);
    return program_run(call->s, out, err);
}

/* .06 y'' + .1 y' + .5 y = u at 200 Hz; u by position and a filtered
 * derivative, noise of .002 in both, held. */
static void write_servo(const char *name, int samples, uint64_t seed)
{
    enum { FINE = 10 };
    double y = 0, v = 0, speed = 0, last = 0, set = 0, dt = 0.005;
    darc_random r;
    FILE *f = fopen(program_path(name), "w");
    ck_assert_ptr_nonnull(f);
    darc_random_init(&r, seed, 0);
    fputs("t,u,y\n", f);
    for (int t = 0; t < samples; t++) {
        double seen = y + 0.002 * darc_random_normal(&r);
        if (t % 100 == 0)
            set = 0.5 * darc_random_normal(&r);
        speed = 0.6 * speed + 0.4 * (seen - last) / dt;
        last = seen;
        double u = 3 * (set - seen) - 0.25 * speed;
        fprintf(f, "%.9g,%.9g,%.9g\n", t * dt, u, seen);
        for (int i = 0; i < FINE; i++) {
            double h = dt / FINE, half = y + h / 2 * v;
            double mean = v + h / 2 * (u - 0.1 * v - 0.5 * y) / 0.06;
            v += h * (u - 0.1 * mean - 0.5 * half) / 0.06;
            y += h * mean;
        }
    }
    fclose(f);
}

static int count(const char *text)
{
    int n = 0;
    for (const char *s = out->s; (s = strstr(s, text)) != NULL; s++)
        n++;
    return n;
}

/* T changes by 3 % at 60 s. */
START_TEST(a_stream_gives_an_alarm_with_its_parameter)
{
    char with[600];
    write_stream("good.csv", 400, 1e9, 0, 0, 1);
    write_stream("stream.csv", 120, 60, 0, 0, 2);
    snprintf(with, sizeof with, "< %s", program_path("stream.csv"));
    ck_assert_msg(monitor(with) == 0, "%s", err->s);
    const char *alarm = strstr(out->s, "\"alarm\": true");
    ck_assert_msg(alarm != NULL, "%s", out->s);
    ck_assert_ptr_nonnull(strstr(alarm, "\"changed\": [[\"T\"]]"));
    while (alarm[-1] != '\n' && alarm > out->s)
        alarm--;
    double at = program_json_number(alarm, "time", 0);
    ck_assert_double_gt(at, 60);
    ck_assert_double_lt(at, 90);
    int windows = count("time");
    /* Lost and late rows tell the same; a file as well as a pipe. */
    write_stream("stream.csv", 120, 60, 1000, 700, 2);
    ck_assert_int_eq(monitor(program_path("stream.csv")), 0);
    ck_assert_int_ge(count("time"), windows - 1);
    ck_assert_ptr_nonnull(strstr(out->s, "\"changed\": [[\"T\"]]"));
    ck_assert_int_eq(count("skipped"), 0);
}
END_TEST

/* The command of a controller is held, in windows as in the baseline: an alarm
 * in three is expected, 60 where windows take it for a line. */
START_TEST(a_closed_loop_gives_no_alarms)
{
    write_servo("good.csv", 8000, 1);
    write_servo("stream.csv", 6000, 2);
    const char *model = program_write(
        "s.darc", "model servo\nparameters\n J d k\ninputs\n u\noutputs\n y\n"
                  "equations\n J*y'' + d*y' + k*y = u\n");
    darc_text_reset(call);
    darc_text_printf(call,
                     "monitor %s --baseline %s --false-alarms-per-day 1000 "
                     "< %s",
                     model, program_path("good.csv"),
                     program_path("stream.csv"));
    ck_assert_msg(program_run(call->s, out, err) == 0, "%s", err->s);
    ck_assert_int_ge(count("\"time\""), 20);
    ck_assert_int_le(count("\"alarm\": true"), 3);
}
END_TEST

/* A change far beyond what the score knows of is told by a fit: no other
 * equations are to blame. */
START_TEST(a_large_change_keeps_its_name)
{
    write_stream("good.csv", 400, 1e9, 0, 0, 1);
    lag = 0.2;
    write_stream("stream.csv", 30, -10, 0, 0, 2);
    lag = 0.103;
    ck_assert_int_eq(monitor(program_path("stream.csv")), 0);
    ck_assert_int_ge(count("\"alarm\": true"), 5);
    ck_assert_int_eq(count("\"changed\": [[\"T\"]]"), count("\"alarm\": true"));
    ck_assert_int_eq(count("inconsistent"), 0);
    ck_assert_double_eq_tol(program_json_number(out->s, "value", 0), 0.2,
                            0.005);
}
END_TEST

/* Before any window contradicts the equations, too: the score of 20 % told T as
 * .1166 +- .0003, and no name for it. */
START_TEST(a_change_of_some_per_cent_has_its_value)
{
    write_stream("good.csv", 400, 1e9, 0, 0, 1);
    lag = 0.12;
    write_stream("stream.csv", 120, -10, 0, 0, 2);
    lag = 0.103;
    ck_assert_int_eq(monitor(program_path("stream.csv")), 0);
    ck_assert_int_ge(count("\"alarm\": true"), 5);
    ck_assert_msg(20 * count("\"changed\": []") < count("\"alarm\": true"),
                  "%d of %d", count("\"changed\": []"),
                  count("\"alarm\": true"));
    double off = 0;
    for (int i = 0; i < count("value"); i++)
        off = fmax(off, fabs(program_json_number(out->s, "value", i) - 0.12) /
                            program_json_number(out->s, "sd", i));
    ck_assert_double_lt(off, 4.5);
}
END_TEST

/* Write the header of a stream and its rows from begin to end - 1. */
static void cut(const char *from, const char *to, int begin, int end)
{
    char row[256];
    FILE *f = fopen(program_path(from), "r"), *g = fopen(program_path(to), "w");
    for (int k = -1; fgets(row, sizeof row, f) != NULL; k++)
        if (k < 0 || (k >= begin && k < end))
            fputs(row, g);
    fclose(f);
    fclose(g);
}

/* A state goes on with what the last windows told, and is one of its monitor
 * alone. */
START_TEST(a_state_goes_on)
{
    char with[1200];
    write_stream("good.csv", 1600, 1e9, 0, 0, 1);
    write_stream("whole.csv", 110, 1e9, 0, 0, 5);
    cut("whole.csv", "one.csv", 0, 2500);
    cut("whole.csv", "two.csv", 2500, 1 << 20);
    darc_text_t alone = DARC_TEXT, after = DARC_TEXT, kept = DARC_TEXT;
    ck_assert_msg(monitor(program_path("two.csv")) == 0, "%s", err->s);
    darc_text_puts(alone, out->s);
    ck_assert_int_ge(count("time"), 8);
    snprintf(with, sizeof with, "%s --state %s", program_path("one.csv"),
             program_path("state"));
    ck_assert_int_eq(monitor(with), 0);
    ck_assert(program_read_file(program_path("state"), kept));
    ck_assert_ptr_nonnull(strstr(kept->s, "darc monitor 2"));
    snprintf(with, sizeof with, "%s --state %s", program_path("two.csv"),
             program_path("state"));
    ck_assert_int_eq(monitor(with), 0);
    darc_text_puts(after, out->s);
    ck_assert_str_ne(after->s, alone->s);
    program_write("state", kept->s);
    ck_assert_int_eq(monitor(with), 0);
    ck_assert_str_eq(after->s, out->s);
    program_write("state", "darc monitor 2\n9 9 9\n");
    ck_assert_int_eq(monitor(with), 4);
    ck_assert_ptr_nonnull(strstr(err->s, "is not the state of a monitor"));
    darc_text_clear(kept);
    darc_text_clear(after);
    darc_text_clear(alone);
}
END_TEST

/* As `| head -1` does: the second half comes when it has left. */
START_TEST(a_reader_may_leave)
{
    char with[2048];
    const char *folder = program_directory();
    write_stream("good.csv", 400, 1e9, 0, 0, 1);
    write_stream("stream.csv", 100, 1e9, 0, 0, 2);
    snprintf(with, sizeof with,
             "< %s/fifo 2>%s/said | (head -1; exec <&-; : >%s/left) & (head "
             "-2000 %s/stream.csv; until [ -e %s/left ]; do sleep .01; done; "
             "tail -n +2001 %s/stream.csv) >%s/fifo; wait",
             folder, folder, folder, folder, folder, folder, folder);
    make_fifo();
    monitor(with);
    ck_assert_int_eq(count("time"), 1);
    darc_text_reset(err);
    ck_assert(program_read_file(program_path("said"), err));
    ck_assert_str_eq(err->s, "");
}
END_TEST

/* A producer that is killed leaves part of a row, before the header of the next
 * one, or at the end; its last number may be anything. */
START_TEST(a_row_that_was_cut_is_dropped)
{
    static const char *const part[] = {"100.02,1.3", "100.02,1.3,9e9"};
    char with[2048];
    const char *folder = program_directory();
    write_stream("good.csv", 400, 1e9, 0, 0, 1);
    write_stream("stream.csv", 100, 1e9, 0, 0, 2);
    ck_assert_int_eq(monitor(program_path("stream.csv")), 0);
    int windows = count("time");
    make_fifo();
    for (int k = 0; k < 2; k++) {
        snprintf(with, sizeof with,
                 "(for i in 1 2; do cat %s/stream.csv; printf %s; done) "
                 ">%s/fifo &",
                 folder, part[k], folder);
        ck_assert_int_eq(system(with), 0);
        snprintf(with, sizeof with, "< %s/fifo", folder);
        ck_assert_msg(monitor(with) == 0, "%s", err->s);
        ck_assert_int_ge(count("time"), 2 * windows);
        ck_assert_int_eq(count("true"), 0);
    }
}
END_TEST

START_TEST(a_short_stream_is_told)
{
    write_stream("good.csv", 400, 1e9, 0, 0, 1);
    write_stream("stream.csv", 0.2, 1e9, 0, 0, 2);
    ck_assert_int_eq(monitor(program_path("stream.csv")), 0);
    ck_assert_int_eq(count("time"), 0);
    ck_assert_msg(strstr(err->s, "no window: the stream ended behind 10 of ") !=
                      NULL,
                  "%s", err->s);
}
END_TEST

START_TEST(unsound_baselines_are_refused)
{
    char with[600];
    write_stream("good.csv", 1.4, 1e9, 0, 0, 1);
    write_stream("stream.csv", 5, 1e9, 0, 0, 2);
    snprintf(with, sizeof with, "%s --noise-colour white",
             program_path("stream.csv"));
    ck_assert_int_eq(monitor(with), 4);
    ck_assert_msg(strstr(err->s, "are needed") != NULL, "%s", err->s);
    write_stream("good.csv", 400, 200, 0, 0, 1);
    ck_assert_int_eq(monitor(with), 4);
    ck_assert_ptr_nonnull(strstr(err->s, "unexplained"));
    snprintf(with, sizeof with, "%s --false-alarms-per-day 1e6",
             program_path("stream.csv"));
    write_stream("good.csv", 400, 1e9, 0, 0, 1);
    ck_assert_int_eq(monitor(with), 3);
    ck_assert_ptr_nonnull(strstr(err->s, "a day has"));
}
END_TEST

Suite *suite_monitor(void)
{
    Suite *s = suite_create("monitor");
    TCase *tc = tcase_create("monitor");
    tcase_add_test(tc, false_alarms_are_as_rare_as_asked);
    tcase_add_test(tc, changes_are_found_and_named);
    tcase_add_test(tc, a_stream_gives_an_alarm_with_its_parameter);
    tcase_add_test(tc, a_closed_loop_gives_no_alarms);
    tcase_add_test(tc, a_large_change_keeps_its_name);
    tcase_add_test(tc, a_change_of_some_per_cent_has_its_value);
    tcase_add_test(tc, a_state_goes_on);
    tcase_add_test(tc, a_reader_may_leave);
    tcase_add_test(tc, a_row_that_was_cut_is_dropped);
    tcase_add_test(tc, a_short_stream_is_told);
    tcase_add_test(tc, unsound_baselines_are_refused);
    suite_add_tcase(s, tc);
    return s;
}
