/* thresholds.h - what limits and decides in decompositions. */
#pragma once

/* A system is taken for one in solved form when its decomposition under a
 * ranking that suits it ends within so many steps for each equation, with no
 * remainder of more terms.  Beyond it is split like any other: time, and that
 * components may come out in more pieces. */
#define DARC_PRIME_STEPS 20
#define DARC_PRIME_TERMS 2000

/* Random fibres before a contradiction between fibre and gcd stands: one
 * contradicts by bad luck with a probability of at most degree/2^59. */
#define DARC_REGULAR_FIBRES 3

/* Dimension of the residue ring of a fibre: its matrices of multiplication
 * take 512^3 = 1.3e8 products, a tenth of a second.  Beyond, whether a chain is
 * regular remains open. */
#define DARC_TOWER_MAX_DIM 512

/* Terms of an inequation that is factored: only separants get longer, and what
 * is cancelled are initials.  Time, and how inequations are listed. */
#define DARC_BRANCH_FACTORED 2000

/* An equation of a component is reduced fully, not only partially, where it
 * gets at most so many times, plus so many, terms: how components look. */
#define DARC_AUTOREDUCE_FACTOR 4
#define DARC_AUTOREDUCE_TERMS 200
