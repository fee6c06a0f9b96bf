#include "tests.h"

#include "files/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpfr.h>

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* All routes give the bits and the end that strtod gives. */
static void check_like_strtod(const char *text)
{
    static char s[2000];
    memset(s, 0, sizeof s);
    strcpy(s, text);
    char *end;
    double want = strtod(s, &end), fast = -1, exact = -2;
    const char *fast_end = darc_number_read(&fast, s, '.');
    const char *exact_end = darc_number_read_exact(&exact, s, '.');
    ck_assert_msg(fast_end == end && exact_end == end, "'%s': ends", s);
    ck_assert_msg(to_bits(fast) == to_bits(want), "'%s': %a, not %a", s, fast,
                  want);
    ck_assert_msg(to_bits(exact) == to_bits(want), "exact '%s': %a, not %a", s,
                  exact, want);
}

START_TEST(random_bits_in_many_formats)
{
    static const char *const format[] = {"%.17g", "%.16g", "%.15e", "%.9g",
                                         "%.3f",  "%.20e", "%.30g", "%.6g"};
    uint64_t state = 1;
    char s[1000];
    for (int i = 0; i < 4000; i++) {
        double x = from_bits(next_random(&state));
        if (i % 2 == 0) /* exponents as in data */
            x = ldexp((double)next_random(&state), -64 + i % 60 - 40);
        if (!isfinite(x))
            continue;
        snprintf(s, sizeof s, format[i % 8], x);
        check_like_strtod(s);
    }
}
END_TEST

START_TEST(random_decimals)
{
    uint64_t state = 2;
    char s[100];
    for (int i = 0; i < 4000; i++) {
        uint64_t m = next_random(&state) >> (next_random(&state) % 64);
        int e = (int)(next_random(&state) % 700) - 350;
        snprintf(s, sizeof s, "%" PRIu64 "e%d", m, e);
        check_like_strtod(s);
        snprintf(s, sizeof s, "-%" PRIu64 ".%05" PRIu64, m % 1000000,
                 next_random(&state) % 100000);
        check_like_strtod(s);
    }
}
END_TEST

/* Exact decimals of the midpoint between x and its successor, and the same
 * a little below and above. */
static void check_halfway(double x)
{
    mpfr_t mid;
    mpfr_init2(mid, 60);
    mpfr_set_d(mid, x, MPFR_RNDN);
    mpfr_t half;
    mpfr_init2(half, 60);
    mpfr_set_d(half, nextafter(x, HUGE_VAL) - x, MPFR_RNDN);
    mpfr_div_2ui(half, half, 1, MPFR_RNDN);
    mpfr_add(mid, mid, half, MPFR_RNDN);
    char *s;
    mpfr_asprintf(&s, "%.1080Re", mid);
    check_like_strtod(s); /* exact */
    char *e = strchr(s, 'e');
    e[-1] = '1'; /* a little above */
    check_like_strtod(s);
    mpfr_free_str(s);
    mpfr_asprintf(&s, "%.17Re", mid);
    check_like_strtod(s);
    mpfr_free_str(s);
    mpfr_asprintf(&s, "%.25RDe", mid); /* a little below */
    check_like_strtod(s);
    mpfr_free_str(s);
    mpfr_clears(mid, half, (mpfr_ptr)0);
}

START_TEST(halfway_cases)
{
    uint64_t state = 3;
    for (int i = 0; i < 100; i++) {
        double x = fabs(from_bits(next_random(&state)));
        if (isfinite(x) && isfinite(nextafter(x, HUGE_VAL)))
            check_halfway(x);
        check_halfway(from_bits(next_random(&state) >> 12)); /* subnormal */
        check_halfway((double)(next_random(&state) >> 11));
    }
    check_halfway(0);
    check_halfway(0x1p-1022);
    check_halfway(nextafter(0x1p-1022, 0));
}
END_TEST

START_TEST(known_hard_numbers)
{
    static const char *const s[] = {
        "9007199254740993",
        "9007199254740992.5",
        "9007199254740993.0000000000000000000000000001",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793e289",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "1e400",
        "-1e400",
        "0e9999999999",
        "1e99999999999999",
        "1e-99999999999999",
        "-0",
        "-0.0e5",
        "0.000000000000000000000000000000000000001",
        "00000000000000000000000000012.5",
        "1.",
        ".5",
        "+.5e+1",
        "8.5e-05",
        "3e",
        "3e+",
        "3.e-",
        "12345678",
        "0.12345678",
        "0.123456789",
        "1234567890123456789",
        "12345678901234567890",
        "6.0221407600000000000000e23",
        "1.8446744073709551616e19",
        "9223372036854775807.99999999",
        "7.3177701707893310e+15",
        "5e-324",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126"};
    for (size_t i = 0; i < sizeof s / sizeof s[0]; i++)
        check_like_strtod(s[i]);
}
END_TEST

START_TEST(what_is_no_number)
{
    static const char *const s[] = {"",   "-",   "+",   ".",   "-.",
                                    "e5", ".e5", "abc", "--1", "+-1"};
    char buffer[40] = {0};
    for (size_t i = 0; i < sizeof s / sizeof s[0]; i++) {
        double x = 2.385;
        strcpy(buffer, s[i]);
        ck_assert_ptr_eq(darc_number_read(&x, buffer, '.'), buffer);
        ck_assert_ptr_eq(darc_number_read_exact(&x, buffer, '.'), buffer);
        ck_assert(x == 2.385);
    }
}
END_TEST

START_TEST(decimal_comma)
{
    char s[40] = "-3,25e1;";
    double x;
    ck_assert_ptr_eq(darc_number_read(&x, s, ','), s + 7);
    ck_assert(x == -32.5);
    ck_assert_ptr_eq(darc_number_read(&x, s, '.'), s + 2);
    ck_assert(x == -3);
}
END_TEST

Suite *suite_number(void)
{
    Suite *s = suite_create("number");
    TCase *c = tcase_create("number");
    tcase_add_test(c, random_bits_in_many_formats);
    tcase_add_test(c, random_decimals);
    tcase_add_test(c, halfway_cases);
    tcase_add_test(c, known_hard_numbers);
    tcase_add_test(c, what_is_no_number);
    tcase_add_test(c, decimal_comma);
    suite_add_tcase(s, c);
    return s;
}
