/* calls.h - the functions of one argument in a model, by kinds, and integer
 * bases of their arguments. */
#pragma once

#include "functions/arguments.h"

/* exp, sinh, cosh, tanh; sin, cos, tan; log; atan and sqrt, each for itself. */
typedef enum {
    DARC_CALL_EXP,
    DARC_CALL_CIRCLE,
    DARC_CALL_LOG,
    DARC_CALL_ALONE,
    DARC_CALL_KINDS
} darc_call_kind;

enum { DARC_KNOWN = DARC_KNOWN_HIDDEN + 1 };

/* An argument as a rational function: its value at two points. */
typedef struct {
    ulong at[2];
    bool good;
} darc_call_value;

/* The first call of a function with some argument, up to the sign. */
typedef struct {
    darc_expr *call; /* owned */
    darc_call_value value;
    int group; /* whose basis makes it; -1: it stays */
} darc_call;

/* Integer combinations of some arguments. */
typedef struct {
    fmpq_mat_t basis; /* by atoms */
    fmpz_mat_t by;    /* calls by basis */
} darc_call_group;

typedef struct {
    int count;
    darc_call *item; /* owned */
    int atoms;
    darc_expr **atom;  /* the best known ones first; owned; NULL: 1 */
    darc_known *known; /* owned */
    int columns;
    int *column;              /* independent atoms, hidden ones first; owned */
    int from[DARC_KNOWN + 1]; /* where those begin that are so well known */
    fmpq_mat_t row;           /* calls by columns; set where `column` is */
    int groups;               /* the last one is empty */
    darc_call_group *of;      /* owned */
} darc_call_family;

typedef struct {
    const darc_arguments *about;
    darc_call_family of[DARC_CALL_KINDS];
} darc_calls;

/* Return the kind of e; DARC_CALL_KINDS: it is no such call. */
darc_call_kind darc_call_kind_of(const darc_expr *e);

/* tan(a) is made of sin(2*a) and cos(2*a), tanh(a) of exp(2*a): their rows are
 * those of 2*a. */
bool darc_call_is_half(darc_function f);
bool darc_call_is_even(darc_function f);

/* Append the calls in e, in which powers become functions. */
void darc_calls_list(darc_calls *s, darc_expr **e);

/* Choose bases where there are relations between arguments. */
void darc_calls_bind(darc_calls *s);

/* Return the call of that argument, of sign 1, or its negative, -1; NULL: there
 * is none. */
darc_call *darc_calls_find(int *sign, darc_calls *s, const darc_expr *e,
                           darc_call_kind k);

void darc_calls_clear(darc_calls *s);
