#define _DEFAULT_SOURCE /* F_DUPFD_CLOEXEC */

#include "base/mem.h"
#include "base/scratch.h"
#include "files/caged.h"
#include "files/csv.h"
#include "files/thresholds.h"
#include "formats/recognise.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Set *sheet to the one named, or the only one. */
static darc_status choose_sheet(int *sheet, const darc_arrays *a,
                                const char *path, darc_err *err)
{
    darc_text_t list = DARC_TEXT;
    *sheet = a->count == 1 && path[0] == '\0' ? 0 : -1;
    for (int i = 0; i < a->count; i++) {
        if (strcmp(a->array[i].path, path) == 0)
            *sheet = i;
        if (i < DARC_NAMES_SHOWN)
            darc_text_printf(list, "%s%.64s", i > 0 ? ", " : "",
                             a->array[i].path);
    }
    darc_status status = DARC_OK;
    if (*sheet < 0 && a->count == 0)
        status =
            darc_fail_file(err, a->file, "no sheet has rows of numbers%s%s",
                           a->left_out->len > 0 ? ": " : "", a->left_out->s);
    else if (*sheet < 0 && path[0] != '\0')
        status = darc_fail_file(
            err, a->file, "no sheet '%s' with rows of numbers; there are: %s",
            path, list->s);
    else if (*sheet < 0)
        status = darc_fail_file(
            err, a->file,
            "several sheets with rows of numbers (%s); pick one, as in %s:%s",
            list->s, a->file, a->array[0].path);
    darc_text_clear(list);
    return status;
}

/* Copy the text of a sheet into a temporary file. */
static darc_status spool_sheet(int *fd, darc_arrays *a, int sheet,
                               darc_err *err)
{
    enum { ROWS = 1 << 15 };
    darc_status status = DARC_OK;
    darc_scratch s;
    const darc_array *x = a->array + sheet;
    DARC_NEED(darc_scratch_open(&s, err));
    double *bytes = darc_malloc(ROWS * sizeof *bytes);
    for (size_t at = 0; at < x->rows && status == DARC_OK; at += ROWS) {
        size_t n = x->rows - at < ROWS ? x->rows - at : ROWS;
        status = a->read(a, x, at, n, bytes, err);
        if (status == DARC_OK)
            status = darc_scratch_write(&s, bytes, n * sizeof *bytes,
                                        at * sizeof *bytes, err);
    }
    darc_free(bytes);
    *fd = status == DARC_OK ? fcntl(s.fd, F_DUPFD_CLOEXEC, 3) : -1;
    if (status == DARC_OK && (*fd < 0 || lseek(*fd, 0, SEEK_SET) < 0))
        status = darc_scratch_fail(&s, "it cannot be read", err);
    darc_scratch_close(&s);
    return status;
}

darc_status darc_sheet_open(int *fd, const char *file, darc_err *err)
{
    darc_recognised is = darc_recognise(file);
    int sheet;
    darc_status status;
    darc_arrays a;
    *fd = -1;
    if (!is.text)
        return is.what != NULL ? darc_recognise_fail(&is, file, err) : DARC_OK;
    char *name = darc_strndup(file, is.length);
    const char *path = file + is.length + (file[is.length] == ':');
    darc_arrays_init(&a, name);
    DARC_TRY(darc_caged_list(&a, is.kind, err));
    DARC_TRY(choose_sheet(&sheet, &a, path, err));
    DARC_TRY(spool_sheet(fd, &a, sheet, err));
done:
    darc_arrays_clear(&a);
    darc_free(name);
    return status;
}
