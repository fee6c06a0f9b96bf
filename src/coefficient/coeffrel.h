/* coeffrel.h - algebraic relations between the coefficients of io-equations: of
 * one recording, h(c) = 0, or of two that differ in S, h_S(cA, cB) = 0
 * (src/MATHEMATICS.md, 10).
 *
 * Equation e of recording r has the coefficient vector (coeff of darc_ioeq) at
 * the parameters of that recording, known up to a factor; V is what the vectors
 * run through, in a product of projective spaces.
 */
#pragma once

#include "coefficient/blackbox.h"
#include "projection/ioeq.h"

typedef struct {
    int vectors;    /* recordings * equations */
    int *recording; /* of vector i: 0 (A), 1 (B); owned */
    int *equation;  /* of vector i: index of the io-equation; owned */
    slong *first;   /* coefficient j of vector i is variable first[i] + j;
                       vectors + 1 entries; owned */
    slong vars;     /* first[vectors] */
    fmpz_mpoly_ctx_t ctx;
    slong count;
    fmpz_mpoly_struct *h; /* count polynomials, primitive, low degree first */
    bool *mixed;          /* h[i] involves both recordings; owned */
    slong dimension;      /* of V (transcendence degree of the ratios); -1
                             where that is not known: not expanded */
    slong codimension;    /* of V in the product of projective spaces; or -1 */
    bool complete;        /* the h have rank `codimension` at a generic point
                             of V: nothing is missing locally */
    bool decisive;        /* nothing that binds the two recordings is: beside
                             what either vector obeys alone, the mixed h are
                             all there is near a generic point of V */
} darc_coeffrel_struct;

typedef darc_coeffrel_struct darc_coeffrel_t[1];

/* Set out to the relations of the coefficient vectors of io-equation
 * `equation` (-1: of all of them, with their shared parameters).  changed
 * NULL: one recording; otherwise two, parameter u of the model differs
 * between them where changed[u], and is the same where not.  The h are
 * independent: their number is the rank of their Jacobian at a generic point
 * (count == codimension iff complete).  Relations are sought up to a degree
 * at which the monomials are too many; `complete` says whether that did.
 * Fails: DARC_DOMAIN when an equation is not expanded; DARC_LIMIT on a spent
 * budget. */
DARC_STATUS darc_coeffrel_init(darc_coeffrel_t out, const darc_ioeqs_t io,
                               int equation, const bool *changed,
                               const darc_budget *budget, darc_err *err);
void darc_coeffrel_clear(darc_coeffrel_t r);

/* Inside: relations of coefficient vectors that are already at hand, or
 * known as a black box. */

/* Set out to the relations of the vectors c, as darc_coeffrel_init does. */
DARC_STATUS darc_coeffrel_set_coeffs(darc_coeffrel_t out, const darc_coeffs_t c,
                                     const darc_budget *budget, darc_err *err);

/* Set out to the relations of equation `equation` (-1: all) of g, whose
 * coefficients need not be known as polynomials; changed as for
 * darc_coeffrel_init.  Ratios that a change leaves alone are found in any case;
 * further relations as far as `work` products of terms go; the dimension is not
 * known, and neither whether they are all.
 * Fails: as darc_blackbox_at. */
DARC_STATUS darc_coeffrel_init_blackbox(darc_coeffrel_t out, darc_blackbox_t g,
                                        int equation, const bool *changed,
                                        double work, darc_err *err);

/* Return whether the mixed relations of r have, along the product of the
 * varieties of the single vectors, the rank that the codimension of V there
 * asks for; of one recording: whether r is complete.  jacobian is that of
 * coeffs.h at a generic point. */
bool darc_coeffrel_is_decisive(const darc_coeffrel_t r,
                               const nmod_mat_t jacobian);
