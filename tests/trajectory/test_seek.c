/* The search for the best match, where it is hard. */
#include "tests.h"

#include "models.h"
#include "simulation.h"
#include "trajectory/trajectory.h"

#include <math.h>
#include <string.h>

static const char growth[] = "parameters\n    a K\nstates\n    x\n"
                             "outputs\n    y\nequations\n"
                             "    x' = -a*x*log(x/K)\n    y = x\n";
static const char tank[] = "parameters\n    k\nstates\n    h\n"
                           "outputs\n    y\nequations\n"
                           "    h' = -k*sqrt(h)\n    y = h\n";

static darc_trajectory_question q;

/* Set *x to what is found in a recording; return the status. */
static darc_status seek(darc_trajectory *x, const char *text,
                        const darc_table *t, const darc_budget *b,
                        darc_err *err)
{
    q = (darc_trajectory_question){.model = model_of(text),
                                   .recordings = 1,
                                   .table = &t,
                                   .alpha = .01,
                                   .seed = 1,
                                   .budget = b};
    return darc_trajectory_init(x, &q, err);
}

static darc_table *grown(void)
{
    return simulation_make(&(simulation){.model = growth,
                                         .input = "",
                                         .param = "a=.6 K=10",
                                         .init = "x=.05",
                                         .t_end = 10,
                                         .rate = 2,
                                         .rtol = 1e-10});
}

/* Noise takes the first sample below zero, where the logarithm has no value:
 * draws begin above it, too. */
START_TEST(begins_within_the_domain)
{
    darc_trajectory x;
    darc_table *t = grown();
    t->signal[0].value[0] = -.02;
    ck_assert_int_eq(seek(&x, growth, t, NULL, NULL), DARC_OK);
    ck_assert_double_eq_tol(x.match.theta[0], .6, .02);
    ck_assert_double_eq_tol(x.match.theta[1], 10, .1);
    darc_model_free((darc_model *)x.question->model);
    darc_trajectory_clear(&x);
    darc_table_free(t);
}
END_TEST

static const char charged[] = "parameters\n    T V\nstates\n    v\n"
                              "outputs\n    y\nequations\n"
                              "    v' = (V - v)/T\n    y = v\n";

/* Rates go with one over a time constant: draws that took them for as large as
 * it is began at a ten thousandth of it, and farther in other units. */
START_TEST(finds_time_constants)
{
    static const char *const param[] = {"T=2 V=5", "T=2000 V=.005",
                                        "T=.002 V=5000"};
    static const double t[] = {2, 2000, .002}, v[] = {5, .005, 5000};
    darc_trajectory x;
    darc_table *of = simulation_make(&(simulation){.model = charged,
                                                   .input = "",
                                                   .param = param[_i],
                                                   .init = "v=0",
                                                   .t_end = 5 * t[_i],
                                                   .rate = 2 / t[_i],
                                                   .noise = .005,
                                                   .rtol = 1e-10,
                                                   .seed = 2});
    ck_assert_int_eq(seek(&x, charged, of, NULL, NULL), DARC_OK);
    ck_assert_double_eq_tol(x.match.theta[0], t[_i], .1 * t[_i]);
    ck_assert_double_eq_tol(x.match.theta[1], v[_i], .05 * v[_i]);
    ck_assert_int_ge(x.sought.met, 3);
    darc_model_free((darc_model *)x.question->model);
    darc_trajectory_clear(&x);
    darc_table_free(of);
}
END_TEST

/* A vessel that has run empty stays so: no trajectory of sqrt(h) does. */
START_TEST(says_which_function_ends)
{
    darc_err err = {DARC_OK, ""};
    darc_trajectory x;
    darc_table *t = grown();
    for (size_t i = 0; i < t->samples; i++)
        t->signal[0].value[i] =
            pow(fmax(2 - .2 * (double)i, 0), 2) + .01 * (double)(i % 3);
    ck_assert_int_eq(seek(&x, tank, t, NULL, &err), DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "h^(1/2)"));
    darc_model_free((darc_model *)q.model);
    darc_table_free(t);
}
END_TEST

static char told[200];

static void take(void *user, const char *text)
{
    (void)user;
    snprintf(told, sizeof told, "%s", text);
}

static int when_told(void *user)
{
    (void)user;
    return told[0] != '\0';
}

/* A search that is ended hands over its best match. */
START_TEST(tells_what_it_has_when_time_ends)
{
    darc_trajectory x;
    darc_table *t = grown();
    darc_budget b;
    darc_budget_init(&b);
    b.interrupted = when_told;
    b.partial = take;
    ck_assert_int_eq(seek(&x, growth, t, &b, NULL), DARC_LIMIT);
    ck_assert_ptr_nonnull(strstr(told, "a = 0.6, K = 10 (best match so far"));
    darc_model_free((darc_model *)q.model);
    darc_table_free(t);
}
END_TEST

Suite *suite_seek(void)
{
    Suite *s = suite_create("seek");
    TCase *tc = tcase_create("seek");
    tcase_add_test(tc, begins_within_the_domain);
    tcase_add_loop_test(tc, finds_time_constants, 0, 3);
    tcase_add_test(tc, says_which_function_ends);
    tcase_add_test(tc, tells_what_it_has_when_time_ends);
    suite_add_tcase(s, tc);
    return s;
}
