/* thresholds.h - the numbers that decide how long a nearest behaviour is
 * sought, and a proof that there is none nearer. */
#pragma once

/* The nearest behaviour over a band.  Frequencies, and room for those at which
 * the deviation turns out to be larger; every so many screen places; those by
 * which the largest deviation is then found.  Random places for each parameter,
 * and those from which a search sets out; its steps at most; the largest
 * logarithm of a parameter; the power whose mean stands for the largest: of 100
 * values no more than 0.2 % below.  Time alone, but for what is found. */
#define DARC_NEAREST_GRID 96
#define DARC_NEAREST_POINTS 112
#define DARC_NEAREST_STRIDE 6
#define DARC_NEAREST_FINE 2000
#define DARC_NEAREST_TRIES 3000
#define DARC_NEAREST_STARTS 64
#define DARC_NEAREST_STEPS 150
#define DARC_NEAREST_RANGE 46
#define DARC_NEAREST_POWER 4096

/* A proof that there is no nearer one: frequencies, and the bits to which they
 * are rounded.  The more there are the more is proved, and the longer it takes.
 */
#define DARC_BEYOND_POINTS 32
#define DARC_BEYOND_BITS 30

/* Parameters from which on boxes are tried last; monomials of parameters in a
 * form, at most.  Time alone. */
#define DARC_BEYOND_MANY 4
#define DARC_BEYOND_MONOMIALS 16
