/* emit_json.h - eliminations as JSON. */
#ifndef DARC_EMIT_EMIT_JSON_H
#define DARC_EMIT_EMIT_JSON_H

#include "emit/emit.h"
#include "emit/json.h"

void darc_json_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how);
void darc_json_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how);
void darc_json_components(darc_text_t out, const darc_decomposition_t d,
                          const bool *keep, const darc_emit *how);

/* The parts of JSON: begin of the document, a polynomial, relations
 * with the name of their test. */
void darc_emit_json_begin(darc_json *j, darc_text_t out, const darc_emit *how);
void darc_emit_json_poly(darc_json *j, const char *key, const darc_dpoly_t p,
                         const darc_jet_t jet);
void darc_emit_json_relations(darc_json *j, const darc_relations_struct *r,
                              const darc_emit *how);

#endif
