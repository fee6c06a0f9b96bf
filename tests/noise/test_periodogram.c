#include "tests.h"

#include "draw.h"
#include "noise/periodogram.h"

#include <math.h>

enum { N = 6000 };

static const double PI = 3.14159265358979323846;
static double x[2][N];
static darc_signal column[] = {{.value = x[0]}, {.value = x[1]}};
static darc_segment whole[] = {{0, N}};

static darc_table table_of(darc_segment *segment, int segments)
{
    return (darc_table){.samples = N,
                        .dt = 0.01,
                        .signals = 2,
                        .signal = column,
                        .segments = segments,
                        .segment = segment};
}

static double mean_of(const darc_periodogram *p, int i)
{
    double sum = 0;
    for (int k = 5; k < p->bins; k++)
        sum += p->s[i * p->bins + k] / (p->bins - 5);
    return sum;
}

/* White noise has the density of its variance everywhere. */
START_TEST(white_noise_has_its_variance)
{
    uint64_t state = 1;
    darc_table table = table_of(whole, 1);
    darc_periodogram p;
    for (int t = 0; t < N; t++) {
        x[0][t] = 1e5 + 3 * draw_normal(&state);
        x[1][t] = 1e5 - x[0][t];
    }
    darc_periodogram_init(&p, &table, (int[]){0, 1, 0}, 3, 3, false);
    ck_assert_int_eq(p.bins, 1025);
    for (int k = 0; k < p.bins; k++) {
        ck_assert_double_eq_tol(p.s[p.bins + k], p.s[k], 1e-9 * p.s[k]);
        ck_assert_double_eq(p.s[2 * p.bins + k], p.s[k]);
    }
    /* known to 1 / sqrt(ordinates) = 2 % */
    ck_assert_double_eq_tol(mean_of(&p, 0), 9, 0.6);
    double low = 0, high = 0;
    for (int k = 0; k < 256; k++) {
        low += p.s[20 + k] / 256;
        high += p.s[p.bins - 1 - k] / 256;
    }
    ck_assert_double_eq_tol(low, 9, 1.5);
    ck_assert_double_eq_tol(high, 9, 1.5);
    darc_periodogram_clear(&p);
    ck_assert_ptr_null(p.s);
}
END_TEST

/* The level of a window far from a line, and the power of the line. */
START_TEST(lines_keep_their_power_and_their_place)
{
    darc_table table = table_of(whole, 1);
    darc_periodogram p;
    for (int t = 0; t < N; t++)
        x[0][t] = 2 * sin(2 * PI * 0.0237 * t) + 0.001 * t;
    darc_periodogram_init(&p, &table, (int[]){0}, 1, 3, false);
    int line = (int)round(0.0237 * 2 * (p.bins - 1));
    ck_assert_double_eq_tol(mean_of(&p, 0), 2, 0.1);
    for (int k = line + 40; k < p.bins; k++)
        ck_assert_double_lt(p.s[k], 1e-12 * p.s[line]);
    darc_periodogram_clear(&p);
}
END_TEST

/* What is said of averages and ordinates, by experiment: the relative
 * variances of one bin and of the mean of all are their inverses. */
START_TEST(freedom_is_that_of_white_noise)
{
    enum { RUNS = 300, LENGTH = 500 };
    darc_segment part[] = {{10, 10 + LENGTH}};
    darc_table table = table_of(part, 1);
    darc_periodogram p = {0};
    double one = 0, all = 0, averages = 0, ordinates = 0;
    uint64_t state = 4;
    for (int i = 0; i < RUNS; i++) {
        for (int t = 0; t < N && t < 10 + LENGTH; t++)
            x[0][t] = draw_normal(&state);
        darc_periodogram_init(&p, &table, (int[]){0}, 1, 3, false);
        one += pow(p.s[50] - 1, 2) / RUNS;
        all += pow(mean_of(&p, 0) - 1, 2) / RUNS;
        averages = p.averages;
        ordinates = p.ordinates;
        darc_periodogram_clear(&p);
    }
    /* four standard errors of a variance from 300 */
    ck_assert_double_eq_tol(one * averages, 1, 0.4);
    ck_assert_double_eq_tol(all * ordinates, 1, 0.33);
    ck_assert_double_lt(ordinates, LENGTH / 2);
}
END_TEST

/* Gaps and what is too short are left out. */
START_TEST(segments_are_not_joined)
{
    uint64_t state = 3;
    darc_segment cut[] = {{0, 2000}, {2001, 2031}, {2100, N}};
    darc_table table = table_of(cut, 3);
    darc_periodogram p;
    for (int t = 0; t < N; t++)
        x[0][t] = (t < 2050 ? 0 : 1e6) + draw_normal(&state);
    x[0][2000] = x[0][2050] = NAN;
    darc_periodogram_init(&p, &table, (int[]){0}, 1, 3, false);
    ck_assert_double_eq_tol(mean_of(&p, 0), 1, 0.1);
    darc_periodogram_clear(&p);
    table = table_of(cut + 1, 1);
    darc_periodogram_init(&p, &table, (int[]){0}, 1, 3, false);
    ck_assert_int_eq(p.bins, 0);
    darc_periodogram_clear(&p);
}
END_TEST

Suite *suite_periodogram(void)
{
    Suite *s = suite_create("periodogram");
    TCase *c = tcase_create("periodogram");
    tcase_add_test(c, white_noise_has_its_variance);
    tcase_add_test(c, lines_keep_their_power_and_their_place);
    tcase_add_test(c, freedom_is_that_of_white_noise);
    tcase_add_test(c, segments_are_not_joined);
    suite_add_tcase(s, c);
    return s;
}
