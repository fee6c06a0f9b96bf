/* Verdicts on what recordings say of each other. */
#include "tests.h"

#include "base/random.h"
#include "models.h"
#include "simulation.h"
#include "trajectory/verdict.h"

#include <stdio.h>
#include <string.h>

#define DECAY(more)                                                            \
    "parameters\n    k" more "\nstates\n    x\noutputs\n    y\nequations\n"
static const char decay[] = DECAY("") "    x' = -k*x\n    y = x\n";
static const char squared[] = DECAY(" e") "    x' = -k*x - e*x^2\n    y = x\n";

enum { MANY = 4 };

/* Set d to whether decays from 1, 2, 4 and 8 have one rate: param[i] of text.
 */
static void ask_equal(darc_decision *d, const char *text,
                      const char *const *param)
{
    darc_model *model = model_of(decay);
    darc_table *table[MANY];
    darc_trajectory x;
    darc_comparing c;
    darc_forcing f = {.equations = 0};
    darc_random r;
    char init[32];
    darc_random_init(&r, 5, 0);
    for (int i = 0; i < MANY; i++) {
        snprintf(init, sizeof init, "x=%d", 1 << i);
        table[i] = simulation_make(&(simulation){.model = text,
                                                 .input = "",
                                                 .param = param[i],
                                                 .init = init,
                                                 .t_end = 1,
                                                 .rate = 15,
                                                 .rtol = 1e-10});
        for (size_t k = 0; k < table[i]->samples; k++)
            table[i]->signal[0].value[k] += .03 * darc_random_normal(&r);
    }
    darc_trajectory_question q = {.model = model,
                                  .recordings = MANY,
                                  .table = (const darc_table *const *)table,
                                  .alpha = .01,
                                  .seed = 1};
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    ck_assert_int_eq(darc_verdict_gather(&c, &f, &x, NULL, NULL), DARC_OK);
    darc_verdict_compare(d, &c, &f, &x, NULL);
    darc_comparing_clear(&c);
    darc_forcing_clear(&f);
    darc_trajectory_clear(&x);
    for (int i = 0; i < MANY; i++)
        darc_table_free(table[i]);
    darc_model_free(model);
}

/* Each curve is that of some rate, for it is short; the rate seems to go with
 * where it begins.  So it does where all lack a term; a rate that differs
 * otherwise differs. */
START_TEST(a_term_that_all_lack_is_no_difference)
{
    darc_decision d;
    ask_equal(&d, squared,
              (const char *const[]){"k=.5 e=.05", "k=.5 e=.05", "k=.5 e=.05",
                                    "k=.5 e=.05"});
    ck_assert_int_eq(d.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(d.reason, "x^2 in x' explains as much"));
    ask_equal(&d, decay, (const char *const[]){"k=.5", "k=.8", "k=.5", "k=.5"});
    ck_assert_int_eq(d.verdict, DARC_INCONSISTENT);
}
END_TEST

Suite *suite_verdict(void)
{
    Suite *s = suite_create("verdict");
    TCase *tc = tcase_create("verdict");
    tcase_add_test(tc, a_term_that_all_lack_is_no_difference);
    suite_add_tcase(s, tc);
    return s;
}
