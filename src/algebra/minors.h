/* minors.h - determinants by minors that are kept, for entries of any kind.
 *
 * Lines, rows or columns of a matrix, are taken one after the other; of every
 * set of places in them that has a minor with the lines so far, the minor is
 * kept, unless it is 0.  Matrices of coupled bodies, tanks or meshes are
 * sparse, so that the sets are few: n^2 for a chain of n, at most 2^n.
 */
#pragma once

#include "base/flint.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A product that a minor is made of: Laplace's expansion along its last line.
 * Entries and minors are of one type. */
typedef struct {
    const void *entry, *rest;
    int sign; /* 1 or -1 */
    slong place;
    uint64_t set; /* of the minor */
} darc_minor_product;

/* The type of the entries; it may be moved in memory. */
typedef struct {
    size_t size;   /* bytes */
    size_t length; /* offset of an slong that is 0 where the entry is 0 */
    /* Initialise minor and set it to the sum of n products; clear is called
     * even if that fails. */
    darc_status (*sum)(void *minor, const darc_minor_product *p, slong n,
                       void *user, darc_err *err);
    void (*clear)(void *x, void *user);
    void *user;
} darc_minor_type;

typedef struct {
    darc_minor_type type;
    slong places;      /* of a line, at most 64 */
    slong count, most; /* most: beyond, DARC_DOMAIN */
    uint64_t *set;     /* ascending; owned */
    void *minor;       /* minor i is at byte i * type.size; owned */
} darc_minors;

/* Set m to the one minor of no lines: one, an entry that is 1. */
void darc_minors_init_take(darc_minors *m, const darc_minor_type *type,
                           void *one, slong places, slong most);
void darc_minors_clear(darc_minors *m);

/* Replace the minors by those with one line more, whose entries stand at line,
 * `stride` entries apart.
 * Fails: DARC_DOMAIN when they are too many, else as type.sum. */
DARC_STATUS darc_minors_add(darc_minors *m, const void *line, slong stride,
                            darc_err *err);

/* Return the minor of a set, NULL where it is 0. */
void *darc_minors_get(const darc_minors *m, uint64_t set);

/* For minors of polynomials over the integers: their ring, and what says, of a
 * product of so many products of terms and of a sum so long, whether the work
 * may go on. */
typedef struct {
    const fmpz_mpoly_ctx_struct *ctx;
    darc_status (*check)(double product, slong length, void *user,
                         darc_err *err);
    void *user;
} darc_minor_polys;

/* Set m to the one minor of no lines, 1; m keeps p. */
void darc_minors_init_polys(darc_minors *m, darc_minor_polys *p, slong places,
                            slong most);
