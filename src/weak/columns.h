/* columns.h - the moments of a piece as columns: added up, whitened by the
 * covariance V = L L', multiplied.
 */
#ifndef DARC_WEAK_COLUMNS_H
#define DARC_WEAK_COLUMNS_H

#include "weak/piece.h"

typedef struct {
    double *e;      /* whitened residual L^-1 e */
    double *x;      /* V^-1 e */
    double *raw;    /* L^-1 W */
    double *reg;    /* L^-1 W~ */
    double *hold;   /* noise fields, all channels */
    double *factor; /* L, lower band; not owned */
} darc_columns_room;

/* a = L^-1 a (trans 'T': L^-T a) for r columns. */
void darc_columns_whiten(const darc_weak_work *work, const darc_columns_room *b,
                         double *a, int r, char trans);

/* Set out to sum_j c_j column j of w. */
void darc_columns_combine(const darc_weak_work *work, double *out,
                          const double *w, const double *c);

/* h += a' a, a of k rows. */
void darc_columns_gram(double *h, const double *a, size_t k, int coeffs);

/* Return the moments of all pieces, column by column: functions * equations
 * rows; the caller frees them. */
double *darc_columns_all(const darc_weak *weak);

#endif
