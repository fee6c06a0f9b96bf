#include "tests.h"

#include "draw.h"
#include "stats/dense.h"

#include <math.h>
#include <string.h>

enum { N = 6 };

/* Set a to a symmetric matrix, or to any. */
static void draw(double a[N * N], bool symmetric, uint64_t *state)
{
    for (int i = 0; i < N * N; i++)
        a[i] = draw_normal(state);
    for (int i = 0; i < N && symmetric; i++)
        for (int k = 0; k < i; k++)
            a[k * N + i] = a[i * N + k];
}

/* (A - w_k B) v_k = 0. */
START_TEST(eigenvectors_are_those)
{
    uint64_t state = 1;
    double a[N * N], v[N * N], b[N * N], l[N * N], w[N];
    draw(a, true, &state);
    draw(l, false, &state);
    for (int of = 0; of < 2; of++) {
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++) {
                b[i * N + k] = i == k;
                for (int m = 0; m < N && of; m++)
                    b[i * N + k] += l[i * N + m] * l[k * N + m];
            }
        double spoilt[N * N];
        memcpy(v, a, sizeof v);
        memcpy(spoilt, b, sizeof b);
        ck_assert(of ? darc_dense_eigen_of(w, v, spoilt, N, 'V')
                     : darc_dense_eigen(w, v, N, 'V'));
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++) {
                double rest = 0;
                for (int m = 0; m < N; m++)
                    rest += (a[i * N + m] - w[k] * b[i * N + m]) * v[k * N + m];
                ck_assert_double_eq_tol(rest, 0, 1e-12);
            }
    }
}
END_TEST

/* A = U S V'; the squares of R are those of A, column by column. */
START_TEST(factors_multiply_back)
{
    uint64_t state = 2;
    double a[N * N], b[N * N], u[N * N], v[N * N], s[N], alone[N];
    draw(a, false, &state);
    memcpy(b, a, sizeof b);
    ck_assert(darc_dense_singular(s, u, v, b, N));
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            double x = 0;
            for (int m = 0; m < N; m++)
                x += u[m * N + i] * s[m] * v[k * N + m];
            ck_assert_double_eq_tol(x, a[k * N + i], 1e-13);
        }
    memcpy(b, a, sizeof b);
    ck_assert(darc_dense_singular(alone, NULL, NULL, b, N));
    for (int k = 0; k < N; k++)
        ck_assert_double_eq_tol(alone[k], s[k], 1e-13);
    memcpy(b, a, sizeof b);
    ck_assert(darc_dense_triangle(b, N, N));
    for (int k = 0; k < N; k++) {
        double is = 0, should = 0;
        for (int i = 0; i < N; i++) {
            is += i <= k ? b[k * N + i] * b[k * N + i] : 0;
            should += a[k * N + i] * a[k * N + i];
        }
        ck_assert_double_eq_tol(is, should, 1e-12);
    }
}
END_TEST

START_TEST(nan_is_refused)
{
    uint64_t state = 3;
    double a[N * N], b[N * N], w[N];
    draw(a, true, &state);
    memcpy(b, a, sizeof b);
    a[N + 1] = NAN;
    ck_assert(!darc_dense_eigen(w, a, N, 'N'));
    ck_assert(!darc_dense_eigen_of(w, b, a, N, 'N'));
    ck_assert(!darc_dense_singular(w, NULL, NULL, a, N));
    ck_assert(!darc_dense_triangle(a, N, N));
}
END_TEST

/* Of a model without a free coefficient. */
START_TEST(nothing_is_no_error)
{
    double a[1] = {2}, b[1] = {2}, w[1] = {0};
    ck_assert(darc_dense_eigen(w, a, 0, 'V'));
    ck_assert(darc_dense_eigen_of(w, a, b, 0, 'V'));
    ck_assert(darc_dense_singular(w, NULL, NULL, a, 0));
    ck_assert(darc_dense_singular(w, a, b, a, 0));
    ck_assert(darc_dense_triangle(a, 1, 0));
    ck_assert(darc_dense_cholesky(a, 0));
    ck_assert(darc_dense_divide(a, 'T', b, 0, 1));
    ck_assert(darc_dense_solve(a, b, 0, 1));
    ck_assert(a[0] == 2 && b[0] == 2 && w[0] == 0);
}
END_TEST

/* a = L L', L^-1 L^-1' b = a^-1 b. */
START_TEST(halves_divide_as_the_whole)
{
    uint64_t state = 5;
    double a[N * N], l[N * N], b[N], x[N];
    draw(l, false, &state);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            a[k * N + i] = i == k ? .1 : 0;
            for (int m = 0; m < N; m++)
                a[k * N + i] += l[m * N + i] * l[m * N + k];
        }
    memcpy(l, a, sizeof a);
    for (int i = 0; i < N; i++)
        b[i] = x[i] = i + 1;
    ck_assert(darc_dense_cholesky(l, N));
    ck_assert(darc_dense_divide(l, 'N', x, N, 1) &&
              darc_dense_divide(l, 'T', x, N, 1));
    ck_assert(darc_dense_solve(a, b, N, 1));
    for (int i = 0; i < N; i++)
        ck_assert_double_eq_tol(x[i], b[i], 1e-9 * fabs(b[i]));
    a[0] = -1;
    ck_assert(!darc_dense_cholesky(a, N));
}
END_TEST

Suite *suite_dense(void)
{
    Suite *s = suite_create("dense");
    TCase *c = tcase_create("dense");
    tcase_add_test(c, eigenvectors_are_those);
    tcase_add_test(c, factors_multiply_back);
    tcase_add_test(c, nan_is_refused);
    tcase_add_test(c, nothing_is_no_error);
    tcase_add_test(c, halves_divide_as_the_whole);
    suite_add_tcase(s, c);
    return s;
}
