/* Inputs that jump. */
#include "tests.h"

#include "data/table.h"
#include "models.h"
#include "recording.h"
#include "simulation.h"
#include "weakbench.h"

#include <math.h>

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

Suite *suite_jumps(void)
{
    Suite *s = suite_create("jumps");
    TCase *c = tcase_create("jumps");
    tcase_add_test(c, a_staircase_leaves_too_little_between_its_steps);
    suite_add_tcase(s, c);
    return s;
}
