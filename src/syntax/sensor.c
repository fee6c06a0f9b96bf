#include "syntax/sensor.h"

#include "base/limits.h"
#include "base/mem.h"
#include "syntax/suggest.h"

#include <stdio.h>
#include <string.h>

static const char *const words[DARC_SENSORS] = {"offset", "delay", "lag",
                                                "gain"};

static int word_at(const darc_parser *p)
{
    const darc_token *t = darc_parser_peek(p, 0);
    int k = t->first ? DARC_SENSORS : 0;
    while (k < DARC_SENSORS && !darc_token_is(t, words[k]))
        k++;
    return k;
}

darc_status darc_sensor_parse(darc_parser *p, darc_declaration *d)
{
    for (int k = word_at(p); k < DARC_SENSORS; k = word_at(p)) {
        if (d->sensor[k].line > 0)
            return darc_script_fail(p->script, darc_parser_peek(p, 0)->place,
                                    DARC_SYNTAX,
                                    "'%s' stands twice behind "
                                    "'%s'",
                                    words[k], d->name);
        d->sensor[k] = darc_parser_peek(p, 0)->place;
        p->at++;
    }
    return DARC_OK;
}

/* ---- trees -----------------------------------------------------------------
 */

static darc_expr *name(darc_place at, const char *text)
{
    return darc_expr_new(DARC_EXPR_UNKNOWN, at, text, strlen(text));
}

static darc_expr *two(darc_expr_kind kind, darc_place at, darc_expr *a,
                      darc_expr *b)
{
    darc_expr *e = darc_expr_wrap_take(kind, at, a);
    darc_expr_append_take(e, b);
    return e;
}

static darc_expr *rate(darc_place at, darc_expr *e, int order)
{
    bool counts =
        e->kind == DARC_EXPR_UNKNOWN || e->kind == DARC_EXPR_DERIVATIVE;
    if (order == 0 || counts) {
        e->order += order;
        return e;
    }
    darc_expr *d = darc_expr_wrap_take(DARC_EXPR_DERIVATIVE, at, e);
    d->order = order;
    return d;
}

/* e + sign*T*e', T half of the parameter or all of it */
static darc_expr *slide(darc_place at, darc_expr *e, const char *time,
                        bool half, bool minus)
{
    darc_expr *term = two(DARC_EXPR_PRODUCT, at, name(at, time),
                          rate(at, darc_expr_copy(e), 1));
    if (half) {
        darc_expr *n = darc_expr_new(DARC_EXPR_NUMBER, at, "2", 1);
        fmpq_set_si(n->value, 2, 1);
        darc_expr_append_take(term,
                              darc_expr_wrap_take(DARC_EXPR_INVERT, at, n));
    }
    if (minus)
        term = darc_expr_wrap_take(DARC_EXPR_NEGATE, at, term);
    return two(DARC_EXPR_SUM, at, e, term);
}

/* Replace what stands for the name by `by` and its derivatives. */
static void replace(darc_expr **e, const char *what, const darc_expr *by)
{
    darc_expr *old = *e;
    for (int i = 0; i < old->count; i++)
        replace(old->child + i, what, by);
    if (old->kind != DARC_EXPR_UNKNOWN || strcmp(old->text, what) != 0)
        return;
    *e = rate(old->place, darc_expr_copy(by), old->order);
    darc_expr_free(old);
}

static void replace_all(darc_statements *s, const char *what,
                        const darc_expr *by)
{
    for (size_t i = 0; i < s->count; i++) {
        replace(&s->statement[i].left, what, by);
        replace(&s->statement[i].right, what, by);
    }
}

/* ---- one sensor ------------------------------------------------------------
 */

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

/* Declare the name; of an error the word of the sensor is the place. */
static darc_status declare(darc_syntax *s, const darc_script *script,
                           const char *text, const char *unit,
                           darc_section section, darc_place at)
{
    if (strlen(text) > DARC_MAX_NAME)
        return darc_script_fail(script, at, DARC_LIMIT,
                                "the name '%s' would be longer than %d", text,
                                DARC_MAX_NAME);
    if (darc_syntax_find(s, text) != NULL)
        return darc_script_fail(script, at, DARC_MODEL,
                                "'%s' is declared, but the sensor needs the "
                                "name; rename it",
                                text);
    darc_parser p = {.script = script};
    darc_token t = {.s = text, .n = strlen(text), .place = at};
    darc_declaration *d;
    darc_status status = darc_parser_declare(&d, &p, s, &t, section);
    if (status != DARC_OK)
        return status;
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
    darc_place at = d->place;
    darc_expr *e = name(at, d->name);
    if (d->sensor[DARC_SENSOR_LAG].line > 0)
        e = slide(at, e, part[DARC_SENSOR_LAG], false, false);
    if (d->sensor[DARC_SENSOR_OFFSET].line > 0)
        e = two(DARC_EXPR_SUM, at, e,
                darc_expr_wrap_take(DARC_EXPR_NEGATE, at,
                                    name(at, part[DARC_SENSOR_OFFSET])));
    if (d->sensor[DARC_SENSOR_GAIN].line > 0)
        e = two(DARC_EXPR_PRODUCT, at, e,
                darc_expr_wrap_take(DARC_EXPR_INVERT, at,
                                    name(at, part[DARC_SENSOR_GAIN])));
    return e;
}

/* Declare the parameters of the sensor, and the state that is shown late. */
static darc_status declare_all(darc_syntax *s, const darc_script *script,
                               const darc_declaration *d,
                               const label part[DARC_SENSORS],
                               const char *state)
{
    static const char *const unit[DARC_SENSORS] = {NULL, "s", "s", "1"};
    darc_status status = DARC_OK;
    for (int k = 0; k < DARC_SENSORS && status == DARC_OK; k++)
        if (d->sensor[k].line > 0)
            status = declare(s, script, part[k], unit[k] ? unit[k] : d->unit,
                             DARC_SECTION_PARAMETERS, d->sensor[k]);
    if (status == DARC_OK && d->sensor[DARC_SENSOR_DELAY].line > 0)
        status = declare(s, script, state, d->unit, DARC_SECTION_STATES,
                         d->sensor[DARC_SENSOR_DELAY]);
    return status;
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
    label part[DARC_SENSORS], state;
    darc_place at = d->sensor[DARC_SENSOR_DELAY];
    darc_status status = check_derived(s, script, d->name);
    if (status != DARC_OK)
        return status;
    for (int k = 0; k < DARC_SENSORS; k++)
        snprintf(part[k], sizeof part[k], "%s_%s", d->name, words[k]);
    snprintf(state, sizeof state, "%s_true", d->name);
    DARC_NEED(declare_all(s, script, d, part, state));
    darc_expr *shown = undo(part, d);
    darc_expr *now = at.line > 0 ? name(at, state) : shown;
    replace_all(&s->equations, d->name, now);
    replace_all(&s->assumptions, d->name, now);
    if (at.line > 0) {
        const char *delay = part[DARC_SENSOR_DELAY];
        darc_statements_append_take(&s->equations,
                                    slide(at, shown, delay, true, false),
                                    slide(at, now, delay, true, true), at);
        return DARC_OK;
    }
    darc_expr_free(shown);
    return DARC_OK;
}

static bool is_used(const darc_syntax *s, const char *name)
{
    bool used = false;
    for (size_t i = 0; i < s->equations.count && !used; i++)
        used =
            darc_expr_occurrences(s->equations.statement[i].left, name) > 0 ||
            darc_expr_occurrences(s->equations.statement[i].right, name) > 0;
    for (size_t i = 0; i < s->declarations && !used; i++)
        used = s->declaration[i].value != NULL &&
               darc_expr_occurrences(s->declaration[i].value, name) > 0;
    return used;
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
        for (int k = 0; k < DARC_SENSORS; k++)
            darc_suggestion_offer(&near, words[k]);
        if (d->section == DARC_SECTION_OUTPUTS && near.best != NULL &&
            !is_used(s, d->name))
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
        if (any)
            DARC_NEED(apply(syntax, script, &d));
    }
    return DARC_OK;
}
