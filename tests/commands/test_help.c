#include "tests.h"

#include "program.h"

#include <stdio.h>
#include <string.h>

static darc_text_t out = DARC_TEXT, err = DARC_TEXT;

static void run(const char *arguments, int code)
{
    ck_assert_msg(program_run(arguments, out, err) == code, "%s: %s", arguments,
                  err->s);
}

/* The manual page of a command or topic, "": of darc. */
static void page_of(const char *name)
{
    char line[200];
    snprintf(line, sizeof line,
             "help %s | awk -v name=%s -v version=1 -f src/commands/man.awk",
             name, name);
    run(line, 0);
}

/* The second column of `darc --help` below the line that begins so. */
static int each_name(const char *begin, void (*visit)(const char *name))
{
    darc_text_t list;
    darc_text_init(list);
    ck_assert_int_eq(program_run("--help", list, err), 0);
    const char *s = strstr(list->s, begin);
    ck_assert_ptr_nonnull(s);
    int n = 0;
    for (s = strstr(s, "\n\n") + 2; *s == ' '; s = strchr(s, '\n') + 1, n++) {
        char name[32];
        ck_assert_int_eq(sscanf(s, "%31s", name), 1);
        visit(name);
    }
    darc_text_clear(list);
    return n;
}

/* "Title\n\ntext", as in src/manual/NAME.md below "# ". */
static void visit_topic(const char *name)
{
    char line[64], file[64];
    snprintf(line, sizeof line, "help %s", name);
    snprintf(file, sizeof file, "src/manual/%s.md", name);
    run(line, 0);
    darc_text_t text;
    darc_text_init(text);
    ck_assert_msg(program_read_file(file, text), "%s is absent", file);
    ck_assert_msg(strncmp(text->s, "# ", 2) == 0, "%s has no title", file);
    ck_assert_msg(strncmp(out->s, text->s + 2, text->len - 2) == 0,
                  "%s is not what help %s says", file, name);
    darc_text_clear(text);
    page_of(name);
    ck_assert_msg(strncmp(out->s, ".TH DARC-", 9) == 0, "%s", name);
    ck_assert_ptr_nonnull(strstr(out->s, " 7 \"\" "));
    ck_assert_ptr_nonnull(strstr(out->s, ".SH DESCRIPTION\n"));
}

static const char *const lasting[] = {
    "tutorial", "language",    "verdict",    "page",      "tolerance",
    "limits",   "mathematics", "simulating", "comparing", "elimination",
    "formats",  "json",        "library",    "options"};

START_TEST(topics_are_files_of_the_manual)
{
    ck_assert_int_ge(each_name("darc help TOPIC tells of", visit_topic), 20);
    for (size_t i = 0; i < sizeof lasting / sizeof lasting[0]; i++)
        visit_topic(lasting[i]);
    run("help verdict", 0);
    ck_assert(strncmp(out->s, "Reading a verdict\n\n", 19) == 0);
    run("help verdcit", 3);
    ck_assert_ptr_nonnull(strstr(err->s, "'verdcit' (did you mean 'verdict'"));
    run("help options", 0);
    ck_assert_ptr_nonnull(strstr(out->s, "\n  --alpha P "));
    page_of("options");
    ck_assert_ptr_nonnull(strstr(out->s, "\\fB\\-\\-alpha\\fR \\fIP"));
}
END_TEST

static void visit_command(const char *name)
{
    page_of(name);
    ck_assert_msg(strncmp(out->s, ".TH DARC-", 9) == 0, "%s", name);
    ck_assert_ptr_nonnull(strstr(out->s, ".SH OPTIONS\n"));
    ck_assert_ptr_nonnull(strstr(out->s, "\\fB\\-\\-timeout\\fR \\fIS"));
}

START_TEST(every_command_has_a_page)
{
    ck_assert_int_ge(each_name("usage:", visit_command), 9);
    page_of("");
    ck_assert_ptr_nonnull(strstr(out->s, ".BR darc\\-check (1)"));
    ck_assert_ptr_nonnull(strstr(out->s, ".BR darc\\-verdict (7)"));
    page_of("mathematics");
    ck_assert_ptr_nonnull(strstr(out->s, "M_n(y,u) = 0,\n.fi\n"));
    for (const char *s = out->s; (s = strstr(s, "\n'")) != NULL; s++)
        ck_abort_msg("a line begins with a quote: %.40s", s + 1);
}
END_TEST

START_TEST(one_word_is_asked_for)
{
    run("help check structure", 3);
    ck_assert_str_eq(err->s, "darc: help takes one command or topic; "
                             "'structure' is too much behind 'check'\n");
    run("help chek", 3);
    ck_assert_str_eq(err->s, "darc: no command or topic 'chek' (did you mean "
                             "'check'?); see darc --help\n");
}
END_TEST

START_TEST(completions_know_options_and_choices)
{
    run("help complete ''", 0);
    ck_assert_ptr_nonnull(strstr(out->s, "check\thold the equations"));
    ck_assert_ptr_nonnull(strstr(out->s, "\n--version\n"));
    run("help complete help ''", 0);
    ck_assert_ptr_nonnull(strstr(out->s, "\nverdict\tReading a verdict\n"));
    run("help complete check ''", 0);
    ck_assert_str_eq(out->s, "structure\nequal\nchanged\n");
    run("help complete check structure -", 0);
    ck_assert_ptr_nonnull(strstr(out->s, "\n--alpha\tfalse-alarm"));
    run("help complete check structure --method ''", 0);
    ck_assert_str_eq(out->s, "weak\npointwise\ntrajectory\nauto\n");
    run("help complete simulate --input ''", 0);
    ck_assert_str_eq(out->s, "");
    run("help complete simulate --i", 0);
    ck_assert_ptr_nonnull(strstr(out->s, "constant:V, step:AMPL,T, "));
    run("help complete check structure model.darc ''", 0);
    ck_assert_str_eq(out->s, "");
    run("help complete", 3);
}
END_TEST

Suite *suite_help(void)
{
    Suite *s = suite_create("help");
    TCase *t = tcase_create("help");
    tcase_add_test(t, topics_are_files_of_the_manual);
    tcase_add_test(t, every_command_has_a_page);
    tcase_add_test(t, one_word_is_asked_for);
    tcase_add_test(t, completions_know_options_and_choices);
    suite_add_tcase(s, t);
    return s;
}
