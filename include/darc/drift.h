/* drift.h - a campaign: when did which parameter move.
 *
 * Every recording is fitted on its own and held against the reference.  The
 * p-values that recordings equal the reference are corrected by Holm, so that
 * in a campaign without change a false alarm has probability alpha at most.
 * Change points of a ratio of coefficients are found by splitting the
 * sequence of its estimates where two weighted means differ most, as long as
 * they differ by more than chance (Bonferroni) and the tolerance.
 */
#ifndef DARC_DRIFT_H
#define DARC_DRIFT_H

#include "darc/weakcheck.h"

DARC_BEGIN_DECLS

/* Set *table to recording i and return DARC_OK; called from several threads,
 * once for each i.  The table is released by darc_table_free. */
typedef darc_status (*darc_drift_load)(void *user, int i, darc_table **table,
                                       darc_err *err);

/* A ratio of coefficients in one recording. */
typedef struct {
    double value, sd;
    double relative; /* log(value / reference): the relative change, to first
                        order; in shares of the leading term for what may
                        be zero */
    double relative_sd;
    double p_value; /* that it is the reference's, after Holm */
    bool moved;     /* significant, and by more than the tolerance */
} darc_drift_change;

typedef struct {
    bool damaged;         /* could not be used; error says why */
    char *error;          /* owned; NULL unless damaged */
    darc_verdict verdict; /* parameters equal to the reference */
    double p_value;       /* after Holm; NAN for the reference */
    double defect;        /* of structure, a fraction */
    darc_verdict structure;
    darc_drift_change *change; /* per function; NULL if damaged; owned */
} darc_drift_recording;

typedef struct {
    int function;    /* that moved */
    int recording;   /* the first one after the change */
    double relative; /* change of the mean */
    double sd;
} darc_drift_point;

typedef struct {
    int functions;
    char **function; /* "c/m"; owned */
    int recordings;
    int reference;
    darc_drift_recording *recording; /* owned */
    int points;
    darc_drift_point *point; /* by function, then recording; owned */
    int damaged;
} darc_drift;

/* Set out to the campaign of `recordings` recordings, in order of time, with
 * equation e; release it with darc_drift_clear.  threads >= 1 recordings are
 * processed at a time.  A recording that cannot be loaded or fitted is
 * damaged and does not stop the campaign.
 * Fails: DARC_DATA when the reference is damaged; DARC_LIMIT on a spent
 * budget. */
DARC_CHECKED darc_status
darc_drift_run(darc_drift *out, const darc_model *model, const darc_ioeqs_t io,
               int e, int recordings, int reference, darc_drift_load load,
               void *user, const darc_weakcheck_options *o, int threads,
               const darc_budget *budget, darc_err *err);
void darc_drift_clear(darc_drift *out);

DARC_END_DECLS

#endif
