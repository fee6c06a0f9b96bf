/* deadtime.c - delays by a time that is a parameter. */
#include "model/model_struct.h"

#include "base/mem.h"

#include <string.h>

/* Put what declaration i is in its place everywhere, and remove it. */
static void put_in_place(darc_syntax *s, size_t i)
{
    darc_declaration d = s->declaration[i];
    darc_expr **side;
    for (size_t k = i + 1; k < s->declarations; k++)
        if (s->declaration[k].value != NULL)
            darc_expr_substitute(&s->declaration[k].value, d.name, d.value);
    for (size_t k = 0; (side = darc_syntax_side(s, k)) != NULL; k++)
        darc_expr_substitute(side, d.name, d.value);
    for (size_t k = s->ranked; k-- > 0;)
        if (strcmp(s->rank[k].name, d.name) == 0) {
            darc_free(s->rank[k].name);
            memmove(s->rank + k, s->rank + k + 1,
                    (--s->ranked - k) * sizeof *s->rank);
        }
    memmove(s->declaration + i, s->declaration + i + 1,
            (--s->declarations - i) * sizeof *s->declaration);
    darc_declaration_clear(&d);
}

void darc_dead_times_inline(darc_syntax *s)
{
    for (size_t i = 0; i < s->declarations; i++)
        if (s->declaration[i].section == DARC_SECTION_DERIVED &&
            darc_holds_dead_time(s, s->declaration[i].value))
            put_in_place(s, i--);
}

bool darc_model_has_dead_times(const darc_model *model)
{
    return model->dead_times;
}

darc_status darc_model_refuse_late(const darc_model *model, const char *what,
                                   darc_err *err)
{
    const darc_syntax *s = model->rewritten ? &model->written : &model->syntax;
    for (size_t i = 0; i < s->declarations; i++)
        if (s->declaration[i].late || darc_is_averaged(s->declaration + i))
            return darc_fail(
                err, DARC_DOMAIN,
                "%s: the sensor of '%s' is late or averages, as %s do not know",
                model->file, s->declaration[i].name, what);
    return DARC_OK;
}

darc_status darc_model_refuse_dead_times(const darc_model *model,
                                         const char *what, darc_err *err)
{
    return !model->dead_times
               ? DARC_OK
               : darc_fail(
                     err, DARC_MODEL,
                     "%s: error: %s takes no delay by a parameter, which "
                     "values, check and isolate seek; write its number, of "
                     "a sensor as a constant NAME_delay",
                     model->file, what);
}
