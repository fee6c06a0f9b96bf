#include "model/derived.h"

#include "model/model_struct.h"

#include <assert.h>
#include <string.h>

int darc_derived_count(const darc_model *model)
{
    int n = 0;
    for (size_t i = 0; i < model->syntax.declarations; i++)
        n += model->syntax.declaration[i].section == DARC_SECTION_DERIVED;
    return n;
}

int darc_derived_unknown(const darc_model *model, int i)
{
    for (int u = 0; u < model->names->count; u++) {
        const darc_declaration *d = darc_model_declaration(model, u);
        if (d != NULL && d->section == DARC_SECTION_DERIVED && i-- == 0)
            return u;
    }
    assert(false);
    return -1;
}

const darc_expr *darc_derived_expr(const darc_model *model, int i)
{
    const darc_declaration *d =
        darc_model_declaration(model, darc_derived_unknown(model, i));
    assert(d != NULL);
    return d->value;
}

int darc_derived_find(const darc_model *model, int u)
{
    const darc_declaration *d = darc_model_declaration(model, u);
    if (d == NULL || d->section != DARC_SECTION_DERIVED)
        return -1;
    int i = 0;
    while (darc_derived_unknown(model, i) != u)
        i++;
    return i;
}

int darc_adjoined_count(const darc_model *model)
{
    return model->adjoined.count;
}

int darc_adjoined_unknown(const darc_model *model, int i)
{
    assert(i >= 0 && i < model->adjoined.count);
    const char *name = model->adjoined.item[i].name;
    return darc_names_find(model->names, name, strlen(name));
}

const darc_expr *darc_adjoined_expr(const darc_model *model, int i)
{
    assert(i >= 0 && i < model->adjoined.count);
    return model->adjoined.item[i].call;
}

bool darc_adjoined_is_exact(const darc_model *model, int i)
{
    assert(i >= 0 && i < model->adjoined.count);
    return !model->adjoined.item[i].free;
}
