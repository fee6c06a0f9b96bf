/* fixture_io.h - io-equations for tests, from text. */
#ifndef DARC_TESTS_FIXTURE_IO_H
#define DARC_TESTS_FIXTURE_IO_H

#include "projection/ioeq.h"

/* Set io to the equations text[0 .. n-1] over the names "m c d / a z / u"
 * (parameters, outputs, inputs); in the text a parameter reads m, derivative
 * k of a signal y_k, k <= 3. */
void fixture_io(darc_ioeqs_t io, const char *names, const char *const *text,
                int n);

/* Append p, over jet, from text of that kind. */
void fixture_dpoly(darc_dpoly_t p, const char *text, const darc_jet_t jet);

#endif
