/* weakbench.h - recordings held against a model in the weak form. */
#ifndef DARC_TESTS_WEAKBENCH_H
#define DARC_TESTS_WEAKBENCH_H

#include "../bench/weak_cases.h"
#include "decide/judgement.h"

enum { WEAKBENCH_EQUATIONS = 4 };

typedef struct {
    darc_model *model;
    darc_ioeqs_t io;
    darc_criteria by; /* the defaults, to be changed at will */
    int equation[WEAKBENCH_EQUATIONS];
    darc_question x;       /* about all equations; points into this */
    uint64_t exact, state; /* of the signals, of their noise */
} weakbench;

/* 10 s at 500 Hz with noise of 1 %. */
extern const case_options weakbench_usual;

void weakbench_open(weakbench *b, const char *model, uint64_t seed);
void weakbench_close(weakbench *b);

/* Return a recording with two signals of these one-letter names. */
darc_table *weakbench_case(weakbench *b, case_kind kind, const char *names,
                           const case_options *o);

/* Return the next recording of the quarter car, a and z. */
darc_table *weakbench_record(weakbench *b, const case_options *o);

/* Return c y' + k y = u, k = 1, two sines of y: 20 s at 100 Hz, noise of the
 * standard deviation sd and on u, not recorded, a wind of `gust` that lasts for
 * a second. */
darc_table *weakbench_lag(weakbench *b, double c, double sd, double gust);

/* m a' + c a = z^3: the cube of a line at .35 of the sampling rate folds back
 * into the band; a lag of so many samples. */
extern const char weakbench_cubic[];
darc_table *weakbench_cube(weakbench *b, double lag);
void weakbench_release(darc_table *t);

/* Set changed[u] of the parameters whose one-letter names are given. */
void weakbench_name(bool *changed, const weakbench *b, const char *names);

/* Judge; the parameters named in `changed` (NULL: none) may differ. */
void weakbench_structure(darc_judgement *out, const weakbench *b,
                         const darc_table *t);
void weakbench_pair(darc_judgement *out, const weakbench *b,
                    const darc_table *t, const darc_table *u,
                    const char *changed);

/* The same, and no more than the verdict; *d gets the decision unless NULL. */
darc_verdict weakbench_holds(const weakbench *b, const darc_table *t,
                             darc_decision *d);
darc_verdict weakbench_compares(const weakbench *b, const darc_table *t,
                                const darc_table *u, const char *changed,
                                darc_decision *d);

/* Make coefficient `reference` of equation q that of fit; false where it is 0.
 */
bool weakbench_refer(darc_gls *fit, int q, int reference);

#endif
