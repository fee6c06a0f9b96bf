/* model.h - a checked model: names, units, equations as exact polynomials.
 *
 * A model file (see src/manual/language.md) is parsed, then checked:
 * names, units, limits, ranking.  Constants are substituted by their exact
 * values.  Equations become exact polynomials; divisors become inequations.
 * Expressions of derived signals stay trees.  What makes a model fails as
 * darc_model_parse does.
 */
#pragma once

#include "algebra/dpoly.h"
#include "algebra/jet.h"
#include "algebra/names.h"
#include "algebra/ranking.h"
#include "base/text.h"
#include "darc/model.h"
#include "syntax/expr.h"

/* As darc_model_parse, of a text in darc's own language that a model was
 * printed as, whatever the name of its file; simulated or whole, smooth
 * functions of measured signals too become states with differential equations,
 * as an integrator needs it. */
DARC_STATUS
darc_model_parse_printed(darc_model **model, const char *text, size_t length,
                         const char *file, const darc_reading *how,
                         darc_err *err);

/* As darc_model_read, for a simulation or not; with these signals measured, as
 * "a,b", in place of its outputs (NULL: as it says; darc_syntax_measure). */
DARC_STATUS darc_model_read_as(darc_model **model, const char *file,
                               bool simulation, const char *measured,
                               darc_err *err);

/* The unknowns: states, parameters, outputs, inputs, and derived signals (as
 * DARC_INPUT), in order of declaration, and `time` last where it occurs;
 * constants are not among them. */
const darc_names_struct *darc_model_names(const darc_model *model);

/* Set order[u] to the highest order of unknown u in the equations and
 * inequations, 0 where it does not occur; names->count entries. */
void darc_model_orders(const darc_model *model, int *order);

/* Set rk to the ranking section of the model, or else the default one. */
void darc_model_ranking(darc_ranking_t rk, const darc_model *model);

/* Set jet to the frame of these orders under ranking (NULL: the model's). */
void darc_model_frame(darc_jet_t jet, const darc_model *model,
                      const darc_ranking_struct *ranking);

/* Append to eq the equations, one primitive polynomial each in the order of
 * the file, and to ineq what must not vanish: divisors, `assume`, parameters
 * that occur and are not declared `may be zero`; no duplicates, no numbers. jet
 * has the model's symbol table and at least the orders of darc_model_orders.
 * Fails: DARC_LIMIT when the orders of jet are too low. */
DARC_STATUS darc_model_equations(darc_dpolys_t eq, darc_dpolys_t ineq,
                                 const darc_model *model, const darc_jet_t jet,
                                 darc_err *err);

/* Append the model in its own language; reading it back gives it again. */
void darc_model_print(darc_text_t out, const darc_model *model);

/* The languages that a model is written in. */
typedef enum {
    DARC_TO_DARC,
    DARC_TO_MODELICA, /* a flat class, which darc reads again */
    DARC_TO_SYMPY,    /* Python: symbols, functions of t, a list of Eq */
    DARC_TO_JULIA     /* StructuralIdentifiability's @ODEmodel */
} darc_translation;

/* Append the model in that language.
 * Fails: DARC_DOMAIN for what the language, or a solved form (@ODEmodel), does
 * not have. */
DARC_STATUS darc_model_translate(darc_text_t out, const darc_model *model,
                                 darc_translation to, darc_err *err);

/* Set *out to model with outputs NAME_known = EXPR besides, which come before
 * its own. */
DARC_STATUS darc_model_extend(darc_model **out, const darc_model *model,
                              const char **name, const char **expr, int count,
                              darc_err *err);

/* Set *out to model with constants instead of the parameters and inputs u that
 * have a value[u], a number or fraction in the model language; where there are
 * any, the ranking is the default one. */
DARC_STATUS darc_model_fix(darc_model **out, const darc_model *model,
                           const char *const *value, darc_err *err);

/* Set *out to the model in which smooth functions of measured signals are of
 * states, too, as they are in models that are extended from it, and outputs
 * NAME_known, NAME as in the model; functions of parameters keep their names.
 * Fails: DARC_DOMAIN where they do not. */
DARC_STATUS darc_model_whole(darc_model **out, const darc_model *model,
                             darc_err *err);

/* Return whether derived signals hold outputs. */
bool darc_model_computes(const darc_model *model);

/* Set *out to the model, as simulations need it, in which every unknown u with
 * drives[u] (NULL: none) is an input, so that outputs and derived signals drive
 * it, and other derived signals are states; the caller owns it. */
DARC_STATUS darc_model_driven(darc_model **out, const darc_model *model,
                              const bool *drives, darc_err *err);

/* The same without drives; what binds functions of sums and multiples is kept:
 * they are of a basis of their arguments. */
DARC_STATUS darc_model_bound(darc_model **out, const darc_model *model,
                             darc_err *err);

/* Set *out to the model in which states whose rates are measured are integrals,
 * NULL: it has none; the caller owns it.
 *
 * Where an equation says x' = p*v, p made of parameters and v of measured
 * signals, x is x_0 + p*int(v), x_0 its value at the first sample.  So nothing
 * of x has to be eliminated by derivatives.  It takes a recording without gaps,
 * and x_0 is another in every recording. */
DARC_STATUS darc_model_integrals(darc_model **out, const darc_model *model,
                                 darc_err *err);

/* Set *out to the model in which every unknown input is the first of so many
 * states, each the derivative of that before, the last one constant, NULL: it
 * has none; the caller owns it.  So it may be anything as far as `length`
 * derivatives show, which darc_model_chain tells (0: of no chain). */
DARC_STATUS darc_model_chained(darc_model **out, const darc_model *model,
                               int length, darc_err *err);
int darc_model_chain(const darc_model *model);

/* Where a parameter is thought to be; NAN: nobody knows. */
typedef struct {
    double (*at)(void *user, const char *parameter);
    void *user;
    bool off; /* recordings differ: an input p_off of each, of one value, says
                 how far its p is from p_near */
} darc_near;

/* Return the name beside a parameter, `how` "near" or "off"; owned by the
 * caller. */
char *darc_model_beside(const darc_model *model, const char *parameter,
                        const char *how);

/* Set *call to the functions of signals and parameters that are to become
 * linear: trees in the model's names, of numbers for constants and outputs for
 * states that these are; return how many.  The caller owns array and trees. */
int darc_model_calls(darc_expr ***call, const darc_model *model);

/* Mark, by unknown, parameters in functions that equations know up to a
 * constant, and those that stand in calls with them. */
void darc_model_inner(bool *in, const darc_model *model);

/* Set *out to the model in which functions of signals and parameters, such as
 * exp(-E/T), are linear in the parameters around where these are,
 *   exp(-E_near/T) + (E - E_near)*(-1/T)*exp(-E_near/T),
 * so that every function is of signals alone; NULL where that cannot be, or
 * where there are none.  One of a parameter that nobody knows stays as it is.
 * The caller owns it. */
DARC_STATUS darc_model_near(darc_model **out, const darc_model *model,
                            const darc_near *near, darc_err *err);

/* Return what is odd in the file, though no error: a line each, with its
 * place.  A model that was made of another one has no such remarks. */
int darc_model_remarks(const darc_model *model);
const char *darc_model_remark(const darc_model *model, int i);

/* Append the unit of the product of unknowns to powers and s^seconds, in terms
 * of the units that are declared for them, or taken: in those of the SI where
 * these all are; nothing where one has none. */
void darc_model_unit_of(darc_text_t out, const darc_model *model,
                        const double *power, double seconds);

/* Return whether equations contain functions, which were replaced by new
 * unknowns with polynomial equations (see below), and append the model that
 * came of it, in its own language too. */
bool darc_model_is_rewritten(const darc_model *model);
void darc_model_print_rewritten(darc_text_t out, const darc_model *model);

/* ---- derived: signals computed from measured ones before all else
 * -------------
 *
 * The section `derived` of a model holds signals such as s = sign(q') or
 * v = delay(u, 0.001).  Equations use them like measured inputs; their values
 * are computed from the recording, in the order of the unknowns: a derived
 * signal depends on measured signals, on time and on derived signals before it.
 * A derivative in the expression is a smoothed one.
 */

/* Return whether it holds delay(a, T) with a parameter in T, which equations
 * know to first order around 0. */
bool darc_model_has_dead_times(const darc_model *model);

/* Fails: DARC_MODEL for such a model; what: the command that takes none. */
DARC_STATUS darc_model_refuse_dead_times(const darc_model *model,
                                         const char *what, darc_err *err);

/* Return by how many seconds the sensor of output u is late in a simulation
 * with parameters value[u]; 0: not. */
double darc_model_late(const darc_model *model, int u, const double *value);

/* Fails: DARC_DOMAIN for a model with a sensor that is late; what: those who
 * know no such. */
DARC_STATUS darc_model_refuse_late(const darc_model *model, const char *what,
                                   darc_err *err);

/* Return the initial value that state or output u is declared with, or the
 * value of a parameter; NAN: none. */
double darc_model_start(const darc_model *model, int u);

/* Return the number of derived signals. */
int darc_derived_count(const darc_model *model);

/* Return the expression of unknown u, which belongs to the model; NULL: it is
 * no derived signal. */
const darc_expr *darc_derived_expr(const darc_model *model, int u);

/* ---- functions in equations ---------------------------------------------
 *
 * A function in an equation is rewritten when the model is read
 * (darc_model_print_rewritten shows how): something new stands for it.  Of
 * measured signals (also of a state that an equation `y = x` says to be
 * measured) it is a derived signal, of parameters alone a parameter, else a
 * state with differential equations.
 */

/* Return the number of such unknowns. */
int darc_adjoined_count(const darc_model *model);

/* Return the unknown, its kind being that of its symbol, and the function
 * that it stands for, in the unknowns of the model and those adjoined before
 * it: this gives a state its initial value. */
int darc_adjoined_unknown(const darc_model *model, int i);
const darc_expr *darc_adjoined_expr(const darc_model *model, int i);

/* Return which function unknown u stands for; -1: for none. */
int darc_adjoined_find(const darc_model *model, int u);

/* Return whether the rewritten model binds it to its function exactly; if not,
 * then up to a constant of integration (exp: a factor), or, for a parameter,
 * not at all: a change of parameters that this can absorb is not seen. */
bool darc_adjoined_is_exact(const darc_model *model, int i);
bool darc_adjoined_are_exact(const darc_model *model); /* all */

/* Return whether parameters stand for functions of others, or for numbers. */
bool darc_adjoined_have_parametric(const darc_model *model);

/* Return whether one of them is a function or a root, of which one branch
 * counts; places on circles are quotients. */
bool darc_adjoined_have_branches(const darc_model *model);

/* Append a text for people: names that the model does not have, such as cos_1,
 * become what they stand for, cos(q1 + q2). */
void darc_adjoined_say(darc_text_t out, const darc_model *model,
                       const char *text);

/* Return whether an equation gives the state from measured signals and what is
 * known: parameters u with given[u], and what such equations give. */
bool darc_model_tells(const darc_model *model, const bool *given,
                      const char *state);

/* Set *out to the rewritten model in which functions that became states, of
 * measured signals and parameters u with given[u] alone, are measured too, by
 * outputs of their own; *count: how many.  Where that is 0, *out stays. */
DARC_STATUS darc_model_reveal(darc_model **out, int *count,
                              const darc_model *model, const bool *given,
                              darc_err *err);
