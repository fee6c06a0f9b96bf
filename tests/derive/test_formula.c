/* Errors of estimated derivatives, and of what switches by them, lie within
 * what is claimed of them: on a positioning axis with dry friction. */
#include "tests.h"

#include "base/random.h"
#include "derivation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 12000, STEPS = 50 };

static const double dt = 2e-3;

/* What a controller wants: the k-th derivative of the position at time t, m. */
static double wanted(double t, int k)
{
    static const double hertz[] = {0.4, 0.93, 1.7}, share[] = {0.6, 0.3, 0.1};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double w = 2 * acos(-1) * hertz[i];
        sum += 0.12 * share[i] * pow(w, k) *
               sin(w * t + 2.1 * i + k * acos(-1) / 2);
    }
    return sum;
}

/* Position and velocity of M q'' + Fc sign(q') + off = F, which the
 * controller drives: 46 reversals, at each of them a jump in q''. */
typedef struct {
    double q[SAMPLES], v[SAMPLES];
} axis;

static axis *move(double friction)
{
    const double mass = 95, offset = -3.2, h = dt / STEPS;
    axis *a = malloc(sizeof *a);
    double q = wanted(0, 0), v = wanted(0, 1);
    for (size_t i = 0; i < SAMPLES * STEPS; i++) {
        double t = (double)i * h;
        if (i % STEPS == 0) {
            a->q[i / STEPS] = q;
            a->v[i / STEPS] = v;
        }
        double net = mass * (3600 * (wanted(t, 0) - q) +
                             84 * (wanted(t, 1) - v) + wanted(t, 2)) -
                     offset;
        if (v == 0 && fabs(net) <= friction)
            continue;
        double way = v == 0 ? net : v;
        double next = v + h * (net - copysign(friction, way)) / mass;
        next = v != 0 && v * next < 0 ? 0 : next;
        q += h * (v + next) / 2;
        v = next;
    }
    return a;
}

static darc_table *record(const axis *a, double noise)
{
    darc_table *t = derivation_table(SAMPLES, dt);
    darc_random r;
    darc_random_init(&r, 5, 0);
    for (size_t i = 0; i < SAMPLES; i++)
        t->signal[0].value[i] = a->q[i] + noise * darc_random_normal(&r);
    return t;
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

static double stroke(const axis *a)
{
    double low = a->q[0], high = a->q[0];
    for (size_t i = 0; i < SAMPLES; i++) {
        low = fmin(low, a->q[i]);
        high = fmax(high, a->q[i]);
    }
    return high - low;
}

/* A wrong sign is an error of 2: with probability p, where 4 p (1 - p) is
 * claimed, so that squares add up to the same or up to twice as much. */
static void check_sign(const axis *a, double noise, double most)
{
    derivation d;
    derivation_make(&d, record(a, noise), " v = sign(y')", NULL);
    ck_assert_int_eq(d.of->influences, 0);
    ck_assert_ptr_nonnull(d.of->sd);
    double errors = 0, claimed = 0, known = 0, wide = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        if (isnan(d.value[i]))
            continue;
        double e = d.value[i] - sign(a->v[i]), sd = d.of->sd[i];
        ck_assert_msg(e == 0 || sd > 0, "wrong for sure at sample %zu", i);
        known += 1;
        wide += sd > 0;
        errors += e * e;
        claimed += sd * sd;
    }
    ck_assert_double_lt(wide, most * known);
    ck_assert_msg(errors < 2.2 * claimed && errors > 0.3 * claimed,
                  "noise %g: %g, claimed %g", noise, errors, claimed);
    ck_assert_double_eq_tol(d.of->error, sqrt(claimed / known), 1e-12);
    derivation_clear(&d);
}

/* The encoder's noise is a millionth of the stroke; much more, and none. */
START_TEST(signs_are_sure_but_near_reversals)
{
    axis *a = move(20.4);
    double all = stroke(a);
    check_sign(a, 1e-6 * all, 0.02);
    check_sign(a, 1e-5 * all, 0.03);
    check_sign(a, 1e-4 * all, 0.04);
    check_sign(a, 1e-3 * all, 0.10);
    check_sign(a, 0, 0.01);
    free(a);
}
END_TEST

/* Friction five times as large makes larger kinks, and rests. */
START_TEST(signs_with_much_friction)
{
    axis *a = move(100);
    double all = stroke(a);
    check_sign(a, 1e-6 * all, 0.04);
    check_sign(a, 1e-4 * all, 0.12);
    free(a);
}
END_TEST

static void check_same(const char *one, const char *other, const axis *a)
{
    derivation d, e;
    derivation_make(&d, record(a, 1e-6), one, NULL);
    derivation_make(&e, record(a, 1e-6), other, NULL);
    for (size_t i = 0; i < SAMPLES; i++) {
        ck_assert(isnan(d.value[i]) == isnan(e.value[i]));
        if (isnan(d.value[i]))
            continue;
        ck_assert(d.value[i] == e.value[i]);
        ck_assert_double_eq_tol(d.of->sd[i], e.of->sd[i], 1e-12);
    }
    ck_assert(d.of->correlation == e.of->correlation);
    ck_assert_double_gt(d.of->correlation, 4);
    derivation_clear(&d);
    derivation_clear(&e);
}

/* However it is written, a switch sees the same errors. */
START_TEST(switches_are_alike)
{
    axis *a = move(20.4);
    check_same(" v = sign(y')", " w = y'\n v = sign(w)", a);
    check_same(" v = sign(y')", " v = if y' > 0 then 1 else -1", a);
    check_same(" v = sign(y')", " v = 3*sign(3*y') - 2*sign(3*y')", a);
    check_same(" v = 0.5*sign(y')", " v = if -y' >= 0 then -0.5 else 0.5", a);
    free(a);
}
END_TEST

/* Branches that meet where they change over make no error. */
START_TEST(switches_without_a_jump)
{
    axis *a = move(20.4);
    derivation d, e;
    derivation_make(&d, record(a, 1e-6), " v = if y > 0.01 then y else 0.01",
                    NULL);
    derivation_make(&e, record(a, 1e-6), " v = if y > 0.01 then 3 else 0.01",
                    NULL);
    double meets = 0, jumps = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        meets = fmax(meets, d.of->sd[i]);
        jumps = fmax(jumps, e.of->sd[i]);
    }
    ck_assert_double_lt(meets, 1e-6);
    ck_assert_double_gt(jumps, 0.1);
    ck_assert_double_lt(jumps, 1.5);
    ck_assert_int_eq(d.of->influences, 1);
    ck_assert_int_eq(e.of->influences, 0);
    ck_assert(e.of->correlation == 1);
    derivation_clear(&d);
    derivation_clear(&e);
    free(a);
}
END_TEST

/* RMS of v - truth over what is claimed. */
static double ratio_of(const char *derived, const axis *a, double noise,
                       double (*truth)(double))
{
    derivation d;
    derivation_make(&d, record(a, noise), derived, NULL);
    double sum = 0, known = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        if (!isnan(d.value[i])) {
            sum += pow(d.value[i] - truth(a->v[i]), 2);
            known += 1;
        }
    double ratio = sqrt(sum / known) / d.of->error;
    derivation_clear(&d);
    return ratio;
}

static double same(double v)
{
    return v;
}

static double square(double v)
{
    return v * v;
}

static double both(double v)
{
    return v * v + sign(v) * v;
}

/* x' x' has twice the error of x', not the root of two.  At kinks the
 * truncation is 1.6 times what the next finer formula shows. */
START_TEST(errors_of_derivatives_go_through)
{
    axis *a = move(20.4);
    static const double noise[] = {1e-7, 1e-6, 1e-5, 1e-4};
    for (int k = 0; k < 4; k++) {
        double one = ratio_of(" v = y'", a, noise[k], same);
        double two = ratio_of(" v = y'^2", a, noise[k], square);
        double more = ratio_of(" v = y'*(y' + sign(y'))", a, noise[k], both);
        ck_assert_msg(one > 0.6 && one < 1.7, "%g: %g", noise[k], one);
        ck_assert_msg(two > 0.6 && two < 1.7, "%g: %g", noise[k], two);
        ck_assert_msg(more > 0.4 && more < 1.7, "%g: %g", noise[k], more);
    }
    free(a);
}
END_TEST

/* What is said of the noise counts, not what the signal shows. */
START_TEST(noise_is_that_of_the_caller)
{
    axis *a = move(20.4);
    double error[3];
    for (int k = 0; k < 3; k++) {
        double noise[16];
        for (int u = 0; u < 16; u++)
            noise[u] = k == 0 ? NAN : k * 1e-5;
        const darc_derive_work how = {.threads = 1, .noise = noise};
        derivation d;
        derivation_make(&d, record(a, 1e-5), " v = 3*y", &how);
        error[k] = d.of->error;
        derivation_clear(&d);
    }
    ck_assert_double_eq_tol(error[0], 3e-5, 1e-6);
    ck_assert_double_eq_tol(error[1], 3e-5, 1e-15);
    ck_assert_double_eq_tol(error[2], 6e-5, 1e-15);
    free(a);
}
END_TEST

/* A signal that is measured itself, in noise: errors are as large as those of
 * each sample alone, and last as long as the signal is near 0. */
START_TEST(signs_of_measured_signals)
{
    const darc_derive_work how = {.threads = 1, .smooth = 10};
    darc_table *t = derivation_table(SAMPLES, dt);
    darc_random r;
    derivation d;
    darc_random_init(&r, 5, 0);
    for (size_t i = 0; i < SAMPLES; i++)
        t->signal[0].value[i] =
            sin(0.01 * (double)i) + 0.1 * darc_random_normal(&r);
    derivation_make(&d, t, " v = sign(y)", &how);
    double errors = 0, claimed = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        errors += pow(d.value[i] - sign(sin(0.01 * (double)i)), 2);
        claimed += pow(d.of->sd[i], 2);
    }
    ck_assert_double_gt(d.of->correlation, 10);
    ck_assert_double_lt(d.of->correlation, 100);
    ck_assert_double_gt(errors, 0.8 * claimed);
    ck_assert_double_lt(errors, 2 * claimed);
    derivation_clear(&d);
}
END_TEST

/* Nobody knows when between two samples a sign changes: sums over samples are
 * off by what the errors beside a change say. */
START_TEST(signs_change_between_samples)
{
    darc_table *t = derivation_table(SAMPLES, dt);
    derivation d;
    double off = 0, claimed = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        t->signal[0].value[i] = sin(0.1001 * (double)i + 0.01);
    derivation_make(&d, t, " v = sign(y)", NULL);
    for (size_t i = 1; i < SAMPLES; i++) {
        double a = t->signal[0].value[i - 1], b = t->signal[0].value[i];
        if (a * b < 0)
            off += pow(fabs(b) - fabs(a), 2) / pow(a - b, 2);
    }
    for (size_t i = 0; i < SAMPLES; i++)
        claimed += pow(d.of->sd[i], 2);
    ck_assert_double_eq_tol(off, claimed, 0.2 * claimed);
    derivation_clear(&d);
}
END_TEST

Suite *suite_formula(void)
{
    Suite *s = suite_create("formula");
    TCase *c = tcase_create("formula");
    tcase_add_test(c, signs_are_sure_but_near_reversals);
    tcase_add_test(c, signs_with_much_friction);
    tcase_add_test(c, switches_are_alike);
    tcase_add_test(c, switches_without_a_jump);
    tcase_add_test(c, errors_of_derivatives_go_through);
    tcase_add_test(c, noise_is_that_of_the_caller);
    tcase_add_test(c, signs_of_measured_signals);
    tcase_add_test(c, signs_change_between_samples);
    suite_add_tcase(s, c);
    return s;
}
