/* Any bytes as a file of this format: see read_arrays.h. */
#include "read_arrays.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_arrays(darc_mdf_list, data, size, 0);
    fuzz_arrays(darc_mdf_list, data, size, 25);
    return 0;
}
