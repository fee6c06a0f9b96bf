/* Inputs that jump between samples. */
#include "tests.h"

#include "data/table.h"
#include "fit/cut.h"
#include "fit/thresholds.h"
#include "models.h"
#include "recording.h"
#include "simulation.h"
#include "weakbench.h"

#include <math.h>

enum { N = 1500, FINE = 40 };

static const char model_low[] = "model low\nparameters\n T K\ninputs\n u\n"
                                "outputs\n y\nequations\n T*y' + y = K*u\n";

/* A square wave of 62 samples, which a generator makes in its own time, or a
 * converter at the samples; the low pass bends by this share of y^3. */
typedef struct {
    bool held;
    double noise; /* of u; y has 0.01 */
    double bend;
} rig;

static void record(double *u, double *y, const rig *r)
{
    uint64_t state = 5;
    double x = 0, T = 0.1 * 100 * FINE; /* fine steps */
    for (int i = 0; i < N * FINE; i++) {
        double t = (r->held ? i - i % FINE : i) / (double)FINE;
        double now = (int)floor(t / 61.86 + 0.3) % 2 == 0 ? 1 : -1;
        if (i % FINE == 0) {
            u[i / FINE] = now + r->noise * case_normal(&state);
            y[i / FINE] = x + 0.01 * case_normal(&state);
        }
        x += (2 * now - x - r->bend * x * x * x) / T;
    }
}

static darc_table *table_of(const double *u, const double *y)
{
    const char *name[] = {"u", "y"};
    const double *value[] = {u, y};
    return recording_of(N, 100, 2, name, value);
}

static darc_table *recording(const rig *r)
{
    static double u[N], y[N];
    record(u, y, r);
    return table_of(u, y);
}

static const rig right[] = {
    {false, 0, 0}, {true, 0, 0}, {false, 0.02, 0}, {true, 0.02, 0}};

START_TEST(a_square_wave_makes_no_delay)
{
    weakbench b;
    darc_judgement j;
    weakbench_open(&b, model_low, 0);
    darc_table *t = recording(right + _i);
    weakbench_structure(&j, &b, t);
    ck_assert_msg(j.decision.verdict == DARC_CONSISTENT, "%s",
                  j.decision.reason);
    for (int i = 0; i < j.estimates; i++) {
        const darc_estimate *e = j.estimate + i;
        double want = strcmp(e->function, "K") == 0 ? 2 : 0.1;
        ck_assert_double_eq_tol(e->value_a, want, 4 * e->sd_a);
        ck_assert_double_lt(e->sd_a, 0.01 * want);
    }
    darc_judgement_clear(&j);
    darc_table_free(t);
    weakbench_close(&b);
}
END_TEST

/* That it has no noise does not say when it jumps. */
START_TEST(an_exact_input_jumps_too)
{
    weakbench b;
    double sd[8];
    weakbench_open(&b, model_low, 0);
    const darc_names_struct *names = b.x.io->jet->names;
    ck_assert_int_le(names->count, 8);
    for (int u = 0; u < names->count; u++)
        sd[u] = strcmp(names->symbol[u].name, "u") == 0 ? 0 : NAN;
    b.by.noise_sd = sd;
    darc_table *t = recording(right + _i);
    ck_assert_int_eq(weakbench_holds(&b, t, NULL), DARC_CONSISTENT);
    darc_table_free(t);
    weakbench_close(&b);
}
END_TEST

START_TEST(what_is_missing_between_jumps_is_found)
{
    weakbench b;
    rig r = right[_i];
    r.bend = 0.05;
    weakbench_open(&b, model_low, 0);
    darc_table *t = recording(&r);
    ck_assert_int_eq(weakbench_holds(&b, t, NULL), DARC_INCONSISTENT);
    darc_table_free(t);
    weakbench_close(&b);
}
END_TEST

/* ---- where recordings are cut ---------------------------------------------
 */

/* Cut what u makes; return the segments, 0: it is not cut. */
static int cut_by(const double *u, bool staircases)
{
    static double y[N];
    weakbench b;
    weakbench_open(&b, model_low, 0);
    darc_table *t = table_of(u, y);
    darc_cut *cut =
        darc_cut_new(&b.x, t, staircases ? DARC_CUT_STAIRS : DARC_CUT_JUMPS);
    int segments = cut != NULL ? cut->table.segments : 0;
    for (int i = 0; i < segments; i++) {
        darc_segment g = cut->table.segment[i];
        ck_assert_uint_gt(g.end, g.begin + DARC_CUT_LEAST);
        for (size_t k = g.begin + 1; k < g.end; k++)
            ck_assert_double_lt(fabs(u[k] - u[k - 1]), 0.5);
    }
    darc_cut_free(cut);
    darc_table_free(t);
    weakbench_close(&b);
    return segments;
}

START_TEST(jumps_divide)
{
    static double u[N];
    uint64_t state = 2;
    for (int i = 0; i < N; i++)
        u[i] = sin(i / 100 * 7.0) * 40 + 0.01 * case_normal(&state);
    ck_assert_int_eq(cut_by(u, false), 15);
    for (int i = 0; i < N; i++) /* what switches is held, at first */
        u[i] = (i / 100 % 2 == 0 ? 1 : -1) + 0.01 * case_normal(&state);
    ck_assert_int_eq(cut_by(u, false), 0);
    ck_assert_int_eq(cut_by(u, true), 15);
    for (int i = 0; i < N; i++)
        u[i] = i / 100 % 2;
    ck_assert_int_eq(cut_by(u, false), 0);
    ck_assert_int_eq(cut_by(u, true), 15);
    for (int i = 0; i < N; i++) /* too little would be left */
        u[i] = (i / 20 % 2 == 0 ? 1 : -1) + 0.01 * case_normal(&state);
    ck_assert_int_eq(cut_by(u, true), 0);
}
END_TEST

START_TEST(noise_sines_spikes_and_digits_do_not_jump)
{
    static double u[N];
    uint64_t state = 2;
    for (int i = 0; i < N; i++)
        u[i] = case_normal(&state);
    ck_assert_int_eq(cut_by(u, true), 0);
    for (int i = 0; i < N; i++)
        u[i] = sin(2.1 * i) + 0.3 * sin(0.1 * i);
    ck_assert_int_eq(cut_by(u, true), 0);
    for (int i = 0; i < N; i++)
        u[i] = sin(0.01 * i) + (i % 100 == 50 ? 5 : 0);
    ck_assert_int_eq(cut_by(u, true), 0);
    for (int i = 0; i < N; i++)
        u[i] = round(20 * sin(0.01 * i)) / 20;
    ck_assert_int_eq(cut_by(u, true), 0);
}
END_TEST

/* ---- two rows of one time -------------------------------------------------
 */

static const char model_ball[] = "model ball\nparameters\n g\noutputs\n h v\n"
                                 "equations\n h' = v\n v' = -g\n";

/* A ball that bounces every second, as solvers write it; or a low pass whose
 * input steps then. */
static darc_table *solved(bool ball)
{
    static char text[40000];
    double t = 0, x = 0, level = 0;
    size_t n = (size_t)sprintf(text, "t,%s\n", ball ? "h,v" : "u,y");
    darc_table *table;
    darc_load_options o;
    for (int i = 0; i < 400; i++, t += 0.02) {
        double s = fmod(t + 1e-9, 1) - 1e-9, end = level;
        bool event = i > 0 && i % 50 == 0;
        level = sin(3 * floor(t + 1e-9));
        end = i == 0 ? level : end;
        for (int side = !event; side < 2; side++) {
            double at = event && side == 0 ? 1 : s, u = side == 0 ? end : level;
            n += (size_t)sprintf(text + n, "%.3f,%.9g,%.9g\n", t,
                                 ball ? 5 * at * (1 - at) : u,
                                 ball ? 5 - 10 * at : x);
        }
        x = level + (x - level) * exp(-0.02 / 0.3);
    }
    darc_load_options_init(&o);
    ck_assert_int_eq(recording_load(&table, text, n, &o, NULL), DARC_OK);
    ck_assert_uint_eq(table->sides, 7);
    ck_assert_uint_eq(table->samples, 400);
    return table;
}

START_TEST(states_that_jump_begin_segments)
{
    weakbench b;
    weakbench_open(&b, model_ball, 0);
    darc_table *t = solved(true);
    ck_assert_int_ne(weakbench_holds(&b, t, NULL), DARC_CONSISTENT);
    darc_cut_sides(t, b.x.model);
    ck_assert_int_eq(t->segments, 8);
    for (int i = 1; i < 8; i++)
        ck_assert_uint_eq(t->segment[i].begin, 50 * (size_t)i);
    ck_assert_int_eq(weakbench_holds(&b, t, NULL), DARC_CONSISTENT);
    darc_table_free(t);
    weakbench_close(&b);
}
END_TEST

START_TEST(inputs_that_step_there_alone_are_held)
{
    weakbench b;
    weakbench_open(&b, model_low, 0);
    darc_table *t = solved(false);
    int u = darc_names_find(b.x.io->jet->names, "u", 1);
    ck_assert(darc_cut_is_said(&b.x, t, u));
    darc_cut_sides(t, b.x.model);
    ck_assert_int_eq(t->segments, 1);
    ck_assert_int_eq(weakbench_holds(&b, t, NULL), DARC_CONSISTENT);
    t->signal[0].value[20] += 1e-6; /* it moves elsewhere, too */
    ck_assert(!darc_cut_is_said(&b.x, t, u));
    darc_table_free(t);
    weakbench_close(&b);
}
END_TEST

Suite *suite_cut(void)
{
    Suite *s = suite_create("cut");
    TCase *c = tcase_create("cut");
    tcase_add_loop_test(c, a_square_wave_makes_no_delay, 0, 4);
    tcase_add_loop_test(c, an_exact_input_jumps_too, 0, 2);
    tcase_add_loop_test(c, what_is_missing_between_jumps_is_found, 0, 4);
    tcase_add_test(c, jumps_divide);
    tcase_add_test(c, noise_sines_spikes_and_digits_do_not_jump);
    tcase_add_test(c, states_that_jump_begin_segments);
    tcase_add_test(c, inputs_that_step_there_alone_are_held);
    suite_add_tcase(s, c);
    return s;
}
