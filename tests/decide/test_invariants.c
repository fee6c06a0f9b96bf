/* What holds of every decision, and of all that are told of the systems that
 * come with recordings. */
#include "tests.h"

#include "decide/judgement.h"
#include "decide/thresholds.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const darc_decision sound = {.dof = 10,
                                    .p_value = .5,
                                    .defect_low = .001,
                                    .defect = .002,
                                    .defect_high = .003,
                                    .detectable = .01,
                                    .verdict = DARC_CONSISTENT};

START_TEST(broken_decisions_are_known)
{
    darc_decision d = sound;
    ck_assert_ptr_null(darc_decision_broken(&d));
    d.defect_low = .0025;
    ck_assert_ptr_nonnull(darc_decision_broken(&d));
    d = sound;
    d.defect_high = .0015;
    ck_assert_ptr_nonnull(darc_decision_broken(&d));
    d = sound;
    d.dof = 0;
    ck_assert_ptr_nonnull(darc_decision_broken(&d));
    d.p_value = NAN;
    ck_assert_ptr_null(darc_decision_broken(&d));
    for (int i = 0; i < 2; i++) {
        d = sound;
        *(i == 0 ? &d.defect_high : &d.detectable) = 1.01 * DARC_MEANING;
        ck_assert_ptr_nonnull(darc_decision_broken(&d));
        d.tolerance = .1;
        ck_assert_ptr_null(darc_decision_broken(&d));
        d.tolerance = .02;
        d.verdict = DARC_UNDECIDED;
        ck_assert_ptr_null(darc_decision_broken(&d));
    }
}
END_TEST

/* Assert it of each decision in a report. */
static void look(const char *command, const char *json)
{
    int seen = 0;
    for (const char *s = json; (s = strstr(s, "\"method\"")) != NULL; s++) {
        darc_decision d = {
            .dof = program_json_number(s, "dof", 0),
            .p_value = program_json_number(s, "p_value", 0),
            .defect = program_json_number(s, "defect", 0),
            .defect_low = program_json_number(s, "defect_low", 0),
            .defect_high = program_json_number(s, "defect_high", 0),
            .tolerance = program_json_number(s, "tolerance", 0),
            .detectable = program_json_number(s, "detectable", 0),
            .verdict = DARC_UNDECIDED};
        const char *verdict = strstr(s, "\"verdict\"");
        ck_assert_ptr_nonnull(verdict);
        if (strncmp(verdict + 9, ": \"consistent\"", 14) == 0)
            d.verdict = DARC_CONSISTENT;
        const char *broken = darc_decision_broken(&d);
        ck_assert_msg(broken == NULL, "%s: %s", command, broken);
        seen++;
    }
    ck_assert_msg(seen > 0 || strstr(command, "drift") != NULL, "%s: %s",
                  command, json);
    ck_assert_msg(strstr(json, "mistake in darc") == NULL, "%s", json);
}

/* Folders of systems, and what was recorded of them. */
static const struct {
    const char *folder, *recording[8];
} systems[] = {{"dc_motor", {"data.csv"}},
               {"duffing", {"data.csv"}},
               {"predator_prey", {"data.csv"}},
               {"two_compartments", {"data.csv"}},
               {"two_tanks", {"data.csv"}},
               {"quarter_car_chassis",
                {"data.csv", "cubic.csv", "heavier.csv", "heavier_damped.csv",
                 "heavier_stiffer_damped.csv", "other_road.csv"}}};

static void ask(const char *format, const char *folder, const char *a,
                const char *b)
{
    char command[600], file[3][120];
    darc_text_t out = DARC_TEXT, err = DARC_TEXT;
    snprintf(file[0], sizeof file[0], "systems/%s/model.darc", folder);
    snprintf(file[1], sizeof file[1], "systems/%s/%s", folder, a);
    snprintf(file[2], sizeof file[2], "systems/%s/%s", folder, b);
    snprintf(command, sizeof command, "%s %s %s %s --json - --threads 1",
             format, file[0], file[1], b[0] != '\0' ? file[2] : "");
    int code = program_run(command, out, err);
    ck_assert_msg(code <= 2, "%s: %s", command, err->s);
    look(command, out->s);
    darc_text_clear(out);
    darc_text_clear(err);
}

START_TEST(all_reports_of_the_systems_are_sound)
{
    const char *folder = systems[_i].folder;
    const char *const *r = systems[_i].recording;
    for (int a = 0; r[a] != NULL; a++) {
        ask("check structure", folder, r[a], "");
        ask("check structure --tolerance 0.02", folder, r[a], "");
        if (r[1] == NULL)
            continue;
        ask("check equal", folder, r[0], r[a]);
        ask("check equal --tolerance 0.02", folder, r[a], r[0]);
        ask("isolate", folder, r[0], r[a]);
        ask("drift", folder, r[0], r[a]);
    }
}
END_TEST

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *s = text; (s = strstr(s, what)) != NULL; s++)
        n++;
    return n;
}

#define TWO                                                                    \
    "model two\nparameters\n a b c d%s\ninputs\n u\noutputs\n y z\n"           \
    "equations\n a*y' + y = b*u\n c*z' + z = d*y%s\n"

/* An equation that holds is not inconsistent because another one fails: in
 * JSON, text and page the verdict stands once for all, once for that one. */
START_TEST(an_equation_has_the_verdict_of_its_own_numbers)
{
    char text[300], command[600];
    darc_text_t out = DARC_TEXT, err = DARC_TEXT;
    snprintf(text, sizeof text, TWO, " e", " + e*y^3");
    program_write("made.darc", text);
    snprintf(text, sizeof text, TWO, "", "");
    program_write("two.darc", text);
    snprintf(command, sizeof command,
             "simulate %s --param a=.1,b=2,c=.2,d=1,e=.3 --input "
             "u=multisine:1,.1,5 --noise .005 --t-end 20 --rate 100 -o %s",
             program_path("made.darc"), program_path("two.csv"));
    ck_assert_int_eq(program_run(command, out, err), 0);
    snprintf(command, sizeof command,
             "check structure %s %s --json - --html %s",
             program_path("two.darc"), program_path("two.csv"),
             program_path("two.html"));
    ck_assert_int_eq(program_run(command, out, err), 1);
    ck_assert_int_eq(count(out->s, "\"verdict\": \"inconsistent\""), 2);
    ck_assert_int_eq(count(out->s, "\"verdict\": "), 3);
    darc_text_reset(out);
    ck_assert(program_read_file(program_path("two.html"), out));
    ck_assert_int_eq(count(out->s, "class=\"tag bad\""), 1);
    snprintf(command, sizeof command, "check structure %s %s --verbose",
             program_path("two.darc"), program_path("two.csv"));
    ck_assert_int_eq(program_run(command, out, err), 1);
    ck_assert_int_eq(count(out->s, "verdict     INCONSISTENT: "), 1);
    darc_text_clear(out);
    darc_text_clear(err);
}
END_TEST

Suite *suite_invariants(void)
{
    Suite *s = suite_create("invariants");
    TCase *c = tcase_create("invariants");
    tcase_add_test(c, broken_decisions_are_known);
    tcase_add_loop_test(c, all_reports_of_the_systems_are_sound, 0,
                        sizeof systems / sizeof *systems);
    tcase_add_test(c, an_equation_has_the_verdict_of_its_own_numbers);
    suite_add_tcase(s, c);
    return s;
}
