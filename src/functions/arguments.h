/* arguments.h - functions of arguments that integer relations bind.
 *
 * exp(2*x - z), exp(x), exp(z) of states would each be a new unknown that
 * begins anywhere, and tell parameters apart that are one.  Functions of
 * arguments that are linearly independent over the rational numbers, up to what
 * is known, are algebraically independent (Ax); so a basis of the integer
 * combinations of all arguments is taken, and functions of other arguments are
 * made of those of the basis: exp(x)^2/exp(z).
 */
#pragma once

#include "syntax/syntax.h"

/* What a recording tells of a term. */
typedef enum {
    DARC_KNOWN_NUMBER,
    DARC_KNOWN_PARAMETRIC,
    DARC_KNOWN_MEASURED,
    DARC_KNOWN_HIDDEN
} darc_known;

typedef struct {
    darc_known (*known)(const darc_expr *e, void *user);
    /* Replace unknowns by what algebraic equations say that they are. */
    void (*resolve)(darc_expr **e, void *user);
    void *user;
    bool lawful; /* functions of measured signals alone are left to the laws
                    that bind derived signals: no state is to be eliminated */
} darc_arguments;

/* Let functions in the equations and assumptions, of arguments between which
 * there is a relation, be of a basis of these; others stay as they are.  exp,
 * sinh, cosh and tanh are of one kind, sin, cos and tan of another; log of
 * products goes by sums.  Return false where something that binds two of them
 * is of too high a degree to be used. */
bool darc_share_arguments(darc_syntax *s, const darc_arguments *about);
