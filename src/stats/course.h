/* course.h - what a sequence of estimates does: nothing, steps, a steady trend,
 * beside what covariates make of it.
 *
 * Of the p components of value i, -2 log L = x' info_i x - 2 score_i' x up to a
 * constant, around a common origin.  Between steps x stays, or goes along one
 * line; whatever else it does, it goes linearly with the covariates.  A step
 * counts when it raises 2 log L by more than the quantile of a
 * test at level alpha/2 over all n - 1 places; a line at level alpha/2: nothing
 * is found in a course without change with a probability of 1 - alpha at least.
 * Of steps, and of a line with steps, that which leaves more of 2 log L beyond
 * these quantiles is taken; a line need not be straight to more than
 * DARC_COURSE_STRAIGHT of its range (an exponential is none of it).
 * The places of steps are the best of all (dynamic programming); of more than
 * DARC_COURSE_PLACES values those between groups, each then the best of its
 * neighbourhood.  With covariates steps are tried one by one besides, at
 * O(n (p covariates)^3) each.
 */
#pragma once

#include <stdbool.h>

/* Places of steps that are weighed all together (chosen: the cost), values from
 * which on a line is thought of (two more than it takes), and rounds in which a
 * line and the steps beside it are found in turn. */
enum {
    DARC_COURSE_PLACES = 200,
    DARC_COURSE_LINE = 4,
    DARC_COURSE_ROUNDS = 10
};

/* A trend may be off its line by this share of its range: a change of 20 % in
 * equal shares is off a line by 1 %, one step is off by 30 %. */
#define DARC_COURSE_STRAIGHT 0.02

/* A covariate of which levels leave a smaller share (of its sum of squares)
 * tells no slope: rounding of the sums (1e-16, by their number) lies below. */
#define DARC_COURSE_SEEN 1e-9

typedef struct {
    int n, p;
    const double *time;  /* rising */
    const double *info;  /* n x p x p */
    const double *score; /* n x p: info times the value */
    double error_dof;    /* of the covariances; HUGE_VAL: known */
    double alpha;
    bool lines; /* a line is thought of */
    int covariates;
    const double *covariate; /* n x covariates, of mean 0 and of order 1 */
} darc_course_data;

typedef struct {
    int steps;
    int *at; /* the first value after each; owned */
    bool line;
    double gain; /* of 2 log L over a constant at the origin, without prices;
                    where lines are not thought of */
} darc_course;

/* What covariates move value `of` by from another, as the others tell. */
typedef struct {
    int of, from;
    bool seen;        /* they do */
    double *by, *cov; /* p, p x p; 0 before */
} darc_course_shift;

/* Set c; release it with darc_course_clear.  Cost O(min(n, PLACES)^2 p^3). */
void darc_course_find(darc_course *c, const darc_course_data *data);
/* Set the shifts, beside the steps and the line of c. */
void darc_course_shifts(const darc_course_data *data, const darc_course *c,
                        darc_course_shift *shift, int shifts);

/* Return where stretch k between steps of n values begins; that after the last
 * one is n. */
static inline int darc_course_bound(const darc_course *c, int k, int n)
{
    return k == 0 ? 0 : k <= c->steps ? c->at[k - 1] : n;
}

/* Take step k out. */
static inline void darc_course_drop(darc_course *c, int k)
{
    c->steps--;
    for (; k < c->steps; k++)
        c->at[k] = c->at[k + 1];
}

void darc_course_clear(darc_course *c);
