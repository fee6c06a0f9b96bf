/* model.c - the unknowns of a model one by one (darc/model.h). */
#include "model/model.h"

int darc_model_unknowns(const darc_model *model)
{
    return darc_model_names(model)->count;
}

const char *darc_model_unknown(const darc_model *model, int u)
{
    return darc_model_names(model)->symbol[u].name;
}

const char *darc_model_kind(const darc_model *model, int u)
{
    static const char *const text[] = {"state", "parameter", "output", "input",
                                       "time"};
    return text[darc_model_names(model)->symbol[u].kind];
}
