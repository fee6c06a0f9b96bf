#include "syntax/syntax.h"

#include "base/mem.h"
#include "base/suggest.h"
#include "base/text.h"
#include "syntax/thresholds.h"

#include <stdbool.h>
#include <string.h>

const char *darc_section_word(darc_section section)
{
    static const char *const words[] = {
#define ROW(id, word) word,
        DARC_SECTION_LIST(ROW)
#undef ROW
    };
    return words[section];
}

bool darc_is_averaged(const darc_declaration *d)
{
    return d->section == DARC_SECTION_INPUTS && d->side != 0;
}

void darc_statements_clear(darc_statements *s)
{
    for (size_t i = 0; i < s->count; i++) {
        DARC_EACH(darc_expr_free, s->statement[i].left, s->statement[i].right);
    }
    darc_free(s->statement);
}

void darc_declaration_clear(darc_declaration *d)
{
    DARC_FREE(d->name, d->unit, d->taken, d->text);
    darc_expr_free(d->value);
    fmpq_clear(d->exact);
}

void darc_syntax_clear(darc_syntax *syntax)
{
    DARC_ALL(darc_declaration_clear, syntax->declaration, syntax->declarations);
    for (size_t i = 0; i < syntax->ranked; i++)
        darc_free(syntax->rank[i].name);
    DARC_FREE(syntax->rank, syntax->declaration);
    DARC_EACH(darc_statements_clear, &syntax->equations, &syntax->assumptions);
    DARC_FREE(syntax->name, syntax->title, syntax->note);
    *syntax = (darc_syntax){0};
}

darc_declaration *darc_syntax_find(const darc_syntax *s, const char *name)
{
    for (size_t i = 0; i < s->declarations; i++)
        if (strcmp(s->declaration[i].name, name) == 0)
            return s->declaration + i;
    return NULL;
}

void darc_statements_append_take(darc_statements *s, darc_expr *left,
                                 darc_expr *right, darc_place place)
{
    DARC_APPEND(s->statement, s->count,
                (darc_statement){.left = left, .right = right, .place = place});
}

darc_expr **darc_syntax_side(const darc_syntax *s, size_t i)
{
    bool equation = i < 2 * s->equations.count;
    const darc_statements *list = equation ? &s->equations : &s->assumptions;
    i -= equation ? 0 : 2 * s->equations.count;
    if (i >= 2 * list->count)
        return NULL;
    darc_statement *at = list->statement + i / 2;
    return i % 2 == 0 ? &at->left : &at->right;
}

int darc_statements_occurrences(const darc_statements *s, const char *name)
{
    int n = 0;
    for (size_t i = 0; i < s->count; i++)
        n += darc_expr_occurrences(s->statement[i].left, name) +
             darc_expr_occurrences(s->statement[i].right, name);
    return n;
}

int darc_values_occurrences(const darc_syntax *s, const char *name)
{
    int n = 0;
    for (size_t i = 0; i < s->declarations; i++)
        if (s->declaration[i].value != NULL)
            n += darc_expr_occurrences(s->declaration[i].value, name);
    return n;
}

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Return the first byte of line `line`. */
static const char *find_line(const darc_script *script, int line)
{
    const char *s = script->text, *end = s + script->length;
    for (int i = 1; i < line && s < end; i++) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        s = newline == NULL ? end : newline + 1;
    }
    return s;
}

/* Append the characters from..to of the line; control characters, which a
 * terminal would obey, as '?'. */
static void quote_line(darc_text_t out, const char *s, const char *end,
                       int from, int to)
{
    int column = 0;
    for (; s < end && *s != '\n' && *s != '\r'; s++) {
        column += !continues_character(*s);
        if (column < from || column >= to)
            continue;
        unsigned char c = (unsigned char)*s;
        bool control = (c < ' ' && c != '\t') || c == 127;
        darc_text_putc(out, control ? '?' : *s);
    }
}

/* Append the blanks that bring a caret under column `to`. */
static void indent(darc_text_t out, const char *s, const char *end, int from,
                   int to)
{
    int left = to - from;
    darc_text_t lead = DARC_TEXT;
    quote_line(lead, s, end, from, to);
    for (const char *c = lead->s; *c != '\0'; c++)
        if (!continues_character(*c)) {
            darc_text_putc(out, *c == '\t' ? '\t' : ' ');
            left--;
        }
    for (; left > 0; left--)
        darc_text_putc(out, ' ');
    darc_text_clear(lead);
}

darc_status darc_script_fail(const darc_script *script, darc_place place,
                             darc_status status, const char *format, ...)
{
    if (script == NULL)
        return status;
    darc_err message = {DARC_OK, ""};
    va_list args;
    va_start(args, format);
    darc_vfail(&message, status, format, args);
    va_end(args);

    const char *line = find_line(script, place.line);
    const char *end = script->text + script->length;
    int from = place.column > DARC_SHOWN_WIDTH - DARC_SHOWN_MARGIN
                   ? place.column - DARC_SHOWN_WIDTH / 2
                   : 1;
    darc_text_t shown = DARC_TEXT;
    quote_line(shown, line, end, from, from + DARC_SHOWN_WIDTH);
    darc_text_putc(shown, '\n');
    indent(shown, line, end, from, place.column);
    darc_fail(script->err, status, "%.300s:%d:%d: error: %.800s\n%s^",
              script->file, place.line, place.column, message.message,
              shown->s);
    darc_text_clear(shown);
    return status;
}

static darc_status not_declared(const darc_syntax *s, const darc_script *script,
                                const char *name)
{
    darc_suggestion near;
    darc_suggestion_init(&near, name);
    for (size_t i = 0; i < s->declarations; i++)
        darc_suggestion_offer(&near, s->declaration[i].name);
    return darc_fail(script->err, DARC_USAGE,
                     "--measured: '%.64s' is not declared in %.200s%s", name,
                     script->file, darc_suggestion_text(&near));
}

static void take_measured(darc_declaration *d)
{
    bool free = d->section == DARC_SECTION_PARAMETERS ||
                d->section == DARC_SECTION_CONSTANTS || d->unknown;
    if (d->section == DARC_SECTION_DERIVED)
        return;
    if (d->section != DARC_SECTION_INPUTS)
        d->section = free ? DARC_SECTION_INPUTS : DARC_SECTION_OUTPUTS;
    d->may_be_zero = d->positive = d->unknown = false;
}

darc_status darc_syntax_measure(darc_syntax *syntax, const darc_script *script)
{
    for (size_t i = 0; i < syntax->declarations; i++) {
        darc_declaration *d = syntax->declaration + i;
        if (d->section != DARC_SECTION_OUTPUTS)
            continue;
        d->section = DARC_SECTION_STATES;
        d->side = 0;
        d->late = false;
    }
    for (const char *s = script->how->measured; *s != '\0';) {
        size_t n = strcspn(s, ",");
        char *name = darc_strndup(s, n);
        darc_declaration *d = darc_syntax_find(syntax, name);
        darc_status status =
            d == NULL ? not_declared(syntax, script, name) : DARC_OK;
        darc_free(name);
        if (d == NULL)
            return status;
        take_measured(d);
        s += n + (s[n] == ',');
    }
    return DARC_OK;
}

/* Return a name that no declaration has: "w_1", "w_1_", ... */
static char *name_link(const darc_syntax *s, const char *input, int k)
{
    char *name = darc_text_of("%s_%d", input, k);
    while (darc_syntax_find(s, name) != NULL) {
        char *longer = darc_text_of("%s_", name);
        darc_free(name);
        name = longer;
    }
    return name;
}

/* Append left' = right, right a new state; without one 0. */
static void append_link(darc_syntax *s, char *left, const char *right,
                        darc_place at)
{
    darc_expr *rate = darc_expr_derive_take(at, darc_expr_name(at, left), 1);
    darc_expr *next =
        right != NULL ? darc_expr_name(at, right) : darc_expr_integer(at, 0);
    darc_statements_append_take(&s->equations, rate, next, at);
    if (right == NULL)
        return;
    DARC_ROOM(s->declaration, s->declarations);
    darc_declaration *d = s->declaration + s->declarations++;
    *d = (darc_declaration){.name = darc_strdup(right),
                            .unit = darc_strdup(""),
                            .text = darc_strdup(""),
                            .section = DARC_SECTION_STATES,
                            .place = at};
    fmpq_init(d->exact);
}

bool darc_syntax_chain(darc_syntax *s, int length)
{
    size_t n = s->declarations;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!s->declaration[i].unknown)
            continue;
        any = true;
        s->declaration[i].unknown = false;
        darc_place at = s->declaration[i].place;
        char *input = darc_strdup(s->declaration[i].name);
        char *left = darc_strdup(input);
        for (int k = 1; k <= length; k++) {
            char *right = k < length ? name_link(s, input, k) : NULL;
            append_link(s, left, right, at);
            darc_free(left);
            left = right;
        }
        darc_free(input);
    }
    return any;
}
