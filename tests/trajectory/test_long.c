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

static void ask(asked *a, const loop *l)
{
    darc_err err;
    darc_forcing f;
    a->model = model_of(lag);
    a->table = simulation_make(&lag_run);
    run_loop(a->table, l);
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
    suite_add_tcase(s, tc);
    return s;
}
