/* text.h - a growing string, always terminated. */
#pragma once

#include "base/each.h"
#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *s;      /* len characters and a '\0'; owned where alloc > 0 */
    size_t len;   /* characters, without the '\0' */
    size_t alloc; /* bytes allocated */
} darc_text_struct;

typedef darc_text_struct darc_text_t[1];

/* Make t empty; the same where it is declared: darc_text_t t = DARC_TEXT. */
void darc_text_init(darc_text_t t);
#define DARC_TEXT                                                              \
    {                                                                          \
        {                                                                      \
            (char *)"", 0, 0                                                   \
        }                                                                      \
    }
void darc_text_clear(darc_text_t t);

/* Make t empty and keep its memory. */
void darc_text_reset(darc_text_t t);

/* Append one character, a string, n characters, a formatted string. */
void darc_text_putc(darc_text_t t, char c);
void darc_text_puts(darc_text_t t, const char *s);
void darc_text_write(darc_text_t t, const char *s, size_t n);
void darc_text_printf(darc_text_t t, const char *format, ...) DARC_PRINTF(2, 3);
void darc_text_vprintf(darc_text_t t, const char *format, va_list args);

/* Let put, in an attempt (attempt.h), write a text, and keep be that; return
 * it, NULL where memory lacks. */
const char *darc_text_attempt(darc_text_t keep,
                              void (*put)(darc_text_t out, void *what,
                                          const char *format),
                              void *what, const char *format);

/* Return a formatted string, to be freed with darc_free. */
char *darc_text_of(const char *format, ...) DARC_PRINTF(1, 2);

/* Fail with DARC_DATA and "FILE: error: ...". */
darc_status darc_fail_file(darc_err *err, const char *file, const char *format,
                           ...) DARC_PRINTF(3, 4);

/* Return the bytes of the character of UTF-8 at s; 0: it is none. */
int darc_text_character(const char *s);

/* Append s as it may be shown: what is hidden, or no UTF-8, as \x1b, \u202e. */
void darc_text_shown(darc_text_t t, const char *s);

/* Append s as a cell of CSV: shown so, quoted where one of the marks stands in
 * it, with `quote` for a quote, behind an apostrophe where a spreadsheet would
 * run it as a formula. */
void darc_text_cell(darc_text_t t, const char *s, const char *marks,
                    const char *quote);

/* Return a copy of the n characters of a name that stands in a file: what is
 * hidden, also line breaks and tabs, as darc_text_shown does.  To be freed with
 * darc_free. */
char *darc_text_name(const char *s, size_t n);

/* Append the n characters of a path, which is relative to the folder of the
 * file. */
void darc_text_beside(darc_text_t t, const char *file, const char *path,
                      size_t n);

/* Append x so that reading it back gives x, with the fewest digits of 15, 16
 * or 17; "nan", "inf" and "-inf" for the rest. */
void darc_text_double(darc_text_t t, double x);

/* Append the share x in percent, with two digits or, from 100 % to a million,
 * in whole numbers: "0.15 %", "162 %". */
void darc_text_percent(darc_text_t t, double x);

/* The same, for a format: darc_percent_of(x).text; and with three digits; of a
 * whole, "over 100 %" of what is more; "up to 0.15 %", "100 % and more". */
typedef struct {
    char text[40];
} darc_percent;
darc_percent darc_percent_of(double x);
darc_percent darc_percent_fine(double x);
darc_percent darc_percent_share(double x);
darc_percent darc_percent_up_to(double x);

/* "-1.640 +- 0.021 %", to two digits of the standard deviation; "unknown". */
typedef struct {
    char text[96];
} darc_percent_measure;
darc_percent_measure darc_percent_change(double value, double sd);

/* Append "0.50001 +- 0.00036", to two digits of half an interval; "not known"
 * where one of them is not finite. */
void darc_text_measure(darc_text_t t, double value, double half);

/* Set the cells of the lines from `begin` on under each other: DARC_CELL ends a
 * cell, `gap` blanks lie between the widest of a column and the next. */
void darc_text_align(darc_text_t t, size_t begin, int gap);

/* Return the characters, to be freed with free(), and make t empty; t then
 * holds no memory. */
char *darc_text_take(darc_text_t t);

/* The end of a cell: a character that no text shows. */
#define DARC_CELL "\037"
