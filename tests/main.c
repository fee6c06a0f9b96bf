/* Runs all suites, or those of the names or rooms on the command line; after
 * a minus, all others.  --list, before them: prints their names instead. */
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

static int is_of(size_t suite, const char *name)
{
    return strcmp(name, suites[suite].name) == 0 ||
           strcmp(name, suites[suite].room) == 0;
}

/* Return whether names, a NULL behind them, ask for the suite. */
static int is_wanted(size_t suite, char **names)
{
    int named = 0, others = 1;
    for (; *names != NULL; names++) {
        if (**names == '-' && is_of(suite, *names + 1))
            return 0;
        others = others && **names == '-';
        named = named || is_of(suite, *names);
    }
    return named || others;
}

int main(int argc, char **argv)
{
    /* Against tests that hang, not against slow machines. */
    setenv("CK_DEFAULT_TIMEOUT", "600", 0);
    int list = argc > 1 && strcmp(argv[1], "--list") == 0, found = 0;
    SRunner *runner = srunner_create(NULL);
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        if (is_wanted(i, argv + 1 + list)) {
            found++;
            if (list)
                puts(suites[i].name);
            else
                srunner_add_suite(runner, suites[i].make());
        }
    if (found == 0)
        fprintf(stderr, "no such suite or room: %s\n", argv[argc - 1]);
    else if (!list)
        srunner_run_all(runner, CK_NORMAL);
    int failed = found == 0 || srunner_ntests_failed(runner) > 0;
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
