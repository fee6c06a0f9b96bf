/* tests.h - the suites: one per tests/ROOM/test_NAME.c, listed by make. */
#ifndef DARC_TESTS_H
#define DARC_TESTS_H

#include <check.h>

#include "suites.inc" /* #define DARC_SUITES(X) X(room, name) ... */

#define DARC_SUITE_DECLARE(room, name) Suite *suite_##name(void);
DARC_SUITES(DARC_SUITE_DECLARE)
#undef DARC_SUITE_DECLARE

#endif
