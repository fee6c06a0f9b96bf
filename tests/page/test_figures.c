#include "tests.h"

#include "markup.h"
#include "page/figures.h"
#include "page/svg.h"
#include "program.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CAR "systems/quarter_car_chassis/"

/* Run darc with --svg into a folder that is not there; set text to all files,
 * each of which must be a drawing by itself; return how many. */
static int draw(const char *arguments, const char *folder, darc_text_t text)
{
    char line[1024], path[512];
    darc_text_t out = DARC_TEXT, err = DARC_TEXT, one = DARC_TEXT;
    int files = 0;
    snprintf(path, sizeof path, "%s", program_path(folder));
    snprintf(line, sizeof line, "%s --svg %s", arguments, path);
    ck_assert_msg(program_run(line, out, err) < 3, "%s: %s", line, err->s);
    DIR *dir = opendir(path);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        char file[800], id[300];
        if (strstr(e->d_name, ".svg") == NULL)
            continue;
        files++;
        snprintf(file, sizeof file, "%s/%s", path, e->d_name);
        darc_text_reset(one);
        ck_assert(program_read_file(file, one));
        ck_assert_int_eq(strncmp(one->s, "<?xml version", 13), 0);
        markup_assert_nested(strchr(one->s, '\n'));
        snprintf(id, sizeof id, " id=\"%.*s\"", (int)strlen(e->d_name) - 4,
                 e->d_name);
        ck_assert_int_eq(markup_count(one->s, "<svg "), 1);
        ck_assert_int_eq(markup_count(one->s, id), 1);
        ck_assert_int_eq(markup_count(one->s, "var("), 0);
        ck_assert_int_eq(markup_count(one->s, "&nbsp;"), 0);
        darc_text_puts(text, one->s);
    }
    closedir(dir);
    darc_text_clear(out);
    darc_text_clear(err);
    darc_text_clear(one);
    return files;
}

static void has(const darc_text_t text, const char *what)
{
    ck_assert_msg(strstr(text->s, what) != NULL, "no drawing has %s", what);
}

START_TEST(plots_of_a_check)
{
    darc_text_t text = DARC_TEXT;
    ck_assert_int_eq(draw("check equal " CAR "model.darc " CAR "data.csv " CAR
                          "heavier.csv",
                          "equal", text),
                     9);
    has(text, " id=\"residual-Residual\"");
    has(text, " id=\"signals-a\"");
    has(text, " id=\"signals-a-2\""); /* of the other recording */
    has(text, " id=\"noise-z\"");
    has(text, "<tspan dx=\"12\" class=\"fb\">\u2501</tspan> B");
    has(text, "<path class=\"line b\"");
    has(text, ">1.5\u202f%</text>");
    darc_text_clear(text);
}
END_TEST

START_TEST(plots_of_other_reports)
{
    darc_text_t text = DARC_TEXT;
    ck_assert_int_eq(draw("drift " CAR "model.darc " CAR "data.csv " CAR
                          "heavier.csv",
                          "drift", text),
                     2);
    has(text, "Relative change of c/m over the recordings</text>");
    darc_text_reset(text);
    ck_assert_int_eq(
        draw("credibility systems/missile/flight.factors", "tree", text), 1);
    has(text, "altitude in the atmosphere");
    darc_text_clear(text);
}
END_TEST

/* README shows what darc draws. */
START_TEST(picture_of_the_readme)
{
    darc_text_t text = DARC_TEXT, shown = DARC_TEXT, made = DARC_TEXT;
    draw("drift " CAR "model.darc " CAR "data.csv " CAR "other_road.csv " CAR
         "heavier.csv " CAR "heavier_damped.csv " CAR
         "heavier_stiffer_damped.csv",
         "picture", text);
    ck_assert(program_read_file(CAR "drift.svg", shown));
    ck_assert(program_read_file(program_path("picture/drift-2.svg"), made));
    ck_assert_msg(strcmp(shown->s, made->s) == 0,
                  "%sdrift.svg is not what darc drift --svg draws", CAR);
    darc_text_clear(text);
    darc_text_clear(shown);
    darc_text_clear(made);
}
END_TEST

START_TEST(folder_that_cannot_be)
{
    darc_text_t out = DARC_TEXT, err = DARC_TEXT;
    ck_assert_int_eq(program_run("credibility systems/missile/flight.factors "
                                 "--svg /absent/folder/plots",
                                 out, err),
                     4);
    ck_assert_ptr_nonnull(strstr(err->s, "--svg: /absent/folder/plots: "));
    darc_text_clear(out);
    darc_text_clear(err);
}
END_TEST

START_TEST(a_drawing_of_a_page)
{
    darc_text_t page = DARC_TEXT;
    darc_text_puts(page,
                   "<section aria-labelledby=\"noise\"><figure>\n<figcaption>"
                   "<b>x &amp; y</b> of <i>all</i></figcaption>"
                   "<svg class=\"fig\" viewBox=\"0 0 100 50\" role=\"img\" "
                   "aria-label=\"what is seen\">\n<path d=\"M0 0\"/></svg>"
                   "</figure>text<svg viewBox=\"0 0 9 9\"></svg>");
    darc_figures_keep(page, ":root {\n    --a: #123456;\n}\nb { color: red; }\n"
                            "svg .a { stroke: var(--a); }\n");
    ck_assert_int_eq(markup_count(page->s, "<svg"), 1);
    has(page, " id=\"noise-x-amp-y\"");
    has(page, "<title>what is seen</title>");
    has(page, "svg .a { stroke: #123456; }");
    has(page, ">x &amp; y of all</text>\n\n<path d=\"M0 0\"/></svg>\n");
    ck_assert_int_eq(markup_count(page->s, "red"), 0);
    darc_text_clear(page);
}
END_TEST

START_TEST(curves_part_or_join_where_nothing_is_known)
{
    const double at[] = {0, 1, 2, 3}, value[] = {1, 0, NAN, 10};
    const darc_svg_scale x = {0, 3, 0, 30, false}, y = {0, 1, 0, 10, true};
    darc_text_t out = DARC_TEXT;
    darc_svg_curve(out, "a", &x, &y, &(darc_svg_points){at, value, 4, false});
    darc_svg_curve(out, "b", &x, &y, &(darc_svg_points){at, value, 4, true});
    ck_assert_str_eq(out->s, "<path class=\"line a\" d=\"M0 0M30 10\"/>\n"
                             "<path class=\"line b\" d=\"M0 0L30 10\"/>\n");
    darc_text_clear(out);
}
END_TEST

Suite *suite_figures(void)
{
    Suite *s = suite_create("figures");
    TCase *t = tcase_create("figures");
    tcase_add_test(t, plots_of_a_check);
    tcase_add_test(t, plots_of_other_reports);
    tcase_add_test(t, picture_of_the_readme);
    tcase_add_test(t, folder_that_cannot_be);
    tcase_add_test(t, a_drawing_of_a_page);
    tcase_add_test(t, curves_part_or_join_where_nothing_is_known);
    suite_add_tcase(s, t);
    return s;
}
