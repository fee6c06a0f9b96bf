/* sbml_names.h - what a model in SBML names, before any formula is read.
 */
#pragma once

#include "syntax/mathml.h"
#include "syntax/syntax.h"

typedef enum {
    DARC_SBML_COMPARTMENT,
    DARC_SBML_SPECIES,
    DARC_SBML_PARAMETER,
    DARC_SBML_REACTION
} darc_sbml_kind;

typedef struct {
    darc_sbml_kind kind;
    const darc_element *e;
    const darc_element *scope; /* the reaction whose parameter it is; NULL: of
                                  the model */
    const char *id;
    char *name;                                    /* for darc; owned */
    const darc_element *assigned, *rate, *initial; /* rule, or assignment, of
                                                      it; NULL: none */
    bool driven;      /* a species that reactions, or its compartment, change */
    darc_expr *flow;  /* what reactions bring, amount per time; owned */
    darc_truth moves; /* with time; DARC_UNKNOWN: not asked yet */
    bool asked;       /* whether it moves, its law: no circles */
} darc_sbml_symbol;

typedef struct {
    const darc_script *script;
    const darc_element *model;
    const darc_element *scope; /* the reaction whose law is read; NULL: none */
    bool three;                /* Level 3 */
    darc_mathml math;
    darc_syntax *out;
    size_t count;
    darc_sbml_symbol *symbol; /* owned, and what is in them */
} darc_sbml;

/* Fill in the symbols of the model; clear them whatever comes of it.
 * Fails: DARC_SYNTAX, with the place, at the first that darc does not take. */
DARC_STATUS darc_sbml_collect(darc_sbml *r);
void darc_sbml_clear(darc_sbml *r);

/* Return the symbol of the id where a formula of that reaction stands, NULL: of
 * none; NULL: there is none. */
darc_sbml_symbol *darc_sbml_find(const darc_sbml *r, const char *id,
                                 const darc_element *scope);

/* Return whether darc takes it for a name that is not its own. */
bool darc_sbml_is_name(const char *name);

/* Return whether it changes with time; whether a formula does. */
bool darc_sbml_moves(darc_sbml *r, darc_sbml_symbol *s);
bool darc_sbml_formula_moves(darc_sbml *r, const darc_element *x,
                             const darc_element *scope);

/* Fail with "expected WHAT in <NAME>" at the element. */
darc_status darc_sbml_lacks(const darc_sbml *r, const darc_element *e,
                            const char *what);
