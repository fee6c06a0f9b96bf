/* sheet.h - a page in the making: its head, sections, files and settings.
 *
 * begin, then section and what belongs into it, and so on, then end.
 */
#pragma once

#include "emit/html.h"
#include "page/page.h"
#include "texts.inc" /* of texts.html, by texts.awk */

typedef struct {
    darc_text_struct *out; /* not owned */
    darc_text_t axes;      /* JSON of time axes and charts, see plot.h */
    darc_text_t charts;
    int axis_count, chart_count;
    size_t buckets; /* of decimation */
    bool open;      /* a section is */
    bool plots;     /* they alone are wanted */
} darc_sheet;

typedef struct {
    const char *command; /* "check equal" */
    const char *subject; /* the model */
    darc_tone tone;
    const char *word;     /* "inconsistent" */
    const char *sentence; /* why, plain words; "" if there is none */
} darc_sheet_head;

/* Start the page; series: how many curves it will hold at most. */
void darc_sheet_begin(darc_sheet *s, darc_text_t out,
                      const darc_sheet_head *head, const darc_page *p,
                      int series);

/* End the section before; start one, with an id of its own. */
void darc_sheet_section(darc_sheet *s, const char *id, const char *heading);

/* Append how the page was made: settings, files with their hashes, versions,
 * the command line; then end the page.  command: as in the head. */
void darc_sheet_end(darc_sheet *s, const char *command, const char *const *file,
                    int files, const darc_page *p);

/* Return the tone of a verdict; what %t shows of it. */
darc_tone darc_tone_of(darc_verdict verdict);
#define DARC_TAG(verdict) darc_tone_of(verdict), darc_verdict_text(verdict)

/* Begin a table with a caption (NULL: none) and columns, '|' between their
 * names: of numbers with '#' in front, over two columns of numbers with '##'.
 * End it. */
void darc_sheet_table(darc_text_t out, const char *caption,
                      const char *columns);
void darc_sheet_table_end(darc_text_t out);

/* Append a table with a row (emit/html.h) for each i from 0 to n - 1. */
#define DARC_SHEET_ROWS(out, caption, columns, i, n, ...)                      \
    do {                                                                       \
        darc_sheet_table(out, caption, columns);                               \
        for (int i = 0; i < (n); i++)                                          \
            darc_html_row(out, __VA_ARGS__);                                   \
        darc_sheet_table_end(out);                                             \
    } while (0)

/* Append notes as a list, nothing if there are none. */
void darc_sheet_notes(darc_text_t out, const char *const *note, int notes);
