/* Any bytes as a file of this format: see read_file.h. */
#include "read_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_file(".npy", data, size);
}
