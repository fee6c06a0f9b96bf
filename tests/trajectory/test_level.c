/* What noise is made of, as trajectories leave it. */
#include "tests.h"

#include "base/mem.h"
#include "base/random.h"
#include "models.h"
#include "simulation.h"
#include "trajectory/compare.h"

#include <math.h>

static const char charge[] = "parameters\n    a b\nstates\n    v\n"
                             "outputs\n    y\nequations\n    v' = a - b*v\n"
                             "    y = v\n";

enum { MANY = 4 };

/* Set the levels of charging curves of 15 samples, which begin at size[i] and
 * end near 5, each with white noise of sd[i]. */
static void levels_of(darc_level *level, bool apart, const double *size,
                      const double *sd, uint64_t seed)
{
    darc_model *model = model_of(charge);
    darc_table *table[MANY];
    darc_trajectory x;
    darc_comparing c;
    darc_random r;
    char init[32];
    darc_random_init(&r, seed, 0);
    for (int i = 0; i < MANY; i++) {
        snprintf(init, sizeof init, "v=%.17g", size[i]);
        table[i] = simulation_make(&(simulation){.model = charge,
                                                 .input = "",
                                                 .param = "a=2 b=.4",
                                                 .init = init,
                                                 .t_end = 15,
                                                 .rate = 1,
                                                 .rtol = 1e-10});
        for (size_t k = 0; k < table[i]->samples; k++)
            table[i]->signal[0].value[k] += sd[i] * darc_random_normal(&r);
    }
    darc_trajectory_question q = {.model = model,
                                  .recordings = MANY,
                                  .table = (const darc_table *const *)table,
                                  .alpha = .01,
                                  .seed = 1};
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    if (apart) {
        ck_assert_int_eq(darc_comparing_init(&c, &x, NULL, NULL), DARC_OK);
        ck_assert_double_gt(c.p_value, .01);
        /* what is left is that of samples less unknowns */
        ck_assert_double_eq_tol(c.apart.square, (double)(x.run->n - 3) * MANY,
                                1);
        darc_comparing_clear(&c);
    }
    *level = x.sought.level[0];
    darc_trajectory_clear(&x);
    for (int i = 0; i < MANY; i++)
        darc_table_free(table[i]);
    darc_model_free(model);
}

/* Where each recording begins anywhere, its first samples are matched by that:
 * a likelihood that counts them would take white noise for one that grows. */
START_TEST(white_noise_does_not_grow)
{
    static const double size[] = {.02, .05, .1, .2};
    static const double sd[] = {.05, .05, .05, .05};
    for (uint64_t seed = 7; seed <= 12; seed++) {
        darc_level level;
        levels_of(&level, true, size, sd, seed);
        ck_assert_double_eq(level.grows, 0);
        ck_assert_int_eq(level.runs, DARC_LEVEL_SAME);
        ck_assert_double_eq_tol(level.level, .05, .013); /* of 48 dof */
    }
}
END_TEST

/* Recordings have levels of their own, in proportion or not: none differs. */
START_TEST(recordings_may_have_levels_of_their_own)
{
    static const double size[] = {1, 60, 5, 200};
    static const double in_share[] = {.05, .4, .06, 1.2};
    static const double loud[] = {.02, .02, .5, .02};
    darc_level level;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        levels_of(&level, false, size, in_share, seed);
        ck_assert_int_eq(level.runs, DARC_LEVEL_SHARES);
        levels_of(&level, true, (double[]){1, .9, .8, .7}, loud, seed);
        ck_assert_int_eq(level.runs, DARC_LEVEL_APART);
    }
}
END_TEST

Suite *suite_level(void)
{
    Suite *s = suite_create("level");
    TCase *tc = tcase_create("level");
    tcase_add_test(tc, white_noise_does_not_grow);
    tcase_add_test(tc, recordings_may_have_levels_of_their_own);
    suite_add_tcase(s, tc);
    return s;
}
