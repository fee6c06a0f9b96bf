#include "noise/growth.h"

#include "noise/limits.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = DARC_GROWTH_MOST_ORDER };

/* Weights of differences of even order around 0, of unit square sum. */
typedef struct {
    int half; /* of the order */
    double at[MOST / 2 + 1];
} weights;

/* Squares of differences, x, on those of the signal, y; and of differences of
 * two orders less. */
typedef struct {
    double n, x, xx, y, yy, xy, less;
} sums;

static weights weights_of(int order)
{
    weights w = {order / 2, {1}};
    double side = 1, norm = 1; /* from the middle outwards */
    for (int i = 1; i <= w.half; i++) {
        side *= -(double)(w.half - i + 1) / (w.half + i);
        w.at[i] = side;
        norm += 2 * side * side;
    }
    for (int i = 0; i <= w.half; i++)
        w.at[i] /= sqrt(norm);
    return w;
}

/* The sum of the squared correlations of differences: so many of their squares
 * are worth one. */
static double worth(const weights *w)
{
    double sum = 0;
    int h = w->half;
    for (int l = -2 * h; l <= 2 * h; l++) {
        double r = 0;
        for (int i = -h; i <= h; i++)
            r += abs(i + l) <= h ? w->at[abs(i)] * w->at[abs(i + l)] : 0;
        sum += r * r;
    }
    return sum;
}

/* The square of three samples around one, which its noise hardly moves. */
static double square_at(const double *y)
{
    double mean = (y[-1] + y[0] + y[1]) / 3;
    return mean * mean;
}

static double difference_at(const double *y, const weights *w)
{
    double d = w->at[0] * y[0];
    for (int i = 1; i <= w->half; i++)
        d += w->at[i] * (y[-i] + y[i]);
    return d * d;
}

static void add_square(sums *s, double x, double y)
{
    s->n++;
    s->x += x;
    s->xx += x * x;
    s->y += y;
    s->yy += y * y;
    s->xy += x * y;
}

/* Every so many samples are enough for sums over a recording. */
static size_t stride(const darc_table *table)
{
    return 1 + table->samples / DARC_GROWTH_SAMPLES;
}

static sums collect(const weights *w, const darc_table *table, int signal)
{
    sums s = {0};
    size_t every = stride(table);
    weights less = weights_of(2 * w->half - 2);
    size_t ends = 2 * (size_t)w->half;
    const double *value = table->signal[signal].value;
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        for (size_t t = g.begin + ends; t + ends < g.end; t += every) {
            add_square(&s, difference_at(value + t, w), square_at(value + t));
            s.less += difference_at(value + t, &less);
        }
        darc_table_done(table, g.begin, g.end);
    }
    return s;
}

/* Variances of noise by sample, a + b y^2. */
static void set_variances(double *v, const darc_table *table, int signal,
                          double a, double b)
{
    const double *value = table->signal[signal].value;
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        for (size_t t = g.begin; t < g.end; t++) {
            size_t at = t > g.begin ? t : t + 1;
            at = at + 1 < g.end ? at : g.end - 2;
            v[t] = b > 0 ? a + b * square_at(value + at) : a;
        }
    }
}

/* Raise the variances where spikes are; return whether there is one.  The
 * largest of the differences that a spike enters stands at its place. */
static bool raise_spikes(double *v, const weights *w, const darc_table *table,
                         int signal)
{
    size_t half = (size_t)w->half, ends = 2 * half;
    const double *value = table->signal[signal].value;
    double most = pow(DARC_SPIKE_SIGMAS, 2), own = w->at[0] * w->at[0];
    bool any = false;
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        for (size_t t = g.begin + ends; t + ends < g.end; t++) {
            double d = difference_at(value + t, w);
            bool largest = d > most * v[t];
            for (size_t k = t - half; k <= t + half && largest; k++)
                largest = difference_at(value + k, w) <= d;
            if (!largest)
                continue;
            v[t] = d / own;
            any = true;
        }
    }
    return any;
}

/* Make variances the roots of what they are over their mean; return it. */
static double scale_roots(double *v, const darc_table *table)
{
    double sum = 0, n = 0;
    for (int i = 0; i < table->segments; i++)
        for (size_t t = table->segment[i].begin; t < table->segment[i].end;
             t++, n++)
            sum += v[t];
    for (size_t t = 0; t < table->samples; t++)
        v[t] = sqrt(v[t] * n / sum);
    return sum / n;
}

/* The mean square of differences that hold no spike, `all` on the average. */
static double calm(double all, const weights *w, const darc_table *table,
                   int signal)
{
    enum { ROUNDS = 3 };
    size_t every = stride(table), ends = 2 * (size_t)w->half;
    const double *value = table->signal[signal].value;
    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0, n = 0, most = pow(DARC_SPIKE_SIGMAS, 2) * all;
        for (int i = 0; i < table->segments; i++) {
            darc_segment g = table->segment[i];
            for (size_t t = g.begin + ends; t + ends < g.end; t += every) {
                double d = difference_at(value + t, w);
                sum += d < most ? d : 0;
                n += d < most;
            }
        }
        all = sum / n;
    }
    return all;
}

bool darc_growth_find(double *factor, double *variance, const darc_table *table,
                      int signal)
{
    weights w = weights_of(DARC_GROWTH_ORDER);
    sums s = collect(&w, table, signal);
    while (s.less > DARC_GROWTH_MOST * s.x && 2 * w.half < MOST) {
        w = weights_of(2 * w.half + DARC_GROWTH_MORE);
        s = collect(&w, table, signal);
    }
    double x = s.x / s.n, y = s.y / s.n;
    double spread = s.yy - s.n * y * y, scatter = s.xx / s.n - x * x;
    double b = (s.xy - s.x * y) / spread;
    double doubt = sqrt(scatter * worth(&w) / spread);
    bool grows = b > DARC_GROWTH_SIGMAS * doubt;
    if (!(s.n >= DARC_NOISE_SAMPLES) || s.less > DARC_GROWTH_MOST * s.x)
        return false;
    double rest = fmax(x - b * y, DARC_GROWTH_REST * x);
    if (!grows)
        rest = calm(x, &w, table, signal);
    set_variances(factor, table, signal, rest, grows ? b : 0);
    if (!raise_spikes(factor, &w, table, signal) && !grows)
        return false;
    *variance = scale_roots(factor, table);
    return true;
}
