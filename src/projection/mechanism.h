/* mechanism.h - a model as elimination by differentiated equations takes it:
 * of the lowest degrees.
 *
 * A model as it is read goes round on circles by t = tan(a/2) and by places:
 * rational, prime, and of high degree.  The equations here keep sine and cosine
 * of what is not measured, s' = c*a', c' = -s*a', s^2 + c^2 = 1, and
 * constraints as they were written; the solutions are the same, by these maps.
 * Functions of measured signals are unknowns that obey their laws, cos(y)' =
 * -sin(y)*y', so that no derivative of them is left; where they start is not
 * bound, else what holds them would generate no principal ideal.
 */
#pragma once

#include "projection/dae.h"

typedef struct {
    darc_model *bound; /* of darc_dae_model, whose structure x is; NULL: the
                          model's own is; owned */
    darc_dae_t x;
    darc_dpolys_t bond; /* s^2 + c^2 - 1 and the like, in the frame of x */
    int *as;            /* as[u], u of x: unknown of the model, -1: it is to go;
                           owned */
    bool *known;        /* known[u]: a function of measured signals; owned */
    bool laws;          /* there is one */
    bool round;         /* bonds, or constraints that the model goes round on */
} darc_mechanism;

/* Set m to the model: as above, where each function of the model is a signal of
 * it, too, or goes exactly as far as it is known there; else as it was read.
 * Fails: as darc_dae_init; DARC_DOMAIN, too, where the equations as they were
 * read may not generate a prime ideal (darc_dae_is_prime). */
DARC_STATUS darc_mechanism_init(darc_mechanism *m, const darc_model *model,
                                flint_rand_t rand, darc_err *err);
void darc_mechanism_clear(darc_mechanism *m);

/* Return how many derivatives of equations hold up to the stage, and bonds. */
slong darc_mechanism_rows(const darc_mechanism *m, int last);

/* Set the rows of a, 0 before, to their gradients, those of the bonds last:
 * columns as darc_dae_gradients has them; what is known does not change. */
void darc_mechanism_gradients(nmod_mat_t a, const darc_mechanism *m, int last,
                              const darc_solution_t s, const slong *column);

/* Set at[v] to the values at s of what stands in the model, too, in a frame of
 * its names. */
void darc_mechanism_values(ulong *at, const darc_jet_t jet,
                           const darc_mechanism *m, const darc_solution_t s);
