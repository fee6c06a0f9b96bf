#include "tests.h"

#include "pointwise/residual.h"
#include "relation/program.h"

#include "exact_residual.h"
#include "fixture_quarter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DT 1e-3

static darc_residual *new_residual(const darc_relation *r, const quarter *q,
                                   const char *diff)
{
    const darc_table *tables[] = {&q[0].table, &q[1].table};
    darc_diff_spec spec;
    darc_residual *residual;
    ck_assert_int_eq(darc_diff_spec_parse(&spec, diff, NULL), DARC_OK);
    ck_assert_int_eq(darc_residual_new(&residual, r, tables, &spec, NULL),
                     DARC_OK);
    return residual;
}

static darc_residual_errors run(const darc_residual *residual,
                                darc_residual_series *series)
{
    darc_residual_errors errors[8];
    ck_assert_int_le(darc_residual_functions(residual), 8);
    ck_assert_int_eq(darc_residual_run(residual, 1, NULL, errors, series, NULL),
                     DARC_OK);
    return errors[0];
}

static void drive_two(quarter *q, size_t n, double extra_mass)
{
    quarter_car car = quarter_car_default();
    quarter_drive(q, &car, n, DT);
    car.road = 2;
    car.m += extra_mass;
    quarter_drive(q + 1, &car, n, DT);
}

static void clear_two(quarter *q)
{
    quarter_clear(q);
    quarter_clear(q + 1);
}

/* Times with jitter; the values stay. */
static void make_uneven(quarter *q, double *time)
{
    for (size_t i = 0; i < q->table.samples; i++)
        time[i] = DT * ((double)i + 0.2 * sin(2.385 * (double)i));
    q->table.time = time;
    q->table.dt = 0;
}

/* With the exact derivatives the program itself reaches the figures. */
START_TEST(exact_derivatives)
{
    static const double want[] = {0, 0, 0, 0, 5.3e-3, 0, 1.6e-2, 0};
    for (int example = 1; example <= 7; example++) {
        if (example == 2)
            continue;
        quarter q[2];
        quarter_car a = quarter_car_default(), b = a;
        b.road = 2;
        b.m = example >= 4 ? 305 : 300;
        b.c *= example == 7 ? 1.1 : 1;
        b.d *= example >= 6 ? 1.1 : 1;
        quarter_drive(q, &a, 1000, DT);
        quarter_drive(q + 1, &b, 1000, DT);
        darc_relation r;
        quarter_relation(&r,
                         example < 3   ? DARC_STRUCTURE
                         : example < 5 ? DARC_EQUAL
                                       : DARC_CHANGED,
                         true);
        darc_dpolys_t p;
        darc_dpolys_init(p);
        darc_dpolys_append(p, r.poly, r.jet);
        darc_program *program;
        darc_program_compile(&program, p, true, r.jet);
        const double *in[16];
        for (int i = 0; i < program->inputs; i++) {
            darc_deriv d = program->deriv[i];
            const char *name = r.jet->names->symbol[d.unknown].name;
            in[i] = q[r.recording[d.unknown]].exact[name[0] == 'z'][d.order];
        }
        static double value[1000], size[1000];
        double *out[] = {value, size}, sum = 0, sum_size = 0;
        darc_program_eval(program, in, out, 1000);
        for (int i = 0; i < 1000; i++) {
            sum += value[i] * value[i];
            sum_size += size[i] * size[i];
        }
        double relative = sqrt(sum / sum_size);
        if (want[example] == 0)
            ck_assert_double_lt(relative, 1e-15);
        else
            ck_assert(relative < 2 * want[example] &&
                      relative > want[example] / 2);
        darc_program_free(program);
        darc_dpolys_clear(p, r.jet);
        quarter_relation_clear(&r);
        clear_two(q);
    }
}
END_TEST

static void check_bound(const darc_residual *residual, double least)
{
    double worst = exact_residual_worst(residual, 256, 25);
    ck_assert_double_le(worst, 1);
    ck_assert_double_ge(worst, least);
}

/* The doubles lie within their bound of the same residual at 256 bits, and
 * the bound is no fantasy. */
START_TEST(rounding_bound_is_proved)
{
    static const char *const diff[] = {"central2", "central6", "sg:9,4"};
    static double time[2][400];
    for (int uneven = 0; uneven < 2; uneven++)
        for (int expanded = 0; expanded < 2; expanded++) {
            quarter q[2];
            drive_two(q, 400, 5);
            for (int k = 0; k < 2 && uneven; k++)
                make_uneven(q + k, time[k]);
            darc_relation r;
            quarter_relation(&r, (darc_test)_i, expanded);
            for (int d = 0; d < 3; d++) {
                darc_residual *residual = new_residual(&r, q, diff[d]);
                check_bound(residual, 1e-5);
                darc_residual_free(residual);
            }
            quarter_relation_clear(&r);
            clear_two(q);
        }
}
END_TEST

/* Without derivatives the operations alone round: a rank-2 matrix of exact
 * inputs, expanded, as a determinant, and closed by h. */
START_TEST(rounding_of_operations)
{
    static const char *const name[] = {"aA", "zA", "aB", "zB"};
    static const char *const entry[] = {
        "3*aA_0", "zA_0",      "7*aB_0",       "aA_0*zB_0",   "zB_0", "aA_0^2",
        "aB_0",   "aA_0*zA_0", "11*zA_0+zB_0", "aA_0*aB_0^2", "aB_0", "zA_0",
        "5*aB_0", "zB_0",      "zB_0^2",       "13"};
    static const char *h[] = {"c0", "c1", "c2", "c3"};
    for (int form = 0; form < 3; form++) {
        quarter q[2];
        drive_two(q, 300, 5);
        darc_relation r;
        fixture_relation(&r, 2, 4, name, 0, 4, entry, form == 0);
        if (form == 2) {
            darc_dpolys_clear(r.last, r.jet);
            ck_assert_int_eq(
                fmpz_mpoly_set_str_pretty(r.h, "c0*c3^2-7*c1*c2^2", h, r.hctx),
                0);
        }
        darc_residual *residual = new_residual(&r, q, "central4");
        check_bound(residual, 1e-4);
        darc_residual_free(residual);
        fixture_relation_clear(&r);
        clear_two(q);
    }
}
END_TEST

/* Stencils of y and y'' combined by hand: 10^6 (1, b - 2, 1) from y'' +
 * 10^6 b y at dt = 0.001; variance and the sum of squared covariances. */
START_TEST(stencils_are_combined)
{
    static const char *const name[] = {"z"};
    static const char *const text[] = {"z_2", "z_2+2000000*z_0",
                                       "z_2+5000000*z_0"};
    for (int b = 0; b < 3; b++) {
        quarter q[2];
        drive_two(q, 500, 0);
        darc_relation r;
        fixture_relation(&r, 1, 1, name, 2, 1, text + b, true);
        darc_residual *residual = new_residual(&r, q, "central2");
        darc_residual_set_noise(residual, 0, 1e-3, 1e-3);
        darc_residual_errors e = run(residual, NULL);
        double w[] = {1, b == 0 ? -2 : b == 1 ? 0 : 3, 1};
        double c0 = 2 + w[1] * w[1], c1 = 2 * w[1], c2 = 1;
        ck_assert_double_eq_tol(e.noise, 1e3 * sqrt(c0), 1e-6);
        ck_assert_double_eq_tol(e.noise_dof / (double)e.inner,
                                c0 * c0 / (c0 * c0 + 2 * c1 * c1 + 2 * c2 * c2),
                                1e-9);
        darc_residual_free(residual);
        fixture_relation_clear(&r);
        clear_two(q);
    }
}
END_TEST

START_TEST(forms_agree)
{
    for (int test = DARC_STRUCTURE; test <= DARC_CHANGED; test++) {
        quarter q[2];
        drive_two(q, 600, 5);
        darc_residual_series series[2];
        darc_residual_errors errors[2];
        for (int expanded = 0; expanded < 2; expanded++) {
            darc_relation r;
            quarter_relation(&r, (darc_test)test, expanded);
            darc_residual *residual = new_residual(&r, q, "central4");
            for (int w = 0; w < r.jet->names->count; w++)
                darc_residual_set_noise(residual, w, 1e-6, 1e-6);
            errors[expanded] = run(residual, series + expanded);
            darc_residual_free(residual);
            quarter_relation_clear(&r);
        }
        ck_assert_double_eq_tol(errors[0].size / errors[1].size, 1, 1e-12);
        ck_assert_double_eq_tol(errors[0].noise / errors[1].noise, 1, 1e-6);
        ck_assert_double_eq_tol(errors[0].noise_dof / errors[1].noise_dof, 1,
                                1e-6);
        double within = 1e-13 * errors[0].size;
        ck_assert_uint_eq(series[0].count, series[1].count);
        for (size_t i = 0; i < series[0].count; i++)
            ck_assert_double_eq_tol(series[0].value[i], series[1].value[i],
                                    10 * within);
        darc_residual_series_clear(series);
        darc_residual_series_clear(series + 1);
        clear_two(q);
    }
}
END_TEST

/* y'' + p y' + p^2 y = 0: c_0 c_2 = c_1^2.  Expanded by FLINT, and by minors
 * sample by sample. */
static void damped_relation(darc_relation *r, bool expanded)
{
    static const char *const name[] = {"y"};
    static const char *const entry[] = {"y_2", "y_1", "y_0", "y_3", "y_2",
                                        "y_1", "0",   "0",   "0"};
    static const char *const h[] = {"c0", "c1", "c2"};
    fixture_relation(r, 1, 1, name, 3, 3, entry, false);
    darc_dpolys_clear(r->last, r->jet);
    int bad = fmpz_mpoly_set_str_pretty(r->h, "c0*c2 - c1^2", (const char **)h,
                                        r->hctx);
    ck_assert_int_eq(bad, 0);
    if (!expanded)
        return;
    darc_dpolys_t p;
    darc_dpolys_init(p);
    fixture_append(p, "(y_1^2-y_2*y_0)*(y_2^2-y_3*y_1)-(y_2*y_1-y_0*y_3)^2",
                   r->jet);
    fmpz_mpoly_set(r->poly, p->p, r->jet->ctx);
    r->expanded = true;
    darc_dpolys_clear(p, r->jet);
}

static void drive_damped(quarter *q, size_t n, double spoil)
{
    static char y[] = "y";
    quarter_car car = quarter_car_default();
    quarter_drive(q, &car, n, DT);
    q->signal[0].name = y;
    for (size_t i = 0; i < n; i++) {
        double t = 20 * (double)i * DT;
        q->signal[0].value[i] =
            exp(-t / 2) * cos(0.5 * sqrt(3 + spoil) * t) + 0 * t;
    }
}

START_TEST(closed_by_h)
{
    for (int spoilt = 0; spoilt < 2; spoilt++) {
        quarter q;
        darc_residual_series series[2];
        darc_residual_errors errors[2];
        drive_damped(&q, 300, spoilt * 0.05);
        for (int expanded = 0; expanded < 2; expanded++) {
            darc_relation r;
            damped_relation(&r, expanded);
            darc_residual *residual = new_residual(&r, &q, "central4");
            darc_residual_set_noise(residual, 0, 1e-6, 1e-6);
            errors[expanded] = run(residual, series + expanded);
            check_bound(residual, 1e-6);
            darc_residual_free(residual);
            fixture_relation_clear(&r);
        }
        ck_assert_double_eq_tol(errors[0].noise / errors[1].noise, 1, 1e-6);
        double relative = errors[0].rms / errors[0].size;
        ck_assert(spoilt ? relative > 1e-3 : relative < 1e-6);
        for (size_t i = 0; i < series[0].count; i++)
            ck_assert_double_eq_tol(series[0].value[i], series[1].value[i],
                                    1e-12 * errors[0].size);
        darc_residual_series_clear(series);
        darc_residual_series_clear(series + 1);
        quarter_clear(&q);
    }
}
END_TEST

/* Mean square of the residual over recordings with fresh noise is the square
 * of the error bar, and it scatters as dof says. */
START_TEST(noise_bars_are_those_of_noise)
{
    enum { RUNS = 60, N = 400 };
    for (int test = DARC_STRUCTURE; test <= DARC_CHANGED; test++) {
        double sum = 0, sum2 = 0, noise2 = 0, dof = 0;
        for (int i = 0; i < RUNS; i++) {
            quarter q[2];
            drive_two(q, N, test == DARC_CHANGED ? 5 : 0);
            const double sd[] = {3e-6, 2e-8};
            for (int k = 0; k < 2; k++)
                for (int s = 0; s < 2; s++) {
                    unsigned long seed = (unsigned long)(4 * i + 2 * k + s + 1);
                    for (size_t t = 0; t < N; t++)
                        q[k].signal[s].value[t] +=
                            sd[s] * quarter_normal(&seed);
                }
            darc_relation r;
            quarter_relation(&r, (darc_test)test, true);
            darc_residual *residual = new_residual(&r, q, "central6");
            for (int w = 0; w < r.jet->names->count; w++)
                darc_residual_set_noise(residual, w, sd[w % 2], sd[w % 2]);
            darc_residual_errors e = run(residual, NULL);
            sum += e.rms * e.rms / RUNS;
            sum2 += pow(e.rms, 4) / RUNS;
            noise2 += e.noise * e.noise / RUNS;
            dof += e.noise_dof / RUNS;
            darc_residual_free(residual);
            quarter_relation_clear(&r);
            clear_two(q);
        }
        ck_assert_double_eq_tol(sum / noise2, 1, 4 * sqrt(2 / dof / RUNS));
        double spread = (sum2 - sum * sum) / (sum * sum);
        ck_assert_double_eq_tol(spread * dof / 2, 1, 0.6);
    }
}
END_TEST

/* What the ladder calls truncation is the residual of a true relation. */
START_TEST(truncation_is_the_residual)
{
    quarter q[2];
    drive_two(q, 800, 0);
    darc_relation r;
    quarter_relation(&r, DARC_EQUAL, true);
    darc_residual *residual = new_residual(&r, q, "central2");
    darc_residual_errors e = run(residual, NULL);
    ck_assert_double_eq_tol(e.truncation / e.rms, 1, 0.05);
    ck_assert_double_lt(e.next, 0.1 * e.truncation);
    darc_residual_free(residual);
    quarter_relation_clear(&r);
    clear_two(q);
}
END_TEST

/* The means that errors are held against leave out both ends. */
START_TEST(inner_samples_are_compared)
{
    quarter q[2];
    drive_two(q, 400, 0);
    darc_relation r;
    quarter_relation(&r, DARC_STRUCTURE, true);
    darc_residual *residual = new_residual(&r, q, "central4");
    darc_residual_series series;
    darc_residual_errors e = run(residual, &series);
    double all = 0, inner = 0;
    for (size_t i = 0; i < series.count; i++) {
        double square = series.value[i] * series.value[i];
        all += square;
        inner += i >= 2 && i + 2 < series.count ? square : 0;
    }
    ck_assert_uint_eq(e.inner, series.count - 4);
    ck_assert_double_eq_tol(e.rms / sqrt(all / (double)e.used), 1, 1e-12);
    ck_assert_double_eq_tol(e.inner_rms / sqrt(inner / (double)e.inner), 1,
                            1e-12);
    ck_assert(e.rms != e.inner_rms);
    darc_residual_series_clear(&series);
    darc_residual_free(residual);
    quarter_relation_clear(&r);
    clear_two(q);
}
END_TEST

START_TEST(threads_change_nothing)
{
    quarter q[2];
    drive_two(q, 20000, 5); /* three groups of blocks */
    darc_relation r;
    quarter_relation(&r, DARC_CHANGED, true);
    darc_residual *residual = new_residual(&r, q, "central4");
    for (int w = 0; w < 4; w++)
        darc_residual_set_noise(residual, w, 1e-5, 1e-5);
    darc_residual_errors one[4], five[4];
    ck_assert_int_eq(darc_residual_functions(residual), 4);
    ck_assert_int_eq(darc_residual_run(residual, 1, NULL, one, NULL, NULL), 0);
    ck_assert_int_eq(darc_residual_run(residual, 5, NULL, five, NULL, NULL), 0);
    ck_assert_int_eq(memcmp(one, five, sizeof one), 0);
    darc_residual_free(residual);
    quarter_relation_clear(&r);
    clear_two(q);
}
END_TEST

/* central4, order 2: two samples a side.  A: 300 in one piece; B: pieces of
 * 104, 4 and 150, that is 100 + 0 + 146. */
START_TEST(gaps_and_lengths_pair_up)
{
    quarter q[2];
    drive_two(q, 300, 5);
    darc_segment pieces[] = {{0, 104}, {110, 114}, {120, 270}};
    q[1].table.segment = pieces;
    q[1].table.segments = 3;
    for (size_t i = 104; i < 110; i++)
        q[1].signal[0].value[i] = NAN;
    darc_relation r;
    quarter_relation(&r, DARC_EQUAL, true);
    darc_residual *residual = new_residual(&r, q, "central4");
    darc_residual_errors e = run(residual, NULL);
    ck_assert_uint_eq(e.used, 246);
    /* Two more rungs take two more samples a side, of A at its beginning
     * together with B. */
    ck_assert_uint_eq(e.inner, 246 - 8);
    ck_assert(isfinite(e.rms));
    darc_residual_free(residual);
    quarter_relation_clear(&r);
    clear_two(q);
}
END_TEST

START_TEST(what_fails)
{
    quarter q[2];
    drive_two(q, 60, 0);
    darc_relation r;
    darc_residual *residual;
    darc_err err;
    darc_diff_spec spec;
    const darc_table *tables[] = {&q[0].table, &q[1].table};
    static char other[] = "w";
    spec = (darc_diff_spec){.kind = DARC_DIFF_CENTRAL, .order = 4};
    quarter_relation(&r, DARC_EQUAL, true);
    q[1].signal[1].name = other;
    darc_err_init(&err);
    ck_assert_int_eq(darc_residual_new(&residual, &r, tables, &spec, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "no signal for 'zB'"));
    ck_assert_ptr_null(residual);
    q[1].signal[1].name = q[0].signal[1].name;
    q[1].segment.end = 4;
    darc_err_init(&err);
    ck_assert_int_eq(darc_residual_new(&residual, &r, tables, &spec, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "holds the 5 samples"));
    q[1].segment.end = 60;
    darc_err_init(&err);
    ck_assert_int_eq(darc_diff_spec_parse(&spec, "sg:9,1", NULL), DARC_OK);
    ck_assert_int_eq(darc_residual_new(&residual, &r, tables, &spec, &err),
                     DARC_DOMAIN);
    spec = (darc_diff_spec){.kind = DARC_DIFF_CENTRAL, .order = 4};
    q[0].signal[0].value[30] = 1e300;
    darc_err_init(&err);
    ck_assert_int_eq(darc_residual_new(&residual, &r, tables, &spec, &err),
                     DARC_OK);
    darc_residual_errors e[2];
    ck_assert_int_eq(darc_residual_run(residual, 1, NULL, e, NULL, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "leaves the range of numbers"));
    darc_budget spent;
    darc_budget_init(&spent);
    spent.deadline = 0;
    darc_err_init(&err);
    ck_assert_int_eq(darc_residual_run(residual, 1, &spent, e, NULL, &err),
                     DARC_LIMIT);
    darc_residual_free(residual);
    quarter_relation_clear(&r);
    clear_two(q);
}
END_TEST

Suite *suite_residual(void)
{
    Suite *s = suite_create("residual");
    TCase *c = tcase_create("residual");
    tcase_add_test(c, exact_derivatives);
    tcase_add_loop_test(c, rounding_bound_is_proved, DARC_STRUCTURE,
                        DARC_CHANGED + 1);
    tcase_add_test(c, rounding_of_operations);
    tcase_add_test(c, stencils_are_combined);
    tcase_add_test(c, forms_agree);
    tcase_add_test(c, closed_by_h);
    tcase_add_test(c, noise_bars_are_those_of_noise);
    tcase_add_test(c, truncation_is_the_residual);
    tcase_add_test(c, inner_samples_are_compared);
    tcase_add_test(c, threads_change_nothing);
    tcase_add_test(c, gaps_and_lengths_pair_up);
    tcase_add_test(c, what_fails);
    suite_add_tcase(s, c);
    return s;
}
