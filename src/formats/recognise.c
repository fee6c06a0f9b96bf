#define _GNU_SOURCE /* memmem, strncasecmp */

#include "formats/recognise.h"

#include "base/text.h"
#include "words.inc" /* of files/words.txt, by words.awk */

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *ending, *kind;
} endings[] = {DARC_WORDS_ENDINGS};

enum { FIRST = 512, ANYWHERE = 255, LIKE = 254 };

/* First bytes, where they stand, and what they say. */
static const struct {
    const char *bytes;
    unsigned char n, at;
    const char *kind, *what, *way;
} marks[] = {
#include "signatures.inc" /* of signatures.txt, by signatures.awk */
};

enum {
    ENDINGS = sizeof endings / sizeof endings[0],
    MARKS = sizeof marks / sizeof marks[0]
};

static const char *kind_by_ending(const char *name, size_t n)
{
    for (int i = 0; i < ENDINGS; i++) {
        size_t m = strlen(endings[i].ending);
        if (n > m && strncasecmp(name + n - m, endings[i].ending, m) == 0)
            return endings[i].kind;
    }
    return NULL;
}

bool darc_recognise_ending(const char *name, size_t n)
{
    return kind_by_ending(name, n) != NULL;
}

/* Set first to the first bytes of a regular file; return how many. */
static size_t read_first(char first[FIRST + 1], const char *name, size_t n)
{
    struct stat st;
    darc_text_t path = DARC_TEXT;
    darc_text_write(path, name, n);
    memset(first, 0, FIRST + 1);
    int fd = stat(path->s, &st) == 0 && S_ISREG(st.st_mode)
                 ? open(path->s, O_RDONLY | O_CLOEXEC)
                 : -1;
    ssize_t got = fd >= 0 ? pread(fd, first, FIRST, 0) : 0;
    if (fd >= 0)
        close(fd);
    darc_text_clear(path);
    return got > 0 ? (size_t)got : 0;
}

/* Return whether sscanf reads the first lines that are no comments so, to its
 * %n; blanks that are escaped or quoted are letters. */
static bool is_like(const char *first, const char *format)
{
    char s[FIRST + 1] = "", before = ' ';
    int n = 0;
    bool quoted = false;
    first += strspn(first, "\r\n");
    while (*first == '#' && strchr(first, '\n') != NULL)
        first = strchr(first, '\n') + 1;
    for (char *end = s; *first != '\0'; before = *first++) {
        quoted = *first != '\n' && quoted ^ (*first == '"' && before != '\\');
        *end++ = *first == ' ' && (quoted || before == '\\') ? '_' : *first;
    }
    sscanf(s, format, &n);
    return n > 0;
}

/* Return whether mark i stands in the first bytes; one of letters, with which a
 * text may begin, only where something follows that is none. */
static bool has_mark(int i, const char *first, size_t n, bool binary)
{
    size_t m = marks[i].n, at = marks[i].at;
    if (at == LIKE)
        return !binary && is_like(first, marks[i].bytes);
    if (at == ANYWHERE)
        return memmem(first, n, marks[i].bytes, m) != NULL;
    return m + at <= n && memcmp(first + at, marks[i].bytes, m) == 0 &&
           (binary || marks[i].kind != NULL ||
            !isalnum((unsigned char)*marks[i].bytes));
}

/* Take out of the first bytes a mark of UTF-8; of JSON all blanks, too. */
static size_t squeeze(char first[FIRST + 1], size_t n)
{
    size_t mark = n > 3 && memcmp(first, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, k = 0;
    size_t from = mark + strspn(first + mark, " \t\r\n");
    bool json = from < n && strchr("{[", first[from]) != NULL;
    for (size_t i = json ? from : mark; i < n; i++)
        if (!json || first[i] == '\0' || strchr(" \t\r\n", first[i]) == NULL)
            first[k++] = first[i];
    return k;
}

/* Recognise the first bytes of a file. */
static void see_bytes(darc_recognised *r, char first[FIRST + 1], size_t got)
{
    bool binary = false;
    got = squeeze(first, got);
    for (size_t i = 0; i < got; i++)
        binary = binary || (unsigned char)first[i] < '\t';
    for (int i = 0; i < MARKS && r->kind == NULL && r->what == NULL; i++)
        if (has_mark(i, first, got, binary)) {
            r->kind = marks[i].kind;
            r->what = marks[i].what;
            r->way = marks[i].way;
        }
}

/* Recognise the file whose name has n characters; false: nothing is known. */
static bool recognise(darc_recognised *r, const char *name, size_t n)
{
    char first[FIRST + 1];
    *r = (darc_recognised){.length = n, .kind = kind_by_ending(name, n)};
    if (r->kind == NULL)
        see_bytes(r, first, read_first(first, name, n));
    r->text = r->kind != NULL &&
              (strcmp(r->kind, "xlsx") == 0 || strcmp(r->kind, "gz") == 0);
    return r->kind != NULL || r->what != NULL;
}

darc_recognised darc_recognise(const char *file)
{
    darc_recognised r;
    size_t n = strlen(file);
    if (recognise(&r, file, n) || access(file, F_OK) == 0)
        return r;
    for (size_t i = n; i-- > 1;)
        if (file[i] == ':' && recognise(&r, file, i))
            return r;
    return (darc_recognised){.length = n};
}

darc_status darc_recognise_text(const char *file, const char *s, size_t n,
                                darc_err *err)
{
    char first[FIRST + 1] = {0};
    bool standard = strcmp(file, "<stdin>") == 0;
    darc_recognised r = {.length = 0};
    n = n < FIRST ? n : FIRST;
    memcpy(first, s, n);
    see_bytes(&r, first, n);
    if (r.what != NULL)
        return darc_recognise_fail(&r, file, err);
    if (r.kind != NULL && standard)
        return darc_fail_file(err, file,
                              "this is a file (%s) that is read by its name, "
                              "not from standard input",
                              r.kind);
    return DARC_OK;
}

darc_status darc_recognise_fail(const darc_recognised *r, const char *file,
                                darc_err *err)
{
    darc_text_t way = DARC_TEXT;
    bool standard = strcmp(file, "<stdin>") == 0;
    for (const char *s = r->way; *s != '\0'; s++)
        if (*s == '@')
            darc_text_puts(way, standard ? "/dev/stdin" : file);
        else
            darc_text_putc(way, *s);
    darc_status status = darc_fail_file(
        err, file, "this is %s, which darc does not read; %s", r->what, way->s);
    darc_text_clear(way);
    return status;
}
