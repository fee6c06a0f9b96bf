/* credibility.h - credibility of a simulation by its factor space, and the
 * tracing of defects [FYZ].
 *
 * A factor space is a graph: outputs on top, intermediate quantities, inputs
 * at the bottom; links say what a factor depends on.  Every factor may have
 * evidence: the similarity of a simulated to a reference series, or a grade.
 * Similarity g becomes credibility
 *     C(g) = (1 - Cth) / (1 - gth) (g - gth) + Cth   for g >= gth,
 *            Cth g / gth                             below,
 * and a factor is acceptable when C >= Cth.  If an output is not, its links
 * are followed downwards: factors that are not acceptable are defects, those
 * without a link further down are the origins.
 *
 * The file, in the style of model files; `#` begins a comment:
 *
 *     factors flight "trajectory of a missile"
 *     thresholds
 *         similarity = 0.8            # gth
 *         credibility = 0.7           # Cth
 *         level = 0.95                # of the tests
 *     outputs
 *         x [m] "range"
 *     quantities
 *         h [m] "altitude"
 *     inputs
 *         f [m/s] "wind velocity"
 *     iterated                        # where links may form a cycle
 *         h
 *     evidence
 *         x = grey("measured.csv:x", "simulated.csv:x")
 *         h = 0.7161                  # a similarity
 *         f = grade 0.9 accept 0.8    # a credibility; its own threshold
 *     links
 *         x <- compose h weight 2
 *         h <- derive f
 *
 * Similarity from series: grey(R, S) the grey relational degree; theil(R, S)
 * one minus the classical coefficient; ttest(R, S) on columns with one value
 * a run, and ftest(R, S) on spectra: one minus the share of the acceptance
 * range that is used up, 0 where the hypothesis of equality is rejected.
 * Series are FILE:COLUMN, relative to the place of the factor file.
 *
 * Links PARENT <- KIND CHILD [weight W] [threshold T] [when N | unless N]:
 *   compose, derive, inherit  the parent depends on the child.  A parent
 *               without evidence takes the weighted mean of what composes
 *               it, the least of what it derives from, what it inherits.
 *   surpass     the child outranks: below the threshold T (Cth where not
 *               given) it makes the parent unacceptable.
 *   substitute  where the parent has no evidence, the child's stands for it.
 *   contradict  both cannot be credible: if both are acceptable, the parent
 *               is not, since one of the two findings is wrong.
 * A link with `when N` holds where factor N is acceptable, `unless N` where
 * it is not.
 */
#ifndef DARC_AGREE_CREDIBILITY_H
#define DARC_AGREE_CREDIBILITY_H

#include "darc/status.h"

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
    size_t factor_alloc, link_alloc;
    darc_factor *factor;    /* owned */
    darc_factor_link *link; /* owned */
} darc_factor_space;

/* Set s to the factor space in n characters of text; file is for messages
 * and for the place of series.
 * Fails: DARC_SYNTAX "file:line:column: error: ..."; DARC_MODEL for names
 * that are not declared or twice, a cycle without an iterated factor. */
DARC_CHECKED darc_status darc_credibility_parse(darc_factor_space *s,
                                                const char *text, size_t n,
                                                const char *file,
                                                darc_err *err);

/* The same from a file.  Fails: DARC_IO too. */
DARC_CHECKED darc_status darc_credibility_read(darc_factor_space *s,
                                               const char *file, darc_err *err);
void darc_credibility_clear(darc_factor_space *s);

/* Find similarity and credibility of every factor; trace defects.
 * Fails: as the series are read; DARC_MODEL for an iterated factor on a cycle
 * that has no evidence of its own. */
DARC_CHECKED darc_status darc_credibility_assess(darc_factor_space *s,
                                                 darc_err *err);

/* Return whether all outputs are acceptable. */
darc_truth darc_credibility_verdict(const darc_factor_space *s);

/* Return C(g) of the header comment; 0 < gth < 1, 0 <= g <= 1. */
double darc_credibility_transform(double g, double gth, double cth);

#endif
