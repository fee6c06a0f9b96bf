#include "syntax/sbml_names.h"

#include "base/mem.h"
#include "base/suggest.h"
#include "syntax/parser.h"

#include <stdlib.h>
#include <string.h>

bool darc_is_sbml(const darc_script *script)
{
    const char *end = strrchr(script->file, '.');
    size_t n = script->length, mark = n > 3 && *script->text == '\xEF' ? 3 : 0;
    return (n > mark && script->text[mark] == '<') ||
           (end != NULL &&
            (strcmp(end, ".xml") == 0 || strcmp(end, ".sbml") == 0));
}

/* Set *e to the formula in x, of a law of that reaction. */
static darc_status read_formula(darc_expr **e, darc_sbml *r,
                                const darc_element *x,
                                const darc_element *scope)
{
    const darc_element *outer = r->scope;
    const darc_mathml_call *call = r->math.call;
    r->scope = scope;
    r->math.call = NULL;
    darc_status status =
        darc_mathml_read(e, &r->math, darc_element_child(x, "math"));
    r->scope = outer;
    r->math.call = call;
    return status;
}

static bool varies(const darc_sbml_symbol *s)
{
    return s != NULL && (s->assigned != NULL || s->rate != NULL);
}

/* Is it a compartment of size 1, or without one, that never changes? */
static bool is_dummy(const darc_sbml_symbol *s)
{
    const char *size = darc_element_get(s->e, "size"),
               *dimensions = darc_element_get(s->e, "spatialDimensions");
    return s->kind == DARC_SBML_COMPARTMENT && !varies(s) &&
           s->initial == NULL &&
           ((dimensions != NULL && strcmp(dimensions, "0") == 0) ||
            (size != NULL && strtod(size, NULL) == 1));
}

/* Set *e to the stoichiometry of a species reference. */
static darc_status read_stoichiometry(darc_expr **e, darc_sbml *r,
                                      const darc_element *x)
{
    const char *number = darc_element_get(x, "stoichiometry");
    const darc_element *given = darc_element_child(x, "stoichiometryMath");
    if (given != NULL)
        return read_formula(e, r, given, NULL);
    if (number == NULL && r->three)
        return darc_sbml_lacks(r, x, "an attribute 'stoichiometry'");
    return darc_mathml_number(e, r->script, number == NULL ? "1" : number,
                              x->place);
}

static darc_status read_law(darc_expr **e, darc_sbml *r,
                            darc_sbml_symbol *reaction)
{
    if (reaction->asked)
        return DARC_FAIL_SYNTAX(r, reaction->e,
                                "the rate of '%.64s' is computed from itself",
                                reaction->id);
    reaction->asked = true;
    darc_status status = read_formula(
        e, r, darc_element_child(reaction->e, "kineticLaw"), reaction->e);
    reaction->asked = false;
    return status == DARC_OK ? darc_mathml_count(&r->math, *e) : status;
}

/* darc_mathml's: what a name in a formula stands for. */
static darc_status resolve(darc_expr **e, void *user, const char *name,
                           darc_place place)
{
    darc_sbml *r = user;
    darc_sbml_symbol *s = darc_sbml_find(r, name, r->scope);
    if (s == NULL) {
        darc_suggestion near;
        darc_suggestion_init(&near, name);
        for (size_t i = 0; i < r->count; i++)
            darc_suggestion_offer(&near, r->symbol[i].id);
        return darc_script_fail(r->script, place, DARC_SYNTAX,
                                "'%.64s' is not declared%s", name,
                                darc_suggestion_text(&near));
    }
    if (s->kind == DARC_SBML_REACTION)
        return read_law(e, r, s);
    *e = is_dummy(s) ? darc_expr_integer(place, 1)
                     : darc_expr_name(place, s->name);
    return DARC_OK;
}

/* Return the compartment by whose size amounts are divided in formulas; NULL:
 * none, the species is counted in amounts, or the size is 1. */
static const darc_sbml_symbol *volume_of(const darc_sbml *r,
                                         const darc_sbml_symbol *s)
{
    const char *id = darc_element_get(s->e, "compartment");
    const darc_sbml_symbol *c = id == NULL ? NULL : darc_sbml_find(r, id, NULL);
    return c == NULL || c->kind != DARC_SBML_COMPARTMENT || is_dummy(c) ||
                   darc_element_true(s->e, "hasOnlySubstanceUnits")
               ? NULL
               : c;
}

/* Does the size by which its amount is divided change with time? */
static bool is_moving(darc_sbml *r, const darc_sbml_symbol *s)
{
    const darc_sbml_symbol *v = volume_of(r, s);
    return v != NULL && darc_sbml_moves(r, r->symbol + (v - r->symbol));
}

/* Reactions change the species; boundaries and constants they leave alone. */
static bool is_changed(const darc_sbml_symbol *s)
{
    return s->kind == DARC_SBML_SPECIES && !varies(s) &&
           !darc_element_true(s->e, "constant") &&
           !darc_element_true(s->e, "boundaryCondition");
}

/* See which species reactions change. */
static darc_status mark_driven(darc_sbml *r, const darc_element *list)
{
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const darc_element *x = list->child[i];
        const char *id = darc_element_get(x, "species");
        darc_sbml_symbol *s = id == NULL ? NULL : darc_sbml_find(r, id, NULL);
        if (s == NULL || s->kind != DARC_SBML_SPECIES)
            return darc_sbml_lacks(r, x, "the id of a species as 'species'");
        if (varies(s) && !darc_element_true(s->e, "boundaryCondition"))
            return DARC_FAIL_SYNTAX(
                r, x,
                "'%.64s' has a rule, too; one of them can change it: "
                "boundaryCondition=\"true\" leaves it to the rule",
                id);
        s->driven = is_changed(s);
    }
    return DARC_OK;
}

/* Set *e to the law as often as the reference counts, in what its species does.
 */
static darc_status read_flow(darc_expr **e, darc_sbml *r, const darc_element *x,
                             const darc_sbml_symbol *s, const darc_expr *law)
{
    const char *factor = darc_element_get(s->e, "conversionFactor");
    double number;
    factor = factor != NULL ? factor
                            : darc_element_get(r->model, "conversionFactor");
    DARC_NEED(read_stoichiometry(e, r, x));
    DARC_NEED(darc_mathml_count(&r->math, law));
    if (darc_expr_is_constant(*e, &number) && number == 1) {
        darc_expr_free(*e);
        *e = darc_expr_copy(law);
    } else {
        *e = darc_expr_formula_take(x->place, "A*W", *e, darc_expr_copy(law));
    }
    if (factor != NULL)
        *e = darc_expr_formula_take(x->place, "W*A", *e,
                                    darc_expr_name(x->place, factor));
    return DARC_OK;
}

/* Add what the reaction brings to, or takes from, the species of a list. */
static darc_status add_flows(darc_sbml *r, const darc_element *list, bool takes,
                             const darc_expr *law)
{
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const darc_element *x = list->child[i];
        darc_sbml_symbol *s =
            darc_sbml_find(r, darc_element_get(x, "species"), NULL);
        darc_expr *flow = NULL;
        if (!s->driven)
            continue;
        darc_status status = read_flow(&flow, r, x, s, law);
        if (status == DARC_OK && takes)
            flow = darc_expr_wrap_take(DARC_EXPR_NEGATE, x->place, flow);
        if (s->flow == NULL)
            s->flow = flow;
        else if (s->flow->kind == DARC_EXPR_SUM)
            darc_expr_append_take(s->flow, flow);
        else
            s->flow = darc_expr_join_take(DARC_EXPR_SUM, s->flow, flow);
        DARC_NEED(status);
    }
    return DARC_OK;
}

static darc_status read_reactions(darc_sbml *r)
{
    static const char *const list[] = {"listOfReactants", "listOfProducts"};
    for (size_t i = 0; i < r->count; i++) {
        const darc_element *x = r->symbol[i].e;
        if (r->symbol[i].kind != DARC_SBML_REACTION)
            continue;
        for (int k = 0; k < 2; k++)
            DARC_NEED(mark_driven(r, darc_element_child(x, list[k])));
    }
    for (size_t i = 0; i < r->count; i++)
        if (is_changed(r->symbol + i) && is_moving(r, r->symbol + i))
            r->symbol[i].driven = true;
    for (size_t i = 0; i < r->count; i++) {
        const darc_element *x = r->symbol[i].e;
        darc_expr *law = NULL;
        if (r->symbol[i].kind != DARC_SBML_REACTION)
            continue;
        darc_status status = read_law(&law, r, r->symbol + i);
        for (int k = 0; k < 2 && status == DARC_OK; k++)
            status = add_flows(r, darc_element_child(x, list[k]), k == 0, law);
        darc_expr_free(law);
        DARC_NEED(status);
    }
    return DARC_OK;
}

/* Set *e to the number it begins with; NULL: it is not given as one. */
static darc_status read_start(darc_expr **e, darc_sbml *r,
                              const darc_sbml_symbol *s)
{
    static const char *const attribute[] = {
        [DARC_SBML_COMPARTMENT] = "size", [DARC_SBML_PARAMETER] = "value"};
    if (s->initial != NULL) {
        DARC_NEED(read_formula(e, r, s->initial, NULL));
        if (!darc_expr_is_constant(*e, NULL)) {
            darc_expr_free(*e);
            *e = NULL;
        }
        return DARC_OK;
    }
    const char *amount = darc_element_get(s->e, "initialAmount"),
               *density = darc_element_get(s->e, "initialConcentration");
    const char *value = s->kind != DARC_SBML_SPECIES
                            ? darc_element_get(s->e, attribute[s->kind])
                        : amount != NULL ? amount
                                         : density;
    if (value == NULL)
        return DARC_OK;
    DARC_NEED(darc_mathml_number(e, r->script, value, s->e->place));
    const char *id = darc_element_get(s->e, "compartment");
    const darc_sbml_symbol *c = s->kind == DARC_SBML_SPECIES && id != NULL
                                    ? darc_sbml_find(r, id, NULL)
                                    : NULL;
    bool amounts = darc_element_true(s->e, "hasOnlySubstanceUnits");
    if (c == NULL || is_dummy(c) || amounts == (amount != NULL))
        return DARC_OK;
    if (!varies(c) && c->initial == NULL &&
        darc_element_get(c->e, "size") != NULL) {
        *e = darc_expr_formula_take(s->e->place, amounts ? "A*W" : "A/W", *e,
                                    darc_expr_name(s->e->place, c->name));
    } else {
        darc_expr_free(*e);
        *e = NULL;
    }
    return DARC_OK;
}

static darc_status declare_symbol(darc_declaration **d, const darc_sbml *r,
                                  const darc_sbml_symbol *s,
                                  darc_section section)
{
    const darc_parser p = {.script = r->script};
    const darc_token t = {TOKEN_NAME, s->name, strlen(s->name), s->e->place,
                          false};
    const char *title = darc_element_get(s->e, "name");
    DARC_NEED(darc_parser_declare(d, &p, r->out, &t, section));
    if (title != NULL && strcmp(title, s->id) != 0) {
        darc_free((*d)->text);
        (*d)->text = darc_text_name(title, strlen(title));
    }
    return DARC_OK;
}

/* What no law changes: a compartment's size is known, all else a parameter,
 * which others may give. */
static darc_status declare_fixed(darc_sbml *r, const darc_sbml_symbol *s)
{
    darc_declaration *d;
    double number = 1;
    DARC_NEED(declare_symbol(&d, r, s, DARC_SECTION_PARAMETERS));
    DARC_NEED(read_start(&d->value, r, s));
    if (d->value == NULL && s->initial != NULL &&
        !darc_sbml_formula_moves(r, s->initial, NULL))
        return read_formula(&d->value, r, s->initial, NULL);
    if (d->value != NULL && s->kind == DARC_SBML_COMPARTMENT) {
        d->section = DARC_SECTION_CONSTANTS;
        return DARC_OK;
    }
    d->may_be_zero = d->value != NULL &&
                     darc_expr_is_constant(d->value, &number) && number == 0;
    d->zero_place = d->place;
    darc_expr_free(d->value);
    d->value = NULL;
    return DARC_OK;
}

/* A rule's: an equation, or a derived signal; what no signal is in is settled
 * later. */
static darc_status declare_assigned(darc_sbml *r, darc_sbml_symbol *s)
{
    darc_declaration *d;
    darc_expr *value = NULL;
    darc_status status = read_formula(&value, r, s->assigned, NULL);
    bool signal = darc_sbml_moves(r, s),
         rough = value != NULL && darc_expr_is_rough(value);
    darc_section section = !signal ? DARC_SECTION_PARAMETERS
                           : rough ? DARC_SECTION_DERIVED
                                   : DARC_SECTION_STATES;
    DARC_THEN(declare_symbol(&d, r, s, section));
    if (status != DARC_OK)
        darc_expr_free(value);
    else if (signal && !rough)
        darc_statements_append_take(&r->out->equations,
                                    darc_expr_name(d->place, d->name), value,
                                    s->assigned->place);
    else
        d->value = value;
    return status;
}

/* x' = rate; of a concentration x in V, x' = flow/V, or (x*V)' = flow. */
static darc_status declare_moving(darc_sbml *r, darc_sbml_symbol *s)
{
    darc_declaration *d;
    darc_expr *right = s->flow;
    const darc_sbml_symbol *v =
        s->kind == DARC_SBML_SPECIES ? volume_of(r, s) : NULL;
    darc_place place = s->e->place;
    DARC_NEED(declare_symbol(&d, r, s, DARC_SECTION_STATES));
    s->flow = NULL;
    if (s->rate != NULL)
        DARC_NEED(read_formula(&right, r, s->rate, NULL));
    else if (right == NULL)
        right = darc_expr_integer(place, 0);
    darc_expr *left = darc_expr_name(place, s->name);
    if (s->rate == NULL && s->kind == DARC_SBML_SPECIES && is_moving(r, s))
        left = darc_expr_formula_take(place, "A*W", left,
                                      darc_expr_name(place, v->name));
    else if (s->rate == NULL && v != NULL)
        right = darc_expr_formula_take(place, "A/W", right,
                                       darc_expr_name(place, v->name));
    left = darc_expr_derive_take(place, left, 1);
    darc_statements_append_take(&r->out->equations, left, right,
                                s->rate != NULL ? s->rate->place : place);
    return DARC_OK;
}

static darc_status declare_all(darc_sbml *r)
{
    for (size_t i = 0; i < r->count; i++) {
        darc_sbml_symbol *s = r->symbol + i;
        if (s->kind == DARC_SBML_REACTION || is_dummy(s))
            continue;
        DARC_NEED(s->assigned != NULL            ? declare_assigned(r, s)
                  : s->rate != NULL || s->driven ? declare_moving(r, s)
                                                 : declare_fixed(r, s));
    }
    return DARC_OK;
}

/* How likely it is measured, from 2 on, 0 least: what the file computes from
 * signals and uses nowhere; species; what has a rate; SBML does not say it. */
static int rank_of(const darc_sbml *r, const darc_sbml_symbol *s)
{
    const darc_declaration *d = darc_syntax_find(r->out, s->name);
    if (d == NULL || d->section != DARC_SECTION_STATES)
        return -1;
    if (s->driven || s->rate != NULL)
        return s->kind == DARC_SBML_SPECIES;
    bool used = s->assigned == NULL ||
                darc_statements_occurrences(&r->out->equations, s->name) > 1 ||
                darc_values_occurrences(r->out, s->name) > 0;
    return used ? -1 : 2;
}

static void guess_measured(darc_sbml *r)
{
    darc_text_t names = DARC_TEXT;
    for (int rank = 2; rank >= 0 && names->len == 0; rank--)
        for (size_t i = 0; i < r->count; i++)
            if (rank_of(r, r->symbol + i) == rank)
                darc_text_printf(names, "%s%s", names->len > 0 ? "," : "",
                                 r->symbol[i].name);
    if (names->len > 0) {
        const darc_reading how = {.measured = names->s};
        darc_script all = *r->script;
        all.how = &how;
        (void)!darc_syntax_measure(r->out, &all);
        r->out->note = darc_text_of(
            "%s: warning: SBML does not say what is measured; taken for it: %s "
            "(--measured NAME,... says otherwise)",
            r->script->file, names->s);
    }
    darc_text_clear(names);
}

/* A simulation begins with the numbers of the file. */
static darc_status give_numbers(darc_sbml *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const darc_sbml_symbol *s = r->symbol + i;
        darc_declaration *d = darc_syntax_find(r->out, s->name);
        if (d != NULL && d->value == NULL && s->assigned == NULL)
            DARC_NEED(read_start(&d->value, r, s));
    }
    return DARC_OK;
}

static darc_status read_model(darc_sbml *r, const darc_element *root)
{
    const char *level = darc_element_get(root, "level");
    r->model = darc_element_child(root, "model");
    if (!darc_element_is(root, "sbml") || r->model == NULL)
        return DARC_FAIL_SYNTAX(r, root,
                                "expected SBML: <sbml> with a <model> in it");
    if (level == NULL || (strcmp(level, "2") != 0 && strcmp(level, "3") != 0))
        return DARC_FAIL_SYNTAX(r, root,
                                "expected SBML of level 2 or 3, not '%.40s': "
                                "convert it",
                                level == NULL ? "" : level);
    r->three = level[0] == '3';
    r->math = (darc_mathml){
        .script = r->script,
        .functions = darc_element_child(r->model, "listOfFunctionDefinitions"),
        .name = resolve,
        .user = r};
    DARC_NEED(darc_sbml_collect(r));
    DARC_NEED(read_reactions(r));
    DARC_NEED(declare_all(r));
    darc_parameters_settle(r->out, true);
    const darc_reading *how = r->script->how;
    if (how == NULL || how->measured == NULL)
        guess_measured(r);
    if (how != NULL && how->simulated)
        DARC_NEED(give_numbers(r));
    const char *id = darc_element_get(r->model, "id"),
               *title = darc_element_get(r->model, "name");
    r->out->name =
        id == NULL || !darc_sbml_is_name(id) ? NULL : darc_strdup(id);
    r->out->title = title == NULL ? NULL : darc_text_name(title, strlen(title));
    return DARC_OK;
}

darc_status darc_parse_sbml(darc_syntax *syntax, const darc_script *script)
{
    darc_element *root = NULL;
    *syntax = (darc_syntax){0};
    DARC_NEED(darc_markup_read(&root, script));
    darc_sbml r = {.script = script, .out = syntax};
    darc_status status = read_model(&r, root);
    darc_sbml_clear(&r);
    darc_element_free(root);
    if (status != DARC_OK)
        darc_syntax_clear(syntax);
    return status;
}
