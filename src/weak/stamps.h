/* stamps.h - moments from samples as they are stamped.
 *
 * On uneven time, with rows lost, or with signals of several rates, a term N is
 * known at the samples at which all its signals were measured: their stamps are
 * a rate.  The moment is the sum over an even lattice of phi^(d) times the
 * polynomial of the samples around each of its places (stats/uneven.h).  Noise
 * goes through the same weights: what a test function is at the samples is the
 * transpose of that interpolation applied to phi^(d).  A
 * hole that is long beside the shortest period of the signals ends a stretch.
 */
#pragma once

#include "weak/piece.h"

struct darc_weak_stamps {
    int rates; /* samples at which some signals are there together */
    unsigned char *absent[DARC_WEAK_RATES]; /* by sample of the table, those at
                                               which not; NULL: none; owned */
    double spacing[DARC_WEAK_RATES]; /* of samples, places, on the average */
    double turn;                     /* of what counts, rad a place */
    int stretches;                   /* over which sums go */
    darc_segment *stretch;           /* owned */
    double *gain; /* by piece and rate; 0: not known yet; owned */
};

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

/* Return the places of the lattice that so many functions see. */
size_t darc_weak_places(const darc_weak *weak, int functions);

/* Make and free what a work needs of lattices. */
void darc_weak_stamps_init(darc_weak_work *work);
void darc_weak_stamps_clear(darc_weak_work *work);

/* Set the windows of a piece. */
void darc_weak_stamps_windows(darc_weak_work *work,
                              const darc_weak_piece *piece);

/* Set the windows and lattices of the piece that is loaded, unless they are;
 * needed by darc_weak_stamps_spread. */
void darc_weak_stamps_place(darc_weak_work *work);

/* Return f, by sample of the piece, at the places of the lattice: work->place.
 */
const double *darc_weak_stamps_even(darc_weak_work *work, int rate,
                                    const double *f);

/* The transpose of that: add to out, by sample of the piece, what places of
 * the lattice have, f from the first of them on. */
void darc_weak_stamps_spread(double *out, const darc_weak_work *work, int rate,
                             const double *f, darc_segment places);

/* Return, by rate, how many times as much white noise adds to the functions of
 * the piece as it does on even time; NULL: that varies along the piece. */
const double *darc_weak_stamps_gain(darc_weak_work *work);
