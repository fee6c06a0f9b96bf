/* Values of a cell, whose state of charge is an integral of the current, and of
 * rooms, whose heater is held between samples. */
#include "tests.h"

#include "../bench/weak_cases.h"
#include "darc/session.h"
#include "data/table.h"
#include "models.h"
#include "recording.h"
#include "session/state.h"
#include "simulation.h"

#include <math.h>

/* Q, k0, k1, k2 cannot be told apart, s is nowhere measured. */
static const char cell[] =
    "model cell\nstates\n s v\nparameters\n Q R0 R1 T k0 k1 k2\ninputs\n i\n"
    "outputs\n u\nequations\n Q*s' = -i\n T*v' + v = R1*i\n"
    " u = k0 + k1*s + k2*s^2 - v - R0*i\n";
static const char rooms[] =
    "model rooms\nparameters\n C1 C2 R12 q R2a\ninputs\n P Ta\noutputs\n T1 "
    "T2\n"
    "equations\n C1*T1' = P - (T1-T2)/R12 - (T1-Ta)/(q*R12)\n"
    " C2*T2' = (T1-T2)/R12 - (T2-Ta)/R2a\n";

static const char tank[] =
    "model tank\nparameters\n A a\ninputs\n q\noutputs\n h\nequations\n"
    " A*h' = q - a*sqrt(h)\n";

static const darc_estimate *value_of(const darc_report *r, const char *name)
{
    for (int i = 0; i < r->values; i++)
        if (strcmp(r->value[i].function, name) == 0)
            return r->value + i;
    ck_abort_msg("no value of %s", name);
}

/* Check the structure of a recording, and values: the interval of the name
 * holds the truth and is at most so wide, as a share of it. */
static void holds(const char *text, darc_table *t, const char *name,
                  double truth, double width)
{
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.threads = 1;
    darc_session *s;
    darc_model *m = model_of(text);
    ck_assert_int_eq(darc_session_new(&s, m, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, t, NULL), DARC_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(i == 0 ? darc_session_check(s, DARC_STRUCTURE, NULL)
                                : darc_session_values(s, NULL),
                         DARC_OK);
        const darc_estimate *e = value_of(darc_session_report(s), name);
        ck_assert_msg(e->low_a < truth && truth < e->high_a &&
                          e->high_a - e->low_a < width * truth,
                      "%s: %g .. %g", name, e->low_a, e->high_a);
        if (i == 0)
            ck_assert(darc_session_verdict(s) == DARC_CONSISTENT &&
                      darc_session_report(s)->helds ==
                          (text == rooms || text == tank));
    }
    darc_session_free(s);
    darc_model_free(m);
}

/* Two hours at 1 Hz.  Derivatives of second order, which the equation without
 * the integral has, tell nothing under so much noise. */
START_TEST(the_cell_knows_its_time_constant)
{
    uint64_t state = 5;
    simulation j = {.model = cell,
                    .param = "Q=18000 R0=.02 R1=.015 T=30 k0=3.2 k1=1.2 k2=-.9",
                    .init = "s=.95 v=0",
                    .input = "i=constant:1.5+multisine:2,.0005,.02",
                    .t_end = 7200,
                    .rate = 1,
                    .noise = 1.5e-4,
                    .rtol = 1e-10,
                    .seed = 1 + (unsigned)_i};
    darc_table *t = simulation_make(&j);
    double *i = t->signal[darc_table_find(t, "i")].value;
    for (size_t k = 0; k < t->samples; k++)
        i[k] += 0.01 * case_normal(&state);
    holds(cell, t, "T", 30, 0.02);
}
END_TEST

static double outside(double minutes)
{
    double day = 6.28318530717958647692 * minutes / 1440;
    return 5 + 4 * sin(day) + 1.5 * sin(2.7 * day + 1);
}

/* A week, a sample a minute; the heater changes every hour or not. */
START_TEST(rooms_know_their_resistances)
{
    enum { N = 10080, STEPS = 6 };
    static double x[4][N];
    static const char *name[] = {"P", "Ta", "T1", "T2"};
    const double *value[] = {x[0], x[1], x[2], x[3]};
    uint64_t state = 11 + (uint64_t)_i;
    double a = 18, b = 17, power = 0, h = 60.0 / STEPS;
    for (int k = 0; k < N; k++) {
        power = k % 60 > 0 ? power : case_uniform(&state) > 0.5 ? 2000 : 0;
        const double at[] = {power, outside(k), a, b};
        for (int c = 0; c < 4; c++)
            x[c][k] =
                c == 0
                    ? at[c]
                    : 0.01 * round(100 * (at[c] + 0.02 * case_normal(&state)));
        /* by the rule of the midpoint, half a step first */
        for (int n = 0; n < STEPS; n++) {
            double p = a, r = b, out = outside(k + (n + 0.5) / STEPS);
            for (int half = 0; half < 2; half++) {
                double u = (power - (p - r) / .02 - (p - out) / .01) / 3e5;
                double v = ((p - r) / .02 - (r - out) / .008) / 5e5;
                p = a + (half + 1) * h / 2 * u;
                r = b + (half + 1) * h / 2 * v;
            }
            a = p;
            b = r;
        }
    }
    darc_table *t = recording_of(N, 1.0 / 60, 4, name, value);
    holds(rooms, t, "q", 0.5, 0.05);
}
END_TEST

static const char oven[] =
    "model oven\nstates\n w\nparameters\n C1 C2 g1 g2\ninputs\n P Ta\n"
    "outputs\n T\nequations\n C1*w' = P - g1*(w - T)\n"
    " C2*T' = g1*(w - T) - g2*(T - Ta)\n";

static darc_table *heated(const char *param, const char *init,
                          const char *input, unsigned seed)
{
    simulation j = {.model = oven,
                    .param = param,
                    .init = init,
                    .input = input,
                    .t_end = 400,
                    .rate = 2.5,
                    .noise = 0.003,
                    .rtol = 1e-10,
                    .seed = seed};
    return simulation_make(&j);
}

static darc_table *at_20(unsigned seed)
{
    return heated("C1=.7 C2=2.5 g1=1.4 g2=.8", "w=20 T=20",
                  "P=multisine:5,.01,.15 Ta=constant:20", seed);
}

/* An oven in a hall whose temperature stands still: nothing of its derivative
 * is told, and nothing has to be. */
START_TEST(what_stands_still_is_a_constant)
{
    holds(oven, at_20(3 + (unsigned)_i), "g2", 0.8, 0.05);
}
END_TEST

/* Two recordings: the same hall, another oven, another day. */
START_TEST(what_stands_still_is_a_constant_of_pairs)
{
    static const char *const other[][3] = {
        {"C1=.7 C2=2.5 g1=1.4 g2=.8", "w=20 T=20",
         "P=multisine:5,.01,.15 Ta=constant:20"},
        {"C1=.7 C2=2.5 g1=1.4 g2=.9", "w=20 T=20",
         "P=multisine:5,.01,.15 Ta=constant:20"},
        {"C1=.7 C2=2.5 g1=1.4 g2=.8", "w=25 T=25",
         "P=multisine:5,.01,.15 Ta=constant:25"}};
    const char *const *of = other[_i];
    darc_table *t = heated(of[0], of[1], of[2], 7 + (unsigned)_i);
    const darc_verdict equal[] = {DARC_CONSISTENT, DARC_INCONSISTENT,
                                  DARC_UNDECIDED};
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.threads = 1;
    darc_session *s;
    darc_model *m = model_of(oven);
    ck_assert_int_eq(darc_session_new(&s, m, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, at_20(4), NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, t, NULL), DARC_OK);
    for (int i = 0; i < 2; i++) { /* each by itself between, at its own */
        ck_assert_int_eq(darc_session_check(s, DARC_EQUAL, NULL), DARC_OK);
        ck_assert_int_eq(darc_session_verdict(s), equal[_i]);
        ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
        ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
    }
    ck_assert_int_eq(darc_session_isolate(s, NULL), DARC_OK);
    ck_assert(_i == 2 || darc_session_isolation(s)->values > 0);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

/* The outflow bends where the inflow steps, as the level does. */
START_TEST(a_tank_is_filled_in_steps)
{
    enum { N = 1000, STEPS = 40, HOLD = 35 };
    static double x[2][N];
    static const char *name[] = {"q", "h"};
    const double *value[] = {x[0], x[1]};
    uint64_t state = 3 + (uint64_t)_i;
    double h = 1, q = 1, dt = 0.1, d = dt / STEPS;
    for (int k = 0; k < N; k++) {
        q = k % HOLD > 0 ? q : 0.7 + case_uniform(&state);
        x[0][k] = q;
        x[1][k] = h + 3e-4 * case_normal(&state);
        for (int n = 0; n < STEPS; n++) {
            double m = h + d / 2 * (q - 1.1 * sqrt(h)) / 0.9;
            h += d * (q - 1.1 * sqrt(m)) / 0.9;
        }
    }
    holds(tank, recording_of(N, 1 / dt, 2, name, value), "A", 0.9, 0.02);
}
END_TEST

Suite *suite_integrated(void)
{
    Suite *s = suite_create("integrated");
    TCase *c = tcase_create("integrated");
    tcase_add_loop_test(c, the_cell_knows_its_time_constant, 0, 2);
    tcase_add_loop_test(c, what_stands_still_is_a_constant, 0, 2);
    tcase_add_loop_test(c, what_stands_still_is_a_constant_of_pairs, 0, 3);
    tcase_add_loop_test(c, rooms_know_their_resistances, 0, 2);
    tcase_add_loop_test(c, a_tank_is_filled_in_steps, 0, 2);
    suite_add_tcase(s, c);
    return s;
}
