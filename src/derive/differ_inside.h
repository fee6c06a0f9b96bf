/* differ_inside.h - inside of darc_differ. */
#ifndef DARC_DERIVE_DIFFER_INSIDE_H
#define DARC_DERIVE_DIFFER_INSIDE_H

#include "derive/differ.h"

struct darc_differ {
    darc_diff_spec spec;
    int orders;
    const darc_table *table;
    double **weight; /* of derivative k on a uniform grid; owned; or NULL */
};

#endif
