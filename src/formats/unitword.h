/* unitword.h - units as they stand in headers, and other words of loggers, in
 * lists that words.txt makes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A name of `name` characters, and where its unit stands; length 0: none. */
typedef struct {
    size_t name, unit, length;
} darc_named;

/* Part the n characters at s: "a [m]", "a (m)", "a <m>", "a / m", "a/m", "a,
 * m", "a m/s", "a in m".  What stands in brackets is a unit, but for a whole
 * number, which is an index; elsewhere only what is known as one. */
darc_named darc_unitword_split(const char *s, size_t n);

/* Return whether the n characters at s are a unit that loggers write. */
bool darc_csv_is_unit(const char *s, size_t n);

/* Return whether they say what a column holds: float, Avg, TS. */
bool darc_unitword_is_type(const char *s, size_t n);

typedef struct {
    const char *word;
    double value;
} darc_word;

/* Return the value of the word of n characters at s, in any case of letters of
 * ASCII; NAN: the list does not have it. */
double darc_word_value(const darc_word *list, size_t words, const char *s,
                       size_t n);
#define DARC_WORD(list, s, n)                                                  \
    darc_word_value(list, sizeof list / sizeof *list, s, n)
