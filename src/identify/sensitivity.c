#include "identify/sensitivity.h"

#include "base/mem.h"
#include "identify/thresholds.h"
#include "model/model.h"

typedef struct {
    darc_information_struct *f;
    const darc_solved_struct *s;
    const darc_model *written;
    const ulong *param;
    ulong prime;
    slong *variable; /* of states, then parameters; owned */
    slong length;
    nmod_mat_t last;  /* all coefficients of measured outputs of the last
                         experiment, by all columns; then in echelon form */
    slong rank;       /* of these */
    nmod_mat_t asked; /* asked outputs at the start */
} varying;

/* Copy the first rows of m to those of `to` from `at` on, from column c on. */
static void copy_rows(nmod_mat_t to, slong at, slong c, const nmod_mat_t m,
                      slong rows)
{
    for (slong i = 0; i < rows; i++)
        _nmod_vec_set(nmod_mat_entry_ptr(to, at + i, c),
                      nmod_mat_entry_ptr(m, i, 0), m->c);
}

/* Put the n rows of m at m[from], from column c on, below those of f and bring
 * them to echelon form; return whether the rank grew. */
static bool take_rows(darc_information_t f, const nmod_mat_t m, slong from,
                      slong n, slong c)
{
    nmod_mat_t all, rows;
    slong before = f->rank;
    nmod_mat_init(all, before + n, f->params, m->mod.n);
    nmod_mat_window_init(rows, m, from, c, from + n, c + f->params);
    copy_rows(all, 0, 0, f->rows, before);
    copy_rows(all, before, 0, rows, n);
    f->rank = nmod_mat_rref(all);
    copy_rows(f->rows, 0, 0, all, f->rank);
    nmod_mat_window_clear(rows);
    nmod_mat_clear(all);
    return f->rank > before;
}

/* Let functions start at their values: what is by their columns becomes by
 * those of their arguments.  Return false where that is not possible. */
static bool bind_functions(const darc_variation *v, varying *w)
{
    slong states = w->s->states;
    nmod_mat_t c;
    nmod_mat_init(c, v->columns, v->columns, w->prime);
    bool known = darc_exact_columns(c, v, w->written);
    if (known) {
        nmod_mat_mul(w->last, w->last, c);
        nmod_mat_mul(w->asked, w->asked, c);
    }
    for (slong i = 0; i < w->f->params && known; i++)
        _nmod_vec_set(nmod_mat_entry_ptr(w->f->own, i, 0),
                      nmod_mat_entry_ptr(c, states + i, 0) + states,
                      w->f->params);
    nmod_mat_clear(c);
    return known;
}

/* Put what the initial value of state i changes by instead of its column. */
static void set_start(nmod_mat_t c, const darc_variation *v, slong i,
                      const varying *w)
{
    const darc_solved_struct *s = w->s;
    const fmpz_mpoly_ctx_struct *ctx = s->jet->ctx;
    slong j = s->states + s->start[i], vars = s->jet->vars;
    ulong *x = darc_calloc((size_t)(3 * vars), sizeof *x);
    ulong *by = x + vars, *below = by + vars;
    for (slong k = 0; k < vars; k++)
        x[k] = v->pt->variable[k][0];
    ulong n = darc_finite_gradient(by, s->num->p + j, x, c->mod, ctx);
    ulong d = darc_finite_gradient(below, s->den->p + j, x, c->mod, ctx);
    ulong square = nmod_mul(d, d, c->mod);
    for (slong k = s->states; k < v->columns; k++) {
        ulong a = nmod_mul(by[v->variable[k]], d, c->mod);
        ulong b = nmod_mul(below[v->variable[k]], n, c->mod);
        nmod_mat_entry(c, i, k) =
            nmod_div(nmod_sub(a, b, c->mod), square, c->mod);
    }
    darc_free(x);
}

/* Let states start where they are known to: no change of these is free. */
static void bind_starts(const darc_variation *v, varying *w)
{
    nmod_mat_t c;
    nmod_mat_init(c, v->columns, v->columns, w->prime);
    nmod_mat_one(c);
    for (int i = 0; i < w->s->states; i++) {
        if (w->s->start[i] != DARC_STARTS_ANYWHERE)
            nmod_mat_entry(c, i, i) = 0;
        if (w->s->start[i] >= 0)
            set_start(c, v, i, w);
    }
    nmod_mat_mul(w->last, w->last, c);
    nmod_mat_mul(w->asked, w->asked, c);
    nmod_mat_clear(c);
}

static bool differentiate(const darc_point_t pt, varying *w)
{
    darc_variation v;
    darc_variation_init(&v, w->s, pt, w->variable, w->last->c);
    DARC_EACH(nmod_mat_zero, w->last, w->asked);
    for (slong i = 0; i < w->last->r; i++)
        darc_variation_output(nmod_mat_entry_ptr(w->last, i, 0), &v,
                              w->s->asked + i / w->length, i % w->length);
    for (slong j = 0; j < w->s->asked; j++)
        darc_variation_output(nmod_mat_entry_ptr(w->asked, j, 0), &v, j, 0);
    bool known = true;
    /* Starts hold functions, and functions what starts. */
    for (int k = 0; k < 2 && known; k++) {
        if (w->s->start != NULL)
            bind_starts(&v, w);
        known = w->written == NULL || bind_functions(&v, w);
    }
    darc_variation_clear(&v);
    return known;
}

/* Make one more experiment; *grew: it said something new. */
static darc_status add_experiment(varying *w, bool *grew, flint_rand_t rand,
                                  darc_err *err)
{
    const darc_solved_struct *s = w->s;
    darc_status status = DARC_OK;
    darc_point_t pt;
    if (!darc_point_init_at(pt, s, w->length, w->prime, w->param, rand))
        return darc_fail(err, DARC_DOMAIN,
                         "a denominator vanishes at these parameters");
    if (differentiate(pt, w)) {
        slong rank = w->rank = nmod_mat_rref(w->last), from = 0;
        while (from < rank &&
               _nmod_vec_is_zero(nmod_mat_entry_ptr(w->last, from, 0),
                                 s->states) == 0)
            from++;
        *grew = take_rows(w->f, w->last, from, rank - from, s->states);
        w->f->behaviour = rank;
    } else {
        status = darc_fail(err, DARC_DOMAIN,
                           "a function is of unknowns that are eliminated");
    }
    darc_point_clear(pt);
    return status;
}

/* Whether the gradient of an asked output is in the span of those of the last
 * experiment and of all functions of the parameters. */
static void find_shown(bool *shown, varying *w)
{
    const darc_information_struct *f = w->f;
    nmod_mat_t all;
    nmod_mat_init(all, w->rank + f->rank + 1, w->last->c, w->prime);
    copy_rows(all, 0, 0, w->last, w->rank);
    copy_rows(all, w->rank, w->s->states, f->rows, f->rank);
    slong rank = nmod_mat_rank(all);
    for (int j = 0; j < w->s->asked; j++) {
        _nmod_vec_set(nmod_mat_entry_ptr(all, all->r - 1, 0),
                      nmod_mat_entry_ptr(w->asked, j, 0), all->c);
        shown[j] = nmod_mat_rank(all) == rank;
    }
    nmod_mat_clear(all);
}

/* List the parameters and the variables of all columns. */
static void list_columns(varying *w)
{
    const darc_jet_struct *jet = w->s->jet;
    slong n = w->s->states;
    DARC_CALLOC((size_t)(n + jet->names->count) + 1, w->variable);
    for (slong i = 0; i < n; i++)
        w->variable[i] = darc_jet_var(jet, w->s->state[i]);
    for (int u = 0; u < jet->names->count; u++)
        if (jet->names->symbol[u].kind == DARC_PARAMETER)
            w->variable[n + w->f->params++] =
                darc_jet_var(jet, (darc_deriv){u, 0});
}

/* Begin with the numbers among the parameters, which are known. */
static void take_numbers(varying *w)
{
    const darc_names_struct *names = w->s->jet->names;
    darc_information_struct *f = w->f;
    f->rank = 0;
    nmod_mat_zero(f->rows);
    for (int u = 0, v = 0; u < names->count; u++) {
        if (names->symbol[u].number)
            nmod_mat_entry(f->rows, f->rank++, v) = 1;
        v += names->symbol[u].kind == DARC_PARAMETER;
    }
}

/* Make experiments until one says nothing new. */
static darc_status add_experiments(varying *w, flint_rand_t rand,
                                   const darc_budget *budget, darc_err *err)
{
    darc_information_struct *f = w->f;
    bool grew = true;
    f->experiments = 0;
    take_numbers(w);
    while (grew && (f->rank < f->params || f->experiments == 0)) {
        DARC_NEED(darc_budget_check(budget, err));
        DARC_NEED(add_experiment(w, &grew, rand, err));
        f->experiments += grew;
    }
    return DARC_OK;
}

/* With initial values of some states: what shows is what series from there
 * show.  They show no more than they and F together. */
static darc_status find_between(varying *w, flint_rand_t rand,
                                const darc_budget *budget, darc_err *err)
{
    darc_information_struct *f = w->f;
    darc_solved_struct anywhere = *w->s;
    const darc_solved_struct *s = w->s;
    anywhere.start = NULL;
    w->s = &anywhere;
    nmod_mat_t rows;
    nmod_mat_init(rows, f->params, f->params, w->prime);
    darc_status status = add_experiments(w, rand, budget, err);
    slong rank = f->rank;
    copy_rows(rows, 0, 0, f->rows, rank);
    w->s = s;
    DARC_THEN(add_experiments(w, rand, budget, err));
    if (status == DARC_OK) {
        find_shown(f->shown, w);
        take_rows(f, rows, 0, rank, 0);
        find_shown(f->within, w);
    }
    nmod_mat_clear(rows);
    return status;
}

darc_status darc_information_init(darc_information_t f, const darc_solved_t s,
                                  const darc_model *written, flint_rand_t rand,
                                  const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    int names = s->jet->names->count;
    bool values = false;
    for (int i = 0; i < s->states && s->start != NULL; i++)
        values = values || s->start[i] >= 0;
    *f = (darc_information_struct){.params = 0};
    ulong prime = darc_finite_random_prime(rand);
    varying w = {.f = f, .s = s, .written = written, .prime = prime};
    ulong *x = darc_calloc((size_t)names + 1, sizeof *x);
    for (int u = 0; u < names; u++)
        x[u] = 1 + n_randint(rand, prime - 1);
    w.param = x;
    list_columns(&w);
    /* So many derivatives generate the field of all, from a generic start; at
     * a special one first derivatives may vanish, as of 1 + a*x^2 at 0. */
    w.length = s->states + f->params + 1 + (values ? DARC_STARTED_MORE : 0);
    if (s->shown > 0 && s->shown < w.length)
        w.length = s->shown;
    nmod_mat_init(f->rows, f->params, f->params, prime);
    nmod_mat_init(f->own, f->params, f->params, prime);
    nmod_mat_one(f->own);
    DARC_CALLOC((size_t)s->asked + 1, f->shown, f->within);
    slong columns = s->states + f->params;
    nmod_mat_init(w.last, (s->outputs - s->asked) * w.length, columns, prime);
    nmod_mat_init(w.asked, s->asked, columns, prime);
    if (values) {
        DARC_TRY(find_between(&w, rand, budget, err));
    } else {
        DARC_TRY(add_experiments(&w, rand, budget, err));
        DARC_EACH_IN(find_shown, &w, f->shown, f->within);
    }
done:
    DARC_EACH(nmod_mat_clear, w.last, w.asked);
    DARC_FREE(x, w.variable);
    if (status != DARC_OK)
        darc_information_clear(f);
    return status;
}

void darc_information_clear(darc_information_t f)
{
    if (f->shown == NULL)
        return;
    DARC_EACH(nmod_mat_clear, f->rows, f->own);
    DARC_FREE(f->shown, f->within, f->once);
    f->shown = NULL;
}

bool darc_information_fixes(const darc_information_t f, slong v)
{
    nmod_mat_t all;
    nmod_mat_init(all, f->rank + 1, f->params, f->rows->mod.n);
    copy_rows(all, 0, 0, f->rows, f->rank);
    _nmod_vec_set(nmod_mat_entry_ptr(all, f->rank, 0),
                  nmod_mat_entry_ptr(f->own, v, 0), f->params);
    bool fixed = nmod_mat_rank(all) == f->rank;
    nmod_mat_clear(all);
    return fixed;
}

darc_status darc_lost_find(darc_lost *lost, const darc_model *written,
                           const darc_budget *budget, darc_err *err)
{
    darc_solved_t s;
    darc_information_t free, bound;
    *lost = (darc_lost){false, false};
    if (darc_adjoined_are_exact(written))
        return DARC_OK;
    *lost = (darc_lost){true, true};
    if (darc_solved_init(s, written, NULL) != DARC_OK)
        return darc_budget_check(budget, err);
    flint_rand_t rand;
    flint_randinit(rand);
    darc_status status =
        darc_information_init(free, s, NULL, rand, budget, NULL);
    if (status == DARC_OK) {
        status = darc_information_init(bound, s, written, rand, budget, NULL);
        if (status == DARC_OK) {
            lost->structure = bound->behaviour < free->behaviour;
            lost->parameters = lost->structure || bound->rank > free->rank;
            darc_information_clear(bound);
        }
        darc_information_clear(free);
    }
    flint_randclear(rand);
    darc_solved_clear(s);
    return darc_budget_check(budget, err);
}
