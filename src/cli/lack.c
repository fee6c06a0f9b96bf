#include "cli/supervise.h"

#include "base/flint.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
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

/* What FLINT and GMP call. */

static void *take(size_t size)
{
    return darc_malloc(size > 0 ? size : 1);
}

static void *resize(void *p, size_t size)
{
    return darc_realloc(p, 1, size > 0 ? size : 1);
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

void darc_lack_watch(void)
{
    darc_mem_on_lack(on_lack);
    mp_set_memory_functions(take, resize_from, give_back);
    __flint_set_memory_functions(take, darc_calloc, resize, free);
}
