#include "page/evidence.h"

#include "base/mem.h"

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

static void leave(const void *table, size_t begin, size_t end)
{
    darc_table_done(table, begin, end);
}

static darc_plot_time times_of(const darc_table *t)
{
    return (darc_plot_time){t->samples, t->time, t->t0, t->dt, {leave, t}};
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
    enum { DONE = 1 << 16 };
    double lo = INFINITY, hi = -INFINITY;
    darc_html_put(plot.caption,
                  x->unit[0] != '\0'
                      ? "<b>%s</b> <span class=\"unit\">[%s]%h</span>"
                      : "<b>%s</b> <span class=\"unit\">%s%h</span>",
                  x->name, x->unit,
                  p->tables < 2 ? ""
                  : k == 0      ? " \u00b7 A"
                                : " \u00b7 B");
    for (size_t i = 0; i < t->samples; i++) {
        if (i % DONE == 0 && i > 0)
            darc_table_done(t, i - DONE, i);
        lo = isfinite(x->value[i]) ? fmin(lo, x->value[i]) : lo;
        hi = isfinite(x->value[i]) ? fmax(hi, x->value[i]) : hi;
    }
    darc_text_printf(plot.label,
                     "%s of %s over time, %.4g to %.4g s, from %.4g to "
                     "%.4g %s",
                     x->name, t->file, darc_table_time(t, 0),
                     darc_table_time(t, t->samples - 1), lo, hi, x->unit);
    darc_plot_curve curve = {.label = x->name,
                             .unit = x->unit,
                             .value = x->value,
                             .colour = k == 0 ? "a" : "b"};
    darc_plot_end(&plot, s, &curve, 1);
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
            darc_html_put(s->out,
                          "<p class=\"note\">%s: %z samples, drawn by the "
                          "least and the greatest of each %z.</p>\n",
                          p->table[k]->file, n, (2 * n + points / 2) / points);
    }
    darc_text_puts(s->out, tables > 1 ? "<div class=\"pair\">\n" : "<div>\n");
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < tables; k++)
            if (i < drawn(p->table[k]))
                put_signal(s, p, k, i, axis[k]);
    darc_text_puts(s->out, "</div>\n");
    for (int k = 0; k < p->tables; k++)
        if (p->table[k]->signals > DARC_MOST_SIGNALS)
            darc_html_put(s->out,
                          "<p class=\"note\">%s has %d signals; the first %d "
                          "are shown.</p>\n",
                          p->table[k]->file, p->table[k]->signals,
                          DARC_MOST_SIGNALS);
}

void darc_evidence_data(darc_sheet *s, const darc_page *p,
                        const darc_report_data *data, int recordings)
{
    put_signals(s, p);
    darc_evidence_noise(s, p);
    darc_sheet_section(s, "recordings", "Recordings");
    darc_sheet_table(s->out, NULL, "Recording|File|#Samples|#Rate [Hz]|#Used");
    for (int i = 0; i < recordings; i++) {
        const char name[] = {recordings > 1 ? (char)('A' + i) : '1', '\0'};
        darc_html_put(s->out,
                      "<tr><th scope=\"row\">%h</th><td class=\"file\">%s"
                      "</td><td class=\"n\">%z</td>%N<td class=\"n\">%z</td>"
                      "</tr>\n",
                      name, data[i].file, data[i].samples, data[i].rate,
                      data[i].used);
    }
    darc_sheet_table_end(s->out);
}
