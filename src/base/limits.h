/* limits.h - every limit on input, in one place; one test per limit. */
#pragma once

/* Model language. */
#define DARC_MAX_MODEL_BYTES (1 << 20)
#define DARC_MAX_NAME 64      /* characters of a name */
#define DARC_MAX_UNKNOWNS 500 /* declared names */
#define DARC_MAX_EQUATIONS 500
#define DARC_MAX_NESTING 200        /* parentheses and operators in a tree */
#define DARC_MAX_FORM 1000          /* operations in what asinh is taken of */
#define DARC_MAX_ORDER 30           /* of a derivative written in a model */
#define DARC_MAX_EXPONENT 100       /* of a power written in a model */
#define DARC_MAX_DIGITS 400         /* of a number; decimal exponent too */
#define DARC_MAX_MODEL_TERMS 100000 /* of one equation when expanded */
#define DARC_MAX_DEGREE 1000        /* total degree of an equation */
#define DARC_MAX_COEFFICIENT_BITS 100000 /* of a number in an equation */

/* Data. */
#define DARC_MAX_COLUMNS 10000
#define DARC_MAX_FIELD 4096         /* bytes of one CSV field */
#define DARC_MAX_LINE (1 << 20)     /* bytes of one CSV line */
#define DARC_MAX_PARTS 10000        /* recordings of one long table */
#define DARC_MAX_SAMPLES 1000000000 /* of a simulation */

/* Differences. */
#define DARC_MAX_WINDOW 9999  /* samples of a Savitzky-Golay window */
#define DARC_MAX_SG_DEGREE 20 /* of its polynomial */
/* Elimination. */
#define DARC_MAX_FRAME_ORDER 200 /* of a derivative met on the way */

/* Relations. */
#define DARC_MAX_EXPANDED_TERMS 200000 /* of an expanded relation */

/* Characters in which a name may differ from the one that is meant: one below
 * six characters (another one in "mass" or "time" is another word), a third in
 * longer ones.  Tried, with the tests of syntax and model: 4 .. 8, and 3 .. 4;
 * at a half far names are offered. */
#define DARC_SUGGEST_SHORT 6
#define DARC_SUGGEST_SHARE 3
