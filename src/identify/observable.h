/* observable.h - whether functions of states and parameters can be told, with
 * known initial values or without (src/MATHEMATICS.md, 11, States). */
#pragma once

#include "identify/identify.h"
#include "model/solved.h"

/* ---- known initial values of states (src/MATHEMATICS.md, 11) */

/* Of state[i], "x" or "x'", the initial value is what asked output value[i] is,
 * by parameters; -1: known, whatever it is. */
typedef struct {
    int count;
    const char *const *state;
    const int *value;
    int own; /* so many are of states of the model; behind them functions that
                became states, which need not be there */
} darc_starts;

/* States and the texts of what they begin at. */
typedef struct {
    int count;
    char *const *state, *const *text;
} darc_start_texts;

/* Return the text of the value that function i of the model, a state, has where
 * states begin at these texts ("": known, whatever it is, as is then a root of
 * it); NULL: its argument holds none that begins at a value, or the value is
 * not known.  Of a
 * root *root is the start that it takes the place of, else -1.  Of rational
 * arguments with a value that is neither rational nor a logarithm but one is
 * taken, *number (0 before), for what binds two of these is not looked for. */
char *darc_function_start(int *root, fmpq_t number, const darc_model *model,
                          int i, const darc_start_texts *at);

/* Return whether all functions of the model that are states of s start
 * somewhere that is known, or that is as random as what is in them. */
bool darc_starts_are_known(const int *start, const darc_solved_t s,
                           const darc_model *model);

/* Set start, as in s->start.
 * Fails: DARC_USAGE where a name is no state of the solved form, or a value is
 * not by parameters. */
DARC_STATUS darc_starts_set(int *start, const darc_solved_t s,
                            const darc_starts *starts, darc_err *err);

/* Recordings that start so, of s, a model of the io-equations io (or NULL). */
typedef struct {
    bool reached; /* the functions parts[k] of every io-equation obey one linear
                     relation alone: its coefficients show */
    bool regular; /* no separant vanishes at the start: these coefficients and
                     the first derivatives give all others */
    bool rests;   /* no state ever leaves its start, whatever the inputs: what
                     the outputs show there is all */
} darc_started;

void darc_started_find(darc_started *out, const darc_solved_t s,
                       const darc_ioeqs_struct *io, flint_rand_t rand);

/* Set idle[i] to whether function i that is asked for holds a parameter that
 * does nothing in such recordings: states that start at numbers and never leave
 * them take all with them that it is in (x' = -a*x, x = 0).  Found at a random
 * point modulo a prime.  Cost O(terms * variables). */
void darc_started_idle(bool *idle, const darc_solved_t s, flint_rand_t rand);

/* ---- functions that are asked for */

typedef struct {
    int count;
    darc_starts starts;
    bool solved; /* the model has a solved form */
    darc_identifiability *status;
    bool *final; /* otherwise local means at least local */
} darc_observable;

/* Set out, with count and starts given, to what is known of so many first
 * outputs of `extended`, the model of io and id with these besides; where
 * that has no solved form, to first order, and undecided where no point obeys
 * its equations.  Where io is NULL, local means at least local.
 * Fails: DARC_USAGE where starts name no state of the solved form, or a value
 * is not by parameters; DARC_LIMIT on a spent budget. */
DARC_STATUS darc_observable_init(darc_observable *out,
                                 const darc_model *extended,
                                 const darc_ioeqs_struct *io,
                                 const darc_identification_t id,
                                 const darc_budget *budget, darc_err *err);
void darc_observable_clear(darc_observable *out);

/* Return what is known of the function h of the model of id where that has no
 * solved form; undecided where the budget is spent, equations are too long or
 * id is not complete. */
darc_identifiability darc_implicit_find(const darc_model *model, const char *h,
                                        const darc_identification_t id,
                                        const darc_budget *budget);

/* One function of a model, and what is known of that. */
typedef struct {
    const darc_model *model;
    const char *label, *function; /* a new name for it, and its text */
    const darc_ioeqs_struct *io;  /* NULL: none */
    const darc_identification_struct *id;
    double work; /* for equations without a solved form */
} darc_single;

/* Set *is and *final to what is known of it alone; without a solved form by the
 * io-equations that it obeys: they stay where these say nothing.
 * Fails: as darc_observable_init and darc_model_extend. */
DARC_STATUS darc_single_find(darc_identifiability *is, bool *final,
                             const darc_single *q, const darc_budget *budget,
                             darc_err *err);
