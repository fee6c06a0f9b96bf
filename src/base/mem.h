/* mem.h - memory: lack of it ends the attempt (attempt.h), or else the process
 * with a message, as in FLINT; a program may choose how. */
#pragma once

#include "base/each.h"

#include <stddef.h>

/* Let `lack` be called with the bytes wanted where there are none; it does not
 * come back.  Before any thread starts. */
void darc_mem_on_lack(void (*lack)(size_t size));

/* Let FLINT and GMP take memory as darc does, unless the program has given them
 * functions of its own.  They lend an attempt some, so that it ends where FLINT
 * has left all that it keeps whole. */
void darc_mem_adopt(void);

/* There are no `size` bytes. */
_Noreturn void darc_mem_lack(size_t size);

/* See that there are `size` bytes for a library that ends the process without.
 */
void darc_mem_require(size_t size);

/* Return size > 0 bytes; never NULL. */
void *darc_malloc(size_t size);

/* The same in large pages where the kernel has some, which saves it time with
 * a long column. */
void *darc_malloc_long(size_t size);

/* Return count * size zeroed bytes (at least one); never NULL. */
void *darc_calloc(size_t count, size_t size);

/* Set each of the pointers listed to `count` zeroed items of its own. */
#define DARC_CALLOC(count, ...)                                                \
    DARC_EACH_BY(DARC_CALLOC_ONE, 0, count, __VA_ARGS__)
#define DARC_CALLOC_ONE(f, count, p) ((p) = darc_calloc(count, sizeof *(p)))

/* Resize p (may be NULL) to count * size > 0 bytes; never NULL. */
void *darc_realloc(void *p, size_t count, size_t size);

/* Return a copy of the string s. */
char *darc_strdup(const char *s);

/* Return a copy of the n characters at s, terminated. */
char *darc_strndup(const char *s, size_t n);

/* Free p; NULL is allowed.  DARC_FREE(p, q, ...): all of these. */
void darc_free(void *p);
void darc_free_all(void *const *p, size_t count);
#define DARC_FREE(...)                                                         \
    darc_free_all((void *[]){__VA_ARGS__},                                     \
                  sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

/* Free each of the n items of a list. */
#define DARC_FREE_EACH(list, n) DARC_COUNT(n, darc_free((void *)(list)[k_]))

/* Make room for one more item of `size` bytes in the array p of count items
 * with *alloc places: return p, moved if it had to grow (by doubling). */
void *darc_grow(void *p, size_t count, size_t *alloc, size_t size);

/* The same where the array has grown so from no items on, and `alloc` need not
 * be kept: let the array, of count items, have room for one more. */
void *darc_room(void *p, size_t count, size_t size);
#define DARC_ROOM(array, count)                                                \
    ((array) = darc_room(array, (size_t)(count), sizeof *(array)))

/* Append an item to such an array. */
#define DARC_APPEND(array, count, ...)                                         \
    (DARC_ROOM(array, count), (array)[(count)++] = __VA_ARGS__)
