#include "files/number.h"

#include "base/mem.h"

#include <gmp.h>
#include <locale.h>
#include <stdlib.h>
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

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* What strtod gives in the C locale. */
static double exact_value(const char *text)
{
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t was = uselocale(c);
    double x = strtod(text, NULL);
    uselocale(was);
    freelocale(c);
    return x;
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
    size_t sign = end[1] == '-' || end[1] == '+' ? 2 : 1;
    bool fortran = (*end | 0x20) == 'd';
    size_t mantissa = (size_t)(end - s);
    if ((fortran || (*end | 0x20) == 'e') && is_digit(end[sign]))
        end += sign + strspn(end + sign, "0123456789");
    char *text = darc_strndup(s, (size_t)(end - s));
    text[mantissa] = fortran && text[mantissa] != '\0' ? 'e' : text[mantissa];
    char *mark = strchr(text, point);
    if (mark != NULL)
        *mark = '.';
    *x = exact_value(text);
    darc_free(text);
    return end;
}
