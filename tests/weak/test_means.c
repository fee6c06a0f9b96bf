/* Inputs whose samples are means of the time since the one before. */
#include "tests.h"

#include "../bench/weak_cases.h"
#include "data/table.h"
#include "recording.h"
#include "session/state.h"
#include "weak/means.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double cubic(double t)
{
    return 2 - t + 0.3 * t * t - 0.04 * t * t * t;
}

static double integral(double t)
{
    return 2 * t - t * t / 2 + 0.1 * t * t * t - 0.01 * t * t * t * t;
}

/* Means of a cubic, at even times and others, give it back. */
START_TEST(means_of_a_cubic_are_undone)
{
    enum { COUNT = 20 };
    double t[COUNT], x[COUNT];
    darc_segment all = {3, COUNT};
    darc_table table = {
        .samples = COUNT, .time = t, .segment = &all, .segments = 1, .dt = 0};
    darc_weak_signal s = {.value = x};
    for (int i = 0; i < COUNT; i++)
        t[i] = 0.5 * i + (_i == 1 ? 0.1 * (i * i % 3) : 0);
    x[0] = NAN;
    for (int i = 1; i < COUNT; i++)
        x[i] = (integral(t[i]) - integral(t[i - 1])) / (t[i] - t[i - 1]);
    double *v = darc_means_undo(&s, &table);
    ck_assert_ptr_eq(s.value, v);
    for (int i = 5; i < COUNT - 2; i++)
        ck_assert_double_eq_tol(v[i], cubic(t[i]), 1e-12);
    free(v);
}
END_TEST

/* y' + y = u - share u^3, u moves between samples, and of it the means are
 * recorded. */
static darc_table *record(double share, uint64_t state)
{
    enum { N = 900, RATE = 8, FINE = 40, TONES = 5 };
    static double u[N], y[N];
    double x = 0, sum = 0, phase[TONES];
    for (int k = 0; k < TONES; k++)
        phase[k] = 6.28 * case_uniform(&state);
    for (int i = 0; i < N * FINE; i++) {
        double h = 1.0 / RATE / FINE, t = (i + 0.5) * h, now = 0;
        if (i % FINE == 0) {
            y[i / FINE] = x + 1e-3 * case_normal(&state);
            u[i / FINE] = sum / FINE;
            sum = 0;
        }
        for (int k = 0; k < TONES; k++)
            now += sin((0.4 + 0.83 * k) * t + phase[k]);
        sum += now;
        x = now - share * now * now * now +
            (x - now + share * now * now * now) * exp(-h);
    }
    const char *name[] = {"u", "y"};
    const double *value[] = {u, y};
    return recording_of(N, RATE, 2, name, value);
}

typedef struct {
    darc_verdict verdict;
    double a, sd;
    bool named;
} finding;

static finding judge(const char *word, double share)
{
    char text[200];
    darc_model *model;
    darc_session *s;
    darc_err err = {DARC_OK, ""};
    snprintf(text, sizeof text,
             "model lag\nparameters\n a b\ninputs\n u %s\noutputs\n y\n"
             "equations\n y' + a*y = b*u\n",
             word);
    ck_assert_int_eq(
        darc_model_parse(&model, text, strlen(text), "lag.darc", &err),
        DARC_OK);
    ck_assert_int_eq(darc_session_new(&s, model, NULL, NULL, &err), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, record(share, 3), &err), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, &err), DARC_OK);
    const darc_report *r = darc_session_report(s);
    finding f = {.verdict = darc_session_verdict(s),
                 .named =
                     strstr(r->decision.reason, "`mean` behind u") != NULL};
    if (r->values > 0) {
        f.a = r->value[0].value_a;
        f.sd = r->value[0].sd_a;
    }
    darc_session_free(s);
    darc_model_free(model);
    return f;
}

/* Who does not say it is told; a cube that is missing is found either way. */
START_TEST(inputs_may_be_means)
{
    finding said = judge("mean", 0), silent = judge("", 0);
    ck_assert_int_eq(said.verdict, DARC_CONSISTENT);
    ck_assert_double_lt(fabs(said.a - 1), 4 * said.sd);
    ck_assert_double_lt(said.sd, 2e-3);
    ck_assert_int_eq(silent.verdict, DARC_UNDECIDED);
    ck_assert(silent.named);
    ck_assert_int_eq(judge("mean", 0.01).verdict, DARC_INCONSISTENT);
    ck_assert_int_eq(judge("", 0.01).verdict, DARC_INCONSISTENT);
}
END_TEST

/* The word is printed as it was written, and trajectories refuse it. */
START_TEST(the_word_is_kept)
{
    static const char text[] = "model lag\nparameters\n a b\ninputs\n"
                               " u mean\noutputs\n y\nequations\n"
                               " y' + a*y = b*u\n";
    darc_model *model;
    darc_session *s;
    darc_err err = {DARC_OK, ""};
    ck_assert_int_eq(
        darc_model_parse(&model, text, sizeof text - 1, "lag.darc", &err),
        DARC_OK);
    darc_text_t out = DARC_TEXT;
    darc_model_print(out, model);
    ck_assert_ptr_nonnull(strstr(out->s, "u mean"));
    darc_text_clear(out);
    ck_assert_int_eq(darc_session_new(&s, model, NULL, NULL, &err), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, record(0, 3), &err), DARC_OK);
    s->set.method = DARC_METHOD_TRAJECTORY;
    ck_assert_int_ne(darc_session_check(s, DARC_STRUCTURE, &err), DARC_OK);
    ck_assert_ptr_nonnull(strstr(err.message, "averages"));
    darc_session_free(s);
    darc_model_free(model);
}
END_TEST

Suite *suite_means(void)
{
    Suite *s = suite_create("means");
    TCase *c = tcase_create("means");
    tcase_add_loop_test(c, means_of_a_cubic_are_undone, 0, 2);
    tcase_add_test(c, inputs_may_be_means);
    tcase_add_test(c, the_word_is_kept);
    suite_add_tcase(s, c);
    return s;
}
