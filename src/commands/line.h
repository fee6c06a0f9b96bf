/* line.h - the progress line on a terminal, which the parent draws and either
 * process erases before it prints: they share whether it stands there.
 */
#pragma once

/* Before the child is made, where a line is wanted: let whatever is printed,
 * in either process, erase the line first, for good. */
void darc_line_begin(void);

/* Draw the line, with the seconds that have passed, unless something was
 * printed. */
void darc_line_draw(const char *text, double elapsed);

/* Erase it if it stands there; it is not drawn again. */
void darc_line_end(void);
