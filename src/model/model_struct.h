/* model_struct.h - what a model consists of. */
#pragma once

#include "model/model.h"
#include "syntax/syntax.h"

/* ---- rewriter: a model whose functions are being replaced by new unknowns
 * ---- */

/* What stands for a function of the model as written. */
typedef struct {
    char *name;      /* of the new unknown; owned */
    darc_expr *call; /* the function, in unknowns before it; owned */
    bool free;       /* equations determine it up to a constant only */
} darc_adjoined;

typedef struct {
    int count;
    darc_adjoined *item; /* owned */
} darc_adjoineds;

void darc_adjoineds_clear(darc_adjoineds *a);

/* Let unknowns in e be those of these names. */
void darc_bind_names(darc_expr *e, const darc_names_struct *names);

/* An unknown to be replaced everywhere; no value contains such a name. */
typedef struct {
    char *name;       /* owned */
    darc_expr *value; /* owned */
    bool state;       /* else a parameter, which is dropped */
} darc_substitution;

typedef struct {
    darc_syntax *syntax; /* rewritten in place; its names are bound */
    darc_adjoineds *adjoined;
    const darc_script *script;
    bool simulation; /* every smooth function by a differential equation */
    bool whole;      /* none is a derived signal */
    int names;       /* numbered so far */
    int substitutions;
    darc_substitution *substitution; /* owned */
} darc_rewriter;

void darc_rewriter_clear(darc_rewriter *rw);

/* Return whether e consists of parameters and constants; of inputs, outputs,
 * derived signals, time and constants, and of no derivative; of these and
 * parameters, some of each. */
bool darc_rewriter_is_parametric(const darc_rewriter *rw, const darc_expr *e);
bool darc_rewriter_is_measured(const darc_rewriter *rw, const darc_expr *e,
                               bool rates);
bool darc_rewriter_is_measured_by(const darc_rewriter *rw, const darc_expr *e);

/* Let functions of arguments that integer relations bind be of a basis of these
 * (functions/arguments.h).  measured: can the function be computed from the
 * recording? */
void darc_share_known(const darc_rewriter *rw,
                      bool (*measured)(const darc_rewriter *rw,
                                       const darc_expr *e));

/* Replace states that are measured by the outputs that measure them (rates: or
 * by their derivatives, v of x' = v), or, with `to` the states, outputs by
 * states. */
void darc_rewriter_use_equal(const darc_rewriter *rw, darc_expr *e,
                             darc_section to, bool rates);

/* Declare a new unknown in the section for the function call; its name is
 * made of the word and the call's argument.  Return it, valid until the next
 * one is declared; its name stays. */
darc_adjoined *darc_rewriter_declare(darc_rewriter *rw, const char *word,
                                     darc_section section,
                                     const darc_expr *call);

/* Return the name that already stands for the function, or NULL. */
const char *darc_rewriter_known(const darc_rewriter *rw, const darc_expr *call);

/* ---- an unknown of an equation, put in its place everywhere ------------- */

/* Solve e = value for an unknown of the section that e contains once: return
 * its name and set *solution; NULL when e is not of that form.  value is
 * copied. */
const char *darc_solve_for(const darc_rewriter *rw, darc_section section,
                           const darc_expr *e, const darc_expr *value,
                           darc_expr **solution);

/* Replace all that is to be replaced in *e, and its derivatives. */
void darc_substitute_known(const darc_rewriter *rw, darc_expr **e);

/* Remember to replace name by value. */
void darc_substitute_later_take(darc_rewriter *rw, const char *name,
                                darc_expr *value, bool state);

/* Replace in all statements; a state keeps the equation name = value. */
void darc_substitute_all(darc_rewriter *rw);

/* Return what the statement says that name' is, where it holds the name but
 * once; NULL where it does not say so. */
darc_expr *darc_solve_rate(const darc_statement *s, const char *name);

/* ---- adjoin: one function becomes a new unknown with an equation -------- */

/* Replace *call, a smooth function of not only measured signals, by a new
 * state and add the state's equations. */
DARC_STATUS darc_adjoin_function(darc_rewriter *rw, darc_expr **call);

/* Replace *power, base^(p/q), by r^p with a new r = base^(1/q). */
void darc_adjoin_root(darc_rewriter *rw, darc_expr **power, slong p, slong q);

/* ---- circle: a constraint is left by going round on it --------------------
 *
 * x^2 + y^2 = l^2 with states x, y, which may stand in sums: x = 2 l w/(1 +
 * w^2), y = l (1 - w^2)/(1 + w^2), w = x/(l + y) a new state; a sphere of three
 * likewise by two.  All points but one are reached, so that the solutions are
 * the same.  What the constraint hides, derivatives of it and multipliers, then
 * is an ordinary model. */

/* Do so with all such equations, and remove them. */
void darc_leave_circles(darc_rewriter *rw);

/* Return whether there is one, by its form. */
bool darc_has_circle(const darc_syntax *syntax);

struct darc_model {
    char *file;          /* name for messages; owned */
    darc_syntax syntax;  /* names bound, functions rewritten */
    bool rewritten;      /* else `written` is empty */
    darc_syntax written; /* as it stands in the file */
    darc_adjoineds adjoined;
    bool whole; /* smooth functions of measured signals are of states */
    int chain;  /* links of those of unknown inputs; 0: none */
    darc_names_t names;
    int *declared;   /* declared[u]: declaration of unknown u; -1: time */
    int *order;      /* highest order of u in eq and ineq */
    bool dead_times; /* the rewritten one holds delays by a parameter to first
                        order around 0 */
    bool framed;     /* the fields below are set */
    darc_ranking_t ranking;
    darc_jet_t jet; /* the frame of eq and ineq */
    darc_dpolys_t eq, ineq;
    int remarks;
    char **remark; /* owned */
};

/* Return the declaration of unknown u, NULL for time. */
const darc_declaration *darc_model_declaration(const darc_model *model, int u);

/* Append a model in its own language. */
void darc_model_print_syntax(darc_text_t out, const darc_syntax *s);

/* Set s, empty before, to the model as it is printed. */
DARC_STATUS darc_model_syntax(darc_syntax *s, const darc_model *model,
                              darc_err *err);

/* Set *out to the model that s is printed as, read so (NULL: as it says). */
DARC_STATUS darc_model_reread(darc_model **out, const darc_syntax *s,
                              const char *file, const darc_reading *how,
                              darc_err *err);

/* ---- the steps of reading a model --------------------------------------- */

/* Set model->names and ->declared (both empty before) from its syntax, bind
 * every name of its expressions, evaluate its constants.
 * Fails: DARC_MODEL. */
DARC_STATUS darc_check_names(darc_model *model, const darc_script *script);

/* Do the units that a model declares fit its equations?  Terms of a sum, both
 * sides of an equation, what min, max and if choose from must be of one
 * dimension, arguments of sin, exp and their like of none.  What has no unit,
 * or one that is not known, takes what the equations need, which parameters and
 * states without a unit keep; so do numbers that stand as terms.  rad is 1.
 * Fails: DARC_MODEL, at the term that differs from most of the others. */
DARC_STATUS darc_check_dimensions(darc_model *model, const darc_script *script);

/* Functions in equations become unknowns with equations.
 *
 * A function of measured signals alone becomes a derived signal, one of
 * parameters alone a parameter, any other a state w with a differential
 * equation: w = exp(a) gives w' = w*a' with w != 0.  Such an equation
 * determines w up to a constant of integration only: what is concluded from
 * it is necessary.  sin and cos come from t = tan(a/2), sinh and cosh from
 * exp(a): what binds them is kept.
 * A root r = a^(1/n) is exact: r^n = a, solved for an unknown of a where that
 * can be done, so that this unknown is replaced everywhere. */

/* Return whether an equation or assumption contains a function. */
bool darc_rewrite_needed(const darc_syntax *syntax);

/* Rewrite all functions in syntax, whose names are bound, and list what stands
 * for them; for a simulation every smooth function by a differential equation.
 * Fails: DARC_MODEL for a function that has no differential equation and
 * whose arguments are not measured; DARC_LIMIT past DARC_MAX_UNKNOWNS. */
DARC_STATUS darc_rewrite(darc_syntax *syntax, darc_adjoineds *adjoined,
                         const darc_script *script);

/* ---- dead times: delay(a, T) with a parameter in T ------------------------
 *
 * The equations of such a model are those around T = 0, a - T*a': what they
 * identify, the recording does.  Recordings are held against the model around
 * a value of T (darc_model_near). */

/* Put derived signals that hold one in their place. */
void darc_dead_times_inline(darc_syntax *s);

/* Set the orders, the ranking and the frame of a model whose names are bound.
 * Fails: DARC_LIMIT past DARC_MAX_ORDER; DARC_MODEL without unknowns, or when
 * the ranking names what is no unknown, or twice. */
DARC_STATUS darc_check_frame(darc_model *model, const darc_script *script);

/* Set its remarks: units that are not known, names that no equation uses. */
void darc_model_look(darc_model *model);

/* Append the polynomials of the model to its eq and ineq, in its jet.
 * Fails: as darc_model_equations. */
DARC_STATUS darc_build_equations(darc_model *model, const darc_script *script);
