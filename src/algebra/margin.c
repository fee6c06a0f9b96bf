#include "algebra/margin.h"

/* Replace f by the next polynomial of Routh's array, of one degree less, whose
 * zeros lie on the left exactly where those of f do; false: they do not. */
static bool routh_step(fmpz_poly_t f)
{
    slong n = fmpz_poly_degree(f);
    const fmpz *a = fmpz_poly_get_coeff_ptr(f, n);
    const fmpz *b = fmpz_poly_get_coeff_ptr(f, n - 1);
    if (fmpz_sgn(a) * fmpz_sgn(b) <= 0)
        return false;
    fmpz_poly_t g; /* b f - a s (the terms of f of the parity of s^(n-1)) */
    fmpz_poly_init(g);
    fmpz_poly_scalar_mul_fmpz(g, f, b);
    for (slong i = n; i > 0; i -= 2)
        fmpz_submul(fmpz_poly_get_coeff_ptr(g, i), a,
                    fmpz_poly_get_coeff_ptr(f, i - 1));
    _fmpz_poly_normalise(g);
    fmpz_poly_primitive_part(f, g);
    fmpz_poly_clear(g);
    return true;
}

int darc_margin_integrators(const fmpz_poly_t f)
{
    fmpz_poly_t g;
    int zeros = 0;
    bool stable = !fmpz_poly_is_zero(f);
    fmpz_poly_init(g);
    while (stable && fmpz_is_zero(fmpz_poly_get_coeff_ptr(f, zeros)))
        zeros++;
    fmpz_poly_shift_right(g, f, zeros);
    while (stable && fmpz_poly_degree(g) > 0)
        stable = routh_step(g);
    fmpz_poly_clear(g);
    return stable ? zeros : -1;
}

void darc_margin_square(fmpz_poly_t q, const fmpz_poly_t f)
{
    fmpz_poly_t part[2];
    fmpz_t c;
    fmpz_init(c);
    DARC_EACH(fmpz_poly_init, part[0], part[1]);
    for (slong k = 0; k < fmpz_poly_length(f); k++) {
        fmpz_poly_get_coeff_fmpz(c, f, k);
        if (k / 2 % 2 == 1)
            fmpz_neg(c, c);
        fmpz_poly_set_coeff_fmpz(part[k % 2], k / 2, c);
    }
    fmpz_poly_sqr(q, part[0]);
    fmpz_poly_sqr(part[1], part[1]);
    fmpz_poly_shift_left(part[1], part[1], 1);
    fmpz_poly_add(q, q, part[1]);
    DARC_EACH(fmpz_poly_clear, part[0], part[1]);
    fmpz_clear(c);
}

void darc_margin_number(fmpq_t to, double x, double y)
{
    const double value[] = {x, x, y};
    mpq_t q;
    mpq_init(q);
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(to);
    for (int i = 0; i < 3; i++) {
        mpq_set_d(q, value[i]);
        fmpq_set_mpq(one, q);
        fmpq_mul(to, to, one);
    }
    fmpq_clear(one);
    mpq_clear(q);
}

/* Set g(t) to (1 + t)^n f(x) times a positive number, n the degree of f, where
 * x goes from low to high as t goes from 0 to infinity. */
static void stretch(fmpz_poly_t g, const fmpz_poly_t f, const fmpq_t low,
                    const fmpq_t high)
{
    fmpz_poly_t num, den, power;
    fmpz_t c;
    slong n = fmpz_poly_degree(f);
    fmpz_init(c);
    DARC_EACH(fmpz_poly_init, num, den, power);
    fmpz_mul(c, fmpq_denref(low), fmpq_denref(high));
    fmpz_poly_set_coeff_fmpz(den, 0, c);
    fmpz_poly_set_coeff_fmpz(den, 1, c);
    fmpz_mul(c, fmpq_numref(low), fmpq_denref(high));
    fmpz_poly_set_coeff_fmpz(num, 0, c);
    fmpz_mul(c, fmpq_numref(high), fmpq_denref(low));
    fmpz_poly_set_coeff_fmpz(num, 1, c);
    fmpz_poly_set_si(power, 1);
    fmpz_poly_zero(g);
    for (slong k = n; k >= 0; k--) {
        fmpz_poly_mul(g, g, num);
        fmpz_poly_get_coeff_fmpz(c, f, k);
        fmpz_poly_scalar_addmul_fmpz(g, power, c);
        fmpz_poly_mul(power, power, den);
    }
    DARC_EACH(fmpz_poly_clear, num, den, power);
    fmpz_clear(c);
}

/* Is f(x) > 0 for low <= x <= high? */
static bool is_positive(const fmpz_poly_t f, const fmpq_t low,
                        const fmpq_t high)
{
    fmpz_poly_t g, common;
    DARC_EACH(fmpz_poly_init, g, common);
    stretch(g, f, low, high);
    bool yes = !fmpz_poly_is_zero(f) &&
               fmpz_poly_degree(g) == fmpz_poly_degree(f) &&
               fmpz_sgn(fmpz_poly_lead(g)) > 0 &&
               fmpz_sgn(fmpz_poly_get_coeff_ptr(g, 0)) > 0;
    if (yes) { /* g(t^2) has no real zero: no g(t) = 0 with t > 0 */
        fmpz_poly_inflate(g, g, 2);
        fmpz_poly_derivative(common, g);
        fmpz_poly_gcd(common, common, g);
        fmpz_poly_div(g, g, common);
        yes = fmpz_poly_num_real_roots(g) == 0;
    }
    DARC_EACH(fmpz_poly_clear, g, common);
    return yes;
}

bool darc_margin_holds(const fmpz_poly_t g, const fmpz_poly_t q, double bound,
                       const double band[2])
{
    /* Units of the last place more, for pi and for rounding. */
    static const double room = 1e-14, turn = 2 * 3.14159265358979323846;
    fmpz_poly_t f, square;
    fmpq_t low, high, r;
    DARC_EACH(fmpz_poly_init, f, square);
    DARC_EACH(fmpq_init, low, high, r);
    darc_margin_number(low, band[0], turn * turn * (1 - room));
    darc_margin_number(high, band[1], turn * turn * (1 + room));
    darc_margin_number(r, bound, 1);
    darc_margin_square(square, g);
    fmpz_poly_scalar_mul_fmpz(f, q, fmpq_numref(r));
    fmpz_poly_scalar_submul_fmpz(f, square, fmpq_denref(r));
    bool yes = is_positive(f, low, high);
    DARC_EACH(fmpz_poly_clear, f, square);
    DARC_EACH(fmpq_clear, low, high, r);
    return yes;
}
