/* delay.c - delays of sensors, and dead times: what is late by a parameter.
 *
 * What is measured stands in the equations as it is when all of it is equally
 * late.  Of those that share what is not measured all may be late alike.
 */
#include "syntax/syntax.h"

#include "base/limits.h"
#include "base/mem.h"

#include <string.h>

/* The sensor that a measured signal, or the time, is late by; NULL: none.
 * Return whether e is one. */
static bool is_measured(const darc_declaration **late, const darc_syntax *s,
                        const darc_expr *e)
{
    if (e->kind != DARC_EXPR_UNKNOWN)
        return false;
    const darc_declaration *d = darc_syntax_find(s, e->text);
    *late = d != NULL && d->late ? d : NULL;
    return d == NULL || d->section == DARC_SECTION_INPUTS ||
           d->section == DARC_SECTION_OUTPUTS ||
           d->section == DARC_SECTION_DERIVED;
}

/* Derivatives of signals that are equally late. */
typedef struct {
    darc_text_t seen; /* their names */
    int highest, count;
} derivatives;

static void list_late(derivatives *l, const darc_syntax *s, const darc_expr *e,
                      const darc_declaration *by)
{
    const darc_declaration *late;
    for (int i = 0; i < e->count; i++)
        list_late(l, s, e->child[i], by);
    if (!is_measured(&late, s, e) || late != by)
        return;
    char *name = darc_text_of(" %s:%d ", e->text, e->order);
    l->highest = FLINT_MAX(l->highest, e->order);
    if (l->count == 0 || strstr(l->seen->s, name) == NULL) {
        darc_text_puts(l->seen, name);
        l->count++;
    }
    darc_free(name);
}

enum { OWN = 1, OTHER = 2 };

/* What e holds: measured signals late by one sensor, anything else but numbers.
 */
static int held_by(const darc_syntax *s, const darc_expr *e,
                   const darc_declaration *by)
{
    const darc_declaration *late, *d;
    int has = e->kind == DARC_EXPR_DERIVATIVE || e->order > 0 ? OTHER : 0;
    for (int i = 0; i < e->count; i++)
        has |= held_by(s, e->child[i], by);
    if (e->kind != DARC_EXPR_UNKNOWN)
        return has;
    if (is_measured(&late, s, e))
        return has | (late == by ? OWN : OTHER);
    d = darc_syntax_find(s, e->text);
    return d->section == DARC_SECTION_CONSTANTS ? has : OTHER;
}

static darc_expr *delay_of(const darc_declaration *d, darc_place at)
{
    char *name = darc_text_of("%s_%s", d->name, "delay");
    darc_expr *e = darc_expr_name(at, name);
    darc_free(name);
    return e;
}

bool darc_is_sensor_delay(const darc_syntax *s, const char *name)
{
    bool is = false;
    for (size_t i = 0; i < s->declarations && !is; i++) {
        const darc_declaration *d = s->declaration + i;
        darc_expr *e = d->late ? delay_of(d, d->place) : NULL;
        is = e != NULL && strcmp(e->text, name) == 0;
        darc_expr_free(e);
    }
    return is;
}

/* Put e, late by one sensor or none, as it is beside what is late by another.
 */
static void delay_by(darc_expr **e, const darc_declaration *to,
                     const darc_declaration *from)
{
    darc_place at = (*e)->place;
    int order = (*e)->kind == DARC_EXPR_UNKNOWN ? (*e)->order : 0;
    darc_expr *by =
        to == NULL
            ? darc_expr_wrap_take(DARC_EXPR_NEGATE, at, delay_of(from, at))
        : from == NULL ? delay_of(to, at)
                       : darc_expr_formula_take(at, "A - W", delay_of(to, at),
                                                delay_of(from, at));
    (*e)->order -= order;
    *e = darc_expr_join_take(DARC_EXPR_CALL, *e, by);
    (*e)->function = DARC_FUNCTION_DELAY;
    *e = darc_expr_derive_take(at, *e, order);
}

/* Let all that is measured in e be as late as the sensor `to`; functions of
 * what is equally late, as a whole. */
static void shift_to(darc_expr **e, const darc_syntax *s,
                     const darc_declaration *to)
{
    const darc_declaration *late;
    if (is_measured(&late, s, *e)) {
        if (late != to)
            delay_by(e, to, late);
        return;
    }
    for (size_t i = 0; i <= s->declarations && (*e)->kind == DARC_EXPR_CALL;
         i++) {
        late = i < s->declarations ? s->declaration + i : NULL;
        if (late != NULL && !late->late)
            continue;
        if (held_by(s, *e, late) != OWN)
            continue;
        if (late != to)
            delay_by(e, to, late);
        return;
    }
    for (int i = 0; i < (*e)->count; i++)
        shift_to(&(*e)->child[i], s, to);
}

/* Number the equations by part: those of one share what is not measured. */
static int *find_parts(const darc_syntax *s)
{
    size_t n = s->equations.count;
    int *part = darc_calloc(n + 1, sizeof *part);
    for (size_t i = 0; i < n; i++)
        part[i] = (int)i;
    for (size_t k = 0; k < s->declarations; k++) {
        int first = -1;
        for (size_t i = 0; i < n; i++) {
            const darc_statement *e = s->equations.statement + i;
            const darc_declaration *d = s->declaration + k;
            if (d->section != DARC_SECTION_STATES ||
                darc_expr_occurrences(e->left, d->name) +
                        darc_expr_occurrences(e->right, d->name) ==
                    0)
                continue;
            int old = part[i];
            first = first < 0 ? old : first;
            for (size_t j = 0; j < n; j++)
                part[j] = part[j] == old ? first : part[j];
        }
    }
    return part;
}

/* The more, the better they stay as they are: what is late by a parameter is
 * known to first order, by its next derivative. */
static int weight_of(const darc_syntax *s, const int *part, int which,
                     const darc_declaration *late)
{
    derivatives l = {DARC_TEXT, 0, 0};
    for (size_t i = 0; i < s->equations.count; i++) {
        const darc_statement *e = s->equations.statement + i;
        if (part[i] == which) {
            list_late(&l, s, e->left, late);
            list_late(&l, s, e->right, late);
        }
    }
    darc_text_clear(l.seen);
    return l.count > 0 ? l.highest * DARC_MAX_UNKNOWNS + l.count : 0;
}

void darc_sensors_delay(darc_syntax *s)
{
    int *part = find_parts(s);
    for (int p = 0; (size_t)p < s->equations.count; p++) {
        const darc_declaration *to = NULL;
        int most = 0;
        for (size_t k = 0; k < s->declarations; k++) {
            const darc_declaration *d = s->declaration + k;
            int weight = d->late ? weight_of(s, part, p, d) : 0;
            to = weight > most ? d : to;
            most = weight > most ? weight : most;
        }
        if (to == NULL)
            continue;
        to = weight_of(s, part, p, NULL) > most ? NULL : to;
        for (size_t i = 0; i < s->equations.count; i++) {
            if (part[i] != p)
                continue;
            shift_to(&s->equations.statement[i].left, s, to);
            shift_to(&s->equations.statement[i].right, s, to);
        }
    }
    for (size_t k = 0; k < s->declarations; k++)
        s->declaration[k].late = false;
    darc_free(part);
}

/* Whether a name of the section stands in e. */
static bool holds_parameter(const darc_syntax *s, const darc_expr *e)
{
    bool any = false;
    for (size_t i = 0; i < s->declarations && !any; i++)
        any = s->declaration[i].section == DARC_SECTION_PARAMETERS &&
              darc_expr_occurrences(e, s->declaration[i].name) > 0;
    return any;
}

bool darc_is_dead_time(const darc_syntax *s, const darc_expr *e)
{
    return e->kind == DARC_EXPR_CALL && e->function == DARC_FUNCTION_DELAY &&
           holds_parameter(s, e->child[1]);
}

bool darc_holds_dead_time(const darc_syntax *s, const darc_expr *e)
{
    bool any = darc_is_dead_time(s, e);
    for (int i = 0; i < e->count && !any; i++)
        any = darc_holds_dead_time(s, e->child[i]);
    return any;
}

bool darc_has_dead_times(const darc_syntax *s)
{
    bool any = false;
    darc_expr **side;
    for (size_t i = 0; i < s->declarations && !any; i++)
        any = s->declaration[i].value != NULL &&
              darc_holds_dead_time(s, s->declaration[i].value);
    for (size_t i = 0; !any && (side = darc_syntax_side(s, i)) != NULL; i++)
        any = darc_holds_dead_time(s, *side);
    return any;
}
