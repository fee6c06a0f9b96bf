/* field.h - the field of identifiable functions by a few of its generators:
 * simple ratios of coefficients, interpolated (src/MATHEMATICS.md, 11). */
#ifndef DARC_IDENTIFY_FIELD_H
#define DARC_IDENTIFY_FIELD_H

#include "coefficient/blackbox.h"
#include "identify/fibre.h"
#include "identify/thresholds.h"

typedef struct {
    const fmpz_mpoly_ctx_struct *ctx; /* the parameters; not owned */
    slong rank;                       /* of F */
    darc_ratios_t ratio;              /* in F; they generate it if complete */
    bool complete;
    bool sliced; /* the slices are there; else the ratios alone are known to be
                    in F */
    slong evaluations;                   /* of the coefficients that it took */
    darc_fibre slice[DARC_FIELD_PRIMES]; /* of fibres of ratio */
} darc_field_struct;

typedef darc_field_struct darc_field_t[1];

/* Set f to generators of the field of g, whose rank is given; ctx has the
 * parameters of g in their order as variables.  Where the coefficients are
 * too complex for that, or DARC_FIELD_WORK is spent, f is not complete and
 * generates a part of the field. Fails: DARC_LIMIT on a spent budget;
 * DARC_DOMAIN when g has no values. */
DARC_CHECKED darc_status darc_field_init(darc_field_t f,
                                         const fmpz_mpoly_ctx_struct *ctx,
                                         darc_blackbox_t g, slong rank,
                                         const darc_budget *budget,
                                         darc_err *err);
void darc_field_clear(darc_field_t f);

/* Set f to the field of no ratios, to which more may be appended. */
void darc_field_open(darc_field_t f, const fmpz_mpoly_ctx_struct *ctx);

/* Set the slices to those of f->ratio.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_CHECKED darc_status darc_field_slice(darc_field_t f,
                                          const darc_budget *budget,
                                          darc_err *err);

/* Return whether num/den is in the field of the ratios: whether it is
 * constant on fibres modulo two primes, or one of them. */
bool darc_field_contains(const darc_field_t f, const fmpz_mpoly_t num,
                         const fmpz_mpoly_t den);

#endif
