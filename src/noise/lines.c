#include "noise/lines.h"

#include "noise/limits.h"
#include "noise/shelf.h"

#include <math.h>

#define PI 3.14159265358979323846

/* The amplitude of a sine of w radians a sample in samples of a segment, by a
 * window whose other lobes fall fast. */
static double amplitude(const double *y, size_t n, double w)
{
    double a = 0, b = 0, c = 1, s = 0, dc = cos(w), ds = sin(w);
    double wc = cos(PI / (double)n), ws = sin(PI / (double)n);
    double half = sin(0.5 * PI / (double)n), other = cos(0.5 * PI / (double)n);
    for (size_t i = 0; i < n; i++) {
        double v = half * half * y[i], turned = c * dc - s * ds;
        a += v * c;
        b += v * s;
        s = c * ds + s * dc;
        c = turned;
        turned = other * wc - half * ws;
        half = other * ws + half * wc;
        other = turned;
    }
    return 4 * hypot(a, b) / (double)n;
}

/* The amplitude of a line near w, which moves there; 0: it does not stand all
 * the time, or not above what is beside it. */
static double line_size(const double *y, size_t n, double *w)
{
    double best = 0, beside = 0, least = HUGE_VAL, most = 0, from = *w;
    double bin = 2 * PI / (double)n;
    for (int k = -24; k <= 24; k++) {
        double size = amplitude(y, n, from + k * bin / 8);
        if (size > best) {
            best = size;
            *w = from + k * bin / 8;
        }
    }
    for (int k = 4; k < 12; k++)
        beside +=
            (amplitude(y, n, *w - k * bin) + amplitude(y, n, *w + k * bin)) /
            16;
    for (size_t third = 0; third < 3; third++) {
        double size = amplitude(y + third * (n / 3), n / 3, *w);
        least = fmin(least, size);
        most = fmax(most, size);
    }
    return best > DARC_LINE_ABOVE * beside && least > DARC_LINE_STEADY * most
               ? best
               : 0;
}

/* The samples that are looked at: of the longest segment the first. */
static const double *samples_of(size_t *n, const darc_table *table, int signal)
{
    darc_segment s = darc_table_longest(table);
    *n =
        s.end - s.begin < DARC_LINE_PLACES ? s.end - s.begin : DARC_LINE_PLACES;
    return table->signal[signal].value + s.begin;
}

bool darc_lines_has(const darc_table *table, int signal, double hertz)
{
    size_t n;
    double w = 2 * PI * hertz * table->dt;
    const double *y = samples_of(&n, table, signal);
    return line_size(y, n, &w) > 0;
}

/* What spectrum and samples show. */
typedef struct {
    const darc_signalnoise *noise;
    const double *y;
    size_t n;
    int lines, bin[DARC_LINES_ALL]; /* by frequency */
    int top;                        /* the highest bin */
    double turn;                    /* radians a sample that a bin is */
} look;

/* Return the highest bin: of a slow sine, which may be too slow to stand out as
 * a line. */
static int top_of(const darc_periodogram *p)
{
    int top = 1;
    for (int k = 2; k < p->bins; k++)
        top = p->s[k] > p->s[top] ? k : top;
    return top;
}

static void open_look(look *k, const darc_signalnoise *n,
                      const darc_table *table, int signal)
{
    darc_periodogram p;
    *k = (look){.noise = n};
    k->y = samples_of(&k->n, table, signal);
    darc_periodogram_init(&p, table, &signal, 1, DARC_STRETCH_PARTS, false);
    if (p.bins > 0) {
        k->turn = PI / (p.bins - 1);
        k->lines = darc_shelf_lines(k->bin, &p);
        k->top = top_of(&p);
    }
    darc_periodogram_clear(&p);
}

/* The size of the line at a bin, as a share of the signal; *hertz gets where.
 */
static double size_at(double *hertz, const look *k, int bin, double dt)
{
    double w = bin * k->turn;
    double size = line_size(k->y, k->n, &w) / sqrt(2) / k->noise->rms;
    *hertz = w / (2 * PI * dt);
    return size > DARC_LINE_LEAST ? size : 0;
}

int darc_lines_find(darc_line *list, const darc_signalnoise *n,
                    const darc_table *table, int signal)
{
    look k;
    int count = 0;
    double hertz, size;
    if (!(table->dt > 0) || !(n->rms > 0))
        return 0;
    open_look(&k, n, table, signal);
    /* whether the signal itself is made of lines */
    bool own = k.lines > 0 && size_at(&hertz, &k, k.top, table->dt) > 0 &&
               hertz <= n->power_band;
    for (int i = 0; i < k.lines && count < DARC_LINES_MOST; i++) {
        double at = k.bin[i] * k.turn / (2 * PI * table->dt);
        if (own && at <= n->signal_band)
            continue;
        size = size_at(&hertz, &k, k.bin[i], table->dt);
        if (size > 0 && hertz <= n->power_band)
            own = true;
        else if (size > 0)
            list[count++] = (darc_line){hertz, size};
    }
    return count;
}
