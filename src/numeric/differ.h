/* differ.h - inside of darc_differ. */
#ifndef DARC_NUMERIC_DIFFER_H
#define DARC_NUMERIC_DIFFER_H

#include "darc/differ.h"

struct darc_differ {
    darc_diff_spec spec;
    int orders;
    const darc_table *table;
    double **weight; /* of derivative k on a uniform grid; owned; or NULL */
};

#endif
