#include "tests.h"

#include "base/random.h"
#include "models.h"
#include "simulation.h"
#include "trajectory/long.h"
#include "trajectory/verdict.h"

#include <math.h>
#include <string.h>

static const char lag[] = "parameters\n    T K\ninputs\n    u\noutputs\n    y\n"
                          "equations\n    T*y' + y = K*u\n";

static const simulation lag_run = {.model = lag,
                                   .input = "u=constant:0",
                                   .param = "T=1 K=1.5",
                                   .init = "y=0",
                                   .t_end = 35,
                                   .rate = 20,
                                   .noise = 0,
                                   .rtol = 1e-8,
                                   .seed = 1};

/* A loop with a PI controller, whose command is held. */
typedef struct {
    bool late;   /* it acts a sample later */
    double cube; /* that the model lacks: T*y' + y + cube*y^3 = K*u */
    double keep; /* of noise, from sample to sample: AR(1) */
    unsigned seed;
} loop;

static void run_loop(darc_table *t, const loop *l)
{
    double *u = t->signal[darc_table_find(t, "u")].value;
    double *y = t->signal[darc_table_find(t, "y")].value;
    double x = 0, e = 0, z = 0, before = 0, h = t->dt / 20;
    darc_random r;
    darc_random_init(&r, l->seed, 5);
    for (size_t i = 0; i < t->samples; i++) {
        double w = (double)(1 + i / 150 % 3) / 3;
        e = l->keep * e + .02 * darc_random_normal(&r);
        y[i] = x + e;
        z += .8 * t->dt * (w - y[i]);
        u[i] = .8 * (w - y[i]) + z;
        for (int k = 0; k < 20; k++)
            x +=
                h * (1.5 * (l->late ? before : u[i]) - x - l->cube * x * x * x);
        before = u[i];
    }
}

typedef struct {
    darc_model *model;
    darc_table *table;
    const darc_table *list[1];
    darc_trajectory_question q;
    darc_trajectory x;
    darc_decision decision;
} asked;

/* Ask of the table, of lag. */
static void ask_of(asked *a)
{
    darc_err err;
    darc_forcing f;
    a->list[0] = a->table;
    a->q = (darc_trajectory_question){.model = a->model,
                                      .recordings = 1,
                                      .table = a->list,
                                      .alpha = .01,
                                      .seed = 1};
    darc_err_init(&err);
    darc_status status = darc_trajectory_init(&a->x, &a->q, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    ck_assert_int_eq(darc_forcing_init(&f, &a->x, NULL), DARC_OK);
    darc_verdict_structure(&a->decision, &f, &a->x, NAN);
    darc_forcing_clear(&f);
}

static void ask(asked *a, const loop *l)
{
    a->model = model_of(lag);
    a->table = simulation_make(&lag_run);
    run_loop(a->table, l);
    ask_of(a);
}

/* Nine steps, each so many twentieths of a sample before the one that shows
 * it. */
typedef struct {
    int early;
    double cube, keep; /* as of a loop */
    double noise;      /* standard deviation */
    unsigned seed;
} stairs;

static double step_at(size_t i)
{
    static const double level[] = {0, 1, .4, -.6, .8, -1, .2, 1.2, -.3, .5};
    return level[i / 70 % 10];
}

static void ask_stairs(asked *a, const stairs *s)
{
    a->model = model_of(lag);
    a->table = simulation_make(&lag_run);
    darc_table *t = a->table;
    double *u = t->signal[darc_table_find(t, "u")].value;
    double *y = t->signal[darc_table_find(t, "y")].value;
    double x = 0, e = 0, h = t->dt / 20, slope = 0, rest;
    darc_random r;
    darc_random_init(&r, s->seed, 5);
    rest = s->noise * sqrt(1 - s->keep * s->keep);
    for (size_t i = 0; i < t->samples; i++) {
        e = s->keep * e + rest * darc_random_normal(&r);
        y[i] = x + e;
        u[i] = step_at(i);
        for (int k = 0; k < 40; k++) {
            double in = k / 2 + s->early >= 20 ? step_at(i + 1) : u[i];
            double at = k % 2 == 0 ? x : x + h / 2 * slope;
            slope = 1.5 * in - at - s->cube * at * at * at;
            x += k % 2 == 0 ? 0 : h * slope;
        }
    }
    ask_of(a);
}

static void close_asked(asked *a)
{
    darc_trajectory_clear(&a->x);
    darc_table_free(a->table);
    darc_model_free(a->model);
}

/* Return by how many standard deviations the value of the first parameter, T,
 * is off. */
static double off_of(asked *a)
{
    darc_linear_match l;
    ck_assert(darc_linear_match_init(&l, &a->x.match));
    double sd = sqrt(l.inverse[0] * a->x.scale);
    darc_linear_match_clear(&l);
    return fabs(a->x.match.theta[0] - 1) / sd;
}

/* A command holds the noise of the output at the same sample: what reads it
 * between samples predicts noise by itself.  Held, and a sample later, are told
 * apart, and values are right; Euler's steps of a twentieth shift T by half of
 * that. */
START_TEST(commands_are_held_at_once_or_late)
{
    for (int late = 0; late < 2; late++) {
        asked a;
        ask(&a, &(loop){.late = late == 1, .seed = 7});
        ck_assert_int_eq(a.x.reading,
                         late == 1 ? DARC_READ_LATE : DARC_READ_HELD);
        ck_assert_double_lt(off_of(&a), 3.5);
        ck_assert_int_eq(a.decision.verdict, DARC_CONSISTENT);
        ck_assert_int_eq(a.x.match.pieces->nodes, 1); /* errors fade */
        close_asked(&a);
    }
}
END_TEST

/* Noise has the colour that it was made with, and no term is found for it. */
START_TEST(noise_has_a_colour)
{
    asked a;
    ask(&a, &(loop){.keep = .9, .seed = 11});
    ck_assert_ptr_nonnull(a.x.run->colour);
    ck_assert_double_eq_tol(a.x.run->colour->a[0] + a.x.run->colour->a[1], .9,
                            .15);
    ck_assert_int_ne(a.decision.verdict, DARC_INCONSISTENT);
    ck_assert_double_lt(off_of(&a), 3.5);
    close_asked(&a);
}
END_TEST

/* Steps on a clock of their own have times that are sought, those at samples
 * have not, and a term is found beside either. */
START_TEST(steps_have_times)
{
    static const stairs run[] = {
        {.early = 7, .noise = .003, .seed = 3},
        {.early = 0, .noise = .003, .seed = 4},
        {.early = 7, .noise = .003, .seed = 5, .cube = .3},
        {.early = 0, .noise = .003, .seed = 6, .cube = .3},
        {.early = 7, .noise = .003, .keep = .9, .seed = 7},
    };
    for (int i = 0; i < 5; i++) {
        asked a;
        ask_stairs(&a, run + i);
        ck_assert_int_eq(a.x.timed, run[i].early > 0);
        ck_assert(!darc_trajectory_unsure(&a.x));
        ck_assert_int_eq(a.decision.verdict,
                         run[i].cube > 0 ? DARC_INCONSISTENT : DARC_CONSISTENT);
        if (run[i].cube == 0)
            ck_assert_double_lt(off_of(&a), 3.5);
        close_asked(&a);
    }
}
END_TEST

/* Slow noise that is a good part of what is measured may be anything. */
START_TEST(what_drifts_is_no_agreement)
{
    asked a;
    ask_stairs(&a, &(stairs){.noise = .1, .keep = .98, .seed = 8});
    ck_assert_int_eq(a.decision.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(a.decision.reason, "is slow"));
    close_asked(&a);
    ask_stairs(&a, &(stairs){.noise = .01, .keep = .98, .seed = 8});
    ck_assert_int_eq(a.decision.verdict, DARC_CONSISTENT);
    close_asked(&a);
}
END_TEST

/* In 15 of 20 recordings. */
START_TEST(a_missing_term_is_found)
{
    int found = 0;
    for (unsigned seed = 14; seed < 22; seed++) {
        asked a;
        ask(&a, &(loop){.cube = .5, .seed = seed});
        found += a.decision.verdict == DARC_INCONSISTENT &&
                 strstr(a.decision.reason, "lacks") != NULL;
        close_asked(&a);
    }
    ck_assert_int_ge(found, 5);
}
END_TEST

Suite *suite_long(void)
{
    Suite *s = suite_create("long");
    TCase *tc = tcase_create("long");
    tcase_add_test(tc, commands_are_held_at_once_or_late);
    tcase_add_test(tc, noise_has_a_colour);
    tcase_add_test(tc, a_missing_term_is_found);
    tcase_add_test(tc, steps_have_times);
    tcase_add_test(tc, what_drifts_is_no_agreement);
    suite_add_tcase(s, tc);
    return s;
}
