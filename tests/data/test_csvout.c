#include "tests.h"

#include "base/output.h"
#include "data/table.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/darc_csvout_XXXXXX";
static char path[100];
static darc_err err;

static void setup(void)
{
    strcpy(dir, "/tmp/darc_csvout_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/out.csv", dir);
    darc_err_init(&err);
}

static void teardown(void)
{
    unlink(path);
    ck_assert_int_eq(rmdir(dir), 0); /* nothing is left behind */
}

static const char *const name[] = {"t", "a", "b,c"};
static const char *const unit[] = {"s", "m/s^2", ""};

START_TEST(what_is_written_reads_back)
{
    darc_output *out;
    static const double rows[4][3] = {{0, 0.1, 1.0 / 3},
                                      {0.5, -1e-310, 2.5e300},
                                      {1, NAN, 7},
                                      {1.5, 0.30000000000000004, -0.0}};
    ck_assert_int_eq(darc_csvout_open(&out, path, 3, name, unit, &err),
                     DARC_OK);
    for (int i = 0; i < 4; i++)
        darc_csvout_row(out, 3, rows[i]);
    ck_assert_int_eq(access(path, F_OK), -1); /* not before it is closed */
    ck_assert_int_eq(darc_output_close(out, &err), DARC_OK);
    darc_load_options o;
    darc_load_options_init(&o);
    darc_table *t;
    ck_assert_msg(darc_table_load(&t, path, &o, &err) == DARC_OK, "%s",
                  err.message);
    ck_assert_str_eq(t->signal[0].unit, "m/s^2");
    ck_assert_str_eq(t->signal[1].name, "b,c");
    ck_assert(t->dt == 0.5);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            ck_assert(memcmp(&t->signal[k].value[i], &rows[i][k + 1], 8) == 0 ||
                      isnan(rows[i][k + 1]));
    ck_assert_int_eq(t->segments, 2);
    darc_table_free(t);
}
END_TEST

static void check_content(const char *want)
{
    char s[100] = "";
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    s[fread(s, 1, sizeof s - 1, f)] = '\0';
    fclose(f);
    ck_assert_str_eq(s, want);
}

/* What a spreadsheet would run stands behind an apostrophe. */
START_TEST(names_are_no_formulas)
{
    static const char *const names[] = {"=1+1", "+a", "-a",  "@a",
                                        "\ta",  "a=", "=1,2"};
    static const char *const units[] = {"", "", "m", "", "", "", "=1"};
    static const char line[] =
        "'=1+1,'+a,'-a [m],'@a,\"'\ta\",a=,\"'=1,2 [=1]\"\n";
    darc_output *out;
    darc_text_t text = DARC_TEXT;
    ck_assert_int_eq(darc_csvout_open(&out, path, 7, names, units, &err),
                     DARC_OK);
    ck_assert_int_eq(darc_output_close(out, &err), DARC_OK);
    ck_assert(program_read_file(path, text));
    ck_assert_str_eq(text->s, line);
    darc_text_clear(text);
}
END_TEST

START_TEST(given_up_leaves_the_old_file)
{
    ck_assert_int_eq(darc_output_file(path, "old", 3, &err), DARC_OK);
    ck_assert_int_eq(chmod(path, 0640), 0);
    darc_output *out;
    ck_assert_int_eq(darc_output_open(&out, path, &err), DARC_OK);
    darc_output_write(out, "part", 4);
    darc_output_discard(out);
    check_content("old");
    ck_assert_int_eq(darc_output_file(path, "new", 3, &err), DARC_OK);
    check_content("new");
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0640);
    darc_output_discard(NULL);
}
END_TEST

START_TEST(a_link_keeps_pointing)
{
    char link[120];
    snprintf(link, sizeof link, "%s/link", dir);
    ck_assert_int_eq(darc_output_file(path, "old", 3, &err), DARC_OK);
    ck_assert_int_eq(symlink(path, link), 0);
    ck_assert_int_eq(darc_output_file(link, "new", 3, &err), DARC_OK);
    check_content("new");
    struct stat st;
    ck_assert_int_eq(lstat(link, &st), 0);
    ck_assert(S_ISLNK(st.st_mode));
    unlink(link);
}
END_TEST

START_TEST(devices_are_written_to)
{
    ck_assert_int_eq(darc_output_file("/dev/null", "x", 1, &err), DARC_OK);
    if (access("/dev/full", W_OK) == 0) {
        ck_assert_int_eq(darc_output_file("/dev/full", "x", 1, &err), DARC_IO);
        ck_assert_str_eq(err.message, "/dev/full: error: cannot write: No "
                                      "space left on device");
    }
}
END_TEST

START_TEST(what_cannot_be_written)
{
    darc_output *out;
    static const char *const bad[] = {"a\"b"};
    ck_assert_int_eq(darc_csvout_open(&out, path, 1, bad, unit, &err),
                     DARC_DOMAIN);
    darc_err_init(&err);
    static const char *const good[] = {"a"}, *const inch[] = {"1\""};
    ck_assert_int_eq(darc_csvout_open(&out, path, 1, good, inch, &err),
                     DARC_DOMAIN);
    darc_err_init(&err);
    ck_assert_int_eq(
        darc_csvout_open(&out, "no/such/dir/x.csv", 1, name, unit, &err),
        DARC_IO);
    ck_assert_str_eq(err.message, "no/such/dir/x.csv: error: cannot write: No "
                                  "such file or directory");
}
END_TEST

Suite *suite_csvout(void)
{
    Suite *s = suite_create("csvout");
    TCase *c = tcase_create("csvout");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, what_is_written_reads_back);
    tcase_add_test(c, names_are_no_formulas);
    tcase_add_test(c, given_up_leaves_the_old_file);
    tcase_add_test(c, a_link_keeps_pointing);
    tcase_add_test(c, devices_are_written_to);
    tcase_add_test(c, what_cannot_be_written);
    suite_add_tcase(s, c);
    return s;
}
