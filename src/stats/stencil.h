/* stencil.h - fixed weights applied along a column. */
#ifndef DARC_STATS_STENCIL_H
#define DARC_STATS_STENCIL_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(NDEBUG)
#define DARC_EVERY_WIDTH __attribute__((target_clones("avx2", "default")))
#else
#define DARC_EVERY_WIDTH
#endif

/* Set out[t], t < n, to the sum of w[j] * y[t + j], -half <= j <= half, where
 * w[-j] = w[j], or, if odd, w[-j] = -w[j]; by pairs: w[j] (y[t+j] +- y[t-j]).
 * At most half + 3 roundings of each product. */
void darc_stencil_apply(double *restrict out, const double *w, int half,
                        bool odd, const double *restrict y, size_t n);

#endif
