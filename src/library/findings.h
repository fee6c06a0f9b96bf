/* findings.h - what `identify` finds, on its way. */
#pragma once

#include "darc/identify.h"

#include "coefficient/scaling.h"
#include "eliminate/eliminate.h"
#include "identify/identify.h"
#include "identify/isolable.h"
#include "identify/observable.h"
#include "session/options.h"

/* What was found. */
typedef struct {
    darc_identified shown; /* first: what the caller sees */
    darc_options options;  /* a copy */
    const darc_budget *budget;
    const darc_model *model;
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_isolability_t table;
    bool has_io, has_id, has_table;
    bool ranks_alone;      /* equations are out of reach */
    darc_text_t advice;    /* then: what would bring them within reach */
    bool responds;         /* the field is that of transfer functions */
    darc_pairs asks;       /* functions of the option */
    darc_pairs starts;     /* initial values of the option */
    int *value;            /* of these: the output it is, or -1; owned */
    int states;            /* of the model, without functions */
    int outputs;           /* asked for, as listed */
    const char **label;    /* of outputs for what is asked; owned */
    const char **expr;     /* what they are; owned */
    darc_observable asked; /* states, asks; with initial values then
                              parameters, and these values */
    darc_identified_function *status; /* of these; owned */
    darc_scaling scaling;
    darc_identified_scale *scale; /* of the model's unknowns; owned */
    darc_text_t scaled;           /* the model without scales */
    int revealed; /* functions that can be computed from what is known */
    darc_model
        *chained;      /* unknown inputs are states; NULL: they leave enough */
    darc_model *known; /* with all of these measured; NULL: not all can be */
    darc_text_t text;
    bool carried;      /* from a child: all lies behind this */
    const char *as[2]; /* then: text and JSON */
} findings;

/* Append found as text or JSON. */
void darc_findings_put(darc_text_t out, const darc_identified *found,
                       const findings *f, bool json);

/* List the states and what is asked for; with initial values the parameters,
 * whose statuses are sought anew, and these values. */
void darc_findings_ask(findings *f);

/* Find all that is to be found of f->model with f->options: f->shown, without
 * what was asked for, which stands in f->status.
 * Fails: as darc_identify. */
DARC_CHECKED darc_status darc_findings_find(findings *f, darc_err *err);

/* Give the parameters of f->shown what initial values say of them. */
void darc_findings_start(findings *f);
