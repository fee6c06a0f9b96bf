/* near.h - a model near values of the parameters inside its functions. */
#pragma once

#include "session/state.h"

/* A parameter, and the values that functions of it are linear around: of each
 * recording its own. */
typedef struct {
    const char *name; /* of the model */
    int unknown;
    double own[2], sd[2];
    char *near, *off; /* names of the constant, and of the input that tells
                         recordings apart; owned */
} darc_inner;

typedef struct {
    int count;
    bool pair;        /* two recordings may differ */
    bool coarse;      /* what is delayed is too fast to be read between samples
                       */
    bool apart;       /* the recordings lie too far apart for one value */
    double most;      /* that may be left over its freedom; 0: any */
    darc_inner *item; /* owned */
} darc_centre;

/* A session near a centre, with copies of the recordings. */
typedef struct {
    darc_session *of, *session;
    darc_model *model;
    int from, count; /* of the recordings of `of` */
    size_t most;     /* samples of each, where it moves most; 0: all */
    bool rough;      /* what is left is all that values are asked for */
    bool holds;      /* a start left what noise does: no other is better */
    const darc_askings *askings;
} darc_linear;

/* What the last question told of parameters. */
typedef struct {
    int count;
    const darc_estimate *value;
} darc_told;

darc_told darc_near_told(const darc_session *s);

/* Move the centre to what is told.  Return how far in standard deviations at
 * most; HUGE_VAL where the recordings turn out to lie apart; NAN where a
 * parameter of the centre is not told. */
double darc_near_move(darc_centre *c, const darc_told *t);

/* Forget the session, if there is one. */
void darc_near_drop(darc_linear *l);

/* Open the session around the centre; return whether there is one. */
bool darc_near_open(darc_linear *l, darc_centre *c);

/* Set x, of the parameters of the centre, which are all times of delays, to
 * where a recording has them, to within what a model around that tells; and
 * which inputs are held; c->coarse too.  Return whether they are found. */
bool darc_late_find(double *x, const darc_linear *l, darc_centre *c,
                    int recording);

/* Ask around the centre; return whether values are told. */
bool darc_near_ask(darc_linear *l, darc_centre *c, darc_asking *ask,
                   darc_test test);

/* Return what is left by the last answer, a sum of squares over its freedom,
 * and set *dof to that: of values, and of a structure; NAN without freedom. */
double darc_near_left(const darc_linear *l, double *dof);

/* Ask until the parameters stay, which are `far` standard deviations from what
 * is told; return whether they do. */
bool darc_near_settle(darc_linear *l, darc_centre *c, darc_asking *ask,
                      darc_test test, double far);

/* Stand at what recordings tell each by itself, from starts by the signals;
 * return whether they do. */
bool darc_near_search(darc_linear *l, darc_centre *c);
