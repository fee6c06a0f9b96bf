#include "coefficient/classes.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Entry j and the ratios of its values, one a point. */
typedef struct {
    slong j;
    ulong ratio[DARC_CLASS_POINTS];
} mark;

/* Set value to the coefficients at x modulo prime i, where parameter v is
 * drawn (again and again) if drawn[unknown of v], NULL: all. */
static darc_status evaluate_modulo(ulong *value, ulong *x, const bool *drawn,
                                   int i, darc_classes_t c, darc_err *err)
{
    darc_blackbox_struct *g = c->g;
    darc_status status = DARC_DOMAIN;
    bool good = false;
    for (int k = 0; k < DARC_DRAWS && !good; k++) {
        darc_err why = {DARC_OK, ""};
        for (slong v = 0; v < g->vars; v++)
            if (drawn == NULL || drawn[g->unknown[v]])
                darc_finite_random_point(x + v, 1, c->mod[i], g->rand);
        status = darc_blackbox_at(value, g, x, c->mod[i], &why);
        if (status != DARC_OK && status != DARC_DOMAIN)
            return darc_fail_as(err, status, &why);
        good = status == DARC_OK;
        for (slong j = 0; j < c->entries && good; j++)
            good = value[j] != 0;
    }
    return good ? DARC_OK
                : darc_fail(err, DARC_DOMAIN,
                            "the coefficients of the io-equations have no "
                            "values at random parameters");
}

darc_status darc_classes_init(darc_classes_t c, darc_blackbox_t g,
                              darc_err *err)
{
    memset(c, 0, sizeof *c);
    c->g = g;
    c->entries = g->first[g->io->count];
    darc_status status = DARC_OK;
    for (int i = 0; i < DARC_CLASS_POINTS; i++) {
        nmod_init(&c->mod[i], darc_finite_random_prime(g->rand));
        c->x[i] = darc_calloc((size_t)g->vars + 1, sizeof(ulong));
        c->base[i] = darc_calloc((size_t)c->entries + 1, sizeof(ulong));
        DARC_THEN(evaluate_modulo(c->base[i], c->x[i], NULL, i, c, err));
    }
    if (status != DARC_OK)
        darc_classes_clear(c);
    return status;
}

void darc_classes_clear(darc_classes_t c)
{
    for (int i = 0; i < DARC_CLASS_POINTS; i++) {
        DARC_FREE(c->x[i], c->base[i]);
    }
    memset(c, 0, sizeof *c);
}

static int by_ratio(const void *a, const void *b)
{
    const mark *x = a, *y = b;
    for (int i = 0; i < DARC_CLASS_POINTS; i++)
        if (x->ratio[i] != y->ratio[i])
            return x->ratio[i] < y->ratio[i] ? -1 : 1;
    return (x->j > y->j) - (x->j < y->j);
}

void darc_classes_split(slong *least, slong n,
                        const ulong *const before[DARC_CLASS_POINTS],
                        const ulong *const after[DARC_CLASS_POINTS],
                        const nmod_t mod[DARC_CLASS_POINTS])
{
    mark *m = darc_calloc((size_t)n + 1, sizeof *m);
    for (slong j = 0; j < n; j++) {
        m[j].j = j;
        for (int i = 0; i < DARC_CLASS_POINTS; i++)
            /* a ratio with 0 equals no other but by chance: the place */
            m[j].ratio[i] = before[i][j] != 0 && after[i][j] != 0
                                ? nmod_div(after[i][j], before[i][j], mod[i])
                                : (ulong)j;
    }
    qsort(m, (size_t)n, sizeof *m, by_ratio);
    for (slong k = 0; k < n; k++)
        least[m[k].j] =
            k > 0 && memcmp(m[k].ratio, m[k - 1].ratio, sizeof m->ratio) == 0
                ? least[m[k - 1].j]
                : m[k].j;
    darc_free(m);
}

darc_status darc_classes_find(slong *least, darc_classes_t c,
                              const bool *changed, darc_err *err)
{
    darc_blackbox_struct *g = c->g;
    darc_status status = DARC_OK;
    const ulong *before[DARC_CLASS_POINTS], *after[DARC_CLASS_POINTS];
    ulong *value[DARC_CLASS_POINTS] = {NULL};
    ulong *x = darc_calloc((size_t)g->vars + 1, sizeof *x);
    for (int i = 0; i < DARC_CLASS_POINTS; i++) {
        memcpy(x, c->x[i], (size_t)g->vars * sizeof *x);
        value[i] = darc_calloc((size_t)c->entries + 1, sizeof(ulong));
        DARC_TRY(evaluate_modulo(value[i], x, changed, i, c, err));
    }
    for (int e = 0; e < g->io->count; e++) {
        slong from = g->first[e], n = g->first[e + 1] - from;
        for (int i = 0; i < DARC_CLASS_POINTS; i++) {
            before[i] = c->base[i] + from;
            after[i] = value[i] + from;
        }
        darc_classes_split(least + from, n, before, after, c->mod);
        for (slong j = from; j < from + n; j++)
            least[j] += from;
    }
done:
    darc_free(x);
    DARC_FREE_EACH(value, DARC_CLASS_POINTS);
    return status;
}

bool darc_classes_is_one(const slong *least, const darc_classes_t c, int e)
{
    slong first = c->g->first[e];
    for (slong j = first; j < c->g->first[e + 1]; j++)
        if (least[j] != first)
            return false;
    return true;
}

bool darc_classes_refine(const slong *fine, const slong *coarse,
                         const darc_classes_t c)
{
    for (slong j = 0; j < c->entries; j++)
        if (coarse[j] != coarse[fine[j]])
            return false;
    return true;
}
