/* holding.h - what came of holding a model against recordings: for every
 * relation the report's entry, and what the entries point to.
 */
#pragma once

#include "decide/judgement.h"
#include "decide/pointwise.h"
#include "diagnose/stretches.h"
#include "report/report.h"

/* Terms that may be missing, of trajectories, at most. */
enum { DARC_HOLDING_TERMS = 5 };

typedef struct {
    int count;                    /* relations held */
    darc_report_relation *report; /* of each; owned */
    darc_missing_term *missing;   /* of trajectories; owned */
    char **text;                  /* strings of the report; owned */
    int texts;

    /* Pointwise. */
    darc_relations_t relations;
    bool has_relations;
    int results;            /* relations with a residual */
    darc_pointwise *result; /* of each; owned */

    /* Weak: of all equations that are fitted together, if there are any, then
     * of each that is too long for it. */
    int judgements;
    darc_judgement *judgement; /* owned */
    int estimates;             /* of all; they belong to these */
    darc_estimate *estimate;   /* owned array */

    darc_stretches stretches; /* of the recording, where they are asked for */
    darc_stretch *stretch;    /* of each; owned */

    darc_decision decision; /* on all */
    int deciding;           /* the relation it comes from, or the first */
} darc_holding;

void darc_holding_clear(darc_holding *h);

/* Plot the residuals that were kept, in lines of up to `width` columns. */
void darc_holding_plot(darc_holding *h, int width, bool utf8);

/* Keep t, which becomes empty, and return its characters. */
const char *darc_holding_keep(darc_holding *h, darc_text_t t);
