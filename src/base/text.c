#include "darc/text.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void darc_text_init(darc_text_t t)
{
    t->alloc = 64;
    t->s = darc_malloc(t->alloc);
    darc_text_reset(t);
}

void darc_text_clear(darc_text_t t)
{
    darc_free(t->s);
    t->s = NULL;
    t->len = t->alloc = 0;
}

void darc_text_reset(darc_text_t t)
{
    t->len = 0;
    t->s[0] = '\0';
}

static void reserve(darc_text_t t, size_t more)
{
    if (t->len + more < t->alloc)
        return;
    while (t->len + more >= t->alloc)
        t->alloc *= 2;
    t->s = darc_realloc(t->s, t->alloc, 1);
}

void darc_text_write(darc_text_t t, const char *s, size_t n)
{
    reserve(t, n + 1);
    memcpy(t->s + t->len, s, n);
    t->len += n;
    t->s[t->len] = '\0';
}

void darc_text_putc(darc_text_t t, char c)
{
    darc_text_write(t, &c, 1);
}

void darc_text_puts(darc_text_t t, const char *s)
{
    darc_text_write(t, s, strlen(s));
}

void darc_text_printf(darc_text_t t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(n >= 0);
    reserve(t, (size_t)n + 1);
    vsnprintf(t->s + t->len, (size_t)n + 1, format, again);
    va_end(again);
    t->len += (size_t)n;
}

void darc_text_double(darc_text_t t, double x)
{
    char digits[40];
    if (isnan(x))
        snprintf(digits, sizeof digits, "nan");
    else if (isinf(x))
        snprintf(digits, sizeof digits, x < 0 ? "-inf" : "inf");
    else
        for (int p = 15; p <= 17; p++) {
            snprintf(digits, sizeof digits, "%.*g", p, x);
            if (strtod(digits, NULL) == x)
                break;
        }
    darc_text_puts(t, digits);
}

char *darc_text_take(darc_text_t t)
{
    char *s = t->s;
    darc_text_init(t);
    return s;
}
