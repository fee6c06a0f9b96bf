/* figures.h - the plots of a page as drawings of their own.
 *
 * Each is a file in SVG that needs nothing else, with colours and rules of the
 * page in light, its caption above it: for papers and slides.
 */
#pragma once

#include "base/text.h"

/* Replace the page by its drawings, one behind the other: each begins with a
 * line <?xml ...?>; the id of its <svg> is its name, of letters, digits, '-',
 * '_' and '.', no other's.  css: of the page. */
void darc_figures_keep(darc_text_t page, const char *css);
