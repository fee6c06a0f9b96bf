#include "tests.h"

#include "base/attempt.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void check_convert(const char *from, const char *to, double scale,
                          double shift)
{
    double a, b;
    darc_err err = {DARC_OK, ""};
    ck_assert_msg(darc_unit_convert(&a, &b, from, to, &err) == DARC_OK, "%s",
                  err.message);
    ck_assert_double_eq_tol(a / scale, 1, 1e-12);
    ck_assert_double_eq_tol(b, shift, 1e-9);
}

START_TEST(units_of_sensors)
{
    const double pi = 3.14159265358979323846;
    check_convert("mm", "m", 1e-3, 0);
    check_convert("deg", "rad", pi / 180, 0);
    check_convert("\xc2\xb0/s", "rad/s", pi / 180, 0);
    check_convert("km/h", "m/s", 1 / 3.6, 0);
    check_convert("bar", "Pa", 1e5, 0);
    check_convert("degC", "K", 1, 273.15);
    check_convert("\xc2\xb0"
                  "C",
                  "K", 1, 273.15);
    check_convert("K", "degC", 1, -273.15);
    check_convert("degC/min", "K/s", 1. / 60, 0);
    check_convert("rpm", "rad/s", pi / 30, 0);
    check_convert("U/min", "rad/s", pi / 30, 0);
    check_convert("1/min", "Hz", 1. / 60, 0);
    check_convert("ms", "s", 1e-3, 0);
    check_convert("mAh", "C", 3.6, 0);
    check_convert("%", "-", 0.01, 0);
    check_convert("kNm", "N*m", 1000, 0);
    check_convert("N*s/m", "kg/s", 1, 0);
    check_convert("kg*m^(1/2)", "g*mm^(1/2)", 1000 * 31.622776601683793, 0);
    check_convert("mm/s\xc2\xb2", "m/s^2", 1e-3, 0);
    check_convert("m\xc2\xb7s", "mm s", 1000, 0);
    check_convert("V/(rad/s)", "V*s/rad", 1, 0);
    check_convert("g", "m/s^2", 9.80665, 0);
    check_convert("C", "degC", 1, 0); /* no coulomb beside a temperature */
    check_convert("C", "K", 1, 273.15);
    check_convert("F", "degF", 1, 0);
    check_convert("C", "mA*h", 1 / 3.6, 0);
    check_convert("Deg C", "K", 1, 273.15);
    check_convert("deg. F", "degF", 1, 0);
    check_convert("degrees Celsius", "degC", 1, 0);
    check_convert("Seconds", "ms", 1000, 0);
    check_convert("Volts", "V", 1, 0);
    check_convert("VDC", "mV", 1000, 0);
    ck_assert_str_eq(darc_unit_meant("C", "K"), "degC");
    ck_assert_ptr_null(darc_unit_meant("C", "A*h"));
    ck_assert_ptr_null(darc_unit_meant("K", "degC"));
    check_convert("l/min", "m^3/s", 1e-3 / 60, 0);
}
END_TEST

/* What is known without the library is what the library says of its name. */
START_TEST(si_units_are_those_of_the_library)
{
    static const char *const pair[][2] = {
        {"m", "meter"},   {"kg", "kilogram"}, {"s", "second"},
        {"A", "ampere"},  {"K", "kelvin"},    {"rad", "radian"},
        {"Hz", "hertz"},  {"N", "newton"},    {"Nm", "newton.meter"},
        {"Pa", "pascal"}, {"J", "joule"},     {"W", "watt"},
        {"C", "coulomb"}, {"V", "volt"},      {"ohm", "1000 milliohm"},
        {"F", "farad"},   {"H", "henry"},     {"Wb", "weber"}};
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        darc_unit own, other;
        ck_assert(darc_unit_read(&own, pair[i][0]));
        ck_assert_msg(darc_unit_read(&other, pair[i][1]), "%s", pair[i][1]);
        ck_assert_double_eq_tol(other.scale, own.scale, 1e-15);
        ck_assert(other.shift == 0 && own.shift == 0);
        ck_assert_mem_eq(own.power, other.power, sizeof own.power);
    }
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
    static const char *const pair[][3] = {{"m", "kg", "different things"},
                                          {"Hz", "rad/s", "2 pi"},
                                          {"1/min", "rad/s", "0.1047198"},
                                          {"rad/s", "1/s", "2 pi"},
                                          {"furlongs2", "m", "furlongs2"},
                                          {"m", "kg*", "kg*"},
                                          {"(m", "m", "no unit"},
                                          {"m^^2", "m", "no unit"},
                                          {"", "m", "no unit"},
                                          {"m^(1/0)", "m", "no unit"}};
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        double a, b;
        darc_err err = {DARC_OK, ""};
        ck_assert_int_eq(
            darc_unit_convert(&a, &b, pair[i][0], pair[i][1], &err), DARC_DATA);
        ck_assert_msg(strstr(err.message, pair[i][2]) != NULL, "%s",
                      err.message);
    }
}
END_TEST

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

static rlim_t data_bytes(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fscanf(f, "%*u %*u %*u %*u %*u %lu", &pages), 1);
    fclose(f);
    return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* A passing lack is neither the end nor a missing library. */
START_TEST(lack_of_memory_passes)
{
    struct rlimit was, small;
    double a, b;
    darc_status status = DARC_OK;
    ck_assert_int_eq(getrlimit(RLIMIT_DATA, &was), 0);
    for (rlim_t kb = 0; kb <= 4000; kb += kb < 800 ? 50 : 1600) {
        darc_err err = {DARC_OK, ""};
        small = was;
        small.rlim_cur = data_bytes() + (kb << 10);
        ck_assert_int_eq(setrlimit(RLIMIT_DATA, &small), 0);
        DARC_ATTEMPT(status, darc_unit_convert(&a, &b, "inch", "m", &err),
                     &err);
        setrlimit(RLIMIT_DATA, &was);
        ck_assert_msg(status == DARC_OK || status == DARC_LIMIT, "%lu kB: %s",
                      (unsigned long)kb, err.message);
    }
    ck_assert_int_eq(status, DARC_OK);
    check_convert("inch", "m", 0.0254, 0);
}
END_TEST

#endif

Suite *suite_units(void)
{
    Suite *s = suite_create("units");
    TCase *t = tcase_create("units");
    tcase_add_test(t, units_of_sensors);
    tcase_add_test(t, si_units_are_those_of_the_library);
    tcase_add_test(t, what_cannot_be_is_refused);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    tcase_add_test(t, lack_of_memory_passes);
#endif
    suite_add_tcase(s, t);
    return s;
}
