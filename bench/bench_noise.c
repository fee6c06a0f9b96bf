/* How often the noise of a signal is called white: six kinds of signals, 5 to
 * 50 samples a period, twelve kinds of noise of 0.1 to 5 % of the RMS.
 *
 *     bench_noise [RUNS [SEED]]     (default 600, 1)
 *
 * A row is a kind of noise: for 300, 1000, 3000 and 20000 samples the
 * percentage of runs called white and, where these are 20 or more, how much
 * the noise is estimated too low at most, in the worst 1 %: its RMS over the
 * estimate.  The last rows split white noise by signals.
 */
#include "noise/signalnoise.h"
#include "stats/fft.h"

#include "../tests/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNALS = 6, NOISES = 12, SIZES = 4, MOST = 20000 };

static const double PI = 3.14159265358979323846;
static const size_t size[SIZES] = {300, 1000, 3000, MOST};
static const char *const signal_name[SIGNALS] = {
    "sines", "multisine", "decays", "predator", "van der Pol", "RC steps"};
static const char *const noise_name[NOISES] = {
    "white", "AR .5",       "AR .9", "AR .99", "low-pass .05", "low-pass .3",
    "pink",  "random walk", "hum",   "t3",     "multiplies",   "rounding"};

static double between(double low, double high, uint64_t *state)
{
    return low + (high - low) * draw_uniform(state);
}

static double rms(const double *y, size_t n)
{
    double mean = 0, square = 0;
    for (size_t t = 0; t < n; t++)
        mean += y[t] / (double)n;
    for (size_t t = 0; t < n; t++)
        square += (y[t] - mean) * (y[t] - mean) / (double)n;
    return sqrt(square);
}

/* ---- signals ------------------------------------------------------------- */

/* y gets `count` sines of frequencies up to 1 / period, the first one there. */
static void sines(double *y, size_t n, double period, int count, uint64_t *s)
{
    memset(y, 0, n * sizeof *y);
    for (int i = 0; i < count; i++) {
        double w = 2 * PI / period * (i == 0 ? 1 : draw_uniform(s));
        double a = between(0.3, 1, s), phase = between(0, 2 * PI, s);
        for (size_t t = 0; t < n; t++)
            y[t] += a * sin(w * (double)t + phase);
    }
}

/* Blows to an oscillator about every eight periods. */
static void decays(double *y, size_t n, double period, uint64_t *s)
{
    double w = 2 * PI / period, z = between(0.05, 0.3, s);
    double a = 2 * exp(-z * w) * cos(w * sqrt(1 - z * z)), b = exp(-2 * z * w);
    for (size_t t = 0; t < n; t++) {
        bool blow = t == 1 || draw_uniform(s) * 8 * period < 1;
        y[t] = (blow ? between(0.5, 1, s) : 0) + (t > 0 ? a * y[t - 1] : 0) -
               (t > 1 ? b * y[t - 2] : 0);
    }
}

static void slope(double *d, const double *x, bool pol, double mu)
{
    d[0] = pol ? x[1] : x[0] * (1 - x[1]);
    d[1] = pol ? mu * (1 - x[0] * x[0]) * x[1] - x[0] : x[1] * (x[0] - 1);
}

static void runge_kutta(double *x, bool pol, double mu, double h)
{
    double k[4][2], y[2];
    slope(k[0], x, pol, mu);
    for (int i = 1; i < 4; i++) {
        for (int j = 0; j < 2; j++)
            y[j] = x[j] + h * (i < 3 ? 0.5 : 1) * k[i - 1][j];
        slope(k[i], y, pol, mu);
    }
    for (int j = 0; j < 2; j++)
        x[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
}

/* Predator and prey, or van der Pol's oscillator, on their orbits. */
static void orbit(double *y, size_t n, double period, bool pol, uint64_t *s)
{
    enum { SUBSTEPS = 20, LEAD = 200 };
    double mu = between(0.3, 3, s), x[2] = {pol ? 2 : between(1.3, 3, s), 1};
    double h = (pol ? 2 * PI * (1 + mu * mu / 20) : 6.7) / period / SUBSTEPS;
    for (size_t t = 0; t < n + LEAD; t++) {
        if (t >= LEAD)
            y[t - LEAD] = x[0];
        for (int i = 0; i < SUBSTEPS; i++)
            runge_kutta(x, pol, mu, h);
    }
}

static void rc_steps(double *y, size_t n, double period, uint64_t *s)
{
    size_t hold = period < 4 ? 2 : (size_t)(period / 2);
    double a = exp(-2 * PI / period), u = 0;
    for (size_t t = 0; t < n; t++) {
        u = t % hold == 0 ? between(-1, 1, s) : u;
        y[t] = t > 0 ? a * y[t - 1] + (1 - a) * u : 0;
    }
}

/* A signal of RMS 1. */
static void make_signal(double *y, size_t n, int kind, uint64_t *s)
{
    double period = 5 * pow(10, draw_uniform(s));
    if (kind < 2)
        sines(y, n, period, kind == 0 ? 3 : 40, s);
    else if (kind == 2)
        decays(y, n, period, s);
    else if (kind == 5)
        rc_steps(y, n, period, s);
    else
        orbit(y, n, period, kind == 4, s);
    double scale = rms(y, n);
    for (size_t t = 0; t < n; t++)
        y[t] /= scale;
}

/* ---- noise --------------------------------------------------------------- */

/* White noise through the recursive filter b, a of second order. */
static void filtered(double *e, size_t n, const double *b, const double *a,
                     uint64_t *s)
{
    enum { LEAD = 3000 };
    double z[2] = {0, 0};
    for (size_t t = 0; t < n + LEAD; t++) {
        double x = draw_normal(s), y = b[0] * x + z[0];
        z[0] = b[1] * x - a[1] * y + z[1];
        z[1] = b[2] * x - a[2] * y;
        if (t >= LEAD)
            e[t - LEAD] = y;
    }
}

static void low_pass(double *e, size_t n, double corner, uint64_t *s)
{
    double k = tan(PI * corner / 2), d = 1 + sqrt(2) * k + k * k;
    double b[3] = {k * k / d, 2 * k * k / d, k * k / d};
    double a[3] = {1, 2 * (k * k - 1) / d, (1 - sqrt(2) * k + k * k) / d};
    filtered(e, n, b, a, s);
}

static void pink(double *e, size_t n, uint64_t *s)
{
    enum { LENGTH = 1 << 17 };
    static double re[LENGTH], im[LENGTH];
    int length = 256;
    while ((size_t)length < 4 * n)
        length *= 2;
    for (int k = 0; k < length; k++) {
        int f = k < length / 2 ? k : length - k;
        re[k] = draw_normal(s) / sqrt(f > 0 ? f : 1);
        im[k] = draw_normal(s) / sqrt(f > 0 ? f : 1);
    }
    darc_fft_plan plan;
    darc_fft_plan_init(&plan, length);
    darc_fft_run(&plan, re, im);
    darc_fft_plan_clear(&plan);
    memcpy(e, re, n * sizeof *e);
}

/* Noise that is white in truth, of RMS 1 about. */
static double white(int kind, double y, uint64_t *s)
{
    double z = draw_normal(s), c = 0;
    for (int i = 0; i < 3 && kind == 9; i++)
        c += pow(draw_normal(s), 2) / 3;
    return kind == 9 ? z / sqrt(3 * c) : kind == 10 ? z * fabs(y) : z;
}

static void make_noise(double *e, const double *y, size_t n, int kind,
                       uint64_t *s)
{
    static const double pole[] = {0.5, 0.9, 0.99};
    double w = PI * between(0.05, 0.9, s), phase = between(0, 2 * PI, s);
    if (kind >= 1 && kind <= 3)
        filtered(e, n, (double[]){1, 0, 0}, (double[]){1, -pole[kind - 1], 0},
                 s);
    else if (kind == 4 || kind == 5)
        low_pass(e, n, kind == 4 ? 0.05 : 0.3, s);
    else if (kind == 6)
        pink(e, n, s);
    else
        for (size_t t = 0; t < n; t++) {
            e[t] = white(kind, y[t], s);
            if (kind == 7 && t > 0)
                e[t] += e[t - 1];
            if (kind == 8)
                e[t] = 0.5 * e[t] + 1.22 * sin(w * (double)t + phase);
        }
}

/* Add noise to y; return its RMS. */
static double spoil(double *y, size_t n, int kind, uint64_t *s)
{
    static double e[MOST];
    double share = 0.001 * pow(50, draw_uniform(s)), low = y[0], high = y[0];
    for (size_t t = 0; t < n; t++) {
        low = fmin(low, y[t]);
        high = fmax(high, y[t]);
    }
    double step = ldexp(high - low, -(int)between(8, 13, s));
    make_noise(e, y, n, kind, s);
    share /= kind == 0 || kind == 9 ? 1 : rms(e, n);
    for (size_t t = 0; t < n; t++)
        e[t] = kind == 11 ? step * round(y[t] / step) - y[t] : share * e[t];
    for (size_t t = 0; t < n; t++)
        y[t] += e[t];
    return rms(e, n);
}

/* ---- rates --------------------------------------------------------------- */

typedef struct {
    int runs, white;
    double *ratio; /* true over estimated RMS of those called white */
} cell;

static void run(cell *c, double *y, size_t n, int signal, int noise,
                uint64_t *s)
{
    darc_signal column = {.value = y};
    darc_segment all = {0, n};
    darc_table table = {.file = "",
                        .samples = n,
                        .dt = 1,
                        .signals = 1,
                        .signal = &column,
                        .segments = 1,
                        .segment = &all};
    darc_signalnoise found;
    make_signal(y, n, signal, s);
    double sd = spoil(y, n, noise, s);
    if (darc_signalnoise_read(&found, &table, (int[]){0}, 1, NULL) != DARC_OK)
        exit(EXIT_FAILURE);
    c->runs++;
    if (found.colour == DARC_COLOUR_WHITE)
        c->ratio[c->white++] = sd / found.sd;
    darc_signalnoise_clear(&found);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void print(const cell *c)
{
    printf(" %5.1f", 100.0 * c->white / c->runs);
    qsort(c->ratio, (size_t)c->white, sizeof *c->ratio, descending);
    if (c->white >= 20)
        printf(" (%4.2f)", c->ratio[c->white / 100]);
    else
        printf("       ");
}

static void print_rows(const char *name, int signal, int noise, int runs,
                       uint64_t seed)
{
    static double y[MOST];
    printf("%-13s", name);
    for (int i = 0; i < SIZES; i++) {
        uint64_t state = seed + 1000 * (uint64_t)noise + (uint64_t)i;
        cell c = {0, 0, malloc((size_t)runs * sizeof(double))};
        for (int r = 0; r < runs && c.ratio != NULL; r++)
            run(&c, y, size[i], signal < 0 ? r % SIGNALS : signal, noise,
                &state);
        print(&c);
        free(c.ratio);
        fflush(stdout);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 600;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (int k = 0; k < NOISES; k++)
        print_rows(noise_name[k], -1, k, runs, seed);
    for (int i = 0; i < SIGNALS; i++)
        print_rows(signal_name[i], i, 0, runs / SIGNALS, seed);
    return EXIT_SUCCESS;
}
