/* Friction that turns between samples: m v' + d v + c sign(v) = F, F held,
 * solved exactly. */
#include "tests.h"

#include "derive/derive.h"
#include "draw.h"
#include "fit/fit.h"
#include "models.h"
#include "recording.h"
#include "session/state.h"
#include "weak/steps.h"
#include "weakbench.h"

#include <math.h>
#include <stdio.h>

enum { N = 600, HOLD = 10 };

static const double m = 0.25, d = 0.45, dt = 0.08;

/* Go on from speed v for the time `left`. */
static double slide(double v, double force, double c, double left)
{
    for (;;) {
        double side = v > 0 || (v == 0 && force > 0) ? 1 : -1;
        double end = (force - side * c) / d;
        double turn = -end * v < 0 ? INFINITY : m / d * log((end - v) / end);
        if (!(turn < left) || v == 0)
            return end + (v - end) * exp(-left * d / m);
        left -= turn;
        v = 0;
    }
}

static darc_table *sliding(double c, double noise, uint64_t state)
{
    static double force[N], speed[N];
    double v = 0, f = 0.6, square = 0;
    for (int i = 0; i < N; i++) {
        if (i % HOLD == 0)
            f = draw_uniform(&state) < 0.5 ? -0.6 : 0.6;
        force[i] = f;
        speed[i] = v;
        square += v * v / N;
        v = slide(v, f, c, dt);
    }
    for (int i = 0; i < N; i++)
        speed[i] += noise * sqrt(square) * draw_normal(&state);
    const char *name[] = {"F", "v"};
    const double *value[] = {force, speed};
    return recording_of(N, 1 / dt, 2, name, value);
}

/* Set c to its estimate, if that is wanted. */
static darc_verdict ask(const char *text, darc_table *t, double *c, double *sd)
{
    darc_session *s;
    darc_session_settings set;
    darc_model *model = model_of(text);
    darc_session_settings_init(&set);
    ck_assert_int_eq(darc_session_new(&s, model, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, t, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    darc_verdict v = darc_session_verdict(s);
    const darc_report *r = darc_session_report(s);
    for (int i = 0; i < r->values; i++)
        if (strcmp(r->value[i].function, "c") == 0) {
            *c = r->value[i].value_a;
            *sd = r->value[i].sd_a;
        }
    darc_session_free(s);
    darc_model_free(model);
    return v;
}

#define SLIDE(PARAM, HELD, TERM)                                               \
    "model slide\nparameters\n m d" PARAM "\ninputs\n F" HELD                  \
    "\noutputs\n v\n"                                                          \
    "equations\n m*v' + d*v" TERM " = F\n"

START_TEST(the_place_of_a_turn_is_known_by_samples_around)
{
    static const double noise[] = {0.0005, 0.002, 0.01};
    int right = 0, wrong = 0;
    for (uint64_t state = 1; state <= 4; state++) {
        double c = NAN, sd = NAN;
        darc_table *t = sliding(0.15, noise[_i], state);
        right += ask(SLIDE(" c", " held", " + c*sign(v)"), t, &c, &sd) ==
                 DARC_CONSISTENT;
        ck_assert_double_eq_tol(c, 0.15, 4.5 * sd);
        ck_assert_double_lt(sd, 0.15 * fmax(0.8 * noise[_i], 0.0008));
        t = sliding(0.15, noise[_i], state);
        wrong += ask(SLIDE("", " held", ""), t, &c, &sd) == DARC_INCONSISTENT;
    }
    ck_assert_int_eq(right, 4);
    ck_assert_int_eq(wrong, 4);
}
END_TEST

/* One step starts the slide: behind it F and sign(v) are alike, and before it
 * friction is any. */
START_TEST(one_step_refuses_nothing)
{
    static double force[N], speed[N];
    int refused = 0;
    for (uint64_t state = 1; state <= 12; state++) {
        uint64_t noise = state;
        double v = 0, c, sd;
        int begin = 30 + 10 * (int)state;
        for (int i = 0; i < N; i++) {
            force[i] = i < begin ? 0 : 1;
            speed[i] = v + 0.02 * draw_normal(&noise);
            v = i < begin - 1 ? 0
                              : slide(v, 1, 0.15, (i < begin ? 1 : 2) * dt / 4);
        }
        const char *name[] = {"F", "v"};
        const double *value[] = {force, speed};
        darc_table *t = recording_of(N, 2 / dt, 2, name, value);
        refused += ask(SLIDE(" c", "", " + c*sign(v)"), t, &c, &sd) ==
                   DARC_INCONSISTENT;
    }
    ck_assert_int_eq(refused, 0);
}
END_TEST

/* How early sign(v) steps about row t where the sample j before it has more,
 * and what is made of samples around. */
static double early_at(double *made, int *sources, size_t t, size_t j,
                       double more)
{
    weakbench b;
    darc_fit f;
    darc_table *table = sliding(0.15, 0.002, 5);
    table->signal[darc_table_find(table, "v")].value[t - j] += more;
    weakbench_open(&b, SLIDE(" c", " held", " + c*sign(v)"), 0);
    bool needed[16];
    for (int u = 0; u < 16; u++)
        needed[u] = true;
    const darc_derive_work how = {0};
    ck_assert_int_eq(darc_derive_by(table, NULL, b.x.model, needed, &how, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_fit_question(&f, &b.x, table, 0.01, NULL), DARC_OK);
    int u = 0;
    while (f.r.switched[u].early == NULL)
        u++;
    const darc_switched *w = f.r.switched + u;
    double early = w->early[t];
    *sources = 0;
    for (size_t k = 0; k < DARC_CROSSING_NODES; k++) {
        const double *own = w->own + (k + 1) * table->samples;
        made[k] = own[t];
        for (int i = 0; i < f.r.signal[u].sources; i++)
            *sources += f.r.signal[u].source[i].partial == own &&
                        f.r.signal[u].source[i].shift == (int)k - 2;
    }
    darc_fit_clear(&f);
    weakbench_close(&b);
    darc_table_free(table);
    return early;
}

/* The noise of each sample around a turn moves the step, and so does more. */
START_TEST(places_have_the_noise_of_samples)
{
    double made[DARC_CROSSING_NODES], other[DARC_CROSSING_NODES];
    int sources, turns = 0;
    darc_table *table = sliding(0.15, 0.002, 5);
    const double *v = table->signal[darc_table_find(table, "v")].value;
    for (size_t t = 100; t < N && turns < 3; t++) {
        if (!(v[t - 1] < -0.05 && v[t] > 0.05))
            continue;
        turns++;
        double early = early_at(made, &sources, t, 0, 0), more = 1e-3;
        ck_assert_int_eq(sources, DARC_CROSSING_NODES);
        for (size_t j = 0; j < 2; j++) {
            double by = (early_at(other, &sources, t, j, more) - early) / more;
            ck_assert_double_eq_tol(2 * by, made[2 - j],
                                    0.1 * fabs(made[2 - j]));
        }
    }
    ck_assert_int_eq(turns, 3);
    darc_table_free(table);
}
END_TEST

/* The acceleration of a mass on a spring, by Runge and Kutta. */
static double push(double x, double v, double force, double cube)
{
    return (force - 0.12 * v - x - cube * x * x * x - 0.1 * tanh(v / 0.002)) /
           0.025;
}

static darc_table *sticking(double cube, uint64_t state)
{
    static double force[N], place[N];
    enum { PARTS = 80 };
    const double h = 0.04 / PARTS;
    double x = 0, v = 0, f = 0.8;
    uint64_t noise = state + 100;
    for (int i = 0; i < N; i++) {
        if (i % 15 == 0)
            f = draw_uniform(&state) < 0.5 ? -0.8 : 0.8;
        force[i] = f;
        place[i] = x + 0.009 * draw_normal(&noise);
        for (int k = 0; k < PARTS; k++) {
            double a = push(x, v, f, cube);
            double b = push(x + h / 2 * v, v + h / 2 * a, f, cube);
            double c =
                push(x + h / 2 * v + h * h / 4 * a, v + h / 2 * b, f, cube);
            double e = push(x + h * v + h * h / 2 * b, v + h * c, f, cube);
            x += h * v + h * h / 6 * (a + b + c);
            v += h / 6 * (a + 2 * b + 2 * c + e);
        }
    }
    const char *name[] = {"F", "x"};
    const double *value[] = {force, place};
    return recording_of(N, 25, 2, name, value);
}

/* A mass that rests half of the time: friction then is bounded, and what is
 * left of it is no measure of the noise. */
START_TEST(rests_are_no_measure_of_noise)
{
    static const char text[] =
        "model mass\nparameters\n m d k c\ninputs\n F held\noutputs\n x\n"
        "derived\n s = sign(x')\nequations\n"
        " m*x'' + d*x' + k*x + c*s = F\n";
    int refused = 0, found = 0;
    double c, sd;
    for (uint64_t state = 1; state <= 30; state++) {
        refused += ask(text, sticking(0, state), &c, &sd) == DARC_INCONSISTENT;
        found += ask(text, sticking(0.6, state), &c, &sd) == DARC_INCONSISTENT;
    }
    ck_assert_int_le(refused, 2); /* 4, were it one */
    ck_assert_int_ge(found, 22);
}
END_TEST

Suite *suite_switched(void)
{
    Suite *s = suite_create("switched");
    TCase *c = tcase_create("friction");
    tcase_add_loop_test(c, the_place_of_a_turn_is_known_by_samples_around, 0,
                        3);
    tcase_add_test(c, places_have_the_noise_of_samples);
    tcase_add_test(c, one_step_refuses_nothing);
    tcase_add_test(c, rests_are_no_measure_of_noise);
    suite_add_tcase(s, c);
    return s;
}
