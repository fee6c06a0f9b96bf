/* cage.h - a process that has opened what it needs gives up all else.
 *
 * For programs that hand hostile bytes to a library: whatever these bytes make
 * of it, it can compute, and talk through descriptors that are open.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int descriptors; /* 0 .. descriptors - 1 stay open, all others are closed */
    uint64_t memory; /* bytes of data at the most */
    uint64_t cpu;    /* seconds at the most */
    uint64_t file;   /* bytes that an open file may grow to */
} darc_cage;

/* Enter the cage, of one thread: no file can be opened, no program
 * started, no socket made, no privilege gained.  Of the two locks, the filter
 * of system calls (seccomp) and Landlock, the kernel may lack one; return false
 * where it has neither. */
bool darc_cage_enter(const darc_cage *cage);
