#include "tests.h"

#include "base/mem.h"

START_TEST(an_array_has_room_for_one_more)
{
    enum { ITEMS = 1000 };
    int *x = NULL;
    for (int i = 0; i < ITEMS; i++) {
        DARC_ROOM(x, i);
        x[i] = i;
    }
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(x[i], i);
    DARC_ROOM(x, 0); /* it begins anew */
    x[7] = 7;
    darc_free(x);
}
END_TEST

Suite *suite_mem(void)
{
    Suite *s = suite_create("mem");
    TCase *c = tcase_create("mem");
    tcase_add_test(c, an_array_has_room_for_one_more);
    suite_add_tcase(s, c);
    return s;
}
