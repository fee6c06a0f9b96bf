#include "files/number.h"

#include "base/mem.h"

#include <gmp.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* 10^0 .. 10^22 are exact. */
static const double power10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

typedef unsigned __int128 uint128;

/* Set one entry: 5^q shifted to 128 bits, or ceil(2^b / 5^-q). */
static void set_power(uint64_t *hi, uint64_t *lo, int q)
{
    mpz_t p, n;
    mpz_inits(p, n, NULL);
    mpz_ui_pow_ui(p, 5, (unsigned long)(q < 0 ? -q : q));
    size_t bits = mpz_sizeinbase(p, 2);
    if (q >= 0) {
        if (bits <= 128)
            mpz_mul_2exp(p, p, 128 - bits);
        else
            mpz_tdiv_q_2exp(p, p, bits - 128);
    } else {
        /* 5^-q is no power of two: the quotient has 128 bits. */
        mpz_set_ui(n, 1);
        mpz_mul_2exp(n, n, bits + 127);
        mpz_cdiv_q(p, n, p);
    }
    mpz_fdiv_q_2exp(n, p, 64);
    *hi = mpz_get_ui(n);
    mpz_fdiv_r_2exp(n, p, 64);
    *lo = mpz_get_ui(n);
    mpz_clears(p, n, NULL);
}

void darc_pow5_init(darc_pow5 *table)
{
    for (int q = DARC_POW5_LOW; q <= DARC_POW5_HIGH; q++)
        set_power(&table->hi[q - DARC_POW5_LOW], &table->lo[q - DARC_POW5_LOW],
                  q);
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The upper 128 bits of w * 5^q and, in *low, the 64 below the top ones;
 * false when the truncation of 5^q may matter. */
static bool multiply_power(uint64_t *high, uint64_t *low, uint64_t w, int q,
                           const darc_pow5 *table)
{
    uint128 p = (uint128)w * table->hi[q - DARC_POW5_LOW];
    if (((uint64_t)(p >> 64) & 0x1ff) == 0x1ff) {
        uint128 more = (uint128)w * table->lo[q - DARC_POW5_LOW];
        p += (uint64_t)(more >> 64);
        if ((uint64_t)p == UINT64_MAX && (q < -27 || q > 55))
            return false;
    }
    *high = (uint64_t)(p >> 64);
    *low = (uint64_t)p;
    return true;
}

/* Assemble mantissa (54 bits and more below the subnormal line) and the
 * biased exponent; round half to even at the last bit. */
static double assemble(uint64_t mantissa, int exponent)
{
    if (exponent <= 0) {
        if (1 - exponent >= 64)
            return 0;
        mantissa >>= 1 - exponent;
        mantissa = (mantissa + (mantissa & 1)) >> 1;
        return from_bits(mantissa); /* 2^52 is the smallest normal */
    }
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    if (mantissa >= (uint64_t)1 << 53) {
        mantissa >>= 1;
        exponent++;
    }
    if (exponent >= 2047)
        return from_bits((uint64_t)2047 << 52);
    return from_bits((mantissa & ~((uint64_t)1 << 52)) | (uint64_t)exponent
                                                             << 52);
}

bool darc_pow5_round(double *x, uint64_t w, int q, const darc_pow5 *table)
{
    if (w == 0 || q < DARC_POW5_LOW || q > DARC_POW5_HIGH) {
        *x = w == 0 || q < 0 ? 0 : from_bits((uint64_t)2047 << 52);
        return true;
    }
    int zeros = __builtin_clzll(w);
    uint64_t high, low;
    if (!multiply_power(&high, &low, w << zeros, q, table))
        return false;
    int upper = (int)(high >> 63), shift = upper + 64 - 52 - 3;
    uint64_t mantissa = high >> shift;
    /* floor(q log2(10)) + 63, exact in this range. */
    int exponent = ((217706 * q) >> 16) + 63 + upper - zeros + 1023;
    /* Exactly halfway is possible only for few q; then round to even. */
    if (exponent > 0 && low <= 1 && q >= -4 && q <= 23 && (mantissa & 3) == 1 &&
        mantissa << shift == high)
        mantissa &= ~(uint64_t)1;
    *x = assemble(mantissa, exponent);
    return true;
}

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* If the 8 characters at s are digits, append them to *m. */
static bool eight_digits(uint64_t *m, const char *s)
{
    uint64_t v = darc_number_load(s);
    if (((v & 0xf0f0f0f0f0f0f0f0) |
         (((v + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4)) !=
        0x3333333333333333)
        return false;
    *m = *m * 100000000 + darc_number_join(v - 0x3030303030303030);
    return true;
}

/* Parts of a number in decimal: m * 10^e, m valid up to 19 digits. */
typedef struct {
    uint64_t m;
    int e;
    int digits; /* leading zeros count */
    bool negative;
} decimal;

/* Read the exponent part at s, if there is one; it is clipped, since more
 * than 9999 overflows or underflows with any mantissa of DARC_MAX_FIELD. */
static const char *read_exponent(int *e, const char *s)
{
    if ((*s | 0x20) != 'e' && (*s | 0x20) != 'd') /* of Fortran */
        return s;
    const char *t = s + 1;
    bool negative = *t == '-';
    t += *t == '-' || *t == '+';
    if (!is_digit(*t))
        return s;
    int n = 0;
    for (; is_digit(*t); t++)
        n = n < 9999 ? 10 * n + (*t - '0') : n;
    *e += negative ? -n : n;
    return t;
}

static const char *read_decimal(decimal *d, const char *s, char point)
{
    const char *t = s;
    d->negative = *t == '-';
    t += *t == '-' || *t == '+';
    const char *first = t;
    uint64_t m = 0;
    for (; is_digit(*t); t++)
        m = 10 * m + (uint64_t)(*t - '0');
    d->digits = (int)(t - first);
    d->e = 0;
    if (*t == point) {
        const char *fraction = ++t;
        while (eight_digits(&m, t))
            t += 8;
        for (; is_digit(*t); t++)
            m = 10 * m + (uint64_t)(*t - '0');
        d->e = (int)(fraction - t);
        d->digits -= d->e;
    }
    d->m = m;
    if (d->digits == 0)
        return s;
    return read_exponent(&d->e, t);
}

/* Set d to the first 19 significant digits; return how many were cut. */
static int first_digits(decimal *d, const char *s, char point)
{
    int kept = 0, cut = 0;
    d->m = 0;
    s += *s == '-' || *s == '+';
    for (; is_digit(*s) || *s == point; s++) {
        if (*s == point || (kept == 0 && *s == '0'))
            continue;
        if (kept < 19) {
            d->m = 10 * d->m + (uint64_t)(*s - '0');
            kept++;
        } else {
            cut++;
        }
    }
    return cut;
}

/* More than 19 digits: the result lies between those of m and m + 1. */
static bool round_long(double *x, decimal *d, const char *s, char point,
                       const darc_pow5 *table)
{
    double above;
    int cut = first_digits(d, s, point);
    if (!darc_pow5_round(x, d->m, d->e + cut, table))
        return false;
    return cut == 0 || (darc_pow5_round(&above, d->m + 1, d->e + cut, table) &&
                        above == *x);
}

const char *darc_number_read_exact(double *x, const char *s, char point)
{
    const char *t = s + (*s == '-' || *s == '+');
    size_t digits = strspn(t, "0123456789"), fraction = 0;
    const char *end = t + digits;
    if (*end == point) {
        fraction = strspn(end + 1, "0123456789");
        end += 1 + fraction;
    }
    if (digits + fraction == 0)
        return s;
    bool fortran = (*end | 0x20) == 'd';
    bool power = fortran || (*end | 0x20) == 'e';
    size_t sign = power && (end[1] == '-' || end[1] == '+') ? 2 : 1;
    size_t mantissa = (size_t)(end - s);
    if (power && is_digit(end[sign]))
        end += sign + strspn(end + sign, "0123456789");
    char *text = darc_strndup(s, (size_t)(end - s));
    text[mantissa] = fortran && text[mantissa] != '\0' ? 'e' : text[mantissa];
    char *mark = strchr(text, point);
    if (mark != NULL)
        *mark = '.';
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t was = uselocale(c);
    *x = strtod(text, NULL);
    uselocale(was);
    freelocale(c);
    darc_free(text);
    return end;
}

const char *darc_number_read(double *x, const char *s, char point,
                             const darc_pow5 *table)
{
    decimal d;
    const char *end = read_decimal(&d, s, point);
    if (end == s)
        return s;
    double v;
    if (d.digits <= 19 && d.m <= (uint64_t)1 << 53 && d.e >= -22 && d.e <= 22) {
        v = d.e < 0 ? (double)d.m / power10[-d.e] : (double)d.m * power10[d.e];
    } else if (d.digits <= 19 ? !darc_pow5_round(&v, d.m, d.e, table)
                              : !round_long(&v, &d, s, point, table)) {
        return darc_number_read_exact(x, s, point);
    }
    *x = d.negative ? -v : v;
    return end;
}
