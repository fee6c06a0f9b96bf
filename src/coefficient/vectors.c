#include "coefficient/vectors.h"

#include "base/mem.h"
#include "coefficient/thresholds.h"

#include <assert.h>
#include <string.h>

void darc_vectors_init_polynomials(darc_vectors_t v, const darc_coeffs_t c)
{
    memset(v, 0, sizeof *v);
    v->vectors = c->vectors;
    v->recording = c->recording;
    v->equation = c->equation;
    v->first = c->first;
    v->vars = c->vars;
    v->c = c;
}

/* Return the products of terms that the values at a point take. */
static double cost_of(const darc_blackbox_t g)
{
    double cost = g->route.work;
    for (slong k = 0; g->polynomials && k < g->first[g->io->count]; k++)
        cost += (double)(g->c->b[k].length * g->vars);
    double states = g->polynomials ? 0 : g->p->s->states;
    return cost + DARC_POINT_COST * states * states;
}

/* Set the layout: recordings times the equations from .. to - 1. */
static void set_layout(darc_vectors_t v, int recordings, int from, int to)
{
    size_t n = (size_t)(recordings * (to - from));
    v->own_recording = darc_calloc(n, sizeof *v->own_recording);
    v->own_equation = darc_calloc(n, sizeof *v->own_equation);
    v->own_first = darc_calloc(n + 1, sizeof *v->own_first);
    for (int r = 0; r < recordings; r++)
        for (int e = from; e < to; e++) {
            int i = v->vectors++;
            v->own_recording[i] = r;
            v->own_equation[i] = e;
            v->own_first[i + 1] =
                v->own_first[i] + v->g->first[e + 1] - v->g->first[e];
        }
    v->recording = v->own_recording;
    v->equation = v->own_equation;
    v->first = v->own_first;
}

void darc_vectors_init_blackbox(darc_vectors_t v, darc_blackbox_t g, int e,
                                const bool *changed)
{
    memset(v, 0, sizeof *v);
    int n = changed == NULL ? 1 : 2;
    v->g = g;
    set_layout(v, n, e < 0 ? 0 : e, e < 0 ? g->io->count : e + 1);
    for (int r = 0; r < n; r++)
        v->variable[r] = darc_calloc((size_t)g->vars + 1, sizeof(slong));
    for (slong p = 0; p < g->vars; p++)
        for (int r = 0; r < n; r++)
            v->variable[r][p] = r == 0 || changed[g->unknown[p]]
                                    ? v->vars++
                                    : v->variable[0][p];
    v->cost = n * cost_of(g);
}

void darc_vectors_clear(darc_vectors_t v)
{
    darc_free(v->own_recording);
    darc_free(v->own_equation);
    darc_free(v->own_first);
    darc_free(v->variable[0]);
    darc_free(v->variable[1]);
    memset(v, 0, sizeof *v);
}

/* Set x to the parameters of recording r at the point z of all variables. */
static void restrict_to(ulong *x, const darc_vectors_t v, int r, const ulong *z)
{
    for (slong p = 0; p < v->g->vars; p++)
        x[p] = z[v->variable[r][p]];
}

/* Set value to the entries at z. */
static darc_status run(ulong *value, const darc_vectors_t v, const ulong *z,
                       nmod_t mod, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_blackbox_struct *g = v->g;
    ulong *x = darc_calloc((size_t)g->vars + 1, sizeof *x);
    ulong *all = darc_calloc((size_t)g->first[g->io->count] + 1, sizeof *all);
    for (int i = 0; i < v->vectors && status == DARC_OK; i++) {
        slong n = v->first[i + 1] - v->first[i];
        if (i == 0 || v->recording[i] != v->recording[i - 1]) {
            restrict_to(x, v, v->recording[i], z);
            status = darc_blackbox_at(all, v->g, x, mod, err);
        }
        memcpy(value + v->first[i], all + g->first[v->equation[i]],
               (size_t)n * sizeof *value);
    }
    darc_free(x);
    darc_free(all);
    return status;
}

static darc_status sample_blackbox(ulong *value, const darc_vectors_t v,
                                   ulong *z, nmod_t mod, flint_rand_t state,
                                   darc_err *err)
{
    darc_status status = DARC_DOMAIN;
    for (int i = 0; i < DARC_DRAWS && status == DARC_DOMAIN; i++) {
        darc_err why;
        darc_err_init(&why);
        darc_finite_random_point(z, v->vars, mod, state);
        status = run(value, v, z, mod, &why);
        if (status != DARC_OK && (status != DARC_DOMAIN || i + 1 == DARC_DRAWS))
            darc_fail(err, status, "%s", why.message);
    }
    return status;
}

darc_status darc_vectors_sample(ulong *value, const darc_vectors_t v,
                                nmod_t mod, flint_rand_t state, darc_err *err)
{
    darc_status status = DARC_OK;
    ulong *z = darc_calloc((size_t)v->vars + 1, sizeof *z);
    if (v->c == NULL) {
        status = sample_blackbox(value, v, z, mod, state, err);
    } else {
        darc_finite_random_point(z, v->vars, mod, state);
        for (slong j = 0; j < v->first[v->vectors]; j++)
            value[j] = darc_finite_eval(v->c->b + j, z, mod, v->c->ctx);
    }
    darc_free(z);
    return status;
}
