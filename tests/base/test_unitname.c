#include "tests.h"

#include "base/units.h"

#include <string.h>

/* The unit is printed so beside those that somebody declares. */
static void check_print(const char *unit, const char *expected,
                        const char *const *own)
{
    darc_unit u, again;
    size_t n = 0;
    darc_text_t text = DARC_TEXT;
    while (own[n] != NULL)
        n++;
    ck_assert(darc_unit_read(&u, unit));
    darc_unit_print(text, u.power, own, n);
    ck_assert_msg(strcmp(text->s, expected) == 0, "%s: %s, not %s", unit,
                  text->s, expected);
    if (strcmp(text->s, "1") != 0) {
        ck_assert(darc_unit_read(&again, text->s));
        ck_assert(darc_unit_same(u.power, again.power));
    }
    darc_text_clear(text);
}

START_TEST(without_others_the_shortest_is_printed)
{
    static const char *const none[] = {NULL};
    static const char *const unit[][2] = {{"kg*m/s^2", "N"},
                                          {"kg/s^2", "N/m"},
                                          {"kg*m^2/s^3/A", "V"},
                                          {"kg*m^2/s^3/A^2", "ohm"},
                                          {"J", "J"},
                                          {"kg*m^2", "kg*m^2"},
                                          {"kg/m^3", "kg/m^3"},
                                          {"m/s^2", "m/s^2"},
                                          {"kg/s", "kg/s"},
                                          {"kg*m/s", "kg*m/s"},
                                          {"kg/s^3/K", "kg/s^3/K"},
                                          {"s^2/kg", "m/N"},
                                          {"Pa^2", "Pa^2"},
                                          {"A^2*s^4/kg/m^2", "F"},
                                          {"deg", "1"},
                                          {"m^(5/2)/m^3", "1/m^(1/2)"},
                                          {"A*s", "s*A"},
                                          {"kg^2*m^2/s^4", "N^2"}};
    for (size_t i = 0; i < sizeof unit / sizeof unit[0]; i++)
        check_print(unit[i][0], unit[i][1], none);
}
END_TEST

START_TEST(those_of_the_model_come_first)
{
    static const char *const motor[] = {"N*m/A", "kg*m^2", "N*m*s/rad", "V",
                                        "rad/s", "",       "ohm",       NULL};
    static const char *const joint[] = {"N", "m", "rad/s^2", NULL};
    static const char *const heat[] = {"J/K", "W", NULL};
    static const char *const scaled[] = {"mN", "kN/m", NULL};
    check_print("V*s", "N*m/A", motor); /* declared */
    check_print("kg*m^2/s", "N*m*s", motor);
    check_print("kg*m^2/s^2", "N*m", motor);
    check_print("kg*m^2/s^2", "N*m", joint);
    check_print("kg*m/s", "N*s", joint);
    check_print("1/s^2", "1/s^2", joint); /* no angle is meant */
    check_print("m/s^2", "m/s^2", joint);
    check_print("kg*m^2/s^2", "J", heat);
    check_print("kg*m^2", "kg*m^2", heat);
    check_print("kg/s^3/K", "W/m^2/K", heat);
    check_print("kg*m/s^2", "N", scaled);
    check_print("kg/s^2", "N/m", scaled);
}
END_TEST

Suite *suite_unitname(void)
{
    Suite *s = suite_create("unitname");
    TCase *t = tcase_create("unitname");
    tcase_add_test(t, without_others_the_shortest_is_printed);
    tcase_add_test(t, those_of_the_model_come_first);
    suite_add_tcase(s, t);
    return s;
}
