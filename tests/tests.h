/* tests.h - the list of suites: one line per tests/test_NAME.c, sorted. */
#ifndef DARC_TESTS_H
#define DARC_TESTS_H

#include <check.h>

#define DARC_SUITES(X)                                                         \
    X(budget)                                                                  \
    X(code)                                                                    \
    X(differ)                                                                  \
    X(coeffrel)                                                                \
    X(elim)                                                                    \
    X(ioeq)                                                                    \
    X(csv)                                                                     \
    X(json)                                                                    \
    X(model)                                                                   \
    X(program)                                                                 \
    X(stats)                                                                   \
    X(solved)                                                                  \
    X(number)                                                                  \
    X(program)                                                                 \
    X(stats)                                                                   \
    X(status)                                                                  \
    X(text)                                                                    \
    X(total)

#define DARC_SUITE_DECLARE(name) Suite *suite_##name(void);
DARC_SUITES(DARC_SUITE_DECLARE)
#undef DARC_SUITE_DECLARE

#endif
