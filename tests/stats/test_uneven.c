#include "draw.h"
#include "tests.h"

#include "stats/uneven.h"

#include <math.h>

enum { ROOM = 4000 };

/* Samples up to `end`, by a rule each. */
static int evenly(double *x, int end)
{
    for (int i = 0; i < end; i++)
        x[i] = i;
    return end;
}

static int with_a_hole(double *x, int end)
{
    int n = 0;
    for (int i = 0; i < end; i++)
        if (i <= 50 || i >= 56)
            x[n++] = i;
    return n;
}

static int at_random(double *x, int end)
{
    uint64_t seed = 5;
    int n = 0;
    for (double t = 0; t < end; t -= log(draw_uniform(&seed)))
        x[n++] = t;
    return n;
}

static int with_a_crowd(double *x, int end)
{
    int n = 0;
    for (int i = 0; i < end; i++) {
        x[n++] = i;
        for (int k = 1; k < 100 && i >= 50 && i < 60; k++)
            x[n++] = i + k / 100.0;
    }
    return n;
}

/* Return the largest error of a sine read at the places; *noise: the largest
 * sum of squared weights, *most: the most nodes. */
static double read_sine(double *noise, int *most,
                        int (*lay)(double *x, int end), double turn)
{
    enum { PLACES = 120 };
    darc_uneven l = {.n = 0};
    double worst = 0;
    darc_uneven_init(&l, ROOM, PLACES);
    l.n = lay(l.x, PLACES);
    darc_uneven_find(&l, PLACES, 1, turn);
    *noise = 0;
    *most = 0;
    for (int i = 12; i < PLACES - 12; i++) {
        double sum = 0, squares = 0;
        for (int j = 0; j < l.count[i]; j++) {
            double w = l.weight[l.at[i] + (size_t)j];
            sum += w * sin(turn * l.x[l.from[i] + j] + 0.3);
            squares += w * w;
        }
        worst = fmax(worst, fabs(sum - sin(turn * i + 0.3)));
        *noise = fmax(*noise, squares);
        *most = l.count[i] > *most ? l.count[i] : *most;
    }
    darc_uneven_clear(&l);
    return worst;
}

START_TEST(sines_are_read_between_samples)
{
    double noise;
    int most;
    ck_assert_double_lt(read_sine(&noise, &most, evenly, 0.2), 1e-12);
    ck_assert_int_eq(most, DARC_UNEVEN_NODES);
    ck_assert_double_eq_tol(noise, 1, 1e-9);
    ck_assert_double_lt(read_sine(&noise, &most, with_a_hole, 0.16), 2e-3);
    ck_assert_double_lt(noise, 1.5);
    /* the longest hole is of 7 places */
    ck_assert_double_lt(read_sine(&noise, &most, at_random, 0.16), 1e-2);
    ck_assert_double_lt(noise, 4);
}
END_TEST

START_TEST(of_a_crowd_none_is_lost)
{
    double noise;
    int most;
    ck_assert_double_lt(read_sine(&noise, &most, with_a_crowd, 0.2), 2e-3);
    ck_assert_int_gt(most, 700);
}
END_TEST

Suite *suite_uneven(void)
{
    Suite *s = suite_create("uneven");
    TCase *c = tcase_create("uneven");
    tcase_add_test(c, sines_are_read_between_samples);
    tcase_add_test(c, of_a_crowd_none_is_lost);
    suite_add_tcase(s, c);
    return s;
}
