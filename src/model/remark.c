#include "model/model_struct.h"

#include "base/mem.h"
#include "base/units.h"

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
    if (s->note != NULL) {
        DARC_ROOM(m->remark, m->remarks);
        m->remark[m->remarks++] = darc_strdup(s->note);
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
