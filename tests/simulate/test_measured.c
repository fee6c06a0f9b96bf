/* Functions in equations and derived signals, simulated. */
#include "tests.h"

#include "simulation.h"

#include <math.h>
#include <string.h>

/* Functions in equations: the unknowns that stand for them begin where the
 * functions do.  x' = exp(-x): x = log(t + e^x0); q' = -k sqrt(q):
 * sqrt(q) = sqrt(q0) - k t / 2; z' = sin(p) z. */
START_TEST(functions_in_closed_form)
{
    simulation j = {.model = "states x q z\nparameters k p\noutputs y1 y2 y3\n"
                             "equations\n x' = exp(-x)\n q' = -k*sqrt(q)\n"
                             " z' = sin(p)*z\n y1 = x\n y2 = q\n y3 = z\n",
                    .param = "k=0.3 p=2.5",
                    .init = "x=0.4 q=2.25 z=1",
                    .input = "",
                    .t_end = 2,
                    .rate = 50};
    darc_table *table = simulation_make(&j);
    for (size_t i = 0; i < table->samples; i++) {
        double t = darc_table_time(table, i), r = 1.5 - 0.15 * t;
        ck_assert(fabs(table->signal[0].value[i] - log(t + exp(0.4))) < 1e-10);
        ck_assert(fabs(table->signal[1].value[i] - r * r) < 1e-10);
        ck_assert(fabs(table->signal[2].value[i] - exp(sin(2.5) * t)) < 1e-9);
    }
    darc_table_free(table);
}
END_TEST

/* A pendulum keeps w^2/2 - g/l cos(th), and th is what sin(y) is taken of. */
START_TEST(pendulum_keeps_its_energy)
{
    simulation j = {.model = "states th w\nparameters g l\noutputs y v\n"
                             "equations\n th' = w\n w' = -g/l*sin(y)\n"
                             " y = th\n v = w\n",
                    .param = "g=9.81 l=0.7",
                    .init = "th=2.1 w=0.5",
                    .input = "",
                    .t_end = 5,
                    .rate = 100};
    darc_table *table = simulation_make(&j);
    double start = 0.125 - 9.81 / 0.7 * cos(2.1);
    for (size_t i = 0; i < table->samples; i++) {
        double th = table->signal[0].value[i], w = table->signal[1].value[i];
        ck_assert(fabs(w * w / 2 - 9.81 / 0.7 * cos(th) - start) < 1e-8);
    }
    darc_table_free(table);
}
END_TEST

START_TEST(functions_without_a_value_at_the_start)
{
    simulation j = {.model = "states x\nparameters k\noutputs y\nequations\n"
                             " x' = -k*log(x)\n y = x\n",
                    .param = "k=1",
                    .init = "x=0",
                    .input = "",
                    .t_end = 1,
                    .rate = 10};
    simulation_refuse(
        &j, DARC_MODEL,
        "'log_x', which stands for log(x), has no value at the start; give "
        "other initial values or its own by --init");
    j.model = "states x\nparameters k\noutputs y\nequations\n"
              " x' = -sqrt(k)*x\n y = x\n";
    j.param = "k=-1";
    simulation_refuse(
        &j, DARC_MODEL,
        "'sqrt_k', which stands for k^(1/2), has no value for these "
        "parameters");
}
END_TEST

/* A tank runs empty, and the pump goes on. */
START_TEST(functions_that_lose_their_value)
{
    simulation j = {.model = "states x\nparameters k\ninputs u\noutputs y\n"
                             "equations\n x' = u - k*sqrt(x)\n y = x\n",
                    .param = "k=1",
                    .init = "x=1",
                    .input = "u=sine:1.5,0.5",
                    .t_end = 20,
                    .rate = 10};
    darc_err err;
    darc_err_init(&err);
    darc_table *t;
    ck_assert_int_eq(simulation_run(&t, &j, &err), DARC_DOMAIN);
    ck_assert_msg(
        strstr(err.message, "leaves the domain of x^(1/2) before t") != NULL ||
            strstr(err.message, "does not go on past t = ") != NULL,
        "%s", err.message);
    j.input = "u=sine:0.2,0.5+constant:0.5";
    darc_table_free(simulation_make(&j));
}
END_TEST

/* Derived signals follow the states: Coulomb friction against a spring while
 * it slides, x = 1 + (x0 - 1) cos t for x'' = -x + 1 from x0; a delayed
 * input. */
START_TEST(derived_signals)
{
    simulation j = {.model = "model f\nstates\n x\nparameters\n r\ninputs\n u\n"
                             "outputs\n y z\nderived\n s = sign(y')\n"
                             " v = delay(u, 0.25)\nequations\n x'' = -x - r*s\n"
                             " y = x\n z = x' + v\n",
                    .param = "r=1",
                    .init = "x=5 x'=-1e-9",
                    .input = "u=sine:1,0.3",
                    .t_end = 3.1, /* until it stops at t = pi */
                    .rate = 50};
    darc_table *t = simulation_make(&j);
    ck_assert_int_eq(t->signals, 3);
    for (size_t i = 0; i < t->samples; i++) {
        double s = (double)i / 50, v = sin(0.6 * acos(-1) * (s - 0.25));
        ck_assert_double_eq_tol(t->signal[1].value[i], 1 + 4 * cos(s), 1e-8);
        ck_assert_double_eq_tol(t->signal[2].value[i], v - 4 * sin(s), 1e-8);
    }
    darc_table_free(t);
}
END_TEST

/* The second derivative of an output, y'' = cos t, in a derived signal that
 * drives w' = -w / (1 + cos^2 t). */
START_TEST(derived_signals_of_derivatives)
{
    darc_table *t = simulation_make(&(simulation){
        .model = "model g\nstates\n x w\nparameters\n r\n"
                 "outputs\n y z\nderived\n q = y''\n p = 1/(1 + q^2)\n"
                 "equations\n der(x, 3) = -x'\n w' = -r*w*p\n"
                 " y = x\n z = w\n",
        .param = "r=1",
        .init = "x''=1 w=2",
        .input = "",
        .t_end = 1.5,
        .rate = 50});
    for (size_t i = 0; i < t->samples; i++) {
        double phase = atan(tan((double)i / 50) / sqrt(2)) / sqrt(2);
        ck_assert_double_eq_tol(t->signal[1].value[i], 2 * exp(-phase), 1e-10);
    }
    darc_table_free(t);
}
END_TEST

/* x falls by 2 a second to 1, where the table ends and the other branch begins,
 * then by 1; z is the integral of x from the start. */
START_TEST(choices_and_integrals)
{
    darc_table *t = simulation_make(&(simulation){
        .model = "states x\nparameters k\noutputs y z\nequations\n"
                 " x' = -k*(if y > 1 then table(y; 1 2, 5 2) else 1)\n"
                 " y = x\n z = int(x)\n",
        .param = "k=1",
        .init = "x=3",
        .input = "",
        .t_end = 1.5,
        .rate = 50});
    for (size_t i = 0; i < t->samples; i++) {
        double s = (double)i / 50, x = s < 1 ? 3 - 2 * s : 2 - s;
        double z = s < 1 ? 3 * s - s * s : 2 * s - s * s / 2 + 0.5;
        ck_assert_double_eq_tol(t->signal[0].value[i], x, 1e-5);
        ck_assert_double_eq_tol(t->signal[1].value[i], z, 1e-5);
    }
    darc_table_free(t);
}
END_TEST

START_TEST(derived_signals_that_cannot_be_simulated)
{
    simulation j = {.model =
                        "model f\nstates\n x\nparameters\n r\noutputs\n y\n"
                        "derived\n s = delay(y, 0.1)\nequations\n"
                        " x' = -r*s\n y = x\n",
                    .param = "r=1",
                    .init = "",
                    .input = "",
                    .t_end = 1,
                    .rate = 50};
    simulation_refuse(&j, DARC_MODEL,
                      "derived signal 's' cannot be simulated: it is a mean, "
                      "or more than the "
                      "delay of an input, or looks up a table");
    j.model = "model f\nstates\n x\nparameters\n r\noutputs\n y\n"
              "derived\n s = sign(y')\nequations\n x' = -r*s\n y = x\n";
    simulation_refuse(
        &j, DARC_MODEL,
        "derived signals cannot be simulated from a derivative of output "
        "'y' that depends on 's' itself");
    j.model = "model f\nstates\n x\nparameters\n r\noutputs\n y\n"
              "derived\n s = sign(y)\nequations\n x' = -r*s'\n y = x\n";
    simulation_refuse(
        &j, DARC_MODEL,
        "derived signal 's' cannot be simulated: the equations need its "
        "derivative");
    j.model = "model f\nstates\n x\nparameters\n r\noutputs\n y\n"
              "derived\n s = int(y)\nequations\n x' = -r*s\n y = x\n";
    simulation_refuse(&j, DARC_MODEL,
                      "derived signal 's' cannot be simulated: it is an "
                      "integral; declare a state, whose derivative its "
                      "argument is");
}
END_TEST

Suite *suite_measured(void)
{
    Suite *s = suite_create("measured");
    TCase *c = tcase_create("measured");
    tcase_add_test(c, functions_in_closed_form);
    tcase_add_test(c, pendulum_keeps_its_energy);
    tcase_add_test(c, functions_without_a_value_at_the_start);
    tcase_add_test(c, functions_that_lose_their_value);
    tcase_add_test(c, derived_signals);
    tcase_add_test(c, derived_signals_of_derivatives);
    tcase_add_test(c, choices_and_integrals);
    tcase_add_test(c, derived_signals_that_cannot_be_simulated);
    suite_add_tcase(s, c);
    return s;
}
