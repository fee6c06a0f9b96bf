#include "base/mem.h"
#include "modular/ring.h"

#include <string.h>

/* Powers of random values of the variables, none zero. */
typedef struct {
    slong vars;
    slong *bound;  /* bound[v]: degree up to which there are powers; owned */
    slong *degree; /* of the polynomial at hand; part of bound */
    ulong *exp;    /* of the term at hand; owned */
    ulong **power; /* power[v][e]; owned */
} place;

/* Set p to a random place for the n polynomials f[0], f[1], ... */
static void place_init(place *p, const darc_mpoly *const *f, slong n,
                       darc_ring_t ring)
{
    size_t vars = (size_t)ring->vars;
    p->vars = ring->vars;
    p->bound = darc_calloc(2 * vars, sizeof *p->bound);
    p->degree = p->bound + vars;
    p->exp = darc_calloc(vars, sizeof *p->exp);
    p->power = darc_calloc(vars, sizeof *p->power);
    for (slong i = 0; i < n; i++) {
        nmod_mpoly_degrees_si(p->degree, f[i], ring->ctx);
        for (slong v = 0; v < p->vars; v++)
            p->bound[v] = FLINT_MAX(p->bound[v], p->degree[v]);
    }
    for (slong v = 0; v < p->vars; v++) {
        if (p->bound[v] == 0)
            continue;
        ulong x = 1 + n_randint(ring->rand, ring->mod.n - 1);
        p->power[v] = darc_calloc((size_t)p->bound[v] + 1, sizeof(ulong));
        p->power[v][0] = 1;
        for (slong e = 1; e <= p->bound[v]; e++)
            p->power[v][e] = nmod_mul(p->power[v][e - 1], x, ring->mod);
    }
}

static void place_clear(place *p)
{
    for (slong v = 0; v < p->vars; v++)
        darc_free(p->power[v]);
    DARC_FREE(p->bound, p->exp, p->power);
}

/* Return the value of term t of f in all variables but those that are kept;
 * all its exponents go to p. */
static ulong term_value(place *p, const darc_mpoly *f, slong t,
                        const bool *kept, const darc_ring_t ring)
{
    ulong value = f->coeffs[t];
    nmod_mpoly_get_term_exp_ui(p->exp, f, t, ring->ctx);
    for (slong v = 0; v < p->vars; v++)
        if (p->exp[v] > 0 && !(kept != NULL && kept[v]))
            value = nmod_mul(value, p->power[v][p->exp[v]], ring->mod);
    return value;
}

/* Set image to f at the place, in the variables that are kept. */
static void image_at(darc_mpoly *image, place *p, const darc_mpoly *f,
                     const bool *kept, const darc_ring_t ring)
{
    nmod_mpoly_zero(image, ring->ctx);
    for (slong t = 0; t < f->length; t++) {
        ulong value = term_value(p, f, t, kept, ring);
        for (slong v = 0; v < p->vars; v++)
            if (!kept[v])
                p->exp[v] = 0;
        nmod_mpoly_push_term_ui_ui(image, value, p->exp, ring->ctx);
    }
    nmod_mpoly_sort_terms(image, ring->ctx);
    nmod_mpoly_combine_like_terms(image, ring->ctx);
}

void darc_ring_image(darc_mpoly *image, const darc_mpoly *f, const bool *kept,
                     darc_ring_t ring)
{
    place p;
    place_init(&p, &f, 1, ring);
    image_at(image, &p, f, kept, ring);
    place_clear(&p);
}

/* Set gcd[w], where open[w], to the gcd with the image of f in x_w, in units
 * of the value of x_w. */
static void join_images(nmod_poly_struct *gcd, const bool *open, place *p,
                        const darc_mpoly *f, const darc_ring_t ring)
{
    nmod_poly_struct *image = darc_calloc((size_t)p->vars, sizeof *image);
    nmod_mpoly_degrees_si(p->degree, f, ring->ctx);
    for (slong w = 0; w < p->vars; w++)
        if (open[w]) {
            nmod_poly_init2_preinv(image + w, ring->mod.n, ring->mod.ninv,
                                   p->degree[w] + 1);
            image[w].length = p->degree[w] + 1;
            memset(image[w].coeffs, 0, (size_t)image[w].length * sizeof(ulong));
        }
    for (slong t = 0; t < f->length; t++) {
        ulong value = term_value(p, f, t, NULL, ring);
        for (slong w = 0; w < p->vars; w++)
            if (open[w]) {
                ulong *c = image[w].coeffs + p->exp[w];
                *c = nmod_add(*c, value, ring->mod);
            }
    }
    for (slong w = 0; w < p->vars; w++)
        if (open[w]) {
            _nmod_poly_normalise(image + w);
            nmod_poly_gcd(gcd + w, gcd + w, image + w);
            nmod_poly_clear(image + w);
        }
    darc_free(image);
}

/* Set open[w] unless images in x_w alone show that what the polynomials have in
 * common is free of x_w; return in how many variables it may be, -1 where the
 * place is unlucky. */
static slong open_variables(bool *open, place *p, const darc_mpoly *const *f,
                            slong n, darc_ring_t ring)
{
    nmod_poly_struct *gcd = darc_calloc((size_t)p->vars, sizeof *gcd);
    slong left = 0;
    for (slong w = 0; w < p->vars; w++) {
        open[w] = p->bound[w] > 0;
        for (slong i = 0; i < n && open[w]; i++)
            open[w] = darc_ring_degree(f[i], w, ring) > 0;
        left += open[w];
        nmod_poly_init_preinv(gcd + w, ring->mod.n, ring->mod.ninv);
    }
    for (slong i = 0; i < n && left > 0; i++) {
        bool kept = true; /* is its degree, where that of f[0] is */
        join_images(gcd, open, p, f[i], ring);
        for (slong w = 0; w < p->vars; w++) {
            if (!open[w])
                continue;
            slong degree = nmod_poly_degree(gcd + w);
            kept = kept && (i > 0 || degree == p->degree[w]);
            open[w] = degree > 0;
            left -= !open[w];
        }
        left = kept ? left : -1;
    }
    DARC_ALL(nmod_poly_clear, gcd, p->vars);
    darc_free(gcd);
    return left;
}

/* Set g to the gcd of the n polynomials, one after the other. */
static darc_status gcd_of(darc_mpoly *g, const darc_mpoly *const *f, slong n,
                          darc_ring_t ring, darc_err *err)
{
    nmod_mpoly_zero(g, ring->ctx);
    for (slong i = 0; i < n && !nmod_mpoly_is_one(g, ring->ctx); i++) {
        if (!nmod_mpoly_gcd(g, g, f[i], ring->ctx))
            return darc_fail(err, DARC_LIMIT,
                             "a gcd of %ld terms is out of reach",
                             (long)f[i]->length);
        DARC_NEED(darc_budget_check(ring->budget, err));
    }
    return DARC_OK;
}

static bool divides_all(const darc_mpoly *g, const darc_mpoly *const *f,
                        slong n, const darc_ring_t ring)
{
    nmod_mpoly_t q;
    nmod_mpoly_init(q, ring->ctx);
    bool all = true;
    for (slong i = 0; i < n && all; i++)
        all = nmod_mpoly_divides(q, f[i], g, ring->ctx);
    nmod_mpoly_clear(q, ring->ctx);
    return all;
}

/* Set g to the gcd of the n > 0 polynomials, none zero, the shortest first. */
static darc_status gcd_of_sorted(darc_mpoly *g, const darc_mpoly *const *f,
                                 slong n, darc_ring_t ring, darc_err *err)
{
    place p;
    place_init(&p, f, n, ring);
    bool *open = darc_calloc((size_t)p.vars, sizeof *open);
    darc_mpoly *image = darc_calloc((size_t)n, sizeof *image);
    const darc_mpoly **list = darc_calloc((size_t)n, sizeof(void *));
    slong left = open_variables(open, &p, f, n, ring);
    darc_status status = DARC_OK;
    DARC_ALL_IN(nmod_mpoly_init, ring->ctx, image, n);
    if (left == 0) {
        nmod_mpoly_one(g, ring->ctx);
        goto done;
    }
    for (slong i = 0; i < n && left > 0; i++) {
        image_at(image + i, &p, f[i], open, ring);
        list[i] = image + i;
    }
    if (left > 0)
        DARC_TRY(gcd_of(g, list, n, ring, err));
    if (left < 0 || !divides_all(g, f, n, ring))
        DARC_TRY(gcd_of(g, f, n, ring, err));
done:
    DARC_ALL_IN(nmod_mpoly_clear, ring->ctx, image, n);
    DARC_FREE(image, list, open);
    place_clear(&p);
    return status;
}

darc_status darc_ring_gcd(darc_mpoly *g, const darc_mpoly *const *f, slong n,
                          darc_ring_t ring, darc_err *err)
{
    const darc_mpoly **sorted = darc_calloc((size_t)n, sizeof(void *));
    darc_status status = DARC_OK;
    slong count = 0;
    for (slong k = 0; k < n; k++) {
        if (f[k]->length == 0)
            continue;
        slong i = count++;
        for (; i > 0 && sorted[i - 1]->length > f[k]->length; i--)
            sorted[i] = sorted[i - 1];
        sorted[i] = f[k];
    }
    if (count > 0)
        status = gcd_of_sorted(g, sorted, count, ring, err);
    else
        nmod_mpoly_zero(g, ring->ctx);
    darc_free(sorted);
    return status;
}
