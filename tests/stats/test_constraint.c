#include "tests.h"

#include "draw.h"
#include "stats/constraint.h"
#include "stats/stats.h"

#include <string.h>

enum { N = 5 };

/* a x = b, two relations. */
static const double a[2][N] = {{1, -2, 0.5, 0, 0}, {0, 1, 1, 1, -3}},
                    b[2] = {0.3, -0.7};

static void linear(const void *user, const double *x, double *h, double *jac)
{
    (void)user;
    for (int k = 0; k < 2; k++) {
        h[k] = -b[k];
        for (int j = 0; j < N; j++)
            h[k] += a[k][j] * x[j];
    }
    if (jac != NULL)
        memcpy(jac, a, sizeof a);
}

/* The first of them, three times. */
static void again(const void *user, const double *x, double *h, double *jac)
{
    double all[2], rows[2 * N];
    linear(user, x, all, rows);
    for (int k = 0; k < 3; k++) {
        h[k] = (k + 1) * all[0];
        for (int j = 0; j < N && jac != NULL; j++)
            jac[k * N + j] = (k + 1) * rows[j];
    }
}

/* x0 x1 = x2^2 and x3 = exp(x4) */
static void bent(const void *user, const double *x, double *h, double *jac)
{
    const double rows[2][N] = {{x[1], x[0], -2 * x[2], 0, 0},
                               {0, 0, 0, 1, -exp(x[4])}};
    (void)user;
    h[0] = x[0] * x[1] - x[2] * x[2];
    h[1] = x[3] - exp(x[4]);
    if (jac != NULL)
        memcpy(jac, rows, sizeof rows);
}

/* b_i - a_i of pairs (0, 1) */
static void difference(const void *user, const double *x, double *h,
                       double *jac)
{
    (void)user;
    h[0] = x[1] - x[0];
    if (jac != NULL) {
        jac[0] = -1;
        jac[1] = 1;
    }
}

/* x near `at`, V = B B' of random columns. */
static void open(darc_constraint *c, int count, const double *at, double sd,
                 uint64_t *state)
{
    double root[N][N], z[N];
    darc_constraint_init(c, N, count);
    for (int i = 0; i < N; i++) {
        z[i] = draw_normal(state);
        for (int k = 0; k < N; k++)
            root[i][k] = sd * draw_normal(state);
    }
    for (int i = 0; i < N; i++) {
        c->x[i] = at[i];
        for (int k = 0; k < N; k++) {
            c->x[i] += root[i][k] * z[k];
            for (int l = 0; l < N; l++)
                c->v[i * N + k] += root[i][l] * root[k][l];
        }
    }
}

/* Lagrange: x - x* = V G' m, and h(x*) = 0; the statistic is m' G V G' m. */
static void check_lagrange(const darc_constraint *c, double tolerance)
{
    double h[2], g[2 * N], vg[N][2] = {{0}}, s[2][2] = {{0}}, m[2], r[2] = {0};
    c->relations(c->user, c->at, h, g);
    for (int k = 0; k < 2; k++) {
        ck_assert_double_eq_tol(h[k], 0, tolerance);
        for (int i = 0; i < N; i++)
            for (int l = 0; l < N; l++)
                vg[i][k] += c->v[i * N + l] * g[k * N + l];
        for (int i = 0; i < N; i++)
            r[k] += g[k * N + i] * (c->x[i] - c->at[i]);
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            for (int l = 0; l < N; l++)
                s[i][k] += g[i * N + l] * vg[l][k];
    double det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
    m[0] = (s[1][1] * r[0] - s[0][1] * r[1]) / det;
    m[1] = (s[0][0] * r[1] - s[1][0] * r[0]) / det;
    for (int i = 0; i < N; i++)
        ck_assert_double_eq_tol(c->x[i] - c->at[i],
                                vg[i][0] * m[0] + vg[i][1] * m[1], tolerance);
    double want = m[0] * r[0] + m[1] * r[1];
    ck_assert_double_eq_tol(c->statistic, want, 1e-3 * (1 + want));
    ck_assert(c->settled && c->dof == 2);
}

START_TEST(linear_relations_are_projected)
{
    static const double none[N] = {0};
    uint64_t state = 3;
    for (int run = 0; run < 20; run++) {
        darc_constraint c;
        open(&c, 2, none, 1, &state);
        c.relations = linear;
        darc_constraint_solve(&c);
        check_lagrange(&c, 1e-9);
        ck_assert_double_eq_tol(c.p_value, darc_stats_chi2_sf(c.statistic, 2),
                                1e-12);
        double before[N];
        for (int i = 0; i < N; i++)
            before[i] = c.v[i * (N + 1)];
        darc_constraint_project(&c);
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < N; i++) { /* G V* = 0 */
                double sum = 0;
                for (int l = 0; l < N; l++)
                    sum += a[k][l] * c.v[l * N + i];
                ck_assert_double_eq_tol(sum, 0, 1e-9);
                ck_assert_double_le(c.v[i * (N + 1)], before[i] * (1 + 1e-9));
            }
        darc_constraint_clear(&c);
    }
}
END_TEST

START_TEST(bent_relations_are_iterated)
{
    static const double at[N] = {2, 4.5, 3, 2.718281828, 1};
    uint64_t state = 5;
    for (int run = 0; run < 20; run++) {
        darc_constraint c;
        open(&c, 2, at, 0.03, &state);
        c.relations = bent;
        darc_constraint_solve(&c);
        check_lagrange(&c, 1e-5);
        darc_constraint_clear(&c);
    }
}
END_TEST

/* The level under bent relations: of 1000 at .05 the mean is 50, sd 7. */
START_TEST(right_estimates_are_rejected_at_the_level)
{
    static const double at[N] = {2, 4.5, 3, 2.718281828, 1};
    uint64_t state = 11;
    int rejected = 0;
    for (int run = 0; run < 1000; run++) {
        darc_constraint c;
        open(&c, 2, at, 0.03, &state);
        c.relations = bent;
        darc_constraint_solve(&c);
        rejected += c.p_value < 0.05;
        darc_constraint_clear(&c);
    }
    ck_assert_int_le(rejected, 50 + 5 * 7);
    ck_assert_int_ge(rejected, 50 - 5 * 7);
}
END_TEST

/* What is free takes a relation with it, however badly it is known. */
START_TEST(what_is_free_costs_a_degree_of_freedom)
{
    static const double none[N] = {0};
    uint64_t state = 17;
    for (int run = 0; run < 20; run++) {
        darc_constraint c;
        double h[2], g[2 * N], variance = 0;
        open(&c, 2, none, 1, &state);
        c.relations = linear;
        c.slack[3] = HUGE_VAL; /* of the second relation alone */
        for (int i = 0; i < N; i++) {
            c.v[i * N + 3] += 1e4 * c.v[i * N];
            c.v[3 * N + i] = c.v[i * N + 3];
        }
        c.v[3 * N + 3] += 1e8 * c.v[0] + 1e4 * c.v[3];
        darc_constraint_solve(&c);
        linear(NULL, c.x, h, g);
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++)
                variance += g[i] * c.v[i * N + k] * g[k];
        ck_assert(c.settled && c.dof == 1);
        ck_assert_double_eq_tol(c.statistic, h[0] * h[0] / variance, 1e-5);
        linear(NULL, c.at, h, NULL);
        ck_assert_double_eq_tol(h[0], 0, 1e-6);
        ck_assert_double_eq_tol(h[1], 0, 1e-3);
        darc_constraint_clear(&c);
    }
}
END_TEST

START_TEST(relations_that_repeat_count_once)
{
    static const double none[N] = {0};
    uint64_t state = 7, same = 7;
    darc_constraint c, d;
    open(&c, 3, none, 1, &state);
    open(&d, 2, none, 1, &same);
    c.relations = again;
    darc_constraint_solve(&c);
    ck_assert(c.dof == 1);
    double h[2], g[2 * N], variance = 0;
    linear(NULL, c.x, h, g);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            variance += g[i] * c.v[i * N + k] * g[k];
    ck_assert_double_eq_tol(c.statistic, h[0] * h[0] / variance, 1e-7);
    /* where V is estimated: Fisher's F */
    d.relations = linear;
    d.error_dof = 12;
    darc_constraint_solve(&d);
    ck_assert_double_eq_tol(d.p_value, darc_stats_f_sf(d.statistic / 2, 2, 12),
                            1e-12);
    darc_constraint_clear(&c);
    darc_constraint_clear(&d);
}
END_TEST

/* What may differ by the slack differs by the rest: of either variable, and
 * both together. */
START_TEST(slack_is_given_to_the_relations)
{
    static const double slack[][2] = {{0, 0},      {0.3, 0}, {0, 0.3},
                                      {0.2, 0.25}, {2, 0},   {0, HUGE_VAL}};
    for (size_t i = 0; i < sizeof slack / sizeof *slack; i++) {
        darc_constraint c;
        darc_constraint_init(&c, 2, 1);
        c.x[0] = 1.2;
        c.x[1] = 2.385;
        c.v[0] = 0.04;
        c.v[3] = 0.01;
        c.slack[0] = slack[i][0];
        c.slack[1] = slack[i][1];
        c.relations = difference;
        darc_constraint_solve(&c);
        double rest = fmax(0, 1.185 - slack[i][0] - slack[i][1]);
        ck_assert_double_eq_tol(c.statistic, rest * rest / 0.05, 1e-6);
        ck_assert_double_eq_tol(c.at[0], c.at[1], 1e-6);
        darc_constraint_clear(&c);
    }
}
END_TEST

/* a - b, as coefficients of two recordings. */
static void equal_halves(const void *user, const double *x, double *h,
                         double *jac)
{
    (void)user;
    for (int k = 0; k < 3; k++) {
        h[k] = x[k] - x[3 + k];
        for (int j = 0; j < 6; j++)
            jac[k * 6 + j] = (j == k) - (j == 3 + k);
    }
}

/* Coefficients that go together, to 1e-4, 1e-6 and 1e-8: the more may differ
 * the less is left, and nothing where it is as much as does. */
START_TEST(more_slack_leaves_less)
{
    static const double apart[] = {1e-2, 1e-3, 1e-4};
    static const double share[] = {0, .01, .1, .3, .9, 1, 1.5, 30, 1e4};
    double last = HUGE_VAL;
    for (int i = 0; i < 9; i++) {
        darc_constraint c;
        darc_constraint_init(&c, 6, 3);
        for (int r = 0; r < 2; r++)
            for (int k = 0; k < 3; k++) {
                c.x[3 * r + k] = r * (k == 1 ? -2.0 : 1.0);
                c.slack[3 * r + k] = r * share[i] * fabs(c.x[3 * r + k]);
                for (int l = 0; l < 3; l++)
                    c.v[(3 * r + k) * 6 + 3 * r + l] =
                        1e-4 * (1 + (k == l) * apart[_i] * apart[_i]);
            }
        c.relations = equal_halves;
        darc_constraint_solve(&c);
        ck_assert_msg(c.statistic <= last * (1 + 1e-6) + 1e-6, "%g: %g > %g",
                      share[i], c.statistic, last);
        if (share[i] >= 1)
            ck_assert_double_lt(c.statistic, 1e-6);
        else
            ck_assert_double_gt(c.statistic, 1);
        last = c.statistic;
        darc_constraint_clear(&c);
    }
}
END_TEST

START_TEST(nothing_follows_from_an_infinite_covariance)
{
    darc_constraint c;
    darc_constraint_init(&c, 2, 1);
    c.x[1] = 1;
    c.v[0] = HUGE_VAL;
    c.v[3] = 1;
    c.relations = difference;
    darc_constraint_solve(&c);
    ck_assert(isnan(c.p_value) && !c.settled);
    darc_constraint_clear(&c);
}
END_TEST

/* The difference, past the range of numbers. */
static void beyond(const void *user, const double *x, double *h, double *jac)
{
    difference(user, x, h, jac);
    h[0] = NAN;
}

START_TEST(nothing_follows_from_what_is_no_number)
{
    darc_constraint c;
    darc_constraint_init(&c, 2, 1);
    c.x[1] = c.v[0] = c.v[3] = 1;
    c.error_dof = 10;
    c.relations = beyond;
    darc_constraint_solve(&c);
    ck_assert(isnan(c.p_value) && !c.settled);
    darc_constraint_clear(&c);
}
END_TEST

Suite *suite_constraint(void)
{
    Suite *s = suite_create("constraint");
    TCase *c = tcase_create("constraint");
    tcase_add_test(c, linear_relations_are_projected);
    tcase_add_test(c, bent_relations_are_iterated);
    tcase_add_test(c, right_estimates_are_rejected_at_the_level);
    tcase_add_test(c, what_is_free_costs_a_degree_of_freedom);
    tcase_add_test(c, relations_that_repeat_count_once);
    tcase_add_test(c, slack_is_given_to_the_relations);
    tcase_add_loop_test(c, more_slack_leaves_less, 0, 3);
    tcase_add_test(c, nothing_follows_from_an_infinite_covariance);
    tcase_add_test(c, nothing_follows_from_what_is_no_number);
    suite_add_tcase(s, c);
    return s;
}
