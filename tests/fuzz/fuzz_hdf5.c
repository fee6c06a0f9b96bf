/* Any bytes as an HDF5 file, in this process: list its arrays, read some. */
#include "base/mem.h"
#include "commands/hdf5_arrays.h"

#include <stdint.h>

const char *__asan_default_options(void);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libhdf5 forgets memory of damaged files; the process ends with the file. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ROWS = 1000 };
    for (int matlab = 0; matlab < 2; matlab++) {
        darc_arrays a;
        darc_arrays_init(&a, "fuzz");
        if (darc_hdf5_arrays(&a, (void *)data, size, matlab, NULL) == DARC_OK)
            for (int i = 0; i < a.count && i < 20; i++) {
                const darc_array *x = a.array + i;
                size_t n = x->rows < ROWS ? x->rows : ROWS;
                if (x->columns > 1000)
                    continue;
                double *out = darc_calloc(n * x->columns, sizeof *out);
                if (a.read(&a, x, x->rows - n, n, out, NULL) != DARC_OK)
                    out[0] = 0;
                darc_free(out);
            }
        darc_arrays_clear(&a);
    }
    return 0;
}
