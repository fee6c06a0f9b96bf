/* taylor.h - power series of expressions in numbers of TAYLOR_BITS bits, by
 * the recurrences of the functions themselves: what darc knows by rewriting
 * them is held against these. */
#ifndef DARC_TESTS_TAYLOR_H
#define DARC_TESTS_TAYLOR_H

#include "darc/status.h"

#include <stdbool.h>
#include <stdio.h> /* before mpfr.h */

#include <mpfr.h>

#define TAYLOR_BITS 512
#define TAYLOR_NODES 200

typedef enum {
    TAYLOR_GIVEN,  /* a signal or a parameter of some name */
    TAYLOR_NUMBER, /* num/den */
    TAYLOR_SUM,
    TAYLOR_DIFFERENCE,
    TAYLOR_PRODUCT,
    TAYLOR_QUOTIENT,
    TAYLOR_DERIVATIVE, /* of order num */
    TAYLOR_EXP,        /* this and those below: of a */
    TAYLOR_LOG,
    TAYLOR_SQRT,
    TAYLOR_SIN,
    TAYLOR_COS,
    TAYLOR_ATAN,
    TAYLOR_TANH
} taylor_op;

typedef struct {
    taylor_op op;
    int a, b; /* nodes before this */
    long num, den;
    char name[12]; /* of a given one; of another: stands for it in texts */
    mpfr_t *c;     /* c[k] of t^k; of a given one set by the caller */
    mpfr_t *aux;   /* of the functions that need it */
} taylor_node;

typedef struct {
    int count, length; /* terms of every series */
    taylor_node node[TAYLOR_NODES];
} taylor_tape;

void taylor_init(taylor_tape *t, int length);
void taylor_clear(taylor_tape *t);

/* Append a node; return it. */
int taylor_given(taylor_tape *t, const char *name);
int taylor_number(taylor_tape *t, long num, long den);
int taylor_apply(taylor_tape *t, taylor_op op, int a, int b);
int taylor_derivative(taylor_tape *t, int a, long order);

/* Return node n, to be written as a name. */
int taylor_named(taylor_tape *t, int n, const char *name);

/* Set coefficient k of the nodes from `first` on, those below k being set. */
void taylor_step(taylor_tape *t, int first, int k);

/* Write node n in the model language; its own name is not used. */
void taylor_print(FILE *out, const taylor_tape *t, int n);

#endif
