/* image.h - images of polynomials modulo a prime under random values for
 * most variables: cheap, certain in one direction. */
#ifndef DARC_MODULAR_IMAGE_H
#define DARC_MODULAR_IMAGE_H

#include "modular/ring.h"

/* A substitution x_v = value[v] * t^weight[v]. */
typedef struct {
    ulong *value;
    slong *weight;
} darc_toric;

/* Draw values and weights in 1 .. 31. */
void darc_toric_init(darc_toric *map, darc_ring_t ring);
void darc_toric_clear(darc_toric *map);

/* Set a to the image of f in F_p[t]. */
void darc_toric_image(nmod_poly_t a, const darc_mpoly *f, const darc_toric *map,
                      const darc_ring_t ring);

/* A line or plane: the variable w, or v and w, are free, x_u = value[u] for the
 * rest. */
typedef struct {
    const darc_ring_struct *ring;
    slong v, w;   /* v < 0: a line */
    ulong *value; /* owned */
} darc_section;

/* Set s to a random line or plane. */
void darc_section_init(darc_section *s, slong v, slong w, darc_ring_t ring);
void darc_section_clear(darc_section *s);

/* Set a, in F_p[t], to f on the line s with x_w = t. */
void darc_line_image(nmod_poly_t a, const darc_mpoly *f, const darc_section *s);

/* Set a, in the ring ctx2 of x_v and x_w, to f on the plane s. */
void darc_plane_image(darc_mpoly *a, const nmod_mpoly_ctx_t ctx2,
                      const darc_mpoly *f, const darc_section *s);

#endif
