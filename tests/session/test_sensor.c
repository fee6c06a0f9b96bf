/* Recordings through sensors that shift, scale, lag and delay: the model says
 * that they may, and their values are found. */
#include "tests.h"

#include "../bench/weak_cases.h"
#include "data/table.h"
#include "models.h"
#include "recording.h"
#include "session/state.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 6000, RATE = 200, TONES = 5 };

static const double offset = 0.3, gain = 1.7, lag = 0.04, delay = 0.025;

/* What a sensor shows of a tone. */
static double complex shows(const char *words, double w)
{
    double complex h = 1;
    if (strstr(words, "gain") != NULL)
        h *= gain;
    if (strstr(words, "lag") != NULL)
        h /= 1 + I * w * lag;
    if (strstr(words, "delay") != NULL)
        h *= cexp(-I * w * delay);
    return h;
}

/* x'' + 2 x' + 9 x = u, sensors of x and of its rate v */
static darc_table *record(const char *x_words, const char *v_words)
{
    static double u[N], x[N], v[N];
    const char *name[] = {"u", "x", "v"};
    const double *value[] = {u, x, v};
    uint64_t state = 11;
    for (int i = 0; i < N; i++) {
        double t = (double)i / RATE;
        u[i] = 0;
        x[i] = strstr(x_words, "offset") != NULL ? offset : 0;
        v[i] = 0;
        for (int k = 0; k < TONES; k++) {
            double w = 0.9 + 1.37 * k;
            double complex e = cexp(I * (w * t + k * k));
            double complex h = e / (9 - w * w + 2 * I * w);
            u[i] += creal(e);
            x[i] += creal(shows(x_words, w) * h);
            v[i] += creal(shows(v_words, w) * I * w * h);
        }
        x[i] += 1e-3 * case_normal(&state);
        v[i] += 1e-3 * case_normal(&state);
    }
    return recording_of(N, RATE, 3, name, value);
}

static void check_value(const darc_report *r, const char *name, double truth)
{
    for (int i = 0; i < r->values; i++)
        if (strcmp(r->value[i].function, name) == 0) {
            double off = r->value[i].value_a - truth;
            ck_assert_double_lt(fabs(off), 4 * r->value[i].sd_a);
            ck_assert_double_lt(r->value[i].sd_a, 0.02 * truth);
            return;
        }
    ck_abort_msg("no value of %s", name);
}

/* The equations hold with these words, and not without. */
static void check(const char *x_words, const char *v_words, const char *value,
                  double truth)
{
    for (int said = 1; said >= 0; said--) {
        char text[300];
        snprintf(text, sizeof text,
                 "model mass\nparameters\n d c\ninputs\n u\noutputs\n x [m] "
                 "\"travel\" %s\n v %s\nequations\n x'' + d*x' + c*x = u\n"
                 " v = x'\n",
                 said ? x_words : "", said ? v_words : "");
        darc_model *model = model_of(text);
        darc_session *s;
        ck_assert_int_eq(darc_session_new(&s, model, NULL, NULL, NULL),
                         DARC_OK);
        ck_assert_int_eq(
            darc_session_add_take(s, record(x_words, v_words), NULL), DARC_OK);
        ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
        ck_assert_int_eq(darc_session_verdict(s),
                         said ? DARC_CONSISTENT : DARC_INCONSISTENT);
        if (said)
            check_value(darc_session_report(s), value, truth);
        darc_session_free(s);
        darc_model_free(model);
    }
}

START_TEST(an_offset)
{
    check("offset", "", "x_offset", offset);
}
END_TEST
START_TEST(a_gain)
{
    check("", "gain", "v_gain", gain);
}
END_TEST
START_TEST(a_lag)
{
    check("", "lag", "v_lag", lag);
}
END_TEST
START_TEST(a_delay)
{
    check("", "delay", "v_delay", delay);
}
END_TEST
START_TEST(several)
{
    check("offset", "gain lag", "v_lag", lag);
}
END_TEST

/* Nothing but the input tells the time. */
START_TEST(two_delays)
{
    check("delay offset", "delay lag", "x_delay", delay);
}
END_TEST

static darc_model *read_as(const char *text)
{
    darc_model *model;
    darc_err err = {DARC_OK, ""};
    darc_status status =
        darc_model_parse_printed(&model, text, strlen(text), "m",
                                 &(darc_reading){.simulated = true}, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return model;
}

/* A chassis whose travel is late, by a parameter or a constant: what the
 * equations know of it is as of signals that are not. */
START_TEST(delays_in_equations)
{
    static const struct {
        const char *said, *constant;
    } of[] = {
        {"", ""}, {" z_delay [s]\n", ""}, {"", "constants\n z_delay = 1/50\n"}};
    for (int i = 0; i < 3; i++) {
        char text[300];
        darc_text_t out = DARC_TEXT;
        snprintf(text, sizeof text,
                 "model m\nparameters\n m c d\n%s%soutputs\n a\n z delay\n"
                 "equations\n m*a = c*z + d*z'\n",
                 of[i].said, of[i].constant);
        darc_model *model = model_of(text);
        darc_model_print_rewritten(out, model);
        ck_assert_int_eq(darc_model_has_dead_times(model), i < 2);
        ck_assert_ptr_nonnull(
            strstr(out->s, i < 2 ? "z_delay*a'" : "delay(a, z_delay)"));
        darc_model_free(model);
        model = read_as(text);
        ck_assert(!darc_model_has_dead_times(model));
        darc_model_free(model);
        darc_text_clear(out);
    }
}
END_TEST

/* What a sensor writes into the equations is read back as it is printed. */
START_TEST(printed_as_it_is_read)
{
    static const char text[] =
        "model m\nparameters\n k\ninputs\n u\noutputs\n y lag behind delay\n"
        "equations\n y' + k*y = u\n";
    darc_model *m, *again;
    darc_text_t once, twice;
    darc_text_init(once);
    darc_text_init(twice);
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "m", NULL),
                     DARC_OK);
    darc_model_print(once, m);
    ck_assert_int_eq(darc_model_parse(&again, once->s, once->len, "m", NULL),
                     DARC_OK);
    darc_model_print(twice, again);
    ck_assert_str_eq(once->s, twice->s);
    ck_assert_ptr_nonnull(strstr(twice->s, "\n    y behind delay\n"));
    darc_model_free(m);
    darc_model_free(again);
    darc_text_clear(once);
    darc_text_clear(twice);
}
END_TEST

/* 0.02 q'' + 0.03 q' + 0.3 sin(q) = u */
static darc_table *record_arm(double turn, double sd, uint64_t seed)
{
    static double u[N], q[N];
    const char *name[] = {"u", "q"};
    const double *value[] = {u, q};
    uint64_t state = seed;
    for (int i = 0; i < N; i++) {
        double t = (double)i / RATE, v = turn, a = 0;
        q[i] = 0.4 + turn * t;
        for (int k = 0; k < TONES; k++) {
            double w = 0.9 + 1.37 * k;
            q[i] += 0.3 * sin(w * t + k * k);
            v += 0.3 * w * cos(w * t + k * k);
            a -= 0.3 * w * w * sin(w * t + k * k);
        }
        u[i] = 0.02 * a + 0.03 * v + 0.3 * sin(q[i]);
        q[i] += sd * case_normal(&state);
    }
    return recording_of(N, RATE, 2, name, value);
}

/* The sine of a noisy angle is smaller in the mean than that of the angle: by
 * half the square of the noise. */
START_TEST(noise_of_what_is_bent_is_no_change)
{
    for (uint64_t seed = 1; seed < 4; seed++) {
        darc_session *s;
        darc_model *arm =
            model_of("model arm\nparameters\n J d m\ninputs\n u\noutputs\n q\n"
                     "equations\n J*q'' + d*q' + m*sin(q) = u\n");
        ck_assert_int_eq(darc_session_new(&s, arm, NULL, NULL, NULL), DARC_OK);
        ck_assert_int_eq(
            darc_session_add_take(s, record_arm(0, 0.002, seed), NULL),
            DARC_OK);
        ck_assert_int_eq(
            darc_session_add_take(s, record_arm(0.5, 0.1, 9 * seed), NULL),
            DARC_OK);
        ck_assert_int_eq(darc_session_check(s, DARC_EQUAL, NULL), DARC_OK);
        ck_assert_int_eq(darc_session_verdict(s), DARC_CONSISTENT);
        darc_session_free(s);
        darc_model_free(arm);
    }
}
END_TEST

Suite *suite_sensor(void)
{
    Suite *s = suite_create("sensor");
    TCase *t = tcase_create("sensor");
    tcase_add_test(t, an_offset);
    tcase_add_test(t, a_gain);
    tcase_add_test(t, a_lag);
    tcase_add_test(t, a_delay);
    tcase_add_test(t, several);
    tcase_add_test(t, two_delays);
    tcase_add_test(t, delays_in_equations);
    tcase_add_test(t, printed_as_it_is_read);
    tcase_add_test(t, noise_of_what_is_bent_is_no_change);
    suite_add_tcase(s, t);
    return s;
}
