#include "tests.h"

#include "draw.h"
#include "stats/hac.h"

enum { N = 400, PARTS = 2, DRAWS = 150 };

/* A slow column in each part, the second of which is late. */
static void set_columns(double *x)
{
    for (int t = 0; t < PARTS * N; t++) {
        x[t] = sin(0.031 * (t % N) + t / N);
        x[PARTS * N + t] = cos(0.047 * (t % N)) - 0.2;
    }
}

/* Errors of this pole, those of the second part partly the same. */
static void draw_errors(double *e, double pole, uint64_t *state)
{
    double a = 0, b = 0;
    for (int t = -200; t < N; t++) {
        a = pole * a + draw_normal(state);
        b = pole * b + draw_normal(state);
        if (t >= 0) {
            e[t] = a;
            e[N + t] = 0.6 * a + 0.8 * b;
        }
    }
}

static double product(const double *x, const double *y)
{
    double sum = 0;
    for (int t = 0; t < PARTS * N; t++)
        sum += x[t] * y[t];
    return sum;
}

/* J is the mean of the products of scores, whatever the errors share. */
START_TEST(scores_scatter_as_is_said)
{
    static double x[2 * PARTS * N], e[PARTS * N];
    double pole = _i == 0 ? 0 : 0.8, seen[4] = {0}, said[4] = {0}, dof = 0;
    double h[4], j[4], score[2];
    uint64_t state = 7;
    set_columns(x);
    for (int i = 0; i < 4; i++)
        h[i] = product(x + i / 2 * PARTS * N, x + i % 2 * PARTS * N);
    for (int k = 0; k < DRAWS; k++) {
        draw_errors(e, pole, &state);
        for (int i = 0; i < 2; i++)
            score[i] = product(x + i * PARTS * N, e);
        double det = h[0] * h[3] - h[1] * h[2];
        double b[2] = {(h[3] * score[0] - h[1] * score[1]) / det,
                       (h[0] * score[1] - h[2] * score[0]) / det};
        for (int t = 0; t < PARTS * N; t++) /* what a fit leaves */
            e[t] -= b[0] * x[t] + b[1] * x[PARTS * N + t];
        dof += darc_hac(j, &(darc_hac_rows){x, e, h, 2, PARTS, N}) / DRAWS;
        for (int i = 0; i < 4; i++) {
            seen[i] += score[i / 2] * score[i % 2] / DRAWS;
            said[i] += j[i] / DRAWS;
        }
    }
    ck_assert(dof > 4 && dof < 60);
    ck_assert(said[0] > 0.7 * seen[0] && said[0] < 1.4 * seen[0]);
    ck_assert(said[3] > 0.7 * seen[3] && said[3] < 1.4 * seen[3]);
    ck_assert_double_eq_tol(said[1], said[2], 1e-9 * said[0]);
}
END_TEST

Suite *suite_hac(void)
{
    Suite *s = suite_create("hac");
    TCase *c = tcase_create("hac");
    tcase_add_loop_test(c, scores_scatter_as_is_said, 0, 2);
    suite_add_tcase(s, c);
    return s;
}
