#include "syntax/parser.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { BEFORE = DARC_SENSORS, BEHIND, WORDS };

static const char *const words[WORDS] = {"offset", "delay",  "lag",
                                         "gain",   "before", "behind"};

static int word_at(const darc_parser *p)
{
    const darc_token *t = darc_parser_peek(p, 0);
    int k = t->first ? WORDS : 0;
    while (k < WORDS && !darc_token_is(t, words[k]))
        k++;
    return k;
}

darc_status darc_sensor_parse(darc_parser *p, darc_declaration *d)
{
    for (int k = word_at(p); k < WORDS; k = word_at(p)) {
        int side = k == BEFORE ? -1 : k == BEHIND ? 1 : 0;
        darc_place at = darc_parser_peek(p, 0)->place;
        if (d->side == -side && side != 0)
            return darc_script_fail(
                p->script, at, DARC_SYNTAX,
                "samples of '%s' lie before steps of held inputs or behind "
                "them; say one of the two words",
                d->name);
        if (side != 0 ? d->side == side : d->sensor[k].line > 0)
            return darc_script_fail(p->script, at, DARC_SYNTAX,
                                    "'%s' stands twice behind '%s'", words[k],
                                    d->name);
        if (side != 0)
            d->side = side;
        else
            d->sensor[k] = at;
        p->at++;
    }
    return DARC_OK;
}

typedef char label[DARC_MAX_NAME + 8];

/* Move the last declaration behind the others of its section: a section stands
 * once. */
static void join_section(darc_syntax *s)
{
    size_t n = s->declarations - 1, i = n;
    darc_declaration last = s->declaration[n];
    while (i > 0 && s->declaration[i - 1].section != last.section)
        i--;
    if (i == 0)
        return;
    memmove(s->declaration + i + 1, s->declaration + i,
            (n - i) * sizeof *s->declaration);
    s->declaration[i] = last;
}

/* Declare the parameter, unless it is a delay that is declared already, be it
 * as a constant; of an error the word of the sensor is the place. */
static darc_status declare(darc_syntax *s, const darc_script *script,
                           const char *text, const char *unit,
                           darc_sensor sensor, darc_place at)
{
    if (strlen(text) > DARC_MAX_NAME)
        return darc_script_fail(script, at, DARC_LIMIT,
                                "the name '%s' would be longer than %d", text,
                                DARC_MAX_NAME);
    const darc_declaration *own = darc_syntax_find(s, text);
    bool given = own != NULL && sensor == DARC_SENSOR_DELAY &&
                 (own->section == DARC_SECTION_PARAMETERS ||
                  own->section == DARC_SECTION_CONSTANTS);
    if (given)
        return DARC_OK;
    if (own != NULL)
        return darc_script_fail(
            script, at, DARC_MODEL,
            "'%s' is declared, but the sensor needs the name; rename it", text);
    darc_parser p = {.script = script};
    darc_token t = {.s = text, .n = strlen(text), .place = at};
    darc_declaration *d;
    DARC_NEED(darc_parser_declare(&d, &p, s, &t, DARC_SECTION_PARAMETERS));
    darc_free(d->unit);
    d->unit = darc_strdup(unit);
    join_section(s);
    return DARC_OK;
}

/* What the sensor shows, offset, gain and lag undone: an expression of its
 * column. */
static darc_expr *undo(const label part[DARC_SENSORS],
                       const darc_declaration *d)
{
    static const struct {
        darc_sensor of;
        const char *formula;
    } undone[] = {{DARC_SENSOR_LAG, "A + W*A'"},
                  {DARC_SENSOR_OFFSET, "A - W"},
                  {DARC_SENSOR_GAIN, "A/W"}};
    darc_place at = d->place;
    darc_expr *e = darc_expr_name(at, d->name);
    for (int i = 0; i < 3; i++)
        if (d->sensor[undone[i].of].line > 0)
            e = darc_expr_formula_take(at, undone[i].formula, e,
                                       darc_expr_name(at, part[undone[i].of]));
    return e;
}

static darc_status check_derived(const darc_syntax *s,
                                 const darc_script *script, const char *of)
{
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *d = s->declaration + i;
        if (d->section == DARC_SECTION_DERIVED &&
            darc_expr_occurrences(d->value, of) > 0)
            return darc_script_fail(
                script, d->place, DARC_MODEL,
                "'%s' is computed from the column '%s', whose sensor shows "
                "something else; write its formula into the equations",
                d->name, of);
    }
    return DARC_OK;
}

static darc_status apply(darc_syntax *s, const darc_script *script,
                         const darc_declaration *d)
{
    static const char *const unit[DARC_SENSORS] = {NULL, "s", "s", "1"};
    label part[DARC_SENSORS];
    DARC_NEED(check_derived(s, script, d->name));
    for (int k = 0; k < DARC_SENSORS; k++) {
        snprintf(part[k], sizeof part[k], "%s_%s", d->name, words[k]);
        if (d->sensor[k].line > 0)
            DARC_NEED(declare(s, script, part[k], unit[k] ? unit[k] : d->unit,
                              (darc_sensor)k, d->sensor[k]));
    }
    darc_expr *shown = undo(part, d), **side;
    for (size_t i = 0; (side = darc_syntax_side(s, i)) != NULL; i++)
        darc_expr_substitute(side, d->name, shown);
    darc_expr_free(shown);
    return DARC_OK;
}

/* An output that nothing uses, with nearly such a word for a name, is a word
 * misspelt. */
static darc_status check_spelling(const darc_syntax *s,
                                  const darc_script *script)
{
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *d = s->declaration + i;
        darc_suggestion near;
        darc_suggestion_init(&near, d->name);
        for (int k = 0; k < WORDS; k++)
            darc_suggestion_offer(&near, words[k]);
        if (d->section == DARC_SECTION_OUTPUTS && near.best != NULL &&
            darc_statements_occurrences(&s->equations, d->name) == 0 &&
            darc_values_occurrences(s, d->name) == 0)
            return darc_script_fail(script, d->place, DARC_MODEL,
                                    "the output '%s' stands in no equation%s",
                                    d->name, darc_suggestion_text(&near));
    }
    return DARC_OK;
}

darc_status darc_sensors_apply(darc_syntax *syntax, const darc_script *script)
{
    DARC_NEED(check_spelling(syntax, script));
    for (size_t i = 0; i < syntax->declarations; i++) {
        darc_declaration d = syntax->declaration[i]; /* it moves, ... */
        bool any = false;
        for (int k = 0; k < DARC_SENSORS; k++)
            any = any || d.sensor[k].line > 0;
        /* ... to where it is seen again */
        memset(syntax->declaration[i].sensor, 0, sizeof d.sensor);
        syntax->declaration[i].late |= d.sensor[DARC_SENSOR_DELAY].line > 0;
        if (any)
            DARC_NEED(apply(syntax, script, &d));
    }
    return DARC_OK;
}
