#include "syntax/parser.h"

#include "base/mem.h"

#include <ctype.h>
#include <string.h>

/* The script with all blank that darc's words are not, places as they are. */
typedef struct {
    char *text;         /* owned */
    size_t open, close; /* the parentheses of the macro */
    darc_text_t timed;  /* " x u ": names before (t) */
} blanked;

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void blank(char *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (s[i] != '\n')
            s[i] = ' ';
}

static void blank_comments(char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t end = i;
        while (s[i] == '#' && end < n && s[end] != '\n')
            end++;
        blank(s, i, end);
    }
}

/* Take (t) at i away from the name before it. */
static void take_time(blanked *b, size_t i)
{
    size_t end = i;
    while (end > b->open && b->text[end - 1] == '\'')
        end--;
    size_t from = end;
    while (from > b->open && is_of_name(b->text[from - 1]))
        from--;
    darc_text_putc(b->timed, ' ');
    darc_text_write(b->timed, b->text + from, end - from);
    blank(b->text, i, i + 3);
}

/* Return whether there is a macro; its end may be that of the text. */
static bool blank_around(blanked *b, const darc_script *script)
{
    static const char macro[] = "@ODEmodel(";
    size_t n = script->length;
    int depth = 0;
    b->text = darc_strndup(script->text, n);
    blank_comments(b->text, n);
    const char *at = strstr(b->text, macro);
    if (at == NULL)
        return false;
    b->open = (size_t)(at - b->text) + sizeof macro - 2;
    for (b->close = b->open; b->close < n; b->close++) {
        char c = b->text[b->close];
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth == 0)
            break;
    }
    blank(b->text, 0, b->open);
    blank(b->text, b->close + (b->close < n), n);
    for (size_t i = b->open + 1; i + 2 < b->close; i++) {
        char before = b->text[i - 1];
        if (strncmp(b->text + i, "(t)", 3) == 0 &&
            (is_of_name(before) || before == '\''))
            take_time(b, i);
        if (b->text[i] == '/' && b->text[i + 1] == '/')
            b->text[i + 1] = ' ';
    }
    darc_text_putc(b->timed, ' ');
    return true;
}

static darc_status parse_equation(darc_parser *p, darc_syntax *out)
{
    const darc_token *t = darc_parser_peek(p, 0);
    darc_expr *left = NULL, *right = NULL;
    darc_declaration *d;
    darc_status status;
    DARC_TRY(darc_parse_expression(p, &left));
    if (left->kind != DARC_EXPR_UNKNOWN || left->order > 1)
        DARC_TRY(darc_script_fail(p->script, t->place, DARC_SYNTAX,
                                  "expected x'(t) of a state or y(t) of an "
                                  "output before '='"));
    DARC_TRY(darc_parser_expect(p, TOKEN_EQUAL, "'='"));
    DARC_TRY(darc_parse_expression(p, &right));
    DARC_TRY(darc_parser_declare(&d, p, out, t,
                                 left->order == 1 ? DARC_SECTION_STATES
                                                  : DARC_SECTION_OUTPUTS));
    darc_statements_append_take(&out->equations, left, right, t->place);
    return DARC_OK;
done:
    DARC_EACH(darc_expr_free, left, right);
    return status;
}

/* Declare the names that no left side holds. */
static darc_status declare_others(const darc_parser *p, darc_syntax *out,
                                  const blanked *b)
{
    for (size_t i = 0; i < p->tokens->count; i++) {
        const darc_token *t = p->tokens->token + i;
        bool call = t->kind == TOKEN_NAME && i + 1 < p->tokens->count &&
                    t[1].kind == TOKEN_OPEN;
        char *name = t->kind == TOKEN_NAME && !call ? darc_token_text(t) : NULL;
        if (name == NULL || darc_syntax_find(out, name) != NULL) {
            darc_free(name);
            continue;
        }
        darc_declaration *d;
        char *word = darc_text_of(" %s ", name);
        bool input = strstr(b->timed->s, word) != NULL;
        DARC_FREE(word, name);
        DARC_NEED(darc_parser_declare(&d, p, out, t,
                                      input ? DARC_SECTION_INPUTS
                                            : DARC_SECTION_PARAMETERS));
    }
    return DARC_OK;
}

static darc_status parse_macro(darc_parser *p, darc_syntax *out)
{
    while (darc_parser_accept(p, TOKEN_NEWLINE))
        continue;
    DARC_NEED(darc_parser_expect(p, TOKEN_OPEN, "'('"));
    while (darc_parser_peek(p, 0)->kind != TOKEN_CLOSE) {
        DARC_NEED(parse_equation(p, out));
        if (!darc_parser_accept(p, TOKEN_COMMA))
            break;
    }
    return darc_parser_expect(p, TOKEN_CLOSE, "',' or ')' after an equation");
}

darc_status darc_parse_julia(darc_syntax *syntax, const darc_script *script)
{
    darc_status status = DARC_OK;
    blanked b = {.timed = DARC_TEXT};
    darc_tokens tokens = {0};
    *syntax = (darc_syntax){0};
    if (!blank_around(&b, script)) {
        status = darc_script_fail(script, (darc_place){1, 1}, DARC_SYNTAX,
                                  "a file in Julia holds a model as "
                                  "@ODEmodel(x'(t) = ..., y(t) = ...)");
    } else {
        darc_script plain = *script;
        plain.text = b.text;
        darc_tokens_init(&tokens, &plain);
        darc_parser p = {.script = script, .tokens = &tokens};
        status = parse_macro(&p, syntax);
        DARC_THEN(declare_others(&p, syntax, &b));
        darc_tokens_clear(&tokens);
    }
    darc_text_clear(b.timed);
    darc_free(b.text);
    if (status != DARC_OK)
        darc_syntax_clear(syntax);
    return status;
}
