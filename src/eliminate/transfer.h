/* transfer.h - the frequency responses of a model that is linear, with constant
 * coefficients: transfer functions, as polynomials in s and the parameters.
 */
#pragma once

#include "base/budget.h"
#include "model/model.h"

#include <complex.h>

typedef struct {
    darc_jet_t jet;                            /* holds the names */
    int outputs, inputs, parameters;           /* that occur */
    const char **output, **input, **parameter; /* owned arrays */
    fmpz_mpoly_ctx_t ctx; /* s, then the parameters, in this order */
    int functions;        /* 1 + outputs * inputs */
    fmpz_mpoly_struct *f; /* f[0]: the determinant of the model's equations, its
                             zeros all poles; f[1 + i * inputs + j]: over f[0]
                             the transfer function of input j to output i */
    bool constants;       /* terms without a signal are left out */
    int conditions;       /* of as many behind them, in parameters alone, none
                             may vanish */
    int terms;
    int *function, *order;  /* of each term of all f: the power of s; owned */
    double *factor, *power; /* power: terms x parameters; owned */
    int degree;             /* in s, the highest */
    double *coeff; /* functions x (degree + 1) at the parameters set; owned */
} darc_transfer;

/* Set r to the model, its outputs and inputs in the order of `like` (NULL: its
 * own).
 * Fails: DARC_DOMAIN when it is not linear with constant coefficients, or its
 * equations do not fix states and outputs; DARC_USAGE when its outputs and
 * inputs are not those of `like`; DARC_LIMIT on a spent budget. */
DARC_STATUS darc_transfer_init(darc_transfer *r, const darc_model *model,
                               const darc_transfer *like,
                               const darc_budget *budget, darc_err *err);
void darc_transfer_clear(darc_transfer *r);

/* Set the parameters. */
void darc_transfer_set(darc_transfer *r, const double *parameter);

/* Set h[i * inputs + j] to the response at omega, in rad/s, of output i to
 * input j; return the size of the denominator, as a share of that of its terms.
 */
double darc_transfer_at(const darc_transfer *r, double omega,
                        double complex *h);

/* What follows is exact (src/MATHEMATICS.md, 11, Meeting a target).  Return the
 * functions and conditions as polynomials in s, all times the same number. */
fmpz_poly_struct *darc_transfer_exact(const darc_transfer *r,
                                      const double *parameter);
void darc_transfer_exact_free(fmpz_poly_struct *f, const darc_transfer *r);

/* Return how many poles of r lie at 0, with these values of its parameters; -1
 * where another does not lie left of the imaginary axis, or what may not vanish
 * does. */
int darc_transfer_integrators(const darc_transfer *r, const double *parameter);

/* Return whether |H - G| < within[0] |G| from within[1] to within[2] Hz, for
 * function number `entry`, H the model's with these values, G the target's with
 * its; |G| is that of all functions of its output where G is 0, whatever the
 * values are. model NULL: whether 0 < |G|. */
bool darc_transfer_is_near(const darc_transfer *model, const double *parameter,
                           const darc_transfer *target, const double *goal,
                           int entry, const double within[3]);
