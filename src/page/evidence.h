/* evidence.h - sections that several pages share: signals over time, their
 * spectra and noise, recordings, estimates, decisions.
 */
#ifndef DARC_PAGE_EVIDENCE_H
#define DARC_PAGE_EVIDENCE_H

#include "emit/mathml.h"
#include "page/plot.h"

/* So many signals of a recording are drawn at most. */
#define DARC_SIGNALS_DRAWN 40

/* Return the number of curves that the signals of p make. */
int darc_evidence_curves(const darc_page *p);

/* Return the group in which charts of recording i are zoomed: that of the
 * first if they cover the same time. */
const char *darc_evidence_group(const darc_page *p, int i);

/* Return the name of recording i without its folder, unless another has the
 * same. */
const char *darc_evidence_file(const darc_report_data *data, int recordings,
                               int i);

/* Append sections "Recordings", "Signals" and "Spectrum and noise". */
void darc_evidence_recordings(darc_sheet *s, const darc_report_data *data,
                              int recordings);
void darc_evidence_signals(darc_sheet *s, const darc_page *p);
void darc_evidence_noise(darc_sheet *s, const darc_page *p);

/* Append the section "Identifiable functions", with intervals of level
 * 1 - alpha; of two recordings with their changes. */
void darc_evidence_estimates(darc_sheet *s, const darc_estimate *estimate,
                             int estimates, bool two, double alpha);

/* Append what a decision rests on: its numbers, and the defect drawn. */
void darc_evidence_decision(darc_text_t out, const darc_decision *d);

/* Append a p-value; what is too small to matter as a bound. */
void darc_evidence_p_value(darc_text_t out, double p);

/* Set names to the signals of the recordings; clear it afterwards. */
void darc_evidence_names(darc_mathml_names *names, const darc_page *p);
void darc_evidence_names_clear(darc_mathml_names *names);

#endif
