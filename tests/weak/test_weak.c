#include "tests.h"

#include "../bench/weak_cases.h"
#include "stats/lanes.h"
#include "stats/real.h"
#include "weak/bspline.h"
#include "weak/laurent.h"
#include "weak/smoother.h"
#include "weak/weak.h"
#include "weak/weak_inside.h"
#include "weak/weak_linear.h"

START_TEST(splines_are_a_partition_of_unity)
{
    enum { STEP = 7, DEGREE = 5, N = (DEGREE + 1) * STEP + 1 };
    double b[N], d[N];
    darc_bspline_table(b, DEGREE, 0, STEP);
    darc_bspline_table(d, DEGREE, 1, STEP);
    for (int i = 0; i < STEP; i++) {
        double sum = 0;
        for (int k = 0; k <= DEGREE; k++)
            sum += b[i + k * STEP];
        ck_assert_double_eq_tol(sum, 1, 1e-14);
    }
    for (int i = 2; i < N - 2; i++) /* five-point derivative, O(h^4) */
        ck_assert_double_eq_tol(
            d[i], (b[i - 2] - 8 * b[i - 1] + 8 * b[i + 1] - b[i + 2]) / 12,
            2e-5);
}
END_TEST

START_TEST(smoother_is_exact_on_polynomials_of_degree_six)
{
    double w[2 * 9 + 1], dt = 0.02385;
    for (int order = 0; order <= 3; order++) {
        darc_smoother_weights(w, 9, order, dt);
        double sum = 0, want = 1;
        for (int s = -9; s <= 9; s++) /* (t - 0.7)^6 at t = 0 */
            sum += w[s + 9] * pow(s * dt - 0.7, 6);
        for (int k = 0; k < order; k++)
            want *= 6 - k;
        want *= pow(-0.7, 6 - order);
        ck_assert_double_eq_tol(sum, want, 1e-6 * fabs(want));
    }
}
END_TEST

START_TEST(bias_of_powers_is_removed)
{
    /* y^4 -> y^4 - 6 s2 y^2 + 3 s2^2; y z -> y z - cov */
    darc_laurent f;
    darc_laurent_init(&f, 2);
    darc_laurent_add(&f, &(darc_monomial){.a = 2, .log = -1, .e = {4, 0}});
    darc_laurent_add(&f, &(darc_monomial){.a = 3, .log = -1, .e = {1, 1}});
    double cov[4] = {0.3, 0.1, 0.1, 0.7}, y[1] = {2.385}, z[1] = {-0.4}, out;
    darc_laurent_unbias(&f, cov);
    darc_laurent_eval(&out, &f, (const double *const[]){y, z}, 1);
    double want = 2 * (pow(y[0], 4) - 6 * 0.3 * y[0] * y[0] + 3 * 0.09) +
                  3 * (y[0] * z[0] - 0.1);
    ck_assert_double_eq_tol(out, want, 1e-12 * fabs(want));
    darc_laurent_clear(&f);

    /* log(y): + s2 / 2y^2 - (s2^2 / 8) 6/y^4 ... with the sign of -L/2 */
    darc_laurent_init(&f, 1);
    darc_laurent_add(&f, &(darc_monomial){.a = 1, .log = 0});
    darc_laurent_unbias(&f, (double[]){0.01});
    darc_laurent_eval(&out, &f, (const double *const[]){y}, 1);
    double s = 0.01 / (y[0] * y[0]);
    want = log(y[0]) + s / 2 - s * s * 6 / 8 + s * s * s * 120 / 48;
    ck_assert_double_eq_tol(out, want, 1e-14);
    darc_laurent_clear(&f);
}
END_TEST

typedef struct {
    darc_jet_t jet;
    darc_dpolys_t part;
    darc_total_t total;
    darc_table *table;
    darc_noisemodel noise[2];
    darc_weak_signal signal[2];
    darc_weak *weak;
} scene;

static void open_scene(scene *s, case_kind kind, double noise, int half)
{
    uint64_t exact = 5, state = 7;
    case_options o = {
        .seconds = 4, .rate = 250, .noise = noise, .scale = {1, 1, 1, 1}};
    case_frame(s->jet, kind);
    darc_dpolys_init(s->part);
    case_parts(s->part, kind, s->jet);
    ck_assert_int_eq(darc_total_init(s->total, s->part, s->jet, true, NULL),
                     DARC_OK);
    s->table = case_table(kind, &o, &exact, &state);
    for (int i = 0; i < s->table->signals; i++) {
        darc_noisemodel *n = s->noise + i;
        darc_noisemodel_init(n, 0.01);
        n->half = half;
        n->kernel = realloc(n->kernel, (size_t)(2 * half + 1) * sizeof(double));
        for (int k = -half; k <= half; k++)
            n->kernel[k + half] = 0.01 / (1 + k * k);
        s->signal[i] =
            (darc_weak_signal){.value = s->table->signal[i].value, .noise = n};
    }
    darc_weak_data data = {
        .table = s->table, .signal = s->signal, .support = 60, .smooth = 6};
    ck_assert_int_eq(darc_weak_new(&s->weak, s->total, &data, NULL), DARC_OK);
}

static void close_scene(scene *s)
{
    darc_weak_free(s->weak);
    for (int i = 0; i < s->table->signals; i++)
        darc_noisemodel_clear(s->noise + i);
    case_free(s->table);
    darc_total_clear(s->total);
    darc_dpolys_clear(s->part, s->jet);
    darc_jet_clear(s->jet);
}

/* m w_a - c w_z - d w_z' = 0 up to the error of the sampled integrals. */
START_TEST(moments_of_exact_signals_cancel)
{
    scene s;
    open_scene(&s, CASE_QUARTER, 0, 0);
    darc_weak_work *work = darc_weak_work_new(s.weak);
    darc_weak_load(work, 0);
    darc_weak_load_partials(work);
    int k = work->functions;
    ck_assert_uint_eq(darc_weak_functions(s.weak), (size_t)k);
    double worst = 0, largest = 0;
    for (int i = 0; i < k; i++) {
        double e = 300 * work->w[i] - 20000 * work->w[k + i] -
                   1500 * work->w[2 * k + i];
        worst = fmax(worst, fabs(e));
        largest = fmax(largest, fabs(20000 * work->w[k + i]));
    }
    ck_assert_double_lt(worst, 1e-5 * largest);
    darc_weak_work_free(work);
    close_scene(&s);
}
END_TEST

/* Sign of a derivative at sample t, 0 where it reaches over the segment. */
static double sign_at(const double *y, size_t t, const darc_segment *s,
                      const double *w)
{
    enum { HALF = DARC_WEAK_SIGN_HALF };
    double sum = 0;
    if (t < s->begin + HALF || t + HALF >= s->end)
        return 0;
    for (size_t k = 0; k <= 2 * HALF; k++)
        sum += w[k] * y[t + k - HALF];
    return (sum > 0) - (sum < 0);
}

START_TEST(signs_of_derivatives_are_made_piece_by_piece)
{
    darc_segment two[] = {{0, 400}, {403, 1000}};
    double w[2 * DARC_WEAK_SIGN_HALF + 1];
    size_t compared = 0, turns = 0;
    scene s;
    open_scene(&s, CASE_QUARTER, 0.01, 0);
    darc_table t = *s.table;
    t.segment = two;
    t.segments = 2;
    s.signal[1].sign = true;
    s.signal[1].order = 1;
    s.signal[1].noise = NULL;
    darc_weak_data data = {
        .table = &t, .signal = s.signal, .support = 20, .piece = 100};
    darc_weak *weak;
    ck_assert_int_eq(darc_weak_new(&weak, s.total, &data, NULL), DARC_OK);
    ck_assert_int_gt(weak->pieces, 4);
    darc_smoother_weights(w, DARC_WEAK_SIGN_HALF, 1, t.dt);
    darc_weak_work *work = darc_weak_work_new(weak);
    for (int p = 0; p < weak->pieces; p++) {
        size_t begin = weak->piece[p].begin;
        darc_weak_load(work, p);
        for (int v = 0; v < weak->vars; v++)
            for (int i = 0; i < work->samples && weak->var[v].sign; i++) {
                double want = sign_at(s.signal[1].value, begin + (size_t)i,
                                      two + (begin >= 403), w);
                ck_assert(work->x[v][i] == want);
                turns += i > 0 && want * work->x[v][i - 1] < 0;
                compared++;
            }
    }
    ck_assert_uint_gt(compared, 900);
    ck_assert_uint_gt(turns, 3);
    darc_weak_work_free(work);
    darc_weak_free(weak);
    close_scene(&s);
}
END_TEST

/* V = A A': column i of the band matrix by the operators A and A'. */
static void compare_covariance(case_kind kind, int half)
{
    scene s;
    open_scene(&s, kind, 0.01, half);
    darc_weak_work *work = darc_weak_work_new(s.weak);
    darc_weak_load(work, 0);
    darc_weak_load_partials(work);
    int k = work->functions, j = darc_weak_coeffs(s.weak);
    static const double coeff[5] = {1, -0.7, 0.31, 0.2, -1.3};
    double *x = calloc((size_t)k, sizeof *x);
    double *out = calloc((size_t)(k * j), sizeof *out);
    darc_weak_at(work, coeff);
    darc_weak_covariance(work, coeff, false);
    for (int column = 0; column < k; column += 9) {
        memset(x, 0, (size_t)k * sizeof *x);
        x[column] = 1;
        darc_weak_adjoint(work, x);
        darc_weak_forward(work, out);
        for (int i = column; i < k; i++) {
            double want = 0;
            for (int m = 0; m < j; m++)
                want += coeff[m] * out[m * k + i];
            double got = i - column <= work->band
                             ? work->ab[column * (work->band + 1) + i - column]
                             : 0;
            double unit = work->ab[column * (work->band + 1)];
            ck_assert_double_eq_tol(got, want, 1e-10 * unit);
        }
    }
    free(x);
    free(out);
    darc_weak_work_free(work);
    close_scene(&s);
}

START_TEST(covariance_is_the_operator_times_its_adjoint)
{
    compare_covariance(CASE_QUARTER, 0);
    compare_covariance(CASE_DUFFING, 3);
    compare_covariance(CASE_SQUARE, 0);
    compare_covariance(CASE_SQUARE, 2);
}
END_TEST

/* Bands of a linear relation do what the operators do. */
START_TEST(shifted_rows_are_the_operators)
{
    scene s;
    open_scene(&s, CASE_QUARTER, 0.01, 0);
    static const double coeff[3] = {1, -0.7, 0.31};
    darc_weak_work *work = darc_weak_work_new(s.weak);
    darc_weak_linear l;
    ck_assert_int_eq(darc_weak_linear_init(&l, s.weak, coeff, NULL), DARC_OK);
    darc_weak_load(work, 0);
    darc_weak_load_partials(work);
    darc_weak_at(work, coeff);
    size_t k = (size_t)work->functions, n = 3 * k;
    double *x = calloc(k, sizeof *x), share[2] = {0, 0};
    double *want = calloc(n, sizeof *want), *got = calloc(n, sizeof *got);
    for (size_t i = 0; i < k; i++)
        x[i] = sin(0.37 * (double)(i * i));
    darc_weak_adjoint(work, x);
    darc_weak_forward(work, want);
    darc_weak_linear_apply(&l, got, share, x, (int)k);
    double unit = darc_lanes_dot(want, want, n) / (double)n;
    for (size_t i = 0; i < n; i++)
        ck_assert_double_eq_tol(got[i], want[i], 1e-12 * sqrt(unit));
    for (int q = 0; q < 2; q++) {
        size_t m = (size_t)(work->samples + 2 * s.weak->pad);
        double z2 = darc_lanes_dot(work->z[q], work->z[q], m);
        ck_assert_double_eq_tol(share[q], z2, 1e-12 * z2);
    }
    darc_weak_covariance(work, coeff, true);
    for (int m = 0; m <= l.band; m++) {
        double v = l.own[m] + l.own[l.band + 1 + m];
        ck_assert_double_eq_tol(v, work->ab[m], 1e-12 * work->ab[0]);
    }
    free(x);
    free(want);
    free(got);
    darc_weak_linear_clear(&l);
    darc_weak_work_free(work);
    close_scene(&s);
}
END_TEST

START_TEST(gaps_split_the_recording)
{
    scene s;
    open_scene(&s, CASE_QUARTER, 0.01, 0);
    size_t whole = darc_weak_functions(s.weak);
    darc_segment two[2] = {{0, 400}, {420, 1000}};
    free(s.table->segment);
    s.table->segment = calloc(2, sizeof *s.table->segment);
    memcpy(s.table->segment, two, sizeof two);
    s.table->segments = 2;
    darc_weak_free(s.weak);
    darc_weak_data data = {.table = s.table, .signal = s.signal, .support = 60};
    ck_assert_int_eq(darc_weak_new(&s.weak, s.total, &data, NULL), DARC_OK);
    size_t split = darc_weak_functions(s.weak);
    ck_assert_uint_lt(split, whole);
    ck_assert_uint_ge(split + 10, whole);
    close_scene(&s);
}
END_TEST

START_TEST(refusals_name_the_reason)
{
    scene s;
    open_scene(&s, CASE_PREY, 0.01, 0);
    darc_err err;
    darc_err_init(&err);
    darc_weak *weak;
    s.table->signal[0].value[17] = -0.1;
    darc_weak_data data = {.table = s.table, .signal = s.signal};
    ck_assert_int_eq(darc_weak_new(&weak, s.total, &data, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "at sample 17"));
    darc_err_init(&err);
    s.table->dt = 0;
    ck_assert_int_eq(darc_weak_new(&weak, s.total, &data, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "uniform time"));
    darc_err_init(&err);
    s.table->dt = 0.004;
    s.table->signal[0].value[17] = 1;
    s.table->segment[0].end = 40;
    ck_assert_int_eq(darc_weak_new(&weak, s.total, &data, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "test functions"));
    close_scene(&s);
}
END_TEST

START_TEST(large_quotients_are_doubles)
{
    fmpz_t n, d;
    fmpz_init(n);
    fmpz_init_set_ui(d, 10);
    fmpz_pow_ui(d, d, 400);
    fmpz_mul_si(n, d, -3);
    ck_assert(darc_real(n, d) == -3);
    fmpz_add_ui(d, d, 7);
    ck_assert_double_eq_tol(darc_real(n, d), -3, 1e-15);
    ck_assert(darc_real_integer(n) == -HUGE_VAL);
    fmpz_one(d);
    ck_assert(darc_real(n, d) == -HUGE_VAL && darc_real(d, n) == 0);
    fmpz_set_si(n, -2385);
    fmpz_set_ui(d, 1000);
    ck_assert_double_eq_tol(darc_real(n, d), -2.385, 1e-15);
    ck_assert(darc_real_integer(n) == -2385);
    fmpz_zero(n);
    ck_assert(darc_real(n, d) == 0 && darc_real_integer(n) == 0);
    fmpz_clear(n);
    fmpz_clear(d);
}
END_TEST

Suite *suite_weak(void)
{
    Suite *s = suite_create("weak");
    TCase *c = tcase_create("weak");
    tcase_add_test(c, large_quotients_are_doubles);
    tcase_add_test(c, splines_are_a_partition_of_unity);
    tcase_add_test(c, smoother_is_exact_on_polynomials_of_degree_six);
    tcase_add_test(c, bias_of_powers_is_removed);
    tcase_add_test(c, moments_of_exact_signals_cancel);
    tcase_add_test(c, signs_of_derivatives_are_made_piece_by_piece);
    tcase_add_test(c, covariance_is_the_operator_times_its_adjoint);
    tcase_add_test(c, shifted_rows_are_the_operators);
    tcase_add_test(c, gaps_split_the_recording);
    tcase_add_test(c, refusals_name_the_reason);
    suite_add_tcase(s, c);
    return s;
}
