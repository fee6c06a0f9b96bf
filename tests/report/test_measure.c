/* What stands on a terminal: the verdict first, then what moved, and nothing
 * that only the arithmetic knows. */
#include "tests.h"

#include "program.h"
#include "report/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CAR "systems/quarter_car_chassis/"

static darc_text_t out = DARC_TEXT, err = DARC_TEXT;

static bool begins(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

START_TEST(numbers_have_the_digits_of_their_intervals)
{
    static const struct {
        double value, half;
        const char *unit, *text;
    } list[] = {{0.500014, 0.00036, "ohm", "0.50001 +- 0.00036 ohm"},
                {-2.385, 0.1, NULL, "-2.38 +- 0.10"},
                {23857, 130, "N/m", "23857 +- 130 N/m"},
                {2.802e-4, 3e-6, "", "2.802e-04 +- 3.0e-06"},
                {0.5, INFINITY, "ohm", "not known"},
                {1.2e-10, 2.5e-5, "%", "0 +- 2.5e-05 %"},
                {-1.2e-6, 2.5e-5, "%", "-1e-06 +- 2.5e-05 %"},
                {0, 1.9e-4, "", "0 +- 0.00019"},
                {4e11, 1.1e15, "", "0 +- 1.1e+15"},
                {2, 0, "", "2 +- 0"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        darc_text_reset(out);
        darc_report_measure(out, list[i].value, list[i].half, list[i].unit);
        ck_assert_str_eq(out->s, list[i].text);
    }
}
END_TEST

START_TEST(changes_refer_to_what_is_not_0)
{
    darc_estimate e = {.value_a = 4, .sd_a = 0.1, .value_b = 5, .sd_b = 0};
    double change, sd;
    darc_report_change(&change, &sd, &e);
    ck_assert_double_eq_tol(change, 0.25, 1e-15);
    ck_assert_double_eq_tol(sd, 5 * 0.1 / 16, 1e-15);
    ck_assert(darc_report_moved(&e, 0.01));
    e.sd_a = 0.5;
    ck_assert(!darc_report_moved(&e, 0.01));
    e.value_a = 0.7;
    darc_report_change(&change, &sd, &e);
    ck_assert(isnan(change));
}
END_TEST

/* The answer in the first line, few lines behind it. */
static const struct {
    const char *arguments, *first;
} answers[] = {
    {"check structure " CAR "model.darc " CAR "data.csv", "CONSISTENT: "},
    {"check structure " CAR "model.darc " CAR "cubic.csv", "INCONSISTENT: "},
    {"check equal " CAR "model.darc " CAR "data.csv " CAR "heavier.csv",
     "INCONSISTENT: the parameters differ: "},
    {"check equal " CAR "model.darc " CAR "data.csv " CAR "data.csv",
     "UNDECIDED: "},
    {"check structure " CAR "model.darc " CAR "data.csv --method pointwise",
     "CONSISTENT: "},
    {"isolate " CAR "model.darc " CAR "data.csv " CAR "heavier.csv",
     "diagnosis   {m}: "},
};

START_TEST(answers_come_first)
{
    static const char *const never[] = {" -1 dof",      "inf",       "nan",
                                        "p = 0\n",      "p = 0 ",    " 0 used",
                                        "of its terms", "statistic", "relation",
                                        "weak form",    "noise of"};
    program_run(answers[_i].arguments, out, err);
    ck_assert_msg(begins(out->s, answers[_i].first), "%s", out->s);
    int lines = 0;
    for (const char *s = out->s; *s != '\0'; s++)
        lines += *s == '\n';
    ck_assert_msg(lines <= 14, "%s", out->s);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        ck_assert_msg(i == 6 && _i == 4 ? true
                                        : strstr(out->s, never[i]) == NULL,
                      "'%s' in\n%s", never[i], out->s);
}
END_TEST

START_TEST(all_else_is_there_when_asked_for)
{
    darc_text_t call = DARC_TEXT;
    darc_text_printf(call, "%s --verbose", answers[2].arguments);
    program_run(call->s, out, err);
    ck_assert_ptr_nonnull(strstr(out->s, "  weak form   "));
    ck_assert_ptr_nonnull(strstr(out->s, "  test        weak, statistic "));
    ck_assert_ptr_nonnull(strstr(out->s, "noise of a"));
    ck_assert_ptr_null(strstr(out->s, "p = 0,"));
    darc_text_reset(call);
    darc_text_printf(call, "%s --verbose", answers[5].arguments);
    program_run(call->s, out, err);
    ck_assert_ptr_nonnull(strstr(out->s, "{c}"));
    program_run("identify " CAR "model.darc", out, err);
    ck_assert_ptr_null(strstr(out->s, "61 bits"));
    ck_assert_ptr_null(strstr(out->s, "io-equations"));
    program_run("identify " CAR "model.darc --verbose", out, err);
    ck_assert_ptr_nonnull(strstr(out->s, "io-equations"));
    darc_text_clear(call);
}
END_TEST

/* Recordings that tell nothing: short ones, noise alone, a constant. */
START_TEST(no_answer_holds_empty_numbers)
{
    static const char *const files[] = {"short.csv", "noise.csv", "still.csv"};
    static const char *const empty[] = {"inf ", "nan", " 0 samples", "p = 0 ",
                                        "at least 0 %"};
    darc_text_t csv = DARC_TEXT, call = DARC_TEXT;
    unsigned state = 1;
    for (int i = 0; i < 3; i++) {
        darc_text_reset(csv);
        darc_text_puts(csv, "t,a,z\n");
        for (int k = 0; k < (i == 0 ? 8 : 2000); k++) {
            double x[2];
            for (int j = 0; j < 2; j++) {
                state = state * 1664525u + 1013904223u;
                x[j] = i == 2 ? 1 : state / 4294967296.0 - 0.5;
            }
            darc_text_printf(csv, "%g,%.9g,%.9g\n", 0.001 * k, x[0], x[1]);
        }
        const char *file = program_write(files[i], csv->s);
        for (int two = 0; two < 2; two++) {
            darc_text_reset(call);
            darc_text_printf(call, "check %s " CAR "model.darc %s %s",
                             two ? "equal" : "structure", file,
                             two ? CAR "data.csv" : "");
            ck_assert_int_eq(program_run(call->s, out, err), 2);
            for (size_t k = 0; k < sizeof empty / sizeof *empty; k++)
                ck_assert_msg(strstr(out->s, empty[k]) == NULL, "%s in\n%s",
                              empty[k], out->s);
        }
    }
    darc_text_clear(csv);
    darc_text_clear(call);
}
END_TEST

/* Functions are called as in the model. */
START_TEST(functions_have_their_names)
{
    darc_text_t call = DARC_TEXT;
    const char *dir = program_directory();
    program_write("swing.darc",
                  "model swing\nparameters\n a b c\noutputs\n p\ninputs\n u "
                  "q\nequations\n a*p'' + b*p' + c*cos(p + q) = u\n");
    darc_text_printf(call,
                     "simulate %s/swing.darc --param a=1,b=0.5,c=2 --input "
                     "u=multisine:1,0.1,2 --input q=multisine:1,0.2,1 --noise "
                     "0.001 --t-end 20 --rate 200 -o %s/swing.csv",
                     dir, dir);
    if (program_run(call->s, out, err) == 0) {
        darc_text_reset(call);
        darc_text_printf(call,
                         "check structure %s/swing.darc %s/swing.csv --verbose",
                         dir, dir);
        program_run(call->s, out, err);
        ck_assert_msg(strstr(out->s, "cos(p + q)") != NULL, "%s", out->s);
        ck_assert_ptr_null(strstr(out->s, "cos_1"));
    } else
        ck_abort_msg("%s", err->s);
    darc_text_clear(call);
}
END_TEST

/* Who reads the first lines and leaves is no error. */
START_TEST(readers_may_leave)
{
    program_run("isolate " CAR "model.darc " CAR "data.csv " CAR
                "heavier.csv | head -1",
                out, err);
    ck_assert(begins(out->s, "diagnosis   {m}: "));
    ck_assert_str_eq(err->s, "");
    program_run("help options | head -1", out, err);
    ck_assert_str_eq(err->s, "");
}
END_TEST

START_TEST(shows_the_largest_of_each_part)
{
    const double x[] = {0, 0.1, -8, 1, NAN, NAN, 4, INFINITY};
    darc_text_t t;
    darc_text_init(t);
    darc_sparkline(t, x, 8, 8, 4, false);
    ck_assert_str_eq(t->s, ".@ +");
    darc_text_reset(t);
    darc_sparkline(t, x, 8, 8, 4, true);
    ck_assert_str_eq(t->s, "\u2581\u2588 \u2585");
    darc_text_reset(t);
    darc_sparkline(t, x, 2, 0.05, 5, false); /* more cells than values */
    ck_assert_str_eq(t->s, "...@@");
    darc_text_reset(t);
    darc_sparkline(t, x, 0, 1, 3, true);
    ck_assert_str_eq(t->s, "   ");
    darc_text_clear(t);
}
END_TEST

Suite *suite_measure(void)
{
    Suite *s = suite_create("measure");
    TCase *tc = tcase_create("core");
    tcase_add_test(tc, numbers_have_the_digits_of_their_intervals);
    tcase_add_test(tc, changes_refer_to_what_is_not_0);
    tcase_add_loop_test(tc, answers_come_first, 0,
                        sizeof answers / sizeof *answers);
    tcase_add_test(tc, all_else_is_there_when_asked_for);
    tcase_add_test(tc, no_answer_holds_empty_numbers);
    tcase_add_test(tc, functions_have_their_names);
    tcase_add_test(tc, readers_may_leave);
    tcase_add_test(tc, shows_the_largest_of_each_part);
    suite_add_tcase(s, tc);
    return s;
}
