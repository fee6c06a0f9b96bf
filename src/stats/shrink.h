/* shrink.h - how large a smooth effect is, where its size is a random one: the
 * likelihood of one variance, and its distribution in small samples.
 *
 * What is left of n samples, projected off what was fitted, is
 *     r = noise + G b,  b normal of variance size^2,
 * in the eigenvectors of G G' independent normals z_s of variance
 * noise^2 + size^2 mu_s, and so is the rest, without size.  The likelihood,
 * with the noise at its best, has one unknown.  Where size is 0 the ratio of
 * likelihoods has a distribution that does not depend on the noise
 * [CR04]: it is drawn, for any number of samples.  What is found, and what
 * would have shown more, is said of an effect whose parts b are all `size`: the
 * likelihood itself sets hardly an upper end where few z_s tell.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Eigenvalues, over the largest, that count as 0. */
#define DARC_SHRINK_LEAST 1e-8

/* Draws of the ratio, at least, so many that this many lie in the tail, and at
 * most; of those that tell what is found with that probability. */
#define DARC_SHRINK_DRAWS 8000
#define DARC_SHRINK_TAIL 40
#define DARC_SHRINK_MOST 1000000
#define DARC_SHRINK_TRIALS 200
#define DARC_SHRINK_POWER 0.9

/* Directions whose squares are compared with shifts together. */
#define DARC_SHRINK_ALIKE 8

typedef struct {
    int count;           /* of z */
    double *mu, *square; /* eigenvalues, z^2; owned in one */
    double rest;         /* sum of squares besides */
    double dof;          /* of all */
    bool known;          /* noise^2 is `noise`, else it is estimated */
    double noise;
} darc_shrink;

/* Divide each square, and its eigenvalue, by what shifts make of it: `shifted`
 * holds `count` times what the columns have in common with what is left moved
 * elsewhere (n each), gram is what darc_shrink_init left.  Directions of like
 * eigenvalue are taken together. */
void darc_shrink_inflate(darc_shrink *s, const double *gram,
                         const double *shifted, int count, int n);

/* Set s, whose rest and dof are those of all that is left, and known and noise,
 * from the products of columns (n x n, spoilt) and what they have in common
 * with what is left (n). */
void darc_shrink_init(darc_shrink *s, double *gram, const double *b, int n);
void darc_shrink_clear(darc_shrink *s);

typedef struct {
    double ratio; /* twice the logarithm of the likelihoods' */
    double p_value;
    double size, low, high; /* of the effect; the ends at level alpha each: one
                               of `high` leaves a larger ratio but for that */
    double detectable;      /* what is found in 9 of 10 */
} darc_shrunk;

void darc_shrink_ask(darc_shrunk *out, const darc_shrink *s, double alpha,
                     uint64_t seed);
