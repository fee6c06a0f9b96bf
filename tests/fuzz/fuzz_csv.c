/* Any bytes: read as a recording, with a time column and without; every
 * sample that is given out is touched. */
#include "darc/reader.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const char *bytes, size_t size, const darc_load_options *o)
{
    darc_reader *r;
    darc_block block;
    double last = 0, sum = 0;
    size_t n = 0;
    if (darc_reader_open_bytes(&r, "fuzz", bytes, size, o, NULL) != DARC_OK)
        return;
    while (darc_reader_next(r, &block, NULL) == DARC_OK && block.samples > 0)
        for (size_t k = 0; k < block.samples; k++) {
            if (n++ > 0 && !(block.time[k] > last))
                abort();
            last = block.time[k];
            for (int i = 0; i < darc_reader_signals(r); i++)
                sum += block.value[i][k];
        }
    if (n > darc_reader_rows(r) || (n == 0 && sum != 0))
        abort();
    darc_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    darc_load_options o;
    darc_load_options_init(&o);
    const char *bytes = size > 0 ? (const char *)data : "";
    read_all(bytes, size, &o);
    o.rate = 1000;
    read_all(bytes, size, &o);
    o.rate = 0;
    o.time_column = "c1";
    read_all(bytes, size, &o);
    return 0;
}
