/* cut.h - recordings divided where an input jumps.
 *
 * Between which two samples an input jumps is seen, when between them is not.
 * Whatever sums over samples make of that is off by a share of the jump, and of
 * the kinks that it makes in the outputs: as noise it has no mean of 0 to
 * second order, and repeated jumps add up to a delay that is none.  On either
 * side the equations hold; so no test function reaches across.
 */
#pragma once

#include "fit/regression.h"

typedef struct darc_cut {
    darc_table table; /* with segments of its own; the samples are shared */
    bool *jumps;      /* by unknown: an input that jumps */
} darc_cut;

/* Whether unknown u is an input that is measured. */
bool darc_cut_is_input(const darc_question *x, const darc_table *table, int u);

/* Whether unknown u is an input that may be held from each sample to the next,
 * though nobody says so. */
bool darc_cut_may_hold(const darc_question *x, const darc_table *table, int u);

/* Whether unknown u is held because somebody says so, or the recording's sides
 * of events do. */
bool darc_cut_is_said(const darc_question *x, const darc_table *table, int u);

/* Divide segments at events where an output jumps, and no input does; remark
 * it. */
void darc_cut_sides(darc_table *table, const darc_model *model);

/* Return which unknowns are held if `more` (NULL: none) are, besides those that
 * are said to be; the caller frees it. */
bool *darc_cut_hold(const darc_question *x, const bool *more);

/* What a recording is divided at. */
typedef enum {
    DARC_CUT_JUMPS,  /* jumps of inputs that are not said to be held */
    DARC_CUT_STAIRS, /* and steps of staircases (noise/lattice.h) */
    DARC_CUT_HELD    /* and of inputs that are said to be held */
} darc_cut_at;

/* Return the table with segments that end where an input of the question jumps;
 * NULL where none does, or too little is left in long segments.  A jump is
 * larger by DARC_JUMP_FACTOR than the steps around it.  Release it with
 * darc_cut_free.  Cost O(samples). */
darc_cut *darc_cut_new(const darc_question *x, const darc_table *table,
                       darc_cut_at at);
void darc_cut_free(darc_cut *cut);

/* Whether y jumps from sample t - 1 to t, both in segment g; steps of `digit`
 * are rounding. */
bool darc_cut_is_jump(const double *y, darc_segment g, size_t t, double digit);
