#include "page/figures.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 60, MARGIN = 10, HEADING = 26 }; /* px; of a drawing */

/* Where in the page: what has been seen. */
typedef struct {
    const char *section, *caption; /* NULL: none */
    darc_text_t style, made;
} place;

static bool begins(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

/* Return what stands behind the first key before `end`, NULL if it does not. */
static const char *behind(const char *s, const char *key, const char *end)
{
    const char *found = strstr(s, key);
    return found != NULL && found < end ? found + strlen(key) : NULL;
}

/* Append the value of the first `--name:` of css. */
static void put_value(darc_text_t out, const char *css, const char *name,
                      size_t n)
{
    for (const char *s = strstr(css, "--"); s != NULL; s = strstr(s + 2, "--"))
        if (strncmp(s, name, n) == 0 && s[n] == ':') {
            s += n + 1 + strspn(s + n + 1, " ");
            darc_text_write(out, s, strcspn(s, ";"));
            return;
        }
}

/* Append the rules of the page for drawings, its variables put in: not every
 * program knows these. */
static void put_style(darc_text_t out, const char *css)
{
    for (const char *line = css; line != NULL && *line != '\0';) {
        const char *end = line + strcspn(line, "\n");
        for (const char *s = line; begins(line, "svg ") && s <= end;) {
            size_t n = strcspn(s, "v\n");
            darc_text_write(out, s, n);
            s += n;
            if (begins(s, "var(--")) {
                put_value(out, css, s + 4, strcspn(s + 4, ")"));
                s += strcspn(s, ")") + 1;
            } else {
                darc_text_putc(out, *s++);
            }
        }
        line = *end == '\n' ? end + 1 : NULL;
    }
}

/* Append the caption without its markup, a dash in the colour of a curve for
 * each swatch; what is typeset in it has a label that says the same. */
static void put_caption(darc_text_t out, const char *s, const char *end)
{
    static const char swatch[] = "<span class=\"swatch";
    while (s < end) {
        if (begins(s, swatch)) {
            const char *kind = s + sizeof swatch - 1;
            size_t n = strcspn(kind, "\"");
            darc_text_puts(out, "<tspan dx=\"12\" class=\"f");
            darc_text_printf(out, "%.*s\">\u2501</tspan> ",
                             n > 1 ? (int)n - 1 : 1, n > 1 ? kind + 1 : "a");
        }
        size_t tag = *s == '<' ? strcspn(s, ">") + 1 : 0;
        size_t text = tag == 0 ? strcspn(s, "<") : 0;
        text = text < (size_t)(end - s) ? text : (size_t)(end - s);
        darc_text_write(out, s, text);
        s += tag + text;
    }
}

/* Append the letters of a text up to its mark-up, others as one '-'. */
static void put_words(darc_text_t out, const char *s)
{
    size_t most = out->len + LONGEST_NAME;
    for (; strchr("\"<", *s) == NULL && out->len < most; s++)
        if (isalnum((unsigned char)*s) || strchr("_.", *s) != NULL)
            darc_text_putc(out, *s);
        else if (out->len > 0 && out->s[out->len - 1] != '-')
            darc_text_putc(out, '-');
    while (out->len > 0 && out->s[out->len - 1] == '-')
        out->s[--out->len] = '\0';
}

/* Append an id that no drawing before has: the section, and what is bold in the
 * caption. */
static void put_id(darc_text_t out, const place *p)
{
    darc_text_t name = DARC_TEXT;
    const char *bold =
        p->caption != NULL
            ? behind(p->caption, "<b>", strstr(p->caption, "</figcaption>"))
            : NULL;
    put_words(name, p->section);
    if (bold != NULL) {
        darc_text_putc(name, '-');
        put_words(name, bold);
    }
    darc_text_printf(out, " id=\"%s\"", name->s);
    for (int i = 2; strstr(p->made->s, out->s) != NULL; i++) {
        darc_text_reset(out);
        darc_text_printf(out, " id=\"%s-%d\"", name->s, i);
    }
    darc_text_clear(name);
}

/* Append the drawing that begins at s and ends with its tag at `end`. */
static void put_drawing(place *p, const char *s, const char *end)
{
    darc_text_struct *out = p->made;
    double x = 0, y = 0, width = 0, height = 0;
    const char *box = behind(s, "viewBox=\"", end);
    const char *label = behind(s, "aria-label=\"", end);
    const char *inside = strchr(s, '>') + 1, *caption = p->caption;
    const char *stop = caption != NULL ? strstr(caption, "</figcaption>") : s;
    if (box == NULL || label == NULL ||
        sscanf(box, "%lf %lf %lf %lf", &x, &y, &width, &height) != 4)
        return;
    if (caption == NULL || behind(caption, "<math", stop) != NULL) {
        caption = label;
        stop = label + strcspn(label, ";\"");
    }
    darc_text_t name = DARC_TEXT;
    put_id(name, p);
    darc_text_printf(out,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg "
                     "xmlns=\"http://www.w3.org/2000/svg\"%s width=\"%g\" "
                     "height=\"%g\" viewBox=\"%g %g %g %g\">\n<title>%.*s"
                     "</title>\n<style>\n%s</style>\n",
                     name->s, width + 2 * MARGIN, height + HEADING + MARGIN,
                     x - MARGIN, y - HEADING, width + 2 * MARGIN,
                     height + HEADING + MARGIN, (int)strcspn(label, "\""),
                     label, p->style->s);
    darc_text_printf(out,
                     "<rect x=\"%g\" y=\"%g\" width=\"100%%\" "
                     "height=\"100%%\" fill=\"#fff\"/>\n<text x=\"%g\" "
                     "y=\"%g\">",
                     x - MARGIN, y - HEADING, x, y - HEADING / 2.0);
    put_caption(out, caption, stop);
    darc_text_puts(out, "</text>\n");
    darc_text_write(out, inside, (size_t)(end - inside));
    darc_text_puts(out, "</svg>\n");
    darc_text_clear(name);
}

void darc_figures_keep(darc_text_t page, const char *css)
{
    static const char section[] = "<section aria-labelledby=\"";
    place p = {"plot", NULL, DARC_TEXT, DARC_TEXT};
    put_style(p.style, css);
    for (const char *s = strchr(page->s, '<'); s != NULL;
         s = strchr(s + 1, '<')) {
        if (begins(s, section)) {
            p.section = s + sizeof section - 1;
        } else if (begins(s, "<figure>")) {
            p.caption = NULL;
        } else if (begins(s, "<figcaption>")) {
            p.caption = s;
        } else if (begins(s, "<svg class=\"fig\"")) {
            const char *end = strstr(s, "</svg>");
            put_drawing(&p, s, end);
            s = end;
        }
    }
    darc_text_reset(page);
    darc_text_puts(page, p.made->s);
    DARC_EACH(darc_text_clear, p.made, p.style);
}
