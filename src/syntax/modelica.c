#include "syntax/parser.h"

#include "base/limits.h"
#include "base/mem.h"

#include <stdint.h>

static bool is_among(const darc_token *t, const char *const *words)
{
    for (; *words != NULL; words++)
        if (darc_token_is(t, *words))
            return true;
    return false;
}

static darc_status refuse_token(const darc_parser *p)
{
    const darc_token *t = darc_parser_peek(p, 0);
    return DARC_FAIL_SYNTAX(
        p, t,
        "'%.*s' is outside of what darc reads of Modelica: a flat class of "
        "Real variables and equations; flatten the model first",
        (int)(t->n > 40 ? 40 : t->n), t->s);
}

/* Refuse the words that begin what is not read. */
static darc_status check_word(const darc_parser *p)
{
    static const char *const beyond[] = {
        "algorithm",   "assert",       "block",     "class",    "connect",
        "connector",   "extends",      "flow",      "for",      "function",
        "import",      "inner",        "Integer",   "Boolean",  "String",
        "operator",    "outer",        "package",   "record",   "redeclare",
        "replaceable", "stream",       "terminate", "type",     "when",
        "while",       "encapsulated", "partial",   "discrete", NULL};
    return is_among(darc_parser_peek(p, 0), beyond) ? refuse_token(p) : DARC_OK;
}

/* modifier -> { 'each' | 'final' } name '=' ( text | expression ) */
static darc_status parse_modifier(darc_parser *p, darc_declaration *d)
{
    while (darc_parser_word(p, "each") || darc_parser_word(p, "final"))
        continue;
    bool unit = darc_token_is(darc_parser_peek(p, 0), "unit");
    DARC_NEED(darc_parser_expect(p, TOKEN_NAME, "an attribute such as unit"));
    DARC_NEED(darc_parser_expect(p, TOKEN_EQUAL, "'=' after the attribute"));
    if (unit ? darc_parser_take(p, TOKEN_STRING, &d->unit)
             : darc_parser_accept(p, TOKEN_STRING))
        return DARC_OK;
    darc_expr *e = NULL;
    darc_status status = darc_parse_expression(p, &e);
    darc_expr_free(e);
    return status;
}

/* modifiers -> [ '(' modifier { ',' modifier } ')' ] */
static darc_status parse_modifiers(darc_parser *p, darc_declaration *d)
{
    if (!darc_parser_accept(p, TOKEN_OPEN))
        return DARC_OK;
    do
        DARC_NEED(parse_modifier(p, d));
    while (darc_parser_accept(p, TOKEN_COMMA));
    return darc_parser_expect(p, TOKEN_CLOSE, "',' or ')'");
}

static void add_equation_take(darc_syntax *out, const darc_declaration *d,
                              darc_expr *value)
{
    darc_statements_append_take(
        &out->equations, darc_expr_name(d->place, d->name), value, d->place);
}

bool darc_expr_is_rough(const darc_expr *e)
{
    bool rough = e->kind == DARC_EXPR_CALL && e->function >= DARC_FUNCTION_ABS;
    for (int i = 0; i < e->count && !rough; i++)
        rough = darc_expr_is_rough(e->child[i]);
    return rough;
}

/* The component *d = value: a constant, a parameter given as a number or (its
 * value stays for now) by others, or an equation. */
static darc_status bind_take(darc_parser *p, darc_syntax *out,
                             darc_declaration *d, darc_expr *value)
{
    double number;
    bool plain = darc_expr_is_constant(value, &number);
    bool parameter = d->section == DARC_SECTION_PARAMETERS;
    if (d->section == DARC_SECTION_CONSTANTS || (parameter && !plain)) {
        d->value = value;
    } else if (parameter) {
        d->may_be_zero = number == 0;
        d->zero_place = d->place;
        darc_expr_free(value);
    } else if (d->section == DARC_SECTION_INPUTS) {
        darc_expr_free(value);
        return DARC_FAIL_SYNTAX(
            p, d, "the input '%s' has an equation; an input is measured",
            d->name);
    } else if (d->section == DARC_SECTION_STATES && darc_expr_is_rough(value)) {
        d->section = DARC_SECTION_DERIVED;
        d->value = value;
    } else {
        add_equation_take(out, d, value);
    }
    return DARC_OK;
}

/* declarator -> name modifiers [ '=' expression ] [ text ] */
static darc_status parse_declarator(darc_parser *p, darc_syntax *out,
                                    darc_section section,
                                    const darc_declaration *common)
{
    const darc_token *t = darc_parser_peek(p, 0);
    darc_declaration *d;
    DARC_NEED(check_word(p));
    DARC_NEED(darc_parser_expect(p, TOKEN_NAME, "a name"));
    DARC_NEED(darc_parser_declare(&d, p, out, t, section));
    darc_free(d->unit);
    d->unit = darc_strdup(common->unit);
    DARC_NEED(parse_modifiers(p, d));
    if (darc_parser_accept(p, TOKEN_EQUAL)) {
        darc_expr *value = NULL;
        darc_status status = darc_parse_expression(p, &value);
        if (status != DARC_OK) {
            darc_expr_free(value);
            return status;
        }
        DARC_NEED(bind_take(p, out, d, value));
    } else if (section == DARC_SECTION_CONSTANTS) {
        return darc_parser_expected(p, "'=' and the value of the constant");
    }
    darc_parser_take(p, TOKEN_STRING, &d->text);
    return DARC_OK;
}

/* other -> 'Integer' name modifiers [ '=' number ] [ text ] ';'
 *          | 'Boolean' ... ';'
 * of a parameter: a constant is its number, what is true or false shaped the
 * equations before they were written. */
static darc_status parse_other(darc_parser *p, darc_syntax *out)
{
    bool whole = darc_token_is(darc_parser_peek(p, 0), "Integer");
    const darc_declaration none = {.unit = ""};
    p->at++;
    if (whole && darc_parser_peek(p, 1)->kind != TOKEN_SEMICOLON) {
        DARC_NEED(parse_declarator(p, out, DARC_SECTION_CONSTANTS, &none));
        return darc_parser_expect(p, TOKEN_SEMICOLON, "';'");
    }
    while (darc_parser_peek(p, 0)->kind != TOKEN_SEMICOLON &&
           darc_parser_peek(p, 0)->kind != TOKEN_END &&
           darc_parser_peek(p, 0)->kind != TOKEN_BAD)
        p->at++;
    return darc_parser_expect(p, TOKEN_SEMICOLON, "';'");
}

/* component -> { prefix } 'Real' modifiers declarator { ',' declarator } ';'
 *              | { prefix } other */
static darc_status parse_component(darc_parser *p, darc_syntax *out)
{
    bool parameter = false, constant = false, input = false, output = false;
    while (darc_parser_word(p, "final") ||
           (!parameter && (parameter = darc_parser_word(p, "parameter"))) ||
           (!constant && (constant = darc_parser_word(p, "constant"))) ||
           (!input && (input = darc_parser_word(p, "input"))) ||
           (!output && (output = darc_parser_word(p, "output"))))
        continue;
    darc_section section = constant    ? DARC_SECTION_CONSTANTS
                           : parameter ? DARC_SECTION_PARAMETERS
                           : input     ? DARC_SECTION_INPUTS
                           : output    ? DARC_SECTION_OUTPUTS
                                       : DARC_SECTION_STATES;
    if ((parameter || constant) &&
        (darc_token_is(darc_parser_peek(p, 0), "Integer") ||
         darc_token_is(darc_parser_peek(p, 0), "Boolean")))
        return parse_other(p, out);
    if (!darc_token_is(darc_parser_peek(p, 0), "Real"))
        return darc_parser_peek(p, 0)->kind == TOKEN_NAME
                   ? refuse_token(p)
                   : darc_parser_expected(p, "'Real' or 'equation'");
    p->at++;
    darc_declaration common = {.unit = darc_strdup("")};
    darc_status status = parse_modifiers(p, &common);
    if (status == DARC_OK)
        do
            status = parse_declarator(p, out, section, &common);
        while (status == DARC_OK && darc_parser_accept(p, TOKEN_COMMA));
    darc_free(common.unit);
    return status != DARC_OK ? status
                             : darc_parser_expect(p, TOKEN_SEMICOLON, "';'");
}

/* equation -> expression '=' expression [ text ] ';' */
static darc_status parse_equation(darc_parser *p, darc_statements *s)
{
    const darc_token *t = darc_parser_peek(p, 0);
    DARC_NEED(check_word(p));
    if (s->count >= DARC_MAX_EQUATIONS)
        return darc_script_fail(p->script, t->place, DARC_LIMIT,
                                "more than %d equations", DARC_MAX_EQUATIONS);
    darc_statements_append_take(s, NULL, NULL, t->place);
    darc_statement *d = s->statement + s->count - 1;
    DARC_NEED(darc_parse_expression(p, &d->left));
    DARC_NEED(darc_parser_expect(p, TOKEN_EQUAL, "an operator or '='"));
    DARC_NEED(darc_parse_expression(p, &d->right));
    (void)darc_parser_accept(p, TOKEN_STRING);
    return darc_parser_expect(p, TOKEN_SEMICOLON, "an operator or ';'");
}

/* equations -> [ 'initial' ] 'equation' { equation } */
static darc_status parse_equations(darc_parser *p, darc_syntax *out)
{
    static const char *const ends[] = {"end",    "equation",  "initial",
                                       "public", "protected", NULL};
    darc_statements skipped = {0};
    bool initial = darc_parser_word(p, "initial");
    darc_status status = DARC_OK;
    if (!darc_parser_word(p, "equation"))
        return darc_parser_expected(p, "'equation' after 'initial'");
    while (status == DARC_OK && !is_among(darc_parser_peek(p, 0), ends) &&
           darc_parser_peek(p, 0)->kind != TOKEN_END)
        if (!darc_parser_accept(p, TOKEN_SEMICOLON)) /* of an annotation */
            status = parse_equation(p, initial ? &skipped : &out->equations);
    darc_statements_clear(&skipped);
    return status;
}

/* class -> ( 'model' | 'block' | 'class' ) name [ text ] { part }
 *          'end' name ';' */
static darc_status parse_class(darc_parser *p, darc_syntax *out)
{
    if (!darc_parser_word(p, "model") && !darc_parser_word(p, "block") &&
        !darc_parser_word(p, "class"))
        return darc_parser_expected(p, "'model', 'block' or 'class'");
    if (!darc_parser_take(p, TOKEN_NAME, &out->name))
        return darc_parser_expected(p, "the name of the class");
    darc_parser_take(p, TOKEN_STRING, &out->title);
    while (!darc_parser_word(p, "end")) {
        const darc_token *next = darc_parser_peek(p, 0);
        if (darc_parser_word(p, "public") || darc_parser_word(p, "protected") ||
            darc_parser_accept(p, TOKEN_SEMICOLON)) /* of an annotation */
            continue;
        if (next->kind == TOKEN_END)
            return darc_parser_expected(p, "'end' and the name of the class");
        DARC_NEED(check_word(p));
        DARC_NEED(darc_token_is(next, "equation") ||
                          darc_token_is(next, "initial")
                      ? parse_equations(p, out)
                      : parse_component(p, out));
    }
    if (!darc_parser_word(p, out->name))
        return darc_parser_expected(p, "the name of the class after 'end'");
    return darc_parser_expect(p, TOKEN_SEMICOLON, "';' after the class");
}

/* Those that equations hold become states with an equation. */
static void settle_some(darc_syntax *s)
{
    for (size_t i = 0; i < s->declarations; i++) {
        darc_declaration *d = s->declaration + i;
        if (d->section != DARC_SECTION_PARAMETERS || d->value == NULL ||
            darc_statements_occurrences(&s->equations, d->name) == 0)
            continue;
        d->section = DARC_SECTION_STATES;
        add_equation_take(s, d, d->value);
        d->value = NULL;
    }
}

/* Is it a parameter that does nothing?  `all`: a name that nothing holds, too.
 */
static bool is_idle(const darc_syntax *s, const darc_declaration *d, bool all)
{
    bool parameter = d->section == DARC_SECTION_PARAMETERS;
    return (parameter && d->value != NULL) ||
           (all && (parameter || d->section == DARC_SECTION_CONSTANTS) &&
            darc_statements_occurrences(&s->equations, d->name) == 0 &&
            darc_values_occurrences(s, d->name) == 0);
}

void darc_parameters_settle(darc_syntax *s, bool all)
{
    size_t kept = 0;
    for (size_t before = SIZE_MAX; before != s->equations.count;) {
        before = s->equations.count;
        settle_some(s);
    }
    for (size_t i = 0; i < s->declarations; i++) {
        darc_declaration *d = s->declaration + i;
        if (is_idle(s, d, all))
            darc_declaration_clear(d), d->value = NULL;
        else
            s->declaration[kept++] = *d;
    }
    s->declarations = kept;
}

darc_status darc_parse_modelica(darc_syntax *syntax, const darc_script *script)
{
    *syntax = (darc_syntax){0};
    darc_tokens tokens;
    darc_tokens_init(&tokens, script);
    darc_parser p = {.script = script, .tokens = &tokens};
    if (darc_parser_word(&p, "within") &&
        !darc_parser_accept(&p, TOKEN_SEMICOLON))
        p.at += 2; /* within Package; */
    darc_status status;
    DARC_TRY(parse_class(&p, syntax));
    DARC_TRY(darc_parser_expect(&p, TOKEN_END,
                                "nothing more: a file holds one class,"));
    darc_parameters_settle(syntax, false);
done:
    darc_tokens_clear(&tokens);
    if (status != DARC_OK)
        darc_syntax_clear(syntax);
    return status;
}
