/* thresholds.h - the numbers that decide something in this room. */
#pragma once

/* Characters of a line that a message shows, and how far before the last of
 * them its place may be: a longer line is shown around the place. */
#define DARC_SHOWN_WIDTH 100
#define DARC_SHOWN_MARGIN 20

/* Characters in which a name may differ from the one that is meant: one below
 * six characters (another one in "mass" or "time" is another word), a third in
 * longer ones.  Tried, with the tests of syntax and model: 4 .. 8, and 3 .. 4;
 * at a half far names are offered. */
#define DARC_SUGGEST_SHORT 6
#define DARC_SUGGEST_SHARE 3
