/* Parts of files by name, and long tables. */
#include "tests.h"

#include "recording.h"

#include "data/part.h"
#include "files.h"
#include "program.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static darc_err err;

START_TEST(names_say_which_part)
{
    darc_part p;
    const char *file = program_write("a[1].csv", "t,y\n0,1\n");
    darc_part_init(&p, file);
    ck_assert_str_eq(p.file, file);
    ck_assert(isnan(p.from) && isnan(p.to) && p.column == NULL);
    darc_part_clear(&p);

    char *name = darc_text_of("%s[2.5:10]", file);
    darc_part_init(&p, name);
    ck_assert_str_eq(p.file, file);
    ck_assert(p.from == 2.5 && p.to == 10 && p.column == NULL);
    darc_part_clear(&p);
    free(name);

    name = darc_text_of("%s[rate[0]=a[b]", file);
    darc_part_init(&p, name);
    ck_assert_str_eq(p.file, file);
    ck_assert_str_eq(p.column, "rate[0]");
    ck_assert_str_eq(p.value, "a[b");
    darc_part_clear(&p);
    free(name);

    darc_part_init(&p, "not/there.csv[:3]");
    ck_assert_str_eq(p.file, "not/there.csv");
    ck_assert(isnan(p.from) && p.to == 3);
    darc_part_clear(&p);
    darc_part_init(&p, "run[a-z].csv");
    ck_assert_str_eq(p.file, "run[a-z].csv");
    darc_part_clear(&p);
}
END_TEST

/* Three subjects one behind the other; the second has no value once. */
static const char behind[] = "subject;t;y\n"
                             "b 1;0;1\nb 1;0,1;2\nb 1;0,2;3\n"
                             "\"a\";0;4\n;0,1;5\n\"a\";0,2;6\n"
                             "b=2;0;7\nb=2;0,1;8\nb=2;0,2;9\n";

/* The same one beside the other. */
static const char beside[] = "t,subject,y\n"
                             "0,b 1,1\n0,a,4\n0,b=2,7\n"
                             "0.1,b 1,2\n0.1,b=2,8\n"
                             "0.2,b 1,3\n0.2,a,6\n0.2,b=2,9\n";

/* Text below the rows ends them; a row that went wrong above others does not.
 */
START_TEST(values_end_with_the_rows)
{
    darc_parts p = {0};
    const char *file = program_write(
        "end.csv", "run,t,y\na,0,1\na,1,2\nb,0,1\nb,1,2\nend of file\n");
    ck_assert_int_eq(darc_parts_add(&p, file, "run", &err), DARC_OK);
    ck_assert_int_eq(p.count, 2);
    darc_parts_clear(&p);
    file = program_write("odd.csv", "run,t,y\na,0,1\na,1\nb,0,1\nb,1,2\n");
    ck_assert_int_eq(darc_parts_add(&p, file, "run", &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, ":3:4: error: 2 cells where"));
    darc_parts_clear(&p);
    darc_err_init(&err);
}
END_TEST

START_TEST(each_value_is_a_recording)
{
    static const double first[] = {1, 4, 7}, last[] = {3, 6, 9};
    static const char *const value[] = {"b 1", "a", "b=2"};
    for (int k = 0; k < 2; k++) {
        darc_parts p = {0};
        const char *file = program_write("long.csv", k == 0 ? behind : beside);
        ck_assert_int_eq(darc_parts_add(&p, file, NULL, &err), DARC_OK);
        ck_assert_int_eq(darc_parts_add(&p, file, "subject", &err), DARC_OK);
        ck_assert_int_eq(p.count, 4);
        ck_assert_str_eq(p.name[0], file);
        for (int i = 0; i < 3; i++) {
            darc_table *t;
            darc_load_options o;
            char *name = darc_text_of("%s[subject=%s]", file, value[i]);
            ck_assert_str_eq(p.name[i + 1], name);
            free(name);
            darc_load_options_init(&o);
            darc_err_init(&err);
            ck_assert_msg(darc_table_load(&t, p.name[i + 1], &o, &err) ==
                              DARC_OK,
                          "%s", err.message);
            ck_assert_int_eq(t->signals, 1);
            ck_assert_str_eq(t->signal[0].name, "y");
            ck_assert(t->signal[0].value[0] == first[i]);
            ck_assert(t->signal[0].value[t->samples - 1] == last[i]);
            ck_assert(fabs(darc_table_time(t, t->samples - 1) - 0.2) < 1e-12);
            darc_table_free(t);
        }
        darc_parts_clear(&p);
    }
}
END_TEST

/* What is told of the text: the note, or the error. */
static char *told(const char *text)
{
    darc_load_options o;
    darc_table *t;
    const char *file = program_write("told.csv", text);
    darc_load_options_init(&o);
    darc_err_init(&err);
    if (darc_table_load(&t, file, &o, &err) != DARC_OK)
        return strdup(err.message);
    darc_text_t all = DARC_TEXT;
    for (int i = 0; i < t->remarks; i++)
        darc_text_printf(all, "%s\n", t->remark[i]);
    darc_table_free(t);
    return darc_text_take(all);
}

/* Rows of others are left out in whole chunks; lines are counted all the same.
 */
START_TEST(rows_of_others_are_left_out)
{
    enum { ROWS = 20000 };
    darc_table *t;
    darc_load_options o;
    darc_text_t text = DARC_TEXT;
    darc_text_puts(text, "who,t,y\n");
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < ROWS; i++)
            darc_text_printf(text, "%s,%d,%d\n", k == 1 ? "ann" : "joanna", i,
                             i + 10 * k);
    darc_text_puts(text, "ann,20000,x\njoanna,20000,1\n");
    char *name = darc_text_of("%s[who=ann]", program_write("b.csv", text->s));
    const char *const want[] = {"y"};
    darc_load_options_init(&o);
    o.want = want;
    o.wanted = 1;
    darc_err_init(&err);
    ck_assert_int_ne(darc_table_load(&t, name, &o, &err), DARC_OK);
    ck_assert_msg(strstr(err.message, ":60002:11: error: 'x'") != NULL, "%s",
                  err.message);
    o.to = ROWS - 2;
    darc_err_init(&err);
    ck_assert_int_eq(darc_table_load(&t, name, &o, &err), DARC_OK);
    ck_assert_uint_eq(t->samples, ROWS - 1);
    ck_assert(t->signal[0].value[ROWS - 2] == ROWS + 8);
    darc_table_free(t);
    darc_text_clear(text);
    free(name);
}
END_TEST

START_TEST(what_parts_the_rows_is_proposed)
{
    /* a column that parts them, by words or numbers; one that does not */
    static const char *const text[] = {
        behind, beside,
        "dose,t,n,y\n1,0,1,1\n1,1,2,2\n1,2,3,3\n2,0,4,4\n2,1,5,5\n2,2,6,6\n",
        "t,y,z\n0,1,5\n1,2,6\n2,3,7\n0,1,5\n1,2,6\n2,3,8\n"};
    static const char *const says[] = {"--each subject", "--each subject",
                                       "--each dose", NULL};
    for (int i = 0; i < 4; i++) {
        char *found = told(text[i]);
        if (says[i] != NULL)
            ck_assert_msg(strstr(found, says[i]) != NULL, "%s", found);
        else
            ck_assert_msg(strstr(found, "--each") == NULL, "%s", found);
        free(found);
    }
}
END_TEST

START_TEST(what_is_no_long_table_is_refused)
{
    darc_parts p = {0};
    const char *file = program_write("long.csv", behind);
    darc_err_init(&err);
    ck_assert_int_eq(darc_parts_add(&p, file, "subjects", &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "did you mean 'subject'?"));
    darc_err_init(&err);
    ck_assert_int_eq(darc_parts_add(&p, "-", "subject", &err), DARC_USAGE);
    file = program_write("none.csv", "s,t,y\n,0,1\n,1,2\n");
    darc_err_init(&err);
    ck_assert_int_eq(darc_parts_add(&p, file, "s", &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "'s' has no value"));
    darc_text_t many = DARC_TEXT;
    darc_text_puts(many, "t,y\n");
    for (int i = 0; i <= 10000; i++)
        darc_text_printf(many, "%d,1\n", i);
    file = program_write("many.csv", many->s);
    darc_text_clear(many);
    darc_err_init(&err);
    ck_assert_int_eq(darc_parts_add(&p, file, "t", &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "more than 10000 values"));
    darc_parts_clear(&p);

    darc_table *t;
    darc_load_options o;
    char *name = darc_text_of("%s[t=x]", file);
    darc_load_options_init(&o);
    darc_err_init(&err);
    ck_assert_int_eq(darc_table_load(&t, name, &o, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "no row has 'x'"));
    free(name);
}
END_TEST

/* Write vectors of n numbers as MATLAB 4 has them; return the file. */
static const char *write_mat(size_t n, const double *const *x)
{
    static const char *const name[] = {"t", "subject", "y"};
    const char *file = program_path("long.mat");
    FILE *f = fopen(file, "wb");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < 3; i++) {
        int32_t size = (int32_t)strlen(name[i]) + 1;
        int32_t head[] = {0, (int32_t)n, 1, 0, size};
        fwrite(head, sizeof *head, 5, f);
        fwrite(name[i], 1, (size_t)size, f);
        fwrite(x[i], sizeof **x, n, f);
    }
    fclose(f);
    return file;
}

/* In files of arrays too a time that begins anew begins a recording, one that
 * stands is that of the later row, and a column makes recordings. */
START_TEST(arrays_hold_long_tables)
{
    enum { EACH = 12, N = 3 * EACH };
    double t[N], subject[N], y[N];
    const double *const x[] = {t, subject, y};
    darc_load_options o;
    darc_table *table;
    darc_parts p = {0};
    for (int i = 0; i < N; i++) {
        t[i] = 0.5 * (i % EACH);
        subject[i] = 1 + i / EACH;
        y[i] = i;
    }
    t[5] = t[4]; /* an event */
    const char *file = write_mat(N, x);
    darc_load_options_init(&o);
    darc_err_init(&err);
    ck_assert_msg(darc_table_load(&table, file, &o, &err) == DARC_OK, "%s",
                  err.message);
    darc_text_t said = DARC_TEXT;
    for (int i = 0; i < table->remarks; i++)
        darc_text_printf(said, "%s\n", table->remark[i]);
    ck_assert_ptr_nonnull(
        strstr(said->s, "row 13: time begins anew (2 times)"));
    ck_assert_ptr_nonnull(strstr(said->s, "--each subject"));
    ck_assert_ptr_nonnull(strstr(said->s, "row 6: 1 row has the time of"));
    darc_text_clear(said);
    ck_assert_int_ge(table->segments, 3);
    int k = darc_table_find(table, "y");
    ck_assert(table->signal[k].value[4] == 5); /* the later one */
    darc_table_free(table);

    ck_assert_int_eq(darc_parts_add(&p, file, "subject", &err), DARC_OK);
    ck_assert_int_eq(p.count, 3);
    ck_assert_int_eq(darc_table_load(&table, p.name[1], &o, &err), DARC_OK);
    ck_assert_int_eq(table->signals, 1);
    ck_assert_uint_eq(table->samples, EACH);
    for (int i = 0; i < EACH; i++)
        ck_assert(table->signal[0].value[i] == EACH + i);
    darc_table_free(table);
    darc_parts_clear(&p);
}
END_TEST

START_TEST(commands_take_each)
{
    static const char *const command[] = {"check structure", "check equal",
                                          "isolate", "values", "drift"};
    darc_text_t text = DARC_TEXT, out = DARC_TEXT, said = DARC_TEXT,
                line = DARC_TEXT;
    for (int k = 0; k < 2; k++) {
        const char *one = program_path("one.csv");
        darc_text_reset(line);
        darc_text_printf(line,
                         "simulate systems/low_pass/model.darc --param T=%s,K=2"
                         " --input u=multisine:1,0.1,5 --noise 0.01 --rate 100 "
                         "--t-end 8 --seed %d --quiet -o %s",
                         k == 0 ? "0.1" : "0.12", k + 1, one);
        ck_assert_int_eq(program_run(line->s, out, said), 0);
        darc_text_reset(out);
        ck_assert(program_read_file(one, out));
        const char *s = out->s;
        if (k == 0)
            darc_text_printf(text, "run,%.*s", (int)strcspn(s, "\n") + 1, s);
        for (s += strcspn(s, "\n") + 1; *s != '\0';) {
            size_t n = strcspn(s, "\n") + 1;
            darc_text_printf(text, "%s,%.*s", k == 0 ? "mo" : "di", (int)n, s);
            s += n;
        }
    }
    const char *file = program_write("week.csv", text->s);
    for (int k = 0; k < 5; k++) {
        static const int code[] = {0, 1, 0, 2, 1};
        darc_text_reset(line);
        darc_text_reset(out);
        darc_text_reset(said);
        darc_text_printf(line,
                         "%s systems/low_pass/model.darc %s --each run "
                         "--json -",
                         command[k], file);
        int got = program_run(line->s, out, said);
        if (k != 3) /* values contradict */
            ck_assert_msg(got == code[k], "%s: %d %s", command[k], got,
                          said->s);
        ck_assert_msg(strstr(k == 3 ? said->s : out->s,
                             k == 3 ? "contradict" : "[run=mo]") != NULL,
                      "%s: %s", command[k], out->s);
    }
    darc_text_reset(out);
    darc_text_reset(line);
    darc_text_printf(line,
                     "check structure systems/low_pass/model.darc %s "
                     "--each run",
                     file);
    program_run(line->s, out, said);
    ck_assert_ptr_nonnull(strstr(out->s, "CONSISTENT: each of 2 recordings"));
    darc_text_reset(out);
    darc_text_reset(line);
    darc_text_printf(line,
                     "check structure systems/low_pass/charging.darc %s %s",
                     program_write("a.csv", "t,y\n0,0\n1,1.9\n2,3.2\n"
                                            "4,4.3\n7,4.9\n9,4.8\n"),
                     program_write("b.csv", "t,y\n0,.1\n1,2\n2,3.1\n"
                                            "4,4.4\n7,4.8\n9,5\n"));
    program_run(line->s, out, said);
    ck_assert_msg(strstr(out->s, "UNDECIDED: 2 of 2 recordings are (all "
                                 "together, with one set of parameters: "
                                 "--method trajectory)") != NULL,
                  "%s%s", out->s, said->s);
    darc_text_reset(out);
    darc_text_reset(line);
    darc_text_printf(line, "compare %s --each run", file);
    ck_assert_int_eq(program_run(line->s, out, said), 0);
    ck_assert_ptr_nonnull(strstr(out->s, "1 simulation run"));
    darc_text_clear(text);
    darc_text_clear(out);
    darc_text_clear(said);
    darc_text_clear(line);
}
END_TEST

Suite *suite_part(void)
{
    Suite *s = suite_create("part");
    TCase *c = tcase_create("part");
    tcase_add_test(c, names_say_which_part);
    tcase_add_test(c, values_end_with_the_rows);
    tcase_add_test(c, each_value_is_a_recording);
    tcase_add_test(c, rows_of_others_are_left_out);
    tcase_add_test(c, what_parts_the_rows_is_proposed);
    tcase_add_test(c, what_is_no_long_table_is_refused);
    tcase_add_test(c, arrays_hold_long_tables);
    tcase_add_test(c, commands_take_each);
    suite_add_tcase(s, c);
    return s;
}
