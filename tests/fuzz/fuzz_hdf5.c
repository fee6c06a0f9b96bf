/* Any bytes as an HDF5 file: see read_arrays.h. */
#include "commands/hdf5_arrays.h"
#include "read_arrays.h"

const char *__asan_default_options(void);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* libhdf5 forgets memory of damaged files; the process ends with the file. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_arrays(darc_hdf5_arrays, data, size, 0);
    fuzz_arrays(darc_hdf5_matlab, data, size, 0);
    return 0;
}
