/* missing.h - score tests of terms that the model may lack.
 *
 * Every equation is given its candidates (candidate.h), held at 0.  The score
 * of one, free of what the model's own coefficients can do, over its standard
 * deviation is normal where nothing is missing.  Under a misfit the variance
 * follows the residual, less what the candidate itself would take away.
 */
#pragma once

#include "fit/fit.h"
#include "terms/candidate.h"

typedef struct {
    int equation; /* of the question */
    darc_candidate what;
    double p_value;   /* after Holm's correction */
    double explains;  /* share of what is left that it takes away, 0 .. 1 */
    double value, sd; /* of its coefficient */
    double z2;        /* square of the score over its standard deviation */
    double drop;      /* of Q */
    double whole;     /* the size of the term over that of the part which no
                         terms of the model make */
    double noise;     /* share of that part which noise makes, were it white */
} darc_missing;

typedef struct {
    bool asked;        /* by likelihood ratios, whatever the colour of noise */
    bool coloured;     /* what is left is not white */
    double dof;        /* of these ratios */
    double *gain;      /* by equation: what is known of the size of its largest
                          term, over what is were all noise white; owned */
    double p_past;     /* what is left goes with what inputs did before, or with
                          products of signals; 1: not tested */
    int past;          /* equation of which that is least */
    bool products;     /* it is products */
    int tested;        /* candidates in all */
    int (*offered)[2]; /* by equation: candidates that are linear and others,
                          those included that look like the model's; owned */
    bool loud; /* one that would explain what is left is too noisy for that
                  to count */
    int count;
    darc_missing *term; /* by what they explain, the most first; owned */
} darc_missings;

/* Set out to the candidates of all equations, or those of the criteria's
 * `against`, tried on f.
 * Fails: DARC_USAGE for a term that cannot be read, or needs a derivative that
 * no equation reaches; as darc_gls_fit. */
DARC_STATUS darc_missing_find(darc_missings *out, const darc_fit *f,
                              const darc_question *x, const darc_table *table,
                              darc_err *err);

/* Add to out the columns of `all`, a table of the same samples, that the model
 * does not use.  What they share with the noise of its signals is not known:
 * they name what explains a defect, and prove none.
 * Fails: as darc_gls_fit. */
DARC_STATUS darc_missing_beside(darc_missings *out, const darc_fit *f,
                                const darc_question *x, const darc_table *table,
                                const darc_table *all, darc_err *err);
/* Return whether half of the linear candidates of equation q, and half of the
 * others, would be found, where one is whose own part is so many times as small
 * as the term; those that look like the model's terms would not. */
bool darc_missing_shows(const darc_missings *m, int q, double share);
void darc_missing_clear(darc_missings *m);
