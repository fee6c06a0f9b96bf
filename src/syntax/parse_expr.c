#include "syntax/parser.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/suggest.h"

#include <assert.h>
#include <stdio.h>

/* The integer of the digits s[0 .. n-1] with an optional sign; 999999 for all
 * that is larger.  The text need not be terminated. */
static long small_integer(const char *s, size_t n)
{
    long value = 0;
    bool negative = n > 0 && s[0] == '-';
    for (size_t i = n > 0 && (s[0] == '-' || s[0] == '+'); i < n; i++)
        value = value < 99999 ? 10 * value + (s[i] - '0') : 999999;
    return negative ? -value : value;
}

static darc_status parse_number(darc_parser *p, darc_expr **e)
{
    const darc_token *t = darc_parser_peek(p, 0);
    *e = darc_expr_new(DARC_EXPR_NUMBER, t->place, t->s, t->n);
    p->at++;
    /* The exact value of digits [. digits] [e digits]. */
    char digits[DARC_MAX_DIGITS + 2];
    size_t n = 0, i = 0;
    long scale = 0, exponent = 0;
    for (bool fraction = false; i < t->n && (t->s[i] | 32) != 'e'; i++) {
        fraction = fraction || t->s[i] == '.';
        if (t->s[i] == '.')
            continue;
        digits[n++] = t->s[i];
        scale -= fraction;
    }
    digits[n] = '\0';
    if (i < t->n)
        exponent = small_integer(t->s + i + 1, t->n - i - 1);
    if (exponent > DARC_MAX_DIGITS || exponent < -DARC_MAX_DIGITS)
        return darc_script_fail(p->script, t->place, DARC_LIMIT,
                                "the decimal exponent lies outside -%d to %d",
                                DARC_MAX_DIGITS, DARC_MAX_DIGITS);
    fmpz_t ten;
    fmpz_init_set_ui(ten, 10);
    fmpz_set_str(fmpq_numref(((*e)->value)), digits, 10);
    fmpz_one(fmpq_denref(((*e)->value)));
    scale += exponent;
    fmpz_pow_ui(ten, ten, (ulong)(scale < 0 ? -scale : scale));
    (scale < 0 ? fmpq_div_fmpz : fmpq_mul_fmpz)(((*e)->value), ((*e)->value),
                                                ten);
    fmpz_clear(ten);
    return DARC_OK;
}

/* Apply n derivations to *e: a name counts its own. */
static darc_status derive(darc_parser *p, darc_expr **e, long n)
{
    assert(*e != NULL);
    darc_place place = (*e)->place;
    if ((*e)->kind == DARC_EXPR_NUMBER)
        return darc_script_fail(
            p->script, place, DARC_SYNTAX,
            "the derivative of a number; that of a power is written (x^2)'");
    /* The order of all but a name and a derivative is 0. */
    if (n + (*e)->order > DARC_MAX_ORDER)
        return darc_script_fail(
            p->script, place, DARC_LIMIT,
            "a derivative of order %ld; at most %d is allowed", n + (*e)->order,
            DARC_MAX_ORDER);
    *e = darc_expr_derive_take(place, *e, (int)n);
    return DARC_OK;
}

/* order -> digits */
static darc_status parse_order(darc_parser *p, long *n)
{
    const darc_token *t = darc_parser_peek(p, 0);
    bool digits = t->kind == TOKEN_NUMBER;
    for (size_t i = 0; i < t->n; i++)
        digits = digits && t->s[i] >= '0' && t->s[i] <= '9';
    if (!digits)
        return darc_parser_expected(p,
                                    "an integer, the order of the derivative,");
    *n = small_integer(t->s, t->n);
    p->at++;
    return DARC_OK;
}

/* argument -> expression | text */
static darc_status parse_argument(darc_parser *p, darc_expr *call)
{
    const darc_token *t = darc_parser_peek(p, 0);
    if (call->function == DARC_FUNCTION_TABLE && call->count == 1) {
        if (t->kind != TOKEN_STRING)
            return darc_parser_expected(p, "the name of a file in quotes");
        call->text = darc_token_text(t);
        p->at++;
        return DARC_OK;
    }
    darc_expr *e = NULL;
    darc_status status = darc_parse_expression(p, &e);
    darc_expr_append_take(call, e);
    return status;
}

static darc_status check_arguments(const darc_parser *p, const darc_expr *call)
{
    int n = call->count + (call->text != NULL), least, most;
    darc_function_arguments(&least, &most, call->function);
    if (n >= least && n <= most)
        return DARC_OK;
    return DARC_FAIL_SYNTAX(p, call, "'%s' takes %s%d argument%s, not %d",
                            darc_function_name(call->function),
                            most > least ? "at least " : "", least,
                            least == 1 ? "" : "s", n);
}

/* coordinate -> [ '+' | '-' ] ( number | name ) */
static darc_status parse_coordinate(darc_parser *p, darc_expr *table)
{
    const darc_token *sign = darc_parser_peek(p, 0);
    bool minus = sign->kind == TOKEN_MINUS;
    p->at += minus || sign->kind == TOKEN_PLUS;
    const darc_token *t = darc_parser_peek(p, 0);
    darc_expr *x = NULL;
    darc_status status = DARC_OK;
    if (t->kind == TOKEN_NUMBER) {
        status = parse_number(p, &x);
    } else if (t->kind == TOKEN_NAME) {
        x = darc_expr_new(DARC_EXPR_UNKNOWN, t->place, t->s, t->n);
        p->at++;
    } else {
        return darc_parser_expected(
            p, "a number: a point of a table is written 'x y'");
    }
    darc_expr_append_take(
        table,
        minus ? darc_expr_wrap_take(DARC_EXPR_NEGATE, sign->place, x) : x);
    return status;
}

/* call -> function '(' argument { ',' argument } ')'
 *       | 'table' '(' argument points ')' */
static darc_status parse_call(darc_parser *p, darc_function f, darc_expr **e)
{
    *e = darc_expr_new(DARC_EXPR_CALL, darc_parser_peek(p, 0)->place, NULL, 0);
    (*e)->function = f;
    p->at += 2;
    do {
        if ((*e)->text != NULL)
            return check_arguments(p, *e) != DARC_OK
                       ? DARC_SYNTAX
                       : darc_parser_expected(p, "')'");
        DARC_NEED(parse_argument(p, *e));
        if (f == DARC_FUNCTION_TABLE &&
            darc_parser_accept(p, TOKEN_SEMICOLON)) {
            /* points -> ';' coordinate coordinate { ',' coordinate coordinate }
             */
            do {
                DARC_NEED(parse_coordinate(p, (*e)));
                DARC_NEED(parse_coordinate(p, (*e)));
            } while (darc_parser_accept(p, TOKEN_COMMA));
            if ((*e)->count < 5)
                return darc_parser_expected(
                    p, "',' and a second point of the table");
            return darc_parser_expect(p, TOKEN_CLOSE, "',' or ')'");
        }
    } while (darc_parser_accept(p, TOKEN_COMMA));
    DARC_NEED(darc_parser_expect(p, TOKEN_CLOSE, "',' or ')'"));
    return check_arguments(p, *e);
}

static darc_status no_function(const darc_parser *p, const darc_token *t)
{
    char name[DARC_MAX_NAME + 1];
    snprintf(name, sizeof name, "%.*s", (int)t->n, t->s);
    darc_suggestion s;
    darc_suggestion_init(&s, name);
    darc_suggestion_offer(&s, "der");
    for (int f = 0; f < DARC_FUNCTION_IF; f++)
        darc_suggestion_offer(&s, darc_function_name((darc_function)f));
    return DARC_FAIL_SYNTAX(p, t,
                            "'%s' is not a function%s; a product is written "
                            "with '*', a signal without '(t)'",
                            name, darc_suggestion_text(&s));
}

/* `if` is a name unless an operand follows; `then` and `else` are none there,
 * and a sign is one where `then` comes after it. */
static bool begins_choice(const darc_parser *p)
{
    const darc_token *t = darc_parser_peek(p, 1);
    if (!darc_token_is(darc_parser_peek(p, 0), "if"))
        return false;
    if (t->kind == TOKEN_PLUS || t->kind == TOKEN_MINUS)
        for (size_t i = 2; t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END &&
                           t->kind != TOKEN_BAD && !darc_token_is(t, "then");
             i++)
            t = darc_parser_peek(p, i);
    else if (darc_token_is(t, "then") || darc_token_is(t, "else"))
        return false;
    return t->kind == TOKEN_NAME || t->kind == TOKEN_NUMBER ||
           t->kind == TOKEN_OPEN;
}

/* choice -> 'if' expression comparison expression
 *           'then' expression 'else' expression */
static darc_status parse_choice(darc_parser *p, darc_expr **e)
{
    static const char *const next[] = {"'>', '<', '>=' or '<='", "'then'",
                                       "'else'"};
    *e = darc_expr_new(DARC_EXPR_CALL, darc_parser_peek(p, 0)->place, NULL, 0);
    (*e)->function = DARC_FUNCTION_IF;
    p->at++;
    for (int k = 0; k < 3; k++) {
        DARC_NEED(parse_argument(p, *e));
        const darc_token *t = darc_parser_peek(p, 0);
        if (k == 0 ? t->kind != TOKEN_COMPARISON
                   : !darc_token_is(t, k == 1 ? "then" : "else"))
            return darc_parser_expected(p, next[k]);
        if (k == 0)
            (*e)->text = darc_token_text(t);
        p->at++;
    }
    return parse_argument(p, *e);
}

static darc_status parse_primary(darc_parser *p, darc_expr **e);

/* A function that is made of others, which stand there. */
static darc_status parse_form(darc_parser *p, const char *form, darc_expr **e)
{
    const darc_token *t = darc_parser_peek(p, 0);
    p->at += 2;
    DARC_NEED(darc_parse_expression(p, e));
    DARC_NEED(darc_parser_expect(p, TOKEN_CLOSE, "')'"));
    if (darc_expr_nodes(*e) > DARC_MAX_FORM)
        return darc_script_fail(p->script, t->place, DARC_LIMIT,
                                "this is taken of more than %d operations",
                                DARC_MAX_FORM);
    *e = darc_form_take(t->place, form, *e);
    return DARC_OK;
}

/* name -> letters; before '(' it must be that of a function */
static darc_status parse_name(darc_parser *p, darc_expr **e)
{
    const darc_token *t = darc_parser_peek(p, 0);
    if (darc_parser_section(p) != DARC_SECTIONS)
        return DARC_FAIL_SYNTAX(p, t,
                                "expected an operand before section '%.*s'; "
                                "the line above ends in an operator",
                                (int)t->n, t->s);
    if (begins_choice(p))
        return parse_choice(p, e);
    if (darc_token_is(t, "noEvent") &&
        p->script->language == DARC_LANGUAGE_MODELICA &&
        darc_parser_peek(p, 1)->kind == TOKEN_OPEN) {
        p->at++; /* nothing but when it is evaluated */
        return parse_primary(p, e);
    }
    if (darc_parser_peek(p, 1)->kind == TOKEN_OPEN) {
        darc_function f;
        if (darc_token_is(t, "der")) {
            /* derivative -> 'der' '(' expression [ ',' order ] ')' */
            p->at += 2;
            long n = 1;
            DARC_NEED(darc_parse_expression(p, e));
            if (darc_parser_accept(p, TOKEN_COMMA))
                DARC_NEED(parse_order(p, &n));
            DARC_NEED(
                darc_parser_expect(p, TOKEN_CLOSE, "',' or ')' after der(..."));
            return derive(p, e, n);
        }
        if (darc_function_find(&f, t->s, t->n))
            return parse_call(p, f, e);
        if (darc_form_find(t->s, t->n) != NULL)
            return parse_form(p, darc_form_find(t->s, t->n), e);
        return no_function(p, t);
    }
    *e = darc_expr_new(DARC_EXPR_UNKNOWN, t->place, t->s, t->n);
    p->at++;
    return DARC_OK;
}

/* primary -> number | name | call | '(' expression ')' */
static darc_status parse_primary(darc_parser *p, darc_expr **e)
{
    const darc_token *t = darc_parser_peek(p, 0);
    if (t->kind == TOKEN_NUMBER)
        return parse_number(p, e);
    if (t->kind == TOKEN_NAME)
        return parse_name(p, e);
    if (t->kind == TOKEN_TIMES && p->at > 0 && t[-1].kind == TOKEN_TIMES)
        return darc_parser_expected(
            p, "a number, a name or '(' (a power is written x^2)");
    if (t->kind != TOKEN_OPEN)
        return darc_parser_expected(p, "a number, a name or '('");
    p->at++;
    darc_status status = darc_parse_expression(p, e);
    if (status != DARC_OK || darc_parser_accept(p, TOKEN_CLOSE))
        return status;
    char what[80];
    snprintf(what, sizeof what,
             "an operator or ')' for the '(' of line %d, column %d,",
             t->place.line, t->place.column);
    return darc_parser_expected(p, what);
}

static darc_status parse_factor(darc_parser *p, darc_expr **e);

/* power -> postfix [ '^' factor ] */
static darc_status parse_power(darc_parser *p, darc_expr **e)
{
    darc_status status = parse_primary(p, e);
    while (status == DARC_OK && darc_parser_accept(p, TOKEN_PRIME))
        status = derive(p, e, 1);
    darc_place place = darc_parser_peek(p, 0)->place;
    if (status != DARC_OK || !darc_parser_accept(p, TOKEN_POWER))
        return status;
    *e = darc_expr_wrap_take(DARC_EXPR_POWER, place, *e);
    darc_expr *exponent = NULL;
    status = parse_factor(p, &exponent);
    darc_expr_append_take(*e, exponent);
    return status;
}

/* factor -> { '+' | '-' } power */
static darc_status parse_factor(darc_parser *p, darc_expr **e)
{
    const darc_token *t = darc_parser_peek(p, 0);
    if (p->depth >= DARC_MAX_NESTING)
        return darc_script_fail(p->script, t->place, DARC_LIMIT,
                                "the expression is nested more than %d deep",
                                DARC_MAX_NESTING);
    p->depth++;
    darc_status status;
    if (darc_parser_accept(p, TOKEN_MINUS)) {
        status = parse_factor(p, e);
        *e = darc_expr_wrap_take(DARC_EXPR_NEGATE, t->place, *e);
    } else if (darc_parser_accept(p, TOKEN_PLUS)) {
        status = parse_factor(p, e);
    } else {
        status = parse_power(p, e);
    }
    p->depth--;
    return status;
}

/* A list of parts: the kind of its node, its two operators, and what the second
 * of them makes of a part. */
typedef struct {
    darc_expr_kind list;
    darc_token_kind plain, inverse;
    darc_expr_kind inverted;
    darc_status (*part)(darc_parser *p, darc_expr **e);
} level;

/* list -> part { ('+' | '-') part } */
static darc_status parse_list(darc_parser *p, darc_expr **e, const level *l)
{
    darc_status status = l->part(p, e);
    for (bool wrapped = false;; wrapped = true) {
        const darc_token *t = darc_parser_peek(p, 0);
        if (status != DARC_OK || (t->kind != l->plain && t->kind != l->inverse))
            return status;
        p->at++;
        if (!wrapped)
            *e = darc_expr_wrap_take(l->list, t->place, *e);
        darc_expr *part = NULL;
        status = l->part(p, &part);
        if (t->kind == l->inverse)
            part = darc_expr_wrap_take(l->inverted, t->place, part);
        darc_expr_append_take(*e, part);
    }
}

/* term -> factor { ('*' | '/') factor } */
static darc_status parse_term(darc_parser *p, darc_expr **e)
{
    static const level product = {DARC_EXPR_PRODUCT, TOKEN_TIMES, TOKEN_SLASH,
                                  DARC_EXPR_INVERT, parse_factor};
    return parse_list(p, e, &product);
}

darc_status darc_parse_expression(darc_parser *p, darc_expr **e)
{
    static const level sum = {DARC_EXPR_SUM, TOKEN_PLUS, TOKEN_MINUS,
                              DARC_EXPR_NEGATE, parse_term};
    return parse_list(p, e, &sum);
}

const darc_token *darc_parser_peek(const darc_parser *p, size_t ahead)
{
    size_t last = p->tokens->count - 1, i = p->at + ahead;
    return p->tokens->token + (i < last ? i : last);
}

bool darc_parser_accept(darc_parser *p, darc_token_kind kind)
{
    if (darc_parser_peek(p, 0)->kind != kind)
        return false;
    p->at++;
    return true;
}

bool darc_parser_word(darc_parser *p, const char *word)
{
    bool is = darc_token_is(darc_parser_peek(p, 0), word);
    p->at += is;
    return is;
}

bool darc_parser_take(darc_parser *p, darc_token_kind kind, char **text)
{
    const darc_token *t = darc_parser_peek(p, 0);
    if (!darc_parser_accept(p, kind))
        return false;
    darc_free(*text);
    *text = darc_token_text(t);
    return true;
}

darc_status darc_parser_expected(const darc_parser *p, const char *what)
{
    const darc_token *t = darc_parser_peek(p, 0);
    if (t->kind == TOKEN_BAD)
        return darc_fail(p->script->err, p->tokens->bad.status, "%s",
                         p->tokens->bad.message);
    if (t->kind == TOKEN_END)
        return DARC_FAIL_SYNTAX(p, t, "expected %s at the end of the file",
                                what);
    if (t->kind == TOKEN_NEWLINE)
        return DARC_FAIL_SYNTAX(p, t, "expected %s at the end of the line",
                                what);
    if (t->kind == TOKEN_UNIT)
        return DARC_FAIL_SYNTAX(p, t,
                                "expected %s near '['; a unit stands once, "
                                "after the name in a declaration",
                                what);
    int n = t->n > 40 ? 40 : (int)t->n;
    return DARC_FAIL_SYNTAX(
        p, t, "expected %s near '%.*s'%s", what, n, t->s,
        t->kind == TOKEN_COMPARISON
            ? "; a comparison stands once between 'if' and 'then'"
            : "");
}

darc_status darc_parser_expect(darc_parser *p, darc_token_kind kind,
                               const char *what)
{
    return darc_parser_accept(p, kind) ? DARC_OK
                                       : darc_parser_expected(p, what);
}

darc_section darc_parser_section(const darc_parser *p)
{
    const darc_token *t = darc_parser_peek(p, 0);
    bool may = t->first && p->script->language != DARC_LANGUAGE_MODELICA;
    int section = may ? 0 : DARC_SECTIONS;
    while (section < DARC_SECTIONS &&
           !darc_token_is(t, darc_section_word((darc_section)section)))
        section++;
    switch (darc_parser_peek(p, 1)->kind) {
    case TOKEN_NEWLINE:
    case TOKEN_NAME:
    case TOKEN_NUMBER:
    case TOKEN_END:
    case TOKEN_BAD:
        return (darc_section)section;
    default:
        return DARC_SECTIONS;
    }
}

darc_status darc_parser_declare(darc_declaration **d, const darc_parser *p,
                                darc_syntax *out, const darc_token *t,
                                darc_section section)
{
    if (out->declarations >= DARC_MAX_UNKNOWNS)
        return darc_script_fail(p->script, t->place, DARC_LIMIT,
                                "more than %d names are declared",
                                DARC_MAX_UNKNOWNS);
    DARC_ROOM(out->declaration, out->declarations);
    *d = out->declaration + out->declarations++;
    **d = (darc_declaration){.name = darc_token_text(t),
                             .unit = darc_strdup(""),
                             .text = darc_strdup(""),
                             .section = section,
                             .place = t->place};
    fmpq_init((*d)->exact);
    return DARC_OK;
}
