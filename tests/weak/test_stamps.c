/* Moments from uneven stamps, from samples of which some are lost, and of two
 * rates, against those on uniform time; and of held signals. */
#include "scene.h"
#include "tests.h"

#include "stats/smoother.h"

#include <math.h>
#include <string.h>

static double waves(int signal, double t)
{
    return 3 + sin((signal == 0 ? 7.3 : 4.1) * t + 0.4);
}

static const scene_plan plan = {
    .names = "yz",
    .part = {{"+1y2", "+1y0y0", "+1z1", "+1z0", "+1y0z0"}},
    .at = waves,
    .samples = 1500,
    .dt = 0.004,
    .sd = 0.01,
    .support = 120};

typedef struct {
    scene s;
    double *time;
    unsigned char *absent;
} recording;

static void open_recording(recording *r, bool uneven)
{
    size_t n = (size_t)plan.samples;
    scene_open(&r->s, &plan);
    r->time = calloc(n, sizeof *r->time);
    r->absent = calloc(n, 1);
    for (size_t i = 0; i < n; i++) {
        bool moved = uneven && i > 0 && i + 1 < n;
        r->time[i] =
            plan.dt * ((double)i + (moved ? 0.3 * sin(2.385 * (double)i) : 0));
        for (int k = 0; k < 2; k++)
            r->s.column[k].value[i] = waves(k, r->time[i]);
    }
    r->s.table.time = r->time;
    r->s.table.dt = 0;
    r->s.signal[1].absent = r->absent;
}

static void close_recording(recording *r)
{
    scene_close(&r->s);
    free(r->time);
    free(r->absent);
}

/* Remake the system and compare its moments with those on uniform time, of the
 * spacing that it found. */
static double worst_moment(recording *r)
{
    scene even;
    scene_remake(&r->s);
    scene_plan same = plan;
    same.dt = r->s.weak->dt;
    scene_open(&even, &same);
    darc_weak_work *a = darc_weak_work_new(r->s.weak);
    darc_weak_work *b = darc_weak_work_new(even.weak);
    darc_weak_load(a, 0);
    darc_weak_load(b, 0);
    double worst = 0;
    ck_assert_int_eq(r->s.weak->step, even.weak->step);
    ck_assert_int_ge(a->functions, b->functions - 1);
    int n = a->functions < b->functions ? a->functions : b->functions;
    for (int j = 0; j < r->s.weak->coeffs; j++)
        for (int k = 0; k < n; k++)
            worst = fmax(worst,
                         fabs(a->w[j * a->rows + k] - b->w[j * b->rows + k]));
    darc_weak_work_free(a);
    darc_weak_work_free(b);
    scene_close(&even);
    return worst;
}

START_TEST(uneven_stamps_give_the_same_moments)
{
    recording r;
    open_recording(&r, true);
    ck_assert_double_lt(worst_moment(&r), 1e-8);
    for (size_t i = 0; i < (size_t)plan.samples; i++)
        r.s.column[0].value[i] = waves(0, plan.dt * (double)i);
    ck_assert_double_gt(worst_moment(&r), 1e-5); /* stamps matter */
    close_recording(&r);
}
END_TEST

START_TEST(functions_see_their_own_samples)
{
    recording r;
    open_recording(&r, true);
    scene_remake(&r.s);
    ck_assert_int_ge(r.s.weak->wide, r.s.weak->support);
    ck_assert_int_le(r.s.weak->wide, r.s.weak->support + 2 * DARC_UNEVEN_NODES);
    close_recording(&r);
}
END_TEST

START_TEST(absent_samples_do_not_count)
{
    for (int lost = 0; lost < 2; lost++) {
        recording r;
        open_recording(&r, lost == 1);
        for (int i = 1; i + 1 < plan.samples; i++) {
            r.absent[i] =
                (unsigned char)(lost ? (i * 7919) % 50 == 0 : i % 5 != 0);
            if (r.absent[i])
                r.s.column[1].value[i] = 1e3;
        }
        /* at the ends of a slow signal polynomials take fewer samples */
        ck_assert_double_lt(worst_moment(&r), 2e-5);
        close_recording(&r);
    }
}
END_TEST

/* A long hole in one signal parts the recording. */
START_TEST(long_holes_end_a_stretch)
{
    recording r;
    open_recording(&r, false);
    scene_remake(&r.s);
    ck_assert_int_eq(r.s.weak->pieces, 1);
    for (int i = 700; i < 800; i++)
        r.absent[i] = 1;
    r.s.signal[0].power_band = r.s.signal[1].power_band = 2;
    scene_remake(&r.s);
    ck_assert_int_eq(r.s.weak->pieces, 2);
    close_recording(&r);
}
END_TEST

/* One row lost leaves the polynomial of eight samples whole, two do not: of
 * signals of 15 samples a period. */
START_TEST(a_lost_row_is_stepped_over)
{
    recording r;
    open_recording(&r, false);
    r.s.signal[0].power_band = r.s.signal[1].power_band = 1 / (15 * plan.dt);
    for (int i = 50; i < plan.samples; i += 50)
        r.absent[i] = 1;
    scene_remake(&r.s);
    ck_assert_int_eq(r.s.weak->pieces, 1);
    r.absent[751] = 1;
    scene_remake(&r.s);
    ck_assert_int_eq(r.s.weak->pieces, 2);
    close_recording(&r);
}
END_TEST

/* The covariance against that of noise which is drawn. */
START_TEST(noise_goes_through_shapes)
{
    enum { DRAWS = 300 };
    static const double c[5] = {1, 0.1, 0.3, 1, 0.2};
    recording r;
    open_recording(&r, true);
    for (int i = 1; i + 1 < plan.samples; i++)
        r.absent[i] = i % 3 != 0;
    scene_remake(&r.s);
    darc_weak_work *work = darc_weak_work_new(r.s.weak);
    darc_weak_load(work, 0);
    darc_weak_load_partials(work);
    darc_weak_at(work, c);
    darc_weak_covariance(work);
    size_t rows = (size_t)work->rows;
    double *w = calloc(rows * 5, sizeof *w), drawn = 0, told = 0;
    uint64_t state = 5;
    for (int d = 0; d < DRAWS; d++) {
        for (int z = 0; z < 2; z++)
            for (size_t i = 0; i < darc_weak_field(work); i++)
                work->z[z][i] = case_normal(&state);
        for (int z = 2; z < darc_weak_channels(r.s.weak); z++)
            memset(work->z[z], 0, darc_weak_field(work) * sizeof(double));
        darc_weak_forward(work, w);
        for (size_t k = 0; k < rows; k++) {
            double e = 0;
            for (size_t j = 0; j < 5; j++)
                e += c[j] * w[j * rows + k];
            drawn += e * e / DRAWS;
        }
    }
    for (size_t k = 0; k < rows; k++)
        told += work->ab[k * (size_t)(work->band + 1)];
    /* 300 draws of some 30 independent moments */
    ck_assert_double_eq_tol(drawn / told, 1, 0.05);
    free(w);
    darc_weak_work_free(work);
    close_recording(&r);
}
END_TEST

/* ---- held signals ---------------------------------------------------------
 */

static double steps(int signal, double t)
{
    double u = floor(t / 0.1 + 1e-9); /* a step every 25 samples */
    return signal == 0 ? waves(0, t) : sin(u * u);
}

/* The sum over steps of the integral of phi, from 50 places in each. */
static double integral_of_steps(const darc_weak *weak, int k, bool product)
{
    enum { PLACES = 50 };
    double *phi = calloc((size_t)weak->support * PLACES + 1, sizeof *phi);
    darc_bspline_table(phi, weak->degree, 0, weak->step * PLACES);
    double sum = 0;
    for (int i = 0; i < weak->support * PLACES; i++) {
        double x = k * weak->step + (i + 0.5) / PLACES, t = x * plan.dt;
        double f = steps(1, floor(x + 1e-9) * plan.dt);
        sum += (phi[i] + phi[i + 1]) / 2 * (product ? f * f * waves(0, t) : f);
    }
    free(phi);
    return sum * plan.dt / PLACES;
}

START_TEST(moments_of_held_signals_are_exact)
{
    static const scene_plan held = {.names = "yu",
                                    .part = {{"+1y1", "+1u0", "+1u0u0y0"}},
                                    .at = steps,
                                    .samples = 1000,
                                    .dt = 0.004,
                                    .support = 120};
    scene s;
    scene_open(&s, &held);
    for (int pass = 0; pass < 2; pass++) {
        darc_weak_work *work = darc_weak_work_new(s.weak);
        darc_weak_load(work, 0);
        double worst = 0, size = s.weak->step * plan.dt;
        for (int k = 0; k < work->functions; k++)
            for (int j = 1; j < 3; j++)
                worst = fmax(worst, fabs(work->w[j * work->rows + k] -
                                         integral_of_steps(s.weak, k, j == 2)));
        ck_assert(pass == 0 ? worst > 1e-3 * size : worst < 1e-5 * size);
        darc_weak_work_free(work);
        s.signal[1].held = s.signal[1].exact = true;
        scene_remake(&s);
    }
    scene_close(&s);
}
END_TEST

Suite *suite_stamps(void)
{
    Suite *s = suite_create("stamps");
    TCase *c = tcase_create("all");
    tcase_add_test(c, uneven_stamps_give_the_same_moments);
    tcase_add_test(c, functions_see_their_own_samples);
    tcase_add_test(c, absent_samples_do_not_count);
    tcase_add_test(c, long_holes_end_a_stretch);
    tcase_add_test(c, a_lost_row_is_stepped_over);
    tcase_add_test(c, noise_goes_through_shapes);
    tcase_add_test(c, moments_of_held_signals_are_exact);
    suite_add_tcase(s, c);
    return s;
}
