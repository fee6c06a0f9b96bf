/* Noise that only what an equation leaves shows. */
#include "tests.h"

#include "data/table.h"
#include "models.h"
#include "recording.h"
#include "simulation.h"
#include "terms/left.h"
#include "weakbench.h"

#include <math.h>
#include <string.h>

enum { N = 1500, FINE = 20, HOLD = 5 };

static const char model_low[] = "model low\nparameters\n T K\ninputs\n u\n"
                                "outputs\n y\nequations\n T*y' + y = K*u\n";

/* A low pass of ten samples that bends by this share of y^3, switched at random
 * at every fifth sample, or to levels that are held for 20 to 60; noise of sd
 * 0.01 remembers this share of the sample before. */
typedef struct {
    double bend, pole;
    bool levels;
    uint64_t seed;
    double input; /* noise of the input, which is switched */
    bool grows;   /* noise is .02 of each value */
} rig;

static darc_table *recording(const rig *r)
{
    static double u[N], y[N];
    uint64_t state = 7 + r->seed;
    double x = 0, n = 0, T = 10.0 * FINE;
    for (int i = 0, next = 0; i < N; i++) {
        bool jump = i == next;
        double level = jump ? case_normal(&state) : 0;
        u[i] = !jump ? u[i - 1] : r->levels ? level : level > 0 ? 1 : -1;
        if (jump)
            next +=
                r->levels ? 20 + (int)(fabs(case_normal(&state)) * 20) : HOLD;
        n = r->pole * n + sqrt(1 - r->pole * r->pole) * case_normal(&state);
        y[i] = x + (r->grows ? 0.02 * x : 0.01) * n;
        for (int k = 0; k < FINE; k++)
            x += (2 * u[i] - x - r->bend * x * x * x) / T;
    }
    for (int i = 0; i < N; i++)
        u[i] += r->input * case_normal(&state);
    const char *name[] = {"u", "y"};
    const double *value[] = {u, y};
    return recording_of(N, 100, 2, name, value);
}

static darc_judgement judge(const rig *r)
{
    weakbench b;
    darc_judgement j;
    weakbench_open(&b, model_low, 0);
    darc_table *t = recording(r);
    weakbench_structure(&j, &b, t);
    darc_table_free(t);
    weakbench_close(&b);
    return j;
}

START_TEST(noise_under_a_signal_up_to_nyquist_is_seen)
{
    darc_judgement j = judge(&(rig){.bend = 0});
    ck_assert_msg(j.decision.verdict == DARC_CONSISTENT, "%s",
                  j.decision.reason);
    ck_assert_str_eq(j.decision.noise, "white");
    ck_assert_double_lt(j.decision.detectable, 0.01);
    darc_judgement_clear(&j);
}
END_TEST

/* Levels show the noise of an input, beside which that of y is seen. */
START_TEST(noise_on_both_signals_is_seen)
{
    darc_judgement j = judge(&(rig){.input = 0.01});
    ck_assert_msg(j.decision.verdict == DARC_CONSISTENT, "%s",
                  j.decision.reason);
    ck_assert_int_eq(j.helds, 1);
    darc_judgement_clear(&j);
}
END_TEST

START_TEST(red_noise_beside_that_of_an_input_is_not_white)
{
    static const double red[] = {0.5, 0.9, 0.99};
    darc_judgement j = judge(&(rig){.input = 0.01, .pole = red[_i]});
    ck_assert_int_ne(j.decision.verdict, DARC_INCONSISTENT);
    darc_judgement_clear(&j);
}
END_TEST

START_TEST(a_term_that_is_missing_does_not_hide_it)
{
    darc_judgement j = judge(&(rig){.bend = 0.05});
    ck_assert_msg(j.decision.verdict == DARC_INCONSISTENT, "%s",
                  j.decision.reason);
    darc_judgement_clear(&j);
}
END_TEST

static const double pole[] = {0.5, 0.9, 0.99};

START_TEST(red_noise_is_not_taken_for_white)
{
    darc_judgement j = judge(&(rig){.pole = pole[_i]});
    ck_assert_str_eq(j.decision.noise, "any");
    ck_assert_int_ne(j.decision.verdict, DARC_INCONSISTENT);
    darc_judgement_clear(&j);
}
END_TEST

/* What folds at the jumps makes up for the fall of red noise, and all of it
 * looks flat over an octave: no proof of white noise. */
START_TEST(a_flat_part_is_no_white_noise)
{
    darc_judgement j =
        judge(&(rig){.pole = 0.9, .levels = true, .seed = 1 + (uint64_t)_i});
    ck_assert_msg(j.decision.verdict != DARC_INCONSISTENT, "%s",
                  j.decision.reason);
    darc_judgement_clear(&j);
}
END_TEST

/* The spectrum of what is left is flat, but it has no one level. */
START_TEST(noise_that_grows_is_not_taken_for_white)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        darc_judgement j = judge(&(rig){.grows = true, .seed = seed});
        ck_assert_str_eq(j.decision.noise, "any");
        darc_judgement_clear(&j);
    }
}
END_TEST

/* The level is that of the noise; other signals keep theirs. */
START_TEST(the_level_is_that_of_the_noise)
{
    weakbench b;
    darc_fit f;
    bool told;
    weakbench_open(&b, model_low, 0);
    darc_table *t = recording(&(rig){.bend = 0});
    ck_assert_int_eq(darc_fit_question(&f, &b.x, t, 0.01, NULL), DARC_OK);
    int n = f.r.unknowns, u = f.r.coloured;
    darc_signalnoise known[8] = {{.taps = 0}};
    ck_assert_int_le(n, 8);
    ck_assert_int_ge(u, 0);
    ck_assert_double_gt(f.r.noise[u].sd, 0.02);
    ck_assert(darc_left_noise(known, &told, &f, &b.x, t, 0.01));
    ck_assert_double_eq_tol(known[u].sd, 0.01, 0.001);
    for (int v = 0; v < n; v++) {
        if (v != u)
            ck_assert_int_eq(known[v].colour, f.r.noise[v].colour);
        darc_signalnoise_clear(known + v);
    }
    darc_fit_clear(&f);
    darc_table_free(t);
    weakbench_close(&b);
}
END_TEST

/* Predators and their prey, of which the first may crowd (share of x^2). */
typedef struct {
    int samples;
    double dt, crowd, pole, other; /* memory of the noise of x, and of y */
    uint64_t seed;
} wood;

static void grow(double *d, const double *x, double crowd)
{
    d[0] = x[0] - 0.5 * x[0] * x[1] - crowd * x[0] * x[0];
    d[1] = -0.8 * x[1] + 0.4 * x[0] * x[1];
}

/* A step of Heun's method. */
static void step(double *x, double h, double crowd)
{
    double a[2], b[2];
    grow(a, x, crowd);
    double y[] = {x[0] + h * a[0], x[1] + h * a[1]};
    grow(b, y, crowd);
    for (int i = 0; i < 2; i++)
        x[i] += h * (a[i] + b[i]) / 2;
}

/* With noise of 1 % of the RMS of each. */
static darc_table *count_both(const wood *w)
{
    enum { MOST = 3000, TURNS = 400 };
    static double value[2][MOST];
    double x[] = {3, 1.5};
    const double memory[] = {w->pole, w->other};
    uint64_t state = 3 + w->seed;
    for (int t = 0; t < w->samples; t++) {
        value[0][t] = x[0];
        value[1][t] = x[1];
        for (int k = 0; k < TURNS; k++)
            step(x, w->dt / TURNS, w->crowd);
    }
    for (int i = 0; i < 2; i++) {
        double mean = 0, square = 0, n = 0, p = memory[i];
        for (int t = 0; t < w->samples; t++)
            mean += value[i][t] / w->samples;
        for (int t = 0; t < w->samples; t++)
            square += pow(value[i][t] - mean, 2) / w->samples;
        for (int t = 0; t < w->samples; t++) {
            n = p * n + sqrt(1 - p * p) * case_normal(&state);
            value[i][t] += 0.01 * sqrt(square) * n;
        }
    }
    const char *name[] = {"y", "z"};
    const double *both[] = {value[0], value[1]};
    return recording_of((size_t)w->samples, 1 / w->dt, 2, name, both);
}

static darc_judgement judge_wood(const wood *w)
{
    weakbench b;
    darc_judgement j;
    weakbench_open(&b,
                   "model wood\nparameters\n a b c d\noutputs\n y z\n"
                   "equations\n y' = a*y - b*y*z\n z' = -c*z + d*y*z\n",
                   0);
    darc_table *t = count_both(w);
    weakbench_structure(&j, &b, t);
    darc_table_free(t);
    weakbench_close(&b);
    return j;
}

/* Two equations show the noise of two signals, that of a short recording too.
 */
START_TEST(two_signals_are_seen_in_two_equations)
{
    int found = 0;
    for (uint64_t k = 0; k < 6; k++) {
        darc_judgement j = judge_wood(&(wood){300, 0.7, 0.02, 0, 0, 10 * k});
        found += j.decision.verdict == DARC_INCONSISTENT;
        darc_judgement_clear(&j);
    }
    ck_assert_int_ge(found, 3);
}
END_TEST

/* Red noise of one signal or both makes no term, and hides none. */
START_TEST(a_term_is_seen_beside_red_noise)
{
    int found = 0;
    for (uint64_t k = 0; k < 3; k++) {
        double other = k == 0 ? pole[_i] : 0;
        darc_judgement j = judge_wood(&(wood){300, 0.7, 0, pole[_i], other, k});
        ck_assert_msg(j.decision.verdict == DARC_CONSISTENT, "%s",
                      j.decision.reason);
        darc_judgement_clear(&j);
        j = judge_wood(&(wood){300, 0.7, 0.02, pole[_i], other, k});
        ck_assert_msg(j.decision.verdict != DARC_CONSISTENT, "%s",
                      j.decision.reason);
        found += j.decision.verdict == DARC_INCONSISTENT;
        darc_judgement_clear(&j);
    }
    ck_assert_int_ge(found, 2);
}
END_TEST

/* Five samples a turn, which fade at once: no spikes of noise. */
START_TEST(turns_that_fade_are_no_noise_that_grows)
{
    darc_judgement j = judge_wood(&(wood){3000, 1.4, 0.02, 0, 0, 0});
    ck_assert_int_ne(j.decision.verdict, DARC_CONSISTENT);
    ck_assert_double_lt(j.decision.detectable, 0.001);
    darc_judgement_clear(&j);
}
END_TEST

Suite *suite_left(void)
{
    Suite *s = suite_create("left");
    TCase *c = tcase_create("left");
    tcase_add_test(c, noise_under_a_signal_up_to_nyquist_is_seen);
    tcase_add_test(c, noise_on_both_signals_is_seen);
    tcase_add_loop_test(c, red_noise_beside_that_of_an_input_is_not_white, 0,
                        3);
    tcase_add_test(c, a_term_that_is_missing_does_not_hide_it);
    tcase_add_test(c, noise_that_grows_is_not_taken_for_white);
    tcase_add_loop_test(c, red_noise_is_not_taken_for_white, 0, 3);
    tcase_add_loop_test(c, a_flat_part_is_no_white_noise, 0, 4);
    tcase_add_test(c, the_level_is_that_of_the_noise);
    tcase_add_test(c, two_signals_are_seen_in_two_equations);
    tcase_add_loop_test(c, a_term_is_seen_beside_red_noise, 0, 3);
    tcase_add_test(c, turns_that_fade_are_no_noise_that_grows);
    suite_add_tcase(s, c);
    return s;
}
