/* drift.h - a campaign: when did which parameter move.
 *
 * Every recording is fitted on its own and held against the reference.  The
 * p-values that recordings equal the reference are corrected by Holm, so that
 * in a campaign without change any false alarm has probability alpha at most.
 * The course of all ratios of coefficients together is constant, or goes in
 * steps, or along a line (course.h), at level alpha; where it changes every
 * recording is judged as a pair with the reference is.
 */
#pragma once

#include "darc/drift.h"
#include "fit/estimates.h"

/* A recording as it is loaded: data, or what is known of it already. */
typedef struct {
    darc_table *table; /* released by darc_table_free; NULL: fit is known */
    darc_estimates fit;
} darc_drift_data;

/* What is tested of a ratio of coefficients in one recording. */
typedef struct {
    double log; /* log(value / reference); the difference over the mean size
                   where that does not exist, in shares of the largest term for
                   what may be zero */
    double log_sd;
    double ignored; /* change of that which does not count: the tolerance, or
                       what a misfit of either recording may make */
    double shift, shift_sd; /* of log: what covariates made, which is taken off
                               but for value and sd */
} darc_drift_test;

typedef struct {
    bool damaged;         /* could not be used; error says why */
    darc_status fault;    /* of which not its bytes are the cause, but a disk,
                             memory, a process that was ended: DARC_IO, ...;
                             else DARC_OK */
    char *error;          /* owned; NULL unless damaged */
    bool pending;         /* not looked at yet (darc_drift_source.so_far) */
    darc_verdict verdict; /* parameters equal to the reference */
    double p_value;       /* after Holm; NAN for the reference */
    darc_verdict structure;
    darc_change *change; /* per function, moved by more than the tolerance in a
                            recording that differs significantly as a whole;
                            NULL if damaged; owned */
    darc_drift_test *test; /* per function; owned */
    int baseline;          /* the recording that it is held against */
} darc_drift_recording;

/* Where a covariate moves most at once: a change of a function there is found
 * with probability DARC_POWER from `beside` on, a share; HUGE_VAL: never.  Had
 * covariates no effect it would be from `alone` on. */
typedef struct {
    int function, covariate;
    int recording; /* the first one after */
    double beside, alone;
} darc_drift_blind;

typedef struct {
    int functions;
    char **function; /* "c/m"; owned */
    int *equation;   /* of each: that of the model it is of; owned */
    int recordings;
    int reference;
    darc_drift_recording *recording; /* owned */
    int points;
    darc_change_point *point; /* by group, function, recording; owned */
    int trends;
    darc_trend *trend;   /* by group, then function; owned */
    int *trend_baseline; /* of each; owned */
    int slopes;
    darc_covariate_slope *slope; /* by group, function, covariate; owned */
    int doubts;
    darc_change_doubt *doubt; /* by group; owned */
    int blinds;
    darc_drift_blind *blind; /* by group, one each at most; owned */
    int damaged;
} darc_drift;

/* Where recordings come from.  load and keep are called from several threads,
 * once for each i; the others one at a time. */
typedef struct {
    int recordings; /* > 0, in order of time */
    int reference;  /* the baseline, of its group */
    int groups; /* of recordings, each held against its own baseline; 0: one */
    const int *group;        /* of each recording: 0 .. groups - 1 */
    int covariates;          /* up to DARC_COVARIATES */
    const double *covariate; /* recordings x covariates; NAN: not told, but told
                                of the reference */
    int threads; /* >= 1: so many recordings are in hand at a time */
    void *user;
    /* Fill in data of recording i, which is empty. */
    darc_status (*load)(void *user, int i, darc_drift_data *data,
                        darc_err *err);
    /* Take note of what a recording that was read says, or (fit NULL) of why
     * it is damaged, which its bytes prove: nothing is noted of one that a
     * fault kept from being read; of one whose fit was known it is called too.
     * A failure ends the campaign.  May be NULL.
     */
    darc_status (*keep)(void *user, int i, const darc_estimates *fit,
                        const char *damage, darc_err *err);
    /* Look at the campaign as known so far, once a second at the most.  May be
     * NULL. */
    void (*so_far)(void *user, const darc_drift *drift);
} darc_drift_source;

/* Set list (places for all) to the io-equations whose coefficients are
 * followed, in order, and return their number: those of not more than
 * DARC_WEAK_MAX_COEFFS terms. */
int darc_drift_followed(int *list, const darc_ioeqs_t io);

/* Say why equation e is not followed. */
void darc_drift_say_left_out(char *why, size_t size, const darc_ioeqs_t io,
                             int e);

/* Set e to what a recording says, released in any case: what darc_drift_run
 * asks of each. */
DARC_STATUS darc_drift_fit(darc_estimates *e, const darc_question *x,
                           const darc_table *table, darc_err *err);

/* Set out to the campaign: groups are campaigns of their own, at a level such
 * that all together keep it (Bonferroni), the p-values corrected.  The baseline
 * of a group without the reference is its first recording that can be used.  At
 * level x->by->alpha, of the equations of x->io
 * that can be followed, whichever x names; release it with
 * darc_drift_clear.  The data of a recording are released as soon as it is
 * fitted.  A recording that cannot be loaded or fitted is damaged and does not
 * stop the campaign, nor does a fault.  The result does not depend on the
 * number of threads.
 * Fails: DARC_DATA when the reference is damaged, as its fault where it has
 * one; DARC_LIMIT where no equation is followed, or on a spent budget; as keep
 * does. */
DARC_STATUS darc_drift_run(darc_drift *out, const darc_question *x,
                           const darc_drift_source *source, darc_err *err);
void darc_drift_clear(darc_drift *out);
