/* parts.h - what text, JSON and code of an elimination have in common. */
#pragma once

#include "emit/emit.h"
#include "emit/json.h"

/* Return "structure", "equal" or "changed". */
const char *darc_emit_test(darc_test test);

/* Begin a comment line in the language of the output. */
DARC_PRINTF(3, 4)
void darc_emit_comment(darc_text_t out, const darc_emit *how,
                       const char *format, ...);

/* Append p in the language of text or LaTeX; "p = 0" or "p != 0" as a line. */
void darc_emit_poly(darc_text_t out, const darc_dpoly_t p, const darc_jet_t jet,
                    const darc_emit *how);
void darc_emit_line(darc_text_t out, const darc_dpoly_t p, bool vanishes,
                    const darc_jet_t jet, const darc_emit *how);

/* Return the highest order of a derivative in p, 0 if there is none. */
int darc_emit_order(const darc_dpoly_t p, const darc_jet_t jet);

/* Return whether unknown u stands in an equation. */
bool darc_emit_holds(const darc_ioeqs_t io, int u);

/* Append the unit of the terms of p, nothing where it is not known. */
void darc_emit_unit(darc_text_t out, const darc_dpoly_t p, const darc_jet_t jet,
                    const darc_model *model);

/* Return h in the names c0, c1, ...; to be freed with flint_free. */
char *darc_emit_closing(const darc_relation *r);

/* Set m to the monomials of p, or of the signals in eq. */
void darc_emit_monomials(darc_dpolys_t m, const darc_dpoly_t p,
                         const darc_jet_t jet);
void darc_emit_support(darc_dpolys_t m, const darc_ioeq *eq,
                       const darc_jet_t jet);

void darc_code_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how);
void darc_code_polys(darc_text_t out, const darc_dpolys_t p,
                     const darc_jet_t jet, const darc_emit *how);

void darc_json_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how);
void darc_json_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how);
void darc_json_components(darc_text_t out, const darc_decomposition_t d,
                          const darc_emit *how);

/* The parts of JSON: begin of the document, polynomials, relations with the
 * name of their test. */
void darc_emit_json_begin(darc_json *j, darc_text_t out, const darc_emit *how);
void darc_emit_json_poly(darc_json *j, const char *key, const darc_dpoly_t p,
                         const darc_jet_t jet);
void darc_emit_json_polys(darc_json *j, const char *key, const darc_dpolys_t p,
                          const darc_jet_t jet);
void darc_emit_json_relations(darc_json *j, const darc_relations_struct *r,
                              const darc_emit *how);

void darc_text_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how);
void darc_text_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how);
void darc_text_components(darc_text_t out, const darc_decomposition_t d,
                          const darc_emit *how);
