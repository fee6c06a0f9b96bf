#include "files/csv.h"

#include <math.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The plain numbers that fill recordings.  Where a number ends is known from
 * one look at 32 bytes, so that the next can begin before this one is
 * converted; no branch on the sign.  Everything else is left to number.c and
 * csv.c. */

static const double power10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                 1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

static const uint64_t whole10[] = {1,      10,      100,      1000,     10000,
                                   100000, 1000000, 10000000, 100000000};

/* Append the n <= 8 digits at s to *m. */
static inline void append_digits(uint64_t *m, const char *s, int n)
{
    if (n == 0)
        return;
    uint64_t v = darc_number_load(s) ^ 0x3030303030303030;
    *m = *m * whole10[n] + darc_number_join(v << (64 - 8 * n)); /* 0s first */
}

#ifdef __SSE2__

/* Bit i tells whether the byte s[i] is no digit, i < 32. */
static inline uint32_t not_digits(const char *s)
{
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
    __m128i a = _mm_loadu_si128((const __m128i *)(const void *)s);
    __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(s + 16));
    a = _mm_sub_epi8(a, zero);
    b = _mm_sub_epi8(b, zero);
    /* unsigned a <= 9 is min(a, 9) == a */
    a = _mm_cmpeq_epi8(_mm_min_epu8(a, nine), a);
    b = _mm_cmpeq_epi8(_mm_min_epu8(b, nine), b);
    uint32_t low = (uint32_t)_mm_movemask_epi8(a);
    uint32_t high = (uint32_t)_mm_movemask_epi8(b);
    return ~(low | high << 16);
}

#else

static inline uint32_t not_digits(const char *s)
{
    uint32_t bits = 0;
    for (int i = 0; i < 32; i++)
        bits |= (uint32_t)((unsigned char)(s[i] - '0') > 9) << i;
    return bits;
}

#endif

/* Read [-]digits[point digits] with at most 8 digits before the point and 19
 * in all; NULL for anything else. */
static inline const char *plain(double *x, const char *s, char point,
                                const darc_pow5 *pow5)
{
    uint64_t negative = *s == '-', m = 0, bits;
    s += negative;
    uint32_t other = not_digits(s);
    if (other == 0 || (other & 1))
        return NULL;
    int whole = __builtin_ctz(other), fraction = 0;
    const char *end = s + whole;
    if (whole > 8)
        return NULL;
    append_digits(&m, s, whole);
    if (*end == point) {
        other &= other - 1;
        if (other == 0)
            return NULL;
        fraction = __builtin_ctz(other) - whole - 1;
        s = end + 1;
        end = s + fraction;
        if (whole + fraction > 19)
            return NULL;
        int left = fraction;
        for (; left > 8; left -= 8, s += 8)
            append_digits(&m, s, 8);
        append_digits(&m, s, left);
    }
    if ((*end | 0x20) == 'e')
        return NULL;
    double v;
    if (m <= (uint64_t)1 << 53)
        v = (double)(int64_t)m / power10[fraction];
    else if (!darc_pow5_round(&v, m, -fraction, pow5))
        return NULL;
    memcpy(&bits, &v, sizeof bits);
    bits ^= negative << 63;
    memcpy(x, &bits, sizeof bits);
    return end;
}

/* The end of a cell that is not read, NULL for anything unusual. */
static const char *skip_cell(const char *s, char separator)
{
    for (;; s++)
        if (*s == separator || *s == '\n')
            return s;
        else if (*s == '"' || *s == '\0' || *s == '\r')
            return NULL;
}

const char *darc_csv_fast_row(const darc_csv *csv, const char *s, double *value)
{
    char separator = csv->separator;
    int last = csv->columns - 1;
    if (darc_csv_is_hash(*s))
        return NULL;
    for (int c = 0; c <= last; c++) {
        const char *end;
        while (*s == ' ')
            s++;
        int slot = csv->slot[c];
        if (slot >= 0) {
            end = plain(&value[slot], s, csv->point, &csv->pow5);
            if (end == NULL) {
                end = darc_number_read(&value[slot], s, csv->point, &csv->pow5);
                end = end > s && isfinite(value[slot]) ? end : NULL;
            }
        } else {
            end = skip_cell(s, separator);
        }
        if (end == NULL)
            return NULL;
        s = end;
        if (*s == '\r' && s[1] == '\n')
            s++;
        if (*s != (c == last ? '\n' : separator))
            return NULL;
        s++;
    }
    return s;
}
