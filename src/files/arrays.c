#include "files/arrays.h"

#include "base/mem.h"
#include "files/thresholds.h"

#include <string.h>

void darc_arrays_init(darc_arrays *a, const char *file)
{
    *a = (darc_arrays){.file = file};
    darc_text_init(a->left_out);
}

void darc_arrays_clear(darc_arrays *a)
{
    if (a->close != NULL)
        a->close(a);
    for (int i = 0; i < a->count; i++) {
        darc_free(a->array[i].path);
        darc_free(a->array[i].unit);
    }
    darc_free(a->array);
    darc_text_clear(a->left_out);
    darc_arrays_init(a, NULL);
}

void darc_arrays_append(darc_arrays *a, const char *path, const char *unit,
                        size_t rows, size_t columns, int handle)
{
    bool wide = columns > rows;
    a->array =
        darc_grow(a->array, (size_t)a->count, &a->alloc, sizeof *a->array);
    a->array[a->count++] = (darc_array){
        darc_text_name(path, strlen(path)), darc_text_name(unit, strlen(unit)),
        wide ? columns : rows, wide ? rows : columns, handle};
}

void darc_arrays_leave(darc_arrays *a, const char *path, const char *what)
{
    if (a->left_out->len > DARC_LEFT_OUT_BYTES)
        return;
    darc_text_printf(a->left_out, "%s'%.64s' is %s",
                     a->left_out->len > 0 ? "; " : "", path, what);
}
