#include "projection/point.h"

#include "base/mem.h"
#include "modular/flat.h"
#include "projection/thresholds.h"

#include <assert.h>
#include <string.h>

/* The right-hand sides with the parameters put in, while series grow. */
typedef struct {
    const darc_solved_struct *s;
    darc_point_struct *pt;
    darc_flat *num, *den; /* states + outputs */
    ulong *f;             /* series of num / den of one equation, by rows */
    ulong *den_all;       /* series of den, by rows */
    ulong *scratch;
} solver;

static slong state_var(const darc_solved_t s, int i)
{
    return darc_jet_var(s->jet, s->state[i]);
}

static void random_series(ulong *a, slong n, nmod_t mod, flint_rand_t rand)
{
    for (slong i = 0; i < n; i++)
        a[i] = 1 + n_randint(rand, mod.n - 1);
}

/* Give parameters (unless param gives them), time and inputs random values;
 * make room for the rest. */
static void draw_point(darc_point_t pt, const darc_solved_t s,
                       const ulong *param, flint_rand_t rand)
{
    slong n = pt->length;
    for (int u = 0; u < pt->unknowns; u++) {
        darc_kind kind = s->jet->names->symbol[u].kind;
        slong extra = s->jet->bound[u];
        pt->series[u] = darc_calloc((size_t)(n + extra), sizeof(ulong));
        if (kind == DARC_INPUT)
            random_series(pt->series[u], n + extra, pt->mod, rand);
        else
            random_series(pt->series[u], 1, pt->mod, rand);
        if (kind == DARC_PARAMETER && param != NULL)
            pt->series[u][0] = param[u];
        if (kind == DARC_TIME && n > 1)
            pt->series[u][1] = 1;
    }
    for (slong v = 0; v < pt->vars; v++) {
        darc_deriv d = s->jet->deriv[v];
        pt->variable[v] = darc_calloc((size_t)n, sizeof(ulong));
        for (slong i = 0; i < n; i++) { /* the derivative of that order */
            ulong c = pt->series[d.unknown][i + d.order];
            for (slong j = 1; j <= d.order; j++)
                c = nmod_mul(c, (ulong)(i + j), pt->mod);
            pt->variable[v][i] = c;
        }
    }
    for (int i = 0; i < s->states; i++)
        random_series(pt->variable[state_var(s, i)], 1, pt->mod, rand);
}

/* Let states that have a value start there; return whether they can. */
static bool set_starts(darc_point_t pt, const darc_solved_t s)
{
    bool finite = true;
    ulong *x = darc_calloc((size_t)pt->vars, sizeof *x);
    for (slong v = 0; v < pt->vars; v++)
        x[v] = pt->variable[v][0];
    for (int i = 0; i < s->states && s->start != NULL; i++) {
        slong j = s->states + s->start[i];
        if (s->start[i] < 0)
            continue;
        ulong d = darc_finite_eval(s->den->p + j, x, pt->mod, s->jet->ctx);
        finite = finite && d != 0;
        if (finite)
            pt->variable[state_var(s, i)][0] = nmod_div(
                darc_finite_eval(s->num->p + j, x, pt->mod, s->jet->ctx), d,
                pt->mod);
    }
    darc_free(x);
    return finite;
}

static void solver_init(solver *w, darc_point_t pt, const darc_solved_t s)
{
    size_t m = (size_t)(s->states + s->outputs), n = (size_t)pt->length;
    *w = (solver){.s = s, .pt = pt};
    w->num = darc_calloc(2 * m, sizeof *w->num);
    w->den = w->num + m;
    for (size_t i = 0; i < m; i++) {
        darc_flat_set(&w->num[i], s->num->p + i, s->jet, pt->series, pt->mod);
        darc_flat_set(&w->den[i], s->den->p + i, s->jet, pt->series, pt->mod);
    }
    DARC_CALLOC(m * n, w->f, w->den_all);
    w->scratch = darc_calloc(2 * n, sizeof *w->scratch);
}

/* Set coefficient k of equation i's right-hand side; false when its denominator
 * vanishes at the point. */
static bool solver_coeff(solver *w, slong i, slong k)
{
    nmod_t mod = w->pt->mod;
    ulong *f = w->f + i * w->pt->length, *den = w->den_all + i * w->pt->length;
    ulong *const *x = w->pt->variable;
    darc_flat_series(f, k, k + 1, &w->num[i], x, w->scratch);
    darc_flat_series(den, k, k + 1, &w->den[i], x, w->scratch);
    if (den[0] == 0)
        return false;
    for (slong j = 0; j < k; j++)
        f[k] = nmod_sub(f[k], nmod_mul(f[j], den[k - j], mod), mod);
    f[k] = den[0] == 1 ? f[k] : nmod_div(f[k], den[0], mod);
    return true;
}

static bool solver_run(solver *w)
{
    const darc_solved_struct *s = w->s;
    nmod_t mod = w->pt->mod;
    for (slong k = 0; k < w->pt->length; k++) {
        for (slong i = 0; i < s->states + s->outputs; i++)
            if (!solver_coeff(w, i, k))
                return false;
        for (int i = 0; i < s->states && k + 1 < w->pt->length; i++)
            w->pt->variable[state_var(s, i)][k + 1] =
                nmod_div(w->f[i * w->pt->length + k], (ulong)k + 1, mod);
    }
    size_t bytes = (size_t)w->pt->length * sizeof(ulong);
    for (int i = 0; i < s->states; i++)
        if (s->state[i].order == 0)
            memcpy(w->pt->series[s->state[i].unknown],
                   w->pt->variable[state_var(s, i)], bytes);
    for (int j = 0; j < s->outputs; j++)
        memcpy(w->pt->series[s->output[j]],
               w->f + (s->states + j) * w->pt->length, bytes);
    return true;
}

void darc_point_clear(darc_point_t pt)
{
    DARC_FREE_EACH(pt->series, pt->unknowns);
    DARC_FREE_EACH(pt->variable, pt->vars);
    DARC_FREE(pt->series, pt->variable);
}

/* No denominator is a zero polynomial, so a few draws are enough. */
void darc_point_init(darc_point_t pt, const darc_solved_t s, slong length,
                     ulong p, flint_rand_t rand)
{
    while (!darc_point_init_at(pt, s, length, p, NULL, rand))
        continue;
}

bool darc_point_init_at(darc_point_t pt, const darc_solved_t s, slong length,
                        ulong p, const ulong *param, flint_rand_t rand)
{
    assert(length > 0);
    for (int i = 0; i < DARC_POINT_TRIALS; i++) {
        solver w;
        nmod_init(&pt->mod, p);
        pt->length = length;
        pt->unknowns = s->jet->names->count;
        pt->vars = s->jet->vars;
        pt->series = darc_calloc((size_t)pt->unknowns, sizeof *pt->series);
        pt->variable = darc_calloc((size_t)pt->vars, sizeof *pt->variable);
        draw_point(pt, s, param, rand);
        bool regular = set_starts(pt, s);
        solver_init(&w, pt, s);
        regular = regular && solver_run(&w);
        DARC_ALL(darc_flat_clear, w.num, 2 * (s->states + s->outputs));
        DARC_FREE(w.num, w.f, w.den_all, w.scratch);
        if (regular)
            return true;
        darc_point_clear(pt);
    }
    return false;
}

ulong darc_point_value(const darc_point_t pt, darc_deriv d)
{
    assert(d.unknown < pt->unknowns && d.order < pt->length);
    ulong c = pt->series[d.unknown][d.order];
    for (int j = 2; j <= d.order; j++)
        c = nmod_mul(c, (ulong)j, pt->mod);
    return c;
}

ulong darc_point_eval(const darc_point_t pt, const darc_dpoly_t f,
                      const darc_jet_t jet)
{
    size_t n = (size_t)jet->vars;
    ulong *value = darc_calloc(n, sizeof *value);
    int *used = darc_calloc(n, sizeof *used);
    darc_dpoly_used(used, f, jet);
    for (size_t v = 0; v < n; v++)
        value[v] = used[v] ? darc_point_value(pt, jet->deriv[v]) : 0;
    ulong sum = darc_finite_eval(f, value, pt->mod, jet->ctx);
    DARC_FREE(value, used);
    return sum;
}
