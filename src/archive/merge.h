/* merge.h - several databases become one. */
#ifndef DARC_ARCHIVE_MERGE_H
#define DARC_ARCHIVE_MERGE_H

#include "darc/status.h"

/* Make the database out of n > 0 others, which stay as they are: campaigns of
 * the same model and settings become one, the recordings of a later database
 * come behind those of the ones before it.  Of a content that several hold that
 * of the first counts.
 * Fails: DARC_USAGE where out exists; DARC_IO, DARC_DATA as databases do; then
 * there is no out. */
DARC_CHECKED darc_status darc_archive_merge(const char *out,
                                            const char *const *file, int n,
                                            darc_err *err);

#endif
