/* zip.h - the members of a zip archive, stored or deflated. */
#ifndef DARC_FILES_ZIP_H
#define DARC_FILES_ZIP_H

#include "files/store.h"

/* Call `take` for every member, in the order of the directory at the end of the
 * file; n characters of the name.
 * Fails: as `take` does; DARC_DATA when it is damaged, encrypted or split. */
DARC_CHECKED darc_status
darc_zip_list(const darc_bytes_file *f,
              darc_status (*take)(void *user, const char *name, size_t n,
                                  const darc_stretch *bytes, darc_err *err),
              void *user, darc_err *err);

#endif
