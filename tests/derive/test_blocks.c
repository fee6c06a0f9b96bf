/* Derived signals do not depend on the blocks in which they are computed. */
#include "tests.h"

#include "base/random.h"
#include "derive/derive.h"
#include "model/model.h"
#include "recording.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 3000, GAP = 1217 };

/* y, with noise, and u; sample GAP is missing. */
static darc_table *record(bool even, size_t memory)
{
    darc_text_t text;
    darc_random r;
    darc_table *table;
    darc_load_options o;
    darc_text_init(text);
    darc_text_puts(text, "t,y,u\n");
    darc_random_init(&r, 4, 0);
    for (int i = 0; i < SAMPLES; i++) {
        double t = 0.01 * i + (even || i % 3 > 0 ? 0 : 0.004);
        double y = sin(2.1 * t) + 0.3 * cos(5 * t);
        darc_text_printf(text, i == GAP ? "%.17g,,%.17g\n" : "%.17g,%.17g,", t,
                         y + 1e-3 * darc_random_normal(&r));
        if (i != GAP)
            darc_text_printf(text, "%.17g\n", cos(t / 3));
    }
    darc_load_options_init(&o);
    o.memory = memory;
    ck_assert_int_eq(recording_load(&table, text->s, text->len, &o, NULL),
                     DARC_OK);
    ck_assert(table->dt > 0 ? even : !even);
    darc_text_clear(text);
    return table;
}

/* Append v; set *error to its error. */
static darc_status derive(darc_table *table, const char *derived, double *error,
                          const darc_derive_work *how, darc_err *err)
{
    darc_text_t text;
    darc_model *model;
    bool needed[16] = {false};
    double errors[16] = {0};
    darc_text_init(text);
    darc_text_printf(text,
                     "model m\nparameters\n k\noutputs\n y\ninputs\n u\n"
                     "derived\n%s\nequations\n y = k*v + u\n",
                     derived);
    ck_assert_int_eq(darc_model_parse(&model, text->s, text->len, "m", NULL),
                     DARC_OK);
    int v = darc_names_find(darc_model_names(model), "v", 1);
    needed[v] = true;
    darc_derive_mark(needed, model);
    darc_err_init(err);
    darc_status status = darc_derive_by(table, errors, model, needed, how, err);
    *error = errors[v];
    darc_model_free(model);
    darc_text_clear(text);
    return status;
}

static void same_column(const double *a, const double *b)
{
    ck_assert((a == NULL) == (b == NULL));
    for (size_t t = 0; a != NULL && t < SAMPLES; t++)
        ck_assert(a[t] == b[t] || (isnan(a[t]) && isnan(b[t])));
}

static void same_derivation(const darc_derivation *a, const darc_derivation *b)
{
    ck_assert_int_eq(a->influences, b->influences);
    for (int k = 0; k < a->influences; k++) {
        const darc_influence *x = a->influence + k, *y = b->influence + k;
        ck_assert(x->unknown == y->unknown && x->shift == y->shift &&
                  x->constant == y->constant);
        same_column(x->slope, y->slope);
    }
    same_column(a->sd, b->sd);
    same_column(a->switching, b->switching);
    ck_assert(a->correlation == b->correlation && a->missing == b->missing);
}

/* The same columns in many blocks, by some threads, in a temporary file. */
static void compare(const char *derived, bool even)
{
    static const darc_derive_work one = {.block = 2 * SAMPLES,
                                         .threads = 1,
                                         .smooth = 3},
                                  many = {
                                      .block = 101, .threads = 3, .smooth = 3};
    darc_table *a = record(even, 0), *b = record(even, 1000);
    darc_err err;
    double error[2];
    ck_assert_ptr_null(a->spool);
    ck_assert_ptr_nonnull(b->spool);
    darc_status status = derive(a, derived, &error[0], &one, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    status = derive(b, derived, &error[1], &many, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    ck_assert_int_eq(a->signals, b->signals);
    for (int i = 2; i < a->signals; i++) {
        ck_assert_str_eq(a->signal[i].name, b->signal[i].name);
        same_column(a->signal[i].value, b->signal[i].value);
    }
    ck_assert_int_eq(a->derivations, b->derivations);
    for (int i = 0; i < a->derivations; i++)
        same_derivation(a->derivation + i, b->derivation + i);
    ck_assert_int_eq(a->segments, b->segments);
    ck_assert_int_eq(memcmp(a->segment, b->segment,
                            (size_t)a->segments * sizeof *a->segment),
                     0);
    ck_assert_double_gt(error[0], 0);
    ck_assert_double_eq_tol(error[1] / error[0], 1, 1e-12);
    darc_table_free(a);
    darc_table_free(b);
}

START_TEST(derivatives)
{
    compare(" v = sign(y')", true);
    compare(" v = tanh(y''/3)*u", true);
}
END_TEST

/* The derivative of what has gaps of its own, and is computed itself. */
START_TEST(derivatives_of_expressions)
{
    compare(" w = (y*u')'\n v = (w*delay(y, 0.5))' + y", true);
}
END_TEST

START_TEST(delays)
{
    compare(" v = delay(y, 0.07) + delay(u, 3.333) + sin(time)", true);
    compare(" v = delay(y*u, 1.0025)", false);
    compare(" v = mean(y, 3.333) + u*mean(u, 0.0721)", true);
    compare(" v = mean(y*u, 1.0025)", false);
}
END_TEST

START_TEST(uneven_times)
{
    compare(" v = sign(y')*u", false);
}
END_TEST

START_TEST(choices_and_integrals)
{
    compare(" w = y' + u\n v = sign(w)*u + int(y*u) + sqrt(y + 1.2)", true);
    compare(" v = (if y > u then y^2 else u)*int(y') + y", false);
}
END_TEST

/* A signal known in every second block only, and in part of it. */
START_TEST(segments_end_anywhere)
{
    compare(" v = delay(y, 9)", true);
    darc_table *t = record(true, 1000);
    darc_err err;
    double error;
    darc_derive_work how = {.block = 50, .threads = 2};
    ck_assert_int_eq(derive(t, " v = delay(y, 20)", &error, &how, &err),
                     DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "is known nowhere"));
    darc_table_free(t);
}
END_TEST

/* Of several failures the first in time is told, whoever meets it. */
START_TEST(failures_are_those_of_one_block)
{
    for (size_t block = 64; block < SAMPLES; block *= 8) {
        darc_table *t = record(true, 1000);
        darc_err err;
        double error;
        darc_derive_work how = {.block = block, .threads = 3};
        ck_assert_int_eq(derive(t, " v = log(u - 0.5)", &error, &how, &err),
                         DARC_DATA);
        /* cos(t/3) = 1/2 at t = pi */
        ck_assert_msg(strstr(err.message, " has no value at t = 3.15 s") !=
                          NULL,
                      "%s", err.message);
        darc_table_free(t);
    }
}
END_TEST

START_TEST(time_limits_are_kept)
{
    darc_table *t = record(true, 0);
    darc_budget budget;
    darc_err err;
    double error;
    darc_budget_init(&budget);
    budget.deadline = darc_now() - 1;
    darc_derive_work how = {.threads = 1, .budget = &budget};
    ck_assert_int_eq(derive(t, " v = sign(y')", &error, &how, &err),
                     DARC_LIMIT);
    darc_table_free(t);
}
END_TEST

Suite *suite_blocks(void)
{
    Suite *s = suite_create("blocks");
    TCase *c = tcase_create("blocks");
    tcase_add_test(c, derivatives);
    tcase_add_test(c, derivatives_of_expressions);
    tcase_add_test(c, delays);
    tcase_add_test(c, uneven_times);
    tcase_add_test(c, choices_and_integrals);
    tcase_add_test(c, segments_end_anywhere);
    tcase_add_test(c, failures_are_those_of_one_block);
    tcase_add_test(c, time_limits_are_kept);
    suite_add_tcase(s, c);
    return s;
}
