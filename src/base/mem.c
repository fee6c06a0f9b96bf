#include "base/mem.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p, size_t size)
{
    if (p != NULL)
        return p;
    fprintf(stderr, "darc: out of memory (%zu bytes wanted)\n", size);
    abort();
}

void *darc_malloc(size_t size)
{
    assert(size > 0);
    return checked(malloc(size), size);
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
        return checked(NULL, SIZE_MAX);
    return checked(realloc(p, count * size), count * size);
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
    free(p);
}

void *darc_grow(void *p, size_t count, size_t *alloc, size_t size)
{
    if (count < *alloc)
        return p;
    *alloc = *alloc < 8 ? 8 : 2 * *alloc;
    return darc_realloc(p, *alloc, size);
}
