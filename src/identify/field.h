/* field.h - the field of identifiable functions by a few of its generators:
 * simple ratios of coefficients, interpolated (src/MATHEMATICS.md, 11). */
#pragma once

#include "coefficient/blackbox.h"
#include "identify/fibre.h"
#include "identify/thresholds.h"

typedef struct {
    const fmpz_mpoly_ctx_struct *ctx; /* the parameters; not owned */
    slong rank;                       /* of F */
    darc_ratios_t ratio;              /* in F; they generate it if complete */
    slong raw; /* so many first of them are ratios of coefficients; then come
                  parameters that these fix, modulo two primes */
    bool complete;
    const bool *number; /* variables that are known; NULL: none; not owned */
    bool *moves;        /* variables seen not to be in F; NULL: none; owned */
    bool beyond; /* one fibre of the ratios takes more than DARC_FIELD_WORK */
    bool sliced; /* the slices are there; else the ratios alone are known to be
                    in F */
    slong evaluations;                   /* of the coefficients that it took */
    darc_fibre slice[DARC_FIELD_PRIMES]; /* of fibres of ratio */
} darc_field_struct;

typedef darc_field_struct darc_field_t[1];

/* Set f, which is open, to generators of the field of g, whose rank f has; its
 * ring has the parameters of g in their order as variables.  local: those that
 * are identifiable locally; NULL: not known.  Where the coefficients are
 * too complex for that, or DARC_FIELD_WORK is spent, f is not complete and
 * generates a part of the field; on failure it is cleared.
 * Fails: DARC_LIMIT on a spent budget; DARC_DOMAIN when g has no values. */
DARC_STATUS darc_field_find(darc_field_t f, darc_blackbox_t g,
                            const bool *local, const darc_budget *budget,
                            darc_err *err);
void darc_field_clear(darc_field_t f);

/* Set f to the field of no ratios, to which more may be appended. */
void darc_field_open(darc_field_t f, const fmpz_mpoly_ctx_struct *ctx);

/* Set the slices to those of f->ratio.
 * Fails: DARC_LIMIT on a spent budget. */
DARC_STATUS darc_field_slice(darc_field_t f, const darc_budget *budget,
                             darc_err *err);

/* Return whether num/den is in the field of the ratios: whether it is
 * constant on fibres modulo two primes, or one of them. */
bool darc_field_contains(const darc_field_t f, const fmpz_mpoly_t num,
                         const fmpz_mpoly_t den);

/* ---- which ratios of coefficients, a black box, are simple, and their
 * interpolation: parameters and degrees by values at a base point, beside it,
 * and on a random line */

/* Values of all coefficients at random points modulo one prime. */
typedef struct {
    nmod_t mod;
    slong count;
    ulong *x;     /* parameters of point i at i * vars; owned */
    ulong *value; /* coefficients there at i * entries; owned */
} darc_pool;

/* A ratio: entry j over entry k of one equation. */
typedef struct {
    slong j, k;
    slong used;    /* parameters it depends on */
    ulong mask;    /* a hash of which */
    ulong key;     /* equal for equal ratios up to a number and inversion */
    int num, den;  /* degrees of numerator and denominator */
    double weight; /* unknowns of an interpolation */
} darc_pair;

typedef struct {
    darc_blackbox_struct *g;
    nmod_t mod;
    slong entries;
    ulong *x, *base; /* the base point and the values there; owned */
    ulong *beside; /* at v * entries: parameter v is another, or derivatives by
                      it; part of base */
    ulong *line;   /* at i * entries: place i + 1 of the line; likewise */
    bool *pinned;  /* parameters that stay as they are at the base; owned */
    flint_rand_t rand;
    darc_pool pool[DARC_POOLS]; /* modulo one prime each, the last for checks */
} darc_probe_struct;

typedef darc_probe_struct darc_probe_t[1];

/* Evaluate g as above, at point n of a sequence.
 * Fails: DARC_LIMIT on a spent budget; DARC_DOMAIN as g does. */
DARC_STATUS darc_probe_init(darc_probe_t s, darc_blackbox_t g, int n,
                            darc_err *err);
void darc_probe_clear(darc_probe_t s);

/* Pin parameter v as well: ratios are seen as functions of the others alone,
 * modulo the probe's prime, and pool 0 is filled anew with such points.
 * Fails: DARC_LIMIT on a spent budget; DARC_DOMAIN as g does. */
DARC_STATUS darc_probe_pin(darc_probe_t s, const bool *v, darc_err *err);

/* Set *pair (owned by the caller) to the different ratios found, those of
 * fewest unknowns first; return their number.  Of many ratios in the same
 * parameters only some are tried.  differ: values of the coefficients at two
 * points modulo the probe's prime; only ratios that differ there count
 * (NULL: all). */
slong darc_probe_pairs(darc_pair **pair, const darc_probe_t s,
                       ulong *const *differ);

/* Append the ratio p, in lowest terms up to a number, to f, ratios of the
 * parameters; *found: it could be interpolated, and is new.
 * Fails: as darc_probe_init. */
DARC_STATUS darc_probe_fit(darc_ratios_t f, bool *found, const darc_pair *p,
                           darc_probe_t s, darc_err *err);

/* Set q, in a ring of the parameters modulo the probe's prime, to
 * num*den(x) - num(x)*den of the ratio p, x the base point; pinned parameters
 * are numbers, and pool 0 is one of the same prime.
 * *found: it could be interpolated.
 * Fails: as darc_probe_init. */
DARC_STATUS darc_probe_equation(nmod_mpoly_t q, bool *found, const darc_pair *p,
                                darc_probe_t s, const nmod_mpoly_ctx_t ctx,
                                darc_err *err);

/* ---- parameters in the field that ratios fix one after the other */

/* Of parameters that are identifiable locally, in[v], leave those that are seen
 * to be in the field of g, whose coefficients are a black box: modulo two
 * primes, a ratio that depends on pinned parameters and few others is
 * interpolated at their values, what such ratios fix is pinned, and so on.  Set
 * moves[v] where one is seen not to be: it has another value at a point with
 * the same coefficients.
 * Fails: DARC_LIMIT on a spent budget; DARC_DOMAIN as g does. */
DARC_STATUS darc_field_pin(bool *in, bool *moves, darc_blackbox_t g,
                           const darc_budget *budget, darc_err *err);
