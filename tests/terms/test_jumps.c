/* Inputs that jump. */
#include "tests.h"

#include "data/table.h"
#include "models.h"
#include "recording.h"
#include "simulation.h"
#include "weakbench.h"

#include <math.h>
#include <string.h>

static const char model_sum[] = "model sum\nparameters\n p q\ninputs\n u v\n"
                                "outputs\n y\nequations\n y = p*u + q*v\n";

/* Of 120 samples 62 are left beside steps of 14: half of them, and too few to
 * tell of noise.  What fits the whole stays. */
START_TEST(a_staircase_leaves_too_little_between_its_steps)
{
    enum { N = 120, FIRST = 62, STEP = 14 };
    static const double level[] = {1, 2.5, 0.5, 3, 1.5, 2, 4};
    double u[N], v[N], y[N];
    uint64_t state = 1;
    for (int i = 0; i < N; i++) {
        u[i] = level[i < FIRST ? 0 : 1 + (i - FIRST) / STEP];
        v[i] = sin(0.6 * i) + 0.5 * sin(0.97 * i);
        y[i] = 2 * u[i] + v[i] + 0.8 * u[i] * u[i] + 1e-3 * case_normal(&state);
    }
    const char *name[] = {"u", "v", "y"};
    const double *value[] = {u, v, y};
    darc_table *t = recording_of(N, 100, 3, name, value);
    weakbench b;
    darc_judgement j;
    weakbench_open(&b, model_sum, 0);
    weakbench_structure(&j, &b, t);
    ck_assert_int_ne(j.decision.verdict, DARC_CONSISTENT);
    darc_judgement_clear(&j);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* y' = -a y + b u, a = 1/s, where u is constant between samples and u[i] stands
 * for the time behind sample i - lag.  In the second half of recordings that
 * lack it, half a y^3 is missing. */
static darc_table *logged(int lag, bool lacks, uint64_t state)
{
    enum { N = 600, RATE = 10, FINE = 20 };
    static double u[N + 2], v[N], y[N];
    double x = 0, now = 0;
    for (int i = 0; i < N + 2; i++)
        u[i] = now = case_uniform(&state) < 0.6
                         ? now
                         : floor(6 * case_uniform(&state)) - 2;
    for (int i = 0; i < N; i++) {
        v[i] = u[i < lag ? 0 : i - lag];
        y[i] = x + 2e-3 * case_normal(&state);
        for (int k = 0; k < FINE; k++) {
            double h = 1.0 / RATE / FINE, middle = x + h / 2 * (2 * u[i] - x);
            x += h * (2 * u[i] - middle -
                      (lacks ? 0.1 * middle * middle * middle : 0));
        }
    }
    const char *name[] = {"u", "y"};
    const double *value[] = {v, y};
    return recording_of(N, RATE, 2, name, value);
}

static darc_verdict judge_logged(bool *until, int lag, bool lacks, bool said)
{
    static const char model[] = "model lag\nparameters\n a b\ninputs\n u\n"
                                "outputs\n y\nequations\n y' + a*y = b*u\n";
    bool held[8] = {false};
    weakbench b;
    darc_judgement j;
    darc_table *t = logged(lag, lacks, 5 + (uint64_t)lag);
    weakbench_open(&b, model, 0);
    for (int u = 0; u < b.x.io->jet->names->count && said; u++)
        held[u] = b.x.io->jet->names->symbol[u].kind == DARC_INPUT;
    b.by.held = held;
    weakbench_structure(&j, &b, t);
    *until = false;
    for (int k = 0; k < j.notes; k++)
        *until |= strstr(j.note[k], "up to each sample") != NULL;
    darc_verdict verdict = j.decision.verdict;
    darc_judgement_clear(&j);
    weakbench_close(&b);
    darc_table_free(t);
    return verdict;
}

/* As meters log it, said to be held or not; a term that is missing stays so. */
START_TEST(held_inputs_may_be_held_up_to_their_samples)
{
    bool until, said = _i % 2 == 1;
    ck_assert_int_eq(judge_logged(&until, 0, false, said), DARC_CONSISTENT);
    ck_assert(!until);
    ck_assert_int_eq(judge_logged(&until, 1, false, said), DARC_CONSISTENT);
    ck_assert(until);
    ck_assert_int_ne(judge_logged(&until, 2, false, said), DARC_CONSISTENT);
    for (int lag = 0; lag < 2; lag++)
        ck_assert_int_eq(judge_logged(&until, lag, true, said),
                         DARC_INCONSISTENT);
}
END_TEST

Suite *suite_jumps(void)
{
    Suite *s = suite_create("jumps");
    TCase *c = tcase_create("jumps");
    tcase_add_test(c, a_staircase_leaves_too_little_between_its_steps);
    tcase_add_loop_test(c, held_inputs_may_be_held_up_to_their_samples, 0, 2);
    suite_add_tcase(s, c);
    return s;
}
