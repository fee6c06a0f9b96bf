/* sample.h - a small differential ring and random polynomials for tests. */
#ifndef DARC_TESTS_SAMPLE_H
#define DARC_TESTS_SAMPLE_H

#include "algebra/dpoly.h"

enum { SAMPLE_X, SAMPLE_K, SAMPLE_Y, SAMPLE_U, SAMPLE_TIME, SAMPLE_NAMES };

/* Set names to x (state), k (parameter), y (output), u (input), time. */
void test_sample_names(darc_names_t names);

/* Set jet to derivatives up to `order` of that ring, under the ranking given
 * as text ("": the default one). */
void test_sample_init(darc_jet_t jet, const char *ranking, int order);

/* Set p to a random polynomial of a few terms that has derivatives of order
 * jet->bound[SAMPLE_X] - room at most. */
void test_sample_random(darc_dpoly_t p, flint_rand_t state, int room,
                        const darc_jet_t jet);

/* Return the printed polynomial; the text lives until the next call. */
const char *test_sample_text(const darc_dpoly_t p, const darc_jet_t jet);

#endif
