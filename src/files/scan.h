/* scan.h - what remains of a text, read from its begin on. */
#pragma once

#include <stdbool.h>
#include <string.h>

typedef struct {
    const char *s, *end;
} text;

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_letter(char c)
{
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c & 0x80) != 0;
}

/* How many digits follow. */
static inline int run(const text *t)
{
    int n = 0;
    while (n < 30 && t->s + n < t->end && is_digit(t->s[n]))
        n++;
    return n;
}

/* Read a number of `least` to `most` digits; -1 if there is none. */
static inline int digits(text *t, int least, int most)
{
    int x = 0, n = run(t);
    if (n < least || n > most)
        return -1;
    for (; n > 0; n--)
        x = 10 * x + (*t->s++ - '0');
    return x;
}

static inline bool mark(text *t, char c)
{
    bool is = t->s < t->end && *t->s == c;
    t->s += is;
    return is;
}

static inline bool mark_word(text *t, const char *word)
{
    size_t n = strlen(word), left = (size_t)(t->end - t->s);
    for (size_t i = 0; i < n; i++)
        if (i >= left || (t->s[i] != word[i] &&
                          (t->s[i] < 'A' || (t->s[i] | 0x20) != word[i])))
            return false;
    t->s += n;
    return true;
}

static inline void blanks(text *t)
{
    while (mark(t, ' ') || mark(t, '\t'))
        ;
}
