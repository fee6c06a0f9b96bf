#include "tests.h"

#include "base/random.h"
#include "simulate/curve.h"
#include "simulate/wave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static darc_wave *make(const char *spec)
{
    darc_err err;
    darc_err_init(&err);
    darc_wave *w;
    darc_status status = darc_wave_new(
        &w, spec, &(darc_wave_source){"u", NULL, 7, 1, NULL}, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    return w;
}

static void refuse(const char *spec, const char *message)
{
    darc_err err;
    darc_err_init(&err);
    darc_wave *w;
    ck_assert_int_eq(darc_wave_new(&w, spec,
                                   &(darc_wave_source){"u", NULL, 7, 1, NULL},
                                   &err),
                     DARC_USAGE);
    ck_assert_ptr_null(w);
    ck_assert_str_eq(err.message, message);
}

/* Every derivative is the central difference of the one below, whose error
 * is h^2/6 times the third derivative above it and rounding over h. */
START_TEST(derivatives_agree_with_differences)
{
    static const char *const specs[] = {
        "constant:2.385",      "sine:1.5,0.7,0.3",
        "chirp:0.8,0.2,1.4,6", "multisine:2,0.1,1.1,7",
        "road:C,0.5",          "constant:-1e+1+sine:1,0.1+chirp:0.8,0.2,0.4,6"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        darc_wave *w = make(specs[i]);
        for (double t = 0.37; t < 5; t += 0.61) {
            double at[7], low[7], high[7], h = 1e-3;
            darc_wave_eval(w, t, 6, at);
            darc_wave_eval(w, t - h, 6, low);
            darc_wave_eval(w, t + h, 6, high);
            for (int k = 0; k < 4; k++) {
                double bound = h * h / 6 * 2 * (fabs(at[k + 3]) + 60) +
                               1e-15 / h * (fabs(at[k]) + 60);
                ck_assert_double_eq_tol(at[k + 1], (high[k] - low[k]) / (2 * h),
                                        bound);
            }
        }
        darc_wave_free(w);
    }
}
END_TEST

START_TEST(values_by_hand)
{
    double x[3];
    darc_wave *w = make("sine:2,0.25,0.5");
    darc_wave_eval(w, 1.2, 2, x);
    ck_assert_double_eq_tol(x[0], 2 * sin(0.6 * acos(-1) + 0.5), 1e-14);
    darc_wave_free(w);
    w = make("step:-3,2.5");
    darc_wave_eval(w, 2.4999, 0, x);
    ck_assert(x[0] == 0);
    ck_assert(darc_wave_next_jump(w, 2.4999) == 2.5);
    darc_wave_eval(w, 2.5, 0, x);
    ck_assert(x[0] == -3);
    ck_assert(darc_wave_next_jump(w, 2.5) == HUGE_VAL);
    ck_assert_int_eq(darc_wave_order(w), 0);
    darc_wave_free(w);
    w = make("constant:1.5+step:1,2+step:-4,3+sine:0,1");
    darc_wave_eval(w, 3.25, 0, x);
    ck_assert(x[0] == -1.5);
    ck_assert(darc_wave_next_jump(w, 1) == 2);
    ck_assert(darc_wave_next_jump(w, 2) == 3);
    ck_assert_int_eq(darc_wave_order(w), 0);
    darc_wave_free(w);
    /* A chirp has frequency HZ1 at TIME: phase pi (f0 + f1) TIME. */
    w = make("chirp:1,0.5,2,3");
    darc_wave_eval(w, 3, 1, x);
    ck_assert_double_eq_tol(x[0], sin(acos(-1) * 2.5 * 3), 1e-13);
    ck_assert_double_eq_tol(x[1], 4 * acos(-1) * cos(acos(-1) * 2.5 * 3),
                            1e-12);
    darc_wave_free(w);
}
END_TEST

/* ISO 8608: in every octave of spatial frequency the power is the integral
 * of G; the edges fall on band edges only by chance, so one band may stray. */
START_TEST(road_has_the_power_of_its_class)
{
    darc_random r;
    darc_random_init(&r, 3, 0);
    darc_sines s;
    double speed = 20, g0 = 256e-6;
    darc_sines_road(&s, 'C', speed, &r);
    ck_assert_int_eq(s.count, 256);
    double total = 0;
    for (double low = 0.011; low < 2; low *= 2) {
        double power = 0, want = g0 * 0.01 * (1 / low - 0.5 / low);
        for (int i = 0; i < s.count; i++) {
            double n = s.omega[i] / DARC_TWO_PI / speed;
            if (n >= low && n < 2 * low)
                power += s.amplitude[i] * s.amplitude[i] / 2;
        }
        ck_assert_double_eq_tol(power, want, 0.05 * want);
        total += power;
    }
    ck_assert_double_eq_tol(sqrt(total), 0.0152, 0.0002);
    double y;
    darc_sines_eval(&s, 0, 0, &y);
    ck_assert_double_eq_tol(y, 0, 1e-16);
    darc_sines_clear(&s);
}
END_TEST

START_TEST(seed_decides)
{
    double a, b, c, d;
    darc_wave *w = make("road:A,15");
    darc_wave_eval(w, 1.5, 0, &a);
    darc_wave_free(w);
    w = make("road:A,15");
    darc_wave_eval(w, 1.5, 0, &b);
    darc_wave_free(w);
    ck_assert_int_eq(darc_wave_new(&w, "road:A,15",
                                   &(darc_wave_source){"u", NULL, 8, 1, NULL},
                                   NULL),
                     0);
    darc_wave_eval(w, 1.5, 0, &c);
    darc_wave_free(w);
    ck_assert_int_eq(darc_wave_new(&w, "road:A,15",
                                   &(darc_wave_source){"u", NULL, 7, 2, NULL},
                                   NULL),
                     0);
    darc_wave_eval(w, 1.5, 0, &d);
    darc_wave_free(w);
    ck_assert(a == b && a != c && a != d && c != d);
}
END_TEST

START_TEST(refusals)
{
    refuse("sine:1", "input 'u': expected sine:AMPLITUDE,HZ[,PHASE], not "
                     "'sine:1'");
    refuse("sine:1,0", "input 'u': expected sine:AMPLITUDE,HZ[,PHASE], not "
                       "'sine:1,0'");
    refuse("sine:1,-2", "input 'u': expected sine:AMPLITUDE,HZ[,PHASE], not "
                        "'sine:1,-2'");
    refuse("const:5",
           "input 'u': 'const' is no signal; there are constant:V, "
           "step:AMPLITUDE,TIME, sine:AMPLITUDE,HZ[,PHASE], "
           "chirp:AMPLITUDE,HZ0,HZ1,TIME, multisine:RMS,HZ0,HZ1[,N], "
           "dose:AMOUNT,TIME[,EVERY,N], road:CLASS,SPEED and files");
    refuse("constant:x", "input 'u': expected constant:V, not 'constant:x'");
    refuse("multisine:1,2,1", "input 'u': expected multisine:RMS,HZ0,HZ1[,N], "
                              "not 'multisine:1,2,1'");
    refuse("road:Z,20",
           "input 'u': expected road:CLASS,SPEED with a class A .. H and a "
           "speed in m/s, not 'road:Z,20'");
    refuse("road:C,0",
           "input 'u': expected road:CLASS,SPEED with a class A .. H and a "
           "speed in m/s, not 'road:C,0'");
    darc_wave *w;
    ck_assert_int_eq(darc_wave_new(&w, "no/such.csv",
                                   &(darc_wave_source){"u", NULL, 1, 1, NULL},
                                   NULL),
                     DARC_IO);
}
END_TEST

/* A not-a-knot spline gives a cubic back, on any grid. */
START_TEST(spline_keeps_cubics)
{
    static const double t[] = {0.1, 0.4, 0.5, 1.3, 1.9, 2.2};
    double y[6], out[3];
    for (size_t n = 2; n <= 6; n++) {
        double c3 = n >= 4 ? 0.7 : 0, c2 = n >= 3 ? -1.3 : 0;
        for (size_t i = 0; i < n; i++)
            y[i] = 2 + t[i] * (0.5 + t[i] * (c2 + t[i] * c3));
        darc_spline s;
        darc_spline_init(&s, t, y, n);
        for (double x = 0; x < 2.4; x += 0.17) {
            darc_spline_eval(&s, x, out);
            ck_assert_double_eq_tol(out[0], 2 + x * (0.5 + x * (c2 + x * c3)),
                                    1e-13);
            ck_assert_double_eq_tol(out[1], 0.5 + x * (2 * c2 + 3 * x * c3),
                                    1e-12);
            ck_assert_double_eq_tol(out[2], 2 * c2 + 6 * x * c3, 1e-12);
        }
        darc_spline_clear(&s);
    }
}
END_TEST

START_TEST(recordings_are_interpolated)
{
    char file[] = "/tmp/darc_wave_XXXXXX";
    int fd = mkstemp(file);
    FILE *f = fdopen(fd, "w");
    fprintf(f, "time,v,u [V]\n");
    for (int i = 0; i <= 100; i++)
        fprintf(f, "%.17g,0,%.17g\n", i * 0.02, sin(i * 0.02));
    fclose(f);
    darc_wave *w = make(file);
    double x[3], from, to;
    darc_wave_eval(w, 1.011, 2, x);
    /* Errors of a cubic spline: 5/384 h^4, h^3/24, 3/8 h^2 times |u''''|. */
    ck_assert_double_eq_tol(x[0], sin(1.011), 2.1e-9);
    ck_assert_double_eq_tol(x[1], cos(1.011), 3.4e-7);
    ck_assert_double_eq_tol(x[2], -sin(1.011), 1.5e-4);
    darc_wave_span(w, &from, &to);
    ck_assert(from == 0 && fabs(to - 2) < 1e-12);
    ck_assert_int_eq(darc_wave_order(w), 2);
    darc_wave_free(w);
    ck_assert_int_eq(darc_wave_new(&w, file,
                                   &(darc_wave_source){"u", "v", 1, 1, NULL},
                                   NULL),
                     0);
    darc_wave_eval(w, 1.011, 0, x);
    ck_assert(x[0] == 0);
    darc_wave_free(w);
    f = fopen(file, "w");
    fprintf(f, "t,u [mV]\n0,1000\n1,2000\n2,3000\n");
    fclose(f);
    ck_assert_int_eq(darc_wave_new(&w, file,
                                   &(darc_wave_source){"u", NULL, 1, 1, "V"},
                                   NULL),
                     0);
    darc_wave_eval(w, 1, 0, x);
    ck_assert_double_eq_tol(x[0], 2, 1e-12);
    darc_wave_free(w);
    f = fopen(file, "w");
    fprintf(f, "t,u\n0,1\n1,\n2,3\n3,4\n");
    fclose(f);
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_wave_new(&w, file,
                                   &(darc_wave_source){"u", NULL, 1, 1, NULL},
                                   &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "has a gap near t = 1 s"));
    unlink(file);
}
END_TEST

/* Mean 0 within 4 standard errors, variance 1, and a fourth moment of 3. */
START_TEST(normal_numbers)
{
    darc_random r;
    darc_random_init(&r, 11, 0);
    int n = 100000;
    double m1 = 0, m2 = 0, m4 = 0;
    for (int i = 0; i < n; i++) {
        double x = darc_random_normal(&r);
        m1 += x / n;
        m2 += x * x / n;
        m4 += x * x * x * x / n;
    }
    ck_assert_double_eq_tol(m1, 0, 4 / sqrt(n));
    ck_assert_double_eq_tol(m2, 1, 4 * sqrt(2.0 / n));
    ck_assert_double_eq_tol(m4, 3, 4 * sqrt(96.0 / n));
}
END_TEST

Suite *suite_wave(void)
{
    Suite *s = suite_create("wave");
    TCase *c = tcase_create("wave");
    tcase_add_test(c, derivatives_agree_with_differences);
    tcase_add_test(c, values_by_hand);
    tcase_add_test(c, road_has_the_power_of_its_class);
    tcase_add_test(c, seed_decides);
    tcase_add_test(c, refusals);
    tcase_add_test(c, spline_keeps_cubics);
    tcase_add_test(c, recordings_are_interpolated);
    tcase_add_test(c, normal_numbers);
    suite_add_tcase(s, c);
    return s;
}
