/* identify.h - what measurements can tell of the parameters, before any data.
 *
 * The claim is for several recordings together; a single one suffices where
 * the monomials of each io-equation are linearly independent along it.
 */
#ifndef DARC_IDENTIFY_H
#define DARC_IDENTIFY_H

#include "darc/budget.h"
#include "darc/model.h"
#include "darc/options.h"
#include "darc/report.h"

DARC_BEGIN_DECLS

typedef enum {
    DARC_NOT_IDENTIFIABLE, /* infinitely many values explain the recordings */
    DARC_LOCALLY,          /* finitely many */
    DARC_GLOBALLY,         /* one */
    DARC_PERHAPS           /* not known: a function in the model is known up to
                              a constant only */
} darc_identifiability;

/* Return "no", "local", "global" or "undecided". */
const char *darc_identifiability_text(darc_identifiability id);

typedef struct {
    const char *name;
    darc_identifiability identifiable;
    bool confirmed;   /* global, and proved over the rational numbers */
    bool final;       /* otherwise local means at least local */
    bool seen;        /* whether a change of it shows in the signals */
    int explanations; /* minimal sets of others whose change can pass for it */
    const darc_name_list *explained_by;
} darc_identified_parameter;

/* A state at the start of a recording, or a function that was asked for. */
typedef struct {
    const char *name;
    darc_identifiability identifiable;
    bool final; /* otherwise local means at least local */
} darc_identified_function;

/* A parameter or state, and what it stands for in a model without scales. */
typedef struct {
    const char *name;
    const char *stands_for; /* "c/m"; "1": it is set to 1 */
} darc_identified_scale;

/* The result; made by the library, more lies behind it: never copy it. */
typedef struct {
    int functions; /* that are identifiable, and generate all that are */
    const char *const *function; /* "c/m", "(a + b)/(c*d)" */
    bool complete; /* otherwise some are not known, and what is local may be
                      global */
    bool lost;     /* among these some that the value of a function shows, whose
                      constant is not known */
    bool explained; /* whether `seen` and explanations are known */
    int rank;       /* independent functions */
    int parameters;
    const darc_identified_parameter *parameter; /* in order of declaration */
    bool from_start; /* statuses use initial values of the option "init"; the
                        functions do not */
    int states;
    const darc_identified_function *state; /* in order of declaration */
    int asked;
    const darc_identified_function *asks; /* of the option "ask" */
    int scales; /* scaling these changes no signal, until some are set to 1 */
    const darc_identified_scale *scale;
    const char *scaled; /* the model then, NULL where scales is 0 */
    bool enough;        /* all its parameters are identifiable, at least
                           locally */
} darc_identified;

/* Set *found for the options of "identify" (NULL: the defaults).  The model
 * must stay until darc_identified_free.  The budget (NULL: none) bounds time
 * and memory; its function `partial` gets what is known on the way.
 * Fails: DARC_USAGE for a wrong ranking; DARC_DOMAIN when the model leaves no
 * relation between its signals; DARC_LIMIT on a spent budget, or for lack of
 * memory: the work is done in a child (apart.h). */
DARC_CHECKED darc_status darc_identify(darc_identified **found,
                                       const darc_model *model,
                                       const darc_options *options,
                                       const darc_budget *budget,
                                       darc_err *err);
void darc_identified_free(darc_identified *found);

/* Return the result as "text" or "json", NULL for another format, or for
 * lack of memory; valid until the next call. */
const char *darc_identified_text(darc_identified *found, const char *format);

DARC_END_DECLS

#endif
