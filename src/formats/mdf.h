/* mdf.h - groups of channels of an MDF file, of whichever version: what the
 * blocks of version 3 (mdf3.c) and 4 (mdf4.c) say, which records are whose
 * (mdf_groups.c), and how values are read (mdf.c).
 */
#pragma once

#include "base/status.h"
#include "formats/mdf4_blocks.h"

/* From the number in the record to the value. */
typedef struct darc_mdf_scale {
    enum {
        DARC_MDF_EQUAL,
        DARC_MDF_LINEAR,     /* p[0] + p[1] x */
        DARC_MDF_RATIONAL,   /* quadratic over quadratic */
        DARC_MDF_POLYNOMIAL, /* that of version 3 */
        DARC_MDF_BETWEEN,    /* a table, linearly between its rows */
        DARC_MDF_NEAREST,    /* its nearest row */
        DARC_MDF_RANGES      /* the row that it lies in, or `rest` */
    } kind;
    double p[6];
    size_t rows;
    double *row;                 /* rows of least, greatest, value; owned */
    struct darc_mdf_scale *rest; /* NULL: NAN; owned */
} darc_mdf_scale;

typedef struct {
    char name[128], unit[64];
    int group;
    bool master, virtual; /* virtual: the number of the record */
    darc_bytes_number number;
    uint32_t offset; /* in the record */
    long invalid;    /* bit that says the value is none, -1: no such bit */
    darc_mdf_scale scale;
    double *all; /* every value, for interpolation; NULL until read; owned */
    const char *why; /* it is no signal; NULL: it is one */
} darc_mdf_channel;

typedef struct {
    char name[128];
    darc_mdf4_records records;
    uint64_t rows, id;
    bool lengths;  /* records of variable length, which are skipped */
    size_t record; /* bytes, with the id in front and perhaps behind */
    size_t data;   /* of them data and the id in front */
    int master;    /* channel, -1: none */
    int signals;   /* channels besides */
} darc_mdf_group;

typedef struct {
    darc_bytes_file file;
    int groups, channels;
    bool unfinished;           /* lengths of blocks may not be set */
    bool uncounted;            /* nor the numbers of records */
    darc_mdf_group *group;     /* owned */
    darc_mdf_channel *channel; /* owned */
    double rate;               /* > 0: interpolate */
    double begin;              /* of the time that all groups share, s */
} darc_mdf;

/* Read the groups and channels of a file of version 3 or 4; a->state is its
 * darc_mdf. */
darc_arrays_list darc_mdf3_groups;
darc_arrays_list darc_mdf4_groups;

/* Append a group without channels, with a name of its own. */
void darc_mdf_add_group(darc_mdf *s, darc_mdf_group g);

/* Append a channel to the last group, or note why it is none; *c is taken. */
void darc_mdf_add_channel(darc_arrays *a, darc_mdf_channel *c);

/* Set the records of the groups from `first` on, which lie in r, each behind an
 * id of so many bytes; r is taken.  A group by itself may have none.
 * Fails: DARC_DATA where it is cut off, or an id is none of theirs. */
DARC_STATUS darc_mdf_share(darc_arrays *a, int first, darc_mdf4_records *r,
                           int id_size, darc_err *err);

/* Set *x to a number of 64 bits. */
double darc_mdf_float(const unsigned char *p, bool big);

void darc_mdf_scale_clear(darc_mdf_scale *scale);
