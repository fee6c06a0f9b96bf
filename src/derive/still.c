#include "derive/still.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>

/* Return the one value of a signal in all recordings; NAN: it has others. */
static double one_value(const char *name, darc_table *const *table, int n)
{
    double value = NAN;
    for (int i = 0; i < n; i++) {
        int k = darc_table_find(table[i], name);
        if (k < 0 || table[i]->derivations > 0 ||
            !darc_table_stands_still(table[i], k) ||
            (i > 0 && table[i]->signal[k].value[0] != value))
            return NAN;
        value = table[i]->signal[k].value[0];
    }
    return value;
}

bool darc_still_find(double *value, const darc_model *model,
                     darc_table *const *table, int n)
{
    const darc_names_struct *names = darc_model_names(model);
    bool any = false;
    for (int u = 0; u < names->count; u++) {
        const darc_symbol *s = names->symbol + u;
        value[u] = s->kind == DARC_INPUT ? one_value(s->name, table, n) : NAN;
        any = any || !isnan(value[u]);
    }
    return any;
}

darc_model *darc_still_fix(const darc_model *model, const double *value)
{
    int n = darc_model_names(model)->count;
    char(*digits)[40] = darc_calloc((size_t)n, sizeof *digits);
    const char **text = darc_calloc((size_t)n, sizeof *text);
    darc_model *fixed = NULL;
    for (int u = 0; u < n; u++) {
        snprintf(digits[u], sizeof digits[u], "%.17g", value[u]);
        text[u] = isnan(value[u]) ? NULL : digits[u];
    }
    if (darc_model_fix(&fixed, model, text, NULL) != DARC_OK)
        fixed = NULL;
    DARC_FREE(digits, text);
    return fixed;
}
