/* origin.h - the coefficient of an equation that takes up where a signal has
 * its zero.
 */
#pragma once

#include "weak/system.h"

/* Return the coefficient of equation q whose term is a number; -1: there is
 * none. */
int darc_origin_offset(const darc_weak *weak, int q);

/* Set offset[q] to that of every equation. */
void darc_origin_offsets(int *offset, const darc_weak *weak);

/* Return whether that constant takes up the origin of a signal, which no term
 * but linear ones holds: it may have moved as well as the parameters. */
bool darc_origin_is_free(const darc_weak *weak, int q);

/* Signals about their mean where constants take up their origin wherever they
 * stand: products and signs of them do not depend on where they have their
 * zero. */
typedef struct {
    int unknowns;
    double **value; /* of each; NULL: as it was; owned */
    double *c;      /* the coefficients with these; owned */
} darc_centred;

/* Centre the first so many signals of weak, whose coefficients are c. */
void darc_centred_init(darc_centred *to, const darc_weak *weak, const double *c,
                       darc_weak_signal *signal, int unknowns);
void darc_centred_clear(darc_centred *to);
