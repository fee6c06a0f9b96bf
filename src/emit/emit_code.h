/* emit_code.h - eliminations as code that evaluates them. */
#ifndef DARC_EMIT_EMIT_CODE_H
#define DARC_EMIT_EMIT_CODE_H

#include "emit/emit.h"

void darc_code_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how);
void darc_code_polys(darc_text_t out, const darc_dpolys_t p,
                     const darc_jet_t jet, const darc_emit *how);

#endif
