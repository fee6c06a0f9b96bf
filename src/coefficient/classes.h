/* classes.h - coefficients whose ratios a change of the parameters S leaves
 * alone: j and k are in one class iff c_j/c_k does not depend on S
 * (src/MATHEMATICS.md, 10).
 *
 * Everything is exact modulo two primes; two ratios that differ are found
 * equal with a probability of about (degree / 2^60)^2.
 */
#pragma once

#include "coefficient/blackbox.h"
#include "coefficient/thresholds.h"

typedef struct {
    darc_blackbox_struct *g;
    slong entries; /* of all equations */
    nmod_t mod[DARC_CLASS_POINTS];
    ulong *x[DARC_CLASS_POINTS];    /* a point modulo each; owned */
    ulong *base[DARC_CLASS_POINTS]; /* the coefficients there; owned */
} darc_classes_struct;

typedef darc_classes_struct darc_classes_t[1];

/* Evaluate g, which c keeps.
 * Fails: as darc_blackbox_at. */
DARC_STATUS darc_classes_init(darc_classes_t c, darc_blackbox_t g,
                              darc_err *err);
void darc_classes_clear(darc_classes_t c);

/* Set least (entries places) so that least[j] is the first entry of the class
 * of j; changed[u]: parameter u of the model is in S.
 * Fails: as darc_blackbox_at.  Cost: an evaluation a point. */
DARC_STATUS darc_classes_find(slong *least, darc_classes_t c,
                              const bool *changed, darc_err *err);

/* Set least (n places) to the classes that values before and after a change
 * show, at point i modulo mod[i].  An entry that is 0 there is alone. */
void darc_classes_split(slong *least, slong n,
                        const ulong *const before[DARC_CLASS_POINTS],
                        const ulong *const after[DARC_CLASS_POINTS],
                        const nmod_t mod[DARC_CLASS_POINTS]);

/* Return whether all of equation e is one class: S is not seen in it. */
bool darc_classes_is_one(const slong *least, const darc_classes_t c, int e);

/* Return whether every class of `fine` is inside one of `coarse`, in all
 * equations: whatever pair the changes of `coarse` make obeys the relations
 * of the classes of `fine`. */
bool darc_classes_refine(const slong *fine, const slong *coarse,
                         const darc_classes_t c);
