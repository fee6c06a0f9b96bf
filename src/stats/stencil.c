#include "stats/stencil.h"

#include <string.h>

#define DIFF(j) (w[j] * (y[t + (j)] - y[t - (j)]))
#define SUM(j) (w[j] * (y[t + (j)] + y[t - (j)]))
#define LOOP(expression)                                                       \
    do {                                                                       \
        for (ptrdiff_t t = 0; t < m; t++)                                      \
            out[t] = (expression);                                             \
        return;                                                                \
    } while (0)

/* Wide formulas go along in strips, whose sums stay in registers: the loop over
 * samples is written in vectors, since compilers take the one over weights. */
enum { LANES = 4, STRIP = 16 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

#define ALONG(op, term)                                                        \
    do {                                                                       \
        ptrdiff_t at = 0;                                                      \
        for (; at + STRIP <= m; at += STRIP) {                                 \
            lanes sum[STRIP / LANES], a, b;                                    \
            for (ptrdiff_t k = 0; k < STRIP / LANES; k++) {                    \
                memcpy(&a, y + at + LANES * k, sizeof a);                      \
                sum[k] = w[0] * a;                                             \
            }                                                                  \
            for (ptrdiff_t j = 1; j <= half; j++)                              \
                for (ptrdiff_t k = 0; k < STRIP / LANES; k++) {                \
                    memcpy(&a, y + at + LANES * k + j, sizeof a);              \
                    memcpy(&b, y + at + LANES * k - j, sizeof b);              \
                    sum[k] += w[j] * (a op b);                                 \
                }                                                              \
            memcpy(out + at, sum, sizeof sum);                                 \
        }                                                                      \
        for (ptrdiff_t t = at; t < m; t++) {                                   \
            out[t] = w[0] * y[t];                                              \
            for (int j = 1; j <= half; j++)                                    \
                out[t] += (term);                                              \
        }                                                                      \
    } while (0)

DARC_EVERY_WIDTH static void apply_odd(double *restrict out, const double *w,
                                       int half, const double *restrict y,
                                       ptrdiff_t m)
{
    switch (half) {
    case 1:
        LOOP(DIFF(1));
    case 2:
        LOOP(DIFF(1) + DIFF(2));
    case 3:
        LOOP(DIFF(1) + DIFF(2) + DIFF(3));
    case 4:
        LOOP(DIFF(1) + DIFF(2) + DIFF(3) + DIFF(4));
    default:
        ALONG(-, DIFF(j));
    }
}

DARC_EVERY_WIDTH static void apply_even(double *restrict out, const double *w,
                                        int half, const double *restrict y,
                                        ptrdiff_t m)
{
    switch (half) {
    case 1:
        LOOP(w[0] * y[t] + SUM(1));
    case 2:
        LOOP(w[0] * y[t] + SUM(1) + SUM(2));
    case 3:
        LOOP(w[0] * y[t] + SUM(1) + SUM(2) + SUM(3));
    case 4:
        LOOP(w[0] * y[t] + SUM(1) + SUM(2) + SUM(3) + SUM(4));
    default:
        ALONG(+, SUM(j));
    }
}

void darc_stencil_apply(double *restrict out, const double *w, int half,
                        bool odd, const double *restrict y, size_t n)
{
    if (odd)
        apply_odd(out, w, half, y, (ptrdiff_t)n);
    else
        apply_even(out, w, half, y, (ptrdiff_t)n);
}
