#define LLVMFuzzerTestOneInput fuzz_pages
#include "fuzz/fuzz_pages.c"

#include "files.h"
#include "tests.h"

START_TEST(seeds_are_taken)
{
    ck_assert_int_ge(test_replay("tests/fuzz/pages", fuzz_pages), 100);
}
END_TEST

Suite *suite_pages_seeds(void)
{
    Suite *s = suite_create("pages_seeds");
    TCase *c = tcase_create("pages_seeds");
    tcase_add_test(c, seeds_are_taken);
    suite_add_tcase(s, c);
    return s;
}
