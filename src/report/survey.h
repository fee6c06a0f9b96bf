/* survey.h - what a recording holds, before any model: `darc data`. */
#pragma once

#include "base/text.h"
#include "data/table.h"
#include "noise/faults.h"
#include "noise/signalnoise.h"

typedef struct {
    const char *name, *unit; /* of the table */
    size_t gaps;             /* samples without a value */
    double min, max, mean;   /* in the signal's unit; NAN without values */
    double sd;               /* about the mean */
    double noise;            /* standard deviation; NAN: not estimated */
    double dof;              /* of its square; NAN */
    double line;             /* of the spectrum, above the band, Hz; 0: none */
    darc_colour colour;      /* of the noise */
    double step;             /* of quantisation; 0: none */
    double band;             /* below this lies 99 % of the power, Hz; NAN */
    double tone;             /* share of the variance in the strongest line of
                                the spectrum, 0 .. 1; NAN */
    int faults;
    darc_fault fault[DARC_FAULT_KINDS];
} darc_survey_signal;

typedef struct {
    const darc_table *table;    /* not owned */
    double duration;            /* s, from the first to the last sample */
    double rate;                /* Hz; NAN: non-uniform */
    double longest;             /* s of the longest segment without a gap */
    darc_survey_signal *signal; /* table->signals; owned */
} darc_survey;

/* Set s for the table, which must stay; release it with darc_survey_clear.
 * Noise and spectrum need uniform time and 64 samples without a gap.
 * Cost: a few passes. */
void darc_survey_init(darc_survey *s, const darc_table *table);
void darc_survey_clear(darc_survey *s);

/* Append what to know about signal i in plain words: "", or "constant",
 * "a single sine at 2.5 Hz", "8-bit steps of 0.02"; commas between. */
void darc_survey_remark(darc_text_t out, const darc_survey *s, int i);

/* Append surveys as a table for people, or as JSON. */
void darc_survey_print(darc_text_t out, const darc_survey *s);
void darc_survey_json(darc_text_t out, const darc_survey *s, int surveys,
                      const char *command_line);
