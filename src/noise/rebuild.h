/* rebuild.h - signals rebuilt from inputs that are known exactly.
 *
 * A signal is fitted by a constant and by the inputs through low passes and
 * resonances, of time constants about a period; and again, with the squares and
 * cubes of what came out as further inputs, where that fits better.  What comes
 * out depends on the inputs, and on the noise of the signal through the weights
 * alone.  So
 * the recording is cut into folds, and the weights of a fold are those of all
 * other folds: what is rebuilt there shares no noise with what was measured,
 * whatever the colour of the noise, as far as that forgets.
 */
#pragma once

#include "data/table.h"

enum {
    DARC_REBUILD_INPUTS = 6, /* at most, powers of signals included */
    DARC_REBUILD_FOLDS = 4
};

typedef struct {
    int inputs;
    const double *input[DARC_REBUILD_INPUTS]; /* columns of the table */
    double period; /* samples; low passes are .15 to 4 of it long */
} darc_rebuild_source;

/* Set out[i], table->samples values, to signal[i] as rebuilt, i < count; gaps
 * stay as they are. */
void darc_rebuild(double *const *out, const double *const *signal, int count,
                  const darc_rebuild_source *from, const darc_table *table);

/* Return the first sample of fold f; of all folds, the number of samples. */
size_t darc_rebuild_fold(const darc_table *table, int f);
