/* criteria.h - by what recordings are judged. */
#ifndef DARC_FIT_CRITERIA_H
#define DARC_FIT_CRITERIA_H

#include "base/budget.h"
#include "noise/signalnoise.h"
#include "projection/ioeq.h"

/* What is assumed of noise that no recording at rest shows. */
typedef enum {
    DARC_ASSUME_AUTO,  /* white where the spectrum shows it to be */
    DARC_ASSUME_WHITE, /* white */
    DARC_ASSUME_ANY    /* of any colour */
} darc_assumption;

typedef struct {
    double alpha;                  /* 0.01 */
    double tolerance;              /* a fraction, 0 */
    const double *noise_sd;        /* by unknown of the model, in its unit; NAN:
                                      estimated; NULL: all estimated */
    const darc_signalnoise *known; /* by unknown: noise and bands are those of
                                      another recording; NULL: read */
    const darc_autoregress *rest;  /* by unknown: noise measured at rest, at the
                                      rate of the recordings; no samples: none;
                                      NULL: none at all */
    const bool *held; /* by unknown: it is constant from each sample
                         to the next; NULL: none is said to be */
    bool edges; /* staircases count as held only where that is said: else their
                   edges may lie anywhere between two samples */
    darc_assumption colour; /* of noise that is not */
    int support;            /* samples of the test functions; 0: chosen */
    int against;            /* directed test against these terms */
    const char *const *against_term; /* "z^3", "sign(z')" */
    int threads; /* the result does not depend on it; 0: one */
} darc_criteria;

/* Set c to the defaults. */
void darc_criteria_init(darc_criteria *c);

struct darc_estimates;

/* What is asked of recordings: whether equations of a model hold.  Nothing is
 * owned. */
typedef struct {
    const darc_model *model;
    const darc_ioeqs_struct *io;
    int equations;
    const int *equation; /* indices of those of io that are held together; past
                            io->count: without parameters */
    bool lost;           /* they know less of the parameters than the model */
    const darc_criteria *by;
    const darc_budget *budget;
    /* Called with the estimates of recordings a and b (NULL: there is one) that
     * a judgement lists; NULL: nobody listens. */
    void (*listen)(void *user, const struct darc_estimates *a,
                   const struct darc_estimates *b);
    /* Return all columns of the only recording, those too that the model does
     * not use; NULL, also in its place: they are not known. */
    const darc_table *(*beside)(void *user);
    void *user;
} darc_question;

/* Return io-equation q of the question. */
const darc_ioeq *darc_question_equation(const darc_question *x, int q);

#endif
