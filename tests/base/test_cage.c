/* What a process in the cage can do, and what not. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "tests.h"

#include "base/cage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static bool opens(void)
{
    return open("/etc/passwd", O_RDONLY) >= 0;
}

static bool writes(void)
{
    return open("/tmp/darc-cage", O_WRONLY | O_CREAT, 0600) >= 0;
}

static bool forks(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child > 0;
}

static bool executes(void)
{
    execl("/bin/true", "true", (char *)NULL);
    return false;
}

static bool connects(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool maps_programs(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0) != MAP_FAILED;
}

static bool takes_memory(void)
{
    return malloc(200 << 20) != NULL;
}

static bool (*const forbidden[])(void) = {
    opens, writes, forks, executes, connects, maps_programs, takes_memory};

START_TEST(what_is_forbidden_fails)
{
    pid_t child = fork();
    if (child == 0) {
        static const darc_cage cage = {3, 100 << 20, 10, 0};
        char *before = malloc(1 << 20);
        if (!darc_cage_enter(&cage))
            _exit(2);
        char *after = malloc(1 << 20);
        if (before == NULL || after == NULL)
            _exit(3);
        _exit(forbidden[_i]());
    }
    int state;
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert_msg(WIFEXITED(state) && WEXITSTATUS(state) == 0, "%d", state);
}
END_TEST

Suite *suite_cage(void)
{
    Suite *s = suite_create("cage");
    TCase *c = tcase_create("cage");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    tcase_add_loop_test(c, what_is_forbidden_fails, 0,
                        sizeof forbidden / sizeof forbidden[0]);
#else
    (void)what_is_forbidden_fails;
#endif
    suite_add_tcase(s, c);
    return s;
}
