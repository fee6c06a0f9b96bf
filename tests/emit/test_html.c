#include "tests.h"

#include "emit/html.h"
#include "markup.h"
#include "page/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts -------------------------------------------------------------- */

START_TEST(escapes_what_users_write)
{
    darc_text_t t;
    darc_text_init(t);
    darc_html_put(t, "<td title=\"%s\">%s</td>", "a\"b'", "<b>&\x01</b>");
    ck_assert_str_eq(t->s, "<td title=\"a&quot;b&#39;\">&lt;b&gt;&amp;"
                           "\\x01&lt;/b&gt;</td>");
    darc_text_reset(t);
    darc_html_put(t, "%s", "\xff \u202e\u00e4\u2066 \xc2\x9b\xe2\x82");
    ck_assert_str_eq(t->s, "\\xff \\u202e\u00e4\\u2066 \\u009b\\xe2\\x82");
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
    darc_text_reset(t);
    darc_html_put(t, "%M", 1e-5, 3e-7); /* digits that were measured stay */
    ck_assert_str_eq(t->s, "1.000\u202f\u00d7\u202f10\u207b\u2075 \u00b1\u00a0"
                           "3.0\u202f\u00d7\u202f10\u207b\u2077");
    darc_text_clear(t);
}
END_TEST

START_TEST(writes_rows)
{
    darc_text_t t = DARC_TEXT;
    darc_html_row(t, "");
    darc_html_row(t, "%s|#%n|#%p|#%v|@%s|%t", "<a>", 2.5, 0.05, 1e-13, "a&b",
                  DARC_TONE_GOOD, "yes");
    ck_assert_str_eq(
        t->s,
        "<tr><th scope=\"row\">&lt;a&gt;</th><td class=\"n\">2.5</td><td "
        "class=\"n\">5\u00a0%</td><td class=\"n\">&lt;\u202f10\u207b\u00b9"
        "\u00b2</td><td class=\"file\">a&amp;b</td><td><span class=\"tag "
        "good\"><span aria-hidden=\"true\">\u2713</span> yes</span></td></tr>"
        "\n");
    darc_text_reset(t);
    darc_html_row(t, "%d|#%b", 3, 0.5);
    ck_assert(strstr(t->s, "<th scope=\"row\">3</th><td class=\"n\">0.5</td>"
                           "<td><svg width=\"90\"") != NULL);
    ck_assert(strstr(t->s, "H45\"/></svg></td></tr>\n") != NULL);
    darc_text_reset(t);
    darc_html_row(t, "%d|#%b", 3, NAN);
    ck_assert_str_eq(t->s, "<tr><th scope=\"row\">3</th><td class=\"n\">"
                           "\u2013</td><td></td></tr>\n");
    darc_text_reset(t);
    darc_html_row(t, "#%n to %n||~a|^b|!%h", 1.0, 2.0, "<b>c</b>");
    ck_assert_str_eq(t->s, "<tr><td class=\"n\">1 to 2</td><td></td><td "
                           "class=\"soft\">a</td><td class=\"hash\">b</td>"
                           "<td class=\"tag\"><b>c</b></td></tr>\n");
    darc_text_reset(t);
    darc_html_row(t, "*%s|4left out", "x");
    ck_assert_str_eq(t->s, "<tr class=\"lead\"><th scope=\"row\">x</th><td "
                           "colspan=\"4\">left out</td></tr>\n");
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
    markup_assert_nested(t->s);
    darc_text_clear(t);
}

#define X_DOT "<mover accent=\"true\"><mi>x</mi><mo>\u02d9</mo></mover>"

START_TEST(typesets_relations)
{
    const char *signal[] = {"z", "aA"};
    darc_mathml_names names = {2, signal};
    expect_math("m*a", "<mi>m</mi>", NULL);
    expect_math("x'", X_DOT, NULL);
    expect_math("zw'", "<mi>zw</mi><mo>\u2032</mo>", NULL);
    expect_math("x''", "<mi>x</mi><mo>\u00a8</mo>", NULL);
    expect_math("der(x,4)",
                "<msup><mi>x</mi><mrow><mo stretchy=\"false\">(</mo><mn>4</mn>",
                NULL);
    expect_math("x'^2", X_DOT "</mpadded><mn>2</mn></msup>", NULL);
    expect_math("k12*x", "<msub><mi>k</mi><mi>12</mi></msub>", NULL);
    expect_math("x_max", "<msub><mi>x</mi><mi>max</mi></msub>", NULL);
    expect_math("omega0", "<msub><mi>\u03c9</mi><mi>0</mi></msub>", NULL);
    expect_math("Phi*sigma*etas", "<mi>\u03a6</mi>", NULL);
    expect_math("Phi*sigma*etas", "<mi>\u03c3</mi>", NULL);
    expect_math("Phi*sigma*etas", "<mi>etas</mi>", NULL);
    expect_math("theta'", "<mi>\u03b8</mi><mo>\u02d9</mo>", NULL);
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
    expect_math("c3*(z^3)", "<mspace width=\"0.16em\"/><msup><mi>z</mi>", NULL);
    expect_math("(a + b)*z", "(</mo><mrow><mi>a</mi></mrow>", NULL);
    expect_math("x*(-y)", "(</mo><mo>\u2212</mo>", NULL);
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
        darc_html_put(t, "%m", list[i]);
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

/* Whatever stands there, the reader ends, and what it writes nests. */
START_TEST(reads_random_text)
{
    static const char letter[] = "aAz19()()[]'^*/+-,. =!_der(sqrt(det [[";
    unsigned long state = 7;
    int read = 0;
    for (int i = 0; i < 5000; i++) {
        char text[25];
        size_t n = 1 + (size_t)i % (sizeof text - 1);
        for (size_t k = 0; k < n; k++) {
            state = state * 6364136223846793005UL + 1442695040888963407UL;
            text[k] = letter[(state >> 33) % (sizeof letter - 1)];
        }
        text[n] = '\0';
        darc_text_t t;
        darc_text_init(t);
        if (darc_mathml(t, text, NULL)) {
            markup_assert_nested(t->s);
            read++;
        }
        darc_text_clear(t);
    }
    ck_assert_int_gt(read, 50);
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

Suite *suite_html(void)
{
    Suite *s = suite_create("html");
    TCase *t = tcase_create("html");
    tcase_add_test(t, escapes_what_users_write);
    tcase_add_test(t, writes_numbers_for_people);
    tcase_add_test(t, writes_rows);
    tcase_add_test(t, typesets_relations);
    tcase_add_test(t, leaves_what_is_no_relation);
    tcase_add_test(t, reads_random_text);
    tcase_add_test(t, decimation_keeps_a_single_peak);
    tcase_add_test(t, decimation_of_few_samples_and_of_none);
    tcase_add_test(t, packs_values_into_levels);
    suite_add_tcase(s, t);
    return s;
}
