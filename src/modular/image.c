#include "modular/image.h"

#include "base/mem.h"
#include "modular/thresholds.h"

/* Powers of the values as far as f needs them: value^e stands at
 * power[first[v] + e]. */
typedef struct {
    slong *first;
    ulong *power;
    ulong *exp;
} table;

static void table_init(table *t, const darc_mpoly *f, const ulong *value,
                       const darc_ring_t ring)
{
    size_t n = (size_t)ring->vars;
    slong *degree = darc_calloc(n, sizeof *degree), total = 0;
    nmod_mpoly_degrees_si(degree, f, ring->ctx);
    t->first = darc_calloc(n, sizeof *t->first);
    t->exp = darc_calloc(n, sizeof *t->exp);
    for (size_t v = 0; v < n; v++) {
        t->first[v] = total;
        total += (degree[v] < 0 ? 0 : degree[v]) + 1;
    }
    t->power = darc_calloc((size_t)total, sizeof *t->power);
    for (size_t v = 0; v < n; v++) {
        ulong *p = t->power + t->first[v];
        p[0] = 1;
        for (slong e = 1; e <= degree[v]; e++)
            p[e] = nmod_mul(p[e - 1], value[v], ring->mod);
    }
    darc_free(degree);
}

static void table_clear(table *t)
{
    darc_free(t->first);
    darc_free(t->power);
    darc_free(t->exp);
}

/* Return the value of term i, and its exponents in t->exp. */
static ulong term_value(table *t, const darc_mpoly *f, slong i,
                        const darc_ring_t ring)
{
    nmod_mpoly_get_term_exp_ui(t->exp, f, i, ring->ctx);
    ulong c = f->coeffs[i];
    for (slong v = 0; v < ring->vars; v++)
        if (t->exp[v] != 0)
            c = nmod_mul(c, t->power[t->first[v] + (slong)t->exp[v]],
                         ring->mod);
    return c;
}

void darc_toric_init(darc_toric *map, darc_ring_t ring)
{
    size_t n = (size_t)ring->vars;
    map->value = darc_calloc(n, sizeof *map->value);
    map->weight = darc_calloc(n, sizeof *map->weight);
    for (size_t v = 0; v < n; v++) {
        map->value[v] = 1 + n_randint(ring->rand, ring->mod.n - 1);
        map->weight[v] = 1 + (slong)n_randint(ring->rand, DARC_TORIC_WEIGHTS);
    }
}

void darc_toric_clear(darc_toric *map)
{
    darc_free(map->value);
    darc_free(map->weight);
}

void darc_toric_image(nmod_poly_t a, const darc_mpoly *f, const darc_toric *map,
                      const darc_ring_t ring)
{
    table t;
    table_init(&t, f, map->value, ring);
    nmod_poly_zero(a);
    for (slong i = 0; i < f->length; i++) {
        ulong c = term_value(&t, f, i, ring);
        slong d = 0;
        for (slong v = 0; v < ring->vars; v++)
            d += (slong)t.exp[v] * map->weight[v];
        nmod_poly_set_coeff_ui(
            a, d, nmod_add(nmod_poly_get_coeff_ui(a, d), c, ring->mod));
    }
    table_clear(&t);
}

void darc_section_init(darc_section *s, slong v, slong w, darc_ring_t ring)
{
    *s = (darc_section){.ring = ring, .v = v, .w = w};
    s->value = darc_calloc((size_t)ring->vars, sizeof *s->value);
    for (slong x = 0; x < ring->vars; x++)
        s->value[x] = n_randint(ring->rand, ring->mod.n);
    s->value[w] = 1;
    if (v >= 0)
        s->value[v] = 1;
}

void darc_section_clear(darc_section *s)
{
    darc_free(s->value);
}

void darc_line_image(nmod_poly_t a, const darc_mpoly *f, const darc_section *s)
{
    table t;
    table_init(&t, f, s->value, s->ring);
    nmod_poly_zero(a);
    for (slong i = 0; i < f->length; i++) {
        ulong c = term_value(&t, f, i, s->ring);
        slong d = (slong)t.exp[s->w];
        nmod_poly_set_coeff_ui(
            a, d, nmod_add(nmod_poly_get_coeff_ui(a, d), c, s->ring->mod));
    }
    table_clear(&t);
}

void darc_plane_image(darc_mpoly *a, const nmod_mpoly_ctx_t ctx2,
                      const darc_mpoly *f, const darc_section *s)
{
    table t;
    table_init(&t, f, s->value, s->ring);
    nmod_mpoly_zero(a, ctx2);
    for (slong i = 0; i < f->length; i++) {
        ulong c = term_value(&t, f, i, s->ring);
        ulong exp[2] = {t.exp[s->v], t.exp[s->w]};
        nmod_mpoly_push_term_ui_ui(a, c, exp, ctx2);
    }
    table_clear(&t);
    nmod_mpoly_sort_terms(a, ctx2);
    nmod_mpoly_combine_like_terms(a, ctx2);
}
