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

typedef struct {
    double q;        /* of the cube */
    double pole;     /* of the noise of y, AR(1) */
    double size;     /* its RMS */
    double on_input; /* RMS of white noise of u */
    double tolerance;
    const char *input;
} question;

static const char sines[] = "u=multisine:1,0.1,2";

/* 40 s at 25 Hz. */
static darc_verdict ask(const question *x, int run)
{
    char param[64];
    uint64_t state = 100 + (uint64_t)run;
    double n = 0;
    snprintf(param, sizeof param, "T=.3 K=2 q=%g", x->q);
    simulation j = {.model = plant,
                    .param = param,
                    .init = "",
                    .input = x->input != NULL ? x->input : sines,
                    .t_end = 40,
                    .rate = 25,
                    .rtol = 1e-10,
                    .seed = 1};
    weakbench b;
    weakbench_open(&b, linear, 0);
    b.by.tolerance = x->tolerance;
    darc_table *t = simulation_make(&j);
    double *y = t->signal[darc_table_find(t, "y")].value;
    double *u = t->signal[darc_table_find(t, "u")].value;
    for (size_t i = 0; i < t->samples; i++) {
        n = x->pole * n + sqrt(1 - x->pole * x->pole) * draw_normal(&state);
        y[i] += x->size * n;
        u[i] += x->on_input * draw_normal(&state);
    }
    darc_verdict v = weakbench_holds(&b, t, NULL);
    weakbench_close(&b);
    darc_table_free(t);
    return v;
}

START_TEST(a_term_is_found_in_red_noise)
{
    for (int run = 0; run < 4; run++)
        ck_assert_int_eq(
            ask(&(question){.q = 0.03, .pole = 0.9, .size = 0.01}, run),
            DARC_INCONSISTENT);
}
END_TEST

START_TEST(none_is_found_where_none_is_missing)
{
    for (int run = 0; run < 10; run++)
        ck_assert_int_ne(ask(&(question){.pole = 0.9, .size = 0.01}, run),
                         DARC_INCONSISTENT);
}
END_TEST

/* Noise that wanders longer than the recording is an offset, too. */
START_TEST(a_drift_is_no_missing_offset)
{
    for (int run = 0; run < 20; run++)
        ck_assert_int_ne(ask(&(question){.pole = 0.9999, .size = 0.01}, run),
                         DARC_INCONSISTENT);
}
END_TEST

/* A tenth of noise whose colour is not known makes more than 5 % of the largest
 * term. */
START_TEST(loud_red_noise_is_no_defect)
{
    for (int run = 0; run < 8; run++) {
        double pole = run % 2 == 0 ? 0.9 : 0.99;
        ck_assert_int_ne(
            ask(&(question){.pole = pole, .size = 0.15, .tolerance = 0.05},
                run),
            DARC_INCONSISTENT);
    }
}
END_TEST

/* A staircase that a controller may have made of noise. */
START_TEST(other_inputs_prove_nothing)
{
    ck_assert_int_eq(ask(&(question){.q = 0.03,
                                     .pole = 0.9,
                                     .size = 0.01,
                                     .input = "u=step:1,5"},
                         0),
                     DARC_UNDECIDED);
}
END_TEST

/* Where the input shows noise, a term is missing that explains nearly all of
 * what is left; red noise explains itself by none. */
START_TEST(a_term_that_explains_all_is_no_noise)
{
    for (int run = 0; run < 10; run++) {
        question x = {.q = 0.05, .pole = 0.9, .size = 0.01, .on_input = 0.01};
        ck_assert_int_eq(ask(&x, run), DARC_INCONSISTENT);
        x.q = 0;
        ck_assert_int_eq(ask(&x, run), DARC_CONSISTENT);
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
    tcase_add_test(c, loud_red_noise_is_no_defect);
    tcase_add_test(c, other_inputs_prove_nothing);
    tcase_add_test(c, a_term_that_explains_all_is_no_noise);
    suite_add_tcase(s, c);
    return s;
}
