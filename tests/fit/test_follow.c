/* Outputs that jump with a held input, on a side of its steps that the model
 * says, or does not. */
#include "tests.h"

#include "recording.h"
#include "terms/jumps.h"
#include "weak/system.h"
#include "weakbench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double series = 0.05, slow = 0.03, time_constant = 0.4;

/* A cell, whose voltage jumps with the current by its resistance; samples at
 * steps lie before them or behind. */
static darc_table *cell(bool before, uint64_t state)
{
    enum { N = 3000, RATE = 50 };
    static double i[N], v[N];
    const double decay = exp(-1.0 / RATE / time_constant);
    double now = 0, last = 0, u = 0;
    for (int k = 0; k < N; k++) {
        if (k % 40 == 0)
            now = floor(8 * case_uniform(&state)) - 4;
        i[k] = now;
        v[k] = series * (before ? last : now) + u + 1e-3 * case_normal(&state);
        u = slow * now + (u - slow * now) * decay;
        last = now;
    }
    const char *name[] = {"i", "v"};
    const double *value[] = {i, v};
    return recording_of(N, RATE, 2, name, value);
}

/* What a judgement says: T, R0*T, and R0 + R1. */
typedef struct {
    darc_verdict verdict;
    double p_value, value[3], sd[3];
    bool before, said, doubted;
} finding;

static void set_held(bool *held, int room, const darc_question *x)
{
    int n = x->io->jet->names->count;
    ck_assert_int_le(n, room);
    for (int u = 0; u < n; u++)
        held[u] = darc_model_is_held(x->model, u);
}

static finding judge(const char *word, const darc_table *t)
{
    char text[200];
    bool held[8];
    weakbench b;
    darc_judgement j;
    finding f = {.p_value = NAN};
    snprintf(text, sizeof text,
             "model cell\nparameters\n R0 R1 T\ninputs\n i held\noutputs\n "
             "v %s\nstates\n u\nequations\n T*u' + u = R1*i\n v = u + R0*i\n",
             word);
    weakbench_open(&b, text, 0);
    set_held(held, 8, &b.x);
    b.by.held = held;
    weakbench_structure(&j, &b, t);
    f.verdict = j.decision.verdict;
    f.p_value = j.decision.p_value;
    ck_assert_int_eq(j.estimates, 3);
    for (int k = 0; k < 3; k++) {
        f.value[k] = j.estimate[k].value_a;
        f.sd[k] = j.estimate[k].sd_a;
    }
    for (int k = 0; k < j.notes; k++) {
        f.before |= strstr(j.note[k], "lie before them") != NULL;
        f.said |= strstr(j.note[k], "them, as the model says") != NULL;
        f.doubted |= strstr(j.note[k], "likelier by far") != NULL;
    }
    darc_judgement_clear(&j);
    weakbench_close(&b);
    return f;
}

/* The truth tells no more than is found; the contrary is refused. */
START_TEST(the_side_that_is_said_is_taken)
{
    const double expected[] = {time_constant, series * time_constant,
                               series + slow};
    bool before = _i % 2 == 1;
    darc_table *t = cell(before, 17 + (uint64_t)_i);
    finding found = judge("", t);
    finding truth = judge(before ? "before" : "behind", t);
    finding wrong = judge(before ? "behind" : "before", t);
    ck_assert_int_eq(found.verdict, DARC_CONSISTENT);
    ck_assert(found.before == before && !found.said && !found.doubted);
    ck_assert_int_eq(truth.verdict, DARC_CONSISTENT);
    ck_assert(truth.before == before && truth.said && !truth.doubted);
    ck_assert_double_eq(truth.p_value, found.p_value);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(found.value[k], expected[k], 4 * found.sd[k]);
        ck_assert_double_lt(found.sd[k], 0.01 * expected[k]);
        ck_assert_double_eq(truth.value[k], found.value[k]);
        ck_assert_double_eq(truth.sd[k], found.sd[k]);
    }
    ck_assert_int_eq(wrong.verdict, DARC_INCONSISTENT);
    ck_assert(wrong.before != before && wrong.said && wrong.doubted);
    darc_table_free(t);
}
END_TEST

/* A line between samples has no sides, nor has an output that does not jump. */
START_TEST(a_side_that_is_not_used_is_told)
{
    enum { N = 2000, RATE = 50 };
    static double i[N], v[N];
    uint64_t state = 5;
    for (int k = 0; k < N; k++) {
        double t = (double)k / RATE;
        i[k] = sin(1.1 * t) + sin(2.3 * t + 1) + sin(4.7 * t + 2);
        v[k] = 2 * i[k] + 1e-3 * case_normal(&state);
    }
    const char *name[] = {"i", "v"};
    const double *value[] = {i, v};
    darc_table *t = recording_of(N, RATE, 2, name, value);
    weakbench b;
    darc_judgement j;
    bool told = false;
    weakbench_open(&b,
                   "model line\nparameters\n R\ninputs\n i\noutputs\n"
                   " v before\nequations\n v = R*i\n",
                   0);
    weakbench_structure(&j, &b, t);
    ck_assert_int_eq(j.decision.verdict, DARC_CONSISTENT);
    for (int k = 0; k < j.told; k++)
        told |= strstr(j.note[k], "v does not jump") != NULL;
    ck_assert(told);
    darc_judgement_clear(&j);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

enum { TRUTH_N = 1500, TRUTH_RATE = 20 };

/* Rigs whose converter holds u, which changes at any sample: behind a resistor,
 * before a mass on a spring, between two levels. */
static const struct {
    const char *model; /* with what is said of u, and of y */
    const char *said[3][2];
    double every; /* samples from change to change, on the average */
    bool found;   /* unasked */
} rigs[] = {
    {"model cell\nparameters\n R0 R1 T\ninputs\n u %s\noutputs\n y %s\nstates\n"
     " x\nequations\n T*x' + x = R1*u\n y = x + R0*u\n",
     {{"", ""}, {"held", ""}, {"held", "behind"}},
     12,
     true},
    {"model servo\nparameters\n J d k\ninputs\n u %s\noutputs\n y %s\n"
     "equations\n J*y'' + d*y' + k*y = u\n",
     {{"", ""}, {"held", ""}},
     12,
     true},
    {"model lag\nparameters\n T K\ninputs\n u %s\noutputs\n y %s\n"
     "equations\n T*y' + y = K*u\n",
     {{"", ""}, {"held", ""}},
     2,
     false},
};

/* Rig i; of the state x and its slope the output is x, but in the first. */
static darc_table *rig(int i, uint64_t state)
{
    enum { FINE = 20 };
    static double u[TRUTH_N], y[TRUTH_N];
    double x = 0, v = 0, h = 1.0 / TRUTH_RATE / FINE;
    for (int k = 0; k < TRUTH_N; k++) {
        double level = i == 2 ? 2 * floor(2 * case_uniform(&state)) - 1
                              : 2 * case_uniform(&state) - 1;
        bool change = k == 0 || case_uniform(&state) < 1 / rigs[i].every;
        u[k] = change ? level : u[k - 1];
        double now = u[k];
        y[k] = x + (i == 0 ? now : 0) + 0.005 * case_normal(&state);
        for (int m = 0; m < FINE; m++) {
            if (i == 1) { /* J = .1, d = .2, k = 1; midpoint rule */
                double a = (now - 0.2 * v - x) / 0.1, half = v + h / 2 * a;
                double middle = x + h / 2 * v;
                x += h * half;
                v += h * (now - 0.2 * half - middle) / 0.1;
            } else {
                x += (now - x) * (1 - exp(-h / 0.5));
            }
        }
    }
    const char *name[] = {"u", "y"};
    const double *value[] = {u, y};
    return recording_of(TRUTH_N, TRUTH_RATE, 2, name, value);
}

/* That u is held, and on which side y is sampled, is true: where it is found
 * unasked it changes no verdict, and else it leads to the right one. */
START_TEST(saying_the_truth_never_hurts)
{
    darc_table *t = rig(_i, 5 + (uint64_t)_i);
    for (int k = 0; k < 3 && rigs[_i].said[k][0] != NULL; k++) {
        char text[300];
        bool held[8];
        weakbench b;
        darc_decision d;
        snprintf(text, sizeof text, rigs[_i].model, rigs[_i].said[k][0],
                 rigs[_i].said[k][1]);
        weakbench_open(&b, text, 0);
        set_held(held, 8, &b.x);
        b.by.held = held;
        weakbench_holds(&b, t, &d);
        ck_assert_msg(
            d.verdict == DARC_CONSISTENT ||
                (k == 0 && !rigs[_i].found && d.verdict == DARC_UNDECIDED),
            "rig %d, %s %s: %s", _i, rigs[_i].said[k][0], rigs[_i].said[k][1],
            d.reason);
        weakbench_close(&b);
    }
    darc_table_free(t);
}
END_TEST

/* The bends of a low pass behind a switch are none of its noise. */
START_TEST(bends_are_no_noise)
{
    darc_table *t = rig(2, 9);
    char text[300];
    bool held[8];
    weakbench b;
    darc_fit f;
    snprintf(text, sizeof text, rigs[2].model, "held", "");
    weakbench_open(&b, text, 0);
    set_held(held, 8, &b.x);
    b.by.held = held;
    ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
    for (int u = 0; u < f.r.unknowns; u++)
        if (f.r.column[u] >= 0 && f.r.signal[u].output)
            ck_assert_double_eq_tol(f.r.noise[u].sd, 0.005, 0.001);
    darc_fit_clear(&f);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* A car whose steering is held: the acceleration across jumps with it, the rate
 * of turning bends with both; or a synchronous machine, whose currents bend
 * with the voltage and each other; or a loudspeaker, whose current decays
 * within a sample, and whose place has a third derivative that jumps. */
static const char *const drives[] = {
    "model car\nparameters\n m J f g\ninputs\n u\noutputs\n r a\nstates\n b\n"
    "equations\n m*(20*b' + 20*r) = f*(u - b - 0.06*r) + g*(0.07*r - b)\n"
    " J*r' = 1.2*f*(u - b - 0.06*r) - 1.4*g*(0.07*r - b)\n"
    " a = 20*b' + 20*r\n",
    "model machine\nparameters\n R D Q p J d\ninputs\n v u\noutputs\n i q w\n"
    "equations\n D*i' = v - R*i + w*Q*q\n"
    " Q*q' = u - R*q - w*D*i - w*p\n J*w' = p*q - d*w\n",
    "model speaker\nparameters\n R L B m d k\ninputs\n u\noutputs\n i s\n"
    "equations\n L*i' = u - R*i - B*s'\n m*s'' = B*i - d*s' - k*s\n"};

static void rate_of_drive(double *d, double *a, int i, const double *x,
                          double u)
{
    if (i == 0) { /* m = 1.5, J = 2, f = 70, g = 100 */
        double front = 70 * (u - x[0] - 0.06 * x[1]);
        double rear = 100 * (0.07 * x[1] - x[0]);
        *a = (front + rear) / 1.5;
        d[0] = *a / 20 - x[1];
        d[1] = (1.2 * front - 1.4 * rear) / 2;
        return;
    }
    if (i == 2) { /* x: current, place, its slope */
        d[0] = (u - x[0] - 0.3 * x[2]) / 0.03;
        d[1] = x[2];
        d[2] = (0.3 * x[0] - 0.09 * x[2] - 1.1 * x[1]) / 0.025;
        return;
    }
    d[0] = (0.2 * u - 0.6 * x[0] + 0.1 * x[2] * x[1]) / 0.06;
    d[1] = (u - 0.6 * x[1] - 0.06 * x[2] * x[0] - 0.5 * x[2]) / 0.1;
    d[2] = (0.5 * x[1] - 0.15 * x[2]) / 0.15;
}

static darc_table *drive(int i, double rate, bool own_clock, uint64_t state)
{
    enum { FINE = 20 };
    static double s[5][TRUTH_N], x[3], middle[3], d[3];
    double now = 0, a = 0, h = 1 / rate / FINE;
    memset(x, 0, sizeof x);
    for (int k = 0; k < TRUTH_N; k++) {
        double next = now;
        if (case_uniform(&state) < 1.0 / 12)
            next = (i == 0 ? 0.1 : 2) * (case_uniform(&state) - 0.5);
        int at = own_clock ? (int)(FINE * case_uniform(&state)) : 0;
        now = at == 0 ? next : now;
        rate_of_drive(d, &a, i, x, now);
        s[0][k] = now;
        s[4][k] = 0.2 * now;
        for (int v = 0; v < 3; v++)
            s[v + 1][k] = x[v] + 0.002 * case_normal(&state);
        if (i == 0) {
            s[1][k] = x[1] + 2e-4 * case_normal(&state);
            s[2][k] = a + 5e-3 * case_normal(&state);
        }
        for (int m = 0; m < FINE; m++) {
            now = m == at ? next : now;
            rate_of_drive(d, &a, i, x, now);
            for (int v = 0; v < 3; v++)
                middle[v] = x[v] + h / 2 * (v < 2 || i > 0 ? d[v] : 0);
            rate_of_drive(d, &a, i, middle, now);
            for (int v = 0; v < (i == 0 ? 2 : 3); v++)
                x[v] += h * d[v];
        }
    }
    const char *name[][5] = {
        {"u", "r", "a"}, {"u", "i", "q", "w", "v"}, {"u", "i", "s"}};
    const double *value[] = {s[0], s[1], s[2], s[3], s[4]};
    return recording_of(TRUTH_N, rate, i == 1 ? 5 : 3, name[i], value);
}

/* Each equation says of another output what it does at steps; the last one is
 * the car, sampled so coarsely that a lag is 1.3 samples long. */
START_TEST(one_equation_follows_one_output)
{
    double rate = _i == 3 ? 10 : 50 / 1.5;
    darc_table *t = drive(_i % 3, rate, false, 31 + 2 * (uint64_t)_i);
    weakbench b;
    darc_decision d;
    weakbench_open(&b, drives[_i % 3], 0);
    weakbench_holds(&b, t, &d);
    ck_assert_msg(d.verdict == DARC_CONSISTENT, "%d: %s", _i, d.reason);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* Of a lag of an eighth of a sample coefficients and jumps lead each other
 * away; that is told, and refuses nothing. */
START_TEST(coefficients_that_are_lost_are_told)
{
    darc_table *t = drive(0, 1, false, 4);
    bool held[8];
    weakbench b;
    darc_fit f;
    weakbench_open(&b, drives[0], 0);
    for (int u = 0; u < 8; u++)
        held[u] = u < b.x.io->jet->names->count &&
                  b.x.io->jet->names->symbol[u].kind == DARC_INPUT;
    b.by.held = held;
    ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
    ck_assert(f.torn);
    darc_fit_clear(&f);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* Steps between samples smear what a fit begins with, which may stand for poles
 * that no sample shows; from there one goes back. */
START_TEST(a_start_that_leads_astray_is_left)
{
    static const int which[][2] = {{0, 58}, {2, 44}, {2, 51}};
    int i = which[_i][0];
    darc_table *t = drive(i, i == 0 ? 10 : 25, true, (uint64_t)which[_i][1]);
    weakbench b;
    darc_fit f;
    weakbench_open(&b, drives[i], 0);
    ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
    ck_assert_double_ge(f.white.p_value, 0.01);
    ck_assert_int_gt(f.located, 0);
    darc_fit_clear(&f);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* A square of what jumps in its second derivative alone is not estimated from
 * samples on both sides of steps, which may excuse a misfit. */
START_TEST(what_hardly_bends_is_not_estimated)
{
    static double z[TRUTH_N];
    darc_table *servo = rig(1, 12);
    const double *u = servo->signal[darc_table_find(servo, "u")].value;
    const double *y = servo->signal[darc_table_find(servo, "y")].value;
    for (int k = 1; k < TRUTH_N; k++)
        z[k] = z[k - 1] + (y[k] * y[k] - z[k - 1]) / TRUTH_RATE;
    const char *name[] = {"u", "y", "z"};
    const double *value[] = {u, y, z};
    darc_table *t = recording_of(TRUTH_N, TRUTH_RATE, 3, name, value);
    bool held[8];
    weakbench b;
    darc_fit f;
    weakbench_open(&b,
                   "model heated\nparameters\n J d k T\ninputs\n u held\n"
                   "outputs\n y z\nequations\n J*y'' + d*y' + k*y = u\n"
                   " T*z' + z = y^2\n",
                   0);
    set_held(held, 8, &b.x);
    b.by.held = held;
    ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
    ck_assert_ptr_nonnull(f.r.steps);
    ck_assert(!darc_weak_is_estimate(f.weak));
    darc_fit_clear(&f);
    weakbench_close(&b);
    darc_table_free(t);
    darc_table_free(servo);
}
END_TEST

Suite *suite_follow(void)
{
    Suite *s = suite_create("follow");
    TCase *c = tcase_create("follow");
    tcase_add_loop_test(c, the_side_that_is_said_is_taken, 0, 4);
    tcase_add_test(c, a_side_that_is_not_used_is_told);
    tcase_add_test(c, bends_are_no_noise);
    tcase_add_test(c, coefficients_that_are_lost_are_told);
    tcase_add_loop_test(c, a_start_that_leads_astray_is_left, 0, 3);
    tcase_add_test(c, what_hardly_bends_is_not_estimated);
    tcase_add_loop_test(c, saying_the_truth_never_hurts, 0, 3);
    tcase_add_loop_test(c, one_equation_follows_one_output, 0, 4);
    suite_add_tcase(s, c);
    return s;
}
