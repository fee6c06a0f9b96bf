/* Campaigns whose recordings differ in what a list tells of them. */
#include "tests.h"

#include "../bench/weak_cases.h"
#include "base/mem.h"
#include "diagnose/drift_compare.h"
#include "eliminate/eliminate.h"
#include "models.h"
#include "stats/course.h"

enum { MOST = 20 };

/* y' - u + a*y = 0, a known to 0.1 %. */
typedef struct {
    double c[2], cov[4], gram[4], share[2], bias[2];
    bool free[2];
    darc_estimates_equation eq;
    darc_estimates e;
} known;

static void know(known *k, double a)
{
    *k = (known){.c = {1, a},
                 .cov = {0, 0, 0, 1e-6 * a * a},
                 .gram = {1, 0, 0, 1},
                 .share = {1, 1},
                 .free = {false, true}};
    k->eq = (darc_estimates_equation){.coeffs = 2,
                                      .offset = -1,
                                      .size = 1,
                                      .gram = k->gram,
                                      .share = k->share};
    k->e = (darc_estimates){.equations = 1,
                            .coeffs = 2,
                            .eq = &k->eq,
                            .c = k->c,
                            .cov = k->cov,
                            .free = k->free,
                            .bias = k->bias,
                            .error_dof = HUGE_VAL};
}

typedef struct {
    darc_model *model;
    darc_ioeqs_t io;
    darc_criteria by;
    int first;
    darc_question x;
    const int *group; /* of two; NULL: one */
    double zero;      /* the zero of the list's degrees */
    bool exact;       /* a is known without an error */
    known k[MOST];
} bench;

static void open_bench(bench *b)
{
    *b = (bench){.first = 0};
    b->model = model_of("model m\nparameters\n a\ninputs\n u\n"
                        "outputs\n y\nequations\n y' + a*y = u\n");
    darc_criteria_init(&b->by);
    ck_assert_int_eq(
        darc_ioeqs_init(b->io, b->model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    b->x = (darc_question){.model = b->model,
                           .io = b->io,
                           .equations = 1,
                           .equation = &b->first,
                           .by = &b->by};
}

static void close_bench(bench *b)
{
    darc_ioeqs_clear(b->io);
    darc_model_free(b->model);
}

/* n recordings: a is 0.2 % larger a degree, and moves by `step` at half of
 * them. */
static void compare(darc_drift *out, bench *b, const double *degrees, int n,
                    double step, uint64_t *state)
{
    const darc_estimates *fit[MOST];
    char *error[MOST] = {NULL};
    darc_status fault[MOST] = {DARC_OK};
    double told[MOST];
    for (int i = 0; i < n; i++) {
        double t = isnan(degrees[i]) ? 40 : degrees[i];
        told[i] = degrees[i] - b->zero;
        know(b->k + i, exp(0.002 * t + 0.001 * case_normal(state)) *
                           (i >= n / 2 ? 1 + step : 1));
        b->k[i].cov[3] *= !b->exact;
        fit[i] = &b->k[i].e;
    }
    darc_drift_comparison c = {.x = &b->x,
                               .recordings = n,
                               .fit = fit,
                               .error = error,
                               .fault = fault,
                               .groups = b->group != NULL ? 2 : 1,
                               .group = b->group,
                               .covariates = 1,
                               .covariate = told};
    if (b->group != NULL)
        darc_drift_compare_groups(out, &c);
    else
        darc_drift_compare(out, &c);
}

static const double weather[12] = {20, 24, 31, 22, 27, 18,
                                   33, 25, 21, 29, 26, 19};

START_TEST(what_goes_with_the_weather_is_no_change)
{
    bench b;
    darc_drift out;
    uint64_t state = 5;
    open_bench(&b);
    compare(&out, &b, weather, 12, 0, &state);
    ck_assert_int_eq(out.points + out.trends + out.doubts, 0);
    ck_assert_int_eq(out.slopes, 1);
    ck_assert_double_eq_tol(out.slope->relative, 0.002, 4 * out.slope->sd);
    ck_assert_double_lt(out.slope->sd, 1e-4);
    for (int i = 0; i < 12; i++) {
        const darc_drift_test *d = out.recording[i].test;
        ck_assert_int_eq(out.recording[i].verdict, DARC_CONSISTENT);
        ck_assert_double_eq_tol(out.recording[i].change->value, b.k[i].c[1],
                                1e-12);
        ck_assert_double_lt(fabs(d->log), 4 * d->log_sd);
        ck_assert_double_eq_tol(d->shift, 0.002 * (weather[i] - 20), 0.003);
    }
    darc_drift_clear(&out);
    close_bench(&b);
}
END_TEST

/* As pascals are, or days of a calendar. */
START_TEST(the_zero_of_a_covariate_does_not_matter)
{
    bench b;
    darc_drift out;
    uint64_t state = 5, again = 5;
    open_bench(&b);
    compare(&out, &b, weather, 12, 0, &state);
    double slope = out.slope->relative;
    darc_drift_clear(&out);
    b.zero = -1e5;
    compare(&out, &b, weather, 12, 0, &again);
    ck_assert_int_eq(out.points + out.trends + out.doubts, 0);
    ck_assert_double_eq_tol(out.slope->relative, slope, 1e-9);
    darc_drift_clear(&out);
    close_bench(&b);
}
END_TEST

/* By three standard deviations of one recording, a tenth of what the weather
 * does. */
START_TEST(a_step_beside_the_weather_is_found)
{
    bench b;
    darc_drift out;
    uint64_t state = 11;
    open_bench(&b);
    compare(&out, &b, weather, 12, 0.003, &state);
    ck_assert_int_eq(out.points, 1);
    ck_assert_int_eq(out.point->recording, 6);
    ck_assert_double_eq_tol(out.point->relative, 0.003, 4 * out.point->sd);
    ck_assert_double_lt(out.point->sd, 0.001);
    darc_drift_clear(&out);
    close_bench(&b);
}
END_TEST

/* It was warm in the second half, and a moved there: by the warmth, or not. */
START_TEST(what_cannot_be_told_apart_is_undecided)
{
    static const double halves[8] = {20, 20, 20, 20, 30, 30, 30, 30};
    static const double once[8] = {20, 20, 20, 20, 20, 30, 20, 20};
    static const double known_too[8] = {20, 30, 21, 29, 31, 30, 29, 32};
    bench b;
    darc_drift out;
    uint64_t state = 3;
    open_bench(&b);
    compare(&out, &b, halves, 8, 0, &state);
    ck_assert_int_eq(out.points + out.trends, 0);
    ck_assert_int_eq(out.doubts, 1);
    ck_assert_int_eq(out.doubt->recording, 4);
    ck_assert_double_eq_tol(out.doubt->relative, 0.02, 0.005);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(out.recording[i].verdict,
                         i < 4 ? DARC_CONSISTENT : DARC_UNDECIDED);
    darc_drift_clear(&out);
    compare(&out, &b, once, 8, 0, &state);
    ck_assert_int_eq(out.points + out.trends, 0);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(out.recording[i].verdict,
                         i != 5 ? DARC_CONSISTENT : DARC_UNDECIDED);
    darc_drift_clear(&out);
    compare(&out, &b, known_too, 8, 0, &state); /* warm days before tell it */
    ck_assert_int_eq(out.doubts, 0);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(out.recording[i].verdict, DARC_CONSISTENT);
    darc_drift_clear(&out);
    compare(&out, &b, known_too, 8, 0.02, &state);
    ck_assert_int_eq(out.points, 1);
    ck_assert_int_eq(out.point->recording, 4);
    ck_assert_int_eq(out.recording[6].verdict, DARC_INCONSISTENT);
    darc_drift_clear(&out);
    close_bench(&b);
}
END_TEST

START_TEST(what_is_not_told_is_undecided)
{
    static const double cool[6] = {20, 20, 20, 20, 20, 20};
    double part[12];
    bench b;
    darc_drift out;
    uint64_t state = 5;
    open_bench(&b);
    memcpy(part, weather, sizeof part);
    part[4] = NAN;
    compare(&out, &b, part, 12, 0, &state);
    ck_assert_int_eq(out.points + out.trends, 0);
    for (int i = 0; i < 12; i++)
        ck_assert_int_eq(out.recording[i].verdict,
                         i == 4 ? DARC_UNDECIDED : DARC_CONSISTENT);
    ck_assert(!out.recording[4].change->moved);
    darc_drift_clear(&out);
    compare(&out, &b, cool, 6, 0.02, &state); /* of which nothing follows */
    ck_assert(isnan(out.slope->relative));
    ck_assert_int_eq(out.points, 1);
    ck_assert_int_eq(out.point->recording, 3);
    ck_assert_int_eq(out.recording[5].verdict, DARC_INCONSISTENT);
    darc_drift_clear(&out);
    close_bench(&b);
}
END_TEST

/* Of one of two groups nothing is told. */
START_TEST(a_group_without_covariates_has_a_baseline)
{
    static const int group[8] = {0, 1, 1, 0, 0, 1, 0, 0};
    static const double part[8] = {20, NAN, NAN, 22, 27, NAN, 33, 25};
    bench b;
    darc_drift out;
    uint64_t state = 5;
    open_bench(&b);
    b.group = group;
    compare(&out, &b, part, 8, 0, &state);
    for (int i = 0; i < 8; i++) {
        const darc_drift_recording *r = out.recording + i;
        ck_assert_int_eq(r->baseline, group[i]);
        ck_assert(!r->pending);
        ck_assert_int_eq(r->verdict,
                         i == 2 || i == 5 ? DARC_UNDECIDED : DARC_CONSISTENT);
    }
    darc_drift_clear(&out);
    close_bench(&b);
}
END_TEST

/* What has no error has no course, as where there is no function. */
START_TEST(without_a_function_there_is_no_course)
{
    bench b;
    darc_drift out;
    uint64_t state = 5;
    open_bench(&b);
    b.exact = true;
    compare(&out, &b, weather, 12, 0, &state);
    ck_assert_int_eq(out.points + out.trends + out.doubts + out.slopes, 0);
    ck_assert_int_eq(out.blinds, 0);
    darc_drift_clear(&out);
    close_bench(&b);
}
END_TEST

/* It grew warm for good, from day 5 on: how often a change then is found. */
START_TEST(where_changes_hide_is_told)
{
    enum { RUNS = 60 };
    static const double warmer[8] = {20, 21, 19.5, 20.5, 35, 36, 34.5, 35.5};
    bench b;
    darc_drift out;
    int found[2] = {0, 0};
    uint64_t state = 21;
    open_bench(&b);
    compare(&out, &b, weather, 12, 0, &state);
    ck_assert_int_eq(out.blinds, 0);
    darc_drift_clear(&out);
    compare(&out, &b, warmer, 8, 0, &state);
    ck_assert_int_eq(out.blinds, 1);
    const darc_drift_blind blind = *out.blind;
    darc_drift_clear(&out);
    ck_assert_int_eq(blind.recording, 4);
    ck_assert_int_eq(blind.function, 0);
    ck_assert_int_eq(blind.covariate, 0);
    ck_assert_double_gt(blind.beside, 5 * blind.alone);
    for (int run = 0; run < 2 * RUNS; run++) {
        compare(&out, &b, warmer, 8,
                expm1(run % 2 == 0 ? blind.beside : blind.alone), &state);
        found[run % 2] += out.points > 0;
        darc_drift_clear(&out);
    }
    ck_assert_int_ge(found[0], RUNS * 3 / 4); /* .9 */
    ck_assert_int_le(found[1], RUNS / 4);
    close_bench(&b);
}
END_TEST

/* Campaigns in random weather: how often anything is found. */
START_TEST(weather_keeps_the_level)
{
    enum { RUNS = 150 };
    bench b;
    darc_drift out;
    int found = 0, doubted = 0;
    uint64_t state = 77;
    open_bench(&b);
    b.by.alpha = 0.05;
    for (int run = 0; run < RUNS; run++) {
        double degrees[8];
        bool any = false;
        for (int i = 0; i < 8; i++)
            degrees[i] = 25 + 5 * case_normal(&state) + (i > 3 ? 5 : 0);
        compare(&out, &b, degrees, 8, 0, &state);
        any = out.points + out.trends > 0;
        for (int i = 0; i < 8; i++)
            any = any || out.recording[i].verdict == DARC_INCONSISTENT;
        found += any;
        doubted += out.doubts > 0;
        darc_drift_clear(&out);
    }
    /* 15 expected at the most, alpha for the course and for verdicts; 4 sd */
    ck_assert_int_le(found, 29);
    ck_assert_int_le(doubted, RUNS / 10);
    close_bench(&b);
}
END_TEST

/* Two covariates, of which one goes along with the time. */
START_TEST(a_course_beside_covariates_keeps_the_level)
{
    enum { N = 10, RUNS = 300 };
    double time[N], info[N], score[N], z[2 * N];
    int found[2] = {0, 0}, placed = 0;
    uint64_t state = 5;
    for (int run = 0; run < 2 * RUNS; run++) {
        double mean[2] = {0, 0};
        for (int i = 0; i < 2 * N; i++) {
            z[i] = case_normal(&state) + (i % 2) * 0.3 * (i / 2);
            mean[i % 2] += z[i] / N;
        }
        for (int i = 0; i < N; i++) {
            z[2 * i] -= mean[0];
            z[2 * i + 1] -= mean[1];
            time[i] = i;
            info[i] = 1e6;
            score[i] =
                1e3 * (case_normal(&state) + 5 * z[2 * i] - 3 * z[2 * i + 1] +
                       (run >= RUNS && i >= N / 2 ? 5 : 0));
        }
        darc_course c;
        darc_course_data d = {.n = N,
                              .p = 1,
                              .time = time,
                              .info = info,
                              .score = score,
                              .error_dof = HUGE_VAL,
                              .alpha = 0.05,
                              .lines = true,
                              .covariates = 2,
                              .covariate = z};
        darc_course_find(&c, &d);
        found[run >= RUNS] += c.steps > 0 || c.line;
        placed += run >= RUNS && c.steps > 0 && abs(c.at[0] - N / 2) < 2;
        darc_course_clear(&c);
    }
    ck_assert_int_le(found[0], 30); /* 15 expected at the most; 4 sd above */
    ck_assert_int_ge(found[1], 7 * RUNS / 10);
    ck_assert_int_ge(placed, RUNS / 2);
}
END_TEST

Suite *suite_covariates(void)
{
    Suite *s = suite_create("covariates");
    TCase *c = tcase_create("covariates");
    tcase_add_test(c, what_goes_with_the_weather_is_no_change);
    tcase_add_test(c, the_zero_of_a_covariate_does_not_matter);
    tcase_add_test(c, a_step_beside_the_weather_is_found);
    tcase_add_test(c, what_cannot_be_told_apart_is_undecided);
    tcase_add_test(c, what_is_not_told_is_undecided);
    tcase_add_test(c, a_group_without_covariates_has_a_baseline);
    tcase_add_test(c, without_a_function_there_is_no_course);
    tcase_add_test(c, where_changes_hide_is_told);
    tcase_add_test(c, weather_keeps_the_level);
    tcase_add_test(c, a_course_beside_covariates_keeps_the_level);
    suite_add_tcase(s, c);
    return s;
}
