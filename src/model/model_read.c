#include "base/attempt.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/units.h"
#include "model/model.h"
#include "model/model_struct.h"
#include "syntax/syntax.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static darc_status check_content(const darc_model *model,
                                 const darc_script *script)
{
    const darc_syntax *s = &model->syntax;
    darc_place place = {1, 1};
    if (s->equations.count > 0 && s->declarations > 0)
        return DARC_OK;
    if (s->has[DARC_SECTION_EQUATIONS])
        place = s->where[DARC_SECTION_EQUATIONS];
    if (s->equations.count == 0)
        return darc_script_fail(script, place, DARC_MODEL,
                                "the model has no equations; expected a "
                                "section 'equations'");
    return darc_script_fail(script, place, DARC_MODEL,
                            "the model declares no names; expected sections "
                            "such as 'states' and 'outputs'");
}

/* Of a sensor's delay the word alone is kept for what is written, or for a
 * simulation. */
static darc_status parse_text(darc_syntax *syntax, const darc_script *script,
                              bool written)
{
    DARC_NEED(darc_parse(syntax, script));
    if (!written)
        darc_sensors_delay(syntax);
    return DARC_OK;
}

static bool holds_names(const darc_expr *e)
{
    bool names = e->kind == DARC_EXPR_UNKNOWN && !e->constant;
    for (int i = 0; i < e->count && !names; i++)
        names = holds_names(e->child[i]);
    return names;
}

/* What stands for a function of numbers is one. */
static void mark_numbers(darc_model *m)
{
    for (int i = 0; i < m->adjoined.count; i++) {
        darc_symbol *s = m->names->symbol + darc_adjoined_unknown(m, i);
        s->number =
            s->kind == DARC_PARAMETER && !holds_names(m->adjoined.item[i].call);
    }
}

/* Put unknowns in the place of functions; what is written is parsed again. */
static darc_status rewrite(darc_model *m, const darc_script *script)
{
    m->rewritten = true;
    DARC_NEED(parse_text(&m->written, script, true));
    m->dead_times = darc_has_dead_times(&m->syntax);
    if (m->dead_times && script->how->simulated)
        return darc_fail(script->err, DARC_MODEL,
                         "%s: error: a dead time that is a parameter is not "
                         "simulated; write its number into the delay",
                         script->file);
    darc_dead_times_inline(&m->syntax);
    DARC_NEED(darc_rewrite(&m->syntax, &m->adjoined, script));
    darc_names_clear(m->names);
    darc_free(m->declared);
    m->declared = NULL;
    DARC_NEED(darc_check_names(m, script));
    mark_numbers(m);
    return DARC_OK;
}

/* Units of what was printed fitted before functions were written otherwise. */
static darc_status check_units(darc_model *m, const darc_script *script,
                               bool printed)
{
    darc_script quiet = *script;
    quiet.err = NULL;
    darc_status status = darc_check_dimensions(m, printed ? &quiet : script);
    return printed ? DARC_OK : status;
}

static darc_status parse(darc_model **model, const darc_script *script,
                         bool printed)
{
    bool simulation = script->how->simulated;
    darc_status status;
    darc_model *m = darc_calloc(1, sizeof *m);
    m->file = darc_strdup(script->file);
    m->whole = script->how->whole;
    if (script->length > DARC_MAX_MODEL_BYTES)
        DARC_TRY(darc_fail(script->err, DARC_LIMIT,
                           "%s: a model of more than %d bytes, which is the "
                           "limit",
                           script->file, DARC_MAX_MODEL_BYTES));
    DARC_TRY(parse_text(&m->syntax, script, simulation));
    for (size_t i = 0; simulation && i < m->syntax.declarations; i++) {
        darc_declaration *d = m->syntax.declaration + i; /* all are given */
        d->section = d->unknown ? DARC_SECTION_INPUTS : d->section;
        d->unknown = false;
    }
    DARC_TRY(check_content(m, script));
    DARC_TRY(darc_check_names(m, script));
    DARC_TRY(check_units(m, script, printed));
    if (darc_rewrite_needed(&m->syntax))
        DARC_TRY(rewrite(m, script));
    DARC_TRY(darc_check_frame(m, script));
    DARC_TRY(darc_build_equations(m, script));
    /* Terms may have cancelled. */
    memset(m->order, 0, (size_t)m->names->count * sizeof *m->order);
    darc_dpolys_orders(m->order, m->eq, m->jet);
    darc_dpolys_orders(m->order, m->ineq, m->jet);
done:
    if (status == DARC_OK)
        *model = m;
    else
        darc_model_free(m);
    return status;
}

static darc_status parse_file(darc_model **model, const darc_script *script)
{
    DARC_NEED(parse(model, script, false));
    darc_model_look(*model);
    return DARC_OK;
}

darc_status darc_model_parse(darc_model **model, const char *text,
                             size_t length, const char *file, darc_err *err)
{
    const darc_reading how = {.simulated = false};
    darc_script script = {text, length, file, err, DARC_LANGUAGE_DARC, &how};
    darc_status status;
    darc_mem_adopt();
    script.language = darc_language_of(&script);
    DARC_ATTEMPT(status, parse_file(model, &script), err);
    return status;
}

darc_status darc_model_parse_printed(darc_model **model, const char *text,
                                     size_t length, const char *file,
                                     const darc_reading *how, darc_err *err)
{
    const darc_script script = {text, length, file, err, DARC_LANGUAGE_PRINTED,
                                how};
    return parse(model, &script, true);
}

static darc_status read_file(darc_model **model, const char *file,
                             const darc_reading *how, darc_err *err)
{
    bool standard = strcmp(file, "-") == 0;
    size_t most = DARC_MAX_MODEL_BYTES + 1;
    char *text = darc_malloc(most);
    const char *shown = standard ? "<stdin>" : file;
    darc_script script = {.text = text, .file = shown, .err = err, .how = how};
    darc_status status;
    FILE *f = standard ? stdin : fopen(file, "rb");
    if (f == NULL)
        DARC_TRY(darc_fail(err, DARC_IO, "%s: error: cannot open: %s", file,
                           strerror(errno)));
    script.length = fread(text, 1, most, f);
    int error = ferror(f) ? errno : 0;
    if (!standard)
        fclose(f);
    script.language = darc_language_of(&script);
    status = error == 0 ? parse_file(model, &script)
                        : darc_fail(err, DARC_IO, "%s: error: cannot read: %s",
                                    shown, strerror(error));
done:
    darc_free(text);
    return status;
}

darc_status darc_model_read_as(darc_model **model, const char *file,
                               bool simulation, const char *measured,
                               darc_err *err)
{
    const darc_reading how = {.simulated = simulation, .measured = measured};
    darc_status status;
    darc_mem_adopt();
    DARC_ATTEMPT(status, read_file(model, file, &how, err), err);
    return status;
}

darc_status darc_model_read(darc_model **model, const char *file, darc_err *err)
{
    return darc_model_read_as(model, file, false, NULL, err);
}

typedef bool holds_fn(const darc_syntax *s, const darc_declaration *d);

static bool is_unused(const darc_syntax *s, const darc_declaration *d)
{
    return d->section != DARC_SECTION_CONSTANTS &&
           !darc_is_sensor_delay(s, d->name) &&
           darc_statements_occurrences(&s->equations, d->name) +
                   darc_values_occurrences(s, d->name) ==
               0;
}

/* Not known to a library that is there. */
static bool is_strange(const darc_syntax *s, const darc_declaration *d)
{
    darc_err err = {DARC_OK, ""};
    double scale, shift;
    (void)s;
    return d->unit[0] != '\0' && darc_unit_convert(&scale, &shift, d->unit,
                                                   d->unit, &err) == DARC_DATA;
}

/* Say it of all declarations of which it holds, at the place of the first. */
static void remark(darc_model *m, const darc_syntax *s, holds_fn *holds,
                   bool unit, const char *what)
{
    darc_text_t text = DARC_TEXT;
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *d = s->declaration + i;
        if (!holds(s, d))
            continue;
        if (text->len == 0)
            darc_text_printf(text, "%s:%d:%d: warning: %s ", m->file,
                             d->place.line, d->place.column, what);
        else
            darc_text_puts(text, ", ");
        darc_text_puts(text, d->name);
        if (unit)
            darc_text_printf(text, " [%s]", d->unit);
    }
    if (text->len > 0) {
        DARC_ROOM(m->remark, m->remarks);
        m->remark[m->remarks++] = darc_text_take(text);
    }
    darc_text_clear(text);
}

void darc_model_look(darc_model *m)
{
    const darc_syntax *s = m->rewritten ? &m->written : &m->syntax;
    const char *note[] = {s->note, m->rewritten ? m->syntax.note : NULL};
    for (int k = 0; k < 2; k++)
        if (note[k] != NULL) {
            DARC_ROOM(m->remark, m->remarks);
            m->remark[m->remarks++] = darc_strdup(note[k]);
        }
    remark(m, s, is_strange, true,
           "not a known unit, so that it is neither checked nor converted:");
    remark(m, s, is_unused, false, "no equation uses");
}

int darc_model_remarks(const darc_model *model)
{
    return model->remarks;
}

const char *darc_model_remark(const darc_model *model, int i)
{
    return model->remark[i];
}
