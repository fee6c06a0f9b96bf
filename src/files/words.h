/* words.h - words that loggers write, in lists that words.txt makes. */
#pragma once

#include <stddef.h>

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
