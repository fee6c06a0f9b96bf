/* weakcheck.h - verdicts by the weak form: structure, equal, changed, isolate.
 *
 * Every function speaks of one input-output equation of the model (index e)
 * and tests at level alpha; with several equations the caller divides alpha.
 *   structure  Q_min is chi-square under the model.  The defect is the share
 *              of the leading term (the largest with a measured input, or
 *              else the largest) that no coefficients explain,
 *              sqrt((Q - dof) / Lambda), its interval from the non-central
 *              chi-square, one-sided alpha at each end.
 *   equal      Wald test that all ratios of coefficients are the same.
 *   changed S  Wald test of the relations h_S(cA, cB) = 0 of the pairs that a
 *              change in S can make (coeffrel.h).
 * With a tolerance t > 0: inconsistent if the test rejects even when every
 * function (changed: every parameter not in S) may differ by the fraction t;
 * consistent if the upper end of every interval is at most t; undecided
 * otherwise.  With t = 0: inconsistent if p < alpha; else consistent, provided
 * that a defect of DARC_WEAK_MEANING would have been found. Where the noise is
 * not well known (no band free of signal, rounding, or something above the band
 * that no other signal shares), a residual beyond white noise makes a structure
 * inconsistent only if a missing term is significant under the covariance of
 * the residual itself. Undecided too: noise-noise information above
 * DARC_WEAK_NOISE_LIMIT of that of the signal; a coefficient known worse than
 * DARC_WEAK_EXCITED. Parameters of a recording whose structure fails by x are
 * compared with a tolerance of at least x.
 */
#ifndef DARC_DECIDE_WEAKCHECK_H
#define DARC_DECIDE_WEAKCHECK_H

#include "data/table.h"
#include "fit/decision.h"
#include "noise/noisemodel.h"
#include "projection/ioeq.h"

#define DARC_WEAK_MEANING 0.05
#define DARC_WEAK_NOISE_LIMIT 0.2
#define DARC_WEAK_EXCITED (1.0 / 3)

/* Terms of which less than this share is their own, the rest being made up by
 * the other terms, cannot be told apart under a misfit. */
#define DARC_WEAK_OWN 0.1

/* An equation of more terms is wide: its coefficients are not fitted, but it
 * is asked how many independent directions the recording shows. */
#define DARC_WEAK_TERMS 64

/* Noise below this fraction of a signal's RMS is taken as this fraction: no
 * sensor is better, and errors of integration and sampling come first. */
#define DARC_WEAK_NOISE_FLOOR 1e-6

typedef struct {
    double alpha;                 /* 0.01 */
    double tolerance;             /* a fraction, 0 */
    const double *noise_sd;       /* by unknown of the model, in its unit; NAN:
                                     estimated; NULL: all estimated */
    const darc_noisemodel *noise; /* by unknown: measured; kernel NULL: as
                                     noise_sd says; NULL: none */
    double noise_dt;              /* sampling interval of noise, s */
    const double *derived_error;  /* by unknown: RMS error of a derived signal
                                     as a fraction of it; NULL: none */
    int support;                  /* samples of the test functions; 0: chosen */
    int against;                  /* directed test against these terms */
    const char *const *against_term; /* "z^3", "sign(z')" */
    int threads; /* the result does not depend on it; 0: one */
} darc_weakcheck_options;

typedef struct {
    darc_residual_summary residual; /* RMS of the moments e_k, and over RMS of
                                       sum |c_j w_jk|; used: samples */
    darc_decision decision;
    int estimates;
    darc_estimate *estimate; /* ratios of coefficients; owned */
    int missing;
    darc_missing_term *missing_term; /* likeliest first; owned */
    char *form;                      /* the relation in total derivatives; */
    bool wide;                       /* or words on one of too many terms */
    bool untested;                   /* a change can make any pair */
    bool links;                      /* or relations between coefficients */
    int terms, order;                /* of that form; relations */
    int notes;
    char **note;                 /* what the user should know; owned */
    struct darc_weakfit *fit[2]; /* of each recording, for links; NULL where
                                    there is none; owned */
} darc_weakcheck;

/* Set o to the defaults. */
void darc_weakcheck_options_init(darc_weakcheck_options *o);

/* Set out; release it with darc_weakcheck_clear.  model names the signals and
 * which of them are derived (taken as exact); tables hold columns of these
 * names.
 * Fails: DARC_DATA, DARC_LIMIT as darc_weak_new and darc_gls_fit;
 * DARC_DOMAIN when a signal of the equation is missing, a term of `against`
 * is none, or the equation has a single part. */
DARC_CHECKED darc_status darc_weakcheck_structure(
    darc_weakcheck *out, const darc_model *model, const darc_ioeqs_t io, int e,
    const darc_table *table, const darc_weakcheck_options *o,
    const darc_budget *budget, darc_err *err);

/* changed NULL: equal; otherwise changed[u] says whether parameter u may
 * differ. */
DARC_CHECKED darc_status darc_weakcheck_pair(
    darc_weakcheck *out, const darc_model *model, const darc_ioeqs_t io, int e,
    const darc_table *a, const darc_table *b, const bool *changed,
    const darc_weakcheck_options *o, const darc_budget *budget, darc_err *err);

/* Return whether the coefficients of different equations are bound to each
 * other by parameters that they share, in one recording (changed NULL), or
 * between two of which the parameters changed[u] differ: all equations are
 * expanded and can be fitted, and their coefficients together have fewer
 * degrees of freedom than one by one. */
bool darc_weakcheck_is_linked(const darc_ioeqs_t io, const bool *changed);

/* Test what binds the coefficients of different equations: each[e] is the
 * result of darc_weakcheck_structure (changed NULL) or _pair for equation e.
 * Estimates of different equations are taken as correlated at worst: their
 * covariances are multiplied by the number of equations.  inconsistent: the
 * relations among the coefficients do not hold; consistent: they do, all of
 * them, or parameters were found that make all coefficients; undecided: some
 * relations are too long to be tested and no such parameters were found, or
 * an equation has no coefficients.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_weakcheck_links(
    darc_weakcheck *out, const darc_model *model, const darc_ioeqs_t io,
    const bool *changed, const darc_weakcheck *each,
    const darc_weakcheck_options *o, const darc_budget *budget, darc_err *err);
void darc_weakcheck_clear(darc_weakcheck *w);

#endif
