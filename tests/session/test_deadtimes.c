/* Times of delays that are parameters: T*y' + y = K*u(t - tau), u held, whose
 * solution is known between its steps. */
#include "tests.h"

#include "../bench/weak_cases.h"
#include "data/table.h"
#include "recording.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 1200, STEPS = 24 };

static const double T = 25, K = 2.4;

/* Steps of u at samples, the outputs tau later; a share of a cube in it. */
static darc_table *record(double tau, double cube, uint64_t seed)
{
    static double u[N], y[N];
    const char *name[] = {"u", "y"};
    const double *value[] = {u, y};
    uint64_t state = seed;
    double level = 2, last = K * level;
    for (int i = 0; i < N; i++)
        y[i] = last;
    for (int k = 0, at = 0; k < STEPS; k++) {
        int next = at + 30 + (k * 7) % 41;
        double to = 5 + 4 * sin(1.7 * k * k + (double)seed);
        double way = K * (to + cube * to * to * to) -
                     K * (level + cube * level * level * level);
        for (int i = at; i < N; i++) {
            u[i] = to;
            if (i - at > tau)
                y[i] += way * (1 - exp(-(i - at - tau) / T));
        }
        level = to;
        at = next;
    }
    for (int i = 0; i < N; i++)
        y[i] += 0.03 * case_normal(&state);
    return recording_of(N, 1, 2, name, value);
}

static darc_model *parse(const char *v)
{
    char text[300];
    darc_model *model;
    darc_err err = {DARC_OK, ""};
    snprintf(text, sizeof text,
             "model late\nparameters\n T [s]\n K\n tau [s]\ninputs\n u\n"
             "outputs\n y\n%s\nequations\n T*y' + y = K*%s\n",
             *v == 'v' ? "derived\n v = delay(u, tau)" : "", v);
    darc_status status =
        darc_model_parse(&model, text, strlen(text), "late.darc", &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return model;
}

static darc_session *open_late(darc_model *model)
{
    darc_session *s;
    darc_err err = {DARC_OK, ""};
    ck_assert_int_eq(darc_session_new(&s, model, NULL, NULL, &err), DARC_OK);
    return s;
}

static void add(darc_session *s, darc_table *t)
{
    darc_err err = {DARC_OK, ""};
    darc_status status = darc_session_add_take(s, t, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
}

static const darc_estimate *value_of(const darc_session *s, const char *name)
{
    const darc_report *r = darc_session_report(s);
    for (int i = 0; i < r->values; i++)
        if (strcmp(r->value[i].function, name) == 0)
            return r->value + i;
    ck_abort_msg("no value of %s", name);
    return NULL;
}

/* The delay is found, at samples, between them, and where there is none;
 * derived or in the equation. */
START_TEST(delays_are_found)
{
    static const double tau[] = {0, 7.3, 9, 31.6};
    darc_model *model = parse(_i % 2 ? "v" : "delay(u, tau)");
    darc_session *s = open_late(model);
    darc_err err = {DARC_OK, ""};
    add(s, record(tau[_i], 0, 3 + (uint64_t)_i));
    darc_status status = darc_session_check(s, DARC_STRUCTURE, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
    const darc_estimate *e = value_of(s, "tau"), *t = value_of(s, "T");
    ck_assert_double_lt(fabs(e->value_a - tau[_i]), 4 * e->sd_a);
    ck_assert_double_lt(e->sd_a, 0.05);
    ck_assert_double_lt(fabs(t->value_a - T), 4 * t->sd_a);
    darc_session_free(s);
    darc_model_free(model);
}
END_TEST

/* Let u be so much later, or the mean of so much time. */
static darc_model *parse_mean(double span)
{
    char v[40];
    snprintf(v, sizeof v, "mean(u, %g)", span);
    return parse(v);
}

/* The mean of a held input bends where that steps and the span later, at
 * samples and between: T*y' + y = K*mean(u, span) exactly. */
START_TEST(means_of_held_inputs_are_exact)
{
    static const double span[] = {1, 7.3, 40.25};
    enum { FINE = 20 };
    static double u[N], y[N];
    const char *name[] = {"u", "y"};
    const double *value[] = {u, y}, h = 1.0 / FINE;
    darc_model *model = parse_mean(span[_i]);
    darc_session *s = open_late(model);
    darc_err err = {DARC_OK, ""};
    uint64_t state = 11 + (uint64_t)_i;
    double x = 0, before[2 * FINE * 41] = {0};
    int n = (int)lround(span[_i] * FINE), k = 0;
    double sum = 0;
    for (int i = 0; i < N; i++) {
        u[i] = i % 7 > 0 && i > 0 ? u[i - 1] : floor(9 * case_uniform(&state));
        y[i] = x + 0.003 * case_normal(&state);
        for (int j = 0; j < FINE; j++, k = (k + 1) % n) {
            double mean = sum / n;
            sum += u[i] - before[k];
            before[k] = u[i];
            mean = (mean + sum / n) / 2;
            x = K * mean + (x - K * mean) * exp(-h / T);
        }
    }
    darc_table *t = recording_of(N, 1, 2, name, value);
    t->segment[0].begin = 60; /* before u = 0 is not recorded */
    add(s, t);
    darc_status status = darc_session_check(s, DARC_STRUCTURE, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
    const char *of[] = {"T", "K"};
    const double want[] = {T, K};
    for (int i = 0; i < 2; i++) {
        const darc_estimate *e = value_of(s, of[i]);
        ck_assert_double_lt(fabs(e->value_a - want[i]), 4 * e->sd_a);
        ck_assert_double_lt(e->sd_a, 1e-3 * want[i]);
    }
    darc_session_free(s);
    darc_model_free(model);
}
END_TEST

/* What no delay explains is refused; the one that differs is found. */
START_TEST(delays_explain_no_more)
{
    darc_model *model = parse("v");
    darc_session *s = open_late(model);
    darc_err err = {DARC_OK, ""};
    add(s, record(7.3, 0.004, 5));
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, &err), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), DARC_INCONSISTENT);
    darc_session_drop(s);
    add(s, record(7.3, 0, 6));
    add(s, record(7.8, 0, 7));
    ck_assert_int_eq(darc_session_isolate(s, &err), DARC_OK);
    const darc_isolation *i = darc_session_isolation(s);
    ck_assert_ptr_nonnull(i);
    ck_assert_int_eq(i->diagnosis, 1);
    darc_session_free(s);
    darc_model_free(model);
}
END_TEST

/* Where delays cannot be sought, that is said. */
START_TEST(delays_are_sought_by_the_weak_form_alone)
{
    darc_model *model = parse("v");
    darc_session *s = open_late(model);
    darc_err err = {DARC_OK, ""};
    add(s, record(7.3, 0, 6));
    for (int i = 0; i < 2; i++) {
        s->set.method = i == 0 ? DARC_METHOD_POINTWISE : DARC_METHOD_TRAJECTORY;
        ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, &err),
                         DARC_USAGE);
        ck_assert_ptr_nonnull(strstr(err.message, "delay by a parameter"));
    }
    darc_session_free(s);
    darc_model_free(model);
}
END_TEST

Suite *suite_deadtimes(void)
{
    Suite *s = suite_create("deadtimes");
    TCase *t = tcase_create("deadtimes");
    tcase_add_loop_test(t, delays_are_found, 0, 4);
    tcase_add_test(t, delays_explain_no_more);
    tcase_add_test(t, delays_are_sought_by_the_weak_form_alone);
    tcase_add_loop_test(t, means_of_held_inputs_are_exact, 0, 3);
    suite_add_tcase(s, t);
    return s;
}
