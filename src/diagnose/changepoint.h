/* changepoint.h - where the mean of a sequence of estimates changes. */
#ifndef DARC_DIAGNOSE_CHANGEPOINT_H
#define DARC_DIAGNOSE_CHANGEPOINT_H

typedef struct {
    int at;        /* first value after the change */
    double change; /* of the weighted mean */
    double sd;
} darc_changepoint;

/* Split x[0 .. n-1], independent with standard deviations sd > 0, where the
 * weighted means of both sides differ most, and each side again; a split
 * counts when its difference beyond the tolerance has a p-value, times the
 * n - 1 places tried, below alpha.  Set found (n places) in rising order and
 * return their number.  Cost O(n^2) at worst. */
int darc_changepoints(darc_changepoint *found, const double *x,
                      const double *sd, int n, double alpha, double tolerance);

#endif
