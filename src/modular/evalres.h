/* evalres.h - values of the resultant of f and g = B*t + A, f free of t, with
 * numbers for all variables but the one that goes, and t; see sampled.h.
 */
#ifndef DARC_MODULAR_EVALRES_H
#define DARC_MODULAR_EVALRES_H

#include "modular/ring.h"

typedef struct {
    const darc_mpoly *f, *g; /* f free of t, g linear in t */
    slong v, t, degree;      /* degree in v of f: that in t of the resultant */
    darc_ring_struct *ring;
    slong count;  /* variables of the grid */
    slong *z;     /* they; owned */
    slong *times; /* times[i]: multiplicity of the remembered factor i; owned */
    ulong *value; /* of the ring's variables; scratch; owned */
    ulong *at, *root; /* degree + 1 values of t and of the resultant; owned */
    double cost;      /* products a sample takes */
} darc_evalres;

/* Return a variable other than v in which g is linear and f is not; -1 if
 * there is none. */
slong darc_evalres_variable(const darc_mpoly *f, const darc_mpoly *g, slong v,
                            const darc_ring_t ring);

/* Set up w, whose f, g, v and ring are set, for the variable t. */
void darc_evalres_init(darc_evalres *w, slong t);
void darc_evalres_clear(darc_evalres *w);

/* Where a factor c of a denominator vanishes so may B and A: remember the
 * factors of res_v(f, c), which the resultant may have. */
DARC_CHECKED darc_status darc_evalres_remember_poles(darc_evalres *w,
                                                     darc_err *err);

/* Set r, in t, to the resultant at w->value; return whether its degree is
 * full there. */
bool darc_evalres_sample(nmod_poly_t r, darc_evalres *w);

/* Find w->times and powers, of the variables of the grid: how often they
 * divide the content of the resultant with respect to t.
 * Fails: DARC_LIMIT when they are not all of it. */
DARC_CHECKED darc_status darc_evalres_content(darc_evalres *w, slong *powers,
                                              darc_err *err);

/* Return that content at w->value, up to a factor. */
ulong darc_evalres_content_value(const slong *powers, const darc_evalres *w);

/* Set *degree to the degree of the resultant without its content in the i-th
 * variable of the grid. */
DARC_CHECKED darc_status darc_evalres_degree(slong *degree, slong i,
                                             darc_evalres *w, darc_err *err);

/* Count the work of so many samples.
 * Fails: DARC_LIMIT past the limit of the ring or on a spent budget. */
DARC_CHECKED darc_status darc_evalres_spend(darc_evalres *w, double samples,
                                            darc_err *err);

/* Record that the resultant is out of reach. */
darc_status darc_evalres_fail(darc_err *err);

#endif
