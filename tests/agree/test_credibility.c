#include "tests.h"

#include "agree/credibility.h"
#include "report/agreement.h"

#include "draw.h"
#include "files.h"
#include "program.h"

#define LLVMFuzzerTestOneInput fuzz_factors
#include "fuzz/fuzz_factors.c"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static darc_err err;
static darc_factor_space s;

static void setup(void)
{
    darc_err_init(&err);
    memset(&s, 0, sizeof s);
}

static void teardown(void)
{
    darc_credibility_clear(&s);
}

static void assess(const char *text)
{
    darc_credibility_clear(&s);
    ck_assert_msg(darc_credibility_parse(&s, text, strlen(text), "x", &err) ==
                      DARC_OK,
                  "%s", err.message);
    ck_assert_msg(darc_credibility_assess(&s, &err) == DARC_OK, "%s",
                  err.message);
}

static const darc_factor *factor(const char *name)
{
    for (int i = 0; i < s.factors; i++)
        if (strcmp(s.factor[i].name, name) == 0)
            return &s.factor[i];
    ck_abort_msg("no factor %s", name);
    return NULL;
}

/* The published case: C of .727 .789 .623 .7161 .5150 and its origin. */
START_TEST(published_case)
{
    ck_assert_int_eq(
        darc_credibility_read(&s, "systems/missile/flight.factors", &err),
        DARC_OK);
    ck_assert_int_eq(darc_credibility_assess(&s, &err), DARC_OK);
    ck_assert_double_eq_tol(factor("x")->credibility, .636, 5e-4);
    ck_assert_double_eq_tol(factor("y")->credibility, .690, 5e-4);
    ck_assert_double_eq_tol(factor("z")->credibility, .545, 5e-4);
    ck_assert_double_eq_tol(factor("h")->credibility, .6266, 5e-5);
    ck_assert_double_eq_tol(factor("f")->credibility, .4506, 5e-5);
    ck_assert(factor("f")->origin && factor("h")->defect);
    ck_assert(!factor("h")->origin && !factor("m")->defect);
    ck_assert_int_eq(darc_credibility_verdict(&s), DARC_FALSE);
    darc_text_t out;
    darc_text_init(out);
    darc_tracing_json(out, &s);
    ck_assert_ptr_nonnull(strstr(out->s, "\"origins\": [\"f\"]"));
    ck_assert_ptr_nonnull(strstr(out->s, "\"verdict\": \"not acceptable\""));
    darc_text_reset(out);
    darc_tracing_print(out, &s, false);
    ck_assert_ptr_nonnull(strstr(out->s, "defects: x, y, z, h, f\n"));
    ck_assert_ptr_nonnull(strstr(out->s, "flight: not acceptable; the defect "
                                         "comes from f"));
    darc_text_clear(out);
}
END_TEST

START_TEST(transformation)
{
    ck_assert(darc_credibility_transform(1, 0.8, 0.7) == 1);
    ck_assert(darc_credibility_transform(0, 0.8, 0.7) == 0);
    ck_assert_double_eq_tol(darc_credibility_transform(0.8, 0.8, 0.7), 0.7,
                            1e-15);
    ck_assert_double_eq_tol(darc_credibility_transform(0.9, 0.8, 0.7), 0.85,
                            1e-15);
    for (double g = 0.05; g < 1; g += 0.05)
        ck_assert(darc_credibility_transform(g, 0.8, 0.7) >
                  darc_credibility_transform(g - 0.05, 0.8, 0.7));
}
END_TEST

START_TEST(factors_without_evidence)
{
    assess("outputs\n a b c d\ninputs\n p q r\nevidence\n p = grade 0.9\n"
           " q = grade 0.6\nlinks\n a <- compose p weight 3\n"
           " a <- compose q\n b <- derive p\n b <- derive q\n"
           " c <- inherit r\n d <- substitute r\n d <- substitute p\n");
    ck_assert_double_eq_tol(factor("a")->credibility, 3.3 / 4, 1e-15);
    ck_assert_double_eq_tol(factor("b")->credibility, 0.6, 1e-15);
    ck_assert_int_eq(factor("b")->acceptable, DARC_FALSE);
    ck_assert_int_eq(factor("c")->acceptable, DARC_UNKNOWN);
    ck_assert_double_eq_tol(factor("d")->credibility, 0.9, 1e-15);
    ck_assert(factor("q")->origin);
}
END_TEST

START_TEST(links_that_outrank)
{
    assess("outputs\n a b\ninputs\n p q\nevidence\n a = grade 0.9\n"
           " b = grade 0.9\n p = grade 0.75\n q = grade 0.9\nlinks\n"
           " a <- surpass p threshold 0.8\n b <- contradict q\n");
    ck_assert_int_eq(factor("a")->acceptable, DARC_FALSE);
    ck_assert(factor("a")->stricter); /* p itself is acceptable */
    ck_assert_int_eq(factor("b")->acceptable, DARC_FALSE);
    ck_assert(factor("b")->origin);
}
END_TEST

START_TEST(conditions)
{
    assess("outputs\n a b\ninputs\n p q\nevidence\n p = grade 0.9\n"
           " q = grade 0.2\nlinks\n a <- derive p\n a <- derive q when q\n"
           " b <- derive p\n b <- derive q unless q\n");
    ck_assert_double_eq_tol(factor("a")->credibility, 0.9, 1e-15);
    ck_assert_double_eq_tol(factor("b")->credibility, 0.2, 1e-15);
}
END_TEST

START_TEST(all_siblings_pass)
{
    assess("outputs\n a\ninputs\n p q\nevidence\n a = 0.5\n p = 0.9\n"
           " q = 0.85\nlinks\n a <- compose p\n a <- compose q\n");
    ck_assert(factor("a")->stricter && factor("a")->defect);
    ck_assert(!factor("a")->origin && !factor("p")->defect);
    darc_text_t out;
    darc_text_init(out);
    darc_tracing_print(out, &s, false);
    ck_assert_ptr_nonnull(strstr(out->s, "stricter criteria are needed"));
    darc_text_clear(out);
    assess("outputs\n a\nevidence\n a = 0.85 accept 0.9\n");
    ck_assert(factor("a")->origin); /* C = .775 < .9 */
}
END_TEST

START_TEST(iterated_factors_may_form_a_cycle)
{
    assess("outputs\n a\nquantities\n v w\niterated\n v\nevidence\n a = 0.3\n"
           " v = 0.4\nlinks\n a <- derive v\n v <- derive w\n w <- derive v\n");
    ck_assert(factor("v")->defect && factor("w")->defect);
    ck_assert_double_eq_tol(factor("w")->credibility, 0.35, 1e-15);
    darc_credibility_clear(&s);
    static const char *const text =
        "outputs\n a\nquantities\n v\niterated\n v\nlinks\n a <- derive v\n"
        " v <- derive a\n";
    ck_assert_int_eq(darc_credibility_parse(&s, text, strlen(text), "x", &err),
                     DARC_OK);
    ck_assert_int_eq(darc_credibility_assess(&s, &err), DARC_MODEL);
    ck_assert_str_eq(err.message, "x:1:1: error: 'a' depends on itself: an "
                                  "iterated factor needs evidence of its own");
}
END_TEST

/* Series in files beside the factor file: each analysis on equal and on
 * different columns. */
START_TEST(evidence_from_series)
{
    char path[300];
    uint64_t state = 3;
    snprintf(path, sizeof path, "%s/runs.csv", program_directory());
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs("t,a,b,c\n", f);
    for (int i = 0; i < 512; i++) {
        double a = draw_normal(&state);
        fprintf(f, "%g,%g,%g,%g\n", 0.01 * i, a, draw_normal(&state),
                9 + 8 * draw_normal(&state));
    }
    fclose(f);
    snprintf(path, sizeof path, "%s/space.factors", program_directory());
    f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs("outputs\n same grey1 far t1 t2 f1 f2\nevidence\n"
          " same  = theil(\"runs.csv:a\", \"runs.csv:a\")\n"
          " grey1 = grey(\"runs.csv:a\", \"runs.csv:b\")\n"
          " far   = theil(\"runs.csv:a\", \"runs.csv:c\")\n"
          " t1 = ttest(\"runs.csv:a\", \"runs.csv:b\")\n"
          " t2 = ttest(\"runs.csv:a\", \"runs.csv:c\")\n"
          " f1 = ftest(\"runs.csv:a\", \"runs.csv:b\")\n"
          " f2 = ftest(\"runs.csv:a\", \"runs.csv:c\")\n",
          f);
    fclose(f);
    ck_assert_int_eq(darc_credibility_read(&s, path, &err), DARC_OK);
    ck_assert_msg(darc_credibility_assess(&s, &err) == DARC_OK, "%s",
                  err.message);
    ck_assert(factor("same")->similarity == 1);
    ck_assert(factor("grey1")->similarity > 0.5);
    ck_assert(factor("grey1")->similarity < 0.9);
    ck_assert(factor("far")->similarity < 0.3);
    ck_assert(factor("t1")->similarity > 0);
    ck_assert(factor("t2")->similarity == 0);
    ck_assert(factor("f1")->similarity > 0);
    ck_assert(factor("f2")->similarity == 0);
}
END_TEST

static const struct {
    const char *text, *message;
} broken[] = {
    {"", "x:1:1: error: no output is declared"},
    {"inputs\n a\n", "x:1:1: error: no output is declared"},
    {"a = 1\n", "x:1:1: error: expected a section (thresholds, outputs, "
                "quantities, inputs, iterated, evidence, links) near 'a'"},
    {"outputs\n a a\n", "x:2:4: error: 'a' is declared twice"},
    {"outputs\n a [m\n",
     "x:2:4: error: the unit has no closing ']' in its line"},
    {"outputs\n a \"m\n",
     "x:2:4: error: the text has no closing '\"' in its line"},
    {"outputs\n a ?\n", "x:2:4: error: '?' is not part of the language"},
    {"outputs\n a =\n", "x:2:4: error: expected the end of the line near '='"},
    {"outputs\n alpha\nevidence\n alpa = 1\n",
     "x:4:2: error: 'alpa' is not declared (did you mean 'alpha'?)"},
    {"outputs\n a\nevidence\n a = 1.5\n",
     "x:4:6: error: 1.5 lies outside 0 .. 1"},
    {"outputs\n a\nevidence\n a = 0.5\n a = 0.5\n",
     "x:5:4: error: 'a' has evidence already, in line 4"},
    {"outputs\n a\nevidence\n a = gray(\"r:x\", \"s:x\")\n",
     "x:4:6: error: expected a similarity, grade, grey, theil, ttest or ftest "
     "near 'gray'"},
    {"outputs\n a\nevidence\n a = grey(\"r:x\" \"s:x\")\n",
     "x:4:17: error: expected ',' near 's:x'"},
    {"outputs\n a\nevidence\n a\n",
     "x:4:3: error: expected '=' at the end of the line"},
    {"outputs\n a\nlinks\n a <- derive a\n",
     "x:4:14: error: 'a' is linked to itself"},
    {"outputs\n a b\nlinks\n a <- depend b\n",
     "x:4:7: error: expected compose, derive, surpass, substitute, contradict "
     "or inherit near 'depend'"},
    {"outputs\n a b\nlinks\n a <- derive b\n b <- derive a\n",
     "x:5:1: error: the links form a cycle through 'b' and 'a'; declare one of "
     "them iterated"},
    {"outputs\n a b\nlinks\n a <- compose b weight -1\n",
     "x:4:24: error: -1 lies outside 1e-12 .. 1e+12"},
    {"outputs\n a b\nlinks\n a <- compose b wait 1\n",
     "x:4:17: error: expected weight, threshold, when or unless near 'wait'"},
    {"thresholds\n similarity = 1\n",
     "x:2:15: error: 1 lies outside 0.001 .. 0.999999"},
    {"thresholds\n gamma = 1\n", "x:2:2: error: expected similarity, "
                                 "credibility, level or rate near 'gamma'"},
    {"factors \"text\"\n",
     "x:1:9: error: expected the name of the factor space near 'text'"},
};

START_TEST(broken_files)
{
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        size_t n = strlen(broken[i].text);
        darc_err_init(&err);
        darc_status status =
            darc_credibility_parse(&s, broken[i].text, n, "x", &err);
        ck_assert_msg(status != DARC_OK, "accepted: %s", broken[i].text);
        err.message[strcspn(err.message, "\n")] = '\0';
        ck_assert_str_eq(err.message, broken[i].message);
        for (size_t k = 0; k <= n; k++) {
            uint8_t *exact = malloc(k + 1);
            memcpy(exact, broken[i].text, k);
            fuzz_factors(exact, k);
            free(exact);
        }
    }
}
END_TEST

START_TEST(series_that_are_not_there)
{
    static const char *const text =
        "outputs\n a\nevidence\n a = grey(\"nowhere\", \"b:c\")\n";
    ck_assert_int_eq(darc_credibility_parse(&s, text, strlen(text), "x", &err),
                     DARC_OK);
    ck_assert_int_eq(darc_credibility_assess(&s, &err), DARC_MODEL);
    ck_assert_str_eq(err.message, "x:4:1: error: expected \"FILE:COLUMN\", not "
                                  "\"nowhere\"");
    darc_err_init(&err);
    ck_assert_int_eq(darc_credibility_read(&s, "no/such.factors", &err),
                     DARC_IO);
}
END_TEST

Suite *suite_credibility(void)
{
    Suite *suite = suite_create("credibility");
    TCase *c = tcase_create("credibility");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, published_case);
    tcase_add_test(c, transformation);
    tcase_add_test(c, factors_without_evidence);
    tcase_add_test(c, links_that_outrank);
    tcase_add_test(c, conditions);
    tcase_add_test(c, all_siblings_pass);
    tcase_add_test(c, iterated_factors_may_form_a_cycle);
    tcase_add_test(c, evidence_from_series);
    tcase_add_test(c, broken_files);
    tcase_add_test(c, series_that_are_not_there);
    suite_add_tcase(suite, c);
    return suite;
}
