/* What inputs do between samples. */
#include "tests.h"

#include "data/table.h"
#include "models.h"
#include "recording.h"
#include "simulation.h"
#include "terms/jumps.h"
#include "weakbench.h"

#include <math.h>
#include <string.h>

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

static const double gain = 1.5, constant = 0.4, apart = 0.04;

static double towards(double x, double end, double time)
{
    return end + (x - end) * exp(-time / constant);
}

enum { SAMPLES = 1000, EVERY = 25 };

/* T y' + y = K u, u a switch that is thrown every second, 0 to `most` samples
 * before the one that shows it: early; noise white and half as much that is
 * slow. */
static darc_table *switched(double *early, double most, double sd,
                            uint64_t state)
{
    double u[SAMPLES], y[SAMPLES], now = 1, x = 0, slow = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double left = i > 0 ? apart : 0;
        early[i] = 0;
        if (i % EVERY == 0 && i > 0) {
            early[i] = most * case_uniform(&state);
            x = towards(x, gain * now, left - early[i] * apart);
            double to = 1 + 3 * case_uniform(&state);
            now += now > 0 ? -to : to;
            left = early[i] * apart;
        }
        x = towards(x, gain * now, left);
        u[i] = now;
        slow = 0.9 * slow + sqrt(1 - 0.81) * case_normal(&state);
        y[i] = x + sd * (case_normal(&state) + 0.5 * slow);
    }
    const char *name[] = {"u", "y"};
    const double *value[] = {u, y};
    return recording_of(SAMPLES, 1 / apart, 2, name, value);
}

static const char lag_model[] =
    "model lag\nparameters\n T K\ninputs\n u\noutputs\n "
    "y\nequations\n T*y' + y = K*u\n";

/* Return by how many samples the changes of x lie at most off those every EVERY
 * samples that came so early. */
static double farthest(const double *x, const double *found,
                       const double *early)
{
    double off = 0;
    for (int i = 1; i < SAMPLES; i++) {
        int k = (i + EVERY / 2) / EVERY * EVERY;
        if (x[i] != x[i - 1])
            off = fmax(off, fabs(i - found[i] - (k - early[k])));
    }
    return off;
}

/* A switch knows nothing of the samples. */
START_TEST(changes_between_samples_are_located)
{
    for (uint64_t seed = 1; seed < 4; seed++) {
        weakbench b;
        darc_fit f;
        double early[SAMPLES], off = 0;
        darc_table *t = switched(early, 1, 0.005, seed);
        weakbench_open(&b, lag_model, 0);
        ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
        for (int u = 0; u < f.r.unknowns; u++)
            if (f.r.early[u] != NULL)
                off = fmax(off,
                           farthest(f.r.signal[u].value, f.r.early[u], early));
        ck_assert_int_eq(f.located, SAMPLES / EVERY - 1);
        ck_assert(!f.loose);
        ck_assert_double_lt(off, 0.2);
        darc_fit_clear(&f);
        b.by.glance = true; /* inputs are as they were recorded */
        ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
        ck_assert_int_eq(f.located, 0);
        darc_fit_clear(&f);
        weakbench_close(&b);
        darc_table_free(t);
    }
}
END_TEST

/* T y' + y = K u + L v, both set by one generator that runs by a clock of its
 * own, every so many samples. */
static darc_table *generated(int every, double lag, double sd, uint64_t state)
{
    double u[SAMPLES], v[SAMPLES], y[SAMPLES], to[2] = {1, 0}, x = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double left = i > 0 ? apart : 0, end = gain * to[0] + 0.5 * to[1];
        if (i % every == 0 && i > 0) {
            left *= case_uniform(&state);
            x = end + (x - end) * exp((left - apart) / lag);
            for (int k = 0; k < 2; k++)
                to[k] = 6 * case_uniform(&state) - 3;
            end = gain * to[0] + 0.5 * to[1];
        }
        x = end + (x - end) * exp(-left / lag);
        u[i] = to[0];
        v[i] = to[1];
        y[i] = x + sd * case_normal(&state);
    }
    const char *name[] = {"u", "v", "y"};
    const double *value[] = {u, v, y};
    return recording_of(SAMPLES, 1 / apart, 3, name, value);
}

static void fit_generated(darc_fit *f, int every, double lag, double sd)
{
    static const char model[] = "model lag\nparameters\n T K L\ninputs\n u v\n"
                                "outputs\n y\nequations\n"
                                " T*y' + y = K*u + L*v\n";
    weakbench b;
    darc_table *t = generated(every, lag, sd, 8);
    weakbench_open(&b, model, 0);
    ck_assert_int_eq(darc_fit_init(f, &b.x, t, 0.01, NULL), DARC_OK);
    weakbench_close(&b);
    darc_table_free(t);
}

/* So many changes are not told one by one, but as events. */
START_TEST(what_one_generator_sets_comes_at_one_time)
{
    enum { FEW = 6 };
    darc_fit f;
    fit_generated(&f, FEW, constant, 0.005);
    ck_assert_int_eq(f.located, (SAMPLES - 1) / FEW);
    ck_assert_double_ge(f.white.p_value, 0.01);
    darc_fit_clear(&f);
}
END_TEST

/* A cell that a switch thrown at random charges and discharges: T x' + x = K i,
 * v = x + R i. */
static darc_table *charged(double sd, uint64_t state)
{
    double i[SAMPLES], v[SAMPLES], at = 3, now = 1, x = 0;
    for (int k = 0; k < SAMPLES; k++) {
        double from = k > 0 ? k - 1 : 0;
        while (at < k) {
            x = towards(x, gain * now, (at - from) * apart);
            from = at;
            now = -now;
            at += 2 + 12 * case_uniform(&state);
        }
        x = towards(x, gain * now, (k - from) * apart);
        i[k] = now;
        v[k] = x + 0.8 * now + sd * case_normal(&state);
    }
    const char *name[] = {"i", "v"};
    const double *value[] = {i, v};
    return recording_of(SAMPLES, 1 / apart, 2, name, value);
}

/* Many times, and a resistance that moves them all, are found together. */
START_TEST(times_beside_a_jump_are_found)
{
    weakbench b;
    darc_fit f;
    darc_table *t = charged(0.004, 11 + (uint64_t)_i);
    weakbench_open(&b,
                   "model cell\nparameters\n T K L\ninputs\n i\noutputs\n v\n"
                   "equations\n T*v' + v = K*i + L*i'\n",
                   0);
    ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
    ck_assert_int_gt(f.located, 100);
    ck_assert_double_ge(f.white.p_value, 0.01);
    darc_fit_clear(&f);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* Times found leave a hundredth of what was taken for noise before. */
START_TEST(times_are_found_as_well_as_the_noise_lets_them)
{
    darc_fit f;
    fit_generated(&f, 12, 1.1 * apart, 2e-4);
    ck_assert_double_ge(f.white.p_value, 0.01);
    double lag = f.fit.c[1] / f.fit.c[0]; /* of y', beside that of y */
    ck_assert_double_eq_tol(lag, 1.1 * apart, 2e-5);
    darc_fit_clear(&f);
}
END_TEST

/* What a program sets at its samples does, and is told from a switch; beside
 * slow noise other times explain more than they may by chance. */
START_TEST(changes_at_samples_stay_there)
{
    int loose = 0;
    for (uint64_t seed = 1; seed < 4; seed++) {
        weakbench b;
        darc_fit f;
        double early[SAMPLES];
        darc_table *t = switched(early, 0, 0.02, seed);
        weakbench_open(&b, lag_model, 0);
        ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
        ck_assert_int_eq(f.located, 0);
        ck_assert(!f.torn);
        loose += f.loose;
        darc_fit_clear(&f);
        weakbench_close(&b);
        darc_table_free(t);
    }
    ck_assert_int_gt(loose, 0);
}
END_TEST

/* Times of changes are known to a share of a sample only. */
START_TEST(a_time_that_is_not_known_widens_intervals)
{
    weakbench b;
    darc_fit f;
    double early[SAMPLES];
    darc_table *t = switched(early, 1, 0.02, 4);
    weakbench_open(&b, lag_model, 0);
    ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
    ck_assert_ptr_nonnull(f.spread);
    for (int j = 0; j < f.fit.coeffs; j++) {
        double more = f.spread[j * (f.fit.coeffs + 1)];
        ck_assert(f.fit.free[j] ? more > 0 : more == 0);
    }
    darc_fit_clear(&f);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* T y' + y = K u, u up and down in ten levels: a staircase, with noise on it or
 * not, or rounded to them. */
static darc_table *levels(bool rounded, double sd, uint64_t state)
{
    enum { FINE = 50 };
    double u[SAMPLES], y[SAMPLES], x = 0;
    for (int i = 0; i < SAMPLES; i++) {
        y[i] = x + 0.02 * case_normal(&state);
        for (int k = 0; k < FINE; k++) {
            double at = (i + (k + 0.5) / FINE) / 40;
            double ramp = fabs(fmod(at, 20) - 10);
            double level = fabs(fmod(floor(at), 20) - 10);
            if (k == 0)
                u[i] = rounded ? round(ramp) : level + sd * case_normal(&state);
            x = towards(x, gain * (rounded ? ramp : level), apart / FINE);
        }
    }
    const char *name[] = {"u", "y"};
    const double *value[] = {u, y};
    return recording_of(SAMPLES, 1 / apart, 2, name, value);
}

/* Steps to the next level are those of a staircase, or of rounding; noise on
 * levels is told from them. */
START_TEST(small_steps_are_held_where_that_is_far_likelier)
{
    bool rounded = _i == 1, held = false;
    double sd = _i == 2 ? 0.1 : 0;
    weakbench b;
    darc_fit f;
    darc_table *t = levels(rounded, sd, 3);
    weakbench_open(&b, lag_model, 0);
    ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
    for (int u = 0; u < f.r.unknowns; u++)
        held = held || f.r.held[u] == DARC_HELD_FOUND;
    ck_assert_int_eq(held, !rounded);
    darc_fit_clear(&f);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

Suite *suite_readings(void)
{
    Suite *s = suite_create("readings");
    TCase *c = tcase_create("readings");
    tcase_add_test(c, held_inputs_may_be_held_up_to_their_samples);
    tcase_add_test(c, changes_between_samples_are_located);
    tcase_add_test(c, what_one_generator_sets_comes_at_one_time);
    tcase_add_test(c, times_are_found_as_well_as_the_noise_lets_them);
    tcase_add_loop_test(c, times_beside_a_jump_are_found, 0, 4);
    tcase_add_test(c, changes_at_samples_stay_there);
    tcase_add_test(c, a_time_that_is_not_known_widens_intervals);
    tcase_add_loop_test(c, small_steps_are_held_where_that_is_far_likelier, 0,
                        3);
    suite_add_tcase(s, c);
    return s;
}
