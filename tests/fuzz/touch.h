/* touch.h - every sample that a recording gives out is touched. */
#ifndef DARC_TESTS_FUZZ_TOUCH_H
#define DARC_TESTS_FUZZ_TOUCH_H

#include "data/reader.h"

#include <stdint.h>
#include <stdlib.h>

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
