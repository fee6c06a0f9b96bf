/* markup.h - a text in XML as a tree of elements: what SBML models need of it.
 *
 * A document type is refused, and with it every entity but XML's own five.
 * Left out are notes, annotations, and what stands in namespaces other than
 * SBML's core and MathML.
 */
#pragma once

#include "syntax/expr.h"

typedef struct darc_element {
    char *name;       /* without its namespace; owned */
    char **attribute; /* name, value, ..., NULL: those without a namespace;
                         owned */
    char *text;       /* between the tags, of an element without others; <sep/>
                         is a blank; owned */
    darc_place place;
    size_t count;
    struct darc_element **child; /* owned */
} darc_element;

/* Set *root to the outermost element of the script, to be freed.
 * Fails: DARC_SYNTAX, with the place, where it is no XML, has a document type,
 * or an extension of SBML is required to understand it; DARC_LIMIT, where
 * elements are nested deeper than DARC_MAX_NESTING. */
DARC_STATUS darc_markup_read(darc_element **root, const darc_script *script);
void darc_element_free(darc_element *e);

bool darc_element_is(const darc_element *e, const char *name);

/* Return the value of the attribute; NULL: it has none, or e is NULL. */
const char *darc_element_get(const darc_element *e, const char *attribute);

/* Return whether that is true. */
bool darc_element_true(const darc_element *e, const char *attribute);

/* Return the first child of that name; NULL: there is none, or e is NULL. */
const darc_element *darc_element_child(const darc_element *e, const char *name);
