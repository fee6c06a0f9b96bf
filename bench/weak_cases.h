/* weak_cases.h - simulated recordings of four relations, for the calibration
 * benchmark and the tests of the weak form.
 *
 * Signals are sums of sines with random phases, so that derivatives are
 * exact; the driving signal follows from the equation.  Predator and prey are
 * integrated by Runge-Kutta.
 */
#ifndef DARC_BENCH_WEAK_CASES_H
#define DARC_BENCH_WEAK_CASES_H

#include "algebra/dpoly.h"
#include "data/table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef enum { CASE_QUARTER, CASE_DUFFING, CASE_PREY, CASE_SQUARE } case_kind;

/* What is added to white noise. */
typedef enum { NOISE_WHITE, NOISE_LOWPASS, NOISE_EIGHT_BIT } case_noise;

/* Factors on the parameters, and a term the model does not hold. */
typedef struct {
    double seconds, rate;
    double noise; /* relative to the RMS of each signal */
    case_noise kind;
    double scale[4]; /* of the parameters: quarter car m, c, d */
    double missing;  /* RMS share of a cubic term in the first signal */
} case_options;

static inline double case_uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(0x2545F4914F6CDD1D)) >> 11) /
           9007199254740992.0;
}

static inline double case_normal(uint64_t *state)
{
    double r = sqrt(-2 * log(1 - case_uniform(state)));
    return r * cos(6.28318530717958647692 * case_uniform(state));
}

/* ---- frames and parts -----------------------------------------------------
 */

/* Names "a z" or "y u" or "y"; orders 0 .. 4. */
static inline void case_frame(darc_jet_t jet, case_kind kind)
{
    static const char *const name[4][2] = {
        {"a", "z"}, {"y", "u"}, {"y", NULL}, {"y", "u"}};
    darc_names_t names;
    darc_names_init(names);
    for (int i = 0; i < 2 && name[kind][i] != NULL; i++)
        darc_names_add(names, name[kind][i],
                       name[kind][i][0] == 'u' ? DARC_INPUT : DARC_OUTPUT);
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_jet_init(jet, names, rk, (int[]){4, 4});
    darc_ranking_clear(rk);
    darc_names_clear(names);
}

/* Append a*u0^(k0)^e0 * u1^(k1)^e1 - b*..., written "+1 y2 y0 -1 y1 y1": a
 * sign and factor, then letter and order of each derivative. */
static inline void case_part(darc_dpolys_t part, const char *text,
                             const darc_jet_t jet)
{
    darc_dpoly_t sum, term, v;
    darc_dpoly_init(sum, jet);
    darc_dpoly_init(term, jet);
    darc_dpoly_init(v, jet);
    for (const char *s = text; *s != '\0'; s++) {
        if (*s == '+' || *s == '-') {
            fmpz_mpoly_add(sum, sum, term, jet->ctx);
            fmpz_mpoly_set_si(term, (*s == '-' ? -1 : 1) * (s[1] - '0'),
                              jet->ctx);
            s++;
        } else if (*s != ' ') {
            int u = darc_names_find(jet->names, s, 1);
            darc_dpoly_set_deriv(v, (darc_deriv){u, s[1] - '0'}, jet);
            fmpz_mpoly_mul(term, term, v, jet->ctx);
            s++;
        }
    }
    fmpz_mpoly_add(sum, sum, term, jet->ctx);
    darc_dpolys_append_take(part, sum, jet);
    darc_dpoly_clear(sum, jet);
    darc_dpoly_clear(term, jet);
    darc_dpoly_clear(v, jet);
}

static inline void case_parts(darc_dpolys_t part, case_kind kind,
                              const darc_jet_t jet)
{
    static const char *const text[4][6] = {
        {"+1a0", "+1z0", "+1z1"},
        {"+1y2", "+1y1", "+1y0", "+1y0y0y0", "+1u0"},
        {"+1y0y2-1y1y1", "+1y0y0y1", "+1y0y1", "+1y0y0y0", "+1y0y0"},
        {"+1y2", "+1y1y1", "+1y0", "+1u0"}};
    for (int i = 0; i < 6 && text[kind][i] != NULL; i++)
        case_part(part, text[kind][i], jet);
}

/* ---- signals --------------------------------------------------------------
 */

enum { CASE_SINES = 60 };

/* y[k][t]: derivative k of a sum of sines between 0.2 and 12 Hz, amplitude
 * falling with frequency, RMS 1. */
static inline void case_sines(double *const y[3], size_t n, double rate,
                              double top, uint64_t *state)
{
    double squares = 0, amplitude[CASE_SINES], omega[CASE_SINES],
           phase[CASE_SINES];
    for (int i = 0; i < CASE_SINES; i++) {
        double f = 0.2 + (top - 0.2) * (i + case_uniform(state)) / CASE_SINES;
        omega[i] = 6.28318530717958647692 * f;
        amplitude[i] = 1 / (1 + pow(4 * f / top, 2));
        phase[i] = 6.28318530717958647692 * case_uniform(state);
        squares += amplitude[i] * amplitude[i] / 2;
    }
    for (size_t t = 0; t < n; t++) {
        double x[3] = {0, 0, 0};
        for (int i = 0; i < CASE_SINES; i++) {
            double arg = omega[i] * (double)t / rate + phase[i];
            double a = amplitude[i] / sqrt(squares);
            double s = a * sin(arg), c = a * cos(arg);
            x[0] += s;
            x[1] += omega[i] * c;
            x[2] -= omega[i] * omega[i] * s;
        }
        for (int k = 0; k < 3; k++)
            y[k][t] = x[k];
    }
}

static inline double case_rms(const double *y, size_t n)
{
    double mean = 0, sum = 0;
    for (size_t t = 0; t < n; t++)
        mean += y[t] / (double)n;
    for (size_t t = 0; t < n; t++)
        sum += (y[t] - mean) * (y[t] - mean);
    return sqrt(sum / (double)n);
}

static inline void case_low_pass(double *n, size_t count, double rate)
{
    /* second-order Butterworth, 15 Hz, bilinear; kept at its variance */
    double w = tan(3.14159265358979323846 * 15 / rate), q = sqrt(2.0);
    double a0 = 1 + q * w + w * w, b = w * w / a0;
    double a1 = 2 * (w * w - 1) / a0, a2 = (1 - q * w + w * w) / a0;
    double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (size_t t = 0; t < count; t++) {
        double x = n[t];
        double y = b * (x + 2 * x1 + x2) - a1 * y1 - a2 * y2;
        x2 = x1;
        x1 = x;
        y2 = y1;
        y1 = y;
        n[t] = y;
    }
    double rms = case_rms(n, count);
    for (size_t t = 0; t < count; t++)
        n[t] /= rms;
}

static inline void case_disturb(double *y, size_t n, const case_options *o,
                                uint64_t *state)
{
    double rms = case_rms(y, n), *noise = malloc(n * sizeof *noise);
    for (size_t t = 0; t < n; t++)
        noise[t] = case_normal(state);
    if (o->kind == NOISE_LOWPASS)
        case_low_pass(noise, n, o->rate);
    for (size_t t = 0; t < n; t++)
        y[t] += o->noise * rms * noise[t];
    if (o->kind == NOISE_EIGHT_BIT) {
        double most = 0;
        for (size_t t = 0; t < n; t++)
            most = fmax(most, fabs(y[t]));
        for (size_t t = 0; t < n; t++)
            y[t] = round(y[t] / most * 127) / 127 * most;
    }
    free(noise);
}

static inline void case_prey(double *y, size_t n, const case_options *o,
                             uint64_t *state)
{
    double a = 1.0 * o->scale[0], b = 0.6, c = 0.8 * o->scale[1],
           d = 0.5 * o->scale[2];
    double x = 1 + case_uniform(state), p = 1 + case_uniform(state);
    enum { SUB = 2 };
    double h = 1 / (o->rate * SUB);
    for (size_t t = 0; t < n; t++) {
        y[t] = x;
        for (int s = 0; s < SUB; s++) {
            double kx[4], kp[4], ax = x, ap = p;
            for (int i = 0; i < 4; i++) {
                kx[i] = a * ax - b * ax * ap;
                kp[i] = -c * ap + d * ax * ap;
                double g = i < 2 ? h / 2 : h;
                ax = x + g * kx[i];
                ap = p + g * kp[i];
            }
            x += h / 6 * (kx[0] + 2 * kx[1] + 2 * kx[2] + kx[3]);
            p += h / 6 * (kp[0] + 2 * kp[1] + 2 * kp[2] + kp[3]);
        }
    }
}

/* The signal that the others drive, from x and its derivatives. */
static inline void case_driven(double *u, double *const x[3], size_t n,
                               case_kind kind, const case_options *o)
{
    const double *s = o->scale;
    for (size_t t = 0; t < n; t++) {
        double y = x[0][t], v = x[1][t], w = x[2][t];
        if (kind == CASE_QUARTER)
            u[t] = (20000 * s[1] * y + 1500 * s[2] * v) / (300 * s[0]);
        else if (kind == CASE_DUFFING)
            u[t] = s[0] * w + 1.5 * s[1] * v + 60 * s[2] * y +
                   25 * s[3] * y * y * y;
        else
            u[t] = s[0] * w + 0.4 * s[1] * v * v + 60 * s[2] * y;
    }
    double *cube = malloc(n * sizeof *cube);
    for (size_t t = 0; t < n; t++)
        cube[t] = x[0][t] * x[0][t] * x[0][t];
    double ratio = o->missing * case_rms(u, n) / case_rms(cube, n);
    for (size_t t = 0; t < n; t++)
        u[t] += ratio * cube[t];
    free(cube);
}

/* Fill the recording with one realisation: `exact` seeds the signals,
 * `state` the noise. */
static inline darc_table *case_table(case_kind kind, const case_options *o,
                                     uint64_t *exact, uint64_t *state)
{
    size_t n = (size_t)(o->seconds * o->rate);
    darc_table *table = calloc(1, sizeof *table);
    table->samples = table->rows = n;
    table->dt = 1 / o->rate;
    table->file = strdup("simulated");
    table->segments = 1;
    table->segment = calloc(1, sizeof *table->segment);
    table->segment[0].end = n;
    table->signals = kind == CASE_PREY ? 1 : 2;
    table->signal = calloc((size_t)table->signals, sizeof *table->signal);
    for (int i = 0; i < table->signals; i++)
        table->signal[i].value = calloc(n, sizeof(double));
    if (kind == CASE_PREY) {
        case_prey(table->signal[0].value, n, o, exact);
    } else {
        double *x[3];
        for (int k = 0; k < 3; k++)
            x[k] = calloc(n, sizeof(double));
        case_sines(x, n, o->rate, kind == CASE_QUARTER ? 12 : 4, exact);
        int driven = kind == CASE_QUARTER ? 0 : 1;
        case_driven(table->signal[driven].value, x, n, kind, o);
        memcpy(table->signal[1 - driven].value, x[0], n * sizeof(double));
        for (int k = 0; k < 3; k++)
            free(x[k]);
    }
    for (int i = 0; i < table->signals; i++)
        case_disturb(table->signal[i].value, n, o, state);
    return table;
}

static inline void case_free(darc_table *table)
{
    for (int i = 0; i < table->signals; i++)
        free(table->signal[i].value);
    free(table->signal);
    free(table->segment);
    free(table->file);
    free(table);
}

#endif
