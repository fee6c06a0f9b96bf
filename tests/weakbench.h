/* weakbench.h - recordings of the quarter car held against a model in the
 * weak form. */
#ifndef DARC_TESTS_WEAKBENCH_H
#define DARC_TESTS_WEAKBENCH_H

#include "../bench/weak_cases.h"
#include "decide/weakcheck.h"

typedef struct {
    darc_model *model;
    darc_ioeqs_t io;
    uint64_t exact, state; /* of the signals, of their noise */
} weakbench;

/* 10 s at 500 Hz with noise of 1 %. */
extern const case_options weakbench_usual;

void weakbench_open(weakbench *b, const char *model, uint64_t seed);
void weakbench_close(weakbench *b);

/* Return the next recording of the quarter car, a and z. */
darc_table *weakbench_record(weakbench *b, const case_options *o);
void weakbench_release(darc_table *t);

/* The default options but for the tolerance. */
darc_weakcheck_options weakbench_tolerance(double tolerance);

/* Hold a table against io-equation 0; two of them against each other, the
 * parameters whose one-letter names are in `changed` (NULL: all are shared)
 * being free. */
void weakbench_structure(darc_weakcheck *out, weakbench *b, const darc_table *t,
                         const darc_weakcheck_options *w);
void weakbench_pair(darc_weakcheck *out, weakbench *b,
                    const darc_table *const pair[2], const char *changed,
                    double tolerance);

#endif
