/* thresholds.h - what limits and decides in pointwise relations. */
#pragma once

/* Columns of a determinant that is expanded: 2^14 minors. */
#define DARC_MAX_MINOR_COLUMNS 14

/* The products on the way to an expanded relation may have this many times the
 * terms that the relation itself may have; a minor a quarter of that. */
#define DARC_EXPAND_FACTOR 50.0

/* Terms of an initial or separant that is factored: how inequations are
 * listed. */
#define DARC_EXPAND_FACTORED 5000

/* Relations between the coefficients that close one matrix: all of them
 * follow, and each costs the evaluation of the matrix. */
#define DARC_MAX_CLOSINGS 3
