#include "tests.h"

#include "simulate/simulate.h"
#include "simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OSCILLATOR                                                             \
    "model o\nstates\n x [m]\nparameters\n w [1/s]\ninputs\n u\n"              \
    "outputs\n y [m]\n v a\nequations\n x'' = -w^2*x + u\n y = x\n"            \
    " v = x'\n a = x''\n"

/* x = A sin(w t) + B cos(w t) + F / (w^2 - q^2) sin(q t) */
START_TEST(forced_oscillator_in_closed_form)
{
    const double w = 3.1, q = 1.7, f = 2.385;
    char input[64];
    snprintf(input, sizeof input, "u=sine:%.17g,%.17g", f, q / (2 * acos(-1)));
    darc_table *t = simulation_make(&(simulation){.model = OSCILLATOR,
                                                  .param = "w=3.1",
                                                  .init = "x=0.4 x'=-1.3",
                                                  .input = input,
                                                  .t_end = 20,
                                                  .rate = 50});
    ck_assert_uint_eq(t->samples, 1000);
    ck_assert_int_eq(t->signals, 4);
    ck_assert_str_eq(t->signal[0].name, "u");
    ck_assert_str_eq(t->signal[1].unit, "m");
    ck_assert(t->dt == 0.02 && t->t0 == 0 && t->time == NULL);
    ck_assert_int_eq(t->segments, 1);
    double g = f / (w * w - q * q);
    for (size_t i = 0; i < t->samples; i++) {
        double s = (double)i / 50;
        double x =
            0.4 * cos(w * s) + (-1.3 - g * q) / w * sin(w * s) + g * sin(q * s);
        double v = -0.4 * w * sin(w * s) + (-1.3 - g * q) * cos(w * s) +
                   g * q * cos(q * s);
        ck_assert_double_eq_tol(t->signal[1].value[i], x, 2e-10);
        ck_assert_double_eq_tol(t->signal[2].value[i], v, 5e-10);
        ck_assert_double_eq_tol(t->signal[3].value[i],
                                f * sin(q * s) - w * w * x, 2e-9);
    }
    darc_table_free(t);
}
END_TEST

#define LAG                                                                    \
    "model lag\nstates\n x\nparameters\n T\ninputs\n u\noutputs\n y\n"         \
    "equations\n T*x' = u - x\n y = x\n"

/* A step between two samples, and one on a sample: y = 1 - exp(-(t-t0)/T). */
START_TEST(steps_start_again)
{
    static const double at[] = {0.3141, 0.5};
    for (int k = 0; k < 2; k++) {
        char input[64];
        snprintf(input, sizeof input, "u=step:2,%.17g", at[k]);
        darc_table *t = simulation_make(&(simulation){.model = LAG,
                                                      .param = "T=0.25",
                                                      .init = "",
                                                      .input = input,
                                                      .t_end = 2,
                                                      .rate = 100});
        for (size_t i = 0; i < t->samples; i++) {
            double s = (double)i / 100;
            double y = s < at[k] ? 0 : 2 - 2 * exp((at[k] - s) / 0.25);
            ck_assert_double_eq_tol(t->signal[1].value[i], y, 1e-10);
            ck_assert(t->signal[0].value[i] == (s < at[k] ? 0 : 2));
        }
        darc_table_free(t);
    }
}
END_TEST

/* Rates 1e6 apart: y follows u; the fast state decides the method. */
START_TEST(stiff_equations)
{
    darc_table *t = simulation_make(&(simulation){.model = LAG,
                                                  .param = "T=1e-6",
                                                  .init = "x=1",
                                                  .input = "u=sine:1,0.5",
                                                  .t_end = 4,
                                                  .rate = 20});
    double w = acos(-1), e = 1e-6;
    for (size_t i = 1; i < t->samples; i++) {
        double s = (double)i / 20;
        double y = (sin(w * s) - e * w * cos(w * s)) / (1 + e * e * w * w);
        ck_assert_double_eq_tol(t->signal[1].value[i], y, 1e-10);
    }
    darc_table_free(t);
}
END_TEST

/* s' = (1 - s^2)*v'/0.01 has s = 1 as a solution that is left exponentially
 * when v comes back: a function is not integrated. */
START_TEST(functions_that_saturate)
{
    simulation j = {.model = "model m\nstates\n v\nparameters\n m b\n"
                             "inputs\n F\noutputs\n y f\nequations\n"
                             " m*v' = F - b*tanh(v/0.01)\n y = v\n"
                             " f = tanh(v/0.01)\n",
                    .param = "m=0.1 b=0.3",
                    .init = "",
                    .input = "F=sine:1,0.5",
                    .t_end = 4,
                    .rate = 500,
                    .rtol = 1e-10};
    darc_table *t = simulation_make(&j);
    const double *v = t->signal[darc_table_find(t, "y")].value;
    const double *f = t->signal[darc_table_find(t, "f")].value;
    bool positive = false, negative = false;
    for (size_t i = 0; i < t->samples; i++) {
        ck_assert_double_eq_tol(f[i], tanh(v[i] / 0.01), 1e-12);
        positive = positive || f[i] > 1 - 1e-9;
        negative = negative || f[i] < -1 + 1e-9;
    }
    ck_assert(positive && negative);
    /* m*(v(2) - v(1)) is the integral of F and of f, trapezoidal */
    const double pi = 3.14159265358979323846;
    double impulse = 0, dt = 1 / 500.0;
    for (size_t i = 500; i < 1000; i++)
        impulse +=
            dt * (sin(pi * (double)i * dt) + sin(pi * (double)(i + 1) * dt)) /
                2 -
            0.3 * dt * (f[i] + f[i + 1]) / 2;
    ck_assert_double_eq_tol(0.1 * (v[1000] - v[500]), impulse, 1e-4);
    darc_table_free(t);
}
END_TEST

/* exp(v/Vt) is 1e10 where a diode conducts and 1e-20 where it does not: its
 * integral keeps no digits, and was taken for a function that had left its
 * domain. */
START_TEST(functions_of_many_decades)
{
    const double R = 100, C = 1e-5, Is = 1e-12, rate = 1e4;
    simulation j = {.model = "model m\nparameters\n R C Is\ninputs\n u\n"
                             "outputs\n v\nequations\n C*v' = (u - v)/R"
                             " - Is*(exp(v/0.025) - 1)\n",
                    .param = "R=100 C=1e-5 Is=1e-12",
                    .init = "",
                    .input = "u=sine:2,20",
                    .t_end = 0.2,
                    .rate = rate,
                    .rtol = 1e-10};
    darc_table *t = simulation_make(&j);
    const double *v = t->signal[darc_table_find(t, "v")].value;
    const double *u = t->signal[darc_table_find(t, "u")].value;
    double most = 0, least = 0;
    for (size_t i = 1; i + 1 < t->samples; i++) {
        double slope = (v[i + 1] - v[i - 1]) * rate / 2;
        double current = Is * (exp(v[i] / 0.025) - 1);
        ck_assert_double_eq_tol(C * slope, (u[i] - v[i]) / R - current, 2e-4);
        most = fmax(most, v[i]);
        least = fmin(least, v[i]);
    }
    ck_assert(most > 0.55 && most < 0.65 && least < -1.9);
    darc_table_free(t);
}
END_TEST

/* The tolerance is what decides the error: ten times the one, about ten
 * times the other, down to rounding. */
START_TEST(refining_the_tolerance)
{
    simulation j = {.model =
                        "model d\nstates\n x v\nparameters\n k\noutputs\n y\n"
                        "equations\n x' = v\n v' = -x - k*x^3\n y = x\n",
                    .param = "k=5",
                    .init = "x=1",
                    .input = "",
                    .t_end = 20,
                    .rate = 10};
    double error[3];
    j.rtol = 1e-14;
    darc_table *best = simulation_make(&j);
    for (int k = 0; k < 3; k++) {
        j.rtol = pow(10, -6 - 3 * k);
        darc_table *t = simulation_make(&j);
        error[k] = 0;
        for (size_t i = 0; i < t->samples; i++)
            error[k] = fmax(error[k], fabs(t->signal[0].value[i] -
                                           best->signal[0].value[i]));
        darc_table_free(t);
    }
    darc_table_free(best);
    ck_assert_double_lt(error[0], 1e-2);
    ck_assert_double_lt(error[1], 2e-2 * error[0]);
    ck_assert_double_lt(error[2], 2e-2 * error[1]);
    ck_assert_double_lt(error[2], 1e-8);
}
END_TEST

/* Energy (x'^2 + x^2) / 2 = 1/2 as the equation: x = sin t from x' = 1.
 * x' = 0 is singular, so a quarter of a period only. */
START_TEST(implicit_equations)
{
    simulation j = {.model =
                        "model e\nstates\n x z\noutputs\n y\n"
                        "equations\n x'^2 + x^2 = 1\n z^3 + z = x\n y = z\n",
                    .param = "",
                    .init = "x'=1",
                    .input = "",
                    .t_end = 1.2,
                    .rate = 50};
    darc_table *t = simulation_make(&j);
    for (size_t i = 0; i < t->samples; i++) {
        double x = sin((double)i / 50), z = t->signal[0].value[i];
        ck_assert_double_eq_tol(z * z * z + z, x, 1e-8);
    }
    darc_table_free(t);
    j.init = "x=1.5 x'=1"; /* x'^2 = 1 - 1.5^2 */
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(simulation_run(&t, &j, &err), DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "no consistent initial values"));
}
END_TEST

START_TEST(measured_models_and_models_without_states)
{
    /* y is its own state */
    darc_table *t = simulation_make(&(simulation){
        .model = "model m\nparameters\n k\ninputs\n u\noutputs\n y\n"
                 "equations\n y'' + k*y = u'\n",
        .param = "k=4",
        .init = "y=1 y'=0",
        .input = "u=constant:3",
        .t_end = 3,
        .rate = 10});
    ck_assert_double_eq_tol(t->signal[1].value[17], cos(3.4), 1e-10);
    darc_table_free(t);
    t = simulation_make(
        &(simulation){.model = "model g\nparameters\n k\ninputs\n u\n"
                               "outputs\n y\nequations\n y = k*u' + time\n",
                      .param = "k=2",
                      .init = "",
                      .input = "u=chirp:1,0.1,0.1,1",
                      .t_end = 3,
                      .rate = 10});
    double w = 0.2 * acos(-1);
    ck_assert_double_eq_tol(t->signal[1].value[13], 2 * w * cos(1.3 * w) + 1.3,
                            1e-14);
    darc_table_free(t);
}
END_TEST

/* The rate 0.3 s * 1e4 Hz rounds up; a file that ends with the last sample
 * covers it. */
START_TEST(inputs_from_a_file)
{
    char file[] = "/tmp/darc_input_XXXXXX", input[64];
    FILE *f = fdopen(mkstemp(file), "w");
    fputs("t,u\n", f);
    for (int i = 0; i < 3000; i++)
        fprintf(f, "%.17g,%.17g\n", i / 1e4, sin(20 * i / 1e4));
    fclose(f);
    snprintf(input, sizeof input, "u=%s", file);
    simulation j = {.model = LAG,
                    .param = "T=0.05",
                    .init = "",
                    .input = input,
                    .t_end = 0.3,
                    .rate = 1e4};
    darc_table *t = simulation_make(&j);
    ck_assert_uint_eq(t->samples, 3000);
    for (size_t i = 0; i < t->samples; i++) { /* T w = 1 */
        double s = (double)i / 1e4;
        double y = (sin(20 * s) - cos(20 * s) + exp(-20 * s)) / 2;
        ck_assert_double_eq_tol(t->signal[1].value[i], y, 1e-10);
    }
    darc_table_free(t);
    j.t_end = 0.4;
    simulation_refuse(&j, DARC_MODEL,
                      "input 'u': the recording covers 0 .. 0.2999 s, the "
                      "simulation 0 .. 0.3999 s");
    unlink(file);
}
END_TEST

START_TEST(noise_is_relative_and_seeded)
{
    simulation j = {.model = OSCILLATOR,
                    .param = "w=6.1",
                    .init = "x=1",
                    .input = "u=constant:0",
                    .t_end = 20,
                    .rate = 100,
                    .seed = 5};
    darc_table *clean = simulation_make(&j);
    j.noise = 0.05;
    darc_table *noisy = simulation_make(&j), *again = simulation_make(&j);
    for (int k = 0; k < 4; k++) {
        double square = 0, error = 0;
        for (size_t i = 0; i < clean->samples; i++) {
            double x = clean->signal[k].value[i];
            double e = noisy->signal[k].value[i] - x;
            square += x * x;
            error += e * e;
            ck_assert(noisy->signal[k].value[i] == again->signal[k].value[i]);
        }
        /* 2000 samples: the ratio has a relative sd of 1.6 %. */
        if (k == 0)
            ck_assert(error == 0); /* inputs are exact */
        else
            ck_assert_double_eq_tol(sqrt(error / square), 0.05, 0.0025);
    }
    darc_table_free(clean);
    darc_table_free(noisy);
    darc_table_free(again);
}
END_TEST

START_TEST(refusals)
{
    simulation j = {.model = OSCILLATOR,
                    .param = "",
                    .init = "",
                    .input = "u=constant:0",
                    .t_end = 1,
                    .rate = 10};
    simulation_refuse(
        &j, DARC_USAGE,
        "parameters without a value: w [1/s] (--param NAME=VALUE,...)");
    j.param = "w=1 W=2";
    simulation_refuse(&j, DARC_USAGE,
                      "the model has no parameter 'W' (did you mean 'w'?)");
    j.param = "w=1 w=2";
    simulation_refuse(&j, DARC_USAGE, "parameter 'w' is given twice");
    j.param = "w=1x";
    simulation_refuse(&j, DARC_USAGE, "the value of 'w' is not a number: '1x'");
    j.param = "w=2";
    j.init = "x''=1";
    simulation_refuse(&j, DARC_USAGE,
                      "'x''' has no initial value; those that have one: x, x'");
    j.init = "";
    j.input = "";
    simulation_refuse(&j, DARC_USAGE,
                      "inputs without a signal: u (--input NAME=SIGNAL)");
    /* Signals that the rate cannot show. */
    static const char *const fast[][2] = {{"sine:1,5.1", "5.1"},
                                          {"multisine:1,1,5.1", "5.1"},
                                          {"step:1,0+chirp:1,0,10,1", "9"}};
    for (int i = 0; i < 3; i++) {
        char input[40], message[200];
        snprintf(input, sizeof input, "u=%s", fast[i][0]);
        snprintf(message, sizeof message,
                 "input 'u': %s goes up to %s Hz, but 10 samples per second "
                 "show less than 5 Hz; give a higher --rate or a lower "
                 "frequency",
                 fast[i][0], fast[i][1]);
        j.input = input;
        simulation_refuse(&j, DARC_USAGE, message);
    }
    j.input = "u=constant:0";
    j.rate = 1e10;
    simulation_refuse(
        &j, DARC_LIMIT,
        "10000000000 samples are more than the limit of 1000000000");
    j.rate = 10;
    j.model = "model m\nparameters\n w\ninputs\n u\noutputs\n y\n"
              "equations\n y = w*u'\n";
    j.input = "u=step:1,0.5";
    simulation_refuse(
        &j, DARC_MODEL,
        "input 'u': the model needs its derivative 1, the signal given "
        "has 0 (a file, being interpolated by a cubic spline, has two, a "
        "step none)");
    j.model = "model m\nparameters\n w\ninputs\n u\noutputs\n y z\n"
              "equations\n y = w*u + z'\n";
    simulation_refuse(
        &j, DARC_DOMAIN,
        "the model cannot be simulated: 1 equations for 2 unknown "
        "functions (y, z); what drives it has to be an input");
    j.model = LAG;
    j.param = "T=0";
    j.input = "u=constant:1";
    simulation_refuse(
        &j, DARC_DOMAIN,
        "a derivative is not finite at t = 0 s: a divisor is 0 at the "
        "initial values (--init) or parameters given");
    j.param = "w=2";
    /* x' = x^2 from 1 ends at t = 1 */
    j.model = "model b\nstates\n x\nparameters\n w\noutputs\n y\n"
              "equations\n x' = x^2\n y = w*x\n";
    j.input = "";
    j.init = "x=1";
    j.t_end = 2;
    darc_err err;
    darc_err_init(&err);
    darc_table *t;
    ck_assert_int_eq(simulation_run(&t, &j, &err), DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "does not go on past t = "));
    /* 4 sin(2 pi t/10) leaves the table at t = 1.35; 4 is outside */
    j.model = "model t\nparameters\n w\ninputs\n u\noutputs\n y\nderived\n v = "
              "table(u; -1 0, 3 1)\nequations\n w*y' + y = v\n";
    j.input = "u=sine:4,0.1";
    j.init = "";
    darc_err_init(&err);
    ck_assert_int_eq(simulation_run(&t, &j, &err), DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "'v' has no value at t = 1.3"));
    j.input = "u=constant:4";
    simulation_refuse(&j, DARC_DOMAIN,
                      "'v' has no value at t = 0 s: its argument lies outside "
                      "the table, or no real number comes of it");
}
END_TEST

static int stop_at_once(void *user)
{
    (void)user;
    return 1;
}

START_TEST(budget_stops)
{
    darc_model *model = simulation_parse(LAG);
    simulation_words p, u;
    darc_simulate_options o;
    darc_simulate_options_init(&o);
    o.param = simulation_settings(&p, "T=1");
    o.input = simulation_settings(&u, "u=constant:1");
    darc_budget b;
    darc_budget_init(&b);
    b.interrupted = stop_at_once;
    darc_table *t;
    ck_assert_int_eq(darc_simulate(&t, model, &o, &b, NULL), DARC_LIMIT);
    ck_assert_ptr_null(t);
    darc_model_free(model);
}
END_TEST

Suite *suite_simulate(void)
{
    Suite *s = suite_create("simulate");
    TCase *c = tcase_create("simulate");
    tcase_add_test(c, forced_oscillator_in_closed_form);
    tcase_add_test(c, steps_start_again);
    tcase_add_test(c, stiff_equations);
    tcase_add_test(c, refining_the_tolerance);
    tcase_add_test(c, implicit_equations);
    tcase_add_test(c, functions_that_saturate);
    tcase_add_test(c, functions_of_many_decades);
    tcase_add_test(c, measured_models_and_models_without_states);
    tcase_add_test(c, inputs_from_a_file);
    tcase_add_test(c, noise_is_relative_and_seeded);
    tcase_add_test(c, refusals);
    tcase_add_test(c, budget_stops);
    suite_add_tcase(s, c);
    return s;
}
