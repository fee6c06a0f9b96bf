#define LLVMFuzzerTestOneInput fuzz_pages
#include "fuzz/fuzz_pages.c"

#include "files.h"
#include "tests.h"

static void replay(const char *path, const char *name)
{
    (void)name;
    darc_text_t bytes = DARC_TEXT;
    test_read_file(bytes, path);
    uint8_t *exact = malloc(bytes->len + 1); /* sanitizers see the end */
    memcpy(exact, bytes->s, bytes->len);
    fuzz_pages(exact, bytes->len);
    free(exact);
    darc_text_clear(bytes);
}

START_TEST(seeds_are_taken)
{
    ck_assert_int_ge(test_walk("tests/fuzz/pages", "", replay), 100);
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
