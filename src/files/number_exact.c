#include "files/number.h"

#include "base/mem.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

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

/* Return num / den, positive, to the nearest double, ties to even.  den is
 * overwritten. */
static double ratio(mpz_t num, mpz_t den)
{
    /* Scale to 2^53 <= num / den < 2^55, or fewer bits if subnormal. */
    long e = (long)mpz_sizeinbase(num, 2) - (long)mpz_sizeinbase(den, 2) - 54;
    e = e < -1075 ? -1075 : e; /* one bit below the least subnormal */
    if (e > 1000)
        return HUGE_VAL;
    if (e > 0)
        mpz_mul_2exp(den, den, (unsigned long)e);
    else
        mpz_mul_2exp(num, num, (unsigned long)-e);
    mpz_tdiv_qr(num, den, num, den); /* den: what is left */
    bool sticky = mpz_sgn(den) != 0;
    uint64_t m = mpz_get_ui(num);
    int drop = m >= (uint64_t)1 << 54 ? 2 : 1;
    uint64_t low = m & (((uint64_t)1 << drop) - 1),
             half = (uint64_t)1 << (drop - 1);
    m >>= drop;
    if (low > half || (low == half && (sticky || (m & 1))))
        m++;
    return ldexp((double)m, (int)e + drop);
}

/* Return digits * 10^e, digits without sign or point. */
static double exact_value(const char *digits, long e)
{
    long length = (long)strlen(digits);
    if (length == 0 || length + e < -330)
        return 0;
    if (length + e > 310)
        return HUGE_VAL;
    mpz_t num, den;
    mpz_inits(num, den, NULL);
    mpz_set_str(num, digits, 10);
    mpz_ui_pow_ui(den, 10, (unsigned long)(e < 0 ? -e : e));
    if (e > 0) {
        mpz_mul(num, num, den);
        mpz_set_ui(den, 1);
    }
    double x = ratio(num, den);
    mpz_clears(num, den, NULL);
    return x;
}

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

const char *darc_number_read_exact(double *x, const char *s, char point)
{
    bool negative = *s == '-', after_point = false, any = false;
    const char *t = s + (*s == '-' || *s == '+');
    char *digits = darc_malloc(strspn(t, "0123456789.,") + 1);
    size_t n = 0;
    long e = 0;
    for (; is_digit(*t) || (*t == point && !after_point); t++) {
        if (*t == point) {
            after_point = true;
            continue;
        }
        any = true;
        e -= after_point;
        if (n > 0 || *t != '0') /* leading zeros say nothing */
            digits[n++] = *t;
    }
    digits[n] = '\0';
    if (any) {
        if ((*t == 'e' || *t == 'E') &&
            is_digit(t[1 + (t[1] == '-' || t[1] == '+')])) {
            bool minus = t[1] == '-';
            long p = 0;
            for (t += 1 + (t[1] == '-' || t[1] == '+'); is_digit(*t); t++)
                p = p < 99999 ? 10 * p + (*t - '0') : p;
            e += minus ? -p : p;
        }
        double v = exact_value(digits, e);
        *x = negative ? -v : v;
    }
    darc_free(digits);
    return any ? t : s;
}
