/* When a signal that bends where it passes 0 does so. */
#include "tests.h"

#include "derivation.h"
#include "weak/steps.h"

#include <math.h>
#include <string.h>

enum { N = 12, ROW = 6 };

/* Steps of the first signal of a table: its own, and another close by. */
typedef struct {
    darc_steps s;
    double at[2], *kink[1], *curve[1], kinks[2], curves[2 * DARC_STEP_CURVES];
    size_t row[2];
} bends;

static void open_bends(bends *b, double other)
{
    memset(b, 0, sizeof *b);
    b->at[0] = other;
    b->row[0] = ROW - 1;
    b->row[1] = ROW;
    b->kinks[0] = 1.5;
    b->kinks[1] = -1.2;
    b->curves[DARC_STEP_CURVES] = 3;
    b->kink[0] = b->kinks;
    b->curve[0] = b->curves;
    b->s = (darc_steps){.count = 2,
                        .at = b->at,
                        .row = b->row,
                        .unknowns = 1,
                        .kink = b->kink,
                        .curve = b->curve};
}

/* What is 0 at time t0, of slope 4 before, and bends as b says. */
static void fill(double *x, const bends *b, double t0, const darc_table *t)
{
    for (size_t i = 0; i < N; i++) {
        double d = darc_table_time(t, i) - t0, after = fmax(0, d);
        x[i] = 4 * d - 2 * d * d + 5 * d * d * d;
        x[i] +=
            b->kinks[1] * after + b->curves[DARC_STEP_CURVES] * d * after / 2;
        x[i] += b->kinks[0] * (fmax(0, d + t0 - b->at[0]) - (t0 - b->at[0]));
    }
}

START_TEST(a_bend_does_not_move_the_place)
{
    darc_table *t = derivation_table(N, 0.1);
    bends b;
    double x[N];
    darc_crossing c;
    double t0 = 0.1 * (ROW - 1) + 0.02 * (_i + 0.5);
    open_bends(&b, 0.1 * (ROW - 2) + 0.03);
    b.at[1] = 0.1 * (ROW - 0.5);
    fill(x, &b, t0, t);
    ck_assert(darc_steps_crossing(&c, &b.s, 1, 0, x, t));
    ck_assert_double_eq_tol(c.at, t0, 1e-9);
    for (int j = 0; j < DARC_CROSSING_NODES; j++) {
        darc_crossing moved;
        const double small = 1e-5;
        x[ROW - 2 + j] += small;
        ck_assert(darc_steps_crossing(&moved, &b.s, 1, 0, x, t));
        x[ROW - 2 + j] -= small;
        ck_assert_double_eq_tol((moved.at - c.at) / small, c.slope[j], 2e-3);
    }
    darc_table_free(t);
}
END_TEST

/* Between two other crossings nobody knows. */
START_TEST(one_crossing_at_a_time)
{
    darc_table *t = derivation_table(N, 0.1);
    bends b;
    double x[N];
    darc_crossing c;
    open_bends(&b, 0.1 * (ROW - 2) + 0.03);
    for (int way = 0; way < 4; way++) {
        fill(x, &b, 0.1 * (ROW - 0.3), t);
        x[ROW - 2] = way == 0 ? 0.1 : way == 1 ? NAN : x[ROW - 2];
        x[ROW + 1] = way == 2 ? -0.1 : x[ROW + 1];
        ck_assert_int_eq(darc_steps_crossing(&c, &b.s, 1, 0, x, t), way == 3);
    }
    darc_table_free(t);
}
END_TEST

Suite *suite_crossing(void)
{
    Suite *s = suite_create("crossing");
    TCase *c = tcase_create("places");
    tcase_add_loop_test(c, a_bend_does_not_move_the_place, 0, 5);
    tcase_add_test(c, one_crossing_at_a_time);
    suite_add_tcase(s, c);
    return s;
}
