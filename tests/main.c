/* Runs all suites, or those of the names or rooms on the command line. */
#include "tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *room, *name;
    Suite *(*make)(void);
} suites[] = {
#define ROW(room, name) {#room, #name, suite_##name},
    DARC_SUITES(ROW)
#undef ROW
};

static int wanted(size_t suite, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], suites[suite].name) == 0 ||
            strcmp(argv[i], suites[suite].room) == 0)
            return 1;
    return argc <= 1;
}

int main(int argc, char **argv)
{
    /* Against tests that hang, not against slow machines. */
    setenv("CK_DEFAULT_TIMEOUT", "600", 0);
    SRunner *runner = srunner_create(NULL);
    int added = 0;
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        if (wanted(i, argc, argv)) {
            srunner_add_suite(runner, suites[i].make());
            added++;
        }
    if (added == 0) {
        fprintf(stderr, "no such suite or room: %s\n", argv[1]);
        return EXIT_FAILURE;
    }
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
