/* The recordings in systems/: every command in a SOURCE.md gives the file
 * that stands beside it. */
#include "tests.h"

#include "data/table.h"
#include "files.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static darc_table *load(const char *file)
{
    darc_err err;
    darc_err_init(&err);
    darc_load_options o;
    darc_load_options_init(&o);
    darc_table *table;
    darc_status status = darc_table_load(&table, file, &o, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return table;
}

/* Equal within 1e-9 of the RMS of each signal: the global error that the
 * integration may have on another machine. */
static void compare(const char *file, const char *shipped)
{
    darc_table *a = load(file), *b = load(shipped);
    ck_assert_int_eq(a->signals, b->signals);
    ck_assert_uint_eq(a->samples, b->samples);
    for (int j = 0; j < a->signals; j++) {
        const double *x = a->signal[j].value, *y = b->signal[j].value;
        ck_assert_str_eq(a->signal[j].name, b->signal[j].name);
        ck_assert_str_eq(a->signal[j].unit, b->signal[j].unit);
        double square = 0, worst = 0;
        for (size_t i = 0; i < a->samples; i++) {
            square += y[i] * y[i];
            worst = fmax(worst, fabs(x[i] - y[i]));
        }
        ck_assert_msg(worst <= 1e-9 * sqrt(square / (double)a->samples),
                      "%s: %s differs by %g", shipped, a->signal[j].name,
                      worst);
    }
    darc_table_free(a);
    darc_table_free(b);
}

/* Append s with "../" and "model.darc" made relative to the tests. */
static void append_paths(darc_text_t out, const char *s, size_t n,
                         const char *dir)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] == ' ' && strncmp(s + i, " ../", 4) == 0) {
            darc_text_puts(out, " systems/");
            i += 3;
        } else if (strncmp(s + i, " model.darc", 11) == 0) {
            darc_text_printf(out, " %s/model.darc", dir);
            i += 10;
        } else {
            darc_text_putc(out, s[i]);
        }
    }
}

/* line: "simulate ... -o FILE" */
static void replay(const char *dir, const char *line, size_t n)
{
    char file[64], made[256], shipped[256];
    const char *o = strstr(line, " -o ");
    ck_assert(o != NULL && o < line + n);
    ck_assert_int_eq(sscanf(o, " -o %60s", file), 1);
    snprintf(made, sizeof made, "%s/%s", program_directory(), file);
    snprintf(shipped, sizeof shipped, "%s/%s", dir, file);
    darc_text_t arguments, out, err;
    darc_text_init(arguments);
    darc_text_init(out);
    darc_text_init(err);
    append_paths(arguments, line, (size_t)(o - line), dir);
    darc_text_printf(arguments, " --quiet -o %s", made);
    ck_assert_msg(program_run(arguments->s, out, err) == 0, "%s: %s",
                  arguments->s, err->s);
    compare(made, shipped);
    darc_text_clear(arguments);
    darc_text_clear(out);
    darc_text_clear(err);
}

static int replay_all(const char *dir)
{
    static const char mark[] = "\n    darc simulate";
    char source[256];
    snprintf(source, sizeof source, "%s/SOURCE.md", dir);
    darc_text_t text;
    darc_text_init(text);
    test_read_file(text, source);
    int count = 0;
    for (const char *s = text->s; (s = strstr(s, mark)) != NULL; count++) {
        s += strlen("\n    darc ");
        replay(dir, s, strcspn(s, "\n"));
    }
    darc_text_clear(text);
    return count;
}

START_TEST(quarter_car)
{
    ck_assert_int_eq(replay_all("systems/quarter_car_chassis"), 6);
}
END_TEST

START_TEST(other_systems)
{
    static const char *const dir[] = {
        "systems/duffing", "systems/predator_prey", "systems/two_compartments",
        "systems/dc_motor", "systems/two_tanks"};
    for (size_t i = 0; i < sizeof dir / sizeof dir[0]; i++)
        ck_assert_int_eq(replay_all(dir[i]), 1);
}
END_TEST

static int check(const char *system)
{
    darc_text_t arguments, out, err;
    darc_text_init(arguments);
    darc_text_init(out);
    darc_text_init(err);
    darc_text_printf(arguments,
                     "check structure systems/%s/model.darc "
                     "systems/%s/data.csv --method pointwise",
                     system, system);
    int code = program_run(arguments->s, out, err);
    darc_text_clear(arguments);
    darc_text_clear(out);
    darc_text_clear(err);
    return code;
}

/* Every recording agrees with the model that made it; the relations of the
 * tanks need derivatives of order 5 of slow levels, and may stay undecided. */
START_TEST(recordings_agree_with_their_models)
{
    static const char *const sure[] = {"quarter_car_chassis", "duffing",
                                       "predator_prey", "two_compartments",
                                       "dc_motor"};
    for (size_t i = 0; i < sizeof sure / sizeof sure[0]; i++)
        ck_assert_msg(check(sure[i]) == 0, "%s", sure[i]);
    ck_assert_int_ne(check("two_tanks"), 1);
}
END_TEST

static void check_size(const char *path, const char *name)
{
    (void)name;
    darc_text_t text;
    darc_text_init(text);
    test_read_file(text, path);
    ck_assert_msg(text->len < 200000, "%s: %zu bytes", path, text->len);
    darc_text_clear(text);
}

static void check_directory(const char *path, const char *name)
{
    if (strcmp(name, "broken") != 0)
        test_walk(path, ".csv", check_size);
}

START_TEST(recordings_are_small)
{
    ck_assert_int_gt(test_walk("systems", "", check_directory), 10);
}
END_TEST

Suite *suite_recordings(void)
{
    Suite *s = suite_create("recordings");
    TCase *c = tcase_create("recordings");
    tcase_add_test(c, quarter_car);
    tcase_add_test(c, other_systems);
    tcase_add_test(c, recordings_agree_with_their_models);
    tcase_add_test(c, recordings_are_small);
    suite_add_tcase(s, c);
    return s;
}
