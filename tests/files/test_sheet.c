/* Workbooks, packed text, results of Modelica; what is passed over. */
#include "tests.h"

#include "data/arrayfile.h"
#include "made.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the bytes have a sum, one that is changed changes no number. */
START_TEST(changed_bytes_change_no_number)
{
    static const char *const files[] = {"book.xlsx", "packed.csv.gz"};
    darc_load_options o;
    darc_load_options_init(&o);
    for (size_t i = 0; i < 2 && made_folder(); i++) {
        darc_text_t bytes;
        char file[1024], changed[64];
        int refused = 0;
        darc_text_init(bytes);
        snprintf(file, sizeof file, "%s/%s", made_folder(), files[i]);
        ck_assert(program_read_file(file, bytes));
        snprintf(changed, sizeof changed, "changed_%s", files[i]);
        snprintf(file, sizeof file, "%s/%s", made_folder(), changed);
        for (size_t k = 0; k < 40; k++) {
            darc_table *t;
            darc_err err;
            char *byte = bytes->s + (k < 20 ? k : k * bytes->len / 40);
            *byte = (char)(*byte ^ 0x11);
            FILE *to = fopen(file, "wb");
            ck_assert_uint_eq(fwrite(bytes->s, 1, bytes->len, to), bytes->len);
            fclose(to);
            *byte = (char)(*byte ^ 0x11);
            if (made_load(&t, changed, &o, &err) != DARC_OK) {
                refused++;
                continue;
            }
            made_compare(t, "expected.bin", changed);
            darc_table_free(t);
        }
        ck_assert_int_gt(refused, 15);
        darc_text_clear(bytes);
    }
}
END_TEST

/* Serial days of 1900 and 1904, clocks and what lasts. */
START_TEST(times_of_sheets)
{
    static const char *const files[] = {"dates.xlsx", "dates_1904.xlsx",
                                        "clock.xlsx", "lasting.xlsx"};
    darc_load_options o;
    darc_load_options_init(&o);
    for (int i = 0; i < 4 && made_folder(); i++) {
        darc_table *t;
        darc_err err;
        ck_assert_msg(made_load(&t, files[i], &o, &err) == DARC_OK, "%s",
                      err.message);
        ck_assert(t->time == NULL && t->samples == 3000);
        ck_assert_double_eq_tol(t->dt, 0.25, 1e-9);
        darc_table_free(t);
    }
}
END_TEST

/* What is passed over is told, and how to have it. */
START_TEST(what_is_passed_over)
{
    darc_load_options o;
    darc_table *t;
    darc_err err;
    darc_text_t list = DARC_TEXT;
    char file[1024];
    if (!made_folder())
        return;
    darc_load_options_init(&o);
    ck_assert_int_eq(made_load(&t, "lengths.mat", &o, &err), DARC_OK);
    ck_assert_str_eq(t->remark[0],
                     "left out time_b, z (9 values, not 3000); --time time_b "
                     "reads those");
    darc_table_free(t);
    o.time_column = "time_b";
    ck_assert_int_eq(made_load(&t, "lengths.mat", &o, &err), DARC_OK);
    ck_assert(t->samples == 9 && t->signals == 1);
    darc_table_free(t);
    o.time_column = NULL;
    ck_assert_int_eq(made_load(&t, "infinite.mf4", &o, &err), DARC_OK);
    ck_assert(t->samples == 3000 && isnan(t->signal[0].value[7]));
    ck_assert_ptr_nonnull(strstr(t->remark[0], "the first in row 8"));
    darc_table_free(t);
    ck_assert_int_eq(made_load(&t, "groups.h5", &o, &err), DARC_OK);
    ck_assert_ptr_nonnull(strstr(t->remark[0], "an external link"));
    darc_table_free(t);
    ck_assert_int_eq(made_load(&t, "modelica.mat", &o, &err), DARC_OK);
    int y = darc_table_find(t, "y"), minus = darc_table_find(t, "minus");
    for (size_t i = 0; i < t->samples; i++)
        ck_assert_double_eq(t->signal[minus].value[i], -t->signal[y].value[i]);
    ck_assert_str_eq(t->signal[darc_table_find(t, "x")].unit, "m/s");
    darc_table_free(t);
    snprintf(file, sizeof file, "%s/modelica.mat", made_folder());
    ck_assert_int_eq(darc_arrayfile_list(list, file, &err), DARC_OK);
    ck_assert_ptr_nonnull(strstr(list->s, " 2.5 [N/m]\n"));
    darc_text_clear(list);
}
END_TEST

Suite *suite_sheet(void)
{
    Suite *s = suite_create("sheet");
    TCase *t = tcase_create("sheets");
    tcase_add_test(t, changed_bytes_change_no_number);
    tcase_add_test(t, times_of_sheets);
    tcase_add_test(t, what_is_passed_over);
    suite_add_tcase(s, t);
    return s;
}
