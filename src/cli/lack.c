#include "cli/lack.h"

#include "base/flint.h"
#include "base/mem.h"
#include "cli/arguments.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void on_lack(size_t size)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_DATA, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
        fprintf(stderr,
                "darc: the memory limit of %llu MB is spent (--memory)\n",
                (unsigned long long)(r.rlim_cur >> 20));
    else
        fprintf(stderr, "darc: out of memory (%zu bytes wanted)\n", size);
    _exit(DARC_EXIT_LIMIT);
}

static void *checked(void *p, size_t size)
{
    if (p == NULL)
        on_lack(size);
    return p;
}

/* What FLINT and GMP call. */

static void *take(size_t size)
{
    return checked(malloc(size > 0 ? size : 1), size);
}

static void *take_zeroed(size_t count, size_t size)
{
    return checked(calloc(count > 0 ? count : 1, size > 0 ? size : 1), size);
}

static void *resize(void *p, size_t size)
{
    return checked(realloc(p, size > 0 ? size : 1), size);
}

static void *resize_from(void *p, size_t old, size_t size)
{
    (void)old;
    return resize(p, size);
}

static void give_back(void *p, size_t size)
{
    (void)size;
    free(p);
}

/* ---- libraries that end the process -----------------------------------------
 */

static const char *volatile foreign; /* that is at work; NULL: none */
static struct sigaction before;      /* of SIGSEGV */

/* UDUNITS reads from where it got no memory, or calls exit. */
static void on_end(void)
{
    static const char said[] = " ended, most likely for lack of memory\n";
    const char *name = foreign;
    if (name == NULL)
        return;
    (void)!write(STDERR_FILENO, "darc: ", 6);
    (void)!write(STDERR_FILENO, name, strlen(name));
    (void)!write(STDERR_FILENO, said, sizeof said - 1);
    _exit(DARC_EXIT_LIMIT);
}

static void on_fault(int number)
{
    (void)number;
    on_end();
}

static void watch(const char *library)
{
    struct sigaction fault = {.sa_handler = on_fault};
    foreign = library;
    if (library != NULL)
        sigaction(SIGSEGV, &fault, &before);
    else
        sigaction(SIGSEGV, &before, NULL);
}

void darc_lack_watch(void)
{
    atexit(on_end);
    darc_mem_on_foreign(watch);
    darc_mem_on_lack(on_lack);
    mp_set_memory_functions(take, resize_from, give_back);
    __flint_set_memory_functions(take, take_zeroed, resize, free);
}
