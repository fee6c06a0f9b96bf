#include "exact_residual.h"

#include "base/mem.h"
#include "derive/differ.h"
#include "pointwise/residual_inside.h"
#include "tests.h"

#include <assert.h>
#include <math.h>
#include <mpfr.h>

/* ---- weights ------------------------------------------------------------- */

/* Set q to the double x, exactly. */
static void set_double(fmpq_t q, double x)
{
    int e;
    double mantissa = frexp(x, &e);
    fmpz_set_si(fmpq_numref(q), (slong)(mantissa * 0x1p53));
    fmpz_one(fmpq_denref(q));
    fmpq_canonicalise(q);
    if (e >= 53)
        fmpq_mul_2exp(q, q, (flint_bitcnt_t)(e - 53));
    else
        fmpq_div_2exp(q, q, (flint_bitcnt_t)(53 - e));
}

/* Points of the formula of derivative k around sample i. */
static void set_points(fmpq *x, const darc_differ *d, int half, size_t i)
{
    const darc_table *table = d->table;
    fmpq_t centre;
    fmpq_init(centre);
    if (table->dt > 0)
        set_double(centre, table->dt);
    else
        set_double(centre, table->time[i]);
    for (int j = 0; j <= 2 * half; j++) {
        if (table->dt > 0) {
            fmpq_set_si(x + j, j - half, 1);
            fmpq_mul(x + j, x + j, centre);
        } else {
            set_double(x + j, table->time[i - (size_t)half + (size_t)j]);
            fmpq_sub(x + j, x + j, centre);
        }
    }
    fmpq_clear(centre);
}

/* w = X (X^T X)^-1 k! e_k, X[j][m] = x_j^m: of all weights with the moments
 * of the derivative up to the degree, the least in the sum of squares. */
static void solve_moments(fmpq *w, const fmpq *x, int n, int degree, int k)
{
    fmpq_mat_t powers, transposed, gram, rhs, sum, weights;
    slong columns = degree + 1;
    fmpq_mat_init(powers, n, columns);
    fmpq_mat_init(transposed, columns, n);
    fmpq_mat_init(gram, columns, columns);
    fmpq_mat_init(rhs, columns, 1);
    fmpq_mat_init(sum, columns, 1);
    fmpq_mat_init(weights, n, 1);
    for (int j = 0; j < n; j++)
        for (slong m = 0; m < columns; m++)
            fmpq_pow_si(fmpq_mat_entry(powers, j, m), x + j, m);
    fmpz_fac_ui(fmpq_numref(fmpq_mat_entry(rhs, k, 0)), (ulong)k);
    fmpq_mat_transpose(transposed, powers);
    fmpq_mat_mul(gram, transposed, powers);
    int solved = fmpq_mat_solve(sum, gram, rhs);
    assert(solved);
    (void)solved;
    fmpq_mat_mul(weights, powers, sum);
    for (int j = 0; j < n; j++)
        fmpq_set(w + j, fmpq_mat_entry(weights, j, 0));
    fmpq_mat_clear(weights);
    fmpq_mat_clear(sum);
    fmpq_mat_clear(rhs);
    fmpq_mat_clear(gram);
    fmpq_mat_clear(transposed);
    fmpq_mat_clear(powers);
}

/* Set w to the weights of derivative k at sample i as exact rationals, of the
 * given spacing and times taken as they are; by moment equations. */
static void exact_weights(const darc_differ *differ, int k, size_t i, fmpq *w)
{
    int half = darc_differ_half(differ, k), n = 2 * half + 1;
    bool central = differ->spec.kind == DARC_DIFF_CENTRAL || k == 0;
    fmpq *x = darc_calloc((size_t)n, sizeof *x);
    for (int j = 0; j < n; j++)
        fmpq_init(x + j);
    set_points(x, differ, half, i);
    solve_moments(w, x, n, central ? n - 1 : differ->spec.degree, k);
    for (int j = 0; j < n; j++)
        fmpq_clear(x + j);
    darc_free(x);
}

/* ---- values -------------------------------------------------------------- */

/* Values of the slots, or a matrix, with as many bits as asked for. */
static mpfr_t *new_values(size_t n, int bits)
{
    mpfr_t *x = darc_calloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++) {
        mpfr_init2(x[i], bits);
        mpfr_set_zero(x[i], 1);
    }
    return x;
}

static void free_values(mpfr_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mpfr_clear(x[i]);
    darc_free(x);
}

static void set_fmpz(mpfr_t x, const fmpz_t z)
{
    mpz_t m;
    mpz_init(m);
    fmpz_get_mpz(m, z);
    mpfr_set_z(x, m, MPFR_RNDN);
    mpz_clear(m);
}

static double sample(const darc_residual *r, int unknown, size_t i)
{
    const double *y = r->column[unknown];
    return y != NULL
               ? y[i]
               : darc_table_time(r->table[r->relation->recording[unknown]], i);
}

/* Set x to the derivative of slot s at sample i of its recording. */
static void derive_slot(mpfr_t x, const darc_residual *r, int s, size_t i,
                        int bits)
{
    darc_deriv d = r->f.deriv[s];
    const darc_differ *differ = darc_residual_differ(r, s, 0);
    int half = darc_differ_half(differ, d.order), n = 2 * half + 1;
    fmpq *w = darc_calloc((size_t)n, sizeof *w);
    mpfr_t *work = new_values(2, bits);
    for (int j = 0; j < n; j++)
        fmpq_init(w + j);
    exact_weights(differ, d.order, i, w);
    mpfr_set_zero(x, 1);
    for (int j = 0; j < n; j++) {
        set_fmpz(work[0], fmpq_numref(w + j));
        set_fmpz(work[1], fmpq_denref(w + j));
        mpfr_div(work[0], work[0], work[1], MPFR_RNDN);
        double y = sample(r, d.unknown, i - (size_t)half + (size_t)j);
        mpfr_mul_d(work[0], work[0], y, MPFR_RNDN);
        mpfr_add(x, x, work[0], MPFR_RNDN);
        fmpq_clear(w + j);
    }
    free_values(work, 2);
    darc_free(w);
}

/* Set value to p where variable v has the value x[v], term by term. */
static void eval_poly(mpfr_t value, const fmpz_mpoly_struct *p,
                      mpfr_t *const *x, const fmpz_mpoly_ctx_t ctx, int bits)
{
    slong vars = fmpz_mpoly_ctx_nvars(ctx);
    ulong *e = darc_calloc((size_t)vars, sizeof *e);
    mpfr_t *work = new_values(2, bits);
    mpfr_set_zero(value, 1);
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(e, p, i, ctx);
        set_fmpz(work[0], p->coeffs + i);
        for (slong v = 0; v < vars; v++)
            if (e[v] > 0) {
                mpfr_pow_ui(work[1], *x[v], e[v], MPFR_RNDN);
                mpfr_mul(work[0], work[0], work[1], MPFR_RNDN);
            }
        mpfr_add(value, value, work[0], MPFR_RNDN);
    }
    free_values(work, 2);
    darc_free(e);
}

static void swap_rows(mpfr_t *m, int n, int i, int j)
{
    for (int k = 0; k < n; k++)
        mpfr_swap(m[i * n + k], m[j * n + k]);
}

/* Set det to the determinant of the n x n matrix m, which is lost. */
static void determinant(mpfr_t det, mpfr_t *m, int n, int bits)
{
    mpfr_t *f = new_values(2, bits);
    mpfr_set_ui(det, 1, MPFR_RNDN);
    for (int k = 0; k < n && !mpfr_zero_p(det); k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (mpfr_cmpabs(m[i * n + k], m[best * n + k]) > 0)
                best = i;
        if (best != k) {
            swap_rows(m, n, best, k);
            mpfr_neg(det, det, MPFR_RNDN);
        }
        mpfr_mul(det, det, m[k * n + k], MPFR_RNDN);
        for (int i = k + 1; i < n && !mpfr_zero_p(det); i++) {
            mpfr_div(f[0], m[i * n + k], m[k * n + k], MPFR_RNDN);
            for (int j = k; j < n; j++) {
                mpfr_mul(f[1], f[0], m[k * n + j], MPFR_RNDN);
                mpfr_sub(m[i * n + j], m[i * n + j], f[1], MPFR_RNDN);
            }
        }
    }
    free_values(f, 2);
}

/* Set c to (-1)^skip times the minor without column skip. */
static void kernel_entry(mpfr_t c, mpfr_t *entry, int n, int skip, int bits)
{
    size_t size = (size_t)(n - 1) * (size_t)(n - 1);
    mpfr_t *m = new_values(size, bits);
    int to = 0;
    for (int i = 0; i < n * (n - 1); i++)
        if (i % n != skip)
            mpfr_set(m[to++], entry[i], MPFR_RNDN);
    determinant(c, m, n - 1, bits);
    if (skip % 2 == 1)
        mpfr_neg(c, c, MPFR_RNDN);
    free_values(m, size);
}

static void eval_matrix(mpfr_t value, const darc_relation *r, mpfr_t *const *x,
                        int bits)
{
    int n = (int)r->columns, inner = n * (n - 1);
    size_t entries = (size_t)n * (size_t)n;
    mpfr_t *entry = new_values(entries, bits), *c = new_values((size_t)n, bits);
    mpfr_t **at = darc_calloc((size_t)n, sizeof *at);
    for (int i = 0; i < inner; i++)
        eval_poly(entry[i], r->matrix->p + i, x, r->jet->ctx, bits);
    for (int j = 0; j < n; j++) {
        kernel_entry(c[j], entry, n, j, bits);
        at[j] = c + j;
    }
    if (r->last->count == 0)
        eval_poly(value, r->h, at, r->hctx, bits);
    else
        mpfr_set_zero(value, 1);
    for (int j = 0; j < n && r->last->count > 0; j++) {
        eval_poly(entry[0], r->last->p + j, x, r->jet->ctx, bits);
        mpfr_mul(entry[0], entry[0], c[j], MPFR_RNDN);
        mpfr_add(value, value, entry[0], MPFR_RNDN);
    }
    darc_free(at);
    free_values(c, (size_t)n);
    free_values(entry, entries);
}

/* Set value to the residual at sample t of the block. */
static void residual_at(mpfr_t value, const darc_residual *r,
                        const darc_block *b, size_t t, int bits)
{
    const darc_relation *relation = r->relation;
    size_t vars = (size_t)relation->jet->vars, slots = (size_t)r->f.slots;
    mpfr_t **x = darc_calloc(vars, sizeof *x);
    mpfr_t *slot = new_values(slots, bits);
    for (int s = 0; s < r->f.slots; s++) {
        size_t start = b->start[relation->recording[r->f.deriv[s].unknown]];
        derive_slot(slot[s], r, s, start + t, bits);
        x[darc_jet_var(relation->jet, r->f.deriv[s])] = slot + s;
    }
    if (relation->expanded)
        eval_poly(value, relation->poly, x, relation->jet->ctx, bits);
    else
        eval_matrix(value, relation, x, bits);
    free_values(slot, slots);
    darc_free(x);
}

/* Return |double - MPFR| over the bound at sample `at` of those used. */
static double compare_at(const darc_residual *r, darc_residual_work *w,
                         const darc_block *b, size_t at, int bits)
{
    size_t t = at - b->at;
    mpfr_t *exact = new_values(1, bits);
    darc_residual_derive(r, w, b, 0);
    darc_functions_values(&r->f, w->in[0], w->value[0], b->n);
    darc_residual_input_errors(r, w, b);
    darc_functions_bounds(&r->f, w->in[0], w->error,
                          (darc_bounds){w->size, w->bound, w->spare}, b->n);
    residual_at(exact[0], r, b, t, bits);
    mpfr_sub_d(exact[0], exact[0], w->value[0][0][t], MPFR_RNDN);
    double error = fabs(mpfr_get_d(exact[0], MPFR_RNDN));
    double bound = w->bound[0][t];
    free_values(exact, 1);
    return error == 0 ? 0 : error / bound;
}

double exact_residual_worst(const darc_residual *residual, int bits,
                            size_t samples)
{
    const darc_blocks *all = &residual->blocks;
    darc_residual_work w;
    size_t block = 0;
    double worst = 0;
    ck_assert_uint_le(samples, all->used);
    darc_residual_work_init(&w, residual);
    for (size_t i = 0; i < samples; i++) {
        size_t at = (size_t)((double)all->used * (double)i / (double)samples);
        darc_block b = darc_blocks_at(all, block);
        while (at >= b.at + b.n)
            b = darc_blocks_at(all, ++block);
        worst = fmax(worst, compare_at(residual, &w, &b, at, bits));
    }
    darc_residual_work_clear(&w);
    return worst;
}
