/* Every file of systems/broken is refused with the message that its first
 * line promises, at the place that it names, with the line and a caret. */
#include "files.h"
#include "tests.h"

#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LLVMFuzzerTestOneInput fuzz_model
#include "fuzz/fuzz_model.c"

static void check_caret(const char *message)
{
    const char *line = strchr(message, '\n');
    ck_assert_ptr_nonnull(line);
    const char *caret = strchr(line + 1, '\n');
    ck_assert_ptr_nonnull(caret);
    size_t indent = strspn(caret + 1, " \t");
    ck_assert_str_eq(caret + 1 + indent, "^");
}

static void check_refused(const char *path, const char *name)
{
    darc_text_t text;
    darc_text_init(text);
    test_read_file(text, path);
    ck_assert_msg(strncmp(text->s, "# ", 2) == 0, "%s", path);
    darc_model *m = NULL;
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_model_parse(&m, text->s, text->len, name, &err);
    ck_assert_msg(status != DARC_OK, "%s was accepted", path);
    ck_assert_ptr_null(m);
    ck_assert_int_eq(status, err.status);
    size_t n = strcspn(text->s, "\n") - 2;
    ck_assert_msg(
        strncmp(err.message, text->s + 2, n) == 0 && err.message[n] == '\n',
        "%s: promised\n%.*s\nbut\n%s", path, (int)n, text->s + 2, err.message);
    check_caret(err.message);
    darc_text_clear(text);
}

START_TEST(broken_models_are_refused)
{
    ck_assert_int_ge(test_walk("systems/broken", ".darc", check_refused), 45);
}
END_TEST

/* The harness gets a copy of exactly n bytes: reading past it shows. */
static void replay_bytes(const char *s, size_t n)
{
    uint8_t *copy = malloc(n + (n == 0));
    memcpy(copy, s, n);
    fuzz_model(copy, n);
    free(copy);
}

static void replay(const char *path, const char *name)
{
    (void)name;
    darc_text_t text;
    darc_text_init(text);
    test_read_file(text, path);
    replay_bytes(text->s, text->len);
    /* Cut short, and with one byte changed. */
    for (size_t k = 1; k < 8; k++) {
        size_t n = text->len * k / 8;
        replay_bytes(text->s, n);
        text->s[n] = (char)(text->s[n] ^ 1);
        replay_bytes(text->s, text->len);
    }
    darc_text_clear(text);
}

static void replay_system(const char *path, const char *name)
{
    test_walk(path, ".darc", replay);
    test_walk(path, ".xml", replay);
    (void)name;
}

START_TEST(fuzz_seeds)
{
    fuzz_model(NULL, 0);
    ck_assert_int_gt(test_walk("systems", "", replay_system), 10);
}
END_TEST

/* What is odd and no error is told once, at its first place; a model that a
 * function was taken out of is told of as it was written. */
START_TEST(remarks_are_those_known)
{
    static const struct {
        const char *text, *remark[2];
    } row[] = {
        {"parameters\n a [N/m]\ninputs\n u [kN]\noutputs\n y [m]\nequations\n"
         " a*y = u\n",
         {NULL, NULL}},
        {"parameters\n a [N/m] b [joul/K]\nconstants\n g = 1\nstates\n x\n"
         "inputs\n u [kN]\noutputs\n y [m]\nequations\n a*y = u + b\n",
         {"m.darc:2:10: warning: not a known unit, so that it is neither "
          "checked nor converted: b [joul/K]",
          "m.darc:6:2: warning: no equation uses x"}},
        {"parameters\n a b\nstates\n x\ninputs\n u\noutputs\n y z\n"
         "derived\n w = abs(u)\nequations\n x' = sin(x) + w\n y = x\n",
         {"m.darc:2:2: warning: no equation uses a, b, z", NULL}}};
    for (int i = 0; i < 3; i++) {
        darc_model *m;
        ck_assert_int_eq(darc_model_parse(&m, row[i].text, strlen(row[i].text),
                                          "m.darc", NULL),
                         DARC_OK);
        int n = 0;
        while (n < 2 && row[i].remark[n] != NULL)
            n++;
        ck_assert_int_eq(darc_model_remarks(m), n);
        for (int k = 0; k < n; k++)
            ck_assert_str_eq(darc_model_remark(m, k), row[i].remark[k]);
        darc_model_free(m);
    }
}
END_TEST

/* y [mg/l] = u [mg] / V: V is in l, which no power of the SI's units is. */
START_TEST(units_are_taken_where_they_have_no_factor)
{
    static const char *const row[][3] = {{"kg", "kg/m^3", "m^3"},
                                         {"mg", "mg/l", ""},
                                         {"N", "N/m", "m"},
                                         {"N", "kN/m", ""}};
    for (int i = 0; i < 4; i++) {
        darc_model *m;
        char text[200];
        snprintf(text, sizeof text,
                 "parameters\n V\ninputs\n u [%s]\noutputs\n y [%s]\n"
                 "equations\n V*y = u\n",
                 row[i][0], row[i][1]);
        ck_assert_int_eq(
            darc_model_parse(&m, text, strlen(text), "m.darc", NULL), DARC_OK);
        int u = darc_names_find(darc_model_names(m), "V", 1);
        ck_assert_str_eq(darc_model_unit(m, u), row[i][2]);
        darc_model_free(m);
    }
}
END_TEST

Suite *suite_model_read(void)
{
    Suite *s = suite_create("model_read");
    TCase *c = tcase_create("broken");
    tcase_add_test(c, broken_models_are_refused);
    tcase_add_test(c, fuzz_seeds);
    tcase_add_test(c, remarks_are_those_known);
    tcase_add_test(c, units_are_taken_where_they_have_no_factor);
    suite_add_tcase(s, c);
    return s;
}
