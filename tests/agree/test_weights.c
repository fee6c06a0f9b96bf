#include "files.h"
#include "tests.h"

#include "agree/runs.h"

#include "data/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const name[] = {"C_y", "C_t", "C_p", "C_e"};
static darc_err err;

static void setup(void)
{
    darc_err_init(&err);
}

/* Three columns of four runs with correlations 0, 1/2 .. by hand:
 * x = -1 -1 1 1, y = -1 1 -1 1 (r_xy = 0), v = x + y (r = 1/sqrt 2 with
 * each): R_x = R_y = 1/4, R_v = 1/2, a = 2 2 1, w = .4 .4 .2. */
START_TEST(by_hand)
{
    static const double z[4][3] = {
        {0.4, 0.7, 0.3}, {0.4, 0.9, 0.5}, {0.6, 0.7, 0.5}, {0.6, 0.9, 0.7}};
    darc_weights w;
    ck_assert_int_eq(
        darc_weights_init(&w, &(darc_scores){z[0], 4, 3, name}, &err), DARC_OK);
    ck_assert_double_eq_tol(w.weight[0], 0.4, 1e-14);
    ck_assert_double_eq_tol(w.weight[1], 0.4, 1e-14);
    ck_assert_double_eq_tol(w.weight[2], 0.2, 1e-14);
    ck_assert_double_eq_tol(w.mean[1], 0.8, 1e-15);
    ck_assert_double_eq_tol(w.consistency, 0.2 + 0.32 + 0.1, 1e-14);
    ck_assert(!w.equal);
    darc_weights_clear(&w);
}
END_TEST

START_TEST(no_correlation_to_be_had)
{
    static const double one[] = {0.5, 0.7};
    static const double constant[4][2] = {
        {0.5, 0.7}, {0.6, 0.7}, {0.7, 0.7}, {0.7, 0.7}};
    darc_weights w;
    ck_assert_int_eq(
        darc_weights_init(&w, &(darc_scores){one, 1, 2, name}, &err), DARC_OK);
    ck_assert(w.equal && w.weight[0] == 0.5);
    ck_assert_double_eq_tol(w.consistency, 0.6, 1e-15);
    ck_assert_str_eq(w.note, "equal weights: 1 run, at least 3 are needed for "
                             "correlations");
    darc_weights_clear(&w);
    ck_assert_int_eq(
        darc_weights_init(&w, &(darc_scores){constant[0], 4, 2, name}, &err),
        DARC_OK);
    ck_assert(w.equal);
    ck_assert_str_eq(w.note, "equal weights: 'C_t' is the same in every run");
    darc_weights_clear(&w);
    ck_assert_int_eq(
        darc_weights_init(&w, &(darc_scores){one, 2, 1, name}, &err), DARC_OK);
    ck_assert(!w.equal && w.weight[0] == 1);
    darc_weights_clear(&w);
}
END_TEST

START_TEST(refusals)
{
    static const double bad[] = {0.5, NAN};
    static const double apart[4][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    darc_weights w;
    ck_assert_int_eq(
        darc_weights_init(&w, &(darc_scores){bad, 1, 2, name}, &err),
        DARC_DATA);
    ck_assert_str_eq(err.message,
                     "run 1: the consistency of 'C_t' is not a number");
    setup();
    ck_assert_int_eq(
        darc_weights_init(&w, &(darc_scores){apart[0], 4, 2, name}, &err),
        DARC_DOMAIN);
    ck_assert_str_eq(err.message, "'C_y' is not correlated with any other "
                                  "output: its weight would be infinite");
    ck_assert_ptr_null(w.weight);
}
END_TEST

/* Table I of [YLLJ14]; the weights are those of its own formulas. */
START_TEST(published_table)
{
    darc_load_options o;
    darc_table *t;
    darc_load_options_init(&o);
    o.rate = 1;
    o.wanted = 4;
    o.want = name;
    ck_assert_int_eq(darc_table_load(&t, "systems/servo/table.csv", &o, &err),
                     DARC_OK);
    ck_assert_uint_eq(t->samples, 30);
    double z[30][4];
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < 4; i++)
            z[k][i] = t->signal[i].value[k];
    darc_weights w;
    ck_assert_int_eq(
        darc_weights_init(&w, &(darc_scores){z[0], 30, 4, name}, &err),
        DARC_OK);
    static const double weight[] = {.32978, .18567, .18587, .29867};
    static const double mean[] = {.8470, .9186, .8493, .8319};
    for (int i = 0; i < 4; i++) {
        ck_assert_double_eq_tol(w.weight[i], weight[i], 5e-6);
        ck_assert_double_eq_tol(w.mean[i], mean[i], 5e-5);
    }
    ck_assert_double_eq_tol(w.consistency, .85623, 5e-6);
    darc_weights_clear(&w);
    darc_table_free(t);
}
END_TEST

Suite *suite_weights(void)
{
    Suite *s = suite_create("weights");
    TCase *c = tcase_create("weights");
    tcase_add_checked_fixture(c, setup, NULL);
    tcase_add_test(c, by_hand);
    tcase_add_test(c, no_correlation_to_be_had);
    tcase_add_test(c, refusals);
    tcase_add_test(c, published_table);
    suite_add_tcase(s, c);
    return s;
}
