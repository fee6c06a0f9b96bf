/* What reports say of the noise of a signal. */
#include "tests.h"

#include "draw.h"
#include "fit/found.h"
#include "models.h"
#include "weakbench.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* The quarter car with more noise of this share on a signal: red, or a line at
 * 40 Hz. */
static darc_table *record(weakbench *b, int signal, double red, double line)
{
    uint64_t state = 9;
    darc_table *t = weakbench_record(b, &weakbench_usual);
    double *y = t->signal[signal].value, rms = 0, e = 0, pole = 0.9;
    for (size_t i = 0; i < t->samples; i++)
        rms += y[i] * y[i] / (double)t->samples;
    rms = sqrt(rms);
    for (size_t i = 0; i < t->samples; i++) {
        e = pole * e + draw_normal(&state);
        y[i] += rms * red * sqrt(1 - pole * pole) * e +
                rms * line * sqrt(2) * sin(2 * PI * 40 * t->dt * (double)i);
    }
    return t;
}

static const darc_noise_found *of(const darc_judgement *j, const char *signal)
{
    int k = 0;
    while (k < j->noises - 1 && strcmp(j->noise[k].signal, signal) != 0)
        k++;
    ck_assert_str_eq(j->noise[k].signal, signal);
    return j->noise + k;
}

/* An autoregression is, at low frequencies, white noise of its RMS times
 * sqrt((1 + pole) / (1 - pole)).  Most of the noise of the equation is that of
 * z. */
START_TEST(noise_is_told_as_it_is)
{
    for (int i = 0; i < 3; i++) {
        weakbench b;
        darc_judgement j;
        weakbench_open(&b, model_quarter, 3);
        darc_table *t =
            record(&b, i == 1, i == 1 ? 0.01 : 0, i == 2 ? 0.03 : 0);
        weakbench_structure(&j, &b, t);
        const darc_noise_found *a = of(&j, "a"), *z = of(&j, "z");
        ck_assert_double_eq_tol(a->level, 0.01, 0.002);
        ck_assert_double_eq_tol(z->level, 0.01, 0.002);
        ck_assert(!a->heavy && !a->grows && !z->grows);
        ck_assert_int_eq(z->lines, 0);
        ck_assert_int_eq(a->lines, i == 2);
        if (i == 2) {
            ck_assert_double_eq_tol(a->line->hz, 40, 0.1);
            ck_assert_double_eq_tol(a->line->level, 0.03, 0.003);
        }
        ck_assert_int_eq(a->points, 0);
        ck_assert_int_gt(z->points, 3);
        double size = i == 1 ? hypot(0.01, 0.01 * sqrt(1.9 / 0.1)) : 0.01;
        for (int k = 2; k < z->points; k++) {
            ck_assert_double_gt(z->spectrum[k].level, 0.5 * size);
            ck_assert_double_lt(z->spectrum[k].level, 1.5 * size);
        }
        darc_judgement_clear(&j);
        weakbench_release(t);
        weakbench_close(&b);
    }
}
END_TEST

/* In words, where it is redder than its upper end. */
START_TEST(words_say_where_it_is_red)
{
    darc_signalnoise n = {.colour = DARC_COLOUR_WHITE, .sd = 0.02};
    darc_noise_found found = {
        .signal = "y",
        .level = 0.01,
        .heavy = true,
        .points = 4,
        .spectrum = {{8, 0.01}, {4, 0.02}, {2, 0.01}, {1, 0.03}}};
    darc_text_t t = DARC_TEXT;
    darc_found_say(t, &found, &n);
    ck_assert_str_eq(t->s, "noise of y: white, sd 0.02 (1 %), as white noise "
                           "of 3 % below 1.41 Hz, heavy tails");
    darc_text_clear(t);
}
END_TEST

Suite *suite_found(void)
{
    Suite *s = suite_create("found");
    TCase *c = tcase_create("found");
    tcase_add_test(c, noise_is_told_as_it_is);
    tcase_add_test(c, words_say_where_it_is_red);
    suite_add_tcase(s, c);
    return s;
}
