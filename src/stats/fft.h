/* fft.h - complex fast Fourier transforms. */
#pragma once

/* Roots of unity for n = 2^k values. */
typedef struct {
    int n;
    double *c, *s; /* cos, sin of pi k / half at half + k, k < half; owned */
} darc_fft_plan;

void darc_fft_plan_init(darc_fft_plan *plan, int n);
void darc_fft_plan_clear(darc_fft_plan *plan);

/* In place: x(f) = sum x(t) exp(-2 pi i f t / n), without a factor. */
void darc_fft_run(const darc_fft_plan *plan, double *re, double *im);
