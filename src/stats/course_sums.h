/* course_sums.h - the sums that a course is found from. */
#pragma once

#include "stats/course.h"

/* Sums over values 0 .. i - 1 stand at i. */
typedef struct {
    const darc_course_data *d;
    int regressors;      /* covariates, two bends, the time off its middle */
    int used;            /* of them: without the time, or all */
    int skip[2];         /* values that do not count; -1: none */
    double middle;       /* of the times */
    double *info, *turn; /* sums of info, of z_r info; owned, with what
                            follows */
    double *score;       /* of the scores */
    double *bent;        /* n x p, what covariates do */
    double *bend;        /* sum of all z_r z_s info */
    double *turned;      /* sum of all z_r score */
    double *slope;       /* of each that is taken off */
    double *room;        /* p x (p regressors + 1) */
    double *a, *b;       /* sums over one stretch */
    int *index;          /* 0 .. p regressors - 1; owned */
} darc_course_sums;

/* Values that are allowed to be off. */
typedef struct {
    darc_course_data d;
    double *info, *score; /* in one piece; owned */
} darc_curved;

/* Add up the values of d, which must stay, for slopes of its covariates. */
void darc_course_sums_init(darc_course_sums *s, const darc_course_data *d);
void darc_course_sums_clear(darc_course_sums *s);

/* Return what one level of begin .. end - 1, slopes taken off, adds to 2 log L:
 * a' A^-1 a; 0 where a direction of it is not seen there. */
double darc_course_sums_gain(darc_course_sums *s, int begin, int end);

/* Slopes of the regressors in use, n = p used of them, come of m x = r.  Set
 * (m, r) to these sums beside the steps of c; nothing is taken off then. */
void darc_course_sums_slopes(darc_course_sums *s, const darc_course *c,
                             double *m, double *r);

/* Take from (m, r) what the level of a stretch takes up, B' A^-1 B and
 * B' A^-1 a; with sign -1 give it back. */
void darc_course_sums_take_level(darc_course_sums *s, int begin, int end,
                                 double *m, double *r, int sign);

/* Solve m x = b for columns of n slopes, in place; false where levels leave
 * less than DARC_COURSE_SEEN of one. */
bool darc_course_sums_solve(const darc_course_sums *s, const double *m,
                            double *b, int columns);

/* Return r' m^-1 r, what slopes add to 2 log L, and set x (or NULL) to them; 0
 * where one is not seen, and x stays. */
double darc_course_sums_slopes_gain(const darc_course_sums *s, const double *m,
                                    const double *r, double *x);

/* Take the best slopes beside the steps of c off, or none; return what they add
 * to 2 log L, 0 where one is not seen. */
double darc_course_sums_find_slopes(darc_course_sums *s, const darc_course *c);
void darc_course_sums_no_slopes(darc_course_sums *s);

/* Return regressor r of component j of value i. */
double darc_course_sums_regressor(const darc_course_sums *s, int i, int r,
                                  int j);

/* Set the bends of what covariates do, u of a logarithm: u^2 / 2 and u^3 / 3,
 * of factors 0 +- 1; they were 0.  Nothing is taken off then. */
void darc_course_sums_bend(darc_course_sums *s);

/* Allow every value to be off the line that is taken off by a share of its
 * range: info becomes info (1 + D info)^-1, D diagonal.  s refers to `to`, and
 * takes nothing off, then; release with darc_free(to->info). */
void darc_course_sums_allow_curves(darc_curved *to, darc_course_sums *s);
