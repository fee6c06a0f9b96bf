/* thresholds.h - the numbers that decide something in this room. */
#pragma once

/* A function of other arguments is of at most this degree in those of the
 * basis; beyond, it is another unknown. */
#define DARC_SHARED_DEGREE 12
/* Terms of all arguments of a kind of functions, at most. */
#define DARC_SHARED_TERMS 200
