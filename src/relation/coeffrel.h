/* coeffrel.h - relations of coefficient vectors that are already at hand. */
#ifndef DARC_RELATION_COEFFREL_H
#define DARC_RELATION_COEFFREL_H

#include "darc/coeffrel.h"
#include "relation/coeffs.h"

/* Set out to the relations of the vectors c, as darc_coeffrel_init does. */
DARC_CHECKED darc_status darc_coeffrel_set_coeffs(darc_coeffrel_t out,
                                                  const darc_coeffs_t c,
                                                  const darc_budget *budget,
                                                  darc_err *err);

#endif
