#include "tests.h"

#include "golden.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Print the first line in which the texts differ. */
static void show_difference(const char *file, const char *expected,
                            const char *found)
{
    size_t line = 1, begin = 0, i = 0;
    for (; expected[i] == found[i] && expected[i] != '\0'; i++)
        if (expected[i] == '\n') {
            line++;
            begin = i + 1;
        }
    printf("%s:%zu:\n- %.*s\n+ %.*s\n", file, line,
           (int)strcspn(expected + begin, "\n"), expected + begin,
           (int)strcspn(found + begin, "\n"), found + begin);
    fflush(stdout);
}

/* chain.txt of a system is what darc computes now, under every ranking that
 * it names. */
static int compare(const char *name)
{
    char file[256], model[256];
    snprintf(file, sizeof file, "systems/%s/chain.txt", name);
    snprintf(model, sizeof model, "systems/%s/model.darc", name);
    char *expected = golden_read(file);
    if (expected == NULL)
        return 0;
    darc_text_t found;
    darc_text_init(found);
    golden_recompute(found, model, expected);
    int equal = strcmp(expected, found->s) == 0;
    if (!equal)
        show_difference(file, expected, found->s);
    ck_assert_msg(equal, "%s differs", file);
    darc_text_clear(found);
    free(expected);
    return 1;
}

START_TEST(chains_are_as_expected)
{
    DIR *dir = opendir("systems");
    ck_assert_ptr_nonnull(dir);
    int compared = 0;
    for (struct dirent *e; (e = readdir(dir)) != NULL;)
        if (e->d_name[0] != '.')
            compared += compare(e->d_name);
    closedir(dir);
    ck_assert_int_ge(compared, 10);
}
END_TEST

Suite *suite_golden(void)
{
    Suite *s = suite_create("golden");
    TCase *c = tcase_create("golden");
    tcase_add_test(c, chains_are_as_expected);
    suite_add_tcase(s, c);
    return s;
}
