#include "base/text.h"

#include "base/attempt.h"
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

void darc_text_vprintf(darc_text_t t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    assert(n >= 0);
    reserve(t, (size_t)n);
    vsnprintf(t->s + t->len, (size_t)n + 1, format, args);
    t->len += (size_t)n;
}

void darc_text_printf(darc_text_t t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    darc_text_vprintf(t, format, args);
    va_end(args);
}

darc_status darc_fail_file(darc_err *err, const char *file, const char *format,
                           ...)
{
    char what[DARC_ERR_MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return darc_fail(err, DARC_DATA, "%s: error: %s", file, what);
}

char *darc_text_of(const char *format, ...)
{
    darc_text_t t = DARC_TEXT;
    va_list args;
    va_start(args, format);
    darc_text_vprintf(t, format, args);
    va_end(args);
    return darc_text_take(t);
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

/* From 99.5 on two digits would be written 1e+02, from 999.5 on three 1e+03. */
static darc_percent percent(double x, int digits, double whole)
{
    darc_percent p;
    double size = fabs(100 * x);
    bool is_whole = size >= whole && size < 1e6;
    snprintf(p.text, sizeof p.text, is_whole ? "%.*f %%" : "%.*g %%",
             is_whole ? 0 : digits, 100 * x);
    return p;
}

darc_percent darc_percent_of(double x)
{
    return percent(x, 2, 99.5);
}

darc_percent darc_percent_fine(double x)
{
    return percent(x, 3, 999.5);
}

darc_percent darc_percent_share(double x)
{
    return x > 1 ? (darc_percent){"over 100 %"} : darc_percent_fine(x);
}

darc_percent darc_percent_up_to(double x)
{
    darc_percent p = {"100 % and more"};
    if (!(x > 1))
        snprintf(p.text, sizeof p.text, "up to %.30s", darc_percent_of(x).text);
    return p;
}

darc_percent_measure darc_percent_change(double value, double sd)
{
    darc_percent_measure t = {"unknown"};
    double x = 100 * value, s = 100 * sd;
    if (isfinite(x) && s > 1e-6 && s < 1e6) {
        int digits = (int)fmax(0, 1 - floor(log10(s)));
        snprintf(t.text, sizeof t.text, "%+.*f +- %.*f %%", digits, x, digits,
                 s);
    } else if (isfinite(x) && isfinite(s)) {
        snprintf(t.text, sizeof t.text, "%+.6g +- %.2g %%", x, s);
    }
    return t;
}

void darc_text_percent(darc_text_t t, double x)
{
    darc_text_puts(t, darc_percent_of(x).text);
}

void darc_text_measure(darc_text_t t, double value, double half)
{
    double size = fabs(value);
    if (!isfinite(value) || !isfinite(half)) {
        darc_text_puts(t, "not known");
        return;
    }
    int last = half > 0 ? (int)floor(log10(half)) - 1 : -6;
    double digit = pow(10, last);
    if (half <= 0)
        darc_text_printf(t, "%.6g +- 0", value);
    else if (half >= size && (half < 1e-3 || half >= 1e6))
        darc_text_printf(t, "%.2g +- %.2g", round(value / digit) * digit + 0.0,
                         half);
    else if (fmax(size, half) >= 1e-3 && size < 1e7 && last < 4 && last > -12)
        darc_text_printf(t, "%.*f +- %.*f", last < 0 ? -last : 0, value,
                         last < 0 ? -last : 0, half);
    else
        darc_text_printf(t, "%.*e +- %.1e",
                         (int)fmin(16, fmax(1, floor(log10(size)) - last)),
                         value, half);
}

/* Return how many of n bytes begin a character. */
static size_t characters(const char *s, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)s[i] & 0xc0) != 0x80;
    return count;
}

void darc_text_align(darc_text_t t, size_t begin, int gap)
{
    enum { COLUMNS = 256 };
    size_t width[COLUMNS] = {0};
    darc_text_t set = DARC_TEXT;
    for (int pass = 0; pass < 2; pass++)
        for (const char *s = t->s + begin; *s != '\0';) {
            size_t k = 0, n;
            for (; n = strcspn(s, DARC_CELL "\n"), s[n] == *DARC_CELL;
                 s += n + 1, k++) {
                size_t *w = &width[k < COLUMNS ? k : COLUMNS - 1];
                size_t shown = characters(s, n);
                *w = shown > *w ? shown : *w;
                if (pass == 1)
                    darc_text_printf(set, "%.*s%*s", (int)n, s,
                                     (int)(*w - shown) + gap, "");
            }
            n += s[n] == '\n';
            darc_text_write(set, s, pass == 1 ? n : 0);
            s += n;
        }
    t->len = begin;
    darc_text_puts(t, set->s);
    darc_text_clear(set);
}

char *darc_text_take(darc_text_t t)
{
    reserve(t, 0);
    t->s[t->len] = '\0';
    char *s = t->s;
    darc_text_init(t);
    return s;
}

int darc_text_character(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] < 0x80)
        return 1;
    int n = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : 2;
    if (u[0] < 0xc2 || u[0] > 0xf4)
        return 0;
    for (int i = 1; i < n; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    bool longer =
        (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xf0 && u[1] < 0x90);
    bool surrogate = u[0] == 0xed && u[1] >= 0xa0;
    return longer || surrogate || (u[0] == 0xf4 && u[1] >= 0x90) ? 0 : n;
}

/* The code of a character of n > 0 bytes. */
static unsigned code_of(const char *s, int n)
{
    static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned code = (unsigned char)s[0] & first[n];
    for (int i = 1; i < n; i++)
        code = code << 6 | ((unsigned char)s[i] & 0x3fu);
    return code;
}

/* Whether the character of n bytes at s, or the byte that is none (n = 0), does
 * what nobody sees: controls, and marks that turn the order of others round.
 * Line breaks and tabs are seen. */
static bool is_hidden(const char *s, int n)
{
    if (n == 0)
        return true;
    unsigned c = code_of(s, n);
    bool control = (c < 0x20 && c != '\n' && c != '\t') ||
                   (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
    bool turns = c == 0x61c || c == 0x200e || c == 0x200f ||
                 (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return control || turns;
}

void darc_text_shown(darc_text_t t, const char *s)
{
    for (int n; *s != '\0'; s += n == 0 ? 1 : n) {
        n = darc_text_character(s);
        if (!is_hidden(s, n))
            darc_text_write(t, s, (size_t)n);
        else if (n <= 1)
            darc_text_printf(t, "\\x%02x", (unsigned char)*s);
        else
            darc_text_printf(t, "\\u%04x", code_of(s, n));
    }
}

void darc_text_cell(darc_text_t t, const char *s, const char *marks,
                    const char *quote)
{
    static const char *const first[] = {"=",
                                        "+",
                                        "-",
                                        "@",
                                        "\t",
                                        "\r",
                                        "\xef\xbc\x9d",
                                        "\xef\xbc\x8b",
                                        "\xef\xbc\x8d", /* wide ones */
                                        "\xef\xbc\xa0"};
    bool formula = false, quoted = strpbrk(s, marks) != NULL;
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        formula |= strncmp(s, first[i], strlen(first[i])) == 0;
    darc_text_t shown = DARC_TEXT;
    darc_text_shown(shown, s);
    darc_text_puts(t, quoted ? "\"" : "");
    darc_text_puts(t, formula ? "'" : "");
    for (const char *p = shown->s; *p != '\0'; p++)
        darc_text_write(t, *p == '"' ? quote : p,
                        *p == '"' ? strlen(quote) : 1);
    darc_text_puts(t, quoted ? "\"" : "");
    darc_text_clear(shown);
}

void darc_text_beside(darc_text_t t, const char *file, const char *path,
                      size_t n)
{
    const char *slash = path[0] != '/' ? strrchr(file, '/') : NULL;
    if (slash != NULL)
        darc_text_write(t, file, (size_t)(slash - file) + 1);
    darc_text_write(t, path, n);
}

char *darc_text_name(const char *s, size_t n)
{
    darc_text_t t = DARC_TEXT;
    char *copy = darc_strndup(s, n);
    darc_text_shown(t, copy);
    darc_free(copy);
    for (size_t i = 0; i < t->len; i++)
        if (t->s[i] == '\n' || t->s[i] == '\t')
            t->s[i] = ' ';
    return t->len > 0 ? darc_text_take(t) : darc_strdup("");
}

static darc_status try_text(darc_text_t out,
                            void (*put)(darc_text_t out, void *, const char *),
                            void *what, const char *format)
{
    darc_text_init(out);
    put(out, what, format);
    return DARC_OK;
}

const char *darc_text_attempt(darc_text_t keep,
                              void (*put)(darc_text_t out, void *what,
                                          const char *format),
                              void *what, const char *format)
{
    darc_status status;
    darc_text_t text;
    DARC_ATTEMPT(status, try_text(text, put, what, format), NULL);
    if (status != DARC_OK)
        return NULL;
    darc_text_clear(keep);
    *keep = *text;
    return keep->s;
}
