/* eliminate.h - states and parameters eliminated from a model: what its
 * signals obey.
 */
#ifndef DARC_ELIMINATE_H
#define DARC_ELIMINATE_H

#include "darc/budget.h"
#include "darc/model.h"
#include "darc/options.h"

#include <stdbool.h>

DARC_BEGIN_DECLS

/* An equation, a differential polynomial that is 0. */
typedef struct {
    const char *output; /* whose io-equation it is; NULL: of another form */
    int component;      /* 0, 1, ...: which case of the model it belongs to */
    bool generic;       /* of the component that is not a special case */
    int order;          /* highest derivative */
    bool expanded;      /* whether its polynomial is known */
    long terms, degree; /* of the polynomial, parameters counted as variables;
                           0 where it is not expanded */
    const char *engine; /* that found an io-equation; NULL */
    double cpu_s;       /* its share of the CPU seconds of all */
} darc_equation;

/* A polynomial that must not vanish, or the equations say nothing. */
typedef struct {
    const char *polynomial; /* in the model language */
    int component;
} darc_inequation;

/* Whether an expression vanishes on all solutions. */
typedef struct {
    darc_truth vanishes; /* DARC_UNKNOWN: functions in the model obey laws */
    const char *factor, *normal_form; /* factor*expression = normal form on all
                                         solutions */
} darc_member;

/* The result; made by the library, more lies behind it: never copy it. */
typedef struct {
    int equations;
    const darc_equation *equation;
    int inequations;
    const darc_inequation *inequation;
    const darc_member *member; /* NULL: not asked; then no equations are told */
} darc_elimination;

/* Set *e to what the options (of "eliminate"; NULL: the defaults) ask for:
 * io-equations, with form "support" their monomials, the relation of a test
 * with "for"; with "keep", "all-components" or form "expanded" the components
 * under the ranking, with "member" whether that vanishes, beside what must not.
 * The model must stay until darc_elimination_free.  Cost: from milliseconds to
 * more than there is of time and memory; the budget (NULL: none) bounds it, and
 * its function `partial` gets what is reached on the way. Fails: DARC_USAGE
 * when options contradict each other or name what the model lacks; DARC_DOMAIN
 * when an engine does not apply or no relation is left; DARC_LIMIT on a spent
 * budget, or for lack of memory: the work is done in a child (apart.h). */
DARC_CHECKED darc_status darc_eliminate(darc_elimination **e,
                                        const darc_model *model,
                                        const darc_options *options,
                                        const darc_budget *budget,
                                        darc_err *err);
void darc_elimination_free(darc_elimination *e);

/* Return polynomial i in the model language, NULL where it is not expanded, or
 * for lack of memory; valid until the next call. */
const char *darc_elimination_polynomial(darc_elimination *e, int i);

/* Return the result as "text", "latex", "json", "c" or "python", NULL for
 * another format, or for lack of memory; valid until the next call.  Unless the
 * budget said `here`, a child eliminates once more for another format than JSON
 * where there are more than 10 000 terms. */
const char *darc_elimination_text(darc_elimination *e, const char *format);

DARC_END_DECLS

#endif
