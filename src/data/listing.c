#define _GNU_SOURCE /* strverscmp */

#include "data/listing.h"

#include "base/mem.h"
#include "base/text.h"
#include "data/part.h"
#include "files/csv.h"
#include "formats/recognise.h"

#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

void darc_listing_clear(darc_listing *l)
{
    for (int i = 0; i < l->columns; i++)
        darc_free(l->column[i]);
    for (int i = 0; i < l->files; i++) {
        for (int k = 0; k < l->columns; k++)
            darc_free(l->cell[i][k]);
        DARC_FREE(l->file[i], (void *)l->cell[i]);
    }
    for (int i = 0; i < l->passed; i++)
        darc_free(l->over[i]);
    DARC_FREE((void *)l->over, l->column, l->file, (void *)l->held,
              (void *)l->cell);
    *l = (darc_listing){0};
}

int darc_listing_column(const darc_listing *l, const char *name)
{
    int k = l->columns - 1;
    while (k >= 0 && strcmp(l->column[k], name) != 0)
        k--;
    return k;
}

const char *darc_listing_cell(const darc_listing *l, int i, int k)
{
    return i < 0 || k < 0 ? NULL : l->cell[i][k];
}

void darc_listing_insert(darc_listing *l, int at, const char *file)
{
    size_t n = (size_t)l->files, behind = n - (size_t)at;
    char *name = darc_strdup(file);
    char **cell = darc_calloc((size_t)l->columns + 1, sizeof *cell);
    DARC_ROOM(l->file, n);
    DARC_ROOM(l->held, n);
    DARC_ROOM(l->cell, n);
    memmove(l->file + at + 1, l->file + at, behind * sizeof *l->file);
    memmove(l->held + at + 1, l->held + at, behind * sizeof *l->held);
    memmove(l->cell + at + 1, l->cell + at, behind * sizeof *l->cell);
    l->file[at] = name;
    l->held[at] = NULL;
    l->cell[at] = cell;
    l->files++;
}

static int add_column(darc_listing *l, const char *name)
{
    int k = l->columns++;
    DARC_ROOM(l->column, k);
    l->column[k] = darc_strdup(name);
    for (int i = 0; i < l->files; i++) {
        l->cell[i] = darc_realloc(l->cell[i], (size_t)k + 1, sizeof **l->cell);
        l->cell[i][k] = NULL;
    }
    return k;
}

void darc_listing_tell(darc_listing *l, int i, const char *column,
                       const char *value)
{
    int k = darc_listing_column(l, column);
    k = k >= 0 ? k : add_column(l, column);
    char *text = value != NULL ? darc_strdup(value) : NULL;
    darc_free(l->cell[i][k]);
    l->cell[i][k] = text;
}

/* A list as it is read. */
typedef struct {
    darc_csv csv; /* lines and separator */
    int place;    /* of the file among the cells */
    bool headed;
} list;

static bool is_file_column(const darc_cell *cell)
{
    static const char *const name[] = {"file", "recording", "path"};
    for (int i = 0; i < 3; i++)
        if (cell->n == strlen(name[i]) &&
            strncasecmp(cell->s, name[i], cell->n) == 0)
            return true;
    return false;
}

/* Set l to the columns of the first line, if that is a header. */
static darc_status read_header(darc_listing *l, list *x, const char *s,
                               const char *end, darc_err *err)
{
    size_t n = (size_t)(end - s);
    x->csv.separator = memchr(s, '\t', n) != NULL  ? '\t'
                       : memchr(s, ';', n) != NULL ? ';'
                                                   : ',';
    x->place = -1;
    darc_cell cell;
    const char *first = s;
    for (int i = 0; s != NULL; i++) {
        const char *at = s;
        DARC_NEED(darc_csv_cell(&cell, &s, end, &x->csv, err));
        if (x->place < 0 && is_file_column(&cell)) {
            x->place = i;
            continue;
        }
        char *name = darc_text_name(cell.s, cell.n);
        bool twice = darc_listing_column(l, name) >= 0;
        DARC_APPEND(l->column, l->columns, name);
        if (twice && x->place >= 0)
            return darc_lines_fail(&x->csv.lines, (size_t)(at - first) + 1, err,
                                   "two columns are named '%s'", name);
    }
    x->headed = x->place >= 0;
    if (!x->headed)
        darc_listing_clear(l);
    return DARC_OK;
}

/* Take the cells of a line below a header. */
static darc_status take_cells(darc_listing *l, list *x, const char *s,
                              const char *end, darc_err *err)
{
    darc_cell cell;
    const char *first = s;
    int i = 0, k = 0, row = l->files;
    darc_listing_insert(l, l->files, "");
    for (; s != NULL && i <= l->columns; i++) {
        DARC_NEED(darc_csv_cell(&cell, &s, end, &x->csv, err));
        if (i != x->place) {
            l->cell[row][k++] =
                cell.n > 0 ? darc_text_name(cell.s, cell.n) : NULL;
            continue;
        }
        if (cell.n == 0)
            return darc_lines_fail(&x->csv.lines, (size_t)(cell.s - first) + 1,
                                   err, "expected the name of a file");
        darc_free(l->file[row]);
        l->file[row] = darc_strndup(cell.s, cell.n);
    }
    if (s != NULL || i <= l->columns)
        return darc_lines_fail(&x->csv.lines, 1, err,
                               "%s cells than the %d of the header",
                               s != NULL ? "more" : "fewer", l->columns + 1);
    return DARC_OK;
}

static darc_status take_line(darc_listing *l, list *x, bool *first,
                             darc_err *err)
{
    const char *line = x->csv.lines.buffer + x->csv.lines.begin, *s = line;
    const char *end = darc_csv_line_end(s, &x->csv);
    x->csv.lines.next =
        (size_t)((const char *)memchr(end, '\n', 2) + 1 - x->csv.lines.buffer);
    bool header = *first;
    if (header && end - s >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
        line = s += 3;
    while (s < end && darc_csv_is_blank(*s))
        s++;
    if (s == end || *s == '#')
        return DARC_OK;
    if (memchr(s, '\0', (size_t)(end - s)) != NULL)
        return darc_lines_fail(&x->csv.lines, 1, err, "NUL byte");
    *first = false;
    if (header)
        DARC_NEED(read_header(l, x, line, end, err));
    if (x->headed)
        return header ? DARC_OK : take_cells(l, x, line, end, err);
    while (end > s && darc_csv_is_blank(end[-1]))
        end--;
    char *name = darc_strndup(s, (size_t)(end - s)); /* the whole line */
    darc_listing_insert(l, l->files, name);
    darc_free(name);
    return DARC_OK;
}

darc_status darc_listing_read(darc_listing *l, const char *file, darc_err *err)
{
    list x = {.headed = false};
    bool first = true;
    darc_status status;
    DARC_NEED(darc_lines_open(&x.csv.lines, file, err));
    for (;;) {
        DARC_TRY(darc_lines_fill(&x.csv.lines, err));
        if (x.csv.lines.begin == x.csv.lines.whole)
            break;
        DARC_TRY(take_line(l, &x, &first, err));
        darc_csv_next(&x.csv);
    }
    if (l->files == 0)
        status = darc_fail(err, DARC_DATA,
                           "%s: error: the list names no recording; expected "
                           "a file a line",
                           x.csv.lines.file);
done:
    darc_lines_close(&x.csv.lines);
    return status;
}

static bool is_text(const char *name)
{
    static const char *const text[] = {".csv", ".tsv", ".txt", ".dat"};
    size_t n = strlen(name);
    for (int i = 0; i < 4; i++)
        if (n > 4 && strcasecmp(name + n - 4, text[i]) == 0)
            return true;
    return false;
}

/* Whether a text holds rows of numbers, and is no table of recordings, by its
 * first rows; true where the reader says why it holds none. */
static bool has_rows(const char *file)
{
    darc_csv csv;
    unsigned most = 0, values = 0, words = 0;
    bool table = false;
    if (darc_csv_open(&csv, file, false, NULL) != DARC_OK)
        return true;
    darc_csv_look *look = darc_calloc((size_t)csv.columns, sizeof *look);
    darc_csv_look_at(look, &csv);
    for (int c = 0; c < csv.columns; c++) {
        unsigned n = look[c].numbers + look[c].stamps;
        const darc_cell name = darc_cell_of(csv.name[c], strlen(csv.name[c]));
        table = table || (is_file_column(&name) && look[c].words > 0);
        most = n > most ? n : most;
        values += n;
        words += look[c].words;
    }
    darc_free(look);
    darc_csv_close(&csv);
    return !table && most > 1 && values >= words;
}

/* By its ending: what a reader takes. */
static bool is_recording(const char *name)
{
    size_t n = strlen(name);
    return is_text(name) || darc_recognise_ending(name, n);
}

static int by_version(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static darc_status read_folder(darc_listing *l, const char *folder,
                               darc_err *err)
{
    DIR *d = opendir(folder);
    if (d == NULL)
        return darc_fail(err, DARC_IO, "%s: error: the folder cannot be read",
                         folder);
    size_t n = strlen(folder);
    const char *slash = n > 0 && folder[n - 1] == '/' ? "" : "/";
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        struct stat st;
        darc_text_t path = DARC_TEXT;
        darc_text_printf(path, "%s%s%s", folder, slash, e->d_name);
        if (e->d_name[0] != '.' && is_recording(e->d_name) &&
            stat(path->s, &st) == 0 && S_ISREG(st.st_mode)) {
            if (!is_text(path->s) || has_rows(path->s)) {
                darc_listing_insert(l, l->files, path->s);
            } else {
                DARC_APPEND(l->over, l->passed, darc_strdup(path->s));
            }
        }
        darc_text_clear(path);
    }
    closedir(d);
    return DARC_OK;
}

darc_status darc_listing_collect(darc_listing *l, const char *data,
                                 darc_err *err)
{
    struct stat st;
    glob_t found = {.gl_pathc = 0};
    int before = l->files;
    bool there = stat(data, &st) == 0;
    bool folder = there && S_ISDIR(st.st_mode);
    darc_part part;
    darc_part_init(&part, data);
    there =
        there || (strcmp(part.file, data) != 0 && access(part.file, F_OK) == 0);
    darc_part_clear(&part);
    if (folder)
        DARC_NEED(read_folder(l, data, err));
    else if (there || strpbrk(data, "*?[") == NULL)
        darc_listing_insert(l, before, data);
    else if (glob(data, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            darc_listing_insert(l, l->files, found.gl_pathv[i]);
    globfree(&found);
    if (l->files == before)
        return darc_fail(err, DARC_DATA,
                         folder ? "%s: error: the folder holds no recording; "
                                  "expected files that end in .csv, .mat, "
                                  ".h5, .npy, ... (darc help formats)"
                                : "%s: error: no file fits this pattern",
                         data);
    qsort(l->file + before, (size_t)(l->files - before), sizeof *l->file,
          by_version);
    return DARC_OK;
}
