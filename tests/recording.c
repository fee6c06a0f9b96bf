#include "recording.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

darc_status recording_load(darc_table **table, const char *text, size_t size,
                           const darc_load_options *options, darc_err *err)
{
    char name[] = "/tmp/darc_test_XXXXXX";
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "wb");
    ck_assert_uint_eq(fwrite(text, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
    darc_status status = darc_table_load(table, name, options, err);
    unlink(name);
    return status;
}

darc_table *recording_of(size_t samples, double rate, int signals,
                         const char *const *name, const double *const *value)
{
    darc_samples from = {.name = "memory",
                         .samples = samples,
                         .rate = rate,
                         .signals = signals,
                         .signal = name,
                         .value = value};
    darc_table *t;
    ck_assert_int_eq(darc_table_from_samples(&t, &from, NULL), DARC_OK);
    return t;
}
