#include "tests.h"

#include "data/table.h"
#include "markup.h"
#include "page/page.h"
#include "program.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    markup_assert_nested(page->s);
    ck_assert_uint_lt(page->len, 500000);
    ck_assert_int_eq(markup_count(page->s, "<h1>"), 1);
    ck_assert_int_eq(markup_count(page->s, "http://"),
                     0); /* nothing is fetched */
    ck_assert_int_eq(markup_count(page->s, " src="), 0);
    ck_assert_int_eq(markup_count(page->s, "<link"), 0);
    darc_text_clear(out);
    darc_text_clear(err);
    return code;
}

static void has(const darc_text_t page, const char *what)
{
    ck_assert_msg(strstr(page->s, what) != NULL, "the page lacks %s", what);
}

#define CAR "systems/quarter_car_chassis/"

/* What a model calls units stays text, and is set. */
START_TEST(units_of_a_model)
{
    darc_text_t page = DARC_TEXT, line = DARC_TEXT;
    FILE *f = fopen(program_path("units.darc"), "w");
    ck_assert_ptr_nonnull(f);
    fputs("model units\nparameters\n    c [<b>*s^-2]\n    d [1/s]\nconstants\n"
          "    m = 1\noutputs\n    a [m/s^2]\n    z [m]\nequations\n"
          "    m*a = c*z + d*z'\n",
          f);
    fclose(f);
    darc_text_printf(line, "check structure %s " CAR "data.csv",
                     program_path("units.darc"));
    make_page(line->s, page);
    has(page, "&lt;b&gt;\u00b7s\u207b\u00b2</td>");
    has(page, "<b>a</b> <span class=\"unit\">[m/s\u00b2]</span>");
    ck_assert_int_eq(markup_count(page->s, "<b>*s"), 0);
    darc_text_clear(page);
    darc_text_clear(line);
}
END_TEST

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
    has(page, "<b>Change from A to B</b>");
    has(page, "darc check equal " CAR "model.darc " CAR "data.csv");
    has(page, "<code>--alpha</code></th><td>0.01</td>");
    has(page, "class=\"hash\">");
    ck_assert_int_eq(markup_count(page->s, "data-plot="), 5);
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
    make_page("check equal " CAR "model.darc " CAR "data.csv " CAR
              "heavier.csv --method pointwise",
              page);
    has(page, "<b>Margin of the inequations</b>");
    make_page("check structure " CAR "model.darc " CAR "data.csv --over-time",
              page);
    has(page, "Parameters over time");
    darc_text_clear(page);
}
END_TEST

/* Of a progress curve from little substrate: the interval of one parameter is
 * longer above, and each has its profile, with the line that ends it. */
START_TEST(page_of_profiles)
{
    darc_text_t page = DARC_TEXT, line = DARC_TEXT, out = DARC_TEXT;
    const char *model = "systems/michaelis_menten/model.darc";
    darc_text_printf(line,
                     "simulate %s --param Vm=0.1,Km=2 --init S=3 --t-end 180 "
                     "--rate 0.1 --noise 0.05 --seed 1 --quiet -o %s",
                     model, program_path("curve.csv"));
    ck_assert_int_eq(program_run(line->s, out, out), 0);
    darc_text_reset(line);
    darc_text_printf(line, "values %s %s --method trajectory", model,
                     program_path("curve.csv"));
    make_page(line->s, page);
    ck_assert_int_eq(markup_count(page->s, "Profile likelihood of "), 2);
    ck_assert_int_eq(markup_count(page->s, "<path class=\"dash ssoft\""), 2);
    has(page, ">Profiles</h2>");
    has(page, " (0.06806 to 0.4044)");
    make_page("values " CAR "model.darc " CAR "data.csv " CAR "other_road.csv",
              page);
    has(page, "<th scope=\"row\" class=\"file\">" CAR "other_road.csv</th>");
    DARC_EACH(darc_text_clear, page, line, out);
}
END_TEST

START_TEST(page_of_an_isolation)
{
    darc_text_t page;
    darc_text_init(page);
    make_page("isolate " CAR "model.darc " CAR "data.csv " CAR "heavier.csv",
              page);
    has(page, "<h1>isolated</h1>");
    has(page, "<p>m changed (c/m -1.64 %, d/m -1.64 %)</p>");
    has(page, "Indistinguishable by any data");
    has(page, "65.5737705 \u00b1");
    has(page, "<b>Change from A to B</b>");
    ck_assert_int_eq(markup_count(page->s, "<tr class=\"lead\">"), 1);
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
    has(page, "moves by -1.6"); /* the answer first, then how many */
    ck_assert_ptr_null(strstr(page->s, "<b>.csv"));
    darc_text_clear(page);
}
END_TEST

START_TEST(page_of_groups)
{
    darc_text_t page;
    darc_text_init(page);
    char list[512], line[1024];
    snprintf(list, sizeof list, "%s/list", program_directory());
    FILE *f = fopen(list, "w");
    fputs("file,car,load\n" CAR "heavier.csv,b,1\n" CAR "data.csv,a<,1\n" CAR
          "other_road.csv,a<,2\n" CAR "heavier_damped.csv,b,2\n",
          f);
    fclose(f);
    snprintf(line, sizeof line, "drift " CAR "model.darc --list %s --group car",
             list);
    ck_assert_int_eq(make_page(line, page), 1);
    has(page, "each <b>car</b> against its own baseline?");
    has(page, ">car b</h2>");
    has(page, ">car a&lt;</h2>");
    ck_assert_ptr_null(strstr(page->s, "a<,"));
    /* what changed comes first */
    ck_assert(strstr(page->s, ">car b</h2>") <
              strstr(page->s, ">car a&lt;</h2>"));
    has(page, "1 of 2 recordings differ");
    strcat(line, " --covariate load");
    ck_assert_int_eq(make_page(line, page), 2);
    has(page, "What goes with covariates");
    has(page, "Undecided: a change");
    has(page, ", at its covariates");
    darc_text_clear(page);
}
END_TEST

/* Thousands of recordings: marks are thinned out, tables cut. */
START_TEST(long_campaigns_make_small_pages)
{
    enum { FILES = 4000, FUNCTIONS = 6 };
    static char name[FILES][24];
    static const char *const function[FUNCTIONS] = {"a", "b", "c/m",
                                                    "d", "e", "f*g"};
    static darc_change change[FUNCTIONS];
    static darc_campaign_recording recording[FILES];
    static const int relation[FUNCTIONS];
    for (int f = 0; f < FUNCTIONS; f++)
        change[f] = (darc_change){.relative = 0.0123456,
                                  .relative_sd = 0.00345678,
                                  .moved = f % 2 == 0};
    for (int i = 0; i < FILES; i++) {
        snprintf(name[i], sizeof name[i], "absent/run_%04d.csv", i);
        recording[i] = (darc_campaign_recording){
            .file = name[i], .verdict = DARC_INCONSISTENT, .change = change};
    }
    darc_campaign c = {.model_name = "m",
                       .model_file = "<m>",
                       .recordings = FILES,
                       .recording = recording,
                       .functions = FUNCTIONS,
                       .function = function,
                       .relation = relation,
                       .relations = 1,
                       .verdict = DARC_INCONSISTENT};
    darc_text_t page;
    darc_text_init(page);
    darc_page_campaign(page, &c, &(darc_page){0});
    markup_assert_nested(page->s);
    ck_assert_uint_lt(page->len, 500000);
    has(page, "3999 of 3999 recordings differ");
    has(page, "333 of 4000 recordings are shown");
    has(page, "One recording in 13 is drawn.");
    has(page, "run_0001.csv</th>");
    darc_text_clear(page);
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
    markup_assert_nested(out->s);
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
    static const char *const name[] = {
        "y",  "u1", "u2", "u3", "u4",
        "u5", "u6", "u7", "u8", "\xe2\x80\xae<\xff"};
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
    markup_assert_nested(page);
    ck_assert_int_eq(markup_count(page, "<script>"), 2);
    ck_assert_int_eq(markup_count(page, "</script>"), 3);
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
                     .relation = &relation,
                     .decision = relation.decision};
    darc_text_t page;
    darc_text_init(page);
    darc_page_check(page, &r, &(darc_page){.tables = 2, .table = table});
    assert_unbroken(page->s);
    ck_assert_uint_lt(page->len, 500000);
    ck_assert_int_eq(markup_count(page->s, "data-plot="), 2 * SIGNALS);
    ck_assert_ptr_nonnull(strstr(page->s, "8\u202f000 samples, drawn by"));
    ck_assert_ptr_nonnull(
        strstr(page->s, "\"label\":\"\\u005cu202e\\u003c\\u005cxff\""));
    darc_text_clear(page);
    darc_table_free(t);
}
END_TEST

/* Dry friction that the model lacks shows against the speed before all else,
 * and falls as it rises; a sound model shows nothing of the kind. */
START_TEST(what_is_left_shows_against_a_signal)
{
    darc_text_t page, out, err;
    char line[2048], file[2][512];
    static const char *const model[] = {
        "model rig\nparameters\n m b Fc\nstates\n q\ninputs\n F\noutputs\n "
        "x\nequations\n q = x\n m*x'' + b*x' + Fc*tanh(q'/0.01) = F\n",
        "model rig\nparameters\n m b\ninputs\n F\noutputs\n x\nequations\n "
        "m*x'' + b*x' = F\n"};
    darc_text_init(page);
    darc_text_init(out);
    darc_text_init(err);
    for (int k = 0; k < 2; k++) {
        snprintf(file[k], sizeof file[k], "%s/rig%d.darc", program_directory(),
                 k);
        FILE *f = fopen(file[k], "w");
        fputs(model[k], f);
        fclose(f);
    }
    for (int k = 0; k < 2; k++) {
        snprintf(line, sizeof line,
                 "simulate %s --param m=1,b=0.5%s --input "
                 "F=multisine:3,0.2,3 --t-end 60 --rate 200 --noise 0.0005 "
                 "--quiet -o %s/rig.csv",
                 file[k], k == 0 ? ",Fc=1" : "", program_directory());
        ck_assert_msg(program_run(line, out, err) == 0, "%s", err->s);
        snprintf(line, sizeof line, "check structure %s %s/rig.csv", file[1],
                 program_directory());
        make_page(line, page);
        const char *first = strstr(page->s, "<figcaption>against <b>");
        if (k == 1)
            ck_assert_ptr_null(first);
        else
            ck_assert(strncmp(first + 23, "x\u2032</b>", 8) == 0);
    }
    darc_text_clear(page);
    darc_text_clear(out);
    darc_text_clear(err);
}
END_TEST

START_TEST(session_writes_a_page)
{
    static const char text[] = "model m\nparameters\n    p\noutputs\n    y\n"
                               "inputs\n    u1\nequations\n    y = p*u1\n";
    darc_model *m;
    darc_session *s;
    darc_options *o;
    ck_assert_int_eq(darc_options_new(&o, "check", NULL), DARC_OK);
    ck_assert_int_eq(darc_options_number(o, "threads", 1, NULL), DARC_OK);
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "<m>", NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_session_open(&s, m, o, NULL, NULL), DARC_OK);
    darc_options_free(o);
    darc_session_keep_series(s, true);
    ck_assert_str_eq(darc_session_text(s, "html"), "");
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(darc_session_add_take(s, record(2, SHORT), NULL),
                         DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_EQUAL, NULL), DARC_OK);
    const char *page = darc_session_text(s, "html");
    assert_unbroken(page);
    ck_assert_int_eq(markup_count(page, "data-plot="), 4); /* copies */
    ck_assert_ptr_nonnull(strstr(page, "<code>--method</code></th><td>auto"));
    ck_assert_ptr_nonnull(strstr(page, "not a file that can be read again"));
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

Suite *suite_page(void)
{
    Suite *s = suite_create("page");
    TCase *t = tcase_create("page");
    tcase_add_test(t, units_of_a_model);
    tcase_add_test(t, page_of_a_check);
    tcase_add_test(t, page_of_profiles);
    tcase_add_test(t, page_of_an_isolation);
    tcase_add_test(t, page_of_a_campaign);
    tcase_add_test(t, page_of_groups);
    tcase_add_test(t, long_campaigns_make_small_pages);
    tcase_add_test(t, pages_of_agreement);
    tcase_add_test(t, page_on_standard_output);
    tcase_add_test(t, long_recordings_make_small_pages);
    tcase_add_test(t, what_is_left_shows_against_a_signal);
    tcase_add_test(t, session_writes_a_page);
    suite_add_tcase(s, t);
    return s;
}
