/* What is known of a recording before anything is fitted. */
#include "tests.h"

#include "fit/regression.h"
#include "models.h"
#include "weakbench.h"

#include <string.h>

static void fill(darc_table *t, int signal, double value)
{
    for (size_t k = 0; k < t->samples; k++)
        t->signal[signal].value[k] = value;
}

/* Look at a recording as a fit does; the system is *weak. */
static darc_status look(darc_regression *r, const weakbench *b,
                        const darc_table *t, darc_err *err)
{
    darc_weak *weak;
    darc_err_init(err);
    darc_status status = darc_regression_init(r, &b->x, t, err);
    if (status != DARC_OK)
        return status;
    const darc_total_struct *total[WEAKBENCH_EQUATIONS];
    for (int q = 0; q < r->equations; q++)
        total[q] = r->total + q;
    darc_weak_data data = {.table = t,
                           .signal = r->signal,
                           .channel = r->channel,
                           .channels = r->channels,
                           .support = 60};
    ck_assert_int_eq(darc_weak_new(&weak, total, r->equations, &data, NULL),
                     DARC_OK);
    status = darc_regression_vanishes(r, weak, &b->x, t, err);
    darc_weak_free(weak);
    return status;
}

static const struct {
    const char *model;
    double a, z;
    bool moves[2];
    const char *reason;
} idle[] = {{model_quarter, 0, 0, {true, false}, "the signal 'z': it is 0"},
            {model_quarter, 0, 0, {false, true}, "the signal 'a': it is 0"},
            {"model room\nparameters\n C g h\ninputs\n a\noutputs\n z\nstates\n"
             " w\nequations\n C*w' = g*(z - w)\n z' = h*(a - z) + w - z\n",
             9.81,
             0,
             {false, true},
             "('a = 9.81' under constants"},
            {model_quarter, 0, 0, {false, false}, "no signal moves"},
            {model_quarter, 9.81, 0.1, {false, false}, "no signal moves"},
            {"model high\nparameters\n m\noutputs\n a z\nequations\n"
             " m*a'''''''''' = z\n",
             0,
             0,
             {true, true},
             "order 10"}};

START_TEST(what_does_not_excite_is_named)
{
    weakbench b;
    darc_regression r;
    darc_err err;
    weakbench_open(&b, idle[_i].model, 0);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    if (!idle[_i].moves[0])
        fill(t, 0, idle[_i].a);
    if (!idle[_i].moves[1])
        fill(t, 1, idle[_i].z);
    ck_assert_int_eq(look(&r, &b, t, &err), DARC_DATA);
    ck_assert(r.idle);
    ck_assert_msg(strstr(err.message, idle[_i].reason) != NULL, "%s",
                  err.message);
    darc_regression_clear(&r);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

START_TEST(a_signal_that_is_not_there_is_an_error)
{
    weakbench b;
    darc_regression r;
    darc_err err;
    weakbench_open(&b, model_quarter, 0);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    t->signal[1].name[0] = 'y';
    ck_assert_int_eq(look(&r, &b, t, &err), DARC_DOMAIN);
    ck_assert(!r.idle);
    ck_assert_ptr_nonnull(strstr(err.message, "no signal 'z'"));
    darc_regression_clear(&r);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* What moves is taken with its noise, or that which the user gives; an equation
 * without parameters is its two sides. */
START_TEST(signals_carry_their_noise)
{
    static const char cart[] = "model cart\nparameters\n m d\noutputs\n a z\n"
                               "equations\n a' = z\n m*z' = -d*z\n";
    weakbench b;
    darc_regression r;
    darc_err err;
    double given[16];
    weakbench_open(&b, cart, 0);
    ck_assert_int_eq(b.io->count, 2);
    const darc_names_struct *names = darc_model_names(b.model);
    int a = darc_names_find(names, "a", 1), z = darc_names_find(names, "z", 1);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    ck_assert_int_eq(look(&r, &b, t, &err), DARC_OK);
    for (int q = 0; q < 2; q++) {
        bool settled = b.io->eq[q].part->count < 2;
        ck_assert_int_eq(r.settled[q], settled);
        ck_assert_int_eq(r.total[q].coeffs, 2);
    }
    ck_assert(r.settled[0] != r.settled[1]);
    ck_assert_int_eq(r.column[a], 0);
    ck_assert_int_eq(r.column[z], 1);
    double rms = case_rms(t->signal[1].value, t->samples);
    ck_assert_double_eq_tol(r.signal[z].sd, 0.01 * rms, 0.003 * rms);
    darc_regression_clear(&r);
    for (int u = 0; u < 16; u++)
        given[u] = u == z ? 0.2 : NAN;
    b.by.noise_sd = given;
    ck_assert_int_eq(look(&r, &b, t, &err), DARC_OK);
    ck_assert_double_eq_tol(r.signal[z].sd, 0.2, 1e-12);
    ck_assert_double_lt(r.signal[a].sd,
                        0.1 * case_rms(t->signal[0].value, t->samples));
    darc_regression_clear(&r);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

START_TEST(inputs_are_told_from_outputs)
{
    weakbench b;
    darc_regression r;
    darc_err err;
    weakbench_open(&b,
                   "model driven\nparameters\n m c\ninputs\n z\noutputs\n a\n"
                   "equations\n m*a' + c*a = z\n",
                   0);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    ck_assert_int_eq(look(&r, &b, t, &err), DARC_OK);
    int inputs = 0;
    for (int j = 0; j < r.total->coeffs; j++)
        inputs += darc_regression_has_input(&b.x, r.total, j);
    ck_assert_int_eq(inputs, 1);
    darc_regression_clear(&r);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

START_TEST(copies_are_recognised)
{
    weakbench b;
    darc_regression r;
    darc_err err;
    weakbench_open(&b, model_quarter, 0);
    darc_table *t = weakbench_record(&b, &weakbench_usual),
               *u = weakbench_record(&b, &weakbench_usual);
    ck_assert_int_eq(look(&r, &b, t, &err), DARC_OK);
    ck_assert(
        darc_regression_are_copies(&r, &b.x, (const darc_table *[]){t, t}));
    ck_assert(
        !darc_regression_are_copies(&r, &b.x, (const darc_table *[]){t, u}));
    memcpy(u->signal[0].value, t->signal[0].value, t->samples * sizeof(double));
    ck_assert(
        !darc_regression_are_copies(&r, &b.x, (const darc_table *[]){t, u}));
    darc_regression_clear(&r);
    weakbench_release(t);
    weakbench_release(u);
    weakbench_close(&b);
}
END_TEST

Suite *suite_regression(void)
{
    Suite *s = suite_create("regression");
    TCase *c = tcase_create("regression");
    tcase_add_loop_test(c, what_does_not_excite_is_named, 0,
                        (int)(sizeof idle / sizeof *idle));
    tcase_add_test(c, a_signal_that_is_not_there_is_an_error);
    tcase_add_test(c, signals_carry_their_noise);
    tcase_add_test(c, inputs_are_told_from_outputs);
    tcase_add_test(c, copies_are_recognised);
    suite_add_tcase(s, c);
    return s;
}
