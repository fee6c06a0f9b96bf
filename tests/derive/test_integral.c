#include "tests.h"

#include "base/random.h"
#include "derivation.h"
#include "derive/elementary.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 9000 }; /* some states are kept on the way */

/* Integrals are exact on lines; behind a gap it begins anew. */
START_TEST(integrals_of_lines)
{
    derivation d;
    darc_table *t = derivation_table(SAMPLES, 0.25);
    for (size_t i = 0; i < SAMPLES; i++) {
        t->signal[0].value[i] = 0.5 * (double)i - 3;
        t->signal[1].value[i] = i == 300 ? -1 : 2;
    }
    derivation_gap(t, 100);
    derivation_make(&d, t, " v = int(y) + int(sqrt(u))^2", NULL);
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t begin = i < 100 ? 0 : i < 300 ? 101 : 301;
        ck_assert(isnan(d.value[i]) == (i == 100 || i == 300));
        if (i == 100 || i == 300)
            continue;
        /* the integral of y goes on where sqrt(u) alone has no value */
        double s = 0.25 * (double)(i - begin);
        double from = 0.25 * (double)(i < 100 ? 0 : 101);
        double at = 0.25 * (double)i;
        double line = at * at - from * from - 3 * (at - from);
        ck_assert_double_eq_tol(d.value[i], line + 2 * s * s,
                                1e-12 * (1 + fabs(line)));
    }
    ck_assert_uint_eq(d.of->missing, 1);
    ck_assert_int_eq(d.of->influences, 0);
    ck_assert(d.of->correlation == SAMPLES - 101);
    derivation_clear(&d);
}
END_TEST

START_TEST(integrals_on_uneven_times)
{
    derivation d;
    darc_table *t = derivation_table(SAMPLES, 0);
    t->time = malloc(SAMPLES * sizeof *t->time);
    for (size_t i = 0; i < SAMPLES; i++) {
        t->time[i] = 0.1 * (double)i + (i % 3 == 0 ? 0.04 : 0);
        t->signal[0].value[i] = 2 * t->time[i];
    }
    derivation_make(&d, t, " v = int(y)", NULL);
    for (size_t i = 0; i < SAMPLES; i++)
        ck_assert_double_eq_tol(d.value[i], pow(t->time[i], 2) - pow(0.04, 2),
                                1e-12 * (1 + pow(t->time[i], 2)));
    derivation_clear(&d);
}
END_TEST

/* Twenty samples a period: trapezoids would be off by .8 %, and are as long as
 * there are no four samples. */
START_TEST(integrals_of_smooth_signals)
{
    derivation d;
    double step = 0.1, w = 2 * 3.14159265358979323846 / (20 * step);
    darc_table *t = derivation_table(2000, step);
    for (size_t i = 0; i < 2000; i++)
        t->signal[0].value[i] = w * cos(w * step * (double)i);
    derivation_make(&d, t, " v = int(y)", NULL);
    double begin = d.value[3] - sin(w * step * 3);
    for (size_t i = 3; i < 2000; i++)
        ck_assert_double_eq_tol(d.value[i] - begin, sin(w * step * (double)i),
                                6e-4);
    ck_assert_double_lt(fabs(begin), 6e-3);
    derivation_clear(&d);
}
END_TEST

/* The error of an integral of noise grows with the root of time; that of an
 * integrated derivative takes its correlation into account. */
START_TEST(errors_of_integrals)
{
    enum { RUNS = 60 };
    double errors = 0, claimed = 0;
    for (unsigned k = 0; k < RUNS; k++) {
        derivation d;
        darc_random r;
        darc_table *t = derivation_table(SAMPLES, 0.01);
        darc_random_init(&r, k, 0);
        for (size_t i = 0; i < SAMPLES; i++)
            t->signal[0].value[i] = 0.1 * darc_random_normal(&r);
        derivation_make(&d, t, " v = 3*int(2*y)", NULL);
        size_t last = SAMPLES - 1;
        ck_assert_double_eq_tol(d.of->sd[last] / d.of->sd[last / 4], 2, 1e-3);
        errors += pow(d.value[last], 2);
        claimed += pow(d.of->sd[last], 2);
        derivation_clear(&d);
    }
    /* chi-square of 60: .66 .. 1.42 with probability .99 */
    ck_assert_double_gt(errors / claimed, 0.6);
    ck_assert_double_lt(errors / claimed, 1.5);
}
END_TEST

/* The state before a sample is all that there is to know. */
START_TEST(integrals_are_taken_up_anywhere)
{
    darc_table *t = derivation_table(200, 0.1);
    double x[200], all[200], sd[200], part[200];
    const darc_strip variance = {.constant = 0.04};
    darc_random r;
    darc_random_init(&r, 3, 0);
    for (size_t i = 0; i < 200; i++)
        x[i] = i == 70 ? NAN : darc_random_normal(&r);
    darc_integral_state s = {.runs = 0}, end;
    darc_integral_run(&s, all, sd, &(darc_stretch){x, {0, 200}}, &variance, t);
    end = s;
    for (size_t cut = 1; cut < 200; cut += 23) {
        s = (darc_integral_state){.runs = 0};
        darc_integral_run(&s, part, NULL, &(darc_stretch){x, {0, cut}},
                          &variance, t);
        darc_integral_run(&s, part + cut, NULL,
                          &(darc_stretch){x + cut, {cut, 200}}, &variance, t);
        for (size_t i = 0; i < 200; i++)
            ck_assert(part[i] == all[i] || (i == 70 && isnan(part[i])));
        ck_assert(s.variance == end.variance);
    }
    ck_assert(all[0] == 0 && all[71] == 0);
    ck_assert_double_eq_tol(sd[80], 0.02 * sqrt(9), 1e-12);
    darc_table_free(t);
}
END_TEST

Suite *suite_integral(void)
{
    Suite *s = suite_create("integral");
    TCase *c = tcase_create("integral");
    tcase_add_test(c, integrals_of_lines);
    tcase_add_test(c, integrals_on_uneven_times);
    tcase_add_test(c, integrals_of_smooth_signals);
    tcase_add_test(c, errors_of_integrals);
    tcase_add_test(c, integrals_are_taken_up_anywhere);
    suite_add_tcase(s, c);
    return s;
}
