/* evidence.h - sections that several pages share: signals over time, their
 * spectra and noise, recordings; estimates, decisions.
 */
#pragma once

#include "page/plot.h"
#include "page/sheet.h"
#include "page/thresholds.h"

/* Append the section "Identifiable functions", with intervals of level
 * 1 - alpha; of two recordings with their changes. */
void darc_evidence_estimates(darc_sheet *s, const darc_estimate *estimate,
                             int estimates, bool two, double alpha);

/* Append what a decision rests on: its numbers, and the defect drawn. */
void darc_evidence_decision(darc_text_t out, const darc_decision *d);

/* Return the number of curves that the signals of p make. */
int darc_evidence_curves(const darc_page *p);

/* Return the name of recording i without its folder, unless another has the
 * same. */
const char *darc_evidence_file(const darc_report_data *data, int recordings,
                               int i);

/* Append sections "Signals", "Spectrum and noise" and "Recordings". */
void darc_evidence_data(darc_sheet *s, const darc_page *p,
                        const darc_report_data *data, int recordings);
void darc_evidence_noise(darc_sheet *s, const darc_page *p);

/* Return the name of file i without the folder that the first and the last
 * share. */
const char *darc_chart_file(const darc_campaign *c, int i);

/* Draw function f of a campaign in every step-th recording. */
void darc_chart_put(darc_text_t out, const darc_campaign *c, int f, int step);

/* Append the section for relations of one recording that do not hold, or lack a
 * term; nothing where there are none. */
void darc_against_put(darc_sheet *s, const darc_report *r,
                      const darc_table *table);

/* Append the section for the profiles of parameters; nothing where there are
 * none. */
void darc_profiles_put(darc_sheet *s, const darc_report *r);
