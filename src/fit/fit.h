/* fit.h - one recording held against the io-equations of a model.
 *
 * The noise of every measured signal is found, the coefficients of all
 * equations are fitted together, and what is left is measured.  Where it is
 * more than noise makes, the fit is one to a misfit (gls.h).
 */
#pragma once

#include "fit/gls.h"
#include "fit/regression.h"
#include "fit/yardstick.h"
#include "weak/octaves.h"
#include "weak/system.h"

typedef struct {
    darc_regression r;
    darc_weak *weak;
    darc_gls white; /* the fit to noise alone, whose Q is tested */
    darc_gls fit;   /* of the coefficients: the same, or of a misfit */
    darc_metric metric;
    darc_yardstick *y; /* of each equation; owned */
    double *rho;       /* of each; owned */
    double smoothing;  /* noncentrality of Q that smoothing in estimated
                          derivatives may have made */
    double *shift;     /* what it may have moved the coefficients of fit by;
                          owned; NULL: nothing */
    bool misfit;       /* Q is more than noise makes, or what that makes is not
                          known: noise of any colour */
    double loud; /* mean square of what is left over what white noise makes: 1,
                    or more where it is noise of some colour */
    darc_octaves spectrum; /* of what is left; empty: it is judged as white */
    size_t used;           /* samples */
    int located;           /* changes of inputs between samples, fitted */
    double *spread; /* what they add to the covariance of coefficients, coeffs x
                       coeffs; owned; NULL: nothing */
    struct darc_cut *cut; /* holds weak->table where inputs jump; owned; NULL */
    bool torn;     /* what jumps between samples, or with what, is not known */
    bool loose;    /* other times of steps would explain more than noise lets
                      them, by too little to be told */
    bool late;     /* what a controller computed acts a sample later */
    bool contrary; /* samples of outputs are likelier on the other side of steps
                      than the model says */
} darc_fit;

/* Set f to the fit of table as it is, Q tested at level alpha.  Fails:
 * DARC_DATA, with f->r.idle, where the recording does not excite an equation;
 * DARC_DATA, DARC_LIMIT as darc_weak_new and darc_gls_fit; DARC_DOMAIN where a
 * signal is missing. */
DARC_STATUS darc_fit_question(darc_fit *f, const darc_question *x,
                              const darc_table *table, double alpha,
                              darc_err *err);

void darc_fit_clear(darc_fit *f);

/* Clear f and let it be the other, which is clear then. */
void darc_fit_replace(darc_fit *f, darc_fit *by);

/* Return twice the logarithm of the likelihood of another fit over that of f,
 * beside noise of any size; the other may have finer test functions. */
double darc_fit_likelier(const darc_fit *f, const darc_fit *other);
