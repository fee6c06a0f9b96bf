#include "coefficient/gradient.h"

#include "base/mem.h"
#include "coefficient/thresholds.h"
#include "modular/reconstruct.h"

#include <string.h>

/* All coefficients of an equation along one parameter. */
typedef struct {
    darc_blackbox_struct *g;
    nmod_t mod;
    slong first, n; /* entries of the equation */
    slong count;
    ulong t[DARC_GRADIENT_MOST];    /* places; 0 first */
    ulong *row[DARC_GRADIENT_MOST]; /* values of all entries there; owned */
} line;

/* Leave the first `keep` points. */
static void line_cut(line *l, slong keep)
{
    while (l->count > keep)
        darc_free(l->row[--l->count]);
}

/* Append the point at x with *t added to parameter v, or the next one at which
 * the first entry has a value, as ratios need; *t goes beyond. */
static darc_status add_point(line *l, const ulong *x, slong v, ulong *t,
                             darc_err *err)
{
    darc_status status = DARC_DOMAIN;
    darc_blackbox_struct *g = l->g;
    size_t vars = (size_t)g->vars;
    ulong *row = darc_calloc((size_t)g->first[g->io->count] + 1, sizeof *row);
    ulong *at = darc_calloc(vars + 1, sizeof *at);
    memcpy(at, x, vars * sizeof *at);
    for (int i = 0; i < DARC_GRADIENT_TRIALS && status == DARC_DOMAIN;
         i++, (*t)++) {
        darc_err why;
        darc_err_init(&why);
        at[v] = nmod_add(x[v], *t, l->mod);
        status = darc_blackbox_at(row, g, at, l->mod, &why);
        if (status == DARC_OK && row[l->first] == 0)
            status = DARC_DOMAIN;
        l->t[l->count] = *t;
        if (status != DARC_OK &&
            (status != DARC_DOMAIN || i + 1 == DARC_GRADIENT_TRIALS))
            darc_fail(err, status, "%s", why.message);
    }
    darc_free(at);
    if (status == DARC_OK)
        l->row[l->count++] = row;
    else
        darc_free(row);
    return status;
}

/* Set y to the ratios of entry j to the first one. */
static void ratios(ulong *y, const line *l, slong j)
{
    for (slong i = 0; i < l->count; i++)
        y[i] = nmod_div(l->row[i][l->first + j], l->row[i][l->first], l->mod);
}

/* Set *slope to that at 0 of the rational function with the values y; false:
 * its degrees are not far enough below the number of values. */
static bool find_slope(ulong *slope, const line *l, const ulong *y)
{
    nmod_t mod = l->mod;
    darc_quotient f;
    darc_quotient_init(&f, l->t, y, l->count, mod);
    ulong p0 = nmod_poly_get_coeff_ui(f.num, 0),
          p1 = nmod_poly_get_coeff_ui(f.num, 1),
          q0 = nmod_poly_get_coeff_ui(f.den, 0),
          q1 = nmod_poly_get_coeff_ui(f.den, 1);
    bool known = q0 != 0 && darc_quotient_is_known(&f, DARC_GRADIENT_SPARE);
    if (known)
        *slope = nmod_div(
            nmod_sub(nmod_mul(p1, q0, mod), nmod_mul(p0, q1, mod), mod),
            nmod_mul(q0, q0, mod), mod);
    darc_quotient_clear(&f);
    return known;
}

/* Whether the ratio of entries j and k is the same at all places. */
static bool moves_alike(const line *l, slong j, slong k)
{
    const ulong *here = l->row[0] + l->first;
    for (slong i = 1; i < l->count; i++) {
        const ulong *there = l->row[i] + l->first;
        if (nmod_mul(here[j], there[k], l->mod) !=
            nmod_mul(here[k], there[j], l->mod))
            return false;
    }
    return true;
}

/* Set slope[j] to the derivative of c_j/c_0 along the line; false: the line
 * has too few points. */
static bool find_slopes(ulong *slope, const line *l)
{
    const ulong *here = l->row[0] + l->first;
    ulong y[DARC_GRADIENT_MOST];
    bool all = true;
    slope[0] = 0;
    for (slong j = 1; j < l->n && all; j++) {
        slong k = 0;
        while (k < j && (here[k] == 0 || !moves_alike(l, j, k)))
            k++;
        if (k < j) {
            ulong part = nmod_div(here[j], here[k], l->mod);
            slope[j] = nmod_mul(slope[k], part, l->mod);
            continue;
        }
        ratios(y, l, j);
        all = find_slope(slope + j, l, y);
    }
    return all;
}

/* Set slope to the derivatives of the ratios by parameter v. */
static darc_status along(ulong *slope, line *l, const ulong *x, slong v,
                         darc_err *err)
{
    darc_status status = DARC_OK;
    ulong t = 1;
    bool found = false;
    for (slong points = DARC_GRADIENT_POINTS;
         points <= DARC_GRADIENT_MOST && !found;
         points += DARC_GRADIENT_POINTS) {
        while (l->count < points && status == DARC_OK)
            status = add_point(l, x, v, &t, err);
        if (status != DARC_OK)
            break;
        found = find_slopes(slope, l);
    }
    if (status == DARC_OK && !found)
        status = darc_fail(err, DARC_DOMAIN,
                           "the coefficients have degrees above %d in a "
                           "parameter",
                           DARC_GRADIENT_MOST - DARC_GRADIENT_SPARE - 1);
    return status;
}

darc_status darc_gradient_find(nmod_mat_t d, ulong *value, darc_blackbox_t g,
                               int e, const ulong *x, darc_err *err)
{
    nmod_t mod = d->mod;
    darc_status status = DARC_OK;
    line l = {.g = g,
              .mod = mod,
              .first = g->first[e],
              .n = g->first[e + 1] - g->first[e]};
    ulong *slope = darc_calloc((size_t)l.n + 1, sizeof *slope), t = 0;
    DARC_TRY(add_point(&l, x, 0, &t, err));
    memcpy(value, l.row[0] + l.first, (size_t)l.n * sizeof *value);
    for (slong v = 0; v < g->vars; v++) {
        DARC_TRY(along(slope, &l, x, v, err));
        for (slong j = 0; j < l.n; j++)
            nmod_mat_entry(d, v, j) = nmod_mul(slope[j], value[0], mod);
        line_cut(&l, 1);
    }
done:
    line_cut(&l, 0);
    darc_free(slope);
    return status;
}
