/* stamps.h - moments from samples as they are stamped.
 *
 * On uneven time, with rows lost, or with signals of several rates, a term N is
 * known at the samples at which all its signals were measured: their stamps are
 * a rate.  The moment is the sum over an even lattice of phi^(d) times the
 * polynomial through the eight samples around each of its places (fewer where
 * their weights would amplify noise).  That is a sum over the samples: what a
 * test function is there, its shape, is the transpose of that interpolation
 * applied to phi^(d), and noise goes through it as it does on even time.  A
 * hole that is long beside the shortest period of the signals ends a stretch.
 */
#ifndef DARC_WEAK_STAMPS_H
#define DARC_WEAK_STAMPS_H

#include "weak/piece.h"

/* Samples at which some signals are there together. */
typedef struct {
    unsigned char *absent; /* by sample of the table; NULL: all; owned */
    double spacing;        /* of its samples on the average, s */
} darc_weak_rate;

struct darc_weak_stamps {
    int rates;
    darc_weak_rate rate[DARC_WEAK_RATES];
    int stretches; /* over which sums go */
    size_t stretch_alloc;
    darc_segment *stretch; /* owned */
};

/* Set weak->dt, and weak->stamps where sums need the times of the table. */
void darc_weak_stamps_new(darc_weak *weak, const darc_weak_data *data);
void darc_weak_stamps_free(darc_weak_stamps *stamps);

/* Return the rate of a term, made if need be; 0 where there are no stamps; the
 * last one where there are more than DARC_WEAK_RATES, which then is only where
 * the signals of all of its terms are. */
int darc_weak_stamps_rate(darc_weak *weak, const darc_weak_data *data,
                          const darc_total_struct *total,
                          const darc_total_term *term);

/* Set stretches, once terms are known; band is the highest frequency that
 * counts, Hz; 0: that of the test functions. */
void darc_weak_stamps_stretch(darc_weak *weak, double band);

/* Cut a part of a stretch down to what lies between samples at which all rates
 * are there. */
darc_segment darc_weak_stamps_trim(const darc_weak_stamps *stamps,
                                   darc_segment s);

/* Set weak->wide, once pieces are known. */
void darc_weak_stamps_widen(darc_weak *weak);

/* Set the windows and shapes of the piece that is loaded. */
void darc_weak_stamps_load(darc_weak_work *work);

#endif
