#include "coefficient/interpolate.h"

#include "base/mem.h"
#include "coefficient/thresholds.h"

#include <string.h>

/* Return the products of terms that the values at a point take. */
static double cost_of(const darc_blackbox_t g)
{
    double cost = g->route.work;
    for (slong k = 0; g->polynomials && k < g->first[g->io->count]; k++)
        cost += (double)(g->c->b[k].length * g->vars);
    double states = g->polynomials ? 0 : g->p->s->states;
    return cost + DARC_POINT_COST * states * states;
}

void darc_vectors_init_blackbox(darc_vectors_t v, darc_blackbox_t g, int e,
                                const bool *changed)
{
    int recordings = changed == NULL ? 1 : 2;
    int from = e < 0 ? 0 : e, to = e < 0 ? g->io->count : e + 1;
    size_t n = (size_t)(recordings * (to - from));
    *v = (darc_vectors_struct){.g = g, .cost = recordings * cost_of(g)};
    DARC_CALLOC(n, v->recording, v->equation);
    v->first = darc_calloc(n + 1, sizeof *v->first);
    for (int r = 0; r < recordings; r++) {
        v->variable[r] = darc_calloc((size_t)g->vars + 1, sizeof(slong));
        for (int k = from; k < to; k++) {
            int i = v->vectors++;
            v->recording[i] = r;
            v->equation[i] = k;
            v->first[i + 1] = v->first[i] + g->first[k + 1] - g->first[k];
        }
    }
    for (slong p = 0; p < g->vars; p++)
        for (int r = 0; r < recordings; r++)
            v->variable[r][p] = r == 0 || changed[g->unknown[p]]
                                    ? v->vars++
                                    : v->variable[0][p];
}

void darc_vectors_clear(darc_vectors_t v)
{
    DARC_FREE(v->recording, v->equation, v->first, v->variable[0],
              v->variable[1]);
    *v = (darc_vectors_struct){.vectors = 0};
}

/* Set value to the entries at z. */
static darc_status run_programs(ulong *value, const darc_vectors_t v,
                                const ulong *z, nmod_t mod, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_blackbox_struct *g = v->g;
    ulong *x = darc_calloc((size_t)g->vars + 1, sizeof *x);
    ulong *all = darc_calloc((size_t)g->first[g->io->count] + 1, sizeof *all);
    for (int i = 0; i < v->vectors && status == DARC_OK; i++) {
        slong n = v->first[i + 1] - v->first[i];
        if (i == 0 || v->recording[i] != v->recording[i - 1]) {
            for (slong p = 0; p < g->vars; p++)
                x[p] = z[v->variable[v->recording[i]][p]];
            status = darc_blackbox_at(all, v->g, x, mod, err);
        }
        memcpy(value + v->first[i], all + g->first[v->equation[i]],
               (size_t)n * sizeof *value);
    }
    DARC_FREE(x, all);
    return status;
}

darc_status darc_vectors_sample(ulong *value, const darc_vectors_t v,
                                nmod_t mod, flint_rand_t state, darc_err *err)
{
    darc_status status = v->c == NULL ? DARC_DOMAIN : DARC_OK;
    ulong *z = darc_calloc((size_t)v->vars + 1, sizeof *z);
    for (int i = 0; i < DARC_DRAWS && status == DARC_DOMAIN; i++) {
        darc_err why = {DARC_OK, ""};
        darc_finite_random_point(z, v->vars, mod, state);
        status = run_programs(value, v, z, mod, &why);
        if (status != DARC_OK && (status != DARC_DOMAIN || i + 1 == DARC_DRAWS))
            darc_fail_as(err, status, &why);
    }
    if (v->c != NULL)
        darc_finite_random_point(z, v->vars, mod, state);
    for (slong j = 0; v->c != NULL && j < v->first[v->vectors]; j++)
        value[j] = darc_finite_eval(v->c->b + j, z, mod, v->c->ctx);
    darc_free(z);
    return status;
}
