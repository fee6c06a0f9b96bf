/* judgement.h - verdicts on all io-equations of a model together.
 *
 *   structure  Q of all equations is chi-square under the model; relations that
 *              the model puts on the coefficients are tested by what they add
 *              to it.  The defect of an equation is that of yardstick.h; a
 *              tolerance compares with it alone.
 *   equal      all ratios of coefficients are the same in both recordings.
 *   changed S  what a change of the parameters in S leaves alone is the same.
 * A comparison with a tolerance t is inconsistent if the test rejects even when
 * every coefficient may differ by the fraction t (and, where the structure
 * leaves more than t, by what that may have moved it by); consistent if no
 * change in the joint confidence region moves an equation by more than t of its
 * largest term.  With t = 0: inconsistent if p < alpha; else consistent,
 * provided that a change of DARC_MEANING would have been found.
 */
#pragma once

#include "darc/report.h"
#include "fit/estimates.h"
#include "weak/system.h"

/* The residual of each equation at every test function, and one standard
 * deviation of its noise, in units of the largest term (its RMS over the
 * functions); the time is that of the middle of the function. */
typedef struct {
    int equations;
    darc_residual_series *series;   /* margins are NAN; owned */
    darc_residual_summary *summary; /* owned */
} darc_along;

/* Set a to the residual at the coefficients c; darc_judgement_clear releases
 * it.  On failure a is empty.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_along_init(darc_along *a, const darc_weak *weak,
                            const double *c, const darc_budget *budget,
                            darc_err *err);

/* Return an undecided decision of the weak form, without numbers. */
darc_decision darc_decision_none(double alpha, double tolerance);

/* Return 0 for consistent, 1 for undecided, 2 for inconsistent: of several
 * verdicts on parts the highest is that on all. */
int darc_verdict_rank(darc_verdict verdict);

/* Set the verdict of d, and its reason as printf does. */
void darc_decision_say(darc_decision *d, darc_verdict verdict,
                       const char *format, ...) DARC_PRINTF(3, 4);

/* Make d undecided where it is consistent: what was tested knows a function of
 * the model up to a constant only, and less than the model for that reason. */
void darc_decision_withhold(darc_decision *d);

/* Make d undecided where it is inconsistent, and no defect certain: signals
 * reach so near half the sampling rate that sums over samples are no integrals
 * of what the equations say. */
void darc_decision_refuse_coarse(darc_decision *d);

/* The same where what was found, and what would have been, is at most
 * DARC_SUMS_ERROR of the largest term. */
void darc_decision_refuse_numeric(darc_decision *d, double most);

/* The same where these inputs ("u,v"), were they held, would explain it, or
 * were they means of the time since the sample before. */
void darc_decision_refuse_held(darc_decision *d, const char *inputs,
                               bool means);

/* Make d undecided for two recordings that hold the same samples: one copy
 * says nothing of what the other does not. */
void darc_decision_refuse_copies(darc_decision *d);

/* Return what d says that no decision may, a static text; NULL: nothing.  It
 * holds that defect_low <= defect <= defect_high; that what is consistent has a
 * defect_high and a detectable defect within the tolerance, or DARC_MEANING
 * where none is given; that what has no degree of freedom has no p-value.  A
 * NAN is not known. */
const char *darc_decision_broken(const darc_decision *d);

/* End each decision with this: it asserts that nothing is broken, and where
 * that is not checked makes d undecided, as a mistake in darc. */
void darc_decision_finish(darc_decision *d);

/* An equation. */
typedef struct {
    char *form; /* in total derivatives, or words on one that is not fitted */
    int terms, order;
    int missing;
    darc_missing_term *missing_term; /* likeliest first; owned */
    darc_decision decision;
} darc_judged;

typedef struct {
    darc_decision decision; /* on all */
    int equations;
    darc_judged *equation; /* owned */
    int estimates;
    darc_estimate *estimate; /* ratios of coefficients; owned */
    bool untested;           /* a change can make any pair */
    bool simple;             /* the signals tell too little, whoever asks */
    bool folded;             /* sampling may have made what contradicts */
    bool blunt;  /* undecided, and nothing contradicts: others may tell more */
    bool hollow; /* nearly any model agrees: signals are too simple or drown */
    bool computed; /* an input is what a controller computed */
    bool turned;   /* noise of unknown colour turns with a signal */
    bool spoilt;   /* an input has noise of its own */
    int changes;   /* of inputs, between samples */
    int noises;
    darc_noise_found *noise; /* of signals that have some; owned */
    int helds;
    const char **held; /* signals taken as held between samples; owned array */
    int notes, told;   /* the first `told` are worth saying, others details */
    char **note;       /* what the user should know; owned */
    size_t used[2];    /* samples, of each recording */
    darc_along along;  /* of the recording; of the second of two at what the
                          first tells; empty: not known */
} darc_judgement;

/* Set out; release it with darc_judgement_clear.
 * Fails: DARC_DATA, DARC_LIMIT as darc_fit_init, where that is not for lack of
 * excitation; DARC_DOMAIN when a signal is missing or a term of `against` is
 * none. */
DARC_STATUS darc_judge_as_said(darc_judgement *out, const darc_question *x,
                               const darc_table *table, darc_err *err);

/* The same, but undecided where the structure is refused, and would not be, or
 * by far less, if inputs were constant from each sample to the next. */
DARC_STATUS darc_judge_structure(darc_judgement *out, const darc_question *x,
                                 const darc_table *table, darc_err *err);

/* changed NULL: equal; otherwise changed[u] says whether parameter u may
 * differ. */
DARC_STATUS darc_judge_pair(darc_judgement *out, const darc_question *x,
                            const darc_table *const table[2],
                            const bool *changed, darc_err *err);
void darc_judgement_clear(darc_judgement *j);

/* Set out to undecided, for a recording that cannot answer.
 * Fails: as darc_total_init. */
DARC_STATUS darc_judgement_idle(darc_judgement *out, const darc_question *x,
                                const char *reason, darc_err *err);

/* Add a formatted note, a detail behind all others. */
void darc_judgement_note(darc_judgement *j, const char *format, ...)
    DARC_PRINTF(2, 3);
void darc_judgement_detail(darc_judgement *j, const char *format, ...)
    DARC_PRINTF(2, 3);

/* Return the worst of the decisions on each equation: its verdict and reason,
 * and the largest defect, whichever equation it is of. */
darc_decision darc_judgement_merged(const darc_judgement *j);

/* Describe the equations of the question as f holds them, what the noise is,
 * and the estimates of one recording or two (b NULL: one). */
void darc_judgement_describe(darc_judgement *j, const darc_fit *f,
                             const darc_question *x);
void darc_judgement_list(darc_judgement *j, const darc_question *x,
                         const darc_estimates *a, const darc_estimates *b);
