/* grid.h - is a series of times uniform?  Decided one time after another.
 *
 * Times t_i are uniform when some dt keeps |t_i - (t_0 + i dt)| <= tol_i
 * for all i, tol_i = the rounding of t_i plus 1e-6 dt, or up to 1e-6 s where
 * that is less than 1e-4 dt; or half a digit, where times are written with few
 * (all are multiples of 10^-k, dt is not) and that is less than a sixteenth of
 * dt.  Then t_0 is rounded too: places around the first time are tried for it.
 * Each i bounds dt from both sides; low .. high is the intersection so far.
 */
#ifndef DARC_DATA_GRID_H
#define DARC_DATA_GRID_H

#include <stdbool.h>
#include <stddef.h>

enum { DARC_GRID_PLACES = 9 };

typedef struct {
    size_t count;
    double first, last;
    double tolerance; /* apart from rounding, s */
    double digit;     /* 10^-k of which all times are multiples; 0: none */
    double half;      /* of that digit, where it counts; else 0 */
    double low[DARC_GRID_PLACES], high[DARC_GRID_PLACES]; /* bounds of dt, s,
                                                             for each t_0 */
    int place;     /* of t_0, the middle one possible; -1: not uniform */
    size_t filled; /* of the times, by darc_grid_fill */
} darc_grid;

void darc_grid_init(darc_grid *g);

/* Append the time t > the last one. */
void darc_grid_append(darc_grid *g, double t);

/* Return how many times are missing between the last one and t if all are
 * those of one uniform series; 0 also where they are not, or where they would
 * be too many for the rows that were read. */
size_t darc_grid_missing(const darc_grid *g, double t, size_t rows);

/* Append the first of `missing` times before t; return it, or NAN, and append
 * nothing, where rounding leaves no number between. */
double darc_grid_fill(darc_grid *g, size_t missing, double t);

/* Return the step, 0 if the times are not uniform or fewer than two. */
double darc_grid_step(const darc_grid *g);

#endif
