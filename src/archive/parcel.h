/* parcel.h - estimates as bytes, from one process of a fleet to another of the
 * same program.
 */
#ifndef DARC_ARCHIVE_PARCEL_H
#define DARC_ARCHIVE_PARCEL_H

#include "base/text.h"
#include "fit/estimates.h"

/* Append e, relations not imposed, to out. */
void darc_parcel_pack(darc_text_t out, const darc_estimates *e);

/* Set e, to be released in any case, to what the n bytes hold; return false
 * where they are no parcel of this program. */
DARC_CHECKED bool darc_parcel_unpack(darc_estimates *e, const char *bytes,
                                     size_t n);

#endif
