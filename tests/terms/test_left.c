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
        y[i] = x + 0.01 * n;
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

Suite *suite_left(void)
{
    Suite *s = suite_create("left");
    TCase *c = tcase_create("left");
    tcase_add_test(c, noise_under_a_signal_up_to_nyquist_is_seen);
    tcase_add_test(c, noise_on_both_signals_is_seen);
    tcase_add_loop_test(c, red_noise_beside_that_of_an_input_is_not_white, 0,
                        3);
    tcase_add_test(c, a_term_that_is_missing_does_not_hide_it);
    tcase_add_loop_test(c, red_noise_is_not_taken_for_white, 0, 3);
    tcase_add_loop_test(c, a_flat_part_is_no_white_noise, 0, 4);
    tcase_add_test(c, the_level_is_that_of_the_noise);
    suite_add_tcase(s, c);
    return s;
}
