/* read_file.h - any bytes as a recording of a format that is read from a file
 * in places; every sample that is given out is touched. */
#ifndef DARC_TESTS_FUZZ_READ_FILE_H
#define DARC_TESTS_FUZZ_READ_FILE_H

#include "touch.h"

#include <stdio.h>
#include <unistd.h>

static inline void read_all(const char *file, const darc_load_options *o)
{
    darc_reader *r;
    if (darc_reader_open(&r, file, o, NULL) == DARC_OK)
        touch_all(r, 200000);
}

static inline int fuzz_file(const char *ending, const uint8_t *data,
                            size_t size)
{
    char file[64];
    const char *dir = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(file, sizeof file, "%s/darc_fuzz_%ld%s", dir, (long)getpid(),
             ending);
    FILE *to = fopen(file, "wb");
    if (to == NULL)
        return 0;
    size_t n = size > 0 ? fwrite(data, 1, size, to) : 0;
    if (fclose(to) == 0 && n == size) {
        darc_load_options o;
        darc_load_options_init(&o);
        read_all(file, &o);
        o.rate = 1000;
        read_all(file, &o);
    }
    remove(file);
    return 0;
}

#endif
