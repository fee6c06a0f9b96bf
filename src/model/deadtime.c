/* deadtime.c - delays by a time that is a parameter. */
#include "model/model_struct.h"

#include "base/mem.h"

#include <string.h>

/* Whether a name of the section stands in e. */
static bool stands_in(const darc_syntax *s, const darc_expr *e,
                      darc_section section)
{
    bool any = false;
    for (size_t i = 0; i < s->declarations && !any; i++)
        any = s->declaration[i].section == section &&
              darc_expr_occurrences(e, s->declaration[i].name) > 0;
    return any;
}

bool darc_is_dead_time(const darc_syntax *s, const darc_expr *e)
{
    return e->kind == DARC_EXPR_CALL && e->function == DARC_FUNCTION_DELAY &&
           stands_in(s, e->child[1], DARC_SECTION_PARAMETERS);
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
    for (size_t k = 0; k < s->ranked; k++)
        if (strcmp(s->rank[k].name, d.name) == 0) {
            darc_free(s->rank[k].name);
            memmove(s->rank + k, s->rank + k + 1,
                    (--s->ranked - k) * sizeof *s->rank);
            k--;
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

void darc_dead_time_expand(darc_expr **e)
{
    darc_expr *delay = *e;
    *e = darc_expr_formula_take(delay->place, "A - W*A'",
                                darc_expr_copy(delay->child[0]),
                                darc_expr_copy(delay->child[1]));
    darc_expr_free(delay);
}

bool darc_model_has_dead_times(const darc_model *model)
{
    return model->dead_times;
}

darc_status darc_model_refuse_dead_times(const darc_model *model,
                                         const char *what, darc_err *err)
{
    return !model->dead_times
               ? DARC_OK
               : darc_fail(err, DARC_MODEL,
                           "%s: error: %s takes no delay by a parameter, which "
                           "values, check and isolate seek; write its number",
                           model->file, what);
}
