/* Inputs that are held between samples, said and not said. */
#include "tests.h"

#include "recording.h"
#include "weakbench.h"

#include <math.h>

enum { N = 600, FINE = 1000 };

static const char filter[] =
    "model filter\nparameters\n L R C G\ninputs\n u\noutputs\n i v\n"
    "equations\n L*i' = u - R*i - v\n C*v' = i - G*v\n";

/* A filter at a converter, 20 samples a period of its own, whose coil bends by
 * so much i^3; noise of .5 %. */
static darc_table *recording(double bend)
{
    static double y[3][N];
    uint64_t state = 3;
    double i = 0, v = 0, h = 0.03 / FINE;
    for (int k = 0; k < N * FINE; k++) {
        double t = k / FINE * 0.03, u = 6;
        for (int m = 1; m < 9; m++)
            u += 0.6 * cos(1.7 * m * t + 5 * m * m);
        if (k % FINE == 0) {
            y[0][k / FINE] = u;
            y[1][k / FINE] = i + 0.02 * case_normal(&state);
            y[2][k / FINE] = v + 0.01 * case_normal(&state);
        }
        i += h * (u - 0.3 * i - v - bend * i * i * i) / 0.1;
        v += h * (i - 0.5 * v) / 0.1;
    }
    const char *name[] = {"u", "i", "v"};
    const double *value[] = {y[0], y[1], y[2]};
    return recording_of(N, 1 / 0.03, 3, name, value);
}

/* Of a filter the voltage does not jump, though it stands beside u. */
START_TEST(held_inputs_refuse_no_model)
{
    weakbench b;
    darc_decision d;
    bool held[16] = {false};
    double bend = _i < 2 ? 0 : 0.01;
    weakbench_open(&b, filter, 0);
    const darc_names_struct *names = b.x.io->jet->names;
    ck_assert_int_le(names->count, 16);
    for (int u = 0; u < names->count; u++)
        held[u] = strcmp(names->symbol[u].name, "u") == 0;
    b.by.held = _i % 2 == 1 ? held : NULL;
    darc_table *t = recording(bend);
    weakbench_holds(&b, t, &d);
    ck_assert_msg(d.verdict == (bend > 0  ? DARC_INCONSISTENT
                                : _i == 1 ? DARC_CONSISTENT
                                          : DARC_UNDECIDED),
                  "%s", d.reason);
    ck_assert_msg(_i != 0 || strstr(d.reason, "--hold u where") != NULL, "%s",
                  d.reason);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

Suite *suite_otherwise(void)
{
    Suite *s = suite_create("otherwise");
    TCase *c = tcase_create("held");
    tcase_add_loop_test(c, held_inputs_refuse_no_model, 0, 4);
    suite_add_tcase(s, c);
    return s;
}
