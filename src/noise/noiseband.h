/* noiseband.h - noise from the spectrum above the band of the signal. */
#ifndef DARC_NOISE_NOISEBAND_H
#define DARC_NOISE_NOISEBAND_H

#include "noise/noisemodel.h"
#include "noise/psd.h"

/* Set kind, sd, band, kernel, ... of n from spectrum i of psd; sd_diff and
 * step are known.  kind stays DARC_NOISE_NONE when no band is free. */
void darc_noiseband_apply(darc_noisemodel *n, const darc_psd *psd, int i,
                          bool coloured);

/* Set sd, kernel and dof of n from the whole of psd's first spectrum. */
void darc_noiseband_measure(darc_noisemodel *n, const darc_psd *psd);

#endif
