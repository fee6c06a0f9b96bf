#define LLVMFuzzerTestOneInput fuzz_functions
#include "fuzz/fuzz_functions.c"

#include "files.h"
#include "tests.h"

static void replay(const char *path, const char *name)
{
    (void)name;
    darc_text_t bytes = DARC_TEXT;
    test_read_file(bytes, path);
    uint8_t *exact = malloc(bytes->len + 1); /* sanitizers see the end */
    memcpy(exact, bytes->s, bytes->len);
    fuzz_functions(exact, bytes->len);
    free(exact);
    darc_text_clear(bytes);
}

START_TEST(seeds_are_taken)
{
    ck_assert_int_ge(test_walk("tests/fuzz/functions", "", replay), 100);
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
