/* weakfit.h - one recording held against one io-equation by the weak form. */
#ifndef DARC_FIT_WEAKFIT_H
#define DARC_FIT_WEAKFIT_H

#include "decide/weakcheck.h"
#include "weak/gls.h"

typedef struct darc_weakfit {
    darc_total_t total;     /* of the equation, with candidate terms behind */
    darc_noisemodel *noise; /* by unknown; kernel NULL where not measured */
    int *times; /* by unknown: signals that share its noise; owned */
    int unknowns;
    darc_weak *weak;
    darc_gls fit;
    int model;     /* coefficients of the equation */
    bool idle;     /* it could not be fitted because nothing excites it */
    bool misfit;   /* the residual exceeds noise as it was modelled first */
    bool suspect;  /* the noise is not known: no band free of signal, rounding,
                      or something incoherent above the band */
    bool open;     /* the residual exceeds white noise, but noise of another
                      spectrum may explain it */
    bool coloured; /* that noise, continued from above the band, explains it */
    double lambda; /* information of the largest term */
    double doubt;  /* share of that term that errors of derived signals make */
    double bias;   /* share that coefficients may be off by because noise is
                      known from above only */
    int drowned;   /* the signal which that noise would drown, DARC_WEAK_DROWNED
                      of it: coefficients then tell nothing; -1 */
    double defect, low, high, detectable;
    double *share; /* of the leading term that term j is, with or without the
                      weights of the noise, at most 1; owned */
    double plain;  /* RMS of the residual beyond noise over that of the leading
                      term, upper end, where there is a misfit; else 0 */
    darc_residual_summary moments; /* RMS, and over the RMS of the sum of the
                                      sizes of terms, at fit.c */
} darc_weakfit;

/* Set f->total and f->noise of equation e along table, and column (a place
 * for each unknown) as darc_weakfit_noise takes it; no fit.  In any case f is
 * to be cleared.
 * Fails: DARC_DOMAIN for one part or a missing signal; DARC_DATA for noise
 * measured at another rate, or, with f->idle, where no signal moves; as
 * darc_weakfit_noise. */
DARC_CHECKED darc_status darc_weakfit_open(darc_weakfit *f, int *column,
                                           const darc_model *model,
                                           const darc_ioeqs_t io, int e,
                                           const darc_table *table,
                                           const darc_weakcheck_options *o,
                                           darc_err *err);

/* Fit equation e along table.
 * Fails: DARC_DATA, with f->idle, where the recording does not excite it; as
 * darc_weakfit_noise and darc_weakfit_total. */
DARC_CHECKED darc_status darc_weakfit_init(
    darc_weakfit *f, const darc_model *model, const darc_ioeqs_t io, int e,
    const darc_table *table, const darc_weakcheck_options *o,
    const darc_budget *budget, darc_err *err);
void darc_weakfit_clear(darc_weakfit *f);

/* Return the coefficients of f with all that tests of them need, and clear f;
 * to be released by darc_weakfit_clear and darc_free. */
darc_weakfit *darc_weakfit_take(darc_weakfit *f);

/* Set f->noise of the unknowns that have a column in table (column[u] >= 0):
 * measured, given, or estimated; coloured: as darc_noisemodels_estimate.
 * Fails: as that does. */
DARC_CHECKED darc_status darc_weakfit_noise(darc_weakfit *f,
                                            const darc_model *model,
                                            const int *column,
                                            const darc_table *table,
                                            const darc_weakcheck_options *o,
                                            bool coloured, darc_err *err);

/* Return the standard deviation of a signal. */
double darc_weakfit_rms(const darc_table *table, int column);

/* Set f->weak and f->fit from f->total and f->noise.
 * Fails: as darc_weak_new and darc_gls_fit; f->weak may be set then. */
DARC_CHECKED darc_status darc_weakfit_total(
    darc_weakfit *f, const darc_table *table, const int *column,
    const darc_weakcheck_options *o, const darc_budget *budget, darc_err *err);

/* Set f->share, f->moments and f->plain, the latter at level alpha; offset: the
 * means of the terms, which an offset takes up, are left out.  Weighing by the
 * noise, as the defect does, hides a misfit where a free vibration has nearly
 * all the weight. Fails: DARC_LIMIT by the budget. */
DARC_CHECKED darc_status darc_weakfit_set_plain(darc_weakfit *f, bool offset,
                                                double alpha,
                                                const darc_budget *budget,
                                                darc_err *err);

/* Return the one-sided quantile 1 - tail of an estimate of f. */
double darc_weakfit_quantile(const darc_weakfit *f, double tail);

/* Return the coefficient that is worst known, its relative standard
 * deviation in *sd; -1 if all are known well enough: to DARC_WEAK_EXCITED, or
 * with a tolerance so well that the upper end of the error moves the equation
 * by less than the tolerance.  May-be-zero ones are passed over. */
int darc_weakfit_weakest(const darc_weakfit *f, const darc_model *model,
                         const darc_ioeqs_t io, int e,
                         const darc_weakcheck_options *o, double *sd);

/* Return the coefficient whose term is most nearly made up by the others, its
 * own share in *own (1: orthogonal to all); -1 if there is but one. */
int darc_weakfit_collinear(const darc_weakfit *f, double *own);

/* A comparison tests the structure of either recording at this share of alpha:
 * a right pair becomes undecided with probability alpha / 2 besides. */
#define DARC_WEAK_GATE 0.25

/* Return what the structure leaves for certain. */
double darc_weakfit_left(const darc_weakfit *f);

/* Return the share of the leading term that a misfit, or errors that the
 * covariance does not hold, may have moved the coefficients by: a misfit as
 * much as it leaves. */
double darc_weakfit_absorbed(const darc_weakfit *f);

/* Noise of unknown size may be this share of a signal. */
#define DARC_WEAK_DROWNED 0.3

/* A misfit of this share of the leading term may have made any coefficient. */
#define DARC_WEAK_LOST 0.3

/* Return whether f allows no comparison at all: too much noise, or perhaps too
 * much, a misfit above DARC_WEAK_LOST, or one where terms are made up by
 * others. */
bool darc_weakfit_is_useless(const darc_weakfit *f);
bool darc_weakfit_is_lost(const darc_weakfit *f);

/* Return whether coefficient j holds a parameter that may be zero. */
bool darc_weakfit_may_vanish(const darc_model *model, const darc_ioeqs_t io,
                             int e, int j);

/* Return the reference of ratios: a coefficient that is a number, or else
 * that of the part which holds the leader. */
int darc_weakfit_reference(const darc_ioeqs_t io, int e);

/* Append the ratio of coefficients j and r in lowest terms: "c/m"; where it is
 * not known, or very long, "the coefficient of y' over that of y".  Unless
 * factor is NULL, *factor becomes the number that is left out: the ratio is
 * *factor times what was appended. */
void darc_weakfit_ratio(darc_text_t out, const darc_ioeqs_t io, int e, int j,
                        int r, double *factor);

/* Append a formatted note. */
void darc_weakcheck_note(darc_weakcheck *w, const char *format, ...)
    DARC_PRINTF(2, 3);

#endif
