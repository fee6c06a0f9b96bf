#include "syntax/parser.h"

#include "base/limits.h"
#include "base/mem.h"

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

darc_status darc_parser_expected(const darc_parser *p, const char *what)
{
    const darc_token *t = darc_parser_peek(p, 0);
    if (t->kind == TOKEN_BAD)
        return darc_fail(p->script->err, p->tokens->bad.status, "%s",
                         p->tokens->bad.message);
    if (t->kind == TOKEN_END)
        return darc_script_fail(p->script, t->place, DARC_SYNTAX,
                                "expected %s at the end of the file", what);
    if (t->kind == TOKEN_NEWLINE)
        return darc_script_fail(p->script, t->place, DARC_SYNTAX,
                                "expected %s at the end of the line", what);
    if (t->kind == TOKEN_UNIT)
        return darc_script_fail(p->script, t->place, DARC_SYNTAX,
                                "expected %s near '['; a unit stands once, "
                                "after the name in a declaration",
                                what);
    int n = t->n > 40 ? 40 : (int)t->n;
    return darc_script_fail(
        p->script, t->place, DARC_SYNTAX, "expected %s near '%.*s'%s", what, n,
        t->s,
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
    bool may = t->first && !p->script->modelica;
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
    out->declaration =
        darc_grow(out->declaration, out->declarations, &out->declaration_alloc,
                  sizeof *out->declaration);
    *d = out->declaration + out->declarations++;
    **d = (darc_declaration){.name = darc_token_text(t),
                             .unit = darc_strdup(""),
                             .text = darc_strdup(""),
                             .section = section,
                             .place = t->place};
    fmpq_init((*d)->exact);
    return DARC_OK;
}
