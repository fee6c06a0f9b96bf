#include "page/evidence.h"

#include "base/mem.h"
#include "page/svg.h"
#include "page/thresholds.h"
#include "report/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 480, HEIGHT = 190, LEFT = 58, BOTTOM = 154, SHOWN = 4 };

typedef struct {
    double x, left;
    size_t at; /* of the series */
} point;

/* What is left where x is alike. */
typedef struct {
    double x, left, half; /* half the interval of the mean */
} bin;

typedef struct {
    const darc_signal *signal, *less; /* less NULL: nothing is taken off */
    bool slope;
    double share; /* of the squares of what is left that the means hold */
    int bins;
    bin bin[DARC_AGAINST_BINS];
} figure;

typedef struct {
    const darc_residual_series *series;
    const darc_table *table;
    double z;
    double *mean[DARC_MOST_SIGNALS]; /* of signals, at the series; owned */
    double *x;                       /* room */
    point *p;
} view_search;

/* Set mean[k] to the mean of the signal around time[k], up to halfway to the
 * neighbours; NAN where there is none. */
static void average(double *mean, const darc_residual_series *s,
                    const darc_table *t, const darc_signal *signal)
{
    size_t i = 0;
    for (size_t k = 0; k < s->count; k++) {
        double end = k + 1 < s->count ? (s->time[k] + s->time[k + 1]) / 2
                                      : s->time[k] + (s->time[k] - s->time[0]) /
                                                         (double)s->count;
        double begin =
            k > 0 ? (s->time[k] + s->time[k - 1]) / 2 : 2 * s->time[k] - end;
        double sum = 0, n = 0;
        for (; i < t->samples && darc_table_time(t, i) < end; i++)
            if (darc_table_time(t, i) >= begin && isfinite(signal->value[i])) {
                sum += signal->value[i];
                n++;
            }
        mean[k] = sum / n;
    }
}

static int by_x(const void *a, const void *b)
{
    double x = ((const point *)a)->x, y = ((const point *)b)->x;
    return (x > y) - (x < y);
}

/* The points, or those of the slope; return how many are known. */
static size_t list_points(point *p, const double *mean,
                          const darc_residual_series *s, bool slope)
{
    size_t n = 0;
    double step = (s->time[s->count - 1] - s->time[0]) / (double)s->count;
    for (size_t k = slope; k + slope < s->count; k++) {
        double x = mean[k];
        if (slope) {
            double span = s->time[k + 1] - s->time[k - 1];
            x = span < 4 * step ? (mean[k + 1] - mean[k - 1]) / span : NAN;
        }
        if (isfinite(x) && isfinite(s->value[k]))
            p[n++] = (point){x, s->value[k], k};
    }
    return n;
}

static int by_time(const void *a, const void *b)
{
    size_t x = ((const point *)a)->at, y = ((const point *)b)->at;
    return (x > y) - (x < y);
}

/* Set the bin to n points.  Neighbours in time share noise: a visit to the bin
 * counts once. */
static void fill_bin(bin *b, point *p, size_t n, double z)
{
    double squares = 0, visits = 1;
    *b = (bin){0};
    for (size_t i = 0; i < n; i++) {
        b->x += p[i].x / (double)n;
        b->left += p[i].left / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        squares += pow(p[i].left - b->left, 2) / (double)n;
    qsort(p, n, sizeof *p, by_time);
    for (size_t i = 1; i < n; i++)
        visits += p[i].at > p[i - 1].at + 1;
    b->half = visits > 1 ? z * sqrt(squares / (visits - 1)) : NAN;
}

static void fill_figure(figure *f, point *p, size_t n, double z)
{
    double all = 0, held = 0;
    size_t bins = n / DARC_AGAINST_POINTS;
    f->bins = bins < DARC_AGAINST_BINS ? (int)bins : DARC_AGAINST_BINS;
    qsort(p, n, sizeof *p, by_x);
    for (size_t i = 0; i < n; i++)
        all += p[i].left * p[i].left;
    bins = (size_t)f->bins;
    for (size_t b = 0; b < bins; b++) {
        size_t from = n * b / bins, to = n * (b + 1) / bins;
        fill_bin(f->bin + b, p + from, to - from, z);
        held += (double)(to - from) * f->bin[b].left * f->bin[b].left;
    }
    f->share = held / all;
}

static int by_share(const void *a, const void *b)
{
    double x = ((const figure *)a)->share, y = ((const figure *)b)->share;
    return (x < y) - (x > y);
}

static void add_figure(figure *f, int *figures, const view_search *s, int i,
                       int j)
{
    for (size_t k = 0; k < s->series->count; k++)
        s->x[k] = s->mean[i][k] - (j >= 0 ? s->mean[j][k] : 0);
    for (int slope = 0; slope < 2; slope++) {
        figure *to = f + *figures;
        size_t n = list_points(s->p, s->x, s->series, slope);
        *to = (figure){.signal = s->table->signal + i,
                       .less = j >= 0 ? s->table->signal + j : NULL,
                       .slope = slope};
        if (n < 4 * DARC_AGAINST_POINTS)
            continue;
        fill_figure(to, s->p, n, s->z);
        ++*figures;
    }
}

/* Return the figures of all signals, of differences of those that have one
 * unit, and of their slopes, the most telling first; to be freed. */
static figure *list_figures(int *figures, const darc_residual_series *series,
                            const darc_table *t, double z)
{
    int n = t->signals < DARC_MOST_SIGNALS ? t->signals : DARC_MOST_SIGNALS;
    figure *f = darc_calloc((size_t)(n * (n + 1)) + 1, sizeof *f);
    view_search s = {series, t, z, {NULL}, NULL, NULL};
    DARC_CALLOC(series->count, s.x, s.p);
    *figures = 0;
    for (int i = 0; i < n; i++) {
        s.mean[i] = darc_calloc(series->count, sizeof *s.x);
        average(s.mean[i], series, t, t->signal + i);
        for (int j = -1; j < i; j++)
            if (j < 0 || strcmp(t->signal[i].unit, t->signal[j].unit) == 0)
                add_figure(f, figures, &s, i, j);
    }
    qsort(f, (size_t)*figures, sizeof *f, by_share);
    DARC_FREE_EACH(s.mean, n);
    DARC_FREE(s.x, s.p);
    return f;
}

static double edge(const bin *b, int side)
{
    return b->left + (isfinite(b->half) ? side * b->half : 0);
}

static void put_figure(darc_text_t out, const figure *f)
{
    const char *sign = f->slope ? "\u2032" : "", *unit = f->signal->unit;
    bool two = f->less != NULL;
    double low = 0, high = 0, at[DARC_AGAINST_BINS], left[DARC_AGAINST_BINS],
           below[DARC_AGAINST_BINS], above[DARC_AGAINST_BINS];
    for (int b = 0; b < f->bins; b++) {
        at[b] = f->bin[b].x;
        left[b] = f->bin[b].left;
        below[b] = edge(f->bin + b, -1);
        above[b] = edge(f->bin + b, 1);
        low = fmin(low, below[b]);
        high = fmax(high, above[b]);
    }
    darc_svg_scale x = {f->bin[0].x, f->bin[f->bins - 1].x, LEFT, WIDTH - 8,
                        false};
    darc_svg_scale y = {low, high, BOTTOM, 8, false};
    if (!(x.to > x.from) || !(y.to > y.from))
        return;
    darc_html_put(out, DARC_PAGE_AGAINST_CAPTION, two ? "(" : "",
                  f->signal->name, two ? " \u2212 " : "",
                  two ? f->less->name : "", two ? ")" : "", sign, unit,
                  f->slope && unit[0] != '\0' ? "/s" : "", f->share);
    darc_svg_begin(out, WIDTH, HEIGHT,
                   "What is left, averaged where the signal is alike, with "
                   "its band");
    darc_svg_axes(out, &x, &y, "", true);
    darc_svg_band(out, &x, &y,
                  &(darc_svg_points){at, below, (size_t)f->bins, false}, above);
    darc_svg_curve(out, "a", &x, &y,
                   &(darc_svg_points){at, left, (size_t)f->bins, false});
    darc_svg_end(out, 0);
}

void darc_against_put(darc_sheet *s, const darc_report *r,
                      const darc_table *table)
{
    bool begun = false;
    double z = darc_report_quantile(r->decision.alpha);
    for (int i = 0; i < r->relations && r->recordings == 1; i++) {
        const darc_report_relation *l = &r->relation[i];
        if (l->series == NULL || l->weak == NULL ||
            (l->missing == 0 && l->decision.verdict != DARC_INCONSISTENT))
            continue;
        if (!begun)
            darc_sheet_section(s, "against", "What is left, against signals");
        begun = true;
        int figures;
        figure *f = list_figures(&figures, l->series, table, z);
        darc_html_put(s->out, DARC_PAGE_AGAINST, i + 1, 1 - r->decision.alpha);
        for (int k = 0; k < figures && k < SHOWN; k++)
            put_figure(s->out, f + k);
        darc_text_puts(s->out, "</div>\n");
        darc_free(f);
    }
}
