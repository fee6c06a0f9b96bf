/* page_tracing.c - the page of a factor space: the tree with the path of the
 * defect. */
#include "page/page.h"

#include "base/mem.h"
#include "page/sheet.h"
#include "page/svg.h"

#include <math.h>
#include <string.h>

enum { NODE = 200, HEIGHT = 52, ACROSS = 276, DOWN = 68 };

static darc_tone tone_of(darc_truth t)
{
    static const darc_tone tone[] = {[DARC_TRUE] = DARC_TONE_GOOD,
                                     [DARC_FALSE] = DARC_TONE_BAD,
                                     [DARC_UNKNOWN] = DARC_TONE_OPEN};
    return tone[t];
}

/* Factors in columns by their depth, in rows in order of first visit. */
typedef struct {
    int *depth, *row; /* of each factor; owned */
    int *used;        /* rows of each column; owned */
    bool *placed;
    int depths, rows;
} layout;

/* Give factor i and what hangs on it the next rows of their columns. */
static void place_below(layout *to, const darc_factor_space *s, int i)
{
    to->placed[i] = true;
    to->row[i] = to->used[to->depth[i]]++;
    to->rows = to->row[i] >= to->rows ? to->row[i] + 1 : to->rows;
    for (int k = 0; k < s->links; k++)
        if (s->link[k].parent == i && !to->placed[s->link[k].child])
            place_below(to, s, s->link[k].child);
}

static void layout_init(layout *to, const darc_factor_space *s)
{
    size_t n = (size_t)s->factors;
    *to = (layout){.depth = darc_calloc(n, sizeof *to->depth),
                   .row = darc_calloc(n, sizeof *to->row),
                   .used = darc_calloc(n, sizeof *to->used),
                   .placed = darc_calloc(n, sizeof *to->placed),
                   .depths = 1};
    /* The depth is the longest way down from the top, cut where links form a
     * cycle. */
    bool moved = true;
    for (int pass = 0; pass < s->factors && moved; pass++) {
        moved = false;
        for (int k = 0; k < s->links; k++) {
            const darc_factor_link *l = &s->link[k];
            int next = to->depth[l->parent] + 1;
            if (next <= to->depth[l->child] || next >= s->factors ||
                s->factor[l->parent].iterated)
                continue;
            to->depth[l->child] = next;
            to->depths = next >= to->depths ? next + 1 : to->depths;
            moved = true;
        }
    }
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < s->factors; i++)
            if (!to->placed[i] &&
                (pass > 0 || s->factor[i].role == DARC_FACTOR_OUTPUT))
                place_below(to, s, i);
}

/* "long name" cut to what fits into a box. */
static void put_short(darc_text_t out, const char *s, size_t most)
{
    size_t n = 0, i = 0;
    for (; s[i] != '\0' && n < most; n++) {
        i++;
        while (((unsigned char)s[i] & 0xc0) == 0x80)
            i++;
    }
    darc_text_t part = DARC_TEXT;
    darc_text_write(part, s, i);
    darc_html_put(out, "%s%h", part->s, s[i] != '\0' ? "\u2026" : "");
    darc_text_clear(part);
}

static void put_node(darc_text_t out, const darc_factor *f, double x, double y)
{
    const char *kind = f->origin                    ? "fail origin"
                       : f->defect                  ? "fail"
                       : f->acceptable == DARC_TRUE ? "pass"
                                                    : "";
    darc_html_put(out, DARC_PAGE_FACTOR, f->name, f->text,
                  darc_truth_text(f->acceptable), kind, x, y, NODE, HEIGHT,
                  x + 12, y + 21);
    put_short(out, f->name, 24);
    darc_html_put(out, "</text><text class=\"small soft\" x=\"%q\" y=\"%q\">",
                  x + 12, y + 39);
    put_short(out, f->text, 30);
    darc_html_put(out,
                  "</text><text x=\"%q\" y=\"%q\" text-anchor=\"end\" "
                  "class=\"f%h\">%h ",
                  x + NODE - 12, y + 21,
                  darc_tone_class(tone_of(f->acceptable)),
                  darc_tone_sign(tone_of(f->acceptable)));
    if (isfinite(f->credibility))
        darc_html_number(out, f->credibility, 3);
    darc_text_puts(out, "</text></g>\n");
}

static void put_link(darc_text_t out, const darc_factor_space *s,
                     const darc_factor_link *l, const layout *at)
{
    double x1 = at->depth[l->parent] * ACROSS + NODE;
    double x2 = at->depth[l->child] * ACROSS;
    double y1 = at->row[l->parent] * DOWN + HEIGHT / 2.0;
    double y2 = at->row[l->child] * DOWN + HEIGHT / 2.0;
    bool fails = s->factor[l->parent].defect && s->factor[l->child].defect;
    double bend = (x1 + x2) / 2;
    darc_html_put(out, DARC_PAGE_LINK, fails ? " fail" : "", x1, y1, bend, y1,
                  bend, y2, x2, y2, x2 - 8, y2 + 4, darc_link_word[l->kind]);
}

static void put_tree(darc_sheet *s, const darc_factor_space *f)
{
    layout at;
    layout_init(&at, f);
    double width = (at.depths - 1) * ACROSS + NODE + 4;
    double height = (at.rows - 1) * DOWN + HEIGHT + 4;
    darc_sheet_section(s, "tree", "Factors and the path of the defect");
    darc_text_puts(s->out, DARC_PAGE_TREE);
    darc_html_put(s->out, DARC_PAGE_FACTORS, width, fmin(width, 560), width,
                  height);
    for (int k = 0; k < f->links; k++)
        put_link(s->out, f, &f->link[k], &at);
    for (int i = 0; i < f->factors; i++)
        put_node(s->out, &f->factor[i], at.depth[i] * ACROSS, at.row[i] * DOWN);
    darc_svg_end(s->out, 1);
    DARC_FREE(at.depth, at.row, at.used, at.placed);
}

static void put_factors(darc_sheet *s, const darc_factor_space *f)
{
    darc_sheet_section(s, "factors", "All factors");
    darc_sheet_table(s->out, NULL,
                     "Factor|Is|Role|#Similarity|#Credibility|Verdict|Defect|"
                     "Depends");
    static const char cells[] = "*%s|%s|%s|#%n|#%n|%t|!%h|%s";
    darc_text_t on = DARC_TEXT;
    for (int i = 0; i < f->factors; i++) {
        const darc_factor *x = &f->factor[i];
        darc_text_reset(on);
        for (int k = 0; k < f->links; k++)
            if (f->link[k].parent == i)
                darc_text_printf(on, "%s%s %s", on->len > 0 ? ", " : "",
                                 darc_link_word[f->link[k].kind],
                                 f->factor[f->link[k].child].name);
        darc_html_row(s->out, cells + !x->origin, x->name, x->text,
                      darc_role_text(x->role), x->similarity, x->credibility,
                      tone_of(x->acceptable), darc_truth_text(x->acceptable),
                      x->origin   ? "origin"
                      : x->defect ? "on the path"
                                  : "\u2013",
                      on->s);
    }
    darc_text_clear(on);
    darc_sheet_table_end(s->out);
    darc_html_put(s->out, DARC_PAGE_CREDIBILITY, f->similarity, f->credibility);
}

static void list_factors(darc_text_t out, const darc_factor_space *f,
                         bool outputs)
{
    int n = 0;
    for (int i = 0; i < f->factors; i++) {
        const darc_factor *x = &f->factor[i];
        bool named = outputs ? x->role == DARC_FACTOR_OUTPUT &&
                                   x->acceptable == DARC_FALSE
                             : x->origin;
        if (named)
            darc_text_printf(out, "%s%s", n++ > 0 ? ", " : "", x->name);
    }
    if (n == 0)
        darc_text_puts(out, "none");
}

/* FILE:COLUMN names a file beside the factor file. */
static void add_series(char **file, int *files, const darc_factor_space *s,
                       const char *series)
{
    const char *colon = series != NULL ? strrchr(series, ':') : NULL;
    if (colon == NULL)
        return;
    darc_text_t t = DARC_TEXT;
    darc_text_beside(t, s->file, series, (size_t)(colon - series));
    for (int i = 0; i < *files; i++)
        if (strcmp(file[i], t->s) == 0) {
            darc_text_clear(t);
            return;
        }
    file[(*files)++] = darc_text_take(t);
}

void darc_page_tracing(darc_text_t out, const darc_factor_space *f,
                       const darc_page *p)
{
    darc_truth verdict = darc_credibility_verdict(f);
    darc_text_t sentence = DARC_TEXT;
    if (verdict == DARC_FALSE) {
        darc_text_puts(sentence, "not credible enough: ");
        list_factors(sentence, f, true);
        darc_text_puts(sentence, "; origin of the defect: ");
        list_factors(sentence, f, false);
    } else {
        darc_text_puts(sentence,
                       verdict == DARC_TRUE
                           ? "every output has enough credibility"
                           : "an output has neither evidence nor links");
    }
    darc_sheet_head head = {
        "credibility", f->name[0] != '\0' ? f->name : "factor space",
        tone_of(verdict), darc_truth_text(verdict), sentence->s};
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, p, 0);
    darc_html_put(out, DARC_PAGE_ASKED_CREDIBLE, f->name,
                  f->text[0] != '\0' ? ", " : "", f->text);
    for (int i = 0; i < f->factors; i++)
        if (f->factor[i].stricter)
            darc_html_put(out, DARC_PAGE_STRICTER, f->factor[i].name);
    put_tree(&s, f);
    put_factors(&s, f);
    char **file = darc_calloc(2 * (size_t)f->factors + 1, sizeof *file);
    int files = 0;
    file[files++] = darc_strdup(f->file);
    for (int i = 0; i < f->factors; i++) {
        add_series(file, &files, f, f->factor[i].reference);
        add_series(file, &files, f, f->factor[i].simulation);
    }
    darc_sheet_end(&s, "credibility", (const char *const *)file, files, p);
    DARC_FREE_EACH(file, files);
    darc_free(file);
    darc_text_clear(sentence);
}
