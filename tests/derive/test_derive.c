#include "tests.h"

#include "base/random.h"
#include "derive/derive.h"
#include "model/model.h"
#include "recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAMPLES = 400 };

static const double dt = 0.01;

static double wave_at(double t)
{
    return sin(2.1 * t) + 0.3 * cos(5 * t);
}

/* A recording of y = wave_at + noise and u = t - 1; the sample `gap` of y is
 * missing (0: none). */
static darc_table *record(double noise, int gap)
{
    darc_text_t text;
    darc_text_init(text);
    darc_text_puts(text, "t,y,u\n");
    darc_random r;
    darc_random_init(&r, 4, 0);
    for (int i = 0; i < SAMPLES; i++) {
        double t = i * dt, y = wave_at(t) + noise * darc_random_normal(&r);
        if (gap != 0 && i == gap)
            darc_text_printf(text, "%.17g,,%.17g\n", t, t - 1);
        else
            darc_text_printf(text, "%.17g,%.17g,%.17g\n", t, y, t - 1);
    }
    darc_table *table;
    darc_load_options o;
    darc_load_options_init(&o);
    ck_assert_int_eq(recording_load(&table, text->s, text->len, &o, NULL), 0);
    darc_text_clear(text);
    return table;
}

/* A model whose derived signals v and w are used. */
static darc_model *model_of(const char *derived, const char *file)
{
    darc_text_t text;
    darc_text_init(text);
    darc_text_printf(text,
                     "model m\nparameters\n k\noutputs\n y\ninputs\n u\n"
                     "derived\n%s\nequations\n y = k*v + u\n",
                     derived);
    darc_err err;
    darc_err_init(&err);
    darc_model *model = NULL;
    darc_status status =
        darc_model_parse(&model, text->s, text->len, file, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    darc_text_clear(text);
    return model;
}

/* Derive v (and what it needs) on table; return the status. */
static darc_status derive(darc_table *table, double *error, const char *derived,
                          darc_err *err)
{
    darc_model *model = model_of(derived, "test");
    int n = darc_model_names(model)->count;
    bool needed[16] = {false};
    double errors[16] = {0};
    int v = darc_names_find(darc_model_names(model), "v", 1);
    ck_assert_int_lt(n, 16);
    needed[v] = true;
    darc_derive_mark(needed, model);
    const darc_derive_work how = {.threads = 1};
    darc_status status =
        darc_derive_by(table, errors, model, needed, &how, err);
    if (error != NULL)
        *error = errors[v];
    darc_model_free(model);
    return status;
}

static const double *derived_column(darc_table *table, double *error,
                                    const char *derived)
{
    darc_err err;
    darc_err_init(&err);
    darc_status status = derive(table, error, derived, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    int v = darc_table_find(table, "v");
    ck_assert_int_ge(v, 0);
    return table->signal[v].value;
}

START_TEST(every_function)
{
    darc_table *t = record(0, 0);
    double error = 7;
    const double *v = derived_column(
        t, &error,
        " v = sign(u) + abs(y)*min(y, u, 0.5) - max(y, u)/(2 + tanh(y/0.1))"
        " + sqrt(y^2 + 1) + exp(-y)*atan(u) + sin(time)^3");
    /* without noise only sign(0), one sample, is not sure */
    ck_assert_double_lt(error, 1.1 * sqrt(1.0 / SAMPLES));
    for (int i = 0; i < SAMPLES; i++) {
        double s = i * dt, y = t->signal[0].value[i], u = t->signal[1].value[i];
        double want = (u > 0) - (u < 0) + fabs(y) * fmin(fmin(y, u), 0.5) -
                      fmax(y, u) / (2 + tanh(y / 0.1)) + sqrt(y * y + 1) +
                      exp(-y) * atan(u) + pow(sin(s), 3);
        ck_assert_double_eq_tol(v[i], want, 1e-13);
    }
    ck_assert_int_eq(t->segments, 1);
    darc_table_free(t);
}
END_TEST

/* A delay of 7 samples is exact; one of 7.3 has the error of a cubic,
 * h^4/24 |y''''| at most.  Nothing is taken across the gap. */
START_TEST(delays)
{
    static const double delay[] = {0.07, 0.073};
    for (int k = 0; k < 2; k++) {
        darc_table *t = record(0, 200);
        char text[64];
        snprintf(text, sizeof text, " v = delay(y, %g)", delay[k]);
        const double *v = derived_column(t, NULL, text);
        int edge = k == 0 ? 7 : 8;
        ck_assert_int_eq(t->segments, 2);
        ck_assert_uint_eq(t->segment[0].begin, (size_t)edge);
        ck_assert_uint_eq(t->segment[0].end, 200);
        ck_assert_uint_eq(t->segment[1].begin, (size_t)(201 + edge));
        double bound = k == 0 ? 1e-14 : 1.0 / 24 * 1e-8 * (20 + 188);
        for (int i = 0; i < SAMPLES; i++)
            if (i < edge || (i >= 200 && i < 201 + edge))
                ck_assert(isnan(v[i]));
            else
                ck_assert_double_eq_tol(v[i], wave_at(i * dt - delay[k]),
                                        bound);
        darc_table_free(t);
    }
}
END_TEST

/* A mean has the error of a cubic at most; over 7 samples, over a share of one
 * and over 7.3.  Nothing is taken across the gap. */
START_TEST(means)
{
    static const double span[] = {0.07, 0.0043, 0.073};
    enum { FINE = 200 };
    for (int k = 0; k < 3; k++) {
        darc_table *t = record(0, 200);
        char text[64];
        snprintf(text, sizeof text, " v = mean(y, %g)", span[k]);
        const double *v = derived_column(t, NULL, text);
        int edge = (int)ceil(span[k] / dt - 1e-9);
        ck_assert_int_eq(t->segments, 2);
        ck_assert_uint_eq(t->segment[0].begin, (size_t)edge);
        ck_assert_uint_eq(t->segment[1].begin, (size_t)(201 + edge));
        for (int i = 0; i < SAMPLES; i++) {
            double want = 0; /* by midpoints, to 1e-6 of what it is off by */
            for (int j = 0; j < FINE; j++)
                want += wave_at(i * dt - (j + 0.5) / FINE * span[k]) / FINE;
            if (i < edge || (i >= 200 && i < 201 + edge))
                ck_assert(isnan(v[i]));
            else
                ck_assert_double_eq_tol(v[i], want, 1e-7);
        }
        darc_table_free(t);
    }
}
END_TEST

/* The claimed error is the true one within a factor, with noise and
 * without; w = 2 y' + y carries it on. */
START_TEST(estimated_derivatives_know_their_error)
{
    static const double noise[] = {0, 1e-4, 1e-2};
    for (int k = 0; k < 3; k++) {
        darc_table *t = record(noise[k], 0);
        double error, sum = 0;
        const double *v = derived_column(t, &error, " w = 2*y'\n v = w - 1");
        int known = 0;
        for (int i = 0; i < SAMPLES; i++) {
            double s = i * dt;
            double d = 2 * (2.1 * cos(2.1 * s) - 1.5 * sin(5 * s)) - 1;
            if (!isnan(v[i])) {
                sum += (v[i] - d) * (v[i] - d);
                known++;
            }
        }
        ck_assert_int_gt(known, 250);
        double rms = sqrt(sum / known);
        ck_assert_double_lt(rms, 3 * error);
        ck_assert_double_gt(rms, error / 30);
        /* central6 alone would give 1.5 sd / dt */
        ck_assert_double_lt(rms, 1e-8 + 60 * noise[k]);
        darc_table_free(t);
    }
}
END_TEST

/* Noise of a measured signal goes through: sin(y) has the error cos(y) n. */
START_TEST(noise_goes_through)
{
    darc_table *t = record(0.01, 0);
    double error, sum = 0;
    derived_column(t, &error, " v = sin(y)");
    for (int i = 0; i < SAMPLES; i++)
        sum += pow(0.01 * cos(wave_at(i * dt)), 2);
    double want = sqrt(sum / SAMPLES);
    ck_assert_double_gt(error, 0.8 * want);
    ck_assert_double_lt(error, 1.2 * want);
    darc_table_free(t);
}
END_TEST

START_TEST(tables)
{
    char file[] = "/tmp/darc_table_XXXXXX", text[128];
    FILE *f = fdopen(mkstemp(file), "w");
    fputs("u,gain\n-2,1\n0,3\n1,-1\n4,5\n", f);
    fclose(f);
    darc_table *t = record(0, 0);
    snprintf(text, sizeof text, " v = table(u, \"%s\")", file);
    const double *v = derived_column(t, NULL, text);
    ck_assert_double_eq_tol(v[0], 2, 1e-12);   /* u = -1 */
    ck_assert_double_eq_tol(v[125], 2, 1e-12); /* u = 0.25 */
    ck_assert_double_eq_tol(v[300], 1, 1e-12); /* u = 2 */
    darc_table_free(t);
    t = record(0, 0);
    snprintf(text, sizeof text, " v = table(4*u, \"%s\")", file);
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(derive(t, NULL, text, &err), DARC_DATA);
    ck_assert_ptr_nonnull(
        strstr(err.message, "derived signal 'v': -4 at t = 0 s lies outside "
                            "the table"));
    darc_table_free(t);
    f = fopen(file, "w");
    fputs("u,gain\n0,1\n0,3\n", f);
    fclose(f);
    t = record(0, 0);
    darc_err_init(&err);
    ck_assert_int_eq(derive(t, NULL, text, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "must increase"));
    darc_table_free(t);
    unlink(file);
}
END_TEST

static void refuse(const char *derived, int gap, const char *message)
{
    darc_table *t = record(0, gap);
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(derive(t, NULL, derived, &err), DARC_DATA);
    ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
    darc_table_free(t);
}

START_TEST(refusals)
{
    refuse(" v = log(u - 2)", 0,
           "derived signal 'v': log(u - 2) has no value at t = 0 s, where its "
           "argument is -3");
    refuse(" v = delay(y, 10)", 0,
           "derived signal 'v' is known nowhere: the segments of the "
           "recording are too short for it");
    /* the recording lacks u */
    darc_table *t = record(0, 0);
    t->signal[1].name[0] = 'x';
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(derive(t, NULL, " v = u", &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "derived signal 'v' needs 'u', "
                                              "which is not in the recording"));
    darc_table_free(t);
}
END_TEST

START_TEST(estimates_are_known_as_such)
{
    darc_model *model =
        model_of(" a = sin(y) + u\n b = y'^2\n c = b - 1\n v = (a*y)'", "test");
    static const char *const name[] = {"y", "a", "b", "c", "v"};
    static const bool estimated[] = {false, false, true, true, true};
    for (int i = 0; i < 5; i++) {
        int u = darc_names_find(darc_model_names(model), name[i], 1);
        ck_assert(darc_derive_is_estimated(model, u) == estimated[i]);
    }
    darc_model_free(model);
}
END_TEST

START_TEST(marks_follow_the_chain)
{
    darc_model *model =
        model_of(" a = y\n b = u\n c = a + 1\n v = c^2 + time", "test");
    const darc_names_struct *names = darc_model_names(model);
    bool needed[16] = {false};
    needed[darc_names_find(names, "v", 1)] = true;
    darc_derive_mark(needed, model);
    ck_assert(needed[darc_names_find(names, "c", 1)]);
    ck_assert(needed[darc_names_find(names, "a", 1)]);
    ck_assert(needed[darc_names_find(names, "y", 1)]);
    ck_assert(!needed[darc_names_find(names, "b", 1)]);
    ck_assert(!needed[darc_names_find(names, "u", 1)]);
    darc_model_free(model);
}
END_TEST

Suite *suite_derive(void)
{
    Suite *s = suite_create("derive");
    TCase *c = tcase_create("derive");
    tcase_add_test(c, every_function);
    tcase_add_test(c, delays);
    tcase_add_test(c, means);
    tcase_add_test(c, estimated_derivatives_know_their_error);
    tcase_add_test(c, noise_goes_through);
    tcase_add_test(c, tables);
    tcase_add_test(c, refusals);
    tcase_add_test(c, estimates_are_known_as_such);
    tcase_add_test(c, marks_follow_the_chain);
    suite_add_tcase(s, c);
    return s;
}
