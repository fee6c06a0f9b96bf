/* emit_inside.h - what the writers of emit_*.c share. */
#ifndef DARC_EMIT_EMIT_INSIDE_H
#define DARC_EMIT_EMIT_INSIDE_H

#include "emit/emit.h"
#include "emit/json.h"

/* Return "structure", "equal" or "changed". */
const char *darc_emit_test(darc_test test);

/* Return the highest order of a derivative in p, 0 if there is none. */
int darc_emit_order(const darc_dpoly_t p, const darc_jet_t jet);

/* Return h in the names c0, c1, ...; to be freed with flint_free. */
char *darc_emit_closing(const darc_relation *r);

/* Return whether equation p of a component is to be shown. */
bool darc_emit_is_kept(const darc_dpoly_t p, const darc_jet_t jet,
                       const bool *keep);

/* Append the monomials of the signals in eq to m. */
void darc_emit_support(darc_dpolys_t m, const darc_ioeq *eq,
                       const darc_jet_t jet);

/* Text and LaTeX. */
void darc_text_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how);
void darc_text_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how);
void darc_text_components(darc_text_t out, const darc_decomposition_t d,
                          const bool *keep, const darc_emit *how);

/* JSON. */
void darc_json_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how);
void darc_json_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how);
void darc_json_components(darc_text_t out, const darc_decomposition_t d,
                          const bool *keep, const darc_emit *how);

/* The parts of JSON: begin and end of the document, a polynomial, relations
 * with the name of their test. */
void darc_emit_json_begin(darc_json *j, darc_text_t out, const darc_emit *how);
void darc_emit_json_end(darc_json *j, darc_text_t out);
void darc_emit_json_poly(darc_json *j, const char *key, const darc_dpoly_t p,
                         const darc_jet_t jet);
void darc_emit_json_relations(darc_json *j, const darc_relations_struct *r,
                              const darc_emit *how);

/* C and Python. */
void darc_code_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how);
void darc_code_polys(darc_text_t out, const darc_dpolys_t p,
                     const darc_jet_t jet, const darc_emit *how);

#endif
