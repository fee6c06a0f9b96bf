#include "tests.h"

#include "darc/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static darc_model *parse(const char *text)
{
    darc_err err;
    darc_err_init(&err);
    darc_model *model = NULL;
    darc_status status = darc_model_parse_for_simulation(
        &model, text, strlen(text), "test", &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return model;
}

/* "a=1 b=2" as settings; at most 8. */
typedef struct {
    char text[256];
    const char *name[8], *value[8];
} words;

static darc_settings split(words *w, const char *text)
{
    int n = 0;
    snprintf(w->text, sizeof w->text, "%s", text);
    for (char *s = strtok(w->text, " "); s != NULL; s = strtok(NULL, " ")) {
        char *equals = strchr(s, '=');
        *equals = '\0';
        w->name[n] = s;
        w->value[n++] = equals + 1;
    }
    return (darc_settings){n, w->name, w->value};
}

typedef struct {
    const char *model, *param, *init, *input;
    double t_end, rate, noise, rtol;
    unsigned seed;
} job;

static darc_status run(darc_table **table, const job *j, darc_err *err)
{
    darc_model *model = parse(j->model);
    words p, i, u;
    darc_simulate_options o;
    darc_simulate_options_init(&o);
    o.param = split(&p, j->param);
    o.init = split(&i, j->init);
    o.input = split(&u, j->input);
    o.t_end = j->t_end;
    o.rate = j->rate;
    o.noise = j->noise;
    o.seed = j->seed;
    if (j->rtol > 0)
        o.rtol = j->rtol;
    darc_status status = darc_simulate(table, model, &o, NULL, err);
    darc_model_free(model);
    return status;
}

static darc_table *simulate(const job *j)
{
    darc_err err;
    darc_err_init(&err);
    darc_table *table;
    darc_status status = run(&table, j, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return table;
}

static void refuse(const job *j, darc_status status, const char *message)
{
    darc_err err;
    darc_err_init(&err);
    darc_table *table;
    ck_assert_int_eq(run(&table, j, &err), status);
    ck_assert_ptr_null(table);
    ck_assert_str_eq(err.message, message);
}

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
    darc_table *t = simulate(&(job){.model = OSCILLATOR,
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
        darc_table *t = simulate(&(job){.model = LAG,
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
    darc_table *t = simulate(&(job){.model = LAG,
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

/* The tolerance is what decides the error: ten times the one, about ten
 * times the other, down to rounding. */
START_TEST(refining_the_tolerance)
{
    job j = {.model = "model d\nstates\n x v\nparameters\n k\noutputs\n y\n"
                      "equations\n x' = v\n v' = -x - k*x^3\n y = x\n",
             .param = "k=5",
             .init = "x=1",
             .input = "",
             .t_end = 20,
             .rate = 10};
    double error[3];
    j.rtol = 1e-14;
    darc_table *best = simulate(&j);
    for (int k = 0; k < 3; k++) {
        j.rtol = pow(10, -6 - 3 * k);
        darc_table *t = simulate(&j);
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
    job j = {.model = "model e\nstates\n x z\noutputs\n y\n"
                      "equations\n x'^2 + x^2 = 1\n z^3 + z = x\n y = z\n",
             .param = "",
             .init = "x'=1",
             .input = "",
             .t_end = 1.2,
             .rate = 50};
    darc_table *t = simulate(&j);
    for (size_t i = 0; i < t->samples; i++) {
        double x = sin((double)i / 50), z = t->signal[0].value[i];
        ck_assert_double_eq_tol(z * z * z + z, x, 1e-8);
    }
    darc_table_free(t);
    j.init = "x=1.5 x'=1"; /* x'^2 = 1 - 1.5^2 */
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(run(&t, &j, &err), DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "no consistent initial values"));
}
END_TEST

START_TEST(measured_models_and_models_without_states)
{
    /* y is its own state */
    darc_table *t = simulate(
        &(job){.model = "model m\nparameters\n k\ninputs\n u\noutputs\n y\n"
                        "equations\n y'' + k*y = u'\n",
               .param = "k=4",
               .init = "y=1 y'=0",
               .input = "u=constant:3",
               .t_end = 3,
               .rate = 10});
    ck_assert_double_eq_tol(t->signal[1].value[17], cos(3.4), 1e-10);
    darc_table_free(t);
    t = simulate(&(job){.model = "model g\nparameters\n k\ninputs\n u\n"
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

/* Functions in equations: the unknowns that stand for them begin where the
 * functions do.  x' = exp(-x): x = log(t + e^x0); q' = -k sqrt(q):
 * sqrt(q) = sqrt(q0) - k t / 2; z' = sin(p) z. */
START_TEST(functions_in_closed_form)
{
    job j = {.model = "states x q z\nparameters k p\noutputs y1 y2 y3\n"
                      "equations\n x' = exp(-x)\n q' = -k*sqrt(q)\n"
                      " z' = sin(p)*z\n y1 = x\n y2 = q\n y3 = z\n",
             .param = "k=0.3 p=2.5",
             .init = "x=0.4 q=2.25 z=1",
             .input = "",
             .t_end = 2,
             .rate = 50};
    darc_table *table = simulate(&j);
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
    job j = {.model = "states th w\nparameters g l\noutputs y v\n"
                      "equations\n th' = w\n w' = -g/l*sin(y)\n"
                      " y = th\n v = w\n",
             .param = "g=9.81 l=0.7",
             .init = "th=2.1 w=0.5",
             .input = "",
             .t_end = 5,
             .rate = 100};
    darc_table *table = simulate(&j);
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
    job j = {.model = "states x\nparameters k\noutputs y\nequations\n"
                      " x' = -k*log(x)\n y = x\n",
             .param = "k=1",
             .init = "x=0",
             .input = "",
             .t_end = 1,
             .rate = 10};
    refuse(&j, DARC_MODEL,
           "'log_x', which stands for log(x), has no value at the start; give "
           "other initial values or its own by --init");
    j.model = "states x\nparameters k\noutputs y\nequations\n"
              " x' = -sqrt(k)*x\n y = x\n";
    j.param = "k=-1";
    refuse(&j, DARC_MODEL,
           "'sqrt_k', which stands for k^(1/2), has no value for these "
           "parameters");
}
END_TEST

START_TEST(noise_is_relative_and_seeded)
{
    job j = {.model = OSCILLATOR,
             .param = "w=6.1",
             .init = "x=1",
             .input = "u=constant:0",
             .t_end = 20,
             .rate = 100,
             .seed = 5};
    darc_table *clean = simulate(&j);
    j.noise = 0.05;
    darc_table *noisy = simulate(&j), *again = simulate(&j);
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
    job j = {.model = OSCILLATOR,
             .param = "",
             .init = "",
             .input = "u=constant:0",
             .t_end = 1,
             .rate = 10};
    refuse(&j, DARC_MODEL,
           "parameters without a value: w [1/s] (--param NAME=VALUE,...)");
    j.param = "w=1 W=2";
    refuse(&j, DARC_MODEL,
           "the model has no parameter 'W' (did you mean 'w'?)");
    j.param = "w=1 w=2";
    refuse(&j, DARC_MODEL, "parameter 'w' is given twice");
    j.param = "w=1x";
    refuse(&j, DARC_MODEL, "the value of 'w' is not a number: '1x'");
    j.param = "w=2";
    j.init = "x''=1";
    refuse(&j, DARC_MODEL,
           "'x''' has no initial value; those that have one: x, x'");
    j.init = "";
    j.input = "";
    refuse(&j, DARC_MODEL, "inputs without a signal: u (--input NAME=SIGNAL)");
    j.input = "u=constant:0";
    j.rate = 1e10;
    refuse(&j, DARC_LIMIT,
           "10000000000 samples are more than the limit of 1000000000");
    j.rate = 10;
    j.model = "model m\nparameters\n w\ninputs\n u\noutputs\n y\n"
              "equations\n y = w*u'\n";
    j.input = "u=step:1,0.5";
    refuse(&j, DARC_MODEL,
           "input 'u': the model needs its derivative 1, the signal given "
           "has 0 (a file, being interpolated by a cubic spline, has two, a "
           "step none)");
    j.model = "model m\nparameters\n w\ninputs\n u\noutputs\n y z\n"
              "equations\n y = w*u + z'\n";
    refuse(&j, DARC_DOMAIN,
           "the model cannot be simulated: 1 equations for 2 unknown "
           "functions (y, z); what drives it has to be an input");
    j.model = LAG;
    j.param = "T=0";
    j.input = "u=constant:1";
    refuse(&j, DARC_DOMAIN,
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
    ck_assert_int_eq(run(&t, &j, &err), DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "does not go on past t = "));
}
END_TEST

/* Derived signals follow the states: Coulomb friction against a spring while
 * it slides, x = 1 + (x0 - 1) cos t for x'' = -x + 1 from x0; a delayed
 * input. */
START_TEST(derived_signals)
{
    job j = {.model = "model f\nstates\n x\nparameters\n r\ninputs\n u\n"
                      "outputs\n y z\nderived\n s = sign(y')\n"
                      " v = delay(u, 0.25)\nequations\n x'' = -x - r*s\n"
                      " y = x\n z = x' + v\n",
             .param = "r=1",
             .init = "x=5 x'=-1e-9",
             .input = "u=sine:1,0.3",
             .t_end = 3.1, /* until it stops at t = pi */
             .rate = 50};
    darc_table *t = simulate(&j);
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
    darc_table *t = simulate(
        &(job){.model = "model g\nstates\n x w\nparameters\n r\n"
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

START_TEST(derived_signals_that_cannot_be_simulated)
{
    job j = {.model = "model f\nstates\n x\nparameters\n r\noutputs\n y\n"
                      "derived\n s = delay(y, 0.1)\nequations\n"
                      " x' = -r*s\n y = x\n",
             .param = "r=1",
             .init = "",
             .input = "",
             .t_end = 1,
             .rate = 50};
    refuse(&j, DARC_MODEL,
           "derived signal 's' cannot be simulated: it is more than the delay "
           "of an input, or looks up a table");
    j.model = "model f\nstates\n x\nparameters\n r\noutputs\n y\n"
              "derived\n s = sign(y')\nequations\n x' = -r*s\n y = x\n";
    refuse(&j, DARC_MODEL,
           "derived signals cannot be simulated from a derivative of output "
           "'y' that depends on 's' itself");
    j.model = "model f\nstates\n x\nparameters\n r\noutputs\n y\n"
              "derived\n s = sign(y)\nequations\n x' = -r*s'\n y = x\n";
    refuse(&j, DARC_MODEL,
           "derived signal 's' cannot be simulated: the equations need its "
           "derivative");
}
END_TEST

static int stop_at_once(void *user)
{
    (void)user;
    return 1;
}

START_TEST(budget_stops)
{
    darc_model *model = parse(LAG);
    words p, u;
    darc_simulate_options o;
    darc_simulate_options_init(&o);
    o.param = split(&p, "T=1");
    o.input = split(&u, "u=constant:1");
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
    tcase_add_test(c, measured_models_and_models_without_states);
    tcase_add_test(c, functions_in_closed_form);
    tcase_add_test(c, pendulum_keeps_its_energy);
    tcase_add_test(c, functions_without_a_value_at_the_start);
    tcase_add_test(c, noise_is_relative_and_seeded);
    tcase_add_test(c, refusals);
    tcase_add_test(c, derived_signals);
    tcase_add_test(c, derived_signals_of_derivatives);
    tcase_add_test(c, derived_signals_that_cannot_be_simulated);
    tcase_add_test(c, budget_stops);
    suite_add_tcase(s, c);
    return s;
}
