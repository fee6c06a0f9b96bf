/* page_fulfilment.c - the page of `darc fulfil`: what was found, and over a
 * band both frequency responses. */
#include "page/page.h"

#include "page/sheet.h"
#include "page/svg.h"
#include "page/thresholds.h"

#include "base/mem.h"

#include <math.h>

enum { WIDTH = 480, HEIGHT = 200, LEFT = 58, BOTTOM = 164, POINTS = 240 };

/* Curve 0 is |H|, 1 |G|, 2 the deviation, of each function at each point. */
typedef struct {
    const darc_nearest *n;
    int functions;
    double hz[POINTS];
    double *curve[3]; /* functions x POINTS; curve[0] owns all */
} curves;

static void curves_init(curves *c, const darc_nearest *n)
{
    c->n = n;
    c->functions = n->of[1].outputs * n->of[1].inputs;
    size_t size = (size_t)c->functions;
    double complex *room = darc_calloc(2 * size, sizeof *room);
    double complex *h[] = {room, room + size};
    double *error = darc_calloc(size, sizeof *error);
    c->curve[0] = darc_calloc(3 * size * POINTS, sizeof *c->curve[0]);
    for (int k = 1; k < 3; k++)
        c->curve[k] = c->curve[0] + (size_t)k * size * POINTS;
    for (int i = 0; i < POINTS; i++) {
        c->hz[i] = n->low * pow(n->high / n->low, (double)i / (POINTS - 1));
        darc_nearest_at(n, c->hz[i], h, error);
        for (int f = 0; f < c->functions; f++) {
            c->curve[0][f * POINTS + i] = cabs(h[0][f]);
            c->curve[1][f * POINTS + i] = cabs(h[1][f]);
            c->curve[2][f * POINTS + i] = error[f];
        }
    }
    DARC_FREE(room, error);
}

/* Return the scale of curves `first` to `last` of function f, all of it from 0,
 * or in decades, ten at most. */
static darc_svg_scale scale_of(const curves *c, int first, int last, int f)
{
    double low = INFINITY, high = 0;
    for (int k = first; k <= last; k++)
        for (int i = 0; i < POINTS; i++) {
            double v = c->curve[k][f * POINTS + i];
            low = v > 0 ? fmin(low, v) : low;
            high = isfinite(v) ? fmax(high, v) : high;
        }
    if (first == 2)
        return (darc_svg_scale){0, high > 0 ? 1.05 * high : 1, BOTTOM, 8,
                                false};
    low = fmax(low, high * 1e-10);
    double to = high > 0 ? ceil(log10(high)) : 0;
    double from = high > 0 ? floor(log10(low)) : -1;
    return (darc_svg_scale){fmin(from, to - 1), to, BOTTOM, 8, true};
}

static void put_figure(darc_text_t out, const curves *c, int f, bool deviation)
{
    const darc_transfer *r = &c->n->of[1];
    const char *output = r->output[f / r->inputs];
    const char *input = r->input[f % r->inputs];
    darc_svg_scale x = {log10(c->n->low), log10(c->n->high), LEFT, WIDTH - 8,
                        true};
    int first = deviation ? 2 : 0, last = deviation ? 2 : 1;
    darc_svg_scale y = scale_of(c, first, last, f);
    darc_html_put(out,
                  deviation
                      ? "<figure>\n<figcaption>From <b>%s</b> to <b>%s</b>: "
                        "deviation, of the target</figcaption>\n"
                      : "<figure>\n<figcaption>From <b>%s</b> to <b>%s</b>: "
                        "magnitude<span class=\"swatch\"></span>target"
                        "<span class=\"swatch b\"></span>nearest"
                        "</figcaption>\n",
                  input, output);
    darc_svg_begin(out, WIDTH, HEIGHT,
                   "%s from %s to %s over frequency, %.4g to %.4g Hz",
                   deviation ? "Relative deviation" : "Both magnitudes", input,
                   output, c->n->low, c->n->high);
    darc_svg_axes(out, &x, &y, "Hz", deviation);
    for (int k = last; k >= first; k--)
        darc_svg_curve(
            out, k == 1 ? "a" : "b", &x, &y,
            &(darc_svg_points){c->hz, c->curve[k] + f * POINTS, POINTS, true});
    darc_svg_end(out, 0);
}

static void put_responses(darc_sheet *s, const darc_nearest *n)
{
    curves c;
    curves_init(&c, n);
    darc_sheet_section(s, "responses", "Frequency responses over the band");
    darc_text_puts(s->out, "<div class=\"pair\">\n");
    for (int f = 0; f < c.functions && f < DARC_MOST_OUTPUTS; f++)
        for (int k = 0; k < 2; k++)
            put_figure(s->out, &c, f, k == 1);
    darc_text_puts(s->out, DARC_PAGE_RESPONSES);
    darc_free(c.curve[0]);
}

static void put_parameters(darc_sheet *s, const darc_fulfilled *f)
{
    darc_sheet_section(s, "parameters", "Parameters");
    bool plain = f->defect_output != NULL; /* of a band: no formulas */
    darc_sheet_table(s->out, NULL,
                     plain ? "Parameter|#Value" : "Parameter|#Value|Formula");
    darc_text_t value = DARC_TEXT;
    for (int i = 0; i < f->parameters; i++) {
        const darc_fulfilling *p = &f->parameter[i];
        darc_text_reset(value);
        darc_html_number(value, p->value, 15);
        darc_html_row(s->out, plain ? "%s|#%h" : "%s|#%h|%s", p->name, value->s,
                      p->formula != NULL ? p->formula
                      : p->given         ? "given"
                                         : "");
    }
    darc_text_clear(value);
    darc_sheet_table_end(s->out);
    const struct {
        const char *label, *const *line;
        int lines;
    } list[] = {{"Family", f->relation, f->relations},
                {"Where", f->condition, f->conditions},
                {"Cancelled", &f->modes, f->modes != NULL},
                {"Certificate", &f->certificate, f->certificate != NULL}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < list[k].lines; i++)
            darc_html_put(s->out, "<p>%s: <code>%s</code></p>\n", list[k].label,
                          list[k].line[i]);
}

void darc_page_fulfilment(darc_text_t out, const darc_fulfilled *f,
                          const darc_nearest *n, const darc_page *p)
{
    static const darc_tone tone[] = {DARC_TONE_GOOD, DARC_TONE_BAD,
                                     DARC_TONE_OPEN};
    const char *file[] = {f->model_file, f->target_file};
    darc_text_t subject = DARC_TEXT;
    darc_text_printf(subject, "%s as %s", f->model_name, f->target_name);
    darc_sheet_head head = {"fulfil", subject->s, tone[f->verdict],
                            darc_fulfilment_text(f->verdict), f->reason};
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, p, 0);
    darc_html_put(out, DARC_PAGE_ASKED_FULFILMENT, f->model_name,
                  f->target_name);
    bool near = n != NULL && isfinite(f->defect);
    if (near)
        darc_html_put(out, DARC_PAGE_NEAREST, f->defect, f->defect_hz,
                      f->defect_input, f->defect_output, f->low_hz, f->high_hz,
                      f->stable ? " It is stable." : " It is not stable.");
    if (f->parameters > 0)
        put_parameters(&s, f);
    if (near)
        put_responses(&s, n);
    darc_sheet_end(&s, "fulfil", file, 2, p);
    darc_text_clear(subject);
}
