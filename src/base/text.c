#include "base/text.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an empty text points to before its first allocation; never written
 * to. */
static const char nothing[1] = "";

void darc_text_init(darc_text_t t)
{
    t->s = (char *)nothing;
    t->len = t->alloc = 0;
}

void darc_text_clear(darc_text_t t)
{
    if (t->alloc > 0)
        darc_free(t->s);
    darc_text_init(t);
}

void darc_text_reset(darc_text_t t)
{
    t->len = 0;
    if (t->alloc > 0)
        t->s[0] = '\0';
}

/* Make room for more characters and the '\0' behind them. */
static void reserve(darc_text_t t, size_t more)
{
    size_t need = t->len + more + 1;
    if (need <= t->alloc)
        return;
    size_t alloc = t->alloc == 0 ? 64 : t->alloc;
    while (alloc < need)
        alloc *= 2;
    t->s = darc_realloc(t->alloc == 0 ? NULL : t->s, alloc, 1);
    t->alloc = alloc;
}

void darc_text_write(darc_text_t t, const char *s, size_t n)
{
    reserve(t, n);
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
    reserve(t, (size_t)n);
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
    reserve(t, 0);
    t->s[t->len] = '\0';
    char *s = t->s;
    darc_text_init(t);
    return s;
}
