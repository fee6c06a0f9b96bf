/* identify.h - what the measurements can tell about the parameters: the field F
 * of the ratios of coefficients of io-equations (src/MATHEMATICS.md, 11).
 *
 * The claim is for several recordings together; for a single one it holds where
 * the monomials of every io-equation are linearly independent along it [OPPS],
 * which the check of the data decides.  Membership in F is decided at random
 * points modulo two random primes of 61 bits: wrong with a probability of about
 * degree / 2^60, twice.
 */
#pragma once

#include "algebra/ratios.h"
#include "darc/identify.h"
#include "projection/coeffs.h"
#include "projection/ioeq.h"

typedef struct {
    fmpz_mpoly_ctx_struct *ctx; /* the parameters; owned */
    slong vars;
    char **name;                     /* of the parameters; owned */
    int *unknown;                    /* variable v is unknown[v] of the model */
    darc_identifiability *parameter; /* of variable v; owned */
    bool *confirmed; /* of variable v: global, proved over Q; owned */
    bool *settled;   /* of variable v: local, and not global */
    slong own;       /* variables of the model as written come first; the others
                        stand for functions of these, or of numbers */
    bool *number;    /* of variable v: it stands for one; owned */
    bool *implied; /* of variable v: such a function, of what is known; owned */
    slong dimension; /* independent functions: rank of F */
    slong shown; /* the same where functions of the model start at their values,
                    if that is known */
    bool lost;   /* these show more than F, or perhaps do */
    int experiments; /* recordings that see all of them, to first order; 0:
                        not counted */
    bool complete;   /* the functions generate F, and nothing is lost; otherwise
                        they generate a part of it, and what is called local may
                        be global */
    bool implicit;   /* the model has no solved form: ranks from points alone */
    bool beyond;     /* fibres of the functions are out of reach */
    darc_ratios_t function; /* generators of F, short ones first */
} darc_identification_struct;

typedef darc_identification_struct darc_identification_t[1];

/* Set out to the identifiable functions of the io-equations of model: ratios
 * of coefficients.  The values of coefficients that are not expanded are found
 * by elimination with numbers, ranks by the sensitivities of several
 * experiments; where model is NULL, io is expanded, and both from that.
 * Fails: DARC_DOMAIN when an equation is not expanded and there is no model;
 * DARC_LIMIT on a spent budget. */
DARC_STATUS darc_identification_init_field(darc_identification_t out,
                                           const darc_ioeqs_t io,
                                           const darc_model *model,
                                           const darc_budget *budget,
                                           darc_err *err);

/* The same by coefficients whose ratios generate F (identify/response.c), which
 * it takes over.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_identification_init_response(darc_identification_t out,
                                              darc_coeffs_t c,
                                              const darc_model *model,
                                              const darc_budget *budget,
                                              darc_err *err);

/* Take into `to` what is known in `more`, of the same model with functions that
 * became states measured: all of them, or some. */
void darc_identification_widen_take(darc_identification_t to,
                                    darc_identification_t more, bool all);

/* Replace the functions by short ones that generate the same field, if that
 * takes no more than DARC_GENERATORS_WORK; on failure id stays.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_identification_shorten(darc_identification_t id,
                                        const darc_budget *budget,
                                        darc_err *err);

/* Set out to what is known without any elimination, in milliseconds: rank,
 * and of every parameter whether it is identifiable at least locally; no
 * functions.
 * Fails: DARC_DOMAIN when the model has no solved form; DARC_LIMIT. */
DARC_STATUS darc_identification_init_local(darc_identification_t out,
                                           const darc_model *model,
                                           const darc_budget *budget,
                                           darc_err *err);
void darc_identification_clear(darc_identification_t f);

/* Say which variables the model was written with: id->own. */
void darc_identification_set_own(darc_identification_t id,
                                 const darc_model *model);

/* Take in that parameters stand for functions of others, or of numbers:
 * sqrt(k), log(K), sqrt(2), each fixed by its argument, the argument mostly by
 * it.  The functions then generate the field with all of these.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_identification_bind(darc_identification_t id,
                                     const darc_model *model,
                                     const darc_budget *budget, darc_err *err);

/* Return whether such an argument is not known: what explains a change of it is
 * not in the functions then. */
bool darc_identification_hides(darc_identification_t id,
                               const darc_model *model);

/* Before that: list these functions; what an argument says is not known. */
void darc_identification_doubt(darc_identification_t id,
                               const darc_model *model);

/* Append function k in the model language: "c/m", "(a + b)/(c*d)". */
void darc_identification_print(darc_text_t out, const darc_identification_t f,
                               slong k);

/* ---- short generators of a field of functions, and proofs that variables are
 * in it */

/* Set gen (initialised, empty) to generators of the field of the ratios:
 * polynomials of low degree, quotients by a parameter, then the ratios
 * themselves; none is superfluous.  parameter[v] is known for every
 * parameter.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS
darc_generators_find(darc_ratios_t gen, const darc_ratios_t ratio,
                     const darc_identifiability *parameter,
                     const darc_budget *budget, darc_err *err);

/* Set proved[v], of the variables for which it is true, to whether they are
 * proved to be in Q(f) over the rationals, as a quotient of low degree; false
 * says nothing. */
void darc_confirm(bool *proved, const darc_ratios_t f);

/* ---- the field F of a model that is linear with constant coefficients, by its
 * transfer functions (src/MATHEMATICS.md, 11) */

/* Set c to the coefficients of the numerators and the common denominator of the
 * transfer functions of a model with several outputs, one vector, whose ratios
 * generate F; return whether they do: where all of this is controlled and seen,
 * and is not too long. */
bool darc_response_coeffs(darc_coeffs_t c, const darc_model *model,
                          const darc_budget *budget);
