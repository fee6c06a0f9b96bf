/* agreement_tables.h - the tables of a page of `darc compare`. */
#ifndef DARC_PAGE_AGREEMENT_TABLES_H
#define DARC_PAGE_AGREEMENT_TABLES_H

#include "page/sheet.h"

/* Outputs side by side; the runs of one output; features and intervals;
 * spectra band by band; weights; the checklist. */
void darc_agreement_table_outputs(darc_text_t out, const darc_comparison *c);
void darc_agreement_table_runs(darc_text_t out, const darc_comparison *c,
                               const darc_compare_output *o);
void darc_agreement_table_features(darc_sheet *s, const darc_comparison *c);
void darc_agreement_table_spectra(darc_sheet *s, const darc_comparison *c);
void darc_agreement_table_weights(darc_text_t out, const darc_agreement *a);
void darc_agreement_table_steps(darc_sheet *s, const darc_validation *v);

#endif
