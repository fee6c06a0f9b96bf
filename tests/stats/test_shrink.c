#include "tests.h"

#include "base/random.h"
#include "stats/shrink.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 4 };

/* What is left of an effect whose parts on columns of these lengths are of that
 * size. */
static darc_shrunk drawn(double size, double dof, unsigned seed, double noise)
{
    darc_random r;
    darc_random_init(&r, seed, 0);
    double gram[COLUMNS * COLUMNS] = {0}, b[COLUMNS], square = 0;
    for (int k = 0; k < COLUMNS; k++) {
        double length = 8 >> k;
        double x = darc_random_normal(&r) +
                   size * length * (darc_random_uniform(&r) < .5 ? -1 : 1);
        gram[k * COLUMNS + k] = length * length;
        b[k] = length * x;
        square += x * x;
    }
    for (int i = COLUMNS; i < (int)dof; i++)
        square += pow(darc_random_normal(&r), 2);
    darc_shrink s = {
        .rest = square, .dof = dof, .known = isfinite(noise), .noise = noise};
    darc_shrunk said;
    darc_shrink_init(&s, gram, b, COLUMNS);
    darc_shrink_ask(&said, &s, .05, 7);
    darc_shrink_clear(&s);
    return said;
}

/* The level holds with ten degrees of freedom: .05 of 400, within 3.3 standard
 * deviations. */
START_TEST(level_holds_in_small_samples)
{
    int found = 0, known = 0;
    for (unsigned i = 0; i < 400; i++) {
        found += drawn(0, 10, i, NAN).p_value < .05;
        known += drawn(0, 10, i, 1).p_value < .05;
    }
    ck_assert_int_gt(found, 5);
    ck_assert_int_lt(found, 35);
    ck_assert_int_gt(known, 5);
    ck_assert_int_lt(known, 35);
}
END_TEST

START_TEST(finds_what_it_says_it_finds)
{
    int found = 0, inside = 0;
    for (unsigned i = 0; i < 40; i++) {
        darc_shrunk s = drawn(3, 20, 500 + i, NAN);
        found += s.p_value < .05;
        inside += s.low <= 3 && 3 <= s.high;
        ck_assert_double_le(s.low, s.size);
        ck_assert_double_le(s.size, s.high);
        ck_assert((s.low > 0) == (s.p_value < .05));
    }
    ck_assert_int_ge(found, 36);
    ck_assert_int_ge(inside, 32);
    darc_shrunk none = drawn(0, 20, 1, NAN);
    ck_assert_double_gt(none.detectable, .05);
    ck_assert_double_lt(none.detectable, 3);
}
END_TEST

Suite *suite_shrink(void)
{
    Suite *s = suite_create("shrink");
    TCase *tc = tcase_create("shrink");
    tcase_add_test(tc, level_holds_in_small_samples);
    tcase_add_test(tc, finds_what_it_says_it_finds);
    suite_add_tcase(s, tc);
    return s;
}
