#include "syntax/parser.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

static bool at_model_line(const darc_parser *p)
{
    const darc_token *t = darc_parser_peek(p, 0);
    darc_token_kind next = darc_parser_peek(p, 1)->kind;
    return t->first && darc_token_is(t, "model") &&
           (next == TOKEN_NAME || next == TOKEN_NEWLINE ||
            next == TOKEN_STRING || next == TOKEN_END || next == TOKEN_BAD);
}

/* Does the section end here? */
static bool at_section_end(const darc_parser *p)
{
    return darc_parser_peek(p, 0)->kind == TOKEN_END || at_model_line(p) ||
           darc_parser_section(p) != DARC_SECTIONS;
}

/* model -> 'model' name [ text ] newline */
static darc_status parse_model_line(darc_parser *p, darc_syntax *out)
{
    const darc_token *t = darc_parser_peek(p, 0);
    if (out->name != NULL)
        return DARC_FAIL_SYNTAX(
            p, t, "a second 'model' line; a file holds one model");
    p->at++;
    if (!darc_parser_take(p, TOKEN_NAME, &out->name))
        return darc_parser_expected(p, "the name of the model");
    darc_parser_take(p, TOKEN_STRING, &out->title);
    return darc_parser_expect(p, TOKEN_NEWLINE,
                              "a title in quotes or the end of the line");
}

/* attributes -> [ unit ] [ text ]
 *               [ 'may' 'be' 'zero' | 'held' | 'mean' | 'dose' | 'unknown' ] */
static darc_status parse_attributes(darc_parser *p, darc_declaration *d)
{
    if (d->unit[0] == '\0')
        darc_parser_take(p, TOKEN_UNIT, &d->unit);
    if (d->text[0] == '\0')
        darc_parser_take(p, TOKEN_STRING, &d->text);
    const darc_token *t = darc_parser_peek(p, 0);
    if (t->kind == TOKEN_COMPARISON && t->n == 1 && *t->s == '>') {
        d->positive = true;
        d->zero_place = t->place;
        p->at++;
        t = darc_parser_peek(p, 0);
        if (t->kind != TOKEN_NUMBER || t->n != 1 || *t->s != '0')
            return darc_parser_expected(p, "'0' after '>'");
        p->at++;
        return DARC_OK;
    }
    bool mean = darc_token_is(t, "mean") && d->section == DARC_SECTION_INPUTS &&
                !t->first;
    d->side = mean ? -1 : 0;
    d->held = darc_token_is(t, "held");
    d->dose = darc_token_is(t, "dose");
    d->unknown = darc_token_is(t, "unknown");
    if (d->section == DARC_SECTION_INPUTS && !t->first &&
        (d->held || mean || d->dose || d->unknown)) {
        d->section = d->unknown ? DARC_SECTION_STATES : d->section;
        p->at++;
        return DARC_OK;
    }
    bool dose = d->dose && d->section == DARC_SECTION_INPUTS;
    if ((d->held || dose || d->unknown) && !t->first)
        return darc_parser_expected(
            p, "a name or the end of the line ('held' and 'unknown' stand "
               "behind inputs; a signal of that name begins its line)");
    d->held = d->dose = d->unknown = false;
    if (!darc_token_is(t, "may") ||
        !darc_token_is(darc_parser_peek(p, 1), "be") || t->first)
        return DARC_OK;
    d->may_be_zero = true;
    d->zero_place = t->place;
    p->at += 2;
    if (!darc_token_is(darc_parser_peek(p, 0), "zero"))
        return darc_parser_expected(p, "'zero' after 'may be'");
    p->at++;
    return DARC_OK;
}

/* Offer the keywords of all sections for the name. */
static void offer_sections(darc_suggestion *near, const char *name)
{
    darc_suggestion_init(near, name);
    for (int k = 0; k < DARC_SECTIONS; k++)
        darc_suggestion_offer(near, darc_section_word((darc_section)k));
}

/* Return the next token where it stands alone in its line and is nearly the
 * keyword of a section, as `input` is; NULL where it does not. */
static const darc_token *nearly_section(const darc_parser *p)
{
    const darc_token *t = darc_parser_peek(p, 0);
    if (!t->first || t->kind != TOKEN_NAME || t->n > DARC_MAX_NAME ||
        darc_parser_peek(p, 1)->kind != TOKEN_NEWLINE)
        return NULL;
    char name[DARC_MAX_NAME + 1];
    darc_suggestion near;
    snprintf(name, sizeof name, "%.*s", (int)t->n, t->s);
    offer_sections(&near, name);
    return near.best != NULL ? t : NULL;
}

/* declaration -> name attributes [ '=' expression attributes ]; that of a state
 * is its initial value. */
static darc_status parse_declaration(darc_parser *p, darc_syntax *out,
                                     darc_section section)
{
    const darc_token *t = darc_parser_peek(p, 0);
    bool has_value =
        section == DARC_SECTION_CONSTANTS || section == DARC_SECTION_DERIVED;
    DARC_NEED(darc_parser_expect(
        p, TOKEN_NAME, has_value ? "a name" : "a name or the end of the line"));
    darc_declaration *d;
    DARC_NEED(darc_parser_declare(&d, p, out, t, section));
    DARC_NEED(parse_attributes(p, d));
    if (section == DARC_SECTION_OUTPUTS)
        DARC_NEED(darc_sensor_parse(p, d));
    bool starts = (section == DARC_SECTION_STATES ||
                   p->script->language == DARC_LANGUAGE_PRINTED) &&
                  darc_parser_peek(p, 0)->kind == TOKEN_EQUAL;
    if (has_value || starts) {
        DARC_NEED(darc_parser_expect(p, TOKEN_EQUAL,
                                     "'=' and the value after the name"));
        DARC_NEED(darc_parse_expression(p, &d->value));
        DARC_NEED(parse_attributes(p, d));
    } else if (darc_parser_peek(p, 0)->kind == TOKEN_EQUAL) {
        DARC_NEED(darc_parser_expected(
            p, "a name or the end of the line (values belong to 'constants', "
               "equations to 'equations')"));
    }
    return DARC_OK;
}

/* What stands where '=' or '!=' should be. */
static darc_status wrong_relation(darc_parser *p, bool equation)
{
    darc_token_kind kind = darc_parser_peek(p, 0)->kind;
    if (equation && kind == TOKEN_DIFFERS)
        return darc_parser_expected(p, "'=' (inequations belong to 'assume')");
    if (!equation && kind == TOKEN_EQUAL)
        return darc_parser_expected(p,
                                    "'!=' (equations belong to 'equations')");
    return darc_parser_expected(p, equation ? "an operator or '='"
                                            : "an operator or '!='");
}

/* statement -> expression ('=' | '!=') expression newline
 *            | name '+' '=' expression newline */
static darc_status parse_statement(darc_parser *p, darc_statements *s,
                                   bool equation)
{
    const darc_token *t = darc_parser_peek(p, 0);
    if (s->count >= DARC_MAX_EQUATIONS)
        return darc_script_fail(p->script, t->place, DARC_LIMIT,
                                "more than %d %s", DARC_MAX_EQUATIONS,
                                equation ? "equations" : "assumptions");
    darc_statements_append_take(s, NULL, NULL, t->place);
    darc_statement *d = s->statement + s->count - 1;
    d->doses = equation && t->kind == TOKEN_NAME &&
               darc_parser_peek(p, 1)->kind == TOKEN_PLUS &&
               darc_parser_peek(p, 2)->kind == TOKEN_EQUAL;
    if (d->doses) {
        char *name = darc_token_text(t);
        d->left = darc_expr_name(t->place, name);
        darc_free(name);
        p->at += 2;
    } else
        DARC_NEED(darc_parse_expression(p, &d->left));
    if (!darc_parser_accept(p, equation ? TOKEN_EQUAL : TOKEN_DIFFERS))
        DARC_NEED(wrong_relation(p, equation));
    DARC_NEED(darc_parse_expression(p, &d->right));
    if (darc_parser_peek(p, 0)->kind == TOKEN_EQUAL)
        DARC_NEED(darc_parser_expected(
            p, "the end of the line (one '=' an equation)"));
    return darc_parser_expect(p, TOKEN_NEWLINE,
                              "an operator or the end of the line");
}

static darc_status parse_item(darc_parser *p, darc_syntax *out,
                              darc_section section)
{
    switch (section) {
    case DARC_SECTION_EQUATIONS:
        return parse_statement(p, &out->equations, true);
    case DARC_SECTION_ASSUME:
        return parse_statement(p, &out->assumptions, false);
    case DARC_SECTION_RANKING:;
        /* ranking -> block { '>>' block };  block -> name { [','] name } */
        static const char what[] = "a name in the ranking";
        for (int block = 0, in_block = 0;; p->at++) {
            const darc_token *t = darc_parser_peek(p, 0);
            bool ends = at_section_end(p);
            if (ends && in_block == 0)
                return darc_parser_expected(p, what);
            if (ends)
                return DARC_OK;
            if (t->kind == TOKEN_NEWLINE || t->kind == TOKEN_COMMA)
                continue;
            if (t->kind == TOKEN_ABOVE && in_block > 0) {
                block++;
                in_block = 0;
                continue;
            }
            if (t->kind != TOKEN_NAME)
                return darc_parser_expected(
                    p, in_block > 0 ? "a name or '>>' in the ranking" : what);
            DARC_APPEND(out->rank, out->ranked,
                        (darc_ranked){darc_token_text(t), block, t->place});
            in_block++;
        }
    default:;
        /* declarations -> declaration { [ ',' ] declaration } newline */
        bool one = section == DARC_SECTION_DERIVED;
        do {
            DARC_NEED(parse_declaration(p, out, section));
            darc_parser_accept(p, TOKEN_COMMA);
        } while (!one && darc_parser_peek(p, 0)->kind != TOKEN_NEWLINE);
        return darc_parser_expect(p, TOKEN_NEWLINE,
                                  "an operator or the end of the line");
    }
}

/* What stands where a section should begin. */
static darc_status no_section(const darc_parser *p)
{
    static const char what[] =
        "'model' or a section (states, parameters, constants, inputs, outputs, "
        "derived, equations, assume, ranking)";
    const darc_token *t = darc_parser_peek(p, 0);
    if (t->kind != TOKEN_NAME)
        return darc_parser_expected(p, what);
    char name[DARC_MAX_NAME + 1];
    snprintf(name, sizeof name, "%.*s", (int)t->n, t->s);
    darc_suggestion s;
    offer_sections(&s, name);
    darc_suggestion_offer(&s, "model");
    return DARC_FAIL_SYNTAX(p, t, "expected %s near '%s'%s", what, name,
                            darc_suggestion_text(&s));
}

static darc_status misspelt(const darc_script *script, const char *name,
                            darc_place place)
{
    darc_suggestion near;
    offer_sections(&near, name);
    return darc_script_fail(script, place, DARC_SYNTAX,
                            "'%s' is no section, and a name that stands in no "
                            "equation%s",
                            name, darc_suggestion_text(&near));
}

/* Whether a name says nothing of itself, is used nowhere, and is nearly the
 * keyword of a section.  How it stands in its line does not count: a model
 * that is printed means the same. */
static bool is_doubtful(const darc_declaration *d, const darc_syntax *s)
{
    darc_suggestion near;
    offer_sections(&near, d->name);
    return near.best != NULL && d->unit[0] == '\0' && d->text[0] == '\0' &&
           d->value == NULL &&
           darc_statements_occurrences(&s->equations, d->name) == 0 &&
           darc_values_occurrences(s, d->name) == 0;
}

/* Such a name is that keyword misspelt: what stands below it would count to
 * the section above. */
static darc_status check_sections(const darc_syntax *s,
                                  const darc_script *script)
{
    for (size_t i = 0; i < s->declarations; i++)
        if (is_doubtful(s->declaration + i, s))
            return misspelt(script, s->declaration[i].name,
                            s->declaration[i].place);
    return DARC_OK;
}

/* The item failed.  Where a word above it in its section is nearly the keyword
 * of another section, that is what is wrong. */
static darc_status blame_section(const darc_parser *p, const darc_token *doubt,
                                 darc_status status)
{
    if (status != DARC_SYNTAX || doubt == NULL)
        return status;
    if (p->script->err != NULL)
        darc_err_init(p->script->err);
    char name[DARC_MAX_NAME + 1];
    snprintf(name, sizeof name, "%.*s", (int)doubt->n, doubt->s);
    return misspelt(p->script, name, doubt->place);
}

/* section -> keyword [ newline ] { item } */
static darc_status parse_section(darc_parser *p, darc_syntax *out)
{
    const darc_token *t = darc_parser_peek(p, 0);
    darc_section section = darc_parser_section(p);
    if (section == DARC_SECTIONS)
        return no_section(p);
    if (out->has[section])
        return DARC_FAIL_SYNTAX(
            p, t, "a second section '%s'; the first stands in line %d",
            darc_section_word(section), out->where[section].line);
    out->has[section] = true;
    out->where[section] = t->place;
    p->at++;
    darc_parser_accept(p, TOKEN_NEWLINE);
    darc_status status = DARC_OK;
    const darc_token *doubt = NULL;
    while (status == DARC_OK && !at_section_end(p)) {
        const darc_token *near = nearly_section(p);
        doubt = near != NULL ? near : doubt;
        status = parse_item(p, out, section);
    }
    return blame_section(p, doubt, status);
}

static darc_status parse_own(darc_syntax *syntax, const darc_script *script)
{
    *syntax = (darc_syntax){0};
    darc_tokens tokens;
    darc_tokens_init(&tokens, script);
    darc_parser p = {.script = script, .tokens = &tokens};
    darc_status status = DARC_OK;
    while (status == DARC_OK && darc_parser_peek(&p, 0)->kind != TOKEN_END)
        status = at_model_line(&p) ? parse_model_line(&p, syntax)
                                   : parse_section(&p, syntax);
    DARC_THEN(check_sections(syntax, script));
    DARC_THEN(darc_doses_apply(syntax, script));
    DARC_THEN(darc_sensors_apply(syntax, script));
    darc_tokens_clear(&tokens);
    if (status != DARC_OK)
        darc_syntax_clear(syntax);
    return status;
}

static bool ends_in(const char *file, const char *end)
{
    size_t n = strlen(file), k = strlen(end);
    return n > k && strcmp(file + n - k, end) == 0;
}

darc_language darc_language_of(const darc_script *script)
{
    return ends_in(script->file, ".mo")   ? DARC_LANGUAGE_MODELICA
           : ends_in(script->file, ".jl") ? DARC_LANGUAGE_JULIA
           : darc_is_sbml(script)         ? DARC_LANGUAGE_SBML
                                          : DARC_LANGUAGE_DARC;
}

/* The name of a model without a `model` line: that of its file. */
static char *name_from_file(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *s = slash == NULL ? file : slash + 1;
    size_t n = strcspn(s, ".");
    n = n > DARC_MAX_NAME ? DARC_MAX_NAME : n;
    char *name = n == 0 ? darc_strdup("model") : darc_strndup(s, n);
    for (char *c = name; *c != '\0'; c++) {
        bool digit = *c >= '0' && *c <= '9' && c > name;
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (!digit && !letter)
            *c = '_';
    }
    return name;
}

darc_status darc_parse(darc_syntax *syntax, const darc_script *script)
{
    darc_language is = script->language;
    DARC_NEED((is == DARC_LANGUAGE_MODELICA ? darc_parse_modelica
               : is == DARC_LANGUAGE_JULIA  ? darc_parse_julia
               : is == DARC_LANGUAGE_SBML   ? darc_parse_sbml
                                            : parse_own)(syntax, script));
    if (syntax->name == NULL)
        syntax->name = name_from_file(script->file);
    darc_status status = script->how == NULL || script->how->measured == NULL
                             ? DARC_OK
                             : darc_syntax_measure(syntax, script);
    if (status != DARC_OK)
        darc_syntax_clear(syntax);
    return status;
}
