/* How much noise equations ask for; terms beside signals that drown; what
 * smoothing of derivatives may have moved values by. */
#include "tests.h"

#include "models.h"
#include "session/state.h"
#include "simulation.h"
#include "weakbench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    darc_verdict verdict;
    char reason[512];
    int values;
    double value[4], sd[4];
} answer;

/* What darc says of the structure of a model on a recording, which is taken
 * over. */
static answer ask_of(const char *text, darc_table *t)
{
    answer a = {.values = 0};
    darc_session *s;
    darc_session_settings set;
    darc_model *model = model_of(text);
    darc_session_settings_init(&set);
    ck_assert_int_eq(darc_session_new(&s, model, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, t, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    const darc_report *r = darc_session_report(s);
    a.verdict = darc_session_verdict(s);
    snprintf(a.reason, sizeof a.reason, "%s", r->decision.reason);
    for (int i = 0; i < (int)r->estimates && i < 4; i++) {
        a.value[i] = r->estimate[i].value_a;
        a.sd[i] = r->estimate[i].sd_a;
        a.values++;
    }
    darc_session_free(s);
    darc_model_free(model);
    return a;
}

/* A mass on a spring that may harden, of which the acceleration is measured:
 * what the state makes is no candidate. */
#define SHAKEN(PARAM, SPRING)                                                  \
    "model shaken\nstates\n x v\nparameters\n m d k" PARAM                     \
    "\ninputs\n F\noutputs\n a\nequations\n x' = v\n m*v' = F - d*v - "        \
    "k*x" SPRING "\n a = v'\n"

/* Half of what is measured would have to be noise. */
START_TEST(no_noise_is_as_loud_as_equations_ask_for)
{
    simulation j = {.model = SHAKEN(" c", " - c*x^3"),
                    .param = "m=.02 d=.06 k=.9 c=1",
                    .init = "x=0 v=0",
                    .input = "F=sine:.5,.4+sine:.6,1.13",
                    .t_end = 24,
                    .rate = 25,
                    .noise = .01,
                    .rtol = 1e-9,
                    .seed = 1 + (unsigned)_i};
    answer a = ask_of(SHAKEN("", ""), simulation_make(&j));
    ck_assert_msg(a.verdict == DARC_INCONSISTENT, "%s", a.reason);
    ck_assert_ptr_nonnull(strstr(a.reason, "noise is 4"));
}
END_TEST

/* Two masses, of which one is measured. */
static const char masses[] =
    "model masses\nstates\n x2\nparameters\n m1 m2 c1 c2 k1 k2\ninputs\n F\n"
    "outputs\n x1\nequations\n"
    " m1*x1'' + c1*x1' + k1*x1 + c2*(x1' - x2') + k2*(x1 - x2) = F\n"
    " m2*x2'' = c2*(x1' - x2') + k2*(x1 - x2)\n";

/* Noise of whatever spectrum that is there is what they ask for, or more. */
START_TEST(right_equations_ask_for_the_noise_there_is)
{
    enum { KINDS = 3 };
    static const double pole[KINDS] = {0, .9, .99};
    simulation j = {.model = masses,
                    .param = "m1=.03 m2=.0065 c1=.03 c2=.02 k1=.9 k2=.5",
                    .init = "x1=0 x2=0",
                    .input = "F=sine:.5,.3+sine:.4,.9+sine:.3,1.7",
                    .t_end = 12,
                    .rate = 50,
                    .rtol = 1e-9,
                    .seed = 1};
    darc_table *t = simulation_make(&j);
    darc_signal *x = t->signal + darc_table_find(t, "x1");
    double power = 0, slow = 0, p = pole[_i % KINDS];
    uint64_t state = 7 + (uint64_t)_i;
    for (size_t k = 0; k < t->samples; k++)
        power += x->value[k] * x->value[k] / (double)t->samples;
    for (size_t k = 0; k < t->samples; k++) {
        slow = p * slow + sqrt(1 - p * p) * case_normal(&state);
        x->value[k] += .08 * sqrt(power) * slow;
    }
    answer a = ask_of(masses, t);
    ck_assert_msg(a.verdict != DARC_INCONSISTENT, "%s", a.reason);
}
END_TEST

#define SPEAKER(PARAM, SPRING)                                                 \
    "model speaker\nparameters\n R L B m d k" PARAM                            \
    "\ninputs\n u\noutputs\n i s\nequations\n L*i' + R*i + B*s' = u\n"         \
    " m*s'' + d*s' + k*s" SPRING " = B*i\n"

/* Of the inductance slow signals show less than their noise does; a spring that
 * hardens they show. */
START_TEST(a_term_is_found_beside_coefficients_that_drown)
{
    simulation j = {.model = SPEAKER(" c", " + c*s^3"),
                    .param = "R=.95 L=.018 B=.3 m=.024 d=.08 k=1 c=3",
                    .init = "i=0 s=0",
                    .input = "u=sine:.6,.1+sine:.5,.037",
                    .t_end = 80,
                    .rate = 40,
                    .noise = .03,
                    .rtol = 1e-9,
                    .seed = 1 + (unsigned)_i};
    answer a = ask_of(SPEAKER("", ""), simulation_make(&j));
    ck_assert_msg(a.verdict == DARC_INCONSISTENT, "%s", a.reason);
    ck_assert_ptr_nonnull(strstr(a.reason, "is missing in the equation of s"));
    j.param = "R=.95 L=.018 B=.3 m=.024 d=.08 k=1 c=0";
    a = ask_of(SPEAKER("", ""), simulation_make(&j));
    ck_assert_msg(a.verdict != DARC_INCONSISTENT, "%s", a.reason);
}
END_TEST

#define ROPED(PARAM, TERM)                                                     \
    "model crane\nparameters\n g d b" PARAM "\ninputs\n u l\noutputs\n th\n"   \
    "equations\n l*th'' + 2*l'*th' + d*th' + g*th" TERM " = b*u\n"

/* A crane whose rope is measured, 15 samples a period: of l*th'' smoothing
 * loses a thousandth, six standard deviations of noise. */
START_TEST(values_are_no_surer_than_smoothing_leaves_them)
{
    static const double truth[] = {38, 1.2, 11};
    simulation j = {.model = ROPED("", ""),
                    .param = "g=38 d=1.2 b=11",
                    .init = "th=0",
                    .input = "u=multisine:1,0.2,2 l=constant:1+sine:.25,.127",
                    .t_end = 50,
                    .rate = 15,
                    .noise = .002,
                    .rtol = 1e-9,
                    .seed = 3 + (unsigned)_i};
    answer a = ask_of(ROPED("", ""), simulation_make(&j));
    ck_assert_msg(a.verdict == DARC_CONSISTENT, "%s", a.reason);
    ck_assert_int_eq(a.values, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_le(fabs(a.value[i] - truth[i]), 2.6 * a.sd[i]);
        ck_assert_double_le(a.sd[i], .01 * truth[i]);
    }
}
END_TEST

/* The same at 8 samples a period, where smoothing may have made more than the
 * term that is missing makes, but not in that direction. */
START_TEST(what_smoothing_makes_has_its_direction)
{
    simulation j = {.model = ROPED(" c", " + c*th^3"),
                    .param = "g=38 d=1.2 b=11 c=40",
                    .init = "th=0",
                    .input = "u=multisine:1,0.2,2 l=constant:1+sine:.25,.127",
                    .t_end = 50,
                    .rate = 8,
                    .noise = .002,
                    .rtol = 1e-9,
                    .seed = 4 + (unsigned)_i};
    answer a = ask_of(ROPED("", ""), simulation_make(&j));
    ck_assert_msg(a.verdict == DARC_INCONSISTENT, "%s", a.reason);
    j.param = "g=38 d=1.2 b=11 c=0";
    a = ask_of(ROPED("", ""), simulation_make(&j));
    ck_assert_msg(a.verdict != DARC_INCONSISTENT, "%s", a.reason);
}
END_TEST

Suite *suite_demand(void)
{
    Suite *s = suite_create("demand");
    TCase *c = tcase_create("noise");
    tcase_add_loop_test(c, no_noise_is_as_loud_as_equations_ask_for, 0, 2);
    tcase_add_loop_test(c, right_equations_ask_for_the_noise_there_is, 0, 6);
    tcase_add_loop_test(c, a_term_is_found_beside_coefficients_that_drown, 0,
                        4);
    tcase_add_loop_test(c, values_are_no_surer_than_smoothing_leaves_them, 0,
                        3);
    tcase_add_loop_test(c, what_smoothing_makes_has_its_direction, 0, 3);
    suite_add_tcase(s, c);
    return s;
}
