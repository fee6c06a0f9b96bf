/* Texts of many makers that tests/layouts.py writes, each harmed in many ways:
 * what opens has the numbers that were written, at their times; what does not
 * says where. */
#include "tests.h"

#include "program.h"

#include "base/mem.h"
#include "data/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNALS = 4, ROWS = 40 };

typedef struct {
    char file[64], harm[32], name[SIGNALS][64];
    int must, line, signals, rows;
    int may[ROWS];
    double time[ROWS];
    char value[ROWS][SIGNALS][32];
} written;

static bool read_case(written *w, FILE *f)
{
    if (fscanf(f, "%63s %31s %d %d %d %d ", w->file, w->harm, &w->must,
               &w->line, &w->signals, &w->rows) != 6)
        return false;
    for (int s = 0; s < w->signals; s++)
        ck_assert_int_eq(fscanf(f, " %63[^\n]", w->name[s]), 1);
    for (int r = 0; r < w->rows; r++) {
        ck_assert_int_eq(fscanf(f, "%d %lf", &w->may[r], &w->time[r]), 2);
        for (int s = 0; s < w->signals; s++)
            ck_assert_int_eq(fscanf(f, " %31s", w->value[r][s]), 1);
    }
    return true;
}

/* The row at that time, -1: there is none. */
static int row_at(const written *w, double time)
{
    for (int r = 0; r < w->rows; r++)
        if (fabs(w->time[r] - time) < 0.02 * (w->time[2] - w->time[1]))
            return r;
    return -1;
}

/* Hold signal s of the table, which is its i-th, against what was written. */
static const char *compare(const written *w, int s, const darc_table *t, int i)
{
    bool seen[ROWS] = {false};
    for (size_t k = 0; k < t->samples; k++) {
        double x = t->signal[i].value[k];
        int r = row_at(w, darc_table_time(t, k) - darc_table_time(t, 0));
        if (r < 0 && !isnan(x))
            return "a value at another time";
        if (r < 0 || (isnan(x) && w->may[r]))
            continue;
        seen[r] = true;
        double v = strtod(w->value[r][s], NULL);
        if (w->value[r][s][0] != 'a' && x != v && !(isnan(x) && isnan(v)))
            return isnan(x) ? "a value is lost" : "another value";
    }
    for (int r = 0; r < w->rows; r++)
        if (!seen[r] && !w->may[r])
            return "a row is lost";
    return NULL;
}

/* Whether a note says that the column is not read. */
static bool is_told(const darc_table *t, const char *name)
{
    for (int i = 0; i < t->remarks; i++)
        if (strstr(t->remark[i], name) != NULL &&
            strstr(t->remark[i], "not read") != NULL)
            return true;
    return false;
}

static bool ends_so(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n > m && s[n - m - 1] == ' ' && strcmp(s + n - m, end) == 0;
}

/* The signal of that name, to which the line above may have a word more or
 * less; -1: there is none. */
static int find(const darc_table *t, const char *name)
{
    int found = darc_table_find(t, name);
    for (int i = 0; i < t->signals && found < 0; i++)
        if (ends_so(t->signal[i].name, name) ||
            ends_so(name, t->signal[i].name))
            found = i;
    return found;
}

/* What is wrong with what became of the file; NULL: nothing. */
static const char *judge(const written *w, const darc_table *t,
                         const darc_err *err)
{
    const char *wrong = NULL, *at = strstr(err->message, ".txt:");
    if (t == NULL && w->must)
        return "does not open";
    if (t == NULL)
        return at != NULL && strstr(at, ": error: ") != NULL ? NULL
                                                             : "no place";
    for (int s = 0; s < w->signals && wrong == NULL; s++) {
        int i = find(t, w->name[s]);
        if (i >= 0)
            wrong = compare(w, s, t, i);
        else if (w->must || !is_told(t, w->name[s]))
            wrong = "a signal is lost";
    }
    return wrong;
}

START_TEST(never_other_numbers)
{
    char line[1024];
    const char *dir = program_directory();
    written *w = darc_calloc(1, sizeof *w);
    int cases = 0, opened = 0, wrong = 0;
    snprintf(line, sizeof line, "/usr/bin/env python3 tests/layouts.py %s",
             dir);
    ck_assert_int_eq(system(line), 0);
    FILE *f = fopen(program_path("cases.txt"), "r");
    ck_assert_ptr_nonnull(f);
    for (; read_case(w, f); cases++) {
        darc_load_options o;
        darc_err err;
        darc_table *t = NULL;
        darc_load_options_init(&o);
        darc_err_init(&err);
        darc_status status =
            darc_table_load(&t, program_path(w->file), &o, &err);
        const char *why = judge(w, status == DARC_OK ? t : NULL, &err);
        opened += status == DARC_OK;
        if (why != NULL)
            fprintf(stderr, "%s: %s%s%s\n", w->file, why,
                    status == DARC_OK ? "" : ": ", err.message);
        if (getenv("DARC_ALL") != NULL)
            fprintf(stderr, "ALL %s %s %d %s\n", w->file, w->harm, w->line,
                    status == DARC_OK ? "OPENS" : err.message);
        wrong += why != NULL;
        darc_table_free(t);
    }
    fclose(f);
    darc_free(w);
    fprintf(stderr, "%d files, %d open, %d wrong\n", cases, opened, wrong);
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_gt(cases, 1400);
}
END_TEST

Suite *suite_mutilated(void)
{
    Suite *s = suite_create("mutilated");
    TCase *c = tcase_create("mutilated");
    tcase_add_test(c, never_other_numbers);
    suite_add_tcase(s, c);
    return s;
}
