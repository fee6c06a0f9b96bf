#include "page/sheet.h"

#include "base/sha256.h"
#include "darc.h"
#include "page/figures.h"
#include "page/thresholds.h"

#include <stdio.h>
#include <string.h>

/* What every page carries, made by the Makefile from src/page. */
static const char page_css[] = {
#include "page/page.css.inc"
    , '\0'};
static const char page_js[] = {
#include "page/page.js.inc"
    , '\0'};
static const char uplot_css[] = {
#include "page/uplot.css.inc"
    , '\0'};
static const char uplot_js[] = {
#include "page/uplot.js.inc"
    , '\0'};

darc_tone darc_tone_of(darc_verdict verdict)
{
    return verdict == DARC_CONSISTENT     ? DARC_TONE_GOOD
           : verdict == DARC_INCONSISTENT ? DARC_TONE_BAD
                                          : DARC_TONE_OPEN;
}

/* Set text to "sha256-..." of a script as it stands between its tags, after a
 * line break: what the policy of the page lets run. */
static void name_script(char text[64], const char *script)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char digest[DARC_SHA256_BYTES + 1] = {0};
    darc_sha256 s;
    darc_sha256_init(&s);
    darc_sha256_update(&s, "\n", 1);
    darc_sha256_update(&s, script, strlen(script));
    darc_sha256_final(&s, digest);
    char *to = text + sprintf(text, "sha256-");
    for (int i = 0; i < DARC_SHA256_BYTES; i += 3) {
        unsigned three = (unsigned)digest[i] << 16 |
                         (unsigned)digest[i + 1] << 8 |
                         (i + 2 < DARC_SHA256_BYTES ? digest[i + 2] : 0u);
        for (int k = 18; k >= 0; k -= 6)
            *to++ = digits[three >> k & 63];
    }
    to[-1] = '='; /* 32 bytes are 43 digits */
    *to = '\0';
}

static void put_head(darc_text_t out, const darc_sheet_head *h)
{
    /* A sign for each tone: a tick, a cross, a question mark, lines. */
    static const char *const path[] = {
        "M13 23.5l6.5 6.5L32 16", "M15 15l14 14M29 15L15 29",
        "M16.5 17.2c0-7.4 11-7.4 11 0 0 4.9-5.5 4.6-5.5 9.3M22 31.2v.6",
        "M14 17h16M14 22h16M14 27h10"};
    char script[2][64];
    name_script(script[0], uplot_js);
    name_script(script[1], page_js);
    darc_html_put(out, DARC_PAGE_HEAD, script[0], script[1], DARC_VERSION,
                  h->word, h->subject, h->command);
    darc_html_put(out, "<style>\n%h\n%h</style>\n</head>\n", uplot_css,
                  page_css);
    darc_html_put(out, DARC_PAGE_HEADER, h->command, h->subject,
                  darc_tone_class(h->tone));
    darc_html_put(out, DARC_PAGE_VERDICT, path[h->tone], h->word);
    if (h->sentence[0] != '\0')
        darc_html_put(out, "<p>%s</p>", h->sentence);
    darc_text_puts(out, "</div></div>\n</header>\n<div id=\"content\">\n");
}

void darc_sheet_begin(darc_sheet *s, darc_text_t out,
                      const darc_sheet_head *head, const darc_page *p,
                      int series)
{
    *s = (darc_sheet){.out = out, .plots = p->plots};
    DARC_EACH(darc_text_init, s->axes, s->charts);
    size_t share = DARC_CURVE_BYTES / 6 / (size_t)(series > 0 ? series : 1);
    s->buckets = share > DARC_MOST_BUCKETS    ? DARC_MOST_BUCKETS
                 : share < DARC_LEAST_BUCKETS ? DARC_LEAST_BUCKETS
                                              : share;
    put_head(out, head);
}

void darc_sheet_section(darc_sheet *s, const char *id, const char *heading)
{
    darc_html_put(
        s->out,
        s->open ? "</section>\n<section aria-labelledby=\"%s\">\n<h2 "
                  "id=\"%s\">%s</h2>\n"
                : "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n",
        id, id, heading);
    s->open = true;
}

void darc_sheet_notes(darc_text_t out, const char *const *note, int notes)
{
    if (notes == 0)
        return;
    darc_text_puts(out, "<ul class=\"notes\" aria-label=\"Notes\">\n");
    for (int i = 0; i < notes; i++)
        darc_html_put(out, "<li>%s</li>\n", note[i]);
    darc_text_puts(out, "</ul>\n");
}

void darc_sheet_table(darc_text_t out, const char *caption, const char *columns)
{
    darc_text_puts(out, "<div class=\"scroll\"><table>\n");
    if (caption != NULL)
        darc_html_put(out, "<caption>%s</caption>\n", caption);
    darc_text_puts(out, "<thead><tr>");
    for (const char *name = columns; name != NULL;) {
        static const char *const more[] = {"", " class=\"n\"",
                                           " class=\"n\" colspan=\"2\""};
        size_t kind = strspn(name, "#");
        int n = (int)strcspn(name, "|");
        darc_text_printf(out, "<th scope=\"col\"%s>%.*s</th>", more[kind],
                         n - (int)kind, name + kind);
        name = name[n] == '|' ? name + n + 1 : NULL;
    }
    darc_text_puts(out, "</tr></thead>\n<tbody>\n");
}

void darc_sheet_table_end(darc_text_t out)
{
    darc_text_puts(out, "</tbody></table></div>\n");
}

static void put_files(darc_text_t out, const char *const *file, int files)
{
    darc_sheet_table(out, "Files read, as they are when this page is written",
                     "File|SHA-256");
    for (int i = 0; i < files && i < DARC_MOST_FILES; i++) {
        char hex[DARC_SHA256_HEX];
        bool known = darc_sha256_file(hex, file[i], NULL) == DARC_OK;
        /* A file may name a part of itself, as in FILE.mat:run1. */
        const char *colon = strrchr(file[i], ':');
        if (!known && colon != NULL) {
            darc_text_t whole = DARC_TEXT;
            darc_text_write(whole, file[i], (size_t)(colon - file[i]));
            known = darc_sha256_file(hex, whole->s, NULL) == DARC_OK;
            darc_text_clear(whole);
        }
        darc_html_row(out, known ? "@%s|^%s" : "@%s|~%s", file[i],
                      known ? hex : "not a file that can be read again");
    }
    darc_sheet_table_end(out);
    if (files > DARC_MOST_FILES)
        darc_html_put(out, "<p class=\"note\">%d more files.</p>\n",
                      files - DARC_MOST_FILES);
}

void darc_sheet_end(darc_sheet *s, const char *command, const char *const *file,
                    int files, const darc_page *p)
{
    if (s->plots) {
        darc_figures_keep(s->out, page_css);
        DARC_EACH(darc_text_clear, s->axes, s->charts);
        return;
    }
    darc_sheet_section(s, "made", "How this page was made");
    if (p->command_line != NULL && p->command_line[0] != '\0') {
        const char *word = strchr(command, ' ');
        int n = (int)(word != NULL ? word - command : (long)strlen(command));
        darc_text_puts(s->out, "<p class=\"label\">Command line</p>\n<pre>");
        darc_text_printf(s->out, "darc %.*s ", n, command);
        darc_html_put(s->out, "%s</pre>\n", p->command_line);
    }
    if (p->settings > 0)
        DARC_SHEET_ROWS(s->out, "Settings", "Option|Value|Source", i,
                        p->settings, "<code>%s</code>|%s|~%s",
                        p->setting[i].name, p->setting[i].value,
                        p->setting[i].given ? "given" : "default");
    put_files(s->out, file, files);
    darc_html_put(s->out, DARC_PAGE_FOOTER, DARC_VERSION, flint_version);
    if (s->chart_count > 0)
        darc_html_put(s->out, DARC_PAGE_SCRIPTS, s->axes->s, s->charts->s,
                      uplot_js, page_js);
    else
        darc_html_put(s->out, "<script>\n%h</script>\n", page_js);
    darc_text_puts(s->out, "</body>\n</html>\n");
    DARC_EACH(darc_text_clear, s->axes, s->charts);
}
