/* read_arrays.h - any bytes as a file of a binary format: its arrays are
 * listed, and some of each read, without a cage. */
#ifndef DARC_TESTS_FUZZ_READ_ARRAYS_H
#define DARC_TESTS_FUZZ_READ_ARRAYS_H

#include "base/mem.h"
#include "formats/arrays.h"

#include <stdint.h>

/* Read n rows; what comes is touched. */
static inline void fuzz_rows(darc_arrays *a, const darc_array *x, size_t begin,
                             size_t n)
{
    double *out = darc_calloc(n * x->columns, sizeof *out), sum = 0;
    if (a->read(a, x, begin, n, out, NULL) == DARC_OK)
        for (size_t i = 0; i < n * x->columns; i++)
            sum += out[i];
    out[0] = sum;
    darc_free(out);
}

/* rate, Hz: as in formats/arrays.h. */
static inline void fuzz_arrays(darc_arrays_list *list, const uint8_t *data,
                               size_t size, double rate)
{
    enum { ROWS = 1000, ARRAYS = 20 };
    darc_arrays a;
    darc_arrays_init(&a, "fuzz");
    a.bytes = (darc_bytes_file){data, size, "fuzz"};
    a.rate = rate;
    if (list(&a, NULL) == DARC_OK)
        for (int i = 0; i < a.count && i < ARRAYS; i++) {
            const darc_array *x = a.array + i;
            size_t n = x->rows < ROWS ? x->rows : ROWS;
            if (x->columns > ROWS)
                continue;
            fuzz_rows(&a, x, 0, n);
            fuzz_rows(&a, x, x->rows - n, n);
        }
    darc_arrays_clear(&a);
}

#endif
