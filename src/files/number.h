/* number.h - decimal numbers to double, correctly rounded, without locale.
 *
 * Three routes, fastest first: an exact product or quotient of two doubles
 * [Cli90]; the truncated product with a 128-bit power of five, which proves
 * itself right or gives up [Lem21]; strtod.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DARC_POW5_LOW (-342) /* 10^-343 * 2^64 rounds to 0 */
#define DARC_POW5_HIGH 308   /* 10^309 overflows */

/* The powers 5^q, q = LOW .. HIGH, as 128-bit fractions with the top bit
 * set: truncated for q >= 0, rounded up for q < 0. */
typedef struct {
    uint64_t hi[DARC_POW5_HIGH - DARC_POW5_LOW + 1];
    uint64_t lo[DARC_POW5_HIGH - DARC_POW5_LOW + 1];
} darc_pow5;

/* Fill the table.  Cost: half a millisecond. */
void darc_pow5_init(darc_pow5 *table);

/* Set *x to mantissa * 10^q, correctly rounded (0 and infinity included), if
 * the 128-bit power decides it; else return false. */
bool darc_pow5_round(double *x, uint64_t mantissa, int q,
                     const darc_pow5 *table);

/* Read [+-]digits[point digits][(e|E)[+-]digits], at least one digit in the
 * mantissa.  Return the first character after it and set *x to what strtod
 * gives in the C locale (infinity on overflow); return s if there is no
 * number.  Characters are read up to the first that does not belong to a
 * number, and up to 8 bytes from there: the buffer must have them. */
const char *darc_number_read(double *x, const char *s, char point,
                             const darc_pow5 *table);

/* The same by strtod, for any length, of a string. */
const char *darc_number_read_exact(double *x, const char *s, char point);

/* Return 8 characters, the first in the lowest byte. */
static inline uint64_t darc_number_load(const char *s)
{
    uint64_t v;
    memcpy(&v, s, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* Return what 8 digits make, 0 to 9 a byte, the first in the lowest one. */
static inline uint64_t darc_number_join(uint64_t v)
{
    v = v * 10 + (v >> 8); /* pairs in bytes 0, 2, 4, 6 */
    return ((v & 0x000000ff000000ff) * 0x000f424000000064 +
            ((v >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >>
           32;
}
