/* Noise from a recording at rest. */
#include "tests.h"

#include "../bench/weak_cases.h"
#include "data/table.h"
#include "models.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RATE = 500 };

static const char *const name[] = {"a", "z"};

static const case_options low = {.seconds = 16,
                                 .rate = RATE,
                                 .noise = 0.02,
                                 .kind = NOISE_LOWPASS,
                                 .scale = {1, 1, 1, 1}};

static darc_table *moving(uint64_t seed, double sd[2])
{
    uint64_t exact = seed, state = seed + 1;
    darc_table *t = case_table(CASE_QUARTER, &low, &exact, &state), *copy;
    for (int i = 0; i < 2; i++)
        sd[i] = low.noise * case_rms(t->signal[i].value, t->samples);
    darc_samples from = {
        .name = "memory",
        .samples = t->samples,
        .rate = RATE,
        .signals = 2,
        .signal = name,
        .value = (const double *[]){t->signal[0].value, t->signal[1].value}};
    ck_assert_int_eq(darc_table_from_samples(&copy, &from, NULL), DARC_OK);
    case_free(t);
    return copy;
}

/* Write what the sensors show at rest: noise of the same spectrum. */
static void write_rest(const char *file, const double sd[2], double rate,
                       bool dead)
{
    enum { N = 12000 };
    uint64_t state = 77;
    double *n[2] = {malloc(N * sizeof(double)), malloc(N * sizeof(double))};
    FILE *f = fopen(file, "w");
    for (int i = 0; i < 2; i++) {
        for (int t = 0; t < N; t++)
            n[i][t] = case_normal(&state);
        case_low_pass(n[i], N, RATE);
    }
    fprintf(f, "t,a,z\n");
    for (int t = 0; t < N; t++)
        fprintf(f, "%.9g,%.9g,%.9g\n", t / rate, 9.81 + sd[0] * n[0][t],
                dead ? 0.01 : sd[1] * n[1][t]);
    fclose(f);
    free(n[0]);
    free(n[1]);
}

typedef struct {
    darc_model *model;
    darc_session *s;
    char file[64];
    darc_err err;
} bench;

static darc_status open_bench(bench *b, darc_session_settings *set,
                              const double sd[2], double rate, bool dead)
{
    snprintf(b->file, sizeof b->file, "build/resting.%d.csv", (int)getpid());
    write_rest(b->file, sd, rate, dead);
    darc_err_init(&b->err);
    set->noise_file = b->file;
    b->model = model_of(model_quarter);
    b->s = NULL;
    return darc_session_new(&b->s, b->model, set, NULL, &b->err);
}

static void close_bench(bench *b)
{
    darc_session_free(b->s);
    darc_model_free(b->model);
    unlink(b->file);
}

/* Filtered noise that was measured at rest decides what the recording alone
 * cannot: the residual has its size, and the estimates their deviations. */
START_TEST(noise_at_rest_decides)
{
    bench b;
    double sd[2];
    darc_session_settings set;
    darc_session_settings_init(&set);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        darc_table *t = moving(seed, sd);
        ck_assert_int_eq(open_bench(&b, &set, sd, RATE, false), DARC_OK);
        ck_assert_int_eq(darc_session_add_take(b.s, t, NULL), DARC_OK);
        ck_assert_int_eq(darc_session_check(b.s, DARC_STRUCTURE, &b.err),
                         DARC_OK);
        const darc_report_relation *r = darc_session_report(b.s)->relation;
        ck_assert_int_eq(r->decision.verdict, DARC_CONSISTENT);
        ck_assert_double_gt(r->decision.p_value, 0.01);
        ck_assert_double_lt(r->decision.p_value, 0.999);
        ck_assert_double_lt(r->decision.detectable, 0.04);
        close_bench(&b);
    }
}
END_TEST

START_TEST(failures_say_what_to_do)
{
    bench b;
    double sd[2];
    darc_session_settings set;
    darc_session_settings_init(&set);
    darc_table *t = moving(1, sd);

    ck_assert_int_eq(open_bench(&b, &set, sd, 2 * RATE, false), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(b.s, t, &b.err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(b.err.message, "500 samples per second"));
    ck_assert_ptr_nonnull(strstr(b.err.message, "1000"));
    close_bench(&b);

    ck_assert_int_eq(open_bench(&b, &set, sd, RATE, true), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(b.err.message, "'z' does not move"));
    close_bench(&b);

    /* noise as large as what moves in both: no rest */
    double rms[2] = {sd[0] / low.noise, sd[1] / low.noise};
    t = moving(1, sd);
    ck_assert_int_eq(open_bench(&b, &set, rms, RATE, false), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(b.s, t, &b.err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(b.err.message, "a recording at rest"));
    close_bench(&b);
    rms[1] = sd[1]; /* in one: its signal rested */
    t = moving(1, sd);
    ck_assert_int_eq(open_bench(&b, &set, rms, RATE, false), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(b.s, t, &b.err), DARC_OK);
    close_bench(&b);

    set.noises = 1;
    set.noise_name = name;
    set.noise_sd = (const double[]){0.1};
    ck_assert_int_eq(open_bench(&b, &set, sd, RATE, false), DARC_USAGE);
    ck_assert_ptr_nonnull(strstr(b.err.message, "choose one"));
    close_bench(&b);
}
END_TEST

Suite *suite_resting(void)
{
    Suite *s = suite_create("resting");
    TCase *c = tcase_create("resting");
    tcase_add_test(c, noise_at_rest_decides);
    tcase_add_test(c, failures_say_what_to_do);
    suite_add_tcase(s, c);
    return s;
}
