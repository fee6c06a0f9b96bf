/* polys.h - several polynomials with their gradients and rounding bounds. */
#ifndef DARC_PROGRAM_POLYS_H
#define DARC_PROGRAM_POLYS_H

#include "program/program.h"

/* u / (1 - k u) * k with u = 2^-53: k roundings in a row [Hig02]. */
double darc_gamma(double k);

/* A program, and the slot of each of its inputs; owned. */
typedef struct {
    darc_program *program;
    int *slot;
} darc_slotted;

/* Values arrive as in[slot[v]] for variable v of the jet; several parts of
 * one relation share the array `in`. */
typedef struct {
    int count;          /* polynomials */
    int slots;          /* length of in */
    darc_slotted value; /* the polynomials */
    darc_slotted size;  /* sums of the absolute values of their terms */
    darc_slotted slope; /* derivatives that are not 0; none: all are */
    int *slope_of; /* slope_of[i * slots + s]: output of `slope` that is the
                      derivative of polynomial i by in[s]; -1: 0; owned */
} darc_polys;

/* Set p to evaluate the polynomials poly; slot[v] of variable v of the jet,
 * -1 where it does not occur. */
void darc_polys_init(darc_polys *p, const darc_dpolys_t poly, const int *slot,
                     int slots, const darc_jet_t jet);
void darc_polys_clear(darc_polys *p);

/* Set value[i][t] to polynomial i at sample t < n. */
void darc_polys_values(const darc_polys *p, double *const *in,
                       double *const *value, size_t n);

/* Where the sizes and bounds of polynomials go. */
typedef struct {
    double *const *size;  /* size[i][t]: sum of the absolute values of the terms
                             of polynomial i */
    double *const *bound; /* bound[i][t]: of its rounding error */
    double *const *work;  /* slots + count columns */
} darc_bounds;

/* Set out for n samples, in[s] with an error of at most error[s].
 * |prod (v + e) - prod v| <= prod (|v| + |e|) - prod |v|, term by term. */
void darc_polys_bounds(const darc_polys *p, double *const *in,
                       const double *error, darc_bounds out, size_t n);

/* Set slope[k][t], k < darc_polys_slopes, to the derivatives that are not 0;
 * p->slope_of says which is which. */
void darc_polys_slopes(const darc_polys *p, double *const *in,
                       double *const *slope, size_t n);
int darc_polys_slope_count(const darc_polys *p);

#endif
