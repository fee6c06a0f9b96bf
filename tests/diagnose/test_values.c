/* Values hold the truth: intervals cover it as often as they say, pooled over
 * recordings and equations; what no recording tells is not told. */
#include "tests.h"

#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static darc_text_t out = DARC_TEXT, err = DARC_TEXT, call = DARC_TEXT;

static int run(const char *arguments)
{
    return program_run(arguments, out, err);
}

/* Simulate a model of the directory. */
static void make(const char *model, const char *with, int seed, const char *to)
{
    darc_text_reset(call);
    darc_text_printf(call,
                     "simulate %s/%s %s --noise 0.01 --seed %d --rate 200 "
                     "--t-end 20 --quiet -o %s/%s",
                     program_directory(), model, with, seed,
                     program_directory(), to);
    ck_assert_msg(run(call->s) == 0, "%s", err->s);
}

static const char *const motor =
    "model motor\nparameters\n R [ohm]\n L [H]\n k [V*s]\n J [kg*m^2]\n b "
    "[N*m*s]\ninputs\n u [V]\noutputs\n i [A]\n w [rad/s]\nequations\n L*i' + "
    "R*i + k*w = u\n J*w' + b*w = k*i\n";

#define MOTOR                                                                  \
    "--param R=0.5,L=0.05,k=0.4,J=0.02,b=0.03 --input u=multisine:5,0.1,8"

/* Of two equations that share k: 5 values of 16 runs.  At 99 % five misses of
 * 80 or more have a probability of 0.0014. */
START_TEST(intervals_cover_the_truth)
{
    enum { RUNS = 16, VALUES = 5 };
    static const char *const name[] = {"R", "L", "k", "J", "b"};
    static const double truth[] = {0.5, 0.05, 0.4, 0.02, 0.03};
    int missed = 0;
    double squares = 0;
    program_write("motor.darc", motor);
    for (int k = 0; k < RUNS; k++) {
        make("motor.darc", MOTOR, k + 1, "m.csv");
        darc_text_reset(call);
        darc_text_printf(call, "values %s/motor.darc %s/m.csv --json -",
                         program_directory(), program_directory());
        ck_assert_msg(run(call->s) == 0, "%s", err->s);
        for (int v = 0; v < VALUES; v++) {
            double low = program_json_number(out->s, "low", v);
            double high = program_json_number(out->s, "high", v);
            double value = program_json_number(out->s, "value", v);
            double z =
                (value - truth[v]) / program_json_number(out->s, "sd", v);
            darc_text_reset(call);
            darc_text_printf(call, "\"name\": \"%s\"", name[v]);
            ck_assert_ptr_nonnull(strstr(out->s, call->s));
            missed += !(low <= truth[v] && truth[v] <= high);
            squares += z * z;
        }
    }
    ck_assert_int_lt(missed, 5);
    /* Mean of z^2: 1; its sd is at most sqrt(2/16) where the five move as
     * one. */
    ck_assert_double_gt(squares / (RUNS * VALUES), 1 - 0.7);
    ck_assert_double_lt(squares / (RUNS * VALUES), 1 + 4 * 0.354);
}
END_TEST

START_TEST(recordings_pool)
{
    program_write("motor.darc", motor);
    make("motor.darc", MOTOR, 1, "a.csv");
    make("motor.darc", MOTOR, 2, "b.csv");
    darc_text_t one = DARC_TEXT;
    darc_text_printf(one, "values %s/motor.darc %s/a.csv --json -",
                     program_directory(), program_directory());
    run(one->s);
    double alone = program_json_number(out->s, "sd", 0);
    darc_text_reset(one);
    darc_text_printf(one, "values %s/motor.darc %s/a.csv %s/b.csv --json -",
                     program_directory(), program_directory(),
                     program_directory());
    run(one->s);
    double both = program_json_number(out->s, "sd", 0);
    ck_assert_double_lt(fabs(both / alone - sqrt(0.5)), 0.1);
    ck_assert(program_json_is(out->s, "unit", "ohm"));
    /* Another motor: the recordings contradict each other. */
    make("motor.darc",
         "--param R=1,L=0.05,k=0.4,J=0.02,b=0.03 --input "
         "u=multisine:5,0.1,8",
         3, "b.csv");
    ck_assert_int_eq(run(one->s), 4);
    ck_assert_ptr_nonnull(strstr(err->s, "contradict each other"));
    darc_text_clear(one);
}
END_TEST

/* R and C cannot be told, their product can: in its unit. */
START_TEST(functions_stand_for_what_is_not_identified)
{
    program_write("rc.darc",
                  "model rc\nparameters\n R [kohm]\n C [uF]\ninputs\n u "
                  "[V]\noutputs\n y [V]\nequations\n R*C*y' + y = u\n");
    make("rc.darc", "--param R=10,C=0.02 --input u=multisine:1,0.1,3", 1,
         "rc.csv");
    darc_text_t ask = DARC_TEXT;
    darc_text_printf(ask, "values %s/rc.darc %s/rc.csv", program_directory(),
                     program_directory());
    ck_assert_int_eq(run(ask->s), 0);
    ck_assert_msg(strstr(out->s, "R*C = 0.") != NULL ||
                      strstr(out->s, "C*R = 0.") != NULL,
                  "%s", out->s);
    ck_assert_ptr_nonnull(strstr(out->s, "kohm*uF"));
    ck_assert_ptr_nonnull(
        strstr(out->s, "not identifiable by themselves: R, C"));
    ck_assert_ptr_null(strstr(out->s, "  R = "));
    darc_text_clear(ask);
}
END_TEST

/* x'' = -w^2 x: w and -w. */
START_TEST(local_values_say_so)
{
    program_write("w.darc", "model w\nparameters\n w d\ninputs\n u\noutputs\n "
                            "y\nequations\n y'' + d*y' + w^2*y = u\n");
    make("w.darc", "--param w=3,d=0.5 --input u=multisine:1,0.1,3", 1, "w.csv");
    darc_text_t ask = DARC_TEXT;
    darc_text_printf(ask, "values %s/w.darc %s/w.csv", program_directory(),
                     program_directory());
    ck_assert_int_eq(run(ask->s), 0);
    ck_assert_msg(strstr(out->s, "(or another value)") != NULL, "%s", out->s);
    darc_text_clear(ask);
}
END_TEST

/* Of the two parameters one has not changed, in the table printed. */
static void check_branch(void)
{
    int small = 0;
    ck_assert_msg(strstr(out->s, "% (or another value)") != NULL, "%s", out->s);
    for (const char *p = "ab"; *p != '\0'; p++) {
        char line[8];
        double from = 0, to = 0;
        snprintf(line, sizeof line, "\n  %c  ", *p);
        const char *at = strstr(out->s, line);
        ck_assert_msg(at != NULL, "%s", out->s);
        ck_assert_int_eq(sscanf(at + 6, "%lf +- %*f %lf", &from, &to), 2);
        small += fabs(to / from - 1) < 0.05;
    }
    ck_assert_msg(small == 1, "%s", out->s);
}

/* Two filters in a row: which is the first nobody knows, but it is the same in
 * both recordings. */
START_TEST(recordings_are_compared_on_one_branch)
{
    static const char *const ask_of[] = {
        "check equal %s/ab.darc %s/a.csv %s/b.csv",
        "check changed %s/ab.darc %s/a.csv %s/b.csv --changed a",
        "isolate %s/ab.darc %s/a.csv %s/b.csv"};
    program_write("ab.darc",
                  "model ab\nparameters\n a > 0\n b > 0\ninputs\n u\n"
                  "outputs\n y\nequations\n"
                  " y'' + (a + b)*y' + a*b*y = u\n");
    darc_text_t ask = DARC_TEXT;
    for (int i = 0; i < 2; i++) { /* the larger one, then the smaller one */
        make("ab.darc",
             i == 0 ? "--param a=5,b=1 --input u=multisine:1,0.1,3"
                    : "--param a=1,b=2 --input u=multisine:1,0.1,3",
             1, "a.csv");
        make("ab.darc",
             i == 0 ? "--param a=1,b=9 --input u=multisine:1,0.1,3"
                    : "--param a=1.2,b=2 --input u=multisine:1,0.1,3",
             2, "b.csv");
        for (int k = 0; k < 3; k++) {
            darc_text_reset(ask);
            darc_text_printf(ask, ask_of[k], program_directory(),
                             program_directory(), program_directory());
            int code = run(ask->s);
            ck_assert_msg(k > 0 || code == 1, "%s", out->s);
            check_branch();
        }
    }
    darc_text_clear(ask);
}
END_TEST

Suite *suite_values(void)
{
    Suite *s = suite_create("values");
    TCase *tc = tcase_create("core");
    tcase_add_test(tc, intervals_cover_the_truth);
    tcase_add_test(tc, recordings_pool);
    tcase_add_test(tc, functions_stand_for_what_is_not_identified);
    tcase_add_test(tc, local_values_say_so);
    tcase_add_test(tc, recordings_are_compared_on_one_branch);
    suite_add_tcase(s, tc);
    return s;
}
