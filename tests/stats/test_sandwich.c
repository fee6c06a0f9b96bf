#include "tests.h"

#include "draw.h"
#include "stats/sandwich.h"

#include <string.h>

enum { N = 5, PART = 3 };
static const int part[PART] = {0, 2, 4};

/* Set a to B B', B of `rank` random columns, in units of 1, 1e3, 1e-4, ... */
static void draw_square(double *a, int rank, uint64_t *state)
{
    static const double unit[N] = {1, 1e3, 1e-4, 30, 0.2};
    double b[N][N];
    memset(a, 0, N * N * sizeof *a);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < rank; k++)
            b[i][k] = unit[i] * draw_normal(state);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int l = 0; l < rank; l++)
                a[i * N + k] += b[i][l] * b[k][l];
}

START_TEST(a_part_of_a_system_is_solved)
{
    uint64_t state = 3;
    double a[N * N], x[2 * PART], b[2 * PART] = {0};
    draw_square(a, N, &state);
    for (int i = 0; i < 2 * PART; i++)
        x[i] = draw_normal(&state);
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < PART; i++)
            for (int k = 0; k < PART; k++)
                b[r * PART + i] += a[part[i] * N + part[k]] * x[r * PART + k];
    ck_assert(darc_solve_part(a, N, part, PART, b, 2));
    for (int i = 0; i < 2 * PART; i++)
        ck_assert_double_eq_tol(b[i], x[i], 1e-9 * (1 + fabs(x[i])));
    draw_square(a, 2, &state);
    a[0] *= 0.9;
    ck_assert(!darc_solve_part(a, N, part, PART, b, 1));
    ck_assert(darc_solve_part(a, N, part, 0, b, 1));
}
END_TEST

/* info C info = s on the part, 0 elsewhere; without information, infinite. */
START_TEST(a_sandwich_undoes_the_information)
{
    uint64_t state = 5;
    double info[N * N], s[N * N], c[N * N];
    draw_square(info, N, &state);
    draw_square(s, N, &state);
    darc_sandwich(c, info, s, N, part, PART);
    for (int i = 0; i < PART; i++)
        for (int k = 0; k < PART; k++) {
            double sum = 0, want = s[part[i] * N + part[k]];
            for (int l = 0; l < PART; l++)
                for (int m = 0; m < PART; m++)
                    sum += info[part[i] * N + part[l]] *
                           c[part[l] * N + part[m]] *
                           info[part[m] * N + part[k]];
            double unit = sqrt(s[part[i] * (N + 1)] * s[part[k] * (N + 1)]);
            ck_assert_double_eq_tol(sum, want, 1e-7 * unit);
        }
    ck_assert(c[1] == 0 && c[1 * (N + 1)] == 0 && c[3 * (N + 1)] == 0);
    draw_square(info, 1, &state);
    info[0] = 0;
    darc_sandwich(c, info, s, N, part, PART);
    ck_assert(isinf(c[0]) && isinf(c[2 * (N + 1)]) && c[2] == 0);
}
END_TEST

static double along(const double *a, const double *x)
{
    double sum = 0;
    for (int i = 0; i < PART; i++)
        for (int k = 0; k < PART; k++)
            sum += x[i] * a[part[i] * N + part[k]] * x[k];
    return sum;
}

/* In every direction at least a and b, and no more than a + b. */
START_TEST(a_cover_is_at_least_both)
{
    uint64_t state = 7;
    double a[N * N], b[N * N], both[N * N], x[PART];
    for (int run = 0; run < 20; run++) {
        draw_square(a, N, &state);
        draw_square(b, N, &state);
        memcpy(both, a, sizeof a);
        darc_cover(both, b, N, part, PART);
        for (int i = 0; i < 50; i++) {
            for (int k = 0; k < PART; k++)
                x[k] = draw_normal(&state) / sqrt(a[part[k] * (N + 1)]);
            double least = fmax(along(a, x), along(b, x));
            double most = along(a, x) + along(b, x);
            ck_assert_double_ge(along(both, x), least * (1 - 1e-9));
            ck_assert_double_le(along(both, x), most * (1 + 1e-9));
        }
        ck_assert(both[1 * (N + 1)] == a[1 * (N + 1)]);
        memcpy(both, a, sizeof a);
        darc_cover(both, a, N, part, PART);
        for (int i = 0; i < N * N; i++)
            ck_assert_double_eq_tol(both[i], a[i], 1e-9 * fabs(a[i]));
    }
}
END_TEST

/* p S p' = 1 of the rank of S; -1 where S is not finite. */
START_TEST(whitening_finds_the_rank)
{
    uint64_t state = 11;
    for (int rank = 0; rank <= N; rank++) {
        double s[N * N], p[N * N];
        draw_square(s, rank, &state);
        ck_assert_int_eq(darc_whiten(p, s, N), rank);
        for (int i = 0; i < rank; i++)
            for (int k = 0; k < rank; k++) {
                double sum = 0;
                for (int l = 0; l < N; l++)
                    for (int m = 0; m < N; m++)
                        sum += p[i * N + l] * s[l * N + m] * p[k * N + m];
                ck_assert_double_eq_tol(sum, i == k, 1e-6);
            }
        s[0] = HUGE_VAL;
        ck_assert_int_eq(darc_whiten(p, s, N), -1);
    }
    ck_assert_int_eq(darc_whiten(NULL, NULL, 0), 0);
}
END_TEST

Suite *suite_sandwich(void)
{
    Suite *s = suite_create("sandwich");
    TCase *c = tcase_create("sandwich");
    tcase_add_test(c, a_part_of_a_system_is_solved);
    tcase_add_test(c, a_sandwich_undoes_the_information);
    tcase_add_test(c, a_cover_is_at_least_both);
    tcase_add_test(c, whitening_finds_the_rank);
    suite_add_tcase(s, c);
    return s;
}
