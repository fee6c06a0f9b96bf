/* evidence.h - sections that several pages share: signals over time, their
 * spectra and noise, recordings.
 */
#ifndef DARC_PAGE_EVIDENCE_H
#define DARC_PAGE_EVIDENCE_H

#include "page/plot.h"
#include "page/thresholds.h"

/* Return the number of curves that the signals of p make. */
int darc_evidence_curves(const darc_page *p);

/* Return the name of recording i without its folder, unless another has the
 * same. */
const char *darc_evidence_file(const darc_report_data *data, int recordings,
                               int i);

/* Append sections "Recordings", "Signals" and "Spectrum and noise". */
void darc_evidence_recordings(darc_sheet *s, const darc_report_data *data,
                              int recordings);
void darc_evidence_signals(darc_sheet *s, const darc_page *p);
void darc_evidence_noise(darc_sheet *s, const darc_page *p);

#endif
