/* coeffrel.h - relations of coefficient vectors that are already at hand, or
 * known as programs. */
#ifndef DARC_RELATION_COEFFREL_H
#define DARC_RELATION_COEFFREL_H

#include "darc/coeffrel.h"
#include "relation/coefficients.h"

/* Set out to the relations of the vectors c, as darc_coeffrel_init does. */
DARC_CHECKED darc_status darc_coeffrel_set_coeffs(darc_coeffrel_t out,
                                                  const darc_coeffs_t c,
                                                  const darc_budget *budget,
                                                  darc_err *err);

/* Set out to the relations of equation `equation` (-1: all) of g, whose
 * coefficients need not be known as polynomials; changed as for
 * darc_coeffrel_init.  Ratios that a change leaves alone are found in any case;
 * further relations, and the dimension, as far as `work` products of terms go.
 * Fails: as darc_coefficients_at. */
DARC_CHECKED darc_status darc_coeffrel_init_program(darc_coeffrel_t out,
                                                    darc_coefficients_t g,
                                                    int equation,
                                                    const bool *changed,
                                                    double work, darc_err *err);

#endif
