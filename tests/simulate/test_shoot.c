/* Doses: in the language, in simulations, in trajectories. */
#include "tests.h"

#include "models.h"
#include "simulation.h"
#include "trajectory/trajectory.h"

#include <math.h>

/* A drug is swallowed, and injected into the blood. */
static const char drug[] = "parameters\n    ka ke F\n"
                           "inputs\n    D dose\n    B dose\n"
                           "states\n    g = 0\n    c = 0\noutputs\n    y\n"
                           "equations\n    g' = -ka*g\n    c' = ka*g - ke*c\n"
                           "    g += F*D\n    c += B\n    y = c\n";

static const simulation twice = {.model = drug,
                                 .input = "D=dose:100,0,12,3 B=dose:50,6",
                                 .param = "ka=1.1 ke=.15 F=.7",
                                 .init = "",
                                 .t_end = 48,
                                 .rate = 1,
                                 .noise = 0,
                                 .rtol = 1e-11,
                                 .seed = 1};

/* What is in the blood t after a dose of 1 was swallowed. */
static double bateman(double t, double ka, double ke)
{
    return t < 0 ? 0 : ka / (ka - ke) * (exp(-ke * t) - exp(-ka * t));
}

START_TEST(simulations_take_doses_up)
{
    darc_table *t = simulation_make(&twice);
    const double *d = t->signal[0].value, *y = t->signal[2].value;
    for (int i = 0; i < 48; i++) {
        double sum = i < 6 ? 0 : 50 * exp(-.15 * (i - 6));
        for (int k = 0; k < 3; k++)
            sum += 70 * bateman(i - 12 * k, 1.1, .15);
        ck_assert_msg(fabs(y[i] - sum) < 1e-8, "%d: %.12g %.12g", i, y[i], sum);
        ck_assert_double_eq(d[i], i % 12 == 0 && i < 36 ? 100 : 0);
    }
    darc_table_free(t);
}
END_TEST

static void refused(const simulation *s, const char *why)
{
    darc_table *t;
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_ne(simulation_run(&t, s, &err), DARC_OK);
    ck_assert_msg(strstr(err.message, why) != NULL, "%s", err.message);
}

START_TEST(doses_that_are_none_are_refused)
{
    simulation s = twice;
    s.input = "D=dose:100,0.5 B=dose:1,0";
    refused(&s, "between samples");
    s.input = "D=sine:1,.1 B=dose:1,0";
    refused(&s, "is given in doses");
    s.model = "parameters\n    k\ninputs\n    u\nstates\n    x\noutputs\n"
              "    y\nequations\n    x' = u - k*x\n    y = x\n";
    s.param = "k=1";
    s.input = "u=dose:1,0";
    refused(&s, "inputs u dose");
    s.model = "parameters\n    k\ninputs\n    u dose\nstates\n    x = 1\n"
              "outputs\n    y\nequations\n    x' = u*x - k*x\n    y = x\n";
    refused(&s, "no amount that a state takes up");
}
END_TEST

/* From samples between doses, those rows that hold doses having none. */
START_TEST(trajectories_take_doses_up)
{
    darc_model *model = model_of(drug);
    darc_table *t = simulation_make(&twice);
    darc_trajectory x;
    for (size_t i = 0; i < t->samples; i++)
        if (i % 3 == 0) {
            t->signal[2].value[i] = NAN;
            for (int u = 0; u < 2; u++)
                if (!(t->signal[u].value[i] > 0))
                    t->signal[u].value[i] = NAN;
        }
    darc_trajectory_question q = {.model = model,
                                  .recordings = 1,
                                  .table = (const darc_table *const *)&t,
                                  .alpha = .01,
                                  .seed = 1};
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    const double truth[] = {1.1, .15, .7};
    for (int k = 0; k < 3; k++)
        ck_assert(fabs(x.match.theta[k] / truth[k] - 1) < 1e-5);
    darc_trajectory_clear(&x);
    darc_table_free(t);
    darc_model_free(model);
}
END_TEST

START_TEST(outputs_that_never_move_are_refused)
{
    darc_model *model = model_of(drug);
    darc_table *t = simulation_make(&twice);
    darc_trajectory x;
    darc_err err;
    darc_err_init(&err);
    for (size_t i = 0; i < t->samples; i++)
        t->signal[2].value[i] = i % 2 == 0 ? 3 : NAN;
    darc_trajectory_question q = {.model = model,
                                  .recordings = 1,
                                  .table = (const darc_table *const *)&t,
                                  .alpha = .01,
                                  .seed = 1};
    ck_assert_int_eq(darc_trajectory_init(&x, &q, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "no output moves"));
    darc_table_free(t);
    darc_model_free(model);
}
END_TEST

Suite *suite_shoot(void)
{
    Suite *s = suite_create("shoot");
    TCase *tc = tcase_create("shoot");
    tcase_add_test(tc, simulations_take_doses_up);
    tcase_add_test(tc, doses_that_are_none_are_refused);
    tcase_add_test(tc, trajectories_take_doses_up);
    tcase_add_test(tc, outputs_that_never_move_are_refused);
    suite_add_tcase(s, tc);
    return s;
}
