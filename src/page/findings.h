/* findings.h - sections that several pages share: estimates, decisions. */
#ifndef DARC_PAGE_FINDINGS_H
#define DARC_PAGE_FINDINGS_H

#include "page/sheet.h"

/* Append the section "Identifiable functions", with intervals of level
 * 1 - alpha; of two recordings with their changes. */
void darc_evidence_estimates(darc_sheet *s, const darc_estimate *estimate,
                             int estimates, bool two, double alpha);

/* Append what a decision rests on: its numbers, and the defect drawn. */
void darc_evidence_decision(darc_text_t out, const darc_decision *d);

/* Append a p-value; what is too small to matter as a bound. */
void darc_evidence_p_value(darc_text_t out, double p);

#endif
