/* evidence.h - the similarity of a factor's series. */
#ifndef DARC_AGREE_EVIDENCE_H
#define DARC_AGREE_EVIDENCE_H

#include "agree/credibility.h"

/* Set *similarity of the factor, 0 .. 1, from its series.
 * Fails: as the series are read and as the analysis refuses them, with the
 * place of the evidence. */
DARC_CHECKED darc_status darc_evidence_similarity(double *similarity,
                                                  const darc_factor *f,
                                                  const darc_factor_space *s,
                                                  darc_err *err);

#endif
