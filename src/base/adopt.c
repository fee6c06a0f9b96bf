/* adopt.c - the memory of FLINT and GMP (base/mem.h).
 *
 * They keep lists of their own from one call to the next, and an attempt must
 * not end while they change these.  What they lack is therefore lent, and the
 * attempt ends when darc allocates next.
 */
#define _GNU_SOURCE /* malloc_usable_size, dladdr */

#include "base/attempt.h"
#include "base/flint.h"
#include "base/mem.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LENT = 1 << 20, ALIGNED = 16 };

/* What is lent, one piece behind the other, from the start again when all is
 * given back. */
static struct {
    pthread_mutex_t lock;
    size_t used, pieces;
    _Alignas(ALIGNED) char bytes[LENT];
} purse = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_lent(const void *p)
{
    const char *s = p;
    return s >= purse.bytes && s < purse.bytes + LENT;
}

static void *lend(size_t size)
{
    char *p = NULL;
    size_t n = size / ALIGNED * ALIGNED + 2 * ALIGNED; /* size before it */
    if (!darc_attempt_runs() || size > LENT)
        darc_mem_lack(size);
    pthread_mutex_lock(&purse.lock);
    if (n <= LENT - purse.used) {
        p = purse.bytes + purse.used;
        memcpy(p, &size, sizeof size);
        purse.used += n;
        purse.pieces++;
    }
    pthread_mutex_unlock(&purse.lock);
    if (p == NULL)
        darc_mem_lack(size);
    darc_attempt_borrows(size);
    return p + ALIGNED;
}

static size_t size_of(void *p)
{
    size_t size;
    if (!is_lent(p))
        return malloc_usable_size(p);
    memcpy(&size, (char *)p - ALIGNED, sizeof size);
    return size;
}

static void give_back(void *p)
{
    if (!is_lent(p)) {
        free(p);
        return;
    }
    pthread_mutex_lock(&purse.lock);
    purse.used = --purse.pieces == 0 ? 0 : purse.used;
    pthread_mutex_unlock(&purse.lock);
}

static void give_back_of(void *p, size_t size)
{
    (void)size;
    give_back(p);
}

static void *take(size_t size)
{
    size = size > 0 ? size : 1;
    void *p = malloc(size);
    return p != NULL ? p : lend(size);
}

static void *take_zeroed(size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size)
        darc_mem_lack(SIZE_MAX);
    void *p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    return p != NULL ? p : memset(lend(count * size), 0, count * size);
}

static void *resize(void *p, size_t size)
{
    size = size > 0 ? size : 1;
    void *moved = p != NULL && is_lent(p) ? NULL : realloc(p, size);
    if (moved != NULL)
        return moved;
    size_t had = p != NULL ? size_of(p) : 0;
    moved = p != NULL && is_lent(p) ? take(size) : lend(size);
    memcpy(moved, p != NULL ? p : "", had < size ? had : size);
    give_back(p);
    return moved;
}

static void *resize_from(void *p, size_t old, size_t size)
{
    (void)old;
    return resize(p, size);
}

/* Whether FLINT's functions are its own, by the library that they lie in. */
static bool flint_is_as_it_was(void)
{
    void *(*takes)(size_t), *(*zeroed)(size_t, size_t);
    void *(*moves)(void *, size_t);
    void (*frees)(void *), (*of)(void *) = flint_free;
    void *address[2];
    Dl_info info[2];
    __flint_get_memory_functions(&takes, &zeroed, &moves, &frees);
    memcpy(&address[0], &frees, sizeof address[0]);
    memcpy(&address[1], &of, sizeof address[1]);
    return dladdr(address[0], &info[0]) != 0 &&
           dladdr(address[1], &info[1]) != 0 &&
           info[0].dli_fbase == info[1].dli_fbase;
}

static void adopt(void)
{
    void *(*gmp[2])(size_t), *(*from)(void *, size_t, size_t);
    void (*ends)(void *, size_t);
    mp_get_memory_functions(&gmp[0], &from, &ends);
    mp_set_memory_functions(NULL, NULL, NULL); /* GMP's own */
    mp_get_memory_functions(&gmp[1], NULL, NULL);
    if (gmp[0] == gmp[1])
        mp_set_memory_functions(take, resize_from, give_back_of);
    else
        mp_set_memory_functions(gmp[0], from, ends);
    if (flint_is_as_it_was())
        __flint_set_memory_functions(take, take_zeroed, resize, give_back);
}

void darc_mem_adopt(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, adopt);
}
