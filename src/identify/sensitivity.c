#include "identify/sensitivity.h"

#include "base/mem.h"
#include "modular/flat.h"
#include "project/point.h"

#include <assert.h>
#include <string.h>

/* The series of one derivative of a right-hand side. */
typedef struct {
    slong row;    /* equation: a state or, behind those, an output */
    slong column; /* state, or states + parameter */
    ulong *series;
} entry;

/* One experiment. */
typedef struct {
    const darc_solved_struct *s;
    darc_point_struct *pt;
    slong length, columns; /* columns = states + params */
    slong *variable;       /* of the frame, of column c */
    darc_powers powers;
    ulong *scratch; /* two series */
    slong count;
    size_t alloc;
    entry *entry;
    ulong *phi; /* phi[(k * states + i) * columns + c]: coefficient k of
                   the derivative of state i by column c */
} experiment;

/* ---- series ------------------------------------------------------------- */

/* Add to out the values of f on the series, whose powers are known. */
static void add_values(ulong *out, const darc_flat *f, experiment *x)
{
    nmod_t mod = x->pt->mod;
    slong n = x->length;
    for (slong t = 0; t < f->terms; t++) {
        ulong *a = x->scratch, *b = x->scratch + n;
        _nmod_vec_zero(a, n);
        a[0] = f->coeff[t];
        for (slong i = f->first[t]; i < f->first[t + 1]; i++) {
            const ulong *power = x->powers.power[f->var[i]][f->exp[i]];
            if (i == f->first[t]) {
                _nmod_vec_scalar_mul_nmod(a, power, n, a[0], mod);
                continue;
            }
            _nmod_poly_mullow(b, a, n, power, n, n, mod);
            ulong *swap = a;
            a = b;
            b = swap;
        }
        _nmod_vec_add(out, out, a, n, mod);
    }
}

/* Set out to the values of p, a polynomial in the frame of the model. */
static void values(ulong *out, const darc_dpoly_t p, experiment *x)
{
    darc_flat f;
    darc_flat_set(&f, p, x->s->jet, x->pt->series, x->pt->mod);
    _nmod_vec_zero(out, x->length);
    add_values(out, &f, x);
    darc_flat_clear(&f);
}

/* Set a to the derivative of f = num/den of equation i by variable v, (num_v
 * - f den_v)/den; return whether it is not zero identically. */
static bool derivative(ulong *a, slong i, slong v, const ulong *f,
                       const ulong *den, experiment *x)
{
    const darc_jet_struct *jet = x->s->jet;
    nmod_t mod = x->pt->mod;
    slong n = x->length;
    darc_dpoly_t p, q;
    darc_dpoly_init(p, jet);
    darc_dpoly_init(q, jet);
    fmpz_mpoly_derivative(p, x->s->num->p + i, v, jet->ctx);
    fmpz_mpoly_derivative(q, x->s->den->p + i, v, jet->ctx);
    bool any = p->length > 0 || q->length > 0;
    if (any) {
        ulong *b = darc_calloc(2 * (size_t)n, sizeof *b), *c = b + n;
        values(b, q, x);
        _nmod_poly_mullow(c, f, n, b, n, n, mod);
        values(b, p, x);
        _nmod_vec_sub(c, b, c, n, mod);
        _nmod_poly_div_series(a, c, n, den, n, n, mod);
        darc_free(b);
    }
    darc_dpoly_clear(p, jet);
    darc_dpoly_clear(q, jet);
    return any;
}

/* Collect the derivatives of equation i. */
static void linearize(slong i, experiment *x)
{
    size_t n = (size_t)x->length;
    ulong *den = darc_calloc(3 * n, sizeof *den), *f = den + n, *b = f + n;
    values(den, x->s->den->p + i, x);
    values(b, x->s->num->p + i, x);
    _nmod_poly_div_series(f, b, x->length, den, x->length, x->length,
                          x->pt->mod);
    for (slong c = 0; c < x->columns; c++) {
        ulong *a = darc_calloc(n, sizeof *a);
        if (!derivative(a, i, x->variable[c], f, den, x)) {
            darc_free(a);
            continue;
        }
        x->entry =
            darc_grow(x->entry, (size_t)x->count, &x->alloc, sizeof *x->entry);
        x->entry[x->count++] = (entry){i, c, a};
    }
    darc_free(den);
}

/* Add to `to` coefficient k of an entry times phi (or times 1 where the
 * column is a parameter). */
static void add_product(ulong *to, const entry *e, slong k, ulong factor,
                        const experiment *x)
{
    nmod_t mod = x->pt->mod;
    slong states = x->s->states;
    if (e->column >= states) {
        ulong c = nmod_mul(e->series[k], factor, mod);
        to[e->column] = nmod_add(to[e->column], c, mod);
        return;
    }
    for (slong l = 0; l <= k; l++) {
        ulong c = nmod_mul(e->series[l], factor, mod);
        const ulong *from =
            x->phi + ((k - l) * states + e->column) * x->columns;
        if (c != 0)
            _nmod_vec_scalar_addmul_nmod(to, from, x->columns, c, mod);
    }
}

/* Solve phi' = J phi + B, phi(0) = (1, 0). */
static void propagate(experiment *x)
{
    slong states = x->s->states, size = states * x->columns;
    x->phi = darc_calloc((size_t)(x->length * size) + 1, sizeof *x->phi);
    for (slong i = 0; i < states; i++)
        x->phi[i * x->columns + i] = 1;
    for (slong k = 0; k + 1 < x->length; k++) {
        ulong inverse = nmod_inv((ulong)k + 1, x->pt->mod);
        ulong *next = x->phi + (k + 1) * size;
        for (slong e = 0; e < x->count; e++)
            if (x->entry[e].row < states)
                add_product(next + x->entry[e].row * x->columns, x->entry + e,
                            k, inverse, x);
    }
}

/* ---- one experiment ----------------------------------------------------- */

static void experiment_init(experiment *x, const darc_solved_t s,
                            darc_point_struct *pt, const slong *variable,
                            slong columns)
{
    *x = (experiment){.s = s, .pt = pt, .length = pt->length};
    x->columns = columns;
    x->variable = darc_calloc((size_t)columns + 1, sizeof *x->variable);
    memcpy(x->variable, variable, (size_t)columns * sizeof *variable);
    slong n = s->states + s->outputs;
    darc_flat *f = darc_calloc(2 * (size_t)n, sizeof *f);
    for (slong i = 0; i < n; i++) {
        darc_flat_set(f + 2 * i, s->num->p + i, s->jet, pt->series, pt->mod);
        darc_flat_set(f + 2 * i + 1, s->den->p + i, s->jet, pt->series,
                      pt->mod);
    }
    darc_powers_init(&x->powers, pt->vars, pt->length, f, 2 * n, pt->variable);
    for (slong k = 0; k < pt->length; k++)
        darc_powers_extend(&x->powers, k, pt->mod);
    for (slong i = 0; i < 2 * n; i++)
        darc_flat_clear(f + i);
    darc_free(f);
    x->scratch = darc_calloc(2 * (size_t)pt->length, sizeof *x->scratch);
}

static void experiment_clear(experiment *x)
{
    for (slong e = 0; e < x->count; e++)
        darc_free(x->entry[e].series);
    darc_free(x->entry);
    darc_free(x->phi);
    darc_free(x->scratch);
    darc_free(x->variable);
    darc_powers_clear(&x->powers);
}

/* Set m to the derivatives of all coefficients of all outputs. */
static void output_rows(nmod_mat_t m, const experiment *x)
{
    slong states = x->s->states;
    for (slong e = 0; e < x->count; e++) {
        slong j = x->entry[e].row - states;
        for (slong k = 0; k < x->length && j >= 0; k++)
            add_product(nmod_mat_entry_ptr(m, j * x->length + k, 0),
                        x->entry + e, k, 1, x);
    }
}

/* ---- many --------------------------------------------------------------- */

typedef struct {
    darc_information_struct *f;
    const darc_solved_struct *s;
    const ulong *param;
    ulong prime;
    slong *variable; /* of states, then parameters */
    slong length;
} job;

/* Put the rows of m, behind the columns of the states, below those of f and
 * bring them to echelon form; return whether the rank grew. */
static bool take_rows(darc_information_t f, const nmod_mat_t m, slong from,
                      slong to, slong states)
{
    nmod_mat_t all;
    nmod_mat_init(all, f->rank + to - from, f->params, m->mod.n);
    for (slong i = 0; i < f->rank; i++)
        _nmod_vec_set(nmod_mat_entry_ptr(all, i, 0),
                      nmod_mat_entry_ptr(f->rows, i, 0), f->params);
    for (slong i = from; i < to; i++)
        _nmod_vec_set(nmod_mat_entry_ptr(all, f->rank + i - from, 0),
                      nmod_mat_entry_ptr(m, i, 0) + states, f->params);
    slong rank = nmod_mat_rref(all), before = f->rank;
    for (slong i = 0; i < rank; i++) {
        _nmod_vec_set(nmod_mat_entry_ptr(f->rows, i, 0),
                      nmod_mat_entry_ptr(all, i, 0), f->params);
        slong c = 0;
        while (nmod_mat_entry(all, i, c) == 0)
            c++;
        f->pivot[i] = c;
    }
    f->rank = rank;
    nmod_mat_clear(all);
    return rank > before;
}

/* Make one more experiment; *grew: it said something new. */
static darc_status add_experiment(job *w, bool *grew, flint_rand_t rand,
                                  darc_err *err)
{
    const darc_solved_struct *s = w->s;
    slong columns = s->states + w->f->params;
    darc_point_t pt;
    if (!darc_point_init_at(pt, s, w->length, w->prime, w->param, rand))
        return darc_fail(err, DARC_DOMAIN,
                         "a denominator vanishes at these parameters");
    experiment x;
    experiment_init(&x, s, pt, w->variable, columns);
    for (slong i = 0; i < s->states + s->outputs; i++)
        linearize(i, &x);
    propagate(&x);
    nmod_mat_t m;
    nmod_mat_init(m, s->outputs * x.length, columns, w->prime);
    output_rows(m, &x);
    slong rank = nmod_mat_rref(m), from = 0;
    while (from < rank &&
           _nmod_vec_is_zero(nmod_mat_entry_ptr(m, from, 0), s->states) == 0)
        from++;
    *grew = take_rows(w->f, m, from, rank, s->states);
    nmod_mat_clear(m);
    experiment_clear(&x);
    darc_point_clear(pt);
    return DARC_OK;
}

/* List the parameters and the variables of all columns. */
static void list_columns(job *w)
{
    const darc_jet_struct *jet = w->s->jet;
    slong n = w->s->states;
    w->variable =
        darc_calloc((size_t)(n + jet->names->count) + 1, sizeof *w->variable);
    for (slong i = 0; i < n; i++)
        w->variable[i] = darc_jet_var(jet, w->s->state[i]);
    for (int u = 0; u < jet->names->count; u++)
        if (jet->names->symbol[u].kind == DARC_PARAMETER)
            w->variable[n + w->f->params++] =
                darc_jet_var(jet, (darc_deriv){u, 0});
}

darc_status darc_information_init(darc_information_t f, const darc_solved_t s,
                                  const ulong *param, ulong prime,
                                  flint_rand_t rand, const darc_budget *budget,
                                  darc_err *err)
{
    darc_status status = DARC_OK;
    int names = s->jet->names->count;
    memset(f, 0, sizeof *f);
    job w = {.f = f, .s = s, .prime = prime};
    ulong *x = darc_calloc((size_t)names + 1, sizeof *x);
    for (int u = 0; u < names; u++)
        x[u] = param != NULL ? param[u] : 1 + n_randint(rand, prime - 1);
    w.param = x;
    list_columns(&w);
    /* so many derivatives generate the field of all */
    w.length = s->states + f->params + 1;
    nmod_mat_init(f->rows, f->params, f->params, prime);
    f->pivot = darc_calloc((size_t)f->params + 1, sizeof *f->pivot);
    bool grew = true;
    while (grew && f->rank < f->params) {
        DARC_TRY(darc_budget_check(budget, err));
        DARC_TRY(add_experiment(&w, &grew, rand, err));
        f->experiments += grew;
    }
done:
    darc_free(x);
    darc_free(w.variable);
    if (status != DARC_OK)
        darc_information_clear(f);
    return status;
}

void darc_information_clear(darc_information_t f)
{
    if (f->pivot == NULL)
        return;
    nmod_mat_clear(f->rows);
    darc_free(f->pivot);
    memset(f, 0, sizeof *f);
}

bool darc_information_fixes(const darc_information_t f, slong v)
{
    for (slong i = 0; i < f->rank; i++) {
        if (f->pivot[i] != v)
            continue;
        for (slong c = v + 1; c < f->params; c++)
            if (nmod_mat_entry(f->rows, i, c) != 0)
                return false;
        return true;
    }
    return false;
}
