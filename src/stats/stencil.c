#include "stats/stencil.h"

#define DIFF(j) (w[j] * (y[t + (j)] - y[t - (j)]))
#define SUM(j) (w[j] * (y[t + (j)] + y[t - (j)]))
#define LOOP(expression)                                                       \
    do {                                                                       \
        for (ptrdiff_t t = 0; t < m; t++)                                      \
            out[t] = (expression);                                             \
        return;                                                                \
    } while (0)

/* Wide formulas go along in strips, whose sums stay in registers. */
enum { STRIP = 16 };

#define ALONG(expression)                                                      \
    do {                                                                       \
        ptrdiff_t at = 0;                                                      \
        for (; at + STRIP <= m; at += STRIP) {                                 \
            double sum[STRIP];                                                 \
            for (ptrdiff_t t = at; t < at + STRIP; t++)                        \
                sum[t - at] = w[0] * y[t];                                     \
            for (int j = 1; j <= half; j++)                                    \
                for (ptrdiff_t t = at; t < at + STRIP; t++)                    \
                    sum[t - at] += (expression);                               \
            for (ptrdiff_t t = at; t < at + STRIP; t++)                        \
                out[t] = sum[t - at];                                          \
        }                                                                      \
        for (ptrdiff_t t = at; t < m; t++) {                                   \
            out[t] = w[0] * y[t];                                              \
            for (int j = 1; j <= half; j++)                                    \
                out[t] += (expression);                                        \
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
        ALONG(DIFF(j));
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
        ALONG(SUM(j));
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
