/* Any bytes as a result of Modelica as text: see read_arrays.h. */
#include "read_arrays.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_arrays(darc_modelica_list, data, size, 0);
    return 0;
}
