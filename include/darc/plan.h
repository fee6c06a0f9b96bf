/* plan.h - which changes a planned test would find, before it is made.
 *
 *     darc_options_new(&o, "plan", &err);
 *     darc_options_set(o, "values", "a.csv", &err);
 *     darc_options_set(o, "input", "u=multisine:1,0.1,5", &err);
 *     darc_options_set(o, "input", "u=step:1,1", &err);
 *     darc_plan(&p, model, o, NULL, &err);
 *     puts(darc_planned_text(p, "text"));
 *     darc_planned_free(p);
 */
#ifndef DARC_PLAN_H
#define DARC_PLAN_H

#include "darc/budget.h"
#include "darc/model.h"
#include "darc/options.h"

#include <stdbool.h>
#include <stddef.h>

DARC_BEGIN_DECLS

/* The least change of a function that comes alone, as a fraction of its value,
 * that `darc check equal` finds with probability 0.9; HUGE_VAL: none. */
typedef struct {
    const char *function; /* "c/m" */
    double relative;      /* between two recordings of the planned test */
    double relative_to_a; /* between recording A and one of them */
} darc_foreseen;

/* The least change of one parameter that `darc isolate` tells from a change of
 * another, between two recordings of the test; HUGE_VAL: none. */
typedef struct {
    const char *changed, *other;
    double relative;
} darc_told_apart;

typedef struct {
    const char *input;            /* "u=step:1,1" */
    const char *failure;          /* why it would tell nothing; NULL */
    const darc_foreseen *found;   /* of each function */
    const darc_told_apart *apart; /* of each pair; NULL after a failure */
    double worst; /* of the pairs that some test tells apart; where there are
                     none, of the functions */
} darc_planned_test;

/* The result; made by the library, more lies behind it: never copy it. */
typedef struct {
    const char *command_line; /* of the program; "" from the library */
    const char *model_name, *model_file;
    const char *file; /* recording A */
    double alpha;
    size_t samples; /* of the planned recordings */
    double rate;    /* Hz */
    int functions, pairs, tests;
    const darc_planned_test *test;
    bool tells; /* some test tells some pair apart: `worst` is of pairs */
    int best;   /* the test with the least `worst`; -1: all tell nothing */
    int notes;
    const char *const *note;
} darc_planned;

/* Set *planned for the options of "plan": values and noise are those of the
 * recording that "values" names, at whose rate "input" is simulated, for
 * "t-end" seconds or as long as it is.  An input given several times makes as
 * many tests.
 * Fails: DARC_USAGE when "values" or "input" are missing, or two inputs are
 * given a different number of times; as darc_session_values and
 * darc_recording_simulate; DARC_LIMIT for lack of memory: the work is done in a
 * child (apart.h). */
DARC_CHECKED darc_status darc_plan(darc_planned **planned,
                                   const darc_model *model,
                                   const darc_options *options,
                                   const darc_budget *budget, darc_err *err);
void darc_planned_free(darc_planned *planned);

/* Return the result as "text" or "json", NULL for another format, or for
 * lack of memory; valid until the next call. */
const char *darc_planned_text(darc_planned *planned, const char *format);

DARC_END_DECLS

#endif
