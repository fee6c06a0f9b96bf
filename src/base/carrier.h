/* carrier.h - a result on its way out of a child: one function a type says what
 * it consists of, there to put it into the answer, here to find it again in
 * these bytes, where it stays.
 */
#pragma once

#include "base/each.h"
#include "base/status.h"
#include "darc/apart.h"

/* Return whether work is to be done in a child (darc/apart.h): not where the
 * budget says `here`, nor beside other threads, whose locks a child would find
 * closed for ever. */
bool darc_apart_suits(const darc_budget *budget);

/* What is done in a child.  That of a program is the program: it prints, keeps
 * handlers of signals and ends as by exit; when it is interrupted it is told,
 * by SIGINT, and has a moment to end.  Its limit of memory is its own affair;
 * if it ends with the code `told` it has said why. */
typedef struct {
    darc_apart_work *work;
    void *user;
    bool program;
    int told;
} darc_apart_task;

/* As darc_apart. */
DARC_STATUS darc_apart_run(char **answer, size_t *length,
                           const darc_apart_task *task,
                           const darc_budget *budget, darc_err *err);

typedef struct {
    darc_answer *to; /* there; NULL: here */
    char *at;        /* here: where the next item begins */
} darc_carrier;

/* Carry the n bytes that *p points to; here let *p point to them. */
void darc_carry(darc_carrier *c, void *p, size_t n);

/* The same for a list of n items. */
#define DARC_CARRY(c, list, n)                                                 \
    darc_carry(c, (void *)&(list), (size_t)(n) * sizeof *(list))

/* The same, and of each item the texts, or NULL, that these members are. */
#define DARC_CARRY_WITH(c, list, n, ...)                                       \
    do {                                                                       \
        DARC_CARRY(c, list, n);                                                \
        for (long k_ = 0; k_ < (long)(n); k_++)                                \
            DARC_EACH_BY(DARC_CARRY_MEMBER, c, (list) + k_, __VA_ARGS__);      \
    } while (0)
#define DARC_CARRY_MEMBER(c, item, member)                                     \
    darc_carry_text(c, (void *)&(item)->member)

/* The same for a string, or NULL. */
void darc_carry_text(darc_carrier *c, const char *const *s);

/* The same for the list of n strings that *list points to. */
void darc_carry_texts(darc_carrier *c, const char *const **list, int n);
