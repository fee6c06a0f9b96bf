#include "made.h"

#include "base/text.h"
#include "program.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Write the files once into the suite's directory; NULL, visibly, where a
 * package is missing. */
const char *made_folder(void)
{
    static const char *const python[] = {"/usr/bin/python3", "python3"};
    static bool tried, made;
    const char *dir = program_directory();
    for (int i = 0; i < 2 && !tried && !made; i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "%s -c 'import numpy, scipy, h5py' 2>/dev/null && "
                 "%s tests/formats.py %s",
                 python[i], python[i], dir);
        made = system(line) == 0;
    }
    if (!tried && !made)
        fprintf(stderr, "skipped: formats need numpy, scipy and h5py\n");
    tried = true;
    return made ? dir : NULL;
}

darc_status made_load(darc_table **t, const char *spec,
                      const darc_load_options *o, darc_err *err)
{
    char file[1024];
    snprintf(file, sizeof file, "%s/%s", made_folder(), spec);
    darc_err_init(err);
    return darc_table_load(t, file, o, err);
}

/* The columns t, x, y of expected.bin, bit for bit. */
static double *made_expected(const char *name, size_t *rows)
{
    darc_text_t bytes;
    char file[1024];
    darc_text_init(bytes);
    snprintf(file, sizeof file, "%s/%s", made_folder(), name);
    ck_assert(program_read_file(file, bytes));
    double *x = malloc(bytes->len);
    memcpy(x, bytes->s, bytes->len);
    *rows = bytes->len / (3 * sizeof *x);
    darc_text_clear(bytes);
    return x;
}

/* In a gap every signal of the row may be NAN; elsewhere bits are equal. */
void made_compare(const darc_table *t, const char *name, const char *spec)
{
    size_t rows;
    double *e = made_expected(name, &rows);
    ck_assert_msg(t->samples == rows, "%s: %zu", spec, t->samples);
    for (int k = 1; k < 3; k++) {
        int s = darc_table_find(t, k == 1 ? "x" : "y");
        ck_assert_msg(s >= 0, "%s: no %s", spec, k == 1 ? "x" : "y");
        for (size_t i = 0; i < rows; i++) {
            double a = t->signal[s].value[i], b = e[3 * i + (size_t)k];
            ck_assert_msg(a == b || (isnan(a) && isnan(b)), "%s: %g, not %g",
                          spec, a, b);
        }
    }
    for (size_t i = 0; i < rows; i += 100)
        ck_assert_double_eq_tol(darc_table_time(t, i), e[3 * i], 1e-9);
    free(e);
}
