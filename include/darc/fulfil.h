/* fulfil.h - whether parameters exist with which a model behaves as a target.
 *
 *     darc_options_new(&o, "fulfil", &err);
 *     darc_options_set(o, "free", "Kp,Ki", &err);
 *     darc_fulfil(&f, model, target, o, NULL, &err);
 *     puts(darc_fulfilled_text(f, "text"));
 *     darc_fulfilled_free(f);
 */
#ifndef DARC_FULFIL_H
#define DARC_FULFIL_H

#include "darc/budget.h"
#include "darc/model.h"
#include "darc/options.h"

#include <stdbool.h>

DARC_BEGIN_DECLS

typedef enum {
    DARC_IS_FULFILLED,  /* by the parameters of the witness */
    DARC_IS_IMPOSSIBLE, /* proved by the certificate */
    DARC_IS_OPEN        /* neither is proved */
} darc_fulfilment;

/* Return "fulfilled", "impossible" or "undecided". */
const char *darc_fulfilment_text(darc_fulfilment f);

typedef struct {
    const char *name;    /* "m_target": of the target, the model has one too */
    const char *formula; /* in parameters that are free or given, and those
                            behind it in the list; NULL: any value, or given */
    bool given;
    double value; /* of the witness, with a band of the nearest behaviour; NAN
                     without one, or where no response depends on it */
} darc_fulfilling;

/* The result; made by the library, more lies behind it: never copy it. */
typedef struct {
    const char *command_line; /* of the program; "" from the library */
    const char *model_name, *model_file, *target_name, *target_file;
    darc_fulfilment verdict;
    const char *reason; /* plain words */
    int parameters;
    const darc_fulfilling *parameter; /* of the model, of the target */
    int conditions;
    const char *const *condition; /* under which the formulas hold */
    int relations;
    const char *const *relation; /* among parameters of the target */
    const char *modes; /* polynomial in s of what the target lacks; NULL */
    const char *certificate; /* of impossibility: a combination of equations;
                                frequencies of the band */
    /* Of the options "tolerance" and "band"; NAN without one: */
    double tolerance, low_hz, high_hz;
    double defect; /* largest |H - G|/|G| of the nearest behaviour found, H its
                      frequency response, G the target's; NAN: none found */
    double defect_hz;
    const char *defect_output, *defect_input; /* NULL: no defect */
    bool stable; /* the nearest behaviour is, and the target it is nearest to */
} darc_fulfilled;

/* Set *found for the options of "fulfil".
 * Fails: DARC_USAGE when the signals of both are not the same, or an option
 * names no parameter, or what is not sought has no number for a band;
 * DARC_DOMAIN when a model leaves no relation between its signals, or has no
 * frequency response; DARC_LIMIT on a spent budget, or for lack of memory: the
 * work is done in a child (apart.h). */
DARC_CHECKED darc_status darc_fulfil(darc_fulfilled **found,
                                     const darc_model *model,
                                     const darc_model *target,
                                     const darc_options *options,
                                     const darc_budget *budget, darc_err *err);
void darc_fulfilled_free(darc_fulfilled *found);

/* Return the result as "text", "json", "html" or "svg", NULL for another
 * format, or for lack of memory; valid until the next call. */
const char *darc_fulfilled_text(darc_fulfilled *found, const char *format);

DARC_END_DECLS

#endif
