#include "noise/noiseband.h"

#include "base/mem.h"
#include "noise/noiseshape.h"
#include "stats/fft.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The spectrum in blocks of `width` bins: levels with a relative standard
 * deviation `spread`.  Bins 0 .. SKIRT hold the mean and the window's skirt. */
typedef struct {
    int blocks, width;
    double spread;
    double *level;     /* mean density of block b */
    double *coherence; /* mean squared coherence of block b */
    double df;         /* Hz per block */
} ladder;

enum { BLOCKS = 64, SKIRT = 3 };

/* Noise power is looked for up to 0.98 of the Nyquist frequency; a band free
 * of signal has at least a twentieth of all blocks. */
static const double LEAST_BAND = 0.05;

/* A block belongs to a flat spectrum when it exceeds the mean of the blocks
 * above it by less than four standard deviations.  Where the flat part ends,
 * a signal that is already weaker than the noise begins: an eighth of the
 * frequency, and one block, are left out. */
static const double FLAT_SIGMAS = 4;

/* A spectrum is called coloured when blocks above the band differ from the
 * plateau by more than this factor; the roll-off of a signal that is already
 * weaker than the noise stays below it. */
static const double COLOURED = 2.5;

/* Side lobes of the window lie below this, relative to the peak. */
static const double LOBES = 1e-8;

static ladder make_ladder(const darc_psd *psd, int signal)
{
    const double *s = psd->s + signal * psd->bins;
    const double *c = psd->coherence + signal * psd->bins;
    ladder l = {.width = (psd->bins - 1) / BLOCKS};
    l.width = l.width < 1 ? 1 : l.width;
    l.blocks = (psd->bins - 1) / l.width;
    l.df = l.width * psd->df;
    /* The window spans two bins: half the bins are independent. */
    l.spread = 1 / sqrt(psd->averages * (l.width > 2 ? l.width / 2.0 : 1));
    l.level = darc_calloc((size_t)l.blocks, sizeof *l.level);
    l.coherence = darc_calloc((size_t)l.blocks, sizeof *l.coherence);
    for (int b = 0; b < l.blocks; b++)
        for (int k = 0; k < l.width; k++) {
            l.level[b] += s[1 + b * l.width + k] / l.width;
            l.coherence[b] += c[1 + b * l.width + k] / l.width;
        }
    return l;
}

static void clear_ladder(ladder *l)
{
    darc_free(l->level);
    darc_free(l->coherence);
}

/* Return the first block of the flat stretch that ends at the top. */
static int plateau_begin(const ladder *l)
{
    int b = l->blocks - 2; /* the last block may hold a filter's edge */
    double sum = l->level[b];
    int count = 1;
    for (; b > 0; b--) {
        double mean = sum / count;
        double most =
            mean * (1 + FLAT_SIGMAS * l->spread * sqrt(1 + 1.0 / count));
        if (l->level[b - 1] > most)
            break;
        sum += l->level[b - 1];
        count++;
    }
    int guarded = b + 1 + b / 8;
    return b == 0 ? 0 : guarded < l->blocks - 2 ? guarded : l->blocks - 2;
}

/* Density of the differences, from which the spectra are made. */
static double of_differences(const double *s, int k, int bins)
{
    double x = sin(1.5707963267948966 * k / (bins - 1));
    return s[k] * x * x;
}

/* Return one past the last bin that stands above the side lobes of the window,
 * which carry the coherence of the signal to all frequencies. */
static int clear_of_lobes(const double *s, int bins)
{
    double most = 0;
    int k = bins;
    for (int i = 1; i < bins; i++)
        most = fmax(most, of_differences(s, i, bins));
    while (k > 1 && of_differences(s, k - 1, bins) < LOBES * most)
        k--;
    return k;
}

/* Return the frequency above which the signal is not coherent with any other;
 * 0 without other signals.  With m averages the squared coherence of unrelated
 * signals has mean 1/m; the mean of five bins exceeds 6.9/m, the 1e-3 quantile
 * of one bin, at less than 1e-8. */
static double coherent_end(const darc_psd *psd, int signal)
{
    const double *c = psd->coherence + signal * psd->bins;
    int k = clear_of_lobes(psd->s + signal * psd->bins, psd->bins) - 1 - 2;
    if (psd->signals < 2 || psd->averages < 10)
        return 0;
    while (k > SKIRT && c[k - 2] + c[k - 1] + c[k] + c[k + 1] + c[k + 2] <
                            5 * 6.9 / psd->averages)
        k--;
    return (k + 2) * psd->df;
}

static double mean_level(const ladder *l, int begin, int end)
{
    double sum = 0;
    for (int b = begin; b < end; b++)
        sum += l->level[b];
    return sum / (end - begin);
}

/* Return the lowest frequency above which no more than 1 % of the variance of
 * the signal lies, noise of density `level` taken off.  The variance is that
 * of the samples: it holds trends that the spectrum leaves out.  Nothing is
 * resolved within the skirt of the window. */
static double power_band(const darc_psd *psd, int signal, double level)
{
    const double *s = psd->s + signal * psd->bins;
    double above = 0, most = 0.01 * psd->variance[signal];
    int k = psd->bins - 1;
    for (; k > SKIRT; k--) {
        above += (s[k] - level) * psd->df;
        if (above > most)
            break;
    }
    return k * psd->df;
}

/* Return the least mean of five bins between 1.25 and 2 times frequency f, over
 * twice the main lobe of the window at least. */
static double edge_level(const darc_psd *psd, int signal, double f)
{
    enum { LOBE = 8 };
    const double *s = psd->s + signal * psd->bins;
    double least = HUGE_VAL;
    int from = (int)ceil(1.25 * f / psd->df) + 2, to = (int)(2 * f / psd->df);
    to = to < from + LOBE ? from + LOBE : to;
    for (int k = from; k <= to && k + 2 < psd->bins; k++)
        least =
            fmin(least, (s[k - 2] + s[k - 1] + s[k] + s[k + 1] + s[k + 2]) / 5);
    return isfinite(least) ? least : NAN;
}

/* Set the kernel whose transfer function squared is density(f) / (2 dt): a
 * symmetric kernel, cut where 1e-4 of its energy is left. */
static void set_kernel(darc_noisemodel *n, const double *density, int bins,
                       double dt)
{
    int length = 2 * (bins - 1);
    double *re = darc_calloc((size_t)length, sizeof *re);
    double *im = darc_calloc((size_t)length, sizeof *im);
    for (int k = 0; k < length; k++) {
        int f = k < bins ? k : length - k;
        re[k] = sqrt(density[f] / (2 * dt)) / length;
    }
    darc_fft(re, im, length);
    double energy = re[0] * re[0], tail;
    for (int k = 1; k < bins; k++)
        energy += 2 * re[k] * re[k];
    tail = energy - re[0] * re[0];
    int half = 0, most = length / 8;
    while (half < most && tail > 1e-4 * energy) {
        half++;
        tail -= 2 * re[half] * re[half];
    }
    n->half = half;
    n->kernel = darc_realloc(n->kernel, 2 * (size_t)half + 1, sizeof *re);
    double sum = 0;
    for (int s = -half; s <= half; s++) {
        n->kernel[s + half] = re[abs(s)];
        sum += re[abs(s)] * re[abs(s)];
    }
    n->sd = sqrt(sum);
    darc_free(re);
    darc_free(im);
}

static void set_white(darc_noisemodel *n, double level, double nyquist)
{
    n->half = 0;
    n->sd = sqrt(level * nyquist);
    n->kernel[0] = n->sd;
}

/* Density that follows the blocks from block `begin` and stays at `inside`
 * below it. */
static void shaped_kernel(darc_noisemodel *n, const ladder *l,
                          const darc_psd *psd, int begin, double inside,
                          double dt)
{
    double *d = darc_calloc((size_t)psd->bins, sizeof *d);
    for (int k = 0; k < psd->bins; k++) {
        int b = (k > 0 ? k - 1 : 0) / l->width;
        b = b >= l->blocks ? l->blocks - 1 : b;
        d[k] = b < begin ? inside : l->level[b];
    }
    set_kernel(n, d, psd->bins, dt);
    darc_free(d);
}

/* Rounding to steps of q has the variance q^2/12 in all.  What of it is not
 * seen above the band lies inside the band. */
static double quantised_inside(const darc_noisemodel *n, const ladder *l,
                               int begin, double level)
{
    double above =
        mean_level(l, begin, l->blocks) * (l->blocks - begin) * l->df;
    double missing = n->step * n->step / 12 - above;
    double inside = begin > 0 ? missing / (begin * l->df) : 0;
    return inside > level ? inside : level;
}

static void set_quantised_or_white(darc_noisemodel *n, const ladder *l,
                                   const darc_psd *psd, int plateau)
{
    double dt = 1 / (2 * (psd->bins - 1) * psd->df);
    double level = mean_level(l, plateau, l->blocks - 1);
    double inside = quantised_inside(n, l, plateau, level);
    n->band = plateau * l->df;
    n->dof = psd->averages * l->width * (l->blocks - 1 - plateau);
    n->sd_high = sqrt(level * 0.5 / dt);
    if (inside > 1.3 * level) {
        n->kind = DARC_NOISE_QUANTISED;
        shaped_kernel(n, l, psd, plateau, inside, dt);
    } else {
        n->kind = DARC_NOISE_WHITE;
        set_white(n, level, 0.5 / dt);
    }
}

/* No flat end: the last tenth of the spectrum bounds white noise. */
static void set_bound(darc_noisemodel *n, const ladder *l, const darc_psd *psd)
{
    int from = l->blocks - 1 - (l->blocks + 9) / 10;
    double nyquist = (psd->bins - 1) * psd->df;
    double top = mean_level(l, from < 0 ? 0 : from, l->blocks - 1);
    n->kind = DARC_NOISE_UNKNOWN;
    n->sd_high = sqrt(top * nyquist);
    n->dof = psd->averages * l->width * (l->blocks - 1 - from);
    set_white(n, fmin(top, n->sd_diff * n->sd_diff / nyquist), nyquist);
}

/* Whether the spectrum above the band, by coherence, stands clear of its
 * plateau. */
static bool stands_clear(const ladder *l, double band, int plateau)
{
    double far = mean_level(l, plateau, l->blocks - 1);
    int begin = (int)ceil(1.25 * band / l->df);
    for (int b = begin; band > 0 && b < plateau; b++)
        if (l->level[b] > COLOURED * far)
            return true;
    return false;
}

/* The noise may be coloured where the spectrum above the band, by coherence,
 * stands clear of its end. */
static void set_coloured(darc_noisemodel *n, const ladder *l,
                         const darc_psd *psd, int i, int plateau)
{
    darc_noiseshape s;
    double dt = 1 / (2 * (psd->bins - 1) * psd->df);
    double far = mean_level(l, plateau, l->blocks - 1);
    double band = coherent_end(psd, i);
    if (!darc_noiseshape_fit(&s, psd, i, band) ||
        darc_noiseshape_at(&s, s.begin) < COLOURED * far) {
        if (stands_clear(l, band, plateau))
            n->kind = DARC_NOISE_UNKNOWN;
        return;
    }
    double *d = darc_calloc((size_t)psd->bins, sizeof *d);
    for (int k = 0; k < psd->bins; k++)
        d[k] = darc_noiseshape_at(&s, k * psd->df);
    n->kind = DARC_NOISE_COLOURED;
    n->band = s.begin;
    n->dof = s.dof;
    set_kernel(n, d, psd->bins, dt);
    darc_free(d);
}

void darc_noiseband_apply(darc_noisemodel *n, const darc_psd *psd, int i,
                          bool coloured)
{
    ladder l = make_ladder(psd, i);
    int plateau = plateau_begin(&l);
    if (l.blocks - 1 - plateau >= LEAST_BAND * l.blocks)
        set_quantised_or_white(n, &l, psd, plateau);
    else
        set_bound(n, &l, psd);
    n->power_band = power_band(
        psd, i,
        n->kind == DARC_NOISE_NONE ? 0 : mean_level(&l, plateau, l.blocks - 1));
    n->edge = edge_level(psd, i, n->power_band);
    if (coloured)
        set_coloured(n, &l, psd, i, plateau);
    clear_ladder(&l);
}

/* Blocks of a level spectrum deviate by less than this many sigmas. */
static const double LEVEL_SIGMAS = 4.5;

/* Set d to the spectrum, averaged over bins whose distance is up to a tenth of
 * the frequency; the skirt of the window follows the bins above it. */
static void smooth(double *d, const darc_psd *psd)
{
    for (int k = 0; k < psd->bins; k++) {
        int at = k > SKIRT ? k : SKIRT + 1, reach = at / 10, n = 0;
        double sum = 0;
        for (int b = at - reach; b <= at + reach && b < psd->bins; b++, n++)
            sum += psd->s[b];
        d[k] = sum / n;
    }
}

void darc_noiseband_measure(darc_noisemodel *n, const darc_psd *psd)
{
    double dt = 1 / (2 * (psd->bins - 1) * psd->df);
    ladder l = make_ladder(psd, 0);
    double mean = mean_level(&l, 0, l.blocks);
    bool level = true;
    for (int b = 0; b < l.blocks - 1; b++)
        level =
            level && fabs(l.level[b] - mean) <= LEVEL_SIGMAS * l.spread * mean;
    n->dof = psd->averages * l.width * l.blocks;
    if (level) {
        set_white(n, mean, 0.5 / dt);
    } else {
        double *d = darc_calloc((size_t)psd->bins, sizeof *d);
        smooth(d, psd);
        set_kernel(n, d, psd->bins, dt);
        darc_free(d);
    }
    clear_ladder(&l);
}
