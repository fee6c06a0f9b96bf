/* Instruments keep the level whatever the colour of the noise, where least
 * squares does not; and find what is there. */
#include "tests.h"

#include "draw.h"
#include "stats/twostage.h"

enum { N = 300 };

/* y + 2 x1 + share x2 + e = 0; both columns carry the noise of y, of this
 * pole. */
static bool draw(darc_twostage *out, double pole, double share, double shown,
                 uint64_t *state)
{
    double y[N], x[2][N], z[2][N], e = 0, a = 0, b = 0;
    bool torn[N] = {false};
    for (int k = 0; k < N; k++) {
        e = pole * e + draw_normal(state);
        a = 0.7 * a + draw_normal(state);
        b = 0.8 * b + draw_normal(state);
        z[0][k] = a;
        z[1][k] = b;
        x[0][k] = 3 * shown * a + e;
        x[1][k] = 3 * b - e;
        y[k] = -2 * x[0][k] - share * x[1][k] - e;
        torn[k] = k == N / 2;
    }
    darc_twostage_task t = {N, 2, y, *x, *z, torn};
    return darc_twostage_test(out, &t);
}

/* Of 300 at .05 more than 29 have p = .0004. */
START_TEST(the_level_is_kept)
{
    static const double pole[] = {0, 0.5, 0.9, 0.99};
    uint64_t state = 11;
    int wrong = 0;
    for (int run = 0; run < 300; run++) {
        darc_twostage t;
        ck_assert(draw(&t, pole[_i], 0, 1, &state));
        wrong += t.p_value < 0.05;
        ck_assert_double_gt(t.sd, 0);
        ck_assert_double_eq(t.t, t.value / t.sd);
    }
    ck_assert_int_le(wrong, 29);
}
END_TEST

START_TEST(what_is_there_is_found)
{
    uint64_t state = 12;
    for (int run = 0; run < 20; run++) {
        darc_twostage t;
        ck_assert(draw(&t, 0.9, 0.4, 1, &state));
        ck_assert_double_lt(t.p_value, 1e-3);
        ck_assert_double_lt(fabs(t.value - 0.4), 5 * t.sd);
    }
}
END_TEST

/* What wanders as slowly as the recording is long has its power where no
 * frequency shows how much it is. */
START_TEST(slow_noise_is_no_slow_term)
{
    uint64_t state = 14;
    int wrong = 0;
    for (int run = 0; run < 200; run++) {
        double y[N], x[N], z[N], e = 0, a = 0;
        bool torn[N] = {false};
        for (int k = 0; k < N; k++) {
            e += 0.1 * draw_normal(&state);
            a += draw_normal(&state);
            z[k] = x[k] = a;
            y[k] = 10 + e + draw_normal(&state);
        }
        darc_twostage_task t = {N, 1, y, x, z, torn};
        darc_twostage said;
        wrong += darc_twostage_test(&said, &t) && said.p_value < 0.05;
    }
    ck_assert_int_le(wrong, 22);
}
END_TEST

START_TEST(weak_instruments_say_nothing)
{
    uint64_t state = 13;
    darc_twostage t;
    ck_assert(!draw(&t, 0.5, 0, 0, &state));
}
END_TEST

Suite *suite_twostage(void)
{
    Suite *s = suite_create("twostage");
    TCase *c = tcase_create("twostage");
    tcase_add_loop_test(c, the_level_is_kept, 0, 4);
    tcase_add_test(c, what_is_there_is_found);
    tcase_add_test(c, slow_noise_is_no_slow_term);
    tcase_add_test(c, weak_instruments_say_nothing);
    suite_add_tcase(s, c);
    return s;
}
