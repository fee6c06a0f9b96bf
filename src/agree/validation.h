/* validation.h - the four-step validation of agent-based and other
 * simulations as a checklist: face, sensitivity, calibration, statistics.
 *
 * Each step gets an answer from what darc has measured, and the evidence for
 * it.  DARC_UNKNOWN means that the step is still to be done.
 */
#ifndef DARC_AGREE_VALIDATION_H
#define DARC_AGREE_VALIDATION_H

#include "agree/compare.h"

typedef enum {
    DARC_STEP_FACE,        /* do plots look right?  Always a person's answer */
    DARC_STEP_SENSITIVITY, /* a parameter varied on both sides: do outputs
                              move alike? */
    DARC_STEP_CALIBRATION, /* were other data used to calibrate? */
    DARC_STEP_STATISTICS,  /* confidence intervals of replicated runs */
    DARC_STEP_COUNT
} darc_validation_step;

typedef struct {
    darc_truth passed[DARC_STEP_COUNT];
    char evidence[DARC_STEP_COUNT][400];
} darc_validation;

/* Set v.  `varied` compares recordings made after the same change on both
 * sides, of the same outputs as c; NULL: none.  Outputs move alike when
 * mean, RMS and peak, where the reference moves by more than 1 % of its RMS,
 * move the same way in the simulation, by at least half and at most twice as
 * much.  file[] are the references of c, calibration[] the recordings that
 * were used to calibrate (none: not known). */
void darc_validation_set(darc_validation *v, const darc_comparison *c,
                         const darc_comparison *varied, const char *const *file,
                         const char *const *calibration, int calibrations);

/* Return "face", "sensitivity", "calibration", "statistics". */
const char *darc_validation_name(darc_validation_step step);

#endif
