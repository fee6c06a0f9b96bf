/* Any bytes: read as a recording, with a time column and without; every
 * sample that is given out is touched. */
#include "touch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const char *bytes, size_t size, const darc_load_options *o)
{
    darc_reader *r;
    if (open_bytes(&r, bytes, size, o, NULL) == DARC_OK)
        touch_all(r, SIZE_MAX);
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
