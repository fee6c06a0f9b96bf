/* measured.c - which signals are measured, where the user says it. */
#include "syntax/syntax.h"

#include "base/mem.h"
#include "syntax/suggest.h"

#include <string.h>

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
        DARC_NEED(status);
        take_measured(d);
        s += n + (s[n] == ',');
    }
    return DARC_OK;
}
