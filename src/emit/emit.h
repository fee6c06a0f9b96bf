/* emit.h - io-equations, relations and components as text, LaTeX, JSON, and
 * as C and Python code that evaluates them.
 *
 * Text and JSON give polynomials in the model language: they read back.
 * Code takes the values of the derivatives that occur, in the order of the
 * table `darc_input_I` that stands in it; C for one sample, Python (NumPy) for
 * arrays of samples.
 */
#pragma once

#include "algebra/partial.h"
#include "chain/elim.h"
#include "projection/ioeq.h"
#include "relation/relation.h"

typedef enum {
    DARC_FORMAT_TEXT,
    DARC_FORMAT_LATEX,
    DARC_FORMAT_JSON,
    DARC_FORMAT_C,
    DARC_FORMAT_PYTHON
} darc_format;

/* How to write; `model` names the model in headings and JSON. */
typedef struct {
    darc_format format;
    const char *model, *file;
    bool summary; /* orders, terms and degrees alone */
    bool support; /* io-equations: the monomials in the signals alone */
    const darc_model *units; /* whose functions are told, with io-equations the
                                units; NULL: none */
    const char *advice;      /* beside partial results; NULL: none */
} darc_emit;

/* Append the relations.  C: darc_residual_I(x) and darc_scale_I(x) (the sum
 * of the absolute values of the terms) for relation I in expanded form;
 * darc_matrix_I(x, m), which fills the rows of the matrix and `last`, and
 * darc_residual_I(x) by elimination with pivots, in matrix form.  Python: the
 * same names. */
void darc_emit_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how);

/* Append the io-equations; code evaluates darc_residual_I(x) with the
 * parameters among the inputs. */
void darc_emit_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how);

/* Append the components: their equations and inequations.  Code evaluates
 * darc_residual_I(x), I counting the equations of all components. */
void darc_emit_components(darc_text_t out, const darc_decomposition_t d,
                          const darc_emit *how);

/* Append what an elimination has reached, marked as partial; in code as
 * comments alone. */
void darc_emit_partial(darc_text_t out, const darc_partial_t p,
                       const darc_emit *how);
