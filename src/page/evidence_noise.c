/* evidence_noise.c - what signals are made of: spectra, noise, excitation. */
#include "base/mem.h"
#include "noise/limits.h"
#include "noise/periodogram.h"
#include "page/evidence.h"
#include "page/svg.h"
#include "report/survey.h"
#include "stats/stats.h"

#include <math.h>

enum { WIDTH = 480, HEIGHT = 168, LEFT = 58, BOTTOM = 132, BINS = 110 };

/* Of the interval of the noise. */
static const double LEVEL = 0.99;

/* The spectra of a recording on a logarithmic axis of frequency. */
typedef struct {
    darc_survey survey;
    int points;
    double frequency[BINS];
    double *density; /* signals * BINS, NAN where empty; owned */
} spectra;

/* Average the lines of p, dt s between samples, within each of BINS steps of
 * frequency. */
static void average(spectra *to, const darc_periodogram *p, double dt)
{
    double df = 1 / (2 * (p->bins - 1) * dt);
    double low = log(df), high = log(df * (p->bins - 1));
    to->points = BINS;
    for (int b = 0; b < BINS; b++) {
        double from = exp(low + (high - low) * b / BINS);
        double upto = exp(low + (high - low) * (b + 1) / BINS);
        to->frequency[b] = sqrt(from * upto);
        int first = (int)ceil(from / df - 1e-9);
        int last = (int)ceil(upto / df - 1e-9) - (b + 1 < BINS);
        for (int i = 0; i < p->signals; i++) {
            double sum = 0;
            for (int k = first; k <= last && k < p->bins; k++)
                sum += p->s[(size_t)i * (size_t)p->bins + (size_t)k];
            to->density[i * BINS + b] =
                last >= first ? 2 * dt * sum / (last - first + 1) : NAN;
        }
    }
}

static void spectra_init(spectra *to, const darc_table *t)
{
    *to = (spectra){0};
    darc_survey_init(&to->survey, t);
    to->density = darc_calloc((size_t)t->signals * BINS, sizeof *to->density);
    if (t->dt <= 0 || t->signals == 0)
        return;
    int *list = darc_calloc((size_t)t->signals, sizeof *list);
    for (int i = 0; i < t->signals; i++)
        list[i] = i;
    darc_periodogram p;
    darc_periodogram_init(&p, t, list, t->signals, DARC_STRETCH_PARTS, false);
    if (p.bins > 0)
        average(to, &p, t->dt);
    darc_periodogram_clear(&p);
    darc_free(list);
}

/* The curves of one signal: of one recording or two. */
typedef struct {
    int curves;
    const spectra *of[2];
    int signal[2];
} group;

static double density(const group *g, int c, int b)
{
    return g->of[c]->density[g->signal[c] * BINS + b];
}

/* The density of white noise of standard deviation sd. */
static double noise_density(const group *g, int c)
{
    const darc_survey *s = &g->of[c]->survey;
    double sd = s->signal[g->signal[c]].noise;
    return 2 * sd * sd / s->rate;
}

/* Set the scales so that all curves fit, over ten decades at most. */
static bool set_scales(darc_svg_scale *x, darc_svg_scale *y, const group *g)
{
    double low = INFINITY, high = 0, first = INFINITY, last = 0;
    for (int c = 0; c < g->curves; c++) {
        const spectra *s = g->of[c];
        for (int b = 0; b < s->points; b++)
            if (density(g, c, b) > 0) {
                low = fmin(low, density(g, c, b));
                high = fmax(high, density(g, c, b));
                first = fmin(first, s->frequency[b]);
                last = fmax(last, s->frequency[b]);
            }
        double n = noise_density(g, c);
        low = n > 0 ? fmin(low, n) : low;
    }
    if (!(high > 0) || !(last > first))
        return false;
    low = fmax(low, high * 1e-24);
    *x = (darc_svg_scale){log10(first), log10(last), LEFT, WIDTH - 8, true};
    *y =
        (darc_svg_scale){floor(log10(low)), ceil(log10(high)), BOTTOM, 8, true};
    if (y->to <= y->from)
        y->to = y->from + 1;
    return true;
}

static void put_area(darc_text_t out, double left, double top, double right,
                     double bottom)
{
    darc_html_put(out, "<path class=\"band\" d=\"M%q %qH%qV%qH%qZ\"/>\n", left,
                  top, right, bottom, left);
}

/* The band of the signal, and the first spectral line above it. */
static void put_landmarks(darc_text_t out, const darc_survey_signal *a,
                          const darc_svg_scale *x)
{
    if (a->band > 0)
        put_area(out, x->low, 8, darc_svg_at(x, a->band), BOTTOM);
    if (a->line > 0)
        darc_html_put(out, DARC_PAGE_SPECTRAL_LINE, darc_svg_at(x, a->line),
                      BOTTOM, darc_svg_at(x, a->line) - 4, a->line);
}

/* The spectrum, and the noise with its interval. */
static void put_curve(darc_text_t out, const group *g, int c,
                      const darc_svg_scale *x, const darc_svg_scale *y)
{
    const char *colour = c == 0 ? "a" : "b";
    const spectra *s = g->of[c];
    const darc_svg_points p = {s->frequency, s->density + g->signal[c] * BINS,
                               (size_t)s->points, true};
    double n = noise_density(g, c);
    double dof = s->survey.signal[g->signal[c]].dof, tail = (1 - LEVEL) / 2;
    if (n > 0 && dof > 0 && isfinite(dof))
        put_area(out, x->low,
                 darc_svg_at(y, n * dof / darc_stats_chi2_quantile(tail, dof)),
                 x->high,
                 darc_svg_at(y, n * dof / darc_stats_chi2_isf(tail, dof)));
    darc_svg_curve(out, colour, x, y, &p);
    if (n > 0)
        darc_html_put(out, "<path class=\"dash %h\" d=\"M%q %qH%q\"/>\n",
                      colour, x->low, darc_svg_at(y, n), x->high);
}

static void put_spectrum(darc_text_t out, const group *g)
{
    darc_svg_scale x, y;
    const darc_survey_signal *a = &g->of[0]->survey.signal[g->signal[0]];
    if (!set_scales(&x, &y, g))
        return;
    darc_html_put(out,
                  a->unit[0] != '\0'
                      ? "<figure>\n<figcaption><b>%s</b> <span "
                        "class=\"unit\">(%u)\u00b2/Hz%h</span></figcaption>\n"
                      : "<figure>\n<figcaption><b>%s</b> <span "
                        "class=\"unit\">%s1/Hz%h</span></figcaption>\n",
                  a->name, a->unit,
                  g->curves > 1 ? "<span class=\"swatch\"></span>A<span "
                                  "class=\"swatch b\"></span>B"
                                : "");
    darc_svg_begin(out, WIDTH, HEIGHT,
                   "Power spectral density of %s over frequency; noise and "
                   "band stand in the table below",
                   a->name);
    darc_svg_axes(out, &x, &y, "Hz", false);
    put_landmarks(out, a, &x);
    for (int c = 0; c < g->curves; c++)
        put_curve(out, g, c, &x, &y);
    darc_svg_end(out, 0);
}

static void put_table(darc_text_t out, const spectra *s, int tables)
{
    const darc_table *first = s[0].survey.table;
    darc_text_t remark = DARC_TEXT;
    darc_sheet_table(
        out, "Signals and their noise as darc estimates it from the recordings",
        tables > 1 ? "Signal|In|Unit|#Standard deviation|#Noise|Kind|"
                     "#99&nbsp;% below [Hz]|#Gaps|Remark"
                   : "Signal|Unit|#Standard deviation|#Noise|Kind|"
                     "#99&nbsp;% below [Hz]|#Gaps|Remark");
    for (int n = 0;
         n < first->signals * tables && n < DARC_MOST_SIGNALS * tables; n++) {
        const darc_survey *of = &s[n % tables].survey;
        int i = darc_table_find(of->table, first->signal[n / tables].name);
        if (i < 0)
            continue;
        const darc_survey_signal *x = &of->signal[i];
        darc_text_reset(remark);
        darc_survey_remark(remark, of, i);
        darc_html_row(out,
                      tables < 2        ? "%s|%u|#%n|#%n|%s|#%n|#%z|%s"
                      : n % tables == 0 ? "%s|A|%u|#%n|#%n|%s|#%n|#%z|%s"
                                        : "%s|B|%u|#%n|#%n|%s|#%n|#%z|%s",
                      x->name, x->unit, x->sd, x->noise,
                      isfinite(x->noise) ? darc_colour_text(x->colour) : "",
                      x->band, x->gaps, remark->s);
    }
    darc_sheet_table_end(out);
    darc_text_clear(remark);
}

void darc_evidence_noise(darc_sheet *s, const darc_page *p)
{
    if (p->tables == 0)
        return;
    spectra of[2];
    int tables = p->tables < 2 ? 1 : 2;
    for (int k = 0; k < tables; k++)
        spectra_init(&of[k], p->table[k]);
    darc_sheet_section(s, "noise", "Spectrum and noise");
    if (of[0].points > 0) {
        darc_text_puts(s->out, DARC_PAGE_SPECTRA);
        const darc_table *t = of[0].survey.table;
        darc_text_puts(s->out, "<div class=\"pair\">\n");
        for (int i = 0; i < t->signals && i < DARC_MOST_SIGNALS; i++) {
            group g = {1, {&of[0], &of[1]}, {i, 0}};
            if (tables > 1 && of[1].points > 0) {
                g.signal[1] =
                    darc_table_find(of[1].survey.table, t->signal[i].name);
                g.curves = g.signal[1] >= 0 ? 2 : 1;
            }
            put_spectrum(s->out, &g);
        }
        darc_text_puts(s->out, "</div>\n");
    } else {
        darc_text_puts(s->out, DARC_PAGE_NO_SPECTRA);
    }
    put_table(s->out, of, tables);
    for (int k = 0; k < tables; k++) {
        darc_survey_clear(&of[k].survey);
        darc_free(of[k].density);
    }
}
