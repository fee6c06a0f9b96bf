#include "diagnose/explain.h"

#include "base/mem.h"
#include "diagnose/thresholds.h"
#include "identify/isolable.h"

#include <string.h>

/* Mark the variables of the identification that change. */
static bool *mark_variables(const darc_explanation *x, const bool *changed)
{
    bool *marked = darc_calloc((size_t)x->id->vars + 1, sizeof *marked);
    for (slong v = 0; v < x->id->vars; v++)
        marked[v] = changed[x->id->unknown[v]];
    return marked;
}

/* Set *yes to whether a change of `other` explains one of `changed`, of the
 * classes `least`.  Its own classes are looked at first: that is quick. */
static darc_status explains(bool *yes, const bool *other, const bool *changed,
                            const slong *least, const darc_explanation *x,
                            darc_err *err)
{
    slong *own = darc_calloc((size_t)x->classes->entries, sizeof *own);
    darc_status status = darc_classes_find(own, x->classes, other, err);
    *yes = status == DARC_OK && darc_classes_refine(own, least, x->classes);
    darc_free(own);
    if (!*yes)
        return status;
    bool *s = mark_variables(x, other), *of = mark_variables(x, changed);
    status = darc_isolable_explains(yes, x->id, s, of, x->budget, err);
    darc_free(s);
    darc_free(of);
    return status;
}

static bool holds_set(const darc_parameter_set *inner, const bool *changed)
{
    for (int i = 0; i < inner->count; i++)
        if (!changed[inner->parameter[i]])
            return false;
    return true;
}

static void append(darc_isolate_candidate *c, const bool *changed,
                   const int *parameter, int parameters)
{
    size_t n = (size_t)c->equivalents + 1;
    c->equivalent = darc_realloc(c->equivalent, n, sizeof *c->equivalent);
    darc_parameter_set *s = c->equivalent + c->equivalents++;
    s->count = 0;
    s->parameter = darc_calloc((size_t)parameters, sizeof *s->parameter);
    for (int i = 0; i < parameters; i++)
        if (changed[parameter[i]])
            s->parameter[s->count++] = parameter[i];
}

/* All subsets of at most 20 parameters, by their bits. */
darc_status darc_explain(darc_isolate_candidate *c, const darc_explanation *x,
                         darc_err *err)
{
    darc_status status;
    int most = c->changed.count + 1, n = x->parameters;
    n = n < DARC_EXPLAIN_PARAMETERS ? n : DARC_EXPLAIN_PARAMETERS;
    size_t names = (size_t)x->names;
    bool *changed = darc_calloc(names, sizeof *changed);
    bool *other = darc_calloc(names, sizeof *other);
    slong *least = darc_calloc((size_t)x->classes->entries, sizeof *least);
    for (int i = 0; i < c->changed.count; i++)
        changed[c->changed.parameter[i]] = true;
    DARC_TRY(darc_classes_find(least, x->classes, changed, err));
    for (unsigned long bits = 1; bits < 1UL << n; bits++) {
        if (__builtin_popcountl(bits) > most)
            continue;
        memset(other, 0, names * sizeof *other);
        for (int i = 0; i < n; i++)
            other[x->parameter[i]] = (bits >> i & 1) != 0;
        if (holds_set(&c->changed, other))
            continue;
        bool yes;
        DARC_TRY(explains(&yes, other, changed, least, x, err));
        if (yes)
            append(c, other, x->parameter, x->parameters);
    }
done:
    darc_free(least);
    darc_free(changed);
    darc_free(other);
    return status;
}
