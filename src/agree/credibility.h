/* credibility.h - credibility of a simulation by its factor space, and the
 * tracing of defects [FYZ].
 * The file, what counts as evidence and what links mean: src/manual/factors.md.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    DARC_FACTOR_OUTPUT,
    DARC_FACTOR_QUANTITY,
    DARC_FACTOR_INPUT
} darc_factor_role;

typedef enum {
    DARC_EVIDENCE_NONE,
    DARC_EVIDENCE_SIMILARITY, /* given */
    DARC_EVIDENCE_GRADE,      /* a credibility, given */
    DARC_EVIDENCE_GREY,
    DARC_EVIDENCE_THEIL,
    DARC_EVIDENCE_TTEST,
    DARC_EVIDENCE_FTEST
} darc_evidence;

typedef enum {
    DARC_LINK_COMPOSE,
    DARC_LINK_DERIVE,
    DARC_LINK_SURPASS,
    DARC_LINK_SUBSTITUTE,
    DARC_LINK_CONTRADICT,
    DARC_LINK_INHERIT
} darc_link_kind;

extern const char *const darc_link_word[]; /* of each kind */

typedef struct {
    char *name, *unit, *text; /* owned */
    darc_factor_role role;
    bool iterated;
    darc_evidence evidence;
    double given;                 /* of a similarity or a grade */
    char *reference, *simulation; /* FILE:COLUMN; owned, may be NULL */
    double accept;                /* its threshold of credibility */
    size_t line;                  /* of its evidence */
    /* Set by darc_credibility_assess. */
    double similarity;     /* NAN where there is none */
    double credibility;    /* NAN: not known */
    darc_truth acceptable; /* DARC_UNKNOWN: neither evidence nor links */
    bool defect, origin;
    bool stricter; /* not acceptable, yet all it depends on is: the criteria
                      below are too lax to find the origin */
} darc_factor;

typedef struct {
    darc_link_kind kind;
    int parent, child;
    double weight, threshold; /* threshold NAN: that of the child */
    int condition;            /* a factor, -1: none */
    bool unless;
    size_t line;
} darc_factor_link;

typedef struct {
    char *file, *name, *text;                    /* owned */
    double similarity, credibility, level, rate; /* thresholds */
    int factors, links;
    darc_factor *factor;    /* owned */
    darc_factor_link *link; /* owned */
} darc_factor_space;

/* Set s to the factor space in n characters of text; file is for messages
 * and for the place of series.
 * Fails: DARC_SYNTAX "file:line:column: error: ..."; DARC_MODEL for names
 * that are not declared or twice, a cycle without an iterated factor. */
DARC_STATUS darc_credibility_parse(darc_factor_space *s, const char *text,
                                   size_t n, const char *file, darc_err *err);

/* The same from a file.  Fails: DARC_IO too. */
DARC_STATUS darc_credibility_read(darc_factor_space *s, const char *file,
                                  darc_err *err);
void darc_credibility_clear(darc_factor_space *s);

/* Find similarity and credibility of every factor; trace defects.
 * Fails: as the series are read; DARC_MODEL for an iterated factor on a cycle
 * that has no evidence of its own. */
DARC_STATUS darc_credibility_assess(darc_factor_space *s, darc_err *err);

/* Return whether all outputs are acceptable. */
darc_truth darc_credibility_verdict(const darc_factor_space *s);

/* Return the credibility C(g) of a similarity g; 0 < gth < 1, 0 <= g <= 1. */
double darc_credibility_transform(double g, double gth, double cth);
