/* thresholds.h - the numbers that decide something in this room. */
#pragma once

/* Seconds: between two messages of progress, before the first line is drawn (a
 * command that is done by then draws none), and after which a rate means
 * something. */
#define DARC_PROGRESS_EVERY 0.1
#define DARC_PROGRESS_AFTER 0.5
#define DARC_PROGRESS_SETTLED 1.0

/* Seconds that a child gets to end by itself, so that it can clean up; ms
 * between two looks at the clock. */
#define DARC_GRACE 0.4
#define DARC_LOOK 50

/* The same where there is no terminal but a fleet works, whose messages go to a
 * file that somebody looks into. */
#define DARC_PROGRESS_LOG 10
