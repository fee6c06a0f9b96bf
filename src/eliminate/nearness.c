#include "eliminate/nearness.h"

#include "algebra/margin.h"
#include "base/mem.h"

/* Return the functions of r, the denominator first, and the conditions. */
static fmpz_poly_struct *functions(const darc_transfer *r, const double *value)
{
    size_t n = (size_t)(r->functions + r->conditions);
    fmpz_poly_struct *f = darc_calloc(n, sizeof *f);
    for (size_t i = 0; i < n; i++)
        fmpz_poly_init(f + i);
    darc_transfer_exact(f, r, value);
    return f;
}

static void functions_free(fmpz_poly_struct *f, const darc_transfer *r)
{
    for (int i = 0; i < r->functions + r->conditions; i++)
        fmpz_poly_clear(f + i);
    darc_free(f);
}

int darc_nearness_integrators(const darc_transfer *r, const double *value)
{
    fmpz_poly_struct *f = functions(r, value);
    int zeros = darc_margin_integrators(f);
    for (int i = 0; i < r->conditions; i++)
        zeros = fmpz_poly_is_zero(f + r->functions + i) ? -1 : zeros;
    functions_free(f, r);
    return zeros;
}

/* Set q to |g|^2 at i w, g the numerators, of function number `entry`, or of
 * all of its output where that is 0. */
static void set_scale(fmpz_poly_t q, const fmpz_poly_struct *g, int inputs,
                      int entry)
{
    int first = entry / inputs * inputs;
    fmpz_poly_t one;
    fmpz_poly_init(one);
    darc_margin_square(q, g + entry);
    for (int j = 0; j < inputs && fmpz_poly_is_zero(g + entry); j++) {
        darc_margin_square(one, g + first + j);
        fmpz_poly_add(q, q, one);
    }
    fmpz_poly_clear(one);
}

/* With H = N/D and G = M/E: N E - M D against D times the scale of M. */
bool darc_nearness_holds(const darc_transfer *model, const double *value,
                         const darc_transfer *target, int entry, double bound,
                         const double band[2])
{
    fmpz_poly_struct *g = functions(target, NULL);
    fmpz_poly_t a, b, q;
    fmpz_poly_init(a);
    fmpz_poly_init(b);
    fmpz_poly_init(q);
    set_scale(q, g + 1, target->inputs, entry);
    if (model != NULL) {
        fmpz_poly_struct *f = functions(model, value);
        darc_margin_square(a, f);
        fmpz_poly_mul(q, q, a);
        fmpz_poly_mul(a, f + 1 + entry, g);
        fmpz_poly_mul(b, g + 1 + entry, f);
        fmpz_poly_sub(a, a, b);
        functions_free(f, model);
    }
    bool yes = darc_margin_holds(a, q, bound, band);
    fmpz_poly_clear(a);
    fmpz_poly_clear(b);
    fmpz_poly_clear(q);
    functions_free(g, target);
    return yes;
}
