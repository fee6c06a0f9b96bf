/* Recordings that a sensor spoiled: no change of parameters follows from
 * spikes, drop-outs or an end stop. */
#include "tests.h"

#include "models.h"
#include "weakbench.h"

#include "base/mem.h"

#include <math.h>

static void clip(darc_signal *s, size_t n, double limit)
{
    for (size_t i = 0; i < n; i++)
        s->value[i] = fmax(-limit, fmin(limit, s->value[i]));
}

static void spike(darc_signal *s, size_t n, double size)
{
    for (size_t i = n / 2; i < n / 2 + 10; i++)
        s->value[i] += size;
}

static void drop_out(darc_signal *s, size_t n, double parts)
{
    for (size_t i = 0; i < n; i++)
        if (i % (n / (size_t)parts) < 5)
            s->value[i] = 0;
}

/* A recording of a Duffing oscillator, y and u, 40 s at 250 Hz. */
static darc_table *record_oscillator(weakbench *b)
{
    case_options o = {
        .seconds = 40, .rate = 250, .noise = 0.01, .scale = {1, 1, 1, 1}};
    darc_table *t = case_table(CASE_DUFFING, &o, &b->exact, &b->state);
    t->signal[0].name = darc_strdup("y");
    t->signal[1].name = darc_strdup("u");
    return t;
}

static const char duffing[] =
    "model duffing\nparameters\n    m d k k3\noutputs\n    y\ninputs\n    u\n"
    "equations\n    m*y'' + d*y' + k*y + k3*y^3 = u\n";

/* z and y have RMS 1. */
static const struct {
    void (*spoil)(darc_signal *s, size_t n, double how);
    double how;
} cases[] = {{clip, 2},     {clip, 1.5},   {clip, 1},     {clip, 0.5},
             {spike, 0.3},  {spike, 3},    {spike, 10},   {spike, 30},
             {drop_out, 1}, {drop_out, 3}, {drop_out, 10}};

START_TEST(no_change_follows)
{
    weakbench b;
    darc_weakcheck out;
    weakbench_open(&b, model_quarter, 5);
    darc_table *t[2];
    for (int i = 0; i < 2; i++)
        t[i] = weakbench_record(&b, &weakbench_usual);
    cases[_i].spoil(t[1]->signal + 1, t[1]->samples, cases[_i].how);
    weakbench_pair(&out, &b, (const darc_table *[]){t[0], t[1]}, NULL, 0);
    ck_assert_msg(out.decision.verdict != DARC_INCONSISTENT, "%s",
                  out.decision.reason);
    darc_weakcheck_clear(&out);
    for (int i = 0; i < 2; i++)
        weakbench_release(t[i]);
    weakbench_close(&b);
}
END_TEST

START_TEST(no_change_of_an_oscillator_follows)
{
    weakbench b;
    darc_weakcheck out;
    weakbench_open(&b, duffing, 5);
    darc_table *t[2];
    for (int i = 0; i < 2; i++)
        t[i] = record_oscillator(&b);
    cases[_i].spoil(t[1]->signal, t[1]->samples, cases[_i].how);
    weakbench_pair(&out, &b, (const darc_table *[]){t[0], t[1]}, NULL, 0);
    ck_assert_msg(out.decision.verdict != DARC_INCONSISTENT, "%s",
                  out.decision.reason);
    darc_weakcheck_clear(&out);
    for (int i = 0; i < 2; i++)
        weakbench_release(t[i]);
    weakbench_close(&b);
}
END_TEST

/* Nor does a structure fit that nothing could have refuted. */
START_TEST(nothing_is_consistent_by_noise_made_up)
{
    weakbench b;
    darc_weakcheck out;
    weakbench_open(&b, model_quarter, 5);
    darc_weakcheck_options w = weakbench_tolerance(0.05);
    for (double limit = 0.4; limit < 1.5; limit += 0.2) {
        darc_table *t = weakbench_record(&b, &weakbench_usual);
        clip(t->signal + 1, t->samples, limit);
        weakbench_structure(&out, &b, t, &w);
        ck_assert_msg(out.decision.verdict != DARC_CONSISTENT, "%s",
                      out.decision.reason);
        darc_weakcheck_clear(&out);
        weakbench_release(t);
    }
    weakbench_close(&b);
}
END_TEST

Suite *suite_disturbed(void)
{
    Suite *s = suite_create("disturbed");
    TCase *c = tcase_create("disturbed");
    tcase_add_loop_test(c, no_change_follows, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_loop_test(c, no_change_of_an_oscillator_follows, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(c, nothing_is_consistent_by_noise_made_up);
    suite_add_tcase(s, c);
    return s;
}
