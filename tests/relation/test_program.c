/* The command line, through the program itself. */
#include "tests.h"

#include "program.h"

#include <stdio.h>

#include <math.h>
#include <string.h>

static darc_text_t out = DARC_TEXT, err = DARC_TEXT;

static void expect(const char *arguments, int code, const char *in_out,
                   const char *in_err)
{
    int got = program_run(arguments, out, err);
    ck_assert_msg(got == code, "darc %s: exit code %d, not %d\n%s%s", arguments,
                  got, code, out->s, err->s);
    ck_assert_msg(strstr(out->s, in_out) != NULL, "darc %s: output\n%s",
                  arguments, out->s);
    ck_assert_msg(strstr(err->s, in_err) != NULL, "darc %s: messages\n%s",
                  arguments, err->s);
}

START_TEST(version_and_help)
{
    expect("--version", 0, "darc 0.1.0\n", "");
    expect("--help", 0, "usage: darc COMMAND", "");
    expect("help", 0, "usage: darc COMMAND", "");
    expect("", 3, "", "usage: darc COMMAND");
    expect("chek", 3, "", "no command or topic 'chek'");
    expect("README.md", 3, "", "'README.md' is a file, not a command");
    expect("help chek", 3, "", "no command or topic 'chek'");
    expect("'ch\x1b[2J'", 3, "", "no command or topic 'ch\\x1b[2J'");
}
END_TEST

#define CAR "systems/quarter_car_chassis/"

START_TEST(wrong_command_lines_are_named)
{
    expect("check structure", 3, "", "usage: darc check");
    expect("check structur " CAR "model.darc x.csv", 3, "",
           "expected structure, equal or changed, not 'structur'");
    expect("check equal " CAR "model.darc " CAR "data.csv", 3, "",
           "check equal takes MODEL and two recordings");
    expect("check structure " CAR "model.darc " CAR "data.csv --alhpa 0.1", 3,
           "", "unknown option '--alhpa' (did you mean '--alpha'?)");
    expect("check structure " CAR "model.darc " CAR "data.csv --alpha 7", 3, "",
           "--alpha: 7 lies outside 1e-12 .. 0.5");
    expect("check structure " CAR "model.darc " CAR "data.csv --alpha x", 3, "",
           "--alpha: expected a number, not 'x'");
    expect("check structure " CAR "model.darc " CAR "data.csv --threads 1.5", 3,
           "", "--threads: expected a whole number");
    expect("check structure " CAR "model.darc " CAR "data.csv --method best", 3,
           "", "--method: expected weak|pointwise|trajectory|auto, not 'best'");
    expect("check structure " CAR "model.darc " CAR "data.csv --noise a", 3, "",
           "--noise: expected NAME=SD,..., not 'a'");
    expect("check structure " CAR "model.darc " CAR "data.csv --noise q=1", 3,
           "", "--noise: the model has no signal 'q'");
    expect("check structure " CAR "model.darc " CAR "data.csv --map q=1", 3, "",
           "--map: the model has no signal 'q'");
    expect("check structure " CAR "model.darc " CAR "data.csv --scale a=0", 3,
           "", "--scale: a: factor is 0");
    expect("check structure " CAR "model.darc " CAR "data.csv --from 3 --to 2",
           3, "", "--from 3 lies behind --to 2");
    expect("check structure " CAR "model.darc " CAR "data.csv --diff central3",
           3, "", "--diff: 'central3' is none of central2");
    expect("check structure " CAR "model.darc " CAR "data.csv --against q^3", 3,
           "", "--against: term 'q^3': expected signals");
    expect("check structure " CAR "model.darc " CAR
           "data.csv --ranking 'q >> a'",
           3, "", "--ranking: column 1: 'q' is not declared");
    expect("eliminate " CAR "model.darc --ranking 'q >> a'", 3, "",
           "--ranking: column 1: 'q' is not declared");
    expect("identify " CAR "model.darc --ranking 'q >> a'", 3, "",
           "--ranking: column 1: 'q' is not declared");
    expect("--versoin", 3, "", "(did you mean '--version'?)");
    expect("check structure " CAR "model.darc " CAR "data.csv --json", 3, "",
           "--json: expected FILE after it");
    expect("check structure " CAR "model.darc " CAR "data.csv --quiet=1", 3, "",
           "--quiet takes no value");
    expect("check changed " CAR "model.darc " CAR "data.csv " CAR "heavier.csv",
           3, "", "say which parameters");
    expect("check changed " CAR "model.darc " CAR "data.csv " CAR
           "heavier.csv --changed a",
           3, "", "'a' is no parameter");
}
END_TEST

/* On standard error, once, and among the notes in JSON. */
START_TEST(odd_models_are_warned_of)
{
    const char *model = program_write(
        "odd.darc", "parameters\n T [s] K spare\ninputs\n u [V]\noutputs\n y "
                    "[V]\nequations\n T*y' + y = K*u\n");
    char line[300];
    snprintf(line, sizeof line, "identify %s", model);
    expect(line, 0, "spare  no",
           "odd.darc:2:10: warning: no equation uses spare");
    snprintf(line, sizeof line,
             "simulate %s --param T=1,K=1,spare=1 --input "
             "u=sine:1,1 --t-end 9 -o %s --quiet",
             model, program_path("odd.csv"));
    expect(line, 0, "", "");
    snprintf(line, sizeof line, "check structure %s %s --json -", model,
             program_path("odd.csv"));
    expect(line, 0, "2:10: warning: no equation uses spare\"",
           "odd.darc:2:10: ");
}
END_TEST

START_TEST(functions_are_explained)
{
    const char *model = program_write(
        "pendulum.darc", "parameters\n l b\ninputs\n u\noutputs\n y\n"
                         "equations\n l*y'' + b*y' + sin(y) = u\n");
    static const char *const row[][2] = {
        {"", "\n# sin_y = sin(y)\n"},
        {"--for equal", "\n# sin_y = sin(y)\n"},
        {"--format latex", "\n% sin_y = sin(y)\n"},
        {"--format c", "\n// sin_y = sin(y)\n"},
        {"--format json", "\"function\": \"sin(y)\""}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char line[300];
        snprintf(line, sizeof line, "eliminate %s %s", model, row[i][0]);
        expect(line, 0, row[i][1], "");
    }
}
END_TEST

START_TEST(converted_units_are_told)
{
    program_write("in_mm.csv", "t,y [mm]\n0,1\n1,2\n2,4\n3,3\n");
    char line[300];
    snprintf(line, sizeof line, "compare %s %s --json -",
             program_write("in_m.csv", "t,y [m]\n0,0\n1,2\n2,4\n3,3\n"),
             program_path("in_mm.csv"));
    expect(line, 0, "\"units\": \"y of ", "");
    expect(line, 0, "in_mm.csv from mm to m\"", "");
}
END_TEST

START_TEST(a_baseline_is_a_recording)
{
    expect("drift " CAR "model.darc " CAR "heavier.csv --baseline " CAR
           "data.csv",
           1, "data.csv", "");
    expect("drift " CAR "model.darc " CAR "data.csv --baseline " CAR "data.csv",
           3, "", "two recordings or more, counting that of --baseline");
}
END_TEST

START_TEST(missing_files_are_named)
{
    expect("check structure nowhere.darc " CAR "data.csv", 4, "",
           "nowhere.darc: error: cannot open: ");
    expect("check structure " CAR "model.darc nowhere.csv", 4, "",
           "nowhere.csv: error: cannot open: ");
    expect("check structure " CAR "model.darc " CAR "data.csv --time now", 4,
           "", "now");
}
END_TEST

START_TEST(each_verdict_has_its_exit_code)
{
    expect("check structure " CAR "model.darc " CAR
           "data.csv --method pointwise --quiet",
           0, "consistent\n", "");
    expect("check structure " CAR "model.darc " CAR
           "cubic.csv --method pointwise --quiet",
           1, "inconsistent\n", "");
    expect("check structure " CAR "model.darc " CAR
           "data.csv --method pointwise --scale z=1e-300 --quiet",
           2, "undecided\n", "");
}
END_TEST

START_TEST(data_come_from_standard_input)
{
    expect("check structure " CAR "model.darc - --quiet <" CAR "data.csv", 0,
           "consistent\n", "");
}
END_TEST

START_TEST(a_copy_is_no_second_recording)
{
    static const char *const method[] = {"weak", "pointwise"};
    for (int i = 0; i < 2; i++) {
        char command[256];
        snprintf(command, sizeof command,
                 "check equal " CAR "model.darc " CAR "data.csv " CAR
                 "data.csv --method %s",
                 method[i]);
        expect(command, 2, "UNDECIDED: both recordings hold the same samples",
               "");
    }
    expect("isolate " CAR "model.darc " CAR "data.csv " CAR "data.csv", 2,
           "both recordings hold the same samples", "");
}
END_TEST

START_TEST(json_stands_alone_on_standard_output)
{
    expect("check equal " CAR "model.darc " CAR "data.csv " CAR
           "heavier.csv --method pointwise --json -",
           1, "\"command\": \"check\"", "");
    ck_assert_int_eq(out->s[0], '{');
    ck_assert(program_json_is(out->s, "test", "equal"));
    ck_assert(program_json_is(out->s, "verdict", "inconsistent"));
    ck_assert(program_json_is(out->s, "name", "quarter_car_chassis"));
    ck_assert(program_json_is(out->s, "form", "expanded"));
    ck_assert(program_json_number(out->s, "order", 0) == 2);
    ck_assert(program_json_number(out->s, "terms", 0) == 6);
    ck_assert(program_json_number(out->s, "samples", 1) == 4000);
    double r = program_json_number(out->s, "relative_rms", 0);
    ck_assert(r > 0.5 * 5.3e-3 && r < 2 * 5.3e-3);
}
END_TEST

START_TEST(reports_and_series_are_written)
{
    darc_text_t line, file;
    darc_text_init(line);
    darc_text_init(file);
    darc_text_printf(line,
                     "check structure " CAR "model.darc " CAR
                     "data.csv --method pointwise --json %s/r.json --csv "
                     "%s/r.csv",
                     program_directory(), program_directory());
    expect(line->s, 0, "CONSISTENT", "");
    darc_text_printf(file, "%s/r.json", program_directory());
    darc_text_reset(out);
    ck_assert(program_read_file(file->s, out));
    ck_assert(program_json_is(out->s, "verdict", "consistent"));
    double used = program_json_number(out->s, "used", 0);
    darc_text_reset(file);
    darc_text_printf(file, "%s/r.csv", program_directory());
    darc_text_reset(out);
    ck_assert(program_read_file(file->s, out));
    int rows = -1;
    for (const char *s = out->s; (s = strchr(s, '\n')) != NULL; s++)
        rows++;
    ck_assert_int_eq(rows, (int)used);
    ck_assert_ptr_nonnull(strstr(out->s, "residual"));
    darc_text_clear(line);
    darc_text_clear(file);
}
END_TEST

START_TEST(nothing_is_written_where_it_cannot_be)
{
    expect("check structure " CAR "model.darc " CAR
           "data.csv --json /nonexistent/r.json",
           4, "", "/nonexistent/r.json");
    ck_assert_str_eq(out->s, "");
}
END_TEST

START_TEST(spent_budgets_say_how_far_it_came)
{
    expect("eliminate systems/qwwc/model.darc --form io --timeout 0.5", 5, "",
           "darc: ");
    ck_assert_ptr_nonnull(strstr(err->s, "time limit"));
#ifndef __SANITIZE_ADDRESS__ /* which needs terabytes of address space */
    expect("eliminate systems/qwwc/model.darc --form io --memory 100", 5, "",
           "memory limit");
#endif
}
END_TEST

START_TEST(the_demo_tells_its_story)
{
    expect("demo", 0, "7 of 7 verdicts as expected.\n", "");
}
END_TEST

START_TEST(isolation_names_the_changed_mass)
{
    expect("isolate " CAR "model.darc " CAR "data.csv " CAR
           "heavier.csv --json -",
           0, "\"diagnosis\": [[\"m\"]]", "");
    ck_assert(program_json_is(out->s, "command", "isolate"));
    ck_assert_ptr_nonnull(strstr(out->s, "[\"c\", \"d\"]"));
    expect("isolate " CAR "model.darc " CAR "data.csv " CAR "other_road.csv", 0,
           "no change", "");
    expect("isolate " CAR "model.darc " CAR "data.csv " CAR
           "heavier_damped.csv",
           2, "the recordings do not tell which", "");
    expect("isolate " CAR "model.darc " CAR "data.csv " CAR
           "heavier.csv --method pointwise",
           3, "", "needs the weak method");
}
END_TEST

/* Of each recording; "9999 used" of A stood behind B, too, and isolate told of
 * none. */
START_TEST(samples_that_are_used_are_those_of_each_recording)
{
    static const char *const ask[] = {"check equal", "isolate", "values"};
    char command[300];
    darc_text_t data = DARC_TEXT;
    ck_assert(program_read_file(CAR "data.csv", data));
    char *line = data->s;
    for (int i = 0; i < 2000; i++)
        line = strchr(line, '\n') + 1;
    for (char *cell = strchr(line, ',') + 1; *cell != ','; cell++)
        *cell = ' ';
    const char *gap = program_write("gap.csv", data->s);
    for (int i = 0; i < 3; i++) {
        snprintf(command, sizeof command,
                 "%s " CAR "model.darc %s " CAR "other_road.csv --json -",
                 ask[i], gap);
        ck_assert_int_eq(program_run(command, out, err), 0);
        ck_assert_double_lt(program_json_number(out->s, "used", 0), 4000);
        ck_assert_double_eq(program_json_number(out->s, "used", 1), 4000);
        snprintf(command, sizeof command,
                 "%s " CAR "model.darc " CAR "other_road.csv %s", ask[i], gap);
        ck_assert_int_eq(program_run(command, out, err), 0);
        ck_assert_ptr_nonnull(
            strstr(out->s, "gap.csv: 4000 samples at 1000 Hz, "));
        ck_assert_ptr_nonnull(strstr(out->s, " used\n"));
    }
    darc_text_clear(data);
}
END_TEST

START_TEST(drift_tells_when_the_mass_changed)
{
    expect("drift " CAR "model.darc " CAR "data.csv " CAR "other_road.csv " CAR
           "heavier.csv nowhere.csv --json -",
           4, "\"command\": \"drift\"", "nowhere.csv: not read: ");
    ck_assert_ptr_nonnull(strstr(out->s, "\"moved\": [\"c/m\", \"d/m\"]"));
    ck_assert_ptr_nonnull(strstr(out->s, "nowhere.csv"));
    double change = program_json_number(out->s, "relative", 4);
    ck_assert(fabs(change - (300.0 / 305 - 1)) < 1e-6);
    expect("drift " CAR "model.darc " CAR "data.csv " CAR "other_road.csv", 0,
           "(baseline)", "");
    expect("drift " CAR "model.darc " CAR "other_road.csv " CAR
           "heavier.csv --baseline " CAR "data.csv --csv -",
           1, "recording,function,value", "");
}
END_TEST

/* The standard deviations of both functions from one recording, as check,
 * drift and isolate give them. */
static void compare_sd(const char *model, const char *noise)
{
    char line[1000];
    double sd[2];
    snprintf(line, sizeof line,
             "check structure %s " CAR "heavier.csv %s --json -", model, noise);
    expect(line, 0, "", "");
    for (int j = 0; j < 2; j++)
        sd[j] = program_json_number(out->s, "sd_a", j);
    ck_assert(sd[0] > 0 && sd[1] > 0);
    ck_assert((sd[0] > 1e-3) == (noise[0] != '\0'));
    snprintf(line, sizeof line,
             "drift %s " CAR "data.csv " CAR "heavier.csv %s --json -", model,
             noise);
    expect(line, 1, "", "");
    for (int j = 0; j < 2; j++)
        ck_assert_double_eq_tol(program_json_number(out->s, "value_sd", 2 + j),
                                sd[j], 1e-9 * sd[j]);
    snprintf(line, sizeof line,
             "isolate %s " CAR "data.csv " CAR "heavier.csv %s --json -", model,
             noise);
    expect(line, 0, "", "");
    for (int j = 0; j < 2; j++)
        ck_assert_double_eq_tol(program_json_number(out->s, "sd_b", j), sd[j],
                                1e-9 * sd[j]);
}

START_TEST(noise_counts_in_campaigns_as_in_checks)
{
    char model[300];
    snprintf(model, sizeof model, "%s/derived.darc", program_directory());
    FILE *f = fopen(model, "w");
    ck_assert_ptr_nonnull(f);
    fputs("model chassis\nparameters\n    m c d\noutputs\n    a z\n"
          "derived\n    v = z'\nequations\n    m*a = c*z + d*v\n",
          f);
    fclose(f);
    compare_sd(CAR "model.darc", "");
    compare_sd(CAR "model.darc", "--noise a=0.05,z=0.0005");
    compare_sd(model, "");
    compare_sd(model, "--noise a=0.05,z=0.0005");
}
END_TEST

Suite *suite_program(void)
{
    Suite *s = suite_create("program");
    TCase *c = tcase_create("program");
    tcase_add_test(c, version_and_help);
    tcase_add_test(c, wrong_command_lines_are_named);
    tcase_add_test(c, odd_models_are_warned_of);
    tcase_add_test(c, functions_are_explained);
    tcase_add_test(c, converted_units_are_told);
    tcase_add_test(c, a_baseline_is_a_recording);
    tcase_add_test(c, missing_files_are_named);
    tcase_add_test(c, each_verdict_has_its_exit_code);
    tcase_add_test(c, data_come_from_standard_input);
    tcase_add_test(c, a_copy_is_no_second_recording);
    tcase_add_test(c, json_stands_alone_on_standard_output);
    tcase_add_test(c, reports_and_series_are_written);
    tcase_add_test(c, nothing_is_written_where_it_cannot_be);
    tcase_add_test(c, spent_budgets_say_how_far_it_came);
    tcase_add_test(c, the_demo_tells_its_story);
    tcase_add_test(c, samples_that_are_used_are_those_of_each_recording);
    tcase_add_test(c, drift_tells_when_the_mass_changed);
    tcase_add_test(c, noise_counts_in_campaigns_as_in_checks);
    tcase_add_test(c, isolation_names_the_changed_mass);
    suite_add_tcase(s, c);
    return s;
}
