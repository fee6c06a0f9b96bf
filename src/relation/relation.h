/* relation.h - relations between signals alone: structure, equal, changed.
 *
 * A relation speaks of one recording (structure) or two (equal, changed); it
 * holds whatever the parameters are.  Matrix form: an (n-1) x n matrix of
 * differential polynomials in the signals has the coefficients of the
 * io-equation as its kernel; c_j = (-1)^j det(matrix without column j)
 * spans it.  The residual is sum_j last[j] * c_j (a determinant), or, where
 * the coefficients obey an algebraic relation h, h(c_0, ..., c_{n-1}).  The
 * relation means something only where no inequation vanishes and the matrix
 * has rank n-1; the signs (-1)^j matter for h.
 */
#pragma once

#include "base/budget.h"
#include "darc/report.h"
#include "projection/ioeq.h"

typedef enum { DARC_FORM_MATRIX, DARC_FORM_EXPANDED } darc_form;

typedef struct {
    darc_test test;
    darc_jet_t jet; /* signals only; with two recordings signal y of the
                       first is named yA, of the second yB (yA_ where
                       that is taken); time is timeA, timeB */
    int equation;   /* index of the io-equation it comes from */
    int recordings; /* 1 or 2 */
    int *recording; /* unknown w of jet is read from recording[w] (0, 1) */
    int *unknown;   /* and is unknown unknown[w] of the model */
    int order;      /* highest order of a derivative that occurs */

    /* Matrix form; columns 0 when the relation is known expanded only. */
    slong columns;         /* n */
    darc_dpolys_t matrix;  /* (n - 1) * n entries by rows */
    darc_dpolys_t last;    /* n entries, or none when closed by h */
    fmpz_mpoly_ctx_t hctx; /* n variables c_0 .. c_{n-1} */
    fmpz_mpoly_t h;        /* homogeneous; 0 when closed by `last` */
    char **column_name;    /* the coefficient of column j in the model
                              language; a changed m reads mA, mB; owned */
    int *row_recording;    /* row i (row n-1: last) is derivative       */
    int *row_order;        /* row_order[i] of recording row_recording[i] */
    bool necessary;        /* the relation follows from the model but is not
                              all that follows: note says why */
    char *note;            /* plain words, "" if none; owned */

    /* Expanded form: primitive, irreducible over Z. */
    bool expanded; /* whether poly is known */
    darc_dpoly_t poly;
    darc_dpolys_t inequations; /* of the expanded form, or of the model */
} darc_relation;

typedef struct {
    int count;               /* one relation per io-equation; more where several
                                relations h close the same matrix */
    darc_relation *relation; /* owned */
} darc_relations_struct;

typedef darc_relations_struct darc_relations_t[1];

/* What is asked for. */
typedef struct {
    darc_test test;
    const bool *changed; /* for DARC_CHANGED, with the model's names: whether
                            parameter u differs between the recordings */
    darc_form form;      /* DARC_FORM_EXPANDED expands, DARC_FORM_MATRIX leaves
                            determinants as they are */
    slong max_terms;     /* of an expanded relation; 0:
                            DARC_MAX_EXPANDED_TERMS */
    const darc_budget *budget;
} darc_relation_task;

/* Set out to the relations of a model with io-equations io.  Parameters that
 * several io-equations share are not linked across them.
 * Fails: DARC_LIMIT past max_terms terms or on a spent budget; DARC_DOMAIN
 * when there is nothing to test. */
DARC_STATUS darc_relations_init(darc_relations_t out, const darc_ioeqs_t io,
                                const darc_relation_task *task, darc_err *err);
void darc_relations_clear(darc_relations_t r);
