/* Inputs that a controller computed, beside inputs that were measured. */
#include "tests.h"

#include "base/mem.h"
#include "draw.h"
#include "noise/controller.h"
#include "weakbench.h"

enum { N = 4000, FINE = 10 };

static const double DT = 0.005, SD = 1e-3;

typedef struct {
    bool open;   /* nothing is fed back */
    bool late;   /* the command acts a sample later */
    double own;  /* noise of the recorded input, as a sensor's */
    double step; /* the position is rounded to these */
    double cube; /* of the spring */
    uint64_t seed;
} servo;

static double input[N], position[N];
static darc_signal column[] = {{.name = "u", .unit = "", .value = input},
                               {.name = "y", .unit = "", .value = position}};
static darc_segment whole[] = {{0, N}};

static double push(const servo *how, double u, double y, double v)
{
    return (u - 0.1 * v - 0.5 * y - how->cube * y * y * y) / 0.06;
}

/* .06 y'' + .1 y' + .5 y = u, held from sample to sample; u follows a set point
 * of steps, by position and a filtered derivative. */
static darc_table record(const servo *how)
{
    uint64_t state = 7 + how->seed;
    double y = 0, v = 0, speed = 0, last = 0, set = 0, before = 0;
    for (int t = 0; t < N; t++) {
        double seen = y + SD * draw_normal(&state);
        if (how->step > 0)
            seen = how->step * round(y / how->step);
        if (t % 100 == 0)
            set = 0.5 * draw_normal(&state);
        speed = 0.6 * speed + 0.4 * (t > 0 ? (seen - last) / DT : 0);
        last = seen;
        double u = how->open ? 0.5 * set : 3 * (set - seen) - 0.25 * speed;
        double acts = how->late ? before : u;
        before = u;
        position[t] = seen;
        input[t] = u + how->own * draw_normal(&state);
        for (int i = 0; i < FINE; i++) {
            double h = DT / FINE, half = y + h / 2 * v;
            double mean = v + h / 2 * push(how, acts, y, v);
            v += h * push(how, acts, half, mean);
            y += h * mean;
        }
    }
    return (darc_table){.file = "x.csv",
                        .samples = N,
                        .dt = DT,
                        .signals = 2,
                        .signal = column,
                        .segments = 1,
                        .segment = whole};
}

static bool is_computed(const darc_table *t, double sd, double *left)
{
    darc_controller_outputs of = {1, (int[]){1}, &sd};
    return darc_controller_find(left, t, 0, &of);
}

START_TEST(a_command_is_found)
{
    double left;
    darc_table t = record(&(servo){0});
    ck_assert(is_computed(&t, SD, &left));
    ck_assert_double_lt(left, 1e-6);
    t = record(&(servo){.step = 0.003});
    ck_assert(is_computed(&t, 0.003 / sqrt(12), &left));
    ck_assert(!is_computed(&t, 0, &left)); /* what tells is the noise */
}
END_TEST

START_TEST(a_measured_input_is_none)
{
    double left;
    darc_table t = record(&(servo){.own = 0.1});
    ck_assert(!is_computed(&t, SD, &left));
    for (int k = 0; k < 3; k++) {
        t = record(&(servo){.open = true, .own = 0.01 * k});
        ck_assert(!is_computed(&t, SD, &left));
    }
}
END_TEST

/* A current that was computed from a torque has its noise. */
START_TEST(what_has_no_memory_is_none)
{
    double left;
    darc_table t = record(&(servo){0});
    for (int i = 0; i < N; i++)
        input[i] = 2.5 * position[i];
    ck_assert(!is_computed(&t, SD, &left));
}
END_TEST

/* A proportional controller, its set point at rest for most of the time. */
START_TEST(a_rare_step_of_the_set_point_is_enough)
{
    double left;
    darc_table t = record(&(servo){0});
    for (int i = 0; i < N; i++)
        input[i] = (i < 4 * N / 5 ? 1 : -1) - 2.5 * position[i];
    ck_assert(is_computed(&t, SD, &left));
    ck_assert_double_lt(left, 1e-6);
    double sum = 0; /* and of a PI controller, its set point never moved */
    for (int i = 0; i < N; i++) {
        sum += 0.02 * (0.1 - position[i]);
        input[i] = 2.5 * (0.1 - position[i]) + sum;
    }
    ck_assert(is_computed(&t, SD, &left));
    ck_assert_double_lt(left, 1e-6);
}
END_TEST

START_TEST(what_is_short_or_still_is_none)
{
    double left;
    darc_segment part = {0, 200};
    darc_table t = record(&(servo){0});
    t.segment = &part;
    ck_assert(!is_computed(&t, SD, &left));
    part.end = N;
    for (int i = 0; i < N; i++)
        position[i] = 1;
    ck_assert(!is_computed(&t, SD, &left));
}
END_TEST

static const char model[] =
    "model servo\nparameters\n    J d k\ninputs\n    u\n"
    "outputs\n    y\nequations\n"
    "    J*y'' + d*y' + k*y = u\n";

/* Of a command that is noisy, and steps with the set point; nobody says when it
 * acts, at once or a sample later. */
START_TEST(a_servo_is_judged)
{
    static const servo how[] = {{.cube = 0},
                                {.cube = 0.1},
                                {.late = true},
                                {.late = true, .cube = 0.1}};
    static const darc_verdict verdict[] = {DARC_CONSISTENT, DARC_INCONSISTENT,
                                           DARC_CONSISTENT, DARC_INCONSISTENT};
    weakbench b;
    darc_decision d;
    weakbench_open(&b, model, 0);
    darc_table t = record(how + _i);
    ck_assert_msg(weakbench_holds(&b, &t, &d) == verdict[_i], "%s", d.reason);
    weakbench_close(&b);
}
END_TEST

/* A gap is like a step of the set point. */
START_TEST(gaps_do_not_matter)
{
    double left;
    darc_segment part[] = {{0, 400}, {403, 900}, {901, N}};
    darc_table t = record(&(servo){0});
    for (int i = 0; i < 3; i++)
        position[400 + i] = NAN;
    position[900] = NAN;
    t.segments = 3;
    t.segment = part;
    ck_assert(is_computed(&t, SD, &left));
    ck_assert_double_lt(left, 1e-6);
    for (int i = 8; i < N; i++)
        position[i] = NAN;
    ck_assert(!is_computed(&t, SD, &left));
}
END_TEST

/* Where it rests, rounding is slow noise. */
START_TEST(coarse_encoders_refuse_no_model)
{
    weakbench b;
    darc_decision d;
    weakbench_open(&b, model, 0);
    for (uint64_t seed = 0; seed < 8; seed++) {
        darc_table t = record(&(servo){.step = 0.009, .seed = seed});
        ck_assert_msg(weakbench_holds(&b, &t, &d) != DARC_INCONSISTENT, "%s",
                      d.reason);
    }
    weakbench_close(&b);
}
END_TEST

Suite *suite_controller(void)
{
    Suite *s = suite_create("controller");
    TCase *c = tcase_create("controller");
    tcase_add_test(c, a_command_is_found);
    tcase_add_test(c, a_measured_input_is_none);
    tcase_add_test(c, what_has_no_memory_is_none);
    tcase_add_test(c, a_rare_step_of_the_set_point_is_enough);
    tcase_add_test(c, what_is_short_or_still_is_none);
    tcase_add_test(c, gaps_do_not_matter);
    tcase_add_loop_test(c, a_servo_is_judged, 0, 4);
    tcase_add_test(c, coarse_encoders_refuse_no_model);
    suite_add_tcase(s, c);
    return s;
}
