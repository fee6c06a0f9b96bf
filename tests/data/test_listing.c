/* Which recordings: lists, folders, patterns. */
#include "tests.h"

#include "data/listing.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static darc_listing l;
static darc_err err;
static char path[300];

static darc_status read_text(const char *text)
{
    snprintf(path, sizeof path, "%s/list", program_directory());
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    l = (darc_listing){0};
    darc_err_init(&err);
    return darc_listing_read(&l, path, &err);
}

START_TEST(a_list_without_a_header_is_a_name_a_line)
{
    ck_assert_int_eq(read_text("# of May\n a, b.csv \r\n\nc;d.csv"), DARC_OK);
    ck_assert_int_eq(l.files, 2);
    ck_assert_int_eq(l.columns, 0);
    ck_assert_str_eq(l.file[0], "a, b.csv");
    ck_assert_str_eq(l.file[1], "c;d.csv");
    darc_listing_clear(&l);
}
END_TEST

START_TEST(a_header_names_what_is_told_of_each)
{
    static const char *const text[] = {
        "vehicle,File,T\n7,a.csv,20.5\n8,\"b,1.csv\",\n",
        "vehicle;File;T\n7;a.csv;20.5\n8;b,1.csv;\n",
        "\xef\xbb\xbfvehicle\tFile\tT\r\n7\ta.csv\t20.5\r\n8\tb,1.csv\t\r\n"};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(read_text(text[i]), DARC_OK);
        ck_assert_int_eq(l.files, 2);
        ck_assert_int_eq(l.columns, 2);
        ck_assert_int_eq(darc_listing_column(&l, "vehicle"), 0);
        ck_assert_int_eq(darc_listing_column(&l, "T"), 1);
        ck_assert_int_eq(darc_listing_column(&l, "File"), -1);
        ck_assert_str_eq(l.file[1], "b,1.csv");
        ck_assert_str_eq(l.cell[0][0], "7");
        ck_assert_str_eq(l.cell[0][1], "20.5");
        ck_assert_str_eq(l.cell[1][0], "8");
        ck_assert_ptr_null(l.cell[1][1]);
        darc_listing_clear(&l);
    }
}
END_TEST

START_TEST(what_is_inserted_has_no_cells)
{
    ck_assert_int_eq(read_text("file,T\na.csv,1\nb.csv,2\n"), DARC_OK);
    darc_listing_insert(&l, 1, "new.csv");
    ck_assert_str_eq(l.file[1], "new.csv");
    ck_assert_str_eq(l.file[2], "b.csv");
    ck_assert_ptr_null(l.cell[1][0]);
    ck_assert_str_eq(l.cell[2][0], "2");
    darc_listing_clear(&l);
}
END_TEST

START_TEST(what_is_told_has_a_column)
{
    ck_assert_int_eq(read_text("file,T\na.csv,1\nb.csv,2\n"), DARC_OK);
    darc_listing_tell(&l, 1, "load", "30");
    darc_listing_tell(&l, 0, "T", NULL);
    darc_listing_insert(&l, 2, "new.csv");
    darc_listing_tell(&l, 2, "load", "0");
    darc_listing_tell(&l, 2, "load", "7");
    static const char *const cell[] = {NULL, NULL, "2", "30", NULL, "7"};
    ck_assert_int_eq(l.columns, 2);
    for (int i = 0; i < 6; i++) {
        const char *told = darc_listing_cell(&l, i / 2, i % 2);
        ck_assert_int_eq(told == NULL, cell[i] == NULL);
        ck_assert(told == NULL || strcmp(told, cell[i]) == 0);
    }
    darc_listing_clear(&l);
    l = (darc_listing){0};
    darc_listing_insert(&l, 0, "a.csv");
    darc_listing_tell(&l, 0, "T", "1");
    ck_assert_str_eq(darc_listing_cell(&l, 0, 0), "1");
    darc_listing_clear(&l);
}
END_TEST

START_TEST(broken_lists_are_refused)
{
    static const char *const text[][2] = {
        {"", "the list names no recording"},
        {"file,T\n", "the list names no recording"},
        {"file,T\na.csv\n", ":2:1: error: fewer cells than the 2"},
        {"file,T\na.csv,1,2\n", ":2:1: error: more cells than the 2"},
        {"T,file\n1,\n", "expected the name of a file"},
        {"file,T,T\na.csv,1,2\n", ":1:8: error: two columns are named 'T'"},
        {"file,T\n\"a.csv,1\n", "the quote is not closed"}};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        ck_assert_int_eq(read_text(text[i][0]), DARC_DATA);
        ck_assert_msg(strstr(err.message, text[i][1]) != NULL, "%s",
                      err.message);
        darc_listing_clear(&l);
    }
    ck_assert_int_eq(darc_listing_read(&l, "/no/such/list", &err), DARC_IO);
}
END_TEST

/* Make a file in a folder of the temporary directory. */
static void put(const char *name, const char *text)
{
    char file[400];
    snprintf(file, sizeof file, "%s/%s", path, name);
    FILE *f = fopen(file, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static void touch(const char *name)
{
    put(name, "");
}

START_TEST(folders_and_patterns_count_numbers_as_numbers)
{
    char pattern[400];
    snprintf(path, sizeof path, "%s/folder", program_directory());
    mkdir(path, 0700);
    touch("run10.csv");
    touch("run9.csv");
    touch("x.MAT");
    touch("notes.md");
    touch(".hidden.csv");
    l = (darc_listing){0};
    ck_assert_int_eq(darc_listing_collect(&l, path, &err), DARC_OK);
    ck_assert_int_eq(l.files, 3);
    snprintf(pattern, sizeof pattern, "%s/run*.csv", path);
    ck_assert_int_eq(darc_listing_collect(&l, pattern, &err), DARC_OK);
    ck_assert_int_eq(l.files, 5);
    ck_assert_int_eq(darc_listing_collect(&l, "no[such", &err), DARC_DATA);
    ck_assert_int_eq(darc_listing_collect(&l, "nosuch", &err), DARC_OK);
    static const char *const is[] = {"/run9.csv", "/run10.csv", "/x.MAT",
                                     "/run9.csv", "/run10.csv"};
    for (int i = 0; i < 5; i++)
        ck_assert_str_eq(strrchr(l.file[i], '/'), is[i]);
    ck_assert_str_eq(l.file[5], "nosuch");
    darc_listing_clear(&l);
}
END_TEST

/* What drift writes, and what tells of recordings, is none. */
START_TEST(texts_without_rows_of_numbers_are_passed_over)
{
    snprintf(path, sizeof path, "%s/mixed", program_directory());
    mkdir(path, 0700);
    put("a.csv", "t,u\n0,1\n.1,2\n.2,3\n");
    put("b.txt", "# rig 3\nTime Volt\n2024-01-02 3,5\n2024-01-03 4,5\n");
    put("c.csv", "t,path\n0,1\n.1,2\n");
    put("drift.txt", "low: drift against a.csv\n  a.csv (baseline)\n"
                     "  b.csv CONSISTENT +0.1 +- 0.2 %\n");
    put("drift.csv", "file,verdict,T\na.csv,consistent,.1\nb.csv,,.2\n");
    put("notes.txt", "3 runs on Monday\nthe second one is short\n");
    l = (darc_listing){0};
    ck_assert_int_eq(darc_listing_collect(&l, path, &err), DARC_OK);
    ck_assert_int_eq(l.files, 3);
    ck_assert_int_eq(l.passed, 3);
    ck_assert_str_eq(strrchr(l.file[2], '/'), "/c.csv");
    darc_listing_clear(&l);
}
END_TEST

/* Return what drift says, to be freed, of recordings that are named so. */
static char *drift(const char *named)
{
    char line[1000];
    darc_text_t out = DARC_TEXT, say = DARC_TEXT;
    snprintf(line, sizeof line,
             "drift systems/quarter_car_chassis/model.darc --csv - %s", named);
    int code = program_run(line, out, say);
    ck_assert_msg(code == 1, "%s", say->s);
    darc_text_clear(say);
    return darc_text_take(out);
}

START_TEST(drift_takes_them_all)
{
    char named[400];
    read_text("file,T\nsystems/quarter_car_chassis/data.csv,1\n"
              "systems/quarter_car_chassis/heavier.csv,2\n");
    darc_listing_clear(&l);
    char *plain = drift("systems/quarter_car_chassis/data.csv "
                        "'systems/quarter_car_chassis/hea[v]ier.csv'");
    snprintf(named, sizeof named, "--list %s", path);
    char *listed = drift(named);
    snprintf(named, sizeof named, "--list - < %s", path);
    char *piped = drift(named);
    ck_assert_str_eq(plain, listed);
    ck_assert_str_eq(plain, piped);
    free(plain);
    free(listed);
    free(piped);
}
END_TEST

Suite *suite_listing(void)
{
    Suite *s = suite_create("listing");
    TCase *c = tcase_create("listing");
    tcase_add_test(c, a_list_without_a_header_is_a_name_a_line);
    tcase_add_test(c, a_header_names_what_is_told_of_each);
    tcase_add_test(c, what_is_inserted_has_no_cells);
    tcase_add_test(c, what_is_told_has_a_column);
    tcase_add_test(c, broken_lists_are_refused);
    tcase_add_test(c, folders_and_patterns_count_numbers_as_numbers);
    tcase_add_test(c, texts_without_rows_of_numbers_are_passed_over);
    tcase_add_test(c, drift_takes_them_all);
    suite_add_tcase(s, c);
    return s;
}
