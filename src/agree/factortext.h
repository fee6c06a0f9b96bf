/* factortext.h - the words of a line of a factor-space file. */
#ifndef DARC_AGREE_FACTORTEXT_H
#define DARC_AGREE_FACTORTEXT_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    WORD_END, /* of the line */
    WORD_NAME,
    WORD_NUMBER,
    WORD_STRING, /* without its quotes */
    WORD_UNIT,   /* without its brackets */
    WORD_SIGN    /* = ( ) , or <- */
} darc_word_kind;

typedef struct {
    darc_word_kind kind;
    const char *s;
    size_t n;
    double number;
    size_t column;
} darc_word;

typedef struct {
    const char *file;
    const char *line; /* begin */
    const char *at, *end;
    size_t number;  /* of the line */
    darc_word word; /* the word at hand */
    darc_err *err;  /* where messages go */
} darc_words;

/* Step to the next word.  Fails: DARC_SYNTAX. */
DARC_CHECKED darc_status darc_words_next(darc_words *w);

/* Return whether the word at hand is this sign or name. */
bool darc_words_is(const darc_words *w, const char *text);

/* Return which of n words the one at hand is, n if it is none of them. */
int darc_words_which(const darc_words *w, const char *const *word, int n);

/* Fail with "file:line:column: error: ..." at the word at hand. */
DARC_CHECKED darc_status darc_words_fail(const darc_words *w,
                                         darc_status status, const char *format,
                                         ...) DARC_PRINTF(3, 4);

/* Fail with "expected ... near ...". */
DARC_CHECKED darc_status darc_words_expected(const darc_words *w,
                                             const char *what);

/* Store the word at hand, of the kind, and step on.  Fails: DARC_SYNTAX. */
DARC_CHECKED darc_status darc_words_take(darc_words *w, darc_word *word,
                                         darc_word_kind kind, const char *what);

/* Step over this sign.  Fails: DARC_SYNTAX. */
DARC_CHECKED darc_status darc_words_skip(darc_words *w, const char *text);

#endif
