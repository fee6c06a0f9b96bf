/* Inputs whose times of change are not known: held ones, where rows are lost.
 */
#include "tests.h"

#include "base/mem.h"
#include "base/text.h"
#include "fit/edges.h"
#include "recording.h"
#include "weakbench.h"

#include <math.h>
#include <string.h>

enum { N = 2000, HOLD = 20, FINE = 1000 };

static const char oscillator[] =
    "model oscillator\nparameters\n w d g\ninputs\n u\noutputs\n y\n"
    "equations\n y'' = g*u - w*y - d*y'\n";

/* An oscillator under an input that is held for 20 samples of .05 s; noise of
 * 1 %, and 3 % of the rows lost. */
static darc_table *with_lost_rows(uint64_t seed)
{
    darc_text_t csv = DARC_TEXT;
    darc_table *t = NULL;
    double y = 0, v = 0, u = 0, h = 0.05 / FINE;
    darc_text_puts(csv, "time,u,y\n");
    for (int k = 0; k < N; k++) {
        if (k % HOLD == 0)
            u = case_normal(&seed);
        if (case_uniform(&seed) > 0.03)
            darc_text_printf(csv, "%.6g,%.9g,%.9g\n", 0.05 * k, u,
                             y + 0.01 * case_normal(&seed));
        for (int i = 0; i < FINE; i++) {
            v += h * (4 * u - 4 * y - 0.6 * v);
            y += h * v;
        }
    }
    darc_load_options o = {.from = NAN, .to = NAN, .bridge = true};
    ck_assert_int_eq(recording_load(&t, csv->s, csv->len, &o, NULL), DARC_OK);
    darc_text_clear(csv);
    return t;
}

/* A right model, whatever rows are lost. */
START_TEST(lost_steps_of_held_inputs_refuse_no_model)
{
    weakbench b;
    darc_decision d;
    bool held[16] = {false};
    weakbench_open(&b, oscillator, 0);
    const darc_names_struct *names = b.x.io->jet->names;
    ck_assert_int_le(names->count, 16);
    for (int u = 0; u < names->count; u++)
        held[u] = strcmp(names->symbol[u].name, "u") == 0;
    b.by.held = held;
    darc_table *t = with_lost_rows(1 + (uint64_t)_i);
    weakbench_holds(&b, t, &d);
    ck_assert_msg(d.verdict != DARC_INCONSISTENT, "%s", d.reason);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* Three rows lost: the step is at one of four places, all as likely. */
START_TEST(errors_are_those_of_a_uniform_place)
{
    enum { SAMPLES = 12 };
    unsigned char absent[SAMPLES] = {[4] = 1, [5] = 1, [6] = 1, [9] = 1};
    double u[SAMPLES];
    const char *name[] = {"u"};
    const double *value[] = {u};
    for (int k = 0; k < SAMPLES; k++)
        u[k] = k < 7 ? 1 : 3;
    darc_table *t = recording_of(SAMPLES, 1, 1, name, value);
    for (int late = 0; late < 3; late++) {
        double *edge = darc_edges_lost(t, u, absent, late);
        ck_assert_ptr_nonnull(edge);
        for (int k = 0; k < SAMPLES; k++) {
            double sd = k == 7 + late ? 2 * sqrt((16 - 1) / 12.0) : 0;
            ck_assert_double_eq(edge[k], 0);
            ck_assert_double_eq_tol(edge[SAMPLES + k], sd, 1e-12);
        }
        darc_free(edge);
    }
    ck_assert_ptr_null(darc_edges_lost(t, u, NULL, 0));
    ck_assert_ptr_null(darc_edges_lost(t, u, absent, SAMPLES));
    darc_table_free(t);
}
END_TEST

Suite *suite_edges(void)
{
    Suite *s = suite_create("edges");
    TCase *c = tcase_create("lost");
    tcase_add_loop_test(c, lost_steps_of_held_inputs_refuse_no_model, 0, 4);
    tcase_add_test(c, errors_are_those_of_a_uniform_place);
    suite_add_tcase(s, c);
    return s;
}
