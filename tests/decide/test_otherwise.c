/* What else may have made what contradicts a model: inputs that are held
 * between samples, red noise inside a term. */
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

static const char belt[] =
    "model belt\nparameters\n J1 J2 k d b\ninputs\n u\noutputs\n a w\n"
    "equations\n J1*a'' = u - k*(a - w) - d*(a' - w')\n"
    " J2*w'' = k*(a - w) + d*(a' - w') - b*w'\n";

/* Two masses of a belt so stiff, noise autoregressive with this pole. */
static darc_table *run(uint64_t seed, double stiff, double pole)
{
    enum { SAMPLES = 1000, STEPS = 200 };
    static double y[3][SAMPLES];
    double a = 0, w = 0, da = 0, dw = 0, h = 0.03 / STEPS, n[2] = {0, 0};
    for (int k = 0; k < SAMPLES * STEPS; k++) {
        double u = 0;
        for (int m = 0; m < 12; m++)
            u += 0.4 * cos((0.8 + 1.3 * m) * k * h + (double)seed * m * m);
        if (k % STEPS == 0) {
            for (int i = 0; i < 2; i++)
                n[i] = pole * n[i] + 0.003 * case_normal(&seed);
            y[0][k / STEPS] = u;
            y[1][k / STEPS] = a + n[0];
            y[2][k / STEPS] = w + n[1];
        }
        double torque = stiff * (a - w) + 0.15 * (da - dw);
        da += h * (u - torque) / 0.1;
        dw += h * (torque - 0.3 * dw) / 0.15;
        a += h * da;
        w += h * dw;
    }
    const char *name[] = {"u", "a", "w"};
    const double *value[] = {y[0], y[1], y[2]};
    return recording_of(SAMPLES, 1 / 0.03, 3, name, value);
}

/* Of the difference of two angles red noise is the jerk of one. */
START_TEST(red_noise_inside_a_term_is_no_term)
{
    weakbench b;
    darc_decision d;
    weakbench_open(&b, belt, 0);
    darc_table *t = run(1 + (uint64_t)_i, 8, 0.9);
    weakbench_holds(&b, t, &d);
    ck_assert_msg(d.verdict != DARC_INCONSISTENT, "%s", d.reason);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* The twist of a stiff belt is less than the noise of its angles, which then
 * goes with the torque. */
START_TEST(noise_of_a_small_difference_refuses_no_model)
{
    weakbench b;
    darc_decision d;
    weakbench_open(&b, belt, 0);
    darc_table *t = run(1 + (uint64_t)_i, 800, 0.9);
    weakbench_holds(&b, t, &d);
    ck_assert_msg(d.verdict != DARC_INCONSISTENT, "%s", d.reason);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

static const char kinetics[] =
    "model kinetics\nparameters\n k1 k2 k3\noutputs\n x y z\nequations\n"
    " x' = -k1*x + k2*y*z\n y' = k1*x - k2*y*z - k3*y^2\n z' = k3*y^2\n";

/* Robertson's reactions, 100 s, which are stiff; noise of 1 %. */
static darc_table *reactions(uint64_t seed)
{
    enum { SAMPLES = 800, STEPS = 300 };
    static double s[3][SAMPLES];
    double x = 1, y = 0, z = 0, h = 100.0 / (SAMPLES - 1) / STEPS;
    double rms[3] = {0.75, 2.5e-5, 0.27};
    for (int k = 0; k < SAMPLES; k++) {
        double clean[] = {x, y, z};
        for (int i = 0; i < 3; i++)
            s[i][k] = clean[i] + 0.01 * rms[i] * case_normal(&seed);
        for (int i = 0; i < STEPS; i++) {
            double back = 1e4 * y * z, on = 3e7 * y * y;
            y += h * (0.04 * x - back - on);
            z += h * on;
            x = 1 - y - z;
        }
    }
    const char *name[] = {"x", "y", "z"};
    const double *value[] = {s[0], s[1], s[2]};
    return recording_of(SAMPLES, (SAMPLES - 1) / 100.0, 3, name, value);
}

/* Products of noise move coefficients off the relations between them. */
START_TEST(products_of_noise_break_no_relations)
{
    weakbench b;
    darc_decision d;
    weakbench_open(&b, kinetics, 0);
    darc_table *t = reactions(1 + (uint64_t)_i);
    weakbench_holds(&b, t, &d);
    ck_assert_msg(d.verdict != DARC_INCONSISTENT, "%s", d.reason);
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
    c = tcase_create("noise");
    tcase_add_loop_test(c, red_noise_inside_a_term_is_no_term, 0, 6);
    tcase_add_loop_test(c, noise_of_a_small_difference_refuses_no_model, 0, 6);
    tcase_add_loop_test(c, products_of_noise_break_no_relations, 0, 6);
    suite_add_tcase(s, c);
    return s;
}
