#define _GNU_SOURCE /* memmem */

#include "files/csv.h"

#include "base/attempt.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 18, READ = CHUNK / 4, PADDING = 64 };

static void shut(void *fd)
{
    close((int)(intptr_t)fd);
}

static const size_t capacity = DARC_MAX_LINE + 2 * CHUNK;

darc_status darc_lines_open(darc_lines *l, const char *file, darc_err *err)
{
    *l = (darc_lines){.fd = STDIN_FILENO, .number = 1};
    bool standard = strcmp(file, "-") == 0;
    if (!standard)
        DARC_NEED(darc_sheet_open(&l->fd, file, err));
    if (l->fd < 0)
        do /* a FIFO waits for who writes it */
            l->fd = open(file, O_RDONLY);
        while (l->fd < 0 && errno == EINTR);
    if (l->fd < 0)
        return darc_fail(err, DARC_IO, "%s: error: cannot open: %s", file,
                         strerror(errno));
    if (!standard)
        darc_attempt_opens(shut, (void *)(intptr_t)l->fd);
    l->file = darc_strdup(standard ? "<stdin>" : file);
    l->buffer = darc_malloc(capacity + PADDING);
    memset(l->buffer, 0, PADDING);
    return DARC_OK;
}

/* Whether bytes are of a charset that is turned into UTF-8. */
static bool converts(const darc_lines *l)
{
    return l->convert != NULL && l->convert != (iconv_t)-1;
}

void darc_lines_close(darc_lines *l)
{
    if (l->fd > STDIN_FILENO) {
        darc_attempt_closes((void *)(intptr_t)l->fd);
        close(l->fd);
    }
    l->fd = -1;
    if (converts(l))
        iconv_close(l->convert);
    l->convert = NULL;
    DARC_FREE(l->file, l->buffer, l->letters);
    l->file = l->buffer = l->letters = NULL;
}

darc_status darc_lines_fail(const darc_lines *l, size_t column, darc_err *err,
                            const char *format, ...)
{
    char what[DARC_ERR_MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return darc_fail(err, DARC_DATA, "%s:%zu:%zu: error: %s", l->file,
                     l->number, column, what);
}

/* Let the bytes be of that charset. */
static void set_charset(darc_lines *l, const char *charset)
{
    l->convert = iconv_open("UTF-8", charset);
    l->known = true;
    if (converts(l))
        return;
    darc_free(l->letters);
    l->letters = darc_text_of("letters are of %s, which this system does not "
                              "read: iconv -f %s -t UTF-8 FILE >run.csv",
                              charset, charset);
}

/* See from the first bytes how the text is written: in UTF-16 every other byte
 * of a header is 0, if there is no mark. */
static void look_at_mark(darc_lines *l, const char *s, size_t n)
{
    l->started = true;
    if (n < 2)
        return;
    bool low = memcmp(s, "\xff\xfe", 2) == 0 || (s[0] != 0 && s[1] == 0);
    bool high = memcmp(s, "\xfe\xff", 2) == 0 || (s[0] == 0 && s[1] != 0);
    if (low || high)
        set_charset(l, low ? "UTF-16LE" : "UTF-16BE");
    l->mac = memchr(s, '\n', n) == NULL && memchr(s, '\r', n) != NULL;
}

/* Whether the letters beyond ASCII are those of Central Europe: one at whose
 * place Western Europe has a sign, or a letter that ends words, goes on in a
 * letter; or "time" in Czech, Polish, Hungarian. */
static bool is_central(const char *s, size_t n)
{
    static const char *const word[] = {"\310as", "\350as", "Czas", "czas",
                                       "Id\365"};
    for (size_t i = 0; i + 1 < n; i++)
        if (s[i] != '\0' && strchr("\xb9\x9c\x9f\xbf\xec\xf9", s[i]) != NULL &&
            s[i + 1] >= 'a' && s[i + 1] <= 'z')
            return true;
    for (size_t k = 0; k < sizeof word / sizeof word[0]; k++)
        if (memmem(s, n, word[k], strlen(word[k])) != NULL)
            return true;
    return false;
}

/* The bytes of the mark of UTF-8 at s. */
static size_t mark_length(const char *s, size_t n)
{
    return n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Whether the bytes beyond ASCII are of Shift-JIS: one that begins a character
 * has the other behind it, twice where Western Europe has no letters. */
static bool is_japanese(const unsigned char *s, size_t n)
{
    size_t pairs = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        if (s[i] < 0x80 || (s[i] > 0xa0 && s[i] < 0xe0))
            continue;
        if (s[i] > 0xef || s[i + 1] < 0x40 || s[i + 1] > 0xfc)
            return false;
        pairs += s[i] < 0xa0 && s[i + 1] > 0x7f && s[i + 1] < 0xc0;
        i++;
    }
    return pairs > 0;
}

/* Return the charset of words of letters beyond ASCII alone, of which Western
 * and Central Europe have few; NULL: it is theirs.  *at, NULL before: one
 * of the first of them. */
static const char *charset_of(const unsigned char **at, const unsigned char *s,
                              size_t n)
{
    size_t letters = 0, low = 0, small = 0, odd = 0, mixed = 0, words = 0;
    for (size_t i = 0, from; i < n; i++) {
        for (from = i; i < n && s[i] > 0x7f; i++)
            *at = *at == NULL ? s + i : *at;
        bool apart = (from == 0 || (s[from - 1] | 0x20) < 'a') &&
                     (i == n || (s[i] | 0x20) < 'a');
        mixed += i > from && !apart && s[from] > 0xbf;
        if (i - from < (apart ? 3 : 4))
            continue;
        *at = words++ > 0 ? *at : s + from;
        letters += i - from;
        odd += (i - from) % 2;
        for (; from < i; from++) {
            low += s[from] < 0xc0;
            small += s[from] > 0xdf;
        }
    }
    return is_japanese(s, n)               ? "CP932"
           : words == 0 || mixed > words   ? NULL
           : odd == 0 && 8 * low > letters ? "GBK"
           : 2 * small > letters           ? "CP1251"
                                           : "KOI8-R";
}

/* Say of which charset the letters are, where that is not certain. */
static const char *note_charset(darc_lines *l, const char *s, size_t n,
                                const char *western)
{
    const unsigned char *at = NULL;
    const char *charset = charset_of(&at, (const unsigned char *)s, n);
    if (charset != NULL)
        l->letters = darc_text_of(
            "letters (bytes %02x %02x %02x ...) are neither UTF-8 nor "
            "Windows-1252 as far as can be told: read as %s; if they are "
            "strange, iconv -f %s -t UTF-8 FILE >run.csv makes them readable "
            "(or -f BIG5, EUC-KR, CP1253, CP866)",
            at[0], at[1], at[2], charset,
            strcmp(charset, "CP1251") == 0 ? "KOI8-R" : "CP1251");
    else if (l->marked)
        l->letters = darc_text_of("the file begins with the mark of UTF-8, but "
                                  "its letters are not: read as those of %s",
                                  western);
    return charset != NULL ? charset : western;
}

/* See from the first bytes beyond ASCII whether the text is in UTF-8, which
 * loggers of old do not write; a mark of UTF-8 does not say it for sure. */
static void look_at_letters(darc_lines *l, const char *s, size_t n)
{
    size_t good = 0, bad = 0, mark = mark_length(s, n), at = mark;
    char all = 0; /* fast, most texts are ASCII */
    for (size_t i = 0; i < n; i++)
        all |= s[i];
    if ((all & 0x80) == 0)
        return;
    l->marked = l->marked || mark > 0;
    bool binary = false;
    for (int m; at + 4 < n; at += (size_t)(m > 0 ? m : 1)) {
        m = darc_text_character(s + at);
        good += m > 1;
        bad += m == 0;
        binary = binary || (unsigned char)s[at] < '\t';
    }
    for (; at < n && bad + good == 0 && !l->marked; at++)
        bad += (s[at] & 0x80) != 0;
    l->known = bad + good > 0;
    if (!binary && bad > good)
        set_charset(l, note_charset(l, s + mark, n - mark,
                                    is_central(s + mark, n - mark) ? "CP1250"
                                                                   : "CP1252"));
}

/* Append n bytes to the buffer as UTF-8, of which one has three at most; those
 * of a character that is to be continued are kept. */
static void convert_bytes(darc_lines *l, const char *bytes, size_t n)
{
    char s[READ + sizeof l->kept], *from = s, *to = l->buffer + l->end;
    size_t left = l->keeps + n, room = capacity - l->end;
    memcpy(s, l->kept, l->keeps);
    memcpy(s + l->keeps, bytes, n);
    while (left > 0 &&
           iconv(l->convert, &from, &left, &to, &room) == (size_t)-1 &&
           errno == EILSEQ && room > 0) {
        *to++ = '?';
        room--;
        from++;
        left--;
    }
    l->keeps = left < sizeof l->kept ? left : 0;
    memcpy(l->kept, from, l->keeps);
    l->end = (size_t)(to - l->buffer);
}

/* Append the next bytes to the buffer; set `ended` at the end. */
static darc_status read_chunk(darc_lines *l, darc_err *err)
{
    size_t from = l->end;
    char *to = l->buffer + from;
    ssize_t some;
    do
        some = read(l->fd, to, READ);
    while (some < 0 && errno == EINTR);
    if (some < 0)
        return darc_fail(err, DARC_IO, "%s: error: cannot read: %s", l->file,
                         strerror(errno));
    size_t n = (size_t)some;
    if (!l->started)
        look_at_mark(l, to, n);
    if (!l->known)
        look_at_letters(l, to, n);
    l->ended = n == 0;
    if (converts(l)) {
        char bytes[READ];
        size_t mark = from == 0 ? mark_length(to, n) : 0;
        memcpy(bytes, to + mark, n - mark);
        convert_bytes(l, bytes, n - mark);
    } else {
        l->end += n;
    }
    for (size_t i = from; l->mac && i < l->end; i++)
        l->buffer[i] = l->buffer[i] == '\r' ? '\n' : l->buffer[i];
    return DARC_OK;
}

darc_status darc_lines_more(darc_lines *l, darc_err *err)
{
    size_t whole = l->whole;
    while (l->whole == whole && !l->ended) {
        size_t from = l->end;
        if (from + CHUNK >= capacity)
            return DARC_OK;
        DARC_NEED(read_chunk(l, err));
        for (size_t i = l->end; i > from && l->whole == whole; i--)
            if (l->buffer[i - 1] == '\n')
                l->whole = i;
        if (l->whole == whole && l->end - whole > DARC_MAX_LINE)
            return whole > 0
                       ? DARC_OK
                       : darc_lines_fail(l, 1, err, "line longer than %d bytes",
                                         DARC_MAX_LINE);
    }
    if (l->whole == whole && l->end > whole) {
        l->buffer[l->end++] = '\n';
        l->whole = l->end;
        l->cut = true;
    }
    assert(l->end <= capacity);
    memset(l->buffer + l->end, 0, PADDING);
    return DARC_OK;
}

darc_status darc_lines_fill(darc_lines *l, darc_err *err)
{
    if (l->begin < l->whole)
        return DARC_OK;
    l->end -= l->begin;
    memmove(l->buffer, l->buffer + l->begin, l->end);
    l->begin = l->whole = 0;
    return darc_lines_more(l, err);
}
