/* Campaigns of short recordings. */
#include "tests.h"

#include "diagnose/drift_trajectory.h"
#include "models.h"
#include "simulation.h"

#include <math.h>
#include <string.h>

static const char cup[] = "parameters\n    k E unused\nstates\n    T z = 0\n"
                          "outputs\n    y\nequations\n    T' = -k*(T - E)\n"
                          "    z' = unused*T\n    y = T\n";

enum { MANY = 7 };

/* Follow recordings; damaged: recording 2 is. */
static void follow_all(darc_drift *out, const simulation *of, bool damaged,
                       const darc_drift_source *source)
{
    darc_model *model = model_of(of->model);
    darc_table *table[MANY];
    char *error[MANY] = {NULL}, broken[] = "is broken";
    for (int i = 0; i < MANY; i++) {
        error[i] = damaged && i == 2 ? broken : NULL;
        table[i] = error[i] == NULL ? simulation_make(of + i) : NULL;
    }
    darc_trajectory_question q = {.model = model,
                                  .table = (const darc_table *const *)table,
                                  .alpha = .01,
                                  .seed = 1};
    darc_drift_source own = source != NULL ? *source : (darc_drift_source){0};
    own.recordings = MANY;
    ck_assert_int_eq(darc_drift_trajectory(out, &q, &own, error, NULL),
                     DARC_OK);
    for (int i = 0; i < MANY; i++)
        darc_table_free(table[i]);
    darc_model_free(model);
}

/* Cups of 13 samples; from `from` on they cool by k times 1.2, and each by
 * `slope` faster than the one before. */
static void follow(darc_drift *out, int from, double slope, bool damaged,
                   const darc_drift_source *source)
{
    simulation of[MANY];
    char param[MANY][64];
    for (unsigned i = 0; i < MANY; i++) {
        double k = .05 * (1 + .2 * ((int)i >= from)) * (1 + slope * i);
        snprintf(param[i], sizeof param[i], "k=%.17g E=20 unused=1", k);
        of[i] = (simulation){.model = cup,
                             .input = "",
                             .param = param[i],
                             .init = i % 2 == 0 ? "T=90" : "T=80",
                             .t_end = 60,
                             .rate = .2,
                             .noise = .005,
                             .rtol = 1e-10,
                             .seed = 41 + i};
    }
    follow_all(out, of, damaged, source);
}

static bool any_differs(const darc_drift *d)
{
    for (int i = 0; i < d->recordings; i++)
        if (d->recording[i].verdict == DARC_INCONSISTENT)
            return true;
    return false;
}

/* Of a parameter that no recording tells nothing is said. */
START_TEST(what_stays_does_not_move)
{
    darc_drift d;
    follow(&d, MANY, 0, false, NULL);
    ck_assert_int_eq(d.points + d.trends, 0);
    ck_assert(!any_differs(&d));
    ck_assert_int_eq(d.functions, 2);
    ck_assert_str_eq(d.function[0], "k");
    ck_assert(fabs(d.recording[3].change[0].value / .05 - 1) < .1);
    darc_drift_clear(&d);
}
END_TEST

START_TEST(a_step_is_dated)
{
    darc_drift d;
    follow(&d, 4, 0, true, NULL);
    ck_assert_int_eq(d.points, 1);
    ck_assert_int_eq(d.point->recording, 4);
    ck_assert_int_eq(d.point->function, 0);
    ck_assert(fabs(d.point->relative - .2) < 3 * d.point->sd);
    ck_assert(d.point->sd < .008);
    ck_assert(d.recording[2].damaged);
    ck_assert_int_eq(d.damaged, 1);
    for (int i = 4; i < MANY; i++)
        ck_assert_int_eq(d.recording[i].verdict, DARC_INCONSISTENT);
    ck_assert_int_ne(d.recording[1].verdict, DARC_INCONSISTENT);
    darc_drift_clear(&d);
}
END_TEST

/* No recording tells all four rates of a drug that is swallowed for certain,
 * nor do all together; but that one of them changed, and which, shows. */
START_TEST(what_moves_alone_is_told)
{
    darc_drift d;
    simulation of[MANY];
    for (unsigned i = 0; i < MANY; i++)
        of[i] = (simulation){
            .model = "parameters\n    ka ke k12 k21\nstates\n"
                     "    g c = 0 q = 0\noutputs\n    y\nequations\n"
                     "    g' = -ka*g\n    c' = ka*g - (ke + k12)*c + k21*q\n"
                     "    q' = k12*c - k21*q\n    y = c\n",
            .input = "",
            .param = i < 4 ? "ka=1.2 ke=.25 k12=.4 k21=.3"
                           : "ka=1.5 ke=.25 k12=.4 k21=.3",
            .init = i % 2 == 0 ? "g=10" : "g=15",
            .t_end = 24,
            .rate = .625,
            .noise = .01,
            .rtol = 1e-10,
            .seed = 17 + i};
    follow_all(&d, of, false, NULL);
    ck_assert_int_eq(d.points, 1);
    ck_assert_int_eq(d.point->recording, 4);
    ck_assert_str_eq(d.function[d.point->function], "ka");
    ck_assert(fabs(d.point->relative - .25) < 3 * d.point->sd);
    ck_assert(d.point->sd < .08);
    darc_drift_clear(&d);
}
END_TEST

START_TEST(a_line_is_told)
{
    darc_drift d;
    follow(&d, MANY, .06, false, NULL);
    ck_assert_int_eq(d.trends, 1);
    ck_assert_int_eq(d.trend->function, 0);
    ck_assert(fabs(d.trend->per_recording - .05) < .015);
    darc_drift_clear(&d);
}
END_TEST

/* A covariate that goes with the parameter explains it; groups have baselines
 * of their own. */
START_TEST(covariates_and_groups_count)
{
    darc_drift d;
    const double with[MANY] = {0, 0, 0, 0, 1, 1, 1};
    const int of[MANY] = {0, 0, 0, 0, 1, 1, 1};
    follow(&d, 4, 0, false,
           &(darc_drift_source){.covariates = 1, .covariate = with});
    ck_assert_int_eq(d.points + d.trends, 0);
    ck_assert(!any_differs(&d));
    ck_assert_int_eq(d.slopes, 2);
    ck_assert(fabs(d.slope->relative - log(1.2)) < .1);
    darc_drift_clear(&d);
    follow(&d, 4, 0, false, &(darc_drift_source){.groups = 2, .group = of});
    ck_assert_int_eq(d.points + d.trends, 0);
    ck_assert(!any_differs(&d));
    ck_assert_int_eq(d.recording[6].baseline, 4);
    darc_drift_clear(&d);
}
END_TEST

START_TEST(a_campaign_needs_its_baseline)
{
    darc_drift d;
    darc_err err;
    char broken[] = "is broken", *error[] = {broken, NULL};
    const darc_drift_source source = {.recordings = 2};
    darc_err_init(&err);
    ck_assert_int_eq(darc_drift_trajectory(&d, &(darc_trajectory_question){0},
                                           &source, error, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "is broken"));
}
END_TEST

/* Follow tanks of which the last ones fill faster, with more steps of what
 * fills them than samples: their times cannot be sought. */
static void follow_steps(darc_drift *out, const bool *held)
{
    static const char tank[] = "parameters\n    a b\ninputs\n    u\noutputs\n"
                               "    y\nequations\n    y' = a*u - b*y\n";
    darc_model *model = model_of(tank);
    darc_table *table[MANY];
    char *error[MANY] = {NULL};
    for (unsigned i = 0; i < MANY; i++) {
        table[i] = simulation_make(&(simulation){
            .model = tank,
            .input = "u=constant:.3+step:.5,1+step:-.6,2+step:.4,4+step:.3,5+"
                     "step:-.7,6+step:.5,8+step:-.3,9+step:.6,11+step:-.4,12",
            .param = i < 4 ? "a=1 b=.4" : "a=1.5 b=.4",
            .init = "y=.4",
            .t_end = 14,
            .rate = 1,
            .noise = .005,
            .rtol = 1e-10,
            .seed = 61 + i});
        int y = darc_table_find(table[i], "y");
        for (size_t k = 1; k < table[i]->samples; k += 2)
            table[i]->signal[y].value[k] = NAN;
    }
    darc_trajectory_question q = {.model = model,
                                  .table = (const darc_table *const *)table,
                                  .held = held,
                                  .alpha = .01,
                                  .seed = 1};
    darc_drift_source own = {.recordings = MANY};
    ck_assert_int_eq(darc_drift_trajectory(out, &q, &own, error, NULL),
                     DARC_OK);
    for (int i = 0; i < MANY; i++)
        darc_table_free(table[i]);
    darc_model_free(model);
}

/* What steps that may come between samples make is no drift. */
START_TEST(steps_of_inputs_may_be_what_moves)
{
    darc_drift d;
    bool held[16];
    follow_steps(&d, NULL);
    ck_assert_int_eq(d.points + d.trends, 0);
    ck_assert(!any_differs(&d));
    darc_drift_clear(&d);
    memset(held, true, sizeof held);
    follow_steps(&d, held);
    ck_assert_int_ge(d.points, 1);
    ck_assert(any_differs(&d));
    darc_drift_clear(&d);
}
END_TEST

Suite *suite_drift_trajectory(void)
{
    Suite *s = suite_create("drift_trajectory");
    TCase *tc = tcase_create("drift_trajectory");
    tcase_add_test(tc, what_stays_does_not_move);
    tcase_add_test(tc, a_step_is_dated);
    tcase_add_test(tc, what_moves_alone_is_told);
    tcase_add_test(tc, a_line_is_told);
    tcase_add_test(tc, covariates_and_groups_count);
    tcase_add_test(tc, a_campaign_needs_its_baseline);
    tcase_add_test(tc, steps_of_inputs_may_be_what_moves);
    suite_add_tcase(s, tc);
    return s;
}
