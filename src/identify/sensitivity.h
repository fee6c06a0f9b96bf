/* sensitivity.h - what experiments say of the parameters to first order,
 * without elimination (src/MATHEMATICS.md, 11, Locally).
 *
 * Everything is exact modulo a prime at a random point.  A rank is never too
 * large, and too small with a probability of at most its degree over the prime.
 */
#pragma once

#include "base/budget.h"
#include "model/solved.h"
#include "projection/point.h"

typedef struct {
    slong params;    /* of the model, in the order of its names */
    slong rank;      /* independent functions of the parameters seen */
    nmod_mat_t rows; /* params x params, echelon; `rank` rows span the
                        gradients of all functions seen */
    int experiments; /* that were needed */
    slong behaviour; /* dimension of what one experiment can show: independent
                        functions of parameters and initial states */
    bool *shown;    /* of asked outputs: whether the others fix it at the start,
                       up to finitely many values; owned */
    bool *within;   /* whether they may: where states start at given values the
                       series are looked at up to some power, and `shown` is what
                       these show; the others show no more unless separants of
                       the io-equations vanish there; without a solved form
                       `shown` is by one experiment alone; owned */
    bool *once;     /* of parameters: one experiment tells it; several may be of
                       several branches; NULL: not asked; owned */
    nmod_mat_t own; /* params x params: gradients of the parameters, those that
                       stand for functions of others by these */
} darc_information_struct;

typedef darc_information_struct darc_information_t[1];

/* Set f to the information of generic experiments with model s, at random
 * parameters modulo a random prime.  With `written`, the model that s is the
 * solved form of, functions start at their values; with NULL at any.
 * Fails: DARC_LIMIT on a spent budget; DARC_DOMAIN when a denominator
 * vanishes there, or a function is of unknowns that s does not hold. */
DARC_STATUS darc_information_init(darc_information_t f, const darc_solved_t s,
                                  const darc_model *written, flint_rand_t rand,
                                  const darc_budget *budget, darc_err *err);
void darc_information_clear(darc_information_t f);

/* The same without a solved form, at points that obey all equations and their
 * derivatives (projection/dae.h), functions at their values; `model` is of
 * darc_dae_model, the first `asked` outputs are asked for.  Parameters are
 * chosen with the first point; *all: another one was found for these, so that
 * several experiments were looked at. Fails: also DARC_DOMAIN where unknowns
 * and equations do not match, or no such point is found. */
DARC_STATUS darc_information_init_dae(darc_information_t f, bool *all,
                                      const darc_model *model, int asked,
                                      const darc_budget *budget, darc_err *err);

/* Set *lost to what the model `written` loses where its functions become
 * states that may start anywhere: `structure`, relations between signals;
 * `parameters`, functions of the parameters, or, by such a relation, how
 * sharply these are seen.  Both where that is not known. Fails: DARC_LIMIT on a
 * spent budget. */
typedef struct {
    bool structure, parameters;
} darc_lost;

DARC_STATUS darc_lost_find(darc_lost *lost, const darc_model *written,
                           const darc_budget *budget, darc_err *err);

/* Return whether parameter v (in that order) is locally identifiable: its
 * own gradient is in the span. */
bool darc_information_fixes(const darc_information_t f, slong v);

/* ---- functions of a model, which became states, with the values that they
 * have (src/MATHEMATICS.md, 11) */

/* Set c, of v->columns squared, such that a gradient by the columns of v,
 * times c, is the gradient by those that are free: columns of functions are 0
 * in it.  Return false where an argument is not a function of these. */
bool darc_exact_columns(nmod_mat_t c, const darc_variation *v,
                        const darc_model *model);

/* Where arguments of functions are evaluated: `unknown` sets the value of a
 * derivative, and its gradient, which is 0, by so many columns; false: it has
 * none. */
typedef struct {
    slong columns;
    nmod_t mod;
    bool (*unknown)(ulong *value, ulong *by, const void *user, darc_deriv d);
    const void *user;
} darc_exact_place;

/* Set by to the gradient of the argument of the call, whose value is w, and
 * *slope to the derivative of the function there; of sin and others something
 * that is not 0.  Return false where that is not known. */
bool darc_exact_row(ulong *by, ulong *slope, const darc_exact_place *p,
                    const darc_expr *call, ulong w);
