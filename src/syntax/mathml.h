/* mathml.h - formulas in content MathML, as SBML has them, as trees.
 */
#pragma once

#include "syntax/markup.h"

/* The function that is being read: what its arguments stand for. */
typedef struct darc_mathml_call {
    size_t count;
    char **name;
    darc_expr **value;
} darc_mathml_call;

typedef struct {
    const darc_script *script;
    const darc_element *functions; /* definitions, which are inlined; NULL: none
                                    */
    /* Set *e to what the name at that place stands for. */
    darc_status (*name)(darc_expr **e, void *user, const char *name,
                        darc_place place);
    void *user;
    const darc_mathml_call *call; /* NULL: none */
    int depth;                    /* of calls */
    size_t nodes;                 /* made of definitions so far */
} darc_mathml;

/* Set *e to the tree of the formula in the element, a <math>; after a failure
 * to NULL.
 * Fails: DARC_SYNTAX, with the place, where it is none, or darc has no form
 * for it; DARC_LIMIT, where definitions make it too long; as m->name. */
DARC_STATUS darc_mathml_read(darc_expr **e, darc_mathml *m,
                             const darc_element *math);

/* Count the operations of e among those that definitions make.
 * Fails: DARC_LIMIT, with the place, where they are too many. */
DARC_STATUS darc_mathml_count(darc_mathml *m, const darc_expr *e);

/* Set *e to the number that the text is.
 * Fails: DARC_SYNTAX. */
DARC_STATUS darc_mathml_number(darc_expr **e, const darc_script *script,
                               const char *text, darc_place place);
