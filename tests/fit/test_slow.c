/* Stepped inputs beside slow noise: what the fit takes for white is nearly all
 * slow, and known from few values. */
#include "tests.h"

#include "recording.h"
#include "weakbench.h"

#include <math.h>
#include <stdio.h>

enum { N = 1000, RATE = 25, RUNS = 12 };

/* A cell whose voltage jumps with the current, sampled behind its steps, under
 * an autoregression of factor .99. */
static darc_table *cell(uint64_t state)
{
    static double i[N], v[N];
    const double series = 0.02, slow = 0.015;
    const double decay = exp(-1.0 / RATE), share = 0.99;
    double now = 0, u = 0, noise = 0;
    for (int k = 0; k < N; k++) {
        if (k % 15 == 0)
            now = floor(9 * case_uniform(&state)) - 4;
        noise = share * noise +
                1e-3 * sqrt(1 - share * share) * case_normal(&state);
        i[k] = now;
        v[k] = 3.4 - series * now - u + noise;
        u = slow * now + (u - slow * now) * decay;
    }
    const char *name[] = {"i", "v"};
    const double *value[] = {i, v};
    return recording_of(N, RATE, 2, name, value);
}

/* A low pass, driven by twelve sines, under an autoregression of factor .99. */
static darc_table *low_pass(uint64_t state)
{
    enum { SHORT = 300, SINES = 12 };
    static double u[SHORT], y[SHORT];
    const double lag = 0.3, gain = 2, share = 0.99, turn = 6.2831853;
    double part[SINES], noise = 1e-2 * case_normal(&state);
    for (int i = 0; i < SINES; i++)
        part[i] = turn * case_uniform(&state);
    for (int k = 0; k < SHORT; k++) {
        noise = share * noise +
                1e-2 * sqrt(1 - share * share) * case_normal(&state);
        u[k] = 0.2;
        y[k] = 0.2 * gain + noise;
        for (int i = 0; i < SINES; i++) {
            double w = turn * (0.08 + 0.0837 * i);
            double at = 0.1 * k * w + part[i];
            u[k] += 0.4 * cos(at);
            y[k] += 0.4 * gain * (cos(at) + lag * w * sin(at)) /
                    (1 + lag * lag * w * w);
        }
    }
    const char *name[] = {"u", "y"};
    const double *value[] = {u, y};
    return recording_of(SHORT, 10, 2, name, value);
}

/* Return how many of the recordings are refused, whose model is right.  (Of 100
 * 9 were where jumps follow from white noise, 1 is.) */
static int refused(const char *word)
{
    static const uint64_t seed[RUNS] = {101, 106, 107, 208, 209, 227,
                                        238, 244, 252, 268, 272, 300};
    int count = 0;
    for (int k = 0; k < RUNS; k++) {
        char text[200];
        bool held[8] = {false};
        weakbench b;
        darc_judgement j;
        darc_table *t = cell(seed[k]);
        snprintf(text, sizeof text,
                 "model cell\nparameters\n R0 R1 C1\n E may be zero\n"
                 "inputs\n i%s\noutputs\n v\nstates\n x\nequations\n"
                 " v = E - R0*i - x\n C1*x' = i - x/R1\n",
                 word);
        weakbench_open(&b, text, 0);
        for (int u = 0; u < b.x.io->jet->names->count; u++)
            held[u] = darc_model_is_held(b.x.model, u);
        b.by.held = held;
        weakbench_structure(&j, &b, t);
        count += j.decision.verdict == DARC_INCONSISTENT;
        darc_judgement_clear(&j);
        weakbench_close(&b);
        darc_table_free(t);
    }
    return count;
}

/* Jumps follow from coefficients: as if noise were white all of them together
 * are off, which a delay explains. */
START_TEST(jumps_follow_beside_the_colour)
{
    ck_assert_int_eq(refused(" held"), 0);
}
END_TEST

/* Changes between samples take up slow noise, which makes them no likelier. */
START_TEST(readings_are_weighed_beside_the_colour)
{
    ck_assert_int_eq(refused(""), 0);
}
END_TEST

/* The first functions of a recording are whitened by none before them: slow
 * noise stands out of these, and what was before is taken for it.  (Of 100
 * recordings 4 were refused, 0 are without these functions.) */
START_TEST(the_first_functions_show_slow_noise)
{
    static const uint64_t seed[] = {13, 41, 51, 66, 1, 2};
    int count = 0;
    for (size_t k = 0; k < sizeof seed / sizeof *seed; k++) {
        weakbench b;
        darc_judgement j;
        darc_table *t = low_pass(seed[k]);
        weakbench_open(&b,
                       "model lag\nparameters\n T K\ninputs\n u\noutputs\n"
                       " y\nequations\n T*y' + y = K*u\n",
                       0);
        weakbench_structure(&j, &b, t);
        count += j.decision.verdict == DARC_INCONSISTENT;
        darc_judgement_clear(&j);
        weakbench_close(&b);
        darc_table_free(t);
    }
    ck_assert_int_eq(count, 0);
}
END_TEST

Suite *suite_slow(void)
{
    Suite *s = suite_create("slow");
    TCase *c = tcase_create("slow");
    tcase_add_test(c, jumps_follow_beside_the_colour);
    tcase_add_test(c, readings_are_weighed_beside_the_colour);
    tcase_add_test(c, the_first_functions_show_slow_noise);
    suite_add_tcase(s, c);
    return s;
}
