#define LLVMFuzzerTestOneInput fuzz_functions
#include "fuzz/fuzz_functions.c"

#include "files.h"
#include "tests.h"

START_TEST(seeds_are_taken)
{
    ck_assert_int_ge(test_replay("tests/fuzz/functions", fuzz_functions), 100);
}
END_TEST

Suite *suite_functions_seeds(void)
{
    Suite *s = suite_create("functions_seeds");
    TCase *c = tcase_create("functions_seeds");
    tcase_add_test(c, seeds_are_taken);
    suite_add_tcase(s, c);
    return s;
}
