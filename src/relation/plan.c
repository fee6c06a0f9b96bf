#include "relation/plan.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* What a modular image of the rows is made from, for one recording. */
typedef struct {
    slong count, length; /* parts, derivatives of each */
    ulong *value;        /* value[j * length + k]: part j, derivative k */
} image;

/* Multiply the vectors of A and B so that their first entries agree. */
static void share_first_entry(darc_coeffs_t c)
{
    assert(c->vectors == 2);
    fmpz_mpoly_t f[2];
    for (int i = 0; i < 2; i++) {
        fmpz_mpoly_init(f[i], c->ctx);
        fmpz_mpoly_set(f[i], c->b + c->first[i], c->ctx);
    }
    for (int i = 0; i < 2; i++)
        for (slong j = c->first[i]; j < c->first[i + 1]; j++)
            fmpz_mpoly_mul(c->b + j, c->b + j, f[1 - i], c->ctx);
    DARC_ALL_OF_IN(fmpz_mpoly_clear, c->ctx, f, 2);
}

/* Set c to one vector: the entries index[0 .. n-1] of those of `from`. */
static void take_columns(darc_coeffs_t c, const darc_coeffs_t from,
                         const slong *index, slong n)
{
    memset(c, 0, sizeof *c);
    size_t vars = (size_t)from->vars;
    c->vars = from->vars;
    DARC_CALLOC(vars, c->name, c->unknown, c->copy);
    for (slong v = 0; v < from->vars; v++) {
        c->name[v] = darc_strdup(from->name[v]);
        c->unknown[v] = from->unknown[v];
        c->copy[v] = from->copy[v];
    }
    fmpz_mpoly_ctx_init(c->ctx, c->vars > 0 ? c->vars : 1, ORD_DEGREVLEX);
    c->vectors = 1;
    DARC_CALLOC(1, c->recording, c->equation);
    c->first = darc_calloc(2, sizeof *c->first);
    c->first[1] = n;
    c->b = darc_calloc((size_t)n, sizeof *c->b);
    for (slong i = 0; i < n; i++) {
        fmpz_mpoly_init(c->b + i, c->ctx);
        fmpz_mpoly_set(c->b + i, from->b + index[i], c->ctx);
    }
}

/* Set columns, q and scale from the vectors. */
static void set_columns(darc_plan_t p, flint_rand_t state)
{
    slong rows = p->vec->first[p->vec->vectors];
    slong *basis = darc_calloc((size_t)rows, sizeof *basis);
    p->n = darc_coeffs_basis(basis, p->q, p->vec->b, rows, p->vec->ctx);
    take_columns(p->col, p->vec, basis, p->n);
    p->dimension = darc_coeffs_dimension(p->col, state);
    p->scale = _fmpz_vec_init(p->n);
    for (slong i = 0; i < p->n; i++) {
        fmpz_one(p->scale + i);
        for (slong k = 0; k < rows; k++)
            fmpz_lcm(p->scale + i, p->scale + i,
                     fmpq_mat_entry_den(p->q, k, i));
        for (slong k = 0; k < rows; k++)
            fmpq_mul_fmpz(fmpq_mat_entry(p->q, k, i),
                          fmpq_mat_entry(p->q, k, i), p->scale + i);
    }
    darc_free(basis);
}

static void clear_columns(darc_plan_t p)
{
    fmpq_mat_clear(p->q);
    _fmpz_vec_clear(p->scale, p->n);
    darc_coeffs_clear(p->col);
}

/* Set out to row (vector i, derivative k) of the matrix. */
static void image_row(ulong *out, const darc_plan_t p, int i, slong k,
                      const image *im, nmod_t mod)
{
    DARC_FILL(out, p->n, 0);
    for (slong j = 0; j < im->count; j++) {
        ulong d = im->value[j * im->length + k];
        for (slong c = 0; c < p->n; c++) {
            const fmpq *q = fmpq_mat_entry(p->q, p->vec->first[i] + j, c);
            if (fmpq_is_zero(q))
                continue;
            ulong f = fmpz_fdiv_ui(fmpq_numref(q), mod.n);
            out[c] = nmod_add(out[c], nmod_mul(f, d, mod), mod);
        }
    }
}

darc_status darc_plan_solve(darc_solution_struct *s, const darc_plan_t p,
                            slong length, ulong prime, flint_rand_t state,
                            darc_err *err)
{
    nmod_t mod;
    nmod_init(&mod, prime);
    slong names = p->io->jet->names->count;
    ulong *param = darc_calloc((size_t)names, sizeof *param);
    darc_finite_random_point(param, names, mod, state);
    darc_status status = DARC_OK;
    int i = 0;
    for (; i < p->vec->vectors && status == DARC_OK; i++) {
        for (slong u = 0; u < names && i > 0; u++)
            if (p->changed != NULL && p->changed[u])
                darc_finite_random_point(param + u, 1, mod, state);
        darc_solution_init(s + i, p->io->jet->names, length, prime, param,
                           state);
        status = darc_ioeqs_solve(s + i, p->io, state, err);
    }
    while (status != DARC_OK && i > 0) /* clearing twice does no harm */
        darc_solution_clear(s + --i);
    darc_free(param);
    return status;
}

/* Set the images of the recordings on solutions, or on arbitrary signals; the
 * first one's value is owned, with that of the second. */
static darc_status images(image *im, nmod_t *mod, const darc_plan_t p,
                          bool solve, flint_rand_t state, darc_err *err)
{
    darc_solution_struct s[2];
    const darc_dpolys_struct *part = p->io->eq[p->equation].part;
    ulong prime = darc_finite_random_prime(state);
    nmod_init(mod, prime);
    int order = darc_ioeq_order(p->io->eq + p->equation, p->io->jet);
    slong length = p->n + 1 + order, size = part->count * p->n;
    ulong *value = darc_calloc((size_t)(2 * size), sizeof *value);
    im[0] = (image){part->count, p->n, value};
    im[1] = (image){part->count, p->n, value + size};
    if (solve)
        DARC_NEED(darc_plan_solve(s, p, length, prime, state, err));
    for (int i = 0; i < p->vec->vectors; i++) {
        if (!solve)
            darc_solution_init(s + i, p->io->jet->names, length, prime, NULL,
                               state);
        for (slong j = 0; j < part->count; j++)
            darc_solution_derivatives(im[i].value + j * p->n, p->n, part->p + j,
                                      p->io->jet, s + i);
        darc_solution_clear(s + i);
    }
    return DARC_OK;
}

/* Row number t of the sequence A, B, A', B', ... (or A, A', ...). */
static void put_sequence_row(nmod_mat_t m, slong at, const darc_plan_t p,
                             slong t, const image *im)
{
    int v = p->vec->vectors, i = (int)(t % v);
    image_row(nmod_mat_entry_ptr(m, at, 0), p, i, t / v, im + i, m->mod);
}

static void note_row(darc_plan_t p, slong at, slong t)
{
    int v = p->vec->vectors;
    p->row_recording[at] = p->first + (int)(t % v);
    p->row_order[at] = (int)(t / v);
}

/* Choose n - 1 rows, lowest derivatives first, that determine the column
 * vector on solutions; return how many were found.  taken[t]: row t is. */
static slong choose_rows(darc_plan_t p, bool *taken, const image *im,
                         nmod_t mod)
{
    slong found = 0;
    nmod_mat_t m;
    nmod_mat_init(m, p->n, p->n, mod.n);
    for (slong t = 0; t < p->n * p->vec->vectors && found < p->n - 1; t++) {
        put_sequence_row(m, found, p, t, im);
        if (nmod_mat_rank(m) == found + 1) {
            note_row(p, found++, t);
            taken[t] = true;
        } else {
            _nmod_vec_zero(nmod_mat_entry_ptr(m, found, 0), p->n);
        }
    }
    nmod_mat_clear(m);
    return found;
}

/* Choose the row that closes the determinant: the lowest that does not make
 * it vanish for arbitrary signals. */
static void choose_last(darc_plan_t p, const bool *taken, const image *im,
                        nmod_t mod)
{
    nmod_mat_t m;
    nmod_mat_init(m, p->n, p->n, mod.n);
    slong at = 0, total = p->n * p->vec->vectors;
    for (slong t = 0; t < total; t++)
        if (taken[t])
            put_sequence_row(m, at++, p, t, im);
    assert(at == p->n - 1);
    p->closes = false;
    for (slong t = 0; t < total && !p->closes; t++) {
        if (taken[t])
            continue;
        put_sequence_row(m, p->n - 1, p, t, im);
        p->closes = nmod_mat_rank(m) == p->n;
        if (p->closes)
            note_row(p, p->n - 1, t);
    }
    nmod_mat_clear(m);
}

/* Choose all rows; *found says how many of the n - 1 exist. */
static darc_status set_rows(darc_plan_t p, slong *found, flint_rand_t state,
                            darc_err *err)
{
    darc_status status;
    image im[2];
    nmod_t mod;
    size_t n = (size_t)p->n;
    bool *taken = darc_calloc(2 * n, sizeof *taken);
    DARC_FREE(p->row_recording, p->row_order);
    DARC_CALLOC(n, p->row_recording, p->row_order);
    DARC_TRY(images(im, &mod, p, true, state, err));
    *found = choose_rows(p, taken, im, mod);
    if (*found == p->n - 1) {
        darc_free(im->value);
        DARC_TRY(images(im, &mod, p, false, state, err));
        choose_last(p, taken, im, mod);
    }
done:
    DARC_FREE(im->value, taken);
    return status;
}

/* Keep the columns keep[0 .. n-1] alone. */
static void keep_columns(darc_plan_t p, const slong *keep, slong n)
{
    darc_coeffs_t col;
    fmpq_mat_t q;
    fmpz *scale = _fmpz_vec_init(n);
    take_columns(col, p->col, keep, n);
    fmpq_mat_init(q, p->q->r, n);
    for (slong c = 0; c < n; c++) {
        fmpz_set(scale + c, p->scale + keep[c]);
        for (slong k = 0; k < q->r; k++)
            fmpq_set(fmpq_mat_entry(q, k, c), fmpq_mat_entry(p->q, k, keep[c]));
    }
    clear_columns(p);
    p->col[0] = col[0];
    p->q[0] = q[0];
    p->scale = scale;
    p->n = n;
}

/* The parts obey more linear relations with constant coefficients than the
 * io-equation (another equation says that a signal is constant, say): so
 * only `found` rows are independent.  Keep as many columns in which they are
 * so, and one more, which depends on them along every solution. */
static darc_status drop_columns(darc_plan_t p, slong found, flint_rand_t state,
                                darc_err *err)
{
    darc_status status;
    image im[2];
    nmod_t mod;
    DARC_TRY(images(im, &mod, p, true, state, err));
    nmod_mat_t m;
    nmod_mat_init(m, found, p->n, mod.n);
    for (slong i = 0; i < found; i++) {
        int r = p->row_recording[i] - p->first;
        image_row(nmod_mat_entry_ptr(m, i, 0), p, r, p->row_order[i], im + r,
                  mod);
    }
    slong rank = nmod_mat_rref(m), n = 0, row = 0;
    slong *keep = darc_calloc((size_t)p->n, sizeof *keep);
    bool extra = false;
    for (slong c = 0; c < p->n; c++) {
        bool pivot = row < rank && nmod_mat_entry(m, row, c) != 0;
        row += pivot;
        if (pivot || !extra)
            keep[n++] = c;
        extra = extra || !pivot;
    }
    nmod_mat_clear(m);
    keep_columns(p, keep, n);
    darc_free(keep);
    p->reduced = true;
done:
    darc_free(im->value);
    return status;
}

darc_status darc_plan_init(darc_plan_t p, const darc_budget *budget,
                           darc_err *err)
{
    const darc_ioeqs_struct *io = p->io;
    const darc_ioeq *eq = io->eq + p->equation;
    const char *name = io->jet->names->symbol[eq->leader.unknown].name;
    if (!eq->expanded)
        return darc_fail(err, DARC_DOMAIN,
                         "the coefficients of the io-equation of '%s' are not "
                         "known as polynomials",
                         name);
    darc_coeffs_init(p->vec, io, p->equation, p->changed);
    flint_rand_t state;
    flint_randinit(state);
    set_columns(p, state);
    slong found;
    darc_status status;
    DARC_TRY(darc_budget_check(budget, err));
    DARC_TRY(set_rows(p, &found, state, err));
    if (found < p->n - 1 && p->first < p->last) {
        clear_columns(p);
        share_first_entry(p->vec);
        set_columns(p, state);
        DARC_TRY(set_rows(p, &found, state, err));
    }
    if (found < p->n - 1) {
        DARC_TRY(drop_columns(p, found, state, err));
        DARC_TRY(set_rows(p, &found, state, err));
    }
    if (found < p->n - 1 || (p->reduced && !p->closes))
        status =
            darc_fail(err, DARC_DOMAIN,
                      "the io-equation of '%s' does not determine its %ld "
                      "coefficients: its derivatives give only %ld conditions",
                      name, (long)p->n, (long)found);
    p->determinant = p->reduced || p->dimension == p->n - 1;
done:
    flint_randclear(state);
    if (status != DARC_OK)
        darc_plan_clear(p);
    return status;
}

void darc_plan_clear(darc_plan_t p)
{
    if (p->io == NULL)
        return;
    clear_columns(p);
    darc_coeffs_clear(p->vec);
    DARC_FREE(p->row_recording, p->row_order);
    memset(p, 0, sizeof *p);
}

ulong darc_relation_value(const darc_dpoly_t f, const darc_relation *r,
                          int first, const darc_solution_struct *s)
{
    const darc_jet_struct *jet = r->jet;
    ulong *x = darc_calloc((size_t)jet->vars, sizeof *x);
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v];
        const darc_solution_struct *p = s + r->recording[d.unknown] - first;
        if (d.order < p->stride)
            x[v] = p->value[r->unknown[d.unknown] * p->stride + d.order];
    }
    ulong value = darc_finite_eval(f, x, s->mod, jet->ctx);
    darc_free(x);
    return value;
}
