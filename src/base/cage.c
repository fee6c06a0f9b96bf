#define _DEFAULT_SOURCE /* syscall */

#include "base/cage.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sanitizers map the whole address space, and call what they like. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define MACHINE AUDIT_ARCH_RISCV64
#endif

static void lower(int resource, uint64_t most)
{
    struct rlimit r;
    if (getrlimit((__rlimit_resource_t)resource, &r) != 0)
        return;
    r.rlim_max = r.rlim_max < most ? r.rlim_max : (rlim_t)most;
    r.rlim_cur = r.rlim_cur < r.rlim_max ? r.rlim_cur : r.rlim_max;
    setrlimit((__rlimit_resource_t)resource, &r);
}

static void close_from(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd < (most < 0 ? 1024 : most); fd++)
        close(fd);
}

/* No header of 2021 has the later members. */
typedef struct {
    uint64_t files, net, scoped;
} ruleset;

/* All that version v of Landlock knows is forbidden: no rule allows a thing. */
static bool lock_files(void)
{
#ifdef SYS_landlock_create_ruleset
    static const int rights[] = {13, 14, 15, 15, 16}; /* of versions 1 to 5 */
    long v = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    if (v < 1)
        return false;
    ruleset all = {.files = (1u << rights[v < 5 ? v - 1 : 4]) - 1,
                   .net = v >= 4 ? 3 : 0,
                   .scoped = v >= 6 ? 3 : 0};
    size_t size = v >= 6 ? 24 : v >= 4 ? 16 : 8;
    int fd = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    bool locked = fd >= 0 && syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    if (fd >= 0)
        close(fd);
    return locked;
#else
    return false;
#endif
}

#ifdef MACHINE

/* What computing, memory and talking through an open socket take, besides mmap
 * and mprotect. */
static const int allowed[] = {
    SYS_brk,           SYS_munmap,       SYS_mremap,
    SYS_madvise,       SYS_futex,        SYS_sendto,
    SYS_recvfrom,      SYS_ppoll,        SYS_exit,
    SYS_exit_group,    SYS_rt_sigreturn, SYS_rt_sigprocmask,
    SYS_clock_gettime, SYS_gettimeofday, SYS_getpid,
    SYS_gettid,        SYS_tgkill, /* abort, which must end it */
    SYS_setitimer,     SYS_sched_yield,  SYS_pread64,
    SYS_pwrite64, /* a temporary file that is open */
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_alarm
    SYS_alarm,
#endif
#ifdef SYS_time
    SYS_time,
#endif
};

enum { ALLOWED = sizeof allowed / sizeof allowed[0] };

#define LOAD(field)                                                            \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define UNLESS(value, skip) /* go on where it is that, else skip */            \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skip))

static bool filter_calls(void)
{
    enum { EXECUTABLE = 4 }; /* PROT_EXEC */
    struct sock_filter code[11 + 2 * ALLOWED] = {
        LOAD(arch), UNLESS(MACHINE, 1), BPF_STMT(BPF_JMP | BPF_JA, 1),
        ANSWER(SECCOMP_RET_KILL_PROCESS), LOAD(nr)};
    unsigned short n = 5;
    for (int i = 0; i < ALLOWED; i++) {
        code[n++] = (struct sock_filter)UNLESS((unsigned)allowed[i], 1);
        code[n++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
    }
    /* Memory that is no program: the third argument has no such bit. */
    code[n++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0);
    code[n++] = (struct sock_filter)UNLESS(SYS_mprotect, 3);
    code[n++] = (struct sock_filter)LOAD(args[2]);
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K,
                                             EXECUTABLE, 1, 0);
    code[n++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | EPERM);
    struct sock_fprog program = {.len = n, .filter = code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

static bool filter_calls(void)
{
    return false;
}

#endif

bool darc_cage_enter(const darc_cage *cage)
{
    close_from(cage->descriptors);
    if (SANITIZED)
        return true;
    lower(RLIMIT_DATA, cage->memory);
    lower(RLIMIT_CPU, cage->cpu);
    lower(RLIMIT_FSIZE, cage->file);
    lower(RLIMIT_CORE, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    bool files = lock_files(); /* its descriptor is closed again */
    lower(RLIMIT_NOFILE, 1);   /* poll takes no fewer */
    bool calls = filter_calls();
    return files || calls;
}
