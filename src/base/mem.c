#define _DEFAULT_SOURCE /* madvise */

#include "base/mem.h"

#include "base/attempt.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void (*on_lack)(size_t size);

_Noreturn void darc_mem_lack(size_t size)
{
    if (on_lack != NULL)
        on_lack(size);
    darc_attempt_lacks(size);
    fprintf(stderr, "darc: out of memory (%zu bytes wanted)\n", size);
    abort();
}

void darc_mem_require(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        darc_mem_lack(size);
    munmap(p, size);
}

static void *checked(void *p, size_t size)
{
    if (p == NULL)
        darc_mem_lack(size);
    darc_attempt_takes(p);
    return p;
}

void darc_mem_on_lack(void (*lacks)(size_t size))
{
    on_lack = lacks;
    darc_attempt_decline();
}

void *darc_malloc(size_t size)
{
    assert(size > 0);
    return checked(malloc(size), size);
}

void *darc_malloc_long(size_t size)
{
    enum { PAGE = 1 << 21 }; /* bytes of a large page; 512 small ones */
    void *p;
    if (size < 2 * PAGE)
        return darc_malloc(size);
    p = checked(posix_memalign(&p, PAGE, size) == 0 ? p : NULL, size);
    (void)madvise(p, size / PAGE * PAGE, MADV_HUGEPAGE);
    return p;
}

void *darc_calloc(size_t count, size_t size)
{
    count = count == 0 ? 1 : count;
    return checked(calloc(count, size), count * size);
}

void *darc_realloc(void *p, size_t count, size_t size)
{
    assert(count > 0 && size > 0);
    if (count > SIZE_MAX / size)
        darc_mem_lack(SIZE_MAX);
    bool ours = darc_attempt_frees(p);
    void *moved = realloc(p, count * size);
    if (moved == NULL && ours)
        darc_attempt_takes(p);
    if (moved == NULL)
        darc_mem_lack(count * size);
    if (ours || p == NULL)
        darc_attempt_takes(moved);
    return moved;
}

char *darc_strndup(const char *s, size_t n)
{
    char *copy = darc_malloc(n + 1);
    memcpy(copy, s, n);
    copy[n] = '\0';
    return copy;
}

char *darc_strdup(const char *s)
{
    return darc_strndup(s, strlen(s));
}

void darc_free(void *p)
{
    darc_attempt_frees(p);
    free(p);
}

void darc_free_all(void *const *p, size_t count)
{
    DARC_FREE_EACH(p, count);
}

void *darc_room(void *p, size_t count, size_t size)
{
    bool full = count == 0 || (count >= 8 && (count & (count - 1)) == 0);
    return full ? darc_realloc(p, count == 0 ? 8 : 2 * count, size) : p;
}

void *darc_grow(void *p, size_t count, size_t *alloc, size_t size)
{
    if (count < *alloc)
        return p;
    *alloc = *alloc < 8 ? 8 : 2 * *alloc;
    return darc_realloc(p, *alloc, size);
}
