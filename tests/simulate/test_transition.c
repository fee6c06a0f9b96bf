/* Linear flows by their exponential: against closed forms, and against the
 * formulas of Dormand and Prince by a twin that is not linear. */
#include "tests.h"

#include "base/mem.h"
#include "models.h"
#include "simulate/shoot.h"

#include <math.h>
#include <string.h>

enum { N = 40, MOST = 12 };

/* A body on springs on a road, units far apart; w is 0 and drives nothing, but
 * its rate is not linear. */
#define BODY(w, rate)                                                          \
    "parameters\n    m M k K d\ninputs\n    r F\nstates\n    s z" w            \
    "\noutputs\n    y\nequations\n    M*s'' = K*(z - s) + d*(z' - s') + F\n"   \
    "    m*z'' = k*(r - z) + K*(s - z) + d*(s' - z') + .01*d*r'\n" rate        \
    "    y = s\n"
static const char body[] = BODY("", "");
static const char twin[] = BODY(" w", "    w' = w*w\n");

typedef struct {
    darc_model *model;
    darc_flow flow;
    darc_shooter shooter;
    darc_wave *wave[MOST];
    int force[2];
    double z[500];
} track;

static int state_of(const track *x, int unknown, int order)
{
    int k = 0;
    while (x->flow.state[k].unknown != unknown ||
           x->flow.state[k].order != order)
        k++;
    return k;
}

/* What forces two columns: a state, and time. */
static void amounts(double *amount, double t, const double *y, void *user)
{
    const track *x = user;
    amount[0] = 1e3 * y[state_of(x, x->flow.state[x->force[0]].unknown, 0)];
    amount[1] = cos(7 * t);
}

static void start(track *x, const char *text, const double *theta)
{
    darc_model *model = model_of(text);
    memset(x, 0, sizeof *x);
    ck_assert_int_eq(darc_model_driven(&x->model, model, NULL, NULL), DARC_OK);
    darc_model_free(model);
    ck_assert_int_eq(darc_flow_init(&x->flow, x->model, NULL), DARC_OK);
    darc_shooter_init(&x->shooter, &x->flow, NULL);
    ck_assert(darc_flow_set(&x->flow, theta));
}

static void drive(track *x, const char *input, darc_wave *wave)
{
    x->wave[darc_names_find(x->flow.names, input, strlen(input))] = wave;
    darc_flow_drive(&x->flow, x->wave);
}

/* Begin with columns of all states and parameters, and two forced, states at
 * numbers. */
static void begin(track *x)
{
    int n = x->flow.n;
    darc_columns_plan plan = {.free = n,
                              .parameters = true,
                              .forced = n > 3 ? 2 : 0,
                              .state = x->force,
                              .amount = amounts,
                              .user = x};
    for (int i = 0, k = 0; i < n; i++)
        if (x->flow.state[i].order > 0)
            x->force[k++] = i;
    darc_shooter_begin(&x->shooter, &plan);
    memset(x->z, 0, sizeof x->z);
    for (int i = 0; i < n; i++) {
        bool alone =
            strcmp(x->flow.names->symbol[x->flow.state[i].unknown].name, "w") ==
            0;
        x->z[i] = alone ? 0 : .01 * (i + 1);
        x->z[n * (1 + i) + i] = 1;
    }
}

static void stop(track *x)
{
    for (int u = 0; u < MOST; u++)
        darc_wave_free(x->wave[u]);
    darc_shooter_clear(&x->shooter);
    darc_flow_clear(&x->flow);
    darc_model_free(x->model);
}

/* Compare column c of a, of x column d, by the largest of it. */
static void compare(const track *a, int c, const track *x, int d, double most)
{
    int n = a->flow.n, m = x->flow.n;
    double size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(a->z[n * c + i]));
    for (int i = 0; i < n; i++)
        ck_assert_msg(fabs(a->z[n * c + i] -
                           x->z[m * d + state_of(x, a->flow.state[i].unknown,
                                                 a->flow.state[i].order)]) <=
                          most * size,
                      "column %d, state %d: %.12g %.12g", c, i, a->z[n * c + i],
                      x->z[m * d + state_of(x, a->flow.state[i].unknown,
                                            a->flow.state[i].order)]);
}

/* Samples at uneven times, inputs so between them; F has knots of its own, one
 * of them rounding away from a sample. */
static void compare_with_twin(darc_between between)
{
    const double theta[] = {40, 300, 2e5, 2e4, 1500};
    double t[N], r[N], F[N], other[N];
    for (int i = 0; i < N; i++) {
        t[i] = .02 * i + (i % 7 == 3 ? .004 : 0);
        other[i] = .021 * i;
        r[i] = .02 * sin(9 * t[i]) + .005 * (i % 5);
        F[i] = 300 * cos(4 * t[i]) + 100 * (i / 9);
    }
    track a, x;
    start(&a, body, theta);
    start(&x, twin, theta);
    ck_assert(a.shooter.linear && !x.shooter.linear);
    for (int k = 0; k < 2; k++) {
        track *to = k == 0 ? &a : &x;
        drive(to, "r", darc_wave_of(t, r, N, DARC_SMOOTH));
        drive(to, "F", darc_wave_of(other, F, N, between));
        begin(to);
    }
    ck_assert(a.shooter.exactly);
    for (int i = 0; i + 1 < N; i++) {
        ck_assert(darc_shoot(&a.shooter, t[i], t[i + 1], a.z));
        ck_assert(darc_shoot(&x.shooter, t[i], t[i + 1], x.z));
        compare(&a, 0, &x, 0, 1e-5);
    }
    for (int c = 0; c < 4; c++)
        compare(
            &a, 1 + c, &x,
            1 + state_of(&x, a.flow.state[c].unknown, a.flow.state[c].order),
            1e-4);
    for (int k = 0; k < 5; k++)
        compare(&a, 5 + k, &x, 6 + k, 1e-4);
    for (int k = 0; k < 2; k++)
        compare(&a, 10 + k, &x, 11 + k, 1e-3);
    stop(&a);
    stop(&x);
}

START_TEST(inputs_are_smooth_straight_or_held)
{
    compare_with_twin(DARC_SMOOTH);
    compare_with_twin(DARC_STRAIGHT);
    compare_with_twin(DARC_HELD);
}
END_TEST

/* T x' = u - x with u = t^3 through samples, which a spline is exactly: x = t^3
 * - 3 T t^2 + 6 T^2 t - 6 T^3 + (x0 + 6 T^3) exp(-t/T). */
START_TEST(cubic_inputs_have_a_closed_form)
{
    double t[N], u[N], T = .7, x0 = .01;
    for (int i = 0; i < N; i++) {
        t[i] = .1 * i;
        u[i] = pow(t[i], 3);
    }
    track a;
    start(&a,
          "parameters\n    T\ninputs\n    u\nstates\n    x\noutputs\n    y\n"
          "equations\n    T*x' = u - x\n    y = x\n",
          &T);
    drive(&a, "u", darc_wave_of(t, u, N, DARC_SMOOTH));
    begin(&a);
    for (int i = 1; i < N; i++) {
        double s = t[i], e = exp(-s / T), c = x0 + 6 * T * T * T;
        double x =
            s * s * s - 3 * T * s * s + 6 * T * T * s - 6 * pow(T, 3) + c * e;
        double by = -3 * s * s + 12 * T * s - 18 * T * T + 18 * T * T * e +
                    c * e * s / (T * T);
        ck_assert(darc_shoot(&a.shooter, t[i - 1], s, a.z));
        ck_assert_msg(fabs(a.z[0] - x) < 1e-9 * (1 + x), "%.12g %.12g", a.z[0],
                      x);
        ck_assert_double_eq_tol(a.z[1], e, 1e-10);
        ck_assert_msg(fabs(a.z[2] - by) < 1e-9 * (1 + fabs(by)), "%.12g %.12g",
                      a.z[2], by);
    }
    stop(&a);
}
END_TEST

/* Rates that are too fast for any step, and a parameter that changes. */
START_TEST(what_is_stiff_is_exact_as_well)
{
    double t[] = {0, 1, 2}, u[] = {1, 1, 1};
    track a;
    start(&a,
          "parameters\n    p q\ninputs\n    u\nstates\n    x v\noutputs\n"
          "    y\nequations\n    x' = -p*(x - v)\n    v' = u - q*v\n"
          "    y = x\n",
          (double[]){1e7, .5});
    drive(&a, "u", darc_wave_of(t, u, 3, DARC_HELD));
    for (double q = .5; q < 2; q += 1) {
        ck_assert(darc_flow_set(&a.flow, (double[]){1e7, q}));
        begin(&a);
        ck_assert(darc_shoot(&a.shooter, 0, 2, a.z));
        double v = 1 / q + (.02 - 1 / q) * exp(-2 * q);
        ck_assert_double_eq_tol(a.z[1], v, 1e-8);
        ck_assert_double_eq_tol(a.z[0], v, 1e-6);
    }
    stop(&a);
}
END_TEST

/* A divisor that is 0 has no rates, whoever asks again. */
START_TEST(no_rates_are_none_when_asked_again)
{
    double t[] = {0, 1, 2}, u[] = {1, 1, 1}, zero = 0, one = 1;
    track a;
    start(&a,
          "parameters\n    T\ninputs\n    u\nstates\n    x\noutputs\n    y\n"
          "equations\n    T*x' = u - x\n    y = x\n",
          &zero);
    drive(&a, "u", darc_wave_of(t, u, 3, DARC_HELD));
    for (int turn = 0; turn < 2; turn++) {
        begin(&a);
        ck_assert(!a.shooter.exactly);
        ck_assert(!darc_shoot(&a.shooter, 0, 1, a.z));
    }
    ck_assert(darc_flow_set(&a.flow, &one));
    begin(&a);
    ck_assert(darc_shoot(&a.shooter, 0, 1, a.z));
    ck_assert_double_eq_tol(a.z[0], 1 + (.01 - 1) * exp(-1), 1e-10);
    stop(&a);
}
END_TEST

static void leak(double *amount, double t, const double *y, void *user)
{
    const track *x = user;
    (void)t;
    amount[0] = y[x->force[0]] / 2;
}

/* A tank whose level stands in a root, and in an exponential of that: a term
 * more in the rate of the level, as a parameter and as a forced column, changes
 * functions of the level, too. */
START_TEST(functions_follow_what_is_forced)
{
    double t[] = {0, 1, 2}, q[] = {1, 2, 1};
    track a;
    start(&a,
          "parameters\n    A a b e\ninputs\n    q\nstates\n    h\noutputs\n"
          "    y\nequations\n"
          "    A*h' = q - a*sqrt(h) - b*exp(-sqrt(h)) + e*h\n    y = h\n",
          (double[]){2, 1, .5, 0});
    ck_assert_int_ge(a.flow.n, 3);
    drive(&a, "q", darc_wave_of(t, q, 3, DARC_STRAIGHT));
    int n = a.flow.n, h = 0;
    for (int i = 0; i < n; i++)
        h = a.flow.function[i] < 0 ? i : h;
    a.force[0] = h;
    darc_columns_plan plan = {.parameters = true,
                              .forced = 1,
                              .state = a.force,
                              .amount = leak,
                              .user = &a};
    darc_shooter_begin(&a.shooter, &plan);
    a.z[h] = .5;
    ck_assert(darc_flow_complete(&a.flow, 0, a.z, NULL, 0));
    ck_assert(darc_shoot(&a.shooter, 0, 1, a.z));
    ck_assert(darc_shoot(&a.shooter, 1, 2, a.z));
    for (int i = 0; i < n; i++) {
        double by = a.z[n * 4 + i], forced = a.z[n * 5 + i];
        ck_assert_msg(fabs(forced - by) < 1e-5 * fabs(by),
                      "state %d: %.12g %.12g", i, forced, by);
    }
    stop(&a);
}
END_TEST

Suite *suite_transition(void)
{
    Suite *s = suite_create("transition");
    TCase *tc = tcase_create("transition");
    tcase_add_test(tc, inputs_are_smooth_straight_or_held);
    tcase_add_test(tc, cubic_inputs_have_a_closed_form);
    tcase_add_test(tc, what_is_stiff_is_exact_as_well);
    tcase_add_test(tc, functions_follow_what_is_forced);
    tcase_add_test(tc, no_rates_are_none_when_asked_again);
    suite_add_tcase(s, tc);
    return s;
}
