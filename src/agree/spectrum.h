/* spectrum.h - power spectra of reference and simulation, and whether they
 * agree band by band.
 *
 * Two estimates: Welch's averaged periodogram [Wel67] (Hann window, half
 * overlap, mean removed), whose ratio for two signals follows Fisher's F; and
 * Burg's maximum-entropy spectrum [Bur75], an autoregressive model of the
 * order p that AIC or MDL choose, whose relative variance is 2p/n [Ber74].
 * The confidence band of the ratio simulation / reference decides: a band of
 * frequencies is accepted when 1 lies inside.
 */
#pragma once

#include "agree/measures.h"
#include "agree/thresholds.h"
#include "base/status.h"

typedef struct {
    double low, high;             /* Hz */
    double reference, simulation; /* power in the band, unit^2 */
    double ratio;                 /* simulation / reference */
    double ratio_low, ratio_high; /* of level `level`, Welch */
    double burg_ratio;            /* the same from the Burg spectra */
    double burg_low, burg_high;
    bool accepted; /* 1 lies in ratio_low .. ratio_high */
} darc_band;

typedef struct {
    int bands;
    darc_band band[DARC_SPECTRUM_BANDS]; /* equal in width, 0 .. Nyquist */
    double level;    /* of all bands together (Bonferroni) */
    size_t segment;  /* samples of a periodogram */
    double averages; /* independent periodograms, in effect */
    int order_reference, order_simulation; /* of the Burg models, by MDL */
    int aic_reference, aic_simulation;     /* as AIC would choose */
    int accepted;                          /* bands */
} darc_spectra;

/* Set out from the samples of both.
 * Fails: DARC_DATA for fewer than DARC_SPECTRUM_SAMPLES or a constant signal.
 */
DARC_STATUS darc_spectra_set(darc_spectra *out, const darc_matched *m,
                             double level, darc_err *err);

/* Set density[k], k = 0 .. segment / 2, to Welch's one-sided density
 * (unit^2 / Hz) at k / (segment dt); segment is a power of two, at most n. */
void darc_spectrum_welch(double *density, const double *x, size_t n, double dt,
                         size_t segment);
