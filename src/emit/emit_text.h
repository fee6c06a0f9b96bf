/* emit_text.h - eliminations as text and LaTeX. */
#ifndef DARC_EMIT_EMIT_TEXT_H
#define DARC_EMIT_EMIT_TEXT_H

#include "emit/emit.h"

void darc_text_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how);
void darc_text_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how);
void darc_text_components(darc_text_t out, const darc_decomposition_t d,
                          const bool *keep, const darc_emit *how);

#endif
