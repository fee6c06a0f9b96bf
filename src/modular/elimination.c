#include "modular/resultant.h"

#include "base/mem.h"
#include "modular/thresholds.h"

/* Polynomials, some of which are left, and what is to be eliminated. */
typedef struct {
    darc_mpoly *f;
    slong n, hidden;
    bool *left;    /* owned */
    slong *degree; /* degree[i * vars + v] of f_i in variable v; owned */
    darc_ring_struct *ring;
} elimination;

/* A variable, and the polynomial by which it goes. */
typedef struct {
    slong v, pivot; /* v -1: none holds any */
    slong degree;
    double cost;
} choice;

static slong degree_of(const elimination *w, slong i, slong v)
{
    return w->left[i] ? w->degree[i * w->ring->vars + v] : 0;
}

static void measure(elimination *w, slong i)
{
    nmod_mpoly_degrees_si(w->degree + i * w->ring->vars, w->f + i,
                          w->ring->ctx);
}

/* Return the products of terms that v takes by f_i, about. */
static double cost_of(const elimination *w, slong v, slong i)
{
    double sum = 0;
    for (slong k = 0; k < w->n; k++) {
        slong d = degree_of(w, k, v);
        if (d > 0 && k != i)
            sum += (double)w->f[k].length * (double)d;
    }
    return sum * (double)(w->f[i].length - 1);
}

/* Return the choice of lowest degree and then of lowest cost. */
static choice choose(const elimination *w)
{
    choice best = {-1, -1, 0, 0};
    for (slong v = 0; v < w->hidden; v++)
        for (slong i = 0; i < w->n; i++) {
            slong d = degree_of(w, i, v);
            if (d < 1 || (best.v >= 0 && d > best.degree))
                continue;
            double cost = cost_of(w, v, i);
            if (cost == 0) /* no other holds it */
                return (choice){v, i, d, 0};
            if (best.v < 0 || d < best.degree || cost < best.cost)
                best = (choice){v, i, d, cost};
        }
    return best;
}

/* Take the variable out of the others by the pivot; where that has a degree
 * above one and they are several, or of degrees out of reach, only bring these
 * below it: then one of them is the next pivot. */
static darc_status take_out(elimination *w, choice c, darc_err *err)
{
    slong others = 0, most = 0;
    darc_mpoly *pivot = w->f + c.pivot;
    for (slong k = 0; k < w->n; k++)
        if (k != c.pivot && degree_of(w, k, c.v) > 0) {
            others++;
            most = FLINT_MAX(most, degree_of(w, k, c.v));
        }
    bool all = c.degree == 1 || others == 0 ||
               (others == 1 && most <= DARC_MAX_MINORS);
    for (slong k = 0; k < w->n; k++) {
        if (k == c.pivot || degree_of(w, k, c.v) < 1)
            continue;
        DARC_NEED(
            all ? darc_resultant(w->f + k, w->f + k, pivot, c.v, w->ring, err)
                : darc_remainder(w->f + k, pivot, c.v, w->ring, err));
        measure(w, k);
        DARC_NEED(darc_ring_check(w->ring, err));
    }
    w->left[c.pivot] = !all;
    return DARC_OK;
}

darc_status darc_ring_eliminate(darc_mpoly *f, slong n, slong hidden,
                                slong leader, darc_ring_t ring, darc_err *err)
{
    darc_status status = DARC_OK;
    elimination w = {.f = f, .n = n, .hidden = hidden, .ring = ring};
    w.left = darc_calloc((size_t)n, sizeof *w.left);
    w.degree = darc_calloc((size_t)(n * ring->vars), sizeof *w.degree);
    for (slong i = 0; i < n; i++) {
        w.left[i] = true;
        measure(&w, i);
    }
    for (choice c = choose(&w); c.v >= 0; c = choose(&w))
        DARC_TRY(take_out(&w, c, err));
    slong best = -1;
    for (slong i = 0; i < n; i++) {
        slong d = degree_of(&w, i, leader);
        slong least = best < 0 ? 0 : degree_of(&w, best, leader);
        if (d > 0 && (best < 0 || d < least ||
                      (d == least && f[i].length < f[best].length)))
            best = i;
    }
    if (best < 0)
        DARC_TRY(darc_fail(err, DARC_DOMAIN, "no relation is left"));
    nmod_mpoly_swap(f, f + best, ring->ctx);
done:
    DARC_FREE(w.left, w.degree);
    return status;
}
