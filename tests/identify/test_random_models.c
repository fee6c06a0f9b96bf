/* Random models: what elimination and identification say of them holds on
 * series of solutions, and no model at the edge of what there is ends the
 * program.  `make bench BENCH=models` tries 500. */
#include "random_edge.h"
#include "random_model.h"
#include "tests.h"

#define MODELS 60

START_TEST(what_is_said_of_them_holds)
{
    int looked = 0;
    for (int seed = 1; seed <= MODELS; seed++) {
        random_model_answer a;
        random_model_check(&a, seed);
        ck_assert_msg(a.fault[0] == '\0', "model %d: %s", seed, a.fault);
        looked += a.looked;
    }
    ck_assert_int_gt(2 * looked, MODELS);
}
END_TEST

/* Of these a few commands each. */
START_TEST(nothing_at_the_edge_ends_the_program)
{
    for (int seed = 1; seed <= MODELS; seed++) {
        char fault[RANDOM_EDGE_TEXT];
        random_edge_check(fault, seed, 3 * seed, 3);
        ck_assert_msg(fault[0] == '\0', "model %d: %s", seed, fault);
    }
}
END_TEST

Suite *suite_random_models(void)
{
    Suite *s = suite_create("random_models");
    TCase *c = tcase_create("random_models");
    tcase_add_test(c, what_is_said_of_them_holds);
    tcase_add_test(c, nothing_at_the_edge_ends_the_program);
    suite_add_tcase(s, c);
    return s;
}
