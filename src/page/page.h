/* page.h - reports as pages: one HTML file that needs nothing else.
 *
 * A page opens with the verdict, in words and colour, then shows the
 * evidence: relations typeset, residuals and signals to zoom into, tables,
 * and how it was made.  It needs no network.  Long series are decimated to
 * their least and greatest values, so that a page stays below 500 kB.
 */
#pragma once

#include "data/table.h"
#include "fulfil/nearest.h"
#include "report/agreement.h"
#include "report/campaign.h"
#include "report/report.h"

/* A setting and how it was made: "--alpha", "0.01", false where it is the
 * default. */
typedef struct {
    const char *name, *value;
    bool given;
} darc_page_setting;

/* What a page shows besides the report; nothing is owned. */
typedef struct {
    const char *command_line; /* arguments as typed; NULL: none */
    int settings;
    const darc_page_setting *setting;
    int tables; /* recordings whose signals are shown */
    const darc_table *const *table;
    bool plots;    /* plots alone are wanted, each a drawing of its own
                      (figures.h) */
    double accept; /* the least consistency of a comparison, NAN where none
                      was asked for */
} darc_page;

/* Append the page of a check, or of values; the residual is plotted where the
 * report holds its series. */
void darc_page_check(darc_text_t out, const darc_report *r, const darc_page *p);

/* The page of an isolation; of a campaign. */
void darc_page_isolation(darc_text_t out, const darc_isolation *r,
                         const darc_page *p);
void darc_page_campaign(darc_text_t out, const darc_campaign *c,
                        const darc_page *p);

/* The page of a comparison, whose weights stand in a; the tables of p are the
 * references, then the simulations; v may be NULL; c NULL: of a table of
 * consistencies. */
void darc_page_agreement(darc_text_t out, const darc_comparison *c,
                         const darc_agreement *a, const darc_validation *v,
                         const darc_page *p);

/* The page of a factor space. */
void darc_page_tracing(darc_text_t out, const darc_factor_space *s,
                       const darc_page *p);

/* The page of what `darc fulfil` found, over a band with both responses; n may
 * be NULL. */
void darc_page_fulfilment(darc_text_t out, const darc_fulfilled *f,
                          const darc_nearest *n, const darc_page *p);
