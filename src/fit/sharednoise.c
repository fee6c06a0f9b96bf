#include "fit/sharednoise.h"

#include "base/mem.h"
#include "model/derived.h"

static void mark_sources(bool *source, const darc_model *model, int u);

static void mark_expr(bool *source, const darc_model *model, const darc_expr *e)
{
    if (darc_expr_get_kind(e) == DARC_EXPR_UNKNOWN)
        mark_sources(source, model, darc_expr_deriv(e).unknown);
    for (int i = 0; i < e->count; i++)
        mark_expr(source, model, e->child[i]);
}

/* Mark the measured signals that u is, or is computed from. */
static void mark_sources(bool *source, const darc_model *model, int u)
{
    int i = darc_derived_find(model, u);
    if (i < 0)
        source[u] = true;
    else
        mark_expr(source, model, darc_derived_expr(model, i));
}

static bool is_noisy(const darc_weakfit *f, const int *column, int u)
{
    return column[u] >= 0 && f->noise[u].kernel != NULL && f->noise[u].sd > 0;
}

void darc_sharednoise_count(darc_weakfit *f, const darc_model *model,
                            const int *column)
{
    size_t n = (size_t)f->unknowns;
    darc_free(f->times);
    f->times = darc_calloc(n, sizeof *f->times);
    for (size_t u = 0; u < n; u++)
        f->times[u] = 1;
    if (model == NULL || darc_derived_count(model) == 0)
        return;
    bool *source = darc_calloc(n * n, sizeof *source); /* u's in row u */
    int *carriers = darc_calloc(n, sizeof *carriers);
    for (size_t u = 0; u < n; u++) {
        if (!is_noisy(f, column, (int)u))
            continue;
        mark_sources(source + u * n, model, (int)u);
        for (size_t v = 0; v < n; v++)
            carriers[v] += source[u * n + v];
    }
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < n; v++)
            if (source[u * n + v] && carriers[v] > f->times[u])
                f->times[u] = carriers[v];
    darc_free(source);
    darc_free(carriers);
}
