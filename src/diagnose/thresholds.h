/* thresholds.h - the numbers that decide in this room. */
#ifndef DARC_DIAGNOSE_THRESHOLDS_H
#define DARC_DIAGNOSE_THRESHOLDS_H

/* Parameters of the largest sets that are asked about unless told, and sets in
 * all (chosen: what can be read, and computed in minutes). */
enum { DARC_ISOLATE_SIZE = 3, DARC_ISOLATE_SETS = 500 };

/* Products of terms that points of a program may take for all sets of a size:
 * seconds. */
#define DARC_ISOLATE_WORK 1e7

/* Points at which one set is held against another: modulo primes one tells. */
#define DARC_EXPLAIN_TRIALS 3

/* Parameters, and coefficients, of which relations are sought (chosen: the
 * cost). */
#define DARC_EXPLAIN_PARAMETERS 20
#define DARC_EXPLAIN_ENTRIES 128

#endif
