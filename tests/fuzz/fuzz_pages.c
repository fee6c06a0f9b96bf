/* Any bytes as the names, files and sentences of a page: it is UTF-8, shows no
 * control or turned text, and has the tags of a page with other names. */
#include "data/table.h"
#include "page/page.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXTS = 8, LONGEST = 300, SAMPLES = 40 };

/* Lines of the data, each behind a letter. */
static void split(char text[TEXTS][LONGEST], const uint8_t *data, size_t size)
{
    for (int i = 0; i < TEXTS; i++) {
        size_t n = 1;
        text[i][0] = (char)('a' + i);
        for (; size > 0 && *data != '\n'; data++, size--)
            if (n < LONGEST - 1 && *data != '\0')
                text[i][n++] = (char)*data;
        text[i][n] = '\0';
        if (size > 0)
            data++, size--;
    }
}

static darc_table *record(const char *file, const char *a, const char *b)
{
    double x[SAMPLES], y[SAMPLES];
    const char *const name[] = {a, b};
    const double *const value[] = {x, y};
    darc_table *t = NULL;
    for (int i = 0; i < SAMPLES; i++) {
        x[i] = sin(0.3 * i);
        y[i] = cos(0.7 * i);
    }
    darc_samples from = {.name = file,
                         .samples = SAMPLES,
                         .rate = 10,
                         .signals = 2,
                         .signal = name,
                         .value = value};
    return darc_table_from_samples(&t, &from, NULL) == DARC_OK ? t : NULL;
}

static void make(darc_text_t page, char t[TEXTS][LONGEST])
{
    darc_table *table = record(t[0], t[1], t[2]);
    if (table == NULL)
        abort();
    const darc_table *tables[] = {table};
    const char *note[] = {t[3]};
    darc_report_data data = {t[0], SAMPLES, 10, SAMPLES};
    darc_report_relation relation = {.form = "io",
                                     .equation = "y - u = 0",
                                     .residual = {.rms = NAN},
                                     .decision = {.method = "weak"}};
    darc_report r = {.command = "check",
                     .test = "structure",
                     .model_name = t[4],
                     .model_file = t[5],
                     .recordings = 1,
                     .data = &data,
                     .relations = 1,
                     .relation = &relation,
                     .notes = 1,
                     .note = note,
                     .decision = relation.decision};
    darc_page_setting setting = {"--map", t[6], true};
    darc_page_check(page, &r,
                    &(darc_page){.command_line = t[7],
                                 .settings = 1,
                                 .setting = &setting,
                                 .tables = 1,
                                 .table = tables});
    darc_table_free(table);
}

static size_t tags(const char *s)
{
    size_t n = 0;
    for (; *s != '\0'; s++)
        n += *s == '<' || *s == '>';
    return n;
}

/* Bytes of a character that may stand in a page, 0: none may. */
static size_t shown(const unsigned char *s)
{
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : 3;
    n = s[0] >= 0xf0 ? (s[0] < 0xf5 ? 4 : 0) : n;
    unsigned c = n < 2 ? s[0] : s[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    if ((c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) ||
        (c >= 0xd800 && c < 0xe000) || (n == 3 && c < 0x800) ||
        (n == 4 && (c < 0x10000 || c > 0x10ffff)) ||
        (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
        return 0;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXTS][LONGEST], plain[TEXTS][LONGEST];
    darc_text_t page, other;
    split(text, data, size);
    split(plain, NULL, 0);
    darc_text_init(page);
    darc_text_init(other);
    make(page, text);
    make(other, plain);
    if (tags(page->s) != tags(other->s) || strlen(page->s) != page->len)
        abort();
    const unsigned char *s = (const unsigned char *)page->s;
    for (size_t n = 0; *s != '\0'; s += n)
        if ((n = shown(s)) == 0)
            abort();
    darc_text_clear(page);
    darc_text_clear(other);
    return 0;
}
