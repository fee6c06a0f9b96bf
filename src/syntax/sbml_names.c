#include "syntax/sbml_names.h"

#include "base/limits.h"
#include "base/mem.h"

#include <string.h>

darc_status darc_sbml_lacks(const darc_sbml *r, const darc_element *e,
                            const char *what)
{
    return DARC_FAIL_SYNTAX(r, e, "expected %s in <%.40s>", what, e->name);
}

darc_sbml_symbol *darc_sbml_find(const darc_sbml *r, const char *id,
                                 const darc_element *scope)
{
    darc_sbml_symbol *found = NULL;
    for (size_t i = 0; i < r->count; i++) {
        darc_sbml_symbol *s = r->symbol + i;
        if (strcmp(s->id, id) == 0 &&
            (s->scope == NULL ? found == NULL : s->scope == scope))
            found = s;
    }
    return found;
}

bool darc_sbml_is_name(const char *name)
{
    darc_expr *e = darc_expr_read(name, strlen(name));
    bool yes = e != NULL && e->kind == DARC_EXPR_UNKNOWN &&
               strcmp(e->text, name) == 0 && strcmp(name, "time") != 0 &&
               strcmp(name, "model") != 0;
    for (int i = 0; i < DARC_SECTIONS; i++)
        yes = yes && strcmp(name, darc_section_word((darc_section)i)) != 0;
    darc_expr_free(e);
    return yes;
}

static darc_status add_symbol(darc_sbml *r, darc_sbml_kind k,
                              const darc_element *e, const darc_element *scope)
{
    const char *id = darc_element_get(e, "id");
    if (id == NULL)
        return darc_sbml_lacks(r, e, "an attribute 'id'");
    DARC_ROOM(r->symbol, r->count);
    darc_sbml_symbol *s = r->symbol + r->count++;
    *s = (darc_sbml_symbol){k, e, scope, id, .moves = DARC_UNKNOWN};
    s->name = scope == NULL
                  ? darc_strdup(id)
                  : darc_text_of("%s_%s", darc_element_get(scope, "id"), id);
    if (darc_sbml_is_name(s->name))
        return DARC_OK;
    darc_free(s->name);
    s->name = darc_text_of("%s_", id);
    return darc_sbml_is_name(s->name)
               ? DARC_OK
               : DARC_FAIL_SYNTAX(
                     r, e,
                     "expected an id of at most %d letters, digits and _, not "
                     "'%.80s'",
                     DARC_MAX_NAME, id);
}

static darc_status add_list(darc_sbml *r, const darc_element *of,
                            const char *list, darc_sbml_kind k,
                            const darc_element *scope)
{
    const darc_element *l = darc_element_child(of, list);
    for (size_t i = 0; l != NULL && i < l->count; i++)
        DARC_NEED(add_symbol(r, k, l->child[i], scope));
    return DARC_OK;
}

static darc_status add_reactions(darc_sbml *r)
{
    const darc_element *l = darc_element_child(r->model, "listOfReactions");
    DARC_NEED(
        add_list(r, r->model, "listOfReactions", DARC_SBML_REACTION, NULL));
    for (size_t i = 0; l != NULL && i < l->count; i++) {
        const darc_element *x = l->child[i],
                           *law = darc_element_child(x, "kineticLaw");
        if (darc_element_true(x, "fast"))
            return DARC_FAIL_SYNTAX(
                r, x,
                "a fast reaction is not read: write its equilibrium as a rule, "
                "or give it a rate");
        if (darc_element_child(law, "math") == NULL)
            return DARC_FAIL_SYNTAX(
                r, x,
                "the reaction '%.64s' has no kinetic law; expected "
                "<kineticLaw> with a formula",
                darc_element_get(x, "id"));
        DARC_NEED(add_list(r, law, "listOfParameters", DARC_SBML_PARAMETER, x));
        DARC_NEED(
            add_list(r, law, "listOfLocalParameters", DARC_SBML_PARAMETER, x));
    }
    return DARC_OK;
}

/* Give rules and initial assignments to what they are of. */
static darc_status attach(darc_sbml *r, const char *list, const char *attribute)
{
    const darc_element *l = darc_element_child(r->model, list);
    for (size_t i = 0; l != NULL && i < l->count; i++) {
        const darc_element *x = l->child[i];
        if (darc_element_is(x, "algebraicRule"))
            return DARC_FAIL_SYNTAX(
                r, x,
                "an algebraic rule is not read: solve it for a name and "
                "write an assignment rule");
        const char *id = darc_element_get(x, attribute);
        darc_sbml_symbol *s = id == NULL ? NULL : darc_sbml_find(r, id, NULL);
        if (s == NULL || s->kind == DARC_SBML_REACTION)
            return DARC_FAIL_SYNTAX(
                r, x,
                "expected '%s' to name a compartment, species or parameter, "
                "not '%.64s'",
                attribute, id == NULL ? "" : id);
        if (darc_element_child(x, "math") == NULL)
            return darc_sbml_lacks(r, x, "<math>");
        *(darc_element_is(x, "rateRule")         ? &s->rate
          : darc_element_is(x, "assignmentRule") ? &s->assigned
                                                 : &s->initial) = x;
    }
    return DARC_OK;
}

darc_status darc_sbml_collect(darc_sbml *r)
{
    const darc_element *events = darc_element_child(r->model, "listOfEvents");
    if (events != NULL && events->count > 0)
        return DARC_FAIL_SYNTAX(
            r, events->child[0],
            "an event is not read: darc's models have none; take a recording "
            "between events, or write what it sets as a measured input");
    DARC_NEED(add_list(r, r->model, "listOfCompartments", DARC_SBML_COMPARTMENT,
                       NULL));
    DARC_NEED(add_list(r, r->model, "listOfSpecies", DARC_SBML_SPECIES, NULL));
    DARC_NEED(
        add_list(r, r->model, "listOfParameters", DARC_SBML_PARAMETER, NULL));
    DARC_NEED(add_reactions(r));
    DARC_NEED(attach(r, "listOfRules", "variable"));
    return attach(r, "listOfInitialAssignments", "symbol");
}

bool darc_sbml_moves(darc_sbml *r, darc_sbml_symbol *s)
{
    const darc_element *given = s->kind == DARC_SBML_REACTION
                                    ? darc_element_child(s->e, "kineticLaw")
                                    : s->assigned;
    if (s->moves != DARC_UNKNOWN || s->asked)
        return s->moves == DARC_TRUE;
    s->asked = true;
    bool yes =
        s->driven || s->rate != NULL ||
        (given != NULL &&
         darc_sbml_formula_moves(r, darc_element_child(given, "math"),
                                 s->kind == DARC_SBML_REACTION ? s->e : NULL));
    s->asked = false;
    s->moves = yes ? DARC_TRUE : DARC_FALSE;
    return yes;
}

bool darc_sbml_formula_moves(darc_sbml *r, const darc_element *x,
                             const darc_element *scope)
{
    char id[DARC_MAX_NAME + 1];
    bool yes = darc_element_is(x, "csymbol");
    if (darc_element_is(x, "ci")) {
        const char *s = x->text + strspn(x->text, " \t\r\n");
        size_t n = strcspn(s, " \t\r\n");
        n = n > DARC_MAX_NAME ? DARC_MAX_NAME : n;
        memcpy(id, s, n);
        id[n] = '\0';
        darc_sbml_symbol *of = darc_sbml_find(r, id, scope);
        yes = of != NULL && darc_sbml_moves(r, of);
    }
    for (size_t i = 0; i < x->count && !yes; i++)
        yes = darc_sbml_formula_moves(r, x->child[i], scope);
    return yes;
}

void darc_sbml_clear(darc_sbml *r)
{
    for (size_t i = 0; i < r->count; i++) {
        darc_free(r->symbol[i].name);
        darc_expr_free(r->symbol[i].flow);
    }
    darc_free(r->symbol);
}
