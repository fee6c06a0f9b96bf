/* touch.h - every sample that a recording gives out is touched. */
#ifndef DARC_TESTS_FUZZ_TOUCH_H
#define DARC_TESTS_FUZZ_TOUCH_H

#include "data/reader.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Open the bytes as a file without a name. */
static inline darc_status open_bytes(darc_reader **r, const char *bytes,
                                     size_t size, const darc_load_options *o,
                                     darc_err *err)
{
    char name[40];
    FILE *f = tmpfile();
    if (f == NULL || fwrite(bytes, 1, size, f) != size || fflush(f) != 0)
        abort();
    snprintf(name, sizeof name, "/proc/self/fd/%d", fileno(f));
    darc_status status = darc_reader_open(r, name, o, err);
    fclose(f);
    return status;
}

/* Read about `most` samples at the most, and close r. */
static inline void touch_all(darc_reader *r, size_t most)
{
    darc_block block;
    double last = 0, sum = 0;
    size_t n = 0;
    while (n < most && darc_reader_next(r, &block, NULL) == DARC_OK &&
           block.samples > 0)
        for (size_t k = 0; k < block.samples; k++) {
            if (n++ > 0 && !(block.time[k] > last))
                abort();
            last = block.time[k];
            for (int i = 0; i < darc_reader_signals(r); i++)
                sum += block.value[i][k];
        }
    /* holes are filled up to four samples a row */
    if (n > 5 * darc_reader_rows(r) + 1000 || (n == 0 && sum != 0))
        abort();
    darc_reader_close(r);
}

#endif
