/* README.md and src/manual hold what the program does: tests/manual.py runs
 * the commands quoted there and compares what they say. */
#include "tests.h"

#include "files.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool python_is_there(void)
{
    bool there = system("python3 -c '' 2>/dev/null") == 0;
    if (!there)
        printf("skipped: the manual's tests need python3\n");
    return there;
}

static void expect(const char *check, const char *file)
{
    char line[300];
    snprintf(line, sizeof line, "python3 tests/manual.py %s %s", check, file);
    ck_assert_msg(!python_is_there() || system(line) == 0, "%s", line);
}

static const char *const check[] = {"names", "json", "tables", "keys"};

START_TEST(what_is_named_exists)
{
    expect(check[_i], "");
}
END_TEST

START_TEST(readme_shows_what_darc_says)
{
    expect("quoted", "README.md");
}
END_TEST

static void replay(const char *path, const char *name)
{
    (void)name;
    expect("quoted", path);
}

START_TEST(manual_shows_what_darc_says)
{
    ck_assert_int_ge(test_walk("src/manual", ".md", replay), 20);
}
END_TEST

START_TEST(readme_is_short)
{
    darc_text_t text;
    darc_text_init(text);
    ck_assert(program_read_file("README.md", text));
    int lines = 0;
    for (const char *s = text->s; (s = strchr(s, '\n')) != NULL; s++)
        lines++;
    ck_assert_int_le(lines, 250);
    darc_text_clear(text);
}
END_TEST

/* One line "# Title", a blank line, and no second title. */
static void check_page(const char *path, const char *name)
{
    (void)name;
    darc_text_t text;
    darc_text_init(text);
    ck_assert(program_read_file(path, text));
    const char *end = strchr(text->s, '\n');
    ck_assert_msg(strncmp(text->s, "# ", 2) == 0 && end != NULL &&
                      strncmp(end, "\n\n", 2) == 0,
                  "%s: the first line is no title", path);
    for (const char *s = text->s; *s != '\0'; s++)
        ck_assert_msg((unsigned char)*s < 0x80, "%s: not ASCII", path);
    darc_text_clear(text);
}

START_TEST(pages_have_titles)
{
    ck_assert_int_ge(test_walk("src/manual", ".md", check_page), 20);
}
END_TEST

/* groff, where it is there, finds no fault with a page. */
START_TEST(man_pages_are_well_formed)
{
    ck_assert_int_eq(
        system("command -v groff >/dev/null || exit 0; for t in '' "
               "$(ls src/manual | sed 's/.md$//'); do $DARC help $t | "
               "awk -v name=$t -v version=1 -f src/commands/man.awk | "
               "groff -man -Tascii -ww 2>&1 >/dev/null | sed \"s/^/$t: /\"; "
               "done | { ! grep .; }"),
        0);
}
END_TEST

Suite *suite_manual(void)
{
    Suite *s = suite_create("manual");
    TCase *c = tcase_create("manual");
    tcase_add_loop_test(c, what_is_named_exists, 0,
                        sizeof check / sizeof check[0]);
    tcase_add_test(c, readme_shows_what_darc_says);
    tcase_add_test(c, manual_shows_what_darc_says);
    tcase_add_test(c, readme_is_short);
    tcase_add_test(c, pages_have_titles);
    tcase_add_test(c, man_pages_are_well_formed);
    suite_add_tcase(s, c);
    return s;
}
