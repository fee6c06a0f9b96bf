/* Moments of signals that jump at known times: y' + A y = B u' + C u, u held
 * from its samples on, solved exactly, has no residual. */
#include "scene.h"
#include "tests.h"

#include "weak/steps.h"

#include <math.h>
#include <string.h>

enum { N = 1200, SLOW = 5, HOLD = 23 };

static const double dt = 0.02, B = 0.5, C = 1.7;
static double A = 0.8; /* set by each test */

static double smooth(int signal, double t)
{
    return sin((signal + 1) * t);
}

static const scene_plan plan = {.names = "yu",
                                .part = {{"+1y1", "+1y0", "+1u1", "+1u0"}},
                                .at = smooth,
                                .samples = N,
                                .dt = 0.02,
                                .sd = 0.001,
                                .support = 60};

typedef struct {
    scene s;
    double time[N];
    unsigned char absent[N];
    double base[N]; /* what is late of u */
} recording;

/* The level of the input from sample i on. */
static double level(int i)
{
    return i < HOLD ? 0 : sin(1.3 * (i / HOLD) * (i / HOLD));
}

/* y at time t, where u follows its samples `late`; at a step as it is before
 * it, or behind. */
static double answer(const recording *r, double t, double late, bool before)
{
    double x = 0, u = 0, at = r->time[0];
    for (int i = 0; i < N; i++) {
        double step = r->time[i] + late;
        if (level(i) == u)
            continue;
        if (before ? step > t - 1e-9 : step > t + 1e-9)
            break;
        double e = exp(-A * (step - at));
        x = e * x + (1 - e) * (C - A * B) / A * u;
        at = step;
        u = level(i);
    }
    double e = exp(-A * (t - at));
    return e * x + (1 - e) * (C - A * B) / A * u + B * u;
}

static void open_recording(recording *r, double jitter, double late,
                           bool before)
{
    scene_open(&r->s, &plan);
    for (int i = 0; i < N; i++)
        r->time[i] = dt * (i + (i > 0 ? jitter * sin(2.385 * i) : 0));
    for (int i = 0; i < N; i++) {
        int held = i;
        while (held > 0 && r->time[held] + late > r->time[i] + 1e-9)
            held--;
        r->base[i] = level(i);
        r->s.column[1].value[i] = level(held);
        r->s.column[0].value[i] = answer(r, r->time[i], late, before);
    }
    if (jitter > 0) {
        r->s.table.time = r->time;
        r->s.table.dt = 0;
    }
    r->s.signal[0].output = true;
    r->s.signal[1].held = true;
    r->s.signal[1].late = late;
    r->s.signal[1].base = late > 0 ? r->base : NULL;
}

/* Return the largest residual of n coefficients over the largest moment. */
static double left(recording *r, const darc_steps *steps, const double *c,
                   size_t n)
{
    r->s.data.steps = steps;
    scene_remake(&r->s);
    double *w = darc_columns_all(r->s.weak), most = 0, worst = 0;
    size_t rows = r->s.weak->functions;
    for (size_t k = 0; k < rows; k++) {
        double e = 0;
        for (size_t j = 0; j < n; j++) {
            e += c[j] * w[j * rows + k];
            most = fmax(most, fabs(w[j * rows + k]));
        }
        worst = fmax(worst, fabs(e));
    }
    free(w);
    return worst / most;
}

static double linear_left(recording *r, const darc_steps *steps)
{
    return left(r, steps, (const double[4]){1, A, -B, -C}, 4);
}

static darc_steps *followed(const recording *r, bool before)
{
    const double c[4] = {1, A, -B, -C};
    const int first[2] = {0, 4};
    darc_steps *steps = darc_steps_new(&r->s.table, r->s.signal, 2);
    ck_assert_ptr_nonnull(steps);
    ck_assert(darc_steps_has_side(steps, &r->s.data, r->s.total, 1, 0));
    steps->before[0] = before;
    ck_assert(darc_steps_follow(steps, &r->s.data, r->s.total, 1, first, c));
    return steps;
}

/* What the equations say of the jump is what was made. */
START_TEST(outputs_jump_with_the_input)
{
    recording *r = calloc(1, sizeof *r);
    A = 0.8;
    open_recording(r, 0, 0, false);
    darc_steps *steps = followed(r, false);
    ck_assert_uint_eq(steps->count, (N - 1) / HOLD);
    for (size_t k = 0; k < steps->count; k++) {
        double du = steps->to[1][k] - steps->from[1][k];
        ck_assert_uint_eq(steps->row[k], (k + 1) * HOLD);
        ck_assert_double_eq_tol(steps->jump[0][k], B * du, 1e-12);
        double slope = (C - A * B) * du, *curve = steps->curve[0];
        ck_assert_double_eq_tol(steps->kink[0][k], slope, 1e-12);
        for (int p = 0; p < DARC_STEP_CURVES; p++)
            ck_assert_double_eq_tol(curve[k * DARC_STEP_CURVES + (size_t)p],
                                    slope *= -A, 1e-12);
    }
    darc_steps_free(steps);
    scene_close(&r->s);
    free(r);
}
END_TEST

/* On uniform time, with jitter, with an output five times slower, with an input
 * that acts between samples, and where the output follows within two samples.
 */
START_TEST(steps_leave_no_residual)
{
    static const struct {
        double jitter, late, most;
        bool slow;
        double pole; /* 1/s */
    } kind[] = {{0, 0, 1e-7, false, 0.8},        {0.2, 0, 1e-6, false, 0.8},
                {0, 0, 1e-4, true, 0.8},         {0, 0.0313, 1e-6, false, 0.8},
                {0.2, 0.0313, 1e-6, false, 0.8}, {0, 0, 1e-6, false, 30},
                {0, 0.0313, 1e-6, false, 30}};
    bool before = _i % 2 == 1;
    recording *r = calloc(1, sizeof *r);
    A = kind[_i / 2].pole;
    open_recording(r, kind[_i / 2].jitter, kind[_i / 2].late, before);
    for (int i = 0; i < N; i++)
        r->absent[i] = i % SLOW != 0;
    unsigned char *absent[2] = {r->absent, NULL};
    if (kind[_i / 2].slow) {
        r->s.signal[0].absent = r->absent;
        r->s.table.absent = absent;
        r->s.table.absents = 2;
    }
    darc_steps *steps = followed(r, before), *none = darc_steps_none(2);
    ck_assert_double_lt(linear_left(r, steps), kind[_i / 2].most);
    ck_assert_double_gt(linear_left(r, none), 1e-3);
    darc_steps_free(steps);
    darc_steps_free(none);
    scene_close(&r->s);
    free(r);
}
END_TEST

/* y' = A (u y - y^2), as log(y)'' - A u' + A y' = 0: 1/y relaxes to 1/u at the
 * rate A u. */
static double positive(int signal, double t)
{
    return 2 + smooth(signal, t);
}

static const scene_plan logistic[] = {
    {.names = "yu",
     .part = {{"+1y0y2-1y1y1", "+1u1y0y0", "+1y0y0y1"}},
     .at = positive,
     .samples = N,
     .dt = 0.02,
     .sd = 0.001,
     .support = 60}};

static void grow(recording *r, double rate, double late)
{
    double w = 0.5, u = 2, at = 0;
    int next = 0;
    for (int i = 0; i < N; i++) {
        double t = dt * i;
        for (; next < N && dt * next + late <= t + 1e-9; next++) {
            double e = exp(-rate * u * (dt * next + late - at));
            w = 1 / u + (w - 1 / u) * e;
            at = dt * next + late;
            u = 2 + level(next);
        }
        r->time[i] = t;
        r->base[i] = 2 + level(i);
        r->s.column[1].value[i] = u;
        r->s.column[0].value[i] =
            1 / (1 / u + (w - 1 / u) * exp(-rate * u * (t - at)));
    }
    r->s.signal[0].output = r->s.signal[1].held = true;
    r->s.signal[1].late = late;
    r->s.signal[1].base = late > 0 ? r->base : NULL;
}

/* Functions of what bends, where the output follows slowly and within two
 * samples, steps at samples and between; by the jump of the slope alone 1.3e-6,
 * 3.4e-6, 5e-4 and 9e-4 remain. */
START_TEST(products_leave_little)
{
    static const struct {
        double rate, late, most;
    } kind[] = {
        {0.5, 0, 1e-6}, {0.5, 0.0313, 1e-6}, {8, 0, 4e-4}, {8, 0.0313, 4e-4}};
    recording *r = calloc(1, sizeof *r);
    scene_open(&r->s, logistic);
    grow(r, kind[_i].rate, kind[_i].late);
    const double c[3] = {1, -kind[_i].rate, kind[_i].rate};
    const int first[2] = {0, 3};
    darc_steps *steps = darc_steps_new(&r->s.table, r->s.signal, 2);
    ck_assert(darc_steps_follow(steps, &r->s.data, r->s.total, 1, first, c));
    ck_assert_double_lt(left(r, steps, c, 3), kind[_i].most);
    ck_assert(darc_weak_is_estimate(r->s.weak));
    darc_steps_free(steps);
    scene_close(&r->s);
    free(r);
}
END_TEST

/* The wrong side of a step is half a sample off. */
START_TEST(the_side_matters)
{
    recording *r = calloc(1, sizeof *r);
    A = 0.8;
    open_recording(r, 0, 0, false);
    darc_steps *steps = followed(r, true);
    ck_assert_double_gt(linear_left(r, steps), 1e-3);
    darc_steps_free(steps);
    scene_close(&r->s);
    free(r);
}
END_TEST

Suite *suite_steps(void)
{
    Suite *s = suite_create("steps");
    TCase *c = tcase_create("moments");
    tcase_add_test(c, outputs_jump_with_the_input);
    tcase_add_loop_test(c, steps_leave_no_residual, 0, 14);
    tcase_add_loop_test(c, products_leave_little, 0, 4);
    tcase_add_test(c, the_side_matters);
    suite_add_tcase(s, c);
    return s;
}
