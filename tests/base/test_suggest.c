#include "tests.h"

#include "base/suggest.h"

static const char *nearest(const char *name, const char *a, const char *b)
{
    static darc_suggestion s;
    darc_suggestion_init(&s, name);
    darc_suggestion_offer(&s, a);
    darc_suggestion_offer(&s, b);
    return darc_suggestion_text(&s);
}

START_TEST(near_names)
{
    ck_assert_str_eq(nearest("zz", "a", "z"), " (did you mean 'z'?)");
    ck_assert_str_eq(nearest("Temp", "time", "temp"),
                     " (did you mean 'temp'?)");
    ck_assert_str_eq(nearest("raod", "read", "road"),
                     " (did you mean 'road'?)");
    ck_assert_str_eq(nearest("velocty", "velocities", "velocity"),
                     " (did you mean 'velocity'?)");
    ck_assert_str_eq(nearest("x1", "x2", "x3"), " (did you mean 'x2'?)");
}
END_TEST

START_TEST(far_names_are_not_offered)
{
    ck_assert_str_eq(nearest("q", "x", "y"), "");
    ck_assert_str_eq(nearest("mass", "force", "road"), "");
    ck_assert_str_eq(nearest("damping", "stiffness", "damp"), "");
}
END_TEST

Suite *suite_suggest(void)
{
    Suite *s = suite_create("suggest");
    TCase *c = tcase_create("suggest");
    tcase_add_test(c, near_names);
    tcase_add_test(c, far_names_are_not_offered);
    suite_add_tcase(s, c);
    return s;
}
