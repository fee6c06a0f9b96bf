/* shim.c - lets the n-th call of a kind fail: preloaded before darc.
 *
 *     FAULT_CALL  memory, read, write, open, fsync, rename
 *     FAULT_AT    the number of the call that fails, and of all later ones if
 *                 FAULT_ON is set; counted in each process, from its parent's
 *                 number on
 *     FAULT_SHORT reads and writes do a part instead of failing
 *     FAULT_COUNT a file to which each process appends its numbers of calls, of
 *                 all kinds in the order above
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MEMORY, READ, WRITE, OPEN, FSYNC, RENAME, KINDS };

static const char *const names[KINDS] = {"memory", "read",  "write",
                                         "open",   "fsync", "rename"};
static int kind = -1;
static long at;
static int on, partly;
static atomic_long calls[KINDS];

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t align, size_t n);

__attribute__((constructor)) static void begin(void)
{
    const char *call = getenv("FAULT_CALL"), *n = getenv("FAULT_AT");
    for (int k = 0; k < KINDS && call != NULL; k++)
        if (strcmp(call, names[k]) == 0)
            kind = k;
    at = n != NULL ? atol(n) : 0;
    on = getenv("FAULT_ON") != NULL;
    partly = getenv("FAULT_SHORT") != NULL;
}

static void tell(void)
{
    const char *file = getenv("FAULT_COUNT");
    char line[32 * KINDS];
    int n = 0;
    if (file == NULL)
        return;
    for (int k = 0; k < KINDS; k++)
        n += sprintf(line + n, "%ld%c", (long)calls[k],
                     k + 1 < KINDS ? ' ' : '\n');
    int fd = (int)syscall(SYS_openat, AT_FDCWD, file,
                          O_WRONLY | O_CREAT | O_APPEND, 0600);
    syscall(SYS_write, fd, line, (size_t)n);
    syscall(SYS_close, fd);
}

__attribute__((destructor)) static void end(void)
{
    tell();
}

static int fails(int k)
{
    long n = ++calls[k];
    return k == kind && at > 0 && (n == at || (on && n > at));
}

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

void *malloc(size_t n)
{
    if (fails(MEMORY))
        return errno = ENOMEM, NULL;
    return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    if (fails(MEMORY))
        return errno = ENOMEM, NULL;
    return __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    if (fails(MEMORY))
        return errno = ENOMEM, NULL;
    return __libc_realloc(p, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
    if (fails(MEMORY))
        return ENOMEM;
    *p = __libc_memalign(align, n);
    return *p == NULL ? ENOMEM : 0;
}

/* Bytes of a call that fails: -1 and an error, or a part. */
#define CUT(k, error, n)                                                       \
    if (fails(k)) {                                                            \
        if (!partly || (n) < 2)                                                \
            return errno = (error), -1;                                        \
        (n) /= 2;                                                              \
    }

ssize_t read(int fd, void *to, size_t n)
{
    CUT(READ, EIO, n)
    return NEXT(ssize_t(*)(int, void *, size_t), "read")(fd, to, n);
}

ssize_t pread(int fd, void *to, size_t n, off_t from)
{
    CUT(READ, EIO, n)
    return NEXT(ssize_t(*)(int, void *, size_t, off_t), "pread")(fd, to, n,
                                                                 from);
}

ssize_t pread64(int fd, void *to, size_t n, off64_t from)
{
    CUT(READ, EIO, n)
    return NEXT(ssize_t(*)(int, void *, size_t, off64_t), "pread64")(fd, to, n,
                                                                     from);
}

ssize_t write(int fd, const void *from, size_t n)
{
    CUT(WRITE, ENOSPC, n)
    return NEXT(ssize_t(*)(int, const void *, size_t), "write")(fd, from, n);
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t to)
{
    CUT(WRITE, ENOSPC, n)
    return NEXT(ssize_t(*)(int, const void *, size_t, off_t),
                "pwrite")(fd, from, n, to);
}

ssize_t pwrite64(int fd, const void *from, size_t n, off64_t to)
{
    CUT(WRITE, ENOSPC, n)
    return NEXT(ssize_t(*)(int, const void *, size_t, off64_t),
                "pwrite64")(fd, from, n, to);
}

static int open_or_not(const char *name, const char *file, int flags,
                       va_list args)
{
    unsigned mode =
        (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, unsigned) : 0;
    if (fails(OPEN))
        return errno = EMFILE, -1;
    return NEXT(int (*)(const char *, int, ...), name)(file, flags, mode);
}

int open(const char *file, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int fd = open_or_not("open", file, flags, args);
    va_end(args);
    return fd;
}

int open64(const char *file, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int fd = open_or_not("open64", file, flags, args);
    va_end(args);
    return fd;
}

FILE *fopen(const char *file, const char *how)
{
    if (fails(OPEN))
        return errno = EMFILE, NULL;
    return NEXT(FILE * (*)(const char *, const char *), "fopen")(file, how);
}

int fsync(int fd)
{
    if (fails(FSYNC))
        return errno = EIO, -1;
    return NEXT(int (*)(int), "fsync")(fd);
}

int fdatasync(int fd)
{
    if (fails(FSYNC))
        return errno = EIO, -1;
    return NEXT(int (*)(int), "fdatasync")(fd);
}

int rename(const char *from, const char *to)
{
    if (fails(RENAME))
        return errno = EIO, -1;
    return NEXT(int (*)(const char *, const char *), "rename")(from, to);
}
