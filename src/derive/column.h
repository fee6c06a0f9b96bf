/* column.h - an expression of the model language, ready for the columns of a
 * recording, and where its errors come from.
 *
 * What an expression carries of an error is linear in it to first order, so
 * errors are told apart by their origin: the noise of a measured signal, or an
 * error that arises in the expression itself, in an estimated derivative, say.
 * Equal parts of an expression share an origin.
 */
#pragma once

#include "base/budget.h"
#include "data/table.h"
#include "derive/derive.h"
#include "derive/elementary.h"
#include "derive/formula.h"
#include "model/model.h"

/* Which sums an origin counts in: that of errors, and that of errors which a
 * switch sees (see formula.h).  Most count in both; what a switch may be while
 * it rests, in neither. */
enum {
    DARC_COUNTS = 1,
    DARC_COUNTS_AT_SWITCH = 2,
    DARC_COUNTS_EVERYWHERE = 3,
    DARC_COUNTS_AT_REST = 32
};

typedef struct {
    int unknown;        /* measured, or derived with an error of its own; -1 */
    const darc_expr *e; /* or the part of the expression where it arises */
    long shift;         /* samples by which it comes late */
    int counts;
    bool measured;
    double sd;          /* of noise; 1 where slopes are in units of the sd */
    double correlation; /* samples; of noise 1 */
} darc_origin;

/* What all columns of one derived signal share. */
typedef struct {
    darc_table *table;
    const darc_model *model;
    const char *name; /* of the signal, for messages */
    double *noise;    /* sd by unknown; NAN: not known yet */
    bool switches;    /* somebody asks for the sign of an error here */
    const darc_budget *budget;
    int origins;
    darc_origin *origin; /* owned */
} darc_column_context;

typedef enum {
    DARC_COLUMN_NUMBER,
    DARC_COLUMN_TIME,
    DARC_COLUMN_SIGNAL,
    DARC_COLUMN_SUM,
    DARC_COLUMN_PRODUCT,
    DARC_COLUMN_NEGATE,
    DARC_COLUMN_INVERT,
    DARC_COLUMN_POWER,    /* of one argument, to the number */
    DARC_COLUMN_FUNCTION, /* of one argument */
    DARC_COLUMN_SIGN,
    DARC_COLUMN_EXTREME,    /* min or max of the arguments */
    DARC_COLUMN_SWITCH,     /* if args 0 and 1 compare so, then 2, else 3 */
    DARC_COLUMN_DELAY,      /* by the number, in s */
    DARC_COLUMN_MEAN,       /* over the number of s before */
    DARC_COLUMN_TABLE,      /* looked up */
    DARC_COLUMN_DERIVATIVE, /* estimated */
    DARC_COLUMN_INTEGRAL
} darc_column_kind;

typedef struct darc_column {
    darc_column_kind kind;
    const darc_expr *e;     /* not owned */
    darc_column_context *c; /* not owned */
    int args;
    struct darc_column *arg; /* owned */
    double number;
    int signal;                    /* of the table */
    int unknown;                   /* of the model */
    darc_formula *formula;         /* of a derivative; owned; NULL */
    darc_lookup *lookup;           /* owned; NULL */
    darc_integral_state *integral; /* before sample k * DARC_INTEGRAL_STEP;
                                      owned; NULL */
    int seeds;
    int *seed; /* origins of errors that arise here; owned */
    int origins;
    int taps;    /* of a mean: samples that its errors are taken from; of a
                    delay 1 */
    double *tap; /* their weights; owned */
    long *back;  /* by how many samples they are before; owned */
    int *moved;  /* [o * taps + k]: what origin o < origins of the argument
                    becomes, -1 where it carries none; owned */
} darc_column;

/* Make col the column of e: the tree alone, see prepare.h.
 * Fails: DARC_DATA, when a signal is not in the recording, or a table cannot be
 * used. */
DARC_STATUS darc_column_init(darc_column *col, const darc_expr *e,
                             darc_column_context *c, darc_err *err);
void darc_column_clear(darc_column *col);

/* Set has[o] for the origins of errors that col carries. */
void darc_column_mark(bool *has, const darc_column *col);

/* Append col, which is prepared, to its table as derived signal u, and cut the
 * segments to where it is known; note apart, if so said, the sd that switches
 * see.
 * Fails: as darc_derive_by. */
DARC_STATUS darc_append(const darc_column *col, int u, bool switching,
                        const darc_derive_work *how, darc_err *err);
