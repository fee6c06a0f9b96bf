/* The moments of terms, and what their errors let them show. */
#include "tests.h"

#include "data/table.h"
#include "decide/moments.h"
#include "draw.h"
#include "eliminate/eliminate.h"
#include "models.h"
#include "recording.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 3000 };

static const double dt = 0.01, sd[] = {0.02, 0.05};

/* y' + a*y - b*u on a recording of noise sd[0] in y, sd[1] in u, times size. */
typedef struct {
    darc_model *model;
    darc_ioeqs_t io;
    darc_table *table;
    double *noise_sd;
    darc_criteria by;
    darc_question x;
    darc_regression r;
} recording;

static darc_table *record(double size)
{
    static double y[SAMPLES], u[SAMPLES];
    uint64_t noise = 3;
    for (int i = 0; i < SAMPLES; i++) {
        double t = i * dt, w = 4.7, v = 11.3;
        y[i] = sin(w * t) + 0.3 * cos(v * t);
        u[i] = w * cos(w * t) - 0.3 * v * sin(v * t) + 2 * y[i];
        y[i] += size * sd[0] * draw_normal(&noise);
        u[i] += size * sd[1] * draw_normal(&noise);
    }
    return recording_of(SAMPLES, 1 / dt, 2, (const char *const[]){"y", "u"},
                        (const double *const[]){y, u});
}

static int unknown_of(const recording *k, const char *name)
{
    return darc_names_find(k->io->jet->names, name, strlen(name));
}

static void open_recording(recording *k, double size)
{
    static const char text[] =
        "model m\nstates\n x\ninputs\n u\noutputs\n y\nparameters\n a b\n"
        "equations\n x' = -a*x + b*u\n y = x\n";
    static const int first = 0;
    k->model = model_of(text);
    ck_assert_int_eq(
        darc_ioeqs_init(k->io, k->model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    k->table = record(size);
    k->noise_sd = calloc((size_t)k->io->jet->names->count, sizeof *k->noise_sd);
    k->noise_sd[unknown_of(k, "y")] = sd[0];
    k->noise_sd[unknown_of(k, "u")] = sd[1];
    darc_criteria_init(&k->by);
    k->by.noise_sd = k->noise_sd;
    k->x = (darc_question){.model = k->model,
                           .io = k->io,
                           .equations = 1,
                           .equation = &first,
                           .by = &k->by};
    ck_assert_int_eq(darc_regression_init(&k->r, &k->x, k->table, NULL),
                     DARC_OK);
    ck_assert_int_eq(k->r.total->coeffs, 3);
}

static void close_recording(recording *k)
{
    darc_regression_clear(&k->r);
    darc_table_free(k->table);
    darc_ioeqs_clear(k->io);
    darc_model_free(k->model);
    free(k->noise_sd);
}

/* The term of a derivative of a signal. */
static int column_of(const recording *k, const char *name, int order)
{
    const darc_total_struct *t = k->r.total;
    for (int i = 0; i < t->count; i++)
        for (int v = 0; v < t->vars; v++)
            if (t->term[i].exponent[v] != 0 && t->term[i].order == order &&
                t->var[v].unknown == unknown_of(k, name))
                return t->term[i].coeff;
    return -1;
}

static void moments(darc_moments *m, const recording *k)
{
    ck_assert_int_eq(darc_moments_init(m, &k->r, &k->x, k->table, NULL),
                     DARC_OK);
}

static double square(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

/* What noise does to moments is what is said, but that white noise is counted
 * once more where sampling would fold it; a term without its errors has the
 * size of the term without noise. */
START_TEST(errors_are_those_of_noise)
{
    recording clean, noisy;
    darc_moments a, b;
    double size_a[3], size_b[3];
    open_recording(&clean, 0);
    open_recording(&noisy, 1);
    noisy.r.signal[unknown_of(&noisy, "y")].power_band =
        clean.r.signal[unknown_of(&clean, "y")].power_band;
    noisy.r.signal[unknown_of(&noisy, "u")].power_band =
        clean.r.signal[unknown_of(&clean, "u")].power_band;
    moments(&a, &clean);
    moments(&b, &noisy);
    ck_assert_uint_eq(a.rows, b.rows);
    ck_assert_uint_eq(a.used, SAMPLES);
    darc_moments_sizes(size_a, &a);
    darc_moments_sizes(size_b, &b);
    for (int j = 0; j < 3; j++) {
        double *x = a.w + (size_t)j * a.rows, *y = b.w + (size_t)j * b.rows;
        for (size_t i = 0; i < a.rows; i++)
            x[i] -= y[i];
        ck_assert_double_eq_tol(square(x, a.rows) / b.t[j * 4], 0.5, 0.25);
        ck_assert_double_eq_tol(size_b[j] / size_a[j], 1, 0.02);
    }
    darc_moments_clear(&a);
    darc_moments_clear(&b);
    close_recording(&clean);
    close_recording(&noisy);
}
END_TEST

/* Two signals that carry the noise of one channel have one error; moved by a
 * sample it is another. */
START_TEST(a_channel_is_one_noise)
{
    static double thrice[SAMPLES];
    recording k;
    open_recording(&k, 1);
    for (int i = 0; i < SAMPLES; i++)
        thrice[i] = 3;
    int y = column_of(&k, "y", 0), u = column_of(&k, "u", 0);
    darc_weak_signal *from = k.r.signal + unknown_of(&k, "y");
    darc_weak_source own = from->source[0], source[] = {own, own, own};
    source[0].factor = 3;
    source[1].partial = thrice;
    source[2].shift = 1;
    darc_weak_signal *to = k.r.signal + unknown_of(&k, "u");
    const darc_weak_source *kept = to->source;
    for (int i = 0; i < 3; i++) {
        darc_moments m;
        to->source = source + i;
        moments(&m, &k);
        size_t rows = m.rows;
        const double *a = m.noise + (size_t)y * rows;
        double *b = m.noise + (size_t)u * rows, all = square(b, rows);
        for (size_t j = 0; j < rows; j++)
            b[j] += (i < 2 ? 3 : 1) * a[j]; /* of -u */
        if (i < 2)
            ck_assert_double_lt(square(b, rows), 1e-20 * all);
        else
            ck_assert_double_gt(square(b, rows), 1e-4 * all);
        darc_moments_clear(&m);
    }
    to->source = kept;
    close_recording(&k);
}
END_TEST

/* y' = -2*y + u: one direction is left by the noise, without the term y none
 * is, and u alone would have to be at least so large. */
START_TEST(a_relation_is_one_direction)
{
    recording k;
    darc_moments m;
    darc_nullity f;
    open_recording(&k, 1);
    moments(&m, &k);
    ck_assert_int_eq(darc_nullity_find(&f, &m, 0.01, NULL), DARC_OK);
    int d = column_of(&k, "y", 1), y = column_of(&k, "y", 0),
        u = column_of(&k, "u", 0);
    ck_assert_int_eq(f.free, 1);
    ck_assert_double_eq(f.low, 0);
    ck_assert_double_gt(f.p_value, 0.01);
    ck_assert_double_eq_tol(f.c[y] / f.c[d], 2, 0.05);
    ck_assert_double_eq_tol(f.c[u] / f.c[d], 1, 0.02); /* of -u */
    darc_nullity_clear(&f);
    uint64_t state = 4;
    for (size_t i = 0; i < m.rows; i++)
        m.w[(size_t)y * m.rows + i] *= 1 + draw_normal(&state);
    ck_assert_int_eq(darc_nullity_find(&f, &m, 0.01, NULL), DARC_OK);
    ck_assert_int_eq(f.free, 0);
    ck_assert_double_lt(f.p_value, 1e-6);
    ck_assert_double_gt(f.low, 0);
    ck_assert_double_lt(f.low, f.defect);
    darc_nullity_clear(&f);
    darc_moments_clear(&m);
    close_recording(&k);
}
END_TEST

Suite *suite_moments(void)
{
    Suite *s = suite_create("moments");
    TCase *c = tcase_create("moments");
    tcase_add_test(c, errors_are_those_of_noise);
    tcase_add_test(c, a_channel_is_one_noise);
    tcase_add_test(c, a_relation_is_one_direction);
    suite_add_tcase(s, c);
    return s;
}
