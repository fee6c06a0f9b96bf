#define LLVMFuzzerTestOneInput fuzz_database
#include "fuzz/fuzz_database.c"

#include "files.h"
#include "tests.h"

START_TEST(seeds_are_taken)
{
    ck_assert_int_ge(test_replay("tests/fuzz/database", fuzz_database), 100);
}
END_TEST

Suite *suite_database_seeds(void)
{
    Suite *s = suite_create("database_seeds");
    TCase *c = tcase_create("database_seeds");
    tcase_add_test(c, seeds_are_taken);
    suite_add_tcase(s, c);
    return s;
}
