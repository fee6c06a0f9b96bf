#define _GNU_SOURCE /* strtod_l */

#include "files/number.h"

#include "base/mem.h"
#include "base/text.h"
#include "files/scan.h"
#include "files/stamp.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                               1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                               1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

enum { POWERS = sizeof ten / sizeof ten[0] - 1 };

typedef unsigned __int128 uint128;

/* Set *x to m * 10^e, correctly rounded, and return true; false where |e| is
 * more than 19. */
static bool scale(double *x, uint64_t m, int e)
{
    if (e < -POWERS || e > POWERS)
        return false;
    if (m <= (uint64_t)1 << 53) {
        *x = e < 0 ? (double)m / (double)ten[-e] : (double)m * (double)ten[e];
        return true;
    }
    if (e >= 0) {
        *x = (double)((uint128)m * ten[e]);
        return true;
    }
    /* A quotient of 63 bits and more, whose last tells of the remainder too. */
    int zeros = __builtin_clzll(m);
    uint128 n = (uint128)(m << zeros) << 64, quotient = n / ten[-e];
    quotient |= quotient * ten[-e] != n;
    *x = ldexp((double)quotient, -64 - zeros);
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
    bool wolfram = *s == '*' && s[1] == '^';                  /* 1.5*^-3 */
    if ((*s | 0x20) != 'e' && (*s | 0x20) != 'd' && !wolfram) /* of Fortran */
        return s;
    const char *t = s + 1 + wolfram;
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

const char *darc_number_read_exact(double *x, const char *s, char point)
{
    decimal d;
    const char *end = read_decimal(&d, s, point);
    if (end == s)
        return s;
    size_t n = *s == '-' || *s == '+';
    n += strspn(s + n, "0123456789");
    n += s[n] == point ? 1 + strspn(s + n + 1, "0123456789") : 0;
    int power = 0;
    read_exponent(&power, s + n);
    char *plain = darc_text_of("%.*se%d", (int)n, s, power);
    char *mark = strchr(plain, point);
    if (mark != NULL)
        *mark = '.';
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    *x = strtod_l(plain, NULL, c);
    freelocale(c);
    darc_free(plain);
    return end;
}

const char *darc_number_read(double *x, const char *s, char point)
{
    decimal d;
    double v;
    const char *end = read_decimal(&d, s, point);
    if (end == s)
        return s;
    if (d.digits > 19 || !scale(&v, d.m, d.e))
        return darc_number_read_exact(x, s, point);
    *x = d.negative ? -v : v;
    return end;
}

/* Years begin in March, so that the leap day is their last. */
int64_t darc_stamp_days(int year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t in_era = year - era * 400;
    int64_t in_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year -
           719468;
}
