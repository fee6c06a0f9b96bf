/* apart.h - work in a child process, whose death is an error value.
 *
 * Where memory lacks, FLINT and GMP end the process.  darc_eliminate,
 * darc_identify, darc_fulfil, darc_plan, darc_campaign_run,
 * darc_recording_simulate, the eliminations of sessions and the questions to
 * them therefore do their work in a child, unless the budget says `here` or the
 * process has several threads, whose locks the child of one would find closed
 * for ever: then lack of memory ends the process, but in simulations.  All else
 * is done in the caller's process: where there is no memory for that, it gives
 * back what it has and answers DARC_LIMIT, or NULL for a text; of FLINT's
 * memory a few pieces may be lost.  FLINT and GMP are given functions for that,
 * when the first model is read, unless the program has given them its own.
 *
 * With darc_apart a caller puts into a child what it likes: a session from
 * darc_session_open to its verdict, say.
 *
 *     static darc_status ask(darc_answer *a, void *user,
 *                            const darc_budget *b, darc_err *err)
 *     {
 *         ...
 *         const char *json = darc_session_text(s, "json");
 *         darc_answer_put(a, json, strlen(json));
 *         ...
 *     }
 *
 *     status = darc_apart(&json, &length, ask, &files, &budget, &err);
 *
 * The child is a fork of the caller: it has a copy of its memory, and of no
 * thread but the one that calls.  What locks others hold stays closed in it, so
 * call darc_apart where there are no others.  It runs no handler of signals and
 * none of atexit, and what it prints goes nowhere.  The caller gets a SIGCHLD.
 */
#ifndef DARC_APART_H
#define DARC_APART_H

#include "darc/budget.h"

DARC_BEGIN_DECLS

typedef struct darc_answer darc_answer;

/* Append n bytes to the answer; where memory lacks, darc_apart fails. */
void darc_answer_put(darc_answer *a, const void *bytes, size_t n);

/* What is done; `budget` is that of the caller, with `here` set. */
typedef darc_status darc_apart_work(darc_answer *a, void *user,
                                    const darc_budget *budget, darc_err *err);

/* Call work in a child, or here where the budget (NULL: none) says so; set
 * *answer to the *length bytes that it put, and a '\0', to be freed with
 * darc_apart_free.  The functions of the budget are called here.  The child is
 * ended where `interrupted` says so, half a second behind the deadline, and
 * where it wants more memory for its data than the budget has.
 * Fails: as work does; DARC_LIMIT where the child does not come to its end, or
 * there is none. */
DARC_CHECKED darc_status darc_apart(char **answer, size_t *length,
                                    darc_apart_work *work, void *user,
                                    const darc_budget *budget, darc_err *err);
void darc_apart_free(char *answer);

DARC_END_DECLS

#endif
