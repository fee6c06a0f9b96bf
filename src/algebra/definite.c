#include "algebra/definite.h"

#include "algebra/thresholds.h"
#include "base/mem.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>

/* The least t with t I - sum w_i Q_i positive definite, 0 < w_i < 1, is sought
 * by Newton's method along the central path. */
typedef struct {
    int n, count;
    double *form;   /* Q_i, scaled; owned, with what follows */
    double *by;     /* of each: the power of 2 that it was divided by, beside
                       what scales rows and columns */
    double *scale;  /* of each row */
    double *weight; /* w_i, then t */
    double *root;   /* L, L L' = t I - sum w_i Q_i */
    double *turned; /* L^-1 Q_i L^-T, the last one for -I */
    double *step, *hessian;
} path;

fmpz_mat_struct *darc_forms_append(darc_forms *f)
{
    size_t k = (size_t)f->count++;
    DARC_ROOM(f->form, k);
    fmpz_mat_init(f->form + k, f->size, f->size);
    return f->form + k;
}

void darc_forms_clear(darc_forms *f)
{
    DARC_ALL(fmpz_mat_clear, f->form, f->count);
    darc_free(f->form);
}

/* ---- small symmetric matrices, by rows: LAPACK's upper triangle is the lower
 * one -----------------------------------------------------------------------
 */

/* Set the lower triangle of a, n x n, to its root; false: there is none. */
static bool take_root(double *a, int n)
{
    return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, a, n) == 0;
}

static double product(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n * n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- the path ------------------------------------------------------------ */

/* Read the forms; rows are scaled so that the entries of all are alike. */
static void read_forms(path *p, const darc_forms *f)
{
    int n = p->n;
    for (int i = 0; i < p->count; i++) {
        slong most = -WORD_MAX, twos;
        for (int k = 0; k < n * n; k++) {
            fmpz_get_d_2exp(&twos, fmpz_mat_entry(f->form + i, k / n, k % n));
            bool none = fmpz_is_zero(fmpz_mat_entry(f->form + i, k / n, k % n));
            most = none ? most : FLINT_MAX(most, twos);
        }
        most = most == -WORD_MAX ? 0 : most;
        p->by[i] = (double)most;
        for (int k = 0; k < n * n; k++) {
            double x = fmpz_get_d_2exp(
                &twos, fmpz_mat_entry(f->form + i, k / n, k % n));
            p->form[i * n * n + k] =
                x != 0 ? ldexp(x, (int)FLINT_MAX(twos - most, -1000)) : 0;
        }
    }
    DARC_FILL(p->scale, n, 1);
    for (int turn = 0; turn < DARC_DEFINITE_ROUNDS; turn++)
        for (int v = 0; v < n; v++) {
            double most = 0;
            for (int i = 0; i < p->count; i++) {
                double row = 0, all = 0;
                for (int k = 0; k < n * n; k++) {
                    double x = fabs(p->form[i * n * n + k]) * p->scale[k / n] *
                               p->scale[k % n];
                    all = fmax(all, x);
                    row = k / n == v ? fmax(row, x) : row;
                }
                most = fmax(most, all > 0 ? row / all : 0);
            }
            p->scale[v] *= most > 0 ? exp2(-round(log2(most) / 2)) : 1;
        }
}

/* Scale all forms, by powers of 2. */
static void scale_forms(path *p)
{
    int n = p->n;
    for (int i = 0; i < p->count; i++) {
        double *q = p->form + i * n * n, most = 0;
        for (int k = 0; k < n * n; k++) {
            q[k] *= p->scale[k / n] * p->scale[k % n];
            most = fmax(most, fabs(q[k]));
        }
        int twos = most > 0 ? ilogb(most) : 0;
        for (int k = 0; k < n * n; k++)
            q[k] = ldexp(q[k], -twos);
        p->by[i] += twos;
    }
}

/* Set the root for the weights and t; false: it is outside. */
static bool set_root(path *p)
{
    int n = p->n;
    for (int k = 0; k < n * n; k++)
        p->root[k] = k / n == k % n ? p->weight[p->count] : 0;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < n * n; k++)
            p->root[k] -= p->weight[i] * p->form[i * n * n + k];
    return take_root(p->root, n);
}

/* Set the turned forms. */
static void turn_forms(path *p)
{
    int n = p->n;
    for (int i = 0; i <= p->count; i++) {
        double *to = p->turned + i * n * n;
        for (int k = 0; k < n * n; k++)
            to[k] = i < p->count ? p->form[i * n * n + k]
                                 : -(k / n == k % n ? 1.0 : 0.0);
        LAPACKE_dsygst(LAPACK_COL_MAJOR, 1, 'U', n, to, n, p->root, n);
        for (int k = 0; k < n * n; k++) /* one triangle is set */
            to[k] = to[k % n > k / n ? k % n * n + k / n : k];
    }
}

/* One step of Newton's for pull * t, less the logarithms of the determinant, of
 * w_i and 1 - w_i; return its decrement, NAN: none can be made. */
static double make_step(path *p, double pull)
{
    int n = p->n, all = p->count + 1;
    double decrement = 0;
    turn_forms(p);
    for (int i = 0; i < all; i++) {
        double w = p->weight[i], trace = 0;
        const double *of = p->turned + i * n * n;
        for (int k = 0; k < n; k++)
            trace += of[k * n + k];
        p->step[i] = -trace - (i < p->count ? 1 / (1 - w) - 1 / w : pull);
        for (int j = 0; j <= i; j++)
            p->hessian[i * all + j] =
                product(of, p->turned + j * n * n, n) +
                (i == j && i < p->count ? 1 / (w * w) + 1 / ((1 - w) * (1 - w))
                                        : 0);
    }
    if (!take_root(p->hessian, all))
        return NAN;
    LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'T', 'N', all, 1, p->hessian, all,
                   p->step, all);
    for (int i = 0; i < all; i++)
        decrement += p->step[i] * p->step[i];
    LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'N', 'N', all, 1, p->hessian, all,
                   p->step, all);
    decrement = sqrt(decrement);
    for (int i = 0; i < all; i++)
        p->weight[i] += p->step[i] / (1 + decrement);
    return set_root(p) ? decrement : NAN;
}

/* ---- what is exact ------------------------------------------------------- */

/* Do the weights, in 53 bits, make a form that is negative? */
static bool is_negative(bool *used, const path *p, const darc_forms *f)
{
    int n = p->n;
    double most = 0, low = HUGE_VAL;
    fmpz_mat_t sum, corner;
    fmpz_t w, det;
    DARC_EACH(fmpz_init, w, det);
    fmpz_mat_init(sum, n, n);
    for (int i = 0; i < p->count; i++) {
        most = fmax(most, p->weight[i]);
        low = fmin(low, -p->by[i]);
    }
    for (int i = 0; i < p->count; i++) {
        used[i] = p->weight[i] > DARC_DEFINITE_LEAST * most;
        if (!used[i])
            continue;
        fmpz_set_d(w, ldexp(p->weight[i], 80));
        fmpz_mul_2exp(w, w, (ulong)(-p->by[i] - low));
        fmpz_mat_scalar_addmul_fmpz(sum, f->form + i, w);
    }
    bool yes = true;
    for (int k = 1; k <= n && yes; k++) { /* leading minors */
        fmpz_mat_window_init(corner, sum, 0, 0, k, k);
        fmpz_mat_det(det, corner);
        fmpz_mat_window_clear(corner);
        yes = fmpz_sgn(det) == (k % 2 == 1 ? -1 : 1);
    }
    fmpz_mat_clear(sum);
    DARC_EACH(fmpz_clear, w, det);
    return yes;
}

bool darc_forms_exclude(bool *used, const darc_forms *f,
                        const darc_budget *budget)
{
    size_t n = (size_t)f->size, count = (size_t)f->count, all = count + 1;
    path p = {.n = f->size, .count = f->count};
    assert(n > 0);
    DARC_CALLOC((2 * count + 2) * n * n + 3 * all + n + all * all, p.form);
    p.turned = p.form + count * n * n;
    p.root = p.turned + all * n * n;
    p.scale = p.root + n * n;
    p.by = p.scale + n;
    p.weight = p.by + all;
    p.step = p.weight + all;
    p.hessian = p.step + all;
    read_forms(&p, f);
    scale_forms(&p);
    DARC_FILL(p.weight, count, 0.5);
    p.weight[count] = (double)(n * all); /* more than any eigenvalue */
    bool found = false, inside = set_root(&p);
    for (double pull = 1; pull < DARC_DEFINITE_PULL && inside && !found;
         pull *= 4) {
        double decrement = 1;
        for (int i = 0; i < 50 && decrement > 0.1; i++)
            decrement = make_step(&p, pull);
        inside =
            !isnan(decrement) && darc_budget_check(budget, NULL) == DARC_OK;
        found = inside && p.weight[count] < 0 && is_negative(used, &p, f);
        inside = inside && p.weight[count] * pull < (double)(n + 2 * count);
    }
    darc_free(p.form);
    return found;
}
