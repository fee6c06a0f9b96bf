/* thresholds.h - the numbers that decide something in this room. */
#pragma once

/* Characters of a line that a message shows, and how far before the last of
 * them its place may be: a longer line is shown around the place. */
#define DARC_SHOWN_WIDTH 100
#define DARC_SHOWN_MARGIN 20
