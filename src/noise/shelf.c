#include "noise/shelf.h"

#include "base/mem.h"
#include "noise/limits.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

enum { NO_LINE, SKIRT, LINE };

/* One spectrum, bins 0 .. top - 1 of which count. */
typedef struct {
    double *s;      /* owned, with the next */
    double *cosine; /* of the frequency of bin k */
    int bins, top;
    double weight; /* ordinates a bin is worth */
    char *line;    /* whether bin k belongs to a line or its skirt; owned */
} view;

/* Replace `out`, which stands in the sorted window, by `in`. */
static void slide(double *window, int n, double out, double in)
{
    int i = 0;
    while (i < n - 1 && window[i] != out)
        i++;
    for (; i > 0 && window[i - 1] > in; i--)
        window[i] = window[i - 1];
    for (; i < n - 1 && window[i + 1] < in; i++)
        window[i] = window[i + 1];
    window[i] = in;
}

/* Mark the bins that stand above `factor` times the value of this rank among
 * their 2 reach + 1 neighbours. */
static void mark_high(view *v, double factor, int reach, int rank)
{
    enum { MOST = 2 * DARC_LINE_REACH + 1 };
    double window[MOST];
    int n = 2 * reach + 1;
    for (int i = 0; i < n; i++)
        window[i] = -1;
    for (int k = 1; k <= n; k++)
        slide(window, n, -1, v->s[k]);
    for (int k = 1; k < v->bins; k++) {
        if (k - reach > 1 && k + reach < v->bins)
            slide(window, n, v->s[k - reach - 1], v->s[k + reach]);
        v->line[k] = v->s[k] > factor * window[rank] ? LINE : NO_LINE;
    }
}

/* Keep the marks of what is no wider than a line, and mark its skirts. */
static void keep_lines(view *v)
{
    for (int k = 1, end; k < v->bins; k = end + 1) {
        for (end = k; end < v->bins && v->line[end] == LINE; end++)
            ;
        if (end - k > DARC_LINE_WIDTH)
            memset(v->line + k, NO_LINE, (size_t)(end - k));
    }
    for (int k = 1; k < v->bins; k++)
        for (int b = k - DARC_LINE_SKIRT;
             v->line[k] == LINE && b <= k + DARC_LINE_SKIRT; b++)
            if (b > 0 && b < v->bins && v->line[b] == NO_LINE)
                v->line[b] = SKIRT;
}

/* Most of the neighbours may belong to lines: the lower quartile is asked.  Of
 * a short spectrum they are so many that red noise falls among them, and what
 * is red in it would pass for a line: there it is the median. */
static void mark_lines(view *v, double averages)
{
    bool brief = v->bins / 5 < DARC_LINE_REACH;
    int reach = brief ? v->bins / 5 : DARC_LINE_REACH;
    double dof = 2 * averages;
    if (reach <= 2 * DARC_LINE_SKIRT)
        return;
    double most = darc_stats_chi2_isf(DARC_LINE_P / v->bins, dof);
    double usual = darc_stats_chi2_quantile(brief ? 0.5 : 0.25, dof);
    mark_high(v, most / usual, reach, brief ? reach : reach / 2);
    keep_lines(v);
}

/* A sum over bins that belong to no line. */
typedef struct {
    double sum;
    int count;
} part;

static part add_bins(const view *v, int begin, int end)
{
    part p = {0, 0};
    for (int k = begin; k < end; k++)
        if (v->line[k] == NO_LINE) {
            p.sum += v->s[k];
            p.count++;
        }
    return p;
}

/* Go down from the top in blocks of a tenth of their frequency until one
 * exceeds `factor` times the mean of all above it, and significantly; return
 * the bin above that block, and set all to what lies above. */
static int walk(part *all, const view *v, double factor)
{
    double top = fmax(DARC_TOP_ORDINATES / v->weight, 0.1 * v->top);
    int k = v->top - (int)ceil(fmin(top, DARC_TOP_MOST * v->top));
    *all = add_bins(v, k, v->top);
    for (int low; k > DARC_LINE_SKIRT && all->count > 0; k = low) {
        double width = fmax(0.1 * k, DARC_BLOCK_ORDINATES / v->weight);
        low = k - (int)ceil(fmin(width, k - DARC_LINE_SKIRT));
        part p = add_bins(v, low, k);
        if (p.count == 0)
            continue;
        double chance = darc_stats_f_isf(DARC_END_P, 2 * v->weight * p.count,
                                         2 * v->weight * all->count);
        if (p.sum * all->count > fmax(chance, factor) * all->sum * p.count)
            break;
        all->sum += p.sum;
        all->count += p.count;
    }
    return k;
}

/* The variance is that of the samples: it holds trends, which the spectrum
 * leaves out. */
int darc_shelf_band(const darc_periodogram *p, int i, double variance,
                    double level)
{
    double above = 0;
    int k = p->bins - 1;
    for (; k > DARC_LINE_SKIRT; k--) {
        above += (p->s[i * p->bins + k] - level) / (p->bins - 1);
        if (above > 0.01 * variance)
            break;
    }
    return k;
}

/* Return the band that grows from `band` by the lines up to 3.2 times its end:
 * a third harmonic belongs to the signal, a line far above it is hum. */
static int join_lines(const view *v, int band)
{
    for (int k = band + 1; k < v->bins && k <= 3.2 * band; k++)
        band = v->line[k] == LINE ? k : band;
    return band;
}

/* Return the bin where a frequency of so many bins appears after sampling. */
static int fold(const view *v, int k)
{
    int nyquist = v->bins - 1, turn = k % (2 * nyquist);
    return turn < nyquist ? turn : 2 * nyquist - turn;
}

/* Return the highest bin among `reach` on either side of bin k. */
static int summit(const view *v, int k, int reach)
{
    int high = k;
    for (int b = k - reach; b <= k + reach; b++)
        if (b > 0 && b < v->bins && v->s[b] > v->s[high])
            high = b;
    return high;
}

/* Whether the line at bin k is a harmonic, folded or not, of the peak at bin
 * `at`: no two in a row before it are missing, or lower; each tells the pitch
 * more closely. */
static bool climbs(const view *v, int at, int k)
{
    double pitch = at;
    int last = 1, most = DARC_OWN_TURNS * v->bins / at;
    for (int times = 2; times <= last + 2 && times <= most; times++) {
        int bin = (int)lround(times * pitch), to = fold(v, bin);
        int high = summit(v, to, DARC_OWN_NEAR);
        if (abs(to - k) <= DARC_OWN_NEAR)
            return true;
        if (v->s[high] <= v->s[k])
            continue;
        last = times;
        if (to == bin)
            pitch = (double)high / times;
    }
    return false;
}

/* Whether a peak of the spectrum is higher than the line at bin k that would be
 * a harmonic of it: then it may be the signal's own. */
static bool is_harmonic(const view *v, int k)
{
    for (int at = DARC_LINE_SKIRT + 1; at < v->bins - DARC_LINE_SKIRT; at++)
        if (v->s[at] > v->s[k] && summit(v, at, DARC_LINE_SKIRT) == at &&
            climbs(v, at, k))
            return true;
    return false;
}

/* Set out->line to the first line above the band, or that a harmonic of such a
 * line makes by folding.  Return whether one folds below bin `end`, where the
 * signal hides it: of hum of which a third of the amplitude would stand above
 * the noise. */
static bool find_hum(darc_shelf *out, const view *v, int end)
{
    bool hidden = false;
    int low = v->bins;
    for (int k = v->bins - 1; k >= end + DARC_LINE_SKIRT; k--) {
        if (v->line[k] != LINE)
            continue;
        if (k >= out->signal_band + DARC_LINE_SKIRT)
            out->line = k;
        if (v->s[k] < 9 * out->level || is_harmonic(v, k))
            continue;
        for (int times = 2; times <= DARC_HUM_HARMONIC; times++) {
            int at = fold(v, times * k);
            hidden |= times * k >= v->bins && at < end + DARC_LINE_SKIRT;
            for (int b = at - 1; b <= at + 1 && at < k; b++)
                if (b >= end + DARC_LINE_SKIRT && v->line[b] == LINE)
                    low = b < low ? b : low;
        }
    }
    if (low < v->bins && (low < out->line || out->line == 0))
        out->line = low;
    return hidden;
}

static double variance_above(const view *v, double begin)
{
    double sum = 0;
    for (int k = (int)ceil(begin); k < v->bins; k++)
        sum += v->s[k] / (v->bins - 1);
    return sum;
}

/* A density exp(a + slope (cos omega - centre)). */
typedef struct {
    double a, slope, centre;
    double spread; /* sum of (cos omega - centre)^2 */
    int count;     /* of bins */
} lean;

static double over_lean(const view *v, const lean *l, int k)
{
    return v->s[k] / exp(l->a + l->slope * (v->cosine[k] - l->centre));
}

/* The likeliest density from bin `begin` on [Whittle 1953], by scoring. */
static lean fit(const view *v, int begin)
{
    enum { PASSES = 50 };
    part all = add_bins(v, begin, v->top);
    lean l = {.a = log(all.sum / all.count), .count = all.count};
    for (int k = begin; k < v->top; k++)
        if (v->line[k] == NO_LINE)
            l.centre += v->cosine[k] / all.count;
    for (int k = begin; k < v->top; k++)
        if (v->line[k] == NO_LINE)
            l.spread += pow(v->cosine[k] - l.centre, 2);
    double step = 1;
    for (int pass = 0; pass < PASSES && fabs(step) > 1e-9; pass++) {
        double up = 0, turn = 0;
        for (int k = begin; k < v->top; k++)
            if (v->line[k] == NO_LINE) {
                double r = over_lean(v, &l, k) - 1;
                up += r;
                turn += r * (v->cosine[k] - l.centre);
            }
        step = fmax(-1, fmin(1, turn / l.spread));
        l.a += fmax(-1, fmin(1, up / all.count));
        l.slope += step;
    }
    return l;
}

/* How the mildest red noise leans over the same bins that is to be told from
 * white: the lesser of the slopes of -log |1 - 0.5 exp(-i omega)|^2 and, pink
 * noise, -log omega in cos omega. */
static double red_slope(const view *v, int begin, const lean *l)
{
    double red = 0, pink = 0;
    for (int k = begin; k < v->top; k++)
        if (v->line[k] == NO_LINE) {
            double x = v->cosine[k];
            red -= log(1.25 - x) * (x - l->centre);
            pink -= log(k) * (x - l->centre);
        }
    return fmin(red, pink) / l->spread;
}

/* Judge the shelf if it is an octave, and no more than 3/4 of it lines.  It is
 * flat where noise as red as that is excluded, it does not lean significantly
 * to a level inside the band that would matter, and it scatters as noise does:
 * lines that stand close do not. */
static void judge_shelf(darc_shelf *out, const view *v, double averages)
{
    part all = add_bins(v, out->begin, v->top);
    if (2 * out->begin > v->top || 4 * all.count < v->top - out->begin)
        return;
    lean l = fit(v, out->begin);
    double sd = 1 / sqrt(v->weight * l.spread), arm = 1 - l.centre, scatter = 0;
    for (int k = out->begin; k < v->top; k++)
        if (v->line[k] == NO_LINE)
            scatter += pow(over_lean(v, &l, k) - 1, 2) / l.count;
    out->level = all.sum / all.count;
    out->ordinates = v->weight * all.count;
    out->raise = exp(fmax(0, (l.slope + DARC_LEAN_SIGMAS * sd) * arm));
    out->sure = (red_slope(v, out->begin, &l) - l.slope) / sd;
    out->flat = out->sure > DARC_RED_SIGMAS &&
                (l.slope - DARC_LEAN_SIGMAS * sd) * arm < log(DARC_LEAN_MOST) &&
                scatter * averages < DARC_SCATTER_MOST;
}

static view open_view(const darc_periodogram *p, int i, double least)
{
    view v = {.bins = p->bins,
              .top = (int)(DARC_TOP * (p->bins - 1)),
              .weight = p->ordinates / (p->bins - 1),
              .line = darc_calloc((size_t)p->bins, 1)};
    DARC_CARVE({&v.s, v.bins}, {&v.cosine, v.bins});
    for (int k = 0; k < p->bins; k++) {
        v.s[k] = fmax(p->s[i * p->bins + k], least);
        v.cosine[k] = cos(PI * k / (p->bins - 1));
    }
    return v;
}

void darc_shelf_find(darc_shelf *out, const darc_periodogram *p, int i,
                     double variance, double least)
{
    part above;
    view v = open_view(p, i, least);
    mark_lines(&v, p->averages);
    *out = (darc_shelf){.raise = HUGE_VAL};
    out->begin = (int)ceil(DARC_GUARD * walk(&above, &v, 1));
    int end = walk(&above, &v, 2);
    out->level = above.count > 0 ? above.sum / above.count : v.s[v.top - 1];
    out->ordinates = v.weight * (above.count > 0 ? above.count : 1);
    out->power_band = darc_shelf_band(p, i, variance, out->level);
    end = end > out->power_band ? end : out->power_band;
    out->signal_band = join_lines(&v, end);
    out->seen = variance_above(&v, 1.25 * out->signal_band);
    out->beyond = variance_above(&v, 1.25 * out->power_band);
    judge_shelf(out, &v, p->averages);
    if (find_hum(out, &v, end))
        out->flat = false;
    DARC_FREE(v.s, v.line);
}

void darc_shelf_lower(darc_shelf *s, const darc_periodogram *p, int i,
                      double variance, double level)
{
    double above = 0;
    s->level = level;
    s->flat = false;
    s->power_band = darc_shelf_band(p, i, variance, level);
    if (s->signal_band < s->power_band)
        s->signal_band = s->power_band;
    for (int k = (int)ceil(1.25 * s->power_band); k < p->bins; k++)
        above += p->s[i * p->bins + k] / (p->bins - 1);
    s->beyond = above;
    s->seen = fmin(s->seen, above);
}

int darc_shelf_lines(int *bin, const darc_periodogram *p)
{
    int count = 0, most = DARC_LINES_ALL;
    view v = open_view(p, 0, 0);
    mark_lines(&v, p->averages);
    for (int k = 1; k < v.bins && count <= most; k++) {
        if (v.line[k] != LINE)
            continue;
        if (v.line[k - 1] != LINE)
            count++;
        if (count <= most)
            bin[count - 1] =
                v.line[k - 1] != LINE || v.s[k] > v.s[bin[count - 1]]
                    ? k
                    : bin[count - 1];
    }
    DARC_FREE(v.s, v.line);
    return count <= most ? count : 0;
}

bool darc_shelf_is_all(darc_shelf *out, const darc_table *table)
{
    darc_periodogram p;
    const double *y = table->signal[0].value;
    double variance = darc_lanes_mean(y, y, table);
    *out = (darc_shelf){.flat = false};
    darc_periodogram_level(&p, table);
    if (p.bins > 0)
        darc_shelf_find(out, &p, 0, variance, DARC_ALL_LEAST * variance);
    darc_periodogram_clear(&p);
    double doubt = DARC_ALL_SIGMAS / sqrt(out->ordinates);
    return out->flat && out->begin <= DARC_ALL_BEGIN &&
           variance <= (1 + doubt) * out->level;
}
