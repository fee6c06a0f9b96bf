/* Recordings written by scipy, h5py, numpy and a writer of MDF4 are read bit
 * for bit. */
#include "tests.h"

#include "data/table.h"
#include "files.h"
#include "formats/arrays.h"
#include "fuzz/read_arrays.h"
#include "made.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(const char *spec, const char *name,
                  const darc_load_options *o)
{
    darc_table *t;
    darc_err err;
    darc_status status = made_load(&t, spec, o, &err);
    ck_assert_msg(status == DARC_OK, "%s: %s", spec, err.message);
    made_compare(t, name, spec);
    ck_assert_int_eq(t->segments, 2);
    darc_table_free(t);
}

START_TEST(named_signals)
{
    static const char *const files[] = {
        "v5.mat",     "v4.mat",        "v7.mat",      "row.mat",
        "v73.mat",    "two.mat:a",     "struct.mat",  "struct.mat:run.inner",
        "groups.h5",  "groups.h5:day", "record.npy",  "stored.npz",
        "packed.npz", "records.h5",    "lasting.npy", "groups.h5:day/run"};
    darc_load_options o;
    darc_load_options_init(&o);
    for (size_t i = 0; i < sizeof files / sizeof files[0] && made_folder(); i++)
        check(files[i], "expected.bin", &o);
}
END_TEST

START_TEST(columns_of_matrices)
{
    static const struct {
        const char *file, *time, *x, *y;
    } files[] = {{"matrix.mat", "M_1", "M_2", "M_3"},
                 {"wide.mat:M", "M_1", "M_2", "M_3"},
                 {"matrix.h5:M", "M_1", "M_2", "M_3"},
                 {"matrix.h5:W", "W_1", "W_2", "W_3"},
                 {"c.npy", "c_1", "c_2", "c_3"},
                 {"f.npy", "c_1", "c_2", "c_3"},
                 {"wide.npy", "c_1", "c_2", "c_3"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0] && made_folder();
         i++) {
        darc_load_options o;
        darc_load_options_init(&o);
        const char *name[] = {"x", "y"};
        const char *column[] = {files[i].x, files[i].y};
        o.time_column = files[i].time;
        o.maps = 2;
        o.map_name = name;
        o.map_column = column;
        check(files[i].file, "expected.bin", &o);
    }
}
END_TEST

START_TEST(vehicle_recorders)
{
    static const char *const files[] = {
        "plain.mf4", "big.mf4",       "packed.mf4",   "turned.mf4",
        "id.mf4",    "table.mf4",     "unsorted.mf4", "unfinished.mf4",
        "three.mdf", "three_big.dat", "three_ids.mdf"};
    darc_load_options o;
    darc_load_options_init(&o);
    for (size_t i = 0; i < sizeof files / sizeof files[0] && made_folder(); i++)
        check(files[i], "even.bin", &o);
}
END_TEST

START_TEST(units)
{
    if (!made_folder())
        return;
    darc_load_options o;
    darc_table *t;
    darc_err err;
    darc_load_options_init(&o);
    ck_assert_int_eq(made_load(&t, "plain.h5", &o, &err), DARC_OK);
    ck_assert_str_eq(t->signal[darc_table_find(t, "x")].unit, "m/s");
    ck_assert_str_eq(t->signal[darc_table_find(t, "y")].unit, "V");
    ck_assert_double_eq_tol(t->dt, 0.004e-3, 1e-12); /* t is in ms */
    darc_table_free(t);
    ck_assert_int_eq(made_load(&t, "plain.mf4", &o, &err), DARC_OK);
    ck_assert_str_eq(t->signal[darc_table_find(t, "x")].unit, "m/s");
    darc_table_free(t);
}
END_TEST

/* NumPy's points in time count from the first one, to the nanosecond. */
START_TEST(points_in_time)
{
    static const char *const files[] = {"dated.npy", "dated_us.npy"};
    darc_load_options o;
    darc_load_options_init(&o);
    for (int i = 0; i < 2 && made_folder(); i++) {
        darc_table *t;
        darc_err err;
        ck_assert_msg(made_load(&t, files[i], &o, &err) == DARC_OK, "%s",
                      err.message);
        ck_assert(t->t0 == 0 && t->time == NULL);
        ck_assert_double_eq_tol(t->dt, 0.004, 1e-15);
        ck_assert_uint_eq(t->samples, 3000);
        darc_table_free(t);
    }
}
END_TEST

START_TEST(channels_of_different_rates)
{
    if (!made_folder())
        return;
    darc_load_options o;
    darc_table *t;
    darc_err err;
    darc_load_options_init(&o);
    ck_assert_int_eq(made_load(&t, "rates.mf4", &o, &err), DARC_OK);
    ck_assert_double_eq_tol(1 / t->dt, 10, 1e-6);
    ck_assert_uint_eq(t->samples, 96);
    ck_assert_ptr_nonnull(strstr(t->remark[0], "interpolated to 10 Hz"));
    darc_table_free(t);
    o.wanted = 1;
    o.want = (const char *const[]){"v_fast"};
    ck_assert_int_eq(made_load(&t, "rates.mf4", &o, &err), DARC_OK);
    ck_assert_uint_eq(t->samples, 1001);
    ck_assert_int_eq(t->remarks, 0);
    darc_table_free(t);
    o.wanted = 0;
    ck_assert_int_eq(made_load(&t, "rates.mf4:fast", &o, &err), DARC_OK);
    ck_assert_uint_eq(t->samples, 1001);
    darc_table_free(t);
    o.rate = 25;
    ck_assert_int_eq(made_load(&t, "rates.mf4", &o, &err), DARC_OK);
    ck_assert_uint_eq(t->samples, 238); /* 0.5 .. 10 s, shared */
    int slow = darc_table_find(t, "v_slow"),
        fast = darc_table_find(t, "v_fast");
    for (size_t i = 0; i < t->samples; i++) {
        double s = 0.5 + (double)i / 25;
        ck_assert_double_eq_tol(t->signal[slow].value[i], 2 * s, 1e-9);
        ck_assert_double_eq_tol(t->signal[fast].value[i], 3 * s + 1, 1e-9);
    }
    darc_table_free(t);
}
END_TEST

START_TEST(messages_say_what_to_do)
{
    static const struct {
        const char *file, *part;
    } cases[] = {{"two.mat", "several recordings (a, b); pick one, as in "},
                 {"two.mat:c", "no signals under 'c'"},
                 {"complex.mat", "'z' is complex"},
                 {"complex.npy", "no real number"},
                 {"table.h5", "pandas"},
                 {"days.npz", "does not increase"},
                 {"c.npy",
                  "no time column ('t' or 'time'): name it with --time, or "
                  "give --rate; columns: c_1, c_2, c_3"},
                 {"absent.mat", "absent.mat: error: cannot open: No such file"},
                 {"expected.bin.mat", "cannot open"},
                 {"object.mat", "t = run1.Time; y = run1.Data; save("},
                 {"object.mat", "u = log.u; y = log.y; save("},
                 {"book.xlsx:info", "there are: run"},
                 {"book.xlsx:other", "there are: run"},
                 {"array.gz", "gunzip"},
                 {"run.tdms", "nptdms.TdmsFile.read('"},
                 {"run.par", "Parquet file"},
                 {"fam.raw", "imc FAMOS"},
                 {"run.ulg", "ulog2csv '"},
                 {"old.xls", ".xlsx"},
                 {"spice.raw", "Export data as text"},
                 {"two.zip", "unzip '"},
                 {"nowhere.mf4", "cut off: 24 bytes expected at 184467440"},
                 {"words.csv", "columns: ORC, PAR1"}};
    darc_load_options o;
    darc_load_options_init(&o);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && made_folder();
         i++) {
        darc_table *t;
        darc_err err;
        darc_status status = made_load(&t, cases[i].file, &o, &err);
        ck_assert_msg(status == DARC_DATA || status == DARC_IO, "%s",
                      cases[i].file);
        ck_assert_msg(strstr(err.message, cases[i].part) != NULL, "%s: %s",
                      cases[i].file, err.message);
    }
}
END_TEST

/* A bit that changes in an archive is told, packed or not. */
START_TEST(members_have_their_sum)
{
    static const char *const files[] = {"stored.npz", "packed.npz"};
    darc_load_options o;
    darc_load_options_init(&o);
    for (int i = 0; i < 2 && made_folder(); i++) {
        darc_text_t bytes;
        char file[1024];
        darc_text_init(bytes);
        snprintf(file, sizeof file, "%s/%s", made_folder(), files[i]);
        ck_assert(program_read_file(file, bytes));
        for (size_t k = 1; k < 8; k++) {
            size_t at = bytes->len * (2 * k + 1) / 18;
            snprintf(file, sizeof file, "%s/bit_%s", made_folder(), files[i]);
            FILE *to = fopen(file, "wb");
            bytes->s[at] ^= 1;
            fwrite(bytes->s, 1, bytes->len, to);
            bytes->s[at] ^= 1;
            fclose(to);
            darc_table *t = NULL;
            snprintf(file, sizeof file, "bit_%s", files[i]);
            darc_err err;
            ck_assert_int_eq(made_load(&t, file, &o, &err), DARC_DATA);
        }
        darc_text_clear(bytes);
    }
}
END_TEST

/* Files cut at any length are refused, or hold fewer signals. */
START_TEST(cut_files_are_refused)
{
    static const char *const files[] = {
        "v5.mat",       "v7.mat",     "v73.mat",       "plain.h5",
        "c.npy",        "record.npy", "stored.npz",    "packed.npz",
        "plain.mf4",    "turned.mf4", "v4.mat",        "modelica.mat",
        "modelica.txt", "three.mdf",  "three_ids.mdf", "table.mf4",
        "unsorted.mf4", "book.xlsx",  "packed.csv.gz"};
    darc_load_options o;
    darc_load_options_init(&o);
    const char *want[] = {"x", "y"};
    o.wanted = 2;
    o.want = want;
    for (size_t i = 0; i < sizeof files / sizeof files[0] && made_folder();
         i++) {
        darc_text_t bytes;
        char file[1024];
        darc_text_init(bytes);
        snprintf(file, sizeof file, "%s/%s", made_folder(), files[i]);
        ck_assert(program_read_file(file, bytes));
        for (int k = 0; k < 12; k++) {
            size_t n = bytes->len * (size_t)k / 12;
            char cut[64];
            snprintf(cut, sizeof cut, "cut_%d_%s", k, files[i]);
            snprintf(file, sizeof file, "%s/%s", made_folder(), cut);
            FILE *to = fopen(file, "wb");
            ck_assert_uint_eq(fwrite(bytes->s, 1, n, to), n);
            fclose(to);
            darc_table *t = NULL;
            darc_err err;
            ck_assert_msg(made_load(&t, cut, &o, &err) == DARC_DATA, "%s: %s",
                          cut, err.message);
            ck_assert(strlen(err.message) > 20);
        }
        darc_text_clear(bytes);
    }
}
END_TEST

/* HDF5, which this process does not link: by way of a file. */
static void load_bytes(const uint8_t *data, size_t n)
{
    darc_load_options o;
    darc_table *t;
    char file[300];
    darc_load_options_init(&o);
    snprintf(file, sizeof file, "%s/seed.h5", program_directory());
    FILE *f = fopen(file, "wb");
    ck_assert_uint_eq(fwrite(data, 1, n, f), n);
    fclose(f);
    if (darc_table_load(&t, file, &o, NULL) == DARC_OK)
        darc_table_free(t);
}

static darc_arrays_list *list; /* NULL: HDF5 */

static void replay_one(const uint8_t *data, size_t n)
{
    if (list == NULL)
        load_bytes(data, n);
    else
        for (int rate = 0; rate <= 25; rate += 25)
            fuzz_arrays(list, data, n, rate);
}

/* As they are, cut, and with one byte changed here and there. */
static void replay(const char *path, const char *name)
{
    (void)name;
    darc_text_t bytes;
    darc_text_init(bytes);
    test_read_file(bytes, path);
    uint8_t *data = (uint8_t *)bytes->s;
    replay_one(data, bytes->len);
    for (size_t i = 0; i < bytes->len; i += 1 + bytes->len / 64) {
        uint8_t was = data[i];
        replay_one(data, i);
        data[i] = (uint8_t)(was ^ (1 + i % 255));
        replay_one(data, bytes->len);
        data[i] = was;
    }
    darc_text_clear(bytes);
}

START_TEST(fuzz_seeds)
{
    static const struct {
        const char *folder;
        darc_arrays_list *list;
    } formats[] = {{"hdf5", NULL},
                   {"mat", darc_mat_list},
                   {"modelica", darc_modelica_list},
                   {"mdf4", darc_mdf_list},
                   {"npy", darc_npy_list},
                   {"npz", darc_npz_list}};
    char path[64];
    list = formats[_i].list;
    snprintf(path, sizeof path, "tests/fuzz/%s", formats[_i].folder);
    ck_assert_int_ge(test_walk(path, "", replay), 2);
}
END_TEST

/* Where dataInfo is not a number no matrix is meant, not even one without a
 * name. */
START_TEST(signals_without_a_place)
{
    darc_text_t bytes;
    darc_arrays a;
    darc_text_init(bytes);
    test_read_file(bytes, "tests/fuzz/mat/modelica_unnamed.mat");
    darc_arrays_init(&a, "unnamed.mat");
    a.bytes = (darc_bytes_file){(const uint8_t *)bytes->s, bytes->len, a.file};
    ck_assert_int_eq(darc_mat_list(&a, NULL), DARC_OK);
    ck_assert_int_eq(a.count, 1);
    ck_assert_str_eq(a.array[0].path, "Time");
    darc_arrays_clear(&a);
    darc_text_clear(bytes);
}
END_TEST

/* Records of t and shape, with a field named like a key of the head. */
START_TEST(fields_are_no_keys)
{
    static const char head[] =
        "{'descr': [('t', '<f8'), ('shape', '<f8')], 'fortran_order': False, "
        "'shape': (3,), }                     \n";
    static const double value[] = {0, 5, 1, 6, 2, 7};
    char file[300];
    snprintf(file, sizeof file, "%s/fields.npy", program_directory());
    FILE *f = fopen(file, "wb");
    ck_assert_ptr_nonnull(f);
    fwrite("\x93NUMPY\1\0", 1, 8, f);
    fputc((int)strlen(head), f);
    fputc(0, f);
    fwrite(head, 1, strlen(head), f);
    fwrite(value, sizeof *value, 6, f);
    fclose(f);
    darc_load_options o;
    darc_load_options_init(&o);
    darc_table *t;
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_table_load(&t, file, &o, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    ck_assert_uint_eq(t->samples, 3);
    int i = darc_table_find(t, "shape");
    ck_assert_int_ge(i, 0);
    ck_assert(t->signal[i].value[2] == 7);
    darc_table_free(t);
}
END_TEST

Suite *suite_arrayfile(void)
{
    Suite *s = suite_create("arrayfile");
    TCase *t = tcase_create("formats");
    tcase_add_test(t, named_signals);
    tcase_add_test(t, columns_of_matrices);
    tcase_add_test(t, vehicle_recorders);
    tcase_add_test(t, units);
    tcase_add_test(t, points_in_time);
    tcase_add_test(t, channels_of_different_rates);
    tcase_add_test(t, messages_say_what_to_do);
    tcase_add_test(t, fields_are_no_keys);
    tcase_add_test(t, members_have_their_sum);
    tcase_add_test(t, cut_files_are_refused);
    tcase_add_test(t, signals_without_a_place);
    tcase_add_loop_test(t, fuzz_seeds, 0, 6);
    suite_add_tcase(s, t);
    return s;
}
