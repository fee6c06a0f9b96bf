#include "tests.h"

#include "draw.h"
#include "noise/lattice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 2000 };

static double y[N];

START_TEST(steps_of_a_lattice_are_found)
{
    uint64_t state = 4;
    for (int i = 0; i < N; i++)
        y[i] = 0.2385 + 0.0125 * round(20 * draw_normal(&state));
    ck_assert_double_eq_tol(darc_lattice_step(y, N), 0.0125, 1e-9);
    ck_assert_double_eq_tol(darc_lattice_step(y, 50), 0.0125, 1e-9);
    for (int i = 0; i < N; i++)
        y[i] = draw_normal(&state);
    ck_assert_double_eq(darc_lattice_step(y, N), 0);
    ck_assert_double_eq(darc_lattice_step(y, 1), 0);
    for (int i = 0; i < N; i++)
        y[i] = i % 2;
    ck_assert_double_eq(darc_lattice_step(y, N),
                        0); /* two values: no lattice */
}
END_TEST

/* A step of 2^-13 printed with six decimals is 122 or 123 of them. */
START_TEST(printed_steps_are_found)
{
    uint64_t state = 5;
    for (int i = 0; i < N; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.6f",
                 ldexp(round(3000 * draw_normal(&state)), -13));
        y[i] = atof(text);
    }
    ck_assert_double_eq_tol(darc_lattice_step(y, N), ldexp(1, -13), 1e-8);
}
END_TEST

/* Ask of n samples with a gap in the middle. */
static bool is_held_as(size_t n, darc_stairs kind)
{
    size_t half = n > 2 ? n / 2 : n;
    darc_segment part[] = {{0, half}, {half + 1, n}};
    darc_table table = {
        .samples = n, .segments = n > 2 ? 2 : 1, .segment = part};
    if (n > 2)
        y[half] = NAN;
    return darc_lattice_is_held(y, &table, darc_lattice_step(y, half), kind);
}

static bool is_held(size_t n)
{
    return is_held_as(n, DARC_STAIRS);
}

START_TEST(staircases_are_held)
{
    uint64_t state = 6;
    for (int i = 0; i < N; i++)
        y[i] = i % 20 > 0 ? y[i - 1] : draw_normal(&state); /* any level */
    ck_assert(is_held(N));
    for (int i = 0; i < N; i++)
        y[i] = i % 20 > 0 ? y[i - 1] : round(10 * draw_normal(&state));
    ck_assert(is_held(N));
    for (int i = 0; i < N; i++)
        y[i] = i / 5 * 7 % 11 < 4 ? 12 : 0; /* on and off */
    ck_assert(is_held(N));
    for (int i = 0; i < N; i++)
        y[i] = 230;
    ck_assert(is_held(N));
    ck_assert(is_held(1));
}
END_TEST

/* Levels that change at any sample are often short; those of two samples are
 * held where that is said, and noise is not. */
START_TEST(levels_may_be_short)
{
    uint64_t state = 6;
    for (int i = 0; i < N; i++)
        y[i] = i > 0 && draw_uniform(&state) > 1 / 8.0 ? y[i - 1]
                                                       : draw_normal(&state);
    ck_assert(is_held(N));
    for (int i = 0; i < N; i++)
        y[i] = i > 0 && draw_uniform(&state) > 1 / 2.5 ? y[i - 1]
                                                       : draw_normal(&state);
    ck_assert(!is_held(N));
    ck_assert(is_held_as(N, DARC_STAIRS_SHORT));
    ck_assert(is_held_as(N, DARC_STAIRS_SAID));
    for (int i = 0; i < N; i++)
        y[i] = draw_normal(&state);
    ck_assert(!is_held_as(N, DARC_STAIRS_SHORT));
    ck_assert(!is_held_as(N, DARC_STAIRS_SAID));
}
END_TEST

/* Blows of two samples rest nowhere between changes, though they are rare; a
 * pulse that is longer does. */
START_TEST(blows_are_no_short_levels)
{
    for (int i = 0; i < N; i++)
        y[i] = i % 40 == 7 ? 1 + 0.01 * i : i % 40 == 8 ? 3 - 0.02 * i : 0;
    ck_assert(!is_held_as(N, DARC_STAIRS_SHORT));
    ck_assert(is_held_as(N, DARC_STAIRS_SAID));
    for (int i = 0; i < N; i++)
        y[i] = i % 40 == 7 || i % 40 == 8 ? 1 + (i + 1) / 40 * 0.4 : 0;
    ck_assert(is_held_as(N, DARC_STAIRS_SHORT));
}
END_TEST

/* Steps to the next level may be those of rounding; what is said to be held has
 * any. */
START_TEST(small_steps_are_told_apart)
{
    for (int i = 0; i < N; i++)
        y[i] = fabs(i / 20 % 20 - 10.0); /* up and down ten steps */
    ck_assert(!is_held(N));
    ck_assert(!is_held_as(N, DARC_STAIRS_SHORT));
    ck_assert(is_held_as(N, DARC_STAIRS_SMALL));
    ck_assert(is_held_as(N, DARC_STAIRS_SAID));
    for (int i = 0; i < N; i++)
        y[i] = fabs(i / 3 % 20 - 10.0);
    ck_assert(!is_held_as(N, DARC_STAIRS_SMALL));
    ck_assert(is_held_as(N, DARC_STAIRS_SAID));
}
END_TEST

START_TEST(what_was_rounded_is_not_held)
{
    uint64_t state = 7;
    for (int i = 0; i < N; i++)
        y[i] = round(20 * sin(0.01 * i)); /* stays for 5 samples and more */
    ck_assert(!is_held(N));
    for (int i = 0; i < N; i++)
        y[i] = round(0.4 * draw_normal(&state)); /* noise on three levels */
    ck_assert(!is_held(N));
    for (int i = 0; i < N; i++) /* a slower clock */
        y[i] = i % 10 > 0 ? y[i - 1] : sin(0.002 * i);
    ck_assert(!is_held(N));
    for (int i = 0; i < N; i++)
        y[i] = (i / 20 * 7 % 11 < 4) + 1e-3 * draw_normal(&state);
    ck_assert(!is_held(N));
}
END_TEST

Suite *suite_lattice(void)
{
    Suite *s = suite_create("lattice");
    TCase *c = tcase_create("lattice");
    tcase_add_test(c, steps_of_a_lattice_are_found);
    tcase_add_test(c, printed_steps_are_found);
    tcase_add_test(c, staircases_are_held);
    tcase_add_test(c, levels_may_be_short);
    tcase_add_test(c, blows_are_no_short_levels);
    tcase_add_test(c, small_steps_are_told_apart);
    tcase_add_test(c, what_was_rounded_is_not_held);
    suite_add_tcase(s, c);
    return s;
}
