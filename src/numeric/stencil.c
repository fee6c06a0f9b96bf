#include "numeric/stencil.h"

#define DIFF(j) (w[j] * (y[t + (j)] - y[t - (j)]))
#define SUM(j) (w[j] * (y[t + (j)] + y[t - (j)]))
#define LOOP(expression)                                                       \
    do {                                                                       \
        for (ptrdiff_t t = 0; t < m; t++)                                      \
            out[t] = (expression);                                             \
        return;                                                                \
    } while (0)

static void apply_any(double *restrict out, const double *w, int half, bool odd,
                      const double *restrict y, ptrdiff_t m)
{
    for (ptrdiff_t t = 0; t < m; t++)
        out[t] = w[0] * y[t];
    for (int j = 1; j <= half; j++) {
        if (odd)
            for (ptrdiff_t t = 0; t < m; t++)
                out[t] += DIFF(j);
        else
            for (ptrdiff_t t = 0; t < m; t++)
                out[t] += SUM(j);
    }
}

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
        apply_any(out, w, half, true, y, m);
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
        apply_any(out, w, half, false, y, m);
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
