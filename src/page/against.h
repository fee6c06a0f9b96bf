/* against.h - what an equation leaves, against the signals: averaged where a
 * signal, or its slope, is alike, it shows the characteristic of what is
 * missing, a spring or friction. */
#ifndef DARC_PAGE_AGAINST_H
#define DARC_PAGE_AGAINST_H

#include "page/sheet.h"

/* Append the section for relations of one recording that do not hold, or lack a
 * term; nothing where there are none. */
void darc_against_put(darc_sheet *s, const darc_report *r,
                      const darc_table *table);

#endif
