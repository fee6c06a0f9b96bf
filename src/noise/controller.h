/* controller.h - inputs that a controller computed.
 *
 * A controller makes its command of the recorded samples themselves, their
 * noise included.  The command acts on the system as it is: it has no noise of
 * its own, though it is noisy, and no spectrum tells that.  A difference
 * equation does: u(t) = sum a_i u(t - i) + sum b_ij y_j(t - i) + c.
 *
 * An input that was measured beside the outputs knows nothing of their noise,
 * so no such equation leaves less than what the noise of the y_j makes of it,
 * sqrt(sum b_ij^2 sd_j^2).  What leaves far less has their samples in it.  A
 * current beside the torque that was computed from it has, too: what
 * one output tells without memory, at all samples, is no controller.
 */
#pragma once

#include "data/table.h"

typedef struct {
    int count;
    const int *column; /* of outputs, in a table */
    const double *sd;  /* of their white noise; 0 where it is not known */
} darc_controller_outputs;

/* Whether column `input` of a table on uniform time is what a controller made
 * of the outputs, with DARC_CONTROLLER_POLES poles and DARC_CONTROLLER_TAPS
 * samples of each; *left is what the difference equation leaves then, as a
 * standard deviation that does not feel the steps of a set point.  Cost: 20 ms.
 */
bool darc_controller_find(double *left, const darc_table *table, int input,
                          const darc_controller_outputs *of);
