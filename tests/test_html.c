#include "tests.h"

#include "darc/page.h"
#include "darc/samples.h"
#include "darc/session.h"
#include "program.h"
#include "report/decimate.h"
#include "report/html.h"
#include "report/mathml.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a reader of pages -------------------------------------------------- */

static bool is_void(const char *tag)
{
    static const char *const list[] = {"meta",   "path", "rect",
                                       "circle", "br",   "mspace"};
    for (int i = 0; i < 6; i++)
        if (strcmp(tag, list[i]) == 0)
            return true;
    return false;
}

/* Skip a tag from its '<'; every attribute value stands in quotes. */
static const char *skip_tag(const char *s)
{
    for (bool quoted = false; *s != '\0' && (quoted || *s != '>'); s++)
        quoted ^= *s == '"';
    ck_assert_msg(*s == '>', "a tag without end");
    return s + 1;
}

/* Assert that the elements of a page nest and that what stands in scripts
 * and styles does not end them. */
static void assert_nested(const char *s)
{
    enum { DEEP = 64 };
    char open[DEEP][24];
    int depth = 0;
    while ((s = strchr(s, '<')) != NULL) {
        char tag[24] = "";
        bool closes = s[1] == '/';
        const char *name = s + 1 + closes;
        if (*name == '!') {
            s = skip_tag(s);
            continue;
        }
        for (size_t n = 0; n < 23 && isalnum((unsigned char)name[n]); n++)
            tag[n] = name[n];
        ck_assert_msg(tag[0] != '\0', "a lone '<': %.40s", s);
        const char *end = skip_tag(s);
        if (closes) {
            ck_assert_msg(depth > 0 && strcmp(open[depth - 1], tag) == 0,
                          "</%s> closes <%s>", tag,
                          depth > 0 ? open[depth - 1] : "nothing");
            depth--;
        } else if (!is_void(tag) && end[-2] != '/') {
            ck_assert_int_lt(depth, DEEP);
            memcpy(open[depth++], tag, sizeof tag);
        }
        if (!closes && strcmp(tag, "script") == 0)
            end = strstr(end, "</script>");
        if (!closes && strcmp(tag, "style") == 0)
            end = strstr(end, "</style>");
        ck_assert_ptr_nonnull(end);
        s = end;
    }
    ck_assert_int_eq(depth, 0);
}

static int count(const char *s, const char *what)
{
    int n = 0;
    while ((s = strstr(s, what)) != NULL) {
        n++;
        s++;
    }
    return n;
}

/* ---- parts -------------------------------------------------------------- */

START_TEST(escapes_what_users_write)
{
    darc_text_t t;
    darc_text_init(t);
    darc_html_put(t, "<td title=\"%s\">%s</td>", "a\"b'", "<b>&\x01</b>");
    ck_assert_str_eq(t->s, "<td title=\"a&quot;b&#39;\">&lt;b&gt;&amp;"
                           "\xef\xbf\xbd&lt;/b&gt;</td>");
    darc_text_clear(t);
}
END_TEST

START_TEST(writes_numbers_for_people)
{
    static const struct {
        double x;
        const char *text;
    } list[] = {{0, "0"},
                {12.34567, "12.35"},
                {-0.05, "\u22120.05"},
                {123456, "123456"},
                {1e-7, "10\u207b\u2077"},
                {2.5e-4, "2.5\u202f\u00d7\u202f10\u207b\u2074"},
                {-3e12, "\u22123\u202f\u00d7\u202f10\u00b9\u00b2"},
                {NAN, "\u2013"},
                {INFINITY, "\u221e"}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        darc_text_t t;
        darc_text_init(t);
        darc_html_put(t, "%n", list[i].x);
        ck_assert_str_eq(t->s, list[i].text);
        darc_text_clear(t);
    }
    darc_text_t t;
    darc_text_init(t);
    darc_html_put(t, "%z %q %p %d%%", (size_t)1234567, 12.345, 0.05, 7);
    ck_assert_str_eq(t->s, "1\u202f234\u202f567 12.3 5\u00a0% 7%");
    darc_text_clear(t);
}
END_TEST

static void expect_math(const char *text, const char *math,
                        const darc_mathml_names *names)
{
    darc_text_t t;
    darc_text_init(t);
    ck_assert_msg(darc_mathml(t, text, names), "%s", text);
    ck_assert_msg(strstr(t->s, math) != NULL, "%s\n gives %s\n without %s",
                  text, t->s, math);
    assert_nested(t->s);
    darc_text_clear(t);
}

#define X_DOT "<mover accent=\"true\"><mi>x</mi><mo>\u02d9</mo></mover>"

START_TEST(typesets_relations)
{
    const char *signal[] = {"z", "aA"};
    darc_mathml_names names = {2, signal};
    expect_math("m*a", "<mi>m</mi>", NULL);
    expect_math("x'", X_DOT, NULL);
    expect_math("x''", "<mi>x</mi><mo>\u00a8</mo>", NULL);
    expect_math("der(x,4)",
                "<msup><mi>x</mi><mrow><mo stretchy=\"false\">(</mo><mn>4</mn>",
                NULL);
    expect_math("x'^2", X_DOT "</mpadded><mn>2</mn></msup>", NULL);
    expect_math("k12*x", "<msub><mi>k</mi><mi>12</mi></msub>", NULL);
    expect_math("x_max", "<msub><mi>x</mi><mi>max</mi></msub>", NULL);
    expect_math("c/m",
                "<mfrac><mrow><mrow><mi>c</mi></mrow></mrow><mrow><mrow>"
                "<mi>m</mi>",
                NULL);
    expect_math("c/(m*k)", "<mo>&#x2062;</mo>", NULL);
    expect_math("zA", "<msub><mi>z</mi><mi>A</mi></msub>", &names);
    expect_math("aAB", "<msub><mi>aA</mi><mi>B</mi></msub>", &names);
    expect_math("zA", "<mi>zA</mi>", NULL);
    expect_math("a - b != 0", "<math><mo form=\"infix\">\u2260</mo>", NULL);
    expect_math("-c0*(a) + c1*(z)'", "<mo>\u2212</mo><msub><mi>c</mi><mi>0",
                NULL);
    expect_math("c1*x + c2*(1)", "<mi>2</mi></msub></math>", NULL);
    expect_math("(x*y)''", "<msup><mi>d</mi><mn>2</mn></msup>", NULL);
    expect_math("sqrt(x)", "<msqrt>", NULL);
    expect_math("sign(z')^3", "<mi>sign</mi>", NULL);
    expect_math("det [[a, z], [a', z']] = 0", "<mtable><mtr><mtd>", NULL);
    expect_math("time^2*1.5e-3", "<mi>t</mi>", NULL);
}
END_TEST

START_TEST(leaves_what_is_no_relation)
{
    static const char *const list[] = {"",     "a +",   "(a",      "a b",
                                       "<b>",  "a^",    "f(x",     "der(,2)",
                                       "[[a]", "a = ;", "\xc3\xa4"};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        darc_text_t t;
        darc_text_init(t);
        ck_assert_msg(!darc_mathml(t, list[i], NULL), "'%s': %s", list[i],
                      t->s);
        ck_assert_uint_eq(t->len, 0);
        darc_mathml_or_code(t, list[i], NULL);
        ck_assert_ptr_nonnull(strstr(t->s, "<code>"));
        ck_assert_ptr_null(strstr(t->s, "<b>"));
        darc_text_clear(t);
    }
    char deep[1000];
    memset(deep, '(', sizeof deep);
    deep[999] = '\0';
    darc_text_t t;
    darc_text_init(t);
    ck_assert(!darc_mathml(t, deep, NULL));
    darc_text_clear(t);
}
END_TEST

/* ---- decimation --------------------------------------------------------- */

enum { MANY = 100003, BUCKETS = 100 };

START_TEST(decimation_keeps_a_single_peak)
{
    double *x = malloc(MANY * sizeof *x), point[2 * BUCKETS];
    for (size_t i = 0; i < MANY; i++)
        x[i] = sin(1e-4 * (double)i);
    x[54321] = 7;
    x[54322] = -9;
    x[10] = NAN;
    ck_assert_uint_eq(darc_decimate_points(MANY, BUCKETS), 2 * BUCKETS);
    darc_decimate(point, x, MANY, BUCKETS, DARC_KEEP_BOTH);
    double least = 0, most = 0;
    for (size_t k = 0; k < 2 * BUCKETS; k++) {
        least = fmin(least, point[k]);
        most = fmax(most, point[k]);
        if (point[k] == 7) {
            ck_assert_double_eq(point[k + 1], -9); /* in order of time */
            ck_assert_uint_le(darc_decimate_at(k, MANY, BUCKETS), 54321);
            ck_assert_uint_gt(darc_decimate_at(k + 2, MANY, BUCKETS), 54321);
        }
    }
    ck_assert_double_eq(most, 7);
    ck_assert_double_eq(least, -9);
    darc_decimate(point, x, MANY, BUCKETS, DARC_KEEP_LEAST);
    ck_assert_double_eq(point[108], -9);
    ck_assert_double_eq(point[109], -9);
    free(x);
}
END_TEST

START_TEST(decimation_of_few_samples_and_of_none)
{
    double x[7] = {1, 2, NAN, 4, INFINITY, 6, 7}, point[8];
    ck_assert_uint_eq(darc_decimate_points(7, 4), 7);
    darc_decimate(point, x, 7, 4, DARC_KEEP_BOTH);
    ck_assert_double_eq(point[3], 4);
    ck_assert_double_nan(point[2]);
    ck_assert_double_nan(point[4]);
    for (size_t i = 0; i < 7; i++)
        x[i] = i < 4 ? NAN : (double)i;
    darc_decimate(point, x, 7, 2, DARC_KEEP_BOTH);
    ck_assert_double_nan(point[0]);
    ck_assert_double_eq(point[2], 4);
    ck_assert_double_eq(point[3], 6);
}
END_TEST

START_TEST(packs_values_into_levels)
{
    double x[] = {-1, NAN, 3, 1};
    darc_text_t t;
    darc_text_init(t);
    darc_decimate_pack(t, x, 4);
    ck_assert_str_eq(t->s, "\"lo\":-1,\"hi\":3,\"q\":\"AAA/////+f//\"");
    darc_text_reset(t);
    x[0] = x[2] = x[3] = 5;
    darc_decimate_pack(t, x, 4);
    ck_assert_str_eq(t->s, "\"lo\":5,\"hi\":5,\"q\":\"AAA///AAAAAA\"");
    darc_text_reset(t);
    double huge[] = {-1.7e308, 1.7e308};
    darc_decimate_pack(t, huge, 2);
    ck_assert_ptr_nonnull(strstr(t->s, "\"q\":\"AAA//+\""));
    darc_text_clear(t);
}
END_TEST

/* ---- pages -------------------------------------------------------------- */

/* Run darc with --html; return its exit code, the page in *page. */
static int make_page(const char *arguments, darc_text_t page)
{
    char line[1024], file[512];
    darc_text_t out, err;
    darc_text_init(out);
    darc_text_init(err);
    snprintf(file, sizeof file, "%s/page.html", program_directory());
    snprintf(line, sizeof line, "%s --html %s", arguments, file);
    int code = program_run(line, out, err);
    ck_assert_msg(code < 3, "%s: %s", line, err->s);
    ck_assert_msg(out->len > 0, "the report is printed too");
    darc_text_reset(page);
    ck_assert(program_read_file(file, page));
    assert_nested(page->s);
    ck_assert_uint_lt(page->len, 500000);
    ck_assert_int_eq(count(page->s, "<h1>"), 1);
    ck_assert_int_eq(count(page->s, "http://"), 0); /* nothing is fetched */
    ck_assert_int_eq(count(page->s, " src="), 0);
    ck_assert_int_eq(count(page->s, "<link"), 0);
    darc_text_clear(out);
    darc_text_clear(err);
    return code;
}

static void has(const darc_text_t page, const char *what)
{
    ck_assert_msg(strstr(page->s, what) != NULL, "the page lacks %s", what);
}

#define CAR "systems/quarter_car_chassis/"

START_TEST(page_of_a_check)
{
    darc_text_t page;
    darc_text_init(page);
    ck_assert_int_eq(make_page("check equal " CAR "model.darc " CAR
                               "data.csv " CAR "heavier.csv",
                               page),
                     1);
    has(page, "<div class=\"verdict bad\">");
    has(page, "<h1>inconsistent</h1>");
    has(page, "the parameters differ");
    has(page, "<msub><mi>a</mi><mi>A</mi></msub>");
    has(page, "<b>Residual</b>");
    has(page, "<b>Margin of the inequations</b>");
    has(page, "<b>Change from A to B</b>");
    has(page, "darc check equal " CAR "model.darc " CAR "data.csv");
    has(page, "<code>--alpha</code></th><td>0.01</td>");
    has(page, "class=\"hash\">");
    ck_assert_int_eq(count(page->s, "data-plot="), 6);
    ck_assert_int_eq(
        make_page("check structure " CAR "model.darc " CAR "data.csv", page),
        0);
    has(page, "<div class=\"verdict good\">");
    has(page, "<h1>consistent</h1>");
    ck_assert_int_eq(make_page("check structure " CAR "model.darc " CAR
                               "cubic.csv --against 'z^3'",
                               page),
                     1);
    has(page, "Terms that may be missing");
    has(page, "<msup><mi>z</mi><mn>3</mn></msup>");
    darc_text_clear(page);
}
END_TEST

START_TEST(page_of_an_isolation)
{
    darc_text_t page;
    darc_text_init(page);
    make_page("isolate " CAR "model.darc " CAR "data.csv " CAR "heavier.csv",
              page);
    has(page, "<h1>isolated</h1>");
    has(page, "<p>m changed</p>");
    has(page, "No data can tell it from");
    has(page, "65.5738");
    has(page, "<b>Change from A to B</b>");
    ck_assert_int_eq(count(page->s, "<tr class=\"lead\">"), 1);
    darc_text_clear(page);
}
END_TEST

START_TEST(page_of_a_campaign)
{
    darc_text_t page;
    darc_text_init(page);
    char broken[512], line[1024];
    snprintf(broken, sizeof broken, "%s/<b>.csv", program_directory());
    FILE *f = fopen(broken, "w");
    fputs("t,a\n0,1\n1,2\n", f);
    fclose(f);
    snprintf(line, sizeof line,
             "drift " CAR "model.darc " CAR "data.csv " CAR
             "other_road.csv '%s' " CAR "heavier.csv",
             broken);
    ck_assert_int_eq(make_page(line, page), 1);
    has(page, "<h1>drift</h1>");
    has(page, "&lt;b&gt;.csv");
    has(page, "damaged: ");
    has(page, "Points of change");
    ck_assert_ptr_null(strstr(page->s, "<b>.csv"));
    darc_text_clear(page);
}
END_TEST

/* Thousands of recordings: marks are thinned out, tables cut. */
START_TEST(long_campaigns_make_small_pages)
{
    enum { FILES = 4000, FUNCTIONS = 6 };
    static char name[FILES][24];
    static const char *file[FILES];
    static char *function[FUNCTIONS] = {"a", "b", "c/m", "d", "e", "f*g"};
    static darc_drift_change change[FUNCTIONS];
    static darc_drift_recording recording[FILES];
    for (int f = 0; f < FUNCTIONS; f++)
        change[f] = (darc_drift_change){.relative = 0.0123456,
                                        .relative_sd = 0.00345678,
                                        .moved = f % 2 == 0};
    for (int i = 0; i < FILES; i++) {
        snprintf(name[i], sizeof name[i], "absent/run_%04d.csv", i);
        file[i] = name[i];
        recording[i] = (darc_drift_recording){.verdict = DARC_INCONSISTENT,
                                              .change = change};
    }
    static const char text[] = "model m\nparameters\n    p\noutputs\n    y\n"
                               "inputs\n    u\nequations\n    y = p*u\n";
    darc_model *m;
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "<m>", NULL),
                     DARC_OK);
    darc_drift drift = {.functions = FUNCTIONS,
                        .function = function,
                        .recordings = FILES,
                        .recording = recording};
    darc_campaign c = {"", m, FILES, file, 1, &drift, 0, NULL};
    darc_text_t page;
    darc_text_init(page);
    darc_page_campaign(page, &c, &(darc_page){0});
    assert_nested(page->s);
    ck_assert_uint_lt(page->len, 500000);
    has(page, "3999 of 3999 recordings differ");
    has(page, "333 of 4000 recordings are shown");
    has(page, "One recording in 13 is drawn.");
    has(page, "run_0001.csv</th>");
    darc_text_clear(page);
    darc_model_free(m);
}
END_TEST

START_TEST(pages_of_agreement)
{
    darc_text_t page;
    darc_text_init(page);
    make_page("compare " CAR "data.csv " CAR "other_road.csv --accept 0.9",
              page);
    has(page, "<h1>not accepted</h1>");
    has(page, "Simulation \u2212 reference");
    has(page, "<th scope=\"row\">a</th>");
    make_page("credibility systems/missile/flight.factors", page);
    has(page, "<h1>not acceptable</h1>");
    has(page, "class=\"node fail origin\"");
    has(page, "class=\"link fail\"");
    has(page, "origin of the defect: f");
    darc_text_clear(page);
}
END_TEST

START_TEST(page_on_standard_output)
{
    darc_text_t out, err;
    darc_text_init(out);
    darc_text_init(err);
    program_run("check structure " CAR "model.darc " CAR "data.csv --html -",
                out, err);
    ck_assert_int_eq(strncmp(out->s, "<!DOCTYPE html>", 15), 0);
    ck_assert_str_eq(out->s + out->len - 8, "</html>\n");
    assert_nested(out->s);
    darc_text_reset(out);
    ck_assert_int_eq(program_run("check structure " CAR "model.darc " CAR
                                 "data.csv --html /absent/page.html",
                                 out, err),
                     4);
    ck_assert_ptr_nonnull(strstr(err->s, "/absent/page.html"));
    darc_text_clear(out);
    darc_text_clear(err);
}
END_TEST

/* ---- long recordings, names that would end a script --------------------- */

enum { SIGNALS = 10, LONG = 8000, SHORT = 1000 };

#define EVIL "</script><!--\".csv"

/* A recording of n samples of so many signals; the first is the sum of the
 * others. */
static darc_table *record(int signals, size_t n)
{
    static const char *const name[] = {"y",  "u1", "u2", "u3", "u4",
                                       "u5", "u6", "u7", "u8", "u9"};
    double *value[SIGNALS];
    for (int i = 0; i < signals; i++)
        value[i] = calloc(n, sizeof *value[i]);
    unsigned long state = 1;
    for (size_t k = 0; k < n; k++)
        for (int i = 1; i < signals; i++) {
            state = state * 6364136223846793005UL + 1442695040888963407UL;
            value[i][k] = sin((0.01 + 0.003 * i) * (double)k) +
                          sin((0.04 + 0.007 * i) * (double)k) +
                          1e-3 * (double)(state >> 40) / (double)(1 << 24);
            value[0][k] += value[i][k];
        }
    darc_samples from = {.name = EVIL,
                         .samples = n,
                         .rate = 100,
                         .signals = signals,
                         .signal = name,
                         .value = (const double *const *)value};
    darc_table *t;
    ck_assert_int_eq(darc_table_from_samples(&t, &from, NULL), DARC_OK);
    for (int i = 0; i < signals; i++)
        free(value[i]);
    return t;
}

static void assert_unbroken(const char *page)
{
    assert_nested(page);
    ck_assert_int_eq(count(page, "<script>"), 2);
    ck_assert_int_eq(count(page, "</script>"), 3);
    ck_assert_ptr_nonnull(strstr(page, "&lt;/script&gt;&lt;!--&quot;.csv"));
}

/* Decimation bounds the page, however long recordings are: six bytes a run
 * of samples, as many runs as all curves have room for. */
START_TEST(long_recordings_make_small_pages)
{
    darc_table *t = record(SIGNALS, LONG);
    const darc_table *table[] = {t, t};
    darc_report_data data[] = {{EVIL, LONG, 100, LONG}, {EVIL, LONG, 100, 1}};
    darc_report_relation relation = {.form = "io",
                                     .equation = "y - u1 = 0",
                                     .residual = {.rms = NAN},
                                     .decision = {.method = "weak"}};
    darc_report r = {.command = "check",
                     .test = "equal",
                     .model_name = "<b>",
                     .model_file = "-",
                     .recordings = 2,
                     .data = data,
                     .relations = 1,
                     .relation = &relation};
    darc_text_t page;
    darc_text_init(page);
    darc_page_check(page, &r, &(darc_page){.tables = 2, .table = table});
    assert_unbroken(page->s);
    ck_assert_uint_lt(page->len, 500000);
    ck_assert_int_eq(count(page->s, "data-plot="), 2 * SIGNALS);
    ck_assert_ptr_nonnull(strstr(page->s, "8\u202f000 samples, drawn by"));
    darc_text_clear(page);
    darc_table_free(t);
}
END_TEST

START_TEST(session_writes_a_page)
{
    static const char text[] = "model m\nparameters\n    p\noutputs\n    y\n"
                               "inputs\n    u1\nequations\n    y = p*u1\n";
    darc_model *m;
    darc_session *s;
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.threads = 1;
    set.series = true;
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "<m>", NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_session_new(&s, m, &set, NULL, NULL), DARC_OK);
    ck_assert_str_eq(darc_session_html(s, NULL), "");
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(darc_session_add_take(s, record(2, SHORT), NULL),
                         DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_EQUAL, NULL), DARC_OK);
    const char *page = darc_session_html(s, NULL);
    assert_unbroken(page);
    ck_assert_int_ge(count(page, "data-plot="), 5);
    ck_assert_ptr_nonnull(strstr(page, "<code>method</code></th><td>auto"));
    ck_assert_ptr_nonnull(strstr(page, "not a file that can be read again"));
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

Suite *suite_html(void)
{
    Suite *s = suite_create("html");
    TCase *t = tcase_create("html");
    tcase_add_test(t, escapes_what_users_write);
    tcase_add_test(t, writes_numbers_for_people);
    tcase_add_test(t, typesets_relations);
    tcase_add_test(t, leaves_what_is_no_relation);
    tcase_add_test(t, decimation_keeps_a_single_peak);
    tcase_add_test(t, decimation_of_few_samples_and_of_none);
    tcase_add_test(t, packs_values_into_levels);
    tcase_add_test(t, page_of_a_check);
    tcase_add_test(t, page_of_an_isolation);
    tcase_add_test(t, page_of_a_campaign);
    tcase_add_test(t, long_campaigns_make_small_pages);
    tcase_add_test(t, pages_of_agreement);
    tcase_add_test(t, page_on_standard_output);
    tcase_add_test(t, long_recordings_make_small_pages);
    tcase_add_test(t, session_writes_a_page);
    suite_add_tcase(s, t);
    return s;
}
