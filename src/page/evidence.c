#include "page/evidence.h"

#include "page/svg.h"
#include "report/measure.h"

#include <math.h>
#include <string.h>

static int drawn(const darc_table *t)
{
    return t->signals < DARC_MOST_SIGNALS ? t->signals : DARC_MOST_SIGNALS;
}

int darc_evidence_curves(const darc_page *p)
{
    int n = 0;
    for (int i = 0; i < p->tables; i++)
        n += drawn(p->table[i]);
    return n;
}

/* The group in which charts of recording i are zoomed: that of the first if
 * they cover the same time. */
static const char *group_of(const darc_page *p, int i)
{
    if (i == 0 || p->tables < 2)
        return "first";
    const darc_table *a = p->table[0], *b = p->table[i];
    double a0 = darc_table_time(a, 0), b0 = darc_table_time(b, 0);
    double a1 = darc_table_time(a, a->samples - 1);
    double b1 = darc_table_time(b, b->samples - 1);
    double near = DARC_SAME_SPAN * (a1 - a0);
    bool same = fabs(a0 - b0) <= near && fabs(a1 - b1) <= near;
    return same ? "first" : "second";
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : file;
}

const char *darc_evidence_file(const darc_report_data *data, int recordings,
                               int i)
{
    const char *name = base_name(data[i].file);
    for (int k = 0; k < recordings; k++)
        if (k != i && strcmp(base_name(data[k].file), name) == 0)
            return data[i].file;
    return name;
}

static darc_plot_time times_of(const darc_table *t)
{
    return (darc_plot_time){t->samples, t->time, t->t0, t->dt};
}

/* A chart of one signal of recording k of p. */
static void put_signal(darc_sheet *s, const darc_page *p, int k, int signal,
                       int axis)
{
    const darc_table *t = p->table[k];
    const darc_signal *x = &t->signal[signal];
    darc_plot_time time = times_of(t);
    darc_plot plot = darc_plot_begin(&time, axis, p->tables > 1 ? 150 : 140);
    plot.group = group_of(p, k);
    double lo = INFINITY, hi = -INFINITY;
    darc_html_put(plot.caption,
                  x->unit[0] != '\0'
                      ? "<b>%s</b> <span class=\"unit\">[%u]%h</span>"
                      : "<b>%s</b> <span class=\"unit\">%s%h</span>",
                  x->name, x->unit,
                  p->tables < 2 ? ""
                  : k == 0      ? " \u00b7 A"
                                : " \u00b7 B");
    for (size_t i = 0; i < t->samples; i++) {
        lo = isfinite(x->value[i]) ? fmin(lo, x->value[i]) : lo;
        hi = isfinite(x->value[i]) ? fmax(hi, x->value[i]) : hi;
    }
    darc_text_printf(plot.label,
                     "%s of %s over time, %.4g to %.4g s, from %.4g to %.4g %s",
                     x->name, t->file, darc_table_time(t, 0),
                     darc_table_time(t, t->samples - 1), lo, hi, x->unit);
    darc_plot_curve curve = {.label = x->name,
                             .unit = x->unit,
                             .value = x->value,
                             .colour = k == 0 ? "a" : "b"};
    darc_plot_end(&plot, s, &curve, 1);
    darc_table_done(t, 0, t->samples);
}

static void put_signals(darc_sheet *s, const darc_page *p)
{
    if (p->tables == 0)
        return;
    darc_sheet_section(s, "signals", "Signals");
    darc_plot_tools(s);
    int axis[2] = {0, 0}, tables = p->tables < 2 ? p->tables : 2, rows = 0;
    for (int k = 0; k < tables; k++) {
        const darc_table *t = p->table[k];
        darc_plot_time time = times_of(t);
        axis[k] = darc_plot_axis(s, &time);
        rows = drawn(t) > rows ? drawn(t) : rows;
    }
    for (int k = 0; k < tables; k++) { /* how long recordings are drawn */
        size_t n = p->table[k]->samples;
        size_t points = darc_decimate_points(n, s->buckets);
        if (points < n)
            darc_html_put(s->out, DARC_PAGE_DECIMATED, p->table[k]->file, n,
                          (2 * n + points / 2) / points);
    }
    darc_text_puts(s->out, tables > 1 ? "<div class=\"pair\">\n" : "<div>\n");
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < tables; k++)
            if (i < drawn(p->table[k]))
                put_signal(s, p, k, i, axis[k]);
    darc_text_puts(s->out, "</div>\n");
    for (int k = 0; k < p->tables; k++)
        if (p->table[k]->signals > DARC_MOST_SIGNALS)
            darc_html_put(s->out, DARC_PAGE_FIRST_SIGNALS, p->table[k]->file,
                          p->table[k]->signals, DARC_MOST_SIGNALS);
}

void darc_evidence_data(darc_sheet *s, const darc_page *p,
                        const darc_report_data *data, int recordings)
{
    put_signals(s, p);
    darc_evidence_noise(s, p);
    darc_sheet_section(s, "recordings", "Recordings");
    DARC_SHEET_ROWS(
        s->out, NULL, "Recording|File|#Samples|#Rate [Hz]|#Used", i, recordings,
        "%h|@%s|#%z|#%n|#%z",
        ((const char[]){recordings > 1 ? (char)('A' + i) : '1', '\0'}),
        data[i].file, data[i].samples, data[i].rate, data[i].used);
}

enum { WIDTH = 760, MARGIN = 24 };

/* A vertical mark with its name, in row 0 or 1 above the bar. */
static void put_mark(darc_text_t out, const darc_svg_scale *s, double v,
                     const char *name, int row)
{
    if (!isfinite(v) || v <= 0)
        return;
    double x = darc_svg_at(s, v);
    bool left = x > WIDTH / 2.0;
    darc_html_put(out, DARC_PAGE_DEFECT_MARK, row == 0 ? "zero" : "ssoft", x,
                  4.0 + 16 * row, left ? x - 6 : x + 6, 14.0 + 16 * row,
                  left ? "end" : "start", name, v);
}

/* Where the defect of a decision lies among what could be seen and what does
 * not matter; nothing where it is not known. */
static void draw_defect(darc_text_t out, const darc_decision *d)
{
    const char *colour = darc_tone_class(darc_tone_of(d->verdict));
    double least = INFINITY, most = 0;
    const double value[] = {d->defect, d->defect_low, d->defect_high,
                            d->tolerance, d->detectable};
    for (int i = 0; i < 5; i++)
        if (isfinite(value[i]) && value[i] > 0) {
            least = fmin(least, value[i]);
            most = fmax(most, value[i]);
        }
    if (!isfinite(d->defect_high) || most <= 0)
        return;
    /* Room at the left end for zero, which a logarithm does not reach. */
    bool zero = !(d->defect_low > 0);
    double from = floor(log10(fmax(least, most * 1e-7) / 1.5));
    darc_svg_scale s = {zero ? from - 0.5 : from, ceil(log10(most * 1.5)),
                        MARGIN, WIDTH - MARGIN, true};
    darc_text_t label = DARC_TEXT;
    static const char *const words[] = {"The defect is ", " percent, between ",
                                        " and ", "; the tolerance is "};
    const double share[] = {d->defect, d->defect_low, d->defect_high,
                            d->tolerance};
    for (int i = 0; i < 4; i++) {
        darc_text_puts(label, words[i]);
        darc_html_number(label, 100 * share[i], 3);
    }
    darc_text_puts(label, " percent.");
    darc_text_puts(out, DARC_PAGE_DEFECT);
    darc_svg_begin(out, WIDTH, 94, "%s", label->s);
    darc_svg_axis(out, &s, 72, 34, "", true);
    if (zero)
        darc_html_put(out,
                      "<text class=\"soft\" x=\"%q\" y=\"88\" "
                      "text-anchor=\"middle\">0</text>",
                      s.low);
    put_mark(out, &s, d->tolerance, "tolerance", 0);
    put_mark(out, &s, d->detectable, "detectable from", 1);
    double low = d->defect_low > 0 ? d->defect_low : 0;
    double x1 = low > 0 ? darc_svg_at(&s, low) : s.low;
    double x2 = darc_svg_at(&s, d->defect_high);
    darc_html_put(out,
                  "<path class=\"bar interval s%h\" style=\"stroke-width:8\" "
                  "d=\"M%q 54H%q\"/>",
                  colour, x1, fmax(x2, x1 + 2));
    if (isfinite(d->defect))
        darc_html_put(
            out, "<circle class=\"f%h\" cx=\"%q\" cy=\"54\" r=\"5\"/>\n",
            colour, d->defect > 0 ? darc_svg_at(&s, d->defect) : s.low);
    darc_svg_end(out, 2);
    darc_text_clear(label);
}

static void put_change(darc_text_t out, const darc_svg_scale *s, double y,
                       double change, double half)
{
    double low = darc_svg_at(s, change - half);
    double high = darc_svg_at(s, change + half), x = darc_svg_at(s, change);
    bool moved = fabs(change) > half;
    darc_html_put(out, "<path class=\"bar interval %h\" d=\"M%q %qH%q\"/>",
                  moved ? "b" : "a", low, y, fmax(high, low + 1.5));
    /* Moved: a filled diamond; not: a circle. */
    darc_html_put(out,
                  moved ? "<path class=\"fb\" d=\"M%q %ql5.5 5.5l-5.5 5.5l-5.5 "
                          "-5.5z\"/>\n"
                        : "<circle class=\"hollow a\" cx=\"%q\" cy=\"%q\" "
                          "r=\"4\"/>\n",
                  x, moved ? y - 5.5 : y);
}

/* The relative change of each estimate from A to B with its interval of level
 * 1 - alpha; nothing where none has one. */
static void draw_changes(darc_text_t out, const darc_estimate *e, int estimates,
                         double alpha)
{
    enum { LEFT = 200, ROW = 26, TOP = 10 };
    double z = darc_report_quantile(alpha);
    double most = 0; /* the widest |change| + interval */
    for (int i = 0; i < estimates; i++) {
        double change, sd;
        darc_report_change(&change, &sd, &e[i]);
        if (isfinite(change) && isfinite(sd))
            most = fmax(most, fabs(change) + z * sd);
    }
    if (!(most > 0) || !isfinite(most))
        return;
    double bottom = TOP + ROW * estimates;
    darc_svg_scale s = {-1.08 * most, 1.08 * most, LEFT, WIDTH - MARGIN, false};
    darc_html_put(out, DARC_PAGE_CHANGES, 1 - alpha);
    darc_svg_begin(out, WIDTH, bottom + 36,
                   "Relative changes from A to B with intervals; the numbers "
                   "stand in the table above");
    darc_svg_axis(out, &s, bottom, ROW * estimates, "", true);
    darc_html_put(out, "<path class=\"zero\" d=\"M%q %qV%q\"/>\n",
                  darc_svg_at(&s, 0), (double)TOP, bottom);
    for (int i = 0; i < estimates; i++) {
        double change, sd, y = TOP + ROW * (i + 0.5);
        darc_report_change(&change, &sd, &e[i]);
        darc_html_put(out, "<text x=\"0\" y=\"%q\">%s</text>", y + 4,
                      e[i].function);
        if (isfinite(change) && isfinite(sd))
            put_change(out, &s, y, change, z * sd);
    }
    darc_svg_end(out, 2);
}

void darc_evidence_estimates(darc_sheet *s, const darc_estimate *estimate,
                             int estimates, bool two, double alpha)
{
    double z = darc_report_quantile(alpha);
    if (estimates <= 0)
        return;
    darc_sheet_section(s, "estimates", "Values");
    darc_html_put(s->out, DARC_PAGE_VALUES, 1 - alpha);
    darc_sheet_table(s->out, NULL,
                     two ? "Function|#A|#B|#Change" : "Function|#Value");
    for (int i = 0; i < estimates; i++) {
        const darc_estimate *e = &estimate[i];
        const char *unit = e->unit != NULL ? e->unit : "";
        double change, sd;
        darc_report_change(&change, &sd, e);
        if (two)
            darc_html_row(s->out, "%m|#%M %u|#%M %u|#%P", e->function,
                          e->value_a, z * e->sd_a, unit, e->value_b,
                          z * e->sd_b, unit, change, z * sd);
        else
            darc_html_row(s->out,
                          darc_report_lopsided(e, z * e->sd_a)
                              ? "%m|#%M %u (%n to %n)"
                              : "%m|#%M %u",
                          e->function, e->value_a, z * e->sd_a, unit, e->low_a,
                          e->high_a);
    }
    darc_sheet_table_end(s->out);
    if (two)
        draw_changes(s->out, estimate, estimates, alpha);
}

/* A fact: what it is called, its value, and what stands behind that. */
#define FACT(name, value, more)                                                \
    "<div><dt>" name "</dt><dd>" value "<small>" more "</small></dd></div>\n"

void darc_evidence_decision(darc_text_t out, const darc_decision *d)
{
    bool known = isfinite(d->defect_low) && isfinite(d->defect_high);
    darc_text_puts(out, "<dl class=\"facts\">\n");
    if (isfinite(d->defect))
        darc_html_put(out,
                      known ? FACT("Defect", "%p", "%p to %p")
                            : FACT("Defect", "%p", ""),
                      d->defect, d->defect_low, d->defect_high);
    darc_html_put(
        out,
        d->tolerance > 0
            ? FACT("Tolerance", "%p", "a smaller defect does not count")
            : FACT("Tolerance", "none", "only statistics decide"),
        d->tolerance);
    if (isfinite(d->detectable))
        darc_html_put(
            out, FACT("Detectable from", "%p", "a smaller defect could hide"),
            d->detectable);
    if (isfinite(d->p_value))
        darc_html_put(out, FACT("p-value", "%v", "tested at level %p"),
                      d->p_value, d->alpha);
    darc_html_put(
        out,
        !isfinite(d->statistic) ? FACT("Method", "%h", "")
        : isfinite(d->dof)
            ? FACT("Method", "%h", "statistic %n, %n degrees of freedom")
            : FACT("Method", "%h", "statistic %n"),
        strcmp(d->method, "weak") == 0 ? "weak form" : d->method, d->statistic,
        d->dof);
    darc_text_puts(out, "</dl>\n");
    draw_defect(out, d);
}
