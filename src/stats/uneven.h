/* uneven.h - how an even lattice is read from uneven samples.
 *
 * The value at a place is that of a polynomial through the eight samples around
 * it.  Where these lie so that it would amplify noise, beside a hole or in a
 * crowd, it is the polynomial that fits more of them best (least squares, by
 * orthogonal polynomials); where there are many more, these are used
 * likewise, so that none is lost.
 */
#pragma once

#include <stddef.h>

enum { DARC_UNEVEN_NODES = 8 };

/* How the places are read from the samples of a rate. */
typedef struct {
    int n;             /* samples that are there */
    int *row;          /* of the piece; owned */
    double *x;         /* where they are, places of the lattice; owned */
    double *value;     /* room for one of each; owned */
    double *work;      /* owned */
    int *from, *count; /* by place: the nodes around it; owned */
    size_t *at;        /* by place: the first of their weights; owned */
    double *weight;    /* owned */
    size_t room;       /* weights */
} darc_uneven;

/* Make room for so many samples and places. */
void darc_uneven_init(darc_uneven *l, size_t samples, size_t places);
void darc_uneven_clear(darc_uneven *l);

/* Set nodes and weights of the places 0 .. places - 1 from l->x[0 .. l->n - 1],
 * l->n > 1, ascending, which lie `spacing` places apart on the average; what
 * counts turns by up to `turn` rad a place. */
void darc_uneven_find(darc_uneven *l, int places, double spacing, double turn);

/* Set the first and the last of the nodes of places begin .. end - 1. */
void darc_uneven_nodes(int *first, int *last, const darc_uneven *l,
                       size_t begin, size_t end);
