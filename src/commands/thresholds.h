/* thresholds.h - the numbers that decide something in this room. */
#pragma once

/* Seconds: before the first line is drawn (a command that is done by then draws
 * none), and after which a rate means something. */
#define DARC_PROGRESS_AFTER 0.5
#define DARC_PROGRESS_SETTLED 1.0

/* Seconds between two messages of progress where there is no terminal but a
 * fleet works, whose messages go to a file that somebody looks into. */
#define DARC_PROGRESS_LOG 10
