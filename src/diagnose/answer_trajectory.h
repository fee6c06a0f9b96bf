/* answer_trajectory.h - what trajectories tell, as reports have it. */
#pragma once

#include "diagnose/profile.h"
#include "trajectory/compare.h"
#include "trajectory/forcing.h"

/* Return "h' = ...; l' = ...; H = h", to be freed; *terms grows by how many
 * terms there are. */
char *darc_trajectory_equations(const darc_flow *w, int *terms);

/* Set out to what the outputs miss, of all recordings. */
void darc_trajectory_left(darc_residual_summary *out, darc_trajectory *x);

/* Return the *count terms that are missing at alpha / 2, at most `most`; the
 * list and its texts are the caller's. */
darc_missing_term *darc_trajectory_missing(int *count, const darc_forcing *f,
                                           const darc_trajectory *x, int most);

/* Set out[0 ...] to the parameters that are known, with their profiles, and
 * append the names of the others to `hidden`; return how many are known.
 * Texts are the caller's. */
int darc_trajectory_values(darc_estimate *out, darc_text_t hidden,
                           const darc_trajectory *x, const darc_profile *v);

/* Append "k = 1, l = 2; or k = 3, l = 1": other solutions that match as well.
 */
void darc_trajectory_others(darc_text_t out, const darc_trajectory *x,
                            const darc_profile *v);

/* Set out[0 ...] to the parameters that are known in both recordings, with
 * intervals of level 1 - alpha by t; return how many.  Texts are the
 * caller's. */
int darc_trajectory_pair(darc_estimate *out, const darc_trajectory *x,
                         const darc_comparing *c);

/* Append "k = 1.1 (+10 +- 2 %), l = 2 (...)": the parameters of recording r. */
void darc_trajectory_own(darc_text_t out, const darc_trajectory *x,
                         const darc_comparing *c, int r);

/* Set fit[r] to what recording r, by itself, says of the parameters, as
 * estimates of one equation; what it does not tell is NAN.
 * Fails: DARC_DOMAIN. */
DARC_STATUS darc_trajectory_estimates(darc_estimates *fit,
                                      const darc_trajectory *x,
                                      darc_comparing *c, darc_err *err);

/* Return the values of parameters among the estimates of the first recording,
 * by unknown, NAN: none; the caller owns them. */
double *darc_trajectory_near(const darc_model *model,
                             const darc_estimate *value, int values);
