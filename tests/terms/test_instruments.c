/* A missing term is found in red noise where an input is exact, and only there.
 */
#include "tests.h"

#include "draw.h"
#include "simulation.h"
#include "weakbench.h"

static const char plant[] =
    "model low_pass\nparameters\n T K q may be zero\ninputs\n u\noutputs\n y\n"
    "equations\n T*y' + y + q*y^3 = K*u\n";
static const char linear[] =
    "model low_pass\nparameters\n T K\ninputs\n u\noutputs\n y\n"
    "equations\n T*y' + y = K*u\n";

/* 40 s at 25 Hz, y with 1 % of AR(1) noise of that pole, u with `noise` of
 * white noise. */
static darc_verdict ask_under(double pole, double q, const char *input,
                              double noise, int run)
{
    char param[64];
    uint64_t state = 100 + (uint64_t)run;
    double n = 0;
    snprintf(param, sizeof param, "T=.3 K=2 q=%g", q);
    simulation j = {.model = plant,
                    .param = param,
                    .init = "",
                    .input = input,
                    .t_end = 40,
                    .rate = 25,
                    .rtol = 1e-10,
                    .seed = 1};
    weakbench b;
    weakbench_open(&b, linear, 0);
    darc_table *t = simulation_make(&j);
    double *y = t->signal[darc_table_find(t, "y")].value;
    double *u = t->signal[darc_table_find(t, "u")].value;
    for (size_t i = 0; i < t->samples; i++) {
        n = pole * n + sqrt(1 - pole * pole) * draw_normal(&state);
        y[i] += 0.01 * n;
        u[i] += noise * draw_normal(&state);
    }
    darc_verdict v = weakbench_holds(&b, t, NULL);
    weakbench_close(&b);
    darc_table_free(t);
    return v;
}

static darc_verdict ask(double q, const char *input, double noise, int run)
{
    return ask_under(0.9, q, input, noise, run);
}

static const char sines[] = "u=multisine:1,0.1,2";

START_TEST(a_term_is_found_in_red_noise)
{
    for (int run = 0; run < 4; run++)
        ck_assert_int_eq(ask(0.03, sines, 0, run), DARC_INCONSISTENT);
}
END_TEST

START_TEST(none_is_found_where_none_is_missing)
{
    for (int run = 0; run < 10; run++)
        ck_assert_int_ne(ask(0, sines, 0, run), DARC_INCONSISTENT);
}
END_TEST

/* Noise that wanders longer than the recording is an offset, too. */
START_TEST(a_drift_is_no_missing_offset)
{
    for (int run = 0; run < 20; run++)
        ck_assert_int_ne(ask_under(0.9999, 0, sines, 0, run),
                         DARC_INCONSISTENT);
}
END_TEST

/* A staircase that a controller may have made of noise. */
START_TEST(other_inputs_prove_nothing)
{
    ck_assert_int_eq(ask(0.03, "u=step:1,5", 0, 0), DARC_UNDECIDED);
}
END_TEST

/* Where the input shows noise, a term is missing that explains nearly all of
 * what is left; red noise explains itself by none. */
START_TEST(a_term_that_explains_all_is_no_noise)
{
    for (int run = 0; run < 10; run++) {
        ck_assert_int_eq(ask(0.05, sines, 0.01, run), DARC_INCONSISTENT);
        ck_assert_int_eq(ask(0, sines, 0.01, run), DARC_UNDECIDED);
    }
}
END_TEST

Suite *suite_instruments(void)
{
    Suite *s = suite_create("instruments");
    TCase *c = tcase_create("instruments");
    tcase_add_test(c, a_term_is_found_in_red_noise);
    tcase_add_test(c, none_is_found_where_none_is_missing);
    tcase_add_test(c, a_drift_is_no_missing_offset);
    tcase_add_test(c, other_inputs_prove_nothing);
    tcase_add_test(c, a_term_that_explains_all_is_no_noise);
    suite_add_tcase(s, c);
    return s;
}
